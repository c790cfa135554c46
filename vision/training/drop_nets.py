"""The two small networks of the Dungeon Drop reader, and what their output channels mean.

Both are plain encoder-decoders whose cells are 4 px wide. They are sized for OpenCV's dnn module on a laptop's CPU:
the finder spends about 1.7 thousand multiplications on a pixel, the reader about 9.
"""

from __future__ import annotations

import torch
from torch import nn

CELL_PX = 4
# What a cell says. heat: a cube's middle is here (logit); meeple: the same of a meeple; dx, dy: way there, in cells;
# size: log of the side over SIZE_PX; the rest only where a cube is.
READER = ("heat", "meeple", "dx", "dy", "size", "cos4", "sin4", "stretch", "skew", "base", "spread")
FINDER = ("heat", "meeple", "dx", "dy", "size", "up_x", "up_y", "spread")
SIZE_PX = 12.0


def conv(inputs: int, outputs: int, kernel: int = 3, stride: int = 1) -> nn.Sequential:
    pad = (kernel - stride) // 2 if kernel % 2 == 0 else kernel // 2
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, pad, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


class Block(nn.Module):
    """Two convolutions and a way past them."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = conv(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x + self.second(self.first(x)))


def blocks(width: int, count: int) -> nn.Sequential:
    return nn.Sequential(*(Block(width) for _ in range(count)))


class CubeNet(nn.Module):
    """Down to a sixteenth, where a cell sees a whole neighbourhood, and back up to a quarter, where a cube is found."""

    def __init__(self, stem: nn.Module, widths: tuple[int, int, int], counts: tuple[int, int, int, int, int],
                 head: int, channels: int) -> None:  # fmt: skip
        super().__init__()
        fine, middle, coarse = widths
        self.stem = stem
        self.fine = blocks(fine, counts[0])
        self.middle = nn.Sequential(conv(fine, middle, 3, 2), blocks(middle, counts[1]))
        self.coarse = nn.Sequential(conv(middle, coarse, 3, 2), blocks(coarse, counts[2]))
        self.to_middle = nn.Conv2d(coarse, middle, 1)
        self.to_fine = nn.Conv2d(middle, fine, 1)
        self.mix_middle = blocks(middle, counts[3])
        self.mix_fine = blocks(fine, counts[4])
        self.head = nn.Sequential(conv(fine, head), nn.Conv2d(head, channels, 1))
        self.head[1].bias.data[:2] = -4.0  # nearly all cells hold nothing: start by saying so

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        fine = self.fine(self.stem(x))
        middle = self.middle(fine)
        coarse = self.coarse(middle)
        middle = self.mix_middle(middle + _twice(self.to_middle(coarse)))
        fine = self.mix_fine(fine + _twice(self.to_fine(middle)))
        return self.head(fine)


def reader() -> CubeNet:
    stem = nn.Sequential(conv(3, 16, 5, 2), conv(16, 32, 3, 2))
    return CubeNet(stem, (32, 64, 96), (1, 2, 2, 1, 1), 48, len(READER))


def finder() -> CubeNet:
    return CubeNet(conv(3, 24, 8, 4), (24, 32, 48), (0, 1, 2, 1, 0), 24, len(FINDER))


def _twice(x: torch.Tensor) -> torch.Tensor:
    return nn.functional.interpolate(x, scale_factor=2.0, mode="nearest")
