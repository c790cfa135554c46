"""The deck in the middle: is a card turned up on it, and which? Its top lies above the table by an unknown height."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.camera import Array
from calibration.hustle_profile import HustleProfile
from vision.hustle.board import CORNERS, Board, project_flat
from vision.hustle.cards import Floats, capped, cut_out, turned
from vision.hustle.faces import FaceBook, Match, close_match, halved
from vision.hustle.finder import Image
from vision.hustle.light import Light


@dataclass(frozen=True)
class DeckSettings:
    heights_mm: tuple[float, ...] = tuple(np.arange(1.0, 21.0, 1.5))  # two cards to a full deck
    shifts_mm: tuple[float, ...] = (-2.0, 0.0, 2.0)  # how far off the middle a hand lays it
    cap: float = 0.2  # coarser than for cards: the height is only roughly right
    worst: float = 0.62  # share of the top that a face may leave unexplained and still be believed


SETTINGS: Final = DeckSettings()


@dataclass(frozen=True, eq=False)
class Deck:
    match: Match | None  # the turned-up card against the book; None where the deck shows its back
    outline_px: Array
    margin: float  # by how much the better explanation is better


def read_deck(
    bgr: Image, board: Board, light: Light, book: FaceBook, profile: HustleProfile, *, settings: DeckSettings = SETTINGS
) -> Deck:
    outlines = np.array([_top(board, h, 0.0, 0.0) for h in settings.heights_mm])
    cost, back = _costs(cut_out(bgr, outlines), light, book, profile, settings)
    height = settings.heights_mm[int(np.minimum(cost.min(1), back).argmin())]
    outlines = np.array(
        [
            _top(board, h, dx, dy)
            for h in (height - 0.75, height, height + 0.75)
            for dx in settings.shifts_mm
            for dy in settings.shifts_mm
        ]
    )
    tops = cut_out(bgr, outlines)
    cost, back = _costs(tops, light, book, profile, settings)
    first = int(cost.min(1).argmin())
    spot = np.zeros((1, 2), np.float32)
    shown = np.ones((1, *tops.shape[1:3]), np.float32)
    match = close_match(tops[first : first + 1], spot, light, book, shown)
    card, other = float(cost.min()), float(back.min()) if profile.knows_back else settings.worst
    if other <= card:
        return Deck(None, outlines[int(back.argmin())], other - card)
    return Deck(match, outlines[first], other - card)


def _top(board: Board, height_mm: float, dx_mm: float, dy_mm: float) -> Array:
    return project_flat(board.view, CORNERS * board.side_mm + [dx_mm, dy_mm], height_mm)


def _costs(
    tops: Floats, light: Light, book: FaceBook, profile: HustleProfile, settings: DeckSettings
) -> tuple[Floats, Floats]:
    """(n, m) of all faces, and (n) of the back, at half size."""
    plain = halved(light.removed(tops, np.zeros((len(tops), 2), np.float32)))
    cost = np.array([capped(top, book.coarse, settings.cap).mean((1, 2)) for top in plain], np.float32)
    backs = halved(np.array([turned(profile.back, k) for k in range(4)], np.float32))
    back = np.array([capped(top, backs, settings.cap).mean((1, 2)).min() for top in plain], np.float32)
    return cost, back


def deck_backs(bgr: Image, board: Board, light: Light, settings: DeckSettings = SETTINGS) -> Floats:
    """The deck's top as it would look for each height, the photo's light taken off."""
    outlines = np.array([_top(board, h, 0.0, 0.0) for h in settings.heights_mm])
    return light.removed(cut_out(bgr, outlines), np.zeros((len(outlines), 2), np.float32))
