"""Watching: hands, motion, light and bumps told from thumbnails, driven frame by frame without a clock."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from vision.live.watch import Look, Watcher, gain

SIZE = (135, 240)


def table(random: np.random.Generator) -> npt.NDArray[np.float32]:
    """A wooden-looking table with forty cubes."""
    base = 110 + 20 * np.sin(np.arange(SIZE[1]) / 9)[None, :] + random.normal(0, 4, SIZE)
    for x, y in zip(random.integers(20, 220, 40), random.integers(15, 120, 40), strict=True):
        base[y : y + 4, x : x + 4] = random.uniform(20, 230)
    return base.astype(np.float32)


class Film:
    """Shows pictures to a watcher, ten a second, with a sensor's noise."""

    def __init__(self) -> None:
        self.random = np.random.default_rng(5)
        self.table = table(self.random)
        self.watcher = Watcher()
        self.time_s = 0.0

    def show(self, picture: npt.NDArray[np.float32], looks: int = 1) -> Look:
        for _ in range(looks):
            noisy = np.clip(picture + self.random.normal(0, 0.7, SIZE), 0, 255).astype(np.uint8)
            look = self.watcher.look(noisy, self.time_s)
            self.time_s += 0.1
            self.last = noisy
        return look

    def settle(self) -> None:
        self.show(self.table, 8)
        self.watcher.read(self.last)


@pytest.fixture
def film() -> Film:
    one = Film()
    one.settle()
    return one


def with_hand(picture: npt.NDArray[np.float32], x: int) -> npt.NDArray[np.float32]:
    out = picture.copy()
    out[60:, x : x + 26] = 190
    return out


def test_a_quiet_table_is_settled_and_unchanged(film: Film) -> None:
    look = film.show(film.table, 10)
    assert look.settled and not look.hand and not look.bumped
    assert look.changed is not None and not look.changed.any()


def test_a_moving_hand_is_seen_and_the_table_waits_until_it_left(film: Film) -> None:
    for x in range(30, 120, 12):
        look = film.show(with_hand(film.table, x))
    assert look.hand and not look.settled
    assert not film.show(film.table).settled  # just gone
    assert film.show(film.table, 6).settled


def test_a_hand_that_rests_is_still_a_hand_but_a_mug_becomes_part_of_the_table(film: Film) -> None:
    film.show(with_hand(film.table, 60))
    look = film.show(with_hand(film.table, 60), 20)
    assert look.hand and not look.settled
    assert film.show(with_hand(film.table, 60), 60).settled


def test_a_cube_taken_away_is_a_change_and_no_hand(film: Film) -> None:
    film.table[50:54, 100:104] = 240
    film.settle()
    without = film.table.copy()
    without[50:54, 100:104] = 110
    look = film.show(without, 8)
    assert look.settled and not look.hand
    assert look.changed is not None and look.changed[50:54, 100:104].mean() > 0.5
    assert look.changed.sum() < 40


def test_slow_light_is_followed_and_is_no_change(film: Film) -> None:
    for step in range(150):
        look = film.show(film.table * (1 + 0.002 * step))
    assert look.settled and look.changed is not None
    assert look.changed.sum() < 5
    assert look.light > 1.0


def test_a_lamp_switched_on_is_a_jump_of_the_light(film: Film) -> None:
    assert film.show(film.table * 1.3).light_jumped
    assert not film.show(film.table * 1.3, 3).light_jumped


def test_a_bumped_camera_shifts_the_whole_picture(film: Film) -> None:
    bumped = np.roll(film.table, (2, 3), axis=(0, 1))
    look = film.show(bumped, 8)
    assert look.bumped and look.settled and not look.hand


def test_gain_is_that_of_the_light_though_a_third_is_covered() -> None:
    before = np.full(SIZE, 100, np.float32)
    now = before * 0.8
    now[:45] = 220
    assert gain(before, now) == pytest.approx(0.8, abs=0.01)
