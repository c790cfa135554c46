"""Meeples: the heroes' wooden figures. They are no cubes, but they stand on the table and cover some of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from calibration.view import TableView
from companion.pieces import Piece
from vision.drop.network import Array, Image
from vision.drop.search import Searched


@dataclass(frozen=True)
class MeepleSettings:
    least: float = 0.5  # a meeple is only reported where the network is sure of it
    reach_mm: float = 13.0  # a meeple is 16 mm long at most
    alike: float = 26.0  # CIELAB distance to the colour at its middle; light and shade on one figure differ by 20
    fallback_mm: float = 6.0  # radius where its colour cannot be told from the table's
    grey: int = 45  # HSV saturation below which there is no hue
    dark: int = 60
    light: int = 170


SETTINGS: Final = MeepleSettings()
# Upper ends of hue (OpenCV counts to 180) and their names.
HUES: Final = ((7, "red"), (21, "orange"), (34, "yellow"), (85, "green"), (128, "blue"), (155, "purple"), (172, "pink"),
               (180, "red"))  # fmt: skip


def meeples_of(searched: Searched, view: TableView, settings: MeepleSettings = SETTINGS) -> list[Piece]:
    """Every meeple that the reader is sure of and that no surer cube stands on; without ids."""
    if not (searched.meeples.score > settings.least).any():
        return []
    lab = np.asarray(cv2.cvtColor(searched.picture, cv2.COLOR_BGR2LAB), np.uint8)
    return [
        _piece(searched, lab, middle, score=float(score), view=view, settings=settings)
        for middle, score in zip(searched.meeples.center_px, searched.meeples.score, strict=True)
        if score > settings.least and not _is_cube(searched, middle, float(score))
    ]


def _is_cube(searched: Searched, middle_px: Array, score: float) -> bool:
    cubes = searched.cubes
    near = np.linalg.norm(cubes.center_px - middle_px, axis=1) < 0.6 * cubes.size_px
    return bool((cubes.score[near] > score).any())


def _piece(
    searched: Searched, lab: Image, middle: Array, *, score: float, view: TableView, settings: MeepleSettings
) -> Piece:
    picture, straight = searched.picture, searched.straight
    hull_px, colour = _shape(picture, lab, middle, straight.px_per_mm, settings)
    hull_mm = straight.to_mm(hull_px)
    raised = np.column_stack(
        [np.vstack([hull_mm, hull_mm.mean(axis=0)]), np.full(len(hull_mm) + 1, straight.height_mm)]
    )
    photo_px = view.project(raised)
    center_mm = hull_mm.mean(axis=0)
    return Piece(
        id="", type="meeple", confidence=score, colour=colour,
        center_px=(float(photo_px[-1, 0]), float(photo_px[-1, 1])),
        outline_px=tuple((float(x), float(y)) for x, y in photo_px[:-1]),
        center_mm=(float(center_mm[0]), float(center_mm[1])),
        footprint_mm=tuple((float(x), float(y)) for x, y in hull_mm),
    )  # fmt: skip


def _shape(picture: Image, lab: Image, middle: Array, px_per_mm: float, settings: MeepleSettings) -> tuple[Array, str]:
    """The hull of what has the colour of its middle, in pixels of the picture; and that colour's name."""
    reach = round(settings.reach_mm * px_per_mm)
    height, width = lab.shape[:2]
    x, y = int(np.clip(round(middle[0]), 1, width - 2)), int(np.clip(round(middle[1]), 1, height - 2))
    left, top = max(0, x - reach), max(0, y - reach)
    patch = lab[top : y + reach + 1, left : x + reach + 1].astype(np.float32)
    own = np.median(lab[y - 1 : y + 2, x - 1 : x + 2].reshape(-1, 3), axis=0)
    alike = (np.linalg.norm(patch - own, axis=2) < settings.alike).astype(np.uint8)
    labels = cv2.connectedComponents(alike)[1]
    mask = labels == labels[y - top, x - left]
    name = _colour(picture[top : y + reach + 1, left : x + reach + 1][mask], settings)
    if not 0.05 < mask.mean() < 0.6:
        angle = np.arange(8) * np.pi / 4
        ring = settings.fallback_mm * px_per_mm * np.column_stack([np.cos(angle), np.sin(angle)])
        return middle + ring, name
    rows, cols = np.nonzero(mask)
    hull = cv2.convexHull(np.column_stack([cols + left, rows + top]).astype(np.float32)).reshape(-1, 2)
    return np.asarray(hull, np.float64), name


def _colour(bgr: Image, settings: MeepleSettings) -> str:
    hue, saturation, value = np.median(cv2.cvtColor(bgr[None], cv2.COLOR_BGR2HSV)[0], axis=0)
    if value < settings.dark:
        return "black"
    if saturation < settings.grey:
        return "white" if value > settings.light else "grey"
    return next(name for end, name in HUES if hue <= end)
