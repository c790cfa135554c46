"""The table as it is known from all readings so far. Pieces keep their id from reading to reading, a place measured
often is known better, a type is what most readings say: verdicts do not flicker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from companion.pieces import Piece
from companion.problems import Problem
from companion.readings import DropReading
from vision.live.pixels import Difference
from vision.live.unseen import left_unseen
from vision.merge import apart_mm, between, paired, placed_at, transformed
from vision.registration import Similarity, landmarks, registered

Kind = tuple[str, str | None]


@dataclass(frozen=True)
class Remembering:
    """Numbers of this stage."""

    same_mm: float = 5.0  # nearer than two cubes' middles can be
    nudge_mm: float = 15.0  # a cube of the same kind this near to where one vanished was pushed, not exchanged
    ghost_mm: float = 6.0
    longest: int = 8  # readings that a place is averaged over; more would outlive a slow creep of the table
    surest: float = 4.5  # the most that one reading's word weighs, as log odds: 0.989
    believed: float = 0.5  # below this a piece that nobody knew of is a phantom
    exchanged: float = (
        0.8  # as sure must a reading be before a changed place holds another piece instead of a misread one
    )
    patience: int = 2  # readings that may miss a piece before it is held to be a phantom, more where it was seen more
    person: float = 20.0  # log odds that only a person's word reaches: never doubted
    # Of a piece's picture, what a newcomer must have changed: less is its neighbour's shadow or a gleam, unless the
    # reading is sure of it (`exchanged`), for a clear gem changes little.
    arrived_share: float = 0.35
    another_share: float = 0.5  # and what an exchange must have, because nearly every pixel is then another's
    few: int = 4  # pieces: with fewer, a table cannot be recognised by them


NUMBERS: Final = Remembering()
LOST: Final = Problem(
    "other-table",
    "This does not look like the same table any more: put the camera back, or start the table anew.",
)


@dataclass(frozen=True)
class Known:
    """A piece, what all readings say of its kind (log odds), and how many of them its place is averaged over."""

    piece: Piece
    votes: Mapping[Kind, float]
    seen: int = 1
    missed: int = 0


@dataclass(frozen=True)
class Change:
    """What is different on the table. `found`: overlooked before, so nobody put it there just now. `doubted`: most
    readings do not see it, though nobody touched that place, so it was never there. `unseen`: no reading ever had it,
    but something left there together with `removed` ones."""

    added: tuple[Piece, ...] = ()
    removed: tuple[Piece, ...] = ()
    moved: tuple[tuple[Piece, Piece], ...] = ()
    found: tuple[Piece, ...] = ()
    doubted: tuple[Piece, ...] = ()
    unseen: tuple[Piece, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.moved)


@dataclass(frozen=True)
class Memory:
    known: tuple[Known, ...] = ()
    next_number: int = 1
    reading: DropReading = field(default_factory=lambda: DropReading(""))

    @property
    def pieces(self) -> tuple[Piece, ...]:
        return tuple(known.piece for known in self.known)

    @property
    def unsure(self) -> frozenset[str]:
        """Pieces that the last reading missed, or found where nobody had seen one: there or not, they are no evidence.
        Pillars always are: no room can be told without them."""
        return frozenset(one.piece.id for one in self.known if one.missed and one.piece.type != "pillar")


def remembered(
    memory: Memory, reading: DropReading, pixels: Difference, numbers: Remembering = NUMBERS
) -> tuple[Memory, Change]:
    """The memory with one more reading in it, and what changed. `pixels` compares its photo with the
    one before."""
    if not memory.known:
        return _begun(memory, reading)
    similarity = _frame(memory, reading, pixels, numbers)
    if similarity is None:
        return replace(
            memory, reading=replace(reading, pieces=memory.pieces, problems=(*reading.problems, LOST))
        ), Change()
    fresh = [transformed(piece, similarity) for piece in reading.pieces]
    kept: list[Known] = []
    met: list[tuple[int, int]] = []
    for i, j in paired(memory.pieces, fresh, numbers.same_mm):
        changed = pixels.is_changed(fresh[j].outline_px, old=False)
        another = pixels.is_changed(fresh[j].outline_px, old=False, share=numbers.another_share)
        if not _is_other(memory.known[i], fresh[j], changed=another, numbers=numbers):
            met.append((i, j))
            kept.append(_again(memory.known[i], fresh[j], changed=changed, numbers=numbers))
    lost = [known for i, known in enumerate(memory.known) if i not in {i for i, _ in met}]
    new = [piece for j, piece in enumerate(fresh) if j not in {j for _, j in met}]
    known, number, change = _settled(_Sides(kept, lost, new), memory.next_number, pixels, numbers)
    return _with(known, number, reading), change


@dataclass(frozen=True)
class _Sides:
    """Pieces that memory and reading share, and those that only one of the two has."""

    kept: list[Known]
    lost: list[Known]
    new: list[Piece]


def _settled(
    sides: _Sides, number: int, pixels: Difference, numbers: Remembering
) -> tuple[tuple[Known, ...], int, Change]:
    """Pieces that only one side has: gone, overlooked, pushed, put there, or a phantom."""
    gone = [known for known in sides.lost if _is_gone(known, pixels)]
    missed = [_missed(known, pixels) for known in sides.lost if known not in gone]
    doubted = [known for known in missed if _is_phantom(known, numbers)]
    kept = sides.kept + [known for known in missed if known not in doubted]
    arrived = [piece for piece in sides.new if _is_arrival(piece, pixels, numbers)]
    overlooked = [piece for piece in sides.new if piece not in arrived and piece.confidence >= numbers.believed]
    pushed = _pushed(gone, arrived, numbers)
    kept += [_begin(replace(piece, id=known.piece.id)) for known, piece in pushed]
    away, here = [known for known, _ in pushed], [piece for _, piece in pushed]
    added, number = _named([p for p in arrived if p not in here and not _ghost(p, kept, numbers)], number)
    found, number = _named([p for p in overlooked if not _ghost(p, kept, numbers)], number)
    fresh = [*map(_begin, added), *(replace(_begin(piece), missed=1) for piece in found)]  # missed when it was there
    known = tuple(sorted([*kept, *fresh], key=lambda one: one.piece.id))
    left = tuple(k.piece for k in gone if k not in away)
    change = Change(
        added, left, tuple((k.piece, replace(piece, id=k.piece.id)) for k, piece in pushed), found,
        tuple(k.piece for k in doubted),
        left_unseen(pixels, [k.piece for k in gone], [one.piece for one in known]) if left else (),
    )  # fmt: skip
    return known, number, change


def _begun(memory: Memory, reading: DropReading) -> tuple[Memory, Change]:
    pieces, number = _named(reading.pieces, memory.next_number)
    return _with(tuple(map(_begin, pieces)), number, reading), Change(found=pieces)


def _with(known: tuple[Known, ...], number: int, reading: DropReading) -> Memory:
    error_mm = reading.error_mm
    if error_mm is not None and known:
        # Averaging takes away what trembles from reading to reading; what the camera's place does to all of them stays.
        error_mm *= float(np.sqrt(0.5 + 0.5 / np.median([one.seen for one in known])))
    pieces = tuple(one.piece for one in known)
    return Memory(known, number, replace(reading, pieces=pieces, error_mm=error_mm))


def _frame(memory: Memory, reading: DropReading, pixels: Difference, numbers: Remembering) -> Similarity | None:
    """How the reading's millimetres become the memory's: the table may have been bumped since."""
    found = registered(landmarks(memory.pieces), landmarks(reading.pieces))
    if found is not None:
        return found.similarity
    still = pixels.comparable and pixels.moved is None
    few = min(len(memory.pieces), len(reading.pieces)) < numbers.few
    return Similarity() if still or few else None


def _is_other(known: Known, piece: Piece, *, changed: bool, numbers: Remembering) -> bool:
    return changed and piece.confidence >= numbers.exchanged and _kind(piece) != _kind(known.piece)


def _again(known: Known, piece: Piece, *, changed: bool, numbers: Remembering) -> Known:
    """Seen once more. Where its pixels changed, it may have been touched: its old place counts no longer."""
    seen = 1 if changed else min(known.seen + 1, numbers.longest)
    votes = dict(known.votes)
    votes[_kind(piece)] = votes.get(_kind(piece), 0.0) + _log_odds(piece.confidence, numbers)
    kind = max(votes, key=lambda kind: votes[kind])
    place = piece.center_mm
    if known.piece.center_mm is not None and piece.center_mm is not None:
        place = between(piece.center_mm, known.piece.center_mm, 1 / seen)
    against = sum(value for other, value in votes.items() if other != kind)
    odds = float(np.exp(np.clip(votes[kind] - against, -20, 20)))
    told = replace(piece, id=known.piece.id, type=kind[0], size=kind[1], confidence=min(0.999, odds / (1 + odds)))
    return Known(placed_at(told, place), votes, seen)


def _missed(known: Known, pixels: Difference) -> Known:
    """Not read this time though it is there, or under a hand: remembered where the new photo would show it."""
    piece = known.piece
    if pixels.moved is not None and piece.center_px is not None:
        outline = tuple(pixels.to_new(point) for point in piece.outline_px)
        piece = replace(piece, center_px=pixels.to_new(piece.center_px), outline_px=outline)
    return replace(known, piece=piece, missed=known.missed + 1)


def _is_arrival(piece: Piece, pixels: Difference, numbers: Remembering) -> bool:
    if piece.confidence < numbers.believed:
        return False
    if piece.confidence >= numbers.exchanged:
        return pixels.is_changed(piece.outline_px, old=False)
    return pixels.is_changed(piece.outline_px, old=False, share=numbers.arrived_share)


def _is_phantom(known: Known, numbers: Remembering) -> bool:
    return known.missed >= max(numbers.patience, known.seen) and max(known.votes.values()) < numbers.person


def _is_gone(known: Known, pixels: Difference) -> bool:
    outline = known.piece.outline_px
    return pixels.is_changed(outline, old=True) and not pixels.is_covered(outline, old=True)


def _pushed(gone: Sequence[Known], arrived: Sequence[Piece], numbers: Remembering) -> list[tuple[Known, Piece]]:
    """The nearest pairs of one kind, nearest first."""
    near = sorted(
        (
            (apart_mm(known.piece.center_mm, piece.center_mm), i, j)
            for i, known in enumerate(gone)
            for j, piece in enumerate(arrived)
            if known.piece.center_mm and piece.center_mm and _kind(known.piece) == _kind(piece)
        ),
    )
    out: list[tuple[int, int]] = []
    for away_mm, i, j in near:
        if away_mm <= numbers.nudge_mm and i not in {i for i, _ in out} and j not in {j for _, j in out}:
            out.append((i, j))
    return [(gone[i], arrived[j]) for i, j in out]


def _ghost(piece: Piece, kept: Sequence[Known], numbers: Remembering) -> bool:
    return piece.resting != "stacked" and any(
        piece.center_mm and one.piece.center_mm and apart_mm(piece.center_mm, one.piece.center_mm) < numbers.ghost_mm
        for one in kept
    )


def _named(pieces: Sequence[Piece], number: int) -> tuple[tuple[Piece, ...], int]:
    """Ids are never used twice in a game: a piece that left and one that came are not the same."""
    return tuple(replace(p, id=f"p{n:02}") for n, p in enumerate(pieces, number)), number + len(pieces)


def _begin(piece: Piece) -> Known:
    return Known(piece, {_kind(piece): _log_odds(piece.confidence, NUMBERS)})


def _log_odds(confidence: float, numbers: Remembering) -> float:
    bounded = min(max(confidence, 1e-3), 1 - 1e-3)
    return float(np.clip(np.log(bounded / (1 - bounded)), 0.05, numbers.surest))


def _kind(piece: Piece) -> Kind:
    return piece.type, piece.size
