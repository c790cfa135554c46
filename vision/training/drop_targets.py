"""From a crop's truth to what the network's cells should say, and how much each cell counts."""

from __future__ import annotations

import numpy as np

from vision.training.drop_data import Sample
from vision.training.drop_nets import CELL_PX, SIZE_PX

REQUIRED_VISIBLE = 0.3  # seen less than this, a cube is neither asked for nor forbidden
HEAT_SIDES = 0.21  # width of the heat's bell in sides: half-way to a touching neighbour nothing is left of it
STRETCH_SCALE = 10.0  # brings stretch and skew (a few per cent) to the size of the other channels


def targets(sample: Sample, names: tuple[str, ...], crop_px: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Values (C, h, w); the weight of the two heats (2, h, w); the weight of all else (h, w)."""
    cells = crop_px // CELL_PX
    grid = np.arange(cells)
    values = np.zeros((len(names), cells, cells), np.float32)
    heat_weight = np.ones((2, cells, cells), np.float32)
    weight = np.zeros((cells, cells), np.float32)
    place = (sample.center - (CELL_PX - 1) / 2) / CELL_PX  # in cells, a cell's centre at a whole number
    said = _said(sample, names)
    for i, (x, y) in enumerate(place):
        if not (-4 < x < cells + 4 and -4 < y < cells + 4):
            continue
        sigma = max(0.6, HEAT_SIDES * np.exp(sample.log_size[i]) / CELL_PX)
        bell = np.exp(-((grid[None, :] - x) ** 2 + (grid[:, None] - y) ** 2) / (2 * sigma**2)).astype(np.float32)
        if sample.visible[i] < REQUIRED_VISIBLE:
            heat_weight[0][bell > 0.02] = 0.0
            continue
        values[0] = np.maximum(values[0], bell)
        near = (np.abs(grid[None, :] - x) < 1.5) & (np.abs(grid[:, None] - y) < 1.5) & (bell > weight)
        weight[near] = bell[near]
        for channel, value in said.items():
            values[channel][near] = value[i]
        values[names.index("dx")][near] = (x - grid[None, :] + 0 * grid[:, None])[near]
        values[names.index("dy")][near] = (y - grid[:, None] + 0 * grid[None, :])[near]
    # the cell that holds the middle is a certain yes, wherever in it the middle is
    inside = [(round(y), round(x)) for (x, y), seen in zip(place, sample.visible, strict=True)
              if seen >= REQUIRED_VISIBLE and 0 <= round(x) < cells and 0 <= round(y) < cells]  # fmt: skip
    for row, col in inside:
        values[0, row, col] = 1.0
    for outline in sample.meeples:
        x, y = ((outline.min(axis=0) + outline.max(axis=0)) / 2 - (CELL_PX - 1) / 2) / CELL_PX
        sigma = max(0.6, 0.15 * np.ptp(outline, axis=0).mean() / CELL_PX)
        bell = np.exp(-((grid[None, :] - x) ** 2 + (grid[:, None] - y) ** 2) / (2 * sigma**2)).astype(np.float32)
        values[1] = np.maximum(values[1], bell)
        if 0 <= round(x) < cells and 0 <= round(y) < cells:
            values[1, round(y), round(x)] = 1.0
    return values, heat_weight, weight


def _said(sample: Sample, names: tuple[str, ...]) -> dict[int, np.ndarray]:
    shape = np.broadcast_to(sample.shape, (len(sample.center), 2)) * STRETCH_SCALE
    every = {
        "size": sample.log_size - np.log(SIZE_PX), "cos4": np.cos(4 * sample.turn), "sin4": np.sin(4 * sample.turn),
        "stretch": shape[:, 0], "skew": shape[:, 1], "base": sample.base,
        "up_x": sample.up[:, 0], "up_y": sample.up[:, 1],
    }  # fmt: skip
    return {names.index(name): value for name, value in every.items() if name in names}
