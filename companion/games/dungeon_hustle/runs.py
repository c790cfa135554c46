"""Phase 1: the best run of each colour, exactly: most cards, of those a shortest path (rulings H15 to H17)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.games.dungeon_hustle.bitboard import bit_of, mask_of, space_of
from companion.games.dungeon_hustle.board import BESIDE, CORNER_CARDS, CORNERS, OUTER, Spot, spot_json
from companion.games.dungeon_hustle.search import Ending, Found, Task, best_path
from companion.tiles import Card, Space

ENTRANCE: Final = "entrance"  # where a hero starts who has not yet entered the dungeon


@dataclass(frozen=True)
class Table:
    """What a hustle depends on: the cards, and who else stands on which."""

    cards: Mapping[Space, Card]
    monsters: frozenset[Space]
    heroes: frozenset[Space]  # all heroes but the one who runs

    @property
    def taken(self) -> frozenset[Space]:
        return self.monsters | self.heroes

    def ends_on(self, spot: Spot) -> str:
        """`corner`, `monster`, `hero` or `tile`; a monster beside a hero counts, as it means combat."""
        if isinstance(spot, str):
            return "corner"
        return "monster" if spot in self.monsters else "hero" if spot in self.heroes else "tile"


@dataclass(frozen=True)
class Run:
    colour: str
    path: tuple[Spot, ...]  # starts with the hero's own card where the hero stands on one
    picks: tuple[Space, ...]  # sorted
    ends_on: str

    def as_json(self) -> dict[str, Any]:
        return {
            "colour": self.colour,
            "path": [spot_json(spot) for spot in self.path],
            "picks": [list(space) for space in self.picks],
            "ends_on": self.ends_on,
        }


def first_jumps(start: Spot) -> tuple[Spot, ...]:
    """Where the first jump from a card, a corner tile or the entrance may land."""
    if start == ENTRANCE:
        return OUTER
    return CORNER_CARDS[start] if isinstance(start, str) else BESIDE[start]


def colours_on(cards: Mapping[Space, Card]) -> list[str]:
    return sorted({card.colour for card in cards.values() if card.colour is not None})


def best_run(table: Table, start: Spot, colour: str) -> Run:
    """One that picks up the most cards of the colour, and of those a shortest path.

    Every card before the last is picked up and costs one jump, so that a run with more cards is longer and two with
    equally many are equally long: the most cards decide alone.
    """
    open_ = frozenset(
        space
        for space, card in table.cards.items()
        if card.colour == colour and space not in table.taken and space != start
    )
    endings = {
        space: _best_ending(
            table, (spot for spot in BESIDE[space] if spot not in open_ and (spot != start or spot in CORNERS)), start
        )
        for space in open_
    }
    found = best_path(
        Task(
            entries=sum(
                1 << bit_of(spot) for spot in first_jumps(start) if spot in open_ and not isinstance(spot, str)
            ),
            open=mask_of(open_),
            worth={bit_of(space): 1 for space in open_},
            end_worth={bit_of(space): 0 for space, ending in endings.items() if ending is not None},
            stay_worth={bit_of(space): 0 for space in open_},
        )
    )
    return run_along(table, colour, _path(table, start, endings, found))


def run_along(table: Table, colour: str, path: tuple[Spot, ...], recoloured: Space | None = None) -> Run:
    """The run along a path that starts with the hero's own card, if any: what it picks up and what it ends on."""
    picks = sorted(
        spot
        for spot in path[:-1]
        if not isinstance(spot, str)
        and spot not in table.taken
        and (table.cards[spot].colour == colour or spot == recoloured)
    )
    return Run(colour, path, tuple(picks), table.ends_on(path[-1]))


def _best_ending(table: Table, places: Iterable[Spot], start: Spot) -> Spot | None:
    """Which of several places to end on where the cards do not care: alone rather than in somebody's company."""
    rank = {"tile": 0, "corner": 1, "monster": 2, "hero": 3}
    both = table.monsters & table.heroes
    return min(places, key=lambda spot: (spot in both, spot == start, rank[table.ends_on(spot)]), default=None)


def _path(table: Table, start: Spot, endings: Mapping[Space, Spot | None], found: Found | None) -> tuple[Spot, ...]:
    head: tuple[Spot, ...] = () if isinstance(start, str) else (start,)
    if found is None:
        only = _best_ending(table, first_jumps(start), start)
        return head if only is None else (*head, only)
    through = [space_of(bit) for bit in found.through]
    last = None if found.ending is Ending.STAY else endings[through[-1]]
    return (*head, *through) if last is None else (*head, *through, last)
