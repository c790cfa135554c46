"""What a looted room is told as when the reading before was not perfect: a gem that nobody had read, and one that was
never there."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from companion.games.dungeon_drop.game import DungeonDrop
from companion.games.dungeon_drop.position import Position
from companion.games.dungeon_drop.stashes import cubes_of
from companion.pieces import Piece
from companion.readings import DropReading
from tests.benchmarks.live_stage import Stage
from tests.web.live_game import DEMO, SETUP, staged
from web.live.known import difference
from web.live.proposals import Proposal, drop_proposals

GAME = DungeonDrop()


@pytest.fixture(scope="module")
def table() -> tuple[Piece, ...]:
    stage = Stage(DEMO / "table-2.jpg")
    return tuple(replace(piece, confidence=0.98) for piece in stage.pieces(stage.everything))


@pytest.fixture(scope="module")
def here() -> Position:
    position = GAME.opening()
    for line in SETUP:
        position = GAME.play(position, GAME.parse_event(line))
    return position


def proposed(
    here: Position, before: tuple[Piece, ...], after: tuple[Piece, ...], unseen: tuple[Piece, ...] = ()
) -> tuple[Proposal, ...]:
    change = difference(before, after, frozenset())
    return drop_proposals(here, DropReading("table", before, "markers", 0.3), after, change, unseen)


def gained(here: Position, proposal: Proposal) -> Counter[tuple[str, str]]:
    for line in proposal.lines:
        here = GAME.play(here, GAME.parse_event(line))
    return Counter(cubes_of(here.player("Ann").stash))


def taken(table: tuple[Piece, ...]) -> list[Piece]:
    return [piece for piece in table if piece.id in staged().room.collects]


def kinds(pieces: list[Piece]) -> Counter[tuple[str, str]]:
    return Counter((piece.type, str(piece.size)) for piece in pieces)


def test_a_gem_that_left_unseen_is_told_as_a_guess_with_the_other_choice(
    table: tuple[Piece, ...], here: Position
) -> None:
    room = taken(table)
    hidden = room[0]
    after = tuple(piece for piece in table if piece not in room)
    unseen = (replace(hidden, id="u1", type="gem-clear", size="S", confidence=0.5, outline_px=()),)
    guess, plain, *_ = proposed(here, tuple(piece for piece in table if piece != hidden), after, unseen)
    assert guess.kind == plain.kind == "loot"
    assert "had not seen: a clear gem" in guess.says and "not seen" not in plain.says
    assert gained(here, guess) == kinds([*room[1:], *unseen])
    assert gained(here, plain) == kinds(room[1:])


def test_what_left_unseen_outside_of_the_room_is_a_crumb(table: tuple[Piece, ...], here: Position) -> None:
    room = taken(table)
    after = tuple(piece for piece in table if piece not in room)
    corner = min(table, key=lambda piece: sum(piece.center_mm or (0, 0)))
    moved = tuple((x - 40, y - 40) for x, y in corner.footprint_mm)
    crumb = replace(corner, id="u1", type="gem-clear", size="S", footprint_mm=moved, center_mm=None, outline_px=())
    first, *_ = proposed(here, table, after, (crumb,))
    assert first.kind == "loot" and gained(here, first) == kinds(room)


def test_unseen_pieces_alone_tell_no_story(table: tuple[Piece, ...], here: Position) -> None:
    new = tuple(replace(piece, id=f"n{n}", size="L") for n, piece in enumerate(table[:4]))
    unseen = tuple(replace(piece, id=f"u{n}", outline_px=()) for n, piece in enumerate(taken(table), 1))
    before = tuple(piece for piece in table[4:] if piece not in taken(table))
    first, *_ = proposed(here, before, (*before, *new), unseen)
    assert first.kind != "loot"


def test_nobody_gains_a_phantom_that_lies_in_the_room_still(table: tuple[Piece, ...], here: Position) -> None:
    room = taken(table)
    like = room[0]
    shifted = tuple((x + 9, y) for x, y in like.footprint_mm)
    phantom = replace(like, id="p99", type="gem-pink", size="S", footprint_mm=shifted, outline_px=())
    after = tuple(piece for piece in (*table, phantom) if piece not in room)
    first, *_ = proposed(here, (*table, phantom), after)
    assert first.kind == "loot" and gained(here, first) == kinds(room)
