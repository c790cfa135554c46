"""What a phone needs to draw a game: one JSON object, made from the journal and the rules."""

from __future__ import annotations

from typing import Any

from web.catalogue import shown
from web.journal import Journal, label
from web.mapping import board_to_px, fitted
from web.play import check, play_view
from web.services import device, services
from web.store import GameRow, Photo
from web.worker import Waiting


def game_state(game_id: str, journal: Journal | None = None) -> dict[str, Any]:
    """How the game stands now, or stood when an earlier journal was all there was."""
    row = services().store.game(game_id)
    photos = services().store.photos(game_id)
    if journal is None:
        journal = services().journals.get(game_id)
        _resume(row, journal)
    return {
        "id": row.id,
        "game": row.game,
        "game_title": shown(row.game).title,
        "title": row.title,
        "demo": row.demo,
        "seq": journal.seq,
        "undo": _button(journal.done),
        "redo": _button(journal.taken_back),
        "waiting": sorted(journal.waiting),
        "failed": _last_failure(journal, photos),
        "table": table_json(journal, photos),
        "track": journal.track,
        "play": play_view(row.game, journal),
        "stashes": stashes_json(journal, photos),
        "secrets": _secrets(game_id),
        "check": check(row.game, journal),
    }


def table_json(journal: Journal, photos: dict[str, Photo]) -> dict[str, Any] | None:
    """The table as it should lie there now, with the photo it was read from and the way from the map to the photo."""
    reading = journal.table_reading()
    if reading is None or journal.table is None:
        return None
    plane = fitted(reading) if "pieces" in reading else None
    photo = photos[journal.table]
    width, height = reading.get("size_px") or (photo.width, photo.height)
    return reading | {
        "photo": photo.as_json() | {"width": width, "height": height},
        "px_from_mm": None if plane is None else plane.matrix.round(9).tolist(),
        "px_from_board": board_to_px(reading.get("board_px")),
    }


def stashes_json(journal: Journal, photos: dict[str, Photo]) -> dict[str, Any]:
    """By hero: the stash's photo and what lies on it."""
    return {
        hero: {"photo": photos[photo].as_json(), "pieces": journal.readings[photo].get("pieces", [])}
        for hero, photo in journal.stashes.items()
        if photo in photos
    }


def _secrets(game_id: str) -> dict[str, Any]:
    """Whose quests have been entered; and, for this phone, its own."""
    kept = services().store.secrets(game_id)
    return {
        "entered": sorted(kept),
        "mine": {hero: quest for hero, (owner, quest) in kept.items() if owner == device()},
    }


def _button(entries: tuple[Any, ...]) -> dict[str, Any] | None:
    return {"seq": entries[-1].seq, "label": label(entries[-1])} if entries else None


def _last_failure(journal: Journal, photos: dict[str, Photo]) -> dict[str, Any] | None:
    failed = journal.failed
    if failed is None or failed["photo"] not in photos:
        return None
    return {"photo": failed["photo"], "purpose": failed.get("purpose", "table"), "message": failed["message"]}


def _resume(row: GameRow, journal: Journal) -> None:
    """Photos that were waiting when the program stopped are read now."""
    for photo, wanted in journal.waiting.items():
        services().worker.submit(Waiting(row.id, row.game, photo, wanted["purpose"], wanted["hero"], ""))
