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
    edges: Ints  # (e, t); hulls with fewer edges than others repeat their first


@lru_cache(maxsize=8)
def all_triples(pillars: int) -> Ints:
    triples = np.array(list(combinations(range(pillars), 3)), dtype=np.intp).reshape(-1, 3)
    triples.setflags(write=False)
    return triples


@lru_cache(maxsize=8)
def _all_pairs(pillars: int) -> Ints:
    return np.array(list(combinations(range(pillars), 2)), dtype=np.intp).reshape(-1, 2)


class HullTable:
    """What the triples of one set of pillars share: candidate directions, and every pillar's reach along each.

    The directions are first the normals of each pillar's own edges, then the tangents of each pair of pillars.
    """

    def __init__(self, pillars: Shapes) -> None:
        count, corners = len(pillars), pillars.corners_mm.shape[1]
        pairs = _all_pairs(count)
        tangents = _tangents(pillars, pairs)
        self.directions = np.concatenate([pillars.normals.reshape(-1, 2), tangents.reshape(-1, 2)])
        reach_mm = pillars.supports_mm(self.directions)
        owner = np.concatenate([np.repeat(np.arange(count), corners), np.repeat(pairs[:, 0], tangents.shape[1])])
        rows = np.arange(len(owner))
        # How far the edge lies out where the direction is one of a hull's edges: no pillar of it reaches farther.
        self.edge_mm = reach_mm[owner, rows]
        holds = reach_mm <= self.edge_mm + _TANGENT_SLACK_MM  # (pillars, directions)
        split = count * corners
        self._own, self._tangent = rows[:split].reshape(count, corners), rows[split:].reshape(tangents.shape[:2])
        self._own_holds = holds[:, :split].reshape(count, count, corners)  # by the pillar asked, then by the owner
        self._tangent_holds = holds[:, split:].reshape(count, *tangents.shape[:2])
        self._pair = np.zeros((count, count), dtype=np.intp)
        self._pair[pairs[:, 0], pairs[:, 1]] = np.arange(len(pairs))

    def hulls(self, triples: Ints) -> Hulls:
        """A direction is an edge of the hull where none of the three pillars reaches past it."""
        first, second, third = triples.T
        rows, edges = [], []
        for one, two, other in ((first, second, third), (first, third, second), (second, third, first)):
            pair = self._pair[one, two]
            rows.append(self._tangent.take(pair, axis=0))
            edges.append(self._tangent_holds[two, pair] & self._tangent_holds[other, pair])
        for owner, one, two in ((first, second, third), (second, first, third), (third, first, second)):
            rows.append(self._own.take(owner, axis=0))
            edges.append(self._own_holds[one, owner] & self._own_holds[two, owner])
        order = _true_first(np.concatenate(edges, axis=1))
        table = np.concatenate(rows, axis=1)
        return Hulls(triples, np.ascontiguousarray(table[np.arange(len(table))[:, None], order].T))


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
