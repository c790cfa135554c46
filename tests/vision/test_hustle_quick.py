"""The Hustle reader's quick parts: reduced photos, many lenses at once, cards as planes, rims of what hides a card."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.camera import guessed_camera
from calibration.hustle_profile import default_hustle_profile
from calibration.view import TableView
from vision.hustle.compare import compared, squared
from vision.hustle.face_book import as_pictures, as_planes, face_book
from vision.hustle.lenses import Lenses
from vision.hustle.likeness import peak
from vision.hustle.reduced import reduced, reduced_lens, reduction
from vision.hustle.rims import with_rims
from vision.hustle.standees import Portraits
from vision.hustle.who import name_standees


@pytest.mark.parametrize(("width", "times"), [(640, 1), (1280, 1), (1600, 2), (1920, 2), (3000, 3)])
def test_photos_are_reduced_by_whole_numbers(width: int, times: int) -> None:
    bgr = np.zeros((width * 3 // 4 + 1, width + 1, 3), np.uint8)
    assert reduction(bgr) == times
    assert reduced(bgr, times).shape == ((width * 3 // 4 + 1) // times, (width + 1) // times, 3)


@given(st.integers(1, 5))
def test_a_reduced_lens_comes_back(times: int) -> None:
    lens = guessed_camera(1600, 1200)
    again = reduced_lens(reduced_lens(lens, 1 / times), times)
    np.testing.assert_allclose(again.matrix, lens.matrix, atol=1e-9)


@settings(deadline=None)
@given(st.floats(0.8, 1.2), st.floats(-0.1, 0.1), st.floats(-0.6, 0.6))
def test_many_lenses_see_what_one_sees(zoom: float, bulge: float, tilt: float) -> None:
    rvec, tvec = np.array([np.pi - tilt, 0.1, -0.05]), np.array([0.3, -0.2, 9.0])
    flat = np.array([[x, y] for x in (-3.0, 0.0, 3.5) for y in (-2.0, 1.0)])
    lenses = Lenses(guessed_camera(1920, 1080), np.array([zoom]), np.array([bulge]))
    view = TableView(lenses.first(), rvec, tvec, "tiles", 0.0)
    seen = view.project(np.column_stack([flat, np.zeros(len(flat))]))
    np.testing.assert_allclose(lenses.project(flat[None], rvec[None], tvec[None])[0], seen, atol=1e-6)


def test_planes_become_pictures_again() -> None:
    pictures = np.arange(2 * 4 * 4 * 3, dtype=np.float32).reshape(2, 4, 4, 3)
    np.testing.assert_array_equal(as_pictures(as_planes(pictures)), pictures)


def test_what_is_hidden_costs_no_face_anything() -> None:
    book = face_book(default_hustle_profile())
    weights = np.ones((1, 16 * 16), np.float32)
    weights[:, : 16 * 8] = 0
    card = book.coarse_planes[:1].copy()
    card[..., : 16 * 8] = 9.0  # somebody's head
    assert squared(card, book.coarse_planes[:1], weights)[0, 0] == pytest.approx(0, abs=1e-4)
    assert compared(card, book.coarse_planes[None, :4], weights).cost[0].argmin() == 0


def test_the_rim_of_what_hides_a_card_is_card_where_it_looks_unlike_the_rest() -> None:
    cards = np.full((1, 32, 32, 3), 0.2, np.float32)  # a dark base
    cards[:, 20:] = 0.9  # and a pale card below it
    shown = np.ones((1, 32, 32), np.float32)
    shown[:, 4:22, 4:28] = 0  # thought to reach two pixels too far
    out = with_rims(cards, shown)[0]
    assert out[20:22, 10:20].all()
    assert not out[6:20, 6:26].any()


def test_a_base_behind_somebody_names_nobody() -> None:
    profile = default_hustle_profile()
    k = profile.standees.index("fighter")
    other = profile.standee_bases[[profile.standees.index("cleric")]]
    alike = np.full(len(profile.standees), 0.3, np.float32)
    alike[k] = 0.5
    behind = Portraits(profile.standee_faces[[k]], other, np.ones(1, np.float32), np.zeros(1, np.float32))
    assert name_standees(behind, [alike], profile)[0] == ["fighter"]


@given(st.floats(-0.45, 0.45))
def test_a_peak_between_pixels_is_found(off: float) -> None:
    row = (1 - (np.arange(5) - 2 - off) ** 2).astype(np.float32)
    assert peak(row, 2) == pytest.approx(off, abs=1e-3)
