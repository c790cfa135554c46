"""What each cube is: looks compared with what this copy was taught, sides with its sizes, all settled under the box.

One photo has one light, so what it does to all cubes alike can be found from the cubes themselves: after a first
settling, the mean step from the taught looks to the seen ones is taken out and everything is settled again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.drop_profile import DropProfile
from companion.pieces import BOX, SOLO_TYPES, TYPES
from companion.problems import Problem
from vision.drop.appearance import Floats, Image, Looks, Seen, look_at
from vision.drop.appearance_net import embed
from vision.drop.box import Assignment, assign
from vision.drop.confidence import sureness
from vision.drop.solids import Solids

KINDS: Final = tuple(BOX)
KIND_TYPE: Final = np.array([TYPES.index(kind) for kind, _ in KINDS])
NOTHING: Final = len(KINDS)  # the column of "not a cube"
CAPACITY: Final = np.array([*BOX.values(), 1_000_000])
UNTAUGHT: Final = 1e6  # a cost that no evidence outweighs


@dataclass(frozen=True)
class TypeSettings:
    """Costs are negative logarithms of likelihoods: 2.3 is ten to one."""

    side_sd: float = 0.06  # relative error of a fitted side, and how much cubes of one size differ
    solo: float = 2.0  # relics and the staircase are on the table in the solo game only
    nothing: float = (
        14.0  # a find that no taught look comes nearer to than this, and that is only half sure, is no cube
    )
    light_rounds: int = 3  # the shift of the light has settled after two
    light_doubt: float = 6.0  # so many sure cubes are needed to believe half of the shift that they show
    light_margin: float = 1.0  # a cube whose type leads by this much counts half


SETTINGS: Final = TypeSettings()


@dataclass(frozen=True)
class Settled:
    """Parallel to the solids: what each is. `kept` is False for finds that are no cubes."""

    types: tuple[str, ...]
    sizes: tuple[str, ...]
    confidence: Floats
    side_mm: Floats  # of its size in this copy
    kept: NDArray[np.bool_]
    problems: tuple[Problem, ...] = ()


def settle(bgr: Image, view: Seen, solids: Solids, profile: DropProfile, *, white: Floats | None = None) -> Settled:
    """Types and sizes of all solids together; `white` is the photo's white paper where marker cards show it."""
    if len(solids) == 0:
        return Settled((), (), np.empty(0), np.empty(0), np.empty(0, bool))
    looks: Looks = look_at(bgr, view, solids)
    points = embed(looks, white).astype(np.float64)
    sizes = size_costs(solids, profile)
    absent = nothing_costs(solids)
    found, shift = None, np.zeros(points.shape[1])
    for _ in range(SETTINGS.light_rounds):
        found = _assigned(points - shift, sizes, absent, profile)
        shift = light_shift(points, shift, found, profile)
    found = _assigned(points - shift, sizes, absent, profile)
    return _settled(found, solids, profile)


def type_costs(points: Floats, profile: DropProfile) -> Floats:
    """(n, types) negative log-likelihoods: a kernel round every taught look of the type."""
    taught = np.array(profile.types)
    square = ((points[:, None] - profile.looks[None].astype(np.float64)) ** 2).sum(axis=2)
    costs = np.full((len(points), len(TYPES)), UNTAUGHT)
    for kind in profile.taught:
        near = square[:, taught == kind]
        best = near.min(axis=1)
        costs[:, TYPES.index(kind)] = best - np.log(np.exp(best[:, None] - near).mean(axis=1))
    return costs


def size_costs(solids: Solids, profile: DropProfile) -> Floats:
    """(n, kinds) from the fitted sides."""
    sides = np.array([profile.sides_mm[size] for _, size in KINDS])
    off: Floats = np.log(solids.side_mm[:, None] / sides) / SETTINGS.side_sd
    return off**2 / 2


def nothing_costs(solids: Solids) -> Floats:
    """What it costs to call each find no cube: more, the surer its finder was."""
    score = np.clip(solids.score, 1e-3, 1 - 1e-3)
    cost: Floats = SETTINGS.nothing + 2 * np.log(score / (1 - score))
    return cost


def light_shift(points: Floats, shift: Floats, found: Assignment, profile: DropProfile) -> Floats:
    """How this photo's light moves all looks alike: the mean step from the taught look to the seen one."""
    cubes = found.kind != NOTHING
    if not cubes.any():
        return shift
    taught = np.array([TYPES.index(kind) for kind in profile.types])
    mine = KIND_TYPE[found.kind[cubes]]
    square = ((points[cubes, None] - shift - profile.looks[None]) ** 2).sum(axis=2)
    square = np.where(taught[None] == mine[:, None], square, np.inf)
    weight = np.exp(square.min(axis=1, keepdims=True) - square)
    nearest = weight @ profile.looks / weight.sum(axis=1, keepdims=True)
    sure = 1 / (1 + np.exp(SETTINGS.light_margin - np.minimum(type_margin(found)[cubes], 50)))
    step = (sure[:, None] * (points[cubes] - nearest)).sum(axis=0)
    return np.asarray(step / (sure.sum() + SETTINGS.light_doubt))


def type_margin(found: Assignment) -> Floats:
    """What it would cost to make each cube any other type, or nothing."""
    own = np.append(KIND_TYPE, -1)[found.kind]
    other = np.append(KIND_TYPE, -1)[None] != own[:, None]
    return np.asarray(np.where(other, found.margin, np.inf).min(axis=1))


def _assigned(points: Floats, sizes: Floats, absent: Floats, profile: DropProfile) -> Assignment:
    costs = type_costs(points, profile)[:, KIND_TYPE] + sizes
    costs = costs + np.array([SETTINGS.solo if kind in SOLO_TYPES else 0.0 for kind, _ in KINDS])
    costs = np.column_stack([costs, absent])
    return assign(costs, CAPACITY)


def _settled(found: Assignment, solids: Solids, profile: DropProfile) -> Settled:
    kept = found.kind != NOTHING
    chosen = [KINDS[kind] if kind != NOTHING else ("pillar", "S") for kind in found.kind]
    return Settled(
        types=tuple(kind for kind, _ in chosen),
        sizes=tuple(size for _, size in chosen),
        confidence=np.where(kept, sureness(found, solids), 0.0),
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
