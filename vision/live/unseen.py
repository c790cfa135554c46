"""Cubes that no reading had, found by their leaving: where a cube's worth of the picture became bare table, and no
known piece explains it, something lay there. Clear gems are read badly and leave as plainly as any other cube."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.pieces import Outline, Piece, Point
from vision.live.pixels import Difference

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Leaving:
    """Numbers of this stage; shares are of a small cube's picture."""

    shadow: float = 1.6  # a piece that came or went, this much larger: it takes its shadow along
    rim: float = 1.3  # a piece that stayed: its edges tremble, and light creeps around it
    least: float = 0.3
    most: float = 2.4
    large: float = 1.5  # from here on it was a large one
    longest: float = 2.0  # times as long as wide: no cube's picture is longer
    filled: float = 0.4  # of its box: a shadow's edge is a crescent
    calmer: float = 0.5  # of it has less drawing in it than before; where something came, there is more
    enough: int = 6  # pieces to tell millimetres from


NUMBERS: Final = Leaving()
# What most of them are. People see the guess and the other choice.
USUAL: Final = "gem-clear"


def left_unseen(
    pixels: Difference, gone: Sequence[Piece], here: Sequence[Piece], numbers: Leaving = NUMBERS
) -> tuple[Piece, ...]:
    """Pieces that nobody had read, where they lay. `gone` have the old photo's pixels, `here` the new one's."""
    small = [piece for piece in (*gone, *here) if piece.size == "S" and len(piece.outline_px) >= 3]
    plane = _millimetres(here, numbers)
    if not pixels.comparable or not small or plane is None:
        return ()
    mask = (pixels.changed & ~pixels.covered).astype(np.uint8)
    for piece in gone:
        _struck(mask, tuple(map(pixels.to_new, piece.outline_px)), pixels.scale * numbers.shadow, pixels.scale)
    for piece in here:
        _struck(mask, piece.outline_px, pixels.scale * numbers.rim, pixels.scale)
    usual_px = float(np.median([cv2.contourArea(np.array(piece.outline_px, np.float32)) for piece in small]))
    usual_mm = float(np.median([np.sqrt(cv2.contourArea(np.array(piece.footprint_mm, np.float32))) for piece in small]))
    found = _blobs(mask, pixels, usual_px * pixels.scale**2, numbers)
    return tuple(_piece(number, place, size, plane, usual_mm) for number, (place, size) in enumerate(found, 1))


def _struck(mask: npt.NDArray[np.uint8], outline: Outline, stretch: float, scale: float) -> None:
    """Takes a piece's picture, stretched about its middle, out of the mask."""
    if len(outline) < 3:
        return
    points = np.array(outline)
    middle = points.mean(axis=0)
    cv2.fillConvexPoly(mask, np.round(middle * scale + (points - middle) * stretch).astype(np.int32), 0)


def _blobs(
    mask: npt.NDArray[np.uint8], pixels: Difference, usual_px: float, numbers: Leaving
) -> list[tuple[Point, str]]:
    """Places, in the photo's pixels, and sizes of what is left of the mask and looks like a cube that went."""
    whole = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, parts, stats, middles = cv2.connectedComponentsWithStats(whole, connectivity=8)
    out: list[tuple[Point, str]] = []
    for number in range(1, count):
        _, _, width, height, area = stats[number].tolist()
        if not numbers.least * usual_px <= area <= numbers.most * usual_px:
            continue
        if max(width, height) > numbers.longest * min(width, height) or area < numbers.filled * width * height:
            continue
        if pixels.calmer[parts == number].mean() < numbers.calmer:
            continue
        x, y = (middles[number] / pixels.scale).tolist()
        out.append(((x, y), "L" if area > numbers.large * usual_px else "S"))
    return out


def _millimetres(pieces: Sequence[Piece], numbers: Leaving) -> Array | None:
    """From the photo's pixels to the table's millimetres, at the height of cubes' middles."""
    placed = [piece for piece in pieces if piece.center_px and piece.center_mm]
    if len(placed) < numbers.enough:
        return None
    px = np.array([piece.center_px for piece in placed], float)
    found, _ = cv2.findHomography(px, np.array([piece.center_mm for piece in placed], float), cv2.RANSAC, 4.0)
    return None if found is None else np.asarray(found, float)


def _piece(number: int, place: Point, size: str, plane: Array, side_mm: float) -> Piece:
    x, y, w = plane @ (*place, 1.0)
    middle, half = (float(x / w), float(y / w)), side_mm / 2
    corners = tuple((middle[0] + dx * half, middle[1] + dy * half) for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1)))
    return Piece(f"u{number}", USUAL, size, 0.5, place, (), middle, corners)
