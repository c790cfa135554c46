"""Footprints as parallel arrays of convex polygons: points, segments and polygons alike, padded to one length.

Two convex shapes A and B are compared by one number, their *signed gap*: their distance where they are apart, and minus
the shortest move that would part them where they overlap. It is the largest, over unit directions u, of

    s(u) = min over B of b·u  -  max over A of a·u

and only a few directions can give the largest: the outward normals of A's edges, the inward normals of B's edges, and,
where a corner faces a corner, the line through the two nearest corners. Any further direction gives less, never more,
so a list of directions may be too long without harm: the arithmetic here is a plain maximum over tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from companion.errors import InvalidInput
from companion.pieces import Outline

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

# Farther out than this is no table but a broken file; the limit also keeps the arithmetic good to 1e-9 mm.
FARTHEST_MM = 100_000.0


@dataclass(frozen=True)
class Shapes:
    """n convex shapes of up to v corners; shorter ones repeat their last corner."""

    corners_mm: Floats  # (n, v, 2)
    normals: Floats  # (n, v, 2), unit, outward, each of an edge at its corner; of a point, any

    def __len__(self) -> int:
        return len(self.corners_mm)

    def __getitem__(self, chosen: Ints) -> Shapes:
        return Shapes(self.corners_mm[chosen], self.normals[chosen])

    def supports_mm(self, directions: Floats) -> Floats:
        """(n, d): how far each shape reaches along each of the (d, 2) directions."""
        return np.asarray((self.corners_mm @ directions.T).max(axis=1))

    def bluntness(self) -> float:
        """The sine of half the sharpest corner's angle: 0.71 for squares, 0 where there is a point or a segment. No
        corner of a hull around these shapes is sharper.

        >>> round(convex_shapes([((0, 0), (8, 0), (8, 8), (0, 8))]).bluntness(), 3)
        0.707
        """
        if not len(self) or bool((self.corners_mm == self.corners_mm[:, :1]).all(axis=(1, 2)).any()):
            return 0.0
        between = (self.normals * np.roll(self.normals, -1, axis=1)).sum(axis=-1)
        return float(np.sqrt(np.clip((1.0 + between.min()) / 2.0, 0.0, 1.0)))

    def boxes_mm(self) -> Floats:
        """(n, 4): least x, least y, greatest x, greatest y."""
        return np.concatenate([self.corners_mm.min(axis=1), self.corners_mm.max(axis=1)], axis=1)


def convex_shapes(outlines: Sequence[Outline]) -> Shapes:
    """The convex hulls of the outlines, each of at least one point.

    >>> convex_shapes([((0, 0), (8, 0), (8, 8), (0, 8), (4, 4)), ((1, 2),)]).corners_mm.shape
    (2, 4, 2)
    """
    if not outlines:
        return Shapes(np.zeros((0, 1, 2)), np.zeros((0, 1, 2)))
    counts = [len(outline) for outline in outlines]
    points = np.array([point for outline in outlines for point in outline], dtype=np.float64)
    if np.abs(points).max() > FARTHEST_MM:
        raise InvalidInput(
            f"a footprint lies more than {FARTHEST_MM / 1000:.0f} m away; check that positions are in mm"
        )
    if len(set(counts)) == 1 and counts[0] > 2:  # cubes lying flat, the usual table: often there is nothing to do
        corners = points.reshape(len(outlines), counts[0], 2)
        if _strictly_convex(corners):
            return Shapes(corners, _outward_normals(corners))
    corners = _hulls(points, np.repeat(np.arange(len(outlines)), counts))
    return Shapes(corners, _outward_normals(corners))


def _strictly_convex(corners: Floats) -> bool:
    """Whether all are convex polygons without a needless corner. Turning the same way throughout is enough for three or
    four corners; more could wind around twice."""
    edges = np.roll(corners, -1, axis=1) - corners
    following = np.roll(edges, -1, axis=1)
    turns = edges[..., 0] * following[..., 1] - edges[..., 1] * following[..., 0]
    return corners.shape[1] <= 4 and bool(((turns > 1e-9).all(axis=1) | (turns < -1e-9).all(axis=1)).all())


def _hulls(points: Floats, owner: Ints) -> Floats:
    """(n, v, 2): the corners of each owner's convex hull, the last one repeated where others have more."""
    hulls = shapely.convex_hull(shapely.multipoints(points, indices=owner))
    coordinates, shape = shapely.get_coordinates(hulls, return_index=True)
    sizes = np.bincount(shape)
    first = np.cumsum(sizes) - sizes
    sizes -= shapely.get_type_id(hulls) == shapely.GeometryType.POLYGON  # a ring names its first corner twice
    column = np.minimum(np.arange(sizes.max())[None, :], sizes[:, None] - 1)
    return np.asarray(coordinates[first[:, None] + column])


def _outward_normals(corners: Floats) -> Floats:
    """Of the edge from each corner to the next; a repeated corner has that of the edge from the last to the first, so
    that every normal is one of an edge at its own corner."""
    following = np.roll(corners, -1, axis=1)
    edges = following - corners
    twice_area = (corners[..., 0] * following[..., 1] - corners[..., 1] * following[..., 0]).sum(axis=1)
    turn = np.where(twice_area < 0, -1.0, 1.0)[:, None]
    normals = units(np.stack([edges[..., 1] * turn, -edges[..., 0] * turn], axis=-1))
    repeated = (edges == 0).all(axis=-1)[..., None]
    return np.where(repeated, normals[:, -1:], normals)


def units(vectors: Floats) -> Floats:
    """Each vector at length one; one without length becomes (1, 0)."""
    lengths = np.hypot(vectors[..., 0], vectors[..., 1])[..., None]
    none = lengths < 1e-12
    return np.where(none, np.array([1.0, 0.0]), vectors / np.where(none, 1.0, lengths))
