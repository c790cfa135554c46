"""Marker cards: found in hard light, and turned into a plane whose stated error can be believed."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.bumped import cards_moved
from calibration.camera import CalibrationError, Camera, guessed_camera
from calibration.cards import FoundCards
from calibration.markers import find_cards, view_from_markers
from calibration.view import TableView
from tests.calibration.staging import left_over, photograph, seen_cards, true_camera, true_view

SHARED = Path(__file__).parents[2].parent / "shared"
PIECES_MM = np.array([(x, y, 6.0) for x in range(-90, 91, 30) for y in range(-70, 71, 35)], float)

lights = {
    "lamp": {},
    "dim": {"table": 9, "black": 8, "white": 62, "noise": 3.0},
    "black cloth": {"table": 3, "black": 4},
    "bright table": {"table": 225, "white": 245},
    "out of focus": {"blur_px": 2.2},
    "overexposed": {"white": 420, "black": 60, "table": 150},
}


@pytest.mark.parametrize("light", lights)
def test_corners_are_found_to_a_part_of_a_pixel(light: str) -> None:
    view = true_view(true_camera())
    photo = photograph(view, **lights[light], rng=np.random.default_rng(7))
    found, want = find_cards(photo), seen_cards(view)
    assert found.ids == (0, 1, 2, 3)
    assert np.abs(found.corners_px - want.corners_px).max() < 0.4
    sides = [np.linalg.norm(c.corners_px - np.roll(c.corners_px, 1, axis=1), axis=2).mean() for c in (found, want)]
    assert abs(sides[0] / sides[1] - 1) < 0.004  # white that has bled does not make the cards smaller


def test_there_are_no_cards_in_a_photo_without_any() -> None:
    view = true_view(true_camera())
    assert len(find_cards(photograph(view, numbers=(), rng=np.random.default_rng(1)))) == 0
    with pytest.raises(CalibrationError, match="lay the printed cards"):
        view_from_markers(FoundCards((), np.empty((0, 4, 2))), guessed_camera(1600, 1200))


@settings(max_examples=40, deadline=None)
@given(
    st.floats(0, 45), st.floats(-180, 180), st.floats(0.92, 1.08), st.sampled_from([(0, 1, 2, 3), (0, 1, 3), (0, 2)])
)
def test_plane_scale_and_focal_length_follow_from_exact_corners(tilt, roll, focal, numbers) -> None:
    camera = true_camera(focal_px=1184 * focal)
    view = true_view(camera, tilt, roll, 520)
    fitted = view_from_markers(seen_cards(view, numbers), guessed_camera(1600, 1200))
    rest, scale = left_over(fitted.to_table(view.project(PIECES_MM), 6.0), PIECES_MM[:, :2])
    assert rest < 0.15
    assert abs(scale - 1) < 0.005
    assert fitted.scale_from == "markers"


def test_the_stated_error_grows_with_what_is_missing_and_is_honest() -> None:
    view, rng = true_view(true_camera(), 20, 12), np.random.default_rng(3)
    stated = []
    for numbers in ((0, 1, 2, 3), (0, 1, 2), (0, 1), (1,)):
        ratios, errors = [], []
        for _ in range(12):
            exact = seen_cards(view, numbers)
            noisy = FoundCards(numbers, exact.corners_px + rng.normal(0, 0.15, exact.corners_px.shape))
            fitted = view_from_markers(noisy, guessed_camera(1600, 1200))
            rest, _ = left_over(fitted.to_table(view.project(PIECES_MM), 6.0), PIECES_MM[:, :2])
            ratios.append(rest / fitted.error_mm)
            errors.append(fitted.error_mm)
        assert np.sqrt(np.mean(np.square(ratios))) < 1.3
        stated.append(np.mean(errors))
    assert stated == sorted(stated)


def test_a_calibrated_lens_is_believed() -> None:
    camera = true_camera(focal_px=1400, k1=-0.12)
    view = true_view(camera, 3)
    fitted = view_from_markers(seen_cards(view), camera)
    assert fitted.camera.source == "lens"
    assert fitted.camera.focal_px == pytest.approx(1400, rel=0.002)
    assert fitted.elevation_deg == pytest.approx(view.elevation_deg, abs=0.2)


def test_a_bumped_camera_is_told_from_a_bumped_card() -> None:
    camera, noise = true_camera(), np.random.default_rng(5)
    cards = seen_cards(true_view(camera, 20))
    again = FoundCards(cards.ids, cards.corners_px + noise.normal(0, 0.2, cards.corners_px.shape))
    one = FoundCards(cards.ids[1:], again.corners_px[1:] + np.array([0, 9, 0])[:, None, None])
    assert cards_moved(cards, again) == ()
    assert cards_moved(cards, one) == (2,)
    assert cards_moved(cards, seen_cards(true_view(camera, 23))) == (0, 1, 2, 3)


def test_the_first_look_and_the_second_agree_on_a_small_photo() -> None:
    """A small photo is searched at its own size, without the quick look at a smaller copy."""
    camera = true_camera(800, 600, 610)
    view = true_view(camera)
    found = find_cards(photograph(view, blur_px=0.6, rng=np.random.default_rng(2)))
    assert found.ids == (0, 1, 2, 3)
    assert np.abs(found.corners_px - seen_cards(view).corners_px).max() < 0.4


@pytest.mark.skipif(not SHARED.exists(), reason="the shared photos are not on this machine")
@pytest.mark.parametrize("name", ["drop-A-03", "drop-A-06", "drop-A-12", "drop-A-15", "drop-B-09", "stash-A-3"])
def test_staged_photos_come_out_within_a_tenth_of_a_millimetre(name: str) -> None:
    folder = SHARED / "photos" / "drop"
    label = json.loads((folder / f"{name}.json").read_text())
    truth = label["camera"]
    size = label["width"], label["height"]
    camera = Camera(np.array(truth["matrix"]), np.array(truth["distortion"]), *size, "lens")
    true = TableView(camera, np.array(truth["rvec"]), np.array(truth["tvec_mm"]), "markers", 0.0)
    pieces = np.array([cube["center_mm"] for cube in label["cubes"]])
    fitted = view_from_markers(find_cards(cv2.imread(str(folder / f"{name}.jpg"))), guessed_camera(*size))
    rest, scale = left_over(fitted.to_table(true.project(pieces), pieces[:, 2]), pieces[:, :2])
    assert rest < 0.12
    assert abs(scale - 1) < 0.005
