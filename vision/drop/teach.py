"""Learn a copy's cubes from tapped photos: what each type looks like, and how long the sides of S, L and H are.

A tap says type, size and roughly the middle; the solid at the tap is found by the same networks that read tables. With
marker cards the sides come out in true millimetres. Without, only their proportions can be told: small cubes are then
taken to be as large as the published ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera import CalibrationError, Camera, guessed_camera
from calibration.drop_profile import SIZES, DropProfile
from calibration.markers import FoundCards, find_cards, view_from_markers
from calibration.view import TableView
from companion.errors import InvalidInput
from companion.taps import CubeTap, DropTaps
from vision.drop.appearance import Floats, look_at
from vision.drop.appearance_net import embed, network_name, white_of_cards
from vision.drop.fit import fit_solids, fit_view
from vision.drop.network import Finds
from vision.drop.scale import apparent, refined_view, rough_view
from vision.drop.search import find_roughly, region_of, search, solids_from
from vision.drop.sizes import fit_sizes
from vision.drop.solids import Solids, center_px, no_solids, resized, standing
from vision.photo import Photo

PUBLISHED_MM: Final[Mapping[str, float]] = {"S": 8.0, "L": 10.3, "H": 12.7}  # between the published cubes' reports


@dataclass(frozen=True)
class TeachSettings:
    reach_sides: float = 0.7  # a tap farther than this from every find was not on any of them
    enough_looks: int = 2  # a type with fewer is also learnt from taps at which no solid was found
    turns: int = 2  # without cards: of measuring the sides and judging the view by them again
    tried: tuple[float, ...] = tuple(np.linspace(-0.2, 0.2, 17))  # log sides tried by edges, round the network's
    least_step: float = 1.12  # without cards: from one size to the next; no copy is known with less
    few: int = 6  # cubes; fewer cannot say how the table lies


SETTINGS: Final = TeachSettings()


@dataclass(frozen=True, eq=False)
class TaughtPhoto:
    """One teach photo: the solid at every tap, and whether it was found or only supposed there."""

    photo: Photo
    view: TableView
    cards: FoundCards
    taps: tuple[CubeTap, ...]
    solids: Solids
    found: NDArray[np.bool_]


def learn(taught: Sequence[tuple[Photo, DropTaps]]) -> DropProfile:
    """A profile from one or more tapped photos; nothing else of this copy need be known."""
    looked_at = [(photo, taps.cubes, find_cards(photo.bgr)) for photo, taps in taught]
    views = [_view_of_cards(photo, cards) for photo, _, cards in looked_at]
    seen = [
        _with_view(photo, taps, cards, view, PUBLISHED_MM)
        for (photo, taps, cards), view in zip(looked_at, views, strict=True)
        if view is not None
    ]
    sides = edge_sides(seen, measured_sides(seen, PUBLISHED_MM)) if seen else dict(PUBLISHED_MM)
    anchored = not seen
    seen += [
        _without_cards(photo, taps, cards, sides, anchored=anchored)
        for (photo, taps, cards), view in zip(looked_at, views, strict=True)
        if view is None
    ]
    if anchored:
        sides = anchored_sides(edge_sides(seen, measured_sides(seen, sides)))
    return _profile(seen, sides)


def measured_sides(seen: Sequence[TaughtPhoto], otherwise: Mapping[str, float]) -> dict[str, float]:
    """The median side of each size; one that was not tapped keeps its proportion to those that were."""
    sides = np.concatenate([one.solids.side_mm[one.found] for one in seen])
    sizes = np.array([tap.size for one in seen for tap, found in zip(one.taps, one.found, strict=True) if found])
    measured = {size: float(np.median(sides[sizes == size])) for size in SIZES if (sizes == size).any()}
    scale = float(np.median([side / otherwise[size] for size, side in measured.items()])) if measured else 1.0
    return {size: measured.get(size, otherwise[size] * scale) for size in SIZES}


def edge_sides(seen: Sequence[TaughtPhoto], roughly: Mapping[str, float]) -> dict[str, float]:
    """The side of each size whose edges fit its cubes best, all photos together, near what the network said."""
    steps = np.array(SETTINGS.tried)
    sides = dict(roughly)
    for size in SIZES:
        cost = np.zeros(len(steps))
        for one in seen:
            mine = np.array([tap.size == size for tap in one.taps]) & one.found
            if mine.any():
                tried = sides[size] * np.exp(steps)
                cost += fit_sizes(one.photo.bgr, one.view, one.solids[mine], tried).cost.sum(axis=0)
        if cost.any():
            sides[size] *= float(np.exp(_lowest(steps, cost)))
    return sides


def anchored_sides(sides: Mapping[str, float]) -> dict[str, float]:
    """The same proportions, with small cubes as large as the published ones; larger sizes stay larger."""
    scale = PUBLISHED_MM["S"] / sides["S"]
    large = max(sides["L"] * scale, PUBLISHED_MM["S"] * SETTINGS.least_step)
    return {"S": PUBLISHED_MM["S"], "L": large, "H": max(sides["H"] * scale, large * SETTINGS.least_step)}


def _lowest(steps: Floats, cost: Floats) -> float:
    """Where a curve through the least of evenly spaced costs and its neighbours is lowest."""
    least = int(np.clip(np.argmin(cost), 1, len(steps) - 2))
    before, here, after = cost[least - 1 : least + 2]
    bend = before - 2 * here + after
    shift = 0.0 if bend <= 0 else float(np.clip((before - after) / (2 * bend), -1, 1))
    return float(steps[least] + shift * (steps[1] - steps[0]))


def _view_of_cards(photo: Photo, cards: FoundCards) -> TableView | None:
    if len(cards) == 0:
        return None
    try:
        return view_from_markers(cards, _camera(photo))
    except CalibrationError:
        return None


def _camera(photo: Photo) -> Camera:
    return guessed_camera(*photo.size, photo.focal_px_hint)


def _with_view(
    photo: Photo, taps: tuple[CubeTap, ...], cards: FoundCards, view: TableView, sides: Mapping[str, float]
) -> TaughtPhoto:
    region = region_of(view, _as_finds(taps))
    if region is None:
        raise InvalidInput(f"{photo.name}: the taps do not lie on the table; tap the middles of cubes")
    finds = solids_from(search(photo.bgr, view, region), view)
    return _matched(TaughtPhoto(photo, view, cards, taps, finds, np.ones(len(finds), bool)), sides)


def _without_cards(
    photo: Photo, taps: tuple[CubeTap, ...], cards: FoundCards, sides: Mapping[str, float], *, anchored: bool
) -> TaughtPhoto:
    """The view from the cubes' own sizes, judged again once their proportions are measured; S stays what it was."""
    camera = _camera(photo)
    try:
        view = rough_view(find_roughly(photo.bgr), camera, np.array([sides[size] for size in SIZES]))
    except CalibrationError as problem:
        raise InvalidInput(f"{photo.name}: {problem}") from None
    for turn in range(SETTINGS.turns):
        region = region_of(view, _as_finds(taps))
        if region is None:
            raise InvalidInput(f"{photo.name}: the taps do not lie on the table; lay marker cards beside the cubes")
        searched = search(photo.bgr, view, region)
        view = refined_view(searched, camera, np.array([sides[size] for size in SIZES]))
        blank = TaughtPhoto(photo, view, cards, taps, no_solids(), np.zeros(0, bool))
        here = _matched(replace(blank, solids=solids_from(searched, view)), sides)
        view = _view_by_edges(here, camera, sides)
        here = _matched(replace(blank, view=view, solids=solids_from(searched, view)), sides)
        if anchored and turn + 1 < SETTINGS.turns:
            sides = anchored_sides(edge_sides([here], measured_sides([here], sides)))
    return here


def _view_by_edges(here: TaughtPhoto, camera: Camera, sides: Mapping[str, float]) -> TableView:
    """The view under which cubes of the tapped sizes fit the photo best."""
    side = np.array([sides[tap.size] for tap in here.taps])
    if here.found.sum() < SETTINGS.few:
        return here.view
    solids = resized(here.solids[here.found], here.view, side[here.found])
    return fit_view(here.photo.bgr, here.view, solids, camera)


def _as_finds(taps: Sequence[CubeTap]) -> Finds:
    places = np.array([tap.center_px for tap in taps], float).reshape(-1, 2)
    return Finds(places, np.ones(len(places)), {})


def _matched(seen: TaughtPhoto, sides: Mapping[str, float]) -> TaughtPhoto:
    """The find nearest to each tap, nearest pairs first; a supposed cube where no find is near."""
    places = np.array([tap.center_px for tap in seen.taps], float)
    finds, view = seen.solids, seen.view
    supposed = _supposed(places, np.array([sides[tap.size] for tap in seen.taps]), view)
    gap = np.linalg.norm(places[:, None] - center_px(finds, view)[None], axis=2)
    reach = SETTINGS.reach_sides * apparent(view, supposed.center_mm)[0] * supposed.side_mm
    chosen = np.full(len(places), -1)
    for flat in np.argsort(gap, axis=None):
        tap, find = np.unravel_index(flat, gap.shape)
        if gap[tap, find] <= reach[tap] and chosen[tap] < 0 and find not in chosen:
            chosen[tap] = find
    found = chosen >= 0
    if not found.any():
        raise InvalidInput(f"{seen.photo.name}: no cube was found at any tap; tap the middles of the cubes")
    both = [np.where(_like(found, mine), mine[chosen], other) for mine, other in _pairs(finds, supposed)]
    return replace(seen, solids=Solids(*both), found=found)


def _like(mask: NDArray[np.bool_], values: Floats) -> NDArray[np.bool_]:
    return mask.reshape(-1, *[1] * (values.ndim - 1))


def _pairs(finds: Solids, supposed: Solids) -> list[tuple[Floats, Floats]]:
    return [(getattr(finds, name), getattr(supposed, name)) for name in vars(supposed)]


def _supposed(places_px: Floats, side_mm: Floats, view: TableView) -> Solids:
    """Cubes of these sides at the taps, turned as the table is."""
    xy = view.to_table(places_px, 0.5 * side_mm)
    return standing(np.nan_to_num(xy), side_mm, np.zeros(len(side_mm)), score=0.5, error_mm=1.0)


def _profile(seen: Sequence[TaughtPhoto], sides: Mapping[str, float]) -> DropProfile:
    counts: dict[str, int] = {}
    for one in seen:
        for tap, found in zip(one.taps, one.found, strict=True):
            counts[tap.type] = counts.get(tap.type, 0) + int(found)
    types: list[str] = []
    photos: list[int] = []
    looks = []
    for number, one in enumerate(seen):
        keep = np.array(
            [found or counts[t.type] < SETTINGS.enough_looks for t, found in zip(one.taps, one.found, strict=True)]
        )
        side = np.array([sides[tap.size] for tap in one.taps])
        solids = fit_solids(one.photo.bgr, one.view, resized(one.solids, one.view, side))
        white = white_of_cards(one.photo.bgr, one.cards.corners_px)
        looks.append(embed(look_at(one.photo.bgr, one.view, solids), white)[keep])
        types += [tap.type for tap, kept in zip(one.taps, keep, strict=True) if kept]
        photos += [number] * int(keep.sum())
    name = f"taught from {len(seen)} photo{'s' * (len(seen) > 1)}"
    return DropProfile(name, network_name(), sides, tuple(types), tuple(photos), np.concatenate(looks))
