"""Where the table is, from four corners that a person gives: of anything flat and rectangular whose size is known."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from calibration.camera import Array, CalibrationError, Camera
from calibration.plane_fit import Shape, fit_plane
from calibration.view import TableView

TAP_PX: Final = 3.0  # how far from a corner a finger lands, once the page has shown it enlarged


def view_from_corners(corners_px: Array, size_mm: tuple[float, float], camera: Camera) -> TableView:
    """The view from the four corners of a rectangle on the table, far left first, then clockwise as the photo shows it.

    `size_mm` is its width (along the far edge) and depth.
    """
    corners = np.asarray(corners_px, float)
    if corners.shape != (4, 2) or not np.isfinite(corners).all() or not _clockwise(corners):
        raise CalibrationError("give four corners of a rectangle: far left, far right, near right, near left")
    width, depth = size_mm
    if not (0 < width < 5000 and 0 < depth < 5000):
        raise CalibrationError("a rectangle's width and depth must be millimetres above zero")
    rectangle = np.array([[-width, depth], [width, depth], [width, -depth], [-width, -depth]]) / 2
    return fit_plane(corners[None], Shape(rectangle, 0.0, TAP_PX), camera, "corners")


def _clockwise(corners: Array) -> bool:
    convex = bool(cv2.isContourConvex(corners.astype(np.float32)))
    return convex and cv2.contourArea(corners.astype(np.float32), oriented=True) > 1.0
