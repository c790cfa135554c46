"""Teaching how this table's own cubes and cards look: from taps on a photo, or from a table that was put right."""

from __future__ import annotations

import json
from typing import Any, Final

from flask import Blueprint, Response, jsonify, render_template

from companion.errors import InvalidInput
from web.errors import Refused
from web.readers import ReadJob, TeachJob, teach
from web.services import body, done, services
from web.state import game_state

blueprint = Blueprint("teach", __name__, url_prefix="/games")

SURE: Final = 0.97  # pieces read with less than this teach nothing, unless a person confirmed them


@blueprint.get("/<game_id>/teach")
def page(game_id: str) -> str:
    return render_template("teach.html", game=services().store.game(game_id), state=game_state(game_id))


@blueprint.get("/<game_id>/teach.json")
def profile(game_id: str) -> Response:
    """Whether this page knows a copy of its own, and from how many taps."""
    row = services().store.game(game_id)
    body_, taps = services().store.profile(row.game)
    return jsonify(taught=body_ is not None, photos=len(taps), taps=sum(len(_tapped(item)) for item in taps))


@blueprint.post("/<game_id>/teach")
def learn(game_id: str) -> tuple[Response, int]:
    """Learns from taps as FORMATS has them, with the photo's id for its name, and reads the photo anew.

    With {"extends": true} the taps add to what is known, as a correction does; without, they are a copy of its own,
    together with the taps of other photos that were taught before.
    """
    row, data = services().store.game(game_id), body()
    photo, image = services().store.photo(game_id, str(data.get("photo")))
    named: dict[str, Any] = {key: data[key] for key in ("cubes", "cells", "standees") if key in data}
    taps: dict[str, Any] = {"game": row.game, "photo": photo.name, **named}
    base, before = services().store.profile(row.game)
    extends = data.get("extends") is True
    lessons: list[dict[str, Any]] = [{"game_id": game_id, "photo": photo.id, "taps": taps}]
    if not extends:
        lessons = [*(item for item in before if item["photo"] != photo.id), *lessons]
    images = tuple(services().store.photo(item["game_id"], item["photo"])[1] for item in lessons)
    texts = tuple(json.dumps(item["taps"]) for item in lessons)
    learnt = services().worker.call(teach, TeachJob(row.game, images, texts, base, extends))["profile"]
    reading = services().worker.run(ReadJob(row.game, "teach", photo.name, image, learnt))
    services().store.add_profile(row.game, learnt, [*before, *lessons] if extends else lessons)
    return done(status=201, reading=reading, lessons=len(lessons))


@blueprint.post("/<game_id>/teach/table")
def learn_table(game_id: str) -> tuple[Response, int]:
    """Learns from the table as it was put right: what a person confirmed, and what was read beyond doubt."""
    row = services().store.game(game_id)
    journal = services().journals.get(game_id)
    if journal.table is None:
        raise Refused(404, "no-table", "No table has been read yet; take a photo first.")
    reading = journal.readings[journal.table]
    _, image = services().store.photo(game_id, journal.table)
    taps = {"game": row.game, "photo": "table.jpg", **_sure(reading)}
    base, before = services().store.profile(row.game)
    job = TeachJob(row.game, (image,), (json.dumps(taps),), base, row.game == "dungeon-drop")
    learnt = services().worker.call(teach, job)["profile"]
    services().store.add_profile(
        row.game, learnt, [*before, {"game_id": game_id, "photo": journal.table, "taps": taps}]
    )
    return done(status=201)


@blueprint.post("/<game_id>/teach/forget")
def forget(game_id: str) -> tuple[Response, int]:
    """Back to the copy that ships."""
    row = services().store.game(game_id)
    services().store.add_profile(row.game, "", [])
    return done()


def _sure(reading: dict[str, Any]) -> dict[str, Any]:
    if "cells" in reading:
        cells = [cell for cell in reading["cells"] if cell["colour"] and cell["symbol"] and cell["confidence"] >= SURE]
        if not cells:
            raise InvalidInput("no card of this board is certain; correct a few first")
        standees = [
            {"who": cell["occupant"], "row": cell["row"], "col": cell["col"]}
            for cell in cells
            if cell["occupant"] not in (None, "hero")
        ]
        return {"cells": cells, "standees": standees}
    sure = [p for p in reading["pieces"] if p["confidence"] >= SURE and p["type"] != "meeple" and p.get("center_px")]
    if not sure:
        raise InvalidInput("no cube of this table is certain; correct a few first")
    return {"cubes": [{"type": p["type"], "size": p["size"], "center_px": p["center_px"]} for p in sure]}


def _tapped(item: dict[str, Any]) -> list[Any]:
    return [*item["taps"].get("cubes", []), *item["taps"].get("cells", [])]
