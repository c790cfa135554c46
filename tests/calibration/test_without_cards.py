"""The table's view where no card helps: from the sizes of cubes, or from corners given by hand."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.camera import CalibrationError, guessed_camera
from calibration.corners import view_from_corners
from calibration.from_sizes import view_from_sizes
from calibration.view import TableView
from tests.calibration.staging import left_over, true_camera, true_view

SIDES_MM = (10.0, 12.7, 15.5)


def cubes(
    view: TableView, rng: np.random.Generator, count: int = 50
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Places on the table, middle and size in pixels of each cube's upper face, and its side."""
    places, sides = rng.uniform(-110, 110, (count, 2)), rng.choice(SIDES_MM, count)
    square = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) / 2
    faces = [
        view.project(np.column_stack([place + square * side, np.full(4, side)]))
        for place, side in zip(places, sides, strict=True)
    ]
    sizes = np.array([np.sqrt(cv2.contourArea(face.astype(np.float32))) for face in faces])
    return places, np.array([face.mean(axis=0) for face in faces]), sizes, sides


def rest_of(fitted: TableView, view: TableView, places: np.ndarray) -> tuple[float, float]:
    on_table = np.column_stack([places, np.zeros(len(places))])
    return left_over(fitted.to_table(view.project(on_table)), places)


@settings(max_examples=25, deadline=None)
@given(st.floats(0, 20), st.floats(-180, 180), st.floats(300, 700), st.integers(0, 99))
def test_exact_sizes_give_the_plane(tilt, roll, depth, seed) -> None:
    view = true_view(true_camera(), tilt, roll, depth)
    places, centers, sizes, sides = cubes(view, np.random.default_rng(seed))
    fitted = view_from_sizes(centers, sizes, sides, guessed_camera(1600, 1200))
    rest, scale = rest_of(fitted, view, places)
    assert rest < 0.4
    assert abs(scale - 1) < 0.01
    assert fitted.scale_from == "cubes"


def test_noisy_and_wrong_sizes_stay_within_the_stated_error() -> None:
    rng, ratios, stated = np.random.default_rng(4), [], []
    for tilt in (0, 4, 8, 12, 16):
        for roll in (-60, 0, 45, 120):
            view = true_view(true_camera(k1=-0.05), tilt, roll)
            places, centers, sizes, sides = cubes(view, rng)
            sizes = sizes * np.exp(rng.normal(0, 0.03, len(sizes)))
            sides[:4] = 10.0  # four of fifty perhaps taken for small ones
            fitted = view_from_sizes(centers, sizes, sides, guessed_camera(1600, 1200))
            rest, _ = rest_of(fitted, view, places)
            ratios.append(rest / fitted.error_mm)
            stated.append(fitted.error_mm)
    assert np.sqrt(np.mean(np.square(ratios))) < 1.3
    assert np.median(stated) < 1.2


def test_a_strongly_bulging_lens_is_told_from_the_cubes() -> None:
    """As with a webcam close above the table: a large cube at the edge looks smaller than a small one in the middle."""
    view = true_view(true_camera(1616, 1077, 900, k1=-0.22), 3, 30, 300)
    places, centers, sizes, sides = cubes(view, np.random.default_rng(8))
    rest, _ = rest_of(view_from_sizes(centers, sizes, sides, guessed_camera(1616, 1077)), view, places)
    assert rest < 1.5


def test_too_few_cubes_or_nonsense_say_so() -> None:
    camera = guessed_camera(1600, 1200)
    with pytest.raises(CalibrationError, match="too few cubes"):
        view_from_sizes(np.zeros((2, 2)), np.ones(2), np.ones(2), camera)
    with pytest.raises(CalibrationError, match="above zero"):
        view_from_sizes(np.zeros((5, 2)), np.zeros(5), np.ones(5), camera)


@settings(max_examples=30, deadline=None)
@given(st.floats(0, 45), st.floats(-40, 40))
def test_corners_given_by_hand(tilt, roll) -> None:
    camera = true_camera()
    view = true_view(camera, tilt, roll, 520)
    sheet = np.array([[-148.5, 105, 0], [148.5, 105, 0], [148.5, -105, 0], [-148.5, -105, 0]])
    fitted = view_from_corners(view.project(sheet), (297, 210), camera)
    rest, scale = rest_of(fitted, view, sheet[:, :2] * 0.8)
    assert rest < 0.05
    assert scale == pytest.approx(1, abs=0.001)
    assert fitted.scale_from == "corners"
    assert 0.05 < fitted.error_mm < 5


@pytest.mark.parametrize(
    "corners",
    [
        [[0, 0], [1, 0], [1, 1]],
        [[0, 0], [100, 0], [0, 100], [100, 100]],
        [[0, 0], [0, 100], [100, 100], [100, 0]],
        [[5, 5]] * 4,
        [[0, 0], [100, 0], [200, 0], [300, 0]],
        [[float("nan")] * 2] * 4,
    ],
)
def test_corners_that_are_no_rectangle_say_so(corners: list[list[float]]) -> None:
    with pytest.raises(CalibrationError, match="corners"):
        view_from_corners(np.array(corners), (297, 210), guessed_camera(1600, 1200))
