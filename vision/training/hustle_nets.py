"""Learn the two networks of the Dungeon Hustle reader from made-up photos, and save them as ONNX.

    python -m vision.training.hustle_samples SAMPLES --scenes 2500
    python -m vision.training.hustle_nets finder SAMPLES vision/hustle/data/hustle-finder.onnx
    python -m vision.training.hustle_nets snap SAMPLES vision/hustle/data/hustle-snap.onnx

The finder says for each small square of a reduced photo whether it belongs to a board, and to which spot of it. The
snapper looks at one space, roughly cut out, and says whether a card lies there and where its four corners are.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.hustle.finder import BLOCK_PX, FINDER_PX, STRIDE_PX
from vision.hustle.snap import CROP_PX
from vision.training.hustle_samples import SAMPLE_PX


def conv(inside: int, outside: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    layer = nn.Conv2d(inside, outside, 3, stride, dilation, dilation, bias=False)
    return nn.Sequential(layer, nn.BatchNorm2d(outside), nn.ReLU(inplace=True))


class Finder(nn.Module):
    """A small U-net: mask, u and v at a quarter of the input's resolution."""

    def __init__(self) -> None:
        super().__init__()
        self.s2 = nn.Sequential(conv(3, 12, 2), conv(12, 16))
        self.s4 = nn.Sequential(conv(16, 24, 2), conv(24, 24))
        self.s8 = nn.Sequential(conv(24, 40, 2), conv(40, 40))
        self.s16 = nn.Sequential(
            conv(40, 64, 2), conv(64, 64), conv(64, 64, dilation=2), conv(64, 64, dilation=4), conv(64, 64)
        )
        self.up8 = conv(64 + 40, 40)
        self.up4 = nn.Sequential(conv(40 + 24, 32), conv(32, 32))
        self.head = nn.Conv2d(32, 3, 1)

    def forward(self, photo: Tensor) -> Tensor:
        s4 = self.s4(self.s2(photo))
        s8 = self.s8(s4)
        s16 = self.s16(s8)
        up8 = self.up8(torch.cat([functional.interpolate(s16, scale_factor=2.0), s8], 1))
        up4 = self.up4(torch.cat([functional.interpolate(up8, scale_factor=2.0), s4], 1))
        return self.head(up4)


class Snapper(nn.Module):
    """Nine numbers a crop: is there a card, then its corners' shifts from where they are expected, in crop halves."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 16, 2), conv(16, 24), conv(24, 40, 2), conv(40, 40), conv(40, 64, 2), conv(64, 64)
        )
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(64 * (CROP_PX // 8) ** 2, 96), nn.ReLU(), nn.Linear(96, 9))

    def forward(self, crops: Tensor) -> Tensor:
        return self.head(self.body(crops))


def relight(batch: Tensor) -> Tensor:
    """The same pictures in other colours and lights, scaled as the reader scales them: [-1, 1]."""
    n = len(batch)
    if torch.rand(()) < 0.3:
        batch = batch[:, torch.randperm(3)]
    gain = 0.7 + 0.6 * torch.rand(n, 1, 1, 1) + 0.2 * (torch.rand(n, 3, 1, 1) - 0.5)
    shift = 0.3 * (torch.rand(n, 1, 1, 1) - 0.5)
    return ((batch.float() / 127.5 - 1) * gain + shift).clamp(-1, 1)


def finder_batches(folder: Path, rng: np.random.Generator, size: int) -> Iterator[tuple[Tensor, Tensor]]:
    stacks: dict[tuple[int, ...], list[tuple[Any, Any]]] = {}
    for path in sorted(folder.glob("part-*.npz")):
        with np.load(path) as part:
            for key in part.files:
                if key.startswith("photos"):
                    pair = (part[key], part[key.replace("photos", "planes")])
                    stacks.setdefault(pair[0].shape[1:], []).append(pair)
    sets = [tuple(np.concatenate(side) for side in zip(*pairs, strict=True)) for pairs in stacks.values()]
    while True:
        batches = [
            (k, chosen) for k, (photos, _) in enumerate(sets) for chosen in _split(rng.permutation(len(photos)), size)
        ]
        for index in rng.permutation(len(batches)):
            k, chosen = batches[index]
            photos = torch.from_numpy(sets[k][0][chosen]).permute(0, 3, 1, 2)
            planes = torch.from_numpy(sets[k][1][chosen]).float().permute(0, 3, 1, 2)
            if rng.random() < 0.5:
                photos, planes = photos.flip(3), planes.flip(3)
                planes = torch.stack([7 - planes[:, 0], planes[:, 1]], 1)
            size_hw = [side * FINDER_PX // SAMPLE_PX for side in photos.shape[2:]]
            small = functional.interpolate(photos.float(), size_hw, mode="area")
            planes = functional.interpolate(planes, [side // STRIDE_PX for side in size_hw], mode="bilinear")
            below, beside = (-side % BLOCK_PX for side in size_hw)
            small = functional.pad(small, (0, beside, 0, below), mode="replicate")
            off_board = (0, -(-beside // STRIDE_PX), 0, -(-below // STRIDE_PX))
            planes = functional.pad(planes[..., : small.shape[2] // STRIDE_PX, :], off_board, value=-100.0)
            yield relight(small), planes[..., : small.shape[2] // STRIDE_PX, : small.shape[3] // STRIDE_PX]


def _split(order: np.ndarray, size: int) -> list[np.ndarray]:
    return [order[k : k + size] for k in range(0, len(order) - size + 1, size)]


def finder_loss(out: Tensor, plane: Tensor) -> Tensor:
    inside = ((plane > 0) & (plane < 7)).all(1)
    mask = functional.binary_cross_entropy_with_logits(out[:, 0], inside.float())
    wrong = functional.smooth_l1_loss(out[:, 1:], plane / 3.5 - 1, beta=0.05, reduction="none").sum(1)
    return mask + 3 * (wrong * inside).sum() / inside.sum().clamp(min=1)


def snap_batches(folder: Path, rng: np.random.Generator, size: int) -> Iterator[tuple[Tensor, Tensor]]:
    parts = [dict(np.load(path)) for path in sorted(folder.glob("part-*.npz"))]
    crops, corners, is_card = (np.concatenate([part[key] for part in parts]) for key in ("crops", "corners", "is_card"))
    target = np.concatenate([is_card[:, None], corners.reshape(len(corners), 8)], 1).astype(np.float32)
    while True:
        for chosen in _split(rng.permutation(len(crops)), size):
            yield relight(torch.from_numpy(crops[chosen]).permute(0, 3, 1, 2)), torch.from_numpy(target[chosen])


def snap_loss(out: Tensor, target: Tensor) -> Tensor:
    is_card = target[:, 0]
    card = functional.binary_cross_entropy_with_logits(out[:, 0], is_card)
    low, high = CROP_PX / 6 - 0.5, CROP_PX * 5 / 6 - 0.5
    expected = torch.tensor([low, low, high, low, high, high, low, high])
    wrong = functional.smooth_l1_loss(
        out[:, 1:], (target[:, 1:] - expected) / (CROP_PX / 2), beta=0.02, reduction="none"
    )
    return card + 10 * (wrong.mean(1) * is_card).sum() / is_card.sum().clamp(min=1)


def train(
    net: nn.Module, batches: Iterator[tuple[Tensor, Tensor]], loss_of: Any, *, steps: int, example: Tensor, out: Path
) -> None:
    optimiser = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, steps, pct_start=0.1)
    running = 0.0
    for step in range(1, steps + 1):
        given, wanted = next(batches)
        loss = loss_of(net(given), wanted)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        running += float(loss.detach())
        if step % 100 == 0:
            print(f"step {step}: loss {running / 100:.4f}", flush=True)
            running = 0.0
        if step % 1000 == 0 or step == steps:
            save(net, example, out)


def save(net: nn.Module, example: Tensor, out: Path) -> None:
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    net.eval()
    out.parent.mkdir(parents=True, exist_ok=True)
    axes = {0: "n", 2: "h", 3: "w"} if isinstance(net, Finder) else {0: "n"}
    torch.onnx.export(
        net, (example,), str(out), input_names=["in"], output_names=["out"],
        dynamic_axes={"in": axes, "out": axes if isinstance(net, Finder) else {0: "n"}}, opset_version=13, dynamo=False,
    )  # fmt: skip
    net.train()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("which", choices=["finder", "snap"])
    parser.add_argument("samples", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    rng = np.random.default_rng(args.seed)
    if args.which == "finder":
        train(
            Finder(),
            finder_batches(args.samples, rng, 8),
            finder_loss,
            steps=args.steps,
            example=torch.zeros(1, 3, 128, 160),
            out=args.out,
        )
    else:
        example = torch.zeros(36, 3, CROP_PX, CROP_PX)
        train(
            Snapper(), snap_batches(args.samples, rng, 256), snap_loss, steps=args.steps, example=example, out=args.out
        )


if __name__ == "__main__":
    main()
