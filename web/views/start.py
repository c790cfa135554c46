"""The first page: join, try the demo, start or resume a game."""

from __future__ import annotations

import io
from datetime import datetime
from typing import Any

import segno
from flask import Blueprint, Response, jsonify, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response as BaseResponse

from web.catalogue import SHOWN
from web.security import trusted
from web.services import services

blueprint = Blueprint("start", __name__)


def overview() -> dict[str, Any]:
    kept = services().store.all_games()
    return {
        "games": [{"name": game.name, "title": game.title, "blurb": game.blurb} for game in SHOWN],
        "kept": [
            {"id": row.id, "game": row.game, "title": row.title, "demo": row.demo, "last": last, "shown": here(last)}
            for row, last in kept
        ],
        "join": join_address(),
    }


def here(moment: str) -> str:
    """A moment as this machine's clock shows it."""
    return datetime.fromisoformat(moment).astimezone().strftime("%d %b, %H:%M")


def join_address() -> str | None:
    """What the QR code says: the first address others can use, with the PIN; None where only this machine is served."""
    config = services().config
    if not config.addresses:
        return None
    query = f"/join?pin={config.pin}" if config.pin else "/"
    return config.addresses[0] + query


@blueprint.get("/")
def index() -> str:
    config, shown = services().config, overview()
    tried = [game["id"] for game in shown["kept"] if game["demo"]]
    kept = [game for game in shown["kept"] if game["id"] not in tried[1:]]  # of all demos only the last is of interest
    return render_template("start.html", **shown | {"kept": kept}, pin=config.pin, addresses=config.addresses)


@blueprint.get("/index.json")
def index_json() -> Response:
    return jsonify(overview())


@blueprint.get("/join")
def join() -> BaseResponse | str:
    """From the QR code, with the PIN in it; or a form that asks for it."""
    pin = services().config.pin
    if pin is None or trusted(pin):
        return redirect(url_for("start.index"))
    if request.args.get("pin"):
        return enter()
    return render_template("join.html")


@blueprint.post("/join")
def enter() -> BaseResponse:
    pin = services().config.pin
    if pin is not None:
        guess = request.form.get("pin") or request.args.get("pin") or ""
        services().guesses.check(pin, guess, request.remote_addr or "")
        session["pin"] = pin
    return redirect(url_for("start.index"))


@blueprint.get("/qr.svg")
def qr() -> Response:
    address = join_address() or request.host_url
    picture = io.BytesIO()
    segno.make(address, error="m").save(picture, kind="svg", scale=8, border=2, dark="#000", light="#fff")
    return Response(picture.getvalue(), mimetype="image/svg+xml")


@blueprint.get("/robots.txt")
def robots() -> Response:
    return Response("User-agent: *\nDisallow: /\n", mimetype="text/plain")
