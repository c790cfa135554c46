"""Plays: events of a game in its own notation, checked by its rules, kept in the journal."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from companion.errors import CompanionError
from companion.games import GAMES
from companion.games.contract import Game, Position
from companion.games.dungeon_drop.events import Explore, Look
from companion.games.dungeon_drop.position import Position as DropPosition
from companion.games.dungeon_drop.table_problems import table_problems
from companion.pieces import pieces_from_json
from companion.record import Record, appended, position
from web.journal import Journal, folded
from web.services import conflict, device, services
from web.store import Entry

PLAYED = frozenset({"play", "undo", "redo"})


def rules(name: str) -> Game:
    return next(game for game in GAMES if game.name == name)


@lru_cache(maxsize=64)
def position_after(name: str, lines: tuple[str, ...]) -> Position:
    game = rules(name)
    return position(Record(game, tuple(map(game.parse_event, lines))))


def played(game_id: str, lines: Sequence[str], *, after: int | None = None, says: str = "", **more: Any) -> Entry:
    """Adds events, all or none. `after` is the last entry the phone had seen: a move made since then is a conflict."""
    row = services().store.game(game_id)
    game = rules(row.game)
    with services().store.deciding(game_id) as decision:
        entries = decision.entries()
        if after is not None and any(entry.seq > after and entry.kind in PLAYED for entry in entries):
            raise conflict("Somebody else made a move in between; look again.")
        here = folded(entries).lines
        record = Record(game, tuple(map(game.parse_event, here)))
        for line in lines:
            record = appended(record, game.parse_event(line))
        kept = [str(event) for event in record.events[len(here) :]]
        entry = decision.append("play", {"lines": kept, "says": says or kept[-1], **more}, device())
    services().bus.wake(game_id)
    return entry


def check(name: str, journal: Journal) -> list[dict[str, str]]:
    """What the table as read and the record say that cannot both be right: nothing is recorded by looking."""
    reading = journal.table_reading()
    here = position_after(name, journal.lines)
    if reading is None or not isinstance(here, DropPosition):
        return []
    try:
        pieces = pieces_from_json(reading.get("pieces", []))
        if here.phase != "play":
            return [problem.as_json() for problem in table_problems(pieces)]
        if not here.turn.explored:
            here = rules(name).play(here, Explore())
        here = rules(name).play(here, Look(pieces, reading.get("error_mm")))
    except CompanionError as problem:
        return [{"code": "does-not-fit", "message": str(problem)}]
    return [problem.as_json() for problem in rules(name).problems(here)]


def play_view(name: str, journal: Journal) -> dict[str, Any]:
    """The position as the rules see it; the table itself is shown from its photo."""
    return rules(name).view(position_after(name, journal.lines)) | {"pieces": None}
