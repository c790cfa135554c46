"""Best runs as rulings H15 to H17 have them, against plain exhaustive search over thousands of boards."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.errors import InvalidInput
from companion.games.dungeon_hustle.answers import answer_runs
from tests.companion import hustle_frontier
from tests.companion import hustle_oracle as oracle

STARTS: list[Any] = [*oracle.SPACES, *oracle.TILES, "entrance"]


def spot(place: Any) -> Any:
    return tuple(place) if isinstance(place, list) else place


def check(board: oracle.Board, start: Any, run: dict[str, Any]) -> int:
    """That a run is legal and says truly what it picks up and ends on; how many cards it picks up."""
    path = [spot(place) for place in run["path"]]
    picks = oracle.legal_picks(board, path, start, run["colour"])
    assert [list(space) for space in sorted(picks)] == run["picks"]
    end = path[-1]
    if isinstance(end, str):
        assert run["ends_on"] == "corner"
    elif oracle.has_monster(board[end]):
        assert run["ends_on"] == "monster"
    else:
        assert run["ends_on"] == ("hero" if board[end]["occupant"] else "tile")
    return len(picks)


def start_and_board(rng: random.Random, colours: int, weights: list[float] | None = None) -> tuple[Any, oracle.Board]:
    board = oracle.random_board(rng, colours, rng.randrange(9), weights, unread=rng.choice([0, 0, 0.1]))
    heroes = [space for space in oracle.SPACES if board[space]["occupant"] not in (None, "monster")]
    return rng.choice(heroes if heroes and rng.random() < 0.7 else STARTS), board


@pytest.mark.parametrize(("colours", "boards"), [(5, 1200), (4, 900), (3, 200), (2, 4)])
def test_agrees_with_exhaustive_search(colours: int, boards: int) -> None:
    rng = random.Random(colours)
    for _ in range(boards):
        start, board = start_and_board(rng, colours)
        answer = answer_runs({"cells": oracle.as_cells(board), "from": list(start) if start in board else start})
        assert [run["colour"] for run in answer["runs"]] == sorted({c["colour"] for c in board.values()} - {None})
        for run in answer["runs"]:
            picked, jumps = oracle.most_picks(board, start, run["colour"])
            assert check(board, start, run) == picked
            assert len(run["path"]) - (start in board) == jumps


@pytest.mark.parametrize("start", STARTS)
def test_a_board_of_one_colour_is_swept_clean(start: Any) -> None:
    """No run can pick up more than all 36, so a legal run that does is the best there is."""
    board = oracle.random_board(random.Random(0), 1, 0)
    answer = answer_runs({"cells": oracle.as_cells(board), "from": list(start) if start in board else start})
    assert check(board, start, answer["runs"][0]) == 36


@pytest.mark.parametrize(("weight", "boards"), [(0.5, 300), (0.65, 60), (0.8, 20), (0.9, 8), (1.0, 4)])
def test_agrees_with_a_sweep_on_full_boards(weight: float, boards: int) -> None:
    """Half to all of one colour, empty to crowded, so that the best run has to leave cards behind."""
    rng = random.Random(weight)
    for _ in range(boards):
        board = oracle.random_board(rng, 2, rng.randrange(9), [weight, 1 - weight])
        start = rng.choice([space for space in oracle.SPACES if board[space]["occupant"] != "monster"])
        (run,) = answer_runs({"cells": oracle.as_cells(board), "from": list(start), "colour": "blue"})["runs"]
        assert check(board, start, run) == hustle_frontier.most_picks(board, start, "blue")


def test_the_two_oracles_agree() -> None:
    rng = random.Random(7)
    for _ in range(60):
        board = oracle.random_board(rng, 3, rng.randrange(9))
        start = rng.choice([space for space in oracle.SPACES if board[space]["occupant"] != "monster"])
        assert hustle_frontier.most_picks(board, start, "blue") == oracle.most_picks(board, start, "blue")[0]


def test_a_colour_that_is_not_there_still_has_a_run() -> None:
    board = oracle.random_board(random.Random(1), 2, 0)
    (run,) = answer_runs({"cells": oracle.as_cells(board), "from": [4, 1], "colour": "pink"})["runs"]
    assert check(board, (4, 1), run) == 0
    assert len(run["path"]) == 2


@pytest.mark.parametrize("start", [None, [3, 3], [0, 0], "left", [1], [True, 1], [1.0, 1]])
def test_a_start_that_is_no_space(start: Any) -> None:
    board = oracle.random_board(random.Random(1), 2, 0)
    with pytest.raises(InvalidInput, match="from"):
        answer_runs({"cells": oracle.as_cells(board), "from": start})
