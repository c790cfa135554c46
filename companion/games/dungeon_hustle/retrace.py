"""Which run picked up the cards that changed: found again from where it started and ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Final

from companion.games.dungeon_hustle import events
from companion.games.dungeon_hustle.bitboard import bit_of, mask_of, space_of
from companion.games.dungeon_hustle.board import BESIDE, Spot, ring
from companion.games.dungeon_hustle.legal import over
from companion.games.dungeon_hustle.position import Hero, Position
from companion.games.dungeon_hustle.runs import ENTRANCE, Table, colours_on, first_jumps
from companion.games.dungeon_hustle.search import best_path
from companion.games.dungeon_hustle.tasks import Ending, Task
from companion.tiles import Card, Space, is_corner_space

# A new card can look like the one that it replaces. One card in forty does, so two in one turn are rare already.
MOST_UNNOTICED: Final = 2

Faces = Mapping[Space, Card | None]


def differs(one: Card, other: Card) -> bool:
    """Whether two readings are of different faces; what could not be read differs from nothing."""
    pairs = ((one.colour, other.colour), (one.symbol, other.symbol), (one.attack, other.attack))
    return any(a is not None and b is not None and a != b for a, b in pairs)


def runs_that_explain(position: Position, faces: Faces, ends: Sequence[Spot]) -> tuple[events.Hustle, ...]:
    """One run for each way to explain the changed cards, for those ways that need the fewest unnoticed changes."""
    cards, hero = position.cards, position.hero
    table = position.table_for(hero)
    changed = frozenset(s for s, face in faces.items() if face is not None and differs(cards[s], face))
    unread = frozenset(s for s, face in faces.items() if face is None and s not in table.taken)
    for unnoticed in range(MOST_UNNOTICED + 1):
        for base in dict.fromkeys((changed | unread, changed)):  # a card that cannot be read was mostly picked up
            asked = _Retrace(position, table, hero, base)
            for power in _powers(hero):
                if runs := [run for end in ends for run in asked.runs_to(end, unnoticed, power)]:
                    return tuple(dict.fromkeys(runs))
    return ()


@dataclass(frozen=True)
class _Power:
    by: str | None = None
    recolours: bool = False
    leaps: bool = False


def _powers(hero: Hero) -> Iterator[_Power]:
    """No power first: what needs none is not put down to one. An item may do either; its card knows."""
    yield _Power()
    if hero.reward:
        yield _Power("reward", hero.who != "rogue", hero.who == "rogue")
    for item in hero.items:
        if item.charged:
            yield _Power(item.name, True, True)


@dataclass(frozen=True)
class _Retrace:
    position: Position
    table: Table
    hero: Hero
    base: frozenset[Space]  # cards that were picked up, for all that is seen

    @property
    def start(self) -> Spot:
        return ENTRANCE if self.hero.spot is None else self.hero.spot

    def runs_to(self, end: Spot, unnoticed: int, power: _Power) -> Iterator[events.Hustle]:
        if end in self.base:
            return
        for colour in self.colours(power):
            for extra in combinations(self.unnoticed_cards(colour, end), unnoticed):
                run = self.run(colour, self.base | set(extra), end, power)
                if run is not None:
                    yield run

    def colours(self, power: _Power) -> list[str]:
        """Colours that all changed cards have, or all but one that was recoloured."""
        cards = self.table.cards
        allowed = 1 if power.recolours else 0
        fits = [c for c in colours_on(cards) if sum(cards[s].colour != c for s in self.base) <= allowed]
        return fits if self.base else sorted(fits, key=lambda c: c == self.start_colour())

    def start_colour(self) -> str | None:
        start = self.start
        return self.table.cards[start].colour if isinstance(start, tuple) and start not in self.table.taken else None

    def unnoticed_cards(self, colour: str, end: Spot) -> list[Space]:
        out_of_question = self.table.taken | self.base | {end}
        return [s for s, card in self.table.cards.items() if card.colour == colour and s not in out_of_question]

    def run(self, colour: str, picks: frozenset[Space], end: Spot, power: _Power) -> events.Hustle | None:
        """The run of this colour that picks up exactly these cards and ends there, if there is one."""
        odd = [space for space in picks if self.table.cards[space].colour != colour]
        if len(odd) > (1 if power.recolours else 0) or (self.start_colour() == colour and self.start not in picks):
            return None
        if not picks and colour != self.colours(_Power())[0]:
            return None  # a run that picks up nothing has any colour: one is enough
        for leap in (False, True) if power.leaps and not odd else (False,):
            path = self.path(picks, end, leap)
            if path is not None:
                jumped = _jumped_over(path)
                if power.by is not None and not odd and jumped is None:
                    return None  # the power was not needed
                return events.Hustle(colour, path, odd[0] if odd else None, jumped, power.by)
        return None

    def path(self, picks: frozenset[Space], end: Spot, leap: bool) -> tuple[Spot, ...] | None:
        start = self.start
        head: tuple[Spot, ...] = () if isinstance(start, str) else (start,)
        through = picks - {start}
        if not through:
            near = (*first_jumps(start), *(_landings(start) if leap else ()))
            return (*head, end) if end in near and end != start else None
        leaps = {bit_of(s): mask_of(t for t in _landings(s) if t in through) for s in through} if leap else {}
        found = best_path(
            Task(
                entries=mask_of(s for s in first_jumps(start) if s in through and isinstance(s, tuple)),
                open=mask_of(through),
                worth={bit_of(space): 1 for space in through},
                end_worth={bit_of(space): 0 for space in through if end in BESIDE[space]},
                stay_worth={bit_of(space): -len(through) for space in through},
                leap_entries=mask_of(t for t in _landings(start) if t in through) if leap else 0,
                leaps=leaps,
                leap_end_worth={bit_of(s): 0 for s in through if end in _landings(s)} if leap else {},
            ),
            floor=len(through) - 1,
        )
        if found is None or found.ending is Ending.STAY:
            return None
        return (*head, *(space_of(bit) for bit in found.through), end)


def _landings(spot: Spot) -> list[Spot]:
    if isinstance(spot, str):
        return []
    lands = (over(spot, space) for space in ring(spot) if not is_corner_space(*space))
    return [land for land in lands if land is not None]


def _jumped_over(path: tuple[Spot, ...]) -> Space | None:
    for before, after in pairwise(path):
        if isinstance(before, tuple) and after not in BESIDE[before]:
            return next(space for space in ring(before) if not is_corner_space(*space) and over(before, space) == after)
    return None
