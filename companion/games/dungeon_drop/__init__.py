"""Dungeon Drop: rooms from pillars, a game for one to four heroes, scores and advice.

Geometry    rooms.table_rooms(pieces, error_mm, rules) -> TableRooms    every room, whoever asks; arrays
            rooms.judged(table_rooms, hero) -> Judged                   points, damage, legality; arrays
            rooms.best_first(table_rooms, judged), rooms.room_records(table_rooms, judged, rows) -> [Room]
            rooms.ranked_rooms(pieces, hero, error_mm=…) -> [Room]      the short way
            boundary.hull_outline(pillars), boundary.boundary(table_rooms), boundary.outside(table_rooms)
            verdicts.verdict(pillars, piece, error_mm) -> Verdict       one disputed piece: gap, side, nearest points
Advice      advice.remedies(table_rooms, hero) -> [Remedy]              what a potion or shield would open
            advice.aftermath(table_rooms, room, next hero) -> Aftermath what the room opens and spoils
            advice.safety(room, error_mm) -> Safety                     how far the verdict may be trusted
In JSON     answers.rooms_answer(question), answers.advice_answer(question), answers.check_answer(question),
            scoring.score_answer(question)
The game    game.DungeonDrop on companion.games.contract; events.* are its events, position.Position its positions,
            view.view(position) the JSON of the page; turns.position_rooms(position) the rooms of its table
The camera  inference.inferred(position, pieces, error_mm) -> Inference what happened since the last look: nothing,
            none (no story fits), one, or several; each story is events ready to be recorded
            changes.changes(before, after) -> Change                    gone, new, moved; frames may differ
            table_problems.table_problems(pieces) -> [Problem]          what a table or stash cannot be
Data        heroes.Hero, quests.Quest (quest_from_json), house.HouseRules, scoring.Standing
            example_heroes(): made-up heroes and quests, as an example of what players enter
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any


def example_heroes() -> dict[str, Any]:
    """Made-up heroes and quests that show what players can enter from their cards."""
    example: dict[str, Any] = json.loads((files(__package__) / "example.json").read_text(encoding="utf-8"))
    return example
