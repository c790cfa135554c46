"""The reader on the demo photos, taught from the demo's own teach photos (the profile that ships)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.hustle_profile import default_hustle_profile
from companion.readings import HustleReading
from companion.tiles import CARD_SPACES
from vision.hustle import read_board
from vision.photo import Photo, load_photo

DEMO = Path(__file__).parents[2] / "web" / "demo" / "hustle"
BOARDS = ("board-1", "board-2", "board-3", "board-4")


def truth(name: str) -> dict[str, Any]:
    return dict(json.loads((DEMO / f"{name}.json").read_text()))


@cache
def reading(name: str) -> HustleReading:
    return read_board(load_photo(DEMO / f"{name}.jpg"), default_hustle_profile())


def blank(bgr: Any) -> HustleReading:
    return read_board(Photo("made.jpg", np.asarray(bgr, np.uint8)), default_hustle_profile())


@pytest.mark.parametrize("name", BOARDS)
def test_the_board_is_found_to_a_tenth_of_a_card(name: str) -> None:
    wanted = np.array(truth(name)["board_px"])
    pitch = np.sqrt(cv2.contourArea(wanted.astype(np.float32))) / 7
    assert np.abs(np.array(reading(name).board_px) - wanted).max() < 0.1 * pitch


def test_hardly_a_visible_card_is_misread() -> None:
    """Two symbols that standees hide but for a corner are misread; board 3 lies in a streak of glare besides."""
    wrong = []
    asked = 0
    for name in BOARDS:
        for cell, wanted in zip(reading(name).cells, truth(name)["cells"], strict=True):
            assert cell.space == (wanted["row"], wanted["col"])
            if wanted["visible"] >= 0.5:
                asked += 1
                seen = (cell.card.colour, cell.card.symbol, cell.card.attack)
                if seen != (wanted["colour"], wanted["symbol"], wanted["attack"]):
                    wrong.append((name, cell.space, cell.confidence, wanted["occupant"]))
    assert asked > 130
    assert len(wrong) <= 2, wrong
    assert all(confidence < 0.9 and occupant for _, _, confidence, occupant in wrong), wrong


def test_who_stands_where() -> None:
    wrong = [
        (name, cell.space, cell.occupant, wanted["occupant"])
        for name in BOARDS
        for cell, wanted in zip(reading(name).cells, truth(name)["cells"], strict=True)
        if cell.occupant != wanted["occupant"]
    ]
    assert not wrong


def test_a_drop_table_says_so() -> None:
    table = DEMO.parent / "drop" / "stash-1.jpg"
    read = read_board(load_photo(table), default_hustle_profile())
    assert [problem.code for problem in read.problems] == ["other-game"]


@pytest.mark.parametrize("name", BOARDS)
def test_the_rules_hold_in_every_reading(name: str) -> None:
    cells = reading(name).cells
    assert [cell.space for cell in cells] == list(CARD_SPACES)
    heroes = [cell.occupant for cell in cells if cell.occupant not in (None, "monster", "hero")]
    assert len(heroes) == len(set(heroes))
    assert all(0 <= cell.confidence <= 1 for cell in cells)


@pytest.mark.parametrize("name", BOARDS)
def test_the_turned_up_card(name: str) -> None:
    wanted, got = truth(name)["revealed"], reading(name).revealed
    assert (wanted is None) == (got is None)
    if wanted is not None and got is not None:
        assert (got.colour, got.symbol) == (wanted["colour"], wanted["symbol"])


def test_corners_given_by_hand_will_do() -> None:
    label = truth("board-2")
    photo = load_photo(DEMO / "board-2.jpg")
    by_hand = np.array(label["board_px"]) + np.array([[6.0, -5.0], [-4.0, 7.0], [5.0, 5.0], [-6.0, 3.0]])
    read = read_board(photo, default_hustle_profile(), corners_px=by_hand)
    assert [cell.card for cell in read.cells] == [cell.card for cell in reading("board-2").cells]


def test_a_hidden_card_keeps_what_was_known_of_it() -> None:
    photo = load_photo(DEMO / "board-2.jpg")
    outline = np.array(truth("board-2")["cells"][20]["outline_px"])
    covered = photo.bgr.copy()
    cv2.fillConvexPoly(covered, np.round(outline).astype(np.int32), (128, 255, 255))
    hidden = Photo("covered.jpg", covered)
    before = reading("board-2").cells
    alone = read_board(hidden, default_hustle_profile()).cells[20]
    remembered = read_board(hidden, default_hustle_profile(), before=before).cells[20]
    assert alone.card.symbol is None
    assert remembered.card == before[20].card


@pytest.mark.parametrize(
    "bgr",
    [
        np.zeros((600, 800, 3)),
        np.full((600, 800, 3), 255),
        np.zeros((1, 1, 3)),
        np.zeros((2, 900, 3)),
        np.random.default_rng(1).integers(0, 256, (480, 640, 3)),
    ],
    ids=["black", "white", "one pixel", "a line", "noise"],
)
def test_what_shows_no_board_says_so(bgr: Any) -> None:
    read = blank(bgr)
    assert read.cells == ()
    assert [problem.code for problem in read.problems] == ["no-board"]


def test_explaining_writes_every_stage(tmp_path: Path) -> None:
    read_board(load_photo(DEMO / "board-2.jpg"), default_hustle_profile(), explain=tmp_path)
    assert len(list(tmp_path.iterdir())) == 5
    assert all(cv2.imread(str(path)) is not None for path in tmp_path.iterdir())
