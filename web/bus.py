"""Tells open event streams that a game has something new. What lasts is in the store; this only wakes them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

Notes = dict[str, Any]  # by topic: what passes and is never kept, such as a photo being read


class Bus:
    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._versions: dict[str, int] = {}
        self._notes: dict[str, Notes] = {}
        self.closing = False
        self._streams = 0

    def wake(self, game_id: str) -> None:
        with self._changed:
            self._versions[game_id] = self._versions.get(game_id, 0) + 1
            self._changed.notify_all()

    def tell(self, game_id: str, topic: str, note: Any) -> None:
        with self._changed:
            self._notes[game_id] = {**self._notes.get(game_id, {}), topic: note}
        self.wake(game_id)

    def now(self, game_id: str) -> tuple[int, Notes]:
        with self._changed:
            return self._versions.get(game_id, 0), self._notes.get(game_id, {})

    def wait(self, game_id: str, seen: int, seconds: float) -> tuple[int, Notes]:
        """Returns when the game has something newer than `seen`, or when the time is up."""
        with self._changed:
            self._changed.wait_for(lambda: self.closing or self._versions.get(game_id, 0) != seen, timeout=seconds)
            return self._versions.get(game_id, 0), self._notes.get(game_id, {})

    @contextmanager
    def listening(self, most: int) -> Iterator[bool]:
        """Counts an open stream; False where there are too many, so that some threads always answer."""
        with self._changed:
            free = self._streams < most
            self._streams += 1
        try:
            yield free
        finally:
            with self._changed:
                self._streams -= 1

    def close(self) -> None:
        with self._changed:
            self.closing = True
            self._changed.notify_all()
