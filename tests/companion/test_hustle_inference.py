"""From one board to the next: what really happened is found again, misreadings are not explained away."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.errors import InvalidInput
from companion.games.dungeon_hustle import events
from companion.games.dungeon_hustle.board_answers import answer_change
from companion.games.dungeon_hustle.inference import explain_change
from companion.games.dungeon_hustle.position import Position
from companion.games.dungeon_hustle.view import cells
from companion.tiles import CARD_SPACES, Card, Cell
from tests.companion.hustle_simulation import GAME, Simulation


def quiet_turns(seed: int, turns: int) -> list[list[tuple[Position, object]]]:
    """Turns of a simulated game as (position before, event) pairs."""
    game, found = Simulation(seed, players=3), []
    while game.position.phase != "over" and len(found) < turns:
        turn: list[tuple[Position, object]] = []
        while game.position.phase != "over":
            before = game.position
            game.step()
            turn.append((before, game.events[-1]))
            if game.position.turn != before.turn:
                break
        found.append(turn)
    return found


def effect(event: events.Hustle) -> object:
    """What a run does to the board, whatever way it took; colours of runs that pick up nothing do not matter."""
    return frozenset(event.path[:-1]), event.path[-1]


@pytest.mark.parametrize("seed", range(6))
def test_what_happened_is_among_the_explanations(seed: int) -> None:
    """Each turn is looked at once it is over. Only a lost fight (nobody sees where the hero stepped back from) or a
    hero out of sight leaves more than one explanation."""
    for turn in quiet_turns(seed, 8):
        start = next(before for before, event in turn if isinstance(event, events.Hustle))
        run = next(event for _, event in turn if isinstance(event, events.Hustle))
        laid = next((event for _, event in turn if isinstance(event, events.Replace)), None)
        revealed = next((event for _, event in turn if isinstance(event, events.Reveal)), None)
        if revealed is None:
            continue
        before_reveal = next(before for before, event in turn if isinstance(event, events.Reveal))
        after = GAME.play(before_reveal, revealed)
        if same_again(start, run, laid) or revealed.card == start.revealed:
            continue  # a new card looks like the old one: nobody could tell
        found = explain_change(start, cells(after), revealed.card)
        truths = [
            explanation
            for explanation in found
            if effect(explanation.events[0]) == effect(run)
            and (laid is None or laid in explanation.events)
            and explanation.events[-1] == revealed
        ]
        assert truths, (run, found)
        hidden = isinstance(before_reveal.hero.spot, str) or shares_a_card(before_reveal)
        assert len(found) == 1 or hidden or any("lost" in " ".join(other.words) for other in found)


def shares_a_card(position: Position) -> bool:
    return sum(hero.spot == position.hero.spot for hero in position.heroes) > 1


def same_again(start: Position, run: events.Hustle, laid: events.Replace | None) -> bool:
    spaces = GAME.play(start, run).to_replace
    return laid is not None and any(start.cards[s] == card for s, card in zip(spaces, laid.cards, strict=True))


def first_position() -> Position:
    return Simulation(3).position


def seen(position: Position, **changes: Card | str | None) -> list[Cell]:
    """The board as read, with cells changed: r2c3=Card(...) a face, or who stands there."""
    made = {cell.space: cell for cell in cells(position)}
    for name, value in changes.items():
        space = int(name[1]), int(name[3])
        cell = made[space]
        made[space] = replace(cell, card=value) if isinstance(value, Card) else replace(cell, occupant=value)
    return list(made.values())


def test_nothing_happened() -> None:
    position = first_position()
    (only,) = explain_change(position, seen(position))
    assert only.events == () and only.words == ("nothing has happened",)


def test_a_card_that_changed_on_its_own_is_not_explained() -> None:
    position = first_position()
    assert explain_change(position, seen(position, r3c2=Card("odd", "key"))) == ()


def test_a_monster_that_moved_before_the_hustle_is_not_explained() -> None:
    position = first_position()
    away = seen(position, r1c5=None, r1c4="monster")
    assert explain_change(position, away) == ()


def test_a_hero_out_of_sight_may_be_on_several_corners() -> None:
    """One jump from a card that touches one corner is certain; a run that could end on two is asked for."""
    position = first_position()
    hero = replace(position.hero, spot=(0, 3))
    board = tuple(Card("red" if space in {(0, 2), (0, 3), (0, 4)} else "blue", "key") for space in CARD_SPACES)
    position = replace(position.with_hero(hero), board=board, monsters=())
    after = seen(position, r0c3=Card("blue", "sword"))
    gone = [replace(cell, occupant=None) for cell in after]
    # (0,3) touches no corner: the run went on over a card whose like was laid on it again, on either side.
    ends = {explanation.events[0].path[1:] for explanation in explain_change(position, gone)}
    assert ends == {((0, 2), "top-left"), ((0, 4), "top-right")}
    via = [replace(c, card=Card("green", "key")) if c.space == (0, 2) else c for c in gone]
    (only,) = explain_change(position, via)
    assert only.events[0] == events.Hustle("red", ((0, 3), (0, 2), "top-left"))


def test_unread_spaces_are_cards_not_yet_replaced() -> None:
    position = first_position()
    hero = replace(position.hero, spot=(2, 2))
    board = tuple(Card("red" if space in {(2, 2), (2, 3)} else "blue", "key") for space in CARD_SPACES)
    position = replace(position.with_hero(hero), board=board, monsters=())
    nothing = Card(None, None, None)
    after = seen(replace(position.with_hero(replace(hero, spot=(2, 4)))), r2c2=nothing, r2c3=nothing)
    (only,) = explain_change(position, after)
    assert only.events == (events.Hustle("red", ((2, 2), (2, 3), (2, 4))),)


def test_the_card_that_moved_the_monsters_is_asked_for_where_it_was_not_seen() -> None:
    position = first_position()
    board = tuple(Card("red" if space == (1, 5) else "blue", "potion") for space in CARD_SPACES)
    position = replace(position, phase="quest", board=board, box=(), monsters=((1, 5),), spawn="top-left")
    moved = seen(replace(position, monsters=((2, 5),)))
    found = explain_change(position, moved)
    faces = {(explanation.events[-1].card.colour, explanation.events[-1].card.symbol) for explanation in found}
    assert faces == {("red", symbol) for symbol in ("potion", "scroll", "sword", "key", "shield")}


def test_two_boards_in_json_are_enough() -> None:
    position = first_position()
    board = tuple(Card("red" if space in {(2, 2), (2, 3)} else "blue", "key") for space in CARD_SPACES)
    hero = replace(position.hero, spot=(2, 2))
    before = replace(position.with_hero(hero), board=board, monsters=((5, 5),))
    after = before.with_hero(replace(hero, spot=(2, 4)))
    faces = {"r2c2": Card("green", "key"), "r2c3": Card("green", "sword", True)}
    question = {
        "before": [cell.as_json() for cell in cells(before)], "after": [c.as_json() for c in seen(after, **faces)],
        "hero": hero.who, "spawn_corner": "top-left", "escaped": 0, "escape_limit": 5,
    }  # fmt: skip
    (only,) = answer_change(question)["explanations"]
    assert only["events"] == ["hustle colour=red path=2,2/2,3/2,4", "replace cards=green-key/green-sword!"]
    assert len(only["asks"]) == 1
    with pytest.raises(InvalidInput, match="hero"):
        answer_change(question | {"hero": "bard"})
