"""Made-up Dungeon Hustle prints: card faces, corner tiles, standees and tables, no two alike.

The reader must find the board of a copy that nobody has seen, so nothing here copies a real drawing: grounds, borders,
discs and symbols are drawn at random. Every function takes the generator it draws from.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]
FACE_PX = 96
CELL_PX = 100  # one pitch of the board's canvas


def colour(rng: np.random.Generator, lowest: int = 0, highest: int = 256) -> Colour:
    r, g, b = rng.integers(lowest, highest, 3)
    return int(r), int(g), int(b)


def vivid(rng: np.random.Generator) -> Colour:
    hsv = np.uint8([[[rng.integers(0, 180), rng.integers(70, 256), rng.integers(60, 250)]]])  # type: ignore[arg-type]
    b, g, r = cv2.cvtColor(np.asarray(hsv), cv2.COLOR_HSV2BGR)[0, 0]
    return int(b), int(g), int(r)


def ground(rng: np.random.Generator, height: int, width: int, tint: Colour, roughness: float) -> Picture:
    """Blotches of several sizes on a tint."""
    blotches = np.zeros((height, width), np.float32)
    for n in (4, 9, 20, 48):
        patch = rng.normal(0, 1, (n, n)).astype(np.float32)
        blotches += cv2.resize(patch, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.clip(np.array(tint, np.float32) * (1 + roughness * blotches[..., None]), 0, 255).astype(np.uint8)


def symbol(rng: np.random.Generator, size: int) -> Picture:
    """A random mark as a mask: a few polygons, rings, strokes or letters laid over each other."""
    mask = np.zeros((size, size), np.uint8)
    for _ in range(rng.integers(1, 5)):
        ink = 0 if rng.random() < 0.25 else 255
        x, y = (int(v) for v in rng.integers(size // 4, 3 * size // 4, 2))
        kind = rng.integers(0, 5)
        if kind == 0:
            corners = rng.integers(0, size, (rng.integers(3, 7), 2)).astype(np.int32)
            cv2.fillPoly(mask, [corners], ink, cv2.LINE_AA)
        elif kind == 1:
            axes = (int(rng.integers(size // 10, size // 2)), int(rng.integers(size // 10, size // 2)))
            thick = -1 if rng.random() < 0.5 else int(rng.integers(2, 2 + size // 8))
            cv2.ellipse(mask, (x, y), axes, float(rng.uniform(0, 180)), 0, 360, ink, thick, cv2.LINE_AA)
        elif kind == 2:
            ends = rng.integers(0, size, (2, 2))
            start, stop = (int(ends[0, 0]), int(ends[0, 1])), (int(ends[1, 0]), int(ends[1, 1]))
            cv2.line(mask, start, stop, 255, int(rng.integers(2, 2 + size // 5)), cv2.LINE_AA)
        elif kind == 3:
            letter = chr(int(rng.integers(33, 127)))
            cv2.putText(
                mask, letter, (size // 5, 4 * size // 5), int(rng.integers(0, 8)), size / 30, 255, 3, cv2.LINE_AA
            )
        else:
            half = int(rng.integers(size // 8, size // 3))
            cv2.rectangle(mask, (x - half, y - half), (x + half, y + half), ink, -1 if rng.random() < 0.6 else 3)
    return mask


def stamp(face: Picture, mask: Picture, centre: tuple[int, int], ink: Colour) -> None:
    half_h, half_w = mask.shape[0] // 2, mask.shape[1] // 2
    x, y = centre[0] - half_w, centre[1] - half_h
    top, left = max(0, -y), max(0, -x)
    part = mask[top : face.shape[0] - y, left : face.shape[1] - x]
    y, x = max(0, y), max(0, x)
    under = face[y : y + part.shape[0], x : x + part.shape[1]]
    alpha = part[..., None] / 255.0
    under[:] = (np.array(ink) * alpha + under * (1 - alpha)).astype(np.uint8)


Drawer = Callable[[Colour, Picture, bool], Picture]


def copy_of_the_game(rng: np.random.Generator) -> tuple[list[Picture], Picture]:
    """Some faces of one made-up copy, and the back of its cards."""
    colours = [vivid(rng) for _ in range(rng.integers(3, 6))]
    marks = [symbol(rng, int(rng.integers(40, 66))) for _ in range(5)]
    draw = drawer(rng)
    faces = [draw(c, m, False) for c in colours for m in marks]
    faces += [draw(colours[rng.integers(len(colours))], m, True) for m in marks]
    back = ground(rng, FACE_PX, FACE_PX, colour(rng, 20, 220), float(rng.uniform(0, 0.1)))
    for inset in rng.integers(2, 14, rng.integers(0, 3)):
        line = int(rng.integers(1, 4))
        cv2.rectangle(back, (int(inset),) * 2, (FACE_PX - 1 - int(inset),) * 2, colour(rng), line)
    stamp(back, symbol(rng, 56), (48, 48), colour(rng))
    return faces, back


def drawer(rng: np.random.Generator) -> Drawer:
    """One copy's layout: where the colour goes, which borders and discs there are, where the attack icon sits."""
    roughness = float(rng.choice([0.0, 0.04, 0.07, 0.1]))
    full = rng.random() < 0.45
    paper, ink = colour(rng, 40, 250), colour(rng)
    if rng.random() < 0.6:
        ink = colour(rng, 200, 256) if rng.random() < 0.6 else colour(rng, 0, 60)
    border = int(rng.choice([0, 0, 2, 4, 8, 12]))
    border_inset = int(rng.choice([0, 0, 2, 4]))
    border_shade = float(rng.choice([0.5, 0.7, 1.0, 1.4]))
    disc = int(rng.choice([0, 0, 26, 32, 38]))
    ring = int(rng.choice([0, 0, 2]))
    corners = int(rng.choice([0, 0, 0, 12, 18]))
    own_ink = rng.random() < 0.4
    attack_at = (int(rng.integers(10, 86)), int(rng.choice([12, 16, 82])))
    attack_ink, attack_ground = vivid(rng), colour(rng, 0, 90)
    attack_mark = symbol(rng, 18)
    seed = int(rng.integers(2**31))

    def draw(tint: Colour, mark: Picture, attack: bool) -> Picture:
        own = np.random.default_rng([seed, *tint, int(mark.sum())])
        face = ground(own, FACE_PX, FACE_PX, tint if full else paper, roughness)
        shade = tint if not full else tuple(min(255, int(c * border_shade)) for c in tint)
        if border:
            low, high = border_inset + border // 2, FACE_PX - 1 - border_inset - border // 2
            cv2.rectangle(face, (low, low), (high, high), shade, border)
        for x in (0, FACE_PX - 1):
            for y in (0, FACE_PX - 1):
                if corners:
                    cv2.circle(face, (x, y), corners, shade, -1, cv2.LINE_AA)
        if disc:
            cv2.circle(face, (48, 48), disc, tint if not full else paper, -1, cv2.LINE_AA)
        if disc and ring:
            cv2.circle(face, (48, 48), disc, ink, ring, cv2.LINE_AA)
        stamp(face, mark, (48, 48), vivid(own) if own_ink else ink)
        if attack:
            cv2.circle(face, attack_at, 11, attack_ground, -1, cv2.LINE_AA)
            stamp(face, attack_mark, attack_at, attack_ink)
        return face

    return draw


def corner_sheet(rng: np.random.Generator, side_px: int) -> Picture:
    """What a corner tile is printed with: paving, a picture, or nothing much."""
    tint = colour(rng, 40, 230)
    sheet = ground(rng, side_px, side_px, tint, float(rng.uniform(0, 0.12)))
    if rng.random() < 0.6:
        step, line = int(rng.integers(14, 60)), int(rng.integers(1, 4))
        shade = tuple(int(c * rng.uniform(0.5, 0.9)) for c in tint)
        for k in range(0, side_px, step):
            cv2.line(sheet, (k, 0), (k, side_px), shade, line)
            cv2.line(sheet, (0, k), (side_px, k), shade, line)
    for _ in range(rng.integers(0, 3)):
        stamp(sheet, symbol(rng, 80), (int(rng.integers(0, side_px)), int(rng.integers(0, side_px))), colour(rng))
    return sheet


def quest_card(rng: np.random.Generator) -> Picture:
    card = np.full((88, 64, 3), colour(rng, 30, 250), np.uint8)
    cv2.rectangle(card, (1, 1), (62, 86), colour(rng), 2)
    if rng.random() < 0.6:
        cv2.rectangle(card, (7, 7), (56, 40), colour(rng), -1)
        for i in range(rng.integers(2, 5)):
            stamp(card, symbol(rng, 12), (12 + 14 * i, 56), colour(rng))
    return card


def standee_face(rng: np.random.Generator) -> Picture:
    face = ground(rng, 100, 60, colour(rng, 20, 240), 0.07)
    stamp(face, symbol(rng, 52), (30, 48), colour(rng))
    return face


def table(rng: np.random.Generator, side_px: int = 768) -> Picture:
    """A table top: plain, felt, planks, stone, checks, print or swirls."""
    kind = rng.integers(0, 6)
    tint = colour(rng, 15, 245) if rng.random() < 0.6 else vivid(rng)
    top = ground(rng, side_px, side_px, tint, float(rng.uniform(0, 0.12)))
    if kind == 1:
        top = _planks(rng, top)
    elif kind == 2:
        grain = rng.normal(0, rng.uniform(5, 60), (side_px, side_px, 1))
        top = np.clip(cv2.GaussianBlur(top + grain, (0, 0), rng.uniform(0.5, 2.0)), 0, 255).astype(np.uint8)
    elif kind == 3:
        other, step = colour(rng), int(rng.integers(20, 150))
        grid = (np.arange(side_px) // step) % 2
        chosen = (grid[:, None] ^ grid[None, :]) if rng.random() < 0.5 else (grid[:, None] | grid[None, :])
        top = np.where(chosen[..., None] > 0, (0.6 * top + 0.4 * np.array(other)).astype(np.uint8), top)
    elif kind == 4:
        for _ in range(rng.integers(5, 60)):
            spot = (int(rng.integers(0, side_px)), int(rng.integers(0, side_px)))
            stamp(top, symbol(rng, int(rng.integers(20, 120))), spot, colour(rng))
    elif kind == 5:
        waves = sum(
            cv2.resize(rng.normal(0, 1, (n, n)).astype(np.float32), (side_px, side_px), interpolation=cv2.INTER_CUBIC)
            for n in (5, 11)
        )
        swirl = (np.sin(waves * rng.uniform(2, 9)) * rng.uniform(1, 6)).clip(-1, 1)[..., None] / 2 + 0.5
        top = (top * swirl + np.array(colour(rng)) * (1 - swirl)).astype(np.uint8)
    return top


def _planks(rng: np.random.Generator, top: Picture) -> Picture:
    side = top.shape[0]
    streaks = rng.normal(0, 1, (side, max(2, side // 60))).astype(np.float32)
    streaks = cv2.GaussianBlur(cv2.resize(streaks, (side, side)), (0, 0), sigmaX=12, sigmaY=0.8)
    out = top * (1 + rng.uniform(0.1, 0.6) * streaks[..., None])
    width = int(rng.integers(30, 200))
    for k in range(0, side, width):
        out[k : k + 2] *= rng.uniform(0.4, 0.9)
        out[k : k + width] *= rng.uniform(0.88, 1.12)
    return np.clip(out if rng.random() < 0.5 else out.transpose(1, 0, 2), 0, 255).astype(np.uint8)
