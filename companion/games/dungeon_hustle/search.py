"""The best path through matching cards, exactly: a longest-path search that knows what it can no longer reach.

A run jumps from card to card and ends on a last place; all cards before the last are picked up. So a run is a path
through `open` cards, each adding its worth, and then one more jump: to a place that ends it, or to one more open card,
which is then not picked up. One jump may leap over a space where that is allowed.

The search goes depth first, the narrowest way first (the next card with the fewest ways on, so that dead ends are used
while they can be). It gives a branch up where even all that can still be reached would not beat the best run so far.
What can be reached is found by flooding, and less is counted than that: of the parts into which the cards ahead fall a
path takes one, of all dead ends at most one, and its last card must have a place to end beside it or is not picked up.
Where many branches were not settled that way, chains of blocks (blocks.py) bound them more closely; and where even that
takes long, a sweep over the board (sweep.py) settles the rest.
What follows depends only on where the runner stands and which part lies ahead: a pair that failed is not tried again.
"""

from __future__ import annotations

from typing import Final

from companion.games.dungeon_hustle.bitboard import AROUND, BITS, bits, dead_ends, flooded
from companion.games.dungeon_hustle.blocks import best_chain
from companion.games.dungeon_hustle.sweep import best_by_sweep
from companion.games.dungeon_hustle.tasks import NOTHING, Ending, Found, Task

# Chains of blocks cost about as much as ten plain bounds: they pay once a search has shown itself to be hard, and on
# parts that are large enough to hang together by a single card in more than one way.
EASY_CARDS_ENTERED: Final = 60
SMALL_PART: Final = 5

# A sweep costs about as much as entering this many cards. Few boards need it; those that do may need any number.
LONG_SEARCH: Final = 2000


class _TooLong(Exception):
    """The search was not over soon."""


def best_path(task: Task, floor: int = NOTHING) -> Found | None:
    """A path of the highest value above the floor; None where there is none that enters an open card."""
    search = _Search(task, floor)
    if search.may_leap:
        search.explore_leaping(-1, task.entries, task.leap_entries, task.open, 0)
        return search.best
    try:
        search.explore(-1, task.entries, task.open, 0)
    except _TooLong:
        return best_by_sweep(task, search.best_value) or search.best
    return search.best


class _Search:
    def __init__(self, task: Task, floor: int) -> None:
        self.task = task
        self.may_leap = bool(task.leaps or task.leap_entries)
        self.best: Found | None = None
        self.best_value = floor
        self.path: list[int] = []
        self.entered = 0
        self.failed: dict[tuple[int, int, bool], int] = {}
        masks: dict[int, int] = {}
        self.gains = [0] * BITS
        for bit, worth in task.worth.items():
            if worth > 0:
                self.gains[bit] = worth
                masks[worth] = masks.get(worth, 0) | 1 << bit
        self.worth_masks = sorted(masks.items())
        self.end_masks = _end_masks(task)
        stays = (task.stay_worth[bit] - self.gains[bit] for bit in task.worth)
        self.best_stay = max(stays, default=NOTHING)  # instead of picking the last card up

    def explore(self, here: int, entries: int, free: int, value: int) -> None:
        """All ways on by plain jumps, from a card (-1: the start) with this value so far."""
        ahead = entries & free
        parts = []
        while ahead:
            part = flooded(ahead & -ahead, free)
            parts.append((self.bound(part, here), part))
            ahead &= ~part
        parts.sort(reverse=True)
        for bound, part in parts:
            if value + bound <= self.best_value:
                return
            self.enter(here, entries, part, value)

    def enter(self, here: int, entries: int, part: int, value: int) -> None:
        """All ways on into one part."""
        key = (here, part, False)
        if value + self.failed.get(key, -NOTHING) <= self.best_value:
            return
        if self.is_hard(here, part) and value + self.chain_bound(here, part) <= self.best_value:
            return
        for bit in _narrowest_first(entries & part, part):
            passed = self.step(bit, value)
            self.explore(bit, AROUND[bit], part & ~(1 << bit), passed)
            self.path.pop()
        self.failed[key] = self.best_value - value

    def explore_leaping(self, here: int, entries: int, leap_entries: int, free: int, value: int) -> None:
        """All ways on while the leap is still to be had: by plain jumps, or by leaping now."""
        key = (here, free, True)
        if value + min(self.failed.get(key, -NOTHING), self.leaping_bound(free, here)) <= self.best_value:
            return
        for bit in _narrowest_first(entries & free, free):
            passed = self.step(bit, value)
            self.explore_leaping(bit, AROUND[bit], self.task.leaps.get(bit, 0), free & ~(1 << bit), passed)
            self.path.pop()
        for bit in _narrowest_first(leap_entries & free, free):
            passed = self.step(bit, value)
            self.explore(bit, AROUND[bit], free & ~(1 << bit), passed)
            self.path.pop()
        if here in self.task.leap_end_worth:
            self.offer(value + self.task.leap_end_worth[here], Ending.LEAP)
        self.failed[key] = self.best_value - value

    def step(self, bit: int, value: int) -> int:
        """Onto an open card: offers what ends there, and returns the value of having passed it."""
        self.entered += 1
        if self.entered > LONG_SEARCH and not self.may_leap:
            raise _TooLong
        self.path.append(bit)
        self.offer(value + self.task.stay_worth[bit], Ending.STAY)
        passed = value + self.task.worth[bit]
        if bit in self.task.end_worth:
            self.offer(passed + self.task.end_worth[bit], Ending.BESIDE)
        return passed

    def offer(self, value: int, ending: Ending) -> None:
        if value > self.best_value:
            self.best_value = value
            self.best = Found(value, tuple(self.path), ending)

    def bound(self, part: int, here: int) -> int:
        """No way on through this part, without a leap, adds more."""
        ends = dead_ends(part, 1 << here) if here >= 0 else 0
        return self.total(part & ~ends) + self.best_of(ends, 1) + self.ending_bound(part)

    def leaping_bound(self, free: int, here: int) -> int:
        """As `bound`, while the leap is to be had, which can take in two more dead ends: those that it joins."""
        own = 1 << here if here >= 0 else 0
        ends = dead_ends(free, own) if own else 0
        return self.total(free & ~ends) + self.best_of(ends, 3) + self.ending_bound(free | own)

    def total(self, part: int) -> int:
        return sum(worth * (part & mask).bit_count() for worth, mask in self.worth_masks)

    def best_of(self, part: int, count: int) -> int:
        """What the best few cards of a part add."""
        return sum(sorted((self.gains[bit] for bit in bits(part)), reverse=True)[:count]) if part else 0

    def ending_bound(self, part: int) -> int:
        """No ending on a card of this part, or beside one, adds more."""
        for worth, mask in self.end_masks:
            if part & mask:
                return max(worth, self.best_stay)
        return self.best_stay

    def is_hard(self, here: int, part: int) -> bool:
        return self.entered > EASY_CARDS_ENTERED and here >= 0 and part.bit_count() > SMALL_PART

    def chain_bound(self, here: int, part: int) -> int:
        return best_chain(here, part, self.gains) + self.ending_bound(part)


def _end_masks(task: Task) -> list[tuple[int, int]]:
    """The cards beside which a run can end, by what that adds, the most first."""
    masks: dict[int, int] = {}
    for ends in (task.end_worth, task.leap_end_worth):
        for bit, worth in ends.items():
            masks[worth] = masks.get(worth, 0) | 1 << bit
    return sorted(masks.items(), reverse=True)


def _narrowest_first(choices: int, free: int) -> list[int]:
    return sorted(bits(choices), key=lambda bit: (AROUND[bit] & free).bit_count())
