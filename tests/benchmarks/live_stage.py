"""A staged evening: frames composed from one staged photo, cubes taken away and put back, hands drawn in, the light
drifting, the camera bumped. Frames are composed only as large as somebody looks at them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from companion.pieces import Piece
from vision.live.frames import WATCH_WIDTH_PX, Frame, Image

Array = npt.NDArray[np.float64]
AnyMoment = TypeVar("AnyMoment", bound="Moment")
FPS = 10.0  # what the sources hand on
SKIN_BGR = (120.0, 150.0, 200.0)


@dataclass(frozen=True)
class Hand:
    """Where fingers point, as shares of the picture, and which edge the arm comes from (-1 left, 0 bottom, 1 right)."""

    x: float
    y: float
    side: int = 0


@dataclass(frozen=True, kw_only=True)
class Moment:
    """What light, camera and hand do at one moment, whatever lies on the table."""

    light: float = 1.0
    slope: float = 0.0  # of the light, from the left edge to the right
    turn_deg: float = 0.0  # of the camera, against the start
    shift_px: tuple[float, float] = (0.0, 0.0)
    hand: Hand | None = None


@dataclass(frozen=True)
class Scene(Moment):
    """A Dungeon Drop table at one moment."""

    present: frozenset[int]  # cubes, by their place in the label


def camera(scene: Moment, image: Image) -> Array:
    """How the camera, bumped as in this scene, shows points of the original photo."""
    turned = cv2.getRotationMatrix2D((image.shape[1] / 2, image.shape[0] / 2), scene.turn_deg, 1.0)
    turned[:, 2] += scene.shift_px
    return np.asarray(turned, float)


def shown(table: Image, scene: Moment, width_px: int) -> Image:
    height, width = table.shape[:2]
    if scene.turn_deg or scene.shift_px != (0.0, 0.0):
        warped = cv2.warpAffine(table, camera(scene, table), (width, height), borderMode=cv2.BORDER_REFLECT)
        table = np.asarray(warped, np.uint8)
    size = width_px, round(height * width_px / width)
    return np.asarray(cv2.resize(table, size, interpolation=cv2.INTER_AREA), np.uint8)


def filmed(table: Image, scene: Moment, scale: float, random: np.random.Generator) -> Image:
    """The table in this scene's light, with the hand and the sensor's noise."""
    out = table.astype(np.float32)
    out *= (scene.light + scene.slope * np.linspace(-0.5, 0.5, out.shape[1], dtype=np.float32))[None, :, None]
    if scene.hand is not None:
        _draw_hand(out, scene.hand, scene.light)
    out += max(0.35, 2.0 * scale) * random.standard_normal(out.shape, dtype=np.float32)
    return np.clip(out, 0, 255).astype(np.uint8)


class Stage:
    """One photo, taken apart: the bare table, and each cube that can be laid on it."""

    def __init__(self, photo: Path) -> None:
        self.name = photo.stem
        self.label: dict[str, Any] = json.loads(photo.with_suffix(".json").read_text())
        image = cv2.imread(str(photo))
        assert image is not None
        self.image: Image = np.asarray(image, np.uint8)
        self.cubes: list[dict[str, Any]] = self.label["cubes"]
        self._outlines = [np.array(cube["outline_px"], np.float32) for cube in self.cubes]
        self._plate = self._bare()
        self._composed = lru_cache(maxsize=2)(self._compose)
        self._seen = lru_cache(maxsize=6)(self._see)

    def forget(self) -> None:
        """Drops the pictures composed last: before memory is weighed, for they are the stage's and no camera's."""
        self._composed.cache_clear()
        self._seen.cache_clear()

    @property
    def everything(self) -> frozenset[int]:
        return frozenset(range(len(self.cubes)))

    def pieces(self, present: frozenset[int]) -> tuple[Piece, ...]:
        """The truth, with ids that name the cube's place in the label."""
        return tuple(
            Piece(
                id=f"c{n:02}", type=cube["type"], size=cube["size"],
                center_px=tuple(cube["center_px"]), outline_px=tuple(map(tuple, cube["outline_px"])),
                center_mm=tuple(cube["center_mm"][:2]), footprint_mm=tuple(map(tuple, cube["footprint_mm"])),
            )
            for n, cube in enumerate(self.cubes)
            if n in present
        )  # fmt: skip

    def picture(self, scene: Scene, width_px: int, random: np.random.Generator) -> Image:
        """The scene, this wide, with the sensor's noise."""
        table = self._seen(replace(scene, hand=None, light=1.0, slope=0.0), width_px)
        return filmed(table, scene, width_px / self.image.shape[1], random)

    def at(self, cube: int) -> tuple[float, float]:
        """A cube's place, as shares of the picture."""
        x, y = self.cubes[cube]["center_px"]
        return x / self.label["width"], y / self.label["height"]

    def to_photo(self, scene: Scene, points_px: Any) -> Array:
        """Where the camera, bumped as in this scene, shows points of the original photo."""
        points = np.array(points_px, float).reshape(-1, 2)
        return np.asarray(points @ self._camera(scene)[:, :2].T + self._camera(scene)[:, 2])

    def _camera(self, scene: Scene) -> Array:
        return camera(scene, self.image)

    def _mask(self, cube: int, grow: float) -> Image:
        outline = self._outlines[cube]
        middle = outline.mean(axis=0)
        mask = np.zeros(self.image.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.round(middle + (outline - middle) * grow).astype(np.int32), 255)
        return mask

    def _bare(self) -> Image:
        """The table without cubes: painted over at half size, where the grain of a cloth or a board still lives."""
        mask = np.zeros(self.image.shape[:2], np.uint8)
        for cube in range(len(self.cubes)):
            mask |= self._mask(cube, 1.5)
        small = cv2.resize(self.image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        small_mask = cv2.resize(mask, (small.shape[1], small.shape[0]), interpolation=cv2.INTER_NEAREST)
        filled = cv2.inpaint(small, small_mask, 5, cv2.INPAINT_TELEA)
        large = cv2.resize(filled, (self.image.shape[1], self.image.shape[0]), interpolation=cv2.INTER_CUBIC)
        return np.asarray(np.where(mask[..., None] > 0, large, self.image), np.uint8)

    def _see(self, scene: Scene, width_px: int) -> Image:
        """The table as the camera stands, this wide; the light, the hand and the noise come on top."""
        return shown(self._composed(scene.present), scene, width_px)

    def _compose(self, present: frozenset[int]) -> Image:
        alpha = np.zeros(self.image.shape[:2], np.uint8)
        absent = np.zeros(self.image.shape[:2], np.uint8)
        for cube in self.everything:
            if cube in present:
                alpha |= self._mask(cube, 1.45)
            else:
                absent |= self._mask(cube, 1.12)
        own = np.zeros(self.image.shape[:2], np.uint8)
        for cube in present:
            own |= self._mask(cube, 1.03)
        alpha[(absent > 0) & (own == 0)] = 0
        soft = cv2.GaussianBlur(alpha, (0, 0), 2.0).astype(np.float32)[..., None] / 255
        return np.asarray(self._plate + soft * (self.image.astype(np.float32) - self._plate), np.uint8)


@dataclass(frozen=True, eq=False)
class StagedFrame(Frame):
    """Composed when somebody looks."""

    stage: Any = None  # whatever composes a picture of the scene
    scene: Moment = field(default_factory=Moment)
    seed: int = 0

    def image(self) -> Image:
        random = np.random.default_rng([self.seed, self.number])
        return np.asarray(self.stage.picture(self.scene, self.stage.image.shape[1], random), np.uint8)

    def grey(self) -> Image:
        if not self._grey:
            random = np.random.default_rng([self.seed, self.number])
            small = self.stage.picture(self.scene, WATCH_WIDTH_PX, random)
            self._grey.append(np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8))
        return self._grey[0]


def still(scene: AnyMoment, seconds: float) -> Iterator[AnyMoment]:
    for _ in range(round(seconds * FPS)):
        yield scene


def reach(
    stage: Stage,
    scene: Scene,
    random: np.random.Generator,
    *,
    take: frozenset[int] = frozenset(),
    put: frozenset[int] = frozenset(),
) -> Iterator[Scene]:
    """A hand comes in, takes or puts one cube after the other, and leaves; one cube takes about half a second."""
    side = int(random.integers(-1, 2))
    away = Hand({-1: -0.2, 0: 0.5, 1: 1.2}[side], 1.25 if side == 0 else 0.6, side)
    here, path = away, sorted(take | put, key=lambda cube: (stage.at(cube)[0], cube))
    for cube in path:
        x, y = stage.at(cube)
        for hand in between(here, Hand(x, y, side), 4, random):
            yield replace(scene, hand=hand)
        here = Hand(x, y, side)
        scene = replace(scene, present=(scene.present - {cube}) if cube in take else scene.present | {cube})
        yield replace(scene, hand=here)
    for hand in between(here, away, 5, random):
        yield replace(scene, hand=hand)
    yield scene


def wave(scene: AnyMoment, random: np.random.Generator) -> Iterator[AnyMoment]:
    """A hand points at something, rests a moment, and leaves: nothing is touched."""
    target = Hand(float(random.uniform(0.2, 0.8)), float(random.uniform(0.3, 0.8)))
    away = Hand(target.x, 1.25)
    for hand in (
        *between(away, target, 6, random),
        *[target] * int(random.integers(3, 25)),
        *between(target, away, 6, random),
    ):
        yield replace(scene, hand=hand)
    yield scene


def between(one: Hand, two: Hand, steps: int, random: np.random.Generator) -> Iterator[Hand]:
    for step in range(1, steps + 1):
        share = step / steps
        tremble = random.normal(0, 0.004, 2)
        yield Hand(one.x + (two.x - one.x) * share + tremble[0], one.y + (two.y - one.y) * share + tremble[1], two.side)


def _draw_hand(picture: npt.NDArray[np.float32], hand: Hand, light: float) -> None:
    """Palm, fingers and sleeve, with a soft shadow beside them."""
    height, width = picture.shape[:2]
    tip = np.array([hand.x * width, hand.y * height])
    root = {-1: (-0.3 * width, 0.9 * height), 0: (hand.x * width, 1.6 * height), 1: (1.3 * width, 0.9 * height)}[
        hand.side
    ]
    back = np.array(root) - tip
    back = back / max(1.0, float(np.hypot(*back)))
    palm = tip + back * 0.11 * width
    mask = np.zeros((height, width), np.uint8)
    across = np.array([-back[1], back[0]])
    for finger in range(-1, 3):
        base = palm + across * finger * 0.025 * width
        end = tip + across * finger * 0.016 * width + back * abs(finger) * 0.012 * width
        _line(mask, base, end, 0.024 * width)
    cv2.circle(mask, _at(palm), max(1, round(0.05 * width)), 255, -1)
    _line(mask, palm, palm + back * width, 0.085 * width)
    soft = cv2.GaussianBlur(mask, (0, 0), max(0.5, 0.0015 * width)).astype(np.float32)[..., None] / 255
    beside = np.array([[1, 0, 0.015 * width], [0, 1, 0.01 * width]], np.float32)
    shade = cv2.warpAffine(cv2.GaussianBlur(mask, (0, 0), 0.02 * width), beside, (width, height)).astype(np.float32)
    shade = shade[..., None] / 255
    picture *= 1 - 0.35 * shade
    picture += soft * (np.array(SKIN_BGR, np.float32) * light - picture)


def _line(mask: Image, one: Array, two: Array, thickness: float) -> None:
    cv2.line(mask, _at(one), _at(two), 255, max(1, round(thickness)), cv2.LINE_AA)


def _at(point: Array) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))
