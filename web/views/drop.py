"""Dungeon Drop: rooms and their verdicts."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from companion.games.dungeon_drop.heroes import Hero
from web.dropping import Seen, best_rooms, seen, verdict
from web.errors import Refused
from web.services import services

blueprint = Blueprint("drop", __name__, url_prefix="/games")


@blueprint.get("/<game_id>/rooms.json")
def rooms(game_id: str) -> Response:
    """The best legal rooms, for ?hero=NAME or for nobody in particular."""
    table = _table(game_id)
    return jsonify(rooms=best_rooms(table, _hero(game_id)), all=len(table.rooms))


@blueprint.get("/<game_id>/rooms/<pillars>.json")
def room(game_id: str, pillars: str) -> Response:
    """One room, by the ids of its pillars with commas between."""
    return jsonify(verdict(_table(game_id), pillars.split(","), _hero(game_id)))


def _table(game_id: str) -> Seen:
    services().store.game(game_id)
    reading = services().journals.get(game_id).table_reading()
    if reading is None:
        raise Refused(404, "no-table", "No table has been read yet; take a photo first.")
    return seen(reading)


def _hero(game_id: str) -> Hero | None:
    return None
