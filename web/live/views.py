"""The live page and its JSON: choose a camera, see its state, confirm what happened, and the browser's own frames."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from typing import Any, Final

from flask import Blueprint, Response, current_app, jsonify, render_template, request
from flask.blueprints import BlueprintSetupState

from companion.errors import CompanionError, InvalidInput
from vision.live.cameras import list_cameras, open_source
from vision.live.feed import Feed, Patience
from vision.live.frames import MAX_BYTES
from vision.live.sources import Pushed
from web.errors import Refused
from web.live.session import Pending, Session
from web.play import played
from web.security import at_this_machine
from web.services import body, done, services, text
from web.views.stream import message

blueprint = Blueprint(
    "live", __name__, url_prefix="/games", template_folder="templates", static_folder="static",
    static_url_path="/live-static",
)  # fmt: skip
BROWSER: Final = "browser"
BROWSERS: Final = Patience(frozen_s=math.inf)  # a browser says itself when its camera stops, and the page then says so
LOOK_S: Final = 5.0  # a silent line tells us when a phone has gone


class Sessions:
    """The cameras of all games; one game has one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_game: dict[str, Session] = {}

    def get(self, game_id: str) -> Session | None:
        return self._by_game.get(game_id)

    def replace(self, game_id: str, session: Session | None) -> None:
        with self._lock:
            old = self._by_game.pop(game_id, None)
            if session is not None:
                self._by_game[game_id] = session
        if old is not None:
            old.stop()


@blueprint.record_once
def _prepare(state: BlueprintSetupState) -> None:
    state.app.extensions["live"] = Sessions()


@blueprint.get("/<game_id>/live")
def page(game_id: str) -> str:
    row = services().store.game(game_id)
    return render_template("live.html", game=row, state=_state(game_id), sources=_sources())


@blueprint.get("/<game_id>/live.json")
def state(game_id: str) -> Response:
    services().store.game(game_id)
    return jsonify(_state(game_id) | {"sources": _sources()})


@blueprint.post("/<game_id>/live/start")
def start(game_id: str) -> tuple[Response, int]:
    """{"source": "browser", or a camera's number}. Any other address, film or folder only from this machine."""
    row = services().store.game(game_id)
    spec = text(body(), "source", 300)
    known = {source["source"] for source in _sources()}
    if spec not in known and not at_this_machine():
        raise Refused(403, "not-here", "Other cameras can only be chosen at the table's own computer.")
    if spec == BROWSER:
        pushed = Pushed()
        session = Session(services(), row, Feed(lambda: pushed, patience=BROWSERS), "this phone's camera", pushed)
    else:
        session = Session(services(), row, Feed(lambda: open_source(spec)), spec)
    _sessions().replace(game_id, session)
    session.start()
    return done(status=201, **_state(game_id))


@blueprint.post("/<game_id>/live/stop")
def stop(game_id: str) -> tuple[Response, int]:
    services().store.game(game_id)
    _sessions().replace(game_id, None)
    return done()


@blueprint.post("/<game_id>/live/frame")
def frame(game_id: str) -> tuple[Response, int]:
    """One JPEG from the browser that is this game's camera."""
    session = _sessions().get(game_id)
    if session is None or session.pushed is None or not session.running:
        raise Refused(409, "not-live", "No phone is this table's camera any more; start it again.")
    request.max_content_length = MAX_BYTES
    number = session.pushed.push(request.get_data(cache=False))
    return done(frame=number)


@blueprint.get("/<game_id>/live/preview.jpg")
def preview(game_id: str) -> Response:
    session = _sessions().get(game_id)
    picture = None if session is None else session.preview()
    if picture is None:
        raise Refused(404, "no-picture", "The camera has shown nothing yet.")
    return Response(picture, mimetype="image/jpeg")


@blueprint.get("/<game_id>/live/check.json")
def check(game_id: str) -> Response:
    """Light, glare, focus, cards, resolution: what the camera sees now."""
    return jsonify(findings=_session(game_id).check())


@blueprint.post("/<game_id>/live/confirm")
def confirm(game_id: str) -> tuple[Response, int]:
    """{"number": …, "choice": 0}: it happened like that. The events and the table as read are kept, with the photo."""
    data = body()
    session = _session(game_id)
    pending, choice = _pending(session, data), data.get("choice", 0)
    if type(choice) is not int or not 0 <= choice < len(pending.proposals):
        raise InvalidInput("which of the choices was it? choice must be one of their numbers")
    proposal = pending.proposals[choice]
    entry = None
    if proposal.lines:
        before = services().journals.get(game_id).table
        more: dict[str, Any] = {"photo": before, "removes": list(proposal.removes), "after_photo": pending.photo}
        try:
            entry = played(game_id, proposal.lines, says=proposal.says.rstrip("."), **more)
        except CompanionError:
            session.put_back(pending)
            raise
    session.write(pending.photo, pending.reading)
    return done(entry, 201)


@blueprint.get("/<game_id>/live/stream")
def stream(game_id: str) -> Response:
    """The live state as server-sent events, whenever it changes."""
    services().store.game(game_id)
    news = _told(_sessions(), game_id, services().bus)
    return Response(
        news, mimetype="text/event-stream", headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    )


def _told(sessions: Sessions, game_id: str, bus: Any) -> Iterator[str]:
    seen, watched = -1, sessions.get(game_id)
    yield "retry: 1000\n\n"
    while not bus.closing:
        session = sessions.get(game_id)
        if session is not watched:
            seen, watched = -1, session
        if session is None:
            yield message("live", IDLE)
            bus.wait(game_id, bus.now(game_id)[0], 1.0)
            continue
        version = session.wait(seen, LOOK_S if seen >= 0 else 0.0)
        yield message("live", session.as_json()) if version != seen else ": still here\n\n"
        seen = version


IDLE: Final[dict[str, Any]] = {
    "running": False, "camera": None, "health": "ended", "state": "watching", "complaint": "", "bumps": 0, "frame": 0,
    "proposal": None,
}  # fmt: skip


def _state(game_id: str) -> dict[str, Any]:
    session = _sessions().get(game_id)
    return dict(IDLE) if session is None else session.as_json()


def _sources() -> list[dict[str, str]]:
    """What anybody at the table may choose."""
    own = services().config.camera
    cameras = [{"source": str(camera.number), "name": camera.name} for camera in list_cameras()]
    named = [{"source": own, "name": own}] if own is not None else []
    return [*named, *cameras, {"source": BROWSER, "name": "this phone's camera"}]


def _pending(session: Session, data: dict[str, Any]) -> Pending:
    number = data.get("number")
    pending = session.taken(number) if type(number) is int else None
    if pending is None:
        raise Refused(409, "changed", "The table has changed since; look at what is proposed now.")
    return pending


def _session(game_id: str) -> Session:
    services().store.game(game_id)
    session = _sessions().get(game_id)
    if session is None:
        raise Refused(409, "not-live", "No camera watches this table; start one.")
    return session


def _sessions() -> Sessions:
    found = current_app.extensions["live"]
    assert isinstance(found, Sessions)
    return found
