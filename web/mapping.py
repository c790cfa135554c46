"""Between a photo and the map: the plane through the cubes' middles, fitted to what the reader found.

Only for drawing and for placing what a person taps. Verdicts never pass here: they use the reader's millimetres.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.pieces import Point
from companion.tiles import SIDE

NEIGHBOURS: Final = (
    14  # near pieces follow a bent lens better than all pieces do; fewer than this and one misread tilts it
)
FEWEST: Final = 4  # a plane's homography has eight unknowns
# The published cubes, for a table where none of that size was read.
SIDE_MM: Final[Mapping[str | None, float]] = {"S": 8.0, "L": 10.5, "H": 13.0, None: 12.0}


@dataclass(frozen=True)
class Plane:
    """A homography from millimetres to pixels, and back."""

    matrix: NDArray[np.float64]

    def px(self, point: Point) -> Point:
        return _through(self.matrix, point)

    def mm(self, point: Point) -> Point:
        return _through(np.asarray(np.linalg.inv(self.matrix), dtype=np.float64), point)


def fitted(reading: Mapping[str, Any], *, near_mm: Point | None = None, near_px: Point | None = None) -> Plane | None:
    """The plane near a place, or of the whole table; None where too few pieces are known on both sides."""
    pairs = [
        (piece["center_mm"], piece["center_px"])
        for piece in reading.get("pieces", [])
        if piece.get("center_mm") and piece.get("center_px") and piece.get("resting") != "stacked"
    ]
    if len(pairs) < FEWEST:
        return None
    mm = np.array([pair[0] for pair in pairs], dtype=np.float64)
    px = np.array([pair[1] for pair in pairs], dtype=np.float64)
    if near_mm is not None or near_px is not None:
        away = np.hypot(*(mm - near_mm).T) if near_mm is not None else np.hypot(*(px - np.asarray(near_px)).T)
        nearest = np.argsort(away, kind="stable")[:NEIGHBOURS]
        mm, px = mm[nearest], px[nearest]
    matrix, _ = cv2.findHomography(mm, px, cv2.LMEDS if len(mm) > 8 else 0)
    if matrix is None or not np.isfinite(matrix).all() or abs(np.linalg.det(matrix)) < 1e-12:
        return None
    return Plane(np.asarray(matrix, dtype=np.float64))


def board_to_px(corners_px: Sequence[Sequence[float]] | None) -> list[list[float]] | None:
    """From a board's own units, 0 to 7 each way from its far left corner, to the photo; None where it was not found."""
    if not corners_px or len(corners_px) != 4:
        return None
    corners = np.array([(0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE)], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(corners, np.array(corners_px, dtype=np.float32))
    return [[float(value) for value in row] for row in matrix.round(9)]


def usual_side_mm(reading: Mapping[str, Any], size: str | None) -> float:
    """The side of this table's cubes of one size: the median of those read, from the area they cover."""
    areas = [
        float(cv2.contourArea(np.array(piece["footprint_mm"], dtype=np.float32)))
        for piece in reading.get("pieces", [])
        if piece.get("size") == size and len(piece.get("footprint_mm") or ()) >= 3
    ]
    return float(np.sqrt(np.median(areas))) if areas else SIDE_MM.get(size, SIDE_MM["S"])


def _through(matrix: NDArray[np.float64], point: Point) -> Point:
    x, y, w = matrix @ np.array([point[0], point[1], 1.0])
    return float(x / w), float(y / w)
