"""How long reading a table takes, as a multiple of decoding its JPEG in the same process: `python -m
tests.benchmarks.drop_speed [PHOTO...]`. The bar is 12 for a photo of 2 megapixels."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from statistics import median

import cv2
import numpy as np

from vision.drop import read_table
from vision.photo import load_photo

DEMO = Path(__file__).parents[2] / "web" / "demo" / "drop"
ROUNDS = 7


def measured(path: Path) -> tuple[float, float, dict[str, float]]:
    """Decoding and reading in ms, the better half of the rounds each, and the stages of the last round."""
    raw = path.read_bytes()
    pixels = np.frombuffer(raw, np.uint8)
    decoding, reading, stages = [], [], {}
    read_table(load_photo(raw, path.name))  # networks are loaded once
    for _ in range(ROUNDS):
        start = time.perf_counter()
        cv2.imdecode(pixels, cv2.IMREAD_COLOR)
        middle = time.perf_counter()
        result = read_table(load_photo(raw, path.name))
        reading.append((time.perf_counter() - middle) * 1000)
        decoding.append((middle - start) * 1000)
        stages = dict(result.timings_ms)
    better = slice(0, ROUNDS // 2 + 1)
    return median(sorted(decoding)[better]), median(sorted(reading)[better]), stages


def main() -> None:
    photos = [Path(name) for name in sys.argv[1:]] or sorted(DEMO.glob("table-*.jpg"))
    ratios = []
    for path in photos:
        decode, read, stages = measured(path)
        ratios.append(read / decode)
        told = "  ".join(f"{name} {ms:.0f}" for name, ms in stages.items())
        print(f"{path.name:<24} decode {decode:6.1f} ms  read {read:7.1f} ms  ratio {read / decode:5.1f}   {told}")
    print(f"median ratio {median(ratios):.1f}, of 12 allowed")


if __name__ == "__main__":
    main()
