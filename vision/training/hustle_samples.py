"""Turn made-up photos into what the two networks learn from, and keep them in shards on disk.

python -m vision.training.hustle_samples OUT_DIR --scenes 2000 [--seed 0]
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.tiles import CARD_SPACES
from vision.hustle.snap import CROP_PX, crop_warp
from vision.training.hustle_scenes import Scene, make_scene

SHARD = 50  # scenes
SAMPLE_PX = 256  # the longer side of a reduced photo, a little more than the finder sees
STRIDE_PX = 4
OTHER_SPOTS = tuple(
    (r, c) for r in range(-1, 8) for c in range(-1, 8) if (r, c) not in CARD_SPACES
)  # corner tiles, the deck, the table


def finder_sample(scene: Scene) -> tuple[NDArray[np.uint8], NDArray[np.float16]]:
    """The reduced photo, and where on the board every cell of the network's output looks."""
    height, width = scene.photo.shape[:2]
    scale = SAMPLE_PX / max(width, height)
    small = cv2.resize(scene.photo, (round(width * scale), round(height * scale)), interpolation=cv2.INTER_AREA)
    step = STRIDE_PX / scale
    xs = (np.arange(small.shape[1] // STRIDE_PX, dtype=np.float32) + 0.5) * step - 0.5
    ys = (np.arange(small.shape[0] // STRIDE_PX, dtype=np.float32) + 0.5) * step - 0.5
    grid_x, grid_y = np.meshgrid(xs, ys)
    plane = cv2.remap(scene.plane, grid_x, grid_y, cv2.INTER_LINEAR)
    if not scene.has_board:
        plane = np.full_like(plane, -100)
    return small, plane.astype(np.float16)


def snap_samples(
    scene: Scene, rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.bool_]]:
    """Crops about the spaces as a rough fit would cut them; the true corners in each; whether a card is there."""
    crops, corners, is_card = [], [], []
    spots: list[tuple[float, float]] = [*CARD_SPACES]
    spots += [OTHER_SPOTS[i] for i in rng.choice(len(OTHER_SPOTS), 9, replace=False)]
    spots += [
        (CARD_SPACES[i][0] + 0.5, CARD_SPACES[i][1] + 0.5 * (k % 2)) for k, i in enumerate(rng.integers(0, 36, 4))
    ]
    for k, (row, col) in enumerate(spots):
        guess = _rough(np.array([col + 0.5, row + 0.5]), rng)
        guess_px = scene.camera.project(np.column_stack([guess, np.zeros(4)]))
        warp = crop_warp(guess_px)
        crops.append(cv2.warpPerspective(scene.photo, warp, (CROP_PX, CROP_PX), flags=cv2.INTER_AREA))
        card = k < len(CARD_SPACES) and scene.has_board
        true_px = scene.camera.project(np.column_stack([scene.cards[k] if card else guess, np.zeros(4)]))
        corners.append(cv2.perspectiveTransform(true_px[None], warp)[0])
        is_card.append(card)
    return np.array(crops), np.array(corners, np.float32), np.array(is_card)


def _rough(middle: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    far = 0.17 if rng.random() < 0.4 else 0.06
    quad = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * rng.normal(1, 0.03)
    angle = rng.normal(0, 0.04)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return quad @ turn.T + middle + rng.uniform(-far, far, 2) + rng.normal(0, 0.015, (4, 2))


def make_shard(seed: int, scenes: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    photos, planes, crops, corners, cards = [], [], [], [], []
    for _ in range(scenes):
        scene = make_scene(rng)
        photo, plane = finder_sample(scene)
        photos.append(photo)
        planes.append(plane)
        for kept, new in zip((crops, corners, cards), snap_samples(scene, rng), strict=True):
            kept.append(new)
    shapes = sorted({photo.shape for photo in photos})
    out: dict[str, Any] = {}
    for index, shape in enumerate(shapes):
        chosen = [k for k, photo in enumerate(photos) if photo.shape == shape]
        out[f"photos{index}"] = np.array([photos[k] for k in chosen])
        out[f"planes{index}"] = np.array([planes[k] for k in chosen])
    return out | {"crops": np.concatenate(crops), "corners": np.concatenate(corners), "is_card": np.concatenate(cards)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--scenes", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    args.out.mkdir(parents=True, exist_ok=True)
    for shard in range(args.scenes // SHARD):
        seed = args.seed * 100_000 + shard
        np.savez(args.out / f"part-{seed:08}.npz", **make_shard(seed, SHARD))
        print(f"{(shard + 1) * SHARD} scenes", flush=True)


if __name__ == "__main__":
    main()
