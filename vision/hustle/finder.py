"""Roughly where the board is: a small network says for every patch of the reduced photo which spot of a board it shows.

It has learnt from thousands of made-up drawings what a dungeon of cards is, whatever is printed on them, so it needs no
markers and no profile. Board coordinates count pitches from the outer corner of row 0, column 0: u along a row, v down
the columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

DATA: Final = Path(__file__).parent / "data"
FINDER_PX: Final = 160  # the reduced photo's longer side: a card is then some eight pixels wide, enough to be found
STRIDE_PX: Final = 4
BLOCK_PX: Final = 16  # what the network halves four times must divide by


@dataclass(frozen=True)
class FinderSettings:
    inside: float = 0.0  # logit above which a patch counts as board
    least_patches: int = 24  # fewer is not even half of a board that fills a seventh of the photo
    reprojection_cells: float = 0.35  # a patch whose spot the fit explains to a third of a card agrees with it
    closer_margin: float = 0.12  # around what seems to be the board: its rim may have been missed
    well_agreeing: float = 0.9  # so many, and a closer look tells nothing new
    least_agreeing: float = 0.5  # of all patches: less, and they do not tell of one flat board


SETTINGS: Final = FinderSettings()


@dataclass(frozen=True, eq=False)
class RoughBoard:
    """A homography from board coordinates (u, v) to pixels, and the share of patches that agree with it."""

    to_px: Array
    agreeing: float


@cache
def network(name: str) -> Any:
    """OpenCV's older engine takes two thirds of the newer one's time for networks as small as these."""
    path = str(DATA / name)
    if hasattr(cv2.dnn, "ENGINE_CLASSIC"):
        return cv2.dnn.readNetFromONNX(path, engine=cv2.dnn.ENGINE_CLASSIC)
    return cv2.dnn.readNetFromONNX(path)


def find_board(bgr: Image, settings: FinderSettings = SETTINGS) -> RoughBoard | None:
    """A look at the whole photo, and if that is doubtful a closer one at where the board seems to be."""
    first, spots_px = _look(bgr, settings)
    if len(spots_px) < settings.least_patches:
        return None
    if first is not None and first.agreeing >= settings.well_agreeing:
        return first
    low, high = np.percentile(spots_px, [2, 98], axis=0)
    room = settings.closer_margin * (high - low).max()
    left, top = np.maximum(low - room, 0).astype(int)
    right, bottom = np.minimum(high + room, np.array(bgr.shape[1::-1])).astype(int)
    closer, _ = _look(bgr[top:bottom, left:right], settings)
    if closer is not None:
        closer = RoughBoard(np.array([[1, 0, left], [0, 1, top], [0, 0, 1.0]]) @ closer.to_px, closer.agreeing)
    found = [one for one in (closer, first) if one is not None and one.agreeing >= settings.least_agreeing]
    return max(found, key=lambda one: one.agreeing, default=None)


def _look(bgr: Image, settings: FinderSettings) -> tuple[RoughBoard | None, Array]:
    spots_px, spots_uv = board_patches(bgr, settings)
    if len(spots_px) < settings.least_patches:
        return None, spots_px
    back, agrees = cv2.findHomography(spots_px, spots_uv, cv2.RANSAC, settings.reprojection_cells, maxIters=500)
    if back is None or abs(np.linalg.det(back)) < 1e-12:
        return None, spots_px
    return RoughBoard(np.linalg.inv(back), float(agrees.mean())), spots_px[agrees.ravel() > 0]


def board_patches(bgr: Image, settings: FinderSettings = SETTINGS) -> tuple[Array, Array]:
    """Pixels that seem to show a board (n x 2), and which spot of it (n x 2)."""
    height, width = bgr.shape[:2]
    scale = FINDER_PX / max(width, height)
    small = cv2.resize(bgr, (max(1, round(width * scale)), max(1, round(height * scale))), interpolation=cv2.INTER_AREA)
    below, beside = -small.shape[0] % BLOCK_PX, -small.shape[1] % BLOCK_PX
    padded = cv2.copyMakeBorder(small, 0, below, 0, beside, cv2.BORDER_REPLICATE)
    net = network("hustle-finder.onnx")
    net.setInput(cv2.dnn.blobFromImage(padded, 1 / 127.5, mean=(127.5,) * 3))
    inside, u, v = net.forward()[0]
    rows, cols = np.nonzero(inside > settings.inside)
    spots_px = (np.column_stack([cols, rows]) + 0.5) * STRIDE_PX / scale - 0.5
    spots_uv = (np.column_stack([u[rows, cols], v[rows, cols]]) + 1) * 3.5
    return spots_px.astype(float), spots_uv.astype(float)
