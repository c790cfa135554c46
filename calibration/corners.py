"""Where the table is, from four corners that a person gives: of anything flat and rectangular whose size is known."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from calibration.camera import Array, CalibrationError, Camera
from calibration.doubt import plane_of, relative_error
from calibration.view import TableView, pose_from_plane

TAP_PX: Final = 3.0  # how far from a corner a finger lands, once the page has shown it enlarged
FOCAL_SD: Final = {"lens": 0.003, "markers": 0.01, "exif": 0.04, "prior": 0.10}


def view_from_corners(corners_px: Array, size_mm: tuple[float, float], camera: Camera) -> TableView:
    """The view from the four corners of a rectangle on the table, far left first, then clockwise as the photo shows it.

    `size_mm` is its width (along the far edge) and depth.
    """
    corners = np.asarray(corners_px, float).reshape(-1, 2)
    width, depth = size_mm
    if corners.shape != (4, 2) or not np.isfinite(corners).all() or not cv2.isContourConvex(corners.astype(np.float32)):
        raise CalibrationError("give four corners of a rectangle: far left, far right, near right, near left")
    if not (0 < width < 5000 and 0 < depth < 5000):
        raise CalibrationError("a rectangle's width and depth must be millimetres above zero")
    rectangle = np.array([[0, depth, 0], [width, depth, 0], [width, 0, 0], [0, 0, 0]], float)
    view = _posed(rectangle, corners, camera)
    covariance = _covariance(view, rectangle, corners, camera)
    error_mm, scale_error = relative_error(view, covariance, view.to_table(corners))
    return replace(view, error_mm=error_mm, scale_error=scale_error)


def _posed(rectangle: Array, corners: Array, camera: Camera) -> TableView:
    found, rvec, tvec = cv2.solvePnP(rectangle, corners, camera.matrix, camera.distortion, flags=cv2.SOLVEPNP_IPPE)
    rotation = cv2.Rodrigues(rvec)[0] if found else np.eye(3)
    if not found or rotation[2, 2] > -0.05:  # seen from below or edge on
        raise CalibrationError("these corners are no rectangle seen from above: give them clockwise, far left first")
    view = TableView(camera, np.asarray(rvec, float).ravel(), np.asarray(tvec, float).ravel(), "corners", 0.0)
    rvec, tvec = pose_from_plane(
        *plane_of(view)
    )  # the frame every view has: x to the right, the middle of the photo at 0
    return replace(view, rvec=rvec, tvec=tvec)


def _covariance(view: TableView, rectangle: Array, corners: Array, camera: Camera) -> Array:
    """How the plane changes as each tap and the focal length stray by what is usual, added up."""
    total = np.zeros((5, 5))
    here = _numbers(view, camera)
    for i in range(8):
        nudge = np.zeros(8)
        nudge[i] = 0.5
        way = (_numbers(_posed(rectangle, corners + nudge.reshape(4, 2), camera), camera) - here) / 0.5 * TAP_PX
        total += np.outer(way, way)
    matrix = camera.matrix.copy()
    matrix[0, 0] *= 1.01
    matrix[1, 1] *= 1.01
    longer = replace(camera, matrix=matrix)
    way = (_numbers(_posed(rectangle, corners, longer), camera) - here) / 0.01 * FOCAL_SD[camera.source]
    return np.asarray(total + np.outer(way, way), float)


def _numbers(view: TableView, camera: Camera) -> Array:
    slope_x, slope_y, depth = plane_of(view)
    return np.array([np.log(view.camera.focal_px / camera.focal_px), 0.0, slope_x, slope_y, np.log(depth)])
