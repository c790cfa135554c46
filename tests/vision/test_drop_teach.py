"""Teaching from taps on the shipped demo photos, and the default profile on the demo tables."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.drop_profile import default_drop_profile
from companion.errors import InvalidInput
from companion.taps import CubeTap, drop_taps_from_json
from vision.drop.appearance_net import network_name, white_of_cards
from vision.drop.solids import Solids, standing, turned
from vision.drop.teach import PUBLISHED_MM, TaughtPhoto, learn, measured_sides
from vision.drop.types import settle
from vision.photo import load_photo
from vision.training.drop_data import true_view

DEMO = Path(__file__).parents[2] / "web" / "demo" / "drop"


def taught(name):
    taps = drop_taps_from_json(json.loads((DEMO / f"{name}.taps.json").read_text()))
    return load_photo(DEMO / taps.photo), taps


def true_cubes(name):
    """A demo photo, its view, its cubes as solids, and its labels."""
    truth = json.loads((DEMO / f"{name}.json").read_text())
    view, turn = true_view(truth)
    cubes = [cube for cube in truth["cubes"] if cube["visible"] >= 0.4 and cube["resting"] == "flat"]
    center = np.array([cube["center_mm"] for cube in cubes]) @ turn.T
    first = np.array([np.subtract(cube["footprint_mm"][1], cube["footprint_mm"][0]) for cube in cubes]) @ turn[:2, :2].T
    side, ones = np.array([cube["side_mm"] for cube in cubes]), np.ones(len(cubes))
    solids = Solids(center, side, turned(np.arctan2(first[:, 1], first[:, 0])), 0.98 * ones, 0.3 * ones)
    cards = np.array([marker["corners_px"] for marker in truth["markers"]]).reshape(-1, 4, 2)
    return load_photo(DEMO / truth["photo"]).bgr, view, solids, cards, cubes


@pytest.fixture(scope="module")
def profile():
    return learn([taught("teach-1")])


def test_one_tapped_photo_teaches_every_type_and_the_sizes(profile):
    _, taps = taught("teach-1")
    assert profile.taught == {tap.type for tap in taps.cubes}
    assert profile.network == network_name()
    assert profile.sides_mm["S"] == pytest.approx(8.0, rel=0.08)
    assert profile.sides_mm["L"] / profile.sides_mm["S"] == pytest.approx(10.5 / 8, rel=0.1)
    assert profile.sides_mm["H"] > profile.sides_mm["L"]


@pytest.mark.parametrize("name", ["table-2", "table-4"])
def test_the_shipped_profile_names_the_cubes_of_the_demo_tables(name):
    bgr, view, solids, cards, cubes = true_cubes(name)
    settled = settle(bgr, view, solids, default_drop_profile(), white=white_of_cards(bgr, cards))
    wrong = sum(
        c["type"] != kind or c["size"] != size
        for c, kind, size in zip(cubes, settled.types, settled.sizes, strict=True)
    )
    assert wrong <= 2
    assert settled.kept.all()


def test_taps_beside_all_cubes_are_refused():
    photo, taps = taught("teach-1")
    astray = replace(taps, cubes=(CubeTap("gold", "S", (12.0, 600.0)),))
    with pytest.raises(InvalidInput, match="tap the middles"):
        learn([(photo, astray)])


def test_a_size_that_was_not_tapped_keeps_its_proportion():
    solids = standing(np.zeros((3, 2)), np.array([9.0, 9.0, 11.0]), np.zeros(3))
    taps = tuple(CubeTap("gold", size, (0.0, 0.0)) for size in ("S", "S", "L"))
    one = TaughtPhoto(None, None, None, taps, solids, np.ones(3, bool))
    sides = measured_sides([one], PUBLISHED_MM)
    assert sides["S"] == 9.0 and sides["L"] == 11.0
    assert sides["H"] == pytest.approx(PUBLISHED_MM["H"] * np.median([9 / PUBLISHED_MM["S"], 11 / PUBLISHED_MM["L"]]))
