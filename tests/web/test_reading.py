"""The real readers behind the page, in their own process: the demo's photos read, taught and judged."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from tests.web.conftest import Table
from tests.web.labels import DEMO
from web import Config, create_app

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    folder: Path = tmp_path_factory.mktemp("real")
    app = create_app(Config(f"sqlite:///{folder / 'games.sqlite3'}", folder))
    yield app
    app.extensions["companion"].close()


def read_demo(page: Flask, game: str) -> Table:
    table = Table(page.test_client(), page.test_client().post(f"/demo/{game}").json["id"])
    for _ in range(600):
        if not table.state()["waiting"]:
            return table
        time.sleep(0.1)
    raise AssertionError("the demo photo was never read")


def test_the_demo_table_is_read_and_judged(page: Flask) -> None:
    table = read_demo(page, "dungeon-drop")
    pieces = table.state()["table"]["pieces"]
    label = json.loads((DEMO / "drop" / "table-1.json").read_text())
    pillars = sum(cube["type"] == "pillar" for cube in label["cubes"])
    assert abs(sum(piece["type"] == "pillar" for piece in pieces) - pillars) <= 1
    room = table.get("rooms.json")["rooms"][0]
    assert table.get(f"rooms/{','.join(room['pillars'])}.json")["legal"]


def test_a_correction_teaches_the_profile(page: Flask) -> None:
    table = read_demo(page, "dungeon-drop")
    shown = table.state()["table"]
    piece = next(piece for piece in shown["pieces"] if piece["type"] == "goblin")
    tap = {"type": "goblin", "size": "S", "center_px": piece["center_px"]}
    answer = table.post("teach", {"photo": shown["photo"]["id"], "cubes": [tap], "extends": True})
    assert any(found["type"] == "goblin" for found in answer["reading"]["pieces"])
    assert table.get("teach.json") == {"taught": True, "photos": 1, "taps": 1}
    table.post("teach/forget")
    assert table.get("teach.json")["taught"] is False
    assert table.post("teach", {"photo": shown["photo"]["id"], "cubes": []}, status=400)["error"]["code"] == "invalid"


def test_kinds_that_nobody_tapped_keep_the_look_of_the_published_copy(page: Flask) -> None:
    table = read_demo(page, "dungeon-drop")
    shown = table.state()["table"]
    taps = [
        {"type": piece["type"], "size": piece["size"], "center_px": piece["center_px"]}
        for piece in shown["pieces"]
        if piece["type"] in ("gold", "pillar")
    ]
    answer = table.post("teach", {"photo": shown["photo"]["id"], "cubes": taps})
    kinds = {piece["type"] for piece in answer["reading"]["pieces"]}
    assert {"gold", "pillar", "goblin", "key", "dragon"} <= kinds
    table.post("teach/forget")


def test_the_demo_board_is_read_and_its_monsters_move(page: Flask) -> None:
    table = read_demo(page, "dungeon-hustle")
    cells = table.state()["table"]["cells"]
    label = json.loads((DEMO / "hustle" / "board-1.json").read_text())["cells"]
    faces = {(cell["row"], cell["col"]): (cell["colour"], cell["symbol"]) for cell in label}
    right = sum(faces[cell["row"], cell["col"]] == (cell["colour"], cell["symbol"]) for cell in cells)
    assert len(cells) == 36 and right >= 34
    assert table.get("monsters.json")["explanations"]["spawned"]
