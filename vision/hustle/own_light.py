"""The light on one card: a gain, and a white veil that may rise across it, as shadows and glare lay it over a card.

Cards and prints come as planes here, channel by channel, each picture as one row of pixels: (n, 3, pixels) cards, and
for each of them k prints (n, k, 3, pixels).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from vision.hustle.cards import Floats


@dataclass(frozen=True)
class OwnLightSettings:
    least_gain: float = 0.3  # a shadow or glare on one card leaves it no less of its contrast than this
    most_gain: float = 1.6
    steady: float = 0.003  # variance of a print that tells its gain no better than the neighbours do
    # How much a veil, and one that rises, is doubted: share of a card that must be seen well to tell
    no_veil: tuple[float, float, float] = (0.1, 0.05, 0.05)


SETTINGS: Final = OwnLightSettings()


@dataclass(frozen=True, eq=False)
class OwnLight:
    """For each of k prints of n cards the light that suits it best."""

    gain: Floats  # (n, k)
    veil: Floats  # (n, k, 3): in the middle, and how it rises across and down

    def shed(self, prints: Floats) -> Floats:
        veil = self.veil @ ramps(prints.shape[-1]).T
        return np.asarray(prints * self.gain[..., None, None] + veil[:, :, None], np.float32)


@cache
def ramps(pixels: int) -> Floats:
    """(pixels, 3) of a square picture: one, and how far right and down each pixel is, from -1/2 to 1/2."""
    side = round(pixels**0.5)
    along = (np.arange(side) + 0.5) / side - 0.5
    return np.stack([np.ones((side, side)), *np.meshgrid(along, along)], -1).reshape(-1, 3).astype(np.float32)


@dataclass(frozen=True, eq=False)
class Prints:
    """Planes of prints with what least squares asks of them again and again: (n, k, pixels) sums over channels."""

    planes: Floats
    sums: Floats
    squares: Floats


def summed(planes: Floats) -> Prints:
    return Prints(planes, planes.sum(2), np.einsum("nkcp,nkcp->nkp", planes, planes))


def own_light(cards: Floats, prints: Prints, weights: Floats, settings: OwnLightSettings = SETTINGS) -> OwnLight:
    """Least squares for each print against its card, each pixel believed as `weights` (n, pixels) says."""
    n, k, _, pixels = prints.planes.shape
    basis = ramps(pixels)
    weighted = weights[..., None] * basis
    back = np.linalg.inv(3 * basis.T @ weighted + np.diag(settings.no_veil) * pixels).astype(np.float32)
    from_card = np.einsum("np,npr->nr", cards.sum(1), weighted)
    from_prints = prints.sums @ weighted
    veils = from_prints @ back
    steady = settings.steady * pixels
    believed = (cards * weights[:, None]).reshape(n, -1, 1)
    both = (prints.planes.reshape(n, k, -1) @ believed)[..., 0] - (veils * from_card[:, None]).sum(-1)
    own = (prints.squares @ weights[..., None])[..., 0] - (veils * from_prints).sum(-1)
    gain = np.clip((both + steady) / (own + steady), settings.least_gain, settings.most_gain)
    veil = np.einsum("nrs,ns->nr", back, from_card)[:, None] - gain[..., None] * veils
    return OwnLight(gain.astype(np.float32), veil.astype(np.float32))
