"""JSON Lines: line numbers, one object over many lines, and complaints that do not stop the rest."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import InvalidInput
from companion.jsonl import answers, dumped, objects, parsed

values = st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=3))
rows = st.lists(st.dictionaries(st.text(), values, max_size=3), max_size=5)


@given(rows)
def test_round_trip(items: list[dict[str, Any]]) -> None:
    assert [parsed(line) for _, line in objects(dumped(items))] == items


def test_one_bad_line_does_not_stop_the_others() -> None:
    outcomes = list(answers('{"a": 1}\nnonsense\n\n[1]\n{"a": 2}\n', lambda question: {"b": question["a"]}))
    assert [outcome.line for outcome in outcomes] == [1, 2, 4, 5]
    assert [outcome.answer for outcome in outcomes] == [{"b": 1}, None, None, {"b": 2}]
    assert all(outcome.complaint for outcome in outcomes if outcome.answer is None)


def test_an_indented_object_is_one_line() -> None:
    text = json.dumps({"pieces": [], "hero": {"health": 8}}, indent=2)
    assert len(list(objects(text))) == 1


@pytest.mark.parametrize("text", ['{"a": NaN}', '{"a": Infinity}', "3", "{", "[" * 100_000])
def test_what_is_no_object_is_invalid(text: str) -> None:
    with pytest.raises(InvalidInput):
        parsed(text)
