"""Which face a card shows: every face that could have been printed, in every turn, is held against what is seen.

What is hidden by a standee or drowned in glare fits no face; so each pixel's disagreement is capped, and the face that
explains most of the card wins. The light of the photo is found together with the faces: guess it, name the cards, fit
it to the named cards, and again.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.hustle_profile import HustleProfile
from vision.hustle.cards import Floats, turned
from vision.hustle.light import Light, fit_light, light_from_moments

ONES: Final = np.ones(3, np.float32)  # a product with it adds the channels up
HALF_SLOPE: Final = np.array([[-0.5, 0.0, 0.5]], np.float32)


@dataclass(frozen=True)
class FaceSettings:
    cap: float = 0.16  # disagreement beyond which a pixel shows something else; prints differ by 0.3 and more
    wide_cap: float = 0.3  # for what is left of a half hidden card: ragged edges, but symbol or ground, nothing else
    veil_alike: float = 0.65  # correlation with some face from which on a card may be one under glare
    veil_squared: float = 0.012  # and it fits none without glare: better than this is good enough
    veil_gain: float = 0.5  # with the veil off, at most so much of the disagreement may be left
    rounds: int = 4  # of naming and lighting; more change nothing
    reach_px: float = 2.0  # how far a card may lie from where it was snapped, in face pixels
    shortlist: int = 48  # faces that are looked at with capped disagreement, at half size
    common_variance: float = 0.004  # faces that differ more than this at a spot have nothing in common there
    finalists: int = 12  # faces that are looked at closely
    least_gain: float = 0.35  # a shadow on one card takes no more light than this
    most_gain: float = 1.4
    deepest_shadow: float = 0.45  # share of the light that is left in the shadow of a standee
    most_shade: float = 0.08  # and no card is much darker all over than its surroundings
    most_veil: float = 0.6  # glare: beyond this nothing can be made out
    steady: float = 0.01  # variance of a print that tells its gain no better than the neighbours do


SETTINGS: Final = FaceSettings()


@dataclass(frozen=True, eq=False)
class FaceBook:
    """All faces of a profile: parallel arrays over symbol, colour, attack and turn."""

    prints: Floats  # (m, side, side, 3)
    coarse: Floats  # the same at half the side
    colour: NDArray[np.int64]
    symbol: NDArray[np.int64]
    attack: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Match:
    """n cards against the m faces of a book: `cost` is the share of the card that a face leaves unexplained."""

    cost: Floats  # (n, m)
    best: NDArray[np.int64]
    seen: Floats  # (n, side, side, 3): the cards, each moved to lie exactly over its best face
    expected: Floats  # the same: those faces in this photo's light
    explained: Floats  # (n,) how much of the card the best face accounts for


def print_of(profile: HustleProfile, symbol: int, colour: int, icon_turn: int | None = None) -> Floats:
    """A face, with the attack icon where it is said how that is turned."""
    face = profile.stencils[symbol][..., None] * profile.tints[colour] + profile.grounds[symbol]
    if icon_turn is not None:
        cover, paint = turned(profile.attack_cover, icon_turn), turned(profile.attack_paint, icon_turn)
        face = face * (1 - cover[..., None]) + paint
    return np.asarray(face, np.float32)


@lru_cache(maxsize=4)
def face_book(profile: HustleProfile) -> FaceBook:
    prints, colours, symbols, attacks = [], [], [], []
    for symbol, name in enumerate(profile.symbols):
        icons: list[int | None] = [None]
        if profile.knows_attack:  # on a symbol never seen with it, the icon may be at any of four places
            icons += [0] if name in profile.with_icon else [0, 1, 2, 3]
        for colour in range(len(profile.colours)):
            for icon in icons:
                face = print_of(profile, symbol, colour, icon)
                for quarters in range(4):
                    prints.append(turned(face, quarters))
                    colours.append(colour)
                    symbols.append(symbol)
                    attacks.append(icon is not None)
    all_prints = np.array(prints, np.float32)
    return FaceBook(all_prints, halved(all_prints), np.array(colours), np.array(symbols), np.array(attacks))


def halved(faces: Floats) -> Floats:
    n, side = faces.shape[0], faces.shape[1]
    return np.asarray(faces.reshape(n, side // 2, 2, side // 2, 2, -1).mean((2, 4)), np.float32)


def capped(seen: Floats, expected: Floats, cap: float) -> Floats:
    """Disagreement pixel by pixel, 0 to 1."""
    off = np.asarray(seen - expected, np.float32)
    squared = ((off * off).reshape(-1, 3) @ ONES).reshape(off.shape[:-1])
    return np.asarray(np.minimum(squared / (3 * cap * cap), 1), np.float32)


def match_faces(seen: Floats, spots: Floats, book: FaceBook, settings: FaceSettings = SETTINGS) -> tuple[Match, Light]:
    """All cards of one photo (n, side, side, 3) at their spots (n, 2), and the light that makes sense of them."""
    small = halved(seen)
    light = light_from_moments(small, book.coarse)
    for round_ in range(settings.rounds):
        plain = light.removed(small, spots)
        bare = unveiled(plain, book, settings)[0] if round_ > 1 else plain  # the light must be about right first
        named = book.coarse[_squared(bare, book).argmin(1)]
        weights = 1 - capped(plain, named, 1.5 * settings.cap)
        light = fit_light(small, named, weights, spots, sloped=round_ > 0)
    shown = np.ones(seen.shape[:3], np.float32)
    return close_match(seen, spots, light, book, shown, settings=settings), light


def unveiled(plain: Floats, book: FaceBook, settings: FaceSettings) -> tuple[Floats, Floats]:
    """Cards under glare with the veil taken off: those which some face explains far better with one than any without.

    A veil is white, dims the contrast, and may rise across the card. Also how much contrast each card has left.
    """
    small = plain if plain.shape[1] == book.coarse.shape[1] else halved(plain)
    x, t = small.reshape(len(small), -1), book.coarse.reshape(len(book.coarse), -1)
    own, other = x - x.mean(1, keepdims=True), t - t.mean(1, keepdims=True)
    alike = (own @ other.T) / np.maximum(np.outer(np.linalg.norm(own, axis=1), np.linalg.norm(other, axis=1)), 1e-6)
    likeliest, squared = alike.argmax(1), _squared(small, book).min(1)
    out, clear = plain.copy(), np.ones(len(plain), np.float32)
    for n in np.flatnonzero((alike.max(1) > settings.veil_alike) & (squared > settings.veil_squared)):
        gain, *veil = _veil(small[n], book.coarse[likeliest[n]])
        left = float(((small[n] - _rise(small.shape[1], veil)) / gain - book.coarse[likeliest[n]]).var())
        if left < settings.veil_gain * squared[n]:
            out[n], clear[n] = (plain[n] - _rise(plain.shape[1], veil)) / gain, min(gain, 1.0)
    return out, clear


def _veil(card: Floats, face: Floats) -> tuple[float, ...]:
    """Least squares: the face's gain, and a plane that is laid over all three channels alike."""
    across, down = _ramps(len(card))
    ramps = [np.repeat(ramp.ravel(), 3) for ramp in (np.ones_like(across), across, down)]
    columns = np.column_stack([face.ravel(), *ramps]).astype(float)
    solved = np.linalg.lstsq(columns, card.ravel().astype(float), rcond=None)[0]
    return float(np.clip(solved[0], 0.2, 1.2)), *(float(v) for v in solved[1:])


def _ramps(side: int) -> tuple[Floats, Floats]:
    along = ((np.arange(side) + 0.5) / side - 0.5).astype(np.float32)
    across, down = np.meshgrid(along, along)
    return across, down


def _rise(side: int, veil: list[float]) -> Floats:
    across, down = _ramps(side)
    return np.asarray((veil[0] + veil[1] * across + veil[2] * down)[..., None], np.float32)


def _squared(plain: Floats, book: FaceBook, shown: Floats | None = None) -> Floats:
    """(n, m) mean squared disagreement at half size, of what is not hidden: three products of matrices."""
    x, t = plain.reshape(len(plain), -1), book.coarse.reshape(len(book.coarse), -1)
    if shown is None:
        return np.asarray(((x * x).sum(1)[:, None] - 2 * x @ t.T + (t * t).sum(1)) / x.shape[1], np.float32)
    w = np.repeat(shown.reshape(len(shown), -1), 3, 1)
    wx = w * x
    total = np.maximum(w.sum(1), 1.0)[:, None]
    return np.asarray(((wx * x).sum(1)[:, None] - 2 * wx @ t.T + w @ (t * t).T) / total, np.float32)


def close_match(
    seen: Floats, spots: Floats, light: Light, book: FaceBook, shown: Floats, *, settings: FaceSettings = SETTINGS
) -> Match:
    """Every card against its likeliest faces at full size, laid over each other exactly, in its own share of the light.

    `shown` (n, side, side) is 0 where something is known to hide the card, 1 elsewhere.
    """
    plain, clear = unveiled(light.removed(seen, spots), book, settings)
    some = shown[:, ::2, ::2]
    squared = _squared(halved(plain), book, some)
    cost = np.minimum(squared / settings.cap**2, 1.0)
    best = np.empty(len(seen), np.int64)
    moved, expected, explained = np.empty_like(seen), np.empty_like(seen), np.empty(len(seen), np.float32)
    for n, card in enumerate(plain):
        likely = np.argpartition(squared[n], settings.shortlist)[: settings.shortlist]
        first = likely[np.argsort(squared[n][likely])[: settings.finalists]]
        laid, gain, veil = _laid(card, book.prints[first], shown[n], settings)
        rough = _mean_shown(capped(halved(laid[None]), book.coarse[likely] * gain + veil, settings.cap), some[n])
        likely = likely[np.argsort(rough)[: settings.finalists]]
        half_hidden = float(shown[n].min()) < 1
        if half_hidden:  # every symbol may be the one: all faces of its colour
            likely = np.flatnonzero(book.colour == book.colour[likely[0]])
        prints = light.as_seen(book.prints[likely], spots[n]) * gain + veil
        raw = capped(laid, prints, settings.cap)
        off = raw
        if half_hidden:
            raw = capped(laid, _shaded(laid, prints, light, spots[n], settings), settings.wide_cap)
            off = raw * (1 - raw.min(0))  # what no face explains belongs to whoever stands there
        close = _mean_shown(off, shown[n])
        cost[n] = np.maximum(cost[n], close.max())  # the others fit worse than the worst finalist
        cost[n][likely] = close
        winner = int(close.argmin())
        best[n], expected[n], moved[n] = likely[winner], prints[winner], laid
        explained[n] = float(((1 - raw[winner]) * shown[n]).mean())
    moved = expected + (moved - expected) * clear[:, None, None, None]  # taking a veil off magnifies noise: put it back
    return Match(cost, best, light.shed(moved, spots), light.shed(expected, spots), explained)


def rematch(first: Match, seen: Floats, spots: Floats, light: Light, book: FaceBook, *, shown: Floats) -> Match:
    """Look again at the cards that turned out to be partly hidden; the others stay as they are."""
    again = np.flatnonzero(shown.min((1, 2)) < 1)
    if len(again) == 0:
        return first
    new = close_match(seen[again], spots[again], light, book, shown[again])
    out = deepcopy(first)
    out.cost[again], out.best[again] = new.cost, new.best
    out.seen[again], out.expected[again], out.explained[again] = new.seen, new.expected, new.explained
    return out


def _shaded(card: Floats, prints: Floats, light: Light, spot: Floats, settings: FaceSettings) -> Floats:
    """The prints as they would look in the shadow that a standee casts on its surroundings."""
    side = card.shape[1]
    gain, offset = (np.tile(part.reshape(3), side) for part in light.at(spot[None]))  # rows at once: threes are slow
    seen = card.reshape(side, -1) * gain + offset
    shone = prints.reshape(len(prints), side, -1) * gain + offset
    both, own = ((shone * other).reshape(len(prints), -1, 3) @ ONES for other in (seen, shone))
    both, own = (part.reshape(len(prints), side, side) for part in (both, own))
    soft = [cv2.blur(a, (3, 3)) / np.maximum(cv2.blur(b, (3, 3)), 1e-4) for a, b in zip(both, own, strict=True)]
    dim = np.repeat(np.clip(np.array(soft), settings.deepest_shadow, 1.1), 3, axis=-1)
    return np.asarray((shone * dim - offset) / gain, np.float32).reshape(prints.shape)


def _laid(card: Floats, prints: Floats, shown: Floats, settings: FaceSettings) -> tuple[Floats, float, float]:
    """The card laid over what its likeliest faces have in common, frames and borders, whatever its symbol is.

    Also the light that falls on this one card, as gain and veil: a shadow dims it, glare lays a veil over it.
    """
    common = prints.mean(0)
    off = prints - common
    weight = shown / (1 + np.einsum("mijc,mijc->ij", off, off) / len(prints) / settings.common_variance)
    laid = aligned(card, common, weight, settings)
    weight = weight * (1 - capped(laid, common, 2 * settings.cap))
    total = max(float(weight.sum()), 1e-3)
    t, x = common.mean(-1), laid.mean(-1)
    mean_t, mean_x = float((weight * t).sum() / total), float((weight * x).sum() / total)
    spread = float((weight * (t - mean_t) ** 2).sum() / total) + settings.steady
    gain = (float((weight * (t - mean_t) * (x - mean_x)).sum() / total) + settings.steady) / spread
    gain = float(np.clip(gain, settings.least_gain, settings.most_gain))
    return laid, gain, float(np.clip(mean_x - gain * mean_t, -settings.most_shade, settings.most_veil))


def _mean_shown(off: Floats, shown: Floats) -> Floats:
    return np.asarray((off * shown).sum((1, 2)) / max(float(shown.sum()), 1.0), np.float32)


def aligned(card: Floats, face: Floats, shown: Floats, settings: FaceSettings) -> Floats:
    """The card moved by the fraction of a millimetre that brings it closest to this face: a few Gauss-Newton steps."""
    shift = np.zeros(2)
    for target, blurred in ((cv2.blur(face, (3, 3)), True), (face, False), (face, False)):
        laid = _moved(card, float(shift[0]), float(shift[1]))
        laid = cv2.blur(laid, (3, 3)) if blurred else laid
        across, down = (cv2.filter2D(target, -1, kernel) for kernel in (HALF_SLOPE, HALF_SLOPE.T))
        calm = ((1 - capped(laid, target, 2.5 * settings.cap)) * shown)[..., None]
        off = (target - laid) * calm
        # laid(x) = card(x + shift) is to become face(x): face - laid = slope * (change of shift)
        mixed = float((calm * across * down).sum())
        normal = np.array([[(calm * across**2).sum(), mixed], [mixed, (calm * down**2).sum()]]) + np.eye(2) * 1e-3
        change = np.linalg.solve(normal, [float((off * across).sum()), float((off * down).sum())])
        shift = np.clip(shift + np.clip(change, -1.2, 1.2), -settings.reach_px, settings.reach_px)
    laid = _moved(card, float(shift[0]), float(shift[1]))
    before, after = (float((capped(c, face, settings.cap) * shown).mean()) for c in (card, laid))
    return laid if after < before else card


def _moved(card: Floats, dx: float, dy: float) -> Floats:
    """The card as seen from (dx, dy) further on."""
    warp = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(card, warp, card.shape[1::-1], flags=flags, borderMode=cv2.BORDER_REPLICATE), np.float32
    )
