"""From a photo and its table view to solids: where to look, what the reader finds there, and where that stands."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from calibration.view import Region, Straightening, TableView, straightening, visible_region
from vision.drop.network import CELL_PX, FINDER, READER, Array, Finds, Image, apart, cells, peaks
from vision.drop.solids import Solids, standing


@dataclass(frozen=True)
class SearchSettings:
    finder_long_side_px: int = 640  # a small cube is 5 to 14 px wide then: enough to see that something is there
    hasty_long_side_px: int = 480  # where cards tell the scale, and only where to look is asked
    finder_least: float = 0.3  # so that the region it spans has never left out a cube of the tuning photos
    height_mm: float = 4.5  # half of a small cube
    px_per_mm: float = 1.4  # a small cube is 10 to 14 px wide; the photo itself then says where its edges are
    margin_mm: float = 16.0  # round what the finder saw; the reader also sees cubes whole that stand at its edge
    sure: float = 0.5  # the finder's false finds mostly stay below this
    widest_mm: float = 640.0  # no table with cards is wider; a stray find beyond must not blow up the picture
    least: float = 0.15  # hardly one below is a cube; but looks were learnt among finds that are none, as these
    error_share: float = 0.6  # of what the network says of its own error, which is the sum along both axes
    most: int = 120  # the box holds 93 cubes: more finds than this are a patterned table
    stacked_sides: float = 0.45  # a cube whose underside is higher than this stands on another


SETTINGS: Final = SearchSettings()


@dataclass(frozen=True, eq=False)
class Searched:
    """What the reader saw and said, in a picture straightened by `view`."""

    view: TableView
    straight: Straightening
    picture: Image
    cubes: Finds
    meeples: Finds


def find_roughly(bgr: Image, *, hasty: bool = False, settings: SearchSettings = SETTINGS) -> Finds:
    """What the finder sees in the whole photo; positions and sizes in the photo's own pixels."""
    long_side_px = settings.hasty_long_side_px if hasty else settings.finder_long_side_px
    shrink = long_side_px / max(bgr.shape[:2])
    while max(bgr.shape[:2]) >= 1.6 * long_side_px:
        bgr = _halved(bgr)
    size = (
        round(bgr.shape[1] * long_side_px / max(bgr.shape[:2])),
        round(bgr.shape[0] * long_side_px / max(bgr.shape[:2])),
    )
    small = np.asarray(cv2.resize(bgr, size, interpolation=cv2.INTER_LINEAR), np.uint8)
    finds = apart(peaks(cells("finder", small), FINDER, "heat", settings.finder_least))
    said = finds.said | {"size": finds.said["size"] - np.log(shrink)}
    return replace(finds, center_px=(finds.center_px + 0.5) / shrink - 0.5, said=said)


def region_of(view: TableView, rough: Finds, settings: SearchSettings = SETTINGS) -> Region | None:
    """The part of the table that holds all rough finds; None where there is none."""
    places = view.to_table(rough.center_px, settings.height_mm)
    seen = np.isfinite(places).all(axis=1)
    places, score = places[seen], rough.score[seen]
    if len(places) == 0:
        return None
    away = np.abs(places - np.median(places, axis=0)).max(axis=1)
    # Cubes may be crowded at one end of the table: what is surely a cube counts twice as far from their middle.
    places = places[away < settings.widest_mm / np.where(score > settings.sure, 1, 2)]
    left, bottom, right, top = visible_region(view, settings.height_mm)
    low, high = places.min(axis=0) - settings.margin_mm, places.max(axis=0) + settings.margin_mm
    return max(left, low[0]), max(bottom, low[1]), min(right, high[0]), min(top, high[1])


def search(bgr: Image, view: TableView, region: Region, settings: SearchSettings = SETTINGS) -> Searched:
    """The reader's finds in one region of the table."""
    straight = straightening(view, region, settings.px_per_mm, settings.height_mm)
    picture = _picture(bgr, view, straight)
    said = cells("reader", picture)
    cubes = apart(peaks(said, READER, "heat", settings.least))[: settings.most]
    return Searched(view, straight, picture, cubes, peaks(said, READER, "meeple", settings.least))


def solids_from(searched: Searched, view: TableView, settings: SearchSettings = SETTINGS) -> Solids:
    """The finds as solids in `view`, which may be a better one than that of the picture."""
    finds, straight = searched.cubes, searched.straight
    middle, first, second = _on_plane(searched, view)
    side = np.sqrt(np.abs(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]))
    # A picture that is stretched or skewed turns the two directions of a square against each other: the mean is true.
    turn = np.arctan2(first[:, 1], first[:, 0])
    other = np.arctan2(second[:, 1], second[:, 0]) - turn
    turn = turn + 0.5 * (np.mod(other + np.pi / 4, np.pi / 2) - np.pi / 4)
    base = np.where(finds.said["base"] > settings.stacked_sides, finds.said["base"] * side, 0.0)
    height = base + 0.5 * side
    center = np.column_stack([_raised(view, middle, straight.height_mm, height), height])
    error = settings.error_share * np.exp(finds.said["spread"]) * CELL_PX / straight.px_per_mm
    solids = replace(standing(middle, side, turn, score=finds.score, error_mm=error), center_mm=center)
    return solids[np.isfinite(center).all(axis=1) & (side > 0)]  # a better view may put some beyond the horizon


def _on_plane(searched: Searched, view: TableView) -> tuple[Array, Array, Array]:
    """Each find's middle, and the vectors of its two sides, on the plane of the picture, in mm of `view`."""
    finds, straight = searched.cubes, searched.straight
    half = 0.5 * finds.size_px[:, None] * np.column_stack([np.cos(finds.turn_rad), np.sin(finds.turn_rad)])
    across = np.column_stack([-half[:, 1], half[:, 0]])
    middle = finds.center_px
    picture = np.concatenate([middle, middle + half, middle - half, middle + across, middle - across])
    plane = straight.to_mm(picture)
    if view is not searched.view:
        photo_px = searched.view.project(np.column_stack([plane, np.full(len(plane), straight.height_mm)]))
        plane = view.to_table(photo_px, straight.height_mm)
    spots = plane.reshape(5, -1, 2)
    return spots[0], spots[1] - spots[2], spots[3] - spots[4]


def _raised(view: TableView, xy_mm: Array, from_mm: float, to_mm: Array) -> Array:
    """Where the lines of sight through points at one height are at another."""
    eye = view.eye_mm
    return np.asarray(eye[:2] + (xy_mm - eye[:2]) * ((to_mm - eye[2]) / (from_mm - eye[2]))[:, None])


def _picture(bgr: Image, view: TableView, straight: Straightening) -> Image:
    """Straightened; a photo much finer than the picture is halved first, or pixels would be skipped."""
    left, bottom, right, top = straight.region_mm
    middle = np.array([[(left + right) / 2, (bottom + top) / 2, straight.height_mm]])
    finer = float(view.px_per_mm(middle)[0]) / straight.px_per_mm
    while finer > 1.5:
        bgr = _halved(bgr)
        half = np.float32(0.5)
        straight = replace(straight, map_x=(straight.map_x - half) * half, map_y=(straight.map_y - half) * half)
        finer /= 2
    return straight.apply(bgr)


def _halved(bgr: Image) -> Image:
    """Means of two by two pixels: many times faster than any other way of making a photo smaller."""
    return np.asarray(cv2.resize(bgr, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
