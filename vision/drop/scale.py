"""Scale and plane from the cubes alone, for a table without marker cards.

A cube of known side appears the smaller the farther it is, its upright edges show which way the table tilts, and where
a guess of the view is wrong, the straightened picture shows cubes that are not square. The finder's rough sizes and
uprights give a first view; what the reader then sees in the picture straightened by it gives the final one.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from calibration.camera import Array, CalibrationError, Camera
from calibration.doubt import plane_of, relative_error, view_of_plane
from calibration.least_squares import descend, slopes_of
from calibration.view import TableView
from vision.drop.fit import fit_view
from vision.drop.network import Finds, Image
from vision.drop.search import Searched, solids_from
from vision.drop.solids import resized


@dataclass(frozen=True)
class ScaleSettings:
    few: int = 4  # cubes; fewer cannot say how the plane lies
    sure: float = 0.4  # the finder's false finds mostly stay below this, and have sizes of their own
    # What is believed before looking, as standard deviations of the log focal length and of k1, by the camera's source.
    focal_sd: tuple[tuple[str, float], ...] = (("lens", 0.003), ("markers", 0.01), ("exif", 0.03), ("prior", 0.06))
    bulge_sd: tuple[tuple[str, float], ...] = (("lens", 0.002), ("markers", 0.01), ("exif", 0.03), ("prior", 0.06))
    bulges: tuple[float, float] = (0.0, -0.25)  # k1 of a usual lens and of a cheap wide one, tried as starts
    slope_sd: float = 0.8  # tangent of the tilt: 45 degrees is nothing unusual
    # How well one cube tells, as standard deviations.
    rough_size: float = 0.08
    rough_up: float = 0.20
    fine_size: float = 0.035
    fine_shape: float = 0.025
    # All cubes of a photo share a light and a direction, so their errors are alike: n cubes count as no more than this.
    as_good_as: float = 25.0
    # How often each size is seen, for telling a table of small cubes from one of large cubes farther away.
    shares: tuple[float, float, float] = (0.66, 0.31, 0.03)
    rarity: float = 1.0  # how much that counts
    enough: int = 45  # cubes: their edges tell what there is to tell, more would only take time
    rounds: int = 8
    turns: int = 3  # of giving each cube its size, and fitting the plane to that


SETTINGS: Final = ScaleSettings()
STEPS: Final = np.full(5, 1e-5)
Misfit = Callable[[Array, Array], Array]  # params (b, 5), sides (N) to residuals (b, ...)


def apparent(view: TableView, center_mm: Array) -> tuple[Array, Array]:
    """How a cube's surroundings appear: px for a mm square to the line of sight (N), and the image of a vertical
    in multiples of that (N, 2). Includes what the lens does to shapes away from its middle."""
    slope_x, slope_y, depth = plane_of(view)
    params = np.array([[0.0, 0.0, slope_x, slope_y, np.log(depth)]])
    scale, up = _sight(_local(params, view.project(center_mm), center_mm[:, 2], view.camera))
    return scale[0], up[0]


def rough_view(rough: Finds, camera: Camera, sides_mm: Array, settings: ScaleSettings = SETTINGS) -> TableView:
    """The view that explains best how large and how upright the finder saw the cubes."""
    rough = rough[rough.score > settings.sure]
    if len(rough) < settings.few:
        raise CalibrationError("too few cubes to tell the table's scale: lay marker cards beside the pieces")
    log_size = np.log(rough.size_px)
    up = np.column_stack([rough.said["up_x"], rough.said["up_y"]])
    count = np.sqrt(min(1.0, settings.as_good_as / len(rough)))

    def misfit(params: Array, side: Array) -> Array:
        scale, vertical = _sight(_local(params, rough.center_px, 0.5 * side, camera))
        sizes = (np.log(scale * side) - log_size) / settings.rough_size
        leans = (vertical - up) / settings.rough_up
        return np.asarray(np.concatenate([_calm(sizes), _calm(leans).reshape(len(params), -1)], axis=1) * count)

    tilt = np.median(up, axis=0)
    tilt = tilt / np.sqrt(max(0.2, 1 - float(tilt @ tilt)))
    bulges = settings.bulges if camera.source == "prior" else settings.bulges[:1]
    fits = []
    for bulge, (slope_x, slope_y) in itertools.product(bulges, (tilt, (0.0, 0.0))):
        start = np.array([0.0, bulge, slope_x, slope_y, 0.0])
        scale, _ = _sight(_local(start[None], rough.center_px, np.zeros(len(rough)), camera))
        start[4] = _log_depth(log_size - np.log(scale[0]), sides_mm, settings)
        fits.append(
            _fitted(misfit, start, camera=camera, center_px=rough.center_px, sides_mm=sides_mm, settings=settings)
        )
    return min(fits, key=lambda fit: fit[0])[1]


def refined_view(searched: Searched, camera: Camera, sides_mm: Array, settings: ScaleSettings = SETTINGS) -> TableView:
    """The view under which the cubes that the reader saw are of their sizes, and square."""
    finds, straight, view = searched.cubes, searched.straight, searched.view
    if len(finds) < settings.few:
        return view
    plane = np.column_stack([straight.to_mm(finds.center_px), np.full(len(finds), straight.height_mm)])
    center_px = view.project(plane)
    to_picture = _slopes_into_picture(searched, center_px)
    log_size, shape = np.log(finds.size_px), finds.shape
    count = np.sqrt(min(1.0, settings.as_good_as / len(finds)))

    def misfit(params: Array, side: Array) -> Array:
        seen = to_picture @ _local(params, center_px, np.full(len(finds), straight.height_mm), camera)[0]
        area = np.abs(np.linalg.det(seen))
        square = seen @ seen.transpose(0, 1, 3, 2) / area[..., None, None]
        stretch, skew = (square[..., 0, 0] - square[..., 1, 1]) / 4, square[..., 0, 1] / 2
        sizes = (0.5 * np.log(area) + np.log(side) - log_size) / settings.fine_size
        shapes = (np.stack([stretch, skew], axis=-1) - shape) / settings.fine_shape
        return np.asarray(np.concatenate([_calm(sizes), _calm(shapes).reshape(len(params), -1)], axis=1) * count)

    slope_x, slope_y, depth = plane_of(view)
    focal = np.log(view.camera.focal_px / camera.focal_px)
    bulge = view.camera.distortion[0] - camera.distortion[0]
    start = np.array([focal, bulge, slope_x, slope_y, np.log(depth)])
    return _fitted(misfit, start, camera=camera, center_px=center_px, sides_mm=sides_mm, settings=settings)[1]


def edge_view(
    bgr: Image,
    searched: Searched,
    view: TableView,
    *,
    camera: Camera,
    sides_mm: Array,
    settings: ScaleSettings = SETTINGS,
) -> TableView:
    """The view under which the edges of the surest cubes fit the photo best."""
    for turn in (0, 1):
        solids = solids_from(searched, view)
        solids = solids[solids.score > settings.sure]
        solids = solids[np.argsort(-solids.score)[: settings.enough]]
        if len(solids) < settings.few:
            return view
        nearest = np.argmin(np.abs(np.log(solids.side_mm[:, None] / sides_mm)), axis=1)
        view = fit_view(bgr, view, resized(solids, view, sides_mm[nearest]), camera, turn=turn)
    return view


def _fitted(
    misfit: Misfit, start: Array, *, camera: Camera, center_px: Array, sides_mm: Array, settings: ScaleSettings
) -> tuple[float, TableView]:
    """Sizes and view by turns: each cube takes the size that the view suggests, the view fits that. And the cost."""
    held = np.array(
        [dict(settings.focal_sd)[camera.source], dict(settings.bulge_sd)[camera.source]] + [settings.slope_sd] * 2
    )
    rarity = -settings.rarity * np.log(settings.shares)[:, None]
    params, side, cost = start, np.full(len(center_px), sides_mm[0]), np.inf

    def residuals(batch: Array) -> Array:
        believed = batch[:, :4] / held
        believed[:, 1] = _calm(believed[:, 1])  # most lenses bulge little, but those that do may bulge a lot
        off = np.concatenate([misfit(batch, side), believed], axis=1)
        return np.asarray(np.nan_to_num(off, nan=1e3))

    for _ in range(settings.turns):
        tried = [misfit(params[None], np.full(len(center_px), one))[0, : len(center_px)] ** 2 for one in sides_mm]
        chosen = np.argmin(np.array(tried) + rarity, axis=0)
        side = sides_mm[chosen]
        cost, params = descend(residuals, params, STEPS, settings.rounds)
    _, slopes = slopes_of(residuals, params, STEPS)
    view = view_of_plane(camera, params, "cubes")
    covariance = np.asarray(np.linalg.inv(slopes.T @ slopes), float)
    error_mm, scale_error = relative_error(view, covariance, view.to_table(center_px))
    total = cost + float(rarity[chosen].sum())
    return total, replace(view, error_mm=error_mm, scale_error=scale_error)


def _log_depth(log_per_depth: Array, sides_mm: Array, settings: ScaleSettings) -> float:
    """The depth at which most cubes have one of the known sizes, common ones rather than rare ones."""
    guesses = np.linspace(np.log(80.0), np.log(3000.0), 400)
    off = log_per_depth[None, :, None] + guesses[:, None, None] - np.log(sides_mm)
    cost = np.log1p((off / settings.rough_size) ** 2) - settings.rarity * np.log(settings.shares)
    return float(guesses[np.argmin(cost.min(axis=2).sum(axis=1))])


def _local(params: Array, px: Array, height_mm: Array, camera: Camera) -> tuple[Array, Array, Array]:
    """How points at these pixels move in the photo, for a batch of views: per mm along the table's x and y
    (b, N, 2, 2), per mm upwards (b, N, 2), and the cosine between the table's normal and the line of sight (b, N)."""
    focal = camera.focal_px * np.exp(params[:, 0, None])
    flat_u, flat_v = ((px - camera.matrix[:2, 2]).T)[:, None] / focal  # (b, N) each
    k1, k2 = camera.distortion[0] + params[:, 1, None], camera.distortion[1]
    seen = flat_u**2 + flat_v**2
    far = seen.copy()
    for _ in range(8):  # undo the lens
        far = seen / np.maximum(1 + far * (k1 + far * k2), 0.4) ** 2
    radial = np.maximum(1 + far * (k1 + far * k2), 0.4)
    u, v = flat_u / radial, flat_v / radial
    slope_x, slope_y = params[:, 2], params[:, 3]
    long = np.sqrt(slope_x**2 + slope_y**2 + 1)
    normal = np.stack([slope_x, slope_y, -np.ones_like(long)], axis=1) / long[:, None]
    right = np.array([1.0, 0.0, 0.0]) - normal[:, :1] * normal
    right /= np.linalg.norm(right, axis=1, keepdims=True)
    away = np.cross(normal, right)
    facing = -(normal[:, 0, None] * u + normal[:, 1, None] * v + normal[:, 2, None])
    z = (np.exp(params[:, 4, None]) / long[:, None] - height_mm) / np.maximum(facing, 0.05)
    bend = 2 * (k1 + 2 * k2 * far)
    lens = np.empty((*u.shape, 2, 2))
    lens[..., 0, 0], lens[..., 1, 1] = radial + bend * u * u, radial + bend * v * v
    lens[..., 0, 1] = lens[..., 1, 0] = bend * u * v
    ways = np.stack([right, away, normal], axis=2)  # (b, 3, 3): columns
    flat = np.stack([
        (ways[:, None, 0] - u[..., None] * ways[:, None, 2]) / z[..., None],
        (ways[:, None, 1] - v[..., None] * ways[:, None, 2]) / z[..., None],
    ], axis=2)  # (b, N, 2, 3)  # fmt: skip
    moved = focal[..., None, None] * (lens @ flat)
    return moved[..., :2], moved[..., 2], facing / np.sqrt(1 + u * u + v * v)


def _sight(local: tuple[Array, Array, Array]) -> tuple[Array, Array]:
    """Px per mm square to the line of sight, and the image of a vertical mm in multiples of it."""
    across, up, facing = local
    scale = np.sqrt(np.abs(np.linalg.det(across)) / np.maximum(facing, 0.05))
    return scale, up / scale[..., None]


def _slopes_into_picture(searched: Searched, px: Array) -> Array:
    """(N, 2, 2): how a photo's pixel moves in the straightened picture."""
    straight, step = searched.straight, 0.5
    ends = (px[None] + step * np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])[:, None]).reshape(-1, 2)
    there = straight.to_px(searched.view.to_table(ends, straight.height_mm)).reshape(4, -1, 2)
    return np.stack([there[0] - there[2], there[1] - there[3]], axis=2) / (2 * step)


def _calm(off: Array) -> Array:
    """One bad measurement counts little, one ten times as bad hardly more."""
    return np.asarray(np.sign(off) * np.sqrt(np.log1p(off**2)))
