"""How well a Dungeon Drop reading agrees with what lies on the table."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.dungeon_drop.house import HouseRules
from companion.games.dungeon_drop.rooms import TableRooms, table_rooms
from companion.pieces import Piece
from companion.readings import DropReading

Array = NDArray[np.float64]

ASKED_SHARE: Final = 0.4  # a cube of which less can be seen is neither asked for nor held against the reader
AS_SEEN: Final = HouseRules(doubt_counts_as_in=False)  # what the reader saw, not how doubts are settled at the table
REACH: Final = 0.6  # of a cube's size in the photo: no find that far from its middle is that cube


@dataclass(frozen=True)
class RoomCount:
    """Over all threes of true pillars."""

    rooms: int
    right: int  # takes exactly what it should
    wrong_sure: int  # wrong, and not called doubtful
    doubted: int


@dataclass(frozen=True)
class DropScore:
    photo: str
    asked: int
    faults: tuple[str, ...]  # missed, extra, wrong type or size: one line each
    kinds: dict[str, int]
    position_mm: float | None = None  # median, turn, shift and scale aside
    scale: float | None = None
    rooms: RoomCount | None = None
    beliefs: tuple[tuple[float, bool], ...] = field(default=(), repr=False)  # confidence, and whether it was right


def score_drop(label: dict[str, Any], reading: DropReading) -> DropScore:
    cubes = [cube for cube in label["cubes"] if _inside(cube, label)]
    found = [piece for piece in reading.pieces if piece.type != "meeple"]
    pairs = _paired(cubes, found)
    asked = [i for i, cube in enumerate(cubes) if _is_asked(cube)]
    faults: list[tuple[str, str]] = []
    beliefs: list[tuple[float, bool]] = []
    for i in asked:
        if i not in pairs:
            faults.append(("missed", f"missed {_name(cubes[i])} at {cubes[i]['center_px']}"))
            continue
        piece = found[pairs[i]]
        wrong = "type" if piece.type != cubes[i]["type"] else "size" if piece.size != cubes[i]["size"] else None
        beliefs.append((piece.confidence, wrong is None))
        if wrong:
            faults.append((wrong, f"{_name(cubes[i])} read as {piece.type} {piece.size} at {cubes[i]['center_px']}"))
    for j in set(range(len(found))) - set(pairs.values()):
        beliefs.append((found[j].confidence, False))
        faults.append(("extra", f"nothing there, read as {found[j].type} at {found[j].center_px}"))
    kinds = {kind: sum(name == kind for name, _ in faults) for kind in ("missed", "extra", "type", "size")}
    texts = tuple(text for _, text in faults)
    score = DropScore(label["photo"], len(asked), texts, kinds, beliefs=tuple(beliefs))
    if not cubes or "footprint_mm" not in cubes[0]:  # real photos: nobody measured where their cubes lay
        return score
    position_mm, scale = _placed(cubes, found, pairs)
    return replace(score, position_mm=position_mm, scale=scale, rooms=_rooms(cubes, found, pairs, reading.error_mm))


def _inside(cube: dict[str, Any], label: dict[str, Any]) -> bool:
    x, y = cube["center_px"]
    return bool(0 <= x < label["width"] and 0 <= y < label["height"])


def _is_asked(cube: dict[str, Any]) -> bool:
    return cube.get("visible", 1.0) >= ASKED_SHARE and not cube.get("cut", False) and cube.get("sure", True)


def _name(cube: dict[str, Any]) -> str:
    return f"{cube['type']} {cube['size']}"


def _paired(cubes: list[dict[str, Any]], found: list[Piece]) -> dict[int, int]:
    """Cube to piece: the nearest two first, each only once."""
    if not cubes or not found:
        return {}
    there = np.array([cube["center_px"] for cube in cubes], float)
    here = np.array([piece.center_px for piece in found], float)
    reach = np.array([REACH * np.sqrt(cv2.contourArea(np.array(cube["outline_px"], np.float32))) for cube in cubes])
    gap = np.linalg.norm(there[:, None] - here[None], axis=2)
    pairs: dict[int, int] = {}
    for i, j in zip(*np.unravel_index(np.argsort(gap, axis=None), gap.shape), strict=True):
        if gap[i, j] <= reach[i] and int(i) not in pairs and int(j) not in pairs.values():
            pairs[int(i)] = int(j)
    return pairs


def _placed(
    cubes: list[dict[str, Any]], found: list[Piece], pairs: dict[int, int]
) -> tuple[float | None, float | None]:
    """Median distance once one table is laid on the other by turn, shift and scale, as complex numbers."""
    both = [(i, j) for i, j in pairs.items() if found[j].footprint_mm]
    if len(both) < 3:
        return None, None
    true = np.array([np.mean(cubes[i]["footprint_mm"], axis=0) @ [1, 1j] for i, _ in both])
    read = np.array([np.mean(found[j].footprint_mm, axis=0) @ [1, 1j] for _, j in both])
    true, read = true - true.mean(), read - read.mean()
    factor = np.vdot(read, true) / np.vdot(read, read)
    return float(np.median(np.abs(factor * read - true))), float(np.abs(factor))


def _rooms(cubes: list[dict[str, Any]], found: list[Piece], pairs: dict[int, int], error_mm: float | None) -> RoomCount:
    names = {j: f"t{i:03}" for i, j in pairs.items()}
    true = [Piece(f"t{i:03}", c["type"], footprint_mm=_outline(c["footprint_mm"])) for i, c in enumerate(cubes)]
    read = [
        Piece(names.get(j, f"x{j:03}"), piece.type, footprint_mm=piece.footprint_mm, resting=piece.resting)
        for j, piece in enumerate(found)
    ]
    want, got = _contents(table_rooms(true)), _contents(table_rooms(read, error_mm, AS_SEEN))
    right = [pillars in got and got[pillars][0] == taken for pillars, (taken, _) in want.items()]
    doubted = [pillars in got and got[pillars][1] for pillars in want]
    sure = sum(not r and not d for r, d in zip(right, doubted, strict=True))
    return RoomCount(len(want), sum(right), sure, sum(doubted))


def _outline(points: list[list[float]]) -> tuple[tuple[float, float], ...]:
    hull = cv2.convexHull(np.array(points, np.float32)).reshape(-1, 2)
    return tuple((float(x), float(y)) for x, y in hull)


def _contents(rooms: TableRooms) -> dict[tuple[str, ...], tuple[frozenset[str] | None, bool]]:
    """For each three pillars what the room takes, None where a fourth pillar bars it; and whether that is doubtful."""
    ids = [piece.id for piece in rooms.pieces]
    taken: list[set[str]] = [set() for _ in range(len(rooms))]
    for room, piece in zip(rooms.room[rooms.inside], rooms.piece[rooms.inside], strict=True):
        taken[room].add(ids[piece])
    doubtful = set(rooms.room[rooms.doubtful].tolist())
    return {
        tuple(sorted(ids[p] for p in triple)): (frozenset(taken[r]) if rooms.free[r] else None, r in doubtful)
        for r, triple in enumerate(rooms.triples)
    }
