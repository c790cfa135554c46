"""Cheap watching: from thumbnails alone, is a hand over the table, does something move, did the light change, has it
settled, and which parts look different from when the table was last read?

Everything here works on grey pictures a quarter of a megabyte would hold ten of; a look costs about a millisecond.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import cv2
import numpy as np
import numpy.typing as npt

from vision.live.frames import Image

Grey = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]


class State(Enum):
    """What people see. Reading and read are set by whoever reads; the rest is seen here."""

    WATCHING = "watching"
    HAND = "hand in view"
    READING = "reading"
    READ = "read"


@dataclass(frozen=True)
class Watching:
    """Numbers of the watching stage; lengths in pixels of the thumbnail, light in grey levels of 255."""

    # Averaging over an eighth by an eighth leaves a sensor's noise below one level; a clear cube on cloth changes five.
    noise_floor: float = 4.0
    noise_times: float = 6.0  # above this many times the measured noise, no flicker of the sensor passes
    moving_share: float = 0.0015  # of the picture: two small cubes; less is a flickering candle
    # What survives an opening this wide is larger than any two cubes: a hand, a sleeve, a mug.
    hand_px: int = 13
    hand_share: float = 0.006
    still_s: float = 0.45  # nothing may move for so long; dice roll on for less, and 1.5 s are all there is
    patience_s: float = 6.0  # a "hand" that does not move at all for so long is a mug or a sleeve that stays
    bump_px: float = 0.6  # a shift of the whole picture; less is the table trembling
    bump_response: float = 0.15  # how sharp the correlation's peak must be to believe it
    light_step: float = 0.12  # a lamp switched on or off moves the brightness at once by more than this
    adapt: float = 0.05  # how fast the reference follows drifting light, a look


@dataclass(frozen=True, eq=False)
class Look:
    """What one thumbnail showed."""

    time_s: float
    moving: float  # share of the picture that differs from a moment ago
    hand: bool
    light: float  # brightness against the last reading; 1 is equal
    light_jumped: bool
    bumped: bool  # the whole picture is shifted against the last reading
    settled: bool
    changed: Mask | None  # what differs from the last reading; None before the first
    covered: Mask | None  # of that, what is too large to be cubes: a hand, a mug


class Watcher:
    """Remembers the thumbnail of the last reading and that of a moment ago."""

    def __init__(self, numbers: Watching | None = None) -> None:
        self._numbers = numbers or Watching()
        self._reference: Grey | None = None
        self._before: Grey | None = None
        self._quiet_since_s: float | None = None
        self._noise = 0.5
        self._piece_px = 0.0

    def look(self, thumbnail: Image, time_s: float) -> Look:
        numbers, now = self._numbers, thumbnail.astype(np.float32)
        before = self._before if self._before is not None and self._before.shape == now.shape else now
        self._before = now
        step_gain = gain(before, now)
        moved = self._differs(before * step_gain, now)
        moving = float(np.count_nonzero(moved)) / now.size
        jumped = abs(step_gain - 1) > numbers.light_step
        still = moving < numbers.moving_share and not jumped
        self._quiet_since_s = (self._quiet_since_s if self._quiet_since_s is not None else time_s) if still else None
        quiet_s = time_s - self._quiet_since_s if self._quiet_since_s is not None else 0.0
        if still:
            self._learn_noise(before * step_gain, now)
        light, changed, covered, bumped = self._against_reference(now, settled=quiet_s >= numbers.still_s)
        hand = self._is_hand(moved, covered, bumped=bumped, quiet_s=quiet_s)
        settled = quiet_s >= numbers.still_s and not hand
        if settled and not bumped and changed is not None:
            self._follow_light(now, light, changed)
        return Look(time_s, moving, hand, light, jumped, bumped, settled, changed, covered)

    def read(self, thumbnail: Image) -> None:
        """The table was read as this thumbnail shows it: changes are counted from here."""
        self._reference = thumbnail.astype(np.float32)

    def learn_size(self, piece_px: float) -> None:
        """How wide the game's pieces are on the thumbnail: cards are as wide as a hand, cubes are not."""
        self._piece_px = piece_px

    def forget(self) -> None:
        """Another camera, another place: nothing seen before counts."""
        self._reference = self._before = self._quiet_since_s = None

    def _against_reference(self, now: Grey, *, settled: bool) -> tuple[float, Mask | None, Mask | None, bool]:
        reference = self._reference
        if reference is None or reference.shape != now.shape:
            return 1.0, None, None, False
        light = gain(reference, now)
        changed = self._differs(reference * light, now)
        bumped = settled and is_shifted(reference, now, self._numbers)
        return light, changed, opened(changed, self._numbers.hand_px), bumped

    def _is_hand(self, moved: Mask, covered: Mask | None, *, bumped: bool, quiet_s: float) -> bool:
        """A large thing that moves, or a large thing that was not there and has not yet stayed for long."""
        least = self._numbers.hand_share * moved.size
        if np.count_nonzero(opened(moved, self._numbers.hand_px // 2)) > least:
            return True
        if covered is None or bumped or quiet_s > self._numbers.patience_s:
            return False
        if self._piece_px >= self._numbers.hand_px:
            covered = from_the_edge(covered, self._numbers.hand_px // 2)
        return int(np.count_nonzero(covered)) > least

    def _differs(self, one: Grey, two: Grey) -> Mask:
        least = max(self._numbers.noise_floor, self._numbers.noise_times * self._noise)
        # Bright places flicker more than dark ones: lamps hum, and a gain is never exact.
        bound = least + 0.04 * np.minimum(one, two)
        mask = (np.abs(one - two) > bound).astype(np.uint8)
        return np.asarray(cv2.medianBlur(mask, 3) > 0)  # single pixels are noise

    def _learn_noise(self, before: Grey, now: Grey) -> None:
        seen = 1.4826 * float(np.median(np.abs(before - now)))  # the median ignores the little that moves
        self._noise += 0.1 * (seen - self._noise)

    def _follow_light(self, now: Grey, light: float, changed: Mask) -> None:
        """The sun goes round: the reference follows where nothing else changed."""
        assert self._reference is not None
        reference = self._reference * (1 + self._numbers.adapt * (light - 1))
        near = cv2.dilate(changed.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
        drifted = reference + self._numbers.adapt * (now - reference)
        self._reference = np.where(near, reference, drifted).astype(np.float32)


def gain(before: Grey, now: Grey) -> float:
    """How much brighter it became; the median, so that half of the picture may be covered by something else.

    >>> bool(abs(gain(np.full((9, 9), 100, np.float32), np.full((9, 9), 110, np.float32)) - 1.1) < 0.01)
    True
    """
    lit = before > 12
    if np.count_nonzero(lit) < before.size // 20:
        return 1.0
    return float(np.median((now[lit] + 1) / (before[lit] + 1)))


def opened(mask: Mask, width_px: int) -> Mask:
    """What of the mask is at least this wide everywhere."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width_px, width_px))
    closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    return np.asarray(cv2.morphologyEx(closed, cv2.MORPH_OPEN, kernel) > 0)


def from_the_edge(mask: Mask, near_px: int) -> Mask:
    """The parts of the mask that reach the picture's edge: a hand has an arm, a card laid on the table has none.

    >>> from_the_edge(np.array([[0] * 5, [0] * 5, [1, 1, 0, 1, 0], [0] * 5, [0] * 5], bool), 1).astype(int).tolist()
    [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [1, 1, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]
    """
    count, parts = cv2.connectedComponents(mask.astype(np.uint8), connectivity=8)
    strips = (parts[:near_px], parts[-near_px:], parts[:, :near_px], parts[:, -near_px:])
    reaching = np.zeros(count, np.bool_)
    reaching[np.unique(np.concatenate([strip.ravel() for strip in strips]))] = True
    reaching[0] = False
    return np.asarray(reaching[parts])


def is_shifted(reference: Grey, now: Grey, numbers: Watching) -> bool:
    """Whether the whole picture moved: a bumped camera or table. Slow light does not fool it: only edges count."""
    window = cv2.createHanningWindow((now.shape[1], now.shape[0]), cv2.CV_32F)
    (x_px, y_px), response = cv2.phaseCorrelate(_edges(reference), _edges(now), window)
    return response > numbers.bump_response and float(np.hypot(x_px, y_px)) > numbers.bump_px


def _edges(grey: Grey) -> Grey:
    return np.asarray(grey - cv2.GaussianBlur(grey, (0, 0), 4), np.float32)


def crispness(image: Image) -> float:
    """How crisp a picture is, for choosing among several of the same table; means nothing between different tables."""
    grey = image if image.ndim == 2 else cv2.cvtColor(image[::2, ::2], cv2.COLOR_BGR2GRAY)
    return float(cv2.Laplacian(grey, cv2.CV_32F).var())
