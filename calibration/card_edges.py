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
    places: tuple[float, ...] = (0.25, 0.5, 0.75)  # along one cell's side, away from its blurred corners
    offsets: int = 21  # samples across an edge
    first_reach: float = 0.8  # of a cell, to find the outer edges from a rough square: the rim is one cell wide
    reach: float = 0.45  # of a cell, once they are known: less than half, or the next edge is in view
    reach_px: float = 8.0  # at most: samples farther apart than a pixel would step over a sharp edge
    rounds: int = 2  # of the fit; a third changes less than a hundredth of a pixel
    min_step: float = 0.01  # of full light between black and white; less is a shadow or a hand
    min_edges: int = 24  # measured places; a card half under a hand has fewer
    outlier_px: float = 0.15  # residuals beyond this weigh less and less


SEARCH: Final = EdgeSearch()


@dataclass(frozen=True, eq=False)
class Edges:
    """Places on codes' edges in units of their side (0..1), and there the way along the edge and that to the white."""

    places: Array
    along: Array
    to_white: Array
    outer: NDArray[np.bool_]
    card: NDArray[np.intp]  # which of the cards each place is on, in order

    def only(self, keep: NDArray[np.bool_]) -> Edges:
        return Edges(self.places[keep], self.along[keep], self.to_white[keep], self.outer[keep], self.card[keep])


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
    return Edges(table[:, 0:2], table[:, 2:4], table[:, 4:6], table[:, 6].astype(bool), np.zeros(len(table), np.intp))


@cache
def _edges_of(numbers: tuple[int, ...], fractions: tuple[float, ...]) -> Edges:
    """The edges of several cards in one, because one call for all is quicker than one for each."""
    each = [code_edges(number, fractions) for number in numbers]
    card = np.repeat(np.arange(len(each)), [len(edges.outer) for edges in each])
    columns = ("places", "along", "to_white", "outer")
    places, along, to_white, outer = (np.concatenate([getattr(edges, name) for edges in each]) for name in columns)
    return Edges(places, along, to_white, outer.astype(bool), card)


def refined_corners(
    grey: Image, corners_px: Array, numbers: tuple[int, ...], search: EdgeSearch = SEARCH
) -> tuple[Array, NDArray[np.bool_]]:
    """The corners (n x 4 x 2) of cards with these numbers as their edges have them, and which of them can be trusted:
    not those of which too few edges can be seen."""
    edges = _edges_of(numbers, search.places)
    rim = edges.only(edges.outer)
    corners, fine = np.asarray(corners_px, float), np.ones(len(numbers), bool)
    for turn in range(search.rounds + 1):
        corners, clear = _moved(grey, corners, rim if turn == 0 else edges, search)
        fine &= clear
    return corners, fine


def _moved(grey: Image, corners: Array, edges: Edges, search: EdgeSearch) -> tuple[Array, NDArray[np.bool_]]:
    """The corners moved so that the codes' edges fall on the picture's, with what white has bled taken back; and for
    each card whether enough of its edges could be seen to do so."""
    rim_only = bool(edges.outer.all())
    homographies = np.array([cv2.getPerspectiveTransform(UNIT, quad.astype(np.float32)) for quad in corners])[
        edges.card
    ]
    here = _mapped(homographies, edges.places)
    along = _mapped(homographies, edges.places + edges.along * 1e-3) - here
    normal = np.column_stack([-along[:, 1], along[:, 0]])
    normal /= np.maximum(np.hypot(normal[:, 0], normal[:, 1]), 1e-12)[:, None]
    to_white = (_mapped(homographies, edges.places + edges.to_white * 1e-3) - here) * 1e3 / CELLS
    cell_px = (to_white * normal).sum(axis=1)
    normal *= np.sign(cell_px)[:, None]
    cell_px = np.abs(cell_px)
    reach_px = cell_px * search.first_reach if rim_only else np.minimum(cell_px * search.reach, search.reach_px)
    light, share = _profiles(grey, here, normal, reach_px, search)
    shares = _corner_shares(edges.places)
    columns = [shares * normal[:, :1], shares * normal[:, 1:]]
    if not rim_only:  # the rim alone cannot tell bleeding from size
        columns.append(-np.ones((len(here), 1)))
    design = np.hstack(columns)
    moved, seen = corners.copy(), np.zeros(len(corners), bool)
    for card in range(len(corners)):
        own = edges.card == card
        where = _crossings(light[own], share, search) * reach_px[own]
        clear = np.isfinite(where)
        seen[card] = clear.sum() >= search.min_edges
        if seen[card]:
            solution = _robust(design[own][clear], where[clear], search.outlier_px)
            moved[card] += np.column_stack([solution[:4], solution[4:8]])
    return moved, seen


UNIT: Final = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)


def _mapped(homographies: Array, points: Array) -> Array:
    """Each point by its own homography."""
    full = np.einsum("nij,nj->ni", homographies[:, :, :2], points) + homographies[:, :, 2]
    return np.asarray(full[:, :2] / full[:, 2:], float)


def _corner_shares(places: Array) -> Array:
    """How much each corner's movement moves a place: bilinear, which perspective changes too little to matter."""
    x, y = places.T
    return np.column_stack([(1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y])


def _profiles(grey: Image, here: Array, normal: Array, reach_px: Array, search: EdgeSearch) -> tuple[Array, Array]:
    """The light across each place, from black to white (places x offsets), and the offsets as shares of the reach."""
    share = np.linspace(-1.0, 1.0, search.offsets)
    samples = (here[:, None] + (reach_px[:, None] * share)[..., None] * normal[:, None]).astype(np.float32)
    values = cv2.remap(grey, samples, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return LIGHT[values], share


def _crossings(light: Array, share: Array, search: EdgeSearch) -> Array:
    """For each profile where it is half way from black to white, NaN where it never is; the card has one level."""
    black, white = np.median(light[:, 0]), np.median(light[:, -1])
    if white - black < search.min_step:
        return np.full(len(light), np.nan)
    level = (black + white) / 2
    above = light >= level
    rises = ~above[:, :-1] & above[:, 1:]
    at = np.argmin(np.where(rises, np.abs(share[:-1] + share[1:]), np.inf), axis=1)
    rows = np.arange(len(light))
    low, high = light[rows, at], light[rows, at + 1]
    exact = share[at] + (level - low) / np.where(high > low, high - low, 1.0) * (share[1] - share[0])
    return np.where(rises[rows, at], exact, np.nan)


def _robust(design: Array, wanted: Array, outlier: float) -> Array:
    """Least squares in which what does not fit weighs less and less: crumbs, shadows, pencil marks."""
    weight = np.ones(len(wanted))
    for _ in range(3):
        weighted = design.T * weight
        solution = np.linalg.solve(weighted @ design, weighted @ wanted)
        off = wanted - design @ solution
        weight = 1.0 / (1.0 + (off / outlier) ** 2)
    return np.asarray(solution, float)
