"""What only the cards themselves say, entered by players in a small file: characters, deck, quests, items.

`example_cards.json` shows the format with made-up contents; no card of the real game is printed anywhere here.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from companion.errors import InvalidInput
from companion.games.dungeon_hustle import events
from companion.games.dungeon_hustle.costs import Need, need_from_text
from companion.games.dungeon_hustle.notation import card_from_text
from companion.games.dungeon_hustle.position import TIERS, Item, Quest
from companion.tiles import HEROES, SYMBOLS, Card


@dataclass(frozen=True)
class Character:
    level_gold: tuple[int, ...] = ()
    hand_sizes: tuple[int, ...] = ()
    helps: str | None = None


@dataclass(frozen=True)
class CardData:
    characters: Mapping[str, Character]
    rewards: tuple[int, ...]  # gold for a monster, by dungeon level
    deck: tuple[tuple[Card, int, int], ...]  # face, how many, from how many players on
    quests: tuple[tuple[int, Quest], ...]  # with their level
    items: tuple[tuple[str, int, Item], ...]  # with their tier and price in keys
    example: bool = False

    def player(self, name: str, hero: str) -> events.Player:
        """The event that lets somebody join with what their character card says."""
        character = self.characters.get(hero, Character())
        return events.Player(name, hero, character.level_gold, character.hand_sizes, character.helps)

    def deck_for(self, players: int) -> events.Deck:
        """The deck that so many players use."""
        counts: Counter[Card] = Counter()
        for card, count, least in self.deck:
            if least <= players:
                counts[card] += count
        return events.Deck(tuple(counts), tuple(counts.values()))


def example_cards() -> CardData:
    """The made-up example that ships with the project."""
    text = resources.files(__package__).joinpath("example_cards.json").read_text(encoding="utf-8")
    return card_data_from_json(json.loads(text))


def card_data_from_json(data: Any) -> CardData:
    if not isinstance(data, Mapping):
        raise InvalidInput("card data is a JSON object with characters, rewards, deck, quests and items")
    characters = data.get("characters", {})
    if not isinstance(characters, Mapping) or not set(characters) <= set(HEROES):
        raise InvalidInput(f'"characters" names some of {", ".join(HEROES)}')
    return CardData(
        characters={who: _character(one, who) for who, one in characters.items()},
        rewards=_numbers(data, "rewards", "the card data"),
        deck=tuple(_deck_line(one) for one in _objects(data, "deck")),
        quests=tuple(_quest(one) for one in _objects(data, "quests")),
        items=tuple(_item(one) for one in _objects(data, "items")),
        example=data.get("example") is True,
    )


def _character(data: Any, who: str) -> Character:
    if not isinstance(data, Mapping):
        raise InvalidInput(f"the {who}'s card must be an object")
    helps = data.get("helps")
    if helps is not None and helps not in SYMBOLS:
        raise InvalidInput(f"the {who} helps with one of {', '.join(SYMBOLS)}")
    return Character(_numbers(data, "level_gold", f"the {who}"), _numbers(data, "hand_sizes", f"the {who}"), helps)


def _deck_line(data: Mapping[str, Any]) -> tuple[Card, int, int]:
    card = card_from_text(_text(data, "card", "a line of the deck"))
    return card, _number(data, "count", "a line of the deck", 1), _number(data, "from_players", "a line of the deck", 2)


def _quest(data: Mapping[str, Any]) -> tuple[int, Quest]:
    name = _text(data, "name", "a quest")
    quest = Quest(name, _needs(data, "needs", name), _number(data, "gold", name, 0), _number(data, "points", name, 0))
    return _number(data, "level", name, 1), quest


def _item(data: Mapping[str, Any]) -> tuple[str, int, Item]:
    name = _text(data, "name", "an item")
    tier = data.get("tier")
    if tier not in TIERS:
        raise InvalidInput(f"{name}: its tier must be one of {', '.join(TIERS)}")
    item = Item(name, _number(data, "points", name, 0), _needs(data, "recharge", name))
    return str(tier), _number(data, "keys", name, 1), item


def _objects(data: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    found = data.get(key, [])
    if not isinstance(found, list) or not all(isinstance(one, Mapping) for one in found):
        raise InvalidInput(f'"{key}" must be a list of objects')
    return found


def _needs(data: Mapping[str, Any], key: str, what: str) -> tuple[Need, ...]:
    found = data.get(key, [])
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise InvalidInput(f'{what}: "{key}" must be a list of symbols')
    return tuple(need_from_text(one) for one in found)


def _numbers(data: Mapping[str, Any], key: str, what: str) -> tuple[int, ...]:
    found = data.get(key, [])
    if not isinstance(found, list) or not all(type(one) is int and one > 0 for one in found):
        raise InvalidInput(f'{what}: "{key}" must be a list of whole numbers')
    return tuple(found)


def _number(data: Mapping[str, Any], key: str, what: str, default: int) -> int:
    value = data.get(key, default)
    if type(value) is not int or value < 0:
        raise InvalidInput(f'{what}: "{key}" must be a whole number')
    return value


def _text(data: Mapping[str, Any], key: str, what: str) -> str:
    value = data.get(key)
    if not isinstance(value, str) or not value:
        raise InvalidInput(f'{what}: "{key}" must be a text')
    return value
