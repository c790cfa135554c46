"""How taught looks vary, and what that says of a cube: the statistics behind `settle`.

A point of the appearance network is the sum of four things: its type's own look, what this photo's light does to all
cubes alike, what it does to this type in particular, and the single cube's chance. The last is by far the smallest:
cubes of one type in one photo lie close together, though both may lie far from where they were taught. So the photo's
own cubes, once they are roughly told apart, say how each type looks *here*, and everything is settled anew.

The network's axes are turned and scaled (vision/training/appearance_train.py) so that the chance of a single cube has
variance 1 on each and the other variances are diagonal too; they come with the network in appearance.json.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.drop_profile import DropProfile
from companion.pieces import TYPES
from vision.drop.appearance import Floats
from vision.drop.appearance_net import MODEL

UNTAUGHT: Final = 1e6  # a cost that no evidence outweighs


@dataclass(frozen=True)
class ModelSettings:
    prior_cubes: float = 6.0  # the spread seen in a few taught cubes is trusted like this many others'
    tail: float = 6.0  # squared deviations beyond this many variances count by their logarithm: glints, shadows, stains
    believed: float = 0.35  # the network's axes are not as independent as the model has them, so costs are scaled down
    odd: float = 4.0  # a cube this many variances from its type says little of the light


SETTINGS: Final = ModelSettings()


@dataclass(frozen=True, eq=False)
class Spread:
    """Variances along the network's axes, in units of a single cube's."""

    between: Floats  # (d,) of one type's look from photo to photo, beside the shift that all cubes share
    light: Floats  # (d,) of that shared shift


@dataclass(frozen=True, eq=False)
class Taught:
    """What a profile says of each of TYPES, as arrays over them; rows of untaught types mean nothing."""

    known: NDArray[np.bool_]  # (t,)
    mean: Floats  # (t, d)
    within: Floats  # (t, d) variance between cubes of one photo
    between: Floats  # (t, d) variance of the type's mean from photo to photo, teaching's own error included


@dataclass(frozen=True, eq=False)
class Light:
    """What is believed of this photo's shift of all looks."""

    shift: Floats  # (d,)
    variance: Floats  # (d,)


@cache
def network_spread() -> Spread:
    data = json.loads(MODEL.with_suffix(".json").read_text())
    return Spread(np.array(data["between"], float), np.array(data["light"], float))


def taught_looks(profile: DropProfile, spread: Spread) -> Taught:
    """Means and variances of every type, those of few cubes leaning on what is usual."""
    dimensions = profile.looks.shape[1]
    kinds, photos = np.array(profile.types), np.array(profile.photos)
    known = np.array([kind in profile.taught for kind in TYPES])
    mean, within, between = (np.ones((len(TYPES), dimensions)) for _ in range(3))
    for row in np.flatnonzero(known):
        mine = [profile.looks[(kinds == TYPES[row]) & (photos == photo)].astype(float) for photo in np.unique(photos)]
        mine = [looks for looks in mine if len(looks)]
        centres = np.array([looks.mean(axis=0) for looks in mine])
        mean[row] = centres.mean(axis=0)
        apart = np.concatenate([looks - centre for looks, centre in zip(mine, centres, strict=True)])
        free = len(apart) - len(mine)
        within[row] = (SETTINGS.prior_cubes + (apart**2).sum(axis=0)) / (SETTINGS.prior_cubes + free)
        moved = ((centres - mean[row]) ** 2).sum(axis=0)
        usual = (SETTINGS.prior_cubes * spread.between + moved) / (SETTINGS.prior_cubes + len(mine) - 1)
        between[row] = usual * (1 + 1 / len(mine))
    return Taught(known, mean, within, between)


def unlit(spread: Spread) -> Light:
    """Before anything is known of the light."""
    return Light(np.zeros_like(spread.light), spread.light)


def type_costs(points: Floats, taught: Taught, light: Light, types: NDArray[np.intp] | None = None) -> Floats:
    """(n, types) negative log-likelihoods; `types` is what each cube was last taken for (-1: nothing), to lean on.

    A cube is compared with its type as this photo's *other* cubes of that type show it: its own word does not count.
    """
    costs = np.full((len(points), len(TYPES)), UNTAUGHT)
    for row in np.flatnonzero(taught.known):
        start, doubt = taught.mean[row] + light.shift, taught.between[row] + light.variance
        mine = np.zeros(len(points)) if types is None else (types == row).astype(float)
        others = mine.sum() - mine
        total = mine @ points - mine[:, None] * points
        variance = 1 / (1 / doubt + others[:, None] / taught.within[row])
        centre = variance * (start / doubt + total / taught.within[row])
        spread = variance + taught.within[row]
        off = (points - centre) ** 2 / spread
        tail = SETTINGS.tail
        surprise = (tail + 1) / 2 * np.log1p(off / tail) + np.log(spread) / 2
        costs[:, row] = SETTINGS.believed * surprise.sum(axis=1)
    return costs


def light_of(points: Floats, types: NDArray[np.intp], taught: Taught, light: Light, spread: Spread) -> Light:
    """The shift that all cubes share, from what each is taken for; a type counts once, however many it has here."""
    cubes = types >= 0
    if not cubes.any():
        return light
    types, points = types[cubes], points[cubes]
    count = np.bincount(types, minlength=len(TYPES))[types][:, None]
    trust = 1 / (taught.between[types] * count + taught.within[types])
    off = points - taught.mean[types]
    trust /= 1 + (off - light.shift) ** 2 * trust / SETTINGS.odd
    total = 1 / spread.light + trust.sum(axis=0)
    return Light((trust * off).sum(axis=0) / total, 1 / total)
