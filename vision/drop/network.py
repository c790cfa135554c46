"""The two small networks that know what any cube is, run by OpenCV: what they see, and what their cells say.

The finder looks at the whole photo made small: roughly where cubes are, how large and how tilted they appear. The
reader looks at the table straightened to a fixed scale at half a cube's height: where exactly, how large, how turned.
`vision/training` has how they came to be.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Self

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

HERE: Final = Path(__file__).parent
CELL_PX: Final = 4
PAD_PX: Final = 16  # the networks halve the picture four times
SIZE_PX: Final = 12.0  # sizes are logarithms of a multiple of this
SHAPE_SCALE: Final = 10.0  # stretch and skew are a few per cent, and were taught times this
READER: Final = ("heat", "meeple", "dx", "dy", "size", "cos4", "sin4", "stretch", "skew", "base", "spread")
FINDER: Final = ("heat", "meeple", "dx", "dy", "size", "up_x", "up_y", "spread")
# Square root of the light: on black cloth everything happens in the lowest tenth of the scale.
GAMMA: Final = (255 * np.sqrt(np.arange(256) / 255)).round().astype(np.uint8)
_LOCK: Final = threading.Lock()  # one network holds one picture at a time


@dataclass(frozen=True)
class PeakSettings:
    """How cells become finds."""

    reach_cells: float = 0.7  # neighbours within about a cell of the middle have a say in where it is
    apart_sides: float = 0.55  # two middles nearer than this are one cube: even stacked ones are seen farther apart


PEAKS: Final = PeakSettings()


@dataclass(frozen=True)
class Finds:
    """Peaks of one kind in one picture, as parallel arrays; `said` has one row for each of the network's channels."""

    center_px: Array  # (N, 2) in the picture
    score: Array  # (N,)
    said: dict[str, Array]  # (N,) each

    def __len__(self) -> int:
        return len(self.score)

    def __getitem__(self, keep: NDArray[np.bool_] | NDArray[np.intp] | slice) -> Self:
        said = {name: value[keep] for name, value in self.said.items()}
        return type(self)(self.center_px[keep], self.score[keep], said)

    @property
    def size_px(self) -> Array:
        return SIZE_PX * np.exp(self.said["size"])

    @property
    def turn_rad(self) -> Array:
        """As the picture shows it, y down."""
        return np.asarray(np.arctan2(self.said["sin4"], self.said["cos4"]) / 4)

    @property
    def shape(self) -> Array:
        """(N, 2): stretch along x against y, and skew, by which the picture differs from a true view from above."""
        return np.column_stack([self.said["stretch"], self.said["skew"]]) / SHAPE_SCALE


def cells(name: str, bgr: Image) -> NDArray[np.float32]:
    """What the network `name` ("reader" or "finder") says of a picture: (channels, rows, columns)."""
    height, width = bgr.shape[:2]
    down, right = -height % PAD_PX, -width % PAD_PX
    padded = cv2.copyMakeBorder(bgr, 0, down, 0, right, cv2.BORDER_REPLICATE) if down or right else bgr
    blob = cv2.dnn.blobFromImage(cv2.LUT(padded, GAMMA), 1 / 64.0, mean=(127.5, 127.5, 127.5))
    with _LOCK:
        net = _network(name)
        net.setInput(blob)
        out = np.array(net.forward()[0], np.float32)
    return out[:, : -(-height // CELL_PX), : -(-width // CELL_PX)]


def peaks(said: NDArray[np.float32], names: tuple[str, ...], channel: str, least: float) -> Finds:
    """Local maxima of a heat above `least`; values are means over the cells round each, nearer ones counting more."""
    heat = said[names.index(channel)]
    top = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > np.log(least / (1 - least)))
    rows, cols = np.nonzero(top)
    around = np.arange(-1, 2)
    near_rows = (rows[:, None, None] + around[None, :, None]).clip(0, heat.shape[0] - 1)
    near_cols = (cols[:, None, None] + around[None, None, :]).clip(0, heat.shape[1] - 1)
    near = said[:, near_rows, near_cols].astype(np.float64)  # (C, N, 3, 3)
    dx, dy = near[names.index("dx")], near[names.index("dy")]
    weight = np.exp(-(dx**2 + dy**2) / (2 * PEAKS.reach_cells**2))
    weight /= weight.sum(axis=(1, 2), keepdims=True)
    value = (near * weight).sum(axis=(2, 3))
    x, y = ((near_cols + dx) * weight).sum(axis=(1, 2)), ((near_rows + dy) * weight).sum(axis=(1, 2))
    center = np.column_stack([x, y]) * CELL_PX + (CELL_PX - 1) / 2
    score = 1 / (1 + np.exp(-heat[rows, cols].astype(np.float64)))
    return Finds(center, score, dict(zip(names, value, strict=True)))


def apart(finds: Finds) -> Finds:
    """Of finds that lie closer than cubes can, the surest."""
    order = np.argsort(-finds.score)
    finds = finds[order]
    gap = np.linalg.norm(finds.center_px[:, None] - finds.center_px[None], axis=2)
    close = gap < PEAKS.apart_sides * np.minimum(finds.size_px[:, None], finds.size_px[None])
    keep = np.ones(len(finds), bool)
    for i in range(len(finds)):
        keep[i] = not (close[i, :i] & keep[:i]).any()
    return finds[keep]


@cache
def _network(name: str) -> Any:
    raw = np.frombuffer((HERE / f"{name}.onnx").read_bytes(), np.uint8)
    # OpenCV 5 has a second engine, which takes half as long again for convolutions on a CPU
    classic = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
    return cv2.dnn.readNetFromONNX(raw) if classic is None else cv2.dnn.readNetFromONNX(raw, classic)
