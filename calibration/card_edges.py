"""A marker card's corners to a small part of a pixel, from every edge of its code at once.

White bleeds into black: by blur, by overexposure, by the lens. A square measured by its outer edge alone therefore
comes out one or two per cent too small, and with it the scale of the whole table. The edges inside the code face both
ways, so how far white has grown can be told from them and taken back.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array

Image = NDArray[np.uint8]

DICTIONARY: Final = cv2.aruco.DICT_4X4_50
CELLS: Final = 6  # the code's four, and the black rim on either side

# A pixel's value to light: blur mixes light, not pixel values.
LIGHT: Final[Array] = (np.arange(256) / 255.0) ** 2.2


@dataclass(frozen=True)
class EdgeSearch:
    places: tuple[float, ...] = (0.2, 0.35, 0.5, 0.65, 0.8)  # along one cell's side, away from its blurred corners
    offsets: int = 25  # samples across an edge
    first_reach: float = 0.8  # of a cell, to find the outer edges from a rough square: the rim is one cell wide
    reach: float = 0.45  # of a cell, once they are known: less than half, or the next edge is in view
    rounds: int = 2  # of the fit; a third changes less than a hundredth of a pixel
    min_step: float = 0.01  # of full light between black and white; less is a shadow or a hand
    min_edges: int = 40  # measured places; a card half under a hand has fewer
    outlier_px: float = 0.15  # residuals beyond this weigh less and less


SEARCH: Final = EdgeSearch()


@dataclass(frozen=True, eq=False)
class Edges:
    """Places on a code's edges in units of its side (0..1), and there the way along the edge and that to the white."""

    places: Array
    along: Array
    to_white: Array
    outer: NDArray[np.bool_]


@cache
def code_edges(number: int, fractions: tuple[float, ...]) -> Edges:
    code = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(DICTIONARY), number, CELLS)
    white = np.pad(code > 0, 1, constant_values=True)
    rows = []
    for i in range(CELLS + 1):
        for j in range(CELLS):
            for upright in (True, False):
                # an upright edge lies between two cells of row j, at column i; a level one between two of column j
                before, after = (
                    (white[j + 1, i], white[j + 1, i + 1]) if upright else (white[i, j + 1], white[i + 1, j + 1])
                )
                if before == after:
                    continue
                way = 1.0 if after else -1.0
                outer = i in (0, CELLS)
                for fraction in fractions:
                    line, place = i / CELLS, (j + fraction) / CELLS
                    rows.append((line, place, 0, 1, way, 0, outer) if upright else (place, line, 1, 0, 0, way, outer))
    table = np.array(rows, float)
    return Edges(table[:, 0:2], table[:, 2:4], table[:, 4:6], table[:, 6].astype(bool))


def refined_corners(grey: Image, corners_px: Array, number: int, search: EdgeSearch = SEARCH) -> Array | None:
    """The four corners as the edges have them; None where too few edges can be seen."""
    edges = code_edges(number, search.places)
    outer = edges.outer
    rim = Edges(edges.places[outer], edges.along[outer], edges.to_white[outer], outer[outer])
    corners: Array | None = np.asarray(corners_px, float)
    for turn in range(search.rounds + 1):
        if corners is not None:
            corners = _moved(grey, corners, rim if turn == 0 else edges, search)
    return corners


def _moved(grey: Image, corners: Array, edges: Edges, search: EdgeSearch) -> Array | None:
    """The corners moved so that the code's edges fall on the picture's, with what white has bled taken back."""
    rim_only = bool(edges.outer.all())
    homography = cv2.getPerspectiveTransform(UNIT, corners.astype(np.float32)).astype(float)
    here = _mapped(homography, edges.places)
    along = _mapped(homography, edges.places + edges.along * 1e-3) - here
    normal = np.column_stack([-along[:, 1], along[:, 0]])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    to_white = (_mapped(homography, edges.places + edges.to_white * 1e-3) - here) * 1e3 / CELLS
    cell_px = (to_white * normal).sum(axis=1)
    normal *= np.sign(cell_px)[:, None]
    reach = search.first_reach if rim_only else search.reach
    where = _crossings(grey, here, normal, np.abs(cell_px) * reach, search)
    clear = np.isfinite(where)
    if clear.sum() < search.min_edges:
        return None
    shares = _corner_shares(edges.places[clear])
    columns = [shares * normal[clear, :1], shares * normal[clear, 1:]]
    if not rim_only:  # the rim alone cannot tell bleeding from size
        columns.append(-np.ones((int(clear.sum()), 1)))
    solution = _robust(np.hstack(columns), where[clear], search.outlier_px)
    return corners + np.column_stack([solution[:4], solution[4:8]])


UNIT: Final = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)


def _mapped(homography: Array, points: Array) -> Array:
    full = np.column_stack([points, np.ones(len(points))]) @ homography.T
    return np.asarray(full[:, :2] / full[:, 2:], float)


def _corner_shares(places: Array) -> Array:
    """How much each corner's movement moves a place: bilinear, which perspective changes too little to matter."""
    x, y = places.T
    return np.column_stack([(1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y])


def _crossings(grey: Image, here: Array, normal: Array, reach_px: Array, search: EdgeSearch) -> Array:
    """For each place how far along the normal the light is half way from black to white, NaN where it never is."""
    share = np.linspace(-1.0, 1.0, search.offsets)
    samples = (here[:, None] + (reach_px[:, None] * share)[..., None] * normal[:, None]).astype(np.float32)
    values = cv2.remap(grey, samples[..., 0], samples[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    light = LIGHT[values]
    black, white = np.median(light[:, 0]), np.median(light[:, -1])
    if white - black < search.min_step:
        return np.full(len(here), np.nan)
    level = (black + white) / 2
    rises = (light[:, :-1] < level) & (light[:, 1:] >= level)
    gap = np.where(rises, np.abs(share[:-1] + share[1:]), np.inf)
    at, rows = np.argmin(gap, axis=1), np.arange(len(here))
    low, high = light[rows, at], light[rows, at + 1]
    exact = share[at] + (level - low) / np.where(high > low, high - low, 1.0) * (share[1] - share[0])
    return np.where(rises.any(axis=1), exact * reach_px, np.nan)


def _robust(design: Array, wanted: Array, outlier: float) -> Array:
    """Least squares in which what does not fit weighs less and less: crumbs, shadows, pencil marks."""
    weight = np.ones(len(wanted))
    for _ in range(4):
        weighted = design.T * weight
        solution = np.linalg.solve(weighted @ design, weighted @ wanted)
        off = wanted - design @ solution
        weight = 1.0 / (1.0 + (off / outlier) ** 2)
    return np.asarray(solution, float)
