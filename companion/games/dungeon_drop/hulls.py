"""The hulls of all triples of pillars, never built as polygons: a hull reaches as far as the farthest of its three."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np

from companion.games.dungeon_drop.shapes import Bools, Floats, Ints, Shapes, units

# Directions that miss being a tangent by less than this are kept as well: too many do no harm, too few would.
_TANGENT_SLACK_MM = 1e-9


@dataclass(frozen=True)
class Hulls:
    """Of each triple, the edges of its hull, each named by its outward normal: a row of the table of directions."""

    triples: Ints  # (t, 3), pillars
    edges: Ints  # (t, e); hulls with fewer edges than others repeat their first


@lru_cache(maxsize=8)
def all_triples(pillars: int) -> Ints:
    triples = np.array(list(combinations(range(pillars), 3)), dtype=np.intp).reshape(-1, 3)
    triples.setflags(write=False)
    return triples


class HullTable:
    """What the triples of one set of pillars share: candidate directions, and every pillar's reach along each."""

    def __init__(self, pillars: Shapes) -> None:
        count, corners = len(pillars), pillars.corners_mm.shape[1]
        pairs = np.array(list(combinations(range(count), 2)), dtype=np.intp).reshape(-1, 2)
        tangents = _tangents(pillars, pairs)
        self.directions = np.concatenate([pillars.normals.reshape(-1, 2), tangents.reshape(-1, 2)])
        self._reach_mm = pillars.supports_mm(self.directions)
        owner = np.concatenate([np.repeat(np.arange(count), corners), np.repeat(pairs[:, 0], tangents.shape[1])])
        # How far the edge lies out where the direction is one of a hull's edges: no pillar of it reaches farther.
        self.edge_mm = self._reach_mm[owner, np.arange(len(owner))]
        rows = np.arange(len(owner))
        self._own = rows[: count * corners].reshape(count, corners)
        self._between = np.zeros((count, count, tangents.shape[1]), dtype=np.intp)
        self._between[pairs[:, 0], pairs[:, 1]] = rows[count * corners :].reshape(tangents.shape[:2])

    def hulls(self, triples: Ints) -> Hulls:
        first, second, third = triples.T
        parts = [self._between[first, second], self._between[first, third], self._between[second, third]]
        parts += [self._own[first], self._own[second], self._own[third]]
        rows = np.concatenate(parts, axis=1)
        reach = [self._reach_mm[pillar[:, None], rows] for pillar in (first, second, third)]
        farthest = np.maximum(np.maximum(reach[0], reach[1]), reach[2])
        order = _true_first(self.edge_mm[rows] >= farthest - _TANGENT_SLACK_MM)
        return Hulls(triples, rows[np.arange(len(rows))[:, None], order])


def _tangents(pillars: Shapes, pairs: Ints) -> Floats:
    """(pairs, k, 2): outward normals of the common tangents of two pillars. Two pillars apart have two; ones that cross
    have more, ones inside each other none, and get some other unit vector instead."""
    one, other = pillars.corners_mm[pairs[:, 0]], pillars.corners_mm[pairs[:, 1]]
    span = (other[:, None, :, :] - one[:, :, None, :]).reshape(len(pairs), -1, 2)  # from every corner to every corner
    normals = units(np.stack([span[..., 1], -span[..., 0]], axis=-1))
    along = np.concatenate([one, other], axis=1) @ np.swapaxes(normals, 1, 2)  # (pairs, corners, normals)
    here = np.repeat(one, other.shape[1], axis=1)
    here_mm = here[..., 0] * normals[..., 0] + here[..., 1] * normals[..., 1]
    highest = along.max(axis=1) <= here_mm + _TANGENT_SLACK_MM
    lowest = along.min(axis=1) >= here_mm - _TANGENT_SLACK_MM
    order = _true_first(np.concatenate([highest, lowest], axis=1))
    return np.take_along_axis(np.concatenate([normals, -normals], axis=1), order[:, :, None], axis=1)


def _true_first(flags: Bools) -> Ints:
    """(n, k): the columns of each row that are true, in order; rows with fewer repeat their first."""
    row, column = np.nonzero(flags)
    counts = np.bincount(row, minlength=len(flags))
    place = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
    order = np.repeat(flags.argmax(axis=1)[:, None], max(1, int(counts.max(initial=0))), axis=1)
    order[row, place] = column
    return order
