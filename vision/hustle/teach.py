"""Teach a copy of Dungeon Hustle: from boards whose cards a person has named, and standees where they were."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from calibration.hustle_profile import FACE_PX, STANDEE_PX, HustleProfile
from companion.errors import InvalidInput
from companion.taps import HustleTaps
from companion.tiles import CARD_SPACES, SYMBOLS
from vision.hustle.board import Board, middles
from vision.hustle.cards import Floats, cut_out, turned
from vision.hustle.deck import deck_backs
from vision.hustle.edges import on_its_edges
from vision.hustle.light import Light
from vision.hustle.locate import USUAL_PITCH_MM, Located, locate_board
from vision.hustle.standees import AS_SEEN, find_standees, polished, portraits, unexplained
from vision.hustle.standees import SETTINGS as STANDEES
from vision.hustle.teach_faces import Faces, Ints, NamedCards, learn_faces
from vision.photo import Photo

Taught = Sequence[tuple[Photo, HustleTaps]]

SPOTS: Final = (middles(CARD_SPACES) / 3.5).astype(np.float32)
SETTLED: Final = replace(STANDEES, base_steps_mm=(0.0,))  # feet stay where their edges are
LEAST_CLARITY: Final = (
    0.3  # of a standee's picture that is seen so much from its edge that it tells nothing: left empty
)
HIDDEN_BELIEF: Final = 0.15  # of a card on which somebody stands, or right behind one: half of it may be seen


@dataclass(frozen=True, eq=False)
class _Lesson:
    photo: Photo
    taps: HustleTaps
    located: Located
    faces: Floats

    @property
    def board(self) -> Board:
        return self.located.board


def learn(taught: Taught) -> HustleProfile:
    """Raises InvalidInput with one sentence where a board cannot be found in its photo."""
    lessons = [_lesson(photo, taps) for photo, taps in taught]
    colours = tuple(sorted({tap.card.colour or "" for one in lessons for tap in one.taps.cells}))
    named = {tap.card.symbol for one in lessons for tap in one.taps.cells}
    symbols = tuple(symbol for symbol in SYMBOLS if symbol in named)
    cards = _named_cards(lessons, colours, symbols)
    faces, turns, lights = learn_faces(cards, len(colours), len(symbols))
    who, pictures, bases = _standees(lessons, cards, faces, turns, lights)
    backs = [deck_backs(one.photo.bgr, one.board, light) for one, light in zip(lessons, lights, strict=True)]
    measured = [one.board.pitch_mm for one in lessons if one.located.scale_from == "markers"]
    return HustleProfile(
        name=" and ".join(one.photo.name for one in lessons),
        colours=colours,
        symbols=symbols,
        with_icon=tuple(sorted({symbols[s] for s in cards.symbol[cards.attack]})),
        pitch_mm=float(np.mean(measured)) if measured else USUAL_PITCH_MM,
        tints=faces.tints,
        stencils=faces.stencils,
        grounds=faces.grounds,
        attack_cover=faces.attack_cover,
        attack_paint=faces.attack_paint,
        back=_common_back(backs),
        standees=who,
        standee_faces=pictures,
        standee_bases=bases,
    )


def _lesson(photo: Photo, taps: HustleTaps) -> _Lesson:
    located = locate_board(photo, USUAL_PITCH_MM, None, None, with_care=True)
    if located is None:
        raise InvalidInput(
            f"{photo.name}: no Dungeon Hustle board can be found in it; take it from above, all of it in view"
        )
    return _Lesson(photo, taps, located, cut_out(photo.bgr, located.board.outlines_px()))


def _named_cards(lessons: list[_Lesson], colours: tuple[str, ...], symbols: tuple[str, ...]) -> NamedCards:
    rows = [
        (number, CARD_SPACES.index((tap.row, tap.col)), tap)
        for number, one in enumerate(lessons)
        for tap in one.taps.cells
    ]
    taken = [{(s.row - back, s.col) for s in one.taps.standees for back in (0, 1)} for one in lessons]
    return NamedCards(
        seen=np.array([lessons[n].faces[k] for n, k, _ in rows]),
        spots=np.array([SPOTS[k] for _, k, _ in rows]),
        photo=np.array([n for n, _, _ in rows]),
        colour=np.array([colours.index(tap.card.colour or "") for _, _, tap in rows]),
        symbol=np.array([symbols.index(tap.card.symbol or "") for _, _, tap in rows]),
        attack=np.array([bool(tap.card.attack) for _, _, tap in rows]),
        belief=np.array([HIDDEN_BELIEF if (t.row, t.col) in taken[n] else 1.0 for n, _, t in rows], np.float32),
    )


def _standees(
    lessons: list[_Lesson], cards: NamedCards, faces: Faces, turns: Ints, lights: list[Light]
) -> tuple[tuple[str, ...], Floats, Floats]:
    """What those who were named look like, now that the cards below them are known."""
    who: list[str] = []
    pictures, bases = [np.zeros((0, STANDEE_PX[1], STANDEE_PX[0], 3), np.float32)], [np.zeros((0, 3), np.float32)]
    prints = np.array([turned(face, int(k)) for face, k in zip(faces.prints(cards), turns, strict=True)], np.float32)
    for number, (one, light) in enumerate(zip(lessons, lights, strict=True)):
        if not one.taps.standees:
            continue
        expected = one.faces.copy()  # a card that was not named explains itself
        mine = np.flatnonzero(cards.photo == number)
        spaces = [CARD_SPACES.index((tap.row, tap.col)) for tap in one.taps.cells]
        expected[spaces] = light.shed(prints[mine], SPOTS[spaces])
        strange = unexplained(one.faces, expected)
        names = {CARD_SPACES.index((tap.row, tap.col)): tap.who for tap in one.taps.standees}
        found = polished(find_standees(one.board, strange, only=tuple(names)), one.board, strange, AS_SEEN)
        found = polished(found, one.board, strange)
        found = [on_its_edges(one.photo.bgr, one.board, standee) for standee in found]
        seen = portraits(one.photo.bgr, one.board, found, strange, light, settings=SETTLED)
        who += [names[standee.index] for standee in found]
        pictures.append(seen.faces * (seen.clarity > LEAST_CLARITY)[:, None, None, None])
        bases.append(seen.bases)
    return tuple(who), np.concatenate(pictures), _alike(who, np.concatenate(bases))


def _alike(who: list[str], bases: Floats) -> Floats:
    """Those of one name, all monsters that is, have bases of one colour: the middle one, should a foot be misplaced."""
    mine = [[k for k, other in enumerate(who) if other == name] for name in who]
    return np.array([np.median(bases[rows], axis=0) for rows in mine], np.float32).reshape(-1, 3)


def _common_back(backs: list[Floats]) -> Floats:
    """The deck lies face down on teach photos, at unknown heights: of two photos, the pair of tops that agrees best."""
    if len(backs) < 2:
        return np.zeros((FACE_PX, FACE_PX, 3), np.float32)
    first, second = backs[0], backs[1]
    off = np.array([[np.abs(a - b).mean() for b in second] for a in first])
    i, j = np.unravel_index(int(off.argmin()), off.shape)
    return np.asarray((first[i] + second[j]) / 2, np.float32)
