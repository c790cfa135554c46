"""Which face a card shows: every face that could have been printed, in every turn, is held against what is seen.

What is hidden by a standee or drowned in glare fits no face; so each pixel's disagreement is capped, and the face that
explains most of the card wins. The light of the photo is found together with the faces: guess it, name the cards, fit
it to the named cards, and again. At first all cards are looked at with half an eye, which is enough for most; those
that stay doubtful, or that somebody hides in part, are looked at closely once it is known what hides them.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.hustle.cards import Floats, capped
from vision.hustle.compare import SETTINGS as COMPARE
from vision.hustle.compare import compared, lit_squared, squared
from vision.hustle.face_book import INNER_PART, FaceBook, as_pictures, as_planes, halved
from vision.hustle.glare import unveiled
from vision.hustle.light import Light, fit_light, light_from_moments
from vision.hustle.overlay import laid_over
from vision.hustle.own_light import OwnLight, own_light, summed
from vision.hustle.rims import with_rims

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class FaceSettings:
    rounds: int = 4  # of naming and lighting; more change nothing
    common_variance: float = 0.004  # faces that differ more than this at a spot have nothing in common there
    finalists: int = 6  # faces that are compared in their own light, by either first impression
    first_finalists: int = 4  # the same at first sight,
    plain_cost: float = 0.05  # of the best at first sight: more, and there is glare or a standee, so look longer
    of_each_colour: int = 3  # faces that tell the colour of a card of which little shows
    least_hidden: float = 0.02  # of a card: less hides nothing
    close_finalists: int = 10  # faces that are looked at closely
    clear_lead: float = 0.012  # over the best face that differs in any respect: a closer look then changes nothing
    icon_price: float = 0.001  # less than a pixel's worth: where an icon's place is hidden, most cards have none


SETTINGS: Final = FaceSettings()
COARSE_PART: Final = halved(INNER_PART[None, ..., None])[0, ..., 0]


@dataclass(frozen=True, eq=False)
class Match:
    """n cards against the m faces of a book: `cost` is the share of the card that a face leaves unexplained."""

    cost: Floats  # (n, m)
    best: Ints
    seen: Floats  # (n, side, side, 3): the cards, each moved to lie exactly over its best face
    expected: Floats  # the same: those faces in this photo's light
    explained: Floats  # (n,) how much of the card the best face accounts for


def match_faces(seen: Floats, spots: Floats, book: FaceBook, settings: FaceSettings = SETTINGS) -> tuple[Match, Light]:
    """All cards of one photo (n, side, side, 3) at their spots (n, 2), and the light that makes sense of them."""
    small = halved(seen)
    everything = np.ones((len(small), small.shape[1] ** 2), np.float32)
    light, before = light_from_moments(small, book.range), np.full(len(seen), -1)
    for round_ in range(settings.rounds):
        plain = light.removed(small, spots)
        cost = squared(as_planes(plain), book.coarse_planes, everything)
        if round_ > 1:  # the light must be about right first
            bare = unveiled(plain, cost.min(1), book)
            cost = squared(as_planes(bare), book.coarse_planes, everything)
        best = cost.argmin(1)
        if round_ > 1 and np.array_equal(best, before):
            break
        named, before = book.coarse[best], best
        weights = 1 - capped(plain, named, 1.5 * COMPARE.cap)
        light = fit_light(small, named, weights, spots, sloped=round_ > 0)
    return _first_match(seen, spots, light, book, settings), light


def _first_match(seen: Floats, spots: Floats, light: Light, book: FaceBook, settings: FaceSettings) -> Match:
    """With half an eye: at half size, and as the cards were cut out."""
    plain = light.removed(seen, spots)
    small, weights = as_planes(halved(plain)), np.tile(COARSE_PART.ravel(), (len(seen), 1))
    first = _sighted(small, weights, spots, light, book=book, finalists=settings.first_finalists, rounds=2)
    odd = np.flatnonzero(first.cost.min(1) > settings.plain_cost)
    if len(odd):
        second = _sighted(
            small[odd], weights[odd], spots[odd], light, book=book, finalists=settings.finalists, rounds=3
        )
        first.cost[odd], first.best[odd] = second.cost, second.best
        first.light.gain[odd], first.light.veil[odd] = second.light.gain, second.light.veil
    expected = as_pictures(first.light.shed(light.as_seen(book.planes[first.best][:, None], spots))[:, 0])
    laid = laid_over(plain, expected, np.broadcast_to(INNER_PART, plain.shape[:3]))
    explained = (1 - capped(laid, expected, COMPARE.wide_cap)).mean((1, 2))
    return Match(first.cost, first.best, light.shed(laid, spots), light.shed(expected, spots), explained)


@dataclass(frozen=True, eq=False)
class _Sighted:
    """Cards at half size: what each face costs (n, m), the best (n,), and the light that suits that one (n, 1)."""

    cost: Floats
    best: Ints
    light: OwnLight


def _sighted(
    small: Floats, weights: Floats, spots: Floats, light: Light, *, book: FaceBook, finalists: int, rounds: int
) -> _Sighted:
    faces, cost = _likeliest(small, weights, book, finalists)
    result = compared(small, light.as_seen(book.coarse_planes[faces], spots), weights, rounds)
    cost = _filled(cost, faces, result.cost, book, SETTINGS)
    winner = np.take_along_axis(cost, faces, 1).argmin(1)[:, None]
    own = OwnLight(
        np.take_along_axis(result.light.gain, winner, 1),
        np.take_along_axis(result.light.veil, winner[..., None], 1),
    )
    return _Sighted(cost, np.take_along_axis(faces, winner, 1)[:, 0], own)


def _likeliest(small: Floats, weights: Floats, book: FaceBook, finalists: int) -> tuple[Ints, Floats]:
    """(n, k) faces worth a comparison, some of them twice, and (n, m) a first impression of all.

    Somebody on a card costs all faces the same in the light of the photo; glare costs all the same in their own.
    """
    costs = squared(small, book.coarse_planes, weights), lit_squared(small, book.coarse_planes, weights)
    many = min(finalists, len(book.prints) - 1)
    firsts = [np.argpartition(cost, many, axis=1)[:, :many] for cost in costs]
    return np.concatenate(firsts, axis=1), np.minimum(costs[0] / np.float32(COMPARE.cap**2), 1)


def _filled(cost: Floats, faces: Ints, close: Floats, book: FaceBook, settings: FaceSettings) -> Floats:
    """First impressions of all faces with the closer ones put in; the others fit worse than the worst of those."""
    out = np.asarray(np.maximum(cost, close.max(1, keepdims=True)) + 1e-3, np.float32)
    np.put_along_axis(out, faces, close + settings.icon_price * book.attack[faces], axis=1)
    return out


def close_match(
    seen: Floats, spots: Floats, light: Light, book: FaceBook, shown: Floats, *, settings: FaceSettings = SETTINGS
) -> Match:
    """Every card against its likeliest faces at full size, laid over each other exactly, each in the light it suits.

    `shown` (n, side, side) is 0 where something is known to hide the card, 1 elsewhere.
    """
    plain = light.removed(seen, spots)
    weights = np.asarray(with_rims(plain, shown) * INNER_PART, np.float32)
    small, some = as_planes(halved(plain)), halved(weights[..., None]).reshape(len(seen), -1)
    faces, cost = _likeliest(small, some, book, settings.finalists)
    hidden = np.flatnonzero(shown.min((1, 2)) < 1)
    finalists = [np.unique(row) for row in faces]
    of_colours = _of_their_colours(small[hidden], some[hidden], spots[hidden], light, book=book)
    for where, chosen in zip(hidden, of_colours, strict=True):
        finalists[where] = chosen
    laid = _laid(plain, weights, finalists, book, settings)
    best, explained, expected = np.empty(len(seen), np.int64), np.empty(len(seen), np.float32), np.empty_like(seen)
    cards = as_planes(laid)
    for n, mine in enumerate(finalists):
        prints = light.as_seen(book.planes[mine][None], spots[n : n + 1])
        result = compared(cards[n : n + 1], prints, weights[n].reshape(1, -1))
        cost[n : n + 1] = _filled(cost[n : n + 1], mine[None], result.cost, book, settings)
        won = int(cost[n, mine].argmin())
        best[n], expected[n] = mine[won], as_pictures(result.lit[0, won])
        explained[n] = float(((1 - capped(laid[n], expected[n], COMPARE.wide_cap)) * shown[n]).mean())
    return Match(cost, best, light.shed(laid, spots), light.shed(expected, spots), explained)


def _of_their_colours(
    small: Floats, weights: Floats, spots: Floats, light: Light, *, book: FaceBook, settings: FaceSettings = SETTINGS
) -> list[Ints]:
    """Of a half hidden card every symbol may be the one, but its colour shows: the best faces of that colour."""
    if len(small) == 0:
        return []
    order = np.argsort(squared(small, book.coarse_planes, weights), axis=1)
    colours = [np.flatnonzero(book.colour == colour) for colour in np.unique(book.colour)]
    firsts = [
        np.concatenate([row[np.isin(row, faces)][: settings.of_each_colour] for faces in colours]) for row in order
    ]
    some = np.array(firsts)
    close = compared(small, light.as_seen(book.coarse_planes[some], spots), weights).cost
    colour = book.colour[some[np.arange(len(some)), close.argmin(1)]]
    chosen = []
    for n, own in enumerate(colour):
        mine = np.flatnonzero(book.colour == own)
        prints = light.as_seen(book.coarse_planes[mine][None], spots[n : n + 1])
        cost = compared(small[n : n + 1], prints, weights[n : n + 1], rounds=2).cost[0]
        chosen.append(np.sort(mine[np.argsort(cost)[: settings.close_finalists]]))
    return chosen


def rematch(first: Match, seen: Floats, spots: Floats, light: Light, book: FaceBook, *, shown: Floats) -> Match:
    """Look closely at the cards that are partly hidden or doubtful; the others stay as they are."""
    hidden = ((1 - shown) * INNER_PART).mean((1, 2)) > SETTINGS.least_hidden
    again = np.flatnonzero(hidden | (_lead(first, book) < SETTINGS.clear_lead))
    if len(again) == 0:
        return first
    new = close_match(seen[again], spots[again], light, book, shown[again])
    out = deepcopy(first)
    out.cost[again], out.best[again] = new.cost, new.best
    out.seen[again], out.expected[again], out.explained[again] = new.seen, new.expected, new.explained
    return out


def _lead(match: Match, book: FaceBook) -> Floats:
    """(n,) by how much each card's best face is better than the best that differs in colour, symbol or icon."""
    kinds = np.stack([book.colour, book.symbol, book.attack], 1)
    other = (kinds[match.best][:, None] != kinds[None]).any(-1)
    return np.asarray(np.where(other, match.cost, np.inf).min(1) - match.cost.min(1), np.float32)


def _laid(plain: Floats, weights: Floats, finalists: list[Ints], book: FaceBook, settings: FaceSettings) -> Floats:
    """The cards laid over what their likeliest faces have in common, frames and borders, whatever their symbols are."""
    common = np.empty((len(plain), 1, 3, plain.shape[1] ** 2), np.float32)
    trusted = np.empty((len(plain), plain.shape[1] ** 2), np.float32)
    for n, faces in enumerate(finalists):
        prints = book.planes[faces]
        common[n, 0] = prints.mean(0)
        varied = np.einsum("kcp,kcp->p", prints - common[n], prints - common[n]) / len(faces)
        trusted[n] = weights[n].ravel() / (1 + varied / settings.common_variance)
    lit = own_light(as_planes(plain), summed(common), trusted).shed(common)[:, 0]
    return laid_over(plain, as_pictures(lit), trusted.reshape(weights.shape))
