"""The table cut into tiles of few pieces each, so that a room is compared only with the tiles it comes near."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from companion.games.dungeon_drop.shapes import Floats, Ints

# A tile's pieces are judged together, one byte a piece and edge: cheaper than sorting them out any finer.
_MOST_PIECES = 96


def tiles(boxes_mm: Floats, pieces: Ints) -> Iterator[tuple[Ints, Floats]]:
    """Groups of neighbouring pieces and the box around each group: halved across the longer side until small enough.

    >>> corners = np.array([[x, 0.0, x + 1.0, 1.0] for x in range(100)])
    >>> [(len(group), box.tolist()) for group, box in tiles(corners, np.arange(100))]
    [(50, [0.0, 0.0, 50.0, 1.0]), (50, [50.0, 0.0, 100.0, 1.0])]
    """
    if not len(pieces):
        return
    low, high = boxes_mm[pieces, :2].min(axis=0), boxes_mm[pieces, 2:].max(axis=0)
    if len(pieces) <= _MOST_PIECES:
        yield pieces, np.concatenate([low, high])
        return
    axis = int((high - low).argmax())
    order = pieces[np.argsort(boxes_mm[pieces, axis], kind="stable")]
    yield from tiles(boxes_mm, order[: len(order) // 2])
    yield from tiles(boxes_mm, order[len(order) // 2 :])
