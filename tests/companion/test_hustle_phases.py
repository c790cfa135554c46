"""The rules one by one: setup, each phase of a turn, both ends, and the forecast."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.errors import IllegalMove
from companion.games.dungeon_hustle import events
from companion.games.dungeon_hustle.chances import fight_odds, forecast, revealed_phase
from companion.games.dungeon_hustle.combat_play import empty_beside, engaged
from companion.games.dungeon_hustle.costs import Need
from companion.games.dungeon_hustle.house import HouseRules
from companion.games.dungeon_hustle.position import Corner, Hero, Item, Position, Quest, unseen_cards
from companion.games.dungeon_hustle.scoring import scores
from companion.games.dungeon_hustle.view import cells
from companion.tiles import CARD_SPACES, HEROES, Card
from tests.companion.hustle_simulation import GAME, Simulation

KEY, SWORD, SHIELD = Card("red", "key"), Card("red", "sword"), Card("red", "shield")


# ---- setup


def test_setup_counts_cards_by_players() -> None:
    for players, deck in ((2, 78), (3, 84), (4, 96)):
        position = Position()
        for name in HEROES[:players]:
            position = GAME.play(position, events.Player(name.title(), name))
        position = GAME.play(position, events.Layout("top-right", "top-left"))
        position = GAME.play(position, events.Board((KEY,) * 36))
        position = GAME.play(position, events.Start("Fighter"))
        assert position.deck_left == deck - 36
        assert position.monsters == ((1, 1), (5, 1), (5, 5))
        assert position.spawn == "bottom-left"
        shown = [name for name, corner in GAME.view(position)["corners"].items() if corner["face_up"]]
        assert shown == ["top-left", "bottom-right"]


@pytest.mark.parametrize(
    "event",
    [
        events.Player("Anna", "bard"), events.Player("Anna", "fighter"), events.Player(" ", "mage"),
        events.Player("Cleo", "mage", helps="gold"), events.Layout("left", "top-left"), events.Difficulty("unfair"),
        events.Board((KEY,) * 37), events.Deck((KEY, KEY), (1, 1)), events.Deck((KEY,), (0,)), events.Charge(KEY),
        events.Start("Anna"), events.End(), events.Reveal(KEY), events.Use("Lamp"), events.Help("Anna"),
    ],
)  # fmt: skip
def test_setup_refuses(event: Any) -> None:
    position = GAME.play(Position(), events.Player("Anna", "fighter"))
    with pytest.raises(IllegalMove):
        GAME.play(position, event)


# ---- a table to try the phases on


def table(phase: str, hero: Hero, **rest: Any) -> Position:
    """Two heroes on a board of blue potions; the first one's turn."""
    other = Hero("Ben", "rogue", spot=(6, 3), help_card=KEY)
    defaults: dict[str, Any] = {
        "board": (Card("blue", "potion"),) * 36, "trove": "top-left", "stairs": "top-right", "spawn": "bottom-right",
        "rewards": (2, 3, 4), "deck_left": 30, "heroes": (hero, other), "phase": phase,
        "corners": (Corner(), Corner(3, True), Corner(3), Corner(3, True)),
    }  # fmt: skip
    return Position(**(defaults | rest))


def anna(**rest: Any) -> Hero:
    return Hero(**({"player": "Anna", "who": "fighter", "spot": (2, 2)} | rest))


def refused(position: Position, event: Any, why: str) -> None:
    with pytest.raises(IllegalMove, match=why):
        GAME.play(position, event)


def test_a_hustle_takes_cards_into_the_hand_and_leaves_spaces_to_cover() -> None:
    after = GAME.play(table("hustle", anna()), events.Hustle("blue", ((2, 2), (2, 3), (1, 2))))
    assert after.phase == "replace"
    assert after.to_replace == ((2, 2), (2, 3))
    assert after.hero.hand == (Card("blue", "potion"),) * 2
    assert after.hero.spot == (1, 2)


@pytest.mark.parametrize(
    ("path", "why"),
    [
        (((2, 2),), "jumps at least once"),
        (((2, 1), (2, 2)), "starts at 2,2"),
        (((2, 2), (2, 4)), "does not touch"),
        (((2, 2), (2, 3), (2, 2)), "once"),
        (((2, 2), (1, 1), "top-left", (1, 2)), "is a corner"),
        (((2, 2), (3, 2), (4, 2)), "is taken"),
        (((2, 2), (2, 1), (3, 1)), "is not blue"),
    ],
)
def test_a_run_that_is_none(path: Any, why: str) -> None:
    board = tuple(Card("red" if space == (2, 1) else "blue", "potion") for space in CARD_SPACES)
    refused(table("hustle", anna(), board=board, monsters=((3, 2),)), events.Hustle("blue", path), why)


def test_powers_are_spent_and_must_be_there() -> None:
    recolour = events.Hustle("red", ((2, 2), (2, 3)), recolour=(2, 2), by="reward")
    refused(table("hustle", anna()), recolour, "reward side")
    after = GAME.play(table("hustle", anna(reward=True)), recolour)
    assert not after.hero.reward
    assert after.hero.hand == (Card("blue", "potion"),)  # in hand it has its own colour (ruling H20)
    leap = events.Hustle("blue", ((2, 2), (4, 4)), leap=(3, 3), by="reward")
    refused(table("hustle", anna(reward=True)), leap, "does not leap")
    thief = Hero("Ben", "rogue", spot=(2, 2), reward=True)
    assert GAME.play(table("hustle", thief, heroes=(thief, anna(spot=None))), leap).hero.spot == (4, 4)
    lamp = events.Hustle("red", ((2, 2), (2, 3)), recolour=(2, 2), by="Lamp")
    assert not GAME.play(table("hustle", anna(items=(Item("Lamp"),))), lamp).hero.items[0].charged
    refused(table("hustle", anna(items=(Item("Lamp", charged=False),))), lamp, "discharged")
    helped = events.Hustle("red", ((2, 2), (2, 3)), recolour=(2, 2), by="help")
    refused(table("hustle", anna()), helped, "nobody has helped")
    assert GAME.play(GAME.play(table("hustle", anna()), events.Help("Ben")), helped).phase == "replace"


def test_wandering_monsters_are_defended_or_cost_a_card() -> None:
    position = table("replace", anna(hand=(SHIELD, SWORD)), to_replace=((2, 1), (2, 3), (3, 1)))
    fierce = Card("red", "key", True)
    position = GAME.play(position, events.Replace((fierce, fierce, fierce)))
    assert (position.phase, position.attacks) == ("attacks", 3)
    refused(position, events.Defend(SWORD), "shield")
    refused(position, events.Lose(KEY), "does not hold")
    position = GAME.play(GAME.play(position, events.Defend(SHIELD)), events.Lose(SWORD))
    assert (position.phase, position.attacks) == ("quest", 0)  # an empty hand loses nothing (ruling H14)
    assert position.discards == (SHIELD, SWORD)


def test_a_fight_won_with_help_and_a_reflip() -> None:
    hero = anna(spot=(1, 1), hand=(SHIELD, SWORD, SWORD), level_gold=(1, 1, 5))
    position = table("replace", hero, monsters=((1, 1),), to_replace=((2, 2),), level=2)
    position = GAME.play(position, events.Replace((KEY,)))
    assert position.phase == "combat"
    position = GAME.play(position, events.Help("Ben"))
    assert position.heroes[1].gold == 1 and position.heroes[1].reward and position.heroes[1].help_card is None
    refused(position, events.Attack((SWORD,)), "draws first")
    refused(position, events.Flip((SWORD, KEY)), "draws 3 cards")
    position = GAME.play(position, events.Flip((SWORD, SWORD, KEY)))
    assert position.fight is not None and position.fight.power == 3
    refused(position, events.Attack((SWORD, SWORD)), "does not reach")
    position = GAME.play(position, events.Reflip(SHIELD))
    position = GAME.play(position, events.Flip((KEY, Card("blue", "key", True), KEY)))
    assert position.fight is not None and position.fight.power == 2
    refused(position, events.Reflip(SHIELD), "once")
    position = GAME.play(position, events.Attack((SWORD,), bonus=1))
    assert (position.monsters, position.phase) == ((), "quest")
    assert (position.hero.level, position.hero.gold) == (3, 1)  # 3 gold: two levels at once
    refused(replace(position, monsters=((5, 5),)), events.Fight((5, 5)), "one monster")


def test_a_lost_fight_costs_a_card_and_a_step() -> None:
    hero = anna(spot=(0, 2), hand=(SWORD,))
    position = table("quest", hero, monsters=((0, 2), (1, 1)))
    position = GAME.play(engaged(position, (0, 2)), events.Flip((SWORD, SWORD)))
    refused(position, events.Retreat(None, (0, 3)), "costs one card")
    refused(position, events.Retreat(SWORD, (1, 1)), "empty space")
    refused(position, events.Retreat(SWORD, None), "empty space")
    after = GAME.play(position, events.Retreat(SWORD, (0, 3)))
    assert (after.hero.spot, after.hero.hand, after.monsters) == ((0, 3), (), ((0, 2), (1, 1)))


def test_no_empty_neighbour_means_staying() -> None:
    ring = ((0, 3), (1, 1), (1, 2), (1, 3))
    position = engaged(table("quest", anna(spot=(0, 2)), monsters=tuple(sorted(((0, 2), *ring)))), (0, 2))
    assert empty_beside(position, (0, 2)) == ()
    after = GAME.play(GAME.play(position, events.Flip((SWORD, SWORD))), events.Retreat())
    assert after.hero.spot == (0, 2)


def test_a_quest_pays_moves_the_spawn_corner_and_turns_the_old_one_up() -> None:
    quest = Quest("Example", (Need("key"), Need("key")), gold=4, points=3)
    hero = anna(spot="top-right", hand=(KEY, KEY, Card("blue", "key")), level_gold=(3, 9, 9))
    position = table("quest", hero, corners=(Corner(), Corner(3, True, quest), Corner(3), Corner(3, True)))
    refused(position, events.Complete((KEY, KEY)), "differ in colour")
    after = GAME.play(position, events.Complete((KEY, Card("blue", "key"))))
    assert after.spawn == "top-right"
    assert after.corner("bottom-right").face_up and not after.corner("top-right").face_up
    assert (after.hero.level, after.hero.gold, after.hero.quests) == (2, 1, (quest,))
    refused(after, events.Complete((KEY,)), "face up")
    refused(after, events.Fight((1, 1)), "none from a corner")


def test_resting() -> None:
    blue, green = Card("blue", "key"), Card("green", "key")
    items = (Item("A", 1, (Need("key"),), charged=False), Item("B"), Item("C"))
    hero = anna(hand=(KEY, KEY, blue, green, SHIELD), items=items, hand_sizes=(2,), helps="shield")
    position = table("rest", hero)
    refused(position, events.Buy("D", "trinket", (KEY, KEY), drop="B"), "different colours")
    refused(position, events.Buy("D", "trinket", (KEY,)), "three items")
    refused(position, events.Buy("B", "trinket", (KEY,), drop="C"), "two things")
    position = GAME.play(position, events.Buy("D", "treasure", (KEY, blue), drop="B"))
    assert [item.name for item in position.hero.items] == ["A", "C", "D"]
    refused(position, events.Buy("E", "trinket", (KEY,), drop="D"), "one item")
    position = GAME.play(position, events.Recharge("A", (KEY,)))
    refused(position, events.Recharge("A", (green,)), "charged already")
    refused(position, events.Charge(green), "shield")
    position = GAME.play(position, events.Charge(SHIELD))
    refused(position, events.Charge(SHIELD), "is charged")
    after = GAME.play(position, events.End())
    assert (after.phase, after.turn, after.bought, after.recharged) == ("hustle", 1, False, ())


def test_hands_are_cut_to_size_before_the_turn_ends() -> None:
    position = table("rest", anna(hand=(KEY, KEY, KEY), hand_sizes=(2,)))
    refused(position, events.End(), "may keep 2")
    assert GAME.play(GAME.play(position, events.Discard((KEY,))), events.End()).phase == "hustle"


def test_the_level_marker_moves_once_at_the_end_of_the_turn() -> None:
    position = table("quest", anna(), deck_left=1, discards=(KEY, SWORD))
    position = GAME.play(position, events.Reveal(Card("green", "scroll")))
    assert (position.level, position.exhausted, position.deck_left) == (1, True, 2)
    after = GAME.play(position, events.End())
    assert (after.level, after.exhausted) == (2, False)


def test_the_third_shuffle_ends_the_game_after_equal_turns() -> None:
    first = table("rest", anna(turns=4), level=3, exhausted=True)
    first = first.with_hero(replace(first.heroes[1], turns=4))
    second = GAME.play(first, events.End())
    assert (second.level, second.phase) == (4, "hustle")
    last = GAME.play(replace(second, phase="rest"), events.End())
    assert last.phase == "over"
    with pytest.raises(IllegalMove, match="over"):
        GAME.play(last, events.End())


def test_the_escape_track_ends_the_game_at_once_without_scores() -> None:
    position = table("quest", anna(), monsters=((2, 3),), escaped=2, escape_limit=3)
    after = GAME.play(position, events.Reveal(Card("blue", "key")))
    assert (after.phase, after.monsters_won, scores(after)) == ("over", True, ())


def test_forecast_names_each_card_and_the_chance_of_an_escape() -> None:
    game = Simulation(2)
    position = replace(game.position, monsters=((2, 3), (1, 1)), phase="quest")
    told = forecast(position)
    unseen = unseen_cards(position)
    assert unseen is not None and told.escape is not None
    on_it = position.cards[2, 3]
    dangerous = sum(n for card, n in unseen.items() if on_it.colour == card.colour or on_it.symbol == card.symbol)
    assert told.escape == pytest.approx(dangerous / unseen.total())
    assert sum(outlook.chance or 0 for outlook in told.outlooks) == 1
    assert forecast(replace(position, box=())).escape is None
    assert fight_odds(position, position.hero) is not None


def test_two_on_one_card_show_as_formats_has_it() -> None:
    position = table("hustle", anna(spot=(0, 3)), monsters=((0, 3), (1, 1)))
    seen = {cell.space: cell for cell in cells(position)}
    assert (seen[0, 3].occupant, seen[0, 3].also) == ("fighter", "monster")
    assert (seen[1, 1].occupant, seen[1, 1].also) == ("monster", None)


# ---- house rules, switched


def test_house_rules_are_set_in_the_setup_and_shown() -> None:
    position = GAME.play(Position(), events.House(may_stop_early=False))
    assert not position.house.may_stop_early
    assert GAME.view(position)["house"]["cornered_hero_stays"]
    assert GAME.parse_position(str(position)) == position
    refused(table("hustle", anna()), events.House(), "setup")


def test_a_table_where_runs_go_on_while_they_can() -> None:
    strict = table("hustle", anna(), house=HouseRules(may_stop_early=False))
    refused(strict, events.Hustle("blue", ((2, 2), (2, 3))), "goes on while it can")
    onto_a_hero = events.Hustle("blue", ((2, 2), (3, 2), (4, 3), (5, 3), (6, 3)))
    assert GAME.play(strict, onto_a_hero).hero.spot == (6, 3)


def test_a_table_where_equals_move_by_the_trove() -> None:
    near = ((2, 3), (3, 4))
    for house, first in ((HouseRules(), (3, 4)), (HouseRules(equals_from_spawn_corner=False), (2, 3))):
        position = table("quest", anna(), monsters=near, house=house, spawn="top-right", trove="top-left")
        phase = revealed_phase(position, Card("blue", "key"))
        assert phase.moves[0].start == first


def test_a_table_where_an_empty_corner_spawns_nothing() -> None:
    quest = Quest("Example", (Need("key"),))
    corners = (Corner(), Corner(1, True, quest), Corner(3), Corner(3, True))
    hero = anna(spot="top-right", hand=(KEY,))
    for house, spawn in ((HouseRules(), "top-right"), (HouseRules(empty_corner_spawns=False), "bottom-right")):
        after = GAME.play(table("quest", hero, corners=corners, house=house), events.Complete((KEY,)))
        assert after.spawn == spawn


def test_a_table_where_a_cornered_hero_steps_anywhere_and_cards_add_one() -> None:
    ring = ((0, 2), (0, 3), (1, 1), (1, 2), (1, 3))
    house = HouseRules(cornered_hero_stays=False, sword_and_icon_add_two=False)
    position = engaged(table("quest", anna(spot=(0, 2)), monsters=ring, house=house), (0, 2))
    position = GAME.play(position, events.Flip((Card("red", "sword", True), KEY)))
    assert position.fight is not None and position.fight.power == 2
    assert GAME.play(position, events.Retreat(None, (5, 5))).hero.spot == (5, 5)
