"""A cube that no reading had is found by its leaving; shadows, light and newcomers are not taken for one."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.pieces import Piece
from tests.benchmarks.live_stage import Scene, Stage
from vision.live.pixels import INCOMPARABLE, Difference, difference, picture
from vision.live.unseen import left_unseen

DEMO = Path(__file__).parents[2] / "web" / "demo" / "drop"
PIECE_PX = 35.0


@pytest.fixture(scope="module")
def stage() -> Stage:
    return Stage(DEMO / "table-1.jpg")


def room_with_a_clear_gem(stage: Stage) -> tuple[int, frozenset[int]]:
    """A clear gem that touches nothing, and five cubes about it."""
    places = np.array([cube["center_mm"][:2] for cube in stage.cubes])
    apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1)) + 1e3 * np.eye(len(places))
    clear = [n for n, cube in enumerate(stage.cubes) if cube["type"] == "gem-clear"]
    gem = max(clear, key=lambda n: float(apart[n].min()))
    near = [int(n) for n in np.argsort(apart[gem]) if stage.cubes[n]["type"] != "pillar"][:5]
    return gem, frozenset(near)


def between(stage: Stage, before: Scene, after: Scene) -> Difference:
    random, width = np.random.default_rng(4), stage.label["width"]
    one, two = (picture(stage.picture(scene, width, random)) for scene in (before, after))
    return difference(one, two, PIECE_PX)


def pieces(stage: Stage, cubes: frozenset[int]) -> tuple[Piece, ...]:
    return stage.pieces(cubes)


def test_a_gem_that_nobody_read_is_missed_when_it_has_gone(stage: Stage) -> None:
    gem, near = room_with_a_clear_gem(stage)
    left = stage.everything - near - {gem}
    pixels = between(stage, Scene(stage.everything), Scene(left, light=1.05, slope=0.05))
    (found,) = left_unseen(pixels, pieces(stage, near), pieces(stage, left))
    assert found.type == "gem-clear" and found.center_mm is not None
    assert np.hypot(*(np.array(found.center_mm) - stage.cubes[gem]["center_mm"][:2])) < 5


def test_known_cubes_that_leave_explain_all_that_changed(stage: Stage) -> None:
    gem, near = room_with_a_clear_gem(stage)
    gone = near | {gem}
    pixels = between(stage, Scene(stage.everything), Scene(stage.everything - gone, light=1.1, slope=0.1))
    assert left_unseen(pixels, pieces(stage, gone), pieces(stage, stage.everything - gone)) == ()


def test_a_newcomer_that_nobody_read_has_not_left(stage: Stage) -> None:
    gem, near = room_with_a_clear_gem(stage)
    left = stage.everything - near
    pixels = between(stage, Scene(stage.everything - {gem}), Scene(left))
    assert left_unseen(pixels, pieces(stage, near), pieces(stage, left - {gem})) == ()


def test_nothing_is_said_where_nothing_can_be_compared(stage: Stage) -> None:
    assert left_unseen(INCOMPARABLE, (), pieces(stage, stage.everything)) == ()


def test_shadows_that_leave_with_their_cubes_are_no_cubes(stage: Stage) -> None:
    """A low lamp: beside every cube that went lay a shadow as large as a cube, all at the same side."""
    gem, near = room_with_a_clear_gem(stage)
    gone, random, width = near | {gem}, np.random.default_rng(4), stage.label["width"]
    lit = stage.picture(Scene(stage.everything), width, random)
    for cube in gone:
        x, y = stage.cubes[cube]["center_px"]
        shadow = np.zeros(lit.shape[:2], np.uint8)
        cv2.circle(shadow, (round(x + 34), round(y + 14)), 15, 1, -1)
        lit[shadow > 0] = (lit[shadow > 0] * 0.55).astype(np.uint8)
    after = stage.picture(Scene(stage.everything - gone), width, random)
    pixels = difference(picture(lit), picture(after), PIECE_PX)
    assert left_unseen(pixels, pieces(stage, gone), pieces(stage, stage.everything - gone)) == ()
