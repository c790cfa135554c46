"""The best path through matching cards, exactly: a longest-path search that knows what it can no longer reach.

A run jumps from card to card and ends on a last place; all cards before the last are picked up. So a run is a path
through `open` cards, each adding its worth, and then one more jump: to a place that ends it, or to one more open card,
which is then not picked up. One jump may leap over a space where that is allowed.

The search goes depth first, the narrowest way first (the next card with the fewest ways on, so that dead ends are used
while they can be). It gives a branch up where even all that can still be reached would not beat the best run so far.
What can be reached is found by flooding, and less is counted than that: of the parts into which the cards ahead fall a
path takes one, of all dead ends at most one, and its last card must have a place to end beside it or is not picked up.
Where many branches were not settled that way, chains of blocks (blocks.py) bound them more closely.
What follows depends only on where the runner stands and which part lies ahead: a pair that failed is not tried again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from companion.games.dungeon_hustle.bitboard import AROUND, BITS, bits, dead_ends, flooded
from companion.games.dungeon_hustle.blocks import best_chain

NOTHING: Final = -(10**12)  # worse than any run

# Chains of blocks cost about as much as ten plain bounds: they pay once a search has shown itself to be hard, and on
# parts that are large enough to hang together by a single card in more than one way.
EASY_CARDS_ENTERED: Final = 60
SMALL_PART: Final = 5


class Ending(Enum):
    STAY = "on the last open card, which is then not picked up"
    BESIDE = "on a place beside the last open card"
    LEAP = "on a place that a leap from the last open card reaches"


@dataclass(frozen=True)
class Task:
    """What to search. All worths are whole numbers, higher is better; bits name the cards."""

    entries: int  # open cards that the first jump may reach
    open: int  # cards that a run may pass through, the start excluded
    worth: Mapping[int, int]  # what passing through each open card adds
    end_worth: Mapping[int, int]  # what the best ending beside an open card adds; absent where there is none
    stay_worth: Mapping[int, int]  # what ending on an open card itself adds
    leap_entries: int = 0  # open cards that a leap from the start reaches
    leaps: Mapping[int, int] = field(default_factory=dict)  # from each open card, the open cards that a leap reaches
    leap_end_worth: Mapping[int, int] = field(default_factory=dict)  # what the best ending reached by a leap adds


@dataclass(frozen=True)
class Found:
    value: int
    through: tuple[int, ...]  # the open cards jumped on, in order
    ending: Ending


def best_path(task: Task, floor: int = NOTHING) -> Found | None:
    """A path of the highest value above the floor; None where there is none that enters an open card."""
    search = _Search(task, floor)
    if task.leaps or task.leap_entries:
        search.explore_leaping(-1, task.entries, task.leap_entries, task.open, 0)
    else:
        search.explore(-1, task.entries, task.open, 0)
    return search.best


class _Search:
    def __init__(self, task: Task, floor: int) -> None:
        self.task = task
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
        self.with_end = sum(1 << bit for bit in {*task.end_worth, *task.leap_end_worth})
        ends = (*task.end_worth.values(), *task.leap_end_worth.values())
        self.best_stay = max(task.stay_worth.values(), default=NOTHING)
        self.best_end = max(*ends, self.best_stay) if ends else self.best_stay

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
        if value + min(self.failed.get(key, -NOTHING), self.leaping_bound(free)) <= self.best_value:
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
        counted = part & ~ends
        most = best_dead_end = 0
        for worth, mask in self.worth_masks:
            most += worth * (counted & mask).bit_count()
            if ends & mask:
                best_dead_end = worth
        return most + best_dead_end + self.ending_bound(part)

    def ending_bound(self, part: int) -> int:
        """No ending in this part adds more; where none has a place beside it, the last card is not picked up."""
        if part & self.with_end:
            return self.best_end
        return self.best_stay - min(self.gains[bit] for bit in bits(part))

    def leaping_bound(self, free: int) -> int:
        return sum(worth * (free & mask).bit_count() for worth, mask in self.worth_masks) + self.best_end

    def is_hard(self, here: int, part: int) -> bool:
        return self.entered > EASY_CARDS_ENTERED and here >= 0 and part.bit_count() > SMALL_PART

    def chain_bound(self, here: int, part: int) -> int:
        return best_chain(here, part, self.gains) + self.ending_bound(part)


def _narrowest_first(choices: int, free: int) -> list[int]:
    return sorted(bits(choices), key=lambda bit: (AROUND[bit] & free).bit_count())
