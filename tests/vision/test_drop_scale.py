"""Scale and plane from cubes alone: exact measurements give the view back, rough ones a view that says it is rough."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.camera import CalibrationError, guessed_camera
from calibration.view import TableView, pose_from_plane, straightening
from vision.drop.network import SHAPE_SCALE, SIZE_PX, Finds
from vision.drop.scale import apparent, refined_view, rough_view
from vision.drop.search import Searched
from vision.drop.solids import standing

SIDES = np.array([8.0, 10.5, 13.0])
CAMERA = guessed_camera(1600, 1200)


def true_view(slope_x: float, slope_y: float, depth_mm: float) -> TableView:
    return TableView(CAMERA, *pose_from_plane(slope_x, slope_y, depth_mm), "cubes", 0.0)


def table(rng: np.random.Generator, count: int = 40) -> tuple[np.ndarray, np.ndarray]:
    side = rng.choice(SIDES, count, p=[0.7, 0.27, 0.03])
    return rng.uniform([-110, -90], [110, 90], (count, 2)), side


def seen_roughly(view: TableView, xy: np.ndarray, side: np.ndarray, noise: float, rng: np.random.Generator) -> Finds:
    center = standing(xy, side, np.zeros(len(side))).center_mm
    scale, up = apparent(view, center)
    up = up + rng.normal(0, noise, up.shape)
    size = np.log(side * scale / SIZE_PX) + rng.normal(0, noise, len(side))
    return Finds(view.project(center), np.ones(len(side)), {"size": size, "up_x": up[:, 0], "up_y": up[:, 1]})


def off_mm(view: TableView, truth: TableView) -> float:
    """How far apart the two views put a grid of places, turn and shift aside."""
    grid = np.array([(x, y, 0.0) for x in (-100, 0, 100) for y in (-80, 0, 80)], float)
    here = view.to_table(truth.project(grid))
    here, there = here - here.mean(axis=0), grid[:, :2] - grid[:, :2].mean(axis=0)
    u, _, vt = np.linalg.svd(here.T @ there)
    return float(np.abs(here @ (u @ vt) - there).max())


@given(st.floats(-0.3, 0.3), st.floats(-0.9, 0.0), st.floats(280, 700), st.integers(0, 99))
@settings(max_examples=25, deadline=None)
def test_exact_sizes_and_uprights_give_the_view_back(slope_x: float, slope_y: float, depth: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = true_view(slope_x, slope_y, depth)
    view = rough_view(seen_roughly(truth, *table(rng), 0.0, rng), CAMERA, SIDES)
    assert view.scale_from == "cubes"
    assert off_mm(view, truth) < 1.0


def test_rough_measurements_give_a_view_whose_stated_error_is_fair() -> None:
    rng = np.random.default_rng(5)
    truth = true_view(0.1, -0.5, 450)
    view = rough_view(seen_roughly(truth, *table(rng), 0.04, rng), CAMERA, SIDES)
    assert 0.1 < view.error_mm < 20
    assert off_mm(view, truth) < 6 * view.error_mm + 100 * 3 * view.scale_error


def test_a_wrong_view_is_put_right_by_how_its_picture_shows_the_cubes() -> None:
    rng = np.random.default_rng(7)
    truth, wrong = true_view(0.05, -0.55, 450), true_view(0.0, -0.45, 470)
    xy, side = table(rng)
    straight = straightening(wrong, (-150, -150, 150, 150), 1.7, 4.5)
    middle = standing(xy, side, np.zeros(len(side))).center_mm
    onto = lambda px: straight.to_px(wrong.to_table(px, 4.5))  # noqa: E731
    ground = truth.to_table(truth.project(middle), 4.5)
    steps = [
        np.column_stack([ground + step, np.full(len(ground), 4.5)])
        for step in ([0.5, 0], [-0.5, 0], [0, 0.5], [0, -0.5])
    ]
    right, left, far, near = (onto(truth.project(step)) for step in steps)
    seen = np.stack([right - left, far - near], axis=2)
    area = np.abs(np.linalg.det(seen))
    square = seen @ seen.transpose(0, 2, 1) / area[:, None, None]
    said = {
        "size": np.log(side * np.sqrt(area) / SIZE_PX),
        "stretch": (square[:, 0, 0] - square[:, 1, 1]) / 4 * SHAPE_SCALE,
        "skew": square[:, 0, 1] / 2 * SHAPE_SCALE,
    }
    finds = Finds(onto(truth.project(middle)), np.ones(len(side)), said)
    blank = np.zeros((2, 2, 3), np.uint8)
    view = refined_view(Searched(wrong, straight, blank, finds, finds), CAMERA, SIDES)
    assert off_mm(wrong, truth) > 5.0
    assert off_mm(view, truth) < 1.0


def test_too_few_cubes_are_said_to_be_too_few() -> None:
    rng = np.random.default_rng(1)
    few = seen_roughly(true_view(0, 0, 400), *table(rng, 2), 0.0, rng)
    with pytest.raises(CalibrationError, match="marker cards"):
        rough_view(few, CAMERA, SIDES)
