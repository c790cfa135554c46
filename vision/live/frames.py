"""One moment of a camera, decoded no further than somebody asks for.

Watching needs a thumbnail ten times a second; reading needs the whole picture once a turn. A frame that came as a
JPEG (a network camera, a phone's browser, a photo) stays one until then: decoding an eighth costs a quarter.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from companion.errors import InvalidInput
from vision.header import Header, read_header

Image = npt.NDArray[np.uint8]

WATCH_WIDTH_PX = 240  # an eighth of 1080p: a small cube is still three or four pixels wide
MAX_PIXELS = 50_000_000  # the best phones give 48 million; more is a mistake or an attack
MAX_BYTES = 25_000_000


@dataclass(frozen=True, eq=False)
class Frame:
    """A picture and when it was taken. `still`: a photo somebody took on purpose, so nothing in it moves."""

    number: int
    time_s: float
    pixels: Image | None = None
    encoded: bytes | None = None
    still: bool = False
    name: str = ""
    _grey: list[Image] = field(default_factory=list, repr=False)  # the thumbnail, once somebody asked for it

    def image(self) -> Image:
        """Blue, green, red, full size."""
        if self.pixels is not None:
            return self.pixels
        return decoded(self.encoded or b"", cv2.IMREAD_COLOR)

    def grey(self) -> Image:
        """The thumbnail that watching works on, WATCH_WIDTH_PX wide."""
        if not self._grey:
            self._grey.append(self._thumbnail())
        return self._grey[0]

    def jpeg(self, quality: int = 92) -> bytes:
        """For keeping beside the event: the camera's own bytes where it sent a JPEG."""
        if self.encoded is not None and self.encoded.startswith(b"\xff\xd8"):
            return self.encoded
        done, data = cv2.imencode(".jpg", self.image(), [cv2.IMWRITE_JPEG_QUALITY, quality])
        if not done:
            raise InvalidInput("this frame cannot be saved as a JPEG")
        return data.tobytes()

    def _thumbnail(self) -> Image:
        if self.pixels is not None:
            # Every second pixel is enough to average over: the sensor's noise is far below what a cube changes.
            step = max(1, self.pixels.shape[1] // (WATCH_WIDTH_PX * 4))
            grey = cv2.cvtColor(self.pixels[::step, ::step], cv2.COLOR_BGR2GRAY)
        else:
            grey = decoded(self.encoded or b"", cv2.IMREAD_REDUCED_GRAYSCALE_8)
            if grey.shape[1] < WATCH_WIDTH_PX:  # a small picture: an eighth of it would lose the cubes
                grey = decoded(self.encoded or b"", cv2.IMREAD_GRAYSCALE)
        height = max(1, round(grey.shape[0] * WATCH_WIDTH_PX / grey.shape[1]))
        return np.asarray(cv2.resize(grey, (WATCH_WIDTH_PX, height), interpolation=cv2.INTER_AREA), np.uint8)


def decoded(data: bytes, flags: int) -> Image:
    """The picture in these bytes; InvalidInput, in one sentence, where there is none or it is far too large."""
    if not data:
        raise InvalidInput("this frame is empty; send it again")
    if len(data) > MAX_BYTES:
        raise InvalidInput(f"this frame is larger than {MAX_BYTES // 1_000_000} MB; choose a lower resolution")
    header = checked_header(data)
    if header.width * header.height > MAX_PIXELS:
        raise InvalidInput(f"this frame claims {header.width} × {header.height} pixels; choose a lower resolution")
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error:
        image = None
    if image is None or 0 in image.shape:
        raise InvalidInput("this frame is not a picture that can be read; send a JPEG")
    return np.asarray(image, np.uint8)


def checked_header(data: bytes) -> Header:
    """What the bytes say of themselves, before anything is decoded."""
    header = read_header(data)
    if header is None or header.kind in ("heic", "avif"):
        raise InvalidInput("this frame is not a picture that can be read; send a JPEG")
    return header
