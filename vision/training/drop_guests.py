"""Cubes of one staged photo set onto the table of another, so that no table belongs to its cubes."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.training.drop_data import Sample

PER_CUBE = ("center", "log_size", "turn", "base", "lean", "visible", "up")


def with_guests(host: Sample, guest: Sample, rng: np.random.Generator) -> Sample:
    """The host's crop with those of the guest's cubes and meeples that stand whole, unhidden, and on free table."""
    size = host.bgr.shape[0]
    taken = _filled(host.outlines + host.meeples, size, 3)
    bgr, chosen, outlines, meeples = host.bgr.copy(), [], [], []
    shade = rng.uniform(0.0, 0.6) if rng.random() < 0.6 else 0.0
    drift = rng.normal(0, 2.0, 2)
    everyone = [(i, o) for i, o in enumerate(guest.outlines)] + [(-1, m) for m in guest.meeples]
    for i, outline in everyone:
        whole = outline.min() > 2 and outline.max() < size - 3
        if not whole or (i >= 0 and guest.visible[i] < 0.97) or rng.random() < 0.2:
            continue
        own = _filled([outline], size, 2)
        if (own & taken).any():
            continue
        others = [
            o for j, o in everyone if o is not outline and np.abs(o.mean(axis=0) - outline.mean(axis=0)).max() < 60
        ]
        if (own & _filled(others, size, 0)).any():
            continue
        _paste(bgr, guest.bgr, outline, shade, drift)
        taken |= own
        (outlines if i >= 0 else meeples).append(outline)
        if i >= 0:
            chosen.append(i)
    per_cube = {name: np.concatenate([getattr(host, name), getattr(guest, name)[chosen]]) for name in PER_CUBE}
    shapes = np.concatenate([_shapes(host), _shapes(guest)[chosen]])
    moved = replace(host, bgr=bgr, outlines=host.outlines + outlines, meeples=host.meeples + meeples, **per_cube)
    return replace(moved, shape=shapes)


def _shapes(sample: Sample) -> np.ndarray:
    return np.broadcast_to(sample.shape, (len(sample.center), 2))


def _filled(outlines: list[np.ndarray], size: int, wider: int) -> np.ndarray:
    mask = np.zeros((size, size), np.uint8)
    for outline in outlines:
        cv2.fillConvexPoly(mask, np.round(outline).astype(np.int32), 1)
    return cv2.dilate(mask, np.ones((2 * wider + 1, 2 * wider + 1), np.uint8)) if wider else mask


def _paste(bgr: np.ndarray, source: np.ndarray, outline: np.ndarray, shade: float, drift: np.ndarray) -> None:
    low, high = np.floor(outline.min(axis=0)).astype(int) - 6, np.ceil(outline.max(axis=0)).astype(int) + 7
    low, high = low.clip(0, len(bgr)), high.clip(0, len(bgr))
    window = (slice(low[1], high[1]), slice(low[0], high[0]))
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    shadow = mask.copy()
    cv2.fillConvexPoly(mask, np.round((outline - low) * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    cv2.fillConvexPoly(shadow, np.round((outline - low + drift) * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    share = mask[..., None] / np.float32(255)
    dark = 1 - shade * cv2.GaussianBlur(shadow, (0, 0), 2.0)[..., None] / np.float32(255)
    bgr[window] = (bgr[window] * dark * (1 - share) + source[window] * share).astype(np.uint8)
