"""Photos in, readings out, corrections, undo and redo: the JSON that the page is made of."""

from __future__ import annotations

import io
import threading

import pytest
from flask.testing import FlaskClient

from tests.web.conftest import Table
from tests.web.labels import DEMO


def test_the_demo_is_read_and_its_rooms_are_judged(drop: Table) -> None:
    table = drop.state()["table"]
    assert len(table["pieces"]) > 40
    rooms = drop.get("rooms.json")["rooms"]
    assert rooms[0]["points"] >= rooms[-1]["points"] and all(room["legal"] for room in rooms)
    verdict = drop.get(f"rooms/{','.join(rooms[0]['pillars'])}.json")
    assert verdict["collects"] == rooms[0]["collects"]
    assert verdict["says"].startswith("Legal.")


def test_a_disputed_cube_is_shown_from_the_photo(drop: Table) -> None:
    verdicts = [drop.get(f"rooms/{','.join(room['pillars'])}.json") for room in drop.get("rooms.json")["rooms"]]
    call = next(call for verdict in verdicts for call in verdict["close"])
    assert call["side"] in ("inside", "outside", "too-close")
    state = drop.state()["table"]
    x, y = next(piece["center_mm"] for piece in state["pieces"] if piece["id"] == call["id"])
    answer = drop.client.get(f"/games/{drop.id}/photos/{state['photo']['id']}/closeup.jpg?x={x}&y={y}&half=15")
    assert answer.status_code == 200 and answer.data[:3] == b"\xff\xd8\xff"


def test_two_pillars_are_no_room(drop: Table) -> None:
    pillars = [piece["id"] for piece in drop.state()["table"]["pieces"] if piece["type"] == "pillar"]
    answer = drop.get(f"rooms/{pillars[0]},{pillars[1]}.json", status=400)
    assert answer["error"] == {"code": "invalid", "message": "a room needs three different pillars of this table"}


def test_every_correction_can_be_undone_and_redone(drop: Table) -> None:
    before = drop.state()["table"]["pieces"]
    first = before[0]
    drop.fix(op="change", piece=first["id"], type="gold", size="L")
    changed = drop.piece(first["id"])
    assert changed is not None and (changed["type"], changed["size"], changed["confidence"]) == ("gold", "L", 1.0)
    drop.fix(op="move", piece=first["id"], center_mm=[10.0, 20.0])
    moved = drop.piece(first["id"])
    assert moved is not None and moved["center_mm"] == [10.0, 20.0]
    drop.fix(op="delete", piece=before[1]["id"])
    added = drop.fix(op="add", type="dragon", size="H", center_mm=[0, 0])["id"]
    after = drop.state()
    assert drop.piece(before[1]["id"]) is None and drop.piece(added) is not None
    for _ in range(4):
        drop.post("undo", {"seq": drop.state()["undo"]["seq"]})
    assert drop.state()["table"]["pieces"] == before
    for _ in range(4):
        drop.post("redo", {"seq": drop.state()["redo"]["seq"]})
    assert drop.state()["table"]["pieces"] == after["table"]["pieces"]


def test_a_piece_added_on_the_photo_gets_its_place_on_the_map(drop: Table) -> None:
    piece = drop.state()["table"]["pieces"][5]
    added = drop.piece(drop.fix(op="add", type="gold", size="S", center_px=piece["center_px"])["id"])
    assert added is not None
    assert added["center_mm"] == pytest.approx(piece["center_mm"], abs=1.5)
    assert len(added["outline_px"]) == len(added["footprint_mm"]) == 4


def test_undo_names_what_it_undoes_and_refuses_when_something_newer_happened(drop: Table) -> None:
    pieces = drop.state()["table"]["pieces"]
    drop.fix(op="delete", piece=pieces[0]["id"])
    seen = drop.state()["undo"]
    assert seen["label"].endswith("deleted")
    drop.fix(op="delete", piece=pieces[1]["id"])
    assert drop.post("undo", {"seq": seen["seq"]}, status=409)["error"]["code"] == "changed"


def test_two_phones_that_correct_at_once_lose_nothing(drop: Table, client: FlaskClient) -> None:
    pieces = drop.state()["table"]["pieces"][:24]
    photo = drop.state()["table"]["photo"]["id"]
    phones = [client.application.test_client() for _ in range(4)]
    failed: list[int] = []

    def correct(phone: FlaskClient, mine: list[dict[str, object]]) -> None:
        for piece in mine:
            change = {"photo": photo, "op": "change", "piece": piece["id"], "type": "chest", "size": "L"}
            answer = phone.post(f"/games/{drop.id}/fixes", json=change)
            if answer.status_code != 201:
                failed.append(answer.status_code)

    threads = [threading.Thread(target=correct, args=(phone, pieces[n::4])) for n, phone in enumerate(phones)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    now = {piece["id"]: piece["type"] for piece in drop.state()["table"]["pieces"]}
    assert all(now[piece["id"]] == "chest" for piece in pieces)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"op": "change", "piece": "p01", "type": "unicorn", "size": "S"}, "a cube needs a known type"),
        ({"op": "change", "piece": "nobody", "type": "gold", "size": "S"}, "this piece is gone"),
        ({"op": "move", "piece": "p01"}, "where?"),
        ({"op": "move", "piece": "p01", "center_mm": ["a", 2]}, "center_mm must be two numbers"),
        ({"op": "explode"}, "a correction is one of"),
    ],
)
def test_a_bad_correction_gets_a_sentence_and_changes_nothing(
    drop: Table, change: dict[str, object], message: str
) -> None:
    before = drop.state()
    assert message in drop.fix(status=400, **change)["error"]["message"]
    assert drop.state() == before


def test_a_second_photo_replaces_the_table_and_undo_brings_the_first_back(drop: Table) -> None:
    first = drop.state()["table"]["photo"]["id"]
    photo = (DEMO / "drop" / "table-2.jpg").read_bytes()
    answer = drop.client.post(f"/games/{drop.id}/photos", data={"photo": (io.BytesIO(photo), "next.jpg")})
    assert answer.status_code == 202
    assert drop.read()["table"]["photo"]["id"] == answer.json["photo"] != first
    drop.post("undo")
    assert drop.state()["table"]["photo"]["id"] == first


def test_a_photo_that_cannot_be_read_is_kept_and_said(drop: Table) -> None:
    photo = (DEMO / "drop" / "table-2.jpg").read_bytes() + b"not quite the demo photo"
    drop.client.post(f"/games/{drop.id}/photos", data={"photo": (io.BytesIO(photo), "odd.jpg")})
    state = drop.read()
    assert state["failed"]["message"] == "This photo has no label."
    assert drop.client.get(f"/games/{drop.id}/photos/{state['failed']['photo']}.jpg?w=100").status_code == 200
    assert state["table"]["photo"]["name"] == "table-1.jpg"
