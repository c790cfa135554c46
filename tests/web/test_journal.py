"""Entries folded into a state: properties that hold whatever people do, in whatever order."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.web.labels import DEMO, reading_of
from web.corrections import fix_from_request
from web.journal import Journal, folded, redo_body, undo_body
from web.store import Entry

READING = reading_of(DEMO / "drop" / "table-1.jpg")
NAMES = [piece["id"] for piece in READING["pieces"]]
PLACES = st.floats(-200, 200).map(lambda value: round(value, 2))

changes = st.one_of(
    st.builds(lambda n: {"op": "delete", "piece": n}, st.sampled_from(NAMES)),
    st.builds(lambda n, x, y: {"op": "move", "piece": n, "center_mm": [x, y]}, st.sampled_from(NAMES), PLACES, PLACES),
    st.builds(lambda n: {"op": "change", "piece": n, "type": "chest", "size": "L"}, st.sampled_from(NAMES)),
    st.builds(lambda x, y: {"op": "add", "type": "gold", "size": "S", "center_mm": [x, y]}, PLACES, PLACES),
)
steps = st.lists(st.one_of(changes, st.just("undo"), st.just("redo")), max_size=25)


def started() -> list[Entry]:
    body = {"photo": "one", "purpose": "table", "hero": "", "reading": READING}
    return [Entry(1, "reading", body, "", "")]


def done(entries: list[Entry], step: Any) -> list[Entry]:
    """What the page appends for a step; nothing where it would refuse."""
    journal, seq = folded(entries), len(entries) + 1
    if step == "undo":
        return [*entries, Entry(seq, "undo", undo_body(journal, None), "", "")] if len(journal.done) > 1 else entries
    if step == "redo":
        return [*entries, Entry(seq, "redo", redo_body(journal, None), "", "")] if journal.taken_back else entries
    here = journal.readings["one"]
    if "piece" in step and step["piece"] not in [piece["id"] for piece in here["pieces"]]:
        return entries
    return [*entries, Entry(seq, "fix", {"photo": "one", **fix_from_request(here, step, f"a{seq}")}, "", "")]


def pieces(journal: Journal) -> list[dict[str, Any]]:
    reading = journal.table_reading()
    assert reading is not None
    return list(reading["pieces"])


@settings(deadline=None, max_examples=60)
@given(steps)
def test_undoing_everything_restores_the_reading(taken: list[Any]) -> None:
    before = copy.deepcopy(READING["pieces"])
    entries = started()
    for step in taken:
        entries = done(entries, step)
    while len(folded(entries).done) > 1:
        entries = done(entries, "undo")
    assert pieces(folded(entries)) == before == READING["pieces"]


@settings(deadline=None, max_examples=60)
@given(steps)
def test_redo_brings_back_what_undo_took(taken: list[Any]) -> None:
    entries = started()
    for step in taken:
        entries = done(entries, step)
    after = pieces(folded(entries))
    undone = done(entries, "undo")
    if undone is not entries:
        assert pieces(folded(done(undone, "redo"))) == after


@settings(deadline=None, max_examples=60)
@given(steps)
def test_ids_stay_unique(taken: list[Any]) -> None:
    entries = started()
    for step in taken:
        entries = done(entries, step)
    names = [piece["id"] for piece in pieces(folded(entries))]
    assert len(names) == len(set(names))


def test_a_correction_of_a_deleted_piece_changes_nothing() -> None:
    entries = started()
    late = fix_from_request(READING, {"op": "change", "piece": NAMES[0], "type": "chest", "size": "L"}, "a9")
    entries = done(entries, {"op": "delete", "piece": NAMES[0]})
    before = pieces(folded(entries))
    assert pieces(folded([*entries, Entry(3, "fix", {"photo": "one", **late}, "", "")])) == before
