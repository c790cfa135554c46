"""Taps made from labels, to teach a profile from staged photos: `python -m vision.training.drop_taps LABELS... OUT`.

The shipped profile is taught from many photos of the published cubes, in more lights and on more tables than anybody
would tap by hand. Photos that are held aside are left out.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from pathlib import Path

from vision.training.drop_data import HELD_ASIDE

VISIBLE = 0.7  # a person would not tap what is mostly hidden
EACH = 3  # cubes of one kind in a photo: they look alike there, and another photo says more


def taps_of(label: Path, out: Path) -> dict:
    truth = json.loads(label.read_text())
    width, height = truth["width"], truth["height"]
    cubes: list[dict] = []
    count: Counter[tuple[str, str]] = Counter()
    for cube in truth["cubes"]:
        x, y = (round(v) for v in cube["center_px"])
        kind = cube["type"], cube["size"]
        if cube["visible"] >= VISIBLE and 0 <= x < width and 0 <= y < height and count[kind] < EACH:
            count[kind] += 1
            cubes.append({"type": cube["type"], "size": cube["size"], "center_px": [x, y]})
    photo = os.path.relpath(label.with_name(truth["photo"]), out)
    return {"game": "dungeon-drop", "photo": photo, "cubes": cubes}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("labels", type=Path, nargs="+")
    parser.add_argument("out", type=Path, help="a folder for the taps files")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for label in args.labels:
        if not label.name.startswith(HELD_ASIDE):
            (args.out / f"{label.stem}.taps.json").write_text(json.dumps(taps_of(label, args.out)))


if __name__ == "__main__":
    main()
