"""One photo as many lamps, cameras and copies would have shown it.

A made-up copy is a mixing of the colours, the same in all its photos: so a few copies that were photographed in many
rooms stand for many. Another shot of a photo is another exposure, tone curve and balance, and light from elsewhere.
"""

from __future__ import annotations

import numpy as np
import torch
from torch.nn import functional

from vision.drop.appearance_net import NEUTRAL_WHITE
from vision.training.appearance_data import CUTS, Shots


def made_up_copy(rng: np.random.Generator) -> torch.Tensor:
    """A mixing of B, G and R: as it is, channels swapped, hues turned, paler or stronger."""
    if rng.random() < 0.3:
        return torch.eye(3)
    swap = np.eye(3)[rng.permutation(3)] if rng.random() < 0.6 else np.eye(3)
    angle = rng.uniform(-np.pi, np.pi) if rng.random() < 0.4 else rng.normal(0, 0.3)
    u = 1 / np.sqrt(3)
    cross = np.array([[0, -u, u], [u, 0, -u], [-u, u, 0]])
    turn = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    strength = rng.uniform(0.5, 1.25)
    return _tensor((strength * np.eye(3) + (1 - strength) / 3) @ turn @ swap)


def another_shot(
    shots: Shots, which: np.ndarray, mixing: torch.Tensor, strength: float, rng: np.random.Generator
) -> torch.Tensor:
    """The network's input (n, 5, px, px) for some cubes of a photo, shot anew."""
    cut = rng.integers(0, CUTS, len(which))
    colour = _tensor(shots.crops[cut, which] / 255).permute(0, 3, 1, 2)
    masks = _tensor(np.stack([shots.top[cut, which], shots.sides[cut, which]], axis=1))
    paper = _tensor(NEUTRAL_WHITE if shots.white is None else shots.white).view(1, 3, 1, 1)
    colour = torch.einsum("ij,njhw->nihw", mixing, colour).clamp(0, 1.2)
    paper = torch.einsum("ij,njhw->nihw", mixing, paper).clamp(0.2, 1.2)
    colour = _lit(colour, masks, strength, rng)
    colour, paper = _developed(colour, paper, strength, rng)
    if shots.white is not None and rng.random() < 0.65:
        white = paper * _tensor(np.exp(rng.normal(0, 0.02, 3))).view(1, 3, 1, 1)
    else:
        white = _tensor(NEUTRAL_WHITE).view(1, 3, 1, 1)
    planes = torch.cat([colour / white, masks], dim=1)
    mirrored = torch.from_numpy(rng.random(len(which)) < 0.5)
    planes[mirrored] = torch.flip(planes[mirrored], [3])
    return planes


def _lit(colour: torch.Tensor, masks: torch.Tensor, strength: float, rng: np.random.Generator) -> torch.Tensor:
    """Sides, upper faces and table lit differently, each cube by its own little."""
    count = (len(colour), 1, 1, 1)
    top = _tensor(np.exp(rng.normal(0, 0.04, count)))
    side = _tensor(np.exp(rng.normal(0, 0.15 * strength) + rng.normal(0, 0.06, count)))
    table = float(np.exp(rng.normal(0, 0.08 * strength)))
    outside = 1 - masks.sum(1, keepdim=True)
    return colour * (masks[:, :1] * top + masks[:, 1:] * side + outside * table)


def _developed(
    colour: torch.Tensor, paper: torch.Tensor, strength: float, rng: np.random.Generator
) -> tuple[torch.Tensor, torch.Tensor]:
    """Exposure, gamma, highlights rolled off, contrast, balance, blur and grain; the paper goes through the same."""
    gain = _tensor(np.exp(rng.normal(0, 0.28 * strength) + rng.normal(0, 0.05 * strength, 3))).view(1, 3, 1, 1)
    gamma = float(np.exp(rng.normal(0, 0.1 * strength)))
    contrast = float(rng.uniform(-0.25, 0.6) * strength)
    cast = _tensor(np.exp(rng.normal(0, 0.05 * strength, 3))).view(1, 3, 1, 1)

    def toned(value: torch.Tensor) -> torch.Tensor:
        value = (value * gain).clamp(1e-4, 3) ** gamma
        value = torch.where(value > 0.8, 0.8 + 0.2 * torch.tanh((value - 0.8) / 0.2), value)
        part = value.clamp(0, 1)
        return (value + contrast * (part * part * (3 - 2 * part) - part)) * cast

    colour, paper = toned(colour), toned(paper)
    if rng.random() < 0.3:
        colour = 0.3 * colour + 0.7 * functional.avg_pool2d(colour, 3, 1, 1, count_include_pad=False)
    colour = colour + torch.randn_like(colour) * float(rng.uniform(0.003, 0.025))
    return colour.clamp(0, 1), paper.clamp(0.1, 1)


def _tensor(values) -> torch.Tensor:
    return torch.as_tensor(np.asarray(values, np.float32))
