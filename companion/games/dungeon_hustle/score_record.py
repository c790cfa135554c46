"""The score sheet at the end of a recorded game."""

from __future__ import annotations

from typing import Any

from companion.games.dungeon_hustle.game import DungeonHustle
from companion.games.dungeon_hustle.position import Position
from companion.games.dungeon_hustle.scoring import scores, sheet
from companion.record import parse_record, position


def score_of_record(text: str) -> dict[str, Any]:
    """The score sheet at the end of a record."""
    here = position(parse_record(text, (DungeonHustle(),)))
    assert isinstance(here, Position)
    return sheet(scores(here), here.monsters_won)
