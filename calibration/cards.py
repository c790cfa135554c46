"""The printed marker cards: finding them in a photo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np

from calibration.camera import Array
from calibration.card_edges import DICTIONARY, Image, refined_corners

IDS: Final = (0, 1, 2, 3)
SIDE_MM: Final = 30.0
CARD_MM: Final = 42.0
THICKNESS_MM: Final = 0.3


@dataclass(frozen=True)
class Search:
    """How markers are looked for."""

    quick_px: int = 800  # a first look at a photo this wide finds nearly all cards in a quarter of the time
    window_px: tuple[int, int, int] = (5, 25, 10)  # adaptive threshold: thin to thick cells, lamps fading across a card
    min_side_px: float = 14.0  # six cells a side: below two pixels and a bit each the code is a guess
    cell_px: int = 8  # each cell of the code is looked at with so many pixels,
    cell_margin: float = 0.3  # less this share at each border, where blur has mixed it with its neighbours
    apart_share: float = 0.02  # the card's own outline lies close to the code's: they are two squares, not one


SEARCH: Final = Search()


@dataclass(frozen=True, eq=False)
class FoundCards:
    """Cards as seen: ids, and for each its four corners from its own far left clockwise (n x 4 x 2)."""

    ids: tuple[int, ...]
    corners_px: Array

    def __len__(self) -> int:
        return len(self.ids)


def find_cards(bgr: Image, search: Search = SEARCH) -> FoundCards:
    """Every marker card in the photo, in the order of their ids; one id twice is none, as either could be a copy."""
    grey = bgr if bgr.ndim == 2 else np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    seen = _detected(grey, search)
    numbers = tuple(sorted(seen))
    if not numbers:
        return FoundCards((), np.empty((0, 4, 2)))
    corners, fine = refined_corners(grey, np.array([seen[number] for number in numbers]), numbers)
    return FoundCards(tuple(np.array(numbers)[fine].tolist()), corners[fine])


def _detected(grey: Image, search: Search) -> dict[int, Array]:
    """A quick look at a small copy; the full photo only where that shows some cards but not all."""
    step = max(grey.shape) // search.quick_px  # whole pixels: averaging them is quick
    if step <= 1:
        return _codes(grey, search)
    small = cv2.resize(grey, None, fx=1 / step, fy=1 / step, interpolation=cv2.INTER_AREA)
    seen = {number: (quad + 0.5) * step - 0.5 for number, quad in _codes(small, search).items()}
    return _codes(grey, search) | seen if 0 < len(seen) < len(IDS) else seen


def _codes(grey: Image, search: Search) -> dict[int, Array]:
    options: Any = cv2.aruco.DetectorParameters()
    options.adaptiveThreshWinSizeMin, options.adaptiveThreshWinSizeMax = search.window_px[:2]
    options.adaptiveThreshWinSizeStep = search.window_px[2]
    options.minMarkerPerimeterRate = 4 * search.min_side_px / max(grey.shape)
    options.minMarkerDistanceRate = search.apart_share
    options.minGroupDistance = search.apart_share
    options.perspectiveRemovePixelPerCell = search.cell_px
    options.perspectiveRemoveIgnoredMarginPerCell = search.cell_margin
    options.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE  # our own edges are better
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), options)
    quads, ids, _ = detector.detectMarkers(grey)
    if ids is None:
        return {}
    numbers = [int(number) for number in np.ravel(ids)]
    return {
        number: np.asarray(quad, float).reshape(4, 2)
        for number, quad in zip(numbers, quads, strict=True)
        if number in IDS and numbers.count(number) == 1
    }
