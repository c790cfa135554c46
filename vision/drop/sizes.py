"""Which size each cube has: solids of every size are laid over the photo; the one whose edges fit best is likeliest.

A network's idea of a length is good to a few per cent, but now and then it takes a large cube for a small one. Edges do
not: laid over a small cube, those of a large solid lie on bare table.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.view import TableView
from vision.drop.fit import EDGES, drawn_corners, fit_solids, visible_edges
from vision.drop.network import Array, Image
from vision.drop.solids import Solids, joined, resized

Indices = NDArray[np.intp]


@dataclass(frozen=True)
class SizeSettings:
    """Tuned on which size 1153 cubes of 20 staged photos have: 20 wrong, against 59 by the network's lengths alone."""

    log_side: float = 0.12  # standard deviation of the network's lengths, gross mistakes and all
    worth: float = 30.0  # log-likelihood of edges that fit wholly, against none
    tried: float = 0.42  # sizes further from the network's length than this (as a logarithm) are not tried
    along: int = 7  # places on each edge
    across: int = 9  # samples over the window
    window_sides: float = 0.16  # on either side of an edge; the middle half of it counts as the edge
    edge_worth: tuple[float, float, float] = (1.0, 0.5, 0.5)  # of upper, upright and lower edges
    grain: float = 4.0  # grey levels of change a step that any table has


SETTINGS: Final = SizeSettings()


@dataclass(frozen=True)
class Sized:
    """N cubes as each of K sizes."""

    every: Solids  # K times N, size by size
    cost: Array  # (N, K) negative log-likelihoods

    def __getitem__(self, size: Indices) -> Solids:
        """Each cube as the size of this number (N)."""
        count = len(self.cost)
        return self.every[size * count + np.arange(count)]


def fit_sizes(bgr: Image, view: TableView, solids: Solids, sides_mm: Array, settings: SizeSettings = SETTINGS) -> Sized:
    """Each cube fitted to the photo as each of the sizes that it could have, and what each of them costs."""
    count = len(solids)
    if count == 0:
        return Sized(solids, np.empty((0, len(sides_mm))))
    off = np.log(solids.side_mm[:, None] / sides_mm)
    every = joined([resized(solids, view, np.full(count, side)) for side in sides_mm])
    tried = (np.abs(off) < settings.tried) | (np.abs(off) == np.abs(off).min(axis=1, keepdims=True))
    chosen = np.flatnonzero(tried.T.ravel())
    fitted = fit_solids(bgr, view, every[chosen])
    every = _put(every, chosen, fitted)
    shares = np.zeros(len(sides_mm) * count)
    shares[chosen] = _on_edges(bgr, view, fitted, settings)
    fits = shares.reshape(-1, count).T
    cost = 0.5 * (off / settings.log_side) ** 2 + settings.worth * (fits.max(axis=1, keepdims=True) - fits)
    return Sized(every, cost)


def _on_edges(bgr: Image, view: TableView, solids: Solids, settings: SizeSettings) -> Array:
    """Which share of all change in the photo close to a solid's edges lies on them: 0 to 1."""
    corners = drawn_corners(solids, view)
    here, there = corners[:, EDGES[:, 0]], corners[:, EDGES[:, 1]]
    way = there - here
    length = np.maximum(np.linalg.norm(way, axis=2, keepdims=True), 1e-6)
    normal = np.stack([-way[..., 1], way[..., 0]], axis=2) / length
    reach = (settings.window_sides * solids.side_mm * view.px_per_mm(solids.center_mm))[:, None, None, None, None]
    share = np.linspace(0.15, 0.85, settings.along)[:, None]
    spots = here[:, :, None] * (1 - share) + there[:, :, None] * share
    lines = spots[:, :, :, None] + normal[:, :, None, None] * np.linspace(-1, 1, settings.across)[:, None] * reach
    flat = lines.reshape(-1, settings.along * settings.across, 2).astype(np.float32)  # OpenCV takes 32767 rows at most
    seen = cv2.remap(bgr, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    seen = seen.reshape(-1, settings.across, 3).astype(np.int16)
    change = np.abs(np.diff(seen, axis=1)).sum(axis=2).reshape(*spots.shape[:3], -1)
    quarter = change.shape[3] // 4
    on_edge = change[..., quarter:-quarter].mean(axis=3) / (change.mean(axis=3) + settings.grain)
    weight = np.repeat(settings.edge_worth, 4) * visible_edges(solids, view)
    return np.asarray((on_edge.mean(axis=2) * weight).sum(axis=1) / np.maximum(weight.sum(axis=1), 1e-6))


def _put(every: Solids, where: Indices, new: Solids) -> Solids:
    """The solids with some of them replaced."""
    arrays = []
    for field in fields(Solids):
        values = getattr(every, field.name).copy()
        values[where] = getattr(new, field.name)
        arrays.append(values)
    return Solids(*arrays)
