"""A staged game for tests of the live page: pictures of a table before and after a room was looted, and a reader that
knows them."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from flask.testing import FlaskClient

from companion.errors import InvalidInput
from companion.games.dungeon_drop import events as e
from companion.games.dungeon_drop.heroes import Hero
from companion.games.dungeon_drop.rooms import Room, ranked_rooms
from companion.readings import DropReading
from tests.benchmarks.live_stage import Hand, Scene, Stage
from web import Config, create_app
from web.readers import ReadJob

DEMO = Path(__file__).parents[2] / "web" / "demo" / "drop"
SETUP = [str(event) for event in (e.Join("Ann", 3, 9), e.Join("Bob", 5, 9), e.Start())]


def staged_reading(readings: dict[str, dict[str, Any]], job: ReadJob) -> dict[str, Any]:
    """What lies on a picture that was staged, by the picture's hash."""
    found = readings.get(hashlib.sha256(job.photo).hexdigest())
    if found is None:
        raise InvalidInput("this picture is not staged")
    return found


@contextmanager
def client_of(folder: Path, read: Callable[[ReadJob], dict[str, Any]]) -> Iterator[FlaskClient]:
    """The page of a companion that reads as it is told, in this process."""
    config = Config(database=f"sqlite:///{folder / 'games.sqlite3'}", read=read, read_in="thread")
    app = create_app(config)
    with app.test_client() as client:
        yield client
    app.extensions["companion"].close()


@dataclass(frozen=True)
class Staged:
    room: Room
    before: bytes
    hand: bytes
    after: bytes
    readings: dict[str, dict[str, Any]]  # by the picture's hash

    def read(self, job: ReadJob) -> dict[str, Any]:
        return staged_reading(self.readings, job)


@cache
def staged() -> Staged:
    stage = Stage(DEMO / "table-2.jpg")
    random = np.random.default_rng(1)
    pieces = stage.pieces(stage.everything)
    rooms = ranked_rooms(pieces, Hero(health=9), error_mm=0.3)
    room = next(
        room for room in rooms if 4 <= len(room.collects) <= 8 and not room.doubtful and (room.margin_mm or 0) > 2
    )
    gone = frozenset(int(name[1:]) for name in room.collects)
    scenes = [Scene(stage.everything), Scene(stage.everything, hand=Hand(0.5, 0.5)), Scene(stage.everything - gone)]
    before, hand, after = (_jpeg(stage, scene, random) for scene in scenes)
    readings = {
        hashlib.sha256(picture).hexdigest(): DropReading("live", _named(stage, scene), "markers", 0.3).as_json()
        for picture, scene in ((before, scenes[0]), (after, scenes[2]))
    }
    return Staged(room, before, hand, after, readings)


def _named(stage: Stage, scene: Scene) -> Any:
    pieces = stage.pieces(scene.present)
    return tuple(replace(piece, id=f"p{number:02}", confidence=0.98) for number, piece in enumerate(pieces, 1))


def _jpeg(stage: Stage, scene: Scene, random: np.random.Generator) -> bytes:
    picture = stage.picture(scene, stage.label["width"], random)
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes())


def until(true: Callable[[], Any], seconds: float = 30.0) -> Any:
    """What it says once that is true; fails where it never is."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if answer := true():
            return answer
        time.sleep(0.05)
    raise AssertionError("waited in vain")


class Phone:
    """A browser that is the camera, played by a test client or by plain HTTP: `send` gets a path and bytes."""

    def __init__(self, send: Callable[[str, bytes | None], Any], get: Callable[[str], Any], game: str) -> None:
        self._send, self._get, self.base = send, get, f"/games/{game}/live"

    def show(self, picture: bytes, true: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """Holds the picture before the camera until the live state is as wished."""

        def looked() -> dict[str, Any] | None:
            self._send(f"{self.base}/frame", picture)
            time.sleep(0.05)
            state: dict[str, Any] = self._get(f"{self.base}.json")
            return state if true(state) else None

        found: dict[str, Any] = until(looked)
        return found


def as_json(data: Any) -> bytes:
    return json.dumps(data).encode()
