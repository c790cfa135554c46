"""Questions in JSON, answers in JSON: what `companion dungeon-drop rooms` and the web API say (FORMATS.md)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from companion.errors import InvalidInput
from companion.games.dungeon_drop.advice import aftermath, remedies, safety
from companion.games.dungeon_drop.boundary import boundary, boundary_json, outside
from companion.games.dungeon_drop.heroes import Hero, hero_from_json
from companion.games.dungeon_drop.house import STANDARD, house_rules_from_json
from companion.games.dungeon_drop.rooms import TableRooms, best_first, judged, room_records, table_rooms
from companion.games.dungeon_drop.table_problems import table_problems
from companion.pieces import pieces_from_json


def rooms_answer(question: dict[str, Any], *, all_rooms: bool = False) -> dict[str, Any]:
    """Every room of the table in `pieces` for `hero`. A whole reading may be asked about: its `error_mm` counts (D3).

    >>> rooms_answer({"pieces": []})
    {'rooms': [], 'boundary_mm': [], 'outside': []}
    """
    rooms, hero, _ = _asked(question)
    verdicts = judged(rooms, hero)
    records = room_records(rooms, verdicts, best_first(rooms, verdicts, legal_only=not all_rooms))
    out: dict[str, Any] = {"rooms": [room.as_json() for room in records]}
    out |= boundary_json(boundary(rooms)) | {"outside": list(outside(rooms))}
    if rooms.unplaced:
        out["unplaced"] = list(rooms.unplaced)  # without a footprint nothing can be said of them
    return out


def advice_answer(question: dict[str, Any], number: int = 5) -> dict[str, Any]:
    """The hero's best rooms, how safe each is and what it leaves to the `next` hero; and what a potion or shield
    of the stash would open. In: as for rooms, with `hero` now needed, and `next`, another such hero, if any.

    `rooms` need nothing from the stash; those of `remedies` do.
    """
    rooms, hero, error_mm = _asked(question)
    if hero is None:
        raise InvalidInput('"hero" is missing: advice needs to know for whom')
    following = hero_from_json(question.get("next"))
    verdicts = judged(rooms, replace(hero, shields=0, potions=0))
    best = room_records(rooms, verdicts, best_first(rooms, verdicts)[:number])
    return {
        "rooms": [
            room.as_json()
            | {"safety": safety(room, error_mm).as_json()}
            | ({} if following is None else {"leaves": aftermath(rooms, room, following).as_json()})
            for room in best
        ],
        "remedies": [remedy.as_json() for remedy in remedies(rooms, hero)[:number]],
    }


def _asked(question: dict[str, Any]) -> tuple[TableRooms, Hero | None, float | None]:
    if "pieces" not in question:
        raise InvalidInput('"pieces" is missing: the table as `companion read dungeon-drop --json` prints it')
    pieces = pieces_from_json(question["pieces"])
    rules = STANDARD if question.get("house") is None else house_rules_from_json(question["house"])
    error_mm = error_from_json(question.get("error_mm"))
    return table_rooms(pieces, error_mm, rules), hero_from_json(question.get("hero")), error_mm


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
