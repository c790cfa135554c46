"""One piece and one room, close up: in, out, or too close to call, with the gap and where it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely

from companion.errors import InvalidInput
from companion.games.dungeon_drop.boundary import hull_outline
from companion.games.dungeon_drop.house import STANDARD, HouseRules
from companion.games.dungeon_drop.rooms import TOUCH_MM, doubt_mm
from companion.games.dungeon_drop.shapes import Floats, Shapes, convex_shapes
from companion.pieces import Outline, Piece, Point


@dataclass(frozen=True)
class Verdict:
    """How a piece lies to a room. The gap is negative inside: minus the shortest move that would take it out."""

    piece: str
    gap_mm: float
    says: str  # inside, outside, or too-close
    counts_as_in: bool
    hull_mm: Outline
    on_hull_mm: Point  # the two points between which the gap is measured
    on_piece_mm: Point

    @property
    def sentence(self) -> str:
        """
        >>> Verdict("p09", -1.24, "inside", True, (), (0, 0), (0, 1)).sentence
        'p09 is inside, by 1.2 mm.'
        """
        if self.says == "too-close":
            ruling = f"it counts as {'in' if self.counts_as_in else 'out'} unless the table says otherwise"
            return f"{self.piece} is too close to call, at {abs(self.gap_mm):.1f} mm: {ruling}."
        return f"{self.piece} is {self.says}, by {abs(self.gap_mm):.1f} mm."

    def as_json(self) -> dict[str, Any]:
        return {
            "piece": self.piece, "gap_mm": round(self.gap_mm, 3), "says": self.says, "counts_as_in": self.counts_as_in,
            "hull_mm": [list(point) for point in self.hull_mm],
            "on_hull_mm": list(self.on_hull_mm), "on_piece_mm": list(self.on_piece_mm), "sentence": self.sentence,
        }  # fmt: skip


def verdict(
    pillars: Sequence[Piece], piece: Piece, error_mm: float | None = None, rules: HouseRules = STANDARD
) -> Verdict:
    """The piece against the room of these three pillars.

    >>> square = lambda x, y: ((x, y), (x + 8, y), (x + 8, y + 8), (x, y + 8))
    >>> room = [Piece(f"p{x}{y}", "pillar", "S", footprint_mm=square(x, y)) for x, y in [(0, 0), (90, 0), (0, 90)]]
    >>> verdict(room, Piece("g", "gold", "S", footprint_mm=square(40, -10.5))).sentence
    'g is outside, by 2.5 mm.'
    """
    if len(pillars) != 3 or not piece.footprint_mm or not all(pillar.footprint_mm for pillar in pillars):
        raise InvalidInput("a verdict needs three pillars and a piece, all with a footprint")
    hull = hull_outline(pillars)
    gap, on_hull, on_piece = _measured(convex_shapes([hull]), convex_shapes([piece.footprint_mm]))
    doubt = float(doubt_mm([piece], error_mm, rules)[0])
    inside, close = gap <= TOUCH_MM, abs(gap) <= doubt and doubt > 0
    says = "too-close" if close else "inside" if inside else "outside"
    counts = (inside or rules.doubt_counts_as_in) if close else inside
    return Verdict(piece.id, gap, says, counts, hull, on_hull, on_piece)


def _measured(hull: Shapes, piece: Shapes) -> tuple[float, Point, Point]:
    """The signed gap and its two ends, one on the hull and one on the piece."""
    ours, theirs = hull.corners_mm[0], piece.corners_mm[0]
    between = shapely.shortest_line(shapely.MultiPoint(ours).convex_hull, shapely.MultiPoint(theirs).convex_hull)
    if between.length > TOUCH_MM:
        (x, y), (u, v) = between.coords
        return float(between.length), (x, y), (u, v)
    edges, faces = hull.normals[0], -piece.normals[0]
    past_edges = (edges @ theirs.T).min(axis=1) - (edges @ ours.T).max(axis=1)
    past_faces = (faces @ theirs.T).min(axis=1) - (faces @ ours.T).max(axis=1)
    if past_edges.max() >= past_faces.max():  # out over one of the room's edges: the piece's deepest corner leaves last
        gap, way = _largest(past_edges, edges)
        corner = theirs[(theirs @ way).argmin()]
        return gap, _point(corner - gap * way), _point(corner)
    gap, way = _largest(past_faces, faces)
    corner = ours[(ours @ way).argmax()]
    return gap, _point(corner), _point(corner + gap * way)


def _largest(values: Floats, directions: Floats) -> tuple[float, Floats]:
    best = int(values.argmax())
    return min(0.0, float(values[best])), np.asarray(directions[best])


def _point(values: Floats) -> Point:
    return float(values[0]), float(values[1])
