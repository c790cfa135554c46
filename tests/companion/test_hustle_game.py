"""Whole games, and the rules of each phase one by one."""

from __future__ import annotations

import contextlib
import dataclasses
from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import CompanionError, InvalidInput
from companion.games.dungeon_hustle.board import CORNERS, Spot
from companion.games.dungeon_hustle.card_data import card_data_from_json, example_cards
from companion.games.dungeon_hustle.costs import Need
from companion.games.dungeon_hustle.events import VERBS, parse_event
from companion.games.dungeon_hustle.notation import card_from_text, card_text
from companion.games.dungeon_hustle.position import Item, Position, unseen_cards
from companion.games.dungeon_hustle.problems import board_problems
from companion.games.dungeon_hustle.scoring import answer_score, scores
from companion.record import Record, appended, position, undone
from companion.tiles import CARD_SPACES, SYMBOLS, Card, Cell, Space
from tests.companion.hustle_simulation import GAME, Simulation, played

KEY = Card("red", "key")

names = st.text(min_size=1, max_size=8)
faces = st.builds(Card, st.none() | names, st.none() | st.sampled_from(SYMBOLS), st.sampled_from([True, False, None]))


@given(faces)
def test_cards_parse_back(card: Card) -> None:
    text = card_text(card)
    assert card_from_text(text) == card
    assert len(text.split()) == 1


needs = st.builds(Need, st.sampled_from(SYMBOLS), st.none() | names) | st.builds(
    Need, st.sampled_from(SYMBOLS), shaded=st.just(True)
)
spaces = st.sampled_from(CARD_SPACES)
KINDS: dict[Any, st.SearchStrategy[Any]] = {
    bool: st.booleans(),
    int: st.integers(-(10**6), 10**6), str: st.text(max_size=8), Card: faces, Need: needs, Space: spaces,
    Spot: spaces | st.sampled_from(CORNERS),
}  # fmt: skip


def values(kind: Any) -> st.SearchStrategy[Any]:
    """Anything that a field of this type may hold."""
    if kind in KINDS:
        return KINDS[kind]
    if get_origin(kind) is tuple:
        return st.lists(values(get_args(kind)[0]), max_size=4).map(tuple)
    rest = [part for part in get_args(kind) if part is not type(None)]
    return st.none() | (values(rest[0]) if len(rest) == 1 else KINDS[Spot])


@given(
    st.sampled_from(sorted(VERBS)).flatmap(
        lambda verb: st.builds(
            VERBS[verb], **{name: values(kind) for name, kind in get_type_hints(VERBS[verb]).items()}
        )
    )
)
@settings(max_examples=300)
def test_events_parse_back(event: Any) -> None:
    assert len(str(event).splitlines()) == 1
    assert parse_event(str(event)) == event


@pytest.mark.parametrize(
    "text",
    ["hustle", "hustle colour=red", "hustle colour=red path=3,3", "hustle path=9,9 colour=red", "end now=yes", "end x",
     "gold player=A amount=one", "board cards=red", "flip cards=red-gold", "gold player=A player=B amount=1"],
)  # fmt: skip
def test_what_is_no_event(text: str) -> None:
    with pytest.raises(InvalidInput):
        parse_event(text)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_whole_games_keep_count_of_every_card(players: int) -> None:
    """The position's idea of the deck is the real deck, card by card, through every shuffle; no problem ever shows."""
    for seed in range(4):
        game = Simulation(seed, players)
        while game.position.phase != "over":
            game.step()
            unseen = unseen_cards(game.position)
            assert unseen == Counter(game.deck)
            assert game.position.deck_left == len(game.deck)
            assert GAME.problems(game.position) == ()
            assert len(game.events) < 1000
        ended_evenly = len({hero.turns for hero in game.position.heroes}) == 1
        assert game.position.monsters_won or (game.position.level == 4 and ended_evenly)
        assert (scores(game.position) == ()) == game.position.monsters_won


def test_undo_restores_equality() -> None:
    game = played(5, events_at_most=60)
    record = Record(GAME)
    for event in game.events:
        longer = appended(record, event)
        assert position(undone(longer)) == position(record)
        record = longer
    assert position(record) == game.position
    assert GAME.parse_position(str(game.position)) == game.position


# ---- problems, scores, data


def test_impossible_boards_are_problems() -> None:
    cells_ = [Cell(row, col, KEY) for row, col in CARD_SPACES]
    assert board_problems(cells_) == ()
    crowd = [replace(cell, occupant="monster") for cell in cells_[:5]] + cells_[5:]
    twins = [replace(cell, occupant="mage") for cell in cells_[:2]] + cells_[2:]
    codes = [
        {problem.code for problem in board_problems(board)}
        for board in (
            crowd,
            twins,
            [*cells_, cells_[0]],
            cells_[:-1],
            [replace(cells_[0], card=Card(None, None)), *cells_[1:]],
        )
    ]
    assert codes == [
        {"too-many-monsters"},
        {"hero-twice"},
        {"card-count", "space-twice"},
        {"card-count"},
        {"unread-cards"},
    ]


def test_impossible_positions_are_problems() -> None:
    position = played(1, events_at_most=30).position
    hero = position.heroes[0]
    for wrong, code in (
        (replace(position, monsters=((1, 1), (1, 2), (1, 3), (1, 4), (1, 5))), "too-many-monsters"),
        (replace(position, heroes=(hero, hero)), "hero-twice"),
        (replace(position, board=(*position.board, KEY)), "card-count"),
        (replace(position, escaped=9), "escape-track"),
        (replace(position, board=(KEY,) * 36), "more-than-the-deck"),
        (position.with_hero(replace(hero, items=(Item("A"), Item("B"), Item("C"), Item("D")))), "too-many-items"),
    ):
        assert code in {problem.code for problem in GAME.problems(wrong)}
        GAME.view(GAME.parse_position(str(wrong)))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_position_however_wrong_brings_a_crash(data: st.DataObject) -> None:
    """Any two fields of any two moments of a game, mixed: problems and refusals, never an exception of another kind."""
    one, other = (data.draw(st.sampled_from(moments())) for _ in range(2))
    fields = data.draw(st.lists(st.sampled_from([field.name for field in dataclasses.fields(Position)]), max_size=4))
    strange = {"turn": 7, "corners": (), "spawn": "left", "phase": "teatime", "board": (), "heroes": ()}
    mixed = replace(one, **{name: strange.get(name, getattr(other, name)) for name in fields})
    assert GAME.parse_position(str(mixed)) == mixed
    GAME.view(mixed)
    GAME.problems(mixed)
    for event in data.draw(st.lists(st.sampled_from(example().events), max_size=6)):
        with contextlib.suppress(CompanionError):
            GAME.play(mixed, event)


@cache
def example() -> Simulation:
    return played(1)


@cache
def moments() -> list[Position]:
    here = [GAME.opening()]
    for event in example().events:
        here.append(GAME.play(here[-1], event))
    return here


def test_scores_add_up_and_ties_are_shared() -> None:
    one = {"name": "A", "level": 2, "gold": 3, "items": [1, {"points": 2}], "quests": [4]}
    sheet = answer_score({"heroes": [one, one | {"name": "B"}, {"name": "C"}]})
    assert [score["total"] for score in sheet["scores"]] == [20, 20, 5]
    assert (sheet["winner"], sheet["winners"]) == (None, ["A", "B"])
    assert answer_score({"monsters_win": True})["scores"] == []
    for bad in ({}, {"heroes": [{}]}, {"heroes": [one | {"level": 5}]}, {"heroes": [one | {"items": [-1]}]}):
        with pytest.raises(InvalidInput):
            answer_score(bad)


def test_the_example_cards_are_marked_and_count_right() -> None:
    data = example_cards()
    assert data.example
    assert [sum(data.deck_for(players).counts) for players in (2, 3, 4)] == [78, 84, 96]
    assert all(quest.name.startswith("Example") for _, quest in data.quests)
    position = GAME.play(GAME.play(Position(), data.player("Anna", "mage")), data.deck_for(2))
    assert position.heroes[0].hand_size is not None


@pytest.mark.parametrize(
    "data",
    [[], {"characters": {"bard": {}}}, {"deck": [{"card": "x"}]}, {"quests": [{}]}, {"items": [{"name": "A"}]},
     {"rewards": [0]}, {"quests": [{"name": "A", "needs": ["gold"]}]}],
)  # fmt: skip
def test_bad_card_data_gets_one_sentence(data: Any) -> None:
    with pytest.raises(CompanionError):
        card_data_from_json(data)
