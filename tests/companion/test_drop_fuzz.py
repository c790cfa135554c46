"""Whatever JSON comes in, an answer goes out or one plain sentence does; never a crash."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import CompanionError
from companion.games.dungeon_drop.answers import advice_answer, check_answer, rooms_answer
from companion.games.dungeon_drop.scoring import score_answer
from companion.pieces import TYPES

junk = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 10**12)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
points = st.tuples(st.integers(-50, 50), st.integers(-50, 50)).map(list)
pieces = st.fixed_dictionaries(
    {"type": st.sampled_from(TYPES)},
    optional={
        "id": st.text(min_size=1, max_size=3) | junk,
        "size": st.sampled_from(["S", "L", "H"]) | junk,
        "footprint_mm": st.lists(points, max_size=5) | junk,
        "colour": junk,
        "shows": junk,
        "resting": junk,
    },
)
counts = st.integers(0, 20) | junk
bonus = st.fixed_dictionaries(
    {"kind": st.sampled_from(["each", "set", "most", "at-most"]) | junk, "points": st.integers(-5, 5) | junk},
    optional={"type": st.sampled_from(TYPES) | st.lists(st.sampled_from(TYPES)) | junk, "count": counts, "size": junk},
)
quest = st.dictionaries(st.sampled_from(["gem-pink", "gem-blue", "name"]), counts) | junk
quests = st.fixed_dictionaries({"gem-pink": counts}, optional={"bonus": st.lists(bonus, max_size=2) | junk}) | quest
heroes = st.fixed_dictionaries(
    {"health": counts},
    optional={"damage": counts, "shields": counts, "potions": counts, "quest": quests, "house": junk},
)
tables = st.fixed_dictionaries(
    {"pieces": st.lists(pieces, max_size=6) | junk},
    optional={"hero": heroes | junk, "next": heroes, "error_mm": st.floats(0, 3) | junk, "house": junk},
)
sheets = st.fixed_dictionaries(
    {
        "heroes": junk
        | st.lists(
            st.fixed_dictionaries(
                {"stash": st.lists(pieces, max_size=4) | junk},
                optional={"name": junk, "quest": quests, "chest_rolls": st.lists(counts) | junk, "initiative": counts},
            ),
            max_size=3,
        )
    }
)


@pytest.mark.parametrize(
    ("ask", "questions"),
    [(rooms_answer, tables), (advice_answer, tables), (check_answer, tables), (score_answer, sheets)],
    ids=["rooms", "advice", "check", "score"],
)
def test_json_in_json_or_a_sentence_out(
    ask: Callable[[Any], dict[str, Any]], questions: st.SearchStrategy[dict[str, Any]]
) -> None:
    @settings(max_examples=120, deadline=None)
    @given(questions | st.dictionaries(st.text(max_size=6), junk, max_size=2))
    def check(question: dict[str, Any]) -> None:
        try:
            answer = ask(question)
        except CompanionError as problem:
            assert str(problem) and "\n" not in str(problem)
        else:
            json.dumps(answer, allow_nan=False)

    check()
