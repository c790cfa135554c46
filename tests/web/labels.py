"""Readings made from the demo photos' labels: what a perfect reader would say, for tests that are not about reading."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from companion.errors import InvalidInput
from companion.pieces import pieces_from_json
from companion.problems import Problem
from companion.readings import DropReading, HustleReading
from companion.tiles import card_from_json, cells_from_json
from vision.merge import transformed
from vision.registration import Similarity
from web.readers import ReadJob

DEMO = Path(__file__).parents[2] / "web" / "demo"
HIDDEN = 3  # cubes that the front view of a table does not show


@cache
def labels() -> dict[str, Path]:
    return {hashlib.sha256(file.read_bytes()).hexdigest(): file for file in DEMO.rglob("*.jpg")}


def read_labels(job: ReadJob) -> dict[str, Any]:
    """Stands in for `web.readers.read`: the label of a demo photo as a reading."""
    photo, _, side = job.photo.partition(SIDE)
    file = labels().get(hashlib.sha256(photo).hexdigest())
    if file is None:
        raise InvalidInput("this photo has no label")
    return seen_from(file, side.decode()) if side else reading_of(file)


SIDE = b"\n--seen from "


def photo_from(file: Path, side: str) -> bytes:
    """A demo photo's file, marked as taken from the "front" or the "back": the same picture, other bytes."""
    return file.read_bytes() + SIDE + side.encode()


def seen_from(file: Path, side: str) -> dict[str, Any]:
    """The front hides a few cubes; from the back the table's millimetres are turned, and every place a little off."""
    label = json.loads(file.with_suffix(".json").read_text())
    reading, size = _drop(file.name, label), {"size_px": [label["width"], label["height"]]}
    if side == "front":
        return replace(reading, pieces=reading.pieces[:-HIDDEN]).as_json() | size
    if side == "nowhere":
        return DropReading(file.name, problems=(Problem("no-cubes", "No cubes were found."),)).as_json() | size
    random, turned = np.random.default_rng(3), Similarity(-0.9, 0.4, (40.0, -10.0))
    pieces = tuple(
        transformed(transformed(piece, Similarity(shift_mm=tuple(random.normal(0, 0.3, 2)))), turned)
        for piece in reading.pieces
    )
    return replace(reading, pieces=pieces).as_json() | size


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
