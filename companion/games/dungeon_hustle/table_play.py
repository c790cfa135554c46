"""Events that may come at any time: what the table shows, what a card's effect did, notes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from companion.errors import IllegalMove
from companion.games.dungeon_hustle import events
from companion.games.dungeon_hustle.board import CORNERS
from companion.games.dungeon_hustle.costs import without
from companion.games.dungeon_hustle.monsters import MOST_MONSTERS
from companion.games.dungeon_hustle.position import (
    MOST_ITEMS,
    TOP_LEVEL,
    Hero,
    Item,
    Position,
    Quest,
    sorted_cards,
)
from companion.games.dungeon_hustle.state import discarded, drawn, hero_of, item_named, levelled, taken_from
from companion.tiles import CARD_SPACES


def board(position: Position, event: events.Board) -> Position:
    if len(event.cards) != len(CARD_SPACES):
        raise IllegalMove(f"a board has 36 cards, not {len(event.cards)}")
    return replace(position, board=event.cards)


def stand(position: Position, event: events.Stand) -> Position:
    return position.with_hero(replace(hero_of(position, event.hero), spot=event.at))


def monsters(position: Position, event: events.Monsters) -> Position:
    if len(set(event.at)) != len(event.at) or len(event.at) > MOST_MONSTERS:
        raise IllegalMove("at most four monsters stand on four different cards")
    return replace(position, monsters=tuple(sorted(event.at)))


def left(position: Position, event: events.Left) -> Position:
    if event.cards < 0:
        raise IllegalMove("a deck cannot hold fewer than no cards")
    return replace(position, deck_left=event.cards, exhausted=position.exhausted or event.cards == 0)


def quest(position: Position, event: events.Quest) -> Position:
    if event.corner not in CORNERS or not position.corner(event.corner).face_up:
        raise IllegalMove(f"no quest lies face up at {event.corner}")
    told = Quest(event.name, event.needs, event.gold, event.points)
    return position.with_corner(event.corner, replace(position.corner(event.corner), quest=told))


def gold(position: Position, event: events.Gold) -> Position:
    hero = hero_of(position, event.player)
    if hero.gold + event.amount < 0:
        raise IllegalMove(f"{hero.player} has only {hero.gold} gold")
    return position.with_hero(levelled(replace(hero, gold=hero.gold + event.amount)))


def gain(position: Position, event: events.Gain) -> Position:
    hero = hero_of(position, event.player)
    if event.source == "deck":
        position = drawn(position, len(event.cards))
    elif event.source == "discards":
        try:
            position = replace(position, discards=without(position.discards, event.cards))
        except ValueError:
            raise IllegalMove("not all of these cards lie on the discards") from None
    return position.with_hero(replace(hero, hand=sorted_cards([*hero.hand, *event.cards])))


def shed(position: Position, event: events.Shed) -> Position:
    hero = taken_from(hero_of(position, event.player), event.cards)
    return discarded(position.with_hero(hero), event.cards)


def level(position: Position, event: events.Level) -> Position:
    if not 1 <= event.level <= TOP_LEVEL or event.gold < 0:
        raise IllegalMove("levels go from 1 to 4, and gold does not go below nothing")
    hero = replace(hero_of(position, event.player), level=event.level, gold=event.gold)
    return position.with_hero(levelled(hero))


def help_(position: Position, event: events.Help) -> Position:
    """The helper's card is discarded, they turn to the reward side and take one gold."""
    helper = hero_of(position, event.player)
    if position.phase == "setup" or helper == position.hero:
        raise IllegalMove("help comes from another player, during a turn")
    if helper.help_card is None:
        raise IllegalMove(f"{helper.player}'s helping power is not charged")
    used = helper.help_card
    helper = levelled(replace(helper, help_card=None, reward=True, gold=helper.gold + 1))
    return discarded(replace(position.with_hero(helper), helped=True), (used,))


def receive(position: Position, event: events.Receive) -> Position:
    hero = hero_of(position, event.player)
    return position.with_hero(with_new_item(hero, Item(event.item, event.points, event.recharge), event.drop))


def with_new_item(hero: Hero, item: Item, drop: str | None) -> Hero:
    """At most three items: a fourth takes the place of one that is given up."""
    if any(one.name == item.name for one in hero.items) or item.name in ("reward", "help"):
        raise IllegalMove(f"{hero.player} cannot have two things called {item.name}; give this one another name")
    items = [*hero.items, item]
    if drop is not None:
        items.remove(item if drop == item.name else item_named(hero, drop))
    if len(items) > MOST_ITEMS:
        raise IllegalMove(f"{hero.player} has three items: name the one to give up in drop=")
    return replace(hero, items=tuple(items))


def note(position: Position, _: events.Note) -> Position:
    return position


RULES: Final[dict[type, Callable[[Position, Any], Position]]] = {
    events.Board: board,
    events.Stand: stand,
    events.Monsters: monsters,
    events.Left: left,
    events.Quest: quest,
    events.Gold: gold,
    events.Gain: gain,
    events.Shed: shed,
    events.Level: level,
    events.Help: help_,
    events.Receive: receive,
    events.Note: note,
}
