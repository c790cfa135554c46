"""Room geometry against shapely, and the properties that no table may break."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import MultiPoint
from shapely.geometry.base import BaseGeometry

from companion.games.dungeon_drop.boundary import boundary, outside
from companion.games.dungeon_drop.heroes import Hero
from companion.games.dungeon_drop.rooms import (
    Room,
    TableRooms,
    best_first,
    judged,
    ranked_rooms,
    room_records,
    table_rooms,
)
from companion.pieces import Outline, Piece

few = settings(max_examples=40, deadline=None)  # each example judges up to twenty rooms
KINDS = ("gold", "key", "gem-blue", "goblin", "troll", "dragon", "potion", "shield", "meeple")


def cube(x: float, y: float, side: float = 8.0, turn: float = 0.0) -> Outline:
    angles = [turn + math.pi / 4 + quarter * math.pi / 2 for quarter in range(4)]
    radius = side / math.sqrt(2)
    return tuple((x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles)


def shape(outline: Outline) -> BaseGeometry:
    return MultiPoint(outline).convex_hull


def hull(pieces: dict[str, Piece], names: tuple[str, ...]) -> BaseGeometry:
    return MultiPoint([point for name in names for point in pieces[name].footprint_mm]).convex_hull


# Whole and half millimetres on a small table make touching, overlapping, collinear and duplicate footprints common.
coordinates = st.integers(-30, 30).map(lambda n: n / 2)
awkward = st.one_of(
    st.tuples(coordinates, coordinates).map(lambda p: (p,)),
    st.tuples(st.tuples(coordinates, coordinates), st.tuples(coordinates, coordinates)),
    st.tuples(coordinates, coordinates).map(
        lambda p: ((p[0], p[1]), (p[0] + 4, p[1]), (p[0] + 4, p[1] + 4), (p[0], p[1] + 4))
    ),
    st.lists(st.tuples(coordinates, coordinates), min_size=3, max_size=6).map(tuple),
)
spread = st.tuples(
    st.floats(0, 200), st.floats(0, 150), st.sampled_from([8.0, 10.5, 13.0]), st.floats(0, math.pi / 2)
).map(lambda values: cube(*values))


any_outline = st.one_of(spread, awkward)


@st.composite
def tables(draw: st.DrawFn, outlines: st.SearchStrategy[Outline] = any_outline) -> list[Piece]:
    pillars = draw(st.lists(outlines, min_size=3, max_size=6))
    others = draw(st.lists(st.tuples(st.sampled_from(KINDS), outlines), max_size=8))
    pieces = [Piece(f"p{n:02}", "pillar", "S", footprint_mm=outline) for n, outline in enumerate(pillars)]
    return pieces + [Piece(f"q{n:02}", kind, "S", footprint_mm=o) for n, (kind, o) in enumerate(others)]


def everything(table: list[Piece], error_mm: float = 0.0, hero: Hero | None = None) -> dict[tuple[str, ...], Room]:
    rooms = ranked_rooms(table, hero, error_mm=error_mm, legal_only=False)
    return {room.pillars: room for room in rooms}


@few
@given(tables())
def test_agrees_with_shapely(table: list[Piece]) -> None:
    pieces = {piece.id: piece for piece in table}
    found = everything(table)
    pillars = sorted(piece.id for piece in table if piece.type == "pillar")
    assert sorted(found) == sorted(combinations(pillars, 3))
    for names, room in found.items():
        space = hull(pieces, names)
        gaps = {piece.id: space.distance(shape(piece.footprint_mm)) for piece in table if piece.id not in names}
        sure_in = {name for name, gap in gaps.items() if gap <= 1e-9}
        maybe = {name for name, gap in gaps.items() if gap <= 1e-5}
        assert sure_in - set(pillars) <= set(room.collects) <= maybe - set(pillars)
        assert ("pillar-inside" in room.why_not) in {bool(sure_in & set(pillars)), bool(maybe & set(pillars))}
        apart = [gap for name, gap in gaps.items() if name not in maybe]
        if gaps and not maybe:
            assert room.margin_mm == pytest.approx(min(apart), abs=1e-6)
        if not gaps:
            assert room.margin_mm is None


def depth(space: BaseGeometry, piece: BaseGeometry) -> float:
    """Penetration by brute force: the least move along any of 720 directions that parts the two, slightly too large."""
    one, two = np.array(space.exterior.coords), np.array(piece.exterior.coords)
    angles = np.arange(720) * math.pi / 360
    directions = np.stack([np.cos(angles), np.sin(angles)])
    return float(((one @ directions).max(axis=0) - (two @ directions).min(axis=0)).min())


@few
@given(tables(spread))
def test_the_margin_of_a_piece_inside_is_the_shortest_way_out(table: list[Piece]) -> None:
    pieces = {piece.id: piece for piece in table}
    for names, room in everything(table).items():
        space = hull(pieces, names)
        others = [piece for piece in table if piece.id not in names]
        gaps = [space.distance(shape(piece.footprint_mm)) for piece in others]
        least = min(
            (depth(space, shape(p.footprint_mm)) if gap <= 1e-9 else gap for p, gap in zip(others, gaps, strict=True)),
            default=None,
        )
        if least is None:
            assert room.margin_mm is None
        else:
            assert room.margin_mm is not None
            assert room.margin_mm <= least + 1e-6
            assert room.margin_mm >= least - 0.0045 * 270  # the brute force is up to a quarter of a degree off


def moved(outline: Outline, turn: float, dx: float, dy: float) -> Outline:
    c, s = math.cos(turn), math.sin(turn)
    return tuple((c * x - s * y + dx, s * x + c * y + dy) for x, y in outline)


@few
@given(tables(spread), st.floats(0, 6.3), st.floats(-500, 500), st.floats(-500, 500), st.randoms(use_true_random=False))
def test_verdicts_do_not_depend_on_where_the_table_stands(
    table: list[Piece], turn: float, dx: float, dy: float, chance: object
) -> None:
    other = [Piece(p.id, p.type, p.size, footprint_mm=moved(p.footprint_mm, turn, dx, dy)) for p in table]
    chance.shuffle(other)  # type: ignore[attr-defined]
    here, there = everything(table, 0.4, Hero(5, 1, 1)), everything(other, 0.4, Hero(5, 1, 1))
    for names, room in here.items():
        if room.margin_mm is not None and min(abs(room.margin_mm), abs(room.margin_mm - 0.8)) < 1e-6:
            continue  # exactly on the line: rounding may decide either way
        same = there[names]
        assert room.margin_mm == pytest.approx(same.margin_mm, abs=1e-6)
        if not any(_on_the_brink(table, names)):
            assert (room.collects, room.why_not, room.points) == (same.collects, same.why_not, same.points)


def _on_the_brink(table: list[Piece], names: tuple[str, ...]) -> list[bool]:
    pieces = {piece.id: piece for piece in table}
    space = hull(pieces, names)
    gaps = [space.distance(shape(piece.footprint_mm)) for piece in table if piece.id not in names]
    return [abs(gap - edge) < 1e-5 for gap in gaps for edge in (0.0, 0.8) if gap > 0]


@few
@given(tables(), st.floats(0, 3))
def test_no_legal_room_holds_a_fourth_pillar(table: list[Piece], error_mm: float) -> None:
    pieces = {piece.id: piece for piece in table}
    for room in ranked_rooms(table, Hero(8, 2, 1, 1), error_mm=error_mm):
        space = hull(pieces, room.pillars)
        rest = [p for p in table if p.type == "pillar" and p.id not in room.pillars]
        assert all(space.distance(shape(pillar.footprint_mm)) > 0 for pillar in rest)


@few
@given(tables(spread), st.floats(0.01, 5), st.integers(0, 719))
def test_a_cube_moved_past_its_margin_leaves_and_one_moved_less_never_does(
    table: list[Piece], extra: float, angle: int
) -> None:
    for names, room in everything(table).items():
        pieces = {piece.id: piece for piece in table}
        space = hull(pieces, names)
        for name in room.collects:
            alone = [piece for piece in table if piece.id in (*names, name)]
            margin = everything(alone)[names].margin_mm
            assert margin is not None
            piece = pieces[name]
            out = _way_out(space, piece.footprint_mm, margin + extra)
            left = [p for p in alone if p.id != name]
            gone = Piece(name, piece.type, piece.size, footprint_mm=moved(piece.footprint_mm, 0, *out))
            assert name not in everything([*left, gone])[names].collects
            direction = (math.cos(angle), math.sin(angle))
            less = max(0.0, margin - 1e-6)
            stays = moved(piece.footprint_mm, 0, less * direction[0], less * direction[1])
            assert name in everything([*left, Piece(name, piece.type, "S", footprint_mm=stays)])[names].collects


def _way_out(space: BaseGeometry, outline: Outline, length: float) -> tuple[float, float]:
    """The move of this length that parts the two, straight out over the nearest edge of either."""
    rings = [np.array(space.exterior.coords), -np.array(shape(outline).exterior.coords)]
    points, ours = np.array(space.exterior.coords), np.array(outline)
    best, way = math.inf, (0.0, 0.0)
    for ring in rings:
        edges = np.diff(ring, axis=0)
        for x, y in np.concatenate([edges, -edges]):
            if (size := math.hypot(x, y)) > 1e-9:
                normal = np.array([y, -x]) / size
                need = (points @ normal).max() - (ours @ normal).min()
                if need < best:
                    best, way = need, (normal[0] * length, normal[1] * length)
    return way


@few
@given(tables(spread), st.floats(0.05, 2))
def test_doubtful_are_those_within_two_deviations_and_they_count_as_in(table: list[Piece], error_mm: float) -> None:
    pieces = {piece.id: piece for piece in table}
    for names, room in everything(table, error_mm).items():
        space = hull(pieces, names)
        for piece in (p for p in table if p.id not in names):
            gap = space.distance(shape(piece.footprint_mm))
            if 0 < gap < 2 * error_mm - 1e-6:
                assert piece.id in room.doubtful
                assert piece.id in room.collects or "pillar-inside" in room.why_not
            if gap > 2 * error_mm + 1e-6:
                assert piece.id not in (*room.doubtful, *room.collects)


@few
@given(tables())
def test_outside_is_what_lies_off_the_union_of_free_rooms(table: list[Piece]) -> None:
    rooms = table_rooms(table)
    space = boundary(rooms)
    for piece in table:
        gap = space.distance(shape(piece.footprint_mm)) if not space.is_empty else math.inf
        if not 1e-9 < gap < 1e-5:
            assert (piece.id in outside(rooms)) == (gap > 1e-9)


def test_no_pillars_and_no_pieces() -> None:
    assert ranked_rooms([]) == []
    gold = Piece("g", "gold", "S", footprint_mm=cube(0, 0))
    rooms = table_rooms([gold, Piece("h", "gold", "S")])
    assert (len(rooms), outside(rooms), rooms.unplaced) == (0, ("g",), ("h",))


PILLARS = [
    Piece(f"p{n}", "pillar", "S", footprint_mm=cube(x, y)) for n, (x, y) in enumerate([(0, 0), (100, 0), (0, 100)], 1)
]


def only_room(others: list[Piece], hero: Hero | None = None) -> Room:
    (room,) = ranked_rooms([*PILLARS, *others], hero, legal_only=False)
    return room


def inside(*kinds: str) -> list[Piece]:
    return [Piece(f"q{n}", kind, "S", footprint_mm=cube(20 + n, 20)) for n, kind in enumerate(kinds)]


def test_a_staircase_is_neither_taken_nor_in_the_way() -> None:
    room = only_room(inside("staircase", "gold"))
    assert (room.collects, room.legal, room.doubtful) == (("q1",), True, ())
    rooms = table_rooms([*PILLARS, *inside("staircase"), Piece("far", "staircase", "S", footprint_mm=cube(300, 300))])
    assert outside(rooms) == ("far",)


def test_the_outer_faces_of_the_pillars_belong_to_the_room() -> None:
    touching = Piece("q", "gold", "S", footprint_mm=cube(50, -8))  # face on face, 4 mm outside the middle line
    assert only_room([touching]).collects == ("q",)
    assert only_room([Piece("q", "gold", "S", footprint_mm=cube(50, -8.001))]).collects == ()


@pytest.mark.parametrize(
    ("kinds", "hero", "damage", "why_not"),
    [
        (["goblin", "troll"], None, 3, ()),
        (["dragon"], None, 8, ()),
        (["goblin", "troll"], Hero(4), 3, ()),
        (["goblin", "troll"], Hero(3), 3, ("last-health",)),
        (["goblin", "troll"], Hero(3, shields=1), 1, ()),
        (["troll", "dragon"], Hero(12, shields=1), 2, ()),
        (["dragon"], Hero(12), 8, ("dragon-needs-shield",)),
        (["dragon"], Hero(8), 8, ("last-health", "dragon-needs-shield")),
        (["dragon", "dragon"], Hero(30, shields=1), 8, ("dragon-needs-shield",)),
        (["troll"], Hero(6, damage=5, potions=1), 2, ()),
        (["troll"], Hero(4, damage=2, potions=3), 2, ()),
        (["troll"], Hero(2, damage=1, potions=3), 2, ("last-health",)),
    ],
)
def test_damage_and_reasons(kinds: list[str], hero: Hero | None, damage: int, why_not: tuple[str, ...]) -> None:
    room = only_room(inside(*kinds), hero)
    assert (room.damage, room.why_not, room.legal) == (damage, why_not, not why_not)


@few
@given(tables(), st.integers(1, 12), st.integers(0, 12), st.integers(0, 2), st.integers(0, 2))
def test_sorted_best_first(table: list[Piece], health: int, damage: int, shields: int, potions: int) -> None:
    rooms = ranked_rooms(table, Hero(health, damage, shields, potions), legal_only=False)
    keys = [(-room.points, room.damage, room.pillars) for room in rooms]
    assert keys == sorted(keys)
    for room in rooms:
        assert list(room.collects) == sorted(room.collects) and list(room.pillars) == sorted(room.pillars)


def test_many_pillars_are_judged_block_by_block() -> None:
    """Thirty-two pillars are more rooms than one block, and 200 cubes more than one tile: both seams must not show."""
    chance = np.random.default_rng(5)
    table = [
        Piece(f"p{n:03}", "pillar" if n < 32 else "gold", "S", footprint_mm=cube(*chance.uniform(0, 400, 2), 8.0, turn))
        for n, turn in enumerate(chance.uniform(0, 1.5, 232))
    ]
    rooms = table_rooms(table, 0.3)
    assert len(rooms) == math.comb(32, 3)
    pieces = {piece.id: piece for piece in table}
    verdicts = judged(rooms)
    for row in chance.choice(len(rooms), 40, replace=False):
        (room,) = room_records(rooms, verdicts, np.array([row]))
        space = hull(pieces, room.pillars)
        near = {p.id for p in table if p.id not in room.pillars and space.distance(shape(p.footprint_mm)) <= 0.6}
        assert {name for name in near if pieces[name].type != "pillar"} == set(room.collects)
    assert isinstance(rooms, TableRooms) and len(best_first(rooms, verdicts, legal_only=False)) == len(rooms)
