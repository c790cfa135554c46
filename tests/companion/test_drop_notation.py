"""Every event and position has a one-line text that parses back to an equal value, whatever people type into it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import CompanionError, InvalidInput
from companion.games.dungeon_drop import events as e
from companion.games.dungeon_drop.game import DungeonDrop
from companion.games.dungeon_drop.house import HouseRules
from companion.games.dungeon_drop.notation import recorded
from companion.games.dungeon_drop.position import Player, Position, Turn, parse_position
from companion.games.dungeon_drop.quests import CUBE_TYPES, GEMS, KINDS, Bonus, Quest
from companion.games.dungeon_drop.stashes import stash_of
from companion.pieces import SIZES, TYPES, Piece

GAME = DungeonDrop()
names = st.text(st.characters(), min_size=1, max_size=8)
one_line = st.text(st.characters(exclude_characters="\n\r"), max_size=8)
numbers = st.integers(-999, 999)
sizes = st.sampled_from([*SIZES, None])
stashes = st.dictionaries(st.tuples(st.sampled_from(CUBE_TYPES), sizes), st.integers(1, 20), max_size=5).map(
    lambda cubes: stash_of(Counter(cubes))
)
points = st.tuples(st.floats(-1e4, 1e4), st.floats(-1e4, 1e4))
pieces = st.builds(
    Piece,
    id=names,
    type=st.sampled_from(TYPES),
    size=sizes,
    footprint_mm=st.lists(points, max_size=5).map(tuple),
    colour=st.none() | names,
    shows=st.none() | st.integers(1, 6),
    resting=st.none() | st.sampled_from(["flat", "leaning", "stacked"]),
)
tables = st.lists(pieces, max_size=4, unique_by=lambda piece: piece.id).map(tuple)
bonuses = st.builds(
    Bonus,
    kind=st.sampled_from(KINDS),
    points=numbers,
    types=st.lists(st.sampled_from(CUBE_TYPES), min_size=2, max_size=3).map(tuple),
    size=sizes,
    count=st.integers(1, 9),
    shared=st.booleans(),
    note=one_line,
)
gems = st.tuples(st.sampled_from([None, "S", "L"]), numbers)
quests = st.builds(
    Quest,
    gems=st.tuples(*[gems for _ in GEMS]).map(
        lambda values: tuple((gem, size, number) for gem, (size, number) in zip(GEMS, values, strict=True))
    ),
    bonuses=st.lists(bonuses, max_size=2).map(tuple),
    name=one_line,
)
name_lists = st.lists(names, min_size=1, max_size=3).map(tuple)
some_names = st.lists(names, max_size=3).map(tuple)
event_strategies = [
    st.builds(e.Join, names, numbers, numbers, names, names, names),
    st.builds(e.SetQuest, names, quests),
    st.builds(e.House, st.booleans(), st.floats(0, 10), st.booleans(), st.booleans(), st.booleans()),
    st.builds(e.Start, st.booleans(), st.booleans()),
    st.builds(e.Look, tables, st.none() | st.floats(0, 9)),
    st.builds(e.Fall, name_lists),
    st.builds(e.Explore, st.none() | numbers, stashes),
    st.builds(e.Act, names, one_line),
    st.builds(e.Meeple, names),
    st.builds(e.Loot, name_lists, some_names, some_names),
    st.builds(e.Take, stashes, some_names),
    st.builds(e.Illegal, some_names, one_line),
    st.builds(e.Count, names, stashes),
    st.builds(e.Damage, names, numbers),
    st.builds(e.Teamwork, names, numbers),
    st.builds(e.Roll, names, numbers),
    st.builds(e.FreeBonus, names, numbers, one_line),
    *[st.just(kind()) for kind in (e.Accept, e.Potion, e.Shield, e.Pass, e.End, e.Finish)],
]


@settings(max_examples=150, deadline=None)
@given(st.one_of(event_strategies))
def test_events_parse_back(event: e.DropEvent) -> None:
    text = str(event)
    assert len(text.splitlines()) == 1
    assert GAME.parse_event(text) == event
    assert str(GAME.parse_event(text)) == text


def test_every_event_is_tried() -> None:
    assert len(event_strategies) == len(e.EVENTS)


players = st.builds(
    Player, names, numbers, st.integers(1, 20), one_line, one_line, one_line, quests, stashes, st.integers(0, 9),
    st.integers(0, 9), st.lists(st.integers(1, 6), max_size=3).map(tuple), numbers,
)  # fmt: skip
turns = st.builds(Turn, st.booleans(), one_line, st.integers(0, 2), some_names, one_line)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    table = draw(st.lists(players, min_size=1, max_size=4, unique_by=lambda player: player.name))
    order = tuple(player.name for player in table)
    seen = draw(st.none() | tables)
    return Position(
        phase=draw(st.sampled_from(["setup", "play", "count", "over"])),
        rules=draw(st.builds(HouseRules, must_loot=st.booleans(), doubt_deviations=st.floats(0, 10))),
        teamwork=draw(st.booleans()), solo_cubes=draw(st.booleans()), players=tuple(table),
        round=draw(st.integers(0, 3)), order=order, active=draw(st.integers(0, len(order) - 1)), turn=draw(turns),
        table=None if seen is None else tuple(map(recorded, seen)), error_mm=draw(st.none() | st.floats(0, 5)),
        expected=draw(stashes), unseen=draw(st.integers(0, 9)), drawn=draw(st.integers(0, 36)), fallen=draw(stashes),
    )  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(positions())
def test_positions_parse_back(position: Position) -> None:
    text = str(position)
    assert len(text.splitlines()) == 1
    assert parse_position(text) == position
    GAME.problems(position)
    GAME.view(position)


@settings(max_examples=60, deadline=None)
@given(positions(), st.lists(st.one_of(event_strategies), max_size=3))
def test_any_event_anywhere_is_played_or_refused(position: Position, events: list[e.DropEvent]) -> None:
    for event in events:
        before = str(position)
        try:
            after = GAME.play(position, event)
        except CompanionError:
            after = position
        assert str(position) == before
        position = after
    assert parse_position(str(position)) == position


@settings(max_examples=100)
@given(st.text(max_size=30), st.sampled_from(sorted(e.VERBS)))
def test_texts_are_events_or_invalid_and_never_crash(text: str, verb: str) -> None:
    for line in (text, f"{verb} {text}"):
        try:
            event = GAME.parse_event(line)
        except InvalidInput:
            continue
        assert GAME.parse_event(str(event)) == event


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("dance", "no event of this game"),
        ("join Ada", "initiative is missing"),
        ("join Ada x 5", "no whole number"),
        ("join Ada 3 5 hat=red", "it may be followed by race="),
        ("take orc:S", "is no cube"),
        ("count Ada gold:S:x", "whole number"),
        ("start teamwork=maybe", "yes or no"),
        ("look pieces=a:gold:S", "is no piece"),
        ("look pieces=a:gold:S:0,0;a:gold:S:1,1", "same id"),
        ("look error_mm=nan", "is no number"),
        ("quest Ada {", "is no quest"),
        ("end now", "not understood"),
    ],
)
def test_messages_say_what_is_wrong(line: str, why: str) -> None:
    with pytest.raises(InvalidInput, match=why):
        GAME.parse_event(line)


def test_a_look_keeps_what_the_rules_need() -> None:
    piece = Piece("p1", "gold", "S", 0.5, (1, 2), ((0, 0),), (0.12345, 0), ((0.12345, -0.00001),))
    assert e.Look((piece,)).pieces == (Piece("p1", "gold", "S", footprint_mm=((0.123, 0.0),)),)
    assert replace(e.Look((piece,)), error_mm=0.123456).error_mm == 0.1235
