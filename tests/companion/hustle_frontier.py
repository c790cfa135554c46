"""A second, quite different way to the most cards of a run, for boards too full for exhaustive search.

The board is swept card by card. Of all paths drawn so far only what the cards still to come can see is remembered: for
each card on the frontier, where the path that ends on it has its other end. Of equal memories the longest is kept.
"""

from __future__ import annotations

from typing import Any

from tests.companion import hustle_oracle as oracle

START_DONE, END_DONE = -1, -2  # the other end of a path is the run's start, or its last card, swept already

Mates = tuple[int | None, ...]  # for each card of the frontier: itself if untouched, None if inside a path, or its mate


def most_picks(board: oracle.Board, start: tuple[int, int], colour: str) -> int:
    """As oracle.most_picks, from a card."""
    sweep = _Sweep(board, start, colour)
    for card in range(len(sweep.cards)):
        sweep.add(card)
    own = board[start]
    return sweep.best + (own["colour"] == colour and not oracle.has_monster(own))


class _Sweep:
    def __init__(self, board: oracle.Board, start: tuple[int, int], colour: str) -> None:
        free = [
            s for s in oracle.SPACES if board[s]["colour"] == colour and board[s]["occupant"] is None and s != start
        ]
        self.cards = sorted([*free, start])
        self.start = self.cards.index(start)
        self.near = [[i for i, b in enumerate(self.cards) if oracle.touching(a, b)] for a in self.cards]
        self.ends_well = [any(t not in self.cards for t in oracle.jumps_from(card)) for card in self.cards]
        self.frontier: list[int] = []
        self.states: dict[Mates, int] = {(): 0}  # cards picked up so far, the start's own aside
        self.best = 0

    def add(self, card: int) -> None:
        self.frontier.append(card)
        self.states = {(*mates, card): length for mates, length in self.states.items()}
        for earlier in self.near[card]:
            if earlier < card:
                self.join(card, earlier)
        for old in [old for old in self.frontier if max([old, *self.near[old]]) <= card]:
            self.retire(old)

    def join(self, one: int, other: int) -> None:
        """Every path so far, with and without a jump between these two cards."""
        at, other_at = self.frontier.index(one), self.frontier.index(other)
        for mates, length in list(self.states.items()):
            far, other_far = mates[at], mates[other_at]
            if far is None or other_far is None or far == other:  # inside a path, or a circle
                continue
            if (one == self.start and far != one) or (other == self.start and other_far != other):
                continue  # the start is left once and never entered
            changed: list[int | None] = list(mates)
            if far != one:
                changed[at] = None
            if other_far != other:
                changed[other_at] = None
            if far < 0 and other_far < 0:
                if far != other_far:
                    self.finish(self.frontier, changed, length + 1)
                continue
            for end, mate in ((far, other_far), (other_far, far)):
                if end >= 0:
                    changed[self.frontier.index(end)] = mate
            self.keep(self.states, changed, length + 1)

    def retire(self, card: int) -> None:
        """The sweep leaves a card: it was passed, never touched, or is where the run starts or ends."""
        at = self.frontier.index(card)
        frontier = self.frontier[:at] + self.frontier[at + 1 :]
        left: dict[Mates, int] = {}
        for mates, length in self.states.items():
            mate = mates[at]
            rest: list[int | None] = [*mates[:at], *mates[at + 1 :]]
            if mate is None or (mate == card and card != self.start):
                self.keep(left, rest, length)
                continue
            mark = START_DONE if card == self.start else END_DONE
            if mate == card or mark in mates:
                continue
            kept = length - (mark == END_DONE and not self.ends_well[card])  # nowhere to jump on to: it stays there
            if mate < 0:
                self.finish(frontier, rest, kept)
            else:
                rest[frontier.index(mate)] = mark
                self.keep(left, rest, kept)
        self.states, self.frontier = left, frontier

    def finish(self, frontier: list[int], mates: list[int | None], length: int) -> None:
        """A path from the start to its end, if no other piece is left over."""
        if all(mate is None or mate == card for card, mate in zip(frontier, mates, strict=True)):
            self.best = max(self.best, length)

    def keep(self, states: dict[Mates, int], mates: list[int | None], length: int) -> None:
        key: Any = tuple(mates)
        states[key] = max(states.get(key, -1), length)
