"""A standee's foot settled by its edges: the outlines of its card and base, drawn where the photo changes most, around
a base of one colour.

What no printed face explains tells roughly where somebody stands, but a deep shadow before the base is unexplained too,
and a pale card on a pale ground is not. Outlines are sharp in both cases. It takes too long for every photo; teaching
has the time, and what is learned there wrongly would be wrong ever after.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from calibration.camera import Array
from vision.hustle.board import Board
from vision.hustle.cards import Floats
from vision.hustle.finder import Image
from vision.hustle.standees import SETTINGS as SHAPE
from vision.hustle.standees import Standee, patch_of


@dataclass(frozen=True)
class EdgeSettings:
    rounds: tuple[tuple[float, float], ...] = ((2.0, 10.0), (1.0, 5.0))  # steps of foot (mm) and turn (degrees)
    steps: tuple[int, int] = (5, 4)  # so many to each side in the first round: feet are a centimetre off at most
    fine_steps: tuple[int, int] = (2, 1)  # and in the second
    points: int = 12  # looked at along each edge
    blur_mm: float = 1.0
    sharp: float = 0.06  # change across an edge, within the blur, that certainly is one
    moved_price: float = 0.002  # of sharpness, for two millimetres or ten degrees from where it was found
    aim_price: float = 0.05  # the same for a foot aim_sd_mm off the middle of its card: a person aims there
    aim_sd_mm: float = 4.5
    motley_price: float = (
        1.5  # for a base whose top varies: a moulded one does by hundredths, shadows on print by tenths
    )
    around_mm: float = 60.0  # of the photo that is looked at, and as much again for heads


SETTINGS: Final = EdgeSettings()
WIDE, DEEP, LOW, TALL = SHAPE.wide_mm / 2, SHAPE.base_mm[1] / 2, SHAPE.base_mm[2], SHAPE.tall_mm
BASE: Final = SHAPE.base_mm[0] / 2
EDGES: Final = np.array(  # from, to: x across, y away from the viewer, z up; first the card's, then the base's front
    [
        [[-WIDE, 0, TALL], [WIDE, 0, TALL]],
        [[-WIDE, 0, LOW], [-WIDE, 0, TALL]],
        [[WIDE, 0, LOW], [WIDE, 0, TALL]],
        [[-BASE, 0, LOW], [BASE, 0, LOW]],
        [[-BASE, -DEEP, LOW], [BASE, -DEEP, LOW]],
        [[-BASE, -DEEP, 0], [BASE, -DEEP, 0]],
        [[-BASE, -DEEP, LOW], [-BASE, 0, LOW]],
        [[BASE, -DEEP, LOW], [BASE, 0, LOW]],
    ]
)
WEIGHTS: Final = np.array([1.0] * 4 + [0.5] * 4)  # a base may have the colour of what lies below


def on_its_edges(bgr: Image, board: Board, found: Standee, settings: EdgeSettings = SETTINGS) -> Standee:
    part, slopes, origin = _slopes(bgr, board, found, settings)
    best = found
    for (step_mm, step_deg), (reach, turns) in zip(settings.rounds, (settings.steps, settings.fine_steps), strict=True):
        along = np.arange(-reach, reach + 1) * step_mm
        feet = best.foot_mm + np.stack(np.meshgrid(along, along), -1).reshape(-1, 2)
        scored = []
        for turn in best.turn + np.radians(np.arange(-turns, turns + 1) * step_deg):
            score = _sharpness(slopes, origin, board, feet, float(turn), settings=settings)
            score -= settings.motley_price * _motley(part, origin, board, feet, float(turn))
            score -= _price(feet, float(turn), found, board, settings)
            k = int(score.argmax())
            scored.append((float(score[k]), k, float(turn)))
        _, k, turn = max(scored)
        best = replace(best, foot_mm=feet[k], turn=turn, patch_mm=patch_of(feet[k], turn, board.view.eye_mm))
    return best


def _slopes(bgr: Image, board: Board, found: Standee, settings: EdgeSettings) -> tuple[Floats, list[Floats], Array]:
    """The blurred photo around the standee, how it changes across and down, and where in the photo that part begins."""
    reach = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * settings.around_mm + found.foot_mm
    box = np.vstack([np.column_stack([reach, np.full(4, z)]) for z in (0.0, settings.around_mm)])
    pixels = board.view.project(box)
    low = np.maximum(np.floor(pixels.min(0)), 0).astype(int)
    high = np.ceil(pixels.max(0)).astype(int)
    px_mm = float(np.linalg.norm(pixels[1] - pixels[0])) / (2 * settings.around_mm)
    blur_px = max(settings.blur_mm * px_mm, 0.6)
    part = cv2.GaussianBlur(bgr[low[1] : high[1], low[0] : high[0]].astype(np.float32) / 255, (0, 0), blur_px)
    across, down = (cv2.Sobel(part, -1, dx, 1 - dx, scale=blur_px / 8) for dx in (1, 0))
    return np.asarray(part, np.float32), [np.asarray(across, np.float32), np.asarray(down, np.float32)], low


def _sharpness(
    slopes: list[Floats], origin: Array, board: Board, feet: Array, turn: float, *, settings: EdgeSettings
) -> Array:
    """For each foot the share of the outline, 0 to 1, across which the photo changes."""
    ends = EDGES @ _spin(board, feet, turn).T
    share = ((np.arange(settings.points) + 0.5) / settings.points)[:, None]
    outline = (ends[:, :1] * (1 - share) + ends[:, 1:] * share).reshape(-1, 3)
    placed = outline + np.column_stack([feet, np.zeros(len(feet))])[:, None]
    pixels = board.view.project(placed.reshape(-1, 3)).reshape(len(feet), len(EDGES), settings.points, 2)
    along = pixels[:, :, -1:] - pixels[:, :, :1]
    along = along / np.maximum(np.linalg.norm(along, axis=-1, keepdims=True), 1e-6)
    at = (pixels - origin).astype(np.float32).reshape(len(feet), -1, 2)
    dx, dy = (cv2.remap(slope, at[..., 0], at[..., 1], cv2.INTER_LINEAR) for slope in slopes)
    dx, dy = (slope.reshape(*pixels.shape[:3], 3) for slope in (dx, dy))
    change = np.linalg.norm(dy * along[..., :1] - dx * along[..., 1:], axis=-1)
    return np.asarray(np.minimum(change / settings.sharp, 1).mean(-1) @ WEIGHTS / WEIGHTS.sum(), float)


def _spin(board: Board, feet: Array, turn: float) -> Array:
    """From a standee that is seen from its front to the board."""
    spin = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    if (board.view.eye_mm[:2] - feet.mean(0)) @ spin[:2, 1] > 0:  # seen from its other side
        spin[:2, :2] *= -1
    return spin


def _motley(part: Floats, origin: Array, board: Board, feet: Array, turn: float) -> Array:
    """For each foot how much the half of the base's top before the card varies."""
    across, deep = np.meshgrid(np.linspace(-0.85, 0.85, 8) * BASE, np.linspace(-0.85, -0.3, 3) * DEEP)
    top = np.column_stack([across.ravel(), deep.ravel(), np.full(across.size, LOW)]) @ _spin(board, feet, turn).T
    placed = top + np.column_stack([feet, np.zeros(len(feet))])[:, None]
    at = (board.view.project(placed.reshape(-1, 3)) - origin).astype(np.float32).reshape(len(feet), -1, 2)
    seen = cv2.remap(part, at[..., 0], at[..., 1], cv2.INTER_LINEAR)
    return np.asarray(seen.std(1).mean(-1), float)


def _price(feet: Array, turn: float, found: Standee, board: Board, settings: EdgeSettings) -> Array:
    moved = ((feet - found.foot_mm) ** 2).sum(1) / 2.0**2 + (np.degrees(turn - found.turn) / 10) ** 2
    aim = ((feet - board.places[found.index, :2]) ** 2).sum(1) / (2 * settings.aim_sd_mm**2)
    return np.asarray(settings.moved_price * moved + settings.aim_price * aim, float)
