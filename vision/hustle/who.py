"""Which standee is which: pictures and bases held against those that were taught, all settled together by the rules."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import Final

import numpy as np

from calibration.hustle_profile import HustleProfile
from companion.tiles import HEROES
from vision.hustle.cards import Floats
from vision.hustle.faces import capped


@dataclass(frozen=True)
class WhoSettings:
    cap: float = 0.35  # upright cards catch the light otherwise than flat ones: only gross disagreement counts
    base_sd: float = 0.22  # a base lies flat but shines
    base_weight: float = 0.6
    dark: float = 0.25  # untaught: a base darker than this is a monster's
    most_monsters: int = 4


SETTINGS: Final = WhoSettings()


def name_standees(
    faces: Floats, bases: Floats, profile: HustleProfile, settings: WhoSettings = SETTINGS
) -> tuple[list[str], list[float]]:
    """A name for each and how sure that is; no hero twice, at most four monsters."""
    if len(faces) == 0:
        return [], []
    if not profile.standees:
        dark = bases.mean(1) < settings.dark
        return ["monster" if is_dark else "hero" for is_dark in dark], [0.7] * len(dark)
    names = tuple(dict.fromkeys(profile.standees))
    cost = np.array(
        [
            [_unlike(face, base, profile, name, settings) for name in names]
            for face, base in zip(faces, bases, strict=True)
        ]
    )
    order = _settled(cost, names, settings)
    return [names[k] for k in order], [_certainty(cost[n], k) for n, k in enumerate(order)]


def _unlike(face: Floats, base: Floats, profile: HustleProfile, name: str, settings: WhoSettings) -> float:
    """How badly one that was found resembles the best of this name's pictures."""
    mine = [k for k, who in enumerate(profile.standees) if who == name]
    taught = profile.standee_faces[mine]
    gain = (face * taught).sum((1, 2, 3)) / np.maximum((taught * taught).sum((1, 2, 3)), 1e-6)
    lit = taught * np.clip(gain, 0.5, 2.0)[:, None, None, None]
    picture = capped(face[None], lit, settings.cap).mean((1, 2))
    off = ((base - profile.standee_bases[mine]) ** 2).mean(1) / settings.base_sd**2
    return float((picture + settings.base_weight * np.minimum(off, 2.0)).min())


def _settled(cost: Floats, names: tuple[str, ...], settings: WhoSettings) -> list[int]:
    """The cheapest naming of all together: heroes are few enough to try every way of giving their names."""
    heroes = [k for k, name in enumerate(names) if name in HEROES]
    others = [k for k, name in enumerate(names) if name not in HEROES]
    plain = cost[:, others].argmin(1) if others else None
    base = cost[:, others].min(1) if others else np.full(len(cost), 10.0)
    likely = sorted(range(len(cost)), key=lambda n: float(cost[n, heroes].min() - base[n]) if heroes else 0.0)[:7]
    best_price, best_given = np.inf, {}
    slots = [*likely, *[-1] * len(heroes)]
    for given in set(permutations(slots, len(heroes))):
        owners = {n: heroes[i] for i, n in enumerate(given) if n >= 0}
        price = sum(cost[n, k] - base[n] for n, k in owners.items())
        price += 0.5 * max(0, len(cost) - len(owners) - settings.most_monsters)
        if price < best_price:
            best_price, best_given = price, owners
    return [
        best_given.get(n, others[int(plain[n])] if plain is not None else int(cost[n].argmin()))
        for n in range(len(cost))
    ]


def _certainty(costs: Floats, chosen: int) -> float:
    rest = np.delete(costs, chosen)
    return 0.99 if len(rest) == 0 else float(1 / (1 + np.exp(-12 * (rest.min() - costs[chosen]) - 1)))
