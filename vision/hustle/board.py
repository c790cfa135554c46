"""Where the 7 by 7 board lies before the camera, and where each of its cards lies on it.

The board's frame is that of a table view: millimetres, origin in the middle of the board, x along a row, y away from
the camera, z up. One least-squares fit over all cards' corners finds pose, focal length and the lens's bulge; then each
card keeps the small shift and turn with which a hand laid it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, Camera
from calibration.least_squares import descend
from calibration.view import TableView
from companion.tiles import CARD_SPACES, SIDE, Space, is_corner_space
from vision.hustle.finder import Image, RoughBoard
from vision.hustle.lenses import Lenses
from vision.hustle.snap import snap_cards

CORNERS: Final = np.array([[-0.5, 0.5], [0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]])  # far left first, clockwise
USUAL_FILL: Final = 0.96  # a card's share of the pitch
CORNER_SPACES: Final = tuple((r, c) for r in range(SIDE) for c in range(SIDE) if is_corner_space(r, c))


@dataclass(frozen=True)
class FitSettings:
    focal_sd: float = 0.08  # of the logarithm, for a camera that nobody has calibrated; phones and webcams vary so much
    bulge_sd: float = 0.06  # of k1, the same
    known_sd: float = 0.004  # for one that was calibrated, or that the marker cards have told
    corner_sd: float = 0.02  # of a pitch: how exactly a corner is snapped, jitter of the hand included
    fill_sd: float = 0.03  # of a card's share of the pitch: nobody lays gaps of a finger's width
    outlier_sd: float = 3.0  # corners farther off than this count less and less
    least_cards: float = 0.6  # of the spaces must look like cards: hands and standees hide a few, never half
    least_near: float = 0.25  # the same while the fit is still rough
    first_rounds: int = 3  # of least squares, while more cards are still to come
    rounds: int = 8
    still: float = 0.08  # of a card's side: a crop that would move by less shows the same
    turns_deg: tuple[float, ...] = (-24, -16, -8, 0, 8, 16, 24)  # where to start from when the first start fails
    scales: tuple[float, ...] = (0.75, 0.87, 1.0, 1.15, 1.33)
    shifts: tuple[float, ...] = (-0.45, -0.2, 0.0, 0.2, 0.45)  # of a pitch
    more_starts: int = 5
    shift_spaces: int = 1  # how far the rough fit may be off by whole spaces


SETTINGS: Final = FitSettings()


@dataclass(frozen=True, eq=False)
class Snapped:
    """Spaces, where their corners were expected, those of the cards in them (n x 4 x 2), and how much like cards."""

    spaces: tuple[Space, ...]
    expected_px: Array
    corners_px: Array
    logits: NDArray[np.float32]

    @property
    def belief(self) -> Array:
        return np.asarray(1 / (1 + np.exp(-self.logits.astype(float))), float)


NOTHING: Final = Snapped((), np.zeros((0, 4, 2)), np.zeros((0, 4, 2)), np.zeros(0, np.float32))


@dataclass(frozen=True, eq=False)
class Board:
    """The view, the pitch, and where each card of CARD_SPACES lies: x, y in mm and turn in radians."""

    view: TableView
    pitch_mm: float
    side_mm: float
    places: Array  # (36, 3)
    card_logits: NDArray[np.float32]  # how much each space looks like a card

    def outlines_mm(self) -> Array:
        """(36, 4, 2) corners of the cards, from their far left clockwise."""
        return placed(self.places, self.side_mm)

    def outlines_px(self) -> Array:
        return project_flat(self.view, self.outlines_mm())

    def corners_px(self) -> Array:
        """The outer corners of the 7 by 7."""
        return project_flat(self.view, CORNERS * SIDE * self.pitch_mm)


def placed(places: Array, side: float) -> Array:
    """Squares of this side at (n, 3) places: x, y, turn."""
    cos, sin = np.cos(places[:, 2]), np.sin(places[:, 2])
    turn = np.stack([np.stack([cos, -sin], -1), np.stack([sin, cos], -1)], 1)
    return np.asarray(CORNERS * side @ turn.transpose(0, 2, 1) + places[:, None, :2], float)


def project_flat(view: TableView, points: Array, height: float = 0.0) -> Array:
    """Points of the board's plane, of any leading shape, to pixels."""
    flat = points.reshape(-1, 2)
    return view.project(np.column_stack([flat, np.full(len(flat), height)])).reshape(points.shape)


def middles(spaces: tuple[Space, ...]) -> Array:
    """Where these spaces' middles lie, in pitches from the board's middle."""
    return np.array([[col - 3.0, 3.0 - row] for row, col in spaces])


def fit_board(bgr: Image, rough: RoughBoard, camera: Camera, settings: FitSettings = SETTINGS) -> Board | None:
    """The board in units of its pitch, or None where nothing there looks like one."""

    def promising(starts: list[TableView]) -> list[TableView]:
        looks = [float(_snapped(bgr, start, _ring(1), settings).logits.clip(-4, 4).sum()) for start in starts]
        return [starts[k] for k in np.argsort(looks)[::-1][: settings.more_starts]]

    def starts() -> Iterator[TableView]:
        """The finder's own guess, mostly right; then half a space to any side of it; then turned and stretched too."""
        view = _first_view(rough, camera)
        yield view
        yield from promising([_moved(view, x, y) for x in settings.shifts for y in settings.shifts])
        turned = promising([_perturbed(view, turn, scale) for turn in settings.turns_deg for scale in settings.scales])
        yield from promising(
            [_moved(start, x, y) for start in turned for x in settings.shifts for y in settings.shifts]
        )

    fits = (_fitted(bgr, start, camera, settings) for start in starts())
    return next((board for board in fits if board is not None), None)


def _snapped(
    bgr: Image, view: TableView, spaces: tuple[Space, ...], settings: FitSettings, known: Snapped = NOTHING
) -> Snapped:
    """The cards in these spaces; one that was looked at before, from nearly the same place, is not looked at again."""
    expected = project_flat(view, middles(spaces)[:, None] + CORNERS)
    corners, logits = np.empty_like(expected), np.empty(len(spaces), np.float32)
    new = np.ones(len(spaces), bool)
    before = {space: k for k, space in enumerate(known.spaces)}
    have = np.array([k for k, space in enumerate(spaces) if space in before], int)
    if len(have):
        old = np.array([before[spaces[k]] for k in have])
        moved = np.abs(expected[have] - known.expected_px[old]).max((1, 2))
        still = moved < settings.still * np.abs(expected[have, 0] - expected[have, 2]).max(1)
        keep, old = have[still], old[still]
        new[keep] = False
        expected[keep], corners[keep], logits[keep] = known.expected_px[old], known.corners_px[old], known.logits[old]
    if new.any():
        corners[new], logits[new] = snap_cards(bgr, expected[new])
    return Snapped(spaces, expected, corners, logits)


def _fitted(bgr: Image, view: TableView, camera: Camera, settings: FitSettings) -> Board | None:
    """From the middle outwards, since a rough fit is worst at the rim; then settle which space is which."""
    fill, found = USUAL_FILL, NOTHING
    for spaces in (_ring(1), (*_ring(1), *_ring(2)), CARD_SPACES):
        found = _snapped(bgr, view, spaces, settings, found)
        if (found.logits > 0).mean() < settings.least_near:
            return None
        view, fill = _refined(view, fill, camera, found, settings=settings, rounds=settings.first_rounds)
    if _lacks_a_side(found):
        view = _shifted(view, _snapped(bgr, view, _ring(3), settings), settings)
        found = NOTHING
    found = _snapped(bgr, view, CARD_SPACES, settings, found)
    if (found.logits > 0).mean() < settings.least_cards:
        return None
    view, fill = _refined(view, fill, camera, found, settings=settings, rounds=settings.rounds)
    return Board(view, 1.0, fill, _own_places(view, fill, found), found.logits)


def _lacks_a_side(found: Snapped) -> bool:
    """Whether the middle three spaces of some edge of the board look like anything but cards: it may lie elsewhere."""
    card = dict(zip(found.spaces, found.logits, strict=True))
    sides = [[(edge, k) if row else (k, edge) for k in (2, 3, 4)] for edge in (0, SIDE - 1) for row in (True, False)]
    return any(sum(card[space] > 0 for space in side) < 2 for side in sides)


def _ring(reach: int) -> tuple[Space, ...]:
    """The spaces at this distance about the middle: the outermost are corner tiles and cards by turns."""
    along = range(3 - reach, 4 + reach)
    return tuple((r, c) for r in along for c in along if max(abs(r - 3), abs(c - 3)) == reach)


def _perturbed(view: TableView, turn_deg: float, scale: float) -> TableView:
    """The board turned about its middle, and nearer or farther: other places to start from."""
    spin = cv2.Rodrigues(np.array([0.0, 0.0, np.radians(turn_deg)]))[0]
    return replace(view, rvec=cv2.Rodrigues(view.rotation @ spin)[0].ravel(), tvec=view.tvec / scale)


def _first_view(rough: RoughBoard, camera: Camera) -> TableView:
    grid = np.array([[u, v] for u in (0.5, 2, 3.5, 5, 6.5) for v in (0.5, 2, 3.5, 5, 6.5)])
    seen = cv2.perspectiveTransform(grid[None], rough.to_px)[0]
    solid = np.column_stack([grid[:, 0] - 3.5, 3.5 - grid[:, 1], np.zeros(len(grid))])
    _, rvec, tvec = cv2.solvePnP(solid, seen, camera.matrix, camera.distortion, flags=cv2.SOLVEPNP_IPPE)
    return TableView(camera, rvec.ravel(), tvec.ravel(), "tiles", 0.0)


def _shifted(view: TableView, found: Snapped, settings: FitSettings) -> TableView:
    """The fit may be a whole space off: the pattern of cards and corner tiles tells."""
    card = {space: float(np.clip(logit, -4, 4)) for space, logit in zip(found.spaces, found.logits, strict=True)}
    reach = range(-settings.shift_spaces, settings.shift_spaces + 1)

    def agreement(shift: Space) -> float:
        at = [card.get((r + shift[0], c + shift[1]), 0.0) for r, c in CARD_SPACES]
        off = [card.get((r + shift[0], c + shift[1]), 0.0) for r, c in CORNER_SPACES]
        return sum(at) - sum(off) - 0.1 * (abs(shift[0]) + abs(shift[1]))

    row, col = max(((dr, dc) for dr in reach for dc in reach), key=agreement)
    return _moved(view, float(col), -float(row)) if row or col else view


def _moved(view: TableView, x: float, y: float) -> TableView:
    """The board moved on the table by so many pitches."""
    return replace(view, tvec=view.tvec + view.rotation @ np.array([x, y, 0.0]))


def _refined(
    view: TableView, fill: float, camera: Camera, snapped: Snapped, *, settings: FitSettings, rounds: int
) -> tuple[TableView, float]:
    """Pose, focal length, bulge and the cards' share of the pitch that explain all snapped corners best.

    `camera` is what was known of the lens beforehand, `view` where the last round ended.
    """
    known = camera.source in ("lens", "markers")
    focal_sd, bulge_sd = (settings.known_sd,) * 2 if known else (settings.focal_sd, settings.bulge_sd)
    spaces = middles(snapped.spaces)[:, None]
    pitch_px = np.sqrt(cv2.contourArea(project_flat(view, CORNERS * SIDE).astype(np.float32))) / SIDE
    weight = np.repeat(snapped.belief, 8) / (settings.corner_sd * pitch_px)
    zoomed = np.log(view.camera.focal_px / camera.focal_px) / focal_sd
    bulged = (view.camera.distortion[0] - camera.distortion[0]) / bulge_sd
    start = np.array([zoomed, bulged, *view.rvec, *view.tvec, fill])
    seen_px = snapped.corners_px.ravel()

    def residuals(batch: Array) -> Array:
        corners = (spaces + CORNERS * batch[:, 8, None, None, None]).reshape(len(batch), -1, 2)
        lens = Lenses(camera, np.exp(batch[:, 0] * focal_sd), batch[:, 1] * bulge_sd)
        off = (lens.project(corners, batch[:, 2:5], batch[:, 5:8]).reshape(len(batch), -1) - seen_px) * weight
        size, most = np.abs(off), settings.outlier_sd
        calm = np.sign(off) * np.sqrt(np.where(size > most, np.abs(2 * most * size - most**2), size**2))
        return np.hstack([calm, batch[:, :2], (batch[:, 8:] - USUAL_FILL) / settings.fill_sd])

    steps = np.array([1e-3, 1e-3, *[1e-5] * 3, *[1e-5] * 3, 1e-4])
    _, best = descend(residuals, start, steps, rounds=rounds, done=1e-4)
    lens = Lenses(camera, np.exp(best[:1] * focal_sd), best[1:2] * bulge_sd).first()
    return replace(view, camera=lens, rvec=best[2:5], tvec=best[5:8]), float(best[8])


def _own_places(view: TableView, fill: float, snapped: Snapped) -> Array:
    """Each card's shift and turn, drawn towards its space's middle as far as its corners are doubtful."""
    seen = view.to_table(snapped.corners_px.reshape(-1, 2)).reshape(-1, 4, 2)
    spots, belief = middles(snapped.spaces), snapped.belief
    shift = (seen.mean(1) - spots) * belief[:, None]
    square = CORNERS * fill
    own = seen - seen.mean(1, keepdims=True)
    cross = (square[None, :, 0] * own[..., 1] - square[None, :, 1] * own[..., 0]).sum(1)
    turn = np.arctan2(cross, (square * own).sum((1, 2))) * belief
    return np.column_stack([spots + np.clip(shift, -0.1, 0.1), np.clip(turn, -0.15, 0.15)])
