"""The signed gap (see shapes.py) between every room and the pieces near it, and each room's margin.

Cost grows with rooms times pieces near them: a room is compared only with tiles of the table that it comes near, the
hull's edges settle most pieces there at one byte each, and only pieces close to the line get the exact treatment.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.games.dungeon_drop.hulls import Hulls, HullTable
from companion.games.dungeon_drop.nearby import tiles
from companion.games.dungeon_drop.shapes import Bools, Floats, Ints, Shapes, units

# Pieces nearer to the line than this are measured at once; wide enough that nearly every room finds its nearest piece
# on the first look, narrow enough that few pieces are measured in vain.
_FIRST_REACH_MM = 3.0
# Rooms handled at a time: bounds memory at some tens of MB however many pillars there are.
_BLOCK = 4096
# What one edge says of a piece: beyond it by more than the reach, or so near to it that it must be measured.
_BEYOND, _CLOSE = np.uint8(1), np.uint8(2)


@dataclass(frozen=True)
class Gaps:
    """Pairs of a room and a piece that is inside it or within reach, sorted by room; and the rooms' margins."""

    room: Ints
    piece: Ints
    gap_mm: Floats  # exact near the line; minus infinity for pieces deep inside
    margin_mm: Floats  # (rooms,), infinite where there is no other piece


def measured(shapes: Shapes, pillars: Ints, triples: Ints, counts: Bools, reach_mm: float) -> Gaps:
    """Gaps of all pieces to the rooms of `triples` (rows of `pillars`), exact up to `reach_mm` at least.

    `counts` marks the pieces whose side of the line matters; the others are left out.
    """
    if not len(triples):
        return Gaps(np.zeros(0, np.intp), np.zeros(0, np.intp), np.zeros(0), np.zeros(0))
    ruler = _Ruler(shapes, pillars, counts)
    blocks = [ruler.block(triples[start : start + _BLOCK], reach_mm) for start in range(0, len(triples), _BLOCK)]
    room = np.concatenate([block.room + number * _BLOCK for number, block in enumerate(blocks)])
    order = np.argsort(room, kind="stable")
    return Gaps(
        room[order],
        np.concatenate([block.piece for block in blocks])[order],
        np.concatenate([block.gap_mm for block in blocks])[order],
        np.concatenate([block.margin_mm for block in blocks]),
    )


class _Ruler:
    """The tables that all rooms of one table share."""

    def __init__(self, shapes: Shapes, pillars: Ints, counts: Bools) -> None:
        self.shapes, self.pillars = shapes, pillars
        posts = shapes[pillars]
        self.posts = posts.corners_mm
        self.hull_table = HullTable(posts)
        corners = shapes.corners_mm
        low_mm = -shapes.supports_mm(-self.hull_table.directions)
        self.past_edges_mm = low_mm.T - self.hull_table.edge_mm[:, None]  # (directions, pieces)
        self.past_faces_mm, inner = _past_faces(shapes, self.posts)
        outer = np.hypot(*np.moveaxis(corners - corners.mean(axis=1, keepdims=True), -1, 0)).max(axis=1)
        # A piece's own faces part it from a room by at most this less than the room's edges do.
        self.slack_mm = outer - inner
        self.nearest_mm2, self.line = _nearest_corners(self.posts, corners)
        boxes = shapes.boxes_mm()
        self.post_boxes = boxes[pillars]
        self.tiles = list(tiles(boxes, np.flatnonzero(counts)))

    def block(self, triples: Ints, reach_mm: float) -> Gaps:
        """Looks farther and farther out until each room has met its nearest piece, or all of them."""
        hulls = self.hull_table.hulls(triples)
        reach = max(_FIRST_REACH_MM, reach_mm)
        found = self._look(hulls, np.arange(len(triples)), reach)
        margin = found.margin_mm.copy()
        table_mm = float(np.ptp(self.shapes.corners_mm, axis=(0, 1)).sum())
        while reach < table_mm and len(open_rooms := np.flatnonzero(margin > reach)):
            reach *= 4
            margin[open_rooms] = self._look(hulls, open_rooms, reach).margin_mm[open_rooms]
        return Gaps(found.room, found.piece, found.gap_mm, margin)

    def _look(self, hulls: Hulls, rooms: Ints, reach: float) -> Gaps:
        """Every piece inside these rooms or within reach of them."""
        past = self.past_edges_mm
        says = _BEYOND * (past > reach) + _CLOSE * (past >= -(self.slack_mm + reach))
        boxes = self.post_boxes[hulls.triples[rooms]]
        low, high = boxes[:, :, :2].min(axis=1) - reach, boxes[:, :, 2:].max(axis=1) + reach
        pairs = []
        for pieces, box in self.tiles:
            near = rooms[((low <= box[2:]) & (high >= box[:2])).all(axis=1)]
            pairs.append(self._in_tile(hulls, near, pieces, says))
        room, piece, close = (np.concatenate(column) for column in zip(*pairs, strict=True)) if pairs else _NOTHING
        gap = np.full(len(room), -np.inf)
        gap[close] = self._exact(hulls, room[close], piece[close])
        margin = np.full(len(hulls.triples), np.inf)
        np.minimum.at(margin, room[close], np.abs(gap[close]))
        kept = np.flatnonzero(gap <= reach)
        return Gaps(room[kept], piece[kept], gap[kept], margin)

    def _in_tile(self, hulls: Hulls, rooms: Ints, pieces: Ints, says: NDArray[np.uint8]) -> tuple[Ints, Ints, Bools]:
        """Pairs of these rooms and pieces that no edge parts, but a room's own pillars; and which of them are close."""
        here = says if len(pieces) == says.shape[1] else says[:, pieces]
        edges = hulls.edges[rooms]
        said = here[edges[:, 0]]
        for edge in range(1, edges.shape[1]):
            said |= here[edges[:, edge]]
        column = np.full(len(self.shapes), -1)
        column[pieces] = np.arange(len(pieces))
        own = column[self.pillars[hulls.triples[rooms]]]
        row, post = np.nonzero(own >= 0)
        said[row, own[row, post]] = _BEYOND
        flat = said.ravel()
        kept = np.flatnonzero((flat & _BEYOND) == 0)
        row, at = np.divmod(kept, len(pieces))
        return rooms[row], pieces[at], flat[kept] == _CLOSE

    def _exact(self, hulls: Hulls, room: Ints, piece: Ints) -> Floats:
        """The largest s(u) over the hull's edges, the piece's faces, and, where apart, the line of nearest corners."""
        past, count = self.past_edges_mm.ravel(), len(self.shapes)
        gap = np.full(len(room), -np.inf)
        for edge in hulls.edges.T:
            gap = np.maximum(gap, past[edge[room] * count + piece])
        triple = hulls.triples[room]
        first, second, third = (triple * count).T + piece
        for faces in self.past_faces_mm.reshape(-1, len(self.pillars) * count):
            gap = np.maximum(gap, np.minimum(np.minimum(faces[first], faces[second]), faces[third]))
        apart = np.flatnonzero(gap > -1e-9)
        gap[apart] = np.maximum(gap[apart], self._between_corners(triple[apart], piece[apart]))
        return gap

    def _between_corners(self, triple: Ints, piece: Ints) -> Floats:
        """s(u) along the line from the nearest corner of the three pillars to the nearest of the piece."""
        nearest = triple[np.arange(len(triple)), self.nearest_mm2[triple.T, piece].argmin(axis=0)]
        x, y = self.line[nearest, piece].T[:, :, None]
        ours, theirs = (
            self.shapes.corners_mm[piece],
            self.posts[triple].reshape(len(triple), 3 * self.posts.shape[1], 2),
        )
        low = (ours[:, :, 0] * x + ours[:, :, 1] * y).min(axis=1, initial=np.inf)
        high = (theirs[:, :, 0] * x + theirs[:, :, 1] * y).max(axis=1, initial=-np.inf)
        return np.asarray(low - high)


_NOTHING = (np.zeros(0, np.intp), np.zeros(0, np.intp), np.zeros(0, np.bool_))


def _past_faces(shapes: Shapes, posts: Floats) -> tuple[Floats, Floats]:
    """(v, pillars, pieces): how far each pillar lies past each face of each piece; and the pieces' inner radii."""
    count, corners = shapes.corners_mm.shape[:2]
    normals = np.swapaxes(shapes.normals, 0, 1)
    along = (normals.reshape(-1, 2) @ posts.transpose(1, 0, 2).reshape(-1, 2).T).reshape(
        corners, count, *posts.shape[1::-1]
    )
    own = (normals[:, :, None, :] * shapes.corners_mm[None]).sum(axis=-1).max(axis=-1)
    middle = (normals * shapes.corners_mm.mean(axis=1)).sum(axis=-1)
    past = along.min(axis=2) - own[:, :, None]
    return np.ascontiguousarray(np.swapaxes(past, 1, 2)), (own - middle).min(axis=0)


def _nearest_corners(posts: Floats, corners: Floats) -> tuple[Floats, Floats]:
    """Of every pillar and piece, the squared distance of their nearest corners, and the unit vector between them."""
    (pillars, ours), (pieces, theirs) = posts.shape[:2], corners.shape[:2]
    across = [
        np.subtract.outer(posts[..., axis].ravel(), corners[..., axis].ravel())
        .reshape(pillars, ours, pieces, theirs).swapaxes(1, 2).reshape(pillars * pieces, -1)
        for axis in (0, 1)
    ]  # fmt: skip
    squared = across[0] ** 2 + across[1] ** 2
    rows = np.arange(len(squared))
    nearest = squared.argmin(axis=1) if squared.size else np.zeros(0, np.intp)
    line = units(-np.stack([across[0][rows, nearest], across[1][rows, nearest]], axis=-1))
    return squared[rows, nearest].reshape(pillars, pieces), line.reshape(pillars, pieces, 2)
