"""The printed kit, at true size: marker cards to cut out, a board for the lens, and a ruler that checks the printer."""

from __future__ import annotations

import io
from typing import Final

import cv2
import numpy as np
from fpdf import FPDF

from calibration.card_edges import CELLS, DICTIONARY
from calibration.cards import CARD_MM, IDS, SIDE_MM
from calibration.lens import CHARUCO_SQUARE_MM, CHARUCO_SQUARES, charuco_board

PAPERS: Final = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
PLACES: Final = ("far left", "far right", "near right", "near left")
GAP_MM: Final = 6.0  # room for scissors
RULER_MM: Final = 100.0
BOARD_PX_PER_MM: Final = 10  # squares and code cells of the board are then whole pixels, or nearly


def kit_pdf(paper: str = "a4") -> bytes:
    """Two pages. Lengths are vector graphics or pictures placed to the hundredth of a millimetre."""
    size = PAPERS[paper]
    pdf = FPDF(unit="mm", format=size)
    pdf.set_auto_page_break(auto=False)
    pdf.set_title("Dungeon companion: marker cards and lens board")
    pdf.set_creator("companion print")
    _cards_page(pdf, size)
    _board_page(pdf, size)
    return bytes(pdf.output())


def card_places(paper: str = "a4") -> tuple[tuple[float, float], ...]:
    """Where the upper left corner of each card lies on the first page, in mm."""
    width, _ = PAPERS[paper]
    left = (width - len(IDS) * CARD_MM - (len(IDS) - 1) * GAP_MM) / 2
    return tuple((left + i * (CARD_MM + GAP_MM), 60.0) for i in range(len(IDS)))


def _cards_page(pdf: FPDF, size: tuple[float, float]) -> None:
    pdf.add_page()
    _heading(pdf, "Marker cards", size)
    _lines(pdf, 28, [
        "Print at 100 % (switch off 'fit to page') and measure the ruler below.",
        "Cut along the dashed lines, keep the white rim, and lay the cards flat near the corners of the play area.",
        "Exact places do not matter. Two cards are enough, four are best. No writing on the white, please.",
    ])  # fmt: skip
    paper = next(name for name, sides in PAPERS.items() if sides == size)
    for number, place, (x, y) in zip(IDS, PLACES, card_places(paper), strict=True):
        _card(pdf, number, x, y)
        pdf.set_font("Helvetica", size=8)
        pdf.set_xy(x, y + CARD_MM + 2)
        pdf.cell(CARD_MM, 4, f"card {number}: {place}", align="C")
    _ruler(pdf, (size[0] - RULER_MM) / 2, 130)


def _card(pdf: FPDF, number: int, x: float, y: float) -> None:
    """Black square first, the code's white cells on it: neighbouring black cells then leave no hairline."""
    pdf.set_draw_color(150)
    pdf.set_line_width(0.15)
    pdf.set_dash_pattern(dash=1.5, gap=1.5)
    pdf.rect(x, y, CARD_MM, CARD_MM)
    pdf.set_dash_pattern()
    rim, cell = (CARD_MM - SIDE_MM) / 2, SIDE_MM / CELLS
    pdf.set_fill_color(0)
    pdf.rect(x + rim, y + rim, SIDE_MM, SIDE_MM, style="F")
    pdf.set_fill_color(255)
    code = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(DICTIONARY), number, CELLS)
    for row, col in np.argwhere(code > 0):
        pdf.rect(x + rim + float(col) * cell, y + rim + float(row) * cell, cell, cell, style="F")


def _board_page(pdf: FPDF, size: tuple[float, float]) -> None:
    pdf.add_page()
    _heading(pdf, "Lens board", size, y=7)
    across, down = (count * CHARUCO_SQUARE_MM for count in CHARUCO_SQUARES)
    pixels = round(across * BOARD_PX_PER_MM), round(down * BOARD_PX_PER_MM)
    picture = cv2.imencode(".png", charuco_board().generateImage(pixels, marginSize=0, borderBits=1))[1]
    pdf.image(io.BytesIO(picture.tobytes()), (size[0] - across) / 2, 20, across, down)
    _lines(
        pdf,
        20 + down + 4,
        ["Keep it flat, photograph it about ten times from different sides: companion lens PHOTO..."],
    )
    if size[1] > 20 + down + 4 + 22:
        _ruler(pdf, (size[0] - RULER_MM) / 2, 20 + down + 14)


def _ruler(pdf: FPDF, x: float, y: float) -> None:
    pdf.set_draw_color(0)
    pdf.set_line_width(0.2)
    pdf.line(x, y, x + RULER_MM, y)
    for mm in range(int(RULER_MM) + 1):
        pdf.line(x + mm, y, x + mm, y + (6 if mm % 10 == 0 else 4 if mm % 5 == 0 else 2.5))
    pdf.set_font("Helvetica", size=8)
    pdf.set_xy(x, y + 7)
    pdf.cell(RULER_MM, 4, "This line is 100 mm long. If yours is not, print again at 100 %.", align="C")


def _heading(pdf: FPDF, text: str, size: tuple[float, float], y: float = 14) -> None:
    pdf.set_text_color(0)
    pdf.set_font("Helvetica", style="B", size=15)
    pdf.set_xy(0, y)
    pdf.cell(size[0], 8, text, align="C")


def _lines(pdf: FPDF, y: float, lines: list[str]) -> None:
    pdf.set_font("Helvetica", size=9)
    for number, line in enumerate(lines):
        pdf.set_xy(0, y + 5 * number)
        pdf.cell(pdf.w, 5, line, align="C")
