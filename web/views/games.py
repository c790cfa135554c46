"""Making, showing and changing a game: the page and its JSON twin, undo and redo, and plays in the game's notation."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from companion.errors import InvalidInput
from web.catalogue import shown
from web.errors import wants_page
from web.journal import redo_body, undo_body
from web.play import played
from web.services import body, done, number, services, text
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
        then = "screen.score" if data.get("then") == "score" else "games.show"
        return redirect(url_for(then, game_id=row.id))
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


@blueprint.post("/<game_id>/plays")
def play(game_id: str) -> tuple[Response, int]:
    """Events of the game in its own notation, all or none: {"lines": […], "after": the last entry seen, "says": …}."""
    data = body()
    lines = data.get("lines")
    if not isinstance(lines, list) or not 0 < len(lines) <= 60 or not all(isinstance(line, str) for line in lines):
        raise InvalidInput("lines must be a list of events, one line each")
    says = text(data, "says", 120) if data.get("says") else ""
    photo = services().journals.get(game_id).table
    return done(played(game_id, lines, after=number(data.get("after")), says=says, photo=photo), 201)


@blueprint.post("/<game_id>/spotlight")
def spotlight(game_id: str) -> tuple[Response, int]:
    """What somebody is looking at, for the big screen: told to all, kept by nobody."""
    room = body().get("room")
    if room is not None and (not isinstance(room, list) or len(room) > 3 or not all(isinstance(p, str) for p in room)):
        raise InvalidInput("room must be up to three pillars")
    services().store.game(game_id)
    services().bus.tell(game_id, "spotlight", room)
    return done()


@blueprint.post("/<game_id>/undo")
def undo(game_id: str) -> tuple[Response, int]:
    return _step(game_id, "undo")


@blueprint.post("/<game_id>/redo")
def redo(game_id: str) -> tuple[Response, int]:
    return _step(game_id, "redo")


def _step(game_id: str, kind: str) -> tuple[Response, int]:
    seq = number((request.get_json(silent=True) or {}).get("seq"))
    services().store.game(game_id)
    journal = services().journals.get(game_id)
    step = undo_body(journal, seq) if kind == "undo" else redo_body(journal, seq)
    return done(services().append(game_id, kind, step), 201)
