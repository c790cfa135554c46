"""The deck in the middle: is a card turned up on it, and which? Its top lies above the table by an unknown height."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.camera import Array
from calibration.hustle_profile import HustleProfile
from vision.hustle.board import CORNERS, Board, project_flat
from vision.hustle.cards import Floats, cut_out, turned
from vision.hustle.compare import disagreement, squared
from vision.hustle.face_book import FaceBook, as_planes, halved
from vision.hustle.faces import Match, close_match
from vision.hustle.finder import Image
from vision.hustle.light import Light


@dataclass(frozen=True)
class DeckSettings:
    heights_mm: tuple[float, ...] = tuple(np.arange(1.0, 21.0, 2.0))  # two cards to a full deck
    shifts_mm: tuple[tuple[float, float], ...] = ((0, 0), (-2, 0), (2, 0), (0, -2), (0, 2))  # as a hand may lay it
    cap: float = 0.2  # coarser than for cards: the height is only roughly right
    finalists: int = 6  # faces that are compared robustly at each height: a head may hide part of the top
    worst: float = 0.62  # share of the top that a face may leave unexplained and still be believed


SETTINGS: Final = DeckSettings()
MIDDLE: Final = np.zeros((1, 2), np.float32)  # the board's own, where light is asked for


@dataclass(frozen=True, eq=False)
class Deck:
    match: Match | None  # the turned-up card against the book; None where the deck shows its back
    outline_px: Array
    margin: float  # by how much the better explanation is better


def read_deck(
    bgr: Image, board: Board, light: Light, book: FaceBook, profile: HustleProfile, *, settings: DeckSettings = SETTINGS
) -> Deck:
    outlines = np.array([_top(board, h, 0.0, 0.0) for h in settings.heights_mm])
    card, back = _costs(cut_out(bgr, outlines), light, book, profile, settings)
    height = settings.heights_mm[int(np.minimum(card, back).argmin())]
    outlines = np.array(
        [_top(board, h, dx, dy) for h in (height - 1.0, height, height + 1.0) for dx, dy in settings.shifts_mm]
    )
    tops = cut_out(bgr, outlines)
    card, back = _costs(tops, light, book, profile, settings)
    other = float(back.min()) if profile.knows_back else settings.worst
    margin = other - float(card.min())
    if margin <= 0:
        return Deck(None, outlines[int(back.argmin())], margin)
    first = int(card.argmin())
    shown = np.ones((1, *tops.shape[1:3]), np.float32)
    match = close_match(tops[first : first + 1], MIDDLE, light, book, shown)
    return Deck(match, outlines[first], margin)


def _top(board: Board, height_mm: float, dx_mm: float, dy_mm: float) -> Array:
    return project_flat(board.view, CORNERS * board.side_mm + [dx_mm, dy_mm], height_mm)


def _costs(
    tops: Floats, light: Light, book: FaceBook, profile: HustleProfile, settings: DeckSettings
) -> tuple[Floats, Floats]:
    """(n) of the best face, and (n) of the back, at half size."""
    plain = as_planes(halved(light.removed(tops, np.repeat(MIDDLE, len(tops), 0))))
    rough = squared(plain, book.coarse_planes, np.ones(plain.shape[::2], np.float32))
    many = min(settings.finalists, rough.shape[1] - 1)
    likely = book.coarse_planes[np.argpartition(rough, many, axis=1)[:, :many]]
    backs = as_planes(halved(np.array([turned(profile.back, k) for k in range(4)], np.float32)))
    card, back = (
        disagreement(plain, prints, settings.cap).mean(-1).min(1)
        for prints in (likely, np.broadcast_to(backs, (len(tops), *backs.shape)))
    )
    return card, back


def deck_backs(bgr: Image, board: Board, light: Light, settings: DeckSettings = SETTINGS) -> Floats:
    """The deck's top as it would look for each height, the photo's light taken off."""
    outlines = np.array([_top(board, h, 0.0, 0.0) for h in settings.heights_mm])
    return light.removed(cut_out(bgr, outlines), np.repeat(MIDDLE, len(outlines), 0))
