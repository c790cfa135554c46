"""Two photos of one table, from two sides, made into one reading: cubes hidden in one are seen in the other, and a
place measured twice is known better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from companion.pieces import Piece, Point
from companion.problems import Problem
from companion.readings import DropReading
from vision.registration import Array, Registration, Similarity, landmarks, nearest_pairs, registered


@dataclass(frozen=True)
class Merging:
    """Numbers of this stage."""

    same_mm: float = 5.0  # after registration; two cubes' middles are never nearer than a small side, 8 mm
    unseen: float = 0.45  # factor on the confidence of a piece that the other photo should show and does not
    phantom: float = 0.15  # less sure than this after that, it was never there
    surest: float = 0.999
    usual_error_mm: float = 0.6  # where a reader gave none
    duplicate_mm: float = 6.0  # two solids cannot stand nearer than this: one of them is the other's ghost


NUMBERS: Final = Merging()
OTHER_TABLE: Final = Problem(
    "other-table", "The second photo does not seem to show the same table: take both before anyone moves a cube."
)


def merged(
    one: DropReading,
    two: DropReading,
    markers: tuple[Mapping[int, Array], Mapping[int, Array]] | None = None,
    numbers: Merging = NUMBERS,
) -> DropReading:
    """The first reading, bettered by the second; its frame, its pixels and its ids stay.

    `markers` are the corners of the marker cards in each reading's own millimetres, where both know them.
    """
    here, there = markers or (None, None)
    registration = registered(landmarks(one.pieces, here), landmarks(two.pieces, there))
    if registration is None:
        return replace(one, problems=(*one.problems, OTHER_TABLE))
    similarity = registration.similarity
    moved = [transformed(piece, similarity) for piece in two.pieces]
    pairs = paired(one.pieces, moved, numbers.same_mm)
    weight = _weight(one, two, numbers)
    joined = {i: combined(one.pieces[i], moved[j], weight, numbers) for i, j in pairs}
    first_sees, second_sees = Sight(one.pieces), Sight(moved)
    kept = [joined.get(i) or _alone(piece, second_sees, numbers) for i, piece in enumerate(one.pieces)]
    kept = [piece for piece in kept if piece.confidence >= numbers.phantom]
    used = {j for _, j in pairs}
    rest = [_alone(piece, first_sees, numbers) for j, piece in enumerate(moved) if j not in used]
    fresh = [p for p in rest if p.confidence >= numbers.phantom and not _ghost(p, kept, numbers)]
    pieces = _settled_scale((*kept, *_numbered(fresh, one.pieces, first_sees)), one, two, similarity)
    return DropReading(
        photo=one.photo, pieces=pieces, scale_from=_better_scale(one, two),
        error_mm=_error_mm(one, two, registration, numbers),
        problems=tuple(problem for problem in one.problems if problem.code != "hidden"),
        timings_ms=one.timings_ms,
    )  # fmt: skip


def transformed(piece: Piece, similarity: Similarity) -> Piece:
    """The piece in another frame of millimetres; its pixels stay those of its own photo."""
    if piece.center_mm is None:
        return piece
    points = similarity.apply(np.array([piece.center_mm, *piece.footprint_mm]))
    return replace(piece, center_mm=_point(points[0]), footprint_mm=tuple(_point(point) for point in points[1:]))


def combined(one: Piece, two: Piece, weight: float, numbers: Merging = NUMBERS) -> Piece:
    """One piece seen twice: the place between the two, the kind that more speaks for."""
    same = (one.type, one.size) == (two.type, two.size)
    surer = one if same or one.confidence >= two.confidence else two
    sure, other = max(one.confidence, two.confidence), min(one.confidence, two.confidence)
    if same:
        confidence = 1 - (1 - sure) * (1 - other)
    else:
        for_it, against = sure * (1 - other), other * (1 - sure)
        confidence = for_it / (for_it + against) if for_it + against > 0 else 0.5
    place = one.center_mm
    if one.center_mm is not None and two.center_mm is not None:
        place = between(one.center_mm, two.center_mm, weight)
    moved = placed_at(replace(surer, id=one.id, center_px=one.center_px, outline_px=one.outline_px), place)
    return replace(moved, confidence=min(numbers.surest, confidence))


class Sight:
    """What one photo shows of the table: where a place in mm appears in it, and whether something stands before it."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._pieces = [piece for piece in pieces if piece.center_mm and piece.center_px]
        self._plane: Array | None = None
        if len(self._pieces) >= 4:
            mm = np.array([piece.center_mm for piece in self._pieces], float)
            px = np.array([piece.center_px for piece in self._pieces], float)
            found, _ = cv2.findHomography(mm, px, cv2.RANSAC, 12.0)
            self._plane = None if found is None else np.asarray(found, float)

    def px(self, place_mm: Point) -> Point | None:
        if self._plane is None:
            return None
        x, y, w = self._plane @ (*place_mm, 1.0)
        return float(x / w), float(y / w)

    def could_see(self, piece: Piece) -> bool:
        """False where another piece's picture lies over this place, or it is outside of all that was seen."""
        place = None if piece.center_mm is None else self.px(piece.center_mm)
        if place is None:
            return False
        corners = np.array([other.center_px for other in self._pieces], np.float32)
        if cv2.pointPolygonTest(cv2.convexHull(corners), place, measureDist=False) < 0:
            return False
        return not any(
            cv2.pointPolygonTest(np.array(other.outline_px, np.float32), place, measureDist=False) >= 0
            for other in self._pieces
            if len(other.outline_px) >= 3
        )


def paired(one: Sequence[Piece], two: Sequence[Piece], within_mm: float) -> list[tuple[int, int]]:
    """Pieces of the same kind first, then whatever stands at the same place: a type misread once."""
    here = [i for i, piece in enumerate(one) if piece.center_mm]
    there = [j for j, piece in enumerate(two) if piece.center_mm]
    pairs: list[tuple[int, int]] = []
    for same_kind in (True, False):
        left = [i for i in here if i not in {i for i, _ in pairs}]
        right = [j for j in there if j not in {j for _, j in pairs}]
        first, second = landmarks([one[i] for i in left]), landmarks([two[j] for j in right])
        found = nearest_pairs(first, second.points_mm, second.kinds if same_kind else None, within_mm)
        pairs += [(left[i], right[j]) for i, j in found]
    return pairs


def _alone(piece: Piece, other_photo: Sight, numbers: Merging) -> Piece:
    """Seen in one photo only: fine where the other could not see it, doubtful where it should have."""
    if not other_photo.could_see(piece):
        return piece
    return replace(piece, confidence=piece.confidence * numbers.unseen)


def _ghost(piece: Piece, kept: Sequence[Piece], numbers: Merging) -> bool:
    return any(
        piece.center_mm and other.center_mm and apart_mm(piece.center_mm, other.center_mm) < numbers.duplicate_mm
        and other.resting != "stacked" and piece.resting != "stacked"
        for other in kept
    )  # fmt: skip


def _numbered(fresh: Sequence[Piece], known: Sequence[Piece], sight: Sight) -> list[Piece]:
    """New ids after the known ones, and their place in the first photo, where they are hidden but can be pointed at."""
    taken = {piece.id for piece in known}
    names = (name for number in range(1, 1000) if (name := f"p{number:02}") not in taken)
    places = [None if piece.center_mm is None else sight.px(piece.center_mm) for piece in fresh]
    return [
        replace(piece, id=next(names), outline_px=(), center_px=place)
        for piece, place in zip(fresh, places, strict=True)
    ]


def _weight(one: DropReading, two: DropReading, numbers: Merging) -> float:
    """The first reading's share in a place: by the inverse of its variance."""
    first, second = ((reading.error_mm or numbers.usual_error_mm) ** -2 for reading in (one, two))
    return first / (first + second)


def _error_mm(one: DropReading, two: DropReading, registration: Registration, numbers: Merging) -> float:
    """What the readings claim and what their disagreement shows, in equal parts: each alone can be too hopeful."""
    claimed = sum((reading.error_mm or numbers.usual_error_mm) ** -2 for reading in (one, two)) ** -0.5
    shown = registration.residual_mm / 2  # the mean of two, each of them off by residual / sqrt 2
    return float(np.hypot(claimed, shown) / np.sqrt(2))


def _better_scale(one: DropReading, two: DropReading) -> str | None:
    return "markers" if "markers" in (one.scale_from, two.scale_from) else one.scale_from


def _settled_scale(
    pieces: Sequence[Piece], one: DropReading, two: DropReading, similarity: Similarity
) -> tuple[Piece, ...]:
    """Both readings measured the scale: markers outrank cubes, equals meet half way."""
    firsts, seconds = one.scale_from == "markers", two.scale_from == "markers"
    share = 0.5 if firsts == seconds else float(seconds)
    factor = similarity.scale**-share  # the second table was stretched by scale to fit the first
    return tuple(transformed(piece, Similarity(factor)) for piece in pieces)


def between(one: Point, two: Point, weight: float) -> Point:
    return weight * one[0] + (1 - weight) * two[0], weight * one[1] + (1 - weight) * two[1]


def placed_at(piece: Piece, place: Point | None) -> Piece:
    """The piece, footprint and all, with its middle here."""
    if place is None or piece.center_mm is None:
        return piece
    right, up = place[0] - piece.center_mm[0], place[1] - piece.center_mm[1]
    return replace(piece, center_mm=place, footprint_mm=tuple((x + right, y + up) for x, y in piece.footprint_mm))


def apart_mm(one: Point, two: Point) -> float:
    return float(np.hypot(one[0] - two[0], one[1] - two[1]))


def _point(values: Array) -> Point:
    return float(values[0]), float(values[1])
