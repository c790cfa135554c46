"""Glare on single cards: a white veil that dims their contrast and may rise across them, taken off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.hustle.cards import Floats
from vision.hustle.face_book import FaceBook


@dataclass(frozen=True)
class GlareSettings:
    alike: float = 0.65  # correlation with some face from which on a card may be one under glare
    squared: float = 0.012  # and it fits none without glare: better than this is good enough
    left: float = 0.5  # with the veil off, at most so much of the disagreement may be left


SETTINGS: Final = GlareSettings()


def unveiled(small: Floats, squared: Floats, book: FaceBook, settings: GlareSettings = SETTINGS) -> Floats:
    """Cards at half size with their veils off: those which some face explains far better with one than any without.

    `squared` (n,) is how badly each card fits its best face as it is.
    """
    doubtful = np.flatnonzero(squared > settings.squared)
    if len(doubtful) == 0:
        return small
    x, t = small[doubtful].reshape(len(doubtful), -1), book.coarse.reshape(len(book.coarse), -1)
    own, other = x - x.mean(1, keepdims=True), t - t.mean(1, keepdims=True)
    alike = (own @ other.T) / np.maximum(np.outer(np.linalg.norm(own, axis=1), np.linalg.norm(other, axis=1)), 1e-6)
    out = small.copy()
    for n, row in zip(doubtful, alike, strict=True):
        face = book.coarse[int(row.argmax())]
        if row.max() > settings.alike:
            gain, *veil = _veil(small[n], face)
            bare = (small[n] - _rise(small.shape[1], veil)) / gain
            if float((bare - face).var()) < settings.left * squared[n]:
                out[n] = bare
    return out


def without_veil(card: Floats, face: Floats, settings: GlareSettings = SETTINGS) -> Floats:
    """A card that is known to show this face, less the glare over it, if there is any."""
    squared = float(((card - face) ** 2).mean())
    if squared < settings.squared:
        return card
    gain, *veil = _veil(card, face)
    bare = np.asarray((card - _rise(card.shape[1], veil)) / gain, np.float32)
    return bare if float((bare - face).var()) < settings.left * squared else card


def _veil(card: Floats, face: Floats) -> tuple[float, ...]:
    """Least squares: the face's gain, and a plane that is laid over all three channels alike."""
    across, down = _ramps(len(card))
    ramps = [np.repeat(ramp.ravel(), 3) for ramp in (np.ones_like(across), across, down)]
    columns = np.column_stack([face.ravel(), *ramps]).astype(float)
    solved = np.linalg.solve(columns.T @ columns + 1e-6 * np.eye(4), columns.T @ card.ravel())
    return float(np.clip(solved[0], 0.2, 1.8)), *(float(v) for v in solved[1:])


def _ramps(side: int) -> tuple[Floats, Floats]:
    along = ((np.arange(side) + 0.5) / side - 0.5).astype(np.float32)
    across, down = np.meshgrid(along, along)
    return across, down


def _rise(side: int, veil: list[float]) -> Floats:
    across, down = _ramps(side)
    return np.asarray((veil[0] + veil[1] * across + veil[2] * down)[..., None], np.float32)
