"""The live table end to end, without a browser: frames in, states and proposals out, one tap, the record follows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.web.live_game import SETUP, Phone, client_of, staged


@pytest.fixture
def client(tmp_path: Path) -> Iterator[FlaskClient]:
    with client_of(tmp_path, staged().read) as client:
        yield client


@pytest.fixture
def game(client: FlaskClient) -> str:
    made: str = client.post("/games", json={"game": "dungeon-drop"}, headers={"Accept": "application/json"}).json["id"]  # type: ignore[index]
    assert client.post(f"/games/{made}/plays", json={"lines": SETUP}).status_code == 201
    return made


def phone(client: FlaskClient, game: str) -> Phone:
    def send(path: str, picture: bytes | None) -> Any:
        answer = client.post(path, data=picture, content_type="image/jpeg")
        assert answer.status_code == 200, answer.json
        return answer.json

    assert client.post(f"/games/{game}/live/start", json={"source": "browser"}).status_code == 201
    return Phone(send, lambda path: client.get(path).json, game)


def test_a_looted_room_is_proposed_and_recorded_with_one_tap(client: FlaskClient, game: str) -> None:
    table = staged()
    camera = phone(client, game)
    camera.show(table.before, lambda state: state["state"] == "read")
    state = client.get(f"/games/{game}.json").json
    assert state is not None and len(state["table"]["pieces"]) == 65
    first = state["table"]["photo"]["id"]

    camera.show(table.hand, lambda state: state["state"] == "hand in view")
    asked = camera.show(table.after, lambda state: state["proposal"])["proposal"]
    assert asked["choices"][0]["kind"] == "loot"
    assert len(asked["choices"][0]["removes"]) == len(table.room.collects)
    assert "Ann looted a room" in asked["choices"][0]["says"]

    answer = client.post(f"/games/{game}/live/confirm", json={"number": asked["number"], "choice": 0})
    assert answer.status_code == 201, answer.json
    state = client.get(f"/games/{game}.json").json
    assert state is not None
    (ann,) = (hero for hero in state["play"]["heroes"] if hero["name"] == "Ann")
    assert len(ann["stash"]) > 0
    assert len(state["table"]["pieces"]) == 65 - len(table.room.collects)
    assert state["table"]["photo"]["id"] != first == asked_photo(client, game)
    assert client.get(f"/games/{game}/live.json").json["proposal"] is None  # type: ignore[index]
    # What was confirmed can be confirmed only once.
    again = client.post(f"/games/{game}/live/confirm", json={"number": asked["number"], "choice": 0})
    assert again.status_code == 409


def asked_photo(client: FlaskClient, game: str) -> str:
    """The photo that the play is recorded with: the table as it lay before."""
    store = client.application.extensions["companion"].store
    return str([entry for entry in store.entries(game) if entry.kind == "play"][-1].body["photo"])


def test_a_room_recorded_by_hand_withdraws_the_proposal(client: FlaskClient, game: str) -> None:
    table = staged()
    camera = phone(client, game)
    camera.show(table.before, lambda state: state["state"] == "read")
    camera.show(table.hand, lambda state: state["state"] == "hand in view")
    asked = camera.show(table.after, lambda state: state["proposal"])["proposal"]
    loot = {"pillars": asked["choices"][0]["pillars"]}
    assert client.post(f"/games/{game}/loot", json=loot).status_code == 201
    camera.show(table.after, lambda state: state["proposal"] is None)
    late = client.post(f"/games/{game}/live/confirm", json={"number": asked["number"], "choice": 0})
    assert late.status_code == 409  # the room is looted once


def test_cubes_put_back_withdraw_the_proposal_and_a_correction_is_not_overruled(client: FlaskClient, game: str) -> None:
    table = staged()
    camera = phone(client, game)
    camera.show(table.before, lambda state: state["state"] == "read")
    reading = client.get(f"/games/{game}.json").json["table"]  # type: ignore[index]
    piece = next(piece for piece in reading["pieces"] if piece["type"] == "gold")
    fix = {"photo": reading["photo"]["id"], "op": "change", "piece": piece["id"], "type": "key", "size": "S"}
    assert client.post(f"/games/{game}/fixes", json=fix).status_code == 201
    camera.show(table.hand, lambda state: state["state"] == "hand in view")
    camera.show(table.after, lambda state: state["proposal"])
    camera.show(table.hand, lambda state: state["state"] == "hand in view")
    camera.show(table.before, lambda state: state["proposal"] is None and state["state"] == "read")
    now = client.get(f"/games/{game}.json").json["table"]  # type: ignore[index]
    assert next(one for one in now["pieces"] if one["id"] == piece["id"])["type"] == "key"


def test_a_restarted_camera_goes_on_where_the_journal_stands(client: FlaskClient, game: str) -> None:
    table = staged()
    phone(client, game).show(table.before, lambda state: state["state"] == "read")
    seq = client.get(f"/games/{game}.json").json["seq"]  # type: ignore[index]
    camera = phone(client, game)  # started anew: another session, nothing remembered but the journal
    camera.show(table.before, lambda state: state["state"] == "read")
    assert client.get(f"/games/{game}.json").json["seq"] == seq  # type: ignore[index]
    asked = camera.show(table.after, lambda state: state["proposal"])["proposal"]
    assert asked["choices"][0]["kind"] == "loot"


def test_the_page_its_json_and_its_stream(client: FlaskClient, game: str) -> None:
    page = client.get(f"/games/{game}/live", headers={"Accept": "text/html"})
    assert page.status_code == 200 and b"camera.js" in page.data
    idle = client.get(f"/games/{game}/live.json").json
    assert idle is not None and not idle["running"]
    assert idle["sources"][-1] == {"source": "browser", "name": "this phone's camera"}
    camera = phone(client, game)
    stream = client.get(f"/games/{game}/live/stream", buffered=False)
    lines = iter(stream.response)
    assert next(lines) == b"retry: 1000\n\n"  # type: ignore[comparison-overlap]
    assert b'"running": true' in next(lines)  # type: ignore[operator]
    stream.close()
    camera.show(staged().before, lambda state: state["frame"])
    assert client.get(f"/games/{game}/live/preview.jpg").data.startswith(b"\xff\xd8")
    findings = client.get(f"/games/{game}/live/check.json").json["findings"]  # type: ignore[index]
    assert [finding["code"] for finding in findings] == ["light", "glare", "focus", "markers", "resolution"]
    assert client.post(f"/games/{game}/live/stop").status_code == 200
    assert client.post(f"/games/{game}/live/frame", data=staged().before).status_code == 409


def test_bad_requests_get_a_sentence(client: FlaskClient, game: str) -> None:
    for path, data, status in (
        ("live/confirm", {"number": 1}, 409),
        ("live/start", {}, 400),
        ("live/frame", None, 409),
    ):
        answer = client.post(f"/games/{game}/{path}", json=data)
        assert answer.status_code == status and answer.json["error"]["message"], path  # type: ignore[index]
    phone(client, game)
    for junk in (b"", b"<script>alert(1)</script>", b"\xff\xd8\xff"):
        answer = client.post(f"/games/{game}/live/frame", data=junk, content_type="image/jpeg")
        assert answer.status_code == 400, junk
    assert client.get("/games/nowhere/live").status_code == 404


def test_a_stranger_may_not_point_the_server_at_addresses_or_folders(tmp_path: Path) -> None:
    with client_of(tmp_path, staged().read) as client:
        stranger = {"REMOTE_ADDR": "192.168.1.50"}
        game = client.post("/games", json={"game": "dungeon-drop"}, headers={"Accept": "application/json"}).json["id"]  # type: ignore[index]
        for spec in ("/etc", "http://192.168.1.1/admin", "rtsp://10.0.0.1/x"):
            answer = client.post(f"/games/{game}/live/start", json={"source": spec}, environ_overrides=stranger)
            assert answer.status_code == 403
