"""What cannot be: a misread table gives problems, each with a code and a sentence, never a crash."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
import shapely

from companion.games.dungeon_drop.position import Position
from companion.games.dungeon_drop.quests import Cubes
from companion.games.dungeon_drop.stashes import counted, cubes_of
from companion.pieces import BOX, SOLO_TYPES, Piece
from companion.problems import Problem

# Two flat cubes cannot share table. A reader that is off by a millimetre or two makes touching cubes overlap by up to a
# third of the smaller one; more than that is one cube seen twice, or one on top of the other.
_OVERLAP_SHARE: Final = 0.35


def cube_name(kind: str, size: str | None, number: int) -> str:
    """
    >>> cube_name("gem-pink", "L", 2)
    '2 large pink gems'
    """
    word = " ".join(reversed(kind.split("-")))
    long = {"S": "small ", "L": "large ", "H": "huge ", None: ""}[size]
    return f"{number} {long}{word}{'' if number == 1 or word == 'gold' else 's'}"


def table_problems(pieces: Sequence[Piece], *, solo_cubes: bool = True) -> tuple[Problem, ...]:
    """What is wrong with one look at a table or stash, without knowing the game around it."""
    return (*count_problems(counted(pieces), solo_cubes), *overlap_problems(pieces))


def count_problems(cubes: Cubes, solo_cubes: bool = True) -> list[Problem]:
    """More cubes of a kind than the box holds, by type and size where the size is known, and by type in any case."""
    found = []
    for kind in sorted({kind for kind, _ in cubes}):
        most = sum(number for (box_kind, _), number in BOX.items() if box_kind == kind)
        if kind in SOLO_TYPES and not solo_cubes:
            most = 0
        seen = sum(number for (cube, _), number in cubes.items() if cube == kind)
        if seen > most:
            found.append(_too_many(kind, None, seen, most))
            continue
        for size in ("S", "L", "H"):
            if (number := cubes[kind, size]) > (limit := BOX.get((kind, size), 0)):
                found.append(_too_many(kind, size, number, limit))
    return found


def _too_many(kind: str, size: str | None, seen: int, most: int) -> Problem:
    there = f"the box holds {most}" if most else "the box holds none"
    return Problem("too-many", f"There are {cube_name(kind, size, seen)}, but {there}: tap the ones that were misread.")


def overlap_problems(pieces: Iterable[Piece]) -> list[Problem]:
    """Cubes inside each other; leaning and stacked ones may cover others (D4), meeples stand on what they like."""
    flat = [p for p in pieces if len(p.footprint_mm) > 2 and p.type != "meeple" and p.resting in (None, "flat")]
    shapes = np.array([shapely.MultiPoint(piece.footprint_mm).convex_hull for piece in flat], dtype=object)
    if len(shapes) < 2:
        return []
    one, other = shapely.STRtree(shapes).query(shapes, predicate="intersects")
    once = one < other
    one, other = one[once], other[once]
    areas = shapely.area(shapes)
    shared = shapely.area(shapely.intersection(shapes[one], shapes[other]))
    smaller = np.minimum(areas[one], areas[other])
    return [
        Problem("overlap", f"{flat[a].id} and {flat[b].id} lie inside each other: one may have been seen twice.")
        for a, b, share, area in zip(one.tolist(), other.tolist(), shared.tolist(), smaller.tolist(), strict=True)
        if area > 0 and share > _OVERLAP_SHARE * area
    ]


def position_problems(position: Position) -> tuple[Problem, ...]:
    """What is wrong with the whole game: the box must hold what table, stashes and fallen cubes show together."""
    everywhere = cubes_of(position.fallen) + counted(position.table or ())
    for player in position.players:
        everywhere += cubes_of(player.stash)
    found = count_problems(everywhere, position.solo_cubes or position.phase == "setup")
    found += overlap_problems(position.table or ())
    found += [
        Problem("last-health", f"{player.name} has {player.damage} damage of {player.health} health: one must be left.")
        for player in position.players if player.damage > player.health - 1
    ]  # fmt: skip
    if position.table and position.phase != "setup":
        found += ledger_problems(counted(position.table), cubes_of(position.expected), position.unseen)
    return tuple(found)


def ledger_problems(seen: Cubes, expected: Cubes, unseen: int) -> list[Problem]:
    """Cubes that vanished without being looted, and cubes that came from nowhere. `unseen` may be new.

    >>> [p.code for p in ledger_problems(Counter({("gold", "S"): 1}), Counter({("gold", "S"): 2}), 0)]
    ['vanished']
    """
    # A cube read without its size may be any of its type: settle those first.
    loose = Counter({kind: number for (kind, size), number in seen.items() if size is None})
    missing, extra = expected - seen, seen - expected
    for (kind, size), number in list(missing.items()):
        used = min(number, loose[kind])
        missing[kind, size] -= used
        extra[kind, None] -= used
        loose[kind] -= used
    missing, extra = +missing, +extra
    found = [
        Problem("vanished", f"{cube_name(kind, size, number)} should still be on the table: hidden, fallen or misread?")
        for (kind, size), number in sorted(missing.items(), key=str)
    ]
    if extra.total() > unseen:
        what = ", ".join(cube_name(kind, size, number) for (kind, size), number in sorted(extra.items(), key=str))
        came = f"only {unseen} new cubes were dropped" if unseen else "no cube was dropped"
        found.append(Problem("appeared", f"New on the table: {what}, but {came}: tap the ones that were misread."))
    return found
