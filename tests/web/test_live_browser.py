"""The phone as camera: Chromium's fake video device shows a table, a hand, and the table with a room looted."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from tests.web.browser import chromium, person, served
from tests.web.live_game import SETUP, staged
from vision.live.frames import Image
from web.readers import ReadJob

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.xdist_group("browser")]
SIZE = (640, 480)


def small(jpeg: bytes, size: tuple[int, int]) -> Image:
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def film(path: Path) -> None:
    """YUV4MPEG at one frame a second, repeated by the fake device: four seconds of table, two of hand, then looted."""
    table = staged()
    scenes = [(table.before, 4), (table.hand, 2), (table.after, 50)]
    with path.open("wb") as out:
        out.write(f"YUV4MPEG2 W{SIZE[0]} H{SIZE[1]} F1:1 Ip A1:1 C420jpeg\n".encode())
        for jpeg, seconds in scenes:
            planes = cv2.cvtColor(small(jpeg, SIZE), cv2.COLOR_BGR2YUV_I420).tobytes()
            for _ in range(seconds):
                out.write(b"FRAME\n" + planes)


def read(job: ReadJob) -> dict[str, Any]:
    """Whichever of the two staged tables the frame resembles more, at the frame's own size."""
    table = staged()
    seen = small(job.photo, (160, 120)).astype(int)
    nearest = min((table.before, table.after), key=lambda one: np.abs(small(one, (160, 120)).astype(int) - seen).mean())
    reading = table.readings[hashlib.sha256(nearest).hexdigest()]
    scale = small(job.photo, SIZE).shape[1] / 1600
    pieces = [
        piece
        | {"center_px": _scaled([piece["center_px"]], scale)[0], "outline_px": _scaled(piece["outline_px"], scale)}
        for piece in reading["pieces"]
    ]
    return reading | {"pieces": pieces}


def _scaled(points: list[list[float]], scale: float) -> list[list[float]]:
    return [[x * scale, y * scale] for x, y in points]


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    with served(tmp_path, read) as url:
        yield url


def test_the_phones_camera_sees_a_room_looted_and_one_tap_records_it(address: str, tmp_path: Path) -> None:
    film(tmp_path / "table.y4m")
    devices = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
    with chromium(*devices, f"--use-file-for-fake-video-capture={tmp_path / 'table.y4m'}") as browser:
        context = person(browser, address, "phone")
        context.grant_permissions(["camera"])
        page = context.new_page()
        wrong: list[str] = []
        page.on("pageerror", lambda problem: wrong.append(str(problem)))
        page.on("console", lambda message: wrong.append(message.text) if "Content Security" in message.text else None)
        ask = {"Accept": "application/json"}
        game = page.request.post("/games", data={"game": "dungeon-drop"}, headers=ask).json()["id"]
        assert page.request.post(f"/games/{game}/plays", data={"lines": SETUP}).ok

        page.goto(f"/games/{game}/live")
        page.get_by_role("button", name="Use this phone").click()
        expect(page.locator("#mode")).to_have_text("Read", timeout=60_000)
        looted = page.get_by_role("button", name="Ann looted a room")
        expect(looted).to_be_visible(timeout=60_000)
        page.screenshot(path=str(tmp_path / "live.png"))
        looted.click()
        expect(looted).to_have_count(0, timeout=20_000)
        page.get_by_role("button", name="Check light and view").click()
        expect(page.locator("#findings li")).to_have_count(5)
        page.get_by_role("button", name="Turn the camera off").click()
        expect(page.locator("#mode")).to_have_text("Camera off")

        state = page.request.get(f"/games/{game}.json").json()
        (ann,) = (hero for hero in state["play"]["heroes"] if hero["name"] == "Ann")
        assert ann["stash"] and len(state["table"]["pieces"]) == 65 - len(staged().room.collects)
        context.close()
    assert wrong == []
