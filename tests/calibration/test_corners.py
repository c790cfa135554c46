"""The table's view where no card helps: from corners given by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.camera import CalibrationError, guessed_camera
from calibration.corners import view_from_corners
from calibration.view import TableView
from tests.calibration.staging import left_over, true_camera, true_view


def rest_of(fitted: TableView, view: TableView, places: np.ndarray) -> tuple[float, float]:
    on_table = np.column_stack([places, np.zeros(len(places))])
    return left_over(fitted.to_table(view.project(on_table)), places)


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
