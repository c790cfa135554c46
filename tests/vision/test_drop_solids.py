"""Solids: what follows from a cube's place, size and turn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.camera import guessed_camera
from calibration.view import TableView, pose_from_plane
from vision.drop.solids import Solids, center_px, corners_mm, footprint_mm, no_solids, outline_px, resized, standing

LENGTHS = st.floats(6.0, 20.0)
PLACES = st.floats(-120.0, 120.0)
TURNS = st.floats(0.0, 1.57)


def view(slope_y: float = 0.0) -> TableView:
    rvec, tvec = pose_from_plane(0.0, slope_y, 500.0)
    return TableView(guessed_camera(1600, 1200), rvec, tvec, "markers", 0.1)


@given(PLACES, PLACES, LENGTHS, TURNS)
def test_a_footprint_is_a_square_of_the_cubes_side_round_its_middle(
    x: float, y: float, side: float, turn: float
) -> None:
    square = footprint_mm(standing(np.array([[x, y]]), np.array([side]), np.array([turn])))[0]
    edges = np.roll(square, -1, axis=0) - square
    assert np.allclose(np.linalg.norm(edges, axis=1), side)
    assert np.allclose((edges * np.roll(edges, 1, axis=0)).sum(axis=1), 0.0, atol=1e-6)
    assert np.allclose(square.mean(axis=0), [x, y])


@given(TURNS)
def test_the_turn_comes_back_up_to_a_quarter(turn: float) -> None:
    solids = standing(np.zeros((1, 2)), np.array([8.0]), np.array([turn]))
    gap = (solids.turn_rad[0] - turn + np.pi / 4) % (np.pi / 2) - np.pi / 4
    assert abs(gap) < 1e-6


@given(PLACES, PLACES, LENGTHS, LENGTHS)
def test_another_size_keeps_the_middle_where_the_photo_shows_it(x: float, y: float, old: float, new: float) -> None:
    here = view(slope_y=-0.6)
    solids = standing(np.array([[x, y]]), np.array([old]), np.array([0.3]))
    changed = resized(solids, here, np.array([new]))
    assert np.allclose(center_px(changed, here), center_px(solids, here), atol=1e-3)
    assert changed.base_mm[0] == pytest.approx(0.0)
    assert changed.side_mm[0] == new


def test_a_leaning_cube_covers_more_than_its_face() -> None:
    tilt = np.radians(30)
    axes = np.array([[[np.cos(tilt), 0, np.sin(tilt)], [0, 1, 0], [-np.sin(tilt), 0, np.cos(tilt)]]])
    leaning = Solids(np.array([[0.0, 0.0, 6.0]]), np.array([8.0]), axes, np.ones(1), np.zeros(1))
    shape = footprint_mm(leaning)[0]
    assert np.ptp(shape[:, 0]) == pytest.approx(8 * (np.cos(tilt) + np.sin(tilt)), abs=1e-4)
    assert np.ptp(shape[:, 1]) == pytest.approx(8.0)


def test_the_silhouette_holds_every_corner() -> None:
    here = view(slope_y=-1.0)
    solids = standing(np.array([[10.0, -30.0], [0.0, 0.0]]), np.array([8.0, 13.0]), np.array([0.2, 0.7]))
    outlines = outline_px(solids, here)
    corners = here.project(corners_mm(solids).reshape(-1, 3)).reshape(2, 8, 2)
    for outline, own in zip(outlines, corners, strict=True):
        assert np.allclose(outline.min(axis=0), own.min(axis=0), atol=1e-3)
        assert np.allclose(outline.max(axis=0), own.max(axis=0), atol=1e-3)


def test_a_mask_selects_and_nothing_is_a_value_too() -> None:
    solids = standing(np.array([[0.0, 0.0], [20.0, 0.0]]), np.array([8.0, 13.0]), np.zeros(2))
    assert solids[solids.side_mm > 10].center_mm.tolist() == [[20.0, 0.0, 6.5]]
    assert len(no_solids()) == 0
    assert footprint_mm(no_solids()) == []


def test_arrays_of_unlike_length_are_refused() -> None:
    with pytest.raises(ValueError, match="score"):
        Solids(np.zeros((2, 3)), np.zeros(2), np.zeros((2, 3, 3)), np.zeros(1), np.zeros(2))
