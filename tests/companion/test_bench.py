"""The benchmark's own scoring: a perfect reading has no fault, each kind of fault is counted once."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.pieces import Piece
from companion.readings import DropReading, HustleReading
from companion.tiles import Card, Cell
from tests.benchmarks.drop_score import score_drop
from tests.benchmarks.hustle_score import score_hustle
from tests.benchmarks.readers import reliability, table
from tests.benchmarks.truth import folder_suite

DEMO = Path(__file__).parents[2] / "web" / "demo"


@pytest.fixture
def table_label() -> dict[str, Any]:
    return json.loads((DEMO / "drop" / "table-1.json").read_text())


@pytest.fixture
def board_label() -> dict[str, Any]:
    return json.loads((DEMO / "hustle" / "board-1.json").read_text())


def true_reading(label: dict[str, Any]) -> DropReading:
    pieces = tuple(
        Piece(
            f"p{number:02}", cube["type"], cube["size"], 0.97, center_px=tuple(cube["center_px"]),
            footprint_mm=tuple((2 * y + 5, -2 * x) for x, y in cube["footprint_mm"]),  # turned, shifted, twice as large
        )
        for number, cube in enumerate(label["cubes"], 1)
    )  # fmt: skip
    return DropReading(label["photo"], pieces, "markers", 0.1)


def true_board(label: dict[str, Any]) -> HustleReading:
    cells = tuple(
        Cell(c["row"], c["col"], Card(c["colour"], c["symbol"], c["attack"]), c["occupant"]) for c in label["cells"]
    )
    revealed = label["revealed"]
    card = None if revealed is None else Card(revealed["colour"], revealed["symbol"], revealed["attack"])
    return HustleReading(label["photo"], cells, revealed=card)


def test_the_truth_has_no_fault(table_label: dict[str, Any], board_label: dict[str, Any]) -> None:
    score = score_drop(table_label, true_reading(table_label))
    assert score.faults == ()
    assert score.position_mm == pytest.approx(0, abs=1e-6)
    assert score.scale == pytest.approx(0.5)
    assert score.rooms is not None
    assert score.rooms.right == score.rooms.rooms > 100
    assert score.rooms.wrong_sure == 0
    assert score_hustle(board_label, true_board(board_label)).faults == ()


def test_each_fault_is_counted_once(table_label: dict[str, Any]) -> None:
    reading = true_reading(table_label)
    pieces = list(reading.pieces)
    plain = [i for i, cube in enumerate(table_label["cubes"]) if cube["visible"] == 1 and cube["type"] == "gold"]
    pieces[plain[0]] = replace(pieces[plain[0]], type="key")
    pieces[plain[1]] = replace(pieces[plain[1]], size="H")
    pieces.append(replace(pieces[plain[0]], id="x", center_px=(3.0, 3.0)))
    del pieces[plain[2]]
    score = score_drop(table_label, replace(reading, pieces=tuple(pieces)))
    assert score.kinds == {"missed": 1, "extra": 1, "type": 1, "size": 1}
    assert sum(not right for _, right in score.beliefs) == 3


def test_a_board_that_was_not_read_is_all_wrong(board_label: dict[str, Any]) -> None:
    score = score_hustle(board_label, HustleReading("x"))
    standing = sum(cell["occupant"] is not None for cell in board_label["cells"])
    assert score.kinds["colour"] == score.kinds["symbol"] == score.kinds["attack"] == score.cards
    assert score.kinds["occupied"] == standing


def test_reliability_counts_what_was_right() -> None:
    rows = reliability([(0.92, True), (0.93, True), (0.94, False), (0.4, False), (1.0, True)])
    assert [(row["from"], row["count"], row["right"]) for row in rows] == [(0.0, 1, 0), (0.9, 3, 0.667), (0.99, 1, 1)]


def test_a_folder_of_photos_is_sorted_by_game() -> None:
    assert [(s.game, len(s.photos)) for s in folder_suite(DEMO / "hustle", ())] == [("dungeon-hustle", 4)]
    assert folder_suite(DEMO, ()) == ()


def test_the_table_is_one_for_both_games() -> None:
    common = {"photos": 2, "perfect": 1, "confidence": [], "decode_ms": 9.0, "read_ms": 90.0, "times_decoding": 10.0}
    drop = {"suite": "a", "cubes": 60, "wrong": 0.02, "stages_ms": {"find": 20.0}}
    hustle = {"suite": "b", "cards": 36, "stages_ms": {}} | dict.fromkeys(
        ("colour", "symbol", "attack", "occupied", "who", "revealed"), 0
    )
    text = table([common | drop, common | hustle], 210.4)
    assert "| a | 1 of 2 | 2.0% of 60 cubes |" in text
    assert "| b | 1 of 2 | nothing (36 cards) |" in text
    assert text.endswith("Peak memory 210 MB.")
