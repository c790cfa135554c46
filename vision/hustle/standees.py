"""Who stands on the board: upright cards on small bases, found as what no printed face explains.

Seen from the camera, a standee covers a patch of the board's plane whose outline follows from where its foot is, how
it is turned and where the camera is. The patch that gathers the most that is unexplained, and the least that is, tells
the foot; one after the other, since one standee's head hides another's card.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from calibration.camera import Array
from calibration.hustle_profile import FACE_PX, STANDEE_PX
from companion.tiles import CARD_SPACES, SIDE
from vision.hustle.board import CORNERS, Board
from vision.hustle.cards import Floats, cut_out
from vision.hustle.finder import Image
from vision.hustle.light import Light


@dataclass(frozen=True)
class StandeeSettings:
    wide_mm: float = 23.0  # the usual card standee
    tall_mm: float = 42.0  # base included
    base_mm: tuple[float, float, float] = (22.0, 13.0, 3.5)
    grid_px: int = 24  # of the map of what is unexplained, to a pitch: two millimetres a pixel
    beyond: int = 1  # pitches around the board that the map shows
    offset_px: int = 5  # how far from the card's middle a foot may be: a person aims at the middle
    offset_sd_mm: float = 4.5
    turns_deg: tuple[float, ...] = (-60, -40, -20, 0, 20, 40, 60)
    shadow: tuple[float, float] = (0.5, 1.15)  # a shadow leaves half the light; glare is no standee either
    cap: float = 0.13  # disagreement, as a share of the photo's contrast, that certainly is something else
    doubt: float = 0.25  # of a pixel unexplained by chance counts for and against a standee alike
    least_score: float = 7.0  # pixels of certain evidence: a base seen from straight above
    least_share: float = 0.5  # of the patch that must be unexplained
    fine_px: int = 48  # of the map on which feet and turns are settled: one millimetre a pixel
    fine_reach_px: int = 4
    fine_turns_deg: tuple[float, ...] = (-18, -12, -6, 0, 6, 12, 18)
    fine_aim: float = 8.0  # pixels of evidence for a foot one offset_sd nearer to its card's middle: beyond the board's
    # edge nothing else says where a head ends
    # Whoever was settled by a picture is moved by what is unexplained a little only: pixels of evidence for a squared
    # millimetre, and for ten degrees squared
    settled_price: tuple[float, float] = (10.0, 30.0)
    settled_reach_px: int = 2
    settled_turns_deg: tuple[float, ...] = (-10, -5, 0, 5, 10)
    rim_weight: float = 0.7  # what is unexplained beside the patch, against what is inside
    strong: float = 0.8  # a pixel that certainly shows something else,
    least_strong: float = 0.042  # and the share of those without which nobody stands on a card: half a base has more
    base_steps_mm: tuple[float, ...] = (-6.0, -4.0, -2.0, 0.0, 2.0, 4.0, 6.0)  # how far the foot may be off
    base_step_price: float = 0.025  # a millimetre off
    spread_weight: float = 2.0  # a base's top varies by a few hundredths, its rim by tenths
    most: int = 10  # four monsters and four heroes, and room for error


SETTINGS: Final = StandeeSettings()
AS_SEEN: Final = replace(SETTINGS, fine_aim=0.0)  # what hides a card is what is seen there, wherever people aim
RIM: Final = np.ones((7, 7), np.uint8)  # pixels of the fine map around a patch
HEIGHTS_MM: Final = np.array([0.0] * 4 + [SETTINGS.base_mm[2]] * 4 + [SETTINGS.tall_mm] * 2)
CORNERS_MM: Final = np.vstack(  # of a standee that is not turned: base below, base above, the card's upper two
    [
        CORNERS * SETTINGS.base_mm[:2],
        CORNERS * SETTINGS.base_mm[:2],
        [[-SETTINGS.wide_mm / 2, 0], [SETTINGS.wide_mm / 2, 0]],
    ]
)


@dataclass(frozen=True, eq=False)
class Standee:
    """One that was found: on which card, where its foot is, its turn, and how certain it is (pixels of evidence)."""

    index: int  # in CARD_SPACES
    foot_mm: Array
    turn: float  # radians
    score: float
    patch_mm: Array  # what it covers of the board's plane, as the camera sees it
    settled: bool = False  # by its picture: there is nothing left to look for


def unexplained(seen: Floats, expected: Floats, settings: StandeeSettings = SETTINGS) -> Floats:
    """(n, side, side), 0 to 1: how certainly each pixel of the cards shows something else.

    Shadows do not count, and an edge that lies a pixel off does not either: anything between the darkest and the
    brightest of a pixel's neighbours is as expected.
    """
    x, e = (np.ascontiguousarray(stack.transpose(1, 2, 0, 3)) for stack in (seen, expected))  # cards as channels
    both, own = (np.einsum("hwnc,hwnc->hwn", e, other) for other in (x, e))
    gain = cv2.blur(both, (5, 5)) / np.maximum(cv2.blur(own, (5, 5)), 1e-4)
    lit = (e * np.clip(gain, *settings.shadow)[..., None]).reshape(*e.shape[:2], -1)
    around, x = np.ones((3, 3), np.uint8), x.reshape(lit.shape)
    off = np.maximum(np.maximum(x - cv2.dilate(lit, around), cv2.erode(lit, around) - x), 0).reshape(e.shape)
    contrast = float(np.ptp(np.percentile(expected[:, ::2, ::2], [5, 95])))
    certainty = np.einsum("hwnc,hwnc->nhw", off, off) / (3 * (settings.cap * contrast) ** 2)
    return np.asarray(np.minimum(certainty, 1), np.float32)


def evidence_map(board: Board, strange: Floats, settings: StandeeSettings = SETTINGS) -> Floats:
    """The board's plane from straight above: positive where something stands between it and the camera."""
    side = (SIDE + 2 * settings.beyond) * settings.grid_px
    out = np.zeros((side, side), np.float32)
    source = np.array([[0, 0], [FACE_PX, 0], [FACE_PX, FACE_PX], [0, FACE_PX]], np.float32) - 0.5
    for outline, card in zip(board.outlines_mm(), strange, strict=True):
        target = _to_map(outline, board, settings).astype(np.float32)
        low = np.floor(target.min(0)).astype(int)
        size = np.ceil(target.max(0)).astype(int) - low + 1
        warp = cv2.getPerspectiveTransform(source, target - low.astype(np.float32))
        part = cv2.warpPerspective(card - settings.doubt, warp, (int(size[0]), int(size[1])), borderValue=0)
        view = out[low[1] : low[1] + size[1], low[0] : low[0] + size[0]]
        np.copyto(view, part, where=part != 0)
    return out


def _to_map(points_mm: Array, board: Board, settings: StandeeSettings) -> Array:
    half = (SIDE / 2 + settings.beyond) * settings.grid_px
    return np.asarray(points_mm * [1, -1] * settings.grid_px / board.pitch_mm + half - 0.5, float)


def patches_of(foot_mm: Array, turns: Array, eye_mm: Array) -> list[Array]:
    """What a standee in each of these turns covers of the plane as seen from the eye: the hull of its corners there."""
    cos, sin = np.cos(turns), np.sin(turns)
    spin = np.stack([cos, sin, -sin, cos], -1).reshape(-1, 2, 2)
    seen = eye_mm[:2] + (CORNERS_MM @ spin + (foot_mm - eye_mm[:2])) * (eye_mm[2] / (eye_mm[2] - HEIGHTS_MM))[:, None]
    return [np.asarray(cv2.convexHull(hull).reshape(-1, 2), float) for hull in seen.astype(np.float32)]


def patch_of(foot_mm: Array, turn: float, eye_mm: Array) -> Array:
    return patches_of(foot_mm, np.array([turn]), eye_mm)[0]


def find_standees(
    board: Board, strange: Floats, only: tuple[int, ...] | None = None, settings: StandeeSettings = SETTINGS
) -> list[Standee]:
    """The likeliest standees one after the other; with `only`, exactly one on each of those cards."""
    evidence = evidence_map(board, strange, settings)
    strong = (strange > settings.strong).mean((1, 2))
    open_cards = [int(k) for k in np.flatnonzero(strong > settings.least_strong)] if only is None else list(only)
    best = {index: _best_on(index, board, evidence, settings) for index in open_cards}
    found: list[Standee] = []
    while best and len(found) < max(settings.most, len(only or ())):
        index = max(best, key=lambda k: best[k].score)
        winner = best.pop(index)
        if only is None and winner.score < settings.least_score:
            break
        found.append(winner)
        patch = np.round(_to_map(winner.patch_mm, board, settings)).astype(np.int32)
        cv2.fillConvexPoly(evidence, patch, 0.0)
        near = [k for k in best if np.abs(board.places[k, :2] - winner.foot_mm).max() < 2.6 * board.pitch_mm]
        best |= {k: _best_on(k, board, evidence, settings) for k in near}
    return found


def polished(
    found: list[Standee], board: Board, strange: Floats, settings: StandeeSettings = SETTINGS
) -> list[Standee]:
    """Feet and turns on a finer map: now what is unexplained right beside a patch counts against it."""
    fine = replace(settings, grid_px=settings.fine_px)
    whole = evidence_map(board, strange, fine)
    drawn = [np.round(_to_map(one.patch_mm, board, fine)) for one in found]
    return [_polish(one, board, whole, drawn[:k] + drawn[k + 1 :], settings=fine) for k, one in enumerate(found)]


def _polish(one: Standee, board: Board, whole: Floats, others: list[Array], *, settings: StandeeSettings) -> Standee:
    """`others` are the patches of those who stand around: what they explain is not this one's."""
    reach = settings.settled_reach_px if one.settled else settings.fine_reach_px
    steps = np.arange(-reach, reach + 1) * board.pitch_mm / settings.grid_px
    if one.settled:
        away = settings.settled_price[0] * (steps[None] ** 2 + steps[:, None] ** 2)
    else:
        aim = one.foot_mm - board.places[one.index, :2]
        off = (steps + aim[0])[None] ** 2 + (aim[1] - steps)[:, None] ** 2
        away = settings.fine_aim * off / (2 * settings.offset_sd_mm**2)
    degrees = np.array(settings.settled_turns_deg if one.settled else settings.fine_turns_deg)
    price = settings.settled_price[1] * (degrees / 10) ** 2 * one.settled
    turns = np.clip(one.turn + np.radians(degrees), -1.4, 1.4)
    patches = patches_of(one.foot_mm, turns, board.view.eye_mm)
    drawn = [_to_map(patch, board, settings) for patch in patches]
    low = np.floor(np.min([patch.min(0) for patch in drawn], axis=0)).astype(int) - 4 - reach
    high = np.ceil(np.max([patch.max(0) for patch in drawn], axis=0)).astype(int) + 5 + reach
    evidence = _window(whole, low[1], low[0], high[1] - low[1], high[0] - low[0])
    for other in others:
        cv2.fillConvexPoly(evidence, (other - low).astype(np.int32), 0.0)
    strange = np.maximum(evidence, 0)
    best, best_value = one, -np.inf
    for turn, patch, corners, cost in zip(turns, patches, drawn, price, strict=True):
        left, top = np.floor(corners.min(0) - low).astype(int) - 4
        right, bottom = np.ceil(corners.max(0) - low).astype(int) + 5
        mask = np.zeros((bottom - top, right - left), np.float32)
        cv2.fillConvexPoly(mask, np.round(corners - low - [left, top]).astype(np.int32), 1.0)
        rim = cv2.dilate(mask, RIM) - mask
        part = np.s_[top - reach : bottom + reach, left - reach : right + reach]
        score = cv2.matchTemplate(evidence[part], mask, cv2.TM_CCORR) - away
        score -= settings.rim_weight * cv2.matchTemplate(strange[part], rim, cv2.TM_CCORR)
        _, value, _, (x, y) = cv2.minMaxLoc(score)
        if value - cost > best_value:
            shift = np.array([steps[x], -steps[y]])
            best_value = value - cost
            best = replace(one, foot_mm=one.foot_mm + shift, turn=float(turn), patch_mm=patch + shift)
    return best


def _best_on(index: int, board: Board, evidence: Floats, settings: StandeeSettings) -> Standee:
    """The best foot and turn on one card."""
    middle, reach = board.places[index, :2], settings.offset_px
    best = Standee(index, middle, 0.0, -1.0, np.zeros((3, 2)))
    steps = np.arange(-reach, reach + 1) * board.pitch_mm / settings.grid_px
    away = (steps[:, None] ** 2 + steps[None] ** 2) / (2 * settings.offset_sd_mm**2)
    turns = np.radians(settings.turns_deg)
    for turn, patch in zip(turns, patches_of(middle, turns, board.view.eye_mm), strict=True):
        drawn = _to_map(patch, board, settings)
        low, high = np.floor(drawn.min(0)).astype(int), np.ceil(drawn.max(0)).astype(int) + 1
        mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.float32)
        cv2.fillConvexPoly(mask, np.round(drawn - low).astype(np.int32), 1.0)
        top, left = low[1] - reach, low[0] - reach
        window = _window(evidence, top, left, mask.shape[0] + 2 * reach, mask.shape[1] + 2 * reach)
        score = cv2.matchTemplate(window, mask, cv2.TM_CCORR) - away
        _, value, _, (x, y) = cv2.minMaxLoc(score)
        if value > best.score:
            shift = np.array([steps[x], -steps[y]])
            best = Standee(index, middle + shift, float(turn), value, patch + shift)
    return best


def _window(picture: Floats, top: int, left: int, height: int, width: int) -> Floats:
    """A part of the map, with nothing where it reaches beyond."""
    out = np.zeros((height, width), np.float32)
    rows = slice(max(0, top), max(0, min(picture.shape[0], top + height)))
    cols = slice(max(0, left), max(0, min(picture.shape[1], left + width)))
    part = picture[rows, cols]
    if part.size:
        out[
            rows.start - top : rows.start - top + part.shape[0], cols.start - left : cols.start - left + part.shape[1]
        ] = part
    return out


def shown_parts(board: Board, standees: list[Standee], deck_top_px: Array) -> Floats:
    """(36, side, side): 0 where a standee or the deck hides a card, 1 elsewhere."""
    deck = np.vstack([board.view.to_table(deck_top_px), CORNERS * board.side_mm])
    hull = cv2.convexHull(deck.astype(np.float32)).reshape(-1, 2).astype(float)
    hiding = [(np.zeros(2), hull), *((one.foot_mm, one.patch_mm) for one in standees)]
    shown = np.ones((len(CARD_SPACES), FACE_PX, FACE_PX), np.float32)
    target = np.array([[0, 0], [FACE_PX, 0], [FACE_PX, FACE_PX], [0, FACE_PX]], np.float32) - 0.5
    for index, outline in enumerate(board.outlines_mm()):
        warp = cv2.getPerspectiveTransform(outline.astype(np.float32), target)
        for foot_mm, patch_mm in hiding:
            if np.abs(foot_mm - board.places[index, :2]).max() < 3 * board.pitch_mm:
                patch = cv2.perspectiveTransform(patch_mm[None], warp)[0]
                cv2.fillConvexPoly(shown[index], np.round(patch).astype(np.int32), 0.0)
    return shown


@dataclass(frozen=True, eq=False)
class Portraits:
    """Parallel arrays: pictures and bases' colours, both against this photo's white, and how upright they are seen."""

    faces: Floats
    bases: Floats
    clarity: Floats  # 0 from straight above, where a picture is a line, to 1 from the side
    bare: Floats  # share of each base's top that nobody stands before


def portraits(
    bgr: Image,
    board: Board,
    found: list[Standee],
    strange: Floats,
    light: Light,
    *,
    settings: StandeeSettings = SETTINGS,
) -> Portraits:
    standees = found
    if not all(one.settled for one in found):
        evidence = evidence_map(board, strange, settings)
        standees = [one if one.settled else _on_its_base(bgr, board, one, evidence, settings) for one in found]
    if not standees:
        nobody = np.zeros((0, STANDEE_PX[1], STANDEE_PX[0], 3), np.float32), np.zeros((0, 3), np.float32)
        return Portraits(*nobody, np.zeros(0, np.float32), np.zeros(0, np.float32))
    cards, bases = zip(*(_quads(board, one, settings) for one in standees), strict=True)
    spots = (np.array([one.foot_mm for one in standees]) / (3.5 * board.pitch_mm)).astype(np.float32)
    white = light.white(spots)
    faces = np.asarray(cut_out(bgr, np.array(cards), *STANDEE_PX) / white, np.float32)
    strips = cut_out(bgr, np.array(bases), 10, 4) / white
    bases_seen = np.median(strips.reshape(len(strips), -1, 3), axis=1).astype(np.float32)
    area = np.array([cv2.contourArea(card.astype(np.float32)) for card in cards])
    mm = np.linalg.norm(np.array(cards)[:, 2] - np.array(cards)[:, 3], axis=1) / settings.wide_mm  # px to a mm there
    whole = settings.wide_mm * (settings.tall_mm - settings.base_mm[2]) * mm**2
    clarity = np.clip(area / np.maximum(whole, 1), 0, 1).astype(np.float32)
    return Portraits(faces, bases_seen, clarity, _bare_shares(board, standees, np.array(bases)))


def _bare_shares(board: Board, standees: list[Standee], strips_px: Array) -> Floats:
    """Of each strip (n x 4 x 2) the share before which no other stands, nearer to the camera."""
    along = np.array([[0.2, 0.3], [0.5, 0.3], [0.8, 0.3], [0.2, 0.7], [0.5, 0.7], [0.8, 0.7]])
    far, near = (
        strips_px[:, None, a] * (1 - along[:, :1]) + strips_px[:, None, b] * along[:, :1] for a, b in ((0, 1), (3, 2))
    )
    spots = far * (1 - along[:, 1:]) + near * along[:, 1:]
    flat = board.view.to_table(spots.reshape(-1, 2)).reshape(spots.shape)
    eye = board.view.eye_mm[:2]
    away = [float(np.linalg.norm(one.foot_mm - eye)) for one in standees]
    before = [[other.patch_mm for k, other in enumerate(standees) if away[k] < mine] for mine in away]
    return np.array(
        [
            np.mean([not any(_inside(spot, patch) for patch in patches) for spot in mine])
            for mine, patches in zip(flat, before, strict=True)
        ],
        np.float32,
    )


def _inside(spot: Array, patch: Array) -> bool:
    return cv2.pointPolygonTest(patch.astype(np.float32), (float(spot[0]), float(spot[1])), False) >= 0


def _on_its_base(bgr: Image, board: Board, one: Standee, evidence: Floats, settings: StandeeSettings) -> Standee:
    """The foot moved to and fro until the base's top is of one colour, and none that the card below explains."""
    spin = np.array([[np.cos(one.turn), -np.sin(one.turn)], [np.sin(one.turn), np.cos(one.turn)]])
    tries = [replace(one, foot_mm=one.foot_mm + spin @ np.array([0.0, step])) for step in settings.base_steps_mm]
    strips = np.array([_quads(board, each, settings)[1] for each in tries])
    spread = cut_out(bgr, strips, 10, 4).std((1, 2)).mean(1)
    flat = board.view.to_table(strips.reshape(-1, 2)).reshape(strips.shape)
    target = np.array([[0, 0], [9, 0], [9, 3], [0, 3]], np.float32)
    warps = [cv2.getPerspectiveTransform(_to_map(quad, board, settings).astype(np.float32), target) for quad in flat]
    strange = np.array([cv2.warpPerspective(evidence, warp, (10, 4)).mean() for warp in warps])
    away = np.abs(settings.base_steps_mm) * settings.base_step_price
    return tries[int(np.argmax(strange - settings.spread_weight * spread - away))]


def _quads(board: Board, one: Standee, settings: StandeeSettings) -> tuple[Array, Array]:
    """In the photo: the card's upright picture, and the half of the base's top that faces the camera."""
    spin = np.array([[np.cos(one.turn), -np.sin(one.turn)], [np.sin(one.turn), np.cos(one.turn)]])
    front = spin @ np.array([0.0, -1.0])
    facing = 1.0 if (board.view.eye_mm[:2] - one.foot_mm) @ front > 0 else -1.0
    across = spin @ np.array([1.0, 0.0]) * facing
    left, right = one.foot_mm - across * settings.wide_mm / 2, one.foot_mm + across * settings.wide_mm / 2
    low, high = settings.base_mm[2], settings.tall_mm
    card = np.array([[*left, high], [*right, high], [*right, low], [*left, low]])
    near, far = (one.foot_mm + front * facing * d for d in (settings.base_mm[1] / 2 - 0.7, 1.7))
    reach = across * (settings.base_mm[0] / 2 - 1.5)
    strip = np.array([[*(far - reach), low], [*(far + reach), low], [*(near + reach), low], [*(near - reach), low]])
    return board.view.project(card), board.view.project(strip)
