"""How sure a reading is: margins of the assignment as probabilities, scaled on photos that nothing was tuned on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.drop.box import Assignment, Floats
from vision.drop.solids import Solids


@dataclass(frozen=True)
class SurenessSettings:
    """Fitted by maximum likelihood to right and wrong readings of photos kept aside from training."""

    warmth: float = 1.5  # margins are divided by this: single looks are less independent than the kernel believes
    ceiling: float = 0.995  # nothing is surer: so often something happens that no margin foresees


SETTINGS: Final = SurenessSettings()


def least_margin(found: Assignment) -> Floats:
    """What the cheapest change of each cube's kind would cost."""
    margin = found.margin.copy()
    margin[np.arange(len(margin)), found.kind] = np.inf
    return np.asarray(margin.min(axis=1))


def sureness(found: Assignment, solids: Solids) -> Floats:
    """The probability that type and size are right and that it is a cube at all."""
    others = np.exp(-np.minimum(found.margin, 500) / SETTINGS.warmth)
    others[np.arange(len(others)), found.kind] = 0.0
    share: Floats = 1 / (1 + others.sum(axis=1))
    return SETTINGS.ceiling * share * np.clip(solids.score, 0.0, 1.0) ** 0.25
