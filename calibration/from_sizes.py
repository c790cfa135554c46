"""Where the table is, from the sizes in which its cubes appear: for tables without marker cards.

A cube of known side appears the smaller the farther it is, so many cubes tell how far the plane is and which way it
tilts; and, where the lens bulges, by how much. From straight above this holds to a millimetre or so across the table.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from calibration.camera import Array, CalibrationError, Camera
from calibration.doubt import relative_error, view_of_plane
from calibration.least_squares import descend, slopes_of
from calibration.view import TableView


@dataclass(frozen=True)
class SizeFit:
    few: int = 3  # cubes; fewer cannot say which way the plane tilts
    focal_sd: tuple[tuple[str, float], ...] = (("lens", 0.003), ("markers", 0.01), ("exif", 0.04), ("prior", 0.10))
    bulge_sd: tuple[tuple[str, float], ...] = (("lens", 0.002), ("markers", 0.01), ("exif", 0.05), ("prior", 0.12))
    # Sizes in pixels are good to a few per cent; that of a wrongly classed cube is off by a quarter and must not count.
    size_sd: float = 0.03
    least_sd: float = 0.008  # no reader measures sides better than this, however well they agree
    # Someone who photographs a table without cards was asked to look straight down: tilts beyond 25 degrees need proof.
    tilt_sd: float = 0.45
    rounds: int = 30


SETTINGS: Final = SizeFit()
STEPS: Final = np.array([1e-5, 1e-5, 1e-5, 1e-5, 1e-5])


def view_from_sizes(
    center_px: Array, side_px: Array, side_mm: Array, camera: Camera, settings: SizeFit = SETTINGS
) -> TableView:
    """The table's view from N cubes: where the middle of each one's upper face is in the photo (Nx2), how large that
    face is there (N: the square root of its area in pixels), and the side that such a cube has (N)."""
    centers = np.asarray(center_px, float).reshape(-1, 2)
    sides_px, sides_mm = np.asarray(side_px, float).ravel(), np.asarray(side_mm, float).ravel()
    if len(centers) < settings.few or not len(centers) == len(sides_px) == len(sides_mm):
        raise CalibrationError("too few cubes to tell the table's scale: lay marker cards beside the pieces")
    if not (np.isfinite(centers).all() and (sides_px > 0).all() and (sides_mm > 0).all()):
        raise CalibrationError("cubes must have sizes above zero")
    known = np.array([dict(settings.focal_sd)[camera.source], dict(settings.bulge_sd)[camera.source]])
    held = np.array([*known, settings.tilt_sd, settings.tilt_sd])
    middle = camera.matrix[:2, 2]

    def residuals(params: Array, size_sd: float = settings.size_sd) -> Array:
        off = (_log_sizes(params, (centers - middle) / camera.focal_px, sides_mm, camera) - np.log(sides_px)) / size_sd
        calm = np.sign(off) * np.sqrt(np.log1p(off**2))  # one bad size counts little, ten times as bad hardly more
        return np.hstack([np.nan_to_num(calm, nan=1e3), params[:, :4] / held])

    depth = float(np.median(camera.focal_px * sides_mm / sides_px + sides_mm))
    _, params = descend(residuals, np.array([0.0, 0.0, 0.0, 0.0, np.log(depth)]), STEPS, settings.rounds)
    left = residuals(params[None])[0, : len(centers)]
    spread = 1.48 * float(np.median(np.sqrt(np.expm1(left**2)))) * settings.size_sd
    size_sd = max(spread * np.sqrt(len(centers) / max(1, len(centers) - 3)), settings.least_sd)
    _, slopes = slopes_of(lambda batch: residuals(batch, size_sd), params, STEPS)
    view = view_of_plane(camera, params, "cubes")
    covariance = np.asarray(np.linalg.inv(slopes.T @ slopes), float)
    error_mm, scale_error = relative_error(view, covariance, view.to_table(centers))
    return replace(view, error_mm=error_mm, scale_error=scale_error)


def _log_sizes(params: Array, flat: Array, side_mm: Array, camera: Camera) -> Array:
    """How large each upper face should appear (b x N), for a batch of views.

    A plane with unit normal n at distance D shows an area at the ray r = (u, v, 1) scaled by f^2 |n.r|^3 / D^2; the
    upper face of a cube lies its side nearer than the table.
    """
    focal, bulge, slope_x, slope_y = (params[:, i, None] for i in range(4))
    u, v = flat[:, 0] / np.exp(focal), flat[:, 1] / np.exp(focal)
    r2, stretch = u * u + v * v, np.ones_like(u)
    k1, k2 = camera.distortion[0] + bulge, camera.distortion[1]
    far = r2.copy()
    for _ in range(4):  # undo the lens: far is the squared radius before it
        far = r2 / np.maximum(1 + far * (k1 + far * k2), 0.3) ** 2
    radial = np.maximum(1 + far * (k1 + far * k2), 0.3)
    stretch = np.sqrt(radial * np.maximum(1 + far * (3 * k1 + 5 * far * k2), 0.1))
    long = np.sqrt(slope_x**2 + slope_y**2 + 1)
    facing = np.maximum((1 - (slope_x * u + slope_y * v) / radial) / long, 1e-3)
    away = np.maximum(np.exp(params[:, 4, None]) / long - side_mm, 1.0)
    return np.asarray(np.log(side_mm * camera.focal_px * stretch / away) + focal + 1.5 * np.log(facing), float)
