"""One photo of a Dungeon Drop table, read: the recipe."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import numpy as np

from calibration.camera import Array, CalibrationError, Camera, guessed_camera
from calibration.drop_profile import SIZES, DropProfile, default_drop_profile
from calibration.markers import FoundCards, find_cards, view_from_markers
from calibration.view import TableView
from companion.pieces import Outline, Piece
from companion.problems import Problem
from companion.readings import DropReading
from vision.drop.appearance_net import white_of_cards
from vision.drop.explain import explain_reading
from vision.drop.meeples import meeples_of
from vision.drop.network import Finds
from vision.drop.scale import edge_view, refined_view, rough_view
from vision.drop.search import Searched, find_roughly, region_of, search, solids_from
from vision.drop.sizes import fit_sizes
from vision.drop.solids import Solids, center_px, footprint_mm, outline_px
from vision.drop.types import Settled, settle
from vision.photo import Photo

SMALLEST_PX: Final = 64  # four small cubes side by side, as small as the finder can see them
TOO_SMALL: Final = Problem("too-small", "The photo is too small to show a table: send it at its full size.")
HOPELESS_MM: Final = 12.0  # where the table's scale is this unsure, what was found are hardly cubes
NO_CUBES: Final = Problem("no-cubes", "No cubes can be seen: take the photo from above, with the whole table in it.")
NO_SCALE: Final = Problem(
    "no-scale", "Too few cubes to tell how large the table is: lay the printed marker cards beside the cubes."
)


@dataclass
class Stopwatch:
    """Milliseconds by stage."""

    timings_ms: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.timings_ms[stage] = self.timings_ms.get(stage, 0.0) + (time.perf_counter() - start) * 1000


def read_table(
    photo: Photo,
    profile: DropProfile | None = None,
    *,
    camera: Camera | None = None,
    view: TableView | None = None,
    explain: Path | None = None,
) -> DropReading:
    """Every cube of a table or a stash: its type, size and place, and how sure that is.

    `camera` is the lens where it was calibrated, `view` the table's view where somebody gave its corners; `explain`
    is a folder for pictures of every stage.
    """
    if min(photo.size) < SMALLEST_PX:
        return DropReading(photo.name, problems=(*photo.problems, TOO_SMALL), timings_ms={"decode": photo.decode_ms})
    profile = profile or default_drop_profile()
    lens = camera or guessed_camera(*photo.size, photo.focal_px_hint)
    clock = Stopwatch({"decode": photo.decode_ms})
    start = time.perf_counter()
    with clock("table"):
        cards = find_cards(photo.bgr)
        seen = view or _view_of_cards(cards, lens)
    with clock("find"):
        rough = find_roughly(photo.bgr, hasty=seen is not None)
    with clock("cubes"):
        view, searched = _searched(photo, seen, rough, lens, profile)
    if view is None or searched is None or view.error_mm > HOPELESS_MM:
        problem = NO_CUBES if len(rough) == 0 else NO_SCALE
        return DropReading(photo.name, problems=(*photo.problems, problem), timings_ms=clock.timings_ms)
    with clock("fit"):
        found = solids_from(searched, view)
        sized = fit_sizes(photo.bgr, view, found, _sides(profile))
    with clock("types"):
        white = white_of_cards(photo.bgr, cards.corners_px)
        likely = sized[np.argmin(sized.cost, axis=1)]
        settled = settle(photo.bgr, view, likely, profile, white=white, sizes=sized.cost)
    with clock("pieces"):
        solids = sized[np.array([SIZES.index(size) for size in settled.sizes], np.intp)][settled.kept]
        pieces = _pieces(solids, settled, view, meeples_of(searched, view))
    clock.timings_ms["read"] = (time.perf_counter() - start) * 1000
    reading = DropReading(
        photo=photo.name,
        pieces=pieces,
        scale_from=view.scale_from,
        error_mm=position_error(view, solids),
        problems=(*photo.problems, *settled.problems, *_problems(pieces)),
        timings_ms=clock.timings_ms,
    )
    if explain is not None:
        explain_reading(explain, photo.bgr, reading, view=view, rough=rough, cards=cards, searched=searched)
    return reading


def _view_of_cards(cards: FoundCards, lens: Camera) -> TableView | None:
    if len(cards) == 0:
        return None
    try:
        return view_from_markers(cards, lens)
    except CalibrationError:
        return None


def _searched(
    photo: Photo, view: TableView | None, rough: Finds, lens: Camera, profile: DropProfile
) -> tuple[TableView | None, Searched | None]:
    """The reader's finds, and the view that they stand in: the one given, or one that the cubes themselves tell."""
    if view is not None:
        region = region_of(view, rough)
        return view, None if region is None else search(photo.bgr, view, region)
    sides = _sides(profile)
    try:
        view = rough_view(rough, lens, sides)
    except CalibrationError:
        return None, None
    region = region_of(view, rough)
    if region is None:
        return None, None
    searched = search(photo.bgr, view, region)
    view = refined_view(searched, lens, sides)
    return edge_view(photo.bgr, searched, view, camera=lens, sides_mm=sides), searched


def _sides(profile: DropProfile) -> Array:
    return np.array([profile.sides_mm[size] for size in SIZES])


def position_error(view: TableView, solids: Solids) -> float | None:
    """One standard deviation of where a cube stands with respect to the others: the view's share and the cubes' own."""
    if len(solids) == 0:
        return None
    return float(np.hypot(view.error_mm, np.median(solids.error_mm)))


def _pieces(solids: Solids, settled: Settled, view: TableView, meeples: list[Piece]) -> tuple[Piece, ...]:
    kept = np.flatnonzero(settled.kept)
    middle_px, outlines, footprints = center_px(solids, view), outline_px(solids, view), footprint_mm(solids)
    cubes = [
        Piece(
            id="",
            type=settled.types[k],
            size=settled.sizes[k],
            confidence=float(settled.confidence[k]),
            center_px=(float(middle_px[i, 0]), float(middle_px[i, 1])),
            outline_px=_points(outlines[i]),
            center_mm=(float(solids.center_mm[i, 0]), float(solids.center_mm[i, 1])),
            footprint_mm=_points(footprints[i]),
            shows=settled.shows[k],
            resting="stacked" if solids.base_mm[i] > 0 else "flat",
        )
        for i, k in enumerate(kept)
    ]
    ordered = sorted([*cubes, *meeples], key=lambda piece: (piece.center_px or (0.0, 0.0))[::-1])
    return tuple(replace(piece, id=f"p{number:02}") for number, piece in enumerate(ordered, 1))


def _problems(pieces: tuple[Piece, ...]) -> tuple[Problem, ...]:
    cubes = [piece for piece in pieces if piece.type != "meeple"]
    if not cubes:
        return (NO_CUBES,)
    return ()


def _points(points: Array) -> Outline:
    return tuple((float(x), float(y)) for x, y in points)
