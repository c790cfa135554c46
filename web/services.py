"""What the blueprints share, held by the app and opened by its factory, never by an import."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

from flask import Response, current_app, jsonify, request, session

from companion.errors import InvalidInput
from web.bus import Bus
from web.closeup import Pictures
from web.config import Config
from web.errors import Refused
from web.journal import Journal, folded
from web.security import Guesses
from web.store import Entry, Store
from web.worker import PhotoWorker


class Journals:
    """The folded state of each game, brought up to date from the store whenever it is asked for."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[list[Entry], Journal]] = {}

    def get(self, game_id: str) -> Journal:
        return self.with_entries(game_id)[1]

    def with_entries(self, game_id: str) -> tuple[list[Entry], Journal]:
        with self._lock:
            entries, journal = self._kept.get(game_id, ([], Journal()))
        news = self._store.entries(game_id, after=journal.seq)
        if news:
            entries = [*entries, *news]
            journal = folded(entries)
            with self._lock:
                self._kept[game_id] = (entries, journal)
        return entries, journal

    def forget(self, game_id: str) -> None:
        with self._lock:
            self._kept.pop(game_id, None)


@dataclass(frozen=True)
class Services:
    config: Config
    store: Store
    bus: Bus
    worker: PhotoWorker
    journals: Journals
    guesses: Guesses
    pictures: Pictures

    def append(self, game_id: str, kind: str, body: dict[str, Any]) -> Entry:
        entry = self.store.append(game_id, kind, body, device())
        self.bus.wake(game_id)
        return entry

    def close(self) -> None:
        self.bus.close()
        self.worker.close()
        self.store.close()


def services() -> Services:
    found = current_app.extensions["companion"]
    assert isinstance(found, Services)
    return found


def device() -> str:
    """This browser's own name, random, kept in its cookie: it says whose quest is whose, and nothing else."""
    return str(session.get("device", ""))


def body() -> dict[str, Any]:
    """The request's JSON object."""
    data = request.get_json(silent=True)
    if not isinstance(data, dict):
        raise InvalidInput("a JSON object is needed")
    return data


def text(data: dict[str, Any], key: str, most: int = 40) -> str:
    value = data.get(key)
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput(f"{key} is missing")
    value = " ".join(value.split())
    if len(value) > most:
        raise InvalidInput(f"{key} is too long: {most} letters at most")
    if any(ord(letter) < 32 for letter in value):
        raise InvalidInput(f"{key} holds letters that cannot be shown")
    return value


def number(value: Any) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInput("a whole number is needed")
    return value


def done(entry: Entry | None = None, status: int = 200, **more: Any) -> tuple[Response, int]:
    """An acknowledgement: what it names is safely kept."""
    return jsonify({"ok": True, **({"seq": entry.seq} if entry else {}), **more}), status


def conflict(message: str) -> Refused:
    return Refused(409, "changed", message)
