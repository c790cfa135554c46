"""A staged Dungeon Hustle evening: the cards of staged photos cut out and laid anew, standees drawn in; hands, light
and bumps as on any stage."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.pieces import Outline
from companion.tiles import CENTRE, Card, Cell, Space, cells_from_json
from tests.benchmarks.live_stage import Hand, Moment, between, camera, filmed, shown
from vision.live.boards import cell_outlines
from vision.live.frames import Image

CARD_PX: Final = 110
EMPTY_BGR: Final = (38, 34, 30)  # where a card was picked up, the table shows
STANDEES_BGR: Final = {
    "monster": (30, 60, 90), "fighter": (60, 60, 220), "rogue": (70, 70, 70), "cleric": (200, 220, 240),
    "mage": (220, 150, 60),
}  # fmt: skip


@dataclass(frozen=True)
class BoardScene(Moment):
    """A board at one moment; a picked-up card has no colour."""

    cells: tuple[Cell, ...]
    revealed: Card | None = None


class BoardStage:
    """The first photo is the table; the cards of all of them are the deck."""

    def __init__(self, photos: Sequence[Path]) -> None:
        self.faces: dict[Card, Image] = {}
        for photo in reversed(photos):
            image = np.asarray(cv2.imread(str(photo)), np.uint8)
            label = json.loads(photo.with_suffix(".json").read_text())
            for cell in cells_from_json(label["cells"]):
                if cell.occupant is None:
                    self.faces[cell.card] = _straightened(image, cell_outlines(_board(label))[cell.space])
        self.image, self.board_px = image, _board(label)
        self._composed = lru_cache(maxsize=2)(self._compose)
        self._seen = lru_cache(maxsize=4)(self._see)

    def picture(self, scene: BoardScene, width_px: int, random: np.random.Generator) -> Image:
        table = self._seen(replace(scene, hand=None, light=1.0, slope=0.0), width_px)
        return filmed(table, scene, width_px / self.image.shape[1], random)

    def corners_px(self, scene: BoardScene) -> Outline:
        """The board's outer corners as the camera, bumped as in this scene, shows them."""
        turned = camera(scene, self.image)
        return tuple((float(x), float(y)) for x, y in np.array(self.board_px) @ turned[:, :2].T + turned[:, 2])

    def at(self, space: Space) -> tuple[float, float]:
        """A space's middle, as shares of the picture."""
        x, y = np.mean(cell_outlines(self.board_px)[space], axis=0)
        return float(x / self.image.shape[1]), float(y / self.image.shape[0])

    def _see(self, scene: BoardScene, width_px: int) -> Image:
        return shown(self._composed(scene.cells, scene.revealed), scene, width_px)

    def _compose(self, cells: tuple[Cell, ...], revealed: Card | None) -> Image:
        out = self.image.copy()
        laid = [(cell.space, cell.card) for cell in cells]
        for space, card in [*laid, (CENTRE, revealed)] if revealed else laid:
            _lay(out, self._face(card), cell_outlines(self.board_px)[space])
        for cell in sorted(cells, key=lambda cell: self.at(cell.space)[1]):
            for place, who in enumerate(who for who in (cell.occupant, cell.also) if who is not None):
                _stand(out, who, cell_outlines(self.board_px)[cell.space], place)
        return out

    def _face(self, card: Card) -> Image:
        if card.colour is None:
            return np.full((CARD_PX, CARD_PX, 3), EMPTY_BGR, np.uint8)
        return self.faces[card]


def touched(
    stage: BoardStage, before: BoardScene, after: BoardScene, random: np.random.Generator
) -> Iterator[BoardScene]:
    """A hand changes one space after the other, and leaves."""
    side = int(random.integers(-1, 2))
    away = Hand({-1: -0.2, 0: 0.5, 1: 1.2}[side], 1.25 if side == 0 else 0.6, side)
    here, scene = away, before
    now = {cell.space: cell for cell in after.cells}
    for number, cell in enumerate(before.cells):
        if now[cell.space] == cell:
            continue
        x, y = stage.at(cell.space)
        for hand in between(here, Hand(x, y, side), 3, random):
            yield replace(scene, hand=hand)
        here = Hand(x, y, side)
        cells = (*scene.cells[:number], now[cell.space], *scene.cells[number + 1 :])
        scene = replace(scene, cells=cells)
        yield replace(scene, hand=here)
    for hand in between(here, Hand(*stage.at(CENTRE), side), 3, random):
        yield replace(scene, hand=hand)
    scene = replace(after, hand=None)
    for hand in between(Hand(*stage.at(CENTRE), side), away, 5, random):
        yield replace(scene, hand=hand)
    yield scene


def _board(label: dict[str, list[list[float]]]) -> Outline:
    return tuple((x, y) for x, y in label["board_px"])


_SQUARE: Final = np.array([[0, 0], [CARD_PX, 0], [CARD_PX, CARD_PX], [0, CARD_PX]], np.float32)


def _straightened(image: Image, outline: Outline) -> Image:
    plane = cv2.getPerspectiveTransform(np.array(outline, np.float32), _SQUARE)
    return np.asarray(cv2.warpPerspective(image, plane, (CARD_PX, CARD_PX), flags=cv2.INTER_AREA), np.uint8)


def _lay(picture: Image, face: Image, outline: Outline) -> None:
    plane = cv2.getPerspectiveTransform(_SQUARE, np.array(outline, np.float32))
    low = np.floor(np.min(outline, axis=0)).astype(int) - 1
    high = np.ceil(np.max(outline, axis=0)).astype(int) + 2
    here = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]], float) @ plane
    size = int(high[0] - low[0]), int(high[1] - low[1])
    laid = cv2.warpPerspective(face, here, size, flags=cv2.INTER_LINEAR)
    inside = cv2.warpPerspective(np.full(face.shape[:2], 255, np.uint8), here, size)[..., None] / 255.0
    part = picture[low[1] : high[1], low[0] : high[0]]
    part[:] = (part + inside * (laid.astype(float) - part)).astype(np.uint8)


def _stand(picture: Image, who: str, outline: Outline, place: int) -> None:
    """A card figure on its foot, upright, so its picture reaches towards the top of the photo."""
    corners: npt.NDArray[np.float64] = np.array(outline)
    side = float(np.hypot(*(corners[1] - corners[0])))
    foot = corners.mean(axis=0) + side * np.array([0.22 * place, 0.15 + 0.1 * place])
    wide, high = 0.24 * side, 0.6 * side
    shape = foot + np.array([[-wide, 0], [-wide, -high], [0, -1.25 * high], [wide, -high], [wide, 0]])
    colour = STANDEES_BGR[who]
    cv2.ellipse(
        picture, (round(foot[0]), round(foot[1])), (round(1.2 * wide), round(0.4 * wide)), 0, 0, 360, (25, 25, 25), -1
    )
    cv2.fillConvexPoly(picture, np.round(shape).astype(np.int32), colour, cv2.LINE_AA)
    cv2.polylines(picture, [np.round(shape).astype(np.int32)], True, (240, 240, 240), 2, cv2.LINE_AA)
