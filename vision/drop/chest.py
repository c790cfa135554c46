"""What a rolled chest shows: the pips of its upper face, compared with the six faces of a die.

The face is straightened, its rim cut off, and its colours laid on the one axis along which they differ most: ink
against body, whatever the two are. Each face of a die, in both of its turns, is then slid over it. A printed digit or a
drawing agrees with none of them, and the chest says nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.drop.appearance import Floats, Image, Seen, sample_quads, visible_faces
from vision.drop.solids import Solids

Faces = NDArray[np.float32]


@dataclass(frozen=True)
class PipSettings:
    """Lengths are shares of the face's side."""

    inner: float = 0.74  # the middle of the face, without its rim
    slack: float = 0.10  # the fitted face may be off by half of this
    px: int = 30  # for the inner part: a pip is then 5 px wide
    pip_radius: float = 0.065
    pip_off_middle: float = 0.2
    agree: float = 0.62  # correlation; chosen by hand, on the side of saying nothing
    lead: float = 0.06  # over the next best value


SETTINGS: Final = PipSettings()
# Pips in units of pip_off_middle from the face's middle; a face looks the same upside down.
_CORNERS: Final = ((-1, -1), (1, 1), (-1, 1), (1, -1))
LAYOUTS: Final[tuple[tuple[int, tuple[tuple[int, int], ...]], ...]] = (
    (1, ((0, 0),)),
    (2, ((-1, -1), (1, 1))), (2, ((-1, 1), (1, -1))),
    (3, ((-1, -1), (0, 0), (1, 1))), (3, ((-1, 1), (0, 0), (1, -1))),
    (4, _CORNERS),
    (5, (*_CORNERS, (0, 0))),
    (6, (*_CORNERS, (-1, 0), (1, 0))), (6, (*_CORNERS, (0, -1), (0, 1))),
)  # fmt: skip


def chest_values(bgr: Image, view: Seen, solids: Solids, is_chest: NDArray[np.bool_]) -> tuple[int | None, ...]:
    """For each solid what it shows: 1 to 6 for a chest whose pips can be read, else None."""
    shown: list[int | None] = [None] * len(solids)
    chests = np.flatnonzero(is_chest)
    if len(chests) == 0:
        return tuple(shown)
    faces, _ = visible_faces(solids[chests], view.eye_mm)
    quads = view.project(faces[:, 0].reshape(-1, 3)).reshape(-1, 4, 2)
    middle = quads.mean(axis=1, keepdims=True)
    reach = SETTINGS.inner + SETTINGS.slack
    patches = sample_quads(bgr, middle + (quads - middle) * reach, round(SETTINGS.px * reach / SETTINGS.inner))
    for chest, patch in zip(chests, patches, strict=True):
        shown[chest] = face_value(patch)
    return tuple(shown)


def face_value(patch: Faces) -> int | None:
    """The value of one straightened face (px, px, 3), or None where no face of a die agrees well enough."""
    ink = _ink(patch)
    best: dict[int, float] = {}
    for value, template in _templates():
        agreement = float(np.abs(cv2.matchTemplate(ink, template, cv2.TM_CCOEFF_NORMED)).max())
        best[value] = max(best.get(value, 0.0), agreement)
    order = sorted(best, key=lambda value: -best[value])
    sure = best[order[0]] >= SETTINGS.agree and best[order[0]] - best[order[1]] >= SETTINGS.lead
    return order[0] if sure else None


def _ink(patch: Faces) -> Faces:
    """The face's colours along the axis on which they differ most."""
    colours = patch.reshape(-1, 3).astype(np.float64)
    colours -= np.median(colours, axis=0)
    axis = np.linalg.eigh(colours.T @ colours)[1][:, -1]
    return np.asarray((colours @ axis).reshape(patch.shape[:2]), np.float32)


@cache
def _templates() -> tuple[tuple[int, Faces], ...]:
    step = ((np.arange(SETTINGS.px) + 0.5) / SETTINGS.px - 0.5) * SETTINGS.inner
    x, y = np.meshgrid(step, step)
    return tuple((value, _drawn(np.array(pips) * SETTINGS.pip_off_middle, x, y)) for value, pips in LAYOUTS)


def _drawn(pips: Floats, x: Floats, y: Floats) -> Faces:
    """Soft discs, as a lens shows them."""
    gap = np.min([np.hypot(x - px, y - py) for px, py in pips], axis=0)
    return np.asarray(1 / (1 + np.exp((gap - SETTINGS.pip_radius) / 0.015)), np.float32)
