"""Those who were taught, held against the photo: who stands there, and exactly where, found together.

What no face explains tells roughly where somebody stands, but a deep shadow before the base is unexplained too. The
pictures on the upright cards are known, though: the photo is laid out on the upright plane through the foot, and every
taught picture, with its base below it, is slid over it. Sliding sideways moves the foot sideways; sliding down moves
it towards the camera.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
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
    turns_deg: tuple[float, ...] = (-30, -15, 0, 15, 30)  # about the turn that was found
    reach_mm: tuple[float, float] = (6.0, 12.0)  # how far the foot may be off, sideways and towards the camera
    closer: int = 3  # pictures that are looked at closely, each
    near_turns_deg: tuple[float, ...] = (-6, 0, 6)  # about where it fitted best,
    near_mm: tuple[float, float] = (3.0, 5.0)
    exact_turns_deg: tuple[float, ...] = (-3, 0, 3)  # and the one that fits best in these too
    far_mm: float = 5.0  # moved so far, it is looked for again from there
    most_base_px: int = 9  # rows of the base's top below the picture that are compared
    least_lean: float = 0.3  # of the eye's distance to its height: from further above, a picture is a mere line
    aim_price: float = 0.02  # of correlation, for a foot aim_sd_mm off its card's middle
    aim_sd_mm: float = 4.5
    moved_price: float = 0.01  # the same, off where it was found
    turn_sd_deg: float = 20.0  # and turned so far
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
    """Whoever had to be moved far may have to be moved farther still; and whoever resembles nobody may have been found
    far off, where two stand close: they aim at their card's middle and face the camera."""
    like = likeness(bgr, board, one, light, profile)
    if not like.standee.settled and len(like.alike):
        aimed = replace(one, foot_mm=board.places[one.index, :2], turn=0.0)
        again = likeness(bgr, board, aimed, light, profile)
        return again if again.standee.settled else like
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
    """Every picture at half size in every turn; then the likeliest few at full size, near where each fits best."""
    if facing_of(board, one.foot_mm, one.turn).lean < settings.least_lean:
        return Likeness(one, np.zeros(0, np.float32))
    white = light.white((one.foot_mm[None] / (3.5 * board.pitch_mm)).astype(np.float32))[0]
    search = _Search(bgr, board, one, white, taught_pictures(profile), settings)
    known = np.flatnonzero(profile.standee_faces.any((1, 2, 3)))
    alike = np.full(len(profile.standees), settings.unknown_alike, np.float32)
    fits = search.around(one, [int(k) for k in known], settings.turns_deg, settings.reach_mm, half=True)
    for k, fit in fits.items():
        alike[k] = fit.score
    likeliest = sorted(fits, key=lambda k: -fits[k].score)[: settings.closer]
    closer: dict[int, _Fit] = {}
    for k in likeliest:
        closer |= search.around(fits[k].standee, [k], settings.near_turns_deg, settings.near_mm, half=False)
        alike[k] = closer[k].score
    if not closer:
        return Likeness(one, alike)
    best = max(closer, key=lambda k: closer[k].score)
    if closer[best].score <= settings.settles:
        return Likeness(one, alike)
    exact = search.around(closer[best].standee, [best], settings.exact_turns_deg, settings.near_mm, half=False)[best]
    patch = patch_of(exact.standee.foot_mm, exact.standee.turn, board.view.eye_mm)
    return Likeness(replace(exact.standee, patch_mm=patch, settled=True), alike)


@dataclass(frozen=True, eq=False)
class _Fit:
    score: float  # correlation, less what the foot's distance from where it is expected costs
    standee: Standee


@dataclass(frozen=True, eq=False)
class TaughtPictures:
    """Those who were taught, base below picture, at full size and at half."""

    full: Floats
    half: Floats

    def drawn(self, k: int, base_px: int, half: bool) -> Floats:
        """One of them with so many rows of its base."""
        high = HIGH_PX // 2 if half else HIGH_PX
        return np.asarray((self.half if half else self.full)[k][: high + base_px], np.float32)


@lru_cache(maxsize=4)
def taught_pictures(profile: HustleProfile) -> TaughtPictures:
    strips = np.repeat(profile.standee_bases[:, None, None], 2 * SETTINGS.most_base_px, 1).repeat(WIDE_PX, 2)
    full = np.concatenate([profile.standee_faces, strips], axis=1)
    across = full[:, :, 0::2] + full[:, :, 1::2]
    return TaughtPictures(full, (across[:, 0::2] + across[:, 1::2]) / 4)


@dataclass(frozen=True, eq=False)
class _Search:
    """One standee to be settled, and all that is needed for it."""

    bgr: Image
    board: Board
    one: Standee
    white: Floats
    pictures: TaughtPictures
    settings: LikenessSettings

    def around(
        self, start: Standee, who: list[int], turns_deg: tuple[float, ...], reach_mm: tuple[float, float], *, half: bool
    ) -> dict[int, _Fit]:
        """Where near `start` each of these pictures fits best."""
        best: dict[int, _Fit] = {}
        for turn_deg in turns_deg:
            turn = float(np.clip(start.turn + np.radians(turn_deg), -1.4, 1.4))
            facing = facing_of(self.board, start.foot_mm, turn)
            if facing.lean < self.settings.least_lean:
                continue
            slides = _Slides.within(reach_mm, facing, 0.5 if half else 1.0, self.settings)
            upright = slides.cut(self.bgr, self.board, start.foot_mm, facing) / self.white
            feet = slides.feet(start.foot_mm, facing)
            price = self._prices(feet, turn)
            for k in who:
                drawn = self.pictures.drawn(k, slides.base, half)
                score = cv2.matchTemplate(upright, drawn, cv2.TM_CCOEFF_NORMED) - price
                _, value, _, (x, y) = cv2.minMaxLoc(score)
                if k not in best or value > best[k].score:
                    foot = feet[y, x] if half else slides.between(score, x, y, start.foot_mm, facing=facing)
                    best[k] = _Fit(value, replace(self.one, foot_mm=foot, turn=turn))
        return best

    def _prices(self, feet: Array, turn: float) -> Floats:
        """What feet (…, 2) cost by their distance from the card's middle and from where the standee was found."""
        s, one = self.settings, self.one
        aim = ((feet - self.board.places[one.index, :2]) ** 2).sum(-1) / (2 * s.aim_sd_mm**2)
        moved = ((feet - one.foot_mm) ** 2).sum(-1) / (2 * s.aim_sd_mm**2)
        moved = moved + (np.degrees(turn - one.turn) / s.turn_sd_deg) ** 2
        return np.asarray(s.aim_price * aim + s.moved_price * moved, np.float32)


@dataclass(frozen=True, eq=False)
class _Facing:
    """Which way the side looks that the camera sees, what is to its right, and how far the eye is before it."""

    front: Array
    across: Array
    lean: float  # the eye's distance as a share of its height


def facing_of(board: Board, foot_mm: Array, turn: float) -> _Facing:
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    front = spin @ np.array([0.0, -1.0])
    eye = board.view.eye_mm
    away = float((eye[:2] - foot_mm) @ front)
    side = 1.0 if away > 0 else -1.0
    return _Facing(front * side, spin @ np.array([1.0, 0.0]) * side, abs(away) / float(eye[2]))


@dataclass(frozen=True)
class _Slides:
    """Pixels: rows of the base below the picture, and how far the picture is slid to each side, up and down."""

    share: float  # of the pictures' full size
    base: int
    side: int
    down: int

    @staticmethod
    def within(reach_mm: tuple[float, float], facing: _Facing, share: float, settings: LikenessSettings) -> _Slides:
        return _Slides(
            share,
            base=round(min(DEEP_MM / facing.lean * DOWN_PX, settings.most_base_px) * share),
            side=max(1, round(reach_mm[0] * ACROSS_PX * share)),
            down=max(1, round(reach_mm[1] / facing.lean * DOWN_PX * share)),
        )

    def cut(self, bgr: Image, board: Board, foot_mm: Array, facing: _Facing) -> Floats:
        """The photo on the upright plane through the foot: card, base, and as much around them as they slide."""
        across, down = ACROSS_PX * self.share, DOWN_PX * self.share
        half = WIDE_MM / 2 + self.side / across
        high, low = TALL_MM + self.down / down, LOW_MM - (self.base + self.down) / down
        left, right = foot_mm - facing.across * half, foot_mm + facing.across * half
        quad = np.array([[*left, high], [*right, high], [*right, low], [*left, low]])
        size = round(WIDE_PX * self.share) + 2 * self.side, round(HIGH_PX * self.share) + self.base + 2 * self.down
        return np.asarray(cut_out(bgr, board.view.project(quad)[None], *size)[0], np.float32)

    def feet(self, foot_mm: Array, facing: _Facing) -> Array:
        """(down, across, 2) the foot for every slide."""
        x = np.arange(-self.side, self.side + 1) / (ACROSS_PX * self.share)
        y = np.arange(-self.down, self.down + 1) / (DOWN_PX * self.share) * facing.lean
        return np.asarray(foot_mm + facing.across * x[None, :, None] + facing.front * y[:, None, None], float)

    def between(self, score: Floats, x: int, y: int, foot_mm: Array, *, facing: _Facing) -> Array:
        """The foot to a fraction of a pixel about the best slide."""
        across = (x + peak(score[y], x) - self.side) / (ACROSS_PX * self.share)
        down = (y + peak(score[:, x], y) - self.down) / (DOWN_PX * self.share) * facing.lean
        return np.asarray(foot_mm + facing.across * across + facing.front * down, float)


def peak(row: Floats, at: int) -> float:
    """How far from the highest value the top of the parabola through it and its neighbours is.

    >>> round(peak(np.float32([0.0, 3.0, 2.0]), 1), 3)
    0.25
    """
    if not 0 < at < len(row) - 1:
        return 0.0
    left, middle, right = (float(value) for value in row[at - 1 : at + 2])
    bend = left - 2 * middle + right
    return 0.0 if bend > -1e-9 else float(np.clip((left - right) / (2 * bend), -0.5, 0.5))
