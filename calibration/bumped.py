"""Whether the camera was bumped between two photos, or a card was: told from where the cards are in each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.cards import FoundCards
from calibration.view import TableView


@dataclass(frozen=True)
class BumpLimits:
    # Two photos by a camera that stands still agree to a third of a pixel; a millimetre on the table is two or three.
    still_px: float = 1.5
    still_deg: float = 1.0
    still_share: float = 0.01  # of the camera's distance


LIMITS: Final = BumpLimits()


def moved(view_a: TableView, view_b: TableView, limits: BumpLimits = LIMITS) -> bool:
    """Whether the camera stands elsewhere with respect to the table's plane, beyond what both views are unsure of.

    A view's frame follows its own photo, so a camera that slid along the table unturned looks the same here: where both
    photos show cards, `cards_moved` notices that too.
    """
    turn = view_a.rotation[:, 2] @ view_b.rotation[:, 2]
    tilt_deg = float(np.degrees(np.arccos(np.clip(turn, -1.0, 1.0))))
    height_a, height_b = float(view_a.eye_mm[2]), float(view_b.eye_mm[2])
    unsure = view_a.scale_error + view_b.scale_error
    rise = abs(height_a - height_b) / max(height_a, height_b)
    return tilt_deg > limits.still_deg * (1 + 100 * unsure) or rise > limits.still_share + 2 * unsure


def cards_moved(before: FoundCards, after: FoundCards, limits: BumpLimits = LIMITS) -> tuple[int, ...]:
    """Ids of the cards seen in both photos that are not where they were: all of them, and the camera was bumped."""
    return tuple(
        number for number in before.ids if number in after.ids and _shift_px(before, after, number) > limits.still_px
    )


def _shift_px(before: FoundCards, after: FoundCards, number: int) -> float:
    was, now = before.corners_px[before.ids.index(number)], after.corners_px[after.ids.index(number)]
    return float(np.median(np.linalg.norm(now - was, axis=1)))
