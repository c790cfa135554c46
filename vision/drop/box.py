"""The box as a constraint: all cubes settled together, no kind more often than the box holds it, at the least cost.

A minimum-cost flow on a tiny graph. Every cube first takes what it likes best; while a kind is over-full, one cube is
pushed on along the cheapest chain of moves between kinds (this one is rather a pillar, so that one must be gold …) to a
kind that has room. Starting from the unconstrained optimum, each cheapest chain keeps the whole optimal.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True)
class Assignment:
    """`kind[i]` is what cube i became; `margin[i, k]` what it would cost all together to make it k instead."""

    kind: Ints
    margin: Floats


def assign(cost: Floats, capacity: Ints) -> Assignment:
    """Give each row (cube) a column (kind), no kind more often than its capacity; costs must be finite.

    >>> assign(np.array([[0.0, 5.0], [1.0, 2.0]]), np.array([1, 2])).kind.tolist()
    [0, 1]
    """
    if capacity.sum() < len(cost):
        raise ValueError("the kinds together must have room for every cube")
    kind = np.argmin(cost, axis=1).astype(np.intp)
    while (room := capacity - np.bincount(kind, minlength=len(capacity))).min() < 0:
        moves, mover = _moves(cost, kind)
        distance, towards = _shortest(moves)
        source = int(np.argmin(room))
        target = int(np.argmin(np.where(room > 0, distance[source], np.inf)))
        while source != target:
            step = int(towards[source, target])
            kind[mover[source, step]] = step
            source = step
    return Assignment(kind, _margins(cost, kind, room))


def _moves(cost: Floats, kind: Ints) -> tuple[Floats, Ints]:
    """The cheapest cube to move from kind a to kind b, its cost and its number."""
    count = cost.shape[1]
    change = cost - cost[np.arange(len(cost)), kind][:, None]
    moves, mover = np.full((count, count), np.inf), np.zeros((count, count), np.intp)
    for a in np.unique(kind):
        members = np.flatnonzero(kind == a)
        best = np.argmin(change[members], axis=0)
        moves[a], mover[a] = change[members[best], np.arange(count)], members[best]
    np.fill_diagonal(moves, 0.0)
    return moves, mover


def _shortest(moves: Floats) -> tuple[Floats, Ints]:
    """Cheapest chains between all kinds (Floyd and Warshall), and each chain's first step."""
    count = len(moves)
    distance = moves.copy()
    towards = np.tile(np.arange(count, dtype=np.intp), (count, 1))
    for via in range(count):
        through = distance[:, via, None] + distance[None, via]
        better = through < distance - 1e-12
        distance = np.where(better, through, distance)
        towards = np.where(better, towards[:, via, None], towards)
    return distance, towards


def _margins(cost: Floats, kind: Ints, room: Ints) -> Floats:
    """Cube i to kind k, plus the cheapest chain that makes room there.

    It ends at i's own place; or it ends at any kind with room, and whoever gains most by it takes i's place.
    """
    distance, _ = _shortest(_moves(cost, kind)[0])
    to_room = np.where(room[None, :] > 0, distance, np.inf).min(axis=1, initial=np.inf)
    rows = np.arange(len(cost))
    own = cost[rows, kind]
    into = distance.min(axis=0)  # nobody moves in: 0
    freed = np.minimum(distance[:, kind].T, to_room[None, :] + into[kind][:, None])
    margin: Floats = cost - own[:, None] + freed
    margin[rows, kind] = 0.0
    return margin
