"""What changed between two pictures: cubes taken are seen, drifting light and a bumped camera are not mistaken."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.benchmarks.live_stage import Scene, Stage
from vision.live.pixels import INCOMPARABLE, alignment, difference, picture

DEMO = Path(__file__).parents[2] / "web" / "demo" / "drop"
BUMP = {"turn_deg": 1.2, "shift_px": (14.0, -9.0)}


@pytest.fixture(scope="module")
def bare() -> Stage:
    return Stage(DEMO / "table-4.jpg")  # no cards lie on it


@pytest.fixture(scope="module")
def carded() -> Stage:
    return Stage(DEMO / "table-3.jpg")


def seen(stage: Stage, scene: Scene, seed: int = 0) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return stage.picture(scene, stage.label["width"], np.random.default_rng(seed))


@pytest.mark.parametrize("which", ["bare", "carded"])
def test_a_bump_is_found_with_and_without_cards(which: str, request: pytest.FixtureRequest) -> None:
    stage: Stage = request.getfixturevalue(which)
    still = Scene(stage.everything)
    bumped = replace(still, **BUMP)  # type: ignore[arg-type]
    change = difference(picture(seen(stage, still)), picture(seen(stage, bumped, 1)), 30.0)
    assert change.moved is not None
    for cube in stage.cubes[::9]:
        (true,) = stage.to_photo(bumped, [cube["center_px"]])
        assert np.hypot(*(np.array(change.to_new(tuple(cube["center_px"]))) - true)) < 2.0
        assert not change.is_changed(tuple(map(tuple, cube["outline_px"])), old=True)


def test_a_camera_that_stands_still_is_not_bumped_by_light(carded: Stage) -> None:
    still = Scene(carded.everything)
    old, new = seen(carded, still), seen(carded, replace(still, light=1.2, slope=0.15), 1)
    assert alignment(picture(old), picture(new)) is None


def test_a_card_that_somebody_moved_is_no_bump(carded: Stage) -> None:
    old = seen(carded, Scene(carded.everything))
    new = old.copy()
    corners = np.array(carded.label["markers"][0]["corners_px"])
    x, y = np.round(corners.min(axis=0) - 30).astype(int).clip(0)
    right, low = np.round(corners.max(axis=0) + 30).astype(int)
    new[y:low, x:right] = cv2.warpAffine(new[y:low, x:right], np.float32([[1, 0, 6], [0, 1, 4]]), (right - x, low - y))
    assert alignment(picture(old), picture(new)) is None


def test_cubes_taken_in_drifting_light_are_the_only_change(carded: Stage) -> None:
    taken = frozenset(sorted(carded.everything)[::6])
    old = seen(carded, Scene(carded.everything))
    new = seen(carded, Scene(carded.everything - taken, light=1.15, slope=0.1), 1)
    change = difference(picture(old), picture(new), 30.0)
    told = {
        n for n, cube in enumerate(carded.cubes) if change.is_changed(tuple(map(tuple, cube["outline_px"])), old=True)
    }
    assert taken <= told
    assert len(told - taken) <= 2  # a neighbour whose shadow went with it


def test_where_nothing_can_be_compared_anything_may_have_changed() -> None:
    assert INCOMPARABLE.is_changed(((0, 0), (5, 0), (5, 5)), old=False)
    assert not INCOMPARABLE.is_covered(((0, 0), (5, 0), (5, 5)), old=False)
    small, large = (np.zeros((h, w, 3), np.uint8) for h, w in ((48, 64), (60, 80)))
    assert not difference(picture(small), picture(large), 10.0).comparable
