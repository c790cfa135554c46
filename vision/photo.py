"""The photo's way in: any file becomes an upright 8-bit colour picture, or one sentence that says why not."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from companion.errors import CompanionError
from companion.problems import Problem
from vision.header import Header, read_header
from vision.quality import Image, quality_problems


class UnreadablePhoto(CompanionError):
    """No picture can be had from this file; the sentence says what to do."""


@dataclass(frozen=True)
class IntakeLimits:
    file_bytes: int = 80_000_000  # no camera's photo of the size below is larger, and it still fits in memory twice
    pixels: int = 110_000_000  # the largest phone sensors give 108 megapixels; beyond that it is a bomb
    whole_pixels: int = 40_000_000  # for what cannot be decoded strip by strip: 240 MB of memory on the way
    scans: int = 64  # of a progressive JPEG: each costs as much as decoding a plain one
    plain_pixels: int = 9_000_000  # up to here decode at full size; cubes gain nothing from more
    side_px: int = 30_000
    least_px: int = 64  # on a shorter side below this there is no cube that anyone could name


LIMITS: Final = IntakeLimits()


@dataclass(frozen=True, eq=False)
class Photo:
    """A picture fit to be read, and what is doubtful about it."""

    name: str
    bgr: Image
    focal_px_hint: float | None = None
    decode_ms: float = 0.0
    problems: tuple[Problem, ...] = ()
    reduced: int = 1  # decoded at one nth of the file's size; positions are in the pixels of `bgr`

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.bgr.shape[1], self.bgr.shape[0]


def load_photo(source: Path | str | bytes, name: str | None = None) -> Photo:
    """The photo of a file or of an upload's bytes."""
    raw = source if isinstance(source, bytes) else _file(Path(source))
    name = name or ("photo" if isinstance(source, bytes) else Path(source).name)
    header = _checked(raw)
    reduced = _reduction(header)
    start = time.perf_counter()
    bgr = _decoded(raw, reduced)
    decode_ms = (time.perf_counter() - start) * 1000
    return Photo(name, bgr, _focal_px(header, bgr), decode_ms, quality_problems(bgr), reduced)


def _file(path: Path) -> bytes:
    try:
        if path.stat().st_size > LIMITS.file_bytes:
            raise UnreadablePhoto(f"the file is larger than {LIMITS.file_bytes // 1_000_000} MB: send a smaller photo")
        return path.read_bytes()
    except OSError as problem:
        raise UnreadablePhoto(f"the file cannot be opened ({problem.strerror}): check its name") from None
    except ValueError:
        raise UnreadablePhoto("this is no file name: check it") from None


def _checked(raw: bytes) -> Header:
    """The header, once it is certain that decoding is worth a try and cannot hurt."""
    if not raw:
        raise UnreadablePhoto("the file is empty: take or send the photo again")
    if len(raw) > LIMITS.file_bytes:
        raise UnreadablePhoto(f"the file is larger than {LIMITS.file_bytes // 1_000_000} MB: send a smaller photo")
    header = read_header(raw)
    if header is None:
        raise UnreadablePhoto("this is not a photo that can be read: send a JPEG or PNG")
    if header.kind in ("heic", "avif"):
        raise UnreadablePhoto(
            f"{header.kind.upper()} photos cannot be read: send it as a JPEG "
            "(on an iPhone: Settings, Camera, Formats, Most Compatible)"
        )
    width, height = header.width, header.height
    most = LIMITS.pixels if header.in_strips else LIMITS.whole_pixels
    if width * height > most or max(width, height) > LIMITS.side_px:
        megapixels = width * height / 1_000_000
        raise UnreadablePhoto(
            f"the photo claims {megapixels:.0f} megapixels, more than can be read: send a smaller one"
        )
    if header.cut_short:  # half a table would be read as a whole one
        raise UnreadablePhoto("the file is cut short: send the photo again")
    if header.scans > LIMITS.scans:
        raise UnreadablePhoto("the photo is stored in an unusual way that takes too long to read: send a plain JPEG")
    if min(width, height) < LIMITS.least_px:
        raise UnreadablePhoto(f"the photo has only {width} by {height} pixels: send the original, not a preview")
    return header


def _reduction(header: Header) -> int:
    """JPEGs can be decoded at a half, a quarter or an eighth of their size for less work."""
    pixels = header.width * header.height
    return next((n for n in (1, 2, 4) if pixels <= LIMITS.plain_pixels * n * n), 8)


FLAGS: Final = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}


def _decoded(raw: bytes, reduced: int) -> Image:
    """One plain decode; OpenCV turns EXIF-rotated photos upright and greyscale, alpha, CMYK and 16 bits into BGR."""
    try:
        bgr = cv2.imdecode(np.frombuffer(raw, np.uint8), FLAGS[reduced])
    except cv2.error:
        bgr = None
    if bgr is None or bgr.size == 0:
        raise UnreadablePhoto("the file is damaged: take or send the photo again")
    return np.asarray(bgr, np.uint8)


def _focal_px(header: Header, bgr: Image) -> float | None:
    """From the focal length on 35 mm film, whose diagonal is 43.27 mm; digital zoom is already in it."""
    if header.focal_35mm is None:
        return None
    return float(header.focal_35mm * np.hypot(*bgr.shape[:2]) / 43.27)
