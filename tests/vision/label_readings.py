"""Readings made from the labels of staged photos, with the faults a reader has: for tests that need no reader."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from companion.pieces import Piece
from companion.readings import DropReading

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"
DEMO = ROOT / "web" / "demo" / "drop"


def label(path: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(path.read_text())
    return data


def label_reading(
    data: dict[str, Any], random: np.random.Generator | None = None, noise_mm: float = 0.0, hidden_below: float = 0.0
) -> DropReading:
    """What a reader would say of this photo that is off by `noise_mm` and does not see what is nearly hidden."""
    cubes = [cube for cube in data["cubes"] if cube["visible"] >= hidden_below]
    pieces = []
    for number, cube in enumerate(cubes, 1):
        off = random.normal(0, noise_mm, 2) if random is not None else np.zeros(2)
        pieces.append(
            Piece(
                id=f"p{number:02}", type=cube["type"], size=cube["size"], confidence=0.97,
                center_px=tuple(cube["center_px"]), outline_px=tuple(map(tuple, cube["outline_px"])),
                center_mm=(cube["center_mm"][0] + off[0], cube["center_mm"][1] + off[1]),
                footprint_mm=tuple((x + off[0], y + off[1]) for x, y in cube["footprint_mm"]),
            )
        )  # fmt: skip
    return DropReading(data["photo"], tuple(pieces), "markers", max(noise_mm, 0.05))
