"""A camera's lens: how directions in front of it become pixels."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SOURCES: Final = ("lens", "exif", "markers", "prior")


class CalibrationError(ValueError):
    """What was given does not tell enough; the message is one plain sentence that says what to do."""


@dataclass(frozen=True)
class LensPrior:
    """What is believed of a camera that nobody has calibrated."""

    # Main cameras of phones are near 26 mm (35 mm film) and webcams near 78 degrees across the diagonal: both make the
    # focal length three quarters of the photo's longer side, give or take a tenth.
    focal_by_long_side: float = 0.74
    # Photos as wide as a television come from webcams more often than not, whose cheap lenses bulge; phones straighten
    # their photos before anyone sees them.
    wide_ratio: float = 1.6
    wide_distortion: tuple[float, float] = (-0.08, 0.025)


PRIOR: Final = LensPrior()


@dataclass(frozen=True, eq=False)
class Camera:
    """Matrix and distortion as OpenCV counts them (k1, k2, p1, p2, k3), for photos of this many pixels."""

    matrix: Array
    distortion: Array
    width: int
    height: int
    source: str

    def __post_init__(self) -> None:
        matrix, distortion = np.asarray(self.matrix, float), np.asarray(self.distortion, float)
        if matrix.shape != (3, 3) or distortion.shape != (5,):
            raise CalibrationError("a camera needs a 3 by 3 matrix and five numbers of distortion")
        if not (np.isfinite(matrix).all() and np.isfinite(distortion).all() and matrix[0, 0] > 0 and matrix[1, 1] > 0):
            raise CalibrationError("a camera's numbers must be finite and its focal length positive")
        if self.source not in SOURCES:
            raise CalibrationError(f"unknown source {self.source!r} of a camera; known are {', '.join(SOURCES)}")
        object.__setattr__(self, "matrix", matrix)
        object.__setattr__(self, "distortion", distortion)

    @property
    def focal_px(self) -> float:
        return float(self.matrix[0, 0])

    def as_json(self) -> dict[str, Any]:
        return {
            "matrix": self.matrix.tolist(), "distortion": self.distortion.tolist(),
            "width": self.width, "height": self.height, "source": self.source,
        }  # fmt: skip


def camera_from_json(data: Any) -> Camera:
    """
    >>> camera_from_json(guessed_camera(1600, 1200).as_json()).focal_px
    1184.0
    """
    if not isinstance(data, Mapping):
        raise CalibrationError("a camera is not a JSON object")
    try:
        size = int(data["width"]), int(data["height"])
        return Camera(np.array(data["matrix"], float), np.array(data["distortion"], float), *size, data["source"])
    except (KeyError, TypeError, ValueError, OverflowError) as problem:
        raise CalibrationError(f"this is no saved camera ({problem}); make one with `companion lens`") from None


def guessed_camera(width: int, height: int, focal_px: float | None = None) -> Camera:
    """A camera that nobody has calibrated: the focal length that its photo states, or the usual one.

    >>> guessed_camera(1600, 1200).source, guessed_camera(1600, 1200, 1300.0).focal_px
    ('prior', 1300.0)
    """
    long_side, short_side = max(width, height), min(width, height)
    stated = focal_px is not None and math.isfinite(focal_px) and focal_px > 0
    focal = float(focal_px) if stated and focal_px is not None else PRIOR.focal_by_long_side * long_side
    matrix = np.array([[focal, 0.0, (width - 1) / 2], [0.0, focal, (height - 1) / 2], [0.0, 0.0, 1.0]])
    wide = not stated and long_side >= PRIOR.wide_ratio * short_side
    k1, k2 = PRIOR.wide_distortion if wide else (0.0, 0.0)
    return Camera(matrix, np.array([k1, k2, 0.0, 0.0, 0.0]), width, height, "exif" if stated else "prior")


def scaled(camera: Camera, width: int, height: int) -> Camera:
    """The same lens for a photo of another size; pixel centres stay at whole numbers.

    A photo turned by a quarter, or of another shape than that of the calibration, is a different cut of the sensor.

    >>> scaled(guessed_camera(1600, 1200), 800, 600).matrix[0].tolist()
    [592.0, 0.0, 399.5]
    """
    if (camera.width < camera.height) != (width < height) and width != height:
        camera = _turned(camera)
    across, down = width / camera.width, height / camera.height
    if abs(across / down - 1) > 0.02:
        raise CalibrationError(
            f"the lens was calibrated with photos of {camera.width} by {camera.height} pixels, "
            f"this one has {width} by {height}: calibrate with photos of the same shape"
        )
    matrix = camera.matrix.copy()
    matrix[0, 0] *= across
    matrix[1, 1] *= down
    matrix[0, 2] = (matrix[0, 2] + 0.5) * across - 0.5
    matrix[1, 2] = (matrix[1, 2] + 0.5) * down - 0.5
    return Camera(matrix, camera.distortion, width, height, camera.source)


def _turned(camera: Camera) -> Camera:
    """Held upright instead of sideways: which way is unknown, so the middle of the lens goes to the photo's middle."""
    focal_x, focal_y = camera.matrix[0, 0], camera.matrix[1, 1]
    middle = (camera.height - 1) / 2, (camera.width - 1) / 2
    matrix = np.array([[focal_y, 0.0, middle[0]], [0.0, focal_x, middle[1]], [0.0, 0.0, 1.0]])
    k1, k2, _, _, k3 = camera.distortion
    return Camera(matrix, np.array([k1, k2, 0.0, 0.0, k3]), camera.height, camera.width, camera.source)
