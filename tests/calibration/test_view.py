from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.view import straightening, visible_region
from tests.calibration.staging import true_camera, true_view

views = st.builds(
    lambda tilt, roll, depth, k1: true_view(true_camera(k1=k1), tilt, roll, depth),
    st.floats(0, 45), st.floats(-180, 180), st.floats(250, 900), st.floats(-0.15, 0.05),
)  # fmt: skip
places = st.lists(st.tuples(st.floats(-100, 100), st.floats(-80, 80)), min_size=1, max_size=8).map(np.array)


@settings(max_examples=60, deadline=None)
@given(views, places, st.floats(0, 30))
def test_to_table_undoes_project(view, places_mm, height_mm) -> None:
    px = view.project(np.column_stack([places_mm, np.full(len(places_mm), height_mm)]))
    assert np.allclose(view.to_table(px, height_mm), places_mm, atol=0.01)


@settings(max_examples=30, deadline=None)
@given(views)
def test_right_is_right_and_up_is_towards_the_eye(view) -> None:
    middle, right, high = view.project(np.array([[0, 0, 0], [10, 0, 0], [0, 0, 10.0]]))
    assert right[0] > middle[0] + 5  # x is the photo's right, even for a camera that is tilted sideways
    assert view.eye_mm[2] > 0
    top = np.linalg.norm(view.eye_mm - [0, 0, 10]) < np.linalg.norm(view.eye_mm)
    assert top
    assert np.isfinite(high).all()


def test_straight_above_away_is_up_in_the_photo_and_elevation_is_ninety() -> None:
    view = true_view(true_camera(), tilt_deg=0.0)
    near, far = view.project(np.array([[0, 0, 0], [0, 50.0, 0]]))
    assert far[1] < near[1]
    assert abs(view.elevation_deg - 90) < 1e-6
    assert abs(true_view(true_camera(), tilt_deg=30.0).elevation_deg - 60) < 1e-6


def test_a_pixel_above_the_horizon_is_nowhere() -> None:
    view = true_view(true_camera(), tilt_deg=75.0, roll_deg=0.0)
    assert np.isnan(view.to_table(np.array([[800.0, -4000.0], [800.0, 0.0]]))).any()


@settings(max_examples=20, deadline=None)
@given(views, st.floats(0, 15))
def test_straightening_takes_each_pixel_from_where_it_lies(view, height_mm) -> None:
    flat = straightening(view, (-60, -50, 70, 40), 3.0, height_mm)
    assert flat.map_x.shape == (271, 391)
    corners = np.array([[0, 0], [390, 0], [390, 270], [0, 270], [137, 91]])
    table = flat.to_mm(corners)
    want = view.project(np.column_stack([table, np.full(5, height_mm)]))
    got = np.array([[flat.map_x[y, x], flat.map_y[y, x]] for x, y in corners])
    assert np.allclose(got, want, atol=0.05)
    assert np.allclose(flat.to_px(table), corners)


def test_straightening_puts_far_left_first() -> None:
    flat = straightening(true_view(true_camera()), (-60, -50, 70, 40), 2.0)
    assert flat.to_mm(np.array([[0.0, 0.0]])).tolist() == [[-60.0, 40.0]]


def test_the_visible_region_holds_what_the_photo_shows() -> None:
    view = true_view(true_camera(), tilt_deg=20.0)
    left, bottom, right, top = visible_region(view)
    corners = view.to_table(np.array([[0, 0], [1599, 0], [1599, 1199], [0, 1199.0]]))
    assert (corners >= np.array([left, bottom]) - 1e-6).all()
    assert (corners <= np.array([right, top]) + 1e-6).all()
