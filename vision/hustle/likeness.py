"""Those who were taught, held against the photo: who stands there, and exactly where, found together.

What no face explains tells roughly where somebody stands, but a deep shadow before the base is unexplained too. The
pictures on the upright cards are known, though: the photo is laid out on the upright plane through the foot, and every
taught picture, with its base below it, is slid over it. Sliding sideways moves the foot sideways; sliding down moves
it towards the camera.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from calibration.camera import Array
from calibration.hustle_profile import STANDEE_PX, HustleProfile
from vision.hustle.board import Board
from vision.hustle.cards import Floats, cut_out
from vision.hustle.finder import Image
from vision.hustle.light import Light
from vision.hustle.standees import SETTINGS as SHAPE
from vision.hustle.standees import Standee, patch_of


@dataclass(frozen=True)
class LikenessSettings:
    turns_deg: tuple[float, ...] = (-24, -12, 0, 12, 24)  # about the turn that was found
    reach_mm: tuple[float, float] = (6.0, 12.0)  # how far the foot may be off, sideways and towards the camera
    far_mm: float = 5.0  # moved so far, it is looked for again from there
    most_base_px: int = 9  # rows of the base's top below the picture that are compared
    least_lean: float = 0.3  # of the eye's distance to its height: from further above, a picture is a mere line
    aim_price: float = 0.02  # of correlation, for a foot aim_sd_mm off its card's middle
    aim_sd_mm: float = 4.5
    moved_price: float = 0.01  # the same, off where it was found
    unknown_alike: float = (
        0.45  # with a picture that was taught from its edge only: strangers are less alike, friends more
    )
    settles: float = 0.45  # correlation from which on a picture says where its standee stands
    # Nobody stands there if too little is unexplained for how little it resembles anybody: log odds, from staged photos
    per_pixel: float = 0.05
    least_pixels: float = 10.0
    per_alike: float = 6.0
    usual_alike: float = 0.35
    least_odds: float = 1.0


SETTINGS: Final = LikenessSettings()
WIDE_PX, HIGH_PX = STANDEE_PX
LOW_MM, TALL_MM, WIDE_MM = SHAPE.base_mm[2], SHAPE.tall_mm, SHAPE.wide_mm
DEEP_MM: Final = SHAPE.base_mm[1] / 2
DOWN_PX: Final = HIGH_PX / (TALL_MM - LOW_MM)  # to a millimetre
ACROSS_PX: Final = WIDE_PX / WIDE_MM


@dataclass(frozen=True, eq=False)
class Likeness:
    """One standee settled: where it stands, and its correlation with each taught picture, -1 to 1."""

    standee: Standee
    alike: Floats  # one for each taught picture; nothing where it is seen from too far above

    @property
    def odds(self) -> float:
        """Log odds that somebody stands there at all."""
        s = SETTINGS
        if not len(self.alike):
            return s.least_odds
        return s.per_pixel * (self.standee.score - s.least_pixels) + s.per_alike * (
            float(self.alike.max()) - s.usual_alike
        )


def recognised(bgr: Image, board: Board, found: list[Standee], light: Light, profile: HustleProfile) -> list[Likeness]:
    """Those of the found who are believable, each where its picture fits best."""
    if not profile.standees:
        return [Likeness(one, np.zeros(0, np.float32)) for one in found]
    likes = [_approached(bgr, board, one, light, profile) for one in found]
    return [like for like in likes if like.odds >= SETTINGS.least_odds]


def _approached(bgr: Image, board: Board, one: Standee, light: Light, profile: HustleProfile) -> Likeness:
    """Whoever had to be moved far may have to be moved farther still."""
    like = likeness(bgr, board, one, light, profile)
    if like.standee.settled and np.linalg.norm(like.standee.foot_mm - one.foot_mm) > SETTINGS.far_mm:
        like = likeness(bgr, board, like.standee, light, profile)
    return like


def likeness(
    bgr: Image,
    board: Board,
    one: Standee,
    light: Light,
    profile: HustleProfile,
    *,
    settings: LikenessSettings = SETTINGS,
) -> Likeness:
    if _facing(board, one.foot_mm, one.turn).lean < settings.least_lean:
        return Likeness(one, np.zeros(0, np.float32))
    white = light.white((one.foot_mm[None] / (3.5 * board.pitch_mm)).astype(np.float32))[0]
    known = profile.standee_faces.any((1, 2, 3))
    alike = np.where(known, -1.0, settings.unknown_alike).astype(np.float32)
    best, settled = -np.inf, one
    for turn_deg in settings.turns_deg:
        turn = float(np.clip(one.turn + np.radians(turn_deg), -1.4, 1.4))
        facing = _facing(board, one.foot_mm, turn)
        if facing.lean < settings.least_lean:
            continue
        patch, slides = _upright(bgr, board, one.foot_mm, facing, settings)
        feet, price = _prices(one, board, facing, slides, turn_deg=turn_deg, settings=settings)
        for k in np.flatnonzero(known):
            drawn = _drawn(profile, int(k), slides.base)
            score = cv2.matchTemplate(np.asarray(patch / white, np.float32), drawn, cv2.TM_CCOEFF_NORMED) - price
            at = np.unravel_index(int(score.argmax()), score.shape)
            alike[k] = max(alike[k], score[at])
            if score[at] > best:
                best, foot = float(score[at]), feet[at]
                settled = replace(one, foot_mm=foot, turn=turn, patch_mm=patch_of(foot, turn, board.view.eye_mm))
    return Likeness(replace(settled, settled=True) if best > settings.settles else one, alike)


@dataclass(frozen=True, eq=False)
class _Facing:
    """Which way the side looks that the camera sees, what is to its right, and how far the eye is before it."""

    front: Array
    across: Array
    lean: float  # the eye's distance as a share of its height


@dataclass(frozen=True)
class _Slides:
    """Pixels: rows of the base below the picture, and how far the picture is slid to each side, up and down."""

    base: int
    side: int
    down: int


def _facing(board: Board, foot_mm: Array, turn: float) -> _Facing:
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    front = spin @ np.array([0.0, -1.0])
    away = float((board.view.eye_mm[:2] - foot_mm) @ front)
    side = 1.0 if away > 0 else -1.0
    return _Facing(front * side, spin @ np.array([1.0, 0.0]) * side, abs(away) / float(board.view.eye_mm[2]))


def _upright(
    bgr: Image, board: Board, foot_mm: Array, facing: _Facing, settings: LikenessSettings
) -> tuple[Floats, _Slides]:
    """The photo on the upright plane through the foot: the card, its base, and as much around them as they slide."""
    slides = _Slides(
        base=min(round(DEEP_MM / facing.lean * DOWN_PX), settings.most_base_px),
        side=round(settings.reach_mm[0] * ACROSS_PX),
        down=round(settings.reach_mm[1] / facing.lean * DOWN_PX),
    )
    half = WIDE_MM / 2 + slides.side / ACROSS_PX
    high, low = TALL_MM + slides.down / DOWN_PX, LOW_MM - (slides.base + slides.down) / DOWN_PX
    left, right = foot_mm - facing.across * half, foot_mm + facing.across * half
    quad = np.array([[*left, high], [*right, high], [*right, low], [*left, low]])
    size = WIDE_PX + 2 * slides.side, HIGH_PX + slides.base + 2 * slides.down
    return cut_out(bgr, board.view.project(quad)[None], *size)[0], slides


def _prices(
    one: Standee, board: Board, facing: _Facing, slides: _Slides, *, turn_deg: float, settings: LikenessSettings
) -> tuple[Array, Floats]:
    """The foot for every slide, and what its distance from the card's middle and from where it was found costs."""
    dx = np.arange(-slides.side, slides.side + 1) / ACROSS_PX
    dy = np.arange(-slides.down, slides.down + 1) / DOWN_PX * facing.lean
    feet = one.foot_mm + facing.across * dx[None, :, None] + facing.front * dy[:, None, None]
    aim = ((feet - board.places[one.index, :2]) ** 2).sum(-1) / (2 * settings.aim_sd_mm**2)
    moved = ((feet - one.foot_mm) ** 2).sum(-1) / (2 * settings.aim_sd_mm**2) + (turn_deg / 20) ** 2
    return feet, np.asarray(settings.aim_price * aim + settings.moved_price * moved, np.float32)


def _drawn(profile: HustleProfile, k: int, base_px: int) -> Floats:
    strip = np.broadcast_to(profile.standee_bases[k], (base_px, WIDE_PX, 3))
    return np.asarray(np.concatenate([profile.standee_faces[k], strip]), np.float32)
