"""Two readings of one table: registered whatever the turn, bettered by each other, refused where they differ."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.pieces import Piece
from companion.readings import DropReading
from tests.vision.label_readings import DEMO, SHARED, label, label_reading
from vision.merge import merged, transformed
from vision.registration import Landmarks, Similarity, fitted, landmarks, registered

TABLE = label(DEMO / "table-2.json")
PAIRS = sorted((SHARED / "photos" / "drop").glob("*-view2.json"))


def turned(
    reading: DropReading, turn_deg: float, scale: float = 1.0, shift_mm: tuple[float, float] = (0, 0)
) -> DropReading:
    factor = scale * np.exp(1j * np.radians(turn_deg))
    similarity = Similarity(float(factor.real), float(factor.imag), shift_mm)
    return replace(reading, pieces=tuple(transformed(piece, similarity) for piece in reading.pieces))


def error_mm(reading: DropReading, truth: DropReading) -> float:
    """Root mean square on one axis, turn, shift and scale of the whole aside."""
    true = landmarks(truth.pieces)
    found = registered(true, landmarks(reading.pieces))
    assert found is not None
    return found.residual_mm


@settings(max_examples=25, deadline=None)
@given(
    turn_deg=st.floats(-180, 180), scale=st.floats(0.96, 1.04), x=st.floats(-400, 400), y=st.floats(-400, 400),
    seed=st.integers(0, 10_000),
)  # fmt: skip
def test_any_turn_shift_and_small_scale_is_found(turn_deg: float, scale: float, x: float, y: float, seed: int) -> None:
    random = np.random.default_rng(seed)
    one, two = (label_reading(TABLE, random, 0.4) for _ in range(2))
    missing = set(random.choice(len(two.pieces), 12, replace=False).tolist())
    two = replace(two, pieces=tuple(piece for n, piece in enumerate(two.pieces) if n not in missing))
    found = registered(landmarks(one.pieces), landmarks(turned(two, turn_deg, scale, (x, y)).pieces))
    assert found is not None
    assert found.similarity.scale == pytest.approx(1 / scale, rel=0.01)
    assert len(found.pairs) >= 0.95 * len(two.pieces)
    assert found.residual_mm < 0.8


def test_two_readings_give_a_better_place_than_either() -> None:
    random = np.random.default_rng(2)
    truth = label_reading(TABLE)
    one, two = label_reading(TABLE, random, 0.5), turned(label_reading(TABLE, random, 0.5), 140, 1.02, (30, 9))
    both = merged(one, two)
    assert error_mm(both, truth) < 0.8 * min(error_mm(one, truth), error_mm(two, truth))
    assert both.error_mm is not None and 0.7 < both.error_mm / error_mm(both, truth) < 1.4
    assert [piece.id for piece in both.pieces] == [piece.id for piece in one.pieces]
    assert min(piece.confidence for piece in both.pieces) > 0.99


def test_cubes_that_one_photo_hides_are_found_in_the_other() -> None:
    random = np.random.default_rng(3)
    one, two = label_reading(TABLE, random, 0.3), turned(label_reading(TABLE, random, 0.3), 170)
    seen = replace(one, pieces=one.pieces[5:])
    both = merged(seen, two)
    assert len(both.pieces) == len(one.pieces)
    fresh = both.pieces[len(seen.pieces) :]
    assert sorted((p.type, p.size) for p in fresh) == sorted((p.type, p.size) for p in one.pieces[:5])
    assert len({piece.id for piece in both.pieces}) == len(both.pieces)
    true = {p.id: p.center_px for p in one.pieces[:5]}
    for piece in fresh:  # and they can be pointed at in the first photo
        assert piece.center_px is not None
        assert min(np.hypot(piece.center_px[0] - x, piece.center_px[1] - y) for x, y in true.values()) < 12  # type: ignore[misc]


def test_a_type_misread_once_is_settled_by_the_surer_reading() -> None:
    one, two = label_reading(TABLE), turned(label_reading(TABLE), 90)
    wrong = replace(one.pieces[0], type="relic", confidence=0.55)
    both = merged(replace(one, pieces=(wrong, *one.pieces[1:])), two)
    assert both.pieces[0].type == one.pieces[0].type
    assert 0.9 < both.pieces[0].confidence < 0.99


def test_a_phantom_that_the_other_photo_should_show_is_doubted() -> None:
    one, two = label_reading(TABLE), turned(label_reading(TABLE), 90)
    middle = np.mean([piece.center_mm for piece in one.pieces], axis=0)
    spots = [middle + np.array([dx, dy]) for dx in range(-60, 61, 10) for dy in range(-60, 61, 10)]
    free = max(spots, key=lambda spot: min(np.hypot(*(spot - piece.center_mm)) for piece in one.pieces))
    ghost = Piece("p99", "gem-clear", "S", 0.8, (0.0, 0.0), (), (float(free[0]), float(free[1])))
    both = merged(replace(one, pieces=(*one.pieces, ghost)), two)
    (doubted,) = (piece for piece in both.pieces if piece.id == "p99")
    assert doubted.confidence < 0.5
    both = merged(replace(one, pieces=(*one.pieces, replace(ghost, confidence=0.3))), two)
    assert "p99" not in {piece.id for piece in both.pieces}


def test_markers_outrank_cubes_for_the_scale() -> None:
    one = replace(turned(label_reading(TABLE), 0, 1.03), scale_from="cubes")
    both = merged(one, label_reading(TABLE))
    truth = landmarks(label_reading(TABLE).pieces)
    assert both.scale_from == "markers"
    assert fitted(landmarks(both.pieces).points_mm, truth.points_mm).scale == pytest.approx(1.0, abs=1e-3)


def test_marker_cards_register_a_table_without_pieces_in_common() -> None:
    card = np.array([[0, 0], [30, 0], [30, -30], [0, -30]], float)
    corners = {0: card, 3: card + np.array([300.0, 10.0])}
    moved = {n: Similarity(0.0, 1.0, (5.0, 6.0)).apply(points) for n, points in corners.items()}
    found = registered(landmarks((), moved), landmarks((), corners))
    assert found is not None and found.similarity.imaginary == pytest.approx(1.0)


def test_another_table_is_refused_and_the_first_reading_kept() -> None:
    one, two = label_reading(TABLE), label_reading(label(DEMO / "table-5.json"))
    both = merged(one, two)
    assert [problem.code for problem in both.problems] == ["other-table"]
    assert both.pieces == one.pieces


def test_nothing_registers_with_nothing() -> None:
    nothing = Landmarks(np.empty((0, 2)), ())
    assert registered(nothing, landmarks(label_reading(TABLE).pieces)) is None


@pytest.mark.parametrize("second", PAIRS, ids=lambda path: path.stem)
def test_the_staged_pairs_merge(second: Path) -> None:
    random = np.random.default_rng(4)
    first = second.with_name(second.name.replace("-view2", ""))
    truth = label_reading(label(first))
    one = label_reading(label(first), random, 0.4, hidden_below=0.7)
    two = turned(label_reading(label(second), random, 0.4, hidden_below=0.7), -120, 0.98, (70, 70))
    both = merged(one, two)
    assert len(both.pieces) == len(truth.pieces)
    assert error_mm(both, truth) < 0.8 * error_mm(one, truth)
