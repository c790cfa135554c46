"""Made-up photos of Dungeon Hustle boards with everything known about them, drawn in a fraction of a second each.

Lengths are in pitches of the board (one card and one gap). The board's own plane has x to the right and y downwards
from the outer corner of row 0, column 0, so that the card of row r and column c is centred at (c + 0.5, r + 0.5);
heights are negative, towards the camera.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.tiles import CARD_SPACES
from vision.training import hustle_drawing as drawing
from vision.training.hustle_drawing import CELL_PX, Picture

Array = NDArray[np.float64]
MARGIN_CELLS = 0.5
CANVAS_PX = int((7 + 2 * MARGIN_CELLS) * CELL_PX)


@dataclass(frozen=True)
class Camera:
    width: int
    height: int
    matrix: Array
    distortion: Array
    rvec: Array
    tvec: Array

    def project(self, points: Array) -> Array:
        flat = np.asarray(points, np.float64).reshape(-1, 1, 3)
        return cv2.projectPoints(flat, self.rvec, self.tvec, self.matrix, self.distortion)[0].reshape(-1, 2)

    def plane_of_pixels(self) -> NDArray[np.float32]:
        """Where on the board's plane each pixel looks: (height, width, 2); far beyond it where it sees no table."""
        step = 8
        xs = np.arange(0, self.width + step, step, dtype=np.float64)
        ys = np.arange(0, self.height + step, step, dtype=np.float64)
        grid = np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 1, 2)
        rays = cv2.undistortPoints(grid, self.matrix, self.distortion).reshape(-1, 2)
        turn = cv2.Rodrigues(self.rvec)[0]
        back = np.linalg.inv(np.column_stack([turn[:, 0], turn[:, 1], self.tvec.ravel()]))
        plane = np.column_stack([rays, np.ones(len(rays))]) @ back.T
        plane = plane[:, :2] / np.where(np.abs(plane[:, 2:]) < 1e-3, 1e-3, plane[:, 2:])
        coarse = np.clip(plane, -300, 300).reshape(len(ys), len(xs), 2).astype(np.float32)
        xx, yy = np.meshgrid(np.arange(self.width) / step, np.arange(self.height) / step)
        return cv2.remap(coarse, xx.astype(np.float32), yy.astype(np.float32), cv2.INTER_LINEAR)


@dataclass(frozen=True)
class Scene:
    photo: Picture
    plane: NDArray[np.float32]  # where on the board's plane each pixel looks
    camera: Camera
    cards: Array  # (36, 4, 2) true corners on the plane, clockwise from the far left, in the order of CARD_SPACES
    has_board: bool  # some tables are bare


def make_scene(rng: np.random.Generator) -> Scene:
    canvas, cards, prints = lay_board(rng)
    has_board = rng.random() < 0.92
    camera = aim(rng)
    plane = camera.plane_of_pixels()
    photo = photograph_plane(rng, canvas if has_board else np.zeros_like(canvas), plane)
    if has_board:
        raise_deck(rng, photo, camera, prints)
    for _ in range(rng.integers(0, 9)):
        set_standee(rng, photo, camera)
    if rng.random() < 0.15:
        reach_in(rng, photo)
    return Scene(develop(rng, photo), plane, camera, cards, has_board)


def lay_board(rng: np.random.Generator) -> tuple[Picture, Array, list[Picture]]:
    """The board from straight above as BGRA, the cards' corners, and the prints that could lie on the deck."""
    faces, back = drawing.copy_of_the_game(rng)
    side = rng.uniform(0.93, 0.985)
    jitter, wobble = rng.uniform(0, 0.015), np.radians(rng.uniform(0.2, 2.5))
    canvas = np.zeros((CANVAS_PX, CANVAS_PX, 4), np.uint8)
    _lay_corner_tiles(rng, canvas, side)
    cards = []
    for row, col in CARD_SPACES:
        middle = np.array([col + 0.5, row + 0.5]) + rng.normal(0, jitter, 2)
        quad = _square(middle, side, rng.normal(0, wobble))
        face = np.ascontiguousarray(np.rot90(faces[rng.integers(len(faces))], rng.integers(4)))
        _print(canvas, face, quad)
        cards.append(quad)
    return canvas, np.array(cards), [back, *faces]


def _square(middle: Array, side: float, angle: float, aspect: float = 1.0) -> Array:
    half = np.array([[-1, -aspect], [1, -aspect], [1, aspect], [-1, aspect]]) * side / 2
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return half @ turn.T + middle


def _print(canvas: Picture, face: Picture, quad: Array) -> None:
    """Lay a printed face on a quadrilateral of a picture; coordinates of the board's canvas where it has alpha."""
    target = (quad + MARGIN_CELLS) * CELL_PX if canvas.shape[2] == 4 else quad
    low = np.maximum(np.floor(target.min(0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(target.max(0)).astype(int) + 2, canvas.shape[1::-1])
    if (high - low < 2).any():
        return
    height, width = face.shape[:2]
    source = np.float32([[0, 0], [width, 0], [width, height], [0, height]])  # type: ignore[arg-type]
    warp = cv2.getPerspectiveTransform(source - 0.5, (target - low).astype(np.float32))
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    opaque = np.dstack([face, np.full((height, width), 255, np.uint8)])
    laid = cv2.warpPerspective(opaque, warp, size, flags=cv2.INTER_AREA)
    part = canvas[low[1] : high[1], low[0] : high[0]]
    alpha = laid[..., 3:] / 255.0
    part[..., :3] = (laid[..., :3] + part[..., :3] * (1 - alpha)).astype(np.uint8)
    if canvas.shape[2] == 4:
        part[..., 3] = np.maximum(part[..., 3], laid[..., 3])


def _lay_corner_tiles(rng: np.random.Generator, canvas: Picture, side: float) -> None:
    start, cell, gap = int(MARGIN_CELLS * CELL_PX), CELL_PX, int((1 - side) * CELL_PX)
    for index in range(4):
        sheet = drawing.corner_sheet(rng, 2 * cell - gap)
        tile = np.dstack([sheet, np.full(sheet.shape[:2], 255, np.uint8)])
        tile[cell:, cell:, 3] = 0
        view = np.rot90(canvas, index)  # corner by corner, each brought to the far left
        view[
            start + gap // 2 : start - gap + gap // 2 + 2 * cell, start + gap // 2 : start - gap + gap // 2 + 2 * cell
        ] = tile
        if rng.random() < 0.75:
            middle = np.array([0.5, 0.5]) + rng.normal(0, 0.03, 2)
            quad = _square(_turned(middle, index), 0.62, rng.normal(0, 0.05), 60 / 44)
            _print(canvas, drawing.quest_card(rng), quad)


def _turned(point: Array, quarters: int) -> Array:
    for _ in range(quarters):
        point = np.array([7 - point[1], point[0]])
    return point


def aim(rng: np.random.Generator) -> Camera:
    """A camera 40 to 90 degrees above the table that holds the whole board, somewhere in its picture."""
    width, height = ((512, 384), (512, 288), (384, 512))[rng.choice(3, p=[0.5, 0.4, 0.1])]
    width, height = 2 * width, 2 * height
    focal = max(width, height) * rng.uniform(0.6, 0.95)
    matrix = np.array([[focal, 0, width / 2 - 0.5], [0, focal, height / 2 - 0.5], [0, 0, 1]])
    distortion = np.array([rng.uniform(-0.17, 0.03), rng.uniform(-0.02, 0.05), 0, 0, 0])
    elevation, around = np.radians(rng.uniform(40, 91)), np.radians(rng.uniform(-32, 32))
    out = np.array([np.sin(around) * np.cos(elevation), np.cos(around) * np.cos(elevation), -np.sin(elevation)])
    forward = -out
    right = np.cross(forward, [-np.sin(around) * 1e-3, -np.cos(around) * 1e-3, -1.0])
    right /= np.linalg.norm(right)
    right *= 1 if right[0] > 0 else -1
    turn = cv2.Rodrigues(np.array([0, 0, np.radians(rng.normal(0, 4))]))[0] @ np.stack(
        [right, np.cross(forward, right), forward]
    )
    target = np.array([3.5, 3.5, 0]) + np.append(rng.normal(0, 0.5, 2), 0)
    margin = rng.uniform(0.005, 0.12) * min(width, height)
    corners = np.array([[x, y, 0.0] for x in (0, 7) for y in (0, 7)])
    distance = 5.0
    while True:
        rvec = cv2.Rodrigues(turn)[0]
        camera = Camera(width, height, matrix, distortion, rvec, -turn @ (target + out * distance))
        seen = camera.project(corners)
        if seen.min() > margin and (np.array([width, height]) - seen).min() > margin:
            return camera
        distance *= 1.03


def photograph_plane(rng: np.random.Generator, canvas: Picture, plane: NDArray[np.float32]) -> Picture:
    top = drawing.table(rng)
    scale, turn = rng.uniform(40, 160), rng.uniform(0, 2 * np.pi)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]], np.float32) * scale
    spread = (plane @ spin.T).astype(np.float32)
    below = cv2.remap(top, spread[..., 0], spread[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    where = ((plane + MARGIN_CELLS) * CELL_PX - 0.5).astype(np.float32)
    laid = cv2.remap(canvas, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    alpha = laid[..., 3:] / 255.0
    return (laid[..., :3] * alpha + below * (1 - alpha)).astype(np.uint8)


def raise_deck(rng: np.random.Generator, photo: Picture, camera: Camera, prints: list[Picture]) -> None:
    height = rng.uniform(0.03, 0.4)
    quad = _square(np.array([3.5, 3.5]) + rng.normal(0, 0.02, 2), 0.96, rng.normal(0, 0.04))
    top = camera.project(np.column_stack([quad, np.full(4, -height)]))
    foot = camera.project(np.column_stack([quad, np.zeros(4)]))
    hull = cv2.convexHull(np.vstack([top, foot]).astype(np.float32)).astype(np.int32)
    cv2.fillConvexPoly(photo, hull, drawing.colour(rng, 60, 220), cv2.LINE_AA)
    _print(photo, prints[0] if rng.random() < 0.5 else prints[rng.integers(len(prints))], top)


def set_standee(rng: np.random.Generator, photo: Picture, camera: Camera) -> None:
    row, col = CARD_SPACES[rng.integers(len(CARD_SPACES))]
    spot = np.array([col + 0.5, row + 0.5]) + rng.normal(0, 0.08, 2)
    angle = rng.normal(0, 0.5)
    foot = _square(spot, 0.44, angle, 0.6)
    solid = np.vstack([np.column_stack([foot, np.full(4, z)]) for z in (0.0, -0.07)])
    hull = cv2.convexHull(camera.project(solid).astype(np.float32)).astype(np.int32)
    cv2.fillConvexPoly(photo, hull, drawing.colour(rng), cv2.LINE_AA)
    reach = np.array([np.cos(angle), np.sin(angle)]) * 0.23
    tall = rng.uniform(0.7, 0.9)
    ends = [(*(spot - reach), -tall), (*(spot + reach), -tall), (*(spot + reach), -0.06), (*(spot - reach), -0.06)]
    _print(photo, drawing.standee_face(rng), camera.project(np.array(ends)))


def reach_in(rng: np.random.Generator, photo: Picture) -> None:
    """An arm from the edge of the picture, as a blob."""
    height, width = photo.shape[:2]
    start = np.array([rng.uniform(0, width), height]) if rng.random() < 0.6 else np.array([0.0, rng.uniform(0, height)])
    stop = start + (np.array([width, height]) / 2 - start) * rng.uniform(0.3, 0.8)
    thick = int(width * rng.uniform(0.04, 0.12))
    ends = [(int(x), int(y)) for x, y in (start, stop)]
    cv2.line(photo, ends[0], ends[1], drawing.colour(rng), thick, cv2.LINE_AA)


def develop(rng: np.random.Generator, photo: Picture) -> Picture:
    """Light, glare, exposure, white balance, blur and noise."""
    height, width = photo.shape[:2]

    def field(low: float, high: float) -> Array:
        patch = rng.uniform(low, high, (3, 3)).astype(np.float32)
        return cv2.resize(patch, (width, height), interpolation=cv2.INTER_CUBIC)[..., None]

    out = photo.astype(np.float32) / 255 * field(rng.uniform(0.3, 1.0), 1.2)
    if rng.random() < 0.4:
        out = out + np.maximum(field(-0.6, 0.6), 0)
    out *= rng.uniform(0.85, 1.15, 3).astype(np.float32)
    out *= rng.uniform(0.3, 0.6) / max(float(out.mean()), 0.05)
    if rng.random() < 0.3:
        out = out * rng.uniform(0.3, 0.8) + rng.uniform(0.05, 0.3)
    out = np.clip(out, 0, 1) ** rng.uniform(0.8, 1.3)
    out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.3, 1.6))
    out += rng.normal(0, rng.uniform(0.003, 0.04), out.shape).astype(np.float32)
    return (np.clip(out, 0, 1) * 255).astype(np.uint8)
