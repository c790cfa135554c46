"""What watching costs: CPU seconds for each second of 1080p film at 30 frames a second, by kind of source.

    python -m tests.benchmarks.live_watch [--seconds 20] [--json]

The film shows a staged table with a sensor's noise, and a hand now and then. The cost of reading is told apart.
"""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import tempfile
from pathlib import Path

import click
import cv2
import numpy as np

from companion.readings import DropReading
from tests.benchmarks.live_stage import Hand, Scene, Stage
from vision.drop import read_table
from vision.live.cameras import open_source
from vision.live.frames import Frame
from vision.live.sources import Source
from vision.live.table import LiveTable
from vision.photo import Photo

DEMO = Path(__file__).parents[2] / "web" / "demo" / "drop"
FPS = 30
BAR = 0.5  # of one core
NEXT_FRAME_S = 0.1  # a change is read from two frames; the watched ones come ten times a second
HAND_S = 5  # of every ten seconds, the one with a hand in view


def film(path: Path, seconds: int) -> None:
    """1080p H.264, a hand in view for one second of every ten."""
    stage = Stage(DEMO / "table-6.jpg")
    random = np.random.default_rng(1)
    still = [stage.picture(Scene(stage.everything), 1920, random) for _ in range(4)]
    hands = [stage.picture(Scene(stage.everything, hand=Hand(x, 0.6)), 1920, random) for x in np.linspace(0.2, 0.8, 6)]
    encode = ["-c:v", "libx264", "-preset", "ultrafast", "-threads", "1", "-pix_fmt", "yuv420p", str(path)]
    raw = ["-f", "rawvideo", "-pix_fmt", "bgr24", "-s", "1920x1080", "-r", str(FPS), "-i", "-"]
    with subprocess.Popen(["ffmpeg", "-loglevel", "error", "-y", *raw, *encode], stdin=subprocess.PIPE) as writer:
        assert writer.stdin is not None
        for number in range(seconds * FPS):
            handed = number // FPS % 10 == HAND_S
            writer.stdin.write((hands[number % FPS // 5] if handed else still[number % 4]).tobytes())


class Recorded:
    """The film as a network camera sends it, JPEG by JPEG; two of three are passed over undecoded and cost nothing."""

    live, name = False, "jpegs"

    def __init__(self, path: Path) -> None:
        source = open_source(str(path), paced=False)
        self._frames = []
        while (frame := source.frame()) is not None:
            self._frames.append(Frame(frame.number, frame.time_s, encoded=frame.jpeg(85)))
        self._waiting = iter(self._frames)

    def frame(self) -> Frame | None:
        return next(self._waiting, None)

    def close(self) -> None:
        pass


def watched(source: Source) -> dict[str, float]:
    """CPU seconds of all threads but for reading, the slowest settling after a hand, and what the readings cost."""
    truth = Stage(DEMO / "table-6.jpg")
    reading_s: list[float] = []

    def read(frame: Frame) -> DropReading:
        begun = cpu_s()
        found = read_table(Photo(frame.name, frame.image()))
        reading_s.append(cpu_s() - begun)
        return found if found.pieces else DropReading("", truth.pieces(truth.everything))

    live, settling_s = LiveTable(read), [0.0]
    start = cpu_s()
    while (frame := source.frame()) is not None:
        if live.step(frame) is not None and frame.time_s > HAND_S + 1:
            settling_s.append((frame.time_s - HAND_S - 1) % 10)
    return {
        "cpu_s": cpu_s() - start - sum(reading_s),
        "settled_after_s": max(settling_s),
        "reading_cpu_s": max(reading_s, default=0.0),
        "readings": len(reading_s),
    }


def cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def measured(seconds: int) -> dict[str, dict[str, float]]:
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.mp4"
        film(path, seconds)
        sources: dict[str, Source] = {
            "film, H.264 1080p30": open_source(str(path), paced=False),
            "network camera, MJPEG 1080p30": Recorded(path),
        }
        out = {}
        for name, source in sources.items():
            figures = watched(source)
            figures["cpu_s_per_s"] = figures.pop("cpu_s") / seconds
            out[name] = {key: round(value, 3) for key, value in figures.items()} | {"bar": BAR}
        return out


@click.command()
@click.option("--seconds", default=20)
@click.option("--json", "as_json", is_flag=True)
def main(seconds: int, as_json: bool) -> None:
    if shutil.which("ffmpeg") is None:
        raise click.ClickException("ffmpeg is needed to make the film")
    figures = measured(seconds)
    if as_json:
        click.echo(json.dumps(figures))
        return
    for name, row in figures.items():
        click.echo(f"{name:32} {row['cpu_s_per_s']:.3f} CPU s for each second watched (bar {BAR})")
        once = row["settled_after_s"] + row["reading_cpu_s"]
        twice = once + NEXT_FRAME_S + row["reading_cpu_s"]
        click.echo(f"{'':32} read {once:.2f} s after the hand left, {twice:.2f} s where something changed (bar 1.5):")
        click.echo(
            f"{'':32} {row['settled_after_s']:.2f} s to settle, {row['reading_cpu_s']:.2f} s of CPU to read a frame,"
        )
        click.echo(f"{'':32} {row['readings']:.0f} frames read")


if __name__ == "__main__":
    main()
