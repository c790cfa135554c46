from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.camera import CalibrationError, guessed_camera
from calibration.lens import CHARUCO_SQUARE_MM, CHARUCO_SQUARES, charuco_board, fit_lens
from calibration.saved import lens_file, load_lens, save_lens
from tests.calibration.staging import true_camera

SHARED = Path(__file__).parents[2].parent / "shared"
SIZE = 800, 600


def board_photos(count: int) -> list[tuple[str, np.ndarray]]:
    """The ChArUco board before a camera whose lens bulges, from so many sides."""
    camera = true_camera(*SIZE, focal_px=640, k1=-0.1)
    across, down = (n * CHARUCO_SQUARE_MM for n in CHARUCO_SQUARES)
    flat = charuco_board().generateImage((round(across * 5), round(down * 5)), marginSize=0)
    rng = np.random.default_rng(11)
    photos = []
    for number in range(count):
        rvec, tvec = rng.uniform(-0.5, 0.5, 3), np.array([*rng.uniform(-40, 40, 2), rng.uniform(330, 420)])
        rotation = cv2.Rodrigues(rvec)[0]
        x, y = np.meshgrid(np.arange(SIZE[0], dtype=float), np.arange(SIZE[1], dtype=float))
        pixels = np.column_stack([x.ravel(), y.ravel()])[:, None]
        rays = cv2.undistortPoints(pixels, camera.matrix, camera.distortion).reshape(-1, 2)
        directions = np.column_stack([rays, np.ones(len(rays))]) @ rotation
        eye = -rotation.T @ tvec
        meet = eye[:2] - directions[:, :2] * (eye[2] / directions[:, 2])[:, None]
        source = ((meet + np.array([across / 2, down / 2])) * 5 - 0.5).astype(np.float32).reshape(SIZE[1], SIZE[0], 2)
        photo = cv2.remap(flat, source, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=200)
        photos.append((f"photo {number}", cv2.GaussianBlur(photo, (0, 0), 0.8)))
    return photos


def test_a_bulging_lens_is_measured_from_the_kits_board() -> None:
    fit = fit_lens([*board_photos(8), ("a wall", np.full((600, 800), 90, np.uint8))])
    assert fit.rms_px < 0.3
    assert fit.camera.focal_px == pytest.approx(640, rel=0.01)
    assert fit.camera.distortion[0] == pytest.approx(-0.1, abs=0.03)
    assert fit.left_out == (("a wall", "too little of the board can be seen"),)
    assert fit.in_words.startswith("very good")


def test_too_few_photos_say_what_to_do() -> None:
    with pytest.raises(CalibrationError, match="found in 2 photos and 4 are needed"):
        fit_lens(board_photos(2))
    with pytest.raises(CalibrationError, match="found in 0 photos"):
        fit_lens([], (9, 6))


@pytest.mark.skipif(not SHARED.exists(), reason="the shared photos are not on this machine")
def test_thirteen_real_chessboards_agree_to_half_a_pixel() -> None:
    paths = sorted((SHARED / "photos" / "lens").glob("*.jpg"))
    fit = fit_lens(((path.name, cv2.imread(str(path))) for path in paths), (9, 6))
    assert len(fit.used) == len(paths) == 13
    assert fit.rms_px <= 0.5


def test_a_lens_is_saved_for_each_camera(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calibration.saved.user_data_path", lambda name: tmp_path / name)
    save_lens(guessed_camera(1600, 1200), lens_file("my phone"))
    assert load_lens("my phone").focal_px == load_lens(str(lens_file("my phone"))).focal_px == 1184.0
    for name in ("other", str(tmp_path)):
        with pytest.raises(CalibrationError, match="companion lens"):
            load_lens(name)
    (tmp_path / "torn.json").write_text('{"matrix": [[1')
    with pytest.raises(CalibrationError, match="no saved lens"):
        load_lens(str(tmp_path / "torn.json"))
    with pytest.raises(CalibrationError, match="name is letters"):
        lens_file("../../etc/passwd")
