"""What a photo said: the records that readers return and that the command line, the page and saved files share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.pieces import Outline, Piece
from companion.problems import Problem
from companion.tiles import Card, Cell


@dataclass(frozen=True)
class DropReading:
    """A Dungeon Drop table or stash."""

    photo: str
    pieces: tuple[Piece, ...] = ()
    scale_from: str | None = None  # "markers", "cubes", or "corners" that a person gave
    error_mm: float | None = None  # one standard deviation of a position, the reader's own estimate
    problems: tuple[Problem, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return _common("dungeon-drop", self) | {
            "error_mm": None if self.error_mm is None else round(self.error_mm, 3),
            "pieces": [piece.as_json() for piece in self.pieces],
        }


@dataclass(frozen=True)
class HustleReading:
    """A Dungeon Hustle board."""

    photo: str
    cells: tuple[Cell, ...] = ()
    board_px: Outline = ()
    revealed: Card | None = None
    scale_from: str | None = None  # "markers", "tiles", or "corners" that a person gave
    problems: tuple[Problem, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return _common("dungeon-hustle", self) | {
            "board_px": [[round(x, 2), round(y, 2)] for x, y in self.board_px],
            "cells": [cell.as_json() for cell in self.cells],
            "revealed": None if self.revealed is None else self.revealed.as_json(),
        }


def _common(game: str, reading: DropReading | HustleReading) -> dict[str, Any]:
    return {
        "game": game,
        "photo": reading.photo,
        "scale_from": reading.scale_from,
        "problems": [problem.as_json() for problem in reading.problems],
        "timings_ms": {stage: round(ms, 1) for stage, ms in reading.timings_ms.items()},
    }
