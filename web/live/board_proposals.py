"""What probably happened on a Dungeon Hustle board: runs, new cards and monster moves, told from the record's position
and the board as the camera sees it. A reading may be wrong in a place or two; the rules know which."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, Final

from companion.errors import CompanionError
from companion.games.contract import Position
from companion.games.dungeon_hustle import events
from companion.games.dungeon_hustle.inference import MONSTER, Explanation, explain_change
from companion.games.dungeon_hustle.play import play
from companion.games.dungeon_hustle.position import Position as HustlePosition
from companion.games.dungeon_hustle.retrace import differs
from companion.games.dungeon_hustle.view import cells as cells_of
from companion.readings import HustleReading
from companion.tiles import Card, Cell
from web.live.proposals import MOST, Proposal

UNREAD: Final = Card(None, None, None)
MOST_MISREAD: Final = 2  # a board with more faults than this is asked about as it lies
MOST_DOUBTED: Final = 9  # places that are doubted in pairs; a run changes more, and then single doubts must do

Cells = tuple[Cell, ...]


def board_proposals(here: Position, before: HustleReading, seen: HustleReading) -> tuple[Proposal, ...]:
    """The stories that lead from the record to this board, likeliest first, and always the board as it lies. A table
    that keeps no record is asked only whether the board changed."""
    if not isinstance(here, HustlePosition) or not here.cards or here.phase in ("setup", "over"):
        return _unrecorded(before, seen)
    stories = _stories(here, seen)
    if any(not story.events for story in stories):
        return ()
    told = dict.fromkeys(proposal for story in stories if (proposal := _told(here, story)) is not None)
    return (*list(told)[:MOST], _as_it_lies(here, seen.cells))


def _unrecorded(before: HustleReading, seen: HustleReading) -> tuple[Proposal, ...]:
    faces = [[(cell.card, cell.occupant, cell.also) for cell in one.cells] for one in (before, seen)]
    if faces[0] == faces[1] and before.revealed == seen.revealed:
        return ()
    return (Proposal("table", "The board changed: take it as it lies?"),)


def _stories(here: HustlePosition, seen: HustleReading) -> tuple[Explanation, ...]:
    """All explanations that need the fewest misread places."""
    for misread in range(MOST_MISREAD + 1):
        boards = (
            board for cells in _supposed(here, seen.cells, misread) for board in _with_hidden_monsters(here, cells)
        )
        found = dict.fromkeys(story for board in boards for story in _explained(here, board, seen.revealed))
        if found:
            return tuple(found)
    return ()


def _explained(here: HustlePosition, cells: Cells, revealed: Card | None) -> tuple[Explanation, ...]:
    try:
        return explain_change(here, cells, revealed)
    except CompanionError:
        return ()


def _supposed(here: HustlePosition, cells: Cells, misread: int) -> Iterator[Cells]:
    """The board with so many places taken as they were before, instead of as they were read."""
    known = {cell.space: cell for cell in cells_of(here)}
    places = [n for n, cell in enumerate(cells) if _differs(known[cell.space], cell)]
    if misread > 1 and len(places) > MOST_DOUBTED:
        return
    for chosen in combinations(sorted(places, key=lambda n: cells[n].confidence), misread):
        yield tuple(
            replaced
            if n in chosen and (replaced := replace(cell, card=UNREAD, occupant=known[cell.space].occupant))
            else cell
            for n, cell in enumerate(cells)
        )


def _differs(known: Cell, read: Cell) -> bool:
    return differs(known.card, read.card) or known.occupant != read.occupant


def _with_hidden_monsters(here: HustlePosition, cells: Cells) -> Iterator[Cells]:
    """A reader names one figure a card: a hero who came to a monster hides it, or is hidden by it; and a monster may
    have appeared behind a hero."""
    heroes = [n for n, cell in enumerate(cells) if cell.occupant not in (None, MONSTER) and cell.also is None]
    fought = tuple(n for n in heroes if cells[n].space in here.monsters)
    for hidden in dict.fromkeys((fought, (), *((n,) for n in heroes))):
        yield tuple(replace(cell, also=MONSTER) if n in hidden else cell for n, cell in enumerate(cells))
    if not any(cell.occupant in (here.hero.who, "hero") for cell in cells):
        for n, cell in enumerate(cells):
            if cell.occupant == MONSTER and cell.space in here.monsters:
                yield (*cells[:n], replace(cell, occupant=here.hero.who, also=MONSTER), *cells[n + 1 :])


def _told(here: HustlePosition, story: Explanation) -> Proposal | None:
    """What of the story can be recorded now. Where something must be asked first, the turned-up card waits for it."""
    happened: Sequence[Any] = story.events
    if story.asks and len(happened) > 1 and isinstance(happened[-1], events.Reveal):
        happened = happened[:-1]
    lines = _playable(here, happened)
    if not lines:
        return None
    says = f"{', '.join(story.words)}."
    if story.asks:
        says += f" Still to be told: {story.asks[0]}"
    return Proposal("turn", says[:1].upper() + says[1:], lines)


def _playable(here: HustlePosition, happened: Sequence[Any]) -> tuple[str, ...]:
    lines: list[str] = []
    for event in happened:
        try:
            here = play(here, event)
        except CompanionError:
            break
        lines.append(str(event))
    return tuple(lines)


def _as_it_lies(here: HustlePosition, cells: Cells) -> Proposal:
    """The record follows the board, by corrections; what could not be read stays as it was."""
    cards = tuple(
        known if None in (read.card.colour, read.card.symbol, read.card.attack) else read.card
        for known, read in zip(here.board, cells, strict=True)
    )
    at = {cell.occupant: cell.space for cell in cells if cell.occupant is not None}
    monsters = tuple(sorted(cell.space for cell in cells if MONSTER in (cell.occupant, cell.also)))
    heroes = [hero for hero in here.heroes if hero.who in at and hero.spot != at[hero.who]]
    wanted: list[Any] = [events.Board(cards)] if cards != here.board else []
    wanted += [events.Stand(hero.who, at[hero.who]) for hero in heroes]
    wanted += [events.Monsters(monsters)] if monsters != here.monsters else []
    lines = _playable(here, wanted)
    says = "The board changed: take it as it lies?"
    return Proposal("table", says, lines if len(lines) == len(wanted) else ())
