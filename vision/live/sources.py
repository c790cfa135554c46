"""Where frames come from, behind one small interface: `frame()` waits for the next, None means no more."""

from __future__ import annotations

import threading
import time
from collections import deque
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import Any, Final, Protocol

import cv2

from companion.errors import InvalidInput
from vision.live.frames import Frame, checked_header
from vision.live.mjpeg import boundary_of, parts

WATCH_EVERY_S: Final = 0.1  # ten looks a second: a hand cannot come and go between two of them
PHOTO_ENDINGS: Final = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})
FOLDER_EVERY_S: Final = 0.3


class Source(Protocol):
    """`live` sources keep their own time: silence from them means trouble, not the end of a file."""

    @property
    def name(self) -> str: ...
    @property
    def live(self) -> bool: ...
    def frame(self) -> Frame | None: ...
    def close(self) -> None: ...


class Capture:
    """Whatever OpenCV opens: webcams, RTSP, video files. Every frame is grabbed, so that none is stale; only those that
    watching needs are unpacked, which halves the cost."""

    def __init__(self, capture: cv2.VideoCapture, name: str, *, live: bool, paced: bool = True) -> None:
        self.name, self.live = name, live
        self._capture, self._paced = capture, paced
        self._busy = threading.Lock()  # OpenCV crashes where one thread releases what another grabs from
        self._number = 0
        self._begun_s = time.monotonic()
        self._last_s = -WATCH_EVERY_S

    def frame(self) -> Frame | None:
        while self._grabbed():
            now_s = self._now_s()
            if now_s - self._last_s < WATCH_EVERY_S - 0.005:  # a 30 Hz clock is not exact
                continue
            with self._busy:
                done, pixels = self._capture.retrieve()
            if not done:
                return None
            self._last_s = now_s
            self._number += 1
            return Frame(self._number, now_s, pixels=pixels, name=self.name)
        return None

    def lock_exposure(self) -> bool:
        """Whether the driver agreed: under a lamp, automatic exposure changes the colours whenever a hand comes in."""
        return bool(self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, 1))

    def close(self) -> None:
        with self._busy:
            self._capture.release()

    def _grabbed(self) -> bool:
        with self._busy:
            return bool(self._capture.grab())

    def _now_s(self) -> float:
        if self.live:
            return time.monotonic()
        at_s = float(self._capture.get(cv2.CAP_PROP_POS_MSEC)) / 1000
        if self._paced:
            time.sleep(max(0.0, self._begun_s + at_s - time.monotonic()))
        return at_s


class NetworkCamera:
    """Motion JPEG over HTTP."""

    live = True

    def __init__(self, answer: HTTPResponse, name: str) -> None:
        self.name = name
        self._answer = answer
        self._parts = parts(answer, boundary_of(answer))
        self._number = 0
        self._last_s = -WATCH_EVERY_S

    def frame(self) -> Frame | None:
        try:
            for body in self._parts:
                now_s = time.monotonic()
                if now_s - self._last_s >= WATCH_EVERY_S - 0.005:
                    self._last_s = now_s
                    self._number += 1
                    return Frame(self._number, now_s, encoded=body, name=self.name)
        except (
            OSError,
            HTTPException,
            ValueError,
            AttributeError,
        ):  # closed under our hands, timed out, or no multipart any more
            return None
        return None

    def close(self) -> None:
        self._answer.close()


class Folder:
    """Photos in the order of their names, and those added later: a phone that synchronises its pictures."""

    live = False

    def __init__(self, path: Path, *, follow: bool = True) -> None:
        self.name = str(path)
        self._path, self._follow = path, follow
        self._seen: set[str] = set()
        self._closed = threading.Event()

    def frame(self) -> Frame | None:
        while not self._closed.is_set():
            for photo in sorted(self._path.iterdir()) if self._path.is_dir() else []:
                if photo.suffix.lower() in PHOTO_ENDINGS and photo.name not in self._seen and _complete(photo):
                    self._seen.add(photo.name)
                    return photo_frame(photo, len(self._seen))
            if not self._follow:
                return None
            self._closed.wait(FOLDER_EVERY_S)
        return None

    def close(self) -> None:
        self._closed.set()


class Pushed:
    """Frames that a browser sends. Only the newest two are kept: a slow reader must not fall behind the table."""

    live = True

    def __init__(self, name: str = "this phone's camera") -> None:
        self.name = name
        self._waiting: deque[Frame] = deque(maxlen=2)
        self._ready = threading.Condition()
        self._number = 0
        self._closed = False

    def push(self, jpeg: bytes) -> int:
        """The frame's number. InvalidInput where it is no picture."""
        checked_header(jpeg)
        with self._ready:
            self._number += 1
            self._waiting.append(Frame(self._number, time.monotonic(), encoded=jpeg, name=self.name))
            self._ready.notify()
            return self._number

    def frame(self) -> Frame | None:
        with self._ready:
            self._ready.wait_for(lambda: self._waiting or self._closed)
            return self._waiting.popleft() if self._waiting else None

    def close(self) -> None:
        with self._ready:
            self._closed = True
            self._ready.notify_all()


def photo_frame(photo: Path, number: int = 1) -> Frame:
    """A photo as a frame. Those that are no JPEG are decoded here, with their rotation."""
    data = photo.read_bytes()
    if data.startswith(b"\xff\xd8"):
        return Frame(number, time.monotonic(), encoded=data, still=True, name=photo.name)
    pixels: Any = cv2.imread(str(photo), cv2.IMREAD_COLOR)
    if pixels is None:
        raise InvalidInput(f"{photo.name}: this is not a picture that can be read; use JPEG or PNG")
    return Frame(number, time.monotonic(), pixels=pixels, still=True, name=photo.name)


def _complete(photo: Path) -> bool:
    """Half-copied files grow: a photo is taken once its last change is older than one look into the folder."""
    try:
        return time.time() - photo.stat().st_mtime > FOLDER_EVERY_S
    except OSError:
        return False
