"""Labelled photos made ready for training: straightened once at a fine scale, with each cube's truth beside them.

The networks never see a photo as it was taken. The *reader* sees the table straightened at half a cube's height with
the camera at the bottom; the *finder* sees the whole photo made small. Both truths come from the labels' camera.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from calibration.camera import Camera
from calibration.view import TableView, straightening, visible_region
from vision.drop.scale import apparent

HEIGHT_MM = 4.5  # the reader's plane: about half of a small cube
FINE_PX_PER_MM = 2.15  # finer than the reader's scale, so that augmentation loses nothing
MARGIN_MM = 70.0  # how much of the empty table and its clutter is kept round the cubes
HELD_ASIDE = (
    "drop-A-03",
    "drop-A-06",
    "drop-A-09",
    "drop-A-12",
    "drop-A-15",
    "drop-A-18",
    "drop-B-03",
    "drop-B-06",
    "drop-B-09",
    "stash-A-3",
    "random-31",
    "random-32",
    "random-33",
    "random-34",
    "random-35",
    "random-36",
    "random-37",
    "teach-R3",
    "play-R3",
    "teach-R4",
    "play-R4",
)  # fmt: skip  (for reporting only: never trained or tuned on)


@dataclass
class Sample:
    """One picture and its cubes as parallel arrays, positions in its own pixels (x right, y down)."""

    name: str
    bgr: np.ndarray  # (H, W, 3) uint8
    center: np.ndarray  # (N, 2) image of the cube's middle
    log_size: np.ndarray  # (N,) log of the side in px: in the reader's picture side_mm * px/mm
    turn: np.ndarray  # (N,) rad, as the picture shows it: clockwise from right, since y is down
    base: np.ndarray  # (N,) height of the underside above the table, in sides
    lean: np.ndarray  # (N,) 1 where it does not stand on a face
    visible: np.ndarray  # (N,)
    up: np.ndarray  # (N, 2) where the vertical points, per side (finder); zeros in the reader's picture
    outlines: list[np.ndarray]
    meeples: list[np.ndarray]
    steep: float  # elevation of the camera in degrees
    shape: np.ndarray = field(default_factory=lambda: np.zeros(2))  # stretch and skew that augmentation put in
    spots: np.ndarray = field(default_factory=lambda: np.zeros((0, 2)))  # where the network was last wrong


def labels(folders: list[Path]) -> list[Path]:
    """All label files but those held aside."""
    found = [p for folder in folders for p in sorted(folder.glob("*.json")) if not p.name.endswith(".taps.json")]
    return [p for p in found if not p.name.startswith(HELD_ASIDE) and p.with_suffix(".jpg").exists()]


def true_view(truth: dict) -> tuple[TableView, np.ndarray]:
    """The labels' camera as a view with x along the photo's right, and the turn that takes label mm into its frame."""
    cam = truth["camera"]
    camera = Camera(np.array(cam["matrix"]), np.array(cam["distortion"]), truth["width"], truth["height"], "lens")
    rotation = cv2.Rodrigues(np.array(cam["rvec"], float))[0]
    right = rotation.T[:2, 0]
    right = right / np.linalg.norm(right)
    turn = np.array([[right[0], right[1], 0], [-right[1], right[0], 0], [0, 0, 1.0]])
    rvec = cv2.Rodrigues(rotation @ turn.T)[0].ravel()
    return TableView(camera, rvec, np.array(cam["tvec_mm"], float), "markers", 0.0), turn


def straight_sample(path: Path) -> Sample:
    truth = json.loads(path.read_text())
    view, turn = true_view(truth)
    cubes = truth["cubes"]
    center_mm = np.array([c["center_mm"] for c in cubes], float) @ turn.T
    plane = view.to_table(view.project(center_mm), HEIGHT_MM)
    middle = np.median(plane, axis=0)
    near = np.abs(plane - middle).max(axis=1) < 330  # one that fell off the table would make the picture huge
    left, bottom, right, top = visible_region(view, HEIGHT_MM)
    low, high = plane[near].min(axis=0) - MARGIN_MM, plane[near].max(axis=0) + MARGIN_MM
    region = (max(left, low[0]), max(bottom, low[1]), min(right, high[0]), min(top, high[1]))
    straight = straightening(view, region, FINE_PX_PER_MM, HEIGHT_MM)
    photo = cv2.imread(str(path.with_suffix(".jpg")))
    finer = np.median(view.px_per_mm(center_mm)) / FINE_PX_PER_MM
    if finer > 1.3:  # or bilinear sampling would skip pixels
        photo = cv2.GaussianBlur(photo, (0, 0), 0.35 * finer)
    bgr = straight.apply(photo)
    on_plane = lambda px: straight.to_px(view.to_table(np.array(px, float), HEIGHT_MM))  # noqa: E731
    side = np.array([c["side_mm"] for c in cubes], float)
    turns = np.array([_turn(np.array(c["footprint_mm"], float) @ turn[:2, :2].T) for c in cubes])
    return Sample(
        path.stem, bgr, straight.to_px(plane), np.log(side * FINE_PX_PER_MM), -turns,
        (center_mm[:, 2] - 0.5 * side) / side, np.array([c["resting"] == "leaning" for c in cubes], float),
        np.array([c["visible"] for c in cubes], float), np.zeros((len(cubes), 2)),
        [on_plane(c["outline_px"]) for c in cubes], [on_plane(m["outline_px"]) for m in truth["meeples"]],
        view.elevation_deg,
    )  # fmt: skip


def small_sample(path: Path, long_side_px: int) -> Sample:
    """The whole photo made small, for the finder; `up` is the image of the vertical, in sides."""
    truth = json.loads(path.read_text())
    view, turn = true_view(truth)
    cubes = truth["cubes"]
    shrink = long_side_px / max(truth["width"], truth["height"])
    bgr = cv2.imread(str(path.with_suffix(".jpg")))
    bgr = cv2.resize(bgr, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    to_small = lambda px: (np.array(px, float) + 0.5) * shrink - 0.5  # noqa: E731
    center_mm = np.array([c["center_mm"] for c in cubes], float) @ turn.T
    side = np.array([c["side_mm"] for c in cubes], float)
    scale, up = apparent(view, center_mm)
    size_px = side * scale
    none = np.zeros(len(cubes))
    return Sample(
        path.stem, bgr, to_small(view.project(center_mm)), np.log(size_px * shrink), none, none, none,
        np.array([c["visible"] for c in cubes], float), up, [to_small(c["outline_px"]) for c in cubes],
        [to_small(m["outline_px"]) for m in truth["meeples"]], view.elevation_deg,
    )  # fmt: skip


def _turn(footprint: np.ndarray) -> float:
    """The direction of a footprint's sides; a leaning cube's is that of the tightest rectangle round it."""
    if len(footprint) == 4:
        edge = footprint[1] - footprint[0]
        return float(np.arctan2(edge[1], edge[0]))
    return float(np.radians(cv2.minAreaRect(footprint.astype(np.float32))[2]))
