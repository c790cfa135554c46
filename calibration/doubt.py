"""How far off positions may be, given how far off the view may be."""

from __future__ import annotations

from typing import Final

import numpy as np

from calibration.camera import Array, Camera
from calibration.view import TableView, pose_from_plane

# Pieces lie between the things that were measured and the photo's middle, over an area at least this wide.
PLACES: Final = np.linspace(-0.5, 0.5, 7)
AREA_MM: Final = 250.0


def relative_error(view: TableView, covariance: Array, measured_mm: Array) -> tuple[float, float]:
    """Standard deviation (mm) of where things lie with respect to each other, and of the scale, as a share.

    `measured_mm` are the places (Nx2) that the view was measured at, `covariance` that of the log focal length, k1,
    both slopes and the log depth of its plane. Each of its principal directions moves every place on the table; the
    part of that movement which is a mere turn, shift or change of scale of the whole leaves every room as it is, so
    only the rest counts as error.
    """
    middle = view.to_table(np.array([[view.camera.width / 2, view.camera.height / 2]]))
    spread = np.vstack([measured_mm, middle[np.isfinite(middle).all(axis=1)]])
    low, high = spread.min(axis=0), spread.max(axis=0)
    x, y = np.meshgrid(PLACES, PLACES)
    places = np.column_stack([x.ravel(), y.ravel()]) * np.maximum(high - low, AREA_MM) + (low + high) / 2
    places_px = view.project(np.column_stack([places, np.zeros(len(places))]))
    still = view.to_table(places_px)
    seen = np.isfinite(still).all(axis=1)
    values, directions = np.linalg.eigh(covariance)
    ways = directions * np.sqrt(np.maximum(values, 0.0))
    square_mm, square_scale = 0.0, 0.0
    for way in ways.T:
        shrink = min(1.0, 0.02 / max(1e-12, float(np.abs(way).max())))  # small steps: the map is only locally linear
        moved = _nudged(view, way * shrink).to_table(places_px)
        fine = seen & np.isfinite(moved).all(axis=1)
        rest, scale = _beyond_similarity(still[fine], (moved - still)[fine] / shrink)
        square_mm += float(np.mean(np.sum(rest**2, axis=1)))
        square_scale += scale**2
    return float(np.sqrt(square_mm)), float(np.sqrt(square_scale))


def view_of_plane(camera: Camera, params: Array, scale_from: str) -> TableView:
    """The view that the first five parameters of a fit stand for: log focal length and k1 against the camera's, then
    both slopes and the log depth of the plane."""
    matrix, distortion = camera.matrix.copy(), camera.distortion.copy()
    matrix[0, 0] *= np.exp(params[0])
    matrix[1, 1] *= np.exp(params[0])
    distortion[0] += params[1]
    source = "lens" if camera.source == "lens" else "markers" if scale_from == "markers" else camera.source
    fitted = Camera(matrix, distortion, camera.width, camera.height, source)
    rvec, tvec = pose_from_plane(float(params[2]), float(params[3]), float(np.exp(params[4])))
    return TableView(fitted, rvec, tvec, scale_from, error_mm=0.0)


def _nudged(view: TableView, by: Array) -> TableView:
    """The view with focal length, bulge, slopes and depth changed a little."""
    slope_x, slope_y, depth = plane_of(view)
    here = np.array([0.0, 0.0, slope_x, slope_y, np.log(depth)])
    return view_of_plane(view.camera, here + by, view.scale_from)


def plane_of(view: TableView) -> tuple[float, float, float]:
    """Slopes and depth (mm) as `pose_from_plane` takes them."""
    normal = view.rotation[:, 2]
    return float(-normal[0] / normal[2]), float(-normal[1] / normal[2]), float(normal @ view.tvec / normal[2])


def _beyond_similarity(places: Array, movement: Array) -> tuple[Array, float]:
    """What of the movement is left once the best shift, turn and change of scale are taken out; and that scale."""
    x, y = (places - places.mean(axis=0)).T
    zero, one = np.zeros_like(x), np.ones_like(x)
    across = np.column_stack([one, zero, x, -y])
    down = np.column_stack([zero, one, y, x])
    solution = np.linalg.lstsq(np.vstack([across, down]), np.concatenate(movement.T), rcond=None)[0]
    rest = np.concatenate(movement.T) - np.vstack([across, down]) @ solution
    return rest.reshape(2, -1).T, float(solution[2])
