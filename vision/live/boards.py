"""A Dungeon Hustle board as it is known from all readings so far: cards that nobody touched keep what was read of them,
and the change between two readings is a list of spaces."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np

from companion.pieces import Outline
from companion.readings import HustleReading
from companion.tiles import SIDE, Cell, Space
from vision.live.pixels import Difference

# Of a card's picture: a standee's shadow on the next card is less, a standee that came or went is more.
CHANGED_SHARE: Final = 0.12


@dataclass(frozen=True)
class BoardChange:
    """Cells before and after, in the order of the board."""

    cells: tuple[tuple[Cell, Cell], ...] = ()
    revealed: bool = False  # another card lies on the deck

    def __bool__(self) -> bool:
        return bool(self.cells) or self.revealed


@dataclass(frozen=True)
class BoardMemory:
    reading: HustleReading = field(default_factory=lambda: HustleReading(""))

    @property
    def cells(self) -> tuple[Cell, ...]:
        return self.reading.cells


def board_remembered(
    memory: BoardMemory, reading: HustleReading, pixels: Difference
) -> tuple[BoardMemory, BoardChange]:
    """The memory with one more reading in it, and which cells are different."""
    if not reading.cells:
        return BoardMemory(replace(reading, cells=memory.cells)), BoardChange()
    if not memory.cells:
        return BoardMemory(reading), BoardChange()
    known = {cell.space: cell for cell in memory.cells}
    outlines = cell_outlines(reading.board_px)
    cells = tuple(_settled(known.get(cell.space), cell, outlines.get(cell.space, ()), pixels) for cell in reading.cells)
    changed = tuple(
        (known[cell.space], cell) for cell in cells if cell.space in known and _face(known[cell.space]) != _face(cell)
    )
    before, now = memory.reading.revealed, reading.revealed
    revealed = reading.revealed is not None and (before is None or replace(before, attack=False) != now)
    return BoardMemory(replace(reading, cells=cells)), BoardChange(changed, revealed)


def boards_together(one: HustleReading, two: HustleReading) -> HustleReading:
    """Two frames of one quiet moment. Where they differ the surer counts, and is less sure for it."""
    other = {cell.space: cell for cell in one.cells}
    cells = tuple(_agreed(other.get(cell.space), cell) for cell in two.cells)
    return replace(two, cells=cells or one.cells, revealed=two.revealed or one.revealed)


def _agreed(one: Cell | None, two: Cell) -> Cell:
    if one is None:
        return two
    if _face(one) == _face(two):
        return replace(two, confidence=min(0.999, 1 - (1 - one.confidence) * (1 - two.confidence)))
    surer, other = sorted((one, two), key=lambda cell: -cell.confidence)
    return replace(surer, confidence=surer.confidence * (1 - other.confidence / 2))


def _settled(known: Cell | None, read: Cell, outline_px: Outline, pixels: Difference) -> Cell:
    """What was read now where it was touched; where it was not, whichever reading was surer."""
    if known is None:
        return read
    if pixels.is_covered(outline_px, old=False):
        return known
    if pixels.is_changed(outline_px, old=False, share=CHANGED_SHARE):
        return read
    if _face(known) == _face(read):
        together = 1 - (1 - known.confidence) * (1 - read.confidence)
        return replace(known, confidence=min(0.999, together))
    return known if known.confidence >= read.confidence else read


def cell_outlines(board_px: Outline) -> dict[Space, Outline]:
    """The four corners of every space, from the board's outer corners."""
    if len(board_px) != 4:
        return {}
    ideal = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float32)
    plane = cv2.getPerspectiveTransform(ideal, np.array(board_px, np.float32))
    out: dict[Space, Outline] = {}
    for row in range(SIDE):
        for col in range(SIDE):
            square = np.array([[[col, row], [col + 1, row], [col + 1, row + 1], [col, row + 1]]], np.float32)
            out[row, col] = tuple((float(x), float(y)) for x, y in cv2.perspectiveTransform(square, plane)[0])
    return out


def _face(cell: Cell) -> tuple[object, ...]:
    return cell.card, cell.occupant
