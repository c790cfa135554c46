"""Reading whole photos: the demo's staged tables, which no network was trained on, and photos with nothing to read."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.camera import Camera
from calibration.view import TableView
from companion.readings import DropReading
from vision.drop import read_table
from vision.photo import Photo, load_photo

DEMO = Path(__file__).parents[2] / "web" / "demo" / "drop"


@cache
def truth(name: str) -> Any:
    return json.loads((DEMO / f"{name}.json").read_text())


@cache
def reading(name: str) -> DropReading:
    return read_table(load_photo(DEMO / f"{name}.jpg"))


def paired(name: str) -> list[tuple[Any, Any]]:
    """True cubes with the piece that was read nearest to each, where it is near enough."""
    pieces = [piece for piece in reading(name).pieces if piece.type != "meeple"]
    middles = np.array([piece.center_px for piece in pieces])
    pairs = []
    for cube in truth(name)["cubes"]:
        gap = np.linalg.norm(middles - cube["center_px"], axis=1)
        if gap.min() < 0.5 * np.sqrt(cv2.contourArea(np.float32(cube["outline_px"]))):
            pairs.append((cube, pieces[int(gap.argmin())]))
    return pairs


def aligned_mm(name: str) -> np.ndarray:
    """How far each footprint's middle is off, turn, shift and scale of the whole aside."""
    pairs = paired(name)
    here = np.array([np.mean(piece.footprint_mm, axis=0) for _, piece in pairs])
    there = np.array([np.mean(cube["footprint_mm"], axis=0) for cube, _ in pairs])
    here, there = here - here.mean(axis=0), there - there.mean(axis=0)
    u, s, vt = np.linalg.svd(here.T @ there)
    return np.asarray(np.linalg.norm(here @ (u @ vt) * (s.sum() / (here**2).sum()) - there, axis=1))


def test_a_demo_table_is_read_nearly_without_fault() -> None:
    name = "table-1"
    cubes, pairs = truth(name)["cubes"], paired(name)
    extra = len([p for p in reading(name).pieces if p.type != "meeple"]) - len(pairs)
    wrong = sum((cube["type"], cube["size"]) != (piece.type, piece.size) for cube, piece in pairs)
    assert len(cubes) - len(pairs) + max(0, extra) + wrong <= 0.06 * len(cubes)


def test_places_and_footprints_are_true_and_the_stated_error_is_fair() -> None:
    off = aligned_mm("table-1")
    said = reading("table-1").error_mm
    assert reading("table-1").scale_from == "markers"
    assert np.median(off) < 0.4
    assert said is not None
    assert 0.3 * np.median(off) < said < 5 * np.median(off)
    for cube, piece in paired("table-1"):
        if piece.size == cube["size"] and cube["resting"] == "flat":
            edges = np.diff([*piece.footprint_mm, piece.footprint_mm[0]], axis=0)
            assert np.allclose(np.linalg.norm(edges, axis=1), cube["side_mm"], rtol=0.03)


def test_the_stages_are_timed_and_pieces_are_named_from_far_to_near() -> None:
    one = reading("table-1")
    assert {"decode", "table", "find", "cubes", "fit", "types", "read"} <= set(one.timings_ms)
    assert [piece.id for piece in one.pieces] == [f"p{number:02}" for number in range(1, len(one.pieces) + 1)]
    heights = [piece.center_px[1] for piece in one.pieces if piece.center_px is not None]
    assert heights == sorted(heights)


@pytest.mark.parametrize("shade", [0, 90, 255])
def test_an_empty_photo_is_a_plain_problem(shade: int) -> None:
    photo = Photo("empty.jpg", np.full((600, 800, 3), shade, np.uint8))
    result = read_table(photo)
    assert result.pieces == ()
    assert [problem.code for problem in result.problems] == ["no-cubes"]


@pytest.mark.parametrize("size", [(1, 1), (3, 5000), (40, 30)])
def test_a_tiny_photo_is_said_to_be_too_small(size: tuple[int, int]) -> None:
    result = read_table(Photo("tiny.png", np.zeros((*size, 3), np.uint8)))
    assert [problem.code for problem in result.problems] == ["too-small"]


def test_noise_does_not_become_a_table() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (600, 800, 3), dtype=np.uint8)
    assert len(read_table(Photo("noise.jpg", noise)).pieces) < 5


def test_every_stage_can_be_looked_at(tmp_path: Path) -> None:
    read_table(load_photo(DEMO / "table-1.jpg"), explain=tmp_path / "stages")
    pictures = sorted((tmp_path / "stages").iterdir())
    assert [picture.name for picture in pictures] == [
        "1-finder.jpg",
        "2-straightened.jpg",
        "3-cubes.jpg",
        "4-overlay.jpg",
    ]
    assert all(cv2.imread(str(picture)) is not None for picture in pictures)


def test_a_view_that_somebody_gave_is_used() -> None:
    told = truth("table-1")
    cam = told["camera"]
    camera = Camera(np.array(cam["matrix"]), np.array(cam["distortion"]), told["width"], told["height"], "lens")
    view = TableView(camera, np.array(cam["rvec"]), np.array(cam["tvec_mm"]), "corners", 0.1)
    result = read_table(load_photo(DEMO / "table-1.jpg"), camera=camera, view=view)
    assert result.scale_from == "corners"
    assert len(result.pieces) > 0.9 * len(told["cubes"])


def test_without_cards_the_cubes_tell_the_scale() -> None:
    photo = load_photo(DEMO / "table-1.jpg")
    hidden = photo.bgr.copy()
    for marker in truth("table-1")["markers"]:
        middle = np.mean(marker["corners_px"], axis=0)
        card = middle + (np.array(marker["corners_px"]) - middle) * 1.6
        cv2.fillConvexPoly(hidden, np.round(card).astype(np.int32), np.median(photo.bgr, axis=(0, 1)).tolist())
    result = read_table(replace(photo, bgr=hidden))
    assert result.scale_from == "cubes"
    assert result.error_mm is not None
    assert len(result.pieces) > 0.9 * len(truth("table-1")["cubes"])


def test_meeples_are_no_cubes_and_have_a_colour() -> None:
    name = "table-2"
    true = truth(name)["meeples"]
    read = [piece for piece in reading(name).pieces if piece.type == "meeple"]
    named = 0
    for meeple in true:
        middle = np.mean(meeple["outline_px"], axis=0)
        near = [piece for piece in read if piece.center_px and np.linalg.norm(middle - piece.center_px) < 20]
        named += any(piece.colour == meeple["colour"] and piece.footprint_mm for piece in near)
    assert named >= len(true) - 1
    assert all(piece.size is None for piece in read)
