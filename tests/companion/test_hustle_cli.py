"""`companion dungeon-hustle` from the outside: JSON Lines in and out, exit codes, one plain sentence on error."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from companion.cli.hustle import hustle
from tests.companion import hustle_oracle as oracle

PLAYTHROUGH = Path(__file__).parent / "playthroughs" / "dungeon-hustle.txt"


def question(seed: int, **rest: Any) -> dict[str, Any]:
    asked = {"cells": oracle.as_cells(oracle.random_board(random.Random(seed), 4, 5)), "spawn_corner": "top-left"}
    asked |= {"revealed": {"colour": "blue", "symbol": "key"}, "escaped": 1, "escape_limit": 4, "from": "entrance"}
    return asked | rest


def run(*arguments: str, lines: list[Any] | None = None) -> Result:
    text = None if lines is None else "".join(json.dumps(line) + "\n" for line in lines)
    return CliRunner().invoke(hustle, arguments, input=text)


def test_lines_in_and_out_stay_in_order() -> None:
    asked = [question(seed) for seed in range(5)]
    for command, keys in (
        ("monsters", {"spawned", "moves", "escaped", "monsters_win", "cells"}),
        ("runs", {"runs"}),
    ):
        result = run(command, "-", "--json", lines=asked)
        assert result.exit_code == 0
        answers = [json.loads(line) for line in result.stdout.splitlines()]
        assert len(answers) == 5
        assert all(set(answer) == keys for answer in answers)


def test_one_bad_line_does_not_stop_the_others() -> None:
    result = run("runs", "-", "--json", lines=[question(1), {"cells": []}, question(2, colour="green")])
    assert result.exit_code == 2
    first, bad, last = (json.loads(line) for line in result.stdout.splitlines())
    assert len(first["runs"]) == 4 and "36 cells" in bad["error"]
    assert [one["colour"] for one in last["runs"]] == ["green"]
    assert "line 2" in result.stderr


def test_the_readable_answers() -> None:
    assert "Escaped so far: 1." in run("monsters", "-", lines=[question(1)]).stdout
    assert "blue: " in run("runs", "-", lines=[question(1)]).stdout


def test_a_monster_on_an_unread_card_is_a_doubt() -> None:
    board = oracle.random_board(random.Random(1), 4, 0)
    board[2, 3].update(occupant="monster", colour=None, symbol=None)
    result = run("monsters", "-", lines=[question(1, cells=oracle.as_cells(board))])
    assert "under the monster on (2,3) could not be read" in result.stdout


def test_the_score_of_a_record_and_of_heroes() -> None:
    sheet = json.loads(run("score", str(PLAYTHROUGH), "--json").stdout)
    assert {score["name"]: score["total"] for score in sheet["scores"]} == {"Anna": 31, "Ben": 20, "Cleo Maria": 28}
    assert "Anna wins." in run("score", str(PLAYTHROUGH)).stdout
    heroes = {"heroes": [{"name": "Zoe", "level": 2, "gold": 1}]}
    assert json.loads(run("score", "-", "--json", lines=[heroes]).stdout)["scores"][0]["total"] == 11
    assert "The monsters win" in run("score", "-", lines=[{"monsters_win": True}]).stdout


def test_advice_and_forecast() -> None:
    wants = {"card": 0, "symbols": {"sword": 1}, "faces": {"blue-key": 2}, "ends": [{"at": "top-left", "worth": 9}]}
    asked = question(3, wants=wants, recolour=True, deck=["blue-sword", "red-key!", "red-key"]) | {"from": [1, 2]}
    advice = json.loads(run("advise", "-", "--json", lines=[asked]).stdout)
    assert advice["path"][-1] == "top-left" and advice["worth"] >= 9
    assert "worth" in run("advise", "-", lines=[asked]).stdout
    told = json.loads(run("forecast", "-", "--json", lines=[asked]).stdout)
    assert [one["card"] for one in told["cards"]] == ["red-key", "blue-sword"]
    assert "escapes next" in run("forecast", "-", lines=[asked]).stdout
    for wrong in ({"wants": 3}, {"wants": {"symbols": {"sword": "much"}}}, {"wants": {"ends": [{"at": [3, 3]}]}}):
        assert run("advise", "-", "--json", lines=[asked | wrong]).exit_code == 2
    assert run("forecast", "-", "--json", lines=[asked | {"deck": ["gold"]}]).exit_code == 2


def test_a_broken_record_names_the_file(tmp_path: Path) -> None:
    file = tmp_path / "evening.txt"
    file.write_text("game dungeon-hustle\nend\n")
    result = run("score", str(file))
    assert result.exit_code != 0
    assert "evening.txt" in str(result.exception) and "event 1" in str(result.exception)
