"""Close-up verdicts and advice, against the rooms they speak of."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import MultiPoint, Point, Polygon

from companion.errors import InvalidInput
from companion.games.dungeon_drop.advice import aftermath, remedies, safety
from companion.games.dungeon_drop.heroes import Hero
from companion.games.dungeon_drop.house import HouseRules
from companion.games.dungeon_drop.quests import quest_from_json
from companion.games.dungeon_drop.rooms import judged, ranked_rooms, room_records, table_rooms
from companion.games.dungeon_drop.verdicts import verdict
from companion.pieces import Piece
from tests.benchmarks.rooms import box_table
from tests.companion.test_drop_rooms import any_outline, cube, spread

few = settings(max_examples=60, deadline=None)


def pillars_of(outlines: list[tuple[tuple[float, float], ...]]) -> list[Piece]:
    return [Piece(f"p{n}", "pillar", "S", footprint_mm=outline) for n, outline in enumerate(outlines)]


@few
@given(st.lists(any_outline, min_size=3, max_size=3), any_outline, st.sampled_from([None, 0.4]))
def test_a_verdict_agrees_with_its_room(
    outlines: list[tuple[tuple[float, float], ...]], outline: tuple[tuple[float, float], ...], error: float | None
) -> None:
    pillars, piece = pillars_of(outlines), Piece("q", "gold", "S", footprint_mm=outline)
    answer = verdict(pillars, piece, error)
    (room,) = ranked_rooms([*pillars, piece], error_mm=error, legal_only=False)
    assert room.margin_mm == pytest.approx(abs(answer.gap_mm), abs=1e-5)
    if min(abs(answer.gap_mm), abs(abs(answer.gap_mm) - 0.8)) > 1e-5:
        assert answer.counts_as_in == ("q" in room.collects)
        assert (answer.says == "too-close") == ("q" in room.doubtful)
        if error is None:
            assert answer.says == ("inside" if "q" in room.collects else "outside")


@few
@given(st.lists(spread, min_size=3, max_size=3), spread)
def test_the_gap_is_measured_between_points_of_both(
    outlines: list[tuple[tuple[float, float], ...]], outline: tuple[tuple[float, float], ...]
) -> None:
    answer = verdict(pillars_of(outlines), Piece("q", "gold", "S", footprint_mm=outline))
    assert math.dist(answer.on_hull_mm, answer.on_piece_mm) == pytest.approx(abs(answer.gap_mm), abs=1e-6)
    if answer.gap_mm > 0:
        assert Polygon(answer.hull_mm).exterior.distance(Point(answer.on_hull_mm)) < 1e-6
        assert MultiPoint(outline).convex_hull.distance(Point(answer.on_piece_mm)) < 1e-6


def test_the_table_can_rule_that_doubt_is_out() -> None:
    pillars = pillars_of([cube(0, 0), cube(100, 0), cube(0, 100)])
    close = Piece("q", "gold", "S", footprint_mm=cube(50, -8.3))
    assert "counts as in" in verdict(pillars, close, 0.2).sentence
    assert "counts as out" in verdict(pillars, close, 0.2, HouseRules(doubt_counts_as_in=False)).sentence
    leaning = Piece("q", "gold", "S", footprint_mm=cube(50, -14), resting="leaning")
    assert verdict(pillars, leaning, 0.2).says == "outside"
    assert verdict(pillars, leaning, 0.2, HouseRules(leaning_by_projection=False)).says == "too-close"


def test_a_verdict_needs_footprints() -> None:
    pillars = pillars_of([cube(0, 0), cube(100, 0), cube(0, 100)])
    with pytest.raises(InvalidInput, match="footprint"):
        verdict(pillars, Piece("q", "gold", "S"))
    with pytest.raises(InvalidInput, match="three pillars"):
        verdict(pillars[:2], pillars[2])


@pytest.mark.parametrize("seed", range(4))
def test_remedies_are_needed_and_enough(seed: int) -> None:
    rooms = table_rooms(box_table(seed))
    hero = Hero(5, damage=3, shields=2, potions=1)
    found = remedies(rooms, hero, ready_shields=1)
    assert found
    bare = judged(rooms, Hero(5, damage=3, shields=1))
    plain = {room.pillars for room in room_records(rooms, bare, bare.legal.nonzero()[0])}
    for remedy in found:
        assert remedy.room.pillars not in plain and remedy.room.legal
        assert (remedy.shields, remedy.potions) in {(0, 1), (1, 0), (1, 1)}
    everything = judged(rooms, hero)
    allowed = {room.pillars for room in room_records(rooms, everything, everything.legal.nonzero()[0])}
    assert plain | {remedy.room.pillars for remedy in found} == allowed


@pytest.mark.parametrize("seed", range(4))
def test_the_aftermath_is_that_of_the_table_without_the_loot(seed: int) -> None:
    table = box_table(seed)
    following = Hero(4, damage=2, quest=quest_from_json({"gem-pink": 3}))
    rooms = table_rooms(table, 0.4)
    chosen = ranked_rooms(table, Hero(9, shields=1), error_mm=0.4)[0]
    answer = aftermath(rooms, chosen, following)
    left = [piece for piece in table if piece.id not in chosen.collects]
    was = {room.pillars: room for room in ranked_rooms(table, following, error_mm=0.4)}
    now = {room.pillars: room for room in ranked_rooms(left, following, error_mm=0.4)}
    assert {room.pillars for room in answer.opened} == set(now) - set(was)
    lost = {names: was[names].points - now[names].points for names in set(was) & set(now)}
    assert {room.pillars: points for room, points in answer.spoiled} == {n: p for n, p in lost.items() if p}
    best = max((room.points for room in now.values()), default=None)
    assert (None if answer.best_after is None else answer.best_after.points) == best


def test_safety_follows_the_margin() -> None:
    pillars = pillars_of([cube(0, 0), cube(100, 0), cube(0, 100)])
    words = []
    for gap in (0.5, 1.0, 3.0):
        piece = Piece("q", "gold", "S", footprint_mm=cube(50, -8 - gap))
        (room,) = ranked_rooms([*pillars, piece], error_mm=0.4)
        words.append(safety(room, 0.4).word)
    assert words == ["too-close", "fair", "safe"]
