"""The best path through matching cards, exactly: a longest-path search that knows what it can no longer reach.

Cards are bits of a 49-bit number (bit 7 * row + col). A run jumps from card to card and ends on a last place; all
cards before the last are picked up. So a run is a path through `open` cards, each adding its worth, and then one more
jump: to a place that ends it, or to one more open card, which is then not picked up.

The search goes depth first, the narrowest way first (the next card with the fewest ways on, so that dead ends are used
while they can be). It gives a branch up where even all that can still be reached would not beat the best run so far.
What can be reached is found by flooding, and less is counted than that: of the parts into which the cards ahead fall a
path takes one, of all dead ends at most one, and its last card must have a place to end beside it or is not picked up.
What follows depends only on where the runner stands and which part lies ahead: a pair that failed is not tried again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from companion.tiles import SIDE, Space

BITS: Final = SIDE * SIDE
_ALL: Final = (1 << BITS) - 1
_NOT_LEFT: Final = sum(1 << bit for bit in range(BITS) if bit % SIDE)
_NOT_RIGHT: Final = sum(1 << bit for bit in range(BITS) if bit % SIDE != SIDE - 1)
_NOTHING: Final = -(10**12)  # worse than any run


def bit_of(space: Space) -> int:
    return space[0] * SIDE + space[1]


def space_of(bit: int) -> Space:
    return divmod(bit, SIDE)


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
    """The cards of a part that touch only one card of the part or the runner's own."""
    from_ = part | here
    left, right = (from_ & _NOT_RIGHT) << 1, (from_ & _NOT_LEFT) >> 1
    once = twice = 0
    for near in (left, right):
        twice |= once & near
        once |= near
    for row in (from_, left, right):
        for near in (row >> SIDE, row << SIDE):
            twice |= once & near
            once |= near
    return part & once & ~twice


@dataclass(frozen=True)
class Task:
    """What to search. All worths are whole numbers, higher is better; bits name the cards."""

    entries: int  # open cards that the first jump may reach
    open: int  # cards that a run may pass through, the start excluded
    worth: Mapping[int, int]  # what passing through each open card adds
    end_worth: Mapping[int, int]  # what the best ending beside an open card adds; absent where there is none
    stay_worth: Mapping[int, int]  # what ending on an open card itself adds


@dataclass(frozen=True)
class Found:
    value: int
    through: tuple[int, ...]  # the open cards jumped on, in order
    stays: bool  # it ends on the last of them, rather than on a place beside it


def best_path(task: Task) -> Found | None:
    """A path of the highest value; None where no open card can be entered."""
    search = _Search(task)
    search.explore(task.entries, task.open, 0)
    return search.best


@dataclass
class _Search:
    task: Task
    best: Found | None = None
    best_value: int = _NOTHING
    path: list[int] = field(default_factory=list)
    failed: dict[tuple[int, int], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        masks: dict[int, int] = {}
        for bit, worth in self.task.worth.items():
            if worth > 0:
                masks[worth] = masks.get(worth, 0) | 1 << bit
        self.worth_masks = sorted(masks.items())
        self.with_end = sum(1 << bit for bit in self.task.end_worth)
        self.best_end = max(self.task.end_worth.values(), default=_NOTHING)
        self.best_stay = max(self.task.stay_worth.values(), default=_NOTHING)

    def explore(self, entries: int, free: int, value: int) -> None:
        """All ways on into the free cards, from a card (or the start) with this value so far."""
        here = 1 << self.path[-1] if self.path else 0
        ahead = entries & free
        parts = []
        while ahead:
            part = flooded(ahead & -ahead, free)
            parts.append((self.bound(part, here), part))
            ahead &= ~part
        parts.sort(reverse=True)
        for bound, part in parts:
            if value + bound > self.best_value:
                self.enter(entries, part, value)

    def enter(self, entries: int, part: int, value: int) -> None:
        key = (self.path[-1] if self.path else -1, part)
        if value + self.failed.get(key, -_NOTHING) <= self.best_value:
            return
        task = self.task
        for bit in sorted(bits(entries & part), key=lambda bit: (AROUND[bit] & part).bit_count()):
            self.path.append(bit)
            self.offer(value + task.stay_worth[bit], True)
            passed = value + task.worth[bit]
            if bit in task.end_worth:
                self.offer(passed + task.end_worth[bit], False)
            self.explore(AROUND[bit], part & ~(1 << bit), passed)
            self.path.pop()
        self.failed[key] = self.best_value - value

    def offer(self, value: int, stays: bool) -> None:
        if value > self.best_value:
            self.best_value = value
            self.best = Found(value, tuple(self.path), stays)

    def bound(self, part: int, here: int) -> int:
        """No way on through this part adds more."""
        most = 0
        ends = dead_ends(part, here) if here else 0
        counted = part & ~ends
        best_dead_end = 0
        for worth, mask in self.worth_masks:
            most += worth * (counted & mask).bit_count()
            if ends & mask:
                best_dead_end = worth
        most += best_dead_end
        if part & self.with_end:
            return most + max(self.best_end, self.best_stay)
        least = min(self.task.worth[bit] for bit in bits(part))
        return most - max(least, 0) + self.best_stay
