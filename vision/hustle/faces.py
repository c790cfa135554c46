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

import numpy as np
from numpy.typing import NDArray

from calibration.hustle_profile import FACE_PX, HustleProfile
from vision.hustle.cards import Floats, capped, turned
from vision.hustle.light import Light, fit_light, light_from_moments
from vision.hustle.overlay import laid_over
from vision.hustle.own_light import SETTINGS as OWN_LIGHT
from vision.hustle.own_light import own_light

INNER: Final = np.pad(np.full((FACE_PX - 4, FACE_PX - 4), 1, np.float32), 1, constant_values=0.5)
INNER_PART: Final = np.pad(
    INNER, 1
)  # how much of a card to believe: along its rim it is as often the table that is seen


@dataclass(frozen=True)
class FaceSettings:
    cap: float = 0.16  # disagreement beyond which a pixel shows something else; prints differ by 0.3 and more
    wide_cap: float = 0.3  # the same once the card's own light is known: symbol or ground, nothing else
    veil_alike: float = 0.65  # correlation with some face from which on a card may be one under glare
    veil_squared: float = 0.012  # and it fits none without glare: better than this is good enough
    veil_gain: float = 0.5  # with the veil off, at most so much of the disagreement may be left
    rounds: int = 4  # of naming and lighting; more change nothing
    common_variance: float = 0.004  # faces that differ more than this at a spot have nothing in common there
    finalists: int = 8  # faces that are looked at closely, by either light
    of_each_colour: int = 3  # faces that tell the colour of a card of which little shows
    least_plain: float = 0.4  # of a card that some face must explain in the light of the photo, or the light is its own
    light_rounds: int = 3  # of fitting one card's own light and leaving out what no face explains


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


def without_veil(card: Floats, face: Floats, settings: FaceSettings = SETTINGS) -> Floats:
    """A card that is known to show this face, less the glare over it, if there is any."""
    squared = float(((card - face) ** 2).mean())
    if squared < settings.veil_squared:
        return card
    gain, *veil = _veil(card, face)
    bare = np.asarray((card - _rise(card.shape[1], veil)) / gain, np.float32)
    return bare if float((bare - face).var()) < settings.veil_gain * squared else card


def _veil(card: Floats, face: Floats) -> tuple[float, ...]:
    """Least squares: the face's gain, and a plane that is laid over all three channels alike."""
    across, down = _ramps(len(card))
    ramps = [np.repeat(ramp.ravel(), 3) for ramp in (np.ones_like(across), across, down)]
    columns = np.column_stack([face.ravel(), *ramps]).astype(float)
    solved = np.linalg.lstsq(columns, card.ravel().astype(float), rcond=None)[0]
    return float(np.clip(solved[0], 0.2, 1.8)), *(float(v) for v in solved[1:])


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
    """Every card against its likeliest faces at full size, laid over each other exactly, each in the light it suits.

    `shown` (n, side, side) is 0 where something is known to hide the card, 1 elsewhere.
    """
    plain = light.removed(seen, spots)
    weights = np.asarray(shown * INNER_PART, np.float32)
    small, some = halved(plain), np.asarray(halved(weights[..., None])[..., 0], np.float32)
    squared, lit_squared = _squared(small, book, some), _lit_squared(small, book, some)
    # somebody on a card costs all faces the same in the light of the photo; glare costs all the same in their own
    firsts = [
        np.argpartition(cost, settings.finalists, axis=1)[:, : settings.finalists] for cost in (squared, lit_squared)
    ]
    likely = [np.unique(row) for row in np.concatenate(firsts, axis=1)]
    laid = _laid(plain, weights, likely, book, settings)
    cost = np.minimum(squared / settings.cap**2, 1.0)
    best, explained, expected = np.empty(len(seen), np.int64), np.empty(len(seen), np.float32), np.empty_like(seen)
    for n, card in enumerate(laid):
        view = _CardView(card, weights[n], light, spots[n])
        half_hidden = shown[n].min() < 1
        faces = _of_its_colour(view, squared[n], book, settings) if half_hidden else likely[n]
        lit, close = _compared(view, faces, book, settings)
        cost[n] = np.maximum(cost[n], close.max())  # the others fit worse than the worst finalist
        cost[n][faces] = close
        winner = int(close.argmin())
        best[n], expected[n] = faces[winner], lit[winner]
        explained[n] = float(((1 - capped(card, lit[winner], settings.wide_cap)) * shown[n]).mean())
    return Match(cost, best, light.shed(laid, spots), light.shed(expected, spots), explained)


@dataclass(frozen=True, eq=False)
class _CardView:
    """One card, laid straight, how far each pixel is to be believed, and the photo's light where it lies."""

    card: Floats
    weight: Floats
    light: Light
    spot: Floats


def _of_its_colour(view: _CardView, squared: Floats, book: FaceBook, settings: FaceSettings) -> NDArray[np.int64]:
    """Of a half hidden card every symbol may be the one, but its colour shows: all faces of that colour."""
    order = np.argsort(squared)
    firsts = [order[book.colour[order] == colour][: settings.of_each_colour] for colour in np.unique(book.colour)]
    some = np.concatenate(firsts)
    _, close = _compared(view, some, book, settings)
    return np.flatnonzero(book.colour == book.colour[some[int(close.argmin())]])


def _compared(
    view: _CardView, faces: NDArray[np.int64], book: FaceBook, settings: FaceSettings
) -> tuple[Floats, Floats]:
    """The faces in the light that suits each, and how much of the card each leaves unexplained.

    What no face explains belongs to whoever stands there or to a shadow, and is left out when the light is fitted.
    """
    prints = view.light.as_seen(book.prints[faces], view.spot)
    believed = view.weight * (1 - capped(view.card, prints, 2 * settings.cap).min(0))
    if believed.sum() < settings.least_plain * view.weight.sum():  # all of it is in glare or shadow
        believed = view.weight
    for _ in range(settings.light_rounds - 1):
        off = capped(view.card, own_light(view.card, prints, believed).shed(prints), settings.cap)
        believed = view.weight * (1 - off.min(0)) + 1e-6
    lit = own_light(view.card, prints, believed).shed(prints)
    return lit, _mean_shown(capped(view.card, lit, settings.wide_cap), believed)


def _lit_squared(plain: Floats, book: FaceBook, shown: Floats) -> Floats:
    """The same, each face in the gain and veil that suit it."""
    x, t = plain.reshape(len(plain), -1), book.coarse.reshape(len(book.coarse), -1)
    w = np.repeat(shown.reshape(len(plain), -1), 3, 1)
    total = np.maximum(w.sum(1), 1.0)[:, None]
    wx = w * x
    mean_x, mean_t = wx.sum(1)[:, None] / total, w @ t.T / total
    both = wx @ t.T / total - mean_x * mean_t
    own = w @ (t * t).T / total - mean_t**2
    spread = (wx * x).sum(1)[:, None] / total - mean_x**2
    gain = np.clip(both / np.maximum(own, 1e-6), OWN_LIGHT.least_gain, OWN_LIGHT.most_gain)
    return np.asarray((spread - 2 * gain * both + gain**2 * own) / gain, np.float32)


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


def _laid(
    plain: Floats, weights: Floats, likely: list[NDArray[np.int64]], book: FaceBook, settings: FaceSettings
) -> Floats:
    """The cards laid over what their likeliest faces have in common, frames and borders, whatever their symbols are."""
    commons, trusted = np.empty_like(plain), np.empty_like(weights)
    for n, faces in enumerate(likely):
        prints = book.prints[faces]
        mean = prints.mean(0)
        trusted[n] = weights[n] / (1 + ((prints - mean) ** 2).sum(-1).mean(0) / settings.common_variance)
        commons[n] = own_light(plain[n], mean[None], trusted[n]).shed(mean[None])[0]
    return laid_over(plain, commons, trusted)


def _mean_shown(off: Floats, shown: Floats) -> Floats:
    return np.asarray((off * shown).sum((1, 2)) / max(float(shown.sum()), 1.0), np.float32)
