"""The table's view from the printed marker cards."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from calibration.camera import CalibrationError, Camera
from calibration.cards import SIDE_MM, THICKNESS_MM, FoundCards, find_cards
from calibration.plane_fit import Shape, fit_plane
from calibration.view import TableView

__all__ = ["FoundCards", "find_cards", "view_from_markers"]

CORNER_PX: Final = 0.12  # how far off a card's corner is found in a photo, one standard deviation
PRINT_ERROR: Final = 0.002  # printers feed paper this exactly, if "fit to page" is off
SQUARE: Final = np.array([[-0.5, 0.5], [0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]]) * SIDE_MM


def view_from_markers(found: FoundCards, camera: Camera) -> TableView:
    """The table's plane and scale from one to four cards; the fewer, the larger the stated error."""
    if len(found) == 0:
        raise CalibrationError("no marker card can be seen: lay the printed cards beside the pieces")
    view = fit_plane(found.corners_px, Shape(SQUARE, THICKNESS_MM, CORNER_PX), camera, "markers")
    return replace(view, scale_error=float(np.hypot(view.scale_error, PRINT_ERROR)))
