"""Which cameras there are, and how to open what a person names: `0`, `HD Webcam`, `rtsp://…`, a folder, a film."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2

from companion.errors import AmbiguousMove, InvalidInput
from vision.live.mjpeg import connect
from vision.live.sources import PHOTO_ENDINGS, Capture, Folder, NetworkCamera, Source

TIMEOUT_MS: Final = 2000  # a camera that takes longer to answer counts as gone and is asked again
PROBED: Final = 4  # where the system does not list its cameras, the first few numbers are tried
_V4L: Final = Path("/sys/class/video4linux")


@dataclass(frozen=True)
class Camera:
    """A webcam as the system knows it.

    >>> str(Camera(0, "HD Webcam"))
    '0  HD Webcam'
    """

    number: int
    name: str

    def __str__(self) -> str:
        return f"{self.number}  {self.name}"


@dataclass(frozen=True)
class Wishes:
    """What to ask of a webcam; a driver that cannot do it gives the nearest it has."""

    width_px: int = 1920
    height_px: int = 1080
    fps: int = 30
    lock_exposure: bool = False


def list_cameras(sysfs: Path = _V4L) -> tuple[Camera, ...]:
    """Linux names its cameras; elsewhere the first few numbers are tried, which takes a moment."""
    if sysfs.is_dir():
        found = [
            Camera(int(entry.name.removeprefix("video")), (entry / "name").read_text().strip())
            for entry in sysfs.glob("video*")
            if (entry / "name").is_file() and _read(entry / "index") in ("", "0")  # 1 and up carry metadata only
        ]
        return tuple(sorted(found, key=lambda camera: camera.number))
    if Path("/sys/class").is_dir():  # Linux without a camera
        return ()
    return tuple(Camera(number, f"camera {number}") for number in range(PROBED) if _opens(number))


def open_source(
    spec: str, wishes: Wishes | None = None, *, paced: bool = True, sysfs: Path = _V4L, follow: bool = True
) -> Source:
    """The source that `spec` names; InvalidInput says what to do where there is none.

    `paced`: a film plays at its own speed, as at a table; otherwise as fast as it can be watched.
    """
    wishes = wishes or Wishes()
    if spec.startswith(("http://", "https://")):
        answer = connect(spec)
        return NetworkCamera(answer, spec) if answer else _capture(spec, cv2.CAP_FFMPEG, _timeouts(), spec)
    if spec.startswith(("rtsp://", "rtsps://")):
        return _capture(spec, cv2.CAP_FFMPEG, _timeouts(), spec)
    path = Path(spec)
    if path.is_dir():
        return Folder(path, follow=follow)
    if path.is_file():
        if path.suffix.lower() in PHOTO_ENDINGS:
            raise InvalidInput(f"{spec}: this is one photo; name its folder, a film or a camera")
        return _capture(spec, cv2.CAP_FFMPEG, [], path.name, live=False, paced=paced)
    return _webcam(chosen(spec, list_cameras(sysfs)), wishes)


def chosen(spec: str, cameras: tuple[Camera, ...]) -> Camera:
    """The camera with this number, or the one whose name holds this text.

    >>> chosen("web", (Camera(0, "HD Webcam"), Camera(2, "Capture card"))).number
    0
    """
    if spec.isdecimal():
        matching = [camera for camera in cameras if camera.number == int(spec)]
    else:
        matching = [camera for camera in cameras if spec.lower() in camera.name.lower()]
    if len(matching) == 1:
        return matching[0]
    known = "; ".join(map(str, cameras)) or "none is plugged in"
    if matching:
        raise AmbiguousMove(f"{spec!r} names {len(matching)} cameras ({known}); give the number", ())
    raise InvalidInput(f"there is no camera, film or folder {spec!r} (cameras: {known}); run `companion cameras`")


def _webcam(camera: Camera, wishes: Wishes) -> Source:
    asked: list[Any] = [cv2.CAP_PROP_FRAME_WIDTH, wishes.width_px, cv2.CAP_PROP_FRAME_HEIGHT, wishes.height_px]
    asked += [cv2.CAP_PROP_FPS, wishes.fps]
    # Motion JPEG first: over USB 2, raw 1080p comes at five frames a second.
    asked = [cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"), *asked]
    source = _capture(camera.number, cv2.CAP_ANY, asked, camera.name)
    if wishes.lock_exposure:
        source.lock_exposure()
    return source


def _capture(
    what: str | int, backend: int, asked: list[Any], name: str, *, live: bool = True, paced: bool = True
) -> Capture:
    capture = cv2.VideoCapture(what, backend, asked) if asked else cv2.VideoCapture(what, backend)
    if not capture.isOpened():
        capture.release()
        raise InvalidInput(f"{name}: no picture comes from there; check the cable, the address or the file")
    return Capture(capture, name, live=live, paced=paced)


def _timeouts() -> list[Any]:
    return [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, TIMEOUT_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, TIMEOUT_MS]


def _opens(number: int) -> bool:
    capture = cv2.VideoCapture(number)
    try:
        return bool(capture.isOpened())
    finally:
        capture.release()


def _read(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""
