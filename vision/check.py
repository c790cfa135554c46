"""Before play: is there light enough, no glare, focus, the cards in view, and enough pixels on the smallest cube? Each
answer says what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

import cv2
import numpy as np

from calibration.bumped import cards_moved
from calibration.cards import CARD_MM, IDS, SIDE_MM, FoundCards, find_cards
from companion.pieces import Piece
from vision.quality import Image, sharpness


class Grade(Enum):
    GOOD = "good"
    FAIR = "fair"  # it will work, not at its best
    BAD = "bad"


@dataclass(frozen=True)
class Finding:
    """One answer: what was measured, how good that is, and what to do."""

    code: str
    grade: Grade
    value: float
    message: str

    def as_json(self) -> dict[str, Any]:
        return {"code": self.code, "grade": self.grade.value, "value": round(self.value, 3), "message": self.message}


@dataclass(frozen=True)
class CheckLimits:
    """Pairs are (good from here, bad beyond here); in between it is fair."""

    # Grey level that the brighter half of the table reaches. Staged rooms that were read well lie above 45.
    light: tuple[float, float] = (45.0, 22.0)
    # Share of the picture burnt to white besides the cards: a lamp's mirror image on varnish is one hundredth.
    glare: tuple[float, float] = (0.004, 0.03)
    # Share of a strong edge within two pixels: staged and real photos have 0.45 and more, with 2 px of blur 0.33.
    focus: tuple[float, float] = (0.42, 0.3)
    # Pixels along a small cube's side at the farthest card: nearly all photos that the reader was built on have 12.
    resolution_px: tuple[float, float] = (12.0, 9.0)
    white: int = 250
    small_mm: float = 8.0  # the smallest cube's side
    look_px: int = 800


LIMITS: Final = CheckLimits()
PLACES: Final = ("far left", "far right", "near right", "near left")


def check_photo(bgr: Image, pieces: Sequence[Piece] = (), limits: CheckLimits = LIMITS) -> tuple[Finding, ...]:
    """Five findings, in the order in which to put things right. `pieces` are those read from this photo, if any."""
    cards = find_cards(bgr)
    scale = min(1.0, limits.look_px / bgr.shape[1])
    small = np.asarray(cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    on_cards = _card_mask(small, cards, scale)
    return (
        _light(small, limits),
        _glare(small, on_cards, limits),
        _focus(bgr, limits),
        _cards(cards),
        _resolution(bgr, cards, pieces, limits),
    )


def check_still(bgr: Image, earlier: Image) -> Finding:
    """Whether camera and cards are where an earlier photo had them."""
    before, now = find_cards(earlier), find_cards(bgr)
    shared = [number for number in before.ids if number in now.ids]
    moved = cards_moved(before, now)
    if not shared or earlier.shape != bgr.shape:
        return Finding("still", Grade.FAIR, 0.0, "Whether the camera moved cannot be told: no card is in both photos.")
    if not moved:
        return Finding("still", Grade.GOOD, 0.0, "Camera and cards are where they were.")
    if len(moved) == len(shared) > 1:
        return Finding("still", Grade.BAD, float(len(moved)), "The camera was bumped: read the table again.")
    names = ", ".join(f"{number} ({PLACES[number]})" for number in moved)
    return Finding("still", Grade.FAIR, float(len(moved)), f"Card {names} was moved; the table itself is where it was.")


def _light(small: Image, limits: CheckLimits) -> Finding:
    level = float(np.percentile(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), 75))
    good, bad = limits.light
    if level >= good:
        return Finding("light", Grade.GOOD, level, "There is light enough.")
    if level >= bad or _has_highlights(small):
        return Finding("light", Grade.FAIR, level, "It is rather dark: another lamp would make the colours surer.")
    return Finding("light", Grade.BAD, level, "It is too dark to tell colours apart: turn on a lamp over the table.")


def _has_highlights(small: Image) -> bool:
    """A black cloth is dark in good light too: then the cubes on it are not."""
    return float(np.percentile(small.max(axis=2), 99)) > 110


def _glare(small: Image, on_cards: Image, limits: CheckLimits) -> Finding:
    burnt = (small.min(axis=2) >= limits.white) & (on_cards == 0)
    blob = cv2.morphologyEx(
        burnt.astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)
    )  # glints on gold are fine
    share = float(blob.mean())
    good, bad = limits.glare
    if share < good:
        return Finding("glare", Grade.GOOD, share, "No glare.")
    where = _place(blob)
    grade = Grade.FAIR if share < bad else Grade.BAD
    return Finding(
        "glare", grade, share, f"A lamp or window glares on the table {where}: turn it away, or lay a cloth."
    )


def _place(blob: Image) -> str:
    rows, cols = np.nonzero(blob)
    far = "far" if float(np.median(rows)) < blob.shape[0] / 2 else "near"
    return f"{far} {'left' if float(np.median(cols)) < blob.shape[1] / 2 else 'right'}"


def _focus(bgr: Image, limits: CheckLimits) -> Finding:
    hardness = sharpness(bgr)
    good, bad = limits.focus
    if hardness >= good:
        return Finding("focus", Grade.GOOD, hardness, "The picture is sharp.")
    if hardness >= bad:
        return Finding("focus", Grade.FAIR, hardness, "The picture is a little soft: wipe the lens and tap to focus.")
    return Finding(
        "focus", Grade.BAD, hardness, "The picture is blurred: prop the camera up, wipe the lens, tap to focus."
    )


def _cards(cards: FoundCards) -> Finding:
    count = float(len(cards))
    if len(cards) == len(IDS):
        return Finding("markers", Grade.GOOD, count, "All four cards are in view.")
    missing = ", ".join(f"{number} ({PLACES[number]})" for number in IDS if number not in cards.ids)
    if len(cards) >= 2:
        return Finding("markers", Grade.FAIR, count, f"Cards {missing} are not seen: uncover them or move them in.")
    if len(cards) == 0:
        return Finding(
            "markers", Grade.FAIR, count,
            "No cards are in view: it works without, more exactly with them (`companion print`).",
        )  # fmt: skip
    return Finding(
        "markers", Grade.FAIR, count, f"One card is not enough; {missing} are missing: lay them at the corners."
    )


def _resolution(bgr: Image, cards: FoundCards, pieces: Sequence[Piece], limits: CheckLimits) -> Finding:
    side_px = smallest_cube_px(cards, pieces, limits)
    if side_px is None:
        return Finding(
            "resolution", Grade.FAIR, 0.0, "How large the cubes appear cannot be told yet: lay out cards or cubes."
        )
    good, bad = limits.resolution_px
    seen = f"a small cube is {side_px:.0f} pixels wide"
    if side_px >= good:
        return Finding("resolution", Grade.GOOD, side_px, f"Near enough: {seen}.")
    grade = Grade.FAIR if side_px >= bad else Grade.BAD
    advice = "come nearer" if bgr.shape[1] >= 1900 else "come nearer or choose a higher resolution"
    return Finding("resolution", grade, side_px, f"Too far away: {seen}; {advice}.")


def smallest_cube_px(cards: FoundCards, pieces: Sequence[Piece], limits: CheckLimits = LIMITS) -> float | None:
    """A small cube's side where it appears smallest: at the farthest card, or the small cubes read themselves."""
    small = [np.array(piece.outline_px, np.float32) for piece in pieces if piece.size == "S" and piece.outline_px]
    if small:
        # A silhouette of a cube seen at an angle is about a third larger than its face.
        return float(np.percentile([np.sqrt(cv2.contourArea(outline) / 1.35) for outline in small], 10))
    if len(cards) == 0:
        return None
    sides = [float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).mean()) for quad in cards.corners_px]
    return min(sides) / SIDE_MM * limits.small_mm


def _card_mask(small: Image, cards: FoundCards, scale: float) -> Image:
    """The white rims of the cards: paper may be as white as it likes."""
    mask = np.zeros(small.shape[:2], np.uint8)
    for quad in cards.corners_px:
        middle = quad.mean(axis=0)
        grown = middle + (quad - middle) * 1.15 * CARD_MM / SIDE_MM
        cv2.fillConvexPoly(mask, np.round(grown * scale).astype(np.int32), 1)
    return mask
