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
from vision.live.pixels import Difference, Mask

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Leaving:
    """Numbers of this stage; shares are of a small cube's picture."""

    rim: float = 1.3  # a piece that stayed, this much larger: its edges tremble, and light creeps around it
    body: float = 1.5  # a piece that went, this much larger: what is left of the change is its shadow, or another cube
    touch: float = 1.15  # and this much: all that hangs together with it may be its shadow or its gleam
    bridge_px: int = 5  # of the comparison: a gap between a cube and its shadow
    least: float = 0.3
    most: float = 3.5  # with its own shadow
    large: float = 2.2  # from here on it was a large one
    longest: float = 2.0  # times as long as wide: no cube's picture is longer
    filled: float = 0.4  # of its box: a shadow's edge is a crescent
    calmer: float = 0.5  # of it has less drawing in it than before; where something came, there is more
    alike: float = 0.3  # of the other pieces that went changed at the same side too: then that is where shadows fall
    apart: float = 1.1  # of a small cube's width: nearer to each other than this no two cubes lie
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
    usual_px = float(np.median([cv2.contourArea(np.array(piece.outline_px, np.float32)) for piece in small]))
    usual_mm = float(np.median([np.sqrt(cv2.contourArea(np.array(piece.footprint_mm, np.float32))) for piece in small]))
    left = [tuple(map(pixels.to_new, piece.outline_px)) for piece in gone]
    scene = _Scene.of(pixels, left, [piece.outline_px for piece in here], usual_px * pixels.scale**2, numbers)
    found = [(place, size) for place, size in _blobs(scene, numbers) if not _is_shadow(place, scene, numbers)]
    return tuple(_piece(number, place, size, plane, usual_mm) for number, (place, size) in enumerate(found, 1))


@dataclass(frozen=True, eq=False)
class _Scene:
    """The comparison's pixels: what changed, but for pieces that stayed; what of that is not a piece that went; and
    what hangs together with one that went."""

    changed: npt.NDArray[np.uint8]
    rest: npt.NDArray[np.uint8]
    attached: Mask
    calmer: Mask
    gone_px: Array  # the middles of the pieces that went, Nx2
    usual_px: float  # a small cube's area
    scale: float

    @classmethod
    def of(
        cls, pixels: Difference, gone: Sequence[Outline], here: Sequence[Outline], usual_px: float, numbers: Leaving
    ) -> _Scene:
        changed = (pixels.changed & ~pixels.covered).astype(np.uint8)
        for outline in here:
            _fill(changed, outline, pixels.scale, numbers.rim, 0)
        rest, known = changed.copy(), np.zeros_like(changed)
        for outline in gone:
            _fill(rest, outline, pixels.scale, numbers.body, 0)
            _fill(known, outline, pixels.scale, numbers.touch, 1)
        bridge = np.ones((numbers.bridge_px, numbers.bridge_px), np.uint8)
        _, parts = cv2.connectedComponents(cv2.morphologyEx(changed | known, cv2.MORPH_CLOSE, bridge), connectivity=8)
        attached = np.isin(parts, np.unique(parts[known > 0]))
        middles = np.array([np.mean(outline, axis=0) for outline in gone]).reshape(-1, 2) * pixels.scale
        return cls(changed, rest, attached, pixels.calmer, middles, usual_px, pixels.scale)


def _is_shadow(place: Point, scene: _Scene, numbers: Leaving) -> bool:
    """Whether this hangs together with a piece that went, and others that went changed at the same side: a shadow or a
    gleam falls alike beside all of them, an unseen cube lies beside one. Where only one went, nobody can tell."""
    here = np.array(place) * scene.scale
    column, row = np.round(here).astype(int)
    if not scene.attached[row, column]:
        return False
    nearest = int(np.hypot(*(scene.gone_px - here).T).argmin())
    others = np.delete(scene.gone_px, nearest, axis=0) + (here - scene.gone_px[nearest])
    return len(others) == 0 or float(np.mean([_is_marked(scene, other) for other in others])) >= numbers.alike


def _is_marked(scene: _Scene, place: Array) -> bool:
    """Whether about half a cube's picture around this place changed, and is not itself a piece that went."""
    half = max(1, round(0.3 * float(np.sqrt(scene.usual_px))))
    column, row = np.round(place).astype(int)
    window = scene.rest[max(0, row - half) : row + half + 1, max(0, column - half) : column + half + 1]
    return window.size > 0 and float(window.mean()) > 0.4


def _fill(mask: npt.NDArray[np.uint8], outline: Outline, scale: float, stretch: float, value: int) -> None:
    """A piece's picture, stretched about its middle."""
    if len(outline) < 3:
        return
    points = np.array(outline) * scale
    middle = points.mean(axis=0)
    cv2.fillConvexPoly(mask, np.round(middle + (points - middle) * stretch).astype(np.int32), value)


def _blobs(scene: _Scene, numbers: Leaving) -> list[tuple[Point, str]]:
    """Places, in the photo's pixels, and sizes of what looks like a cube that went."""
    whole = cv2.morphologyEx(scene.rest, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    _, parts, stats, middles = cv2.connectedComponentsWithStats(whole, connectivity=8)
    out: list[tuple[Point, str]] = []
    apart_px = numbers.apart * float(np.sqrt(scene.usual_px)) / scene.scale
    for number in 1 + np.argsort(-stats[1:, cv2.CC_STAT_AREA]):
        _, _, width, height, area = stats[number].tolist()
        if not numbers.least * scene.usual_px <= area <= numbers.most * scene.usual_px:
            continue
        if max(width, height) > numbers.longest * min(width, height) or area < numbers.filled * width * height:
            continue
        if scene.calmer[parts == number].mean() < numbers.calmer:
            continue
        x, y = (middles[number] / scene.scale).tolist()
        if any(np.hypot(x - other[0], y - other[1]) < apart_px for other, _ in out):
            continue  # the same cube, cut in two by a neighbour
        out.append(((x, y), "L" if area > numbers.large * scene.usual_px else "S"))
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
