"""Dungeon Drop on the page: the rooms of the table as read, one room's verdict in full, and where it is close."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np

from companion.errors import InvalidInput
from companion.games.dungeon_drop.boundary import hull_outline
from companion.games.dungeon_drop.heroes import Hero
from companion.games.dungeon_drop.house import STANDARD, HouseRules
from companion.games.dungeon_drop.rooms import Room, TableRooms, best_first, judged, room_records, table_rooms
from companion.games.dungeon_drop.verdicts import verdict as close_up
from companion.pieces import Piece, pieces_from_json
from web.corrections import named

SHOWN_ROOMS: Final = 12
CLOSE_CALLS: Final = 3  # close-ups offered for a room
CLOSE_MM: Final = 6.0  # a gap wider than this is seen with the bare eye
WHY_NOT: Final = {
    "pillar-inside": "A fourth pillar stands in it.",
    "last-health": "It would cover the last health point.",
    "dragon-needs-shield": "The dragon needs a shield.",
}


@dataclass(frozen=True)
class Seen:
    """A table as read and corrected, with all its rooms."""

    pieces: tuple[Piece, ...]
    error_mm: float
    rooms: TableRooms
    rules: HouseRules

    @property
    def doubt_mm(self) -> float:
        return self.rules.doubt_deviations * self.error_mm


def seen(reading: Mapping[str, Any], rules: HouseRules = STANDARD) -> Seen:
    return _seen(_Frozen(reading), rules)


class _Frozen:
    """A reading as a key: readings are never changed in place, so that the same object is the same table."""

    def __init__(self, reading: Mapping[str, Any]) -> None:
        self.reading = reading

    def __hash__(self) -> int:
        return id(self.reading)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Frozen) and self.reading is other.reading


@lru_cache(maxsize=8)
def _seen(key: _Frozen, rules: HouseRules) -> Seen:
    pieces = pieces_from_json(key.reading.get("pieces", []))
    error_mm = float(key.reading.get("error_mm") or 0.0)
    return Seen(pieces, error_mm, table_rooms(pieces, error_mm, rules), rules)


def best_rooms(table: Seen, hero: Hero | None, number: int = SHOWN_ROOMS) -> list[dict[str, Any]]:
    """The best legal rooms. Of rooms that take the very same pieces only the safest is offered."""
    verdicts = judged(table.rooms, hero)
    rows = best_first(table.rooms, verdicts)[: number * 20]
    chosen: dict[tuple[str, ...], Room] = {}
    for room in room_records(table.rooms, verdicts, rows):
        other = chosen.get(room.collects)
        if other is None or (room.margin_mm or 0) > (other.margin_mm or 0):
            chosen[room.collects] = room
    return [room_json(table, room) for room in list(chosen.values())[:number]]


def verdict(table: Seen, pillars: Sequence[str], hero: Hero | None) -> dict[str, Any]:
    """One room in full: what it takes, legal or why not, and every piece near its line."""
    room = _room(table, pillars, hero)
    return room_json(table, room) | {"close": _close_calls(table, room), "doubt_mm": round(table.doubt_mm, 2)}


def room_json(table: Seen, room: Room) -> dict[str, Any]:
    by_id = {piece.id: piece for piece in table.pieces}
    taken = [by_id[name] for name in room.collects]
    return room.as_json() | {
        "why_not": [{"code": code, "message": WHY_NOT[code]} for code in room.why_not],
        "takes": tally(taken),
        "hull_mm": [[round(x, 3), round(y, 3)] for x, y in hull_outline([by_id[name] for name in room.pillars])],
        "says": sentence(room, taken),
    }


def tally(pieces: Sequence[Piece]) -> list[dict[str, Any]]:
    """How many of each, in the order of the box: [{"type", "size", "count"}]."""
    counts: dict[tuple[str, str | None], int] = {}
    for piece in sorted(pieces, key=lambda piece: (piece.type, piece.size or "")):
        counts[piece.type, piece.size] = counts.get((piece.type, piece.size), 0) + 1
    return [{"type": kind, "size": size, "count": count} for (kind, size), count in counts.items()]


def sentence(room: Room, taken: Sequence[Piece]) -> str:
    """The verdict as it is spoken."""
    if not room.legal:
        return "Not a legal room. " + " ".join(WHY_NOT[code] for code in room.why_not)
    if not taken:
        return "A legal room, and an empty one."
    counts = Counter(named({"type": piece.type}) for piece in taken)
    listed = [f"{number} {name}{'s' * (number > 1 and name != 'gold')}" for name, number in sorted(counts.items())]
    words = listed[0] if len(listed) == 1 else ", ".join(listed[:-1]) + " and " + listed[-1]
    harm = f" {room.damage} damage." if room.damage else ""
    doubt = " One is too close to call." if len(room.doubtful) == 1 else ""
    doubt = f" {len(room.doubtful)} are too close to call." if len(room.doubtful) > 1 else doubt
    return f"Legal. It takes {words}: {room.points} {'point' if room.points == 1 else 'points'}.{harm}{doubt}"


def _room(table: Seen, pillars: Sequence[str], hero: Hero | None) -> Room:
    names = [piece.id for piece in table.rooms.pieces]
    wanted = sorted(set(pillars))
    rows = [names.index(name) if name in names else -1 for name in wanted]
    found = np.flatnonzero((table.rooms.triples == np.sort(rows)).all(axis=1)) if len(rows) == 3 else np.array([], int)
    if not len(found):
        raise InvalidInput("a room needs three different pillars of this table")
    return room_records(table.rooms, judged(table.rooms, hero), found)[0]


def _close_calls(table: Seen, room: Room) -> list[dict[str, Any]]:
    """The pieces nearest to the line, the doubtful first."""
    by_id = {piece.id: piece for piece in table.pieces}
    pillars = [by_id[name] for name in room.pillars]
    others = [p for p in table.rooms.pieces if p.id not in room.pillars and p.type != "staircase"]
    calls = [_call(table, pillars, piece) for piece in others]
    near = [call for call in calls if abs(call["gap_mm"]) <= max(CLOSE_MM, table.doubt_mm)]
    return sorted(near, key=lambda call: (call["side"] != "too-close", abs(call["gap_mm"])))[:CLOSE_CALLS]


def _call(table: Seen, pillars: Sequence[Piece], piece: Piece) -> dict[str, Any]:
    close = close_up(pillars, piece, table.error_mm, table.rules)
    return {
        "id": piece.id, "type": piece.type, "size": piece.size, "gap_mm": round(close.gap_mm, 2), "side": close.says,
        "from_mm": [round(v, 3) for v in close.on_piece_mm], "to_mm": [round(v, 3) for v in close.on_hull_mm],
        "says": _call_words(piece, close.gap_mm, close.says, table),
    }  # fmt: skip


def _call_words(piece: Piece, gap_mm: float, side: str, table: Seen) -> str:
    what = named({"type": piece.type, "size": piece.size}).capitalize()
    measured = f"{abs(gap_mm):.1f} mm {'over' if gap_mm <= 0 else 'short of'} the line"
    if side == "too-close":
        counts = "in" if table.rules.doubt_counts_as_in or gap_mm <= 0 else "out"
        sure = f"the photo is only sure to {table.doubt_mm:.1f} mm"
        return f"{what}: too close to call. {measured}; {sure}. It counts as {counts} (a house rule)."
    return f"{what}: {side}, {measured}."
