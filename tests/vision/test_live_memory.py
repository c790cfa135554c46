"""The table as all readings together know it: what nobody touched stays, whatever one reading says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.pieces import Piece
from companion.readings import DropReading
from vision.live.memory import Memory, remembered
from vision.live.pixels import INCOMPARABLE, Difference


def piece(name: str, kind: str, x: float, y: float = 0.0, confidence: float = 0.95) -> Piece:
    corners = ((x, y), (x + 9, y), (x + 9, y + 9), (x, y + 9))
    pixels = tuple((3 * a + 20, 3 * b + 20) for a, b in corners)
    return Piece(name, kind, "S", confidence, (3 * x + 33, 3 * y + 33), pixels, (x + 4.5, y + 4.5), corners)


TABLE = tuple(
    piece(f"p{n}", kind, x, y)
    for n, (kind, x, y) in enumerate(
        [
            ("gold", 0, 0),
            ("pillar", 40, 0),
            ("goblin", 80, 0),
            ("key", 0, 50),
            ("gem-clear", 40, 55),
            ("pillar", 85, 60),
        ]
    )
)


def reading(*pieces: Piece) -> DropReading:
    return DropReading("table", pieces, "markers", 0.4)


def pixels(*changed: Piece) -> Difference:
    """Nothing is different but the pictures of these pieces."""
    mask = np.zeros((300, 500), np.bool_)
    for one in changed:
        (x, y), (right, low) = np.min(one.outline_px, axis=0).astype(int), np.max(one.outline_px, axis=0).astype(int)
        mask[y : low + 1, x : right + 1] = True
    nothing = np.zeros_like(mask)
    return Difference(mask, nothing, nothing, 1.0)


@pytest.fixture
def memory() -> Memory:
    return remembered(Memory(), reading(*TABLE), INCOMPARABLE)[0]


def without(*kinds: str) -> DropReading:
    return reading(*(one for one in TABLE if one.type not in kinds))


def test_a_cube_missed_where_nothing_changed_is_there_and_unsure_until_it_is_seen_again(memory: Memory) -> None:
    after, change = remembered(memory, without("gem-clear"), pixels())
    assert not change and len(after.pieces) == len(TABLE)
    assert {one.type for one in after.pieces if one.id in after.unsure} == {"gem-clear"}
    again, _ = remembered(after, reading(*TABLE), pixels())
    assert again.unsure == frozenset()


def test_a_missed_pillar_is_evidence_still(memory: Memory) -> None:
    after, change = remembered(memory, without("pillar"), pixels())
    assert not change and after.unsure == frozenset()


def test_a_cube_found_where_nothing_changed_was_overlooked_and_is_unsure(memory: Memory) -> None:
    late = piece("x", "potion", 130)
    after, change = remembered(memory, reading(*TABLE, late), pixels())
    assert [one.type for one in change.found] == ["potion"] and not change.added
    assert {one.type for one in after.pieces if one.id in after.unsure} == {"potion"}


@pytest.mark.parametrize(("confidence", "came"), [(0.95, True), (0.45, False)])
def test_a_newcomer_is_believed_by_its_pixels_and_its_confidence(memory: Memory, confidence: float, came: bool) -> None:
    new = piece("x", "gem-clear", 130, confidence=confidence)
    after, change = remembered(memory, reading(*TABLE, new), pixels(new))
    assert bool(change.added) is came and len(after.pieces) == len(TABLE) + came


def test_what_left_is_gone_and_what_stayed_keeps_its_name(memory: Memory) -> None:
    gold = next(one for one in TABLE if one.type == "gold")
    after, change = remembered(memory, reading(*(replace(one, id="other") for one in TABLE[1:])), pixels(gold))
    assert [one.type for one in change.removed] == ["gold"] and not change.unseen
    assert {one.id for one in after.pieces} < {one.id for one in memory.pieces}
