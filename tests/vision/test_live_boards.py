"""A Dungeon Hustle board from reading to reading: what nobody touched does not flicker, what changed is told."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.readings import HustleReading
from companion.tiles import CARD_SPACES, Card, Cell, cells_from_json
from tests.benchmarks.live_board_stage import BoardScene, BoardStage
from tests.benchmarks.live_stage import StagedFrame
from vision.live.boards import BoardChange, BoardMemory, board_remembered, cell_outlines
from vision.live.frames import Image
from vision.live.pixels import INCOMPARABLE, Picture, difference, picture
from vision.live.table import LiveTable

BOARD = Path(__file__).parents[2] / "web" / "demo" / "hustle" / "board-1.jpg"


@pytest.fixture(scope="module")
def reading() -> HustleReading:
    label = json.loads(BOARD.with_suffix(".json").read_text())
    cells = cells_from_json([{**cell, "confidence": 0.9} for cell in label["cells"]])
    return HustleReading("board", cells, tuple((x, y) for x, y in label["board_px"]), Card("blue", "sword"), "tiles")


@pytest.fixture(scope="module")
def photo() -> Image:
    return np.asarray(cv2.imread(str(BOARD)), np.uint8)


def painted(photo: Image, reading: HustleReading, space: tuple[int, int]) -> Picture:
    """The photo with one card covered by another."""
    out = photo.copy()
    outline = np.array(cell_outlines(reading.board_px)[space])
    middle = outline.mean(axis=0)
    cv2.fillConvexPoly(out, np.round(middle + 0.8 * (outline - middle)).astype(np.int32), (40, 200, 90))
    return picture(out)


def begun(reading: HustleReading) -> BoardMemory:
    memory, change = board_remembered(BoardMemory(), reading, INCOMPARABLE)
    assert not change
    return memory


def test_a_misreading_where_no_pixel_changed_is_not_believed(reading: HustleReading, photo: Image) -> None:
    memory = begun(reading)
    wrong = replace(reading.cells[5], card=Card("nonsense", "key"), confidence=0.6)
    again = replace(reading, cells=(*reading.cells[:5], wrong, *reading.cells[6:]))
    memory, change = board_remembered(memory, again, difference(picture(photo), picture(photo), 100.0))
    assert not change
    assert memory.cells[5].card == reading.cells[5].card
    assert memory.cells[7].confidence > 0.98  # said twice


def test_a_card_that_was_replaced_is_the_change(reading: HustleReading, photo: Image) -> None:
    new = replace(reading.cells[8], card=Card("new", "potion"), confidence=0.7)
    after = replace(reading, cells=(*reading.cells[:8], new, *reading.cells[9:]))
    pixels = difference(picture(photo), painted(photo, reading, new.space), 150.0)
    memory, change = board_remembered(begun(reading), after, pixels)
    assert [now for _, now in change.cells] == [new]
    assert memory.cells[8] == new


def test_another_card_turned_up_is_a_change(reading: HustleReading, photo: Image) -> None:
    same = difference(picture(photo), picture(photo), 100.0)
    _, change = board_remembered(begun(reading), replace(reading, revealed=Card("green", "key")), same)
    assert change.revealed and not change.cells


def test_a_board_that_was_not_found_loses_nothing(reading: HustleReading, photo: Image) -> None:
    memory, change = board_remembered(begun(reading), HustleReading("board"), INCOMPARABLE)
    assert not change and memory.cells == reading.cells


def test_a_whole_field_of_new_cards_is_no_hand() -> None:
    """A long run: nine cards in a block are replaced at once."""
    stage = BoardStage([BOARD.with_name(f"board-{number}.jpg") for number in (1, 2)])
    faces = sorted(stage.faces, key=str)
    before = tuple(Cell(row, col, faces[(row + 2 * col) % 5]) for row, col in CARD_SPACES)
    block = [(row, col) for row in (4, 5, 6) for col in (2, 3, 4)]
    after = tuple(replace(cell, card=faces[-1 - cell.col % 3]) if cell.space in block else cell for cell in before)
    scenes = iter([BoardScene(before), BoardScene(after)])
    shown = [BoardScene(before)]
    table = LiveTable(lambda frame: HustleReading("board", shown[0].cells, stage.corners_px(shown[0]), None, "tiles"))
    told = []
    for number, scene in enumerate(scenes):
        shown[0] = scene
        told.append(table.step(StagedFrame(number, float(number), still=True, stage=stage, scene=scene)))
    assert told[1] is not None and isinstance(told[1].change, BoardChange)
    assert {now.space for _, now in told[1].change.cells} == {
        c.space for c, d in zip(before, after, strict=True) if c != d
    }
