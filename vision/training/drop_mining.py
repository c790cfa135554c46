"""Where the network is still wrong on the photos that it is trained on: those spots are then shown more often.

Most cubes are easy after a few thousand steps. What is left are clear gems, pale cubes on pale tables, and patterns
that look like cubes, which random crops seldom hold.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import torch

from vision.training.drop_data import Sample
from vision.training.drop_nets import CELL_PX
from vision.training.drop_targets import REQUIRED_VISIBLE

MISSED_BELOW = 0.5
FALSE_ABOVE = 0.35
PAD_PX = 16  # the networks halve the picture four times


def wrong_spots(
    net: torch.nn.Module, sample: Sample, scale: float, tensor: Callable[[np.ndarray], np.ndarray]
) -> np.ndarray:
    """(K, 2) in the sample's pixels: middles of cubes that were missed, and finds where none is."""
    heat = _heat(net, cv2.resize(sample.bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), tensor)
    around = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    place = ((sample.center + 0.5) * scale - 0.5 - (CELL_PX - 1) / 2) / CELL_PX
    col, row = np.rint(place).astype(int).T
    asked = (sample.visible >= REQUIRED_VISIBLE) & (row >= 0) & (col >= 0)
    asked &= (row < heat.shape[0]) & (col < heat.shape[1])
    missed = sample.center[asked][around[row[asked], col[asked]] < MISSED_BELOW]
    peaks = np.argwhere((heat >= around) & (heat > FALSE_ABOVE))[:, ::-1].astype(float)
    size = np.exp(sample.log_size) * scale / CELL_PX
    gap = np.linalg.norm(peaks[:, None] - place[None], axis=2)
    false = peaks[(gap > 0.7 * size).all(axis=1)]
    return np.concatenate([missed, ((false * CELL_PX + (CELL_PX - 1) / 2) + 0.5) / scale - 0.5])


@torch.no_grad()
def _heat(net: torch.nn.Module, bgr: np.ndarray, tensor: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    height, width = bgr.shape[:2]
    padded = cv2.copyMakeBorder(bgr, 0, -height % PAD_PX, 0, -width % PAD_PX, cv2.BORDER_REPLICATE)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out = net(torch.from_numpy(tensor(padded))[None])
    heat = torch.sigmoid(out[0, 0].float()).numpy()
    return np.ascontiguousarray(heat[: height // CELL_PX, : width // CELL_PX])
