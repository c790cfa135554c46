"""A reader for staged scenes that knows the truth and has a real reader's faults, each with its own rate: for tests of
everything that comes after reading."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from companion.pieces import TYPES, Piece
from companion.readings import DropReading
from tests.benchmarks.live_stage import Scene, Stage
from vision.live.frames import Frame
from vision.registration import Similarity


@dataclass(frozen=True)
class Faults:
    noise_mm: float = 0.35
    missed: float = 0.01
    misread: float = 0.01
    phantom: float = 0.2  # a photo


class Oracle:
    """Reads the scene that was shown last. Its frame of millimetres is another one after every bump, as a reader's is
    that has only the photo to go by."""

    def __init__(self, stage: Stage, faults: Faults, random: np.random.Generator) -> None:
        self._stage, self._faults, self._random = stage, faults, random
        self.scene = Scene(stage.everything)
        self.reads = 0

    def __call__(self, frame: Frame) -> DropReading:
        self.reads += 1
        scene, faults = self.scene, self._faults
        turn = np.radians(scene.turn_deg)
        millimetres = Similarity(
            float(np.cos(turn)), float(np.sin(turn)), (scene.shift_px[0] / 3, -scene.shift_px[1] / 3)
        )
        pieces = [
            self._read(piece, millimetres)
            for piece in self._stage.pieces(scene.present)
            if self._random.random() >= faults.missed
        ]
        if self._random.random() < faults.phantom and pieces:
            pieces.append(self._phantom(pieces[0]))
        order = self._random.permutation(len(pieces))
        shuffled = tuple(replace(pieces[n], id=f"p{number:02}") for number, n in enumerate(order, 1))
        return DropReading(frame.name, shuffled, "markers", faults.noise_mm)

    def _read(self, piece: Piece, millimetres: Similarity) -> Piece:
        off = self._random.normal(0, self._faults.noise_mm, 2)
        points = millimetres.apply(np.array([piece.center_mm, *piece.footprint_mm]) + off)
        px = self._stage.to_photo(self.scene, [piece.center_px, *piece.outline_px])
        kind, confidence = piece.type, float(self._random.uniform(0.9, 0.995))
        if self._random.random() < self._faults.misread:
            kind, confidence = str(self._random.choice(TYPES[:9])), float(self._random.uniform(0.4, 0.85))
        return replace(
            piece, type=kind, confidence=confidence,
            center_mm=_pair(points[0]), footprint_mm=tuple(map(_pair, points[1:])),
            center_px=_pair(px[0]), outline_px=tuple(map(_pair, px[1:])),
        )  # fmt: skip

    def _phantom(self, like: Piece) -> Piece:
        assert like.center_mm is not None and like.center_px is not None
        away = self._random.uniform(-60, 60, 2)
        return replace(
            like, type="gem-clear", size="S", confidence=float(self._random.uniform(0.3, 0.8)),
            center_mm=_pair(np.array(like.center_mm) + away),
            footprint_mm=tuple(_pair(np.array(point) + away) for point in like.footprint_mm),
            center_px=_pair(np.array(like.center_px) + away * 3),
            outline_px=tuple(_pair(np.array(point) + away * 3) for point in like.outline_px),
        )  # fmt: skip


def _pair(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[float, float]:
    return float(values[0]), float(values[1])
