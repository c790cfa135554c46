"""Cubes counted by type and size, as frozen values: a stash, a box, what should lie on the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from companion.errors import InvalidInput
from companion.games.dungeon_drop.quests import Cubes
from companion.pieces import BOX, SIZES, SOLO_TYPES, TYPES, Piece

Stash = tuple[tuple[str, str | None, int], ...]  # (type, size, number), sorted, no zeros

EMPTY: Final[Stash] = ()


def stash_of(cubes: Cubes) -> Stash:
    """
    >>> stash_of(Counter({("gold", "S"): 2, ("key", "L"): 0}))
    (('gold', 'S', 2),)
    """
    counted = [(kind, size, number) for (kind, size), number in cubes.items() if number > 0]
    return tuple(sorted(counted, key=lambda item: (TYPES.index(item[0]), _SIZE_ORDER[item[1]])))


_SIZE_ORDER: Final = {None: -1} | {size: number for number, size in enumerate(SIZES)}


def cubes_of(stash: Stash) -> Cubes:
    return Counter({(kind, size): number for kind, size, number in stash})


def total(stash: Stash) -> int:
    return sum(number for _, _, number in stash)


def counted(pieces: Iterable[Piece]) -> Cubes:
    """The cubes among the pieces; meeples are none (D17)."""
    return Counter((piece.type, piece.size) for piece in pieces if piece.type != "meeple")


def first_drop(solo_cubes: bool) -> Cubes:
    """What the first player drops: all small cubes and the dragon."""
    return Counter(
        {cube: n for cube, n in BOX.items() if cube[1] in ("S", "H") and (solo_cubes or cube[0] not in SOLO_TYPES)}
    )


def without(cubes: Cubes, kind: str, size: str | None = None) -> Cubes:
    """One cube of this type fewer, of this size where it is known; unchanged where there is none."""
    names = [name for name, number in cubes.items() if name[0] == kind and number > 0]
    chosen = next((name for name in names if name[1] == size), names[0] if names else None)
    return cubes if chosen is None else +(cubes - Counter([chosen]))


def stash_text(stash: Stash) -> str:
    """
    >>> stash_text((("gold", "S", 2), ("key", None, 1)))
    'gold:S:2,key:?:1'
    """
    return ",".join(f"{kind}:{size or '?'}:{number}" for kind, size, number in stash) or "none"


def stash_from_text(text: str) -> Stash:
    """The number may be left out where it is one, the size where it is unknown.

    >>> stash_from_text("goblin:S,gold:S:2,key")
    (('gold', 'S', 2), ('key', None, 1), ('goblin', 'S', 1))
    """
    cubes: Cubes = Counter()
    for item in text.split(",") if text != "none" else []:
        kind, size, number = ([*item.split(":"), "?", "1"] if item.count(":") == 0 else [*item.split(":"), "1"])[:3]
        if item.count(":") > 2 or kind not in TYPES or kind == "meeple" or size not in (*SIZES, "?"):
            raise InvalidInput(f"{item!r} is no cube; write type:size:number, as in gold:S:2")
        if not number.isascii() or not number.isdigit() or not 1 <= len(number) <= 4:
            raise InvalidInput(f"{item!r}: the number of cubes must be a whole number")
        cubes[kind, None if size == "?" else size] += int(number)
    return stash_of(cubes)
