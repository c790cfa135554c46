"""The appearance network: each cube's crop becomes a point, near to others of the same make whatever the light.

It was trained on many made-up copies (vision/training/appearance_train.py), so it does not know this copy's types; it
knows which differences are the cube's own and which come from the lamp, the camera and the table.
"""

from __future__ import annotations

import hashlib
import threading
from functools import cache
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.drop.appearance import CROP, Floats, Image, Looks

MODEL: Final = Path(__file__).parent / "appearance.onnx"
NEUTRAL_WHITE: Final = (0.85, 0.85, 0.85)  # of white paper in photos without cards: cameras balance to within some 3 %
CARD_WHITE: Final = 1.2  # the card's white rim lies between 1 and 1.4 times the black square

_LOCK = threading.Lock()  # OpenCV's networks keep their blobs in the object: one at a time


@cache
def _network() -> tuple[Any, str]:
    raw = MODEL.read_bytes()
    return cv2.dnn.readNetFromONNX(np.frombuffer(raw, np.uint8)), hashlib.sha256(raw).hexdigest()[:12]


def network_name() -> str:
    """Names the network in profiles: points of another one mean nothing to it."""
    return _network()[1]


def embed(looks: Looks, white: Floats | None = None) -> NDArray[np.float32]:
    """A point (n, dimensions) for each look; `white` is the photo's BGR of white paper, 0 to 1, where it is known."""
    net, _ = _network()
    if len(looks) == 0:
        return np.zeros((0, 0), np.float32)
    planes = np.empty((len(looks), 5, CROP.crop_px, CROP.crop_px), np.float32)
    scale = np.asarray(NEUTRAL_WHITE if white is None else white, np.float32)
    planes[:, :3] = (looks.crops / scale).transpose(0, 3, 1, 2)
    planes[:, 3], planes[:, 4] = looks.top, looks.sides
    with _LOCK:
        net.setInput(planes)
        return np.array(net.forward(), np.float32)


def white_of_cards(bgr: Image, corners_px: Floats) -> Floats | None:
    """BGR of the marker cards' white rims (corners (n, 4, 2) of their black squares), or None without a card."""
    if len(corners_px) == 0:
        return None
    middle = corners_px.mean(axis=1, keepdims=True)
    rim = middle + (corners_px - middle) * CARD_WHITE
    along = np.linspace(0, 1, 24, endpoint=False)[None, None, :, None]
    points = rim[:, :, None] * (1 - along) + np.roll(rim, -1, axis=1)[:, :, None] * along
    points = np.rint(points.reshape(len(rim), -1, 2)).astype(int)
    height, width = bgr.shape[:2]
    inside = ((points >= 0) & (points < [width, height])).all(axis=2)
    whites = [np.median(bgr[p[ok, 1], p[ok, 0]], axis=0) for p, ok in zip(points, inside, strict=True) if ok.sum() > 40]
    return np.maximum(np.mean(whites, axis=0) / 255, 0.05) if whites else None
