"""What a lens does, from photos of a printed board: a chessboard or the kit's ChArUco board."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np

from calibration.camera import Array, CalibrationError, Camera
from calibration.card_edges import Image

# The kit's ChArUco board: five by seven squares of 34 mm fit both A4 and Letter with a margin that every printer keeps.
CHARUCO_SQUARES: Final = (5, 7)
CHARUCO_SQUARE_MM: Final = 34.0
CHARUCO_MARKER_MM: Final = 25.0
# Another dictionary than the marker cards', so that neither is taken for the other.
CHARUCO_DICTIONARY: Final = cv2.aruco.DICT_5X5_50


@dataclass(frozen=True)
class LensSettings:
    few: int = 4  # photos; with fewer the lens's bulge and the board's tilt cannot be told apart
    few_corners: int = 8  # of a ChArUco board that is partly hidden
    window_px: int = 11  # half the side of the window in which a corner is placed to a part of a pixel
    # A photo whose corners miss by this many times the typical miss, and not fairly, was moved or mistaken: left out.
    worst: float = 3.0
    good_px: float = 0.5
    fair_px: float = 1.0


SETTINGS: Final = LensSettings()


@dataclass(frozen=True, eq=False)
class LensFit:
    """A camera, and how far the board's corners land from where it says they should (root mean square)."""

    camera: Camera
    rms_px: float
    used: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]  # name and why

    @property
    def in_words(self) -> str:
        """
        >>> from calibration.camera import guessed_camera
        >>> LensFit(guessed_camera(640, 480), 0.3, ("a", "b"), ()).in_words
        'very good: corners land within 0.30 px of where they should'
        """
        word = "very good" if self.rms_px <= SETTINGS.good_px else "fair" if self.rms_px <= SETTINGS.fair_px else "poor"
        hint = "" if word != "poor" else "; take new photos, sharp ones, with the board flat and at different tilts"
        return f"{word}: corners land within {self.rms_px:.2f} px of where they should{hint}"


@dataclass(frozen=True, eq=False)
class _Sight:
    name: str
    board: Array  # n x 3, in squares
    corners_px: Array  # n x 2


def fit_lens(
    photos: Iterable[tuple[str, Image]], board: tuple[int, int] | None = None, settings: LensSettings = SETTINGS
) -> LensFit:
    """The lens that took these photos (name and picture), of a chessboard with so many inner corners, or, without
    `board`, of the kit's ChArUco board."""
    sights: list[_Sight] = []
    left_out: list[tuple[str, str]] = []
    size: tuple[int, int] | None = None
    for name, bgr in photos:
        grey = bgr if bgr.ndim == 2 else np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), np.uint8)
        here = (grey.shape[1], grey.shape[0])
        size = size or here
        sight = _charuco(name, grey, settings) if board is None else _chessboard(name, grey, board, settings)
        if here != size:
            left_out.append((name, f"it has {here[0]} by {here[1]} pixels, the first one {size[0]} by {size[1]}"))
        elif sight is None:
            left_out.append(
                (name, "the whole board cannot be seen" if board else "too little of the board can be seen")
            )
        else:
            sights.append(sight)
    if size is None or len(sights) < settings.few:
        raise CalibrationError(
            f"the board was found in {len(sights)} photos and {settings.few} are needed: "
            "show it flat, sharp, whole, and from different sides"
        )
    return _solved(sights, size, left_out, settings)


def _solved(
    sights: list[_Sight], size: tuple[int, int], left_out: list[tuple[str, str]], settings: LensSettings
) -> LensFit:
    rms, matrix, distortion, misses = _calibrated(sights, size)
    most = max(settings.worst * float(np.median(misses)), settings.fair_px)
    steady = [sight for sight, miss in zip(sights, misses, strict=True) if miss <= most]
    if settings.few <= len(steady) < len(sights):
        gone = {sight.name for sight in sights} - {sight.name for sight in steady}
        left_out = left_out + [(name, "its corners do not fit those of the others") for name in sorted(gone)]
        rms, matrix, distortion, _ = _calibrated(steady, size)
        sights = steady
    camera = Camera(matrix, distortion, *size, "lens")
    return LensFit(camera, rms, tuple(sight.name for sight in sights), tuple(left_out))


def _calibrated(sights: list[_Sight], size: tuple[int, int]) -> tuple[float, Array, Array, Array]:
    boards = [sight.board.astype(np.float32) for sight in sights]
    corners = [sight.corners_px.astype(np.float32) for sight in sights]
    guess: Any = None
    rms, matrix, distortion, rvecs, tvecs = cv2.calibrateCamera(boards, corners, size, guess, guess)
    numbers = np.asarray(distortion, float).ravel()[:5]
    misses = [
        np.sqrt(np.mean(np.sum((cv2.projectPoints(b, r, t, matrix, distortion)[0].reshape(-1, 2) - c) ** 2, axis=1)))
        for b, c, r, t in zip(boards, corners, rvecs, tvecs, strict=True)
    ]
    return float(rms), np.asarray(matrix, float), numbers, np.array(misses)


def _chessboard(name: str, grey: Image, board: tuple[int, int], settings: LensSettings) -> _Sight | None:
    across, down = board
    # The sector-based finder is the more exact; the old one forgives shade and glare.
    found, corners = cv2.findChessboardCornersSB(grey, (across, down), flags=cv2.CALIB_CB_ACCURACY)
    if not found:
        found, corners = cv2.findChessboardCorners(grey, (across, down))
        if found:
            half = (settings.window_px, settings.window_px)
            stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 0.001)
            corners = cv2.cornerSubPix(grey, corners, half, (-1, -1), stop)
    if not found:
        return None
    x, y = np.meshgrid(np.arange(across), np.arange(down))
    squares = np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)]).astype(float)
    return _Sight(name, squares, np.asarray(corners, float).reshape(-1, 2))


def charuco_board() -> Any:
    dictionary = cv2.aruco.getPredefinedDictionary(CHARUCO_DICTIONARY)
    return cv2.aruco.CharucoBoard(CHARUCO_SQUARES, CHARUCO_SQUARE_MM, CHARUCO_MARKER_MM, dictionary)


def _charuco(name: str, grey: Image, settings: LensSettings) -> _Sight | None:
    board = charuco_board()
    corners, ids, _, _ = cv2.aruco.CharucoDetector(board).detectBoard(grey)
    if ids is None or len(ids) < settings.few_corners:
        return None
    return _Sight(name, board.getChessboardCorners()[np.ravel(ids)], np.asarray(corners, float).reshape(-1, 2))
