"""The reader's parts one by one: values in, values out."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.camera import CalibrationError, guessed_camera
from calibration.hustle_profile import default_hustle_profile, hustle_profile_from_json, load_hustle_profile
from calibration.view import TableView
from companion.tiles import CARD_SPACES
from vision.hustle.board import middles, placed
from vision.hustle.cards import turned
from vision.hustle.face_book import as_planes, face_book, halved
from vision.hustle.faces import match_faces
from vision.hustle.light import Light, fit_light
from vision.hustle.overlay import laid_over
from vision.hustle.own_light import own_light, summed
from vision.hustle.standees import Portraits, patch_of
from vision.hustle.who import name_standees

FROM_ABOVE = [np.zeros(0, np.float32)]  # no picture is seen well enough to be compared
SPOTS = (middles(CARD_SPACES) / 3.5).astype(np.float32)


def test_a_profile_survives_its_json() -> None:
    profile = default_hustle_profile()
    again = hustle_profile_from_json(json.loads(json.dumps(profile.as_json())))
    assert (again.colours, again.symbols, again.standees) == (profile.colours, profile.symbols, profile.standees)
    np.testing.assert_allclose(again.grounds, profile.grounds, atol=1e-3)


@pytest.mark.parametrize("text", ["", "[]", '{"game": "dungeon-drop"}', '{"game": "dungeon-hustle", "version": 1}'])
def test_no_profile_is_one_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "p.json"
    path.write_text(text)
    with pytest.raises(CalibrationError, match="teach"):
        load_hustle_profile(path)


@given(st.integers(0, 3), st.integers(0, 3))
def test_turns_add_up(a: int, b: int) -> None:
    face = np.arange(27, dtype=np.float32).reshape(3, 3, 3)
    np.testing.assert_array_equal(turned(turned(face, a), b), turned(face, a + b))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_cards_are_named_in_any_light(seed: int) -> None:
    """Prints of the shipped profile, dealt and lit at random, come back as what they were."""
    rng = np.random.default_rng(seed)
    book = face_book(default_hustle_profile())
    dealt = rng.integers(0, len(book.prints), 36)
    gain, offset = np.zeros((2, 6, 3), np.float32)
    gain[0], offset[0] = rng.uniform(0.3, 0.8, 3), rng.uniform(0.0, 0.15, 3)
    gain[1:3] = rng.uniform(-0.05, 0.05, (2, 3))
    lit = Light(gain, offset).shed(book.prints[dealt], SPOTS)
    seen = np.clip(lit + rng.normal(0, 0.01, lit.shape), 0, 1).astype(np.float32)
    match, _ = match_faces(seen, SPOTS, book)
    same = (book.colour[match.best] == book.colour[dealt]) & (book.symbol[match.best] == book.symbol[dealt])
    assert same.mean() > 0.97
    assert (book.attack[match.best] == book.attack[dealt]).mean() > 0.97


def test_light_is_found_from_named_cards() -> None:
    rng = np.random.default_rng(3)
    prints = rng.uniform(0, 1, (36, 8, 8, 3)).astype(np.float32)
    gain, offset = np.zeros((2, 6, 3), np.float32)
    gain[0], gain[1], offset[0] = 0.5, 0.1, 0.2
    true = Light(gain, offset)
    found = fit_light(true.shed(prints, SPOTS), prints, np.ones((36, 8, 8), np.float32), SPOTS)
    np.testing.assert_allclose(found.shed(prints, SPOTS), true.shed(prints, SPOTS), atol=0.02)


@settings(max_examples=20, deadline=None)
@given(st.floats(-1, 1), st.floats(-1, 1))
def test_a_card_is_brought_back_to_where_it_belongs(dx: float, dy: float) -> None:
    face = face_book(default_hustle_profile()).prints[0]
    warp = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
    moved = cv2.warpAffine(face, warp, (32, 32), borderMode=cv2.BORDER_REPLICATE)
    back = laid_over(moved[None], face[None], np.ones((1, 32, 32), np.float32))[0]
    off_before, off_after = (float(np.abs(card - face)[3:-3, 3:-3].mean()) for card in (moved, back))
    assert off_after <= max(0.02, off_before)


@given(st.floats(-3, 3), st.floats(-3, 3), st.floats(-0.2, 0.2))
def test_placed_squares_keep_their_side(x: float, y: float, turn: float) -> None:
    corners = placed(np.array([[x, y, turn]]), 0.96)[0]
    np.testing.assert_allclose(np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1), 0.96)
    np.testing.assert_allclose(corners.mean(0), [x, y], atol=1e-9)


@given(st.floats(-150, 150), st.floats(-150, 150), st.floats(-1, 1))
def test_a_standee_covers_its_own_foot_and_leans_away_from_the_eye(x: float, y: float, turn: float) -> None:
    eye = np.array([0.0, -400.0, 500.0])
    foot = np.array([x, y])
    patch = patch_of(foot, turn, eye)
    away = (foot - eye[:2]) / np.linalg.norm(foot - eye[:2])
    reach = (patch - foot) @ away
    assert reach.max() > 20  # the head
    assert -16 < reach.min() < 0  # the base


def test_halving_averages() -> None:
    faces = np.arange(2 * 4 * 4 * 3, dtype=np.float32).reshape(2, 4, 4, 3)
    np.testing.assert_allclose(halved(faces)[1, 0, 0], faces[1, :2, :2].mean((0, 1)))


def test_every_hero_is_named_once() -> None:
    profile = default_hustle_profile()
    k = profile.standees.index("mage")
    twice = Portraits(profile.standee_faces[[k, k]], profile.standee_bases[[k, k]], *np.ones((2, 2), np.float32))
    names, sure = name_standees(twice, FROM_ABOVE * 2, profile)
    assert names.count("mage") == 1
    assert all(0 <= p <= 1 for p in sure)


def test_the_taught_are_recognised() -> None:
    profile = default_hustle_profile()
    clear = np.ones(len(profile.standees), np.float32)
    everybody = Portraits(profile.standee_faces, profile.standee_bases, clear, clear)
    names, _ = name_standees(everybody, FROM_ABOVE * len(clear), profile)
    assert tuple(names) == profile.standees


def test_views_and_boards_share_one_frame() -> None:
    view = TableView(guessed_camera(1600, 1200), np.array([np.pi, 0, 0]), np.array([0, 0, 600.0]), "tiles", 0.0)
    assert view.eye_mm[2] == pytest.approx(600)
    assert middles(((0, 0), (6, 6))).tolist() == [[-3, 3], [3, -3]]


@settings(max_examples=30, deadline=None)
@given(haze=st.floats(0.0, 0.3), gain=st.floats(0.8, 1.25))
def test_glare_on_a_base_does_not_rename_its_standee(haze: float, gain: float) -> None:
    """Seen from straight above, where the base is all there is."""
    profile = default_hustle_profile()
    hazy = (np.minimum(profile.standee_bases * gain, 1) * (1 - haze) + haze).astype(np.float32)
    from_above = Portraits(profile.standee_faces, hazy, *np.array([[0.0], [1.0]], np.float32).repeat(len(hazy), 1))
    names, _ = name_standees(from_above, FROM_ABOVE * len(hazy), profile)
    assert tuple(names) == profile.standees


@settings(max_examples=30, deadline=None)
@given(st.floats(0.4, 1.5), st.floats(-0.1, 0.4), st.floats(-0.3, 0.3), st.integers(0, 3))
def test_shadow_and_glare_on_one_card_do_not_rename_it(gain: float, veil: float, rise: float, quarters: int) -> None:
    """Each face in the light that suits it best: the right one then fits better than any other."""
    prints = face_book(default_hustle_profile()).prints[quarters::8]  # bare, every symbol and colour in one turn
    right = len(prints) // 2
    card = prints[right] * gain + veil + rise * np.linspace(-0.5, 0.5, 32, dtype=np.float32)[None, :, None]
    faces, seen = as_planes(prints)[None], as_planes(card[None])
    lit = own_light(seen, summed(faces), np.ones((1, 32 * 32), np.float32)).shed(faces)
    assert int(((lit - seen) ** 2).mean((0, 2, 3)).argmin()) == right
