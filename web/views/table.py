"""Photos in, readings out, and corrections of what was read."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, request

from companion.errors import InvalidInput
from vision.header import read_header
from web.closeup import closeup_jpeg
from web.corrections import fix_from_request
from web.errors import Refused
from web.services import body, device, done, services
from web.store import photo_id
from web.worker import Waiting

blueprint = Blueprint("table", __name__, url_prefix="/games")

TYPES = {"jpeg": "image/jpeg", "png": "image/png", "webp": "image/webp", "bmp": "image/bmp", "tiff": "image/tiff"}
PURPOSES = ("table", "side", "stash", "teach")


@blueprint.post("/<game_id>/photos")
def upload(game_id: str) -> tuple[Response, int]:
    """A photo, kept before it is acknowledged, then read in the background."""
    row = services().store.game(game_id)
    file = request.files.get("photo")
    if file is None:
        raise InvalidInput("no photo came along; choose one or take one")
    purpose, hero = request.form.get("purpose", "table"), request.form.get("hero", "")
    if purpose not in PURPOSES or len(hero) > services().config.limits.name_letters:
        raise InvalidInput("what is this photo of? table, side, stash or teach")
    data = file.stream.read()
    if purpose == "side":
        check_side(game_id, row.game, data)
    photo = add_photo(game_id, file.filename or "photo", data)
    queue(game_id, row.game, photo, purpose, hero)
    return done(status=202, photo=photo)


def check_side(game_id: str, game: str, data: bytes) -> None:
    """A photo from another side needs a table that was photographed from one."""
    journal = services().journals.get(game_id)
    if game != "dungeon-drop":
        raise InvalidInput("one photo shows the whole board; a second side adds nothing")
    if journal.table is None:
        raise Refused(409, "no-table", "Photograph the table first; a photo from another side comes second.")
    if photo_id(data) in (journal.table, *journal.readings[journal.table].get("sides", [])):
        raise Refused(409, "same-photo", "This is a photo that the table was read from; walk round and take another.")


def add_photo(game_id: str, name: str, data: bytes) -> str:
    """Checked by what it is, not by what it calls itself; the name is only ever shown, never used as a path."""
    header = read_header(data)
    if header is None:
        raise Refused(415, "not-a-photo", "This is not a photo; JPEG, PNG and WebP can be read.")
    if header.kind not in TYPES:
        raise Refused(415, "not-a-photo", f"{header.kind.upper()} photos cannot be read here; save it as a JPEG first.")
    shown = name.replace("\\", "/").rsplit("/", 1)[-1].strip(". ")[:80] or "photo"
    size = (header.width, header.height)
    return services().store.add_photo(game_id, shown, TYPES[header.kind], size, data).id


def queue(game_id: str, game: str, photo: str, purpose: str, hero: str = "") -> None:
    services().append(game_id, "photo", {"photo": photo, "purpose": purpose, "hero": hero})
    services().worker.submit(Waiting(game_id, game, photo, purpose, hero, device()))


@blueprint.post("/<game_id>/photos/<photo>/read")
def read_again(game_id: str, photo: str) -> tuple[Response, int]:
    row = services().store.game(game_id)
    services().store.photo(game_id, photo)
    queue(game_id, row.game, photo, "table")
    return done(status=202, photo=photo)


@blueprint.get("/<game_id>/photos/<photo>.jpg")
def picture(game_id: str, photo: str) -> Response:
    """The photo at a width that a phone can show."""
    shared = services()
    if photo not in shared.store.photos(game_id):
        raise Refused(404, "no-such-photo", "This photo is not kept here.")
    width = min(max(request.args.get("w", 1600, type=int), 80), 2400)
    jpeg = shared.pictures.get(photo, width, lambda: shared.store.photo(game_id, photo)[1])
    return Response(jpeg, mimetype="image/jpeg", headers=FOREVER)


FOREVER = {"Cache-Control": "private, max-age=31536000, immutable"}  # a photo's name is its content


@blueprint.get("/<game_id>/photos/<photo>.json")
def reading(game_id: str, photo: str) -> Response:
    """What a photo said, corrections included."""
    found = _reading(game_id, photo)
    return jsonify(found)


@blueprint.get("/<game_id>/photos/<photo>/closeup.jpg")
def closeup(game_id: str, photo: str) -> Response:
    """The photo around a place, straightened so that it lies on the map: x, y and half its width in millimetres."""
    x, y, half = (request.args.get(key, type=float) for key in ("x", "y", "half"))
    if x is None or y is None or half is None or not 5 <= half <= 200:
        raise InvalidInput("x, y and half (5 to 200) are needed, in millimetres")
    _, data = services().store.photo(game_id, photo)
    crop = closeup_jpeg(data, _reading(game_id, photo), (x, y), half)
    if crop is None:
        raise Refused(404, "no-closeup", "Too few pieces were read on this photo to straighten it.")
    return Response(crop, mimetype="image/jpeg")


@blueprint.post("/<game_id>/fixes")
def fix(game_id: str) -> tuple[Response, int]:
    """One correction: {"photo": …, "op": "change" | "move" | "delete" | "add" | "cell" | "revealed", …}."""
    data = body()
    services().store.game(game_id)
    found = _reading(game_id, str(data.get("photo")))
    new_id = f"a{services().store.last_seq(game_id) + 1:03}{device()[:3]}"
    operation = fix_from_request(found, data, new_id)
    entry = services().append(game_id, "fix", {"photo": data["photo"], **operation})
    return done(entry, 201, id=operation.get("piece", {}).get("id"))


def _reading(game_id: str, photo: str) -> dict[str, Any]:
    found = services().journals.get(game_id).readings.get(photo)
    if found is None:
        raise Refused(404, "not-read", "This photo has not been read; wait a moment or read it again.")
    return found
