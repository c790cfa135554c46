"""The dungeon boundary (D7): the union of all rooms that hold no fourth pillar, whatever anyone's health."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import shapely

from companion.games.dungeon_drop.rooms import TableRooms
from companion.pieces import Outline, Piece


def hull_outline(pillars: Iterable[Piece]) -> Outline:
    """The corners of a room, in order around it (D1)."""
    hull = shapely.convex_hull(shapely.MultiPoint([point for pillar in pillars for point in pillar.footprint_mm]))
    corners = [(float(x), float(y)) for x, y in shapely.get_coordinates(hull)]
    return tuple(corners[:-1]) if hull.geom_type == "Polygon" else tuple(corners)


def boundary(rooms: TableRooms) -> shapely.Geometry:
    """The boundary as a shape: empty without rooms, and in several parts where rooms do not meet."""
    free = rooms.triples[rooms.free]
    if not len(free):
        return shapely.Polygon()
    points = [piece.footprint_mm for piece in rooms.pieces]
    corners = [[*points[one], *points[two], *points[three]] for one, two, three in free.tolist()]
    owner = np.repeat(np.arange(len(corners)), [len(room) for room in corners])
    flat = np.array([point for room in corners for point in room], dtype=np.float64)
    hulls = shapely.convex_hull(shapely.multipoints(flat, indices=owner))
    return shapely.unary_union(hulls)


def outside(rooms: TableRooms) -> tuple[str, ...]:
    """Ids of the pieces in none of those rooms, sorted; by the same verdicts that say what a room collects."""
    within = np.zeros(len(rooms.pieces), dtype=np.bool_)
    pairs = rooms.inside & rooms.free[rooms.room]
    within[rooms.piece[pairs]] = True
    within[rooms.triples[rooms.free].ravel()] = True
    return tuple(
        piece.id for piece, inside in zip(rooms.pieces, within.tolist(), strict=True)
        if not inside and not (piece.type == "staircase" and _touches(rooms, piece))
    )  # fmt: skip


def _touches(rooms: TableRooms, staircase: Piece) -> bool:
    """A staircase is in nobody's loot and so in no pair; it still lies inside or outside."""
    return bool(shapely.MultiPoint(staircase.footprint_mm).convex_hull.distance(boundary(rooms)) <= 1e-6)


def boundary_json(shape: shapely.Geometry) -> dict[str, Any]:
    """`boundary_mm`, the outer line of the largest part; and all lines, holes included, where there is more to it."""
    parts = [part for part in shapely.get_parts(shape) if part.geom_type == "Polygon" and not part.is_empty]
    parts.sort(key=lambda part: -part.area)
    lines = [[_line(ring) for ring in (part.exterior, *part.interiors)] for part in parts]
    if not lines:  # three points or segments in a row leave a line
        rest = shapely.get_coordinates(shape)
        return {"boundary_mm": [[round(float(x), 3), round(float(y), 3)] for x, y in rest]}
    out: dict[str, Any] = {"boundary_mm": lines[0][0]}
    if len(lines) > 1 or len(lines[0]) > 1:
        out["boundary_parts_mm"] = lines
    return out


def _line(ring: shapely.LinearRing) -> list[list[float]]:
    return [[round(x, 3), round(y, 3)] for x, y in list(ring.coords)[:-1]]
