"""Making, showing and changing a game: the page and its JSON twin, undo and redo, and plays in the game's notation."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from companion.errors import InvalidInput
from web.catalogue import shown
from web.errors import wants_page
from web.journal import redo_body, undo_body
from web.services import body, done, services, text
from web.state import game_state

blueprint = Blueprint("games", __name__, url_prefix="/games")


@blueprint.post("")
def create() -> BaseResponse | tuple[Response, int]:
    """A new game, from the start page's form or as JSON."""
    data = body() if request.is_json else dict(request.form)
    game = shown(data.get("game"))
    title = text(data, "title", 80) if data.get("title") else game.title
    row = services().store.add_game(game.name, title)
    if wants_page():
        return redirect(url_for("games.show", game_id=row.id))
    return done(status=201, id=row.id, url=url_for("games.show", game_id=row.id))


@blueprint.get("/<game_id>")
def show(game_id: str) -> str:
    row = services().store.game(game_id)
    return render_template(shown(row.game).template, game=row, state=game_state(game_id))


@blueprint.get("/<game_id>.json")
def show_json(game_id: str) -> Response:
    return jsonify(game_state(game_id))


@blueprint.post("/<game_id>/title")
def rename(game_id: str) -> tuple[Response, int]:
    services().store.game(game_id)
    services().store.rename_game(game_id, text(body(), "title", 80))
    services().bus.wake(game_id)
    return done()


@blueprint.post("/<game_id>/delete")
def delete(game_id: str) -> tuple[Response, int]:
    services().store.game(game_id)
    services().store.delete_game(game_id)
    services().journals.forget(game_id)
    services().bus.wake(game_id)
    return done()


@blueprint.post("/<game_id>/undo")
def undo(game_id: str) -> tuple[Response, int]:
    return _step(game_id, "undo")


@blueprint.post("/<game_id>/redo")
def redo(game_id: str) -> tuple[Response, int]:
    return _step(game_id, "redo")


def _step(game_id: str, kind: str) -> tuple[Response, int]:
    seq = _number((request.get_json(silent=True) or {}).get("seq"))
    services().store.game(game_id)
    journal = services().journals.get(game_id)
    step = undo_body(journal, seq) if kind == "undo" else redo_body(journal, seq)
    return done(services().append(game_id, kind, step), 201)


def _number(value: object) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInput("a whole number is needed")
    return value
