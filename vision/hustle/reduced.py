"""The photo at the size at which a board is looked for, and the lens that would have taken it so."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from calibration.camera import Camera
from vision.hustle.finder import Image

LEAST_PX: Final = 800  # of the longer side: a card of a board that fills the photo is then twice as wide as its crop


def reduction(bgr: Image) -> int:
    """By how much a photo is reduced: by whole numbers, since averaging whole pixels takes a tenth of the time."""
    return int(max(1, max(bgr.shape[:2]) // LEAST_PX))


def reduced(bgr: Image, times: int) -> Image:
    high, wide = (side // times for side in bgr.shape[:2])
    whole = bgr[: high * times, : wide * times]
    return np.asarray(cv2.resize(whole, (wide, high), interpolation=cv2.INTER_AREA), np.uint8) if times > 1 else bgr


def reduced_lens(camera: Camera, share: float) -> Camera:
    """The lens of a photo of this share of the size; pixel centres stay at whole numbers.

    >>> from calibration.camera import guessed_camera
    >>> reduced_lens(guessed_camera(1600, 1200), 0.5).matrix[0].tolist()
    [592.0, 0.0, 399.5]
    """
    matrix = camera.matrix * share
    matrix[:2, 2] += (share - 1) / 2
    matrix[2, 2] = 1.0
    return replace(camera, matrix=matrix, width=int(camera.width * share), height=int(camera.height * share))
