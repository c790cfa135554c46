"""All faces that a profile could have printed: every symbol, colour, attack icon and turn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.hustle_profile import FACE_PX, HustleProfile
from vision.hustle.cards import Floats, turned

INNER: Final = np.pad(np.full((FACE_PX - 4, FACE_PX - 4), 1, np.float32), 1, constant_values=0.5)
INNER_PART: Final = np.pad(
    INNER, 1
)  # how much of a card to believe: along its rim it is as often the table that is seen


@dataclass(frozen=True, eq=False)
class FaceBook:
    """Parallel arrays over all faces."""

    prints: Floats  # (m, side, side, 3)
    coarse: Floats  # the same at half the side
    colour: NDArray[np.int64]
    symbol: NDArray[np.int64]
    attack: NDArray[np.bool_]

    @cached_property
    def planes(self) -> Floats:
        return as_planes(self.prints)

    @cached_property
    def coarse_planes(self) -> Floats:
        return as_planes(self.coarse)

    @cached_property
    def range(self) -> Floats:
        """(2, 3) what nearly all prints lie between, per channel."""
        return darkest_and_brightest(self.coarse)


def as_planes(pictures: Floats) -> Floats:
    """(…, side, side, 3) to (…, 3, pixels): sums over channels are many times as quick."""
    flat = pictures.reshape(*pictures.shape[:-3], -1, 3)
    return np.ascontiguousarray(np.moveaxis(flat, -1, -2))


def as_pictures(planes: Floats) -> Floats:
    side = round(planes.shape[-1] ** 0.5)
    return np.ascontiguousarray(np.moveaxis(planes, -2, -1)).reshape(*planes.shape[:-2], side, side, 3)


def darkest_and_brightest(pictures: Floats) -> Floats:
    return np.asarray(np.percentile(pictures.reshape(-1, 3), [5, 95], axis=0), np.float32)


def print_of(profile: HustleProfile, symbol: int, colour: int, icon_turn: int | None = None) -> Floats:
    """A face, with the attack icon where it is said how that is turned."""
    face = profile.stencils[symbol][..., None] * profile.tints[colour] + profile.grounds[symbol]
    if icon_turn is not None:
        cover, paint = turned(profile.attack_cover, icon_turn), turned(profile.attack_paint, icon_turn)
        face = face * (1 - cover[..., None]) + paint
    return np.asarray(face, np.float32)


@lru_cache(maxsize=4)
def face_book(profile: HustleProfile) -> FaceBook:
    prints, colours, symbols, attacks = [], [], [], []
    for symbol, name in enumerate(profile.symbols):
        icons: list[int | None] = [None]
        if profile.knows_attack:  # on a symbol never seen with it, the icon may be at any of four places
            icons += [0] if name in profile.with_icon else [0, 1, 2, 3]
        for colour in range(len(profile.colours)):
            for icon in icons:
                face = print_of(profile, symbol, colour, icon)
                for quarters in range(4):
                    prints.append(turned(face, quarters))
                    colours.append(colour)
                    symbols.append(symbol)
                    attacks.append(icon is not None)
    all_prints = np.array(prints, np.float32)
    return FaceBook(all_prints, halved(all_prints), np.array(colours), np.array(symbols), np.array(attacks))


def halved(faces: Floats) -> Floats:
    """(n, side, side, any) at half the side: the mean of two by two."""
    across = faces[:, :, 0::2] + faces[:, :, 1::2]
    return np.asarray((across[:, 0::2] + across[:, 1::2]) / 4, np.float32)
