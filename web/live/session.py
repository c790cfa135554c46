"""One game's camera: a thread that watches, reads when the table has settled, and proposes what happened."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from companion.errors import CompanionError
from companion.pieces import Piece
from companion.readings import DropReading, HustleReading
from vision.check import check_photo
from vision.live.boards import BoardMemory
from vision.live.feed import Feed, Health
from vision.live.frames import Frame
from vision.live.memory import Change, Memory
from vision.live.sources import Pushed
from vision.live.table import LiveTable, Reading, Settled
from vision.live.watch import State
from vision.photo import load_photo
from web.live.board_proposals import board_proposals
from web.live.known import corrected_memory, difference, evidence, memory_from_json, reidentified
from web.live.proposals import Proposal, drop_proposals
from web.play import position_after
from web.readers import ReadJob
from web.readings import reading_from_json
from web.services import Services
from web.store import GameRow

PREVIEW_PX = 640


@dataclass(frozen=True)
class Pending:
    """A change that waits for somebody's tap."""

    number: int
    proposals: tuple[Proposal, ...]
    photo: str
    reading: dict[str, Any]


class Session:
    def __init__(self, shared: Services, row: GameRow, feed: Feed, name: str, pushed: Pushed | None = None) -> None:
        self.name, self.pushed = name, pushed
        self._shared, self._row, self._feed = shared, row, feed
        self._live = LiveTable(self._read, on_state=lambda _: self._changed())
        self._base: dict[str, Any] | None = None  # the journal's table as the camera last knew it
        self._photo: str | None = None
        self._raw: dict[str, Any] = {}
        self._misread: frozenset[str] = frozenset()
        self._unseen: tuple[Piece, ...] = ()  # left since the journal's table was written, and never read
        self._lines: tuple[str, ...] = ()  # the record when it was last asked what happened
        self._told = 0  # the bus's version at that time
        self._news = threading.Condition()
        self._version = 0
        self._pending: Pending | None = None
        self._bumps = 0
        self._frame: Frame | None = None
        self._complaint = ""
        self._busy = self._stopped = False
        self._thread = threading.Thread(target=self._run, name="live-table", daemon=True)

    def start(self) -> Session:
        self._feed.start()
        self._thread.start()
        return self

    def stop(self) -> None:
        self._stopped = True
        self._feed.stop()
        self._thread.join(5.0)
        self._changed()

    @property
    def running(self) -> bool:
        return not self._stopped and self._feed.health is not Health.ENDED

    def as_json(self) -> dict[str, Any]:
        with self._news:
            pending = self._pending
            return {
                "running": self.running,
                "camera": self.name,
                "health": self._feed.health.value,
                "state": (State.READING if self._busy else self._live.state).value,
                "complaint": self._feed.complaint or self._complaint,
                "bumps": self._bumps,
                "frame": 0 if self._frame is None else self._frame.number,
                "proposal": None
                if pending is None
                else {
                    "number": pending.number,
                    "photo": pending.photo,
                    "choices": [proposal.as_json() for proposal in pending.proposals],
                },
            }

    def wait(self, seen: int, seconds: float) -> int:
        """The version of the state, once it is another than `seen` or the time is up."""
        with self._news:
            self._news.wait_for(lambda: self._version != seen or self._stopped, seconds)
            return self._version

    def preview(self) -> bytes | None:
        """What the camera sees now, small."""
        frame = self._frame
        if frame is None:
            return None
        image = frame.image()
        height = max(1, round(image.shape[0] * PREVIEW_PX / image.shape[1]))
        small = cv2.resize(image, (PREVIEW_PX, height), interpolation=cv2.INTER_AREA)
        return bytes(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 70])[1].tobytes())

    def check(self) -> list[dict[str, Any]]:
        """The check before play, on what the camera sees now."""
        frame, memory = self._frame, self._live.memory
        if frame is None:
            return []
        pieces = memory.pieces if isinstance(memory, Memory) else ()
        return [finding.as_json() for finding in check_photo(np.ascontiguousarray(frame.image()), pieces)]

    def taken(self, number: int) -> Pending | None:
        """The change with this number, which waits no longer; None where it is gone or another one waits."""
        with self._news:
            if self._pending is None or self._pending.number != number:
                return None
            pending, self._pending = self._pending, None
        self._changed()
        return pending

    def put_back(self, pending: Pending) -> None:
        """The rules said no: it waits again, unless something newer does."""
        with self._news:
            self._pending = self._pending or pending
        self._changed()

    def write(self, photo: str, reading: dict[str, Any]) -> None:
        """The table as the camera sees it becomes the journal's."""
        body = {"photo": photo, "purpose": "table", "hero": "", "reading": reading, "live": True}
        self._shared.store.append(self._row.id, "reading", body, "")
        self._shared.bus.wake(self._row.id)
        with self._news:
            self._base, self._photo, self._misread, self._unseen = reading, photo, frozenset(), ()

    def _run(self) -> None:
        health = None
        while not self._stopped:
            frame = self._feed.take(0.3)
            if frame is not None:
                self._frame = frame
                self._step(frame)
            self._reconsider()
            if self._feed.health is not health:
                health = self._feed.health
                self._changed()
            if health is Health.ENDED and frame is None:
                return

    def _step(self, frame: Frame) -> None:
        try:
            settled = self._live.step(frame)
            if settled is not None:
                self._settle(settled)
        except CompanionError as problem:
            self._complaint = str(problem)
        if self._busy:  # people see "read" only once it is kept
            self._busy = False
            self._changed()

    def _read(self, frame: Frame) -> Reading:
        """In the reading process, so that phones never wait; with what people corrected meanwhile taken in first."""
        self._busy = True
        self._catch_up()
        profile, _ = self._shared.store.profile(self._row.game)
        job = ReadJob(self._row.game, "table", frame.name or self.name, frame.jpeg(), profile)
        self._raw = self._shared.worker.run(job)
        return reading_from_json(self._raw)

    def _catch_up(self) -> None:
        journal = self._shared.journals.get(self._row.id)
        table, memory = journal.table_reading(), self._live.memory
        with self._news:
            base, photo = self._base, self._photo
            self._base, self._photo = table, journal.table
        if table is None or table is base:
            return
        if base is not None and photo == journal.table and isinstance(memory, Memory):
            self._live.correct(corrected_memory(memory, base, table))
        else:  # the game goes on after a restart, or somebody photographed the table from elsewhere
            _, data = self._shared.store.photo(self._row.id, str(journal.table))
            self._live.correct(memory_from_json(table), load_photo(data).bgr)

    def _settle(self, settled: Settled) -> None:
        """Nothing new: nothing is written. The first reading is the table. Anything else is proposed."""
        self._complaint = "; ".join(problem.message for problem in settled.reading.problems)
        self._bumps += settled.bumped
        if self._base is None:
            self.write(self._keep(settled.frame), self._reading())
        elif proposals := self._proposals(settled):
            self._ask(proposals, self._keep(settled.frame))
        else:
            with self._news:
                self._pending = None  # what had changed was put back
            if self._misread or settled.bumped or _pushed(settled):
                self.write(self._keep(settled.frame), self._reading())
        self._changed()

    def _ask(self, proposals: tuple[Proposal, ...], photo: str) -> None:
        with self._news:
            self._pending = Pending(self._version + 1, proposals, photo, self._reading())

    def _reconsider(self) -> None:
        """Somebody recorded a room, a fight or a proposal: what lies there may mean something else now, or nothing."""
        told = self._shared.bus.now(self._row.id)[0]
        if told == self._told or self._base is None or self._live.memory is None:
            return
        self._told = told
        lines, is_board = self._record(), isinstance(self._live.memory, BoardMemory)
        if lines == self._lines or (self._pending is None and not is_board):
            return
        photo = self._pending.photo if self._pending is not None else str(self._photo)
        if not is_board:
            self._catch_up()
        if proposals := self._board_proposals() if is_board else self._drop_proposals():
            self._ask(proposals, photo)
        else:
            with self._news:
                self._pending = None
        self._changed()

    def _record(self) -> tuple[str, ...]:
        return self._shared.journals.get(self._row.id).lines

    def _proposals(self, settled: Settled) -> tuple[Proposal, ...]:
        if isinstance(settled.change, Change):
            self._misread |= {piece.id for piece in (*settled.change.found, *settled.change.doubted)}
            self._unseen = _numbered((*self._unseen, *settled.change.unseen))
            return self._drop_proposals()
        return self._board_proposals()

    def _board_proposals(self) -> tuple[Proposal, ...]:
        """From the record, or where none is kept from the board last taken over, to the board as it is known now."""
        self._lines = self._record()
        before, memory = reading_from_json(self._base or {}), self._live.memory
        assert isinstance(before, HustleReading) and isinstance(memory, BoardMemory)
        return board_proposals(position_after(self._row.game, self._lines), before, memory.reading)

    def _drop_proposals(self) -> tuple[Proposal, ...]:
        self._lines = self._record()
        before, memory = reading_from_json(self._base or {}), self._live.memory
        assert isinstance(before, DropReading) and isinstance(memory, Memory)
        memory = reidentified(memory, before.pieces)
        self._live.correct(memory)
        change = difference(before.pieces, memory.pieces, self._misread)
        if not change:
            return ()
        was, now = evidence(before.pieces, memory.pieces, memory.unsure, change)
        here = position_after(self._row.game, self._lines)
        return drop_proposals(here, replace(before, pieces=was), now, change, self._unseen)

    def _reading(self) -> dict[str, Any]:
        """What is known now, in the shape that the reading process gives."""
        memory = self._live.memory
        assert memory is not None
        return self._raw | memory.reading.as_json()

    def _keep(self, frame: Frame) -> str:
        data = frame.jpeg()
        size = frame.image().shape[1], frame.image().shape[0]
        return self._shared.store.add_photo(self._row.id, frame.name or self.name, "image/jpeg", size, data).id

    def _changed(self) -> None:
        with self._news:
            self._version += 1
            self._news.notify_all()


def _numbered(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    return tuple(replace(piece, id=f"u{number}") for number, piece in enumerate(pieces, 1))


def _pushed(settled: Settled) -> bool:
    return isinstance(settled.change, Change) and bool(settled.change.moved)
