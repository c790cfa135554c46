"""Cards cut out of the photo and laid straight, as the camera saw them."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array
from calibration.hustle_profile import FACE_PX
from vision.hustle.finder import Image

Floats = NDArray[np.float32]
ONES: Final = np.ones(3, np.float32)  # a product with it adds the channels up
FINE: Final = 2  # cut out so many times finer first, then averaged, or thin strokes would flicker


def cut_out(bgr: Image, outlines_px: Array, width_px: int = FACE_PX, height_px: int = FACE_PX) -> Floats:
    """(n, height, width, 3) from 0 to 1, for n quadrilaterals given from their far left corner clockwise."""
    wide, high = width_px * FINE, height_px * FINE
    target = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) - 0.5
    out = np.empty((len(outlines_px), height_px, width_px, 3), np.float32)
    for index, outline in enumerate(outlines_px):
        warp = cv2.getPerspectiveTransform(outline.astype(np.float32), target)
        fine = cv2.warpPerspective(bgr, warp, (wide, high), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        out[index] = cv2.resize(fine, (width_px, height_px), interpolation=cv2.INTER_AREA)
    return np.asarray(out / 255, np.float32)


def turned(faces: Floats, quarters: int) -> Floats:
    """Faces (…, side, side, 3 or none) turned clockwise by so many quarters."""
    axes = (-3, -2) if faces.shape[-1] == 3 else (-2, -1)
    return np.rot90(faces, -quarters, axes)


def capped(seen: Floats, expected: Floats, cap: float) -> Floats:
    """Disagreement pixel by pixel, 0 to 1: where it is more than the cap, something else is seen."""
    off = np.asarray(seen - expected, np.float32)
    squared = ((off * off).reshape(-1, 3) @ ONES).reshape(off.shape[:-1])
    return np.asarray(np.minimum(squared / (3 * cap * cap), 1), np.float32)
