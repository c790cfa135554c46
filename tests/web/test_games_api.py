"""Whole games through the JSON API: Dungeon Drop with heroes and secrets, Dungeon Hustle, history, files."""

from __future__ import annotations

import io
import json

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.conftest import Table
from tests.web.labels import DEMO
from web import Config, create_app


def begin(table: Table, *names: str, start: str = "start") -> None:
    lines = [f"join {name} {number} 9" for number, name in enumerate(names, 1)]
    table.post("plays", {"lines": [*lines, start]})


def best(table: Table) -> list[str]:
    return list(table.get("rooms.json")["rooms"][0]["pillars"])


def test_taking_a_room_moves_its_cubes_into_the_stash(drop: Table) -> None:
    begin(drop, "Anna", "Ben")
    room = drop.get("rooms.json")["rooms"][0]
    drop.post("loot", {"pillars": room["pillars"], "after": drop.state()["seq"]})
    state = drop.state()
    anna, ben = state["play"]["heroes"]
    assert sum(cube["number"] for cube in anna["stash"]) == len(room["collects"])
    assert anna["damage"] == room["damage"] and ben["active"]
    left = {piece["id"] for piece in state["table"]["pieces"]}
    assert left.isdisjoint(room["collects"])
    drop.post("undo")
    assert drop.state()["play"]["heroes"][0]["stash"] == []
    assert {piece["id"] for piece in drop.state()["table"]["pieces"]} >= set(room["collects"])


def test_a_move_made_on_an_old_view_is_a_conflict(drop: Table) -> None:
    begin(drop, "Anna", "Ben")
    seen = drop.state()["seq"]
    drop.post("loot", {"pillars": best(drop), "after": seen})
    answer = drop.post("loot", {"pillars": best(drop), "after": seen}, status=409)
    assert answer["error"]["message"] == "Somebody else made a move in between; look again."


def test_the_next_photo_is_checked_against_what_should_be_there(drop: Table) -> None:
    begin(drop, "Anna", "Ben")
    drop.post("loot", {"pillars": best(drop)})
    same = (DEMO / "drop" / "table-1.jpg").read_bytes()
    drop.client.post(f"/games/{drop.id}/photos", data={"photo": (io.BytesIO(same), "again.jpg")})
    drop.read()
    assert drop.state()["check"], "the looted cubes lie there again, and nobody noticed"


def test_an_illegal_room_is_refused_with_the_reason(drop: Table) -> None:
    drop.post("plays", {"lines": ["join Frail 1 1", "start"]})
    for room in drop.get("rooms.json")["rooms"]:
        assert room["damage"] == 0
    pieces = drop.state()["table"]["pieces"]
    goblin = next(piece for piece in pieces if piece["type"] == "goblin")
    x, y = goblin["center_mm"]
    three = [
        drop.fix(op="add", type="pillar", size="S", center_mm=[x + dx, y + dy])["id"]
        for dx, dy in ((-9, -9), (9, -9), (0, 12))
    ]
    verdict = drop.get(f"rooms/{','.join(three)}.json")
    assert [why["code"] for why in verdict["why_not"]] == ["last-health"]
    assert "not allowed" in drop.post("loot", {"pillars": three}, status=409)["error"]["message"]


def test_a_quest_stays_on_its_phone_until_the_count(drop: Table, app: Flask) -> None:
    begin(drop, "Anna", "Ben")
    drop.post("quest", {"hero": "Anna", "quest": {"gem-blue": 7}})
    other = Table(app.test_client(), drop.id)
    assert other.state()["secrets"] == {"entered": ["Anna"], "mine": {}}
    assert drop.state()["secrets"]["mine"] == {"Anna": {"gem-blue": 7}}
    assert "7" not in json.dumps(other.get("history.json")["entries"][-1]["lines"])
    assert other.post("quest", {"hero": "Anna", "quest": {}}, status=403)["error"]["code"] == "not-yours"
    assert other.post("reveal", status=409)["error"]["code"] == "illegal"
    mine, theirs = (max(room["points"] for room in each.get("rooms.json")["rooms"]) for each in (drop, other))
    assert mine > theirs


def finish(table: Table, rounds: int) -> None:
    for _ in range(rounds):
        table.post("loot", {"pillars": best(table)})


def test_the_end_counts_stashes_reveals_quests_and_rolls_chests(drop: Table) -> None:
    begin(drop, "Anna")
    drop.post("quest", {"hero": "Anna", "quest": {"gem-clear": 2}})
    finish(drop, 3)
    assert drop.state()["play"]["phase"] == "count"
    drop.post("reveal")
    stash = (DEMO / "drop" / "stash-1.jpg").read_bytes()
    data = {"photo": (io.BytesIO(stash), "stash.jpg"), "purpose": "stash", "hero": "Anna"}
    assert drop.client.post(f"/games/{drop.id}/photos", data=data).status_code == 202
    drop.read()
    assert drop.state()["table"]["photo"]["name"] == "table-1.jpg"
    drop.post("count", {"hero": "Anna"})
    anna = drop.state()["play"]["heroes"][0]
    assert sum(cube["number"] for cube in anna["stash"]) == len(drop.state()["stashes"]["Anna"]["pieces"])
    drop.post("plays", {"lines": ["roll Anna 4"] * anna["chests"]})
    drop.post("plays", {"lines": ["finish"]})
    sheet = drop.state()["play"]["sheet"]
    assert sheet["winner"] == "Anna"
    assert sheet["scores"][0]["total"] == sum(sheet["scores"][0]["parts"].values())


def test_a_table_that_only_wants_the_score(drop: Table) -> None:
    heroes = [
        {
            "name": "Red",
            "initiative": 7,
            "quest": {"gem-blue": 4},
            "teamwork": 2,
            "stash": [{"type": "gem-blue", "size": "S"}],
        }
    ]
    assert drop.post("score", {"heroes": heroes})["scores"][0]["total"] == 6
    drop.post("quick", {"heroes": heroes})
    assert drop.state()["track"]["quick"] == heroes


def test_runs_and_monsters_of_the_board(hustle: Table) -> None:
    cells = hustle.state()["table"]["cells"]
    assert len(cells) == 36
    hero = next(cell for cell in cells if cell["occupant"] not in (None, "monster"))
    runs = hustle.get(f"runs.json?from={hero['row']},{hero['col']}")["runs"]
    assert {run["colour"] for run in runs} == {cell["colour"] for cell in cells}
    hustle.post("track", {"escape_limit": 3, "spawn_corner": "bottom-right"})
    answer = hustle.get("monsters.json")
    assert len(answer["explanations"]["moves"]) >= len(answer["moves"])
    hustle.post("monsters")
    state = hustle.state()
    monsters = sum("monster" in (cell["occupant"], cell.get("also")) for cell in state["table"]["cells"])
    before = sum(cell["occupant"] == "monster" for cell in cells)
    escapes = sum(move["to"] == [3, 3] for move in answer["moves"])
    assert monsters == before + (answer["spawned"] is not None) - escapes
    assert state["table"]["revealed"] is None and state["track"]["escaped"] == escapes
    assert hustle.get("monsters.json", status=409)["error"]["code"] == "no-card"
    hustle.post("undo")
    assert hustle.state()["table"]["cells"] == cells


def test_a_card_is_corrected_and_another_turned_up(hustle: Table) -> None:
    cell = hustle.state()["table"]["cells"][0]
    hustle.fix(op="cell", cell={**cell, "colour": "red", "occupant": "monster"})
    now = hustle.state()["table"]["cells"][0]
    assert (now["colour"], now["occupant"], now["confidence"]) == ("red", "monster", 1.0)
    hustle.fix(op="revealed", revealed={"colour": "blue", "symbol": "key"})
    assert hustle.state()["table"]["revealed"] == {"colour": "blue", "symbol": "key", "attack": False}


def test_the_odds_of_a_fight_grow_with_strength(hustle: Table) -> None:
    odds = [hustle.get(f"odds.json?level=1&strength={n}&dungeon=1&shield=1") for n in range(6)]
    assert [one["attack"] for one in odds] == sorted(one["attack"] for one in odds)
    assert odds[0]["attack"] == 0 and odds[5]["attack"] == 1 and not odds[0]["exact"]
    assert all(one["defend"] >= one["attack"] for one in odds)


def test_history_steps_back_and_forth(drop: Table) -> None:
    begin(drop, "Anna", "Ben")
    drop.post("loot", {"pillars": best(drop)})
    entries = drop.get("history.json")["entries"]
    assert [entry["kind"] for entry in entries] == ["photo", "reading", "play", "play"]
    assert entries[-1]["says"].startswith("Anna took")
    earlier = drop.get(f"at/{entries[2]['seq']}.json")
    assert earlier["play"]["heroes"][0]["stash"] == []
    assert len(earlier["table"]["pieces"]) > len(drop.state()["table"]["pieces"])


def test_a_game_survives_the_way_through_a_file(drop: Table, client: FlaskClient) -> None:
    begin(drop, "Anna", "Ben")
    drop.fix(op="delete", piece=drop.state()["table"]["pieces"][0]["id"])
    drop.post("loot", {"pillars": best(drop)})
    saved = client.get(f"/games/{drop.id}/export.json").data
    answer = client.post("/games/restore", data={"file": (io.BytesIO(saved), "game.json")})
    assert answer.status_code == 201
    again, before = Table(client, answer.json["id"]).state(), drop.state()
    for key in ("table", "play", "seq", "undo"):
        assert without_times(again[key]) == without_times(before[key]), key
    assert client.get(f"/games/{drop.id}/record.txt").text.startswith("game dungeon-drop\njoin Anna 1 9\n")


def without_times(value: object) -> object:
    if isinstance(value, dict):
        return {key: without_times(item) for key, item in value.items() if key != "at"}
    return value


DROP = {"format": "dungeon-companion game", "game": "dungeon-drop"}


@pytest.mark.parametrize(
    "saved",
    [
        "hello",
        [],
        DROP | {"game": "chess"},
        DROP | {"entries": [{"kind": "evil", "body": {}}]},
        DROP | {"entries": [{"kind": "play", "body": {}}]},
        DROP | {"entries": [{"kind": "play", "body": {"lines": ["loot a,b,c"]}}]},
        DROP | {"entries": [], "photos": [{"name": "x", "data": "?"}]},
        DROP
        | {"entries": [{"kind": "reading", "body": {"photo": "x", "purpose": "table", "reading": {"pieces": []}}}]},
        DROP | {"entries": [{"kind": "reading", "body": {"photo": "x", "purpose": "table", "reading": 7}}]},
        DROP | {"entries": [{"kind": "track", "body": {"says": "a"}}, {"kind": "undo", "body": {}}]},
    ],
)
def test_a_damaged_file_is_refused_and_nothing_is_kept(client: FlaskClient, saved: object) -> None:
    answer = client.post("/games/restore", data=json.dumps(saved), content_type="application/json")
    assert answer.status_code == 400 and set(answer.json["error"]) == {"code", "message"}
    assert client.get("/index.json").json["kept"] == []


def test_games_are_there_after_a_restart_and_unread_photos_are_read(config: Config) -> None:
    app = create_app(config)
    table = Table(app.test_client(), app.test_client().post("/demo/dungeon-drop").json["id"])
    table.read()
    photo = (DEMO / "drop" / "table-3.jpg").read_bytes()
    shared = app.extensions["companion"]
    kept = shared.store.add_photo(table.id, "late.jpg", "image/jpeg", (1920, 1080), photo)
    shared.store.append(table.id, "photo", {"photo": kept.id, "purpose": "table", "hero": ""})
    shared.close()
    again = create_app(config)
    later = Table(again.test_client(), table.id)
    assert later.state()["waiting"] == [kept.id]
    assert later.read()["table"]["photo"]["id"] == kept.id
    again.extensions["companion"].close()


def test_every_page_has_a_json_twin(drop: Table, client: FlaskClient) -> None:
    for page, twin in (
        ("/", "/index.json"),
        (f"/games/{drop.id}", f"/games/{drop.id}.json"),
        (f"/games/{drop.id}/history", f"/games/{drop.id}/history.json"),
    ):
        assert client.get(page, headers={"Accept": "text/html"}).mimetype == "text/html"
        assert client.get(twin).mimetype == "application/json"
    for page in ("screen", "score"):
        assert client.get(f"/games/{drop.id}/{page}").status_code == 200


def test_a_recorded_turn_of_hustle(hustle: Table) -> None:
    cells = sorted(hustle.state()["table"]["cells"], key=lambda cell: (cell["row"], cell["col"]))
    face = "/".join(f"{cell['colour']}-{cell['symbol']}{'!' if cell['attack'] else ''}" for cell in cells)
    setup = ["player name=Anna hero=mage", "player name=Ben hero=cleric", "layout trove=top-left stairs=bottom-right"]
    hustle.post("plays", {"lines": [*setup, f"board cards={face}", "start first=Anna", "stand hero=Anna at=2,3"]})
    run = max(hustle.get("runs.json?from=2,3")["runs"], key=lambda run: len(run["picks"]))
    path = "/".join(spot if isinstance(spot, str) else f"{spot[0]},{spot[1]}" for spot in run["path"])
    hustle.post("plays", {"lines": [f"hustle colour={run['colour']} path={path}"]})
    play = hustle.state()["play"]
    assert len(play["heroes"][0]["hand"]) == len(run["picks"]) == len(play["to_replace"])
    assert play["phase"] == "replace"
    hustle.post("plays", {"lines": ["replace cards=" + "/".join(["blue-key"] * len(run["picks"]))]})
    assert hustle.state()["play"]["phase"] == "quest"
    hustle.fix(op="revealed", revealed={"colour": "purple", "symbol": "shield"})
    forecast = hustle.get("monsters.json")
    hustle.post("monsters")
    play = hustle.state()["play"]
    assert (play["phase"], play["escaped"]) == ("rest", forecast["escaped"])
    assert [cell for cell in play["cells"] if cell["occupant"] == "monster"] != []


def test_a_house_rule_changes_the_verdicts(drop: Table) -> None:
    def doubtful_room() -> tuple[str, dict[str, object]]:
        for room in drop.get("rooms.json")["rooms"]:
            path = f"rooms/{','.join(room['pillars'])}.json"
            outside = [call for call in drop.get(path)["close"] if call["side"] == "too-close" and call["gap_mm"] > 0]
            if outside:
                return path, outside[0]
        raise AssertionError("no close call on the demo table")

    path, call = doubtful_room()
    assert call["id"] in drop.get(path)["collects"] and "counts as in" in str(call["says"])
    drop.post("plays", {"lines": ["house doubt_counts_as_in=no"]})
    assert call["id"] not in drop.get(path)["collects"] and call["id"] in drop.get(path)["doubtful"]
