"""Crops for training: turned, scaled, sheared, recoloured, darkened, blurred and spoiled, all from one generator.

The networks must know what *any* cube is, so colours are the first thing taken from them: single cubes, the table and
the light are recoloured at random. Positions are never trusted to be exact: sizes and shapes are stretched as a wrong
guess of the camera would stretch them, and the networks learn to say so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.training.drop_data import Sample
from vision.training.drop_guests import with_guests


@dataclass(frozen=True)
class Recipe:
    """How wild the crops are. `scale` takes the sample's pixels to the network's."""

    crop_px: int
    scale: float
    log_scale_spread: float = 0.10
    shape_spread: float = 0.06
    turn_deg: float = 20.0
    wild: float = 0.8  # share of crops that are recoloured, and share that are spoiled
    hard: float = 0.4  # share of crops round a spot where the network was wrong, where the photo has any
    any_turn_above_deg: float = 78.0  # seen from nearly straight above, the picture may be turned at will


def crop(sample: Sample, recipe: Recipe, rng: np.random.Generator, donor: Sample | None = None) -> Sample:
    """One spoiled piece of a sample, on whose table cubes of the donor may stand too."""
    piece = _piece(sample, recipe, rng)
    if donor is not None:
        piece = with_guests(piece, _piece(donor, recipe, rng), rng)
    image = piece.bgr.astype(np.float32) / 255.0
    if rng.random() < recipe.wild:
        image = _recoloured(image, piece, rng)
    return replace(piece, bgr=_spoiled(image, rng) if rng.random() < recipe.wild else piece.bgr)


def _piece(sample: Sample, recipe: Recipe, rng: np.random.Generator) -> Sample:
    warp = _warp(sample, recipe, rng)
    size = (recipe.crop_px, recipe.crop_px)
    bgr = cv2.warpAffine(sample.bgr, warp, size, flags=cv2.INTER_LINEAR)
    return _moved(sample, warp, bgr)


def _warp(sample: Sample, recipe: Recipe, rng: np.random.Generator) -> np.ndarray:
    """2 by 3: mirror, shape, turn and scale about a random spot, which goes to a random spot of the crop."""
    height, width = sample.bgr.shape[:2]
    if sample.meeples and rng.random() < 0.12:
        spot = sample.meeples[rng.integers(len(sample.meeples))].mean(axis=0)
    elif len(sample.spots) and rng.random() < recipe.hard:
        spot = sample.spots[rng.integers(len(sample.spots))]
    elif len(sample.center) and rng.random() < 0.7:
        spot = sample.center[rng.integers(len(sample.center))]
    else:
        spot = rng.uniform(0, 1, 2) * (width, height)
    reach = recipe.turn_deg if sample.steep < recipe.any_turn_above_deg else 180.0
    angle = np.radians(rng.uniform(-reach, reach))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    a, b = rng.normal(0, recipe.shape_spread, 2) if rng.random() < 0.6 else (0.0, 0.0)
    shape = np.array([[1 + a, b], [b, 1 - a]])
    mirror = np.diag([rng.choice([-1.0, 1.0]), 1.0])
    scale = recipe.scale * np.exp(rng.normal(0, recipe.log_scale_spread) if rng.random() < 0.7 else 0.0)
    linear = scale * shape @ turn @ mirror
    target = rng.uniform(0.15, 0.85, 2) * recipe.crop_px
    return np.column_stack([linear, target - linear @ spot])


def _moved(sample: Sample, warp: np.ndarray, bgr: np.ndarray) -> Sample:
    """The sample's truth as the warped picture shows it."""
    linear = warp[:, :2]
    scale = np.sqrt(abs(np.linalg.det(linear)))
    rotation, shape = _polar(linear / scale)
    turn = np.sign(np.linalg.det(linear)) * sample.turn + np.arctan2(rotation[1, 0], rotation[0, 0])
    move = lambda points: points @ linear.T + warp[:, 2]  # noqa: E731
    moved = replace(
        sample, bgr=bgr, center=move(sample.center), log_size=sample.log_size + np.log(scale), turn=turn,
        up=sample.up @ (linear / scale).T,
        outlines=[move(o) for o in sample.outlines], meeples=[move(m) for m in sample.meeples],
    )  # fmt: skip
    moved.shape = np.array([(shape[0, 0] - shape[1, 1]) / 2, shape[0, 1]])
    return moved


def _polar(linear: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """linear = shape @ rotation @ (mirror x, where there is one), shape symmetric."""
    u, s, vt = np.linalg.svd(linear)
    rotation = u @ vt
    if np.linalg.det(rotation) < 0:
        rotation = rotation @ np.diag([-1.0, 1.0])
    return rotation, u @ np.diag(s) @ u.T


def _mixing(rng: np.random.Generator, strength: float) -> np.ndarray:
    """A random way of turning one colour into another that keeps white about white."""
    mix = np.eye(3) + rng.normal(0, strength, (3, 3))
    return (mix / mix.sum(axis=1, keepdims=True).clip(0.3)).astype(np.float32)


def _recoloured(image: np.ndarray, sample: Sample, rng: np.random.Generator) -> np.ndarray:
    table = image
    if rng.random() < 0.4:
        table = image @ _mixing(rng, rng.uniform(0.1, 0.6)).T
    if rng.random() < 0.3:
        table = table * np.exp(rng.uniform(-3.0, 0.5)) ** rng.uniform(0.3, 1.0)  # black cloth is the hardest table
    out = table.copy() if table is image else table
    darken = rng.random() < 0.3
    for outline in sample.outlines + sample.meeples:
        low, high = np.floor(outline.min(axis=0)).astype(int) - 2, np.ceil(outline.max(axis=0)).astype(int) + 3
        if min(high) <= 0 or max(low) >= image.shape[0]:
            continue
        low, high = low.clip(0, image.shape[0]), high.clip(0, image.shape[0])
        window = (slice(low[1], high[1]), slice(low[0], high[0]))
        mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
        cv2.fillPoly(mask, [np.round((outline - low) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        share = mask[..., None].astype(np.float32) / 255.0
        own = image[window]
        if rng.random() < 0.5:
            own = own @ _mixing(rng, rng.uniform(0.3, 1.2)).T
        if rng.random() < 0.3:
            own = own * rng.uniform(0.3, 1.6, 3).astype(np.float32)
        if darken and rng.random() < 0.5:
            own = own * rng.uniform(0.15, 1.0)
        if rng.random() < 0.12:  # clear plastic shows the table through it
            see = rng.uniform(0.3, 0.75)
            own = own * (1 - see) + see * np.median(out[window].reshape(-1, 3), axis=0)
        out[window] = out[window] * (1 - share) + own * share
    return out


def _spoiled(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Light, white balance, contrast, blur, sharpening, noise and JPEG."""
    gain = np.exp(rng.normal(0, 0.12, 3) + rng.normal(0, 0.3))
    image = np.clip(image * gain.astype(np.float32), 0, 1.5) ** np.float32(np.exp(rng.normal(0, 0.2)))
    if rng.random() < 0.2:
        image = image.mean() + (image - image.mean()) * np.float32(rng.uniform(0.3, 1.0))
    if rng.random() < 0.35:
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, 1.3))
    elif rng.random() < 0.2:
        image = image + rng.uniform(0.3, 1.2) * (image - cv2.GaussianBlur(image, (0, 0), 1.0))
    if rng.random() < 0.5:
        noise = rng.standard_normal(image.shape, np.float32)
        if rng.random() < 0.5:
            noise = cv2.GaussianBlur(noise, (0, 0), 0.7) * 1.7
        image = image + noise * np.float32(rng.uniform(0.003, 0.05))
    pixels = (np.clip(image, 0, 1) * 255).astype(np.uint8)
    if rng.random() < 0.4:
        coded = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 95))])[1]
        pixels = cv2.imdecode(coded, cv2.IMREAD_COLOR)
    return pixels
