"""What strangers on the Wi-Fi may try: each is refused with a plain sentence, and nothing changes."""

from __future__ import annotations

import dataclasses
import io

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.conftest import Table
from tests.web.labels import DEMO
from web import Config, Limits, create_app
from web.errors import Refused
from web.security import Guesses

JPEG = DEMO / "drop" / "table-2.jpg"
AWAY = {"REMOTE_ADDR": "192.168.1.23"}


def send(table: Table, data: bytes, name: str = "photo.jpg", **more: str) -> tuple[int, dict[str, dict[str, str]]]:
    form = {"photo": (io.BytesIO(data), name), **more}
    answer = table.client.post(f"/games/{table.id}/photos", data=form)
    return answer.status_code, answer.json


@pytest.mark.parametrize(
    "data", [b"", b"hello", b"<svg onload=alert(1)>", b"MZ\x90\x00", b"%PDF-1.7", b"GIF89a" + bytes(40), b"PK\x03\x04"]
)
def test_what_is_no_photo_is_refused_whatever_it_calls_itself(drop: Table, data: bytes) -> None:
    before = drop.state()
    status, answer = send(drop, data, "photo.jpg")
    assert status == 415 and answer["error"]["message"] == "This is not a photo; JPEG, PNG and WebP can be read."
    assert drop.state() == before


def test_a_photo_that_is_too_large_is_refused(config: Config) -> None:
    app = create_app(dataclasses.replace(config, limits=Limits(upload_bytes=50_000)))
    table = Table(app.test_client(), app.test_client().post("/demo/dungeon-drop").json["id"])
    status, answer = send(table, JPEG.read_bytes())
    assert status == 413 and answer["error"]["message"].startswith("This file is too large")
    app.extensions["companion"].close()


def test_a_body_that_is_no_photo_is_kept_small(drop: Table) -> None:
    answer = drop.client.post(f"/games/{drop.id}/fixes", json={"op": "add", "note": "x" * 300_000})
    assert answer.status_code == 413


@pytest.mark.parametrize("name", ["../../../etc/passwd", "..\\..\\boot.ini", "/etc/shadow", "....", "a/../../b.jpg"])
def test_a_name_that_climbs_folders_is_only_a_name(drop: Table, name: str) -> None:
    status, _ = send(drop, JPEG.read_bytes(), name)
    assert status == 202
    shown = drop.read()["table"]["photo"]["name"]
    assert "/" not in shown and "\\" not in shown and not shown.startswith(".")
    for path in (f"/games/{drop.id}/photos/..%2f..%2fgames.jpg", "/static/../store.py", "/static/..%2fstore.py"):
        assert drop.client.get(path).status_code == 404


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://localhost.evil.example", "https://localhost"]
)
def test_a_forged_origin_is_refused(drop: Table, origin: str) -> None:
    answer = drop.client.post(f"/games/{drop.id}/undo", headers={"Origin": origin})
    assert answer.status_code == 403 and answer.json["error"]["code"] == "forged-origin"
    assert drop.state()["redo"] is None


def test_another_site_without_an_origin_is_refused_too(drop: Table) -> None:
    assert drop.client.post(f"/games/{drop.id}/undo", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert drop.client.post(f"/games/{drop.id}/undo", headers={"Origin": "http://localhost"}).status_code == 201


def test_a_name_that_was_pointed_here_is_not_answered(client: FlaskClient) -> None:
    answer = client.get("/index.json", headers={"Host": "rebound.example:8765"})
    assert answer.status_code == 421 and "does not answer to that name" in answer.json["error"]["message"]


@pytest.fixture
def lan(config: Config) -> Flask:
    return create_app(dataclasses.replace(config, pin="271828", addresses=("http://192.168.1.7:8765",)))


def test_a_phone_needs_the_pin_and_this_machine_does_not(lan: Flask) -> None:
    phone, desk = lan.test_client(), lan.test_client()
    assert phone.get("/index.json", environ_base=AWAY).json["error"]["code"] == "pin-needed"
    assert phone.get("/", environ_base=AWAY, headers={"Accept": "text/html"}).location == "/join"
    assert phone.post("/demo/dungeon-drop", environ_base=AWAY).status_code == 401
    assert desk.get("/index.json").status_code == 200
    assert phone.get("/join?pin=271828", environ_base=AWAY).status_code == 302
    assert phone.get("/index.json", environ_base=AWAY).status_code == 200


def test_guessing_the_pin_ends_soon(lan: Flask) -> None:
    answers = [lan.test_client().get(f"/join?pin={guess:06}", environ_base=AWAY) for guess in range(12)]
    assert [answer.status_code for answer in answers] == [403] * 8 + [429] * 4
    assert lan.test_client().get("/join?pin=271828", environ_base=AWAY).status_code == 429
    assert lan.test_client().get("/join?pin=271828", environ_base={"REMOTE_ADDR": "192.168.1.24"}).status_code == 302


def test_many_addresses_guess_no_more_than_few_and_time_forgives() -> None:
    clock = [0.0]
    guesses = Guesses(Limits(pin_guesses=3, pin_guesses_in_all=10), lambda: clock[0])
    codes = []
    for number in range(14):
        with pytest.raises(Refused) as refused:
            guesses.check("1234", "0000", f"10.0.0.{number}")
        codes.append(refused.value.code)
    assert codes == ["wrong-pin"] * 10 + ["too-many-guesses"] * 4
    clock[0] = 601.0
    guesses.check("1234", "1234", "10.0.0.1")


def test_scripts_in_names_stay_text(client: FlaskClient) -> None:
    evil = '<script>alert("x")</script>'
    game = client.post("/games", json={"game": "dungeon-drop", "title": evil}).json["id"]
    table = Table(client, game)
    table.post("plays", {"lines": ["join %3Cimg%20src=x%20onerror=alert(1)%3E 1 8".replace("=", "%3D")]})
    for path in ("/", f"/games/{game}", f"/games/{game}/history", f"/games/{game}/screen", f"/games/{game}/score"):
        page = client.get(path, headers={"Accept": "text/html"})
        assert b"<script>alert" not in page.data and b"<img src=x" not in page.data
        policy = page.headers["Content-Security-Policy"]
        assert "script-src 'self'" in policy and "unsafe" not in policy


@pytest.mark.parametrize("title", ["", "   ", "x" * 81, 7, None, ["a"]])
def test_a_bad_title_gets_a_sentence(drop: Table, title: object) -> None:
    assert drop.post("title", {"title": title}, status=400)["error"]["message"].startswith("title ")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("get", "/games/nothing.json", 404),
        ("get", "/nowhere.json", 404),
        ("put", "/games", 405),
        ("post", "/games", 400),
    ],
)
def test_one_error_shape(client: FlaskClient, method: str, path: str, status: int) -> None:
    answer = getattr(client, method)(path)
    assert answer.status_code == status
    assert set(answer.json) == {"error"} and set(answer.json["error"]) == {"code", "message"}
