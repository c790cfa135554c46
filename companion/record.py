"""The record of a game: an append-only list of events, one line of text each. A position is their replay.

Undo appends nothing and edits nothing: it is the replay of all events but the last.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.errors import CompanionError, IllegalMove, InvalidInput
from companion.games.contract import Event, Game, Position


@dataclass(frozen=True)
class Record:
    game: Game
    events: tuple[Event, ...] = ()

    def __str__(self) -> str:
        return "\n".join([f"game {self.game.name}", *map(str, self.events)]) + "\n"


def position(record: Record) -> Position:
    """The position after the record's last event."""
    here = record.game.opening()
    for number, event in enumerate(record.events, 1):
        try:
            here = record.game.play(here, event)
        except CompanionError as problem:
            raise type(problem)(f"event {number}, {event}: {problem}") from problem
    return here


def appended(record: Record, event: Event) -> Record:
    """The record with one more event, which must be legal where it stands."""
    record.game.play(position(record), event)
    return Record(record.game, (*record.events, event))


def undone(record: Record) -> Record:
    if not record.events:
        raise IllegalMove("there is nothing to undo")
    return Record(record.game, record.events[:-1])


def is_record(text: str) -> bool:
    """Whether a text is a record, of whatever game, rather than JSON.

    >>> is_record("# an evening\\ngame dungeon-drop"), is_record('{"heroes": []}')
    (True, False)
    """
    return next(iter(_told(text)), "").startswith("game ")


def parse_record(text: str, games: tuple[Game, ...]) -> Record:
    """A record from its text; blank lines and lines that start with # are passed over."""
    lines = _told(text)
    names = {game.name: game for game in games}
    head = lines[0].split() if lines else []
    if len(head) != 2 or head[0] != "game" or head[1] not in names:
        raise InvalidInput(f'a record starts with "game NAME", NAME being one of {", ".join(names)}')
    game = names[head[1]]
    return Record(game, tuple(game.parse_event(line) for line in lines[1:]))


def _told(text: str) -> list[str]:
    lines = [line.strip() for line in text.splitlines()]
    return [line for line in lines if line and not line.startswith("#")]
