"""From one photo of a Dungeon Hustle board to what lies and stands where: a page of steps."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from calibration.camera import Array, CalibrationError, Camera
from calibration.drop_profile import default_drop_profile
from calibration.hustle_profile import HustleProfile
from companion.errors import CompanionError
from companion.problems import Problem
from companion.readings import HustleReading
from companion.tiles import CARD_SPACES, Card, Cell
from vision.drop.read import read_table
from vision.hustle.board import middles
from vision.hustle.cards import Floats, cut_out
from vision.hustle.deck import Deck, read_deck
from vision.hustle.explain import draw_stages
from vision.hustle.face_book import FaceBook, face_book
from vision.hustle.faces import Match, match_faces, rematch
from vision.hustle.likeness import recognised
from vision.hustle.locate import locate_board
from vision.hustle.standees import AS_SEEN, Standee, find_standees, polished, portraits, shown_parts, unexplained
from vision.hustle.who import name_standees
from vision.photo import Photo

NO_BOARD: Final = Problem(
    "no-board",
    "No Dungeon Hustle board can be found: take the photo from above with all 49 spaces in view, or give its corners.",
)
DROP_TABLE: Final = Problem(
    "other-game", "This shows cubes of Dungeon Drop, not a Dungeon Hustle board: read it as dungeon-drop."
)
SPOTS: Final = (middles(CARD_SPACES) / 3.5).astype(np.float32)


@dataclass(frozen=True)
class ReadSettings:
    unlike: float = 0.62  # a card of which the best face leaves more than this unexplained is none that was taught
    least_shown: float = 0.25  # of a card must be accounted for: seeing less, its face is not named
    drop_cubes: int = 10  # a table of Dungeon Drop has dozens; a stray die or two is none
    steep: float = 30.0  # how fast certainty of a face grows with its lead over the next
    sure: float = 3.0  # log odds of a face that leads by nothing: measured, hardly any clear card is misread
    standee_steep: float = 0.25  # the same for a standee, by pixels of evidence
    best_named: float = 0.88  # no standee's name is surer than this, nor the card below: measured on staged photos


SETTINGS: Final = ReadSettings()


@dataclass(frozen=True, eq=False)
class Faces:
    """What was made of the cards: parallel to CARD_SPACES."""

    cards: tuple[Card, ...]
    certainty: tuple[float, ...]


def read_board(
    photo: Photo,
    profile: HustleProfile,
    *,
    camera: Camera | None = None,
    corners_px: Array | None = None,
    before: Sequence[Cell] | None = None,
    explain: Path | None = None,
) -> HustleReading:
    """Row 0 is the far row. `before` is what an earlier reading knew of cards that are hidden now."""
    clock = _Clock()
    located = locate_board(photo, profile.pitch_mm, camera, corners_px)
    clock.stop("board")
    if located is None:
        return HustleReading(photo.name, problems=(_why_no_board(photo),), timings_ms=clock.ms)
    board, book = located.board, face_book(profile)
    seen = cut_out(photo.bgr, board.outlines_px())
    match, light = match_faces(seen, SPOTS, book)
    clock.stop("faces")
    deck = read_deck(photo.bgr, board, light, book, profile)
    strange = unexplained(match.seen, match.expected) * shown_parts(board, [], deck.outline_px)
    likes = recognised(photo.bgr, board, find_standees(board, strange), light, profile)
    standees = polished([like.standee for like in likes], board, strange, AS_SEEN)
    shown = shown_parts(board, standees, deck.outline_px)
    match = rematch(match, seen, SPOTS, light, book, shown=shown)
    if not all(one.settled for one in standees):
        strange = unexplained(match.seen, match.expected)  # with the cards below known, feet show more clearly
        standees = [
            one if one.settled else new for one, new in zip(standees, polished(standees, board, strange), strict=True)
        ]
    seen_people = portraits(photo.bgr, board, standees, strange, light)
    names, sure = name_standees(seen_people, [like.alike for like in likes], profile)
    clock.stop("standees")
    faces = name_faces(match, shown, book, profile)
    cells = _remembered(_cells(faces, standees, names, sure), before)
    reading = HustleReading(
        photo.name,
        cells,
        tuple((float(x), float(y)) for x, y in board.corners_px()),
        _turned_up(deck, book, profile),
        located.scale_from,
        _problems(cells, names),
        clock.ms,
    )
    if explain is not None:
        draw_stages(
            explain, photo=photo, board=board, seen=seen, match=match, standees=standees, deck=deck, reading=reading
        )
    return reading


def _why_no_board(photo: Photo, settings: ReadSettings = SETTINGS) -> Problem:
    """The other game's reader is asked what it makes of a photo that shows no board."""
    try:
        cubes = len(read_table(photo, default_drop_profile()).pieces)
    except (CalibrationError, CompanionError, cv2.error):
        cubes = 0
    return DROP_TABLE if cubes >= settings.drop_cubes else NO_BOARD


class _Clock:
    def __init__(self) -> None:
        self.ms: dict[str, float] = {}
        self._last = time.perf_counter()

    def stop(self, stage: str) -> None:
        now = time.perf_counter()
        self.ms[stage], self._last = (now - self._last) * 1000, now


def name_faces(
    match: Match, shown: Floats, book: FaceBook, profile: HustleProfile, settings: ReadSettings = SETTINGS
) -> Faces:
    cards, certainty = [], []
    for n, best in enumerate(match.best):
        cost, share = match.cost[n], float(shown[n].mean())
        if cost[best] > settings.unlike or match.explained[n] < settings.least_shown:
            cards.append(Card(None, None, None))
            certainty.append(0.5)
            continue
        colour, symbol, attack = book.colour[best], book.symbol[best], book.attack[best]
        leads = [
            _lead(cost, best, other) for other in (book.colour != colour, book.symbol != symbol, book.attack != attack)
        ]
        cards.append(Card(profile.colours[colour], profile.symbols[symbol], bool(attack)))
        certainty.append(
            float(np.prod([1 / (1 + np.exp(-settings.steep * share * lead - settings.sure)) for lead in leads]))
        )
    return Faces(tuple(cards), tuple(certainty))


def _lead(cost: Floats, best: int, other: np.ndarray) -> float:
    """How much better the best face is than the best that differs in this respect."""
    return float(cost[other].min() - cost[best]) if other.any() else 1.0


def _cells(faces: Faces, standees: list[Standee], names: list[str], sure: list[float]) -> tuple[Cell, ...]:
    who = {one.index: (name, p * _found(one)) for one, name, p in zip(standees, names, sure, strict=True)}
    cells = []
    for index, (row, col) in enumerate(CARD_SPACES):
        name, p = who.get(index, (None, 0.995))
        cells.append(Cell(row, col, faces.cards[index], name, None, round(faces.certainty[index] * p, 4)))
    return tuple(cells)


def _found(one: Standee, settings: ReadSettings = SETTINGS) -> float:
    return float(settings.best_named / (1 + np.exp(-settings.standee_steep * (one.score - 10))))


def _turned_up(deck: Deck, book: FaceBook, profile: HustleProfile) -> Card | None:
    if deck.match is None:
        return None
    best = int(deck.match.best[0])
    return Card(profile.colours[book.colour[best]], profile.symbols[book.symbol[best]], bool(book.attack[best]))


def _remembered(cells: tuple[Cell, ...], before: Sequence[Cell] | None) -> tuple[Cell, ...]:
    """A card that cannot be made out now keeps what an earlier reading knew of it."""
    known = {cell.space: cell for cell in before or ()}
    return tuple(
        replace(cell, card=known[cell.space].card, confidence=min(0.9, known[cell.space].confidence))
        if cell.card.symbol is None and cell.space in known
        else cell
        for cell in cells
    )


def _problems(cells: tuple[Cell, ...], names: list[str]) -> tuple[Problem, ...]:
    unknown = sum(cell.card.symbol is None for cell in cells)
    found = []
    if unknown > len(cells) // 2:
        found.append(
            Problem("other-drawing", "Most cards look like none that was taught: teach this copy's faces first.")
        )
    elif unknown:
        found.append(
            Problem("unknown-cards", f"{unknown} of 36 cards could not be made out: move what hides them or tap them.")
        )
    if names.count("monster") > 4:
        found.append(Problem("too-many-monsters", "More than four monsters seem to stand there: check them."))
    return tuple(found)
