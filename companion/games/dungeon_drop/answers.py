"""Questions in JSON, answers in JSON: what `companion dungeon-drop rooms` and the web API say (FORMATS.md)."""

from __future__ import annotations

import math
from typing import Any

from companion.errors import InvalidInput
from companion.games.dungeon_drop.boundary import boundary, boundary_json, outside
from companion.games.dungeon_drop.heroes import hero_from_json
from companion.games.dungeon_drop.house import STANDARD, house_rules_from_json
from companion.games.dungeon_drop.rooms import best_first, judged, room_records, table_rooms
from companion.games.dungeon_drop.table_problems import table_problems
from companion.pieces import pieces_from_json


def rooms_answer(question: dict[str, Any], *, all_rooms: bool = False) -> dict[str, Any]:
    """Every room of the table in `pieces` for `hero`. A whole reading may be asked about: its `error_mm` counts (D3).

    >>> rooms_answer({"pieces": []})
    {'rooms': [], 'boundary_mm': [], 'outside': []}
    """
    if "pieces" not in question:
        raise InvalidInput('"pieces" is missing: the table as `companion read dungeon-drop --json` prints it')
    pieces = pieces_from_json(question["pieces"])
    rules = STANDARD if question.get("house") is None else house_rules_from_json(question["house"])
    rooms = table_rooms(pieces, error_from_json(question.get("error_mm")), rules)
    verdicts = judged(rooms, hero_from_json(question.get("hero")))
    records = room_records(rooms, verdicts, best_first(rooms, verdicts, legal_only=not all_rooms))
    out: dict[str, Any] = {"rooms": [room.as_json() for room in records]}
    out |= boundary_json(boundary(rooms)) | {"outside": list(outside(rooms))}
    if rooms.unplaced:
        out["unplaced"] = list(rooms.unplaced)  # without a footprint nothing can be said of them
    return out


def check_answer(question: dict[str, Any]) -> dict[str, Any]:
    """What is wrong with a reading, or with the stash of one hero.

    >>> dragon = {"type": "dragon", "size": "H"}
    >>> check_answer({"pieces": [dragon, dragon | {"id": "again"}]})["problems"][0]["code"]
    'too-many'
    """
    problems = table_problems(pieces_from_json(question.get("pieces", question.get("stash"))))
    return {"problems": [problem.as_json() for problem in problems]}


def error_from_json(value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        raise InvalidInput('"error_mm" must be a number of millimetres, 0 or more')
    return float(value)
