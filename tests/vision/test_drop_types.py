"""Types and sizes settled together, on points made up for the purpose."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.camera import CalibrationError
from calibration.drop_profile import DropProfile
from companion.pieces import BOX
from vision.drop import types
from vision.drop.solids import Solids
from vision.drop.types import KINDS, NOTHING, settle, settle_points

SIDES = {"S": 8.0, "L": 10.5, "H": 13.0}
KNOWN = ("gold", "pillar", "goblin", "key")
PLACES = 4.0 * np.eye(4)


def profile(kinds=KNOWN, photos=3):
    looks = np.concatenate([PLACES[: len(kinds)] + 0.1 * photo for photo in range(photos)])
    numbers = tuple(photo for photo in range(photos) for _ in kinds)
    return DropProfile("made up", "made up", SIDES, tuple(kinds) * photos, numbers, looks.astype(np.float32))


def solids(side_mm, score=0.98):
    count = len(side_mm)
    score = np.broadcast_to(score, count).astype(float)
    return Solids(
        np.zeros((count, 3)), np.array(side_mm, float), np.tile(np.eye(3), (count, 1, 1)), score, np.ones(count)
    )


def kinds_of(found):
    return [KINDS[kind] if kind != NOTHING else None for kind in found.kind]


SOME_KINDS = (("gold", "S"), ("gold", "L"), ("pillar", "S"), ("goblin", "S"))


@given(st.lists(st.sampled_from(SOME_KINDS), min_size=1, max_size=8), st.integers(0, 999))
@settings(max_examples=40, deadline=None)
def test_near_looks_and_fitting_sides_give_the_kind(kinds, seed):
    rng = np.random.default_rng(seed)
    points = np.array([PLACES[KNOWN.index(kind)] for kind, _ in kinds]) + rng.normal(0, 0.2, (len(kinds), 4))
    found = settle_points(points, solids([SIDES[size] for _, size in kinds]), profile())
    assert kinds_of(found) == kinds


def test_a_light_that_moves_all_looks_alike_is_found_out():
    rng = np.random.default_rng(2)
    kinds = [kind for kind in KNOWN for _ in range(4)]
    points = np.array([PLACES[KNOWN.index(kind)] for kind in kinds]) + rng.normal(0, 0.1, (16, 4))
    moved = points + np.array([1.8, -1.8, 0.6, 0.0])
    assert [kind for kind, _ in kinds_of(settle_points(moved, solids([8.0] * 16), profile()))] == kinds


def test_no_kind_is_found_more_often_than_the_box_holds_it():
    points = np.tile(PLACES[KNOWN.index("goblin")], (14, 1))
    found = settle_points(points, solids([8.0] * 14), profile())
    assert kinds_of(found).count(("goblin", "S")) == BOX["goblin", "S"]


def test_types_that_do_not_come_in_a_size_are_not_found_in_it():
    points = np.tile(PLACES[KNOWN.index("goblin")], (1, 1))
    assert kinds_of(settle_points(points, solids([10.5]), profile())) == [("goblin", "S")]


def test_untaught_types_are_never_found():
    rng = np.random.default_rng(3)
    found = settle_points(rng.normal(0, 4, (20, 4)), solids([8.0] * 20, 0.9), profile(("gold", "pillar")))
    assert {kind[0] for kind in kinds_of(found) if kind} <= {"gold", "pillar"}


def test_finds_that_the_finder_hardly_believes_are_dropped():
    points = np.tile(PLACES[0], (2, 1))
    found = settle_points(points, solids([8.0, 8.0], np.array([0.98, 0.1])), profile())
    assert kinds_of(found) == [("gold", "S"), None]


def test_too_many_sure_finds_become_a_problem_not_a_crash(monkeypatch):
    points = np.tile(PLACES[1], (25, 1)).astype(np.float32)
    monkeypatch.setattr(types, "embed", lambda looks, white: points)
    monkeypatch.setattr(types, "look_at", lambda bgr, view, finds: None)
    monkeypatch.setattr(types, "network_name", lambda: "made up")
    settled = settle(np.zeros((8, 8, 3), np.uint8), None, solids([8.0] * 25, 0.99), profile(("pillar",)))
    assert settled.kept.sum() <= 18
    assert [problem.code for problem in settled.problems] == ["not-in-the-box"]
    assert (settled.confidence[~settled.kept] == 0).all()


def test_a_profile_of_another_network_is_refused():
    with pytest.raises(CalibrationError, match="teach it again"):
        settle(np.zeros((8, 8, 3), np.uint8), None, solids([8.0]), profile())


def test_nothing_in_nothing_out():
    settled = settle(np.zeros((8, 8, 3), np.uint8), None, solids([]), profile())
    assert settled.types == () and len(settled.kept) == 0
