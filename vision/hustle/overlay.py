"""Cards laid exactly over faces: moved by the fraction of a millimetre that brings each closest to what it should show.

All cards of a photo at once: a few Gauss-Newton steps on whole stacks of small pictures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.hustle.cards import ONES, Floats, capped


@dataclass(frozen=True)
class OverlaySettings:
    cap: float = 0.16  # disagreement beyond which a pixel shows something else
    calm: float = 2.5  # so much more is allowed while cards still lie askew
    reach_px: float = 2.0  # how far a card may lie from where it was snapped, in face pixels
    step_px: float = 1.2  # at once: slopes tell no farther
    blurs: tuple[bool, ...] = (True, False)  # one step for each; the first from further away
    steady: float = 1e-3  # of a card without any edges


SETTINGS: Final = OverlaySettings()


def laid_over(cards: Floats, faces: Floats, weights: Floats, settings: OverlaySettings = SETTINGS) -> Floats:
    """(n, side, side, 3) cards moved over as many faces, as far as `weights` (n, side, side) says they can be seen."""
    shift = np.zeros((len(cards), 2), np.float32)
    for blurred in settings.blurs:
        seen, target = _all_moved(cards, shift), faces
        if blurred:
            seen, target = (np.array([cv2.blur(one, (3, 3)) for one in stack]) for stack in (seen, faces))
        shift = np.clip(shift + _step(seen, target, weights, settings), -settings.reach_px, settings.reach_px)
    seen = _all_moved(cards, shift)
    before, after = ((capped(some, faces, settings.cap) * weights).sum((1, 2)) for some in (cards, seen))
    return np.where((after < before)[:, None, None, None], seen, cards)


def _step(seen: Floats, target: Floats, weights: Floats, settings: OverlaySettings) -> Floats:
    """seen(x) = card(x + shift) is to become target(x): target - seen = slope * (change of shift)."""
    across, down = np.zeros_like(target), np.zeros_like(target)
    across[:, :, 1:-1] = (target[:, :, 2:] - target[:, :, :-2]) / 2
    down[:, 1:-1] = (target[:, 2:] - target[:, :-2]) / 2
    calm = (1 - capped(seen, target, settings.calm * settings.cap)) * weights
    off = target - seen
    xx, yy, xy, x, y = (
        (calm * ((a * b).reshape(-1, 3) @ ONES).reshape(calm.shape)).sum((1, 2))
        for a, b in ((across, across), (down, down), (across, down), (off, across), (off, down))
    )
    xx, yy = xx + settings.steady, yy + settings.steady
    change = np.stack([yy * x - xy * y, xx * y - xy * x], -1) / np.maximum(xx * yy - xy * xy, 1e-9)[:, None]
    return np.asarray(np.clip(change, -settings.step_px, settings.step_px), np.float32)


def _all_moved(pictures: Floats, shift: Floats) -> Floats:
    """Each picture as seen from its shift further on."""
    return np.array([_moved(one, float(dx), float(dy)) for one, (dx, dy) in zip(pictures, shift, strict=True)])


def _moved(picture: Floats, dx: float, dy: float) -> Floats:
    warp = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = picture.shape[1], picture.shape[0]
    return np.asarray(cv2.warpAffine(picture, warp, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.float32)
