"""Sets of cards as bits of a 49-bit number: bit 7 * row + col."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from companion.tiles import SIDE, Space

BITS: Final = SIDE * SIDE
_ALL: Final = (1 << BITS) - 1
_NOT_LEFT: Final = sum(1 << bit for bit in range(BITS) if bit % SIDE)
_NOT_RIGHT: Final = sum(1 << bit for bit in range(BITS) if bit % SIDE != SIDE - 1)


def bit_of(space: Space) -> int:
    return space[0] * SIDE + space[1]


def space_of(bit: int) -> Space:
    return divmod(bit, SIDE)


def mask_of(spaces: Iterable[Space]) -> int:
    return sum(1 << bit_of(space) for space in spaces)


def bits(mask: int) -> Iterator[int]:
    """
    >>> list(bits(0b1010))
    [1, 3]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def grown(mask: int) -> int:
    """The cards of a set and all that touch them, diagonals too."""
    wide = mask | (mask & _NOT_LEFT) >> 1 | (mask & _NOT_RIGHT) << 1
    return (wide | wide >> SIDE | wide << SIDE) & _ALL


AROUND: Final[tuple[int, ...]] = tuple(grown(1 << bit) & ~(1 << bit) for bit in range(BITS))


def flooded(seed: int, within: int) -> int:
    """All of `within` that can be reached from the seed."""
    part = seed & within
    while (more := grown(part) & within) != part:
        part = more
    return part


def dead_ends(part: int, here: int) -> int:
    """The cards of a part that touch at most one card of the part or of `here`."""
    near = part | here
    left, right = (near & _NOT_RIGHT) << 1, (near & _NOT_LEFT) >> 1
    once, twice = left | right, left & right
    for row in (near, left, right):
        for shifted in (row >> SIDE, row << SIDE):
            twice |= once & shifted
            once |= shifted
    return part & ~twice
