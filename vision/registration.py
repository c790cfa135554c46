"""Two readings of one table have two frames of millimetres; this finds the turn, shift and scale between them.

Pieces of the same kind at the same distance from each other suggest one; the suggestion that brings most pieces onto
pieces of their kind wins. Marker cards, where both readings have them, are landmarks like any other, only rarer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.pieces import Piece

Array = NDArray[np.float64]
Kind = tuple[str, ...]


@dataclass(frozen=True)
class Registering:
    """Numbers of this stage."""

    scale_slack: float = 0.06  # two scales taken from cubes differ by up to 4%
    base_mm: float = 30.0  # two landmarks nearer than this say little about the turn
    near_mm: float = 4.0  # half a small cube: nearer than any other cube's middle can be
    hypotheses: int = 4096  # the rarest kinds first, so the first few hundred nearly always hold the right one
    batch: int = 256
    enough_share: float = 0.8  # of the smaller table: no better suggestion is worth looking for
    least_share: float = 0.45
    least: int = 4


NUMBERS: Final = Registering()


@dataclass(frozen=True, eq=False)
class Similarity:
    """Turn and scale, as one complex factor's two parts, then a shift.

    >>> Similarity(0.0, 2.0, (1.0, 0.0)).apply(np.array([[1.0, 0.0]])).tolist()
    [[1.0, 2.0]]
    """

    real: float = 1.0
    imaginary: float = 0.0
    shift_mm: tuple[float, float] = (0.0, 0.0)

    @property
    def scale(self) -> float:
        return float(np.hypot(self.real, self.imaginary))

    def apply(self, points: Array) -> Array:
        points = np.asarray(points, float).reshape(-1, 2)
        turn = np.array([[self.real, self.imaginary], [-self.imaginary, self.real]])
        return np.asarray(points @ turn + self.shift_mm)


@dataclass(frozen=True, eq=False)
class Landmarks:
    points_mm: Array  # Nx2
    kinds: tuple[Kind, ...]

    def __len__(self) -> int:
        return len(self.kinds)


@dataclass(frozen=True, eq=False)
class Registration:
    """How the second table's points become the first one's, and which landmarks agree."""

    similarity: Similarity
    pairs: tuple[tuple[int, int], ...]
    residual_mm: float  # root mean square over the pairs, one axis


def landmarks(pieces: Sequence[Piece], markers: Mapping[int, Array] | None = None) -> Landmarks:
    """Pieces that have a place, and the corners of marker cards (id: 4x2 mm) where they are known."""
    placed = [piece for piece in pieces if piece.center_mm is not None]
    points = [piece.center_mm for piece in placed if piece.center_mm is not None]
    kinds: list[Kind] = [_kind(piece) for piece in placed]
    for number, corners in (markers or {}).items():
        points += [(float(x), float(y)) for x, y in corners]
        kinds += [("marker", str(number), str(corner)) for corner in range(len(corners))]
    return Landmarks(np.array(points, float).reshape(-1, 2), tuple(kinds))


def registered(one: Landmarks, two: Landmarks, numbers: Registering = NUMBERS) -> Registration | None:
    """None where the two do not look like the same table."""
    smaller = min(len(one), len(two))
    if smaller < 2:
        return None
    best = Similarity()
    best_count = int(_support(one, two, _stack([best]), numbers)[0])  # a camera that stands still
    for batch in _batches(_suggestions(one, two, numbers), numbers):
        if best_count >= numbers.enough_share * smaller:
            break
        support = _support(one, two, _stack(batch), numbers)
        if support.max() > best_count:
            best, best_count = batch[int(support.argmax())], int(support.max())
    return _refined(one, two, best, numbers)


def fitted(points: Array, onto: Array) -> Similarity:
    """The similarity that brings the points nearest to their partners, least squares."""
    z, w = points[:, 0] + 1j * points[:, 1], onto[:, 0] + 1j * onto[:, 1]
    z_mean, w_mean = z.mean(), w.mean()
    spread = float((np.abs(z - z_mean) ** 2).sum())
    factor = ((w - w_mean) * np.conj(z - z_mean)).sum() / spread if spread > 0 else 1.0 + 0j
    shift = w_mean - factor * z_mean
    return Similarity(float(factor.real), float(factor.imag), (float(shift.real), float(shift.imag)))


def nearest_pairs(one: Landmarks, two: Array, kinds: Sequence[Kind] | None, within_mm: float) -> list[tuple[int, int]]:
    """Pairs that are each other's nearest, of the same kind where kinds are given."""
    if len(one) == 0 or len(two) == 0:
        return []
    apart = np.hypot(*(one.points_mm[:, None, :] - two[None, :, :]).transpose(2, 0, 1))
    if kinds is not None:
        apart = np.where(_same(one.kinds, kinds), apart, np.inf)
    across, down = apart.argmin(axis=1), apart.argmin(axis=0)
    return [(i, int(j)) for i, j in enumerate(across) if down[j] == i and apart[i, j] <= within_mm]


def _refined(one: Landmarks, two: Landmarks, start: Similarity, numbers: Registering) -> Registration | None:
    similarity, pairs, residual = start, [(0, 0)], 0.0
    for within_mm in (2 * numbers.near_mm, numbers.near_mm, numbers.near_mm):
        pairs = nearest_pairs(one, similarity.apply(two.points_mm), two.kinds, within_mm)
        if len(pairs) < 2:
            return None
        first, second = np.array(pairs).T
        similarity = fitted(two.points_mm[second], one.points_mm[first])
        off = similarity.apply(two.points_mm[second]) - one.points_mm[first]
        residual = float(np.sqrt((off**2).mean()))
    needed = max(numbers.least_share * min(len(one), len(two)), min(numbers.least, len(one), len(two)))
    if len(pairs) < needed or abs(similarity.scale - 1) > 2 * numbers.scale_slack:
        return None
    return Registration(similarity, tuple(pairs), residual)


def _suggestions(one: Landmarks, two: Landmarks, numbers: Registering) -> Iterator[Similarity]:
    """Every way to lay two landmarks of the second table onto two of the first, rarest kinds first."""
    first, second = _by_kinds(one, numbers), _by_kinds(two, numbers)
    shared = sorted(first.keys() & second.keys(), key=lambda kinds: (len(first[kinds]) * len(second[kinds]), kinds))
    for kinds in shared:
        for i, j, base_mm in first[kinds]:
            for k, m, length_mm in second[kinds]:
                if abs(length_mm / base_mm - 1) <= numbers.scale_slack:
                    yield fitted(two.points_mm[[k, m]], one.points_mm[[i, j]])


def _by_kinds(table: Landmarks, numbers: Registering) -> dict[tuple[Kind, Kind], list[tuple[int, int, float]]]:
    """Pairs of landmarks under their two kinds, those of equal kinds in both orders."""
    out: dict[tuple[Kind, Kind], list[tuple[int, int, float]]] = defaultdict(list)
    for i, first in enumerate(table.kinds):
        for j, second in enumerate(table.kinds):
            if i == j or first > second:
                continue
            length = float(np.hypot(*(table.points_mm[i] - table.points_mm[j])))
            if length >= numbers.base_mm:
                out[first, second].append((i, j, length))
    return out


def _batches(suggestions: Iterator[Similarity], numbers: Registering) -> Iterator[list[Similarity]]:
    batch: list[Similarity] = []
    for number, suggestion in enumerate(suggestions, 1):
        batch.append(suggestion)
        if len(batch) == numbers.batch:
            yield batch
            batch = []
        if number == numbers.hypotheses:
            break
    if batch:
        yield batch


def _stack(batch: Sequence[Similarity]) -> Array:
    return np.array([(s.real, s.imaginary, *s.shift_mm) for s in batch])


def _support(one: Landmarks, two: Landmarks, batch: Array, numbers: Registering) -> NDArray[np.intp]:
    """How many landmarks of the first table each suggestion covers with one of the same kind."""
    x, y = two.points_mm.T
    real, imaginary, right, up = (column[:, None] for column in batch.T)
    moved_x, moved_y = real * x - imaginary * y + right, imaginary * x + real * y + up
    away = (moved_x[:, :, None] - one.points_mm[:, 0]) ** 2 + (moved_y[:, :, None] - one.points_mm[:, 1]) ** 2
    covered = (away <= numbers.near_mm**2) & _same(one.kinds, two.kinds).T[None]
    return np.asarray(covered.any(axis=1).sum(axis=1))


def _same(one: Sequence[Kind], two: Sequence[Kind]) -> NDArray[np.bool_]:
    codes = {kind: code for code, kind in enumerate({*one, *two})}
    return np.asarray(np.array([codes[k] for k in one])[:, None] == np.array([codes[k] for k in two])[None, :])


def _kind(piece: Piece) -> Kind:
    return (piece.type, piece.size or "", piece.colour or "")
