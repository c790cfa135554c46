"""Tables drawn for the tests: cards on a plane, photographed by a known camera, with blur, noise and dim light."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.camera import Camera
from calibration.card_edges import CELLS, DICTIONARY
from calibration.cards import CARD_MM, IDS, SIDE_MM, THICKNESS_MM, FoundCards
from calibration.view import TableView, pose_from_plane

PLACES_MM = ((-130, 110, 0.15), (140, 120, -0.3), (120, -100, 1.9), (-140, -90, 0.05))  # x, y, turn of each card
CELL_PX = 24


def true_camera(width: int = 1600, height: int = 1200, focal_px: float = 1220.0, k1: float = 0.0) -> Camera:
    matrix = np.array([[focal_px, 0, (width - 1) / 2], [0, focal_px, (height - 1) / 2], [0, 0, 1]])
    return Camera(matrix, np.array([k1, 0, 0, 0, 0]), width, height, "lens")


def true_view(camera: Camera, tilt_deg: float = 25.0, roll_deg: float = 5.0, depth_mm: float = 480.0) -> TableView:
    """A camera that looks down, tilted towards its own lower side, or any other with a roll."""
    tilt, roll = np.radians([tilt_deg, roll_deg])
    rvec, tvec = pose_from_plane(np.tan(tilt) * np.sin(roll), -np.tan(tilt) * np.cos(roll), depth_mm)
    return TableView(camera, rvec, tvec, "markers", 0.0)


def card_corners_mm(place: tuple[float, float, float], side_mm: float = SIDE_MM) -> np.ndarray:
    x, y, turn = place
    square = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * side_mm / 2
    cos, sin = np.cos(turn), np.sin(turn)
    return square @ np.array([[cos, sin], [-sin, cos]]) + [x, y]


def seen_cards(view: TableView, numbers: tuple[int, ...] = IDS) -> FoundCards:
    """The cards' corners without any error."""
    corners = [
        view.project(np.column_stack([card_corners_mm(PLACES_MM[number]), np.full(4, THICKNESS_MM)]))
        for number in numbers
    ]
    return FoundCards(numbers, np.array(corners))


def photograph(
    view: TableView,
    *,
    table: float = 40.0,
    black: float = 12.0,
    white: float = 235.0,
    blur_px: float = 1.0,
    noise: float = 2.0,
    numbers: tuple[int, ...] = IDS,
    rng: np.random.Generator,
) -> np.ndarray:
    """Drawn at twice the size in light, blurred there, noise added in pixel values."""
    camera = view.camera
    light = np.full((camera.height * 2, camera.width * 2), (table / 255) ** 2.2, np.float32)
    for number in numbers:
        code = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(DICTIONARY), number, CELLS * CELL_PX)
        rim = round((CARD_MM - SIDE_MM) / 2 / SIDE_MM * CELLS * CELL_PX)
        card = np.pad(np.where(code > 0, (white / 255) ** 2.2, (black / 255) ** 2.2).astype(np.float32), rim,
                      constant_values=(white / 255) ** 2.2)  # fmt: skip
        outer = card_corners_mm(PLACES_MM[number], CARD_MM)
        corners = view.project(np.column_stack([outer, np.full(4, THICKNESS_MM)]))
        side = card.shape[0]
        source = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - 0.5
        homography = cv2.getPerspectiveTransform(source, ((corners + 0.5) * 2 - 0.5).astype(np.float32))
        size = (light.shape[1], light.shape[0])
        warped = cv2.warpPerspective(card, homography, size, flags=cv2.INTER_AREA)
        mask = cv2.warpPerspective(np.ones_like(card), homography, size)
        light = light * (1 - mask) + warped * mask
    light = cv2.GaussianBlur(light, (0, 0), 2 * blur_px)
    light = cv2.resize(light, (camera.width, camera.height), interpolation=cv2.INTER_AREA)
    values = 255 * np.clip(light, 0, 1) ** (1 / 2.2) + rng.normal(0, noise, light.shape)
    return cv2.cvtColor(np.clip(values, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR)


def left_over(source_mm: np.ndarray, target_mm: np.ndarray) -> tuple[float, float]:
    """Root mean square distance (mm) once the one is laid on the other by turn, shift and scale; and that scale."""
    a, b = source_mm - source_mm.mean(axis=0), target_mm - target_mm.mean(axis=0)
    as_complex = a[:, 0] + 1j * a[:, 1], b[:, 0] + 1j * b[:, 1]
    factor = np.vdot(as_complex[0], as_complex[1]) / np.vdot(as_complex[0], as_complex[0])
    rest = as_complex[1] - factor * as_complex[0]
    return float(np.sqrt(np.mean(np.abs(rest) ** 2))), float(np.abs(factor))
