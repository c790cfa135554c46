from __future__ import annotations

import json

import numpy as np
import pytest

from calibration.camera import CalibrationError, Camera, camera_from_json, guessed_camera, scaled


def test_a_camera_survives_its_json() -> None:
    camera = Camera(np.diag([900.0, 910.0, 1.0]), np.array([0.1, 0.2, 0.01, 0.02, 0.3]), 800, 600, "lens")
    back = camera_from_json(json.loads(json.dumps(camera.as_json())))
    assert np.array_equal(back.matrix, camera.matrix)
    assert np.array_equal(back.distortion, camera.distortion)
    assert (back.width, back.height, back.source) == (800, 600, "lens")


GOOD = guessed_camera(8, 6).as_json()


@pytest.mark.parametrize(
    "data",
    [
        *(None, [], {}, {"matrix": 3}, {"width": "a"}, GOOD | {"source": "?"}),
        *(GOOD | {"matrix": [[0] * 3] * 3}, GOOD | {"distortion": [float("nan")] * 5}),
    ],
)
def test_nonsense_is_no_camera(data: object) -> None:
    with pytest.raises(CalibrationError):
        camera_from_json(data)


def test_an_upright_photo_uses_the_lens_turned() -> None:
    upright = scaled(guessed_camera(1600, 1200), 600, 800)
    assert (upright.width, upright.height) == (600, 800)
    assert upright.matrix[:2, 2].tolist() == [299.5, 399.5]


def test_another_shape_of_photo_is_another_calibration() -> None:
    with pytest.raises(CalibrationError, match="same shape"):
        scaled(guessed_camera(1600, 1200), 1920, 1080)


def test_nonsense_in_exif_is_not_believed() -> None:
    for focal in (0.0, -5.0, float("nan"), float("inf")):
        assert guessed_camera(1600, 1200, focal).source == "prior"
