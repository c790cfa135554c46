"""Monsters as rulings H1 to H9 have them, against a plain reading of the same text over thousands of boards."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.errors import InvalidInput
from companion.games.dungeon_hustle.answers import answer_monsters
from tests.companion import hustle_oracle as oracle

CORNERS = list(oracle.TILES)


def board_with(**cells: tuple[str, str, str | None]) -> oracle.Board:
    """All cards yellow potions but those named, as r2c3=(colour, symbol, occupant)."""
    board: oracle.Board = {
        space: {"colour": "yellow", "symbol": "potion", "attack": False, "occupant": None} for space in oracle.SPACES
    }
    for name, (colour, symbol, occupant) in cells.items():
        board[int(name[1]), int(name[3])].update(colour=colour, symbol=symbol, occupant=occupant)
    return board


def ask(board: oracle.Board, colour: str, symbol: str, **rest: Any) -> dict[str, Any]:
    question = {"spawn_corner": "top-left", "escaped": 0, "escape_limit": 4} | rest
    question |= {"cells": oracle.as_cells(board), "revealed": {"colour": colour, "symbol": symbol}}
    return answer_monsters(question, explain=True)


@pytest.mark.parametrize("colours", [1, 2, 3, 4, 5])
def test_agrees_with_a_plain_reading(colours: int) -> None:
    rng = random.Random(colours)
    for _ in range(800):
        board = oracle.random_board(rng, colours, rng.randrange(9), unread=rng.choice([0, 0, 0.1]))
        revealed = {"colour": rng.choice(oracle.COLOURS[:colours]), "symbol": rng.choice(oracle.SYMBOLS)}
        corner, escaped, limit = rng.choice(CORNERS), rng.randrange(3), rng.choice([3, 4, 5])
        question = {"cells": oracle.as_cells(board), "revealed": revealed, "spawn_corner": corner}
        answer = answer_monsters(question | {"escaped": escaped, "escape_limit": limit})
        truth = oracle.monsters(board, revealed, corner, escaped, limit)
        for key in ("spawned", "moves", "escaped", "monsters_win"):
            assert answer[key] == truth[key]
        after = {(cell["row"], cell["col"]): cell for cell in answer["cells"]}
        assert {space for space, cell in after.items() if oracle.has_monster(cell)} == truth["standing"]
        assert {space for space, cell in after.items() if cell["occupant"] not in (None, "monster")} == truth["heroes"]


def test_each_move_says_why() -> None:
    board = board_with(r1c1=("blue", "key", "monster"), r2c3=("red", "sword", "monster"))
    answer = ask(board, "blue", "sword")
    assert [move["why"] for move in answer["explanations"]["moves"]] == [
        "sword matches; it reaches the exit and escapes",
        "blue matches; two spaces are closer; clockwise is (1,2)",
    ]


def test_a_taken_space_sends_it_the_other_way_and_two_make_it_stay() -> None:
    one = board_with(r1c1=("blue", "key", "monster"), r1c2=("red", "key", "fighter"))
    assert ask(one, "blue", "sword")["moves"] == [{"from": [1, 1], "to": [2, 1]}]
    two = board_with(r1c1=("blue", "key", "monster"), r1c2=("red", "key", "fighter"), r2c1=("red", "key", "mage"))
    answer = ask(two, "blue", "sword")
    assert answer["moves"] == []
    assert answer["explanations"]["moves"][0]["why"] == "blue matches; both closer spaces are taken, so it stays"


def test_a_new_monster_may_stand_beside_a_hero_and_does_not_move() -> None:
    board = board_with(r0c3=("blue", "key", "rogue"))
    answer = ask(board, "blue", "potion")
    cell = next(cell for cell in answer["cells"] if (cell["row"], cell["col"]) == (0, 3))
    assert (answer["spawned"], answer["moves"]) == ([0, 3], [])
    assert (cell["occupant"], cell["also"]) == ("rogue", "monster")
    after = ask({(c["row"], c["col"]): c for c in answer["cells"]}, "blue", "potion")
    assert after["moves"] == [{"from": [0, 3], "to": [1, 3]}]
    assert "also" not in next(cell for cell in after["cells"] if (cell["row"], cell["col"]) == (0, 3))


def test_the_escape_that_ends_the_game_is_the_last_move() -> None:
    near = dict.fromkeys(("r2c3", "r3c2", "r3c4", "r1c1"), ("blue", "key", "monster"))
    answer = ask(board_with(**near), "blue", "sword", escaped=1, escape_limit=3)
    assert answer["monsters_win"] and answer["escaped"] == 3
    assert [move["to"] for move in answer["moves"]] == [[3, 3], [3, 3]]


def test_what_could_not_be_read_matches_nothing() -> None:
    board = board_with(r2c3=("blue", "key", "monster"))
    board[2, 3].update(colour=None, symbol=None)
    assert ask(board, "blue", "key")["moves"] == []


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"cells": []}, "a board has 36 cells"),
        ({"spawn_corner": "left"}, "spawn_corner"),
        ({"revealed": None}, "revealed"),
        ({"revealed": {"colour": "blue"}}, "its colour and its symbol"),
        ({"escaped": -1}, "escaped"),
        ({"escaped": True}, "escaped"),
        ({"escaped": 4}, "the game is over"),
    ],
)
def test_bad_questions_get_one_sentence(change: dict[str, Any], sentence: str) -> None:
    question: dict[str, Any] = {"cells": oracle.as_cells(board_with()), "spawn_corner": "top-left", "escaped": 0}
    question |= {"revealed": {"colour": "blue", "symbol": "key"}, "escape_limit": 4}
    with pytest.raises(InvalidInput, match=sentence):
        answer_monsters(question | change)
