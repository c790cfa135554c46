"""Learn faces from cards that a person has named: each symbol's stencil and ground, each colour's tint, the icon.

Nobody says how a card is turned, and no two teach photos have the same light: both are found along with the faces, by
turns, until nothing changes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.hustle_profile import FACE_PX
from vision.hustle.cards import Floats, capped, turned
from vision.hustle.face_book import INNER_PART
from vision.hustle.glare import without_veil
from vision.hustle.light import Light, fit_light, light_from_moments
from vision.hustle.overlay import laid_over

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class TeachSettings:
    rounds: int = 7  # of turns, faces and light; the last two change nothing
    settled: int = 4  # from this round on the icon is known well enough to tell how its card is turned
    cap: float = 0.2  # disagreement beyond which a taught pixel shows something else, a standee's arm for one
    shrink: float = 0.02  # how much variation of colours at a spot outweighs what other symbols' stencils say
    attack_shrink: float = 0.02  # the same for the icon: without variation it is taken to be opaque nowhere
    icon_belief: float = 0.01  # of a pixel that an attack icon may hide: counts only where no other card shows it
    icon_cap: float = 0.3  # while the icon is looked for: it differs from the face more than anything else does
    least_cover: float = 0.2  # less than this is noise, not an icon
    least_paint: float = 0.06


SETTINGS: Final = TeachSettings()


@dataclass(frozen=True, eq=False)
class NamedCards:
    """Cut-out cards with what is known of them: parallel arrays."""

    seen: Floats  # (n, side, side, 3)
    spots: Floats  # (n, 2) on the board, -1 to 1
    photo: Ints
    colour: Ints
    symbol: Ints
    attack: NDArray[np.bool_]
    belief: Floats  # less than one where somebody stands on the card or before it


@dataclass(frozen=True, eq=False)
class Faces:
    tints: Floats
    stencils: Floats
    grounds: Floats
    attack_cover: Floats
    attack_paint: Floats

    def prints(self, cards: NamedCards) -> Floats:
        """What each named card should look like, upright."""
        face = (
            self.stencils[cards.symbol][..., None] * self.tints[cards.colour][:, None, None]
            + self.grounds[cards.symbol]
        )
        icon = face * (1 - self.attack_cover[..., None]) + self.attack_paint
        return np.where(cards.attack[:, None, None, None], icon, face)


def learn_faces(
    cards: NamedCards, colours: int, symbols: int, settings: TeachSettings = SETTINGS
) -> tuple[Faces, Ints, list[Light]]:
    """The faces, each card's turn, and the light of each photo."""
    lights = _first_lights(cards)
    turns = np.zeros(len(cards.seen), np.int64)
    plain = _plain(cards, lights)
    for symbol in range(symbols):
        members = np.flatnonzero(cards.symbol == symbol)
        turns[members] = _first_turns(plain[members], cards.belief[members])
    faces = _without_icon(colours, symbols)
    for round_ in range(settings.rounds):
        upright = _upright(plain, turns)
        weights = _weights(upright, faces, cards, settings)
        faces = _fit_faces(upright, weights, cards, faces, settings)
        if round_ >= 1 and cards.attack.any():
            quarters, faces = _aligned_icons(upright, faces, cards, settings)
            turns = (turns - quarters[cards.symbol]) % 4
            upright = _upright(plain, turns)
            faces = _fit_faces(upright, _weights(upright, faces, cards, settings), cards, faces, settings)
            faces = _fit_icon(upright, faces, cards, settings)
        turns = _best_turns(
            _plain(cards, lights), faces, cards, icons_too=round_ >= settings.settled, settings=settings
        )
        lights = _fit_lights(cards, faces, turns, lights, settings)
        plain = _overlaid(_plain(cards, lights), faces, cards, turns)
    return faces, turns, lights


def _without_icon(colours: int, symbols: int) -> Faces:
    side = (FACE_PX, FACE_PX)
    return Faces(
        *(np.zeros(shape, np.float32) for shape in ((colours, 3), (symbols, *side), (symbols, *side, 3))),
        *(np.zeros(shape, np.float32) for shape in (side, (*side, 3))),
    )


def _first_lights(cards: NamedCards) -> list[Light]:
    """Every photo stretched to the same contrast: that is the light which profiles are kept in."""
    usual = np.repeat(
        np.array([[0.14], [0.86]], np.float32), 3, 1
    )  # nine tenths of what lies evenly between 0.1 and 0.9
    return [light_from_moments(cards.seen[cards.photo == p], usual) for p in range(int(cards.photo.max()) + 1)]


def _plain(cards: NamedCards, lights: list[Light]) -> Floats:
    out = np.empty_like(cards.seen)
    for photo, light in enumerate(lights):
        mine = cards.photo == photo
        out[mine] = light.removed(cards.seen[mine], cards.spots[mine])
    return out


def _overlaid(plain: Floats, faces: Faces, cards: NamedCards, turns: Ints) -> Floats:
    """Each card without its glare, and moved the fraction of a millimetre that lays it exactly over its face."""
    laid = np.array([turned(face, int(k)) for face, k in zip(faces.prints(cards), turns, strict=True)], np.float32)
    return _without_glare(plain, laid)


def _without_glare(plain: Floats, faces: Floats) -> Floats:
    bare = np.array([without_veil(card, face) for card, face in zip(plain, faces, strict=True)], np.float32)
    return laid_over(bare, faces, np.ones(plain.shape[:3], np.float32))


def _first_turns(faces: Floats, belief: Floats) -> Ints:
    """Turn all cards of one symbol the same way: each like the one that resembles the others most."""
    own = faces - sum(turned(faces, k) for k in range(4)) / 4  # what does not turn says nothing
    own = np.array(own.reshape(len(faces), -1))
    own /= np.linalg.norm(own, axis=1, keepdims=True) + 1e-6
    side = faces.shape[1]
    alike = np.stack([own @ turned(own.reshape(-1, side, side, 3), -k).reshape(len(own), -1).T for k in range(4)], -1)
    reference = int((alike.max(2) @ belief * belief).argmax())
    return np.asarray(alike[reference].argmax(1), np.int64)


def _upright(plain: Floats, turns: Ints) -> Floats:
    return np.array([turned(face, -int(k)) for face, k in zip(plain, turns, strict=True)], np.float32)


def _weights(upright: Floats, faces: Faces, cards: NamedCards, settings: TeachSettings) -> Floats:
    """How far to believe each pixel of each card when learning what is below the attack icons."""
    base = np.broadcast_to(cards.belief[:, None, None], upright.shape[:3])
    doubt = np.float32(settings.icon_belief)
    if not faces.attack_cover.any():  # as yet the icon may be anywhere
        base = base * np.where(cards.attack, doubt, 1)[:, None, None]
    else:
        near = cv2.dilate((faces.attack_cover > settings.least_cover).astype(np.uint8), np.ones((3, 3), np.uint8))
        base = base * np.where(cards.attack[:, None, None] & (near[None] > 0), doubt, 1)
    if faces.tints.any():
        base = base * np.maximum(1 - capped(upright, faces.prints(cards), settings.cap), 0.02)
    return np.asarray(base + 1e-5, np.float32)


def _fit_faces(upright: Floats, weights: Floats, cards: NamedCards, faces: Faces, settings: TeachSettings) -> Faces:
    tints = faces.tints
    if not tints.any():
        means = upright.mean((1, 2))
        tints = np.array(
            [
                np.average(means[cards.colour == c], axis=0, weights=cards.belief[cards.colour == c])
                for c in range(len(tints))
            ],
            np.float32,
        )
    stencils, grounds = faces.stencils, faces.grounds
    for _ in range(3):
        stencils, grounds = _stencils(upright, weights, cards, tints, symbols=len(stencils), settings=settings)
        tints = _tints(upright, weights, cards, stencils, grounds=grounds, old=tints)
    return replace(faces, tints=tints, stencils=stencils, grounds=grounds)


def _stencils(
    upright: Floats, weights: Floats, cards: NamedCards, tints: Floats, *, symbols: int, settings: TeachSettings
) -> tuple[Floats, Floats]:
    """Least squares at every spot: how much the cards of a symbol follow their colours there, and what is left."""
    cov, var, means, mean_tints = [], [], [], []
    for symbol in range(symbols):
        mine = cards.symbol == symbol
        w, x, v = weights[mine][..., None], upright[mine], tints[cards.colour[mine]][:, None, None]
        total = w.sum(0)
        mean_x, mean_v = (w * x).sum(0) / total, (w * v).sum(0) / total
        cov.append((w * (x - mean_x) * (v - mean_v)).sum((0, 3)) / total[..., 0])
        var.append((w * (v - mean_v) ** 2).sum((0, 3)) / total[..., 0])
        means.append(mean_x)
        mean_tints.append(mean_v)
    shared = np.sum(cov, 0) / np.maximum(np.sum(var, 0), 1e-6)
    shared = sum(turned(shared, k) for k in range(4)) / 4
    pull = settings.shrink * max(float(np.mean(var)), 1e-6)
    stencils = (np.array(cov) + pull * shared) / (np.array(var) + pull)
    grounds = np.array(means) - stencils[..., None] * np.array(mean_tints)
    return stencils.astype(np.float32), grounds.astype(np.float32)


def _tints(
    upright: Floats, weights: Floats, cards: NamedCards, stencils: Floats, *, grounds: Floats, old: Floats
) -> Floats:
    tints = old.copy()
    for colour in range(len(old)):
        mine = cards.colour == colour
        if mine.any():
            a = stencils[cards.symbol[mine]]
            wa = weights[mine] * a
            tints[colour] = (wa[..., None] * (upright[mine] - grounds[cards.symbol[mine]])).sum((0, 1, 2)) / (
                wa * a
            ).sum()
    return tints


def _best_turns(plain: Floats, faces: Faces, cards: NamedCards, *, icons_too: bool, settings: TeachSettings) -> Ints:
    """At first by the symbols alone: an icon that is thought to sit elsewhere would turn its card to where it fits."""
    prints = faces.prints(cards if icons_too else replace(cards, attack=np.zeros_like(cards.attack)))
    tries = [np.ascontiguousarray(turned(prints, k)) for k in range(4)]
    cost = [(capped(_without_glare(plain, laid), laid, settings.cap) * INNER_PART).mean((1, 2)) for laid in tries]
    return np.asarray(np.argmin(cost, 0), np.int64)


def _aligned_icons(upright: Floats, faces: Faces, cards: NamedCards, settings: TeachSettings) -> tuple[Ints, Faces]:
    """How far to turn each symbol for its attack icon to sit where the others' do: which way up one is, is free."""
    quarters = np.zeros(len(faces.stencils), np.int64)
    have = [np.flatnonzero(cards.attack & (cards.symbol == s)) for s in range(len(quarters))]
    if faces.attack_cover.any():
        tries = [_icon_turned(faces, k).prints(cards) for k in range(4)]
        cost = np.array([capped(upright, prints, settings.cap).mean((1, 2)) for prints in tries]) * cards.belief
        for s, members in enumerate(have):
            quarters[s] = -int(cost[:, members].sum(1).argmin()) % 4 if len(members) else 0
    else:
        bare = replace(cards, attack=np.zeros_like(cards.attack))
        off = capped(upright, faces.prints(bare), settings.icon_cap) * cards.belief[:, None, None]
        maps = [off[members].sum(0) for members in have]
        first = int(np.argmax([cards.belief[members].sum() for members in have]))
        for s, own in enumerate(maps):
            if s != first and len(have[s]):
                quarters[s] = int(np.argmax([(turned(own, k) * maps[first]).sum() for k in range(4)]))
    stencils = np.array([turned(x, int(k)) for x, k in zip(faces.stencils, quarters, strict=True)])
    grounds = np.array([turned(x, int(k)) for x, k in zip(faces.grounds, quarters, strict=True)])
    return quarters, replace(faces, stencils=stencils, grounds=grounds)


def _icon_turned(faces: Faces, quarters: int) -> Faces:
    cover, paint = turned(faces.attack_cover, quarters), turned(faces.attack_paint, quarters)
    return replace(faces, attack_cover=cover, attack_paint=paint)


def _fit_icon(upright: Floats, faces: Faces, cards: NamedCards, settings: TeachSettings) -> Faces:
    """At each spot: how much of the face still shows on cards with the icon, and what the icon adds."""
    mine = cards.attack
    if not mine.any():
        return faces
    under = faces.prints(replace(cards, attack=np.zeros_like(mine)))[mine]
    x, w = upright[mine], np.broadcast_to(cards.belief[mine][:, None, None, None], under.shape)
    if faces.attack_cover.any():
        agree = 1 - capped(x, faces.prints(cards)[mine], 2 * settings.cap)
        w = w * np.maximum(agree, 0.05)[..., None]
    total = w.sum(0)
    mean_x, mean_t = (w * x).sum(0) / total, (w * under).sum(0) / total
    cov = (w * (x - mean_x) * (under - mean_t)).sum((0, 3)) / total[..., 0]
    var = (w * (under - mean_t) ** 2).sum((0, 3)) / total[..., 0]
    shows = np.clip((cov + settings.attack_shrink) / (var + settings.attack_shrink), 0, 1)
    paint = mean_x - shows[..., None] * mean_t
    icon = (1 - shows > settings.least_cover) | (np.abs(paint).max(-1) > settings.least_paint)
    icon &= _largest_patch(icon, np.abs(mean_x - mean_t).max(-1))
    cover = np.where(icon, 1 - shows, 0)
    return replace(
        faces,
        attack_cover=cover.astype(np.float32),
        attack_paint=np.where(icon[..., None], paint, 0).astype(np.float32),
    )


def _largest_patch(icon: NDArray[np.bool_], change: Floats) -> NDArray[np.bool_]:
    """An icon is one thing at one place, where most changes: whatever else differs is noise, mostly at the rim."""
    inside = (icon & (INNER_PART > 0)).astype(np.uint8)
    count, labels = cv2.connectedComponents(cv2.dilate(inside, np.ones((3, 3), np.uint8)))
    weights = [float(change[(labels == k) & (inside > 0)].sum()) for k in range(1, count)]
    return np.asarray(labels == 1 + int(np.argmax(weights)) if weights else icon)


def _fit_lights(
    cards: NamedCards, faces: Faces, turns: Ints, lights: list[Light], settings: TeachSettings
) -> list[Light]:
    prints = faces.prints(cards)
    laid = np.array([turned(face, int(k)) for face, k in zip(prints, turns, strict=True)], np.float32)
    out = []
    for photo, light in enumerate(lights):
        mine = cards.photo == photo
        agree = 1 - capped(light.removed(cards.seen[mine], cards.spots[mine]), laid[mine], settings.cap)
        out.append(
            fit_light(cards.seen[mine], laid[mine], agree * cards.belief[mine][:, None, None], cards.spots[mine])
        )
    return out
