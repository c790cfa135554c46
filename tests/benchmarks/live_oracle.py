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
    """Shares of all cubes. A real reader's faults are not independent: the same pale gem is missed again and again, the
    same gleam is taken for one. `stubborn` is the share of misses and phantoms that belong to such cubes and places."""

    noise_mm: float = 0.35
    missed: float = 0.01
    misread: float = 0.01
    phantom: float = 0.004
    stubborn: float = 0.0


OFTEN = 0.8  # of all readings: how often a stubborn fault shows


class Oracle:
    """Reads the scene that was shown last. Its frame of millimetres is another one after every bump, as a reader's is
    that has only the photo to go by."""

    def __init__(self, stage: Stage, faults: Faults, random: np.random.Generator) -> None:
        self._stage, self._faults, self._random = stage, faults, random
        self.scene = Scene(stage.everything)
        self.reads = 0
        cubes, often = len(stage.cubes), faults.stubborn / OFTEN
        # Clear gems first: they are what readers miss.
        pale = [n for n, cube in enumerate(stage.cubes) if cube["type"] == "gem-clear"]
        rest = [n for n in random.permutation(cubes).tolist() if n not in pale]
        self._hidden = frozenset([*random.permutation(pale).tolist(), *rest][: round(faults.missed * often * cubes)])
        self._gleams = [_place(random) for _ in range(round(faults.phantom * often * cubes))]

    def __call__(self, frame: Frame) -> DropReading:
        self.reads += 1
        scene, faults = self.scene, self._faults
        turn = np.radians(scene.turn_deg)
        millimetres = Similarity(
            float(np.cos(turn)), float(np.sin(turn)), (scene.shift_px[0] / 3, -scene.shift_px[1] / 3)
        )
        truth = self._stage.pieces(scene.present)
        pieces = [self._read(piece, millimetres) for piece in truth if not self._misses(int(piece.id[1:]))]
        pieces += self._phantoms(truth, millimetres)
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

    def _misses(self, cube: int) -> bool:
        chance = OFTEN if cube in self._hidden else self._faults.missed * (1 - self._faults.stubborn)
        return bool(self._random.random() < chance)

    def _phantoms(self, truth: tuple[Piece, ...], millimetres: Similarity) -> list[Piece]:
        """Clear gems that are not there: at gleams that stay where they are, and anywhere else."""
        faults = self._faults
        fleeting = self._random.poisson(faults.phantom * (1 - faults.stubborn) * len(truth))
        places = [place for place in self._gleams if self._random.random() < OFTEN]
        places += [_place(self._random) for _ in range(fleeting)]
        out = []
        for share in places if truth else []:
            like = truth[int(share[2] * len(truth))]
            away = np.array(share[:2])
            shift = [(x + away[0], y + away[1]) for x, y in (like.center_mm or (0.0, 0.0), *like.footprint_mm)]
            px = [(x + 3 * away[0], y - 3 * away[1]) for x, y in (like.center_px or (0.0, 0.0), *like.outline_px)]
            moved = replace(
                like, id="c99", type="gem-clear", size="S", center_mm=shift[0], footprint_mm=tuple(shift[1:]),
                center_px=px[0], outline_px=tuple(px[1:]),
            )  # fmt: skip
            read = self._read(moved, millimetres)
            out.append(replace(read, type="gem-clear", confidence=float(self._random.uniform(0.3, 0.85))))
        return out


def _place(random: np.random.Generator) -> tuple[float, float, float]:
    """Millimetres beside a cube, and which cube, as a share of all."""
    x, y = random.uniform(10, 60, 2) * random.choice([-1, 1], 2)
    return float(x), float(y), float(random.random())


def _pair(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[float, float]:
    return float(values[0]), float(values[1])
