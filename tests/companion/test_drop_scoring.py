"""Quests, bonuses and the final count."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import InvalidInput
from companion.games.dungeon_drop.quests import bonus_from_json, bonus_points, quest_from_json
from companion.games.dungeon_drop.scoring import Standing, score_answer, scored, weight, winner
from companion.games.dungeon_drop.stashes import cubes_of, stash_from_text

MINE = cubes_of(stash_from_text("gold:S:3,gold:L:1,key:S:2,gem-pink:S:1,gem-pink:L:2,gem-blue:L:1,goblin:S:1"))
OTHERS = [cubes_of(stash_from_text("gold:S:4,goblin:S:2")), cubes_of(stash_from_text("key:S:1,goblin:S:1"))]


@pytest.mark.parametrize(
    ("bonus", "points"),
    [
        ({"kind": "each", "type": "key", "points": 2}, 4),
        ({"kind": "each", "type": "gold", "size": "L", "points": 2}, 2),
        ({"kind": "each", "size": "L", "points": 1}, 4),
        ({"kind": "each", "points": 1}, 11),
        ({"kind": "each", "type": "gold", "per": 3, "points": 5}, 5),
        ({"kind": "set", "type": ["gem-pink", "gem-blue"], "points": 4}, 4),
        ({"kind": "set", "type": ["gem-pink", "gem-blue", "gem-clear"], "points": 4}, 0),
        ({"kind": "at-least", "type": "gem-pink", "count": 3, "points": 6}, 6),
        ({"kind": "at-least", "type": "gem-pink", "count": 4, "points": 6}, 0),
        ({"kind": "at-most", "type": "troll", "count": 0, "points": 3}, 3),
        ({"kind": "at-most", "type": "gold", "count": 3, "points": 3}, 0),
        ({"kind": "most", "type": "gold", "points": 5}, 5),
        ({"kind": "most", "type": "gold", "points": 5, "shared": False}, 0),
        ({"kind": "most", "type": "relic", "points": 5}, 0),
        ({"kind": "fewest", "type": "goblin", "points": 5}, 5),
        ({"kind": "fewest", "type": "goblin", "points": 5, "shared": False}, 0),
        ({"kind": "fewest", "type": "gold", "points": 5}, 0),
        ({"kind": "points", "points": -2}, -2),
    ],
)
def test_each_kind_of_bonus(bonus: dict[str, Any], points: int) -> None:
    read = bonus_from_json(bonus)
    assert bonus_points(read, MINE, OTHERS) == points
    assert bonus_from_json(read.as_json()) == read


@pytest.mark.parametrize(
    ("quest", "why"),
    [
        (3, "JSON object"),
        ({"gem-pink": "two"}, "whole number of points"),
        ({"gem-pink": True}, "whole number of points"),
        ({"gem-pink": {"XL": 3}}, "S, L or H"),
        ({"gold": 2}, "cannot hold 'gold'"),
        ({"bonus": "many"}, "a list or a number"),
        ({"bonus": [{"kind": "luck", "points": 1}]}, "one of each"),
        ({"bonus": [{"kind": "each", "type": "pillar", "points": 1}]}, "can only count"),
        ({"bonus": [{"kind": "set", "type": "gold", "points": 1}]}, "two types"),
        ({"bonus": [{"kind": "at-least", "type": "gold", "count": 0, "points": 1}]}, "1 or more"),
        ({"bonus": [{"kind": "each", "type": "gold"}]}, "points"),
        ({"bonus": [{"kind": "each", "points": 1, "colour": "red"}]}, "cannot hold 'colour'"),
        ({"name": "two\nlines"}, "one line"),
    ],
)
def test_bad_quests_get_one_sentence(quest: Any, why: str) -> None:
    with pytest.raises(InvalidInput, match=why):
        quest_from_json(quest)


def test_gems_by_type_and_size() -> None:
    quest = quest_from_json({"gem-pink": {"S": 1, "L": 3}, "gem-blue": 4, "bonus": 2})
    (score,) = scored([Standing("Ada", quest=quest, stash=MINE)])
    assert dict(score.parts) == {"gold": 4, "gems": 11, "monsters": 0, "chests": 0, "teamwork": 0, "bonus": 2}


@given(
    st.dictionaries(
        st.sampled_from(["gold", "key", "potion", "shield", "goblin", "troll", "dragon"]), st.integers(0, 9)
    )
)
def test_weight_is_all_but_monsters(numbers: dict[str, int]) -> None:
    stash = Counter({(kind, "S"): number for kind, number in numbers.items()})
    monsters = sum(numbers.get(kind, 0) for kind in ("goblin", "troll", "dragon"))
    assert weight(stash) == sum(numbers.values()) - monsters  # type: ignore[arg-type]


def test_only_the_first_rolls_count() -> None:
    pair = [{"type": "key"}, {"type": "chest"}, {"type": "chest"}]
    sheet = score_answer({"heroes": [{"name": "A", "stash": pair, "chest_rolls": [2, 6]}]})
    assert sheet["scores"][0]["parts"]["chests"] == 2


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 15)), min_size=1, max_size=4))
def test_the_winner_has_the_most_points_and_then_the_highest_initiative(heroes: list[tuple[int, int]]) -> None:
    standings = [Standing(str(n), initiative, teamwork=points) for n, (points, initiative) in enumerate(heroes)]
    best = heroes[int(winner(standings, scored(standings)))]
    assert best == max(heroes)


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ({}, "heroes"),
        ({"heroes": []}, "at least one"),
        ({"heroes": [3]}, "hero 1 is not"),
        ({"heroes": [{"name": ""}]}, "name"),
        ({"heroes": [{"stash": {}}]}, "list of cubes"),
        ({"heroes": [{"stash": [{"type": "orc"}]}]}, "unknown type"),
        ({"heroes": [{"chest_rolls": [7]}]}, "1 to 6"),
        ({"heroes": [{"chest_rolls": 4}]}, "list of numbers"),
        ({"heroes": [{"teamwork": -1}]}, "teamwork"),
        ({"heroes": [{"bonus": "lots"}]}, "bonus"),
        ({"heroes": [{"initiative": 1.5}]}, "initiative"),
    ],
)
def test_bad_sheets_get_one_sentence(question: dict[str, Any], why: str) -> None:
    with pytest.raises(InvalidInput, match=why):
        score_answer(question)
