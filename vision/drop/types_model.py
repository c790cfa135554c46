"""How like a cube is to each type: kernels round the looks that were taught, and round this photo's own cubes.

The network was trained so that a kernel of width 1 tells types apart from photo to photo. Within one photo, cubes of
one type lie much closer together than that, though all of them may lie off the place where they were taught: so once
the cubes are roughly told apart, narrow kernels round each other's places say how a type looks *here*. And as one photo
has one light, the mean step from taught to seen looks is taken out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.drop_profile import DropProfile
from companion.pieces import TYPES
from vision.drop.appearance import Floats

UNTAUGHT: Final = 1e6  # a cost that no evidence outweighs
Ints = NDArray[np.intp]


@dataclass(frozen=True)
class ModelSettings:
    """Tried on a made-up copy (R2) that the network was not trained on, a few staged tables, and four real photos.

    Most of those tables were among the photos trained on, so they say little; R2 and the real photos say more.
    """

    nearest: int = 4  # taught looks of a type that a cube is compared with: others show it in another light
    narrow: float = 5.0  # squared distances within a photo count this much more
    peak: float = 10.0  # and the kernel is so much higher than a taught one, being narrower
    few: float = 1.0  # with this many others of its type in the photo, they count as much as all taught looks
    light_doubt: float = 6.0  # so many sure cubes are needed to believe half of the shift that they show
    light_margin: float = 1.0  # a cube whose kind leads by this much counts half


SETTINGS: Final = ModelSettings()


def type_costs(points: Floats, shift: Floats, profile: DropProfile, types: Ints | None = None) -> Floats:
    """(n, types) negative log-likelihoods; `types` is what each cube was last taken for (-1: nothing), to lean on."""
    taught = np.array([TYPES.index(kind) for kind in profile.types])
    square = _squares(points - shift, profile.looks.astype(np.float64))
    costs = np.full((len(points), len(TYPES)), UNTAUGHT)
    near = None if types is None else _near_each_other(points)
    for kind in np.unique(taught):
        mine = square[:, taught == kind]
        if mine.shape[1] > SETTINGS.nearest:
            mine = np.partition(mine, SETTINGS.nearest - 1, axis=1)[:, : SETTINGS.nearest]
        best = mine.min(axis=1)
        costs[:, kind] = best - np.log(np.exp(best[:, None] - mine).mean(axis=1))
        if near is not None:
            costs[:, kind] = _leaning(costs[:, kind], near, types == kind)
    return costs


def light_shift(points: Floats, shift: Floats, profile: DropProfile, types: Ints, margin: Floats) -> Floats:
    """How this photo's light moves all looks alike: the mean step from the taught look to the seen one."""
    cubes = types >= 0
    if not cubes.any():
        return shift
    looks = profile.looks.astype(np.float64)
    taught = np.array([TYPES.index(kind) for kind in profile.types])
    square = np.where(taught[None] == types[cubes, None], _squares(points[cubes] - shift, looks), np.inf)
    weight = np.exp(square.min(axis=1, keepdims=True) - square)
    nearest = weight @ looks / weight.sum(axis=1, keepdims=True)
    sure = 1 / (1 + np.exp(SETTINGS.light_margin - np.minimum(margin[cubes], 50)))
    step: Floats = (sure[:, None] * (points[cubes] - nearest)).sum(axis=0)
    return np.asarray(step / (sure.sum() + SETTINGS.light_doubt))


def _near_each_other(points: Floats) -> Floats:
    """Kernels between the photo's own cubes; none for a cube with itself, whose word for itself does not count."""
    near = np.exp(-SETTINGS.narrow * _squares(points, points))
    np.fill_diagonal(near, 0.0)
    return near


def _leaning(cost: Floats, near: Floats, mine: NDArray[np.bool_]) -> Floats:
    """The taught looks' cost mixed with what the photo's other cubes of this type say."""
    others = mine.sum() - mine.astype(float)
    share = others / (others + SETTINGS.few)
    here = SETTINGS.peak * (near @ mine.astype(float)) / np.maximum(others, 1)
    with np.errstate(divide="ignore"):
        mixed: Floats = -np.logaddexp(np.log1p(-share) - cost, np.log(share) + np.log(here))
    return mixed


def _squares(a: Floats, b: Floats) -> Floats:
    """Squared distances (n, m)."""
    return np.asarray(np.maximum((a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1)[None] - 2 * a @ b.T, 0.0))
