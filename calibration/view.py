"""How the table's plane appears in one photo: millimetres to pixels and back, and the photo straightened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, Camera

Region = tuple[float, float, float, float]  # left, bottom, right, top, in mm

# Undoing the lens is iterative; a hundredth of a pixel is far below what any edge in a photo can tell.
UNDO: Final = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-8)
# Every so many pixels the straightening is computed exactly, linear between: off by less than 0.02 px.
COARSE_PX: Final = 8


@dataclass(frozen=True, eq=False)
class TableView:
    """The table's frame (mm; x right as the photo shows it, y away from the camera, z up) as one camera sees it.

    `error_mm` is one standard deviation of where things lie with respect to each other, turn, shift and scale of the
    whole aside; `scale_error` that of the scale itself, as a share.
    """

    camera: Camera
    rvec: Array
    tvec: Array
    scale_from: str  # "markers", "cubes", "tiles", "corners"
    error_mm: float
    scale_error: float = 0.0

    @property
    def rotation(self) -> Array:
        return np.asarray(cv2.Rodrigues(self.rvec)[0], float)

    @property
    def eye_mm(self) -> Array:
        """Where the camera is."""
        return -self.rotation.T @ self.tvec

    @property
    def elevation_deg(self) -> float:
        """How steeply the camera looks down: 90 from straight above."""
        return float(np.degrees(np.arcsin(np.clip(-self.rotation[2, 2], -1.0, 1.0))))

    def project(self, points_mm: Array) -> Array:
        """Nx3 mm to Nx2 px."""
        points = np.ascontiguousarray(points_mm, float).reshape(-1, 1, 3)
        if len(points) == 0:
            return np.empty((0, 2))
        px, _ = cv2.projectPoints(points, self.rvec, self.tvec, self.camera.matrix, self.camera.distortion)
        return np.asarray(px, float).reshape(-1, 2)

    def rays(self, points_px: Array) -> Array:
        """Nx3 directions in the table's frame, from the eye through these pixels, their length free."""
        points = np.ascontiguousarray(points_px, float).reshape(-1, 1, 2)
        if len(points) == 0:
            return np.empty((0, 3))
        flat = cv2.undistortPoints(points, self.camera.matrix, self.camera.distortion, criteria=UNDO).reshape(-1, 2)
        return np.column_stack([flat, np.ones(len(flat))]) @ self.rotation

    def to_table(self, points_px: Array, height_mm: float | Array = 0.0) -> Array:
        """Nx2 px to Nx2 mm, for points this high above the table; NaN where a pixel looks above the horizon."""
        rays, eye = self.rays(points_px), self.eye_mm
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = (np.asarray(height_mm, float) - eye[2]) / rays[:, 2]
        reach = np.where(reach > 0, reach, np.nan)
        return np.asarray(eye[:2] + rays[:, :2] * reach[:, None], float)

    def px_per_mm(self, points_mm: Array) -> Array:
        """How large a millimetre that faces the camera appears at each of Nx3 points: what sizes there should be."""
        distance = np.linalg.norm(np.asarray(points_mm, float).reshape(-1, 3) - self.eye_mm, axis=1)
        return np.asarray(self.camera.focal_px / distance, float)


@dataclass(frozen=True, eq=False)
class Straightening:
    """The photo as seen from straight above at one height: where each of its pixels comes from, and where it lies."""

    map_x: NDArray[np.float32]
    map_y: NDArray[np.float32]
    region_mm: Region
    px_per_mm: float
    height_mm: float

    def apply(self, photo: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return np.asarray(cv2.remap(photo, self.map_x, self.map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT))

    def to_mm(self, points_px: Array) -> Array:
        """Pixels of the straightened picture to mm; away is up."""
        left, _, _, top = self.region_mm
        points = np.asarray(points_px, float).reshape(-1, 2)
        return np.column_stack([left + points[:, 0] / self.px_per_mm, top - points[:, 1] / self.px_per_mm])

    def to_px(self, points_mm: Array) -> Array:
        left, _, _, top = self.region_mm
        points = np.asarray(points_mm, float).reshape(-1, 2)
        return np.column_stack([points[:, 0] - left, top - points[:, 1]]) * self.px_per_mm


def straightening(view: TableView, region_mm: Region, px_per_mm: float, height_mm: float = 0.0) -> Straightening:
    """The straightened picture's first pixel is the region's far left corner; one more pixel is 1/px_per_mm further."""
    left, bottom, right, top = region_mm
    width, height = (max(2, round(side * px_per_mm) + 1) for side in (right - left, top - bottom))
    step = COARSE_PX
    # cv2.resize puts coarse node j at fine pixel (j + 1/2) step - 1/2; one node more on each side feeds the borders
    across = (np.arange(-1, -(-width // step) + 1) + 0.5) * step - 0.5
    down = (np.arange(-1, -(-height // step) + 1) + 0.5) * step - 0.5
    x, y = np.meshgrid(left + across / px_per_mm, top - down / px_per_mm)
    nodes = view.project(np.column_stack([x.ravel(), y.ravel(), np.full(x.size, height_mm)]))
    coarse = nodes.reshape(*x.shape, 2).astype(np.float32)
    fine = cv2.resize(coarse, (coarse.shape[1] * step, coarse.shape[0] * step), interpolation=cv2.INTER_LINEAR)
    fine = fine[step : step + height, step : step + width]
    maps = np.ascontiguousarray(fine[..., 0]), np.ascontiguousarray(fine[..., 1])
    return Straightening(*maps, region_mm, px_per_mm, height_mm)


def visible_region(view: TableView, height_mm: float = 0.0, reach_mm: float = 1500.0) -> Region:
    """The smallest upright rectangle of the table that holds all that the photo shows, no farther than `reach_mm`."""
    width, height = view.camera.width - 1, view.camera.height - 1
    along = np.linspace(0.0, 1.0, 9)
    zero, one = np.zeros_like(along), np.ones_like(along)
    border = np.concatenate(
        [np.column_stack(pair) for pair in ((along, zero), (along, one), (zero, along), (one, along))]
    )
    table = view.to_table(border * [width, height], height_mm)
    table = table[np.isfinite(table).all(axis=1)]
    middle = view.to_table(np.array([[width / 2, height / 2]]), height_mm)[0]
    if len(table) == 0 or not np.isfinite(middle).all():
        middle, table = view.eye_mm[:2], view.eye_mm[None, :2]
    low = np.maximum(table.min(axis=0), middle - reach_mm)
    high = np.minimum(table.max(axis=0), middle + reach_mm)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def pose_from_plane(slope_x: float, slope_y: float, depth_mm: float) -> tuple[Array, Array]:
    """rvec and tvec of the table's frame, from how its plane lies before the camera.

    The plane's upward normal in the camera's frame is (slope_x, slope_y, -1), the origin the point that the middle of
    the lens looks at, `depth_mm` away; x is the photo's right laid into the plane.
    """
    normal = np.array([slope_x, slope_y, -1.0])
    normal /= np.linalg.norm(normal)
    right = np.array([1.0, 0.0, 0.0]) - normal[0] * normal
    right /= np.linalg.norm(right)
    rotation = np.column_stack([right, np.cross(normal, right), normal])
    return np.asarray(cv2.Rodrigues(rotation)[0], float).ravel(), np.array([0.0, 0.0, depth_mm])
