"""Readings made from the demo photos' labels: what a perfect reader would say, for tests that are not about reading."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from companion.errors import InvalidInput
from companion.pieces import pieces_from_json
from companion.readings import DropReading, HustleReading
from companion.tiles import card_from_json, cells_from_json
from web.readers import ReadJob

DEMO = Path(__file__).parents[2] / "web" / "demo"


@cache
def labels() -> dict[str, Path]:
    return {hashlib.sha256(file.read_bytes()).hexdigest(): file for file in DEMO.rglob("*.jpg")}


def read_labels(job: ReadJob) -> dict[str, Any]:
    """Stands in for `web.readers.read`: the label of a demo photo as a reading."""
    file = labels().get(hashlib.sha256(job.photo).hexdigest())
    if file is None:
        raise InvalidInput("this photo has no label")
    return reading_of(file)


def reading_of(file: Path) -> dict[str, Any]:
    label = json.loads(file.with_suffix(".json").read_text())
    size = {"size_px": [label["width"], label["height"]]}
    if label["game"] == "dungeon-drop":
        return _drop(file.name, label).as_json() | size
    cells = cells_from_json([{**cell, "confidence": 0.98} for cell in label["cells"]])
    revealed = None if label["revealed"] is None else card_from_json(label["revealed"], "revealed")
    board = tuple((x, y) for x, y in label["board_px"])
    return HustleReading(file.name, cells, board, revealed, "tiles").as_json() | size


def _drop(name: str, label: dict[str, Any]) -> DropReading:
    cubes = [
        {
            "id": f"p{number:02}", "type": cube["type"], "size": cube["size"],
            "confidence": 0.98 if number % 17 else 0.6,
            "center_px": cube["center_px"], "outline_px": cube["outline_px"], "center_mm": cube["center_mm"][:2],
            "footprint_mm": cube["footprint_mm"], "shows": cube.get("shows"),
        }
        for number, cube in enumerate(label["cubes"], 1)
    ]  # fmt: skip
    return DropReading(name, pieces_from_json(cubes), "markers", 0.4)
