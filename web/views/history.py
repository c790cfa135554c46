"""Every turn with its photo, stepping back and forth, and the whole game as one file that can be taken elsewhere."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any, Final

from flask import Blueprint, Response, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from companion.errors import CompanionError, InvalidInput
from companion.pieces import pieces_from_json, point_from_json
from companion.problems import problem_from_json
from companion.record import Record
from companion.tiles import cells_from_json
from web.catalogue import shown
from web.errors import wants_page
from web.journal import UNDOABLE, Journal, folded, label
from web.play import position_after, rules
from web.services import done, services
from web.state import game_state
from web.store import Entry, photo_id
from web.views.table import add_photo

blueprint = Blueprint("history", __name__, url_prefix="/games")

FORMAT: Final = "dungeon-companion game"
KINDS: Final = UNDOABLE | {"photo", "failed", "undo", "redo"}


@blueprint.get("/<game_id>/history")
def history(game_id: str) -> str:
    return render_template("history.html", game=services().store.game(game_id), state=game_state(game_id))


@blueprint.get("/<game_id>/history.json")
def history_json(game_id: str) -> Response:
    row = services().store.game(game_id)
    entries, journal = services().journals.with_entries(game_id)
    standing = {entry.seq for entry in journal.done}
    return jsonify(
        id=row.id,
        title=row.title,
        entries=[
            {
                "seq": entry.seq,
                "kind": entry.kind,
                "says": label(entry),
                "at": entry.at,
                "photo": entry.body.get("photo"),
                "lines": [line for line in entry.body.get("lines", []) if not line.startswith("look ")],
                "stands": entry.seq in standing or entry.kind not in UNDOABLE,
            }
            for entry in entries
        ],
    )


@blueprint.get("/<game_id>/at/<int:seq>.json")
def at(game_id: str, seq: int) -> Response:
    """The game as it stood after entry number seq."""
    services().store.game(game_id)
    entries, _ = services().journals.with_entries(game_id)
    return jsonify(game_state(game_id, folded(entry for entry in entries if entry.seq <= seq)))


@blueprint.get("/<game_id>/record.txt")
def record(game_id: str) -> Response:
    """The game in its own notation, one event a line."""
    row = services().store.game(game_id)
    game = rules(row.game)
    events = tuple(map(game.parse_event, services().journals.get(game_id).lines))
    return Response(str(Record(game, events)), mimetype="text/plain")


@blueprint.get("/<game_id>/export.json")
def export(game_id: str) -> Response:
    """All of a game: entries and photos. Quests that were not revealed stay behind."""
    row = services().store.game(game_id)
    entries, _ = services().journals.with_entries(game_id)
    photos = [services().store.photo(game_id, photo) for photo in services().store.photos(game_id)]
    answer = jsonify(
        format=FORMAT,
        game=row.game,
        title=row.title,
        entries=[{"kind": entry.kind, "body": entry.body, "at": entry.at} for entry in entries],
        photos=[{"name": photo.name, "data": base64.b64encode(data).decode()} for photo, data in photos],
    )
    answer.headers["Content-Disposition"] = "attachment"
    return answer


@blueprint.post("/restore")
def restore() -> BaseResponse | tuple[Response, int]:
    """A game from such a file, checked event by event before anything is kept."""
    file = request.files.get("file")
    raw = file.stream.read() if file is not None else request.get_data()
    data = _parsed(raw)
    game = shown(data.get("game"))
    entries = _entries(data.get("entries"))
    photos = [_photo(item) for item in data.get("photos") or []]
    try:
        journal = folded(entries)
        position_after(game.name, journal.lines)
        _check_readings(journal, {photo_id(content) for _, content in photos})
    except (CompanionError, KeyError, TypeError, AttributeError, ValueError) as problem:
        raise InvalidInput(f"this game cannot be replayed ({problem}); the file is damaged") from None
    row = services().store.add_game(game.name, str(data.get("title") or game.title)[:80])
    for name, content in photos:
        add_photo(row.id, name, content)
    for entry in entries:
        services().store.append(row.id, entry.kind, entry.body)
    where = url_for("games.show", game_id=row.id)
    return redirect(where) if wants_page() else done(status=201, id=row.id, url=where)


def _parsed(raw: bytes) -> dict[str, Any]:
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InvalidInput("this is not a saved game; choose a file that this page saved")
    return data


def _entries(data: Any) -> list[Entry]:
    if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
        raise InvalidInput("this saved game has no entries; the file is damaged")
    made = []
    for number, item in enumerate(data, 1):
        if item.get("kind") not in KINDS or not isinstance(item.get("body"), dict):
            raise InvalidInput(f"entry {number} of this saved game cannot be read; the file is damaged")
        made.append(Entry(number, item["kind"], item["body"], "", str(item.get("at", ""))))
    return made


def _check_readings(journal: Journal, photos: set[str]) -> None:
    """Every reading is of a photo that came along, and is one that the page can show."""
    if unknown := ({*journal.readings, *journal.waiting} - photos):
        raise InvalidInput(f"photo {min(unknown)} is missing")
    for reading in journal.readings.values():
        pieces_from_json(reading.get("pieces", []))
        cells_from_json(reading.get("cells", []))
        for problem in reading["problems"]:
            problem_from_json(problem)
        for corner in (*reading.get("board_px", []), reading["size_px"]):
            point_from_json(corner, "a corner")


def _photo(item: Any) -> tuple[str, bytes]:
    try:
        return str(item["name"]), base64.b64decode(item["data"], validate=True)
    except (KeyError, TypeError, ValueError, binascii.Error):
        raise InvalidInput("a photo of this saved game cannot be read; the file is damaged") from None
