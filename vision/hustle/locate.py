"""The way from a photo to its board in millimetres: lens, rough place, exact fit, scale."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from calibration.camera import Array, CalibrationError, Camera, guessed_camera
from calibration.cards import SEARCH, SIDE_MM, find_cards
from calibration.markers import view_from_markers
from vision.hustle.board import Board, fit_board
from vision.hustle.finder import Image, RoughBoard, find_board
from vision.hustle.reduced import reduced, reduced_lens, reduction
from vision.photo import Photo

USUAL_PITCH_MM: Final = 50.0  # where neither a marker card nor a profile tells
BESIDE: Final = replace(SEARCH, window_px=(13, 13, 10))  # one threshold will do: the scale need not be exact
UNIT_SQUARE = np.array([[0.0, 0.0], [7.0, 0.0], [7.0, 7.0], [0.0, 7.0]])


@dataclass(frozen=True, eq=False)
class Located:
    board: Board
    scale_from: str  # "markers", "tiles" or "corners"


def locate_board(
    photo: Photo, pitch_mm: float, camera: Camera | None, corners_px: Array | None, *, with_care: bool = False
) -> Located | None:
    """None where no board can be found; corners that a person gave are taken as the rough place.

    With care, marker cards tell the lens too: the board itself tells it nearly as well, in a tenth of the time.
    """
    times = reduction(photo.bgr)
    small = reduced(photo.bgr, times)
    known = camera or (marked_lens(photo) if with_care else None)
    lens = reduced_lens(known or guessed_camera(*photo.size, photo.focal_px_hint), 1 / times)
    rough = find_board(small) if corners_px is None else rough_from_corners((corners_px + 0.5) / times - 0.5)
    board = None if rough is None else fit_board(small, rough, lens)
    if board is None:
        return None
    measured = measured_pitch(small, board)
    board = replace(board, view=replace(board.view, camera=reduced_lens(board.view.camera, times)))
    if measured is not None:
        return Located(in_mm(board, measured), "markers")
    return Located(in_mm(board, pitch_mm), "tiles" if corners_px is None else "corners")


def shows_board(photo: Photo) -> bool:
    return locate_board(photo, USUAL_PITCH_MM, None, None) is not None


def rough_from_corners(corners_px: Array) -> RoughBoard:
    """The outer corners of the 7 by 7, from row 0, column 0 clockwise."""
    quad = np.asarray(corners_px, np.float32).reshape(4, 2)
    if abs(cv2.contourArea(quad)) < 1:
        raise CalibrationError("the four corners must span the board: give its outer corners, far left first")
    return RoughBoard(cv2.getPerspectiveTransform(UNIT_SQUARE.astype(np.float32), quad), 1.0)


def marked_lens(photo: Photo) -> Camera | None:
    """The lens as far as marker cards tell it."""
    cards = find_cards(photo.bgr)
    if len(cards) == 0:
        return None
    try:
        return view_from_markers(cards, guessed_camera(*photo.size, photo.focal_px_hint)).camera
    except CalibrationError:
        return None


def measured_pitch(bgr: Image, board: Board) -> float | None:
    """The distance from card to card in millimetres where marker cards lie beside the board, which is in pitches.

    Nothing is looked for on the board itself: its prints have a hundred squares, and each would be tried as a code.
    """
    grey = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    cv2.fillConvexPoly(grey, np.round(board.corners_px()).astype(np.int32), float(np.median(grey[::8, ::8])))
    cards = find_cards(grey, BESIDE)
    if len(cards) == 0:
        return None
    laid = board.view.to_table(cards.corners_px.reshape(-1, 2)).reshape(-1, 4, 2)
    return float(SIDE_MM / np.median(np.linalg.norm(laid - np.roll(laid, 1, 1), axis=2)))


def in_mm(board: Board, pitch_mm: float) -> Board:
    """A board that was fitted in pitches, in millimetres."""
    view = replace(board.view, tvec=board.view.tvec * pitch_mm)
    return Board(view, pitch_mm, board.side_mm * pitch_mm, board.places * [pitch_mm, pitch_mm, 1.0], board.card_logits)
