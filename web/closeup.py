"""Pictures cut from a photo: a straightened close-up for a dispute, and a copy at a phone's size."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, Final

import cv2
import numpy as np

from companion.pieces import Point
from vision.photo import load_photo
from web.mapping import fitted

CROP_PX: Final = 560  # sharp on a phone held at arm's length, and still a small file
QUALITY: Final = 82


def closeup_jpeg(photo: bytes, reading: Mapping[str, Any], middle_mm: Point, half_mm: float) -> bytes | None:
    """A square of the table as seen from straight above, y up. None where the photo cannot be straightened."""
    plane = fitted(reading, near_mm=middle_mm)
    if plane is None:
        return None
    x, y = middle_mm
    corners_mm = (
        (x - half_mm, y + half_mm),
        (x + half_mm, y + half_mm),
        (x + half_mm, y - half_mm),
        (x - half_mm, y - half_mm),
    )
    source = np.array([plane.px(corner) for corner in corners_mm], dtype=np.float32)
    edge = CROP_PX - 1
    target = np.array([(0, 0), (edge, 0), (edge, edge), (0, edge)], dtype=np.float32)
    bgr = load_photo(photo).bgr
    crop = cv2.warpPerspective(
        bgr, cv2.getPerspectiveTransform(source, target), (CROP_PX, CROP_PX), flags=cv2.INTER_CUBIC
    )
    return _jpeg(crop)


class Pictures:
    """Photos at a phone's size, the last few kept: twelve phones ask for the same one at once."""

    def __init__(self, most: int = 24) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, int], bytes] = OrderedDict()

    def get(self, photo: str, width: int, load: Callable[[], bytes]) -> bytes:
        with self._lock:  # the others wait for the first to finish rather than do the same work
            if (photo, width) not in self._kept:
                self._kept[photo, width] = resized_jpeg(load(), width)
                while len(self._kept) > self._most:
                    self._kept.popitem(last=False)
            self._kept.move_to_end((photo, width))
            return self._kept[photo, width]


def resized_jpeg(photo: bytes, width: int) -> bytes:
    """Upright and no wider than asked, so that a 12-megapixel photo does not fill the Wi-Fi."""
    bgr = load_photo(photo).bgr
    high, wide = bgr.shape[:2]
    if wide > width:
        bgr = cv2.resize(bgr, (width, max(1, round(high * width / wide))), interpolation=cv2.INTER_AREA)
    return _jpeg(bgr)


def _jpeg(bgr: Any) -> bytes:
    ok, encoded = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    assert ok
    return bytes(encoded.tobytes())
