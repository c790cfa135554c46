"""Whether a photo can be read at all, said before anyone wonders why it was not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.problems import Problem

Image = NDArray[np.uint8]


@dataclass(frozen=True)
class QualityLimits:
    """Each limit lies well outside what the staged and the real photos show, so that only hopeless photos complain."""

    small_px: int = 480  # on a shorter side below this a small cube has fewer than a dozen pixels
    look_px: int = 320  # light is judged on a photo this wide, sharpness on so many lines each way: enough, and cheap
    look_lines: int = 150
    dark: float = 28.0  # the brightest hundredth of the picture stays below this of 255
    bright_share: float = 0.6  # so much of the picture without any drawing left in it
    bright: int = 252
    # Photos in focus show 0.42 and more of a strong edge within 2 of 10 pixels; blurred by 5 pixels, at most 0.24.
    sharp: float = 0.28
    far_px: int = 10
    strongest: float = 99.95  # percentile of steps: a handful of cubes on a plain cloth makes few edges
    edge: float = 25.0  # levels; without such edges nothing can be said
    flat: float = 1.2  # standard deviation of grey: a lens cap, a wall


LIMITS: Final = QualityLimits()

TOO_SMALL: Final = Problem("too-small", "The photo has too few pixels: send the original, not a preview.")
TOO_DARK: Final = Problem(
    "too-dark", "The photo is nearly black: turn on a lamp, or tap the table to set the exposure."
)
TOO_BRIGHT: Final = Problem(
    "overexposed", "Most of the photo is pure white: turn the lamp away, or tap the table to set the exposure."
)
BLURRED: Final = Problem("blurred", "The photo is blurred: hold the camera still, wipe the lens, and try again.")
EMPTY: Final = Problem("nothing-to-see", "The photo shows one even colour: check that nothing covers the lens.")


def quality_problems(bgr: Image, limits: QualityLimits = LIMITS) -> tuple[Problem, ...]:
    """What is wrong with the photo as a photo; empty where it is fit to be read.

    >>> [problem.code for problem in quality_problems(np.zeros((1200, 1600, 3), np.uint8))]
    ['too-dark']
    """
    height, width = bgr.shape[:2]
    step = max(1, width // limits.look_px)
    grey = np.ascontiguousarray(bgr[::step, ::step, 1])  # green alone: nearest to what an eye calls light, and free
    found = []
    if min(height, width) < limits.small_px:
        found.append(TOO_SMALL)
    if _percentile(grey, 99) < limits.dark:
        found.append(TOO_DARK)
    elif np.count_nonzero(grey >= limits.bright) > limits.bright_share * grey.size:
        found.append(TOO_BRIGHT)
    elif cv2.meanStdDev(grey)[1][0, 0] < limits.flat:
        found.append(EMPTY)
    elif sharpness(bgr, limits) < limits.sharp:
        found.append(BLURRED)
    return tuple(found)


def sharpness(bgr: Image, limits: QualityLimits = LIMITS) -> float:
    """How much of an edge's step happens within two pixels, for the strongest edges: 0.2 blurred to 1.0 sharp.

    Judged along rows and along columns, the worse of the two, because a moved camera blurs one way only.
    """
    height, width = bgr.shape[:2]
    rows = np.ascontiguousarray(bgr[:: max(1, height // limits.look_lines), :, 1])
    columns = np.ascontiguousarray(bgr[:, :: max(1, width // limits.look_lines), 1].T)
    return min(_steepness(rows, limits), _steepness(columns, limits))


def _steepness(lines: Image, limits: QualityLimits) -> float:
    far = limits.far_px
    if lines.shape[1] <= far:
        return 1.0
    whole = _percentile(cv2.absdiff(lines[:, far:], lines[:, :-far]), limits.strongest)
    near = _percentile(cv2.absdiff(lines[:, 2:], lines[:, :-2]), limits.strongest)
    return near / whole if whole >= limits.edge else 1.0


def _percentile(grey: Image, percent: float) -> float:
    """np.percentile for bytes, without sorting them."""
    counts = np.bincount(grey.ravel(), minlength=256)
    return float(np.searchsorted(np.cumsum(counts), grey.size * percent / 100))
