"""Phase 1: the best run of each colour, exactly: most cards, of those a shortest path (rulings H15 to H17)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.games.dungeon_hustle.bitboard import bit_of, bits, grown, mask_of, space_of
from companion.games.dungeon_hustle.board import BESIDE, CORNER_CARDS, OUTER, Spot, spot_json
from companion.games.dungeon_hustle.search import best_path
from companion.games.dungeon_hustle.tasks import Ending, Found, Task
from companion.tiles import CARD_SPACES, Card, Space

ENTRANCE: Final = "entrance"  # where a hero starts who has not yet entered the dungeon

_CARDS: Final = mask_of(CARD_SPACES)
_BESIDE_A_CORNER: Final = mask_of(space for cards in CORNER_CARDS.values() for space in cards)


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
    here = 0 if isinstance(start, str) else 1 << bit_of(start)
    matching = mask_of(space for space, card in table.cards.items() if card.colour == colour)
    open_ = matching & ~mask_of(table.taken) & ~here
    beside_an_end = grown(_CARDS & ~open_ & ~here) | _BESIDE_A_CORNER
    cards = list(bits(open_))
    found = best_path(
        Task(
            entries=open_ & mask_of(spot for spot in first_jumps(start) if not isinstance(spot, str)),
            open=open_,
            worth=dict.fromkeys(cards, 1),
            end_worth=dict.fromkeys(bits(open_ & beside_an_end), 0),
            stay_worth=dict.fromkeys(cards, 0),
        )
    )
    return run_along(table, colour, _path(table, start, open_, found))


def run_along(table: Table, colour: str, path: tuple[Spot, ...], recoloured: Space | None = None) -> Run:
    """The run along a path that starts with the hero's own card, if any: what it picks up and what it ends on."""
    taken = table.taken
    picks = sorted(
        spot
        for spot in path[:-1]
        if not isinstance(spot, str)
        and spot not in taken
        and (table.cards[spot].colour == colour or spot == recoloured)
    )
    return Run(colour, path, tuple(picks), table.ends_on(path[-1]))


def _path(table: Table, start: Spot, open_: int, found: Found | None) -> tuple[Spot, ...]:
    head: tuple[Spot, ...] = () if isinstance(start, str) else (start,)
    if found is None:
        return (*head, _quietest(table, first_jumps(start), start))
    through = [space_of(bit) for bit in found.through]
    if found.ending is Ending.STAY:
        return (*head, *through)
    ends = [
        spot
        for spot in BESIDE[through[-1]]
        if isinstance(spot, str) or (spot != start and not open_ >> bit_of(spot) & 1)
    ]
    return (*head, *through, _quietest(table, ends, start))


def _quietest(table: Table, places: Iterable[Spot], start: Spot) -> Spot:
    """Which of several places to end on where the cards do not care: alone rather than in somebody's company."""
    rank = {"tile": 0, "corner": 1, "monster": 2, "hero": 3}
    both = table.monsters & table.heroes
    return min(places, key=lambda spot: (spot in both, spot == start, rank[table.ends_on(spot)]))
