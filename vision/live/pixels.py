"""What became different between two readings, pixel by pixel: a piece that a reader misses once, where not a pixel has
changed, is still there; and only what changed is believed anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration.bumped import cards_moved
from calibration.cards import FoundCards, find_cards
from companion.pieces import Outline, Point
from vision.live.frames import Image

Array = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Comparing:
    """Numbers of this stage; pixels are those of the comparison, grey levels of 255."""

    width_px: int = 960  # a small cube still has 15 pixels a side
    soften_px: int = 5  # hides what half a pixel of trembling does to edges
    light_share: float = 0.08  # of the picture's width: light changes slowly over the table, cubes do not
    light_pieces: float = 2.5  # nor do cards, which are wider: at least so many of them
    floor: float = 7.0
    noise_times: float = 5.0
    changed_share: float = 0.2  # of a piece's picture; its neighbour's shadow touches less
    mug_times: float = 2.6  # of a piece's width: what is larger everywhere than this is no cube
    calmer_times: float = 1.2  # as much drawing as before, over what drifting light does to it
    calmer_floor: float = 2.0  # grey levels a pixel: noise
    shift_px: float = 0.25  # below this no alignment is worth its own error
    card_px: float = 0.4  # a card's corners are found to a tenth
    corners: int = 700
    matches: int = 20
    slack_px: float = 2.0
    rounds: int = 25  # of sharpening; it rarely needs ten


NUMBERS: Final = Comparing()


@dataclass(frozen=True, eq=False)
class Picture:
    """A frame as it is kept from reading to reading: small enough to keep, large enough to compare cubes on."""

    bgr: Image
    scale: float  # its pixels for one of the photo's
    cards: FoundCards


@dataclass(frozen=True, eq=False)
class Difference:
    """`changed`, `covered` and `calmer` (less is drawn there than before) lie in the new picture; `moved` brings the
    old photo's pixels to the new one's, None where the camera stood still."""

    changed: Mask
    covered: Mask
    calmer: Mask
    scale: float
    moved: Array | None = None
    comparable: bool = True

    def to_new(self, place_px: Point) -> Point:
        if self.moved is None:
            return place_px
        x, y, w = self.moved @ (*place_px, 1.0)
        return float(x / w), float(y / w)

    def is_changed(self, outline_px: Outline, *, old: bool, share: float = NUMBERS.changed_share) -> bool:
        """Whether the picture of this piece differs; `old` outlines are those of the previous photo."""
        return self._share(self.changed, outline_px, old=old) >= share

    def is_covered(self, outline_px: Outline, *, old: bool) -> bool:
        """Whether something too large for a cube lies over it, or it is out of the picture."""
        return self._share(self.covered, outline_px, old=old) >= 0.5

    def _share(self, mask: Mask, outline_px: Outline, *, old: bool) -> float:
        points = np.array([self.to_new(p) if old else p for p in outline_px], float).reshape(-1, 2) * self.scale
        if len(points) < 3:
            return 1.0
        low, high = np.floor(points.min(axis=0)).astype(int) - 1, np.ceil(points.max(axis=0)).astype(int) + 2
        low, high = np.maximum(low, 0), np.minimum(high, mask.shape[::-1])
        if (low >= high).any():
            return 1.0
        window = np.zeros((high - low)[::-1], np.uint8)
        cv2.fillConvexPoly(window, np.round(points - low).astype(np.int32), 1)
        inside = window > 0
        part = mask[low[1] : high[1], low[0] : high[0]]
        return float(part[inside].mean()) if inside.any() else 1.0


# A first reading, or a photo from another place: anything may have changed.
_NOWHERE: Final = np.zeros((1, 1), np.bool_)
INCOMPARABLE: Final = Difference(~_NOWHERE, _NOWHERE, _NOWHERE, 0.0, comparable=False)


def picture(image: Image, numbers: Comparing = NUMBERS) -> Picture:
    scale = min(1.0, numbers.width_px / image.shape[1])
    size = round(image.shape[1] * scale), round(image.shape[0] * scale)
    small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return Picture(small, scale, find_cards(small))


def difference(old: Picture, new: Picture, piece_px: float, numbers: Comparing = NUMBERS) -> Difference:
    """`piece_px` is a usual piece's width in the photo."""
    if old.bgr.shape != new.bgr.shape:
        return INCOMPARABLE
    moved = alignment(old, new, numbers)
    before, outside = old.bgr, np.zeros(old.bgr.shape[:2], np.bool_)
    if moved is not None:
        size = new.bgr.shape[1], new.bgr.shape[0]
        before = np.asarray(cv2.warpPerspective(old.bgr, moved, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)
        outside = cv2.warpPerspective(np.ones(old.bgr.shape[:2], np.uint8), moved, size) == 0
    light_px = max(numbers.light_share * new.bgr.shape[1], numbers.light_pieces * piece_px * new.scale, 3.0)
    changed = _changed(before, new.bgr, light_px, numbers) & ~outside
    width = max(3, round(numbers.mug_times * piece_px * new.scale) | 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width))
    large = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_OPEN, kernel) > 0
    if moved is not None:
        stretch = np.diag([new.scale, new.scale, 1.0])
        moved = np.linalg.inv(stretch) @ moved @ stretch
    calmer = _drawing(before) > numbers.calmer_times * _drawing(new.bgr) + numbers.calmer_floor
    return Difference(changed | outside, np.asarray(large | outside), calmer & ~outside, new.scale, moved)


def _drawing(image: Image) -> npt.NDArray[np.float32]:
    """How much is drawn around each pixel: edges, gleams, faces."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    slopes = cv2.magnitude(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))
    return np.asarray(cv2.blur(slopes, (9, 9)), np.float32)


def _changed(before: Image, now: Image, light_px: float, numbers: Comparing) -> Mask:
    """Where the two differ by more than the light's slow change and the noise."""
    one, two = before.astype(np.float32), now.astype(np.float32)
    light = (_slow(two, light_px) + 4) / (_slow(one, light_px) + 4)
    apart = cv2.absdiff(cv2.blur(one * light, (numbers.soften_px,) * 2), cv2.blur(two, (numbers.soften_px,) * 2))
    most = apart.max(axis=2)
    return np.asarray(most > max(numbers.floor, numbers.noise_times * float(np.median(most))))


def _slow(image: npt.NDArray[np.float32], width_px: float) -> npt.NDArray[np.float32]:
    """The slow part of a picture, computed small: the blur is a hundred pixels wide anyway."""
    height, width = image.shape[:2]
    small = cv2.resize(image, (max(1, width // 8), max(1, height // 8)), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(cv2.GaussianBlur(small, (0, 0), width_px / 8), (width, height)), np.float32)


def alignment(old: Picture, new: Picture, numbers: Comparing = NUMBERS) -> Array | None:
    """The homography from the old picture to the new one; None where nothing moved or it cannot be told."""
    common = [number for number in old.cards.ids if number in new.cards.ids]
    if len(common) >= 2:
        return _from_cards(old.cards, new.cards, common, numbers)
    greys = [cv2.cvtColor(one.bgr, cv2.COLOR_BGR2GRAY) for one in (old, new)]
    if not _shifted(greys[0], greys[1], numbers):
        return None
    finder = cv2.ORB.create(nfeatures=numbers.corners)
    (first, words), (second, other_words) = (finder.detectAndCompute(grey, None) for grey in greys)
    if words is None or other_words is None:
        return None
    matches = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(words, other_words)
    if len(matches) < numbers.matches:
        return None
    source = np.array([first[match.queryIdx].pt for match in matches], np.float32)
    target = np.array([second[match.trainIdx].pt for match in matches], np.float32)
    found, inliers = cv2.findHomography(source, target, cv2.RANSAC, numbers.slack_px)
    if found is None or int(inliers.sum()) < numbers.matches or np.linalg.cond(found) > 1e9:
        return None
    return _sharpened(greys[0], greys[1], np.asarray(found, float), numbers)


def _sharpened(old: Image, new: Image, found: Array, numbers: Comparing) -> Array:
    """A homography from a handful of corners is a pixel or two off; all pixels together say it to a tenth."""
    half = np.diag([0.5, 0.5, 1.0])
    start = (half @ found @ np.linalg.inv(half)).astype(np.float32)
    small = [cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) for grey in (old, new)]
    stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, numbers.rounds, 1e-4)
    try:
        _, better = cv2.findTransformECC(small[0], small[1], start, cv2.MOTION_HOMOGRAPHY, stop, None, 5)
    except cv2.error:  # too little drawing to hold on to: the corners have to do
        return found
    return np.asarray(np.linalg.inv(half) @ better @ half, float)


def _from_cards(old: FoundCards, new: FoundCards, common: list[int], numbers: Comparing) -> Array | None:
    """All cards moved: the camera or the table was bumped, their corners say how. Fewer: somebody touched a card."""
    if len(cards_moved(old, new, numbers.card_px)) < len(common):
        return None
    corners = [np.concatenate([cards.corners_px[cards.ids.index(n)] for n in common]) for cards in (old, new)]
    found, _ = cv2.findHomography(corners[0], corners[1], cv2.RANSAC, numbers.slack_px)
    return None if found is None else np.asarray(found, float)


def _shifted(old: Image, new: Image, numbers: Comparing) -> bool:
    small = [
        cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA).astype(np.float32) for grey in (old, new)
    ]
    edges = [grey - cv2.GaussianBlur(grey, (0, 0), 6) for grey in small]
    window = cv2.createHanningWindow(edges[0].shape[::-1], cv2.CV_32F)
    (x_px, y_px), _ = cv2.phaseCorrelate(edges[0], edges[1], window)
    return 2 * float(np.hypot(x_px, y_px)) > numbers.shift_px
