"""The light on one card: a gain, and a white veil that may rise across it, as shadows and glare lay it over a card."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from vision.hustle.cards import ONES, Floats


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
    """For each of m prints the light that suits it best."""

    gain: Floats  # (m,)
    veil: Floats  # (m, 3): in the middle, and how it rises across and down

    def shed(self, prints: Floats) -> Floats:
        veil = (self.veil @ ramps(prints.shape[1]).T).reshape(*prints.shape[:3], 1)
        return np.asarray(prints * self.gain[:, None, None, None] + veil, np.float32)


@cache
def ramps(side: int) -> Floats:
    """(side * side, 3): one, and how far right and down each pixel is, from -1/2 to 1/2."""
    along = (np.arange(side) + 0.5) / side - 0.5
    return np.stack([np.ones((side, side)), *np.meshgrid(along, along)], -1).reshape(-1, 3).astype(np.float32)


def own_light(card: Floats, prints: Floats, weight: Floats, settings: OwnLightSettings = SETTINGS) -> OwnLight:
    """Least squares for each print (m, side, side, 3) against one card, each pixel believed as `weight` says."""
    m, w, basis = len(prints), weight.ravel(), ramps(card.shape[0])
    weighted = basis * w[:, None]
    normal = 3 * basis.T @ weighted + np.diag(settings.no_veil) * w.size
    back = np.linalg.inv(normal)
    x, t = card.reshape(-1, 3), prints.reshape(m, -1)
    from_card = weighted.T @ (x @ ONES)
    from_prints = (prints.reshape(-1, 3) @ ONES).reshape(m, -1) @ weighted
    veils = from_prints @ back
    steady = settings.steady * w.size
    both = t @ (x * w[:, None]).ravel() - veils @ from_card
    own = (t * t) @ np.repeat(w, 3) - (veils * from_prints).sum(1)
    gain = np.clip((both + steady) / (own + steady), settings.least_gain, settings.most_gain)
    veil = back @ from_card - gain[:, None] * veils
    return OwnLight(gain.astype(np.float32), veil.astype(np.float32))
