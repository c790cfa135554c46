"""Reads photos one after another in the background, in a process of its own, and writes down what they say."""

from __future__ import annotations

import logging
import multiprocessing
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TookTooLong
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any

from companion.errors import CompanionError
from web.bus import Bus
from web.config import Config
from web.journal import folded
from web.readers import ReadJob, TeachJob, warm_up
from web.sides import joined
from web.store import Store

log = logging.getLogger(__name__)

LONGEST_READ_S = 90.0  # a slow laptop needs a few seconds; after this the photo is given up, never the evening


@dataclass(frozen=True)
class Waiting:
    game_id: str
    game: str
    photo: str
    purpose: str
    hero: str
    device: str

    @property
    def key(self) -> tuple[str, str]:
        return self.game_id, self.photo


class PhotoWorker:
    def __init__(self, config: Config, store: Store, bus: Bus) -> None:
        self._config, self._store, self._bus = config, store, bus
        self._queue: deque[Waiting] = deque()
        self._busy: Waiting | None = None
        self._wake = threading.Condition()
        self._thread: threading.Thread | None = None
        self._pool: Executor | None = None
        self._closing = False

    def submit(self, item: Waiting) -> None:
        """Queues a photo. Of one game's table photos only the newest few wait: older ones are kept, not read."""
        with self._wake:
            if item.key in [other.key for other in (*self._queue, self._busy) if other is not None]:
                return
            self._queue.append(item)
            same = [other for other in self._queue if (other.game_id, other.purpose) == (item.game_id, "table")]
            dropped = same[: -self._config.limits.photos_waiting]
            for other in dropped:
                self._queue.remove(other)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="photo-reader", daemon=True)
                self._thread.start()
            self._wake.notify()
        for other in dropped:
            self._fail(other, "A newer photo came first; this one is kept and can be read from the history.")
        self._tell(item.game_id)

    def idle(self) -> bool:
        with self._wake:
            return self._busy is None and not self._queue

    def close(self) -> None:
        with self._wake:
            self._closing = True
            self._wake.notify()
        if self._pool is not None:
            self._stop_pool()

    def _run(self) -> None:
        while True:
            with self._wake:
                self._busy = None
                self._wake.wait_for(lambda: self._closing or bool(self._queue))
                if self._closing:
                    return
                self._busy = item = self._queue.popleft()
            self._tell(item.game_id)
            try:
                self._read(item)
            except Exception:
                log.exception("reading %s failed", item.photo)
                self._fail(item, "The photo could not be read; it is kept. Try again, or take another.")
            with self._wake:
                self._busy = None
            self._tell(item.game_id)

    def _read(self, item: Waiting) -> None:
        photo, data = self._store.photo(item.game_id, item.photo)
        profile, _ = self._store.profile(item.game)
        job = ReadJob(item.game, item.purpose, photo.name, data, profile)
        try:
            reading = self.run(job)
        except CompanionError as problem:
            self._fail(item, _sentence(str(problem)))
            return
        except TookTooLong:
            self._fail(item, "Reading took too long; the photo is kept. Try a smaller or sharper one.")
            return
        body = {"photo": item.photo, "purpose": item.purpose, "hero": item.hero, "reading": reading}
        if item.purpose == "side":
            self._join(item, body)
        else:
            self._store.append(item.game_id, "reading", body, item.device)

    def _join(self, item: Waiting, body: dict[str, Any]) -> None:
        """A photo from another side betters the table as it stands at this moment, corrections included."""
        try:
            with self._store.deciding(item.game_id) as decision:
                journal = folded(decision.entries())
                joins = {"joins": journal.table, "table": joined(journal, item.photo, body["reading"])}
                decision.append("reading", body | joins, item.device)
        except CompanionError as problem:
            self._fail(item, str(problem))

    def run(self, job: ReadJob) -> dict[str, Any]:
        """One photo, read in the other process."""
        return self.call(self._config.read, job)

    def call(self, task: Callable[[Any], dict[str, Any]], job: ReadJob | TeachJob) -> dict[str, Any]:
        """One task, in the other process; a process that died is replaced once."""
        for last in (False, True):
            try:
                return self._executor().submit(task, job).result(timeout=LONGEST_READ_S)
            except BrokenProcessPool:
                self._stop_pool()
                if last:
                    raise
            except TookTooLong:
                self._stop_pool()
                raise
        raise AssertionError("unreachable")

    def _executor(self) -> Executor:
        if self._pool is None:
            if self._config.read_in == "thread":
                self._pool = ThreadPoolExecutor(1)
            else:
                # spawn: a forked child would inherit the server's locks and sockets
                self._pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), initializer=warm_up)
        return self._pool

    def _stop_pool(self) -> None:
        pool, self._pool = self._pool, None
        if pool is None:
            return
        for process in list((getattr(pool, "_processes", None) or {}).values()):
            process.kill()  # a reader that hangs does not listen to anything gentler
        pool.shutdown(wait=False, cancel_futures=True)

    def _fail(self, item: Waiting, message: str) -> None:
        body = {"photo": item.photo, "purpose": item.purpose, "hero": item.hero, "message": message}
        self._store.append(item.game_id, "failed", body, item.device)
        self._bus.wake(item.game_id)

    def _tell(self, game_id: str) -> None:
        """Progress: how many photos of this game wait, and which one is being read."""
        with self._wake:
            waiting = sum(item.game_id == game_id for item in self._queue)
            busy = self._busy.photo if self._busy is not None and self._busy.game_id == game_id else None
        note = None if not waiting and busy is None else {"waiting": waiting, "reading": busy}
        self._bus.tell(game_id, "progress", note)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
