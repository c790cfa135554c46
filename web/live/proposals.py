"""What probably happened, from the change on the table and the rules: a list to choose from with one tap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.errors import CompanionError
from companion.games.contract import Position
from companion.games.dungeon_drop import events as e
from companion.games.dungeon_drop.position import Position as DropPosition
from companion.games.dungeon_drop.rooms import Room, best_first, judged, room_records, table_rooms
from companion.games.dungeon_hustle.inference import explain_change
from companion.games.dungeon_hustle.position import Position as HustlePosition
from companion.pieces import Piece
from companion.tiles import Card, Cell
from web.corrections import named
from web.live.known import Difference

MOST = 3  # more choices than this are no help


@dataclass(frozen=True)
class Proposal:
    """`lines` are events of the game, to be played in order; none where only the table as read is taken over."""

    kind: str  # "loot", "explore", "turn" or "table"
    says: str
    lines: tuple[str, ...] = ()
    removes: tuple[str, ...] = ()
    pillars: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "says": self.says, "pillars": list(self.pillars), "removes": list(self.removes)}


def drop_proposals(
    here: Position, before: Sequence[Piece], error_mm: float | None, change: Difference
) -> tuple[Proposal, ...]:
    """Cubes put there were explored; cubes gone are a room. Both at once are both, the exploring first."""
    as_it_lies = Proposal("table", _as_it_lies(change))
    if not isinstance(here, DropPosition) or here.phase != "play" or any(p.type == "pillar" for p in change.removed):
        return (as_it_lies,)
    name = here.active_player.name
    if not change.removed:
        count = len(change.added)
        return (Proposal("explore", f"{name} explored: {_listed(change.added)} new ({count})."), as_it_lies)
    try:
        found = _looted(here, before, error_mm, change)
    except CompanionError:  # a table that the rules cannot follow is shown as it lies
        found = []
    return (*found, as_it_lies)


def _looted(here: DropPosition, before: Sequence[Piece], error_mm: float | None, change: Difference) -> list[Proposal]:
    gone = {piece.id for piece in change.removed}
    rooms = table_rooms(before, error_mm)
    verdicts = judged(rooms, here.hero(here.active_player.name))
    records = room_records(rooms, verdicts, best_first(rooms, verdicts))
    fitting = sorted((room for room in records if _explains(room, gone)), key=lambda room: _oddity(room, gone))
    chosen: dict[tuple[tuple[str, ...], tuple[str, ...]], Room] = {}
    for room in fitting:  # rooms that take the very same cubes are one explanation
        chosen.setdefault((tuple(sorted(set(room.collects) - gone)), tuple(sorted(gone - set(room.collects)))), room)
    return [_loot(here, before, error_mm, room, gone) for room in list(chosen.values())[:MOST]]


def _explains(room: Room, gone: set[str]) -> bool:
    """The cubes gone are those of the room, but for ones too close to call."""
    return set(room.collects) ^ gone <= set(room.doubtful)


def _oddity(room: Room, gone: set[str]) -> tuple[int, float]:
    """Fewest close calls overruled first, then the room with most air around its line."""
    return len(set(room.collects) ^ gone), -(room.margin_mm or 0.0)


def _loot(here: DropPosition, before: Sequence[Piece], error_mm: float | None, room: Room, gone: set[str]) -> Proposal:
    without, also = tuple(sorted(set(room.collects) - gone)), tuple(sorted(gone - set(room.collects)))
    explore = [] if here.turn.explored else [str(e.Explore())]
    look = str(e.Look(tuple(before), error_mm or None))
    lines = (*explore, look, str(e.Loot(tuple(sorted(room.pillars)), without, also)), str(e.End()))
    taken = [piece for piece in before if piece.id in gone]
    says = f"{here.active_player.name} looted a room: {_listed(taken)}."
    return Proposal("loot", says, lines, tuple(sorted(gone)), tuple(sorted(room.pillars)))


def hustle_proposals(here: Position, cells: Sequence[Cell], revealed: Card | None) -> tuple[Proposal, ...]:
    """Runs, new cards and monster moves that lead to this board."""
    as_it_lies = Proposal("table", "The board changed: take it as it lies?")
    if not isinstance(here, HustlePosition):
        return (as_it_lies,)
    try:
        found = [one for one in explain_change(here, cells, revealed) if one.events]
    except CompanionError:
        found = []
    told = [Proposal("turn", _sentence(", ".join(one.words)), tuple(map(str, one.events))) for one in found[:MOST]]
    return (*told, as_it_lies)


def _as_it_lies(change: Difference) -> str:
    parts = []
    if change.removed:
        parts.append(f"{_listed(change.removed)} gone")
    if change.added:
        parts.append(f"{_listed(change.added)} new")
    return f"{' and '.join(parts) or 'The table changed'}: take the table as it lies?"


def _listed(pieces: Sequence[Piece]) -> str:
    counts = Counter(named({"type": piece.type}) for piece in pieces)
    return ", ".join(f"{number} {name}" for name, number in sorted(counts.items()))


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + "."
