"""The check before play: each fault, brought about one at a time, is named with what to do."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.cli.check import check
from tests.vision.label_readings import DEMO, label, label_reading
from vision.check import Finding, Grade, check_photo, check_still
from vision.quality import Image


@pytest.fixture(scope="module")
def photo() -> Image:
    image = cv2.imread(str(DEMO / "table-1.jpg"))
    assert image is not None
    return np.asarray(image, np.uint8)


def finding(photo: Image, code: str) -> Finding:
    return next(one for one in check_photo(photo) if one.code == code)


def test_a_good_table_has_nothing_to_put_right(photo: Image) -> None:
    assert [(one.code, one.grade) for one in check_photo(photo)] == [
        (code, Grade.GOOD) for code in ("light", "glare", "focus", "markers", "resolution")
    ]


def test_darkness(photo: Image) -> None:
    dark = (photo * 0.12).astype(np.uint8)
    assert finding(dark, "light").grade is Grade.BAD
    assert "lamp" in finding(dark, "light").message


def test_glare_and_where_it_is(photo: Image) -> None:
    shiny = photo.copy()
    cv2.ellipse(shiny, (1250, 950), (240, 150), 0, 0, 360, (255, 255, 255), -1)
    assert finding(shiny, "glare").grade is Grade.BAD
    assert "near right" in finding(shiny, "glare").message


@pytest.mark.parametrize(("sigma", "grade"), [(2.0, Grade.FAIR), (5.0, Grade.BAD)])
def test_blur(photo: Image, sigma: float, grade: Grade) -> None:
    assert finding(np.asarray(cv2.GaussianBlur(photo, (0, 0), sigma), np.uint8), "focus").grade is grade


def test_a_hidden_card_is_named(photo: Image) -> None:
    covered = photo.copy()
    marker = next(marker for marker in label(DEMO / "table-1.json")["markers"] if marker["id"] == 2)
    cv2.fillConvexPoly(covered, np.array(marker["corners_px"], np.int32), (60, 60, 60))
    found = finding(covered, "markers")
    assert found.grade is Grade.FAIR and "2 (near right)" in found.message


def test_too_far_away_is_told_from_cards_and_from_cubes(photo: Image) -> None:
    far = np.asarray(cv2.resize(photo, None, fx=0.45, fy=0.45, interpolation=cv2.INTER_AREA), np.uint8)
    assert finding(far, "resolution").grade is Grade.BAD
    pieces = label_reading(label(DEMO / "table-4.json")).pieces
    bare = np.asarray(cv2.imread(str(DEMO / "table-4.jpg")), np.uint8)
    (told,) = (one for one in check_photo(bare, pieces) if one.code == "resolution")
    assert told.grade is Grade.GOOD and 12 < told.value < 40


def test_a_bumped_camera_is_noticed(photo: Image, tmp_path: Path) -> None:
    assert check_still(photo, photo).grade is Grade.GOOD
    bumped = np.roll(photo, 4, axis=1)
    assert check_still(bumped, photo).grade is Grade.BAD
    assert check_still(np.zeros_like(photo), photo).grade is Grade.FAIR
    cv2.imwrite(str(tmp_path / "bumped.png"), bumped)
    run = CliRunner().invoke(check, [str(tmp_path / "bumped.png"), "--against", str(DEMO / "table-1.jpg")])
    assert run.exit_code == 1 and "bumped" in run.output


def test_nothing_at_all_is_answered_too() -> None:
    codes = [one.code for one in check_photo(np.zeros((60, 80, 3), np.uint8))]
    assert codes == ["light", "glare", "focus", "markers", "resolution"]


def test_the_command(tmp_path: Path) -> None:
    run = CliRunner().invoke(check, [str(DEMO / "table-1.jpg")])
    assert run.exit_code == 0 and "All four cards" in run.output
    black = tmp_path / "black.jpg"
    cv2.imwrite(str(black), np.zeros((600, 800, 3), np.uint8))
    assert CliRunner().invoke(check, [str(black)]).exit_code == 1
    assert CliRunner().invoke(check, ["--json", "--camera", str(DEMO)]).output.startswith('{"photo"')
