"""Train the reader or the finder on a CPU: `python -m vision.training.drop_train reader --minutes 60 PHOTOS...`.

Every random choice comes from --seed. Photos are taken anew from the folders every few minutes, so that a studio may
go on making more. Writes NAME.pt (averaged weights) as it goes and NAME.onnx at the end.
"""

from __future__ import annotations

import argparse
import copy
import queue
import threading
import time
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import torch

from vision.training import drop_data, drop_nets
from vision.training.drop_augment import Recipe, crop
from vision.training.drop_mining import wrong_spots
from vision.training.drop_targets import targets

READER_PX_PER_MM = 1.4
FINDER_LONG_SIDE_PX = 640
RELOAD_S, REPORT_S = 240.0, 30.0
MINE_EVERY_S = 480.0  # one look at all photos takes a twentieth of this
GAMMA = (
    (255 * np.sqrt(np.arange(256) / 255)).round().astype(np.uint8)
)  # opens up dark cloth; vision.drop.network has the same


def tensor(bgr: np.ndarray) -> np.ndarray:
    return (cv2.LUT(bgr, GAMMA).transpose(2, 0, 1).astype(np.float32) - 127.5) / 64.0


class Photos:
    """The training set, which may grow while training runs."""

    def __init__(self, kind: str, folders: list[Path], skip: str) -> None:
        self.kind, self.folders, self.skip = kind, folders, skip
        self.samples: list[drop_data.Sample] = []
        self.known: set[Path] = set()
        self.reload()

    def reload(self) -> None:
        for path in drop_data.labels(self.folders):
            if path in self.known or (self.skip and path.stem.startswith(tuple(self.skip.split(",")))):
                continue
            try:
                if self.kind == "reader":
                    sample = drop_data.straight_sample(path)
                else:
                    sample = drop_data.small_sample(path, FINDER_LONG_SIDE_PX)
            except (ValueError, KeyError, cv2.error):
                continue  # still being written
            self.known.add(path)
            self.samples.append(sample)

    def mine(self, net: torch.nn.Module, scale: float) -> None:
        """Note where the network is wrong; photos with many such spots are drawn more often."""
        for sample in self.samples:
            sample.spots = wrong_spots(net, sample, scale, tensor)

    def hosts(self, count: int, rng: np.random.Generator) -> list[drop_data.Sample]:
        weight = np.array([1 + SPOT_WEIGHT * min(len(one.spots), MOST_SPOTS) for one in self.samples])
        return [self.samples[i] for i in rng.choice(len(weight), size=count, p=weight / weight.sum())]

    def donor(self, host: drop_data.Sample, rng: np.random.Generator) -> drop_data.Sample | None:
        """Now and then another photo taken from about as steeply, whose cubes may stand on this one's table."""
        if rng.random() > GUESTS:
            return None
        alike = [one for one in self.samples if one is not host and abs(one.steep - host.steep) < LIKE_DEG]
        return alike[rng.integers(len(alike))] if alike else None


CALM_FROM, CALM = 0.65, 0.55  # the last third of the time sees photos more as they are, for exact places
GUESTS = 0.2  # share of crops on which cubes of another photo stand too; clear ones bring their old table along
SPOT_WEIGHT, MOST_SPOTS = 0.15, 20  # a photo with twenty mistakes is drawn four times as often as one with none
LIKE_DEG = 9.0  # seen from about as steeply


def batch(photos: Photos, recipe: Recipe, names: tuple[str, ...], size: int, rng: np.random.Generator):
    crops = [crop(host, recipe, rng, photos.donor(host, rng)) for host in photos.hosts(size, rng)]
    truths = [targets(one, names, recipe.crop_px) for one in crops]
    x = torch.from_numpy(np.stack([tensor(one.bgr) for one in crops]))
    return x, *(torch.from_numpy(np.stack(part)) for part in zip(*truths, strict=True))


def loss(
    out: torch.Tensor, values: torch.Tensor, heat_weight: torch.Tensor, weight: torch.Tensor
) -> dict[str, torch.Tensor]:
    logit, truth = out[:, :2], values[:, :2]
    p = torch.sigmoid(logit)
    yes = (truth >= 0.999).float()
    log_p, log_not = torch.nn.functional.logsigmoid(logit), torch.nn.functional.logsigmoid(-logit)
    focal = -yes * (1 - p) ** 2 * log_p - (1 - yes) * (1 - truth) ** 4 * p**2 * log_not
    count = yes.sum().clamp(min=1)
    w = weight.unsqueeze(1)
    total = w.sum().clamp(min=1)
    gap = (out[:, 2:-1] - values[:, 2:-1]).abs()
    place = gap[:, :2].sum(1, keepdim=True)
    spread = out[:, -1:].clamp(-5, 2)
    return {
        "heat": (focal * heat_weight).sum() / count,
        "place": (w * place).sum() / total,
        "spread": 0.2 * (w * (place.detach() * torch.exp(-spread) + spread)).sum() / total,
        "rest": (w * gap[:, 2:]).sum() / total,
    }


def feed(make, depth: int = 6) -> queue.Queue:
    """Batches made beside the training; OpenCV and numpy let go of the interpreter while they work."""
    ready: queue.Queue = queue.Queue(depth)

    def work() -> None:
        while True:
            ready.put(make())

    threading.Thread(target=work, daemon=True).start()
    return ready


def recipe_of(args: argparse.Namespace) -> Recipe:
    if args.kind == "reader":
        return Recipe(args.crop, READER_PX_PER_MM / drop_data.FINE_PX_PER_MM)
    return Recipe(args.crop, 1.0, log_scale_spread=0.25, shape_spread=0.0, turn_deg=25.0)


def train(args: argparse.Namespace) -> None:
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    cv2.setNumThreads(1)
    rng = np.random.default_rng(args.seed)
    net = drop_nets.reader() if args.kind == "reader" else drop_nets.finder()
    names = drop_nets.READER if args.kind == "reader" else drop_nets.FINDER
    recipe = recipe_of(args)
    if args.start:
        net.load_state_dict(torch.load(args.start))
    photos = Photos(args.kind, args.photos, args.skip)
    mean = copy.deepcopy(net).eval()
    if args.start:
        photos.mine(mean, recipe.scale)
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-2)
    begin = reloaded = reported = mined = time.time()
    end = begin + 60 * args.minutes

    def make():
        late = time.time() > begin + CALM_FROM * (end - begin)
        return batch(photos, replace(recipe, wild=CALM) if late else recipe, names, args.batch, rng)

    ready = feed(make)
    step, recent = 0, []
    while (now := time.time()) < end:
        for group in optimiser.param_groups:
            group["lr"] = args.rate * warmth(step, (now - begin) / (end - begin))
        x, *truth = ready.get()
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=not args.exact):
            out = net(x)
        parts = loss(out.float(), *truth)
        optimiser.zero_grad()
        sum(parts.values()).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        step += 1
        average_into(mean, net, keep=min(0.998, step / (step + 30)))
        recent.append({name: float(value.detach()) for name, value in parts.items()})
        if now - reported > REPORT_S:
            print(
                f"{(now - begin) / 60:5.1f} min  step {step}  photos {len(photos.samples)}  {told(recent)}", flush=True
            )
            torch.save(mean.state_dict(), args.out.with_suffix(".pt"))
            reported, recent = now, []
        if now - reloaded > RELOAD_S:
            photos.reload()
            reloaded = now
        if now - mined > MINE_EVERY_S:
            photos.mine(mean, recipe.scale)
            mined = now
            print(f"  wrong at {sum(len(one.spots) for one in photos.samples)} spots", flush=True)
    torch.save(mean.state_dict(), args.out.with_suffix(".pt"))
    export(mean, args.out.with_suffix(".onnx"))


def warmth(step: int, progress: float) -> float:
    """The learning rate as a share of the highest: up within a hundred steps, then down along a cosine."""
    return min(1.0, (step + 1) / 100) * (0.02 + 0.98 * 0.5 * (1 + float(np.cos(np.pi * progress))))


@torch.no_grad()
def average_into(mean: torch.nn.Module, net: torch.nn.Module, keep: float) -> None:
    for slow, fast in zip(mean.state_dict().values(), net.state_dict().values(), strict=True):
        slow.lerp_(fast, 1 - keep) if slow.is_floating_point() else slow.copy_(fast)


def told(losses: list[dict[str, float]]) -> str:
    return "  ".join(f"{name} {np.mean([one[name] for one in losses]):.3f}" for name in losses[0])


def export(net: torch.nn.Module, path: Path) -> None:
    """ONNX with batch norm folded into the convolutions, height and width free (multiples of 16)."""
    axes = {"picture": {2: "height", 3: "width"}, "cells": {2: "rows", 3: "cols"}}
    names = {"input_names": ["picture"], "output_names": ["cells"], "dynamic_axes": axes}
    torch.onnx.export(net.eval(), torch.zeros(1, 3, 192, 192), str(path), opset_version=17, dynamo=False, **names)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("reader", "finder"))
    parser.add_argument("photos", type=Path, nargs="+", help="folders of labelled photos")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--batch", type=int, default=12)
    parser.add_argument("--crop", type=int, default=192)
    parser.add_argument("--threads", type=int, default=1, help="more only on an idle machine")
    parser.add_argument("--exact", action="store_true", help="32-bit floats, twice as slow on recent CPUs")
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--skip", default="", help="names to leave out, by their beginning, with commas between")
    parser.add_argument("--out", type=Path, required=True)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
