"""What every registered game must keep, checked along its recorded playthrough. A game without one fails."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from companion.errors import CompanionError, InvalidInput
from companion.games import GAMES
from companion.games.contract import Game, Position
from companion.problems import Problem
from companion.record import Record, appended, parse_record, position, undone

PLAYTHROUGHS = Path(__file__).parent / "playthroughs"
games = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


@cache
def playthrough(game: Game) -> Record:
    file = PLAYTHROUGHS / f"{game.name}.txt"
    assert file.exists(), f"{game.name} needs a recorded playthrough: {file}"
    return parse_record(file.read_text(encoding="utf-8"), GAMES)


@cache
def positions(game: Game) -> tuple[Position, ...]:
    """The opening and the position after each event."""
    here = [game.opening()]
    for event in playthrough(game).events:
        here.append(game.play(here[-1], event))
    return tuple(here)


def test_names_are_unique_and_fit_for_the_command_line() -> None:
    names = [game.name for game in GAMES]
    assert len(set(names)) == len(names)
    assert all(name == name.lower() and name.replace("-", "").isalpha() for name in names)


@games
def test_a_playthrough_is_recorded_and_goes_somewhere(game: Game) -> None:
    record = playthrough(game)
    assert record.game is game
    assert len(record.events) >= 20
    assert positions(game)[-1] != game.opening()


@games
def test_events_parse_back(game: Game) -> None:
    for event in playthrough(game).events:
        assert "\n" not in str(event)
        assert game.parse_event(str(event)) == event


@games
def test_positions_parse_back(game: Game) -> None:
    for here in positions(game):
        assert "\n" not in str(here)
        again = game.parse_position(str(here))
        assert again == here
        assert str(again) == str(here)


@games
def test_the_record_parses_back(game: Game) -> None:
    record = playthrough(game)
    assert parse_record(str(record), GAMES) == record


@games
def test_undo_is_replay(game: Game) -> None:
    record = playthrough(game)
    while record.events:
        if len(record.events) % 7 == 0 or len(record.events) < 4:  # each step replays all before it
            assert position(record) == positions(game)[len(record.events)]
            assert appended(undone(record), record.events[-1]) == record
        record = undone(record)
    assert position(record) == game.opening()
    with pytest.raises(CompanionError, match="nothing to undo"):
        undone(record)


@games
def test_playing_changes_no_position_that_was_there(game: Game) -> None:
    before = [str(here) for here in positions(game)]
    for here, event in zip(positions(game), playthrough(game).events, strict=False):
        game.play(here, event)
    assert [str(here) for here in positions(game)] == before


@games
def test_views_are_json_and_problems_are_sentences(game: Game) -> None:
    for here in positions(game):
        view = game.view(here)
        assert json.loads(json.dumps(view, allow_nan=False)) == json.loads(json.dumps(view))
        for problem in game.problems(here):
            assert isinstance(problem, Problem)
            assert problem.message.endswith((".", "?", "!")) and "\n" not in problem.message


@games
def test_an_evening_played_by_the_rules_has_no_problems_at_its_end(game: Game) -> None:
    assert game.problems(positions(game)[-1]) == ()


@games
@pytest.mark.parametrize(
    "text", ["", "nonsense", "  ", "\x00", "look pieces=;;", "[1, 2]", "{}x", '{"phase": 3}', "null"]
)
def test_what_is_no_event_or_position_is_invalid(game: Game, text: str) -> None:
    with pytest.raises(InvalidInput):
        game.parse_event(text)
    with pytest.raises(InvalidInput):
        game.parse_position(text)


@games
def test_events_out_of_place_are_refused_and_never_crash(game: Game) -> None:
    """Every event of the playthrough, tried at every seventh position: played or refused, nothing else."""
    refused = 0
    for here in positions(game)[::7]:
        for event in dict.fromkeys(playthrough(game).events):
            try:
                after = game.play(here, event)
            except CompanionError as problem:
                assert str(problem)
                refused += 1
            else:
                assert game.parse_position(str(after)) == after
    assert refused > 0
