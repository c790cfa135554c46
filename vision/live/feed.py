"""A source kept alive: read in a thread of its own, noticed within two seconds when it falls silent, taken up again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

import numpy as np

from companion.errors import CompanionError
from vision.live.frames import Frame, Image
from vision.live.sources import Source


class Health(Enum):
    """What people see of the camera itself."""

    OPENING = "opening"
    LIVE = "live"
    SILENT = "silent"  # no frame comes: unplugged, out of Wi-Fi
    FROZEN = "frozen"  # frames come, all the same one
    ENDED = "ended"  # a film or a folder is over


@dataclass(frozen=True)
class Patience:
    """How long is too long, in seconds."""

    silent_s: float = 1.5  # the bar is two; the page polls and people blink
    frozen_s: float = 1.8  # a sensor's noise changes every frame, so equal ones are copies
    again_s: float = 0.5  # between two attempts to take a camera up again


@dataclass(frozen=True)
class Pulse:
    """When the last frame came, and when the last one that differed from its predecessor."""

    frame_s: float | None = None
    change_s: float | None = None


def beat(pulse: Pulse, before: Image | None, now: Image, time_s: float) -> Pulse:
    same = before is not None and before.shape == now.shape and bool(np.array_equal(before, now))
    return Pulse(time_s, pulse.change_s if same else time_s)


def health(pulse: Pulse, now_s: float, patience: Patience) -> Health:
    """
    >>> health(Pulse(10.0, 10.0), 10.4, Patience()), health(Pulse(10.0, 10.0), 12.0, Patience())
    (<Health.LIVE: 'live'>, <Health.SILENT: 'silent'>)
    """
    if pulse.frame_s is None or pulse.change_s is None:
        return Health.OPENING
    if now_s - pulse.frame_s > patience.silent_s:
        return Health.SILENT
    return Health.FROZEN if now_s - pulse.change_s > patience.frozen_s else Health.LIVE


class Feed:
    """Runs one source in a thread. `take` hands out each frame at most once, the newest first; older ones are dropped,
    but for still photos, each of which somebody took on purpose."""

    def __init__(
        self,
        open_it: Callable[[], Source],
        *,
        patience: Patience | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._open, self._clock, self._patience = open_it, clock, patience or Patience()
        self._ready = threading.Condition()
        self._frame: Frame | None = None
        self._pulse = Pulse()
        self._source: Source | None = None
        self._stopped = self._ended = False
        self.complaint = ""
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)

    def start(self) -> Feed:
        self._thread.start()
        return self

    def take(self, timeout_s: float = 0.5) -> Frame | None:
        with self._ready:
            self._ready.wait_for(lambda: self._frame is not None or self._ended, timeout_s)
            frame, self._frame = self._frame, None
            self._ready.notify_all()
            return frame

    @property
    def health(self) -> Health:
        with self._ready:
            if self._ended:
                return Health.ENDED
            if self._source is not None and not self._source.live:
                return Health.LIVE
            state = health(self._pulse, self._clock(), self._patience)
            return Health.SILENT if state is Health.OPENING and self.complaint else state

    def stop(self) -> None:
        """Returns once the thread has let go of the camera, or two seconds later where a driver hangs."""
        self._stopped = True
        with self._ready:
            source = self._source
            self._ready.notify_all()
        if source is not None:
            source.close()
        self._thread.join(2.0)

    def _run(self) -> None:
        while not self._stopped:
            try:
                source = self._open()
            except CompanionError as problem:
                self.complaint = str(problem)
                time.sleep(self._patience.again_s)
                continue
            with self._ready:
                self._source, self.complaint = source, ""
            self._pump(source)
            source.close()
            if not source.live:
                with self._ready:
                    self._ended = not self._stopped
                    self._ready.notify_all()
                return
            time.sleep(self._patience.again_s)

    def _pump(self, source: Source) -> None:
        before: Image | None = None
        while not self._stopped:
            try:
                frame = source.frame()
                if frame is None:
                    return
                grey = frame.grey()
            except CompanionError as problem:  # one torn frame: the next may be whole
                self.complaint = str(problem)
                continue
            with self._ready:
                self._pulse = beat(self._pulse, before, grey, self._clock())
                if frame.still:
                    self._ready.wait_for(lambda: self._frame is None or self._stopped)
                self._frame, self.complaint = frame, ""
                self._ready.notify_all()
            before = grey
