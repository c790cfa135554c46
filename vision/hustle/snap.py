"""Each card's corners to a fraction of a millimetre: a small network looks at every space, cut out where the board is
thought to be, and says whether a card lies there and where its corners are, whatever is printed on it."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.hustle.finder import Array, Image, network

CROP_PX: Final = 48
MARGIN: Final = 0.25  # of a pitch, around the space
LOW: Final = CROP_PX * MARGIN / (1 + 2 * MARGIN) - 0.5
HIGH: Final = CROP_PX * (1 + MARGIN) / (1 + 2 * MARGIN) - 0.5
SQUARE: Final = np.array([[LOW, LOW], [HIGH, LOW], [HIGH, HIGH], [LOW, HIGH]])


def crop_warp(space_px: Array) -> Array:
    """The homography that cuts out one space, given its four corners, with a margin around it."""
    return np.asarray(cv2.getPerspectiveTransform(space_px.astype(np.float32), SQUARE.astype(np.float32)), float)


def snap_cards(bgr: Image, spaces_px: Array) -> tuple[Array, NDArray[np.float32]]:
    """For n spaces (n x 4 x 2): the corners of the card in each, and the logit of there being one."""
    warps = [crop_warp(space) for space in spaces_px]
    crops = [cv2.warpPerspective(bgr, warp, (CROP_PX, CROP_PX), borderMode=cv2.BORDER_REPLICATE) for warp in warps]
    net = network("hustle-snap.onnx")
    net.setInput(cv2.dnn.blobFromImages(crops, 1 / 127.5, mean=(127.5,) * 3))
    out = net.forward()
    corners = SQUARE + out[:, 1:].reshape(-1, 4, 2).astype(float) * CROP_PX / 2
    back = np.array(
        [cv2.perspectiveTransform(c[None], np.linalg.inv(w))[0] for c, w in zip(corners, warps, strict=True)]
    )
    return back, out[:, 0]
