"""Records: parsing, messages that name the event, and undo."""

from __future__ import annotations

import pytest

from companion.errors import IllegalMove, InvalidInput
from companion.games import GAMES
from companion.record import appended, parse_record, position, undone

TEXT = """
# an evening
game dungeon-drop

join Ada 9 7
join Bo 4 9   # not a comment: a record has comments on lines of their own
"""


def test_blank_lines_and_comments_are_passed_over() -> None:
    record = parse_record("# hello\n\ngame dungeon-drop\n  join Ada 9 7\n", GAMES)
    assert str(record) == "game dungeon-drop\njoin Ada 9 7\n"


def test_a_line_that_is_no_event_is_named() -> None:
    with pytest.raises(InvalidInput, match="join"):
        parse_record(TEXT, GAMES)


@pytest.mark.parametrize("text", ["", "join Ada 9 7", "game chess", "game dungeon-drop twice"])
def test_a_record_names_its_game(text: str) -> None:
    with pytest.raises(InvalidInput, match="a record starts with"):
        parse_record(text, GAMES)


def test_an_illegal_event_is_named_with_its_number() -> None:
    record = parse_record("game dungeon-drop\njoin Ada 9 7\njoin Ada 8 8\n", GAMES)
    with pytest.raises(IllegalMove, match=r"event 2, join Ada 8 8: there is a hero Ada already"):
        position(record)


def test_append_and_undo() -> None:
    record = parse_record("game dungeon-drop\njoin Ada 9 7\n", GAMES)
    longer = appended(record, record.game.parse_event("start"))
    assert undone(longer) == record
    with pytest.raises(IllegalMove, match="started already"):
        appended(longer, record.game.parse_event("start"))
