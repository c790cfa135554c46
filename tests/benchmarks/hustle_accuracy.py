"""How well Dungeon Hustle boards are read, each drawing taught from its own teach photos: one table.

    python -m tests.benchmarks.hustle_accuracy [FOLDER...] [--tuned]

Without folders: ../shared/photos/hustle where it is there, else the demo photos. Photos whose number is divisible by
three were never looked at while the reader was built; --tuned shows the others instead.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.taps import hustle_taps_from_json
from companion.tiles import HEROES
from vision.hustle import read_board
from vision.hustle.teach import learn
from vision.photo import load_photo

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared" / "photos" / "hustle"
DEMO = ROOT / "web" / "demo" / "hustle"
HIDDEN = 0.5  # of a card seen less than this, its face is not asked for
FACE = ("colour", "symbol", "attack")


@dataclass
class Tally:
    photos: int = 0
    found: int = 0
    perfect: int = 0
    cards: int = 0
    spaces: int = 0
    heroes: int = 0
    turned_up: int = 0
    wrong: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    ratios: list[float] = field(default_factory=list)
    claims: list[tuple[float, bool]] = field(
        default_factory=list
    )  # confidence of a cell, and whether all of it is right


def kind(who: str | None) -> str | None:
    return "hero" if who in (*HEROES, "hero") else who


def photos(folder: Path, tuned: bool) -> Iterator[tuple[Path, dict[str, Any]]]:
    for path in sorted(folder.glob("*.json")):
        if path.name.endswith(".taps.json") or "teach" in path.name:
            continue
        number = int("".join(c for c in path.stem.rsplit("-", 1)[-1] if c.isdigit()) or 0)
        truth = json.loads(path.read_text())
        if folder == DEMO or ((number % 3 == 0) != tuned and any(folder.glob(f"teach-{truth['style']}-*.taps.json"))):
            yield path.with_suffix(".jpg"), truth


def teach(folder: Path, style: str) -> Any:
    taps = sorted(folder.glob("teach-*.taps.json" if folder == DEMO else f"teach-{style}-*.taps.json"))
    named = [hustle_taps_from_json(json.loads(path.read_text())) for path in taps]
    return learn([(load_photo(folder / one.photo), one) for one in named])


def count(tally: Tally, truth: dict[str, Any], reading: dict[str, Any]) -> None:
    read = {(cell["row"], cell["col"]): cell for cell in reading["cells"]}
    before = sum(tally.wrong.values())
    tally.photos += 1
    tally.found += bool(read)
    for cell in truth["cells"]:
        got = read.get((cell["row"], cell["col"]), {})
        asked = FACE if cell["visible"] >= HIDDEN else ()
        faults = [what for what in asked if got.get(what) != cell[what]]
        tally.cards += bool(asked)
        tally.spaces += 1
        tally.heroes += kind(cell["occupant"]) == "hero"
        if kind(got.get("occupant")) != kind(cell["occupant"]):
            faults.append("occupied")
        elif got.get("occupant") != cell["occupant"]:
            faults.append("name")
        for fault in faults:
            tally.wrong[fault] += 1
        if asked:
            tally.claims.append((got.get("confidence", 0.0), not faults))
    want, up = truth["revealed"], reading["revealed"]
    same = (want is None) == (up is None) and (want is None or all(want[k] == up[k] for k in ("colour", "symbol")))
    tally.turned_up += same
    tally.perfect += same and sum(tally.wrong.values()) == before


def measure(folder: Path, tuned: bool) -> dict[str, Tally]:
    tallies: dict[str, Tally] = {}
    profiles: dict[str, Any] = {}
    for path, truth in photos(folder, tuned):
        style = truth["style"]
        if style not in profiles:
            profiles[style], tallies[style] = teach(folder, style), Tally()
        photo = load_photo(path)
        reading = read_board(photo, profiles[style])
        count(tallies[style], truth, reading.as_json())
        tallies[style].ratios.append(sum(reading.timings_ms.values()) / max(_decode_ms(path), 0.1))
    return tallies


def _decode_ms(path: Path) -> float:
    """The best of three, as close to the reading as can be: the machine may be busy."""
    raw = np.frombuffer(path.read_bytes(), np.uint8)
    spent = []
    for _ in range(3):
        start = cv2.getTickCount()
        cv2.imdecode(raw, cv2.IMREAD_COLOR)
        spent.append((cv2.getTickCount() - start) / cv2.getTickFrequency() * 1000)
    return min(spent)


def show(tallies: dict[str, Tally]) -> None:
    head = (
        "drawing",
        "photos",
        "found",
        "perfect",
        "colour",
        "symbol",
        "attack",
        "occupied",
        "names",
        "turned up",
        "time",
    )
    print("".join(f"{name:>10}" for name in head))
    for style, t in tallies.items():
        faults = [
            t.wrong[k] / max(n, 1)
            for k, n in (*((k, t.cards) for k in FACE), ("occupied", t.spaces), ("name", t.heroes))
        ]
        cells = [style, t.photos, t.found, t.perfect, *(f"{100 * share:.2f}%" for share in faults)]
        cells += [f"{100 * t.turned_up / t.photos:.0f}%", f"{np.median(t.ratios):.0f}x"]
        print("".join(f"{cell!s:>10}" for cell in cells))
    claims = [claim for t in tallies.values() for claim in t.claims]
    print("\nconfidence   cells   right")
    for low, high in ((0.0, 0.5), (0.5, 0.8), (0.8, 0.9), (0.9, 0.97), (0.97, 1.01)):
        right = [ok for said, ok in claims if low <= said < high]
        if right:
            print(f"{low:.2f}-{min(high, 1):.2f} {len(right):>9} {100 * np.mean(right):>6.1f}%")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="*", default=[SHARED if SHARED.is_dir() else DEMO])
    parser.add_argument("--tuned", action="store_true")
    args = parser.parse_args()
    tallies: dict[str, Tally] = {}
    for folder in args.folders:
        tallies |= measure(folder, args.tuned)
    show(tallies)


if __name__ == "__main__":
    main()
