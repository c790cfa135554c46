"""Sizes by edges: a wrong idea of a cube's length is put right by the photo."""

from __future__ import annotations

import numpy as np

from tests.vision.test_drop_fit import drawn, table, view
from vision.drop.sizes import fit_sizes
from vision.drop.solids import resized

SIDES = np.array([8.0, 10.5, 13.0])


def test_the_photo_decides_where_the_networks_length_is_in_doubt() -> None:
    rng = np.random.default_rng(6)
    here, truth = view(0.05, -0.5, 330), table(rng)
    picture = drawn(truth, here)
    doubtful = resized(truth, here, np.full(len(truth), 9.1))  # half-way between small and large
    sized = fit_sizes(picture, here, doubtful, SIDES)
    told = SIDES[sized.cost.argmin(axis=1)]
    assert (told == truth.side_mm).mean() > 0.95


def test_each_cube_can_be_had_in_each_size_and_its_own_costs_least() -> None:
    rng = np.random.default_rng(7)
    here, truth = view(0.0, -0.3, 330), table(rng)
    sized = fit_sizes(drawn(truth, here), here, truth, SIDES)
    for number, side in enumerate(SIDES):
        assert np.allclose(sized[np.full(len(truth), number)].side_mm, side)
    own = sized[np.searchsorted(SIDES, truth.side_mm)]
    assert np.median(np.linalg.norm((own.center_mm - truth.center_mm)[:, :2], axis=1)) < 0.1
    assert np.isfinite(sized.cost).all()


def test_no_cubes_have_no_sizes() -> None:
    nothing = table(np.random.default_rng(8))[:0]
    assert fit_sizes(np.zeros((9, 9, 3), np.uint8), view(0, 0, 300), nothing, SIDES).cost.shape == (0, 3)
