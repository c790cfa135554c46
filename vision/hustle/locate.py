"""The way from a photo to its board in millimetres: lens, rough place, exact fit, scale."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.camera import Array, CalibrationError, Camera, guessed_camera
from calibration.markers import find_cards, view_from_markers
from calibration.view import TableView
from vision.hustle.board import Board, fit_board, middles
from vision.hustle.finder import RoughBoard, find_board
from vision.photo import Photo

UNIT_SQUARE = np.array([[0.0, 0.0], [7.0, 0.0], [7.0, 7.0], [0.0, 7.0]])


@dataclass(frozen=True, eq=False)
class Located:
    board: Board
    scale_from: str  # "markers", "tiles" or "corners"


def locate_board(photo: Photo, pitch_mm: float, camera: Camera | None, corners_px: Array | None) -> Located | None:
    """None where no board can be found; corners that a person gave are taken as the rough place."""
    table = _table_view(photo, camera)
    lens = camera or (table.camera if table is not None else guessed_camera(*photo.size, photo.focal_px_hint))
    rough = find_board(photo.bgr) if corners_px is None else rough_from_corners(corners_px)
    board = None if rough is None else fit_board(photo.bgr, rough, lens)
    if board is None:
        return None
    if table is not None:
        return Located(in_mm(board, measured_pitch(board, table)), "markers")
    return Located(in_mm(board, pitch_mm), "tiles" if corners_px is None else "corners")


def rough_from_corners(corners_px: Array) -> RoughBoard:
    """The outer corners of the 7 by 7, from row 0, column 0 clockwise."""
    quad = np.asarray(corners_px, np.float32).reshape(4, 2)
    if abs(cv2.contourArea(quad)) < 1:
        raise CalibrationError("the four corners must span the board: give its outer corners, far left first")
    return RoughBoard(cv2.getPerspectiveTransform(UNIT_SQUARE.astype(np.float32), quad), 1.0)


def _table_view(photo: Photo, camera: Camera | None) -> TableView | None:
    cards = find_cards(photo.bgr)
    if len(cards) == 0:
        return None
    try:
        return view_from_markers(cards, camera or guessed_camera(*photo.size, photo.focal_px_hint))
    except CalibrationError:
        return None


def measured_pitch(board: Board, table: TableView) -> float:
    """The distance from card to card in the frame of the marker cards."""
    corners = middles(((0, 0), (0, 6), (6, 6), (6, 0)))
    seen = board.view.project(np.column_stack([corners, np.zeros(4)]))
    laid = table.to_table(seen)
    return float(np.mean(np.linalg.norm(laid - np.roll(laid, 1, 0), axis=1)) / 6)


def in_mm(board: Board, pitch_mm: float) -> Board:
    """A board that was fitted in pitches, in millimetres."""
    view = replace(board.view, tvec=board.view.tvec * pitch_mm)
    return Board(view, pitch_mm, board.side_mm * pitch_mm, board.places * [pitch_mm, pitch_mm, 1.0], board.card_logits)
