"""A second photo from the other side of the table: hidden cubes found, people's words kept, other tables refused."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.web.conftest import Table
from tests.web.labels import DEMO, HIDDEN, photo_from

ONE, OTHER = DEMO / "drop" / "table-2.jpg", DEMO / "drop" / "table-5.jpg"


@pytest.fixture
def table(client: FlaskClient) -> Table:
    """A new game, its table photographed from the front."""
    made = client.post("/games", json={"game": "dungeon-drop"}, headers={"Accept": "application/json"}).json
    table = Table(client, made["id"])
    sent(table, photo_from(ONE, "front"), "table")
    table.read()
    return table


def sent(table: Table, photo: bytes, purpose: str = "side", status: int = 202) -> Any:
    form = {"photo": (io.BytesIO(photo), "IMG.jpg"), "purpose": purpose}
    answer = table.client.post(f"/games/{table.id}/photos", data=form)
    assert answer.status_code == status, answer.json
    return answer.json


def kinds(state: dict[str, Any]) -> list[tuple[str, str]]:
    return sorted((piece["type"], piece["size"]) for piece in state["table"]["pieces"])


def test_the_other_side_shows_what_was_hidden_and_is_kept_like_any_photo(table: Table) -> None:
    before = table.state()
    side = sent(table, photo_from(ONE, "back"))["photo"]
    after = table.read()
    label = json.loads(ONE.with_suffix(".json").read_text())
    assert kinds(after) == sorted((cube["type"], cube["size"]) for cube in label["cubes"])
    assert after["table"]["sides"] == [side] and after["table"]["found"] == HIDDEN
    assert after["table"]["photo"] == before["table"]["photo"]  # the first photo stays what is shown
    assert after["table"]["error_mm"] < before["table"]["error_mm"]
    assert {piece["id"] for piece in before["table"]["pieces"]} < {piece["id"] for piece in after["table"]["pieces"]}
    assert table.client.get(f"/games/{table.id}/photos/{side}.jpg").status_code == 200
    entry = table.get("history.json")["entries"][-1]
    assert (entry["photo"], entry["says"]) == (side, "photo from another side added")
    table.post("undo", {"seq": after["undo"]["seq"]})
    assert table.state()["table"] == before["table"]
    table.post("redo")
    assert table.state()["table"] == after["table"]


def test_a_saved_game_keeps_both_photos(table: Table) -> None:
    sent(table, photo_from(ONE, "back"))
    after = table.read()
    saved = table.client.get(f"/games/{table.id}/export.json").data
    made = table.client.post("/games/restore", data=saved, headers={"Accept": "application/json"}).json
    again = Table(table.client, made["id"]).state()
    assert again["table"]["pieces"] == after["table"]["pieces"] and again["table"]["sides"] == after["table"]["sides"]


def test_another_table_is_refused_in_a_sentence_and_nothing_is_lost(table: Table) -> None:
    before = table.state()
    photo = sent(table, photo_from(OTHER, "back"))["photo"]
    after = table.read()
    assert after["table"] == before["table"]
    assert after["failed"]["purpose"] == "side" and after["failed"]["photo"] == photo
    assert "does not seem to show the same table" in after["failed"]["message"]
    assert table.client.get(f"/games/{table.id}/photos/{photo}.jpg").status_code == 200
    table.post(f"photos/{photo}/read")  # it was the table after all: somebody had begun anew
    now = table.read()
    assert now["table"]["photo"]["id"] == photo and now["failed"] is None and "sides" not in now["table"]


def test_what_people_said_is_not_overruled_by_the_other_side(table: Table) -> None:
    pieces = table.state()["table"]["pieces"]
    table.fix(op="change", piece=pieces[0]["id"], type="relic", size="S")
    table.fix(op="delete", piece=pieces[1]["id"])
    added = table.fix(op="add", type="potion", size="S", center_mm=[400.0, 400.0])["id"]
    sent(table, photo_from(ONE, "back"))
    after = table.read()["table"]
    changed = table.piece(pieces[0]["id"])
    assert changed is not None and (changed["type"], changed["confidence"]) == ("relic", 1.0)
    kept = table.piece(added)
    assert kept is not None and kept["confidence"] == 1.0
    assert len(after["pieces"]) == len(pieces) + HIDDEN  # one deleted, one added
    x, y = pieces[1]["center_mm"]
    assert all(abs(x - p["center_mm"][0]) + abs(y - p["center_mm"][1]) > 4 for p in after["pieces"])


def test_photos_that_cannot_be_a_second_side_are_refused_before_they_are_read(
    table: Table, hustle: Table, client: FlaskClient
) -> None:
    assert sent(table, photo_from(ONE, "front"), status=409)["error"]["code"] == "same-photo"
    sent(table, photo_from(ONE, "back"))
    table.read()
    assert sent(table, photo_from(ONE, "back"), status=409)["error"]["code"] == "same-photo"
    made = client.post("/games", json={"game": "dungeon-drop"}, headers={"Accept": "application/json"}).json
    assert sent(Table(client, made["id"]), photo_from(ONE, "back"), status=409)["error"]["code"] == "no-table"
    assert sent(hustle, photo_from(ONE, "back"), status=400)["error"]["code"] == "invalid"


def test_a_second_photo_without_a_cube_says_why(table: Table) -> None:
    before = table.state()["table"]
    sent(table, photo_from(ONE, "nowhere"))
    after = table.read()
    assert after["table"] == before
    assert after["failed"]["message"] == "No cubes were found. The table stays as it was read."
