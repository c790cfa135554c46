"""Which standee is which: pictures and bases held against those that were taught, all settled together by the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.hustle_profile import HustleProfile
from companion.tiles import HEROES
from vision.hustle.cards import Floats, capped
from vision.hustle.standees import Portraits


@dataclass(frozen=True)
class WhoSettings:
    cap: float = 0.35  # upright cards catch the light otherwise than flat ones: only gross disagreement counts
    base_sd: float = 0.22  # a base lies flat but shines
    base_weight: float = 0.6  # where that is all that is seen
    alike_weight: float = 1.5  # of correlation with a picture, where it is seen well enough to be laid over it
    beside_weight: float = 0.2  # of the base then: it is part of what was compared
    least_bare: float = 0.5  # of a base, or it is the one before it whose colours are seen
    unseen_off: float = 1.0  # what a base that is not seen costs whoever it may be
    hazes: tuple[float, ...] = (0.0, 0.1, 0.2, 0.3, 0.4)  # share of white that glare may lay over a base
    haze_price: float = 1.0  # most bases have none
    gains: tuple[float, ...] = (0.8, 1.0, 1.25, 1.5)  # a base is turned to the lamp or away, or was when it was taught
    gain_price: float = 1.0
    dark: float = 0.25  # untaught: a base darker than this is a monster's
    untaught: float = 0.7  # how often a base's darkness tells monsters from heroes
    most_monsters: int = 4
    crowd_price: float = 0.5  # a fifth monster is a misread hero or nobody


SETTINGS: Final = WhoSettings()


def name_standees(
    seen: Portraits, alike: Sequence[Floats], profile: HustleProfile, settings: WhoSettings = SETTINGS
) -> tuple[list[str], list[float]]:
    """A name for each and how sure that is; no hero twice, at most four monsters.

    `alike` has each one's correlation with every taught picture, or nothing where it is seen from too far above.
    """
    if len(seen.faces) == 0:
        return [], []
    if not profile.standees:
        dark = seen.bases.mean(1) < settings.dark
        return ["monster" if is_dark else "hero" for is_dark in dark], [settings.untaught] * len(dark)
    names = tuple(dict.fromkeys(profile.standees))
    cost = np.array(
        [
            [_unlike(seen, n, alike[n], profile, name=name, settings=settings) for name in names]
            for n in range(len(alike))
        ]
    )
    order = _settled(cost, names, settings)
    return [names[k] for k in order], [_certainty(cost[n], k) for n, k in enumerate(order)]


def _unlike(
    seen: Portraits, n: int, alike: Floats, profile: HustleProfile, *, name: str, settings: WhoSettings
) -> float:
    """How badly one that was found resembles the best of this name's pictures."""
    face, base = seen.faces[n], seen.bases[n]
    mine = [k for k, who in enumerate(profile.standees) if who == name]
    shows, unseen = seen.bare[n] >= settings.least_bare, np.full(len(mine), settings.unseen_off, np.float32)
    if len(alike):
        off = np.minimum(_base_off(base, profile.standee_bases[mine], settings), 2.0) if shows else unseen
        return float((settings.alike_weight * (1 - alike[mine]) + settings.beside_weight * off).min())
    taught = profile.standee_faces[mine]
    gain = (face * taught).sum((1, 2, 3)) / np.maximum((taught * taught).sum((1, 2, 3)), 1e-6)
    lit = taught * np.clip(gain, 0.5, 2.0)[:, None, None, None]
    picture = capped(face[None], lit, settings.cap).mean((1, 2))
    off = _base_off(base, profile.standee_bases[mine], settings) if shows else unseen
    return float((seen.clarity[n] * picture + settings.base_weight * np.minimum(off, 2.0)).min())


def _base_off(seen: Floats, taught: Floats, settings: WhoSettings) -> Floats:
    """How badly a base's colour fits each taught one, in the light that suits it best: dimmed, or white with glare."""
    haze = np.array(settings.hazes, np.float32)[:, None, None, None]
    gain = np.array(settings.gains, np.float32)[:, None, None]
    lit = np.minimum(taught * gain, 1.0) * (1 - haze) + haze
    price = settings.haze_price * haze[..., 0] + settings.gain_price * np.log(gain[..., 0]) ** 2
    off = ((np.minimum(seen, 1.0) - lit) ** 2).mean(-1) / settings.base_sd**2 + price
    return np.asarray(off.min((0, 1)), np.float32)


def _settled(cost: Floats, names: tuple[str, ...], settings: WhoSettings) -> list[int]:
    """The cheapest naming of all together: standee by standee, remembering which heroes are taken."""
    heroes = [k for k, name in enumerate(names) if name in HEROES]
    others = [k for k, name in enumerate(names) if name not in HEROES]
    best: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {(0, 0): (0.0, ())}  # heroes taken, monsters so far
    for costs in cost:
        step: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {}
        for (taken, many), (price, given) in best.items():
            choices = [(taken | 1 << i, many, float(costs[k]), k) for i, k in enumerate(heroes) if not taken >> i & 1]
            crowd = settings.crowd_price * (many >= settings.most_monsters)
            choices += [(taken, many + 1, float(costs[k]) + crowd, k) for k in others]
            if not choices:  # more heroes than there can be: somebody is named twice
                k = int(costs.argmin())
                choices = [(taken, many, float(costs[k]), k)]
            for heroes_taken, monsters, more, k in choices:
                key = (heroes_taken, monsters)
                if key not in step or price + more < step[key][0]:
                    step[key] = (price + more, (*given, k))
        best = step
    return list(min(best.values())[1])


def _certainty(costs: Floats, chosen: int) -> float:
    rest = np.delete(costs, chosen)
    return 0.99 if len(rest) == 0 else float(1 / (1 + np.exp(-12 * (rest.min() - costs[chosen]) - 1)))
