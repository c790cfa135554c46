"""What each cube is: looks compared with what this copy was taught, sides with its sizes, all settled under the box.

One photo has one light, so what it does to all cubes, and to all of one type, can be found from the cubes themselves:
each settling says how the types look here (vision/drop/types_model.py), and everything is settled again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera import CalibrationError
from calibration.drop_profile import DropProfile
from companion.pieces import BOX, SIZES, SOLO_TYPES, TYPES
from companion.problems import Problem
from vision.drop.appearance import Floats, Image, Seen, look_at
from vision.drop.appearance_net import embed, network_name
from vision.drop.box import Assignment, assign
from vision.drop.chest import chest_values
from vision.drop.confidence import least_margin, sureness
from vision.drop.solids import Solids
from vision.drop.types_model import light_shift, type_costs

KINDS: Final = tuple(BOX)
KIND_TYPE: Final = np.array([TYPES.index(kind) for kind, _ in KINDS])
KIND_SIZE: Final = np.array([SIZES.index(size) for _, size in KINDS])
TYPE_OF: Final = np.append(KIND_TYPE, -1)  # with the last column's: nothing
NOTHING: Final = len(KINDS)  # the column of "not a cube"
CAPACITY: Final = np.array([*BOX.values(), 1_000_000])


@dataclass(frozen=True)
class TypeSettings:
    """Costs are negative logarithms of likelihoods: 2.3 is ten to one."""

    side_sd: float = 0.06  # relative error of a fitted side, and how much cubes of one size differ
    solo: float = 3.5  # relics and the staircase are on the table in the solo game only
    # Whether a find is a cube at all: a logistic fit to the finds in staged photos of editions A and B that are not
    # held aside; the constant was then lowered by hand, when types came to be compared with the nearest looks only.
    # On 12 fresh tables the sum of faults hardly depends on these three: 69 at best, 70 with them.
    cube_odds: float = 2.0
    score_weight: float = 2.9  # of the finder's own odds
    strange_weight: float = 0.35  # of how unlike all taught looks it is; clear cubes look like bare table, so not more
    rounds: int = 8  # a bound: it stops as soon as nothing changes


SETTINGS: Final = TypeSettings()


@dataclass(frozen=True)
class Settled:
    """Parallel to the solids: what each is. `kept` is False for finds that are no cubes."""

    types: tuple[str, ...]
    sizes: tuple[str, ...]
    confidence: Floats
    side_mm: Floats  # of its size in this copy
    kept: NDArray[np.bool_]
    shows: tuple[int | None, ...] = ()  # what a chest's upper face says, where it could be read
    problems: tuple[Problem, ...] = ()


def settle(
    bgr: Image,
    view: Seen,
    solids: Solids,
    profile: DropProfile,
    *,
    white: Floats | None = None,
    sizes: Floats | None = None,
) -> Settled:
    """Types and sizes of all solids together.

    `white` is the photo's white paper where marker cards show it; `sizes` what S, L and H cost each solid (n, 3), where
    something better than their sides tells that.
    """
    if len(solids) == 0:
        return Settled((), (), np.empty(0), np.empty(0), np.empty(0, bool))
    if profile.network != network_name():
        raise CalibrationError("this profile was taught with another version of the companion; teach it again")
    points = embed(look_at(bgr, view, solids), white).astype(np.float64)
    settled = _settled(settle_points(points, solids, profile, sizes), solids, profile)
    chests = settled.kept & (np.array(settled.types) == "chest")
    return replace(settled, shows=chest_values(bgr, view, solids, chests))


def settle_points(points: Floats, solids: Solids, profile: DropProfile, measured: Floats | None = None) -> Assignment:
    """Assign, learn from the assignment how this photo shows things, assign again."""
    sizes = size_costs(solids, profile, measured)
    shift, types = np.zeros(points.shape[1]), None
    for _ in range(SETTINGS.rounds):
        costs = type_costs(points, shift, profile, types)[:, KIND_TYPE] + sizes
        found = assign(np.column_stack([costs, nothing_costs(solids, costs.min(axis=1))]), CAPACITY)
        before, types = types, TYPE_OF[found.kind]
        if before is not None and (before == types).all():
            break
        shift = light_shift(points, shift, profile, types, least_margin(found))
    return found


def size_costs(solids: Solids, profile: DropProfile, measured: Floats | None = None) -> Floats:
    """(n, kinds) from the sides or what was measured instead, and how often a kind is on the table at all."""
    if measured is None:
        sides = np.array([profile.sides_mm[size] for size in SIZES])
        measured = (np.log(solids.side_mm[:, None] / sides) / SETTINGS.side_sd) ** 2 / 2
    solo = np.array([SETTINGS.solo if kind in SOLO_TYPES else 0.0 for kind, _ in KINDS])
    cost: Floats = measured[:, KIND_SIZE] + solo
    return cost


def nothing_costs(solids: Solids, likeliest: Floats) -> Floats:
    """What it costs to call each find no cube: as much as its likeliest kind where the odds are even."""
    score = np.clip(solids.score, 1e-3, 1 - 1e-3)
    finder = SETTINGS.score_weight * np.log(score / (1 - score))
    odds: Floats = SETTINGS.cube_odds + finder - SETTINGS.strange_weight * likeliest
    return likeliest + odds


def _settled(found: Assignment, solids: Solids, profile: DropProfile) -> Settled:
    kept = found.kind != NOTHING
    chosen = [KINDS[kind] if kind != NOTHING else ("pillar", "S") for kind in found.kind]
    return Settled(
        types=tuple(kind for kind, _ in chosen),
        sizes=tuple(size for _, size in chosen),
        confidence=np.where(kept, sureness(found), 0.0),
        side_mm=np.array([profile.sides_mm[size] for _, size in chosen]),
        kept=kept,
        problems=_problems(found, solids),
    )


def _problems(found: Assignment, solids: Solids) -> tuple[Problem, ...]:
    """Sure finds that the box has no room for: a count that does not add up is a misreading."""
    over = int(((found.kind == NOTHING) & (solids.score > 0.9)).sum())
    if over == 0:
        return ()
    cubes = "One thing looks" if over == 1 else f"{over} things look"
    return (
        Problem("not-in-the-box", f"{cubes} like a cube but like none of this copy: take it away, or teach this copy."),
    )
