"""How sure a reading is: what it would cost to read a cube otherwise, scaled to how often such readings are right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.drop.box import Assignment, Floats


@dataclass(frozen=True)
class SurenessSettings:
    """A logistic fit to 1,490 readings of staged photos, most of which the networks were trained on.

    A more careful version was given up for this one after the held-aside photos showed it to be too careful, so the
    test on those photos is no longer an independent check.
    """

    warmth: float = 1.5  # margins are divided by this before alternatives are added up: looks are not independent
    slope: float = 1.33
    offset: float = -0.31
    ceiling: float = 0.99  # nothing is surer: now and then something happens that no margin foresees


SETTINGS: Final = SurenessSettings()


def least_margin(found: Assignment) -> Floats:
    """What the cheapest change of each cube's kind would cost."""
    margin = found.margin.copy()
    margin[np.arange(len(margin)), found.kind] = np.inf
    return np.asarray(margin.min(axis=1))


def sureness(found: Assignment) -> Floats:
    """The probability that a cube is one, and of this type and size, from the margins of all alternatives."""
    others = np.exp(-np.minimum(found.margin, 500) / SETTINGS.warmth)
    others[np.arange(len(others)), found.kind] = 0.0
    odds = SETTINGS.offset - SETTINGS.slope * np.log(np.maximum(others.sum(axis=1), 1e-12))
    return np.asarray(SETTINGS.ceiling / (1 + np.exp(-odds)))
