"""Server-sent events: tells a phone that a game moved on. A phone that lost its Wi-Fi says the last number it saw and
learns at once whether it missed anything; the state itself it fetches as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from flask import Blueprint, Response, request

from web.services import Services, services

blueprint = Blueprint("stream", __name__, url_prefix="/games")

LOOK_S: Final = 1.0  # another server on the same database is noticed within this time
BEAT_S: Final = 10.0  # a silent line tells the browser that the connection lives, and us when it does not


@blueprint.get("/<game_id>/stream")
def stream(game_id: str) -> Response:
    shared = services()
    shared.store.game(game_id)
    seen = request.headers.get("Last-Event-ID", request.args.get("after", "0"))
    news = counted(shared, game_id, int(seen) if seen.isdigit() else 0)
    return Response(
        news, mimetype="text/event-stream", headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    )


def counted(shared: Services, game_id: str, seen: int) -> Iterator[str]:
    """One phone too many is asked to come again later; until then it sees what it saw, and can still do everything."""
    with shared.bus.listening(shared.config.limits.streams) as free:
        if free:
            yield from told(shared, game_id, seen)
        else:
            yield "retry: 15000\n\n"


def told(shared: Services, game_id: str, seen: int) -> Iterator[str]:
    """First how things stand, then every change."""
    version, notes = shared.bus.now(game_id)
    yield "retry: 1000\n\n" + "".join(message(topic, note) for topic, note in notes.items())
    silent_s = 0.0
    while not shared.bus.closing:
        seq = shared.store.last_seq(game_id)
        if seq != seen:
            seen, silent_s = seq, 0.0
            yield message("changed", {"seq": seq}, number=seq)
        before, known = version, notes
        version, notes = shared.bus.wait(game_id, version, LOOK_S)
        news = [message(topic, note) for topic, note in notes.items() if known.get(topic) != note]
        if news:
            yield "".join(news)
        elif version != before and shared.store.last_seq(game_id) == seen:
            yield message("touched", {"seq": seen})  # something beside the entries: a title, a quest
        silent_s += LOOK_S
        if silent_s >= BEAT_S:
            silent_s = 0.0
            yield ": still here\n\n"


def message(name: str, data: Any, number: int | None = None) -> str:
    head = "" if number is None else f"id: {number}\n"
    return f"{head}event: {name}\ndata: {json.dumps(data)}\n\n"
