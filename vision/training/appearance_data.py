"""Labelled photos made ready for the appearance network: every cube cut out as the reader does, not quite
in place, and with them what the reader takes for cubes and bare table, to learn what is none.

What a cube is made of is known for staged photos: the studio makes a copy's looks from its seed, and the side of its
small cubes gives the seed away.
"""

from __future__ import annotations

import json
import random
import sys
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from calibration.view import TableView, visible_region
from vision.drop import search
from vision.drop.appearance import look_at
from vision.drop.appearance_net import white_of_cards
from vision.drop.solids import Solids, joined, standing, turned
from vision.training.drop_data import true_view

STUDIO = Path(__file__).parents[3] / "shared" / "studio"
SEEDS = 60_000  # how far to look for the seed of a made-up copy
CUTS = 5  # each cube as it is, and four times as a finder might place it
PLACE_MM, TURN_RAD, SIDE = 0.4, 0.05, 0.03  # standard deviations of a finder's errors
NO_CUBE = ""  # the type of what is none
LEAST = 0.12  # the reader's score of a find that may have to be told from a cube
MARGIN_MM, BARE, APART_SIDES = 40.0, 6, 0.7  # bare spots of table beside the finds; how far from any cube they lie
MOST_NO_CUBES = 36


@dataclass
class Shots:
    """One photo's cubes as parallel arrays, `CUTS` cuts of each."""

    name: str
    copy: str  # photos of one copy share this
    crops: np.ndarray  # (cuts, n, px, px, 3) uint8, BGR
    top: np.ndarray  # (cuts, n, px, px) bool
    sides: np.ndarray
    types: np.ndarray  # (n,) str; NO_CUBE for what is none
    visible: np.ndarray  # (n,); 0 for what is no cube
    looks: np.ndarray  # (n, 7): BGR, clear, metal, marbled, crackled
    white: np.ndarray | None  # BGR of the cards' paper


def shots_of(path: Path, rng: np.random.Generator) -> Shots:
    truth = json.loads(path.read_text())
    view, turn = true_view(truth)
    photo = cv2.imread(str(path.with_suffix(".jpg")))
    width, height = truth["width"], truth["height"]
    cubes = [c for c in truth["cubes"] if _inside(c["center_px"], width, height) and c["visible"] >= 0.3]
    others = no_cubes(photo, view, _solids(truth["cubes"], turn, None), rng)
    cuts = []
    for cut in range(CUTS):
        shaken = rng if cut else None
        cuts.append(look_at(photo, view, joined([_solids(cubes, turn, shaken), _shaken(others, shaken)])))
    cards = np.array([m["corners_px"] for m in truth["markers"]]).reshape(-1, 4, 2)
    made_of = copy_looks(truth)
    none = np.zeros(len(others))
    return Shots(
        name=path.stem,
        copy=path.stem if truth["edition"] == "random" else truth["edition"],
        crops=np.stack([(cut.crops * 255 + 0.5).astype(np.uint8) for cut in cuts]),
        top=np.stack([cut.top for cut in cuts]),
        sides=np.stack([cut.sides for cut in cuts]),
        types=np.array([c["type"] for c in cubes] + [NO_CUBE] * len(others)),
        visible=np.concatenate([[c["visible"] for c in cubes], none]),
        looks=np.stack([made_of[c["type"]] for c in cubes] + [np.zeros(7, np.float32)] * len(others)),
        white=white_of_cards(photo, cards),
    )


def no_cubes(photo: np.ndarray, view: TableView, cubes: Solids, rng: np.random.Generator) -> Solids:
    """Finds of the reader where no cube is, and a few bare spots of the table."""
    left, bottom, right, top = visible_region(view, search.SETTINGS.height_mm)
    here = cubes.center_mm[np.abs(cubes.center_mm[:, :2] - np.median(cubes.center_mm[:, :2], axis=0)).max(axis=1) < 330]
    low, high = here[:, :2].min(axis=0) - MARGIN_MM, here[:, :2].max(axis=0) + MARGIN_MM
    region = max(left, low[0]), max(bottom, low[1]), min(right, high[0]), min(top, high[1])
    searched = search.search(photo, view, region, replace(search.SETTINGS, least=LEAST))
    finds = search.solids_from(searched, view)
    spots = rng.uniform(region[:2], region[2:], (BARE, 2))
    bare = standing(spots, rng.uniform(7.5, 11, BARE), rng.uniform(0, np.pi, BARE), score=0.0, error_mm=0.0)
    found = joined([finds, bare])
    gap = np.linalg.norm(view.project(found.center_mm)[:, None] - view.project(cubes.center_mm)[None], axis=2)
    reach = APART_SIDES * cubes.side_mm * view.px_per_mm(cubes.center_mm)
    return found[rng.permutation(np.flatnonzero((gap > reach).all(axis=1)))[:MOST_NO_CUBES]]


def copy_looks(truth: dict) -> dict[str, np.ndarray]:
    """What each type of this photo's copy is made of."""
    assets = _assets()
    if truth["edition"] in assets.EDITIONS:
        edition = assets.EDITIONS[truth["edition"]]
    else:
        small = next(c["side_mm"] for c in truth["cubes"] if c["size"] == "S")
        edition = assets.random_edition(random.Random(_seeds()[round(small, 6)]))
    return {kind: _numbers(look) for kind, look in edition.cubes.items()}


def _numbers(look) -> np.ndarray:
    red, green, blue = (value / 255 for value in look.srgb)
    finish = (look.transmission, look.metallic, look.marbling / 0.6, look.crackle / 0.7)
    return np.array([blue, green, red, *finish], np.float32)


@cache
def _assets():
    sys.path.insert(0, str(STUDIO))
    import assets

    return assets


@cache
def _seeds() -> dict[float, int]:
    make = _assets().random_edition
    return {round(make(random.Random(seed)).sides_mm["S"], 6): seed for seed in range(SEEDS)}


def _inside(point: list[float], width: int, height: int) -> bool:
    return 3 < point[0] < width - 3 and 3 < point[1] < height - 3


def _solids(cubes: list[dict], turn: np.ndarray, rng: np.random.Generator | None) -> Solids:
    """The cubes as they stand, in the frame of the view; off by a finder's errors where a generator is given."""
    center = np.array([c["center_mm"] for c in cubes], float) @ turn.T
    side = np.array([c["side_mm"] for c in cubes], float)
    feet = [cv2.minAreaRect((np.array(c["footprint_mm"]) @ turn[:2, :2].T).astype(np.float32)) for c in cubes]
    angle = np.radians([foot[2] for foot in feet])
    if rng is not None:
        center[:, :2] += rng.normal(0, PLACE_MM, (len(cubes), 2))
        angle = angle + rng.normal(0, TURN_RAD, len(cubes))
        side = side * np.exp(rng.normal(0, SIDE, len(cubes)))
    return Solids(center, side, turned(angle), np.ones(len(cubes)), np.zeros(len(cubes)))


def _shaken(solids: Solids, rng: np.random.Generator | None) -> Solids:
    if rng is None:
        return solids
    off = np.column_stack([rng.normal(0, PLACE_MM, (len(solids), 2)), np.zeros(len(solids))])
    return replace(solids, center_mm=solids.center_mm + off)
