"""A photo's light: how a print's values, as taught, become the values that this photo shows at each spot of the board.

Per channel a gain and an offset (exposure, white balance, glare and the camera's tone curve), both changing slowly
across the board, as lamps and windows make them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.hustle.cards import Floats


@dataclass(frozen=True)
class LightSettings:
    # Pull, in pixels' worth of evidence, of the slopes towards an even light: a board of one colour cannot tell them
    even: float = 40.0
    brightest: float = 0.9  # where profiles have their brightest twentieth
    shoulder: float = 0.82  # cameras roll highlights off from about here
    least_gain: float = 0.08  # below this a photo shows no print at all


SETTINGS: Final = LightSettings()


@dataclass(frozen=True, eq=False)
class Light:
    """Gain and offset per channel, each as constant, two slopes and three bends; spots go from -1 to 1."""

    gain: Floats  # (6 terms, 3 channels)
    offset: Floats  # the same

    def at(self, spots: Floats) -> tuple[Floats, Floats]:
        """(n, 1, 1, 3) gains and offsets at n spots."""
        terms = _terms(spots)
        gain = np.maximum(terms @ self.gain[: terms.shape[1]], SETTINGS.least_gain)
        return gain[:, None, None], (terms @ self.offset[: terms.shape[1]])[:, None, None]

    def removed(self, faces: Floats, spots: Floats) -> Floats:
        """What the print itself must be, in the light of the profile."""
        gain, offset = self.at(spots)
        return np.asarray((faces - offset) / gain, np.float32)

    def white(self, spots: Floats) -> Floats:
        """(n, 1, 1, 3) what the brightest print looks like at n spots."""
        gain, offset = self.at(spots)
        return np.asarray(np.clip(gain * SETTINGS.brightest + offset, 0.1, 1.0), np.float32)

    def shed(self, faces: Floats, spots: Floats) -> Floats:
        """What prints look like in this light, highlights rolled off as cameras do."""
        gain, offset = self.at(spots)
        return rolled_off(np.asarray(faces * gain + offset, np.float32))

    def as_seen(self, prints: Floats, spots: Floats) -> Floats:
        """Prints (n, k, 3, pixels) at n spots, less what overexposure takes from them; still in the profile's light."""
        gain, offset = (part.reshape(-1, 1, 3, 1) for part in self.at(spots))
        bright = np.flatnonzero((gain + offset).max((1, 2, 3)) >= SETTINGS.shoulder)  # even white keeps below it
        if len(bright):
            gain, offset = gain[bright], offset[bright]
            prints = prints.copy()
            prints[bright] = (rolled_off(np.asarray(prints[bright] * gain + offset, np.float32)) - offset) / gain
        return prints


def rolled_off(values: Floats) -> Floats:
    """Nothing is brighter than white: beyond the shoulder, values creep up to it."""
    start, room = np.float32(SETTINGS.shoulder), np.float32(1 - SETTINGS.shoulder)
    out, bright = values.copy(), values > start
    out[bright] = start + room * np.tanh((values[bright] - start) / room)
    return out


def _terms(spots: Floats) -> Floats:
    x, y = spots[:, 0], spots[:, 1]
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], -1).astype(np.float32)


def light_from_moments(seen: Floats, usual: Floats) -> Light:
    """A first guess: what lies between all cards' darkest and brightest spots against what usually (2, 3) does."""
    gain, offset = np.zeros((6, 3), np.float32), np.zeros((6, 3), np.float32)
    low, high = np.percentile(seen.reshape(-1, 3), [5, 95], axis=0)
    usual_low, usual_high = usual
    gain[0] = (high - low) / np.maximum(usual_high - usual_low, 0.05)
    offset[0] = low - gain[0] * usual_low
    return Light(gain, offset)


def fit_light(seen: Floats, prints: Floats, weights: Floats, spots: Floats, sloped: bool = True) -> Light:
    """Weighted least squares: n cards as seen, what is printed on each, and how far each pixel is to be believed."""
    terms = _terms(spots) if sloped else _terms(spots)[:, :1]
    count = terms.shape[1]
    w = (weights * (seen.max(-1) < SETTINGS.shoulder + 0.1)).reshape(
        len(seen), -1
    ) + 1e-4  # what is burnt out tells nothing
    gain, offset = np.zeros((6, 3), np.float32), np.zeros((6, 3), np.float32)
    pairs = terms[:, :, None] * terms[:, None, :]
    ones = np.einsum("np,nij->ij", w, pairs)
    for channel in range(3):
        y, t = seen[..., channel].reshape(len(seen), -1), prints[..., channel].reshape(len(seen), -1)
        normal = np.empty((2 * count, 2 * count))
        normal[:count, :count] = np.einsum("n,nij->ij", (w * t * t).sum(1), pairs)
        normal[:count, count:] = normal[count:, :count] = np.einsum("n,nij->ij", (w * t).sum(1), pairs)
        normal[count:, count:] = ones
        right = np.concatenate([terms.T @ (w * t * y).sum(1), terms.T @ (w * y).sum(1)])
        pull = SETTINGS.even * np.array([0.01, *[1.0] * (count - 1)] * 2)
        normal[np.diag_indices(2 * count)] += pull
        right[0] += pull[0]  # towards a gain of one
        solved = np.linalg.solve(normal, right)
        gain[:count, channel], offset[:count, channel] = solved[:count], solved[count:]
    return Light(gain, offset)
