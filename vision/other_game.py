"""A photo of the other game says so, instead of being read as a few odd cubes or not at all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from companion.problems import Problem
from companion.readings import DropReading, HustleReading
from vision.drop.search import find_roughly
from vision.hustle.locate import shows_board
from vision.photo import Photo


@dataclass(frozen=True)
class OtherGameSettings:
    sure: float = 0.9  # a Hustle board's drawings are taken for cubes now and then, hardly ever with this confidence
    sure_share: float = 0.5  # below it, look for a board: tables have 0.6 and more, boards at most 0.33
    finder_sure: float = 0.8  # tables and stashes show the finder six cubes and more this clearly, boards at most one
    finder_few: int = 5


SETTINGS: Final = OtherGameSettings()

A_BOARD: Final = Problem(
    "other-game", "This looks like a Dungeon Hustle board: choose Dungeon Hustle, or photograph the cubes."
)
A_TABLE: Final = Problem(
    "other-game", "This looks like a Dungeon Drop table: choose Dungeon Drop, or photograph the 7 by 7 board."
)


def drop_or_other(reading: DropReading, photo: Photo, settings: OtherGameSettings = SETTINGS) -> DropReading:
    """The reading, unless hardly a cube in it is sure and the photo shows a Hustle board."""
    sure = sum(piece.confidence >= settings.sure for piece in reading.pieces)
    if (sure and sure >= settings.sure_share * len(reading.pieces)) or not shows_board(photo):
        return reading
    return replace(reading, pieces=(), scale_from=None, error_mm=None, problems=(A_BOARD,))


def hustle_or_other(reading: HustleReading, photo: Photo) -> HustleReading:
    """The reading, unless no board was found and the photo shows cubes."""
    if reading.cells or not shows_cubes(photo):
        return reading
    return replace(reading, problems=(A_TABLE,))


def shows_cubes(photo: Photo, settings: OtherGameSettings = SETTINGS) -> bool:
    return int(np.count_nonzero(find_roughly(photo.bgr).score > settings.finder_sure)) >= settings.finder_few
