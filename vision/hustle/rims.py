"""The rim of what hides a card: where a standee ends is known to a millimetre or two only.

So along its outline the photo itself says what still belongs to it and what is card.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.hustle.cards import Floats


@dataclass(frozen=True)
class RimSettings:
    deep_px: int = 3  # so far inside an outline it is certainly the standee that is seen: feet are that exact
    near_px: int = 3  # how far inside that one looks for its colours
    unlike: float = 0.15  # beyond the darkest and brightest of those: something else; prints differ by 0.3 and more


SETTINGS: Final = RimSettings()


def with_rims(cards: Floats, shown: Floats, settings: RimSettings = SETTINGS) -> Floats:
    """What is shown (n, side, side) of cards (…, 3), and what along its rim looks unlike that which hides the rest."""
    out = shown.copy()
    reach = 2 * (settings.deep_px + settings.near_px) + 1
    inwards, around = np.ones((2 * settings.deep_px + 1,) * 2, np.uint8), np.ones((reach, reach), np.uint8)
    for card, mask, new in zip(cards, shown, out, strict=True):
        deep = cv2.erode(1 - mask, inwards, borderType=cv2.BORDER_CONSTANT, borderValue=1)[..., None] > 0
        high = cv2.dilate(np.where(deep, card, np.float32(-9)), around)
        low = cv2.erode(np.where(deep, card, np.float32(9)), around)
        beyond = np.maximum(card - high, low - card).max(-1)
        near = high[..., 0] > -9  # or there is nothing to compare with
        new[(mask == 0) & ~deep[..., 0] & near & (beyond > settings.unlike)] = 1.0
    return out
