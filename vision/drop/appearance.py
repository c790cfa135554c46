"""What each solid looks like in the photo: its faces straightened and a crop around it, all cubes in one sampling.

Every patch is cut out by the picture of a flat square (a face, or a level square round the cube): four projected
corners give its homography, so a hundred cubes cost one projection of a few hundred points and one `cv2.remap`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.drop.solids import Solids

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

_SQUARE: Final = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float) / 2


@dataclass(frozen=True)
class CropSettings:
    """How patches are cut."""

    crop_px: int = 32  # a side of a cube is then 12 to 13 px: pips (an eighth of a side) still show
    crop_sides: float = 2.5  # seen at 45 degrees a cube turned by 45 reaches 1.2 sides from its middle
    oversample: int = 2  # photos show a side at 25 to 45 px: sample twice as fine and average, against aliasing


CROP: Final = CropSettings()


class Seen(Protocol):
    """What this module asks of a table view."""

    @property
    def eye_mm(self) -> Floats: ...

    def project(self, points_mm: Floats) -> Floats: ...


@dataclass(frozen=True)
class Looks:
    """Crops round each cube, and which of their pixels are its upper face and its visible sides."""

    crops: NDArray[np.float32]  # (n, px, px, 3), BGR 0 to 1, up is away from the camera
    top: NDArray[np.bool_]  # (n, px, px)
    sides: NDArray[np.bool_]  # (n, px, px)
    facing: Floats  # (n, 3): cosine between the view and the normals of the upper face and the two sides

    def __len__(self) -> int:
        return len(self.crops)


def look_at(bgr: Image, view: Seen, solids: Solids) -> Looks:
    """Cut out every cube."""
    count = len(solids)
    faces, facing = visible_faces(solids, view.eye_mm)
    around = _level_squares(solids, view.eye_mm)
    corners = np.concatenate([faces, around[:, None]], axis=1)
    quads = view.project(corners.reshape(-1, 3)).reshape(count, 4, 4, 2)
    crops = sample_quads(bgr, quads[:, 3], CROP.crop_px)
    grid = _grid(quads[:, 3], CROP.crop_px)
    inside = [_inside(quads[:, face], grid) for face in range(3)]
    sides = (inside[1] & (facing[:, 1] > 0)[:, None, None]) | (inside[2] & (facing[:, 2] > 0)[:, None, None])
    return Looks(crops, inside[0], sides & ~inside[0], facing)


def visible_faces(solids: Solids, eye_mm: Floats) -> tuple[Floats, Floats]:
    """Corners (n, 3, 4, 3) of the upper face and the two sides turned to the eye, the better seen one first.

    With them how squarely each is seen: the cosine between its normal and the way to the eye.
    """
    axes, center_mm, side_mm = solids.axes, solids.center_mm, solids.side_mm
    count = len(solids)
    upward = np.argmax(np.abs(axes[:, 2, :]), axis=1)
    order = (upward[:, None] + np.arange(3)) % 3
    sorted_axes = np.take_along_axis(axes, order[:, None, :], axis=2)
    ray = eye_mm - center_mm
    ray = ray / np.linalg.norm(ray, axis=1, keepdims=True)
    cosines = np.einsum("nij,ni->nj", sorted_axes, ray)
    signs = np.where(cosines < 0, -1.0, 1.0)
    signs[:, 0] = np.where(sorted_axes[:, 2, 0] < 0, -1.0, 1.0)
    sorted_axes, cosines = sorted_axes * signs[:, None, :], cosines * signs
    swap = cosines[:, 2] > cosines[:, 1]
    pick = np.where(swap[:, None], [0, 2, 1], [0, 1, 2])
    sorted_axes = np.take_along_axis(sorted_axes, pick[:, None, :], axis=2)
    cosines = np.take_along_axis(cosines, pick, axis=1)
    faces = np.empty((count, 3, 4, 3))
    for face in range(3):
        normal, right, up = (sorted_axes[:, :, (face + turn) % 3] for turn in range(3))
        square = _SQUARE[None, :, :1] * right[:, None] + _SQUARE[None, :, 1:] * up[:, None] + normal[:, None] / 2
        faces[:, face] = center_mm[:, None] + side_mm[:, None, None] * square
    return faces, cosines


def sample_quads(bgr: Image, quads_px: Floats, size: int) -> NDArray[np.float32]:
    """The photo inside each quadrilateral, straightened to size by size, BGR 0 to 1."""
    count, fine = len(quads_px), size * CROP.oversample
    if count == 0:
        return np.zeros((0, size, size, 3), np.float32)
    grid = _grid(quads_px, fine).reshape(count * fine, fine, 2)
    patches = cv2.remap(bgr, grid, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    patches = cv2.resize(patches, (size, count * size), interpolation=cv2.INTER_AREA)
    return np.asarray(patches.reshape(count, size, size, 3) / np.float32(255), np.float32)


def _level_squares(solids: Solids, eye_mm: Floats) -> Floats:
    """Level squares (n, 4, 3) through the cubes' middles; their first side is the one far from the eye."""
    center_mm, width_mm = solids.center_mm, solids.side_mm * CROP.crop_sides
    away = center_mm[:, :2] - eye_mm[:2]
    length = np.linalg.norm(away, axis=1, keepdims=True)
    height = np.abs(eye_mm[2] - center_mm[:, 2:])
    away = np.where(length > 0.02 * height, away / np.maximum(length, 1e-9), [0.0, 1.0])
    right = np.stack([away[:, 1], -away[:, 0]], axis=1)
    flat = _SQUARE[None, :, :1] * right[:, None] - _SQUARE[None, :, 1:] * away[:, None]
    squares = np.zeros((len(center_mm), 4, 3))
    squares[..., :2] = flat * width_mm[:, None, None]
    return squares + center_mm[:, None]


def _homographies(quads: Floats) -> Floats:
    """Maps of the unit square onto each quadrilateral (n, 3, 3), in closed form."""
    p0, p1, p2, p3 = (quads[:, i] for i in range(4))
    d1, d2, d3 = p1 - p2, p3 - p2, p0 - p1 + p2 - p3
    det = d1[:, 0] * d2[:, 1] - d2[:, 0] * d1[:, 1]
    det = np.where(np.abs(det) < 1e-9, 1e-9, det)
    g = (d3[:, 0] * d2[:, 1] - d2[:, 0] * d3[:, 1]) / det
    h = (d1[:, 0] * d3[:, 1] - d3[:, 0] * d1[:, 1]) / det
    out = np.empty((len(quads), 3, 3))
    out[:, :2, 0] = p1 - p0 + g[:, None] * p1
    out[:, :2, 1] = p3 - p0 + h[:, None] * p3
    out[:, :2, 2] = p0
    out[:, 2, 0], out[:, 2, 1], out[:, 2, 2] = g, h, 1
    return out


def _grid(quads_px: Floats, size: int) -> NDArray[np.float32]:
    """Pixel positions (n, size, size, 2) of the centres of a size by size raster inside each quadrilateral."""
    step = (np.arange(size) + 0.5) / size
    u, v = np.meshgrid(step, step)
    unit = np.stack([u, v, np.ones_like(u)], axis=0).reshape(3, -1).astype(np.float32)
    points = _homographies(quads_px).astype(np.float32) @ unit
    flat = points[:, :2] / points[:, 2:]
    return np.ascontiguousarray(flat.transpose(0, 2, 1)).reshape(len(quads_px), size, size, 2)


def _inside(quads_px: Floats, grid: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which grid points lie inside their quadrilateral (convex, either winding)."""
    x, y = grid[..., 0], grid[..., 1]
    inside_left = np.ones(grid.shape[:3], bool)
    inside_right = np.ones(grid.shape[:3], bool)
    for corner in range(4):
        start, end = quads_px[:, corner], quads_px[:, (corner + 1) % 4]
        a, b = start[:, 1] - end[:, 1], end[:, 0] - start[:, 0]
        c = -a * start[:, 0] - b * start[:, 1]
        line = [side.astype(np.float32)[:, None, None] for side in (a, b, c)]
        turn = line[0] * x + line[1] * y + line[2]
        inside_left &= turn >= 0
        inside_right &= turn <= 0
    return inside_left | inside_right
