"""The best run for what a hero wants, exactly: cards by their use, and where the run ends.

A table may recolour one card (ruling H20: for the run only, so in hand it is worth what it is) or let the thief jump
over one space. Of runs that are worth the same, the shortest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from companion.games.dungeon_hustle.bitboard import bit_of, mask_of, space_of
from companion.games.dungeon_hustle.board import BESIDE, CORNERS, Spot, ring, spot_json
from companion.games.dungeon_hustle.legal import over
from companion.games.dungeon_hustle.runs import Run, Table, colours_on, first_jumps, run_along
from companion.games.dungeon_hustle.search import best_path
from companion.games.dungeon_hustle.tasks import NOTHING, Ending, Found, Task
from companion.tiles import Card, Space, is_corner_space

# Worths are kept as whole thousandths, times more than any run has jumps, so that jumps only break ties.
_UNIT: Final = 1000 * 64


@dataclass(frozen=True)
class Wants:
    """What a hero would like: each card adds `card`, its symbol's, its colour's and its own face's worth."""

    card: float = 1.0
    symbols: Mapping[str, float] = field(default_factory=dict)
    colours: Mapping[str, float] = field(default_factory=dict)
    faces: Mapping[tuple[str, str], float] = field(default_factory=dict)  # by colour and symbol
    ends: Mapping[Spot, float] = field(default_factory=dict)  # ending there: a monster's card, a corner

    def worth(self, card: Card) -> float:
        worth = self.card + self.symbols.get(card.symbol or "", 0.0) + self.colours.get(card.colour or "", 0.0)
        return worth + self.faces.get((card.colour or "", card.symbol or ""), 0.0)


@dataclass(frozen=True)
class Advice:
    run: Run
    worth: float
    recolour: Space | None = None
    leap: Space | None = None

    def as_json(self) -> dict[str, Any]:
        return self.run.as_json() | {
            "worth": round(self.worth, 3),
            "recolour": None if self.recolour is None else spot_json(self.recolour),
            "leap": None if self.leap is None else spot_json(self.leap),
        }


def best_wanted_run(
    table: Table, start: Spot, wants: Wants, *, colours: Iterable[str] = (), recolour: bool = False, leap: bool = False
) -> Advice:
    """The run of the highest worth among these colours (or all), using one recoloured card or one leap if allowed."""
    best: tuple[int, Advice] | None = None
    for colour in tuple(colours) or colours_on(table.cards) or [""]:
        changes = [None, *_recolourable(table, colour)] if recolour else [None]
        for changed in changes:
            asked = _Question(table, start, colour, wants, changed, leap)
            best = asked.better_than(best)
    assert best is not None
    return best[1]


def _recolourable(table: Table, colour: str) -> Iterator[Space]:
    """Cards that a change of colour can open: nobody else stands on them and they do not match already."""
    taken = table.taken
    for space, card in table.cards.items():
        if card.colour != colour and space not in taken:
            yield space


@dataclass(frozen=True)
class _Question:
    """One colour, and perhaps one card that counts as of that colour."""

    table: Table
    start: Spot
    colour: str
    wants: Wants
    recolour: Space | None
    leap: bool

    def matches(self, space: Space) -> bool:
        return self.table.cards[space].colour == self.colour or space == self.recolour

    def better_than(self, best: tuple[int, Advice] | None) -> tuple[int, Advice] | None:
        """This question's best run where it beats the best so far, else that one."""
        floor = NOTHING if best is None else best[0]
        shut = self.table.taken | {self.start}
        open_ = {s for s in self.table.cards if s not in shut and self.matches(s)}
        before = self.start_worth()
        endings, leaped = self.endings(open_), self.leap_endings(open_)
        for path, value in self.at_once(open_):
            if before + value > floor:
                floor, best = before + value, (before + value, self.advice(path, before + value))
        found = best_path(self.task(open_, endings, leaped), floor - before)
        if found is None:
            return best
        path = _path(found, endings, leaped)
        return before + found.value, self.advice(path, before + found.value)

    def task(self, open_: set[Space], endings: dict[Space, Spot], leaped: dict[Space, Spot]) -> Task:
        worth = self.wants.worth
        first = [spot for spot in first_jumps(self.start) if spot in open_]
        return Task(
            entries=mask_of(spot for spot in first if isinstance(spot, tuple)),
            open=mask_of(open_),
            worth={bit_of(s): round(1000 * worth(self.table.cards[s])) * 64 - 1 for s in open_},
            end_worth={bit_of(s): self.end_worth(spot) for s, spot in endings.items()},
            stay_worth={bit_of(s): self.end_worth(s) for s in open_},
            leap_entries=self.leap_mask(self.start, open_) if self.leap else 0,
            leaps={bit_of(s): self.leap_mask(s, open_) for s in open_} if self.leap else {},
            leap_end_worth={bit_of(s): self.end_worth(spot) for s, spot in leaped.items()},
        )

    def leap_mask(self, spot: Spot, open_: set[Space]) -> int:
        return mask_of(to for to in self.landings(spot) if isinstance(to, tuple) and to in open_)

    def start_worth(self) -> int:
        """Of the card that the hero leaves, where it matches and nobody else stands on it."""
        start = self.start
        if isinstance(start, str) or start in self.table.taken or not self.matches(start):
            return 0
        return round(1000 * self.wants.worth(self.table.cards[start])) * 64

    def end_worth(self, spot: Spot) -> int:
        return round(1000 * self.wants.ends.get(spot, 0.0)) * 64 - 1

    def endings(self, open_: set[Space]) -> dict[Space, Spot]:
        """Beside each open card, the best place that ends a run."""
        return self.best_of({s: BESIDE[s] for s in open_}, open_)

    def leap_endings(self, open_: set[Space]) -> dict[Space, Spot]:
        return self.best_of({s: tuple(self.landings(s)) for s in open_}, open_) if self.leap else {}

    def best_of(self, places: Mapping[Space, tuple[Spot, ...]], open_: set[Space]) -> dict[Space, Spot]:
        found = {}
        for space, spots in places.items():
            ends = [spot for spot in spots if spot not in open_ and (spot != self.start or spot in CORNERS)]
            if ends:
                found[space] = max(ends, key=self.end_worth)
        return found

    def landings(self, spot: Spot) -> dict[Spot, Space]:
        """Where a leap lands, and over which space; the deck may be jumped over, a corner may not."""
        if isinstance(spot, str):
            return {}
        return {
            to: space for space in ring(spot) if not is_corner_space(*space) and (to := over(spot, space)) is not None
        }

    def at_once(self, open_: set[Space]) -> Iterator[tuple[tuple[Spot, ...], int]]:
        """Runs of a single jump that end where they land."""
        for spot in (*first_jumps(self.start), *(self.landings(self.start) if self.leap else ())):
            if spot not in open_ and spot != self.start:
                yield (spot,), self.end_worth(spot)

    def advice(self, path: tuple[Spot, ...], value: int) -> Advice:
        head: tuple[Spot, ...] = () if isinstance(self.start, str) else (self.start,)
        path = (*head, *path)
        leap = None
        for before, after in pairwise(path):
            if isinstance(before, tuple) and after not in BESIDE[before]:
                leap = self.landings(before)[after]
        used = self.recolour if self.recolour in path[:-1] else None
        run = run_along(self.table, self.colour, path, used)
        return Advice(run, (value + len(path) - len(head)) / _UNIT, used, leap)


def _path(found: Found, endings: Mapping[Space, Spot], leaped: Mapping[Space, Spot]) -> tuple[Spot, ...]:
    through = tuple(space_of(bit) for bit in found.through)
    if found.ending is Ending.STAY:
        return through
    return (*through, (endings if found.ending is Ending.BESIDE else leaped)[through[-1]])
