"""The signed gap (see shapes.py) between every room and the pieces near it, and each room's margin.

Cost grows with rooms times pieces near them: a room is compared only with tiles of the table that it comes near, the
hull's edges settle most pieces there at one byte each, and only pieces close to the line get the exact treatment.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.games.dungeon_drop.hulls import Hulls, HullTable
from companion.games.dungeon_drop.nearby import tiles
from companion.games.dungeon_drop.shapes import Bools, Floats, Ints, Shapes, units

# Pieces nearer to the line than this are measured at once; wide enough that five rooms in six find their nearest piece
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
    if len(blocks) == 1:
        return blocks[0]
    return Gaps(
        np.concatenate([block.room + number * _BLOCK for number, block in enumerate(blocks)]),
        np.concatenate([block.piece for block in blocks]),
        np.concatenate([block.gap_mm for block in blocks]),
        np.concatenate([block.margin_mm for block in blocks]),
    )


class _Ruler:
    """Measures the rooms of one table, tile by tile; a tile that no room comes near costs nothing."""

    def __init__(self, shapes: Shapes, pillars: Ints, counts: Bools) -> None:
        self.shapes, self.pillars = shapes, pillars
        self.hull_table = HullTable(shapes[pillars])
        boxes = shapes.boxes_mm()
        self.post_boxes = boxes[pillars]
        self.table_mm = float(np.ptp(shapes.corners_mm, axis=(0, 1)).sum())
        self.bluntness = shapes[pillars].bluntness()
        self.cuts = list(tiles(boxes, np.flatnonzero(counts)))
        self.known: dict[int, _Tile] = {}

    def block(self, triples: Ints, reach_mm: float) -> Gaps:
        """Looks farther and farther out until each room has met its nearest piece, or all of them."""
        hulls = self.hull_table.hulls(triples)
        reach = max(_FIRST_REACH_MM, reach_mm)
        found = self._look(hulls, np.arange(len(triples)), reach)
        margin = found.margin_mm
        while reach < self.table_mm and len(open_rooms := np.flatnonzero(margin > reach)):
            reach *= 4
            margin[open_rooms] = self._look(hulls, open_rooms, reach).margin_mm[open_rooms]
        return found

    def _look(self, hulls: Hulls, rooms: Ints, reach: float) -> Gaps:
        """Every piece inside these rooms or within reach of them."""
        first, second, third = self.post_boxes[hulls.triples[rooms].T]
        low = np.minimum(np.minimum(first, second), third)[:, :2] - reach
        high = np.maximum(np.maximum(first, second), third)[:, 2:] + reach
        margin = np.full(len(hulls.triples), np.inf)
        pairs = []
        for number, (_, box) in enumerate(self.cuts):
            meets = (low <= box[2:]) & (high >= box[:2])
            near = rooms[meets[:, 0] & meets[:, 1]]
            if len(near):
                pairs.append(self._tile(number).look(hulls, near, reach))
        room, piece, gap = _joined(pairs)
        np.minimum.at(margin, room, np.abs(gap))
        return Gaps(room, piece, gap, margin)

    def _tile(self, number: int) -> _Tile:
        if number not in self.known:
            self.known[number] = _Tile(self.shapes, self.pillars, self.cuts[number][0], self.hull_table, self.bluntness)
        return self.known[number]


def _joined(pairs: list[tuple[Ints, Ints, Floats]]) -> tuple[Ints, Ints, Floats]:
    """The tiles' pairs as one, sorted by room."""
    if not pairs:
        return np.zeros(0, np.intp), np.zeros(0, np.intp), np.zeros(0)
    if len(pairs) == 1:
        return pairs[0]
    room, piece, gap = (np.concatenate(column) for column in zip(*pairs, strict=True))
    order = np.argsort(room, kind="stable")
    return room[order], piece[order], gap[order]


class _Tile:
    """The tables that all rooms share for the pieces of one tile."""

    def __init__(self, shapes: Shapes, pillars: Ints, pieces: Ints, hull_table: HullTable, bluntness: float) -> None:
        self.pieces = pieces
        self.posts = shapes.corners_mm[pillars]
        ours = shapes[pieces]
        self.corners = ours.corners_mm
        low_mm = -ours.supports_mm(-hull_table.directions)
        self.past_edges_mm = low_mm.T - hull_table.edge_mm[:, None]  # (directions, pieces)
        self.past_faces_mm, inner = _past_faces(ours, self.posts)
        outer = np.hypot(*np.moveaxis(self.corners - self.corners.mean(axis=1, keepdims=True), -1, 0)).max(axis=1)
        # Where a piece and a room only touch, the piece's middle is at least `inner` from the room. Some edge of the
        # room is then at least that times the bluntness of its corners away from the middle, and the piece reaches back
        # past that edge by less than `outer`: what every edge says is deeper than this is deep inside.
        self.slack_mm = outer - bluntness * inner
        self.nearest_mm2, self.line = _nearest_corners(self.posts, self.corners)
        column = np.full(len(shapes), -1)
        column[pieces] = np.arange(len(pieces))
        self.pillar_columns = column[pillars]

    def look(self, hulls: Hulls, rooms: Ints, reach: float) -> tuple[Ints, Ints, Floats]:
        """Rooms, pieces and gaps of all pairs inside or within reach; minus infinity for pieces deep inside."""
        room, column, close = self._not_beyond(hulls, rooms, reach)
        gap = np.full(len(room), -np.inf)
        gap[close] = self._exact(hulls, room[close], column[close])
        kept = np.flatnonzero(gap <= reach)
        return room.take(kept), self.pieces.take(column.take(kept)), gap.take(kept)

    def _not_beyond(self, hulls: Hulls, rooms: Ints, reach: float) -> tuple[Ints, Ints, Ints]:
        """Rooms and pieces that no edge parts, but a room's own pillars; and which pairs are close."""
        past = self.past_edges_mm
        says = _BEYOND * (past > reach) + _CLOSE * (past >= -(self.slack_mm + reach))
        edges = hulls.edges if len(rooms) == hulls.edges.shape[1] else hulls.edges[:, rooms]
        said = says.take(edges[0], axis=0)
        one = np.empty_like(said)
        for edge in edges[1:]:
            said |= says.take(
                edge, axis=0, out=one, mode="clip"
            )  # no index is out of range, and clip asks no questions
        own = self.pillar_columns[hulls.triples[rooms]]
        row, post = np.nonzero(own >= 0)
        said[row, own[row, post]] = _BEYOND
        inside = (said & _BEYOND) == 0
        numbers = np.count_nonzero(inside, axis=1)
        kept = np.flatnonzero(inside)
        column = kept - np.repeat(np.arange(len(rooms)) * len(self.pieces), numbers)
        return np.repeat(rooms, numbers), column, np.flatnonzero(said.ravel()[kept] == _CLOSE)

    def _exact(self, hulls: Hulls, room: Ints, column: Ints) -> Floats:
        """The largest s(u) over the hull's edges, the piece's faces, and, where apart, the line of nearest corners."""
        past, count = self.past_edges_mm.ravel(), len(self.pieces)
        gap = np.full(len(room), -np.inf)
        for edge in hulls.edges:
            gap = np.maximum(gap, past.take(edge.take(room) * count + column))
        triple = hulls.triples.take(room, axis=0)
        first, second, third = (triple * count).T + column
        for faces in self.past_faces_mm.reshape(len(self.past_faces_mm), -1):
            gap = np.maximum(gap, np.minimum(np.minimum(faces.take(first), faces.take(second)), faces.take(third)))
        apart = np.flatnonzero(gap > -1e-9)
        gap[apart] = np.maximum(gap[apart], self._between_corners(triple[apart], column[apart]))
        return gap

    def _between_corners(self, triple: Ints, column: Ints) -> Floats:
        """s(u) along the line from the nearest corner of the three pillars to the nearest of the piece."""
        nearest = triple[np.arange(len(triple)), self.nearest_mm2[triple.T, column].argmin(axis=0)]
        x, y = self.line[nearest, column].T[:, :, None]
        ours, theirs = self.corners[column], self.posts[triple].reshape(len(triple), 3 * self.posts.shape[1], 2)
        low = (ours[:, :, 0] * x + ours[:, :, 1] * y).min(axis=1, initial=np.inf)
        high = (theirs[:, :, 0] * x + theirs[:, :, 1] * y).max(axis=1, initial=-np.inf)
        return np.asarray(low - high)


def _past_faces(shapes: Shapes, posts: Floats) -> tuple[Floats, Floats]:
    """(v, pillars, pieces): how far each pillar lies past each face of each piece; and the pieces' inner radii."""
    count, corners = shapes.corners_mm.shape[:2]
    normals = np.swapaxes(shapes.normals, 0, 1)
    along = (normals.reshape(-1, 2) @ posts.transpose(1, 0, 2).reshape(-1, 2).T).reshape(
        corners, count, *posts.shape[1::-1]
    )
    own = (normals * np.swapaxes(shapes.corners_mm, 0, 1)).sum(axis=-1)
    middle = (normals * shapes.corners_mm.mean(axis=1)).sum(axis=-1)
    past = along.min(axis=2) - own[:, :, None]
    return np.ascontiguousarray(np.swapaxes(past, 1, 2)), (own - middle).min(axis=0)


def _nearest_corners(posts: Floats, corners: Floats) -> tuple[Floats, Floats]:
    """Of every pillar and piece, the squared distance of their nearest corners, and the unit vector between them."""
    (pillars, ours), (pieces, theirs) = posts.shape[:2], corners.shape[:2]
    across, along = (np.subtract.outer(posts[..., axis].ravel(), corners[..., axis].ravel()) for axis in (0, 1))
    squared = (across * across + along * along).reshape(pillars, ours, pieces, theirs)
    squared = np.swapaxes(squared, 1, 2).reshape(pillars * pieces, ours * theirs)
    nearest = squared.argmin(axis=1)
    pillar, piece = np.divmod(np.arange(pillars * pieces), pieces)
    line = corners[piece, nearest % theirs] - posts[pillar, nearest // theirs]
    least = squared[np.arange(len(squared)), nearest]
    return least.reshape(pillars, pieces), units(line).reshape(pillars, pieces, 2)
