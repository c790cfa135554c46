"""Every kind of source: real streams on loopback, folders, films, a browser's frames, cameras that fall silent."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import AmbiguousMove, InvalidInput
from tests.vision.streams import HAS_FFMPEG, RtspServer, free_port, mjpeg_server, running
from vision.live.cameras import Camera, chosen, list_cameras, open_source
from vision.live.feed import Feed, Health, Patience, Pulse, beat, health
from vision.live.frames import WATCH_WIDTH_PX, Frame
from vision.live.sources import Folder, NetworkCamera, Pushed, Source

needs_ffmpeg = pytest.mark.skipif(not HAS_FFMPEG, reason="ffmpeg is not installed")


def jpeg(level: int = 128, size: tuple[int, int] = (360, 640)) -> bytes:
    done, data = cv2.imencode(".jpg", np.full((*size, 3), level, np.uint8))
    assert done
    return data.tobytes()


def eventually(open_it: Callable[[], Source], tries: int = 50) -> Source:
    """ffmpeg needs a moment before it listens."""
    for _ in range(tries):
        try:
            return open_it()
        except InvalidInput:
            time.sleep(0.1)
    return open_it()


@needs_ffmpeg
def test_motion_jpeg_over_http_stays_encoded_until_somebody_looks() -> None:
    port = free_port()
    with running(mjpeg_server(port)):
        source = eventually(lambda: open_source(f"http://127.0.0.1:{port}/video"))
        assert isinstance(source, NetworkCamera)
        frames = [source.frame() for _ in range(3)]
        source.close()
    assert all(frame is not None and frame.pixels is None for frame in frames)
    first, *_, last = frames
    assert first is not None and last is not None
    assert first.image().shape == (360, 640, 3) and first.grey().shape == (135, WATCH_WIDTH_PX)
    assert last.time_s > first.time_s and not np.array_equal(first.image(), last.image())
    assert first.jpeg() is first.encoded


@needs_ffmpeg
def test_rtsp_brings_pictures() -> None:
    server = RtspServer()
    try:
        source = eventually(lambda: open_source(server.address))
        frames = [source.frame() for _ in range(3)]
        source.close()
    finally:
        server.close()
    assert [None if frame is None else frame.image().shape for frame in frames] == [(360, 640, 3)] * 3


@needs_ffmpeg
def test_a_network_camera_that_goes_and_returns_is_taken_up_again() -> None:
    port = free_port()
    feed = Feed(lambda: open_source(f"http://127.0.0.1:{port}/video"), patience=Patience(again_s=0.1)).start()
    try:
        for _ in range(2):  # ffmpeg serves one caller and ends: the second round is the return
            with running(mjpeg_server(port)):
                assert until(lambda: feed.take(0.2) is not None)
                assert feed.health is Health.LIVE
            assert until(lambda: feed.health is Health.SILENT)
        assert "no camera answers" in feed.complaint
    finally:
        feed.stop()


@needs_ffmpeg
def test_a_film_is_watched_ten_times_a_second_by_its_own_clock(tmp_path: Path) -> None:
    film = tmp_path / "film.mp4"
    make = ["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=30", "-t", "2", str(film)]
    subprocess.run(make, check=True)
    source = open_source(str(film), paced=False)
    times = []
    while frame := source.frame():
        times.append(frame.time_s)
    assert 19 <= len(times) <= 21
    assert np.allclose(np.diff(times), 0.1, atol=0.01)
    assert not source.live


def until(true: Callable[[], bool], seconds: float = 15.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.02)
    return False


def test_a_folder_gives_its_photos_in_order_and_those_that_come_later(tmp_path: Path) -> None:
    old = time.time() - 10
    for name in ("b.jpg", "a.png", "notes.txt"):
        (tmp_path / name).write_bytes(jpeg() if name.endswith("jpg") else b"")
        os.utime(tmp_path / name, (old, old))
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((20, 30, 3), np.uint8))
    os.utime(tmp_path / "a.png", (old, old))
    folder = Folder(tmp_path)
    assert [folder.frame().name, folder.frame().name] == ["a.png", "b.jpg"]  # type: ignore[union-attr]
    arrived: list[Frame | None] = []
    waiting = threading.Thread(target=lambda: arrived.append(folder.frame()))
    waiting.start()
    (tmp_path / "c.jpg").write_bytes(jpeg())
    os.utime(tmp_path / "c.jpg", (old, old))
    waiting.join(10)
    assert arrived[0] is not None and arrived[0].name == "c.jpg" and arrived[0].still
    assert Folder(tmp_path / "nowhere", follow=False).frame() is None


def test_a_broken_photo_in_a_folder_does_not_stop_the_others(tmp_path: Path) -> None:
    old = time.time() - 10
    for name, data in (("1.jpg", b"\xff\xd8 torn"), ("2.png", b"no"), ("3.jpg", jpeg())):
        (tmp_path / name).write_bytes(data)
        os.utime(tmp_path / name, (old, old))
    feed = Feed(lambda: Folder(tmp_path, follow=False)).start()
    frame = feed.take(10)
    assert frame is not None and frame.name == "3.jpg"
    assert until(lambda: feed.health is Health.ENDED)
    feed.stop()


def test_a_browser_pushes_frames_and_only_the_newest_wait() -> None:
    pushed = Pushed()
    numbers = [pushed.push(jpeg(level)) for level in (10, 20, 30)]
    assert numbers == [1, 2, 3]
    assert [pushed.frame().number, pushed.frame().number] == [2, 3]  # type: ignore[union-attr]
    with pytest.raises(InvalidInput, match="not a picture"):
        pushed.push(b"<script>")
    pushed.close()
    assert pushed.frame() is None


def test_frames_that_claim_too_many_pixels_are_refused_before_decoding() -> None:
    bomb = bytearray(jpeg())
    at = bomb.index(b"\xff\xc0")
    bomb[at + 5 : at + 9] = b"\xff\xff\xff\xff"
    with pytest.raises(InvalidInput, match="lower resolution"):
        Frame(1, 0.0, encoded=bytes(bomb)).image()


@pytest.mark.parametrize(
    ("frame_s", "change_s", "now_s", "expected"),
    [
        (None, None, 5.0, Health.OPENING),
        (5.0, 5.0, 6.0, Health.LIVE),
        (5.0, 5.0, 7.0, Health.SILENT),
        (7.0, 5.0, 7.0, Health.FROZEN),
    ],
)
def test_silence_and_a_frozen_picture_are_noticed_within_two_seconds(
    frame_s: float | None, change_s: float | None, now_s: float, expected: Health
) -> None:
    assert health(Pulse(frame_s, change_s), now_s, Patience()) is expected


def test_equal_pictures_keep_the_time_of_the_last_change() -> None:
    one, two = np.zeros((2, 2), np.uint8), np.ones((2, 2), np.uint8)
    pulse = beat(beat(beat(Pulse(), None, one, 1.0), one, one, 2.0), one, one, 3.0)
    assert pulse == Pulse(3.0, 1.0)
    assert beat(pulse, one, two, 4.0) == Pulse(4.0, 4.0)


@pytest.fixture
def sysfs(tmp_path: Path) -> Iterator[Path]:
    for number, name, index in ((0, "HD Webcam", "0"), (1, "HD Webcam", "1"), (2, "Capture Card", "0")):
        entry = tmp_path / f"video{number}"
        entry.mkdir()
        (entry / "name").write_text(name + "\n")
        (entry / "index").write_text(index + "\n")
    yield tmp_path


def test_cameras_are_listed_by_number_and_chosen_by_number_or_name(sysfs: Path) -> None:
    cameras = list_cameras(sysfs)
    assert cameras == (Camera(0, "HD Webcam"), Camera(2, "Capture Card"))
    assert chosen("2", cameras).name == "Capture Card"
    assert chosen("webcam", cameras).number == 0
    with pytest.raises(AmbiguousMove, match="give the number"):
        chosen("c", cameras)
    with pytest.raises(InvalidInput, match="companion cameras"):
        chosen("9", cameras)
    with pytest.raises(InvalidInput, match="no camera"):
        open_source("nowhere", sysfs=sysfs / "none")


def test_an_address_where_nobody_answers_is_one_sentence() -> None:
    with pytest.raises(InvalidInput, match="check the address"):
        open_source(f"http://127.0.0.1:{free_port()}/video")
