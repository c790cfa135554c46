"""Small steps that several rules share: paying, drawing, levelling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.errors import IllegalMove
from companion.games.dungeon_hustle.costs import without
from companion.games.dungeon_hustle.notation import card_text
from companion.games.dungeon_hustle.position import TOP_LEVEL, Hero, Item, Position, sorted_cards
from companion.tiles import Card

_NAMES = {
    "setup": "the setup",
    "hustle": "the hustle",
    "replace": "new cards on the empty spaces",
    "attacks": "an answer to wandering monsters",
    "combat": "combat",
    "quest": "a quest, or the card that moves the monsters",
    "rest": "the resting phase",
}


def in_phase(position: Position, phase: str) -> None:
    if position.phase != phase:
        raise IllegalMove(f"this belongs to {_NAMES[phase]}; due now is {_NAMES[position.phase]}")


def hero_of(position: Position, player: str) -> Hero:
    """By the player's name, or by the hero's."""
    for hero in position.heroes:
        if player in (hero.player, hero.who):
            return hero
    raise IllegalMove(f"nobody here is called {player}")


def item_named(hero: Hero, name: str) -> Item:
    for item in hero.items:
        if item.name == name:
            return item
    raise IllegalMove(f"{hero.player} has no item called {name}")


def levelled(hero: Hero) -> Hero:
    """At once, and as often as the gold allows."""
    while 1 <= hero.level <= min(len(hero.level_gold), TOP_LEVEL - 1):
        cost = hero.level_gold[hero.level - 1]
        if hero.gold < cost:
            break
        hero = replace(hero, gold=hero.gold - cost, level=hero.level + 1)
    return hero


def taken_from(hero: Hero, cards: Sequence[Card]) -> Hero:
    for card in cards:
        if cards.count(card) > hero.hand.count(card):
            raise IllegalMove(f"{hero.player} does not hold {card_text(card)}")
    return replace(hero, hand=without(hero.hand, cards))


def paid(position: Position, cards: Sequence[Card], to_discards: bool = True) -> Position:
    """The position after the current hero gave up these cards."""
    position = position.with_hero(taken_from(position.hero, cards))
    return discarded(position, cards) if to_discards else position


def discarded(position: Position, cards: Sequence[Card]) -> Position:
    """With these cards on the discards; an empty deck takes all discards at once."""
    return _refilled(replace(position, discards=sorted_cards([*position.discards, *cards])))


def drawn(position: Position, count: int) -> Position:
    """With so many cards gone from the deck. Where it runs out on the way, the discards are shuffled (ruling H12)."""
    if position.deck_left is None:
        return position
    left = position.deck_left - count
    if left > 0:
        return replace(position, deck_left=left)
    position = replace(position, deck_left=0, exhausted=True)
    if left == 0:
        return _refilled(position)
    if -left > len(position.discards):
        raise IllegalMove("neither the deck nor the discards hold so many cards: put the deck's count right first")
    return replace(position, deck_left=len(position.discards) + left, discards=())


def _refilled(position: Position) -> Position:
    if position.deck_left != 0 or not position.discards:
        return position
    return replace(position, deck_left=len(position.discards), discards=())
