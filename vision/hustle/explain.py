"""Every step as a picture: the board as fitted, the cards as cut out and as explained, and the result on the photo."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from companion.readings import HustleReading
from companion.tiles import CARD_SPACES, SIDE
from vision.hustle.board import Board
from vision.hustle.cards import Floats
from vision.hustle.deck import Deck
from vision.hustle.faces import Match
from vision.hustle.finder import Image
from vision.hustle.standees import Standee, evidence_map, patch_of, unexplained
from vision.photo import Photo

YELLOW, RED, WHITE, BLACK = (0, 220, 255), (60, 60, 255), (255, 255, 255), (0, 0, 0)


def draw_stages(
    folder: Path,
    *,
    photo: Photo,
    board: Board,
    seen: Floats,
    match: Match,
    standees: list[Standee],
    deck: Deck,
    reading: HustleReading,
) -> None:
    cv2.imwrite(str(folder / "1-board.jpg"), _board_picture(photo.bgr, board))
    cv2.imwrite(str(folder / "2-cards.png"), _sheet(seen))
    cv2.imwrite(str(folder / "3-faces.png"), _sheet(match.expected))
    cv2.imwrite(str(folder / "4-unexplained.png"), _evidence_picture(board, match, standees))
    cv2.imwrite(str(folder / "5-result.jpg"), overlay(photo.bgr, board, standees, deck, reading))


def _board_picture(bgr: Image, board: Board) -> Image:
    out = bgr.copy()
    for outline, logit in zip(board.outlines_px(), board.card_logits, strict=True):
        cv2.polylines(out, [np.round(outline).astype(np.int32)], True, YELLOW if logit > 0 else RED, 2, cv2.LINE_AA)
    return out


def _sheet(faces: Floats) -> Image:
    """The cards in their places, seen from straight above."""
    side = faces.shape[1] * 2
    out = np.full((SIDE * side, SIDE * side, 3), 128, np.uint8)
    for (row, col), face in zip(CARD_SPACES, faces, strict=True):
        large = cv2.resize(
            np.clip(face * 255, 0, 255).astype(np.uint8), (side - 4, side - 4), interpolation=cv2.INTER_NEAREST
        )
        out[row * side : row * side + side - 4, col * side : col * side + side - 4] = large
    return out


def _evidence_picture(board: Board, match: Match, standees: list[Standee]) -> Image:
    evidence = evidence_map(board, unexplained(match.seen, match.expected))
    grey = np.clip((evidence + 0.5) * 255, 0, 255).astype(np.uint8)
    out = cv2.cvtColor(cv2.resize(grey, None, fx=3, fy=3, interpolation=cv2.INTER_NEAREST), cv2.COLOR_GRAY2BGR)
    middle, scale = out.shape[0] / 2, out.shape[0] / (9 * board.pitch_mm)
    for one in standees:
        patch = patch_of(one.foot_mm, one.turn, board.view.eye_mm) * [scale, -scale] + middle
        cv2.polylines(out, [np.round(patch).astype(np.int32)], True, RED, 1, cv2.LINE_AA)
    return np.asarray(out, np.uint8)


def overlay(bgr: Image, board: Board, standees: list[Standee], deck: Deck, reading: HustleReading) -> Image:
    out = _board_picture(bgr, board)
    for one in standees:
        flat = np.column_stack([one.patch_mm, np.zeros(len(one.patch_mm))])
        cv2.polylines(out, [np.round(board.view.project(flat)).astype(np.int32)], True, RED, 2, cv2.LINE_AA)
    cv2.polylines(out, [np.round(deck.outline_px).astype(np.int32)], True, WHITE, 2, cv2.LINE_AA)
    size = float(np.sqrt(cv2.contourArea(board.corners_px().astype(np.float32))) / 7)
    for cell, outline in zip(reading.cells, board.outlines_px(), strict=True):
        card = cell.card
        lines = [card.colour or "?", (card.symbol or "?") + ("!" if card.attack else ""), cell.occupant or ""]
        _write(out, lines, outline.mean(0), size)
    shown = reading.revealed
    lines = ["face down"] if shown is None else [shown.colour or "?", shown.symbol or "?"]
    _write(out, lines, deck.outline_px.mean(0), size)
    return out


def _write(picture: Image, lines: list[str], middle: np.ndarray, size: float) -> None:
    for number, text in enumerate(lines):
        at = (int(middle[0] - 0.42 * size), int(middle[1] + (number - 0.7) * 0.24 * size))
        for ink, thick in ((BLACK, 4), (WHITE, 1)):
            cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, size / 190, ink, thick, cv2.LINE_AA)
