"""Train the appearance network on a CPU: `python -m vision.training.appearance_train OUT.onnx --minutes 40 FOLDERS...`.

In every step one made-up copy is shot in two or three lights, and each cube must be told by its likeness to the cubes
of the *other* shots, as in teaching and reading. Beside that the network must say what the cube is made of, so that it
learns what is the cube's own and what is lamp and table; and whether it is a cube at all, for among the crops are spots
of the table. (That last answer is not exported: on finds of the reader it knows no more than the reader's own score.)
Every random choice comes from --seed.

Writes OUT.onnx; then make the shipped profile anew, since a profile's looks belong to one network:
`companion teach dungeon-drop TAPS... --out calibration/data/dungeon-drop.json`.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from vision.training.appearance_augment import another_shot, made_up_copy
from vision.training.appearance_data import NO_CUBE, Shots, shots_of
from vision.training.drop_data import labels

MADE_OF_WEIGHT = 3.0
CUBE_WEIGHT = 1.0
MOST_OTHERS = 14  # things of one photo that are no cubes


class AppearanceNet(nn.Module):
    """A crop and its two masks (n, 5, 32, 32) to points (n, dimensions); the n cubes are those of one photo.

    What is seen is averaged over the upper face, the sides and the table apart. The mean over all cubes of the photo
    is context: it tells of exposure, colour of the light and table.
    """

    def __init__(self, dimensions: int = 32, context: int = 32, widths: tuple[int, ...] = (24, 32, 48, 64)) -> None:
        super().__init__()
        a, b, c, d = widths
        self.c1, self.c2 = nn.Conv2d(5, a, 5, 2, 2), nn.Conv2d(a, b, 3, 1, 1)
        self.c3, self.c4 = nn.Conv2d(b, c, 3, 2, 1), nn.Conv2d(c, d, 3, 2, 1)
        seen = 3 * b + d + 18
        self.f1, self.f2, self.aux = nn.Linear(seen, 128), nn.Linear(128, dimensions), nn.Linear(dimensions, 7)
        self.g1, self.g2 = nn.Linear(seen, context), nn.Linear(context, 128)
        self.cube = nn.Linear(128, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.f2(self.hidden(self.seen(x)))

    def judged(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """With the points the log odds that each is a cube (n)."""
        hidden = functional.dropout(self.hidden(self.seen(x)), 0.1)
        return self.f2(hidden), self.cube(hidden)[:, 0]

    def seen(self, x: torch.Tensor) -> torch.Tensor:
        masks = torch.cat([x[:, 3:5], 1 - x[:, 3:5].sum(1, keepdim=True)], 1)
        colour = (x[:, :3] - 0.4) * 2.5
        y = functional.relu(self.c2(functional.relu(self.c1(torch.cat([colour, x[:, 3:5]], 1)))))
        z = functional.relu(self.c4(functional.relu(self.c3(y)))).mean((2, 3))
        parts = [
            *_averages(colour, masks),
            *_averages(colour * colour, masks),
            *_averages(y, functional.avg_pool2d(masks, 2)),
        ]
        return torch.cat([*parts, z], 1)

    def hidden(self, seen: torch.Tensor) -> torch.Tensor:
        context = functional.relu(self.g1(seen)).mean(0, keepdim=True)
        return functional.relu(self.f1(seen) + self.g2(context))


def _averages(x: torch.Tensor, masks: torch.Tensor) -> list[torch.Tensor]:
    return [
        (x * masks[:, k : k + 1]).sum((2, 3)) / (masks[:, k : k + 1].sum((2, 3)) + 1e-3) for k in range(masks.shape[1])
    ]


def copies_of(photos: list[Shots]) -> dict[str, list[Shots]]:
    copies: dict[str, list[Shots]] = {}
    for shots in photos:
        copies.setdefault(shots.copy, []).append(shots)
    return copies


def chosen_photos(copies: dict[str, list[Shots]], rng: np.random.Generator) -> list[Shots]:
    """Three photos of a copy that has several, the larger sets more often; or one photo twice."""
    several = [name for name, photos in copies.items() if len(photos) > 1]
    single = [name for name, photos in copies.items() if len(photos) == 1]
    if several and (rng.random() < 0.6 or not single):
        weight = np.sqrt([len(copies[name]) for name in several])
        photos = copies[several[rng.choice(len(several), p=weight / weight.sum())]]
        return [photos[k] for k in rng.permutation(len(photos))[:3]]
    return copies[single[rng.integers(len(single))]] * 2


def chosen_cubes(shots: Shots, rng: np.random.Generator) -> np.ndarray:
    """Some of the photo's cubes, no type more often than a random few: tables differ in what lies on them."""
    most, total = int(rng.integers(2, 8)), int(rng.integers(24, 46))
    count: dict[str, int] = {}
    kept = []
    for cube in rng.permutation(np.flatnonzero(shots.visible > 0.4)):
        kind = shots.types[cube]
        if count.get(kind, 0) < most:
            count[kind] = count.get(kind, 0) + 1
            kept.append(cube)
    return np.array(kept[:total])


def chosen_others(shots: Shots, rng: np.random.Generator) -> np.ndarray:
    """Some of what is no cube."""
    return rng.permutation(np.flatnonzero(shots.types == NO_CUBE))[:MOST_OTHERS]


def episode_loss(net: AppearanceNet, photos: list[Shots], rng: np.random.Generator) -> torch.Tensor:
    """Three parts: types told apart, what they are made of, cube or none."""
    mixing = made_up_copy(rng)
    same = len({id(shots) for shots in photos}) == 1
    points, types, shot, cube, made_of, doubts = [], [], [], [], [], []
    for number, shots in enumerate(photos):
        which, others = chosen_cubes(shots, rng), chosen_others(shots, rng)
        crops = another_shot(shots, np.concatenate([which, others]), mixing, 1.0 if same else 0.8, rng)
        every, odds = net.judged(crops)
        points.append(every[: len(which)])
        is_cube = torch.cat([torch.ones(len(which)), torch.zeros(len(others))])
        doubts.append(functional.binary_cross_entropy_with_logits(odds, is_cube))
        types += list(shots.types[which])
        shot += [number] * len(which)
        cube += list(which if same else which + 1000 * number)
        made_of.append(torch.from_numpy(shots.looks[which]))
    points_, made_of_ = torch.cat(points), torch.cat(made_of)
    made_of_ = torch.cat([(made_of_[:, :3] @ mixing.T).clamp(0, 1), made_of_[:, 3:]], 1)
    told = _told_apart(points_, np.array(types), np.array(shot), np.array(cube))
    made = functional.mse_loss(net.aux(points_), made_of_)
    return torch.stack([told, MADE_OF_WEIGHT * made, CUBE_WEIGHT * torch.stack(doubts).mean()])


def _told_apart(points: torch.Tensor, types: np.ndarray, shot: np.ndarray, cube: np.ndarray) -> torch.Tensor:
    """Cross entropy of each cube's type, by kernels round the cubes of the other shots."""
    names, index = np.unique(types, return_inverse=True)
    target = torch.from_numpy(index)
    member = functional.one_hot(target, len(names)).float()
    others = torch.from_numpy((shot[:, None] != shot[None]) & (cube[:, None] != cube[None]))
    near = torch.where(others, -((points[:, None] - points[None]) ** 2).sum(-1), torch.tensor(-1e4))
    peak = near.max(1, keepdim=True)[0].detach()
    count = others.float() @ member
    share = ((torch.exp(near - peak) * others) @ member) / count.clamp(min=1)
    logits = torch.where(count > 0, torch.log(share + 1e-20) + peak, torch.tensor(-1e4))
    has = count.gather(1, target[:, None])[:, 0] > 0
    return functional.cross_entropy(logits[has], target[has])


def train(net: AppearanceNet, photos: list[Shots], minutes: float, rng: np.random.Generator) -> None:
    copies = copies_of(photos)
    optimiser = torch.optim.AdamW(net.parameters(), 2e-3, weight_decay=1e-2)
    start, step, losses = time.monotonic(), 0, []
    while (done := (time.monotonic() - start) / 60 / minutes) < 1:
        for group in optimiser.param_groups:
            group["lr"] = 2e-3 * min(1.0, (step + 1) / 200) * (0.5 + 0.5 * math.cos(math.pi * done)) + 1e-5
        parts = episode_loss(net, chosen_photos(copies, rng), rng)
        optimiser.zero_grad()
        parts.sum().backward()
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()
        step += 1
        losses.append(parts.detach().numpy())
        if step % 250 == 0:
            type_, made, cube = np.mean(losses[-500:], axis=0)
            print(
                f"{done * minutes:5.1f} min  step {step}  type {type_:.3f}  made of {made:.3f}  cube {cube:.3f}",
                flush=True,
            )


def export(net: AppearanceNet, out: Path) -> None:
    net.eval()
    any_number = {"looks": {0: "n"}, "points": {0: "n"}}
    torch.onnx.export(
        net, (torch.rand(7, 5, 32, 32),), str(out), input_names=["looks"], output_names=["points"],
        dynamic_axes=any_number, opset_version=17, dynamo=False,
    )  # fmt: skip


def main() -> None:
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("out", type=Path)
    args.add_argument("folders", type=Path, nargs="+")
    args.add_argument("--minutes", type=float, default=40)
    args.add_argument("--seed", type=int, default=0)
    args.add_argument("--start", type=Path, help="weights to go on from")
    given = args.parse_args()
    torch.manual_seed(given.seed)
    rng = np.random.default_rng(given.seed)
    photos = [shots_of(path, rng) for path in labels(given.folders)]
    net = AppearanceNet()
    if given.start:
        net.load_state_dict(torch.load(given.start), strict=False)
    train(net, photos, given.minutes, rng)
    torch.save(net.state_dict(), given.out.with_suffix(".pt"))
    export(net, given.out)


if __name__ == "__main__":
    main()
