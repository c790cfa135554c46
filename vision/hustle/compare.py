"""Cards held against prints: how much of a card each print leaves unexplained, in the light that suits that print best.

Pictures come as planes, see own_light.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.hustle.cards import Floats
from vision.hustle.own_light import SETTINGS as OWN_LIGHT
from vision.hustle.own_light import OwnLight, own_light, summed


@dataclass(frozen=True)
class CompareSettings:
    cap: float = 0.16  # disagreement beyond which a pixel shows something else; prints differ by 0.3 and more
    wide_cap: float = 0.3  # the same once the card's own light is known: symbol or ground, nothing else
    least_plain: float = 0.4  # of a card that some face must explain in the light of the photo, or the light is its own
    light_rounds: int = 3  # of fitting one card's own light and leaving out what no face explains


SETTINGS: Final = CompareSettings()


@dataclass(frozen=True, eq=False)
class Compared:
    """n cards against k prints each."""

    cost: Floats  # (n, k) share of the card that a print leaves unexplained
    light: OwnLight
    lit: Floats  # (n, k, 3, pixels) the prints in that light


def compared(
    cards: Floats,
    planes: Floats,
    weights: Floats,
    rounds: int = SETTINGS.light_rounds,
    settings: CompareSettings = SETTINGS,
) -> Compared:
    """Cards (n, 3, pixels), for each k prints (n, k, 3, pixels), and how far each pixel is to be believed (n, pixels).

    What no print explains belongs to whoever stands there or to a shadow, and is left out when the light is fitted.
    """
    prints = summed(planes)
    believed = weights * (1 - disagreement(cards, planes, 2 * settings.cap).min(1))
    odd = believed.sum(1) < settings.least_plain * weights.sum(1)  # all of it is in glare or shadow
    believed[odd] = weights[odd]
    for _ in range(rounds - 1):
        off = disagreement(cards, own_light(cards, prints, believed).shed(planes), settings.cap)
        believed = weights * (1 - off.min(1)) + np.float32(1e-6)
    light = own_light(cards, prints, believed)
    lit = light.shed(planes)
    off = disagreement(cards, lit, settings.wide_cap)
    cost = (off @ believed[..., None])[..., 0] / np.maximum(believed.sum(1), 1.0)[:, None]
    return Compared(np.asarray(cost, np.float32), light, lit)


def disagreement(cards: Floats, prints: Floats, cap: float) -> Floats:
    """(n, k, pixels) from 0 to 1: where it is more than the cap, something else is seen."""
    off = prints - cards[:, None]
    return np.asarray(np.minimum(np.einsum("nkcp,nkcp->nkp", off, off) / np.float32(3 * cap * cap), 1), np.float32)


def squared(cards: Floats, prints: Floats, weights: Floats) -> Floats:
    """(n, m) mean squared disagreement with every print (m, 3, pixels) of what is seen: three products of matrices."""
    x, t = cards.reshape(len(cards), -1), prints.reshape(len(prints), -1)
    w = np.tile(weights, (1, 3))
    wx, total = w * x, np.maximum(w.sum(1), 1.0)[:, None]
    return np.asarray(((wx * x).sum(1)[:, None] - 2 * wx @ t.T + w @ (t * t).T) / total, np.float32)


def lit_squared(cards: Floats, prints: Floats, weights: Floats) -> Floats:
    """The same, each print in the gain and even veil that suit it."""
    x, t = cards.reshape(len(cards), -1), prints.reshape(len(prints), -1)
    w = np.tile(weights, (1, 3))
    wx, total = w * x, np.maximum(w.sum(1), 1.0)[:, None]
    mean_x, mean_t = wx.sum(1)[:, None] / total, w @ t.T / total
    both = wx @ t.T / total - mean_x * mean_t
    own = w @ (t * t).T / total - mean_t**2
    spread = (wx * x).sum(1)[:, None] / total - mean_x**2
    gain = np.clip(both / np.maximum(own, 1e-6), OWN_LIGHT.least_gain, OWN_LIGHT.most_gain)
    return np.asarray((spread - 2 * gain * both + gain**2 * own) / gain, np.float32)
