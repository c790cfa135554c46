"""Solids laid over the photo: every cube is moved and turned until its edges lie on edges of the picture.

The reader's picture is small; the photo itself shows a cube at 20 to 40 px. Along each edge that should be visible, the
photo is sampled across the edge, and where it changes most there is the edge's true place. All cubes are moved at once.
Without marker cards the same edges also tell how the table lies: a cube that is seen from the wrong angle does not fit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from calibration.camera import Camera
from calibration.doubt import plane_of, relative_error, view_of_plane
from calibration.view import TableView
from vision.drop.network import Array, Image
from vision.drop.solids import Solids, corners_px, turned

# A cube's edges by corner number, and the one or two of its faces (top, then the four sides) that show each of them.
EDGES: Final = np.array(
    [[4, 5], [5, 6], [6, 7], [7, 4], [0, 4], [1, 5], [2, 6], [3, 7], [0, 1], [1, 2], [2, 3], [3, 0]]
)
SHOWN_BY: Final = np.array(
    [[0, 1], [0, 2], [0, 3], [0, 4], [4, 1], [1, 2], [2, 3], [3, 4], [1, 1], [2, 2], [3, 3], [4, 4]]
)
NORMALS: Final = np.array([[0, 0, 1], [0, -1, 0], [1, 0, 0], [0, 1, 0], [-1, 0, 0]], np.float64)


@dataclass(frozen=True)
class FitSettings:
    along: tuple[float, ...] = (0.14, 0.32, 0.5, 0.68, 0.86)  # places on an edge; its ends are round, and other edges'
    drawn: float = 0.98  # cubes are rounded: what is seen as an edge lies inside where two faces would meet
    across: int = 13  # samples from one side of an edge to the other
    reach_sides: tuple[float, ...] = (0.27, 0.15, 0.09)  # how far from an edge to look for it, round by round
    # where the view is still to be found: once from a rough guess, once more with what that said of every cube
    view_reach_sides: tuple[tuple[float, ...], ...] = ((0.32, 0.28, 0.22, 0.16), (0.20, 0.16, 0.12, 0.09))
    middle_share: float = 0.6  # of the reach: what is near counts more than a stronger edge farther off
    least_change: float = 5.0  # grey levels a pixel: weaker edges than this are as likely the table's grain
    least_edge_px: float = 6.0  # an edge seen nearly along itself says nothing
    outlier_sides: float = 0.12  # an edge this far off is probably another one's
    edge_worth: tuple[float, float, float] = (1.0, 0.5, 0.5)  # of upper, upright and lower edges: shadows blur the last
    view_edge_worth: tuple[float, float, float] = (1.0, 1.0, 0.2)  # the shadow at a cube's foot would tilt the table
    worth: float = 1 / 6  # neighbouring samples of an edge err alike
    edge_px: float = 0.6  # error of one sample
    view_edge_px: float = 1.2  # what all cubes' edges have in common, such as a shadow's side, does not average out
    place_mm: float = 0.6  # what the reader's own places and turns are worth, as standard deviations
    turn_rad: float = 0.05
    # The same where the view is to be found: places in mm go with the view, so they are hardly held at all.
    view_hold: tuple[float, float, float] = (0.002, 0.002, 100.0)
    focal_sd: tuple[tuple[str, float], ...] = (("lens", 0.003), ("markers", 0.01), ("exif", 0.03), ("prior", 0.06))
    bulge_sd: tuple[tuple[str, float], ...] = (("lens", 0.002), ("markers", 0.01), ("exif", 0.03), ("prior", 0.03))
    usual_bulge: float = 0.1  # k1 this far from what was expected is a cheap wide lens rather than a bad guess
    slope_sd: float = 0.5  # about the view that the networks told
    depth_sd: float = 0.2


SETTINGS: Final = FitSettings()
STEPS: Final = np.array([0.05, 0.05, 0.005])  # mm, mm, rad
VIEW_STEPS: Final = np.array([1e-3, 1e-3, 1e-3, 1e-3, 1e-3])  # log focal, k1, slopes, log depth


@dataclass(frozen=True)
class Sampled:
    """What the photo says of every cube's edges: (N, 12 edges, places), 0 weight where there is nothing to say."""

    normal: Array  # (N, 12, 2) across each edge, in the photo
    off_px: Array  # how far along the normal the photo's own edge is
    weight: Array


def fit_solids(bgr: Image, view: TableView, solids: Solids, settings: FitSettings = SETTINGS) -> Solids:
    """Each cube where its edges fit best, not far from where the reader saw it."""
    if len(solids) == 0:
        return solids
    hold = 1 / np.array([settings.place_mm, settings.place_mm, settings.turn_rad]) ** 2
    move = np.zeros((len(solids), 3))
    moved, normal_eq = solids, np.empty(0)
    for reach in settings.reach_sides:
        sampled = _sampled(bgr, view, moved, reach, settings)
        slopes = _own_slopes(view, moved, sampled, settings)
        normal_eq = np.einsum("nep,nepi,nepj->nij", sampled.weight, slopes, slopes) + np.diag(hold)
        pull = np.einsum("nep,nepi,nep->ni", sampled.weight, slopes, sampled.off_px) - hold * move
        move = move + np.linalg.solve(normal_eq, pull[..., None])[..., 0]
        moved = _moved(solids, move)
    spread = np.sqrt(np.linalg.inv(normal_eq)[:, [0, 1], [0, 1]].mean(axis=1))
    return replace(moved, error_mm=spread)


def fit_view(
    bgr: Image, view: TableView, solids: Solids, camera: Camera, *, turn: int = 0, settings: FitSettings = SETTINGS
) -> TableView:
    """The view and all cubes together, for cubes of known sides: the view under which their edges fit best.

    `turn` 0 starts from a rough guess, 1 from a view that was fitted before.
    """
    slope_x, slope_y, depth = plane_of(view)
    start = np.array([
        np.log(view.camera.focal_px / camera.focal_px), view.camera.distortion[0] - camera.distortion[0],
        slope_x, slope_y, np.log(depth),
    ])  # fmt: skip
    known = [dict(settings.focal_sd)[camera.source], dict(settings.bulge_sd)[camera.source]]
    held = 1 / np.array([*known, settings.slope_sd, settings.slope_sd, settings.depth_sd]) ** 2
    strong = (start[1] / settings.usual_bulge) ** 2
    # most lenses bulge as they are expected to; only a guess far beyond that is believed
    aim = np.array([0.0, start[1] * strong / (1 + strong), *start[2:]])
    params, move, hold = start, np.zeros((len(solids), 3)), np.array(settings.view_hold)
    left = np.eye(5)
    settings = replace(settings, edge_worth=settings.view_edge_worth, edge_px=settings.view_edge_px)
    for reach in settings.view_reach_sides[turn]:
        now, moved = view_of_plane(camera, params, "cubes"), _moved(solids, move)
        sampled = _sampled(bgr, now, moved, reach, settings)
        own = _own_slopes(now, moved, sampled, settings)
        shared = _view_slopes(camera, params, moved, sampled, settings)
        # Cubes are independent of each other given the view: take them out of the equations one by one (Schur).
        aa = np.einsum("nep,nepi,nepj->nij", sampled.weight, own, own) + np.diag(hold)
        ab = np.einsum("nep,nepi,nepj->nij", sampled.weight, own, shared)
        bb = np.einsum("nep,nepi,nepj->ij", sampled.weight, shared, shared) + np.diag(held)
        a = np.einsum("nep,nepi,nep->ni", sampled.weight, own, sampled.off_px) - hold * move
        b = np.einsum("nep,nepi,nep->i", sampled.weight, shared, sampled.off_px) + held * (aim - params)
        inverse = np.linalg.inv(aa)
        left = bb - np.einsum("nki,nkl,nlj->ij", ab, inverse, ab)
        step = np.linalg.solve(left, b - np.einsum("nki,nkl,nl->i", ab, inverse, a))
        params = params + step
        move = move + np.einsum("nkl,nl->nk", inverse, a - np.einsum("nki,i->nk", ab, step))
    fitted = view_of_plane(camera, params, "cubes")
    error_mm, scale_error = relative_error(fitted, np.asarray(np.linalg.inv(left), float), solids.center_mm[:, :2])
    return replace(fitted, error_mm=error_mm, scale_error=scale_error)


def drawn_corners(solids: Solids, view: TableView, settings: FitSettings = SETTINGS) -> Array:
    """Corners in the photo of the slightly smaller cube whose edges are those that are seen."""
    return corners_px(replace(solids, side_mm=settings.drawn * solids.side_mm), view)


def _moved(solids: Solids, move: Array) -> Solids:
    center = solids.center_mm + np.column_stack([move[:, :2], np.zeros(len(move))])
    return replace(solids, center_mm=center, axes=turned(move[:, 2]) @ solids.axes)


def _sampled(bgr: Image, view: TableView, solids: Solids, reach: float, settings: FitSettings) -> Sampled:
    corners = drawn_corners(solids, view, settings)
    here, there = corners[:, EDGES[:, 0]], corners[:, EDGES[:, 1]]
    way = there - here
    length = np.maximum(np.linalg.norm(way, axis=2), 1e-6)
    normal = np.stack([-way[..., 1], way[..., 0]], axis=2) / length[..., None]
    size_px = solids.side_mm * view.px_per_mm(solids.center_mm)
    cube, edge = np.nonzero(visible_edges(solids, view) & (length > settings.least_edge_px))
    share = np.array(settings.along)[:, None]
    off_px, weight = (np.zeros((len(solids), len(EDGES), len(share))) for _ in range(2))
    if len(cube) == 0:
        return Sampled(normal, off_px, weight)
    spots = here[cube, edge][:, None] * (1 - share) + there[cube, edge][:, None] * share  # (M, places, 2)
    reach_px = reach * size_px[cube]
    across = np.linspace(-1, 1, settings.across)
    lines = spots[:, :, None] + (normal[cube, edge] * reach_px[:, None])[:, None, None] * across[:, None]
    flat = lines.reshape(-1, settings.across, 2).astype(np.float32)
    seen = cv2.remap(bgr, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    change = np.abs(np.diff(seen.astype(np.int16), axis=1)).sum(axis=2).reshape(len(cube), len(share), -1) / 3
    change = change / (reach_px * (across[1] - across[0]))[:, None, None]
    place = (across[1:] + across[:-1]) / 2
    pull = np.exp(-0.5 * (place / settings.middle_share) ** 2) * change**2
    floor = settings.least_change**2
    off = reach_px[:, None] * (pull @ place) / (pull.sum(axis=2) + floor)
    strength = pull.max(axis=2) / (pull.max(axis=2) + floor)
    calm = 1 + (off / (settings.outlier_sides * size_px[cube])[:, None]) ** 2
    off_px[cube, edge] = off
    kind = np.repeat(settings.edge_worth, 4)[edge][:, None]
    weight[cube, edge] = settings.worth / settings.edge_px**2 * kind * strength / calm
    return Sampled(normal, off_px, weight)


def visible_edges(solids: Solids, view: TableView) -> Array:
    """(N, 12): edges of faces turned to the eye, others' bodies aside."""
    normals = np.einsum("nij,fj->nfi", solids.axes, NORMALS)
    from_face = view.eye_mm - (solids.center_mm[:, None] + 0.5 * solids.side_mm[:, None, None] * normals)
    seen = np.einsum("nfi,nfi->nf", normals, from_face) > 0
    return np.asarray(seen[:, SHOWN_BY].any(axis=2))


def _own_slopes(view: TableView, solids: Solids, sampled: Sampled, settings: FitSettings) -> Array:
    """(N, 12, places, 3): how far along the normals edges go, per mm and rad that the cube itself moves."""
    still = drawn_corners(solids, view, settings)
    moved = [drawn_corners(_moved(solids, np.tile(step, (len(solids), 1))), view, settings) for step in np.diag(STEPS)]
    return np.stack(
        [_along_normals(there - still, sampled, settings) / step for there, step in zip(moved, STEPS, strict=True)],
        axis=3,
    )


def _view_slopes(camera: Camera, params: Array, solids: Solids, sampled: Sampled, settings: FitSettings) -> Array:
    """(N, 12, places, 5): the same per unit that the view's numbers change."""
    still = drawn_corners(solids, view_of_plane(camera, params, "cubes"), settings)
    moved = [
        drawn_corners(solids, view_of_plane(camera, params + step, "cubes"), settings) for step in np.diag(VIEW_STEPS)
    ]
    return np.stack(
        [
            _along_normals(there - still, sampled, settings) / step
            for there, step in zip(moved, VIEW_STEPS, strict=True)
        ],
        axis=3,
    )


def _along_normals(corner_moves: Array, sampled: Sampled, settings: FitSettings) -> Array:
    share = np.array(settings.along)
    starts = (corner_moves[:, EDGES[:, 0]] * sampled.normal).sum(axis=2)
    ends = (corner_moves[:, EDGES[:, 1]] * sampled.normal).sum(axis=2)
    return np.asarray(starts[..., None] * (1 - share) + ends[..., None] * share)
