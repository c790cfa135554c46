"""Readings back from the JSON that the reading process sends and the journal keeps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.pieces import pieces_from_json
from companion.problems import problem_from_json
from companion.readings import DropReading, HustleReading
from companion.tiles import card_from_json, cells_from_json

PERSON = 1.0  # the confidence that a correction writes and no reader does


def reading_from_json(data: Mapping[str, Any]) -> DropReading | HustleReading:
    """A reading from the JSON that the reading process sends."""
    name = str(data.get("photo") or "")
    problems = tuple(map(problem_from_json, data.get("problems") or ()))
    if "cells" in data:
        revealed = None if data.get("revealed") is None else card_from_json(data["revealed"], "the card turned up")
        board = tuple((float(x), float(y)) for x, y in data.get("board_px") or ())
        return HustleReading(name, cells_from_json(data["cells"]), board, revealed, data.get("scale_from"), problems)
    pieces = pieces_from_json(data.get("pieces") or [])
    return DropReading(name, pieces, data.get("scale_from"), data.get("error_mm"), problems)
