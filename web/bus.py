"""Tells open event streams that a game has something new. The news itself is in the store; this only wakes them."""

from __future__ import annotations

import threading
from typing import Any


class Bus:
    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._versions: dict[str, int] = {}
        self._progress: dict[str, dict[str, Any]] = {}
        self.closing = False

    def wake(self, game_id: str) -> None:
        with self._changed:
            self._versions[game_id] = self._versions.get(game_id, 0) + 1
            self._changed.notify_all()

    def progress(self, game_id: str, note: dict[str, Any] | None) -> None:
        """Something that passes, such as a photo being read: told, never kept."""
        with self._changed:
            if note is None:
                self._progress.pop(game_id, None)
            else:
                self._progress[game_id] = note
        self.wake(game_id)

    def now(self, game_id: str) -> tuple[int, dict[str, Any] | None]:
        with self._changed:
            return self._versions.get(game_id, 0), self._progress.get(game_id)

    def wait(self, game_id: str, seen: int, seconds: float) -> tuple[int, dict[str, Any] | None]:
        """Returns when the game has something newer than `seen`, or when the time is up."""
        with self._changed:
            self._changed.wait_for(lambda: self.closing or self._versions.get(game_id, 0) != seen, timeout=seconds)
            return self._versions.get(game_id, 0), self._progress.get(game_id)

    def close(self) -> None:
        with self._changed:
            self.closing = True
            self._changed.notify_all()
