"""Cubes as solids on the table: where each stands, how big it is and how it is turned, as parallel arrays.

Everything that can be said of a cube's place follows from these few numbers and the view: its corners, the silhouette
it shows in the photo, and what it covers of the table seen from straight above.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Protocol, Self

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# A unit cube's corners: bottom four counter-clockwise, then the top four.
CORNERS = 0.5 * np.array(
    [[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1], [-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]], np.float64
)
QUARTER = np.pi / 2


class View(Protocol):
    """What this module asks of a table view: where points (mm, z up) appear in the photo, and the way back."""

    def project(self, points_mm: Array) -> Array: ...

    def to_table(self, points_px: Array, height_mm: float | Array = 0.0) -> Array: ...


@dataclass(frozen=True)
class Solids:
    """N cubes. `axes` holds each cube's own x, y and z directions as columns; z points up for one that stands flat."""

    center_mm: Array  # (N, 3)
    side_mm: Array  # (N,)
    axes: Array  # (N, 3, 3)
    score: Array  # (N,) how sure the finder is that this is a cube, 0 to 1
    error_mm: Array  # (N,) one standard deviation of the place along either axis

    def __post_init__(self) -> None:
        n = len(self.side_mm)
        shapes = {"center_mm": (n, 3), "side_mm": (n,), "axes": (n, 3, 3), "score": (n,), "error_mm": (n,)}
        for name, shape in shapes.items():
            if getattr(self, name).shape != shape:
                raise ValueError(f"{name} has shape {getattr(self, name).shape}, not {shape}")

    def __len__(self) -> int:
        return len(self.side_mm)

    def __getitem__(self, keep: NDArray[np.bool_] | NDArray[np.intp] | slice) -> Self:
        """Those that a mask or a list of numbers names."""
        return type(self)(*(value[keep] for value in vars(self).values()))

    @property
    def turn_rad(self) -> Array:
        """The turn about the vertical, from 0 to a quarter: a square looks the same every quarter."""
        return np.mod(np.arctan2(self.axes[:, 1, 0], self.axes[:, 0, 0]), QUARTER)

    @property
    def base_mm(self) -> Array:
        """How high each cube's underside is above the table: 0 for one that stands on it."""
        return self.center_mm[:, 2] - 0.5 * self.side_mm


def no_solids() -> Solids:
    return Solids(np.empty((0, 3)), np.empty(0), np.empty((0, 3, 3)), np.empty(0), np.empty(0))


def joined(parts: Sequence[Solids]) -> Solids:
    """All of them in one, in their order."""
    return Solids(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Solids)))


def turned(turn_rad: Array) -> Array:
    """The axes (N, 3, 3) of cubes that stand flat, turned about the vertical."""
    cos, sin = np.cos(turn_rad), np.sin(turn_rad)
    axes = np.zeros((len(turn_rad), 3, 3))
    axes[:, 0, 0], axes[:, 0, 1], axes[:, 1, 0], axes[:, 1, 1], axes[:, 2, 2] = cos, -sin, sin, cos, 1.0
    return axes


def standing(
    xy_mm: Array, side_mm: Array, turn_rad: Array, *, score: Array | float = 1.0, error_mm: Array | float = 0.0
) -> Solids:
    """Cubes that stand flat on the table.

    >>> one = standing(np.array([[10.0, 20.0]]), np.array([8.0]), np.array([0.0]))
    >>> one.center_mm.tolist(), footprint_mm(one)[0].tolist()
    ([[10.0, 20.0, 4.0]], [[6.0, 16.0], [14.0, 16.0], [14.0, 24.0], [6.0, 24.0]])
    """
    side = np.asarray(side_mm, np.float64)
    center = np.column_stack([xy_mm, 0.5 * side])
    full = np.ones(len(side))
    return Solids(center, side, turned(turn_rad), score * full, error_mm * full)


def resized(solids: Solids, view: View, side_mm: Array) -> Solids:
    """The same finds with other sides: middles stay where the photo shows them, undersides as high as they were."""
    if not len(solids):
        return solids
    height = solids.base_mm + 0.5 * side_mm
    xy = view.to_table(view.project(solids.center_mm), height)[:, :2]
    return replace(solids, center_mm=np.column_stack([xy, height]), side_mm=np.asarray(side_mm, np.float64))


def corners_mm(solids: Solids) -> Array:
    """(N, 8, 3), in the order of CORNERS."""
    own = CORNERS[None] * solids.side_mm[:, None, None]
    return solids.center_mm[:, None] + own @ solids.axes.transpose(0, 2, 1)


def corners_px(solids: Solids, view: View) -> Array:
    """(N, 8, 2): where the photo shows the corners, hidden ones too."""
    return view.project(corners_mm(solids).reshape(-1, 3)).reshape(-1, 8, 2)


def center_px(solids: Solids, view: View) -> Array:
    return view.project(solids.center_mm).reshape(-1, 2)


def outline_px(solids: Solids, view: View) -> list[Array]:
    """Each cube's silhouette in the photo: the hull of its corners."""
    return [_hull(corners) for corners in corners_px(solids, view)]


def footprint_mm(solids: Solids) -> list[Array]:
    """What each covers of the table, seen from straight above: four corners, or six where it leans."""
    flat = solids.axes[:, 2, 2] > 1 - 1e-9
    corners = corners_mm(solids)[:, :, :2]
    return [own[:4] if stands else _hull(own) for own, stands in zip(corners, flat, strict=True)]


def _hull(points: Array) -> Array:
    hull = cv2.convexHull(np.ascontiguousarray(points, np.float32))
    return np.asarray(hull.reshape(-1, 2), np.float64)
