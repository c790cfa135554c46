"""Dungeon Hustle before the camera: runs, new cards and monster moves told from board to board, recorded by a tap."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from companion.games.dungeon_hustle import events
from companion.games.dungeon_hustle.inference import MONSTER
from companion.games.dungeon_hustle.view import cells
from companion.readings import HustleReading
from companion.tiles import Card
from tests.benchmarks.live_board_stage import BoardScene, BoardStage
from tests.benchmarks.live_hustle import PHOTOS, VISIBLE, StagedGame, lived
from tests.benchmarks.live_stage import Hand
from tests.web.live_game import client_of, staged_reading
from tests.web.test_live import phone
from web.live.board_proposals import board_proposals
from web.readers import ReadJob


@dataclass(frozen=True)
class Staged:
    """A game's first turn: the record up to it, and pictures of the board before it, under a hand, after the run with
    its new cards, and after the monsters moved."""

    record: tuple[str, ...]
    pictures: tuple[bytes, ...]
    readings: dict[str, dict[str, Any]]
    turn: tuple[str, ...]  # what the camera can see of it

    def read(self, job: ReadJob) -> dict[str, Any]:
        return staged_reading(self.readings, job)


@cache
def staged() -> Staged:
    stage = BoardStage(PHOTOS)
    game = StagedGame(stage, seed=1)
    record, before = tuple(map(str, game.events)), BoardScene(cells(game.position))
    scenes = [before, replace(before, hand=Hand(0.5, 0.5))]
    while not isinstance(game.events[-1], events.Reveal):
        game.step()
        if isinstance(game.events[-1], (events.Replace, events.Reveal)):
            scenes.append(BoardScene(cells(game.position), game.position.revealed))
    pictures = tuple(_jpeg(stage, scene) for scene in scenes)
    readings = {
        hashlib.sha256(picture).hexdigest(): HustleReading(
            "live", scene.cells, stage.corners_px(scene), scene.revealed, "tiles"
        ).as_json()
        for picture, scene in zip(pictures, scenes, strict=True)
        if scene.hand is None
    }
    return Staged(record, pictures, readings, tuple(str(one) for one in game.events if isinstance(one, VISIBLE)))


def _jpeg(stage: BoardStage, scene: BoardScene) -> bytes:
    picture = stage.picture(scene, stage.image.shape[1], np.random.default_rng(1))
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes())


@pytest.fixture
def client(tmp_path: Path) -> Iterator[FlaskClient]:
    with client_of(tmp_path, staged().read) as client:
        yield client


def test_a_run_and_the_monsters_moves_are_proposed_and_recorded(client: FlaskClient) -> None:
    table = staged()
    game = client.post("/games", json={"game": "dungeon-hustle"}, headers={"Accept": "application/json"}).json["id"]  # type: ignore[index]
    assert client.post(f"/games/{game}/plays", json={"lines": list(table.record)}).status_code == 201
    camera = phone(client, game)
    before, hand, after_run, after_monsters = table.pictures
    camera.show(before, lambda state: state["state"] == "read")

    for after, words in ((after_run, ("hustles", "new card")), (after_monsters, ("was turned up",))):
        camera.show(hand, lambda state: state["state"] == "hand in view")
        says = tapped(client, game, camera.show(after, lambda state: state["proposal"])["proposal"])
        assert all(word in says for word in words), says
    assert lines(client, game) == [*table.record, *table.turn]
    assert client.get(f"/games/{game}/live.json").json["proposal"] is None  # type: ignore[index]


def tapped(client: FlaskClient, game: str, asked: dict[str, Any]) -> str:
    """The first choice is confirmed; what it says."""
    assert asked["choices"][0]["kind"] == "turn", asked
    answer = client.post(f"/games/{game}/live/confirm", json={"number": asked["number"], "choice": 0})
    assert answer.status_code == 201, answer.json
    return str(asked["choices"][0]["says"])


def lines(client: FlaskClient, game: str) -> list[str]:
    store = client.application.extensions["companion"].store
    return [line for entry in store.entries(game) if entry.kind == "play" for line in entry.body["lines"]]


def test_simulated_evenings_are_told_right() -> None:
    """Boards read without a fault. What is left: a new card that looks like the old one, a hero on a corner, and a card
    turned up twice that moves nobody."""
    tally = lived(12, range(20, 24), faults=0.0, blind=True)
    assert tally["looks"] > 60
    assert tally["first"] >= 0.9 * tally["looks"]
    assert tally["false"] == 0


def test_one_misread_place_does_not_hide_the_run() -> None:
    game = StagedGame(BoardStage(PHOTOS), seed=1)
    here = game.position
    while not isinstance(game.events[-1], events.Replace):
        game.step()
    seen = HustleReading("board", cells(game.position), revealed=game.position.revealed)
    run = game.position.hero.spot
    untouched = next(
        n
        for n, cell in enumerate(seen.cells)
        if cell.occupant is None and cell.card == here.cards[cell.space] and cell.space != run
    )
    for wrong in ({"card": Card("blue", "key", True)}, {"occupant": MONSTER}):
        misread = replace(seen.cells[untouched], confidence=0.6, **wrong)  # type: ignore[arg-type]
        board = replace(seen, cells=(*seen.cells[:untouched], misread, *seen.cells[untouched + 1 :]))
        first, *_ = board_proposals(here, HustleReading("before", cells(here)), board)
        assert first.kind == "turn"
        assert first.lines == tuple(
            str(event) for event in game.events if isinstance(event, (events.Hustle, events.Replace))
        )


def test_a_board_that_no_rule_explains_is_taken_as_it_lies_and_the_record_follows() -> None:
    here = StagedGame(BoardStage(PHOTOS), seed=1).position
    free = [cell.space for cell in cells(here) if cell.occupant is None]
    swept = tuple(replace(cell, occupant=MONSTER if cell.space in free[5:8] else None) for cell in cells(here))
    (as_it_lies,) = board_proposals(here, HustleReading("before", cells(here)), HustleReading("after", swept))
    assert as_it_lies.kind == "table" and as_it_lies.lines[-1].startswith("monsters at=")
