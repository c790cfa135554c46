"""Whether the camera was bumped between two photos, or a card was: told from where the cards are in each."""

from __future__ import annotations

from typing import Final

import numpy as np

from calibration.cards import FoundCards

# Two photos by a camera that stands still agree to a third of a pixel; a millimetre on the table is two or three.
STILL_PX: Final = 1.5


def cards_moved(before: FoundCards, after: FoundCards, still_px: float = STILL_PX) -> tuple[int, ...]:
    """Ids of the cards seen in both photos that are not where they were: all of them, and the camera was bumped."""
    return tuple(number for number in before.ids if number in after.ids and _shift_px(before, after, number) > still_px)


def _shift_px(before: FoundCards, after: FoundCards, number: int) -> float:
    was, now = before.corners_px[before.ids.index(number)], after.corners_px[after.ids.index(number)]
    return float(np.median(np.linalg.norm(now - was, axis=1)))
