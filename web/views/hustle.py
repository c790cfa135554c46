"""Dungeon Hustle: runs, the monsters' moves, the odds of a fight, and what a table counts that keeps no full record."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from flask import Blueprint, Response, jsonify, request

from companion.errors import InvalidInput
from companion.games.dungeon_hustle.answers import answer_monsters, answer_runs
from companion.games.dungeon_hustle.board import CORNERS, spot_json
from companion.games.dungeon_hustle.combat import Odds, Piles, by_power, draw_size, odds_before_draw
from companion.games.dungeon_hustle.events import Reveal
from companion.games.dungeon_hustle.position import Position, unseen_cards
from companion.games.dungeon_hustle.scoring import answer_score
from companion.games.dungeon_hustle.view import cells as cells_of
from companion.tiles import card_from_json, cells_from_json
from web.errors import Refused
from web.play import played, position_after
from web.powers import powered_runs
from web.services import body, done, services

blueprint = Blueprint("hustle", __name__, url_prefix="/games")

TRACK: Final[dict[str, Any]] = {"spawn_corner": "top-left", "escaped": 0, "escape_limit": 5, "level": 1}


@blueprint.get("/<game_id>/runs.json")
def runs(game_id: str) -> Response:
    """The best run of each colour from ?from=ROW,COL, a corner's name or "entrance"; and, for the hero whose turn it is
    to hustle, the best one with each power that they have."""
    asked = request.args.get("from", "entrance")
    place: Any = [int(part) for part in asked.split(",")] if asked.replace(",", "").isdigit() else asked
    answer = answer_runs({"cells": _board(game_id)["cells"], "from": place})
    here = _started(game_id)
    if here is not None and here.phase == "hustle" and place == spot_json(here.hero.spot or "entrance"):
        answer["runs"] += powered_runs(here)
    return jsonify(answer)


@blueprint.get("/<game_id>/monsters.json")
def monsters(game_id: str) -> Response:
    """What the turned-up card would do now, with one sentence for each move."""
    return jsonify(_monsters(game_id))


@blueprint.post("/<game_id>/monsters")
def confirm(game_id: str) -> tuple[Response, int]:
    """The monsters moved as shown: the board, the count of escapes and the turned-up card follow."""
    board, answer = _board(game_id), _monsters(game_id)
    if _started(game_id):
        line = str(Reveal(card_from_json(board["revealed"], "the turned-up card")))
        return done(played(game_id, [line], says=_moved(answer), photo=board["photo_id"]), 201)
    track = {**TRACK, **services().journals.get(game_id).track, "escaped": answer["escaped"]}
    track["monsters_win"] = answer["monsters_win"]
    leaves = {"cells": answer["cells"], "revealed": None}
    note = {"says": _moved(answer), "track": track, "photo": board["photo_id"], "leaves": leaves}
    return done(services().append(game_id, "track", note), 201)


@blueprint.post("/<game_id>/track")
def track(game_id: str) -> tuple[Response, int]:
    """Sets what the table counts: {"spawn_corner", "escaped", "escape_limit", "level"}, any of them."""
    data, services_ = body(), services()
    services_.store.game(game_id)
    given = {key: data[key] for key in TRACK if key in data}
    if not given:
        raise InvalidInput(f"one of {', '.join(TRACK)} is needed")
    if given.get("spawn_corner", "top-left") not in CORNERS:
        raise InvalidInput(f"spawn_corner is one of {', '.join(CORNERS)}")
    if any(
        type(given.get(key, 0)) is not int or not 0 <= given.get(key, 0) <= 9 for key in TRACK if key != "spawn_corner"
    ):
        raise InvalidInput("the tracks go from 0 to 9")
    return done(services_.append(game_id, "track", {"says": "tracks set", "track": given}), 201)


@blueprint.get("/<game_id>/odds.json")
def odds(game_id: str) -> Response:
    """The chance to win: ?level= of the hero, ?strength= swords and help, ?shield=1 to defend once, ?dungeon=1…3.

    Exact where the deck's cards were entered; else from the board's own mix, which is then said.
    """
    level, strength, dungeon = (
        request.args.get(key, least, type=int) for key, least in (("level", 1), ("strength", 0), ("dungeon", 1))
    )
    shield = request.args.get("shield", "0") == "1"
    if not (1 <= level <= 4 and 0 <= strength <= 20 and 1 <= dungeon <= 3):
        raise InvalidInput("level 1 to 4, strength 0 to 20 and dungeon 1 to 3 are needed")
    piles, exact = _piles(game_id)
    found = odds_before_draw(piles, draw_size(dungeon), level, strength, shield)
    return jsonify({**_odds_json(found), "exact": exact})


@blueprint.post("/score/hustle")
def score() -> Response:
    """A score sheet from levels, gold, items and quests, as `companion dungeon-hustle score` has it."""
    return jsonify(answer_score(body()))


def _board(game_id: str) -> dict[str, Any]:
    services().store.game(game_id)
    journal = services().journals.get(game_id)
    reading = journal.table_reading()
    if reading is None:
        raise Refused(404, "no-table", "No board has been read yet; take a photo first.")
    here = _started(game_id)
    cells = {"cells": [cell.as_json() for cell in cells_of(here)]} if here else {}
    return reading | cells | {"photo_id": journal.table}


def _started(game_id: str) -> Position | None:
    """The position, where the game is recorded event by event; None where the table only asks."""
    here = position_after("dungeon-hustle", services().journals.get(game_id).lines)
    assert isinstance(here, Position)
    return None if here.phase in ("setup", "over") else here


def _monsters(game_id: str) -> dict[str, Any]:
    board = _board(game_id)
    if board.get("revealed") is None:
        raise Refused(409, "no-card", "No card is turned up on the deck; turn one up, or enter it.")
    track, here = {**TRACK, **services().journals.get(game_id).track}, _started(game_id)
    if here is not None:
        track = {"spawn_corner": here.spawn, "escaped": here.escaped, "escape_limit": here.escape_limit}
    question = {key: track[key] for key in ("spawn_corner", "escaped", "escape_limit")}
    return answer_monsters({**question, "cells": board["cells"], "revealed": board["revealed"]}, explain=True)


def _moved(answer: dict[str, Any]) -> str:
    moves = len(answer["moves"])
    new = "a monster appeared" if answer["spawned"] else ""
    went = f"{moves} monster{'s' if moves != 1 else ''} moved" if moves else ""
    return ", ".join(part for part in (new, went) if part) or "no monster stirred"


def _piles(game_id: str) -> tuple[Piles, bool]:
    """What may be drawn: the deck as far as it is known, else cards in the proportion that the board shows."""
    journal = services().journals.get(game_id)
    here = position_after("dungeon-hustle", journal.lines)
    assert isinstance(here, Position)
    unseen = unseen_cards(here)
    if unseen:
        return Piles(by_power(unseen), here.deck_left or sum(unseen.values()), by_power(Counter(here.discards))), True
    cards = [cell.card for cell in cells_from_json(_board(game_id)["cells"]) if cell.card.symbol is not None]
    return Piles(by_power(cards), len(cards), (0, 0, 0)), False


def _odds_json(found: Odds) -> dict[str, Any]:
    return {key: None if value is None else round(float(value), 4) for key, value in vars(found).items()}
