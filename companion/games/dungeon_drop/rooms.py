"""Every room of a table: what it collects, whether it is legal and why not, how safe that verdict is.

`table_rooms` judges the geometry once, `judged` asks what it means for a hero. Both return parallel arrays, one row a
room; `room_records` turns chosen rows into small records.

A piece's *gap* to a room is the distance of its footprint from the hull of the three pillars, or, where it is inside,
minus the shortest move that would take it out (its penetration depth). A room's margin is the smallest of these without
its sign: no piece can change sides by moving less. A staircase has no side to change: it is never collected and bars
nothing (D6).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from companion.errors import InvalidInput
from companion.games.dungeon_drop.gaps import Gaps, measured
from companion.games.dungeon_drop.heroes import DAMAGE, Hero
from companion.games.dungeon_drop.house import STANDARD, HouseRules
from companion.games.dungeon_drop.hulls import all_triples
from companion.games.dungeon_drop.quests import GEMS, NO_QUEST, Quest
from companion.games.dungeon_drop.shapes import Bools, Floats, Ints, convex_shapes
from companion.pieces import Piece

# D2, "within or touching": shapes this close touch. Rounding in files is coarser: the reader's error has to cover it.
TOUCH_MM: Final = 1e-6
# With D4 switched off, a leaning or stacked cube is doubtful this close to a line: about a cube's own height.
LEANING_DOUBT_MM: Final = 10.0
# The box holds 18. Rooms grow with the cube of the number, and a table of 200 still answers in seconds.
MOST_PILLARS: Final = 200


@dataclass(frozen=True)
class TableRooms:
    """The rooms of a table and the pieces in them, whoever asks."""

    pieces: tuple[Piece, ...]  # those with a footprint
    unplaced: tuple[str, ...]  # ids of those without
    triples: Ints  # (rooms, 3), rows of pieces, sorted by id
    room: Ints  # of each pair of a room and a piece in it, or doubtfully out of it
    piece: Ints
    gap_mm: Floats
    inside: Bools  # of each pair: counts as in
    doubtful: Bools  # of each pair: the reader's error reaches across the line
    margin_mm: Floats  # (rooms,), infinite where there is no other piece
    free: Bools  # (rooms,): holds no fourth pillar

    def __len__(self) -> int:
        return len(self.triples)


@dataclass(frozen=True)
class Judged:
    """The rooms as one hero sees them, one row a room, in the order of `TableRooms`."""

    points: Ints
    damage: Ints
    pillar_inside: Bools
    last_health: Bools
    dragon_needs_shield: Bools

    @property
    def legal(self) -> Bools:
        return ~(self.pillar_inside | self.last_health | self.dragon_needs_shield)


@dataclass(frozen=True)
class Room:
    """One room, judged; as FORMATS.md has it."""

    pillars: tuple[str, str, str]
    collects: tuple[str, ...]
    damage: int
    points: int
    legal: bool
    why_not: tuple[str, ...]
    margin_mm: float | None
    doubtful: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        return {
            "pillars": list(self.pillars), "collects": list(self.collects), "damage": self.damage,
            "points": self.points, "legal": self.legal, "why_not": list(self.why_not),
            "margin_mm": None if self.margin_mm is None else round(self.margin_mm, 3), "doubtful": list(self.doubtful),
        }  # fmt: skip


def table_rooms(pieces: Iterable[Piece], error_mm: float | None = None, rules: HouseRules = STANDARD) -> TableRooms:
    """Every room of three of the table's pillars, in the order of their ids.

    >>> square = lambda x, y: ((x, y), (x + 8, y), (x + 8, y + 8), (x, y + 8))
    >>> pillars = [Piece(f"p{x}{y}", "pillar", "S", footprint_mm=square(x, y)) for x, y in [(0, 0), (90, 0), (0, 90)]]
    >>> rooms = table_rooms([*pillars, Piece("g", "gold", "S", footprint_mm=square(20, 20))])
    >>> len(rooms), [rooms.pieces[i].id for i in rooms.piece]
    (1, ['g'])
    """
    everything = tuple(pieces)
    placed = tuple(sorted((piece for piece in everything if piece.footprint_mm), key=lambda piece: piece.id))
    shapes = convex_shapes([piece.footprint_mm for piece in placed])
    kinds = np.array([piece.type for piece in placed], dtype=object)
    is_pillar = np.asarray(kinds == "pillar", dtype=np.bool_)
    pillars = np.flatnonzero(is_pillar)
    if len(pillars) > MOST_PILLARS:
        raise InvalidInput(f"there are {len(pillars)} pillars, far more than the 18 of the box; check the reading")
    doubt = doubt_mm(placed, error_mm, rules)
    triples = all_triples(len(pillars))
    gaps = measured(shapes, pillars, triples, np.asarray(kinds != "staircase"), float(doubt.max(initial=0.0)))
    gaps, inside, doubtful = _sides(gaps, doubt, rules)
    barred = np.bincount(gaps.room[inside & is_pillar[gaps.piece]], minlength=len(triples)) > 0
    return TableRooms(
        pieces=placed, unplaced=tuple(sorted(piece.id for piece in everything if not piece.footprint_mm)),
        triples=pillars[triples], room=gaps.room, piece=gaps.piece, gap_mm=gaps.gap_mm,
        inside=inside, doubtful=doubtful, margin_mm=gaps.margin_mm, free=~barred,
    )  # fmt: skip


def doubt_mm(pieces: Sequence[Piece], error_mm: float | None, rules: HouseRules) -> Floats:
    doubt = np.full(len(pieces), rules.doubt_deviations * (error_mm or 0.0))
    if not rules.leaning_by_projection:
        leaning = np.array([piece.resting in ("leaning", "stacked") for piece in pieces], dtype=np.bool_)
        doubt[leaning] = np.maximum(doubt[leaning], LEANING_DOUBT_MM)
    return doubt


def _sides(gaps: Gaps, doubt: Floats, rules: HouseRules) -> tuple[Gaps, Bools, Bools]:
    """The pairs that matter (in, or too close to call); whether they count as in; whether they are doubtful."""
    reach = doubt[gaps.piece]
    doubtful = (np.abs(gaps.gap_mm) <= reach) & (reach > 0)
    inside = gaps.gap_mm <= TOUCH_MM
    kept = np.flatnonzero(inside | doubtful)
    inside, doubtful = inside[kept], doubtful[kept]
    if rules.doubt_counts_as_in:
        inside = inside | doubtful
    return Gaps(gaps.room[kept], gaps.piece[kept], gaps.gap_mm[kept], gaps.margin_mm), inside, doubtful


def piece_points(piece: Piece, quest: Quest) -> int:
    """What a looted piece adds to the score; a chest nothing until it is rolled."""
    if piece.type in GEMS:
        return quest.gem_value(piece.type, piece.size)
    return _POINTS.get(piece.type, 0)


_POINTS: Final = {"gold": 1, "troll": 2, "dragon": 8}


def judged(rooms: TableRooms, hero: Hero | None = None) -> Judged:
    """Points, damage and legality of every room. Without a hero only a fourth pillar bars a room (FORMATS.md)."""
    quest = NO_QUEST if hero is None else hero.quest
    worth = np.array([piece_points(piece, quest) for piece in rooms.pieces], dtype=np.float64)
    room, piece = rooms.room[rooms.inside], rooms.piece[rooms.inside]
    points = np.bincount(room, weights=worth[piece], minlength=len(rooms)).astype(np.intp)
    harm = np.array([DAMAGE.get(piece.type, 0) for piece in rooms.pieces])[piece]
    goblins, trolls, dragons = (np.bincount(room[harm == one], minlength=len(rooms)) for one in DAMAGE.values())
    no = np.zeros(len(rooms), dtype=np.bool_)
    if hero is None:
        damage = goblins + 2 * trolls + 8 * dragons
        return Judged(points, damage, ~rooms.free, no, no)
    shields_left = np.full(len(rooms), hero.shields)
    damage = np.zeros(len(rooms), dtype=np.intp)
    for number, each in ((dragons, 8), (trolls, 2), (goblins, 1)):  # D10: shields stop the worst first
        stopped = np.minimum(number, shields_left)
        shields_left = shields_left - stopped
        damage = damage + each * (number - stopped)
    last_health = damage + hero.damage_after_potions > hero.health - 1
    return Judged(points, damage, ~rooms.free, last_health, dragons > hero.shields)


def best_first(rooms: TableRooms, verdicts: Judged, *, legal_only: bool = True) -> Ints:
    """Rows of the rooms by points, best first, then damage, then pillar ids."""
    order = np.lexsort((np.arange(len(rooms)), verdicts.damage, -verdicts.points))
    return order[verdicts.legal[order]] if legal_only else order


def room_records(rooms: TableRooms, verdicts: Judged, rows: Ints) -> list[Room]:
    """The chosen rows as records, in that order."""
    names = [piece.id for piece in rooms.pieces]
    takes = [piece.type != "pillar" for piece in rooms.pieces]
    starts = np.searchsorted(rooms.room, np.arange(len(rooms) + 1)).tolist()
    pairs = list(zip(rooms.piece.tolist(), rooms.inside.tolist(), rooms.doubtful.tolist(), strict=True))
    triples, margins = rooms.triples.tolist(), rooms.margin_mm.tolist()
    codes = _why_not_codes(verdicts)
    points, damage = verdicts.points.tolist(), verdicts.damage.tolist()
    records = []
    for row in rows.tolist():
        here = sorted(pairs[starts[row] : starts[row + 1]])
        one, two, three = triples[row]
        records.append(
            Room(
                pillars=(names[one], names[two], names[three]),
                collects=tuple([names[piece] for piece, inside, _ in here if inside and takes[piece]]),
                damage=damage[row], points=points[row], legal=not codes[row], why_not=codes[row],
                margin_mm=margins[row] if margins[row] != np.inf else None,
                doubtful=tuple([names[piece] for piece, _, doubtful in here if doubtful]),
            )
        )  # fmt: skip
    return records


def _why_not_codes(verdicts: Judged) -> list[tuple[str, ...]]:
    flags = (verdicts.pillar_inside, verdicts.last_health, verdicts.dragon_needs_shield)
    keys = sum(flag.astype(np.intp) << bit for bit, flag in enumerate(flags))
    table = [tuple(code for bit, code in enumerate(WHY_NOT) if key >> bit & 1) for key in range(8)]
    return [table[key] for key in np.asarray(keys).tolist()]


WHY_NOT: Final = ("pillar-inside", "last-health", "dragon-needs-shield")


def ranked_rooms(
    pieces: Iterable[Piece], hero: Hero | None = None, *, error_mm: float | None = None,
    rules: HouseRules = STANDARD, legal_only: bool = True,
) -> list[Room]:  # fmt: skip
    """All rooms, best first: the short way for a caller with one question."""
    rooms = table_rooms(pieces, error_mm, rules)
    verdicts = judged(rooms, hero)
    return room_records(rooms, verdicts, best_first(rooms, verdicts, legal_only=legal_only))
