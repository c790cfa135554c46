"""Where the table is, from cards that lie anywhere on it: one least-squares fit of all that is unknown.

Unknown are the focal length and the lens's bulge (as far as the camera is only guessed), how the plane lies, and for
each card its place and turn. Known is the cards' shape, and that they lie in the plane. What the photo cannot tell,
such as the focal length from one card or from straight above, is held by what is usual for cameras, so that the same
fit serves one card and four, and its own uncertainty says how much to believe.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from calibration.camera import Array, CalibrationError, Camera
from calibration.doubt import relative_error, view_of_plane
from calibration.least_squares import descend, slopes_of
from calibration.view import TableView, pose_from_plane


@dataclass(frozen=True)
class FitSettings:
    # Standard deviations of what is known beforehand, by where the camera's numbers come from: of the focal length's
    # logarithm and of k1. A calibrated lens still refocuses; EXIF is rounded to millimetres; phones and webcams vary.
    focal_sd: tuple[tuple[str, float], ...] = (("lens", 0.003), ("markers", 0.01), ("exif", 0.04), ("prior", 0.10))
    bulge_sd: tuple[tuple[str, float], ...] = (("lens", 0.002), ("markers", 0.01), ("exif", 0.03), ("prior", 0.05))
    expected_weight: float = 6.0  # what is expected of the corners' error counts as much as so many residuals
    slopes: tuple[float, ...] = tuple(np.linspace(-1.4, 1.4, 15))  # tangents of tilt tried first, 54 degrees each way
    horizon: float = 0.05  # no card is seen this flat
    starts: int = 3  # best of them that are followed: one card seen from afar looks alike tilted either way
    first_rounds: int = 3  # for each of them, before the best is followed to the end
    rounds: int = 12
    damping: float = 1e-6  # several cards leave no doubt where the valley is
    damping_one: float = 1e-3  # one card does: small steps, or the fit leaps into the mirrored tilt
    done: float = 1e-4  # of the cost: less than a thousandth of a standard deviation is left to gain


SETTINGS: Final = FitSettings()
HEAD: Final = 5  # log focal, k1, slope x, slope y, log depth; then x, y, angle of each card


@dataclass(frozen=True, eq=False)
class Shape:
    """What is known of the cards: their four corners about their middle, clockwise from the far left."""

    corners_mm: Array
    height_mm: float  # of what was printed on them above the table
    corner_px: float  # error of one corner that is expected before any was seen

    @property
    def lengths_mm(self) -> Array:
        return _lengths(self.corners_mm)


def fit_plane(
    corners_px: Array, shape: Shape, camera: Camera, scale_from: str, settings: FitSettings = SETTINGS
) -> TableView:
    """The view that explains best where the corners of n cards of one shape (n x 4 x 2) are in the photo."""
    held = np.array([dict(settings.focal_sd)[camera.source], dict(settings.bulge_sd)[camera.source]])
    steps = np.array([1e-6] * HEAD + [1e-4, 1e-4, 1e-6] * len(corners_px))  # small against each number's unit

    def residuals(params: Array) -> Array:
        """In standard deviations: the corners', then those of focal length and bulge."""
        seen = (_predicted(params, shape, camera) - corners_px.ravel()) / shape.corner_px
        every = np.hstack([seen, params[:, :2] / held])
        return np.asarray(np.nan_to_num(every, nan=1e6, posinf=1e6, neginf=-1e6), float)

    starts = _starts(corners_px, shape, camera, settings)
    if not starts:
        raise CalibrationError("the cards or corners do not lie as on a table seen from above: check them")
    best = starts[0]
    if len(starts) > 1:
        best = min((descend(residuals, start, steps, settings.first_rounds) for start in starts), key=_cost)[1]
    damping = settings.damping_one if len(corners_px) == 1 else settings.damping
    cost, params = descend(residuals, best, steps, settings.rounds, done=settings.done, damping=damping)
    covariance = _uncertainty(cost, slopes_of(residuals, params, steps)[1], settings)
    view = view_of_plane(camera, params, scale_from)
    error_mm, scale_error = relative_error(view, covariance, params[HEAD:].reshape(-1, 3)[:, :2])
    return replace(view, error_mm=error_mm, scale_error=scale_error)


def _lengths(corners: Array) -> Array:
    """Sides and diagonals (... x 6) of quadrilaterals (... x 4 x d)."""
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=-2), axis=-1)
    diagonals = np.linalg.norm(corners[..., :2, :] - corners[..., 2:, :], axis=-1)
    return np.concatenate([sides, diagonals], axis=-1)


def _starts(corners_px: Array, shape: Shape, camera: Camera, settings: FitSettings) -> list[Array]:
    """The plane's tilts that give the cards their shape most nearly, with depth and places that follow from them."""
    rays = _undistorted(corners_px.reshape(-1, 2), camera)
    slopes = np.array([(x, y) for x in settings.slopes for y in settings.slopes])
    # a ray (u, v, 1) meets the plane of unit depth and slopes (a, b) at 1 / (1 - a u - b v)
    steep = 1.0 - slopes @ rays.T
    reach = 1.0 / np.maximum(steep, settings.horizon)
    cards = (reach[..., None] * np.column_stack([rays, np.ones(len(rays))])).reshape(len(slopes), -1, 4, 3)
    lengths = (_lengths(cards) / shape.lengths_mm).reshape(len(slopes), -1)
    uneven = lengths.std(axis=1) / lengths.mean(axis=1) + np.where(steep.min(axis=1) > settings.horizon, 0.0, np.inf)
    best = _dips(uneven.reshape(len(settings.slopes), -1))[: settings.starts]
    return [_start(slopes[i], 1.0 / float(lengths[i].mean()), rays, shape) for i in best]


def _dips(field: Array) -> list[int]:
    """Flat indices of a grid's local minima, deepest first."""
    around = np.pad(field, 1, constant_values=np.inf)
    rows, cols = field.shape
    shifted = [around[1 + i : 1 + i + rows, 1 + j : 1 + j + cols] for i in (-1, 0, 1) for j in (-1, 0, 1)]
    dips = np.flatnonzero((field <= np.min(shifted, axis=0)) & np.isfinite(field))
    return [int(i) for i in dips[np.argsort(field.ravel()[dips])]]


def _start(slope: Array, depth_mm: float, rays: Array, shape: Shape) -> Array:
    rvec, tvec = pose_from_plane(float(slope[0]), float(slope[1]), depth_mm)
    blank = Camera(np.eye(3), np.zeros(5), 1, 1, "prior")
    corners = TableView(blank, rvec, tvec, "markers", 0.0).to_table(rays, shape.height_mm).reshape(-1, 4, 2)
    top = corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]
    places = np.column_stack([corners.mean(axis=1), np.arctan2(top[:, 1], top[:, 0])])
    return np.concatenate([[0.0, 0.0, *slope, np.log(depth_mm)], places.ravel()])


def _undistorted(points_px: Array, camera: Camera) -> Array:
    view = TableView(camera, np.zeros(3), np.zeros(3), "markers", 0.0)
    return np.asarray(view.rays(points_px)[:, :2], float)


def _predicted(params: Array, shape: Shape, camera: Camera) -> Array:
    """Corners in pixels (batch x 8 per card) for a batch of parameter vectors."""
    focal = np.exp(params[:, 0, None])
    slope_x, slope_y, depth = params[:, 2], params[:, 3], np.exp(params[:, 4])
    long = np.sqrt(slope_x**2 + slope_y**2 + 1)
    normal = np.stack([slope_x / long, slope_y / long, -1 / long], axis=1)
    right = np.array([1.0, 0.0, 0.0]) - normal[:, :1] * normal
    right /= np.linalg.norm(right, axis=1, keepdims=True)
    away = _cross(normal, right)
    cards = params[:, HEAD:].reshape(len(params), -1, 3)
    cos, sin = np.cos(cards[..., 2, None]), np.sin(cards[..., 2, None])
    right_mm, away_mm = shape.corners_mm.T
    x = (cards[..., 0, None] + cos * right_mm - sin * away_mm).reshape(len(params), -1)
    y = (cards[..., 1, None] + sin * right_mm + cos * away_mm).reshape(len(params), -1)
    points = x[..., None] * right[:, None] + y[..., None] * away[:, None] + shape.height_mm * normal[:, None]
    z = points[..., 2] + depth[:, None]
    u, v = points[..., 0] / z, points[..., 1] / z
    k1, k2, p1, p2, k3 = camera.distortion
    r2 = u * u + v * v
    radial = 1 + r2 * (k1 + params[:, 1, None] + r2 * (k2 + r2 * k3))
    du = u * radial + 2 * p1 * u * v + p2 * (r2 + 2 * u * u)
    dv = v * radial + p1 * (r2 + 2 * v * v) + 2 * p2 * u * v
    px = camera.matrix[0, 0] * focal * du + camera.matrix[0, 2]
    py = camera.matrix[1, 1] * focal * dv + camera.matrix[1, 2]
    return np.asarray(np.stack([px, py], axis=2).reshape(len(params), -1), float)


def _cross(a: Array, b: Array) -> Array:
    """np.cross for rows of three, in a third of its time."""
    first, second = a[:, [1, 2, 0]], a[:, [2, 0, 1]]
    return np.asarray(first * b[:, [2, 0, 1]] - second * b[:, [1, 2, 0]], float)


def _cost(fit: tuple[float, Array]) -> float:
    return fit[0]


def _uncertainty(cost: float, slopes: Array, settings: FitSettings) -> Array:
    """The covariance of the five numbers that make the view, given the residuals' slopes where the fit ended."""
    spare = slopes.shape[0] - slopes.shape[1]
    excess = (cost + settings.expected_weight) / (spare + settings.expected_weight)
    excess = max(excess, 0.25)  # luck is not knowledge
    slopes[:-2] /= np.sqrt(excess)  # what is known beforehand does not get worse by noise in this photo
    covariance = np.linalg.inv(slopes.T @ slopes)
    return np.asarray(covariance[:HEAD, :HEAD], float)
