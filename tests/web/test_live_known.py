"""Camera's memory and journal in step: corrections reach the memory, cubes put back keep their names."""

from __future__ import annotations

from dataclasses import replace

from companion.games import GAMES
from companion.pieces import Piece
from companion.readings import DropReading, HustleReading
from companion.tiles import CARD_SPACES, Card, Cell
from vision.live.memory import Memory
from web.live.board_proposals import board_proposals
from web.live.known import corrected_memory, difference, evidence, memory_from_json, reidentified
from web.readings import reading_from_json

HUSTLE = next(game for game in GAMES if game.name == "dungeon-hustle")


def piece(name: str, kind: str, x: float) -> Piece:
    corners = ((x, 0.0), (x + 8, 0.0), (x + 8, 8.0), (x, 8.0))
    return Piece(name, kind, "S", 0.9, (x, 1.0), corners, (x + 4, 4.0), corners)


TABLE = DropReading(
    "a.jpg", (piece("p01", "gold", 0), piece("p02", "key", 30), piece("p03", "goblin", 60)), "markers", 0.4
)


def remembered(reading: DropReading) -> Memory:
    memory = memory_from_json(reading.as_json())
    assert isinstance(memory, Memory)
    return memory


def test_readings_come_back_from_their_json() -> None:
    board = HustleReading("b", (Cell(0, 2, Card("blue", "sword")),), ((0.0, 0.0),) * 4, Card("red", "key"), "tiles")
    assert reading_from_json(TABLE.as_json()) == TABLE
    assert reading_from_json(board.as_json()) == board


def test_what_people_change_is_changed_in_the_memory_and_nothing_else_is() -> None:
    seen_since = replace(
        TABLE, pieces=(*TABLE.pieces[1:], piece("p04", "potion", 90))
    )  # p01 gone, p04 new: not written
    fixed = replace(TABLE, pieces=(TABLE.pieces[0], replace(TABLE.pieces[1], type="troll"), piece("a1", "relic", 200)))
    memory = corrected_memory(remembered(seen_since), TABLE.as_json(), fixed.as_json())
    assert {p.id: p.type for p in memory.pieces} == {"p02": "troll", "p04": "potion", "a1": "relic"}  # p03 was deleted
    assert memory.next_number == 5


def test_cubes_put_back_are_the_same_cubes() -> None:
    again = replace(TABLE, pieces=(*TABLE.pieces[:2], replace(piece("p07", "goblin", 66), confidence=0.8)))
    memory = reidentified(remembered(again), TABLE.pieces)
    assert [p.id for p in memory.pieces] == ["p01", "p02", "p03"]
    assert not difference(TABLE.pieces, memory.pieces, frozenset())
    other = replace(TABLE, pieces=(*TABLE.pieces[:2], piece("p07", "gold", 60)))
    assert [p.id for p in reidentified(remembered(other), TABLE.pieces).pieces] == ["p01", "p02", "p07"]


def test_overlooked_cubes_are_not_new() -> None:
    more = (*TABLE.pieces[:2], piece("p04", "gold", 90), piece("p05", "gold", 120))
    change = difference(TABLE.pieces, more, frozenset({"p04"}))
    assert [p.id for p in change.removed] == ["p03"] and [p.id for p in change.added] == ["p05"]


def test_a_board_that_did_not_change_asks_nothing_and_one_that_did_can_always_be_taken_as_it_lies() -> None:
    cells = tuple(Cell(row, col, Card("blue", "sword")) for row, col in CARD_SPACES)
    before = HustleReading("b", cells)
    assert board_proposals(HUSTLE.opening(), before, before) == ()
    surer = replace(before, cells=tuple(replace(cell, confidence=0.5) for cell in cells))
    assert board_proposals(HUSTLE.opening(), before, surer) == ()
    after = replace(before, cells=(replace(cells[0], card=Card("red", "key")), *cells[1:]))
    assert [proposal.kind for proposal in board_proposals(HUSTLE.opening(), before, after)][-1] == "table"


def test_what_may_not_be_there_is_no_evidence_unless_it_came_or_went() -> None:
    overlooked, phantom = piece("p08", "gold", 90), piece("p09", "gem-clear", 120)
    before, seen = (*TABLE.pieces, phantom), (*TABLE.pieces[1:], overlooked)
    change = difference(before, seen, frozenset({"p08", "p09"}))
    was, now = evidence(before, seen, frozenset({"p01", "p02"}), change)
    assert [p.id for p in was] == ["p01", "p03"] and [p.id for p in now] == ["p03"]
