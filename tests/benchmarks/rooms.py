"""All rooms of an 18-pillar, 90-cube table against a plain loop of shapely calls, in one run.

    python -m tests.benchmarks.rooms

The lower lines have four and sixteen times the cubes on a table as much wider, so that a room has about as many cubes
near it as before: the time must grow far less than the number of cubes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import numpy as np
from shapely.geometry import Polygon
from shapely.ops import unary_union

from companion.games.dungeon_drop.heroes import Hero
from companion.games.dungeon_drop.quests import quest_from_json
from companion.games.dungeon_drop.rooms import judged, table_rooms
from companion.pieces import BOX, SOLO_TYPES, Piece

HERO = Hero(8, damage=2, shields=1, quest=quest_from_json({"gem-clear": 2, "gem-pink": 1, "gem-blue": 4}))
SIDES_MM = {"S": 8.0, "L": 10.0, "H": 12.0}


def box_table(seed: int, width_mm: float = 480.0, depth_mm: float = 340.0, copies: int = 1) -> list[Piece]:
    """The 90 cubes of the standard box, dropped at random; `copies` repeats all but the pillars."""
    chance = np.random.default_rng(seed)
    kinds = [
        key for key, number in BOX.items() if key[0] not in SOLO_TYPES
        for _ in range(number * (1 if key[0] == "pillar" else copies))
    ]  # fmt: skip
    pieces = []
    for number, (kind, size) in enumerate(kinds):
        centre, turn = chance.uniform((0, 0), (width_mm, depth_mm)), chance.uniform(0, np.pi / 2)
        angles = turn + np.pi / 4 + np.arange(4) * np.pi / 2
        corners = centre + SIDES_MM[size] / np.sqrt(2) * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        outline = tuple((float(x), float(y)) for x, y in corners)
        pieces.append(Piece(f"p{number:03}", kind, size, footprint_mm=outline))
    return pieces


def plain_loop(pieces: list[Piece]) -> list[tuple[bool, list[str], int, float]]:
    """Legality, collects, points and margins, as one would first write it."""
    shapes = {piece.id: Polygon(piece.footprint_mm) for piece in pieces}
    pillars = [piece for piece in pieces if piece.type == "pillar"]
    worth = {"gold": 1, "troll": 2, "dragon": 8, "gem-clear": 2, "gem-pink": 1, "gem-blue": 4}
    rooms = []
    for triple in combinations(pillars, 3):
        names = {pillar.id for pillar in triple}
        hull = unary_union([shapes[name] for name in names]).convex_hull
        gaps = [(piece, hull.distance(shapes[piece.id])) for piece in pieces if piece.id not in names]
        inside = [piece for piece, gap in gaps if gap <= 1e-9]
        collects = [piece.id for piece in inside if piece.type != "pillar"]
        points = sum(worth.get(piece.type, 0) for piece in inside)
        rooms.append((len(collects) == len(inside), collects, points, min((g for _, g in gaps if g > 0), default=0.0)))
    return rooms


def seconds(run: Callable[[], object], times: int) -> float:
    """CPU seconds, the best of several runs: wall time would measure who else uses the machine."""
    best = float("inf")
    for _ in range(times):
        start = time.process_time()
        run()
        best = min(best, time.process_time() - start)
    return best


def figures() -> dict[str, float]:
    """What is measured: milliseconds for the 816 rooms, plain and ours, the ratio, and ours on tables grown wide."""
    table = box_table(1)
    plain = seconds(lambda: plain_loop(table), 3)
    ours = seconds(lambda: judged(table_rooms(table, 0.4), HERO), 25)
    out = {"plain_ms": plain * 1e3, "ours_ms": ours * 1e3, "ratio": plain / ours}
    for copies in (4, 16):
        grown = grown_table(copies)
        spent = seconds(lambda table=grown: judged(table_rooms(table, 0.4), HERO), 5)  # type: ignore[misc]
        out[f"{len(grown)}_pieces_ms"] = spent * 1e3
    return out


def grown_table(copies: int) -> list[Piece]:
    """The pillars stay where they were; so many times the other cubes lie on a table as many times as wide."""
    pillars = [piece for piece in box_table(1) if piece.type == "pillar"]
    others = [piece for piece in box_table(2, 480.0 * copies, 340.0, copies) if piece.type != "pillar"]
    return [replace(piece, id=f"p{number:04}") for number, piece in enumerate([*pillars, *others])]


def main() -> None:
    found = figures()
    print(f"{'18 pillars, 816 rooms':<34}{'ms':>10}{'ratio':>10}")
    print(f"{'90 cubes, plain shapely loop':<34}{found['plain_ms']:>10.1f}{1:>10.1f}")
    print(f"{'90 cubes, table_rooms and judged':<34}{found['ours_ms']:>10.1f}{found['ratio']:>10.1f}")
    for name, value in found.items():
        if name.endswith("_pieces_ms"):
            number = name.split("_", maxsplit=1)[0]
            print(f"{number + ' pieces, table as much wider':<34}{value:>10.1f}{'':>10}")


if __name__ == "__main__":
    main()
