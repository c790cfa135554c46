"""The demo: real photos, read and judged like any other."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, redirect, url_for
from werkzeug.wrappers import Response as BaseResponse

from web.errors import Refused, wants_page
from web.services import done, services
from web.views.table import add_photo, queue

blueprint = Blueprint("demo", __name__, url_prefix="/demo")

PHOTOS: Final = {
    "dungeon-drop": ("A demo table", "drop", ("table-1", "table-2", "table-3", "table-4", "table-5", "table-6")),
    "dungeon-hustle": ("A demo board", "hustle", ("board-1", "board-2", "board-3", "board-4")),
}


@blueprint.post("/<game>")
def start(game: str) -> BaseResponse | tuple[Response, int]:
    if game not in PHOTOS:
        raise Refused(404, "no-demo", "There is no demo of this game.")
    title, _, names = PHOTOS[game]
    row = services().store.add_game(game, title, demo=True)
    _photograph(row.id, game, names[0])
    if wants_page():
        return redirect(url_for("games.show", game_id=row.id))
    return done(status=201, id=row.id, url=url_for("games.show", game_id=row.id))


@blueprint.post("/games/<game_id>/photos/<name>")
def another(game_id: str, name: str) -> tuple[Response, int]:
    """Another of the demo's photos, as if it had just been taken."""
    row = services().store.game(game_id)
    if name not in PHOTOS[row.game][2]:
        raise Refused(404, "no-demo", "There is no such demo photo.")
    _photograph(game_id, row.game, name)
    return done(status=202)


def _photograph(game_id: str, game: str, name: str) -> None:
    data = (services().config.demo_dir / PHOTOS[game][1] / f"{name}.jpg").read_bytes()
    queue(game_id, game, add_photo(game_id, f"{name}.jpg", data), "table")
