"""The printed kit has the sizes that the readers count on: in the PDF's own numbers, and once it is on paper."""

from __future__ import annotations

import re
import shutil
import subprocess
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.cards import CARD_MM, SIDE_MM, find_cards
from calibration.kit import PAPERS, card_places, kit_pdf
from calibration.lens import CHARUCO_SQUARE_MM, CHARUCO_SQUARES, charuco_board

DPI = 300
PX_PER_MM = DPI / 25.4


def streams(pdf: bytes) -> list[str]:
    """What each page draws."""
    found = re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL)
    texts = []
    for body in found:
        try:
            texts.append(zlib.decompress(body.strip(b"\r\n")).decode("latin-1"))
        except zlib.error:
            continue
    return texts


@pytest.mark.parametrize("paper", PAPERS)
def test_the_pdf_draws_squares_of_thirty_millimetres(paper: str) -> None:
    pdf = kit_pdf(paper)
    width, height = (float(side) / 72 * 25.4 for side in re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)[0])
    assert (width, height) == pytest.approx(PAPERS[paper], abs=0.1)
    drawn = next(text for text in streams(pdf) if " re" in text)
    numbers = [tuple(float(v) / 72 * 25.4 for v in m) for m in re.findall(r"(\S+) (\S+) (\S+) (\S+) re", drawn)]
    sides = sorted(round(abs(w), 2) for _, _, w, h in numbers if abs(abs(w) - abs(h)) < 0.01)
    assert sides.count(SIDE_MM) == 4
    assert sides.count(CARD_MM) == 4


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="pdftoppm is not installed")
@pytest.mark.parametrize("paper", PAPERS)
def test_the_printed_pages_are_found_at_true_size(paper: str, tmp_path: Path) -> None:
    (tmp_path / "kit.pdf").write_bytes(kit_pdf(paper))
    subprocess.run(["pdftoppm", "-r", str(DPI), "-png", tmp_path / "kit.pdf", tmp_path / "page"], check=True)
    cards, board = (cv2.imread(str(path)) for path in sorted(tmp_path.glob("page*.png")))
    found = find_cards(cards)
    assert found.ids == (0, 1, 2, 3)
    rim = (CARD_MM - SIDE_MM) / 2
    for (x, y), corners in zip(card_places(paper), found.corners_px, strict=True):
        square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * SIDE_MM + rim + [x, y]
        assert np.allclose((corners + 0.5) / PX_PER_MM, square, atol=0.12)
    corners, ids, _, _ = cv2.aruco.CharucoDetector(charuco_board()).detectBoard(board)
    assert len(ids) == (CHARUCO_SQUARES[0] - 1) * (CHARUCO_SQUARES[1] - 1)
    steps = np.diff(corners.reshape(CHARUCO_SQUARES[1] - 1, CHARUCO_SQUARES[0] - 1, 2), axis=1)[..., 0] / PX_PER_MM
    assert np.allclose(steps, CHARUCO_SQUARE_MM, atol=0.1)
