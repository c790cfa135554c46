"""What changed between two looks at a table: which piece is which, what is gone, new, moved or read as something else.

Every reading has an origin of its own, so the later look is first laid over the earlier one: pillars are never taken
and seldom moved, and two of them fix the whole table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np

from companion.games.dungeon_drop.shapes import Bools, Floats, Ints
from companion.pieces import Piece

# A piece found again this close is the same piece: half a small cube, more than any reader's error, less than the room
# that two cubes need side by side.
SAME_MM: Final = 5.0
# Two pillars as far apart in both looks, up to this, may be the same two.
_SPAN_MM: Final = 3.0
# Looks already agree where this share of the pillars is found in place; then nothing is turned or shifted.
_ALIGNED_SHARE: Final = 0.6


@dataclass(frozen=True)
class Change:
    """Two looks compared. Pieces of the later look are in the earlier one's frame."""

    same: tuple[tuple[Piece, Piece], ...]  # before and after; the type may have been read differently
    gone: tuple[Piece, ...]  # of the earlier look
    new: tuple[Piece, ...]  # of the later look
    moved: tuple[tuple[Piece, Piece], ...]  # one gone and one new of the same type and size
    aligned: bool  # whether enough pillars were found again

    @property
    def retyped(self) -> tuple[tuple[Piece, Piece], ...]:
        return tuple((was, now) for was, now in self.same if was.type != now.type)


def changes(before: Sequence[Piece], after: Sequence[Piece]) -> Change:
    """Pieces without a footprint are left out: nobody can say where they went."""
    before = [piece for piece in before if piece.footprint_mm]
    after = [piece for piece in after if piece.footprint_mm]
    after, aligned = _laid_over(before, after)
    pairs = _matched(before, after)
    found_before, found_after = {i for i, _ in pairs}, {j for _, j in pairs}
    gone = [piece for i, piece in enumerate(before) if i not in found_before]
    new = [piece for j, piece in enumerate(after) if j not in found_after]
    moved = _moved(gone, new)
    return Change(
        same=tuple((before[i], after[j]) for i, j in pairs),
        gone=tuple(piece for piece in gone if all(piece is not was for was, _ in moved)),
        new=tuple(piece for piece in new if all(piece is not now for _, now in moved)),
        moved=tuple(moved), aligned=aligned,
    )  # fmt: skip


def _moved(gone: Sequence[Piece], new: Sequence[Piece]) -> list[tuple[Piece, Piece]]:
    """A small cube that appears was flicked or dropped again: the box holds large ones only. Nearest first."""
    wanted = [now for now in new if now.size == "S" and now.type not in ("potion", "meeple")]
    options = sorted(
        (
            (float(np.linalg.norm(middle(was) - middle(now))), i, j)
            for j, now in enumerate(wanted)
            for i, was in enumerate(gone)
            if (was.type, was.size) == (now.type, now.size)
        )
    )
    pairs: list[tuple[Piece, Piece]] = []
    taken: tuple[set[int], set[int]] = (set(), set())
    for _, i, j in options:
        if i not in taken[0] and j not in taken[1]:
            pairs.append((gone[i], wanted[j]))
            taken[0].add(i)
            taken[1].add(j)
    return pairs


def middle(piece: Piece) -> Floats:
    return np.asarray(np.mean(piece.footprint_mm, axis=0))


def _middles(pieces: Sequence[Piece]) -> Floats:
    return np.array([middle(piece) for piece in pieces]).reshape(-1, 2)


def _matched(before: Sequence[Piece], after: Sequence[Piece]) -> list[tuple[int, int]]:
    """Nearest pairs first, each piece once; of two as near, the one of the same type."""
    if not before or not after:
        return []
    apart = np.linalg.norm(_middles(before)[:, None] - _middles(after)[None], axis=2)
    other = np.array([[was.type != now.type for now in after] for was in before])
    rows, columns = np.nonzero(apart <= SAME_MM)
    order = np.argsort(apart[rows, columns] + SAME_MM / 2 * other[rows, columns], kind="stable")
    pairs: dict[int, int] = {}
    used: set[int] = set()
    for i, j in zip(rows[order].tolist(), columns[order].tolist(), strict=True):
        if i not in pairs and j not in used:
            pairs[i] = j
            used.add(j)
    return sorted(pairs.items())


def _laid_over(before: Sequence[Piece], after: Sequence[Piece]) -> tuple[list[Piece], bool]:
    here = _middles([piece for piece in before if piece.type == "pillar"])
    there = _middles([piece for piece in after if piece.type == "pillar"])
    needed = _ALIGNED_SHARE * min(len(here), len(there))
    if min(len(here), len(there)) < 2 or _hits(here, there[None]).max() >= needed:
        return list(after), min(len(here), len(there)) >= 2
    turn, shift = _best_turn(here, there)
    if _hits(here, (there @ turn.T + shift)[None]).max() < max(needed, 3):
        return list(after), False
    return [_turned(piece, turn, shift) for piece in after], True


def _hits(here: Floats, candidates: Floats) -> Ints:
    """Of each candidate set of points, how many of `here` are found in it."""
    apart = np.linalg.norm(here[None, :, None] - candidates[:, None], axis=3)
    found: Bools = apart.min(axis=2) <= SAME_MM
    return np.asarray(found.sum(axis=1))


def _best_turn(here: Floats, there: Floats) -> tuple[Floats, Floats]:
    """The turn and shift that brings most pillars of `there` onto `here`: every two pillars that could be the same two
    are tried, then all that fit are averaged."""
    ours = np.array(list(combinations(range(len(here)), 2)))
    theirs = np.array([pair for a, b in combinations(range(len(there)), 2) for pair in ((a, b), (b, a))])
    our_span, their_span = here[ours[:, 1]] - here[ours[:, 0]], there[theirs[:, 1]] - there[theirs[:, 0]]
    alike = np.abs(np.linalg.norm(our_span, axis=1)[:, None] - np.linalg.norm(their_span, axis=1)[None]) <= _SPAN_MM
    i, j = np.nonzero(alike)
    if not len(i):
        return np.eye(2), np.zeros(2)
    angle = np.arctan2(our_span[i, 1], our_span[i, 0]) - np.arctan2(their_span[j, 1], their_span[j, 0])
    turns = np.stack([np.stack([np.cos(angle), -np.sin(angle)], -1), np.stack([np.sin(angle), np.cos(angle)], -1)], 1)
    middle_here = (here[ours[i, 0]] + here[ours[i, 1]]) / 2
    middle_there = (there[theirs[j, 0]] + there[theirs[j, 1]]) / 2
    shifts = middle_here - np.einsum("nab,nb->na", turns, middle_there)
    best, most = 0, -1
    for start in range(0, len(i), 512):
        chunk = slice(start, start + 512)
        hits = _hits(here, np.einsum("nab,pb->npa", turns[chunk], there) + shifts[chunk, None])
        if int(hits.max()) > most:
            best, most = start + int(hits.argmax()), int(hits.max())
    return _refined(here, there, turns[best], shifts[best])


def _refined(here: Floats, there: Floats, turn: Floats, shift: Floats) -> tuple[Floats, Floats]:
    """The least-squares turn and shift over the pillars that were found."""
    laid = there @ turn.T + shift
    apart = np.linalg.norm(here[:, None] - laid[None], axis=2)
    i, j = np.nonzero((apart <= SAME_MM) & (apart == apart.min(axis=1, keepdims=True)))
    if len(i) < 2:
        return turn, shift
    a, b = here[i] - here[i].mean(axis=0), there[j] - there[j].mean(axis=0)
    angle = np.arctan2((b[:, 0] * a[:, 1] - b[:, 1] * a[:, 0]).sum(), (a * b).sum())
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return turn, here[i].mean(axis=0) - turn @ there[j].mean(axis=0)


def _turned(piece: Piece, turn: Floats, shift: Floats) -> Piece:
    outline = np.array(piece.footprint_mm) @ turn.T + shift
    return replace(piece, footprint_mm=tuple((float(x), float(y)) for x, y in outline), center_mm=None)
