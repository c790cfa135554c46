"""Every stage of a reading as a picture, for whoever wants to see why."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import numpy as np

from calibration.markers import FoundCards
from calibration.view import TableView
from companion.pieces import Piece
from companion.readings import DropReading
from vision.drop.network import Array, Finds, Image
from vision.drop.search import Searched

GREEN: Final = (80, 220, 80)
PINK: Final = (200, 60, 255)
WHITE: Final = (255, 255, 255)
BLACK: Final = (0, 0, 0)
SHARE: Final = 3  # fractional bits of OpenCV's drawing coordinates


def explain_reading(
    folder: Path,
    bgr: Image,
    reading: DropReading,
    *,
    view: TableView,
    rough: Finds,
    cards: FoundCards,
    searched: Searched,
) -> None:
    """Writes 1-finder, 2-straightened, 3-cubes and 4-overlay into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    stages = {
        "1-finder": _finder(bgr, rough, cards),
        "2-straightened": searched.picture,
        "3-cubes": _cubes(searched),
        "4-overlay": _overlay(bgr, reading, view),
    }
    for name, picture in stages.items():
        cv2.imwrite(str(folder / f"{name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 92])


def _finder(bgr: Image, rough: Finds, cards: FoundCards) -> Image:
    picture = bgr.copy()
    up = np.column_stack([rough.said["up_x"], rough.said["up_y"]]) * rough.size_px[:, None]
    for middle, size, rise, score in zip(rough.center_px, rough.size_px, up, rough.score, strict=True):
        shade = tuple(int(c * score) for c in GREEN)
        cv2.circle(picture, _fixed(middle), round(size / 2 * 2**SHARE), shade, 1, cv2.LINE_AA, SHARE)
        cv2.line(picture, _fixed(middle), _fixed(middle + rise), PINK, 1, cv2.LINE_AA, SHARE)
    for corners in cards.corners_px:
        _polygon(picture, corners, PINK)
    return picture


def _cubes(searched: Searched) -> Image:
    """The straightened picture, three times as large, with the squares that the reader says are there."""
    picture = np.asarray(cv2.resize(searched.picture, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC), np.uint8)
    cubes = searched.cubes
    for middle, size, turn, score in zip(cubes.center_px, cubes.size_px, cubes.turn_rad, cubes.score, strict=True):
        cos, sin = np.cos(turn) * size / 2, np.sin(turn) * size / 2
        square = middle + np.array(
            [[cos - sin, sin + cos], [-cos - sin, cos - sin], [sin - cos, -sin - cos], [cos + sin, sin - cos]]
        )
        _polygon(picture, square * 3 + 1, GREEN)
        _text(picture, middle * 3 + [0, 4], f"{100 * score:.0f}")
    for middle in searched.meeples.center_px:
        cv2.circle(picture, _fixed(middle * 3 + 1), 30 * 2**SHARE, PINK, 1, cv2.LINE_AA, SHARE)
    return picture


def _overlay(bgr: Image, reading: DropReading, view: TableView) -> Image:
    picture = bgr.copy()
    for piece in reading.pieces:
        _polygon(picture, np.array(piece.outline_px), GREEN if piece.confidence > 0.9 else PINK)
        ground = np.array(piece.footprint_mm)
        _polygon(picture, view.project(np.column_stack([ground, np.zeros(len(ground))])), WHITE)
        if piece.center_px is not None:
            _text(picture, np.add(piece.center_px, (8, -8)), _label(piece))
    return picture


def _label(piece: Piece) -> str:
    kind = piece.colour or "meeple" if piece.type == "meeple" else piece.type.replace("gem-", "")
    return f"{kind[:6]} {piece.size or ''}{'' if piece.confidence > 0.9 else f' {100 * piece.confidence:.0f}?'}"


def _fixed(point: Array) -> tuple[int, int]:
    return round(float(point[0]) * 2**SHARE), round(float(point[1]) * 2**SHARE)


def _polygon(picture: Image, points: Array, colour: tuple[int, int, int]) -> None:
    cv2.polylines(picture, [np.round(points * 2**SHARE).astype(np.int32)], True, colour, 1, cv2.LINE_AA, SHARE)


def _text(picture: Image, place: Array, text: str) -> None:
    at = round(float(place[0])), round(float(place[1]))
    cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.35, BLACK, 3, cv2.LINE_AA)
    cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.35, WHITE, 1, cv2.LINE_AA)
