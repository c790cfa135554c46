"""All cubes settled together: the assignment is exact, compared with trying everything."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.drop.box import assign


def best_by_trying(cost, capacity, fixed=None):
    best = np.inf
    for kinds in itertools.product(range(len(capacity)), repeat=len(cost)):
        if (np.bincount(kinds, minlength=len(capacity)) > capacity).any():
            continue
        if fixed is not None and kinds[fixed[0]] != fixed[1]:
            continue
        best = min(best, sum(cost[i, k] for i, k in enumerate(kinds)))
    return best


@st.composite
def tables(draw):
    cubes, kinds = draw(st.integers(1, 5)), draw(st.integers(2, 3))
    costs = draw(st.lists(st.floats(0, 10, width=16), min_size=cubes * kinds, max_size=cubes * kinds))
    capacity = np.array([*draw(st.lists(st.integers(0, 3), min_size=kinds - 1, max_size=kinds - 1)), cubes])
    return np.array(costs).reshape(cubes, kinds), capacity


@given(tables())
@settings(max_examples=150, deadline=None)
def test_assignment_is_the_cheapest_that_the_box_allows(table):
    cost, capacity = table
    kind = assign(cost, capacity).kind
    assert (np.bincount(kind, minlength=len(capacity)) <= capacity).all()
    assert cost[np.arange(len(cost)), kind].sum() == pytest.approx(best_by_trying(cost, capacity))


@given(tables(), st.data())
@settings(max_examples=100, deadline=None)
def test_margin_is_what_another_kind_would_cost_all_together(table, data):
    cost, capacity = table
    found = assign(cost, capacity)
    cube = data.draw(st.integers(0, len(cost) - 1))
    kind = data.draw(st.integers(0, len(capacity) - 1))
    optimum = cost[np.arange(len(cost)), found.kind].sum()
    if capacity[kind] == 0:
        assert found.kind[cube] != kind
    else:
        forced = best_by_trying(cost, capacity, (cube, kind))
        assert found.margin[cube, kind] == pytest.approx(forced - optimum, abs=1e-9)


def test_a_place_that_is_left_may_be_another_cubes_gain():
    cost = np.array([[1, 0, 0.5], [1, 0, 0], [0, 0, 1], [1, 0, 0], [1, 0, 1]])
    found = assign(cost, np.array([2, 1, 5]))
    assert found.kind.tolist() == [2, 2, 0, 2, 1]
    assert found.margin[4, 0] == 0.5  # it costs 1, but the first cube takes its place


def test_a_box_without_room_for_all_is_refused():
    with pytest.raises(ValueError, match="room"):
        assign(np.zeros((3, 2)), np.array([1, 1]))
