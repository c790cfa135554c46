"""The fit: cubes drawn from a known view are found again, and so is the view."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.camera import guessed_camera
from calibration.view import TableView, pose_from_plane
from vision.drop.fit import fit_solids, fit_view
from vision.drop.solids import Solids, corners_px, standing

CAMERA = guessed_camera(1200, 900)
TOP, FRONT, RIGHT, BACK, LEFT = [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]


def view(slope_x: float, slope_y: float, depth_mm: float) -> TableView:
    return TableView(CAMERA, *pose_from_plane(slope_x, slope_y, depth_mm), "cubes", 0.1)


def drawn(solids: Solids, here: TableView) -> np.ndarray:
    """Far cubes first, far faces first, each face in its own shade; rounded as real cubes are."""
    picture = np.full(
        (3600, 4800, 3), 90, np.uint8
    )  # four times as large: thick borders of polygons then hardly matter
    smaller = Solids(solids.center_mm, 0.98 * solids.side_mm, solids.axes, solids.score, solids.error_mm)
    corners = corners_px(smaller, here)
    shades = [(40, 60, 220), (30, 40, 120), (20, 30, 160), (30, 40, 120), (20, 30, 160)]
    for i in np.argsort(-solids.center_mm[:, 1]):
        for face, shade in sorted(
            zip((TOP, FRONT, RIGHT, BACK, LEFT), shades, strict=True), key=lambda f: corners[i][f[0]][:, 1].mean()
        ):
            points = np.round((corners[i][face] * 4 + 1.5) * 16).astype(np.int32)
            if cv2.contourArea(points.astype(np.float32), oriented=True) < 0:
                cv2.fillConvexPoly(picture, points, shade, cv2.LINE_AA, 4)
    return np.asarray(cv2.resize(picture, (1200, 900), interpolation=cv2.INTER_AREA), np.uint8)


def table(rng: np.random.Generator) -> Solids:
    grid = np.array([(x, y) for x in range(-105, 106, 30) for y in range(-75, 76, 30)], float)
    side = rng.choice([8.0, 10.5], len(grid))
    return standing(grid + rng.uniform(-8, 8, grid.shape), side, rng.uniform(0, np.pi / 2, len(grid)))


@pytest.mark.parametrize("slope_y", [0.0, -0.5, -1.0])
def test_cubes_put_down_a_little_off_are_moved_onto_their_edges(slope_y: float) -> None:
    rng = np.random.default_rng(2)
    here, truth = view(0.05, slope_y, 330), table(rng)
    shift = rng.normal(0, 0.5, (len(truth), 2))
    start = standing(truth.center_mm[:, :2] + shift, truth.side_mm, truth.turn_rad + rng.normal(0, 0.04, len(truth)))
    found = fit_solids(drawn(truth, here), here, start)
    before = np.linalg.norm(shift, axis=1)
    after = np.linalg.norm((found.center_mm - truth.center_mm)[:, :2], axis=1)
    assert np.median(after) < 0.1
    assert np.median(after) < 0.2 * np.median(before)
    turn = (found.turn_rad - truth.turn_rad + np.pi / 4) % (np.pi / 2) - np.pi / 4
    assert np.degrees(np.median(np.abs(turn))) < 1.2  # they were put down 1.6 off


def test_cubes_that_nothing_shows_stay_where_they_were_and_say_that_they_are_unsure() -> None:
    rng = np.random.default_rng(3)
    here, truth = view(0.0, -0.4, 330), table(rng)
    blank = np.full((900, 1200, 3), 90, np.uint8)
    found, sure = fit_solids(blank, here, truth), fit_solids(drawn(truth, here), here, truth)
    assert np.allclose(found.center_mm, truth.center_mm)
    assert found.error_mm.min() > 2 * np.median(sure.error_mm)


def test_a_view_that_is_off_by_some_degrees_is_put_right() -> None:
    truth_view, wrong = view(0.02, -0.60, 340), view(0.06, -0.50, 350)
    truth = table(np.random.default_rng(4))
    picture = drawn(truth, truth_view)
    middle = wrong.to_table(truth_view.project(truth.center_mm), truth.center_mm[:, 2])
    found = fit_view(picture, wrong, standing(middle, truth.side_mm, truth.turn_rad), CAMERA)
    assert abs(wrong.elevation_deg - truth_view.elevation_deg) > 4
    assert found.elevation_deg == pytest.approx(truth_view.elevation_deg, abs=1.5)
    assert found.scale_from == "cubes"


def test_no_cubes_need_no_fit() -> None:
    nothing = table(np.random.default_rng(5))[:0]
    assert len(fit_solids(np.zeros((9, 9, 3), np.uint8), view(0, 0, 300), nothing)) == 0
