"""The networks: that OpenCV runs them, and that cells become finds as they were meant to."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.drop.network import CELL_PX, FINDER, READER, SIZE_PX, Finds, apart, cells, peaks


def painted(places: list[tuple[float, float]], size_px: float = 14.0, turn: float = 0.2) -> np.ndarray:
    """Cells that say what a perfect reader would say of cubes at these places (in px)."""
    said = np.zeros((len(READER), 40, 50), np.float32)
    said[0] = said[1] = -6.0
    rows, cols = np.mgrid[:40, :50]
    for x, y in places:
        col, row = (x - (CELL_PX - 1) / 2) / CELL_PX, (y - (CELL_PX - 1) / 2) / CELL_PX
        gap = np.hypot(rows - row, cols - col)
        near = gap < 2.5
        said[0][near] = np.maximum(said[0], 4.0 - 2.0 * gap)[near]
        for name, value in (("dx", col - cols), ("dy", row - rows)):
            said[READER.index(name)][near] = value[near]
        for name, value in (
            ("size", np.log(size_px / SIZE_PX)),
            ("cos4", np.cos(4 * turn)),
            ("sin4", np.sin(4 * turn)),
        ):
            said[READER.index(name)][near] = value
    return said


@given(st.floats(20, 170), st.floats(20, 130), st.floats(8, 30), st.floats(-0.7, 0.7))
@settings(max_examples=50)
def test_a_peak_gives_back_place_size_and_turn(x: float, y: float, size: float, turn: float) -> None:
    found = apart(peaks(painted([(x, y)], size, turn), READER, "heat", 0.3))
    assert len(found) == 1
    assert found.center_px[0] == pytest.approx((x, y), abs=0.01)
    assert found.size_px[0] == pytest.approx(size, rel=1e-3)
    assert found.turn_rad[0] == pytest.approx(turn, abs=1e-3)


def test_touching_cubes_are_two_finds_and_the_empty_table_is_none() -> None:
    assert len(apart(peaks(painted([(60.0, 60.0), (74.5, 60.0)]), READER, "heat", 0.3))) == 2
    assert len(peaks(painted([]), READER, "heat", 0.3)) == 0
    assert len(apart(peaks(painted([]), READER, "heat", 0.3))) == 0


def test_of_two_finds_in_one_cube_the_surer_stays() -> None:
    said = {"size": np.zeros(3)}
    finds = Finds(np.array([[50.0, 50.0], [53.0, 50.0], [90.0, 50.0]]), np.array([0.6, 0.9, 0.5]), said)
    assert sorted(apart(finds).score.tolist()) == [0.5, 0.9]


@pytest.mark.parametrize(("name", "channels"), [("reader", READER), ("finder", FINDER)])
def test_the_networks_run_on_pictures_of_any_size(name: str, channels: tuple[str, ...]) -> None:
    picture = np.full((75, 133, 3), 90, np.uint8)
    said = cells(name, picture)
    assert said.shape == (len(channels), 19, 34)
    assert np.isfinite(said).all()
