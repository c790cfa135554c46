"""The best path by sweeping the board card by card: for the rare boards that the search does not settle soon.

Of all the pieces of paths drawn so far, only what cards still to come can touch is remembered: for each card of the
frontier, where the piece that ends on it has its other end. Of equal memories the best is kept, and those that cannot
beat the best run known so far are dropped: as that is mostly the very best one, few are left. The work is bounded by
the width of the board, not by the number of paths.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.games.dungeon_hustle.bitboard import AROUND, bits
from companion.games.dungeon_hustle.tasks import NOTHING, Ending, Found, Task

START: Final = -1  # the place where the run starts, among the bits of the cards

# What a memory says of a frontier card besides the card at the other end of its piece; itself means untouched.
INSIDE: Final = -1  # passed by a piece
FROM_START: Final = -2  # at the end of the piece that begins at the start, which the sweep has left behind
TO_END: Final = -3  # at the end of the piece on which the run ends, which the sweep has left behind

Memory = tuple[int, ...]
Piece = tuple[int, int]  # its value if all cards ahead were passed too, and its jumps as bits


def best_by_sweep(task: Task, floor: int) -> Found | None:
    """A path of the highest value above the floor, without leaps; None where there is none."""
    sweep = _Sweep(task, floor)
    for node in range(len(sweep.cards)):
        sweep.add(node)
    return sweep.found()


class _Sweep:
    def __init__(self, task: Task, floor: int) -> None:
        self.task = task
        first = next(bits(task.entries), 0)
        before, after = task.open & ((1 << first) - 1), task.open >> first << first
        self.cards = [*bits(before), START, *bits(after)]  # the start is swept just before the first card it touches
        self.start = self.cards.index(START)
        self.near = [
            [node for node, card in enumerate(self.cards) if card != START and self.touching(mine) >> card & 1]
            for mine in self.cards
        ]
        for node in self.near[self.start]:
            self.near[node].append(self.start)
        self.jumps: list[tuple[int, int]] = []
        self.gains = [max(task.worth.get(card, 0), 0) for card in self.cards]
        self.costs = [min(task.worth.get(card, 0), 0) for card in self.cards]
        self.endings = [NOTHING if card == START else self.ending_worth(card) for card in self.cards]
        self.best_ending = max(self.endings)
        self.ahead = sum(self.gains)  # of the cards that are not on the frontier yet
        self.frontier: list[int] = []
        self.memories: dict[Memory, Piece] = {(): (self.ahead, 0)}
        self.best_value, self.best_jumps = floor, 0

    def touching(self, card: int) -> int:
        return self.task.entries if card == START else AROUND[card]

    def ending_worth(self, card: int) -> int:
        """What it adds to end beside a card, or on it and not to pick it up."""
        stays = self.task.stay_worth[card] - max(self.task.worth[card], 0) - min(self.task.worth[card], 0)
        return max(self.task.end_worth.get(card, NOTHING), stays)

    def add(self, node: int) -> None:
        self.frontier.append(node)
        self.ahead -= self.gains[node]
        self.memories = {(*memory, node): piece for memory, piece in self.memories.items()}
        for earlier in self.near[node]:
            if earlier < node:
                self.join(node, earlier)
        for old in [old for old in self.frontier if max([old, *self.near[old]]) <= node]:
            self.leave(old)

    def join(self, one: int, other: int) -> None:
        """Every memory so far, with and without a jump between these two."""
        at, other_at, jump = self.frontier.index(one), self.frontier.index(other), 1 << len(self.jumps)
        self.jumps.append((one, other))
        for memory, (value, jumps) in list(self.memories.items()):
            far, other_far = memory[at], memory[other_at]
            if INSIDE in (far, other_far) or far == other:  # it would touch a passed card, or close a circle
                continue
            if (one == self.start and far != one) or (other == self.start and other_far != other):
                continue  # the start is left once
            changed = list(memory)
            if far != one:
                changed[at] = INSIDE
            if other_far != other:
                changed[other_at] = INSIDE
            if far < 0 and other_far < 0:
                if far != other_far:
                    self.finish(self.frontier, changed, value, jumps | jump)
                continue
            for end, mate in ((far, other_far), (other_far, far)):
                if end >= 0:
                    changed[self.frontier.index(end)] = mate
            self.keep(self.memories, changed, value, jumps | jump)

    def leave(self, node: int) -> None:
        """The sweep leaves a card behind: it was passed, or never touched, or the run ends there."""
        at = self.frontier.index(node)
        frontier = self.frontier[:at] + self.frontier[at + 1 :]
        left: dict[Memory, Piece] = {}
        for memory, (value, jumps) in self.memories.items():
            mate, rest = memory[at], [*memory[:at], *memory[at + 1 :]]
            if node == self.start:
                if mate == TO_END:
                    self.finish(frontier, rest, value, jumps)
                elif mate != node:
                    rest[frontier.index(mate)] = FROM_START
                    self.keep(left, rest, value, jumps)
            elif mate == node:
                self.keep(left, rest, value - self.gains[node], jumps)
            elif mate == INSIDE:
                self.keep(left, rest, value + self.costs[node], jumps)
            elif mate != TO_END and TO_END not in memory:
                ended = value + self.costs[node] + self.endings[node]
                if mate == FROM_START:
                    self.finish(frontier, rest, ended, jumps)
                else:
                    rest[frontier.index(mate)] = TO_END
                    self.keep(left, rest, ended, jumps)
        self.memories, self.frontier = left, frontier

    def finish(self, frontier: list[int], memory: list[int], value: int, jumps: int) -> None:
        """A whole run, if no other piece is left over; cards that were not reached count no more."""
        value -= self.ahead
        for node, mate in zip(frontier, memory, strict=True):
            if mate == node:
                value -= self.gains[node]
            elif mate == INSIDE:
                value += self.costs[node]
            else:
                return
        if value > self.best_value:
            self.best_value, self.best_jumps = value, jumps

    def keep(self, memories: dict[Memory, Piece], memory: list[int], value: int, jumps: int) -> None:
        hope = value if TO_END in memory else value + self.best_ending
        key = tuple(memory)
        if hope > self.best_value and (key not in memories or memories[key][0] < value):
            memories[key] = (value, jumps)

    def found(self) -> Found | None:
        if not self.best_jumps:
            return None
        through = tuple(self.walk())
        last = through[-1]
        passed = self.task.end_worth.get(last, NOTHING) == self.ending_worth(last)
        return Found(self.best_value, through, Ending.BESIDE if passed else Ending.STAY)

    def walk(self) -> Iterator[int]:
        """The cards of the best run, from the start on."""
        left = [self.jumps[number] for number in bits(self.best_jumps)]
        here = self.start
        while left:
            jump = next(jump for jump in left if here in jump)
            left.remove(jump)
            here = jump[0] + jump[1] - here
            yield self.cards[here]
