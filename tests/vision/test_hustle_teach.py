"""Teaching a copy: from the demo's tapped photos to the profile that ships, and what cannot be taught from."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.hustle_profile import default_hustle_profile
from companion.errors import InvalidInput
from companion.taps import HustleTaps, hustle_taps_from_json
from vision.hustle import read_board
from vision.hustle.teach import learn
from vision.photo import Photo, load_photo

DEMO = Path(__file__).parents[2] / "web" / "demo" / "hustle"


def lesson(number: int) -> tuple[Photo, HustleTaps]:
    taps = hustle_taps_from_json(json.loads((DEMO / f"teach-{number}.taps.json").read_text()))
    return load_photo(DEMO / taps.photo), taps


def test_the_profile_that_ships_is_what_the_demo_photos_teach() -> None:
    taught, shipped = learn([lesson(1), lesson(2)]), default_hustle_profile()
    assert (taught.colours, taught.symbols) == (shipped.colours, shipped.symbols)
    assert sorted(taught.standees) == sorted(shipped.standees)
    assert taught.pitch_mm == pytest.approx(shipped.pitch_mm, rel=0.01)
    assert np.abs(taught.tints - shipped.tints).max() < 0.05


def test_one_photo_without_standees_teaches_the_faces() -> None:
    profile = learn([lesson(1)])
    assert profile.standees == ()
    truth = json.loads((DEMO / "board-2.json").read_text())
    read = read_board(load_photo(DEMO / "board-2.jpg"), profile)
    right = [
        (cell.card.colour, cell.card.symbol) == (wanted["colour"], wanted["symbol"])
        for cell, wanted in zip(read.cells, truth["cells"], strict=True)
        if wanted["visible"] > 0.95
    ]
    assert np.mean(right) > 0.9
    assert {cell.occupant for cell in read.cells} <= {None, "monster", "hero"}


def test_a_photo_without_a_board_teaches_nothing() -> None:
    photo, taps = lesson(1)
    empty = replace(photo, bgr=np.full_like(photo.bgr, 90))
    with pytest.raises(InvalidInput, match="no Dungeon Hustle board"):
        learn([(empty, taps)])
