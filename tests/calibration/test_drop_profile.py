"""Profiles: what was taught comes back, and what is no profile is refused in one sentence."""

from __future__ import annotations

import json

import numpy as np
import pytest

from calibration.camera import CalibrationError
from calibration.drop_profile import (
    DropProfile,
    default_drop_profile,
    load_drop_profile,
    profile_from_json,
    save_drop_profile,
)
from companion.pieces import TYPES
from vision.drop.appearance_net import network_name

SIDES = {"S": 8.0, "L": 10.5, "H": 13.0}


def profile(**changes):
    looks = np.arange(8, dtype=np.float32).reshape(4, 2) / 4
    types = ("gold", "gold", "key", "pillar")
    fields = {
        "name": "mine",
        "network": "abc",
        "sides_mm": SIDES,
        "types": types,
        "photos": (0, 1, 0, 1),
        "looks": looks,
    }
    return DropProfile(**(fields | changes))


def test_a_saved_profile_comes_back(tmp_path):
    path = tmp_path / "mine.json"
    save_drop_profile(profile(), path)
    back = load_drop_profile(path)
    assert back.as_json() == profile().as_json()
    np.testing.assert_array_equal(back.looks, profile().looks)
    assert back.taught == {"gold", "key", "pillar"}


@pytest.mark.parametrize(
    "changes",
    [
        {"types": ("gold",)},
        {"types": (), "photos": (), "looks": np.zeros((0, 2), np.float32)},
        {"sides_mm": {"S": 8.0, "L": 10.0}},
        {"sides_mm": {"S": 8.0, "L": 10.0, "H": -1.0}},
        {"looks": np.full((4, 2), np.nan, np.float32)},
    ],
)
def test_an_impossible_profile_is_refused(changes):
    with pytest.raises(CalibrationError):
        profile(**changes)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"game": "dungeon-hustle"}, "not a Dungeon Drop profile"),
        ({"version": 99}, "another version"),
        ({"looks": "no base64!"}, "damaged"),
        ({"looks": "AAAA"}, "damaged"),
        ({"sides_mm": None}, "damaged"),
        ({"dimensions": 0}, "damaged"),
    ],
)
def test_damaged_json_gives_one_sentence(change, says):
    with pytest.raises(CalibrationError, match=says):
        profile_from_json(profile().as_json() | change)


def test_files_that_are_no_profiles(tmp_path):
    with pytest.raises(CalibrationError, match="cannot be opened"):
        load_drop_profile(tmp_path / "none.json")
    (tmp_path / "text.json").write_text("hello")
    with pytest.raises(CalibrationError, match="is not JSON"):
        load_drop_profile(tmp_path / "text.json")
    (tmp_path / "list.json").write_text(json.dumps([1, 2]))
    with pytest.raises(CalibrationError, match="not a Dungeon Drop profile"):
        load_drop_profile(tmp_path / "list.json")


def test_the_shipped_profile_knows_every_type_and_belongs_to_the_shipped_network():
    shipped = default_drop_profile()
    assert shipped.taught == set(TYPES) - {"meeple"}
    assert shipped.network == network_name()
    assert shipped.sides_mm["S"] < shipped.sides_mm["L"] < shipped.sides_mm["H"]
