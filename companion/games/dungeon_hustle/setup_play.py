"""The setup's events: who plays, what lies where, the first player."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any, Final

from companion.errors import IllegalMove
from companion.games.dungeon_hustle import events
from companion.games.dungeon_hustle.board import CORNERS, INNER_CARD, opposite
from companion.games.dungeon_hustle.house import HouseRules
from companion.games.dungeon_hustle.notation import card_text
from companion.games.dungeon_hustle.position import (
    CARDS_FOR_PLAYERS,
    ESCAPE_LIMITS,
    Corner,
    Hero,
    Kind,
    Position,
    seen_cards,
)
from companion.games.dungeon_hustle.state import hero_of, in_phase
from companion.tiles import CARD_SPACES, HEROES, SYMBOLS


def player(position: Position, event: events.Player) -> Position:
    in_phase(position, "setup")
    if not event.name.strip():
        raise IllegalMove("a player needs a name")
    if event.hero not in HEROES:
        raise IllegalMove(f"{event.hero} is no hero; choose among {', '.join(HEROES)}")
    if any(event.hero == hero.who or event.name in (hero.player, hero.who) for hero in position.heroes):
        raise IllegalMove(f"{event.name} or the {event.hero} is taken")
    if event.helps is not None and event.helps not in SYMBOLS:
        raise IllegalMove(f"a helping power is charged with one of {', '.join(SYMBOLS)}")
    if any(number < 1 for number in (*event.level_gold, *event.hand_sizes)):
        raise IllegalMove("levels cost at least one gold and hands hold at least one card")
    hero = Hero(
        event.name, event.hero, level_gold=event.level_gold, hand_sizes=event.hand_sizes, helps=event.helps
    )  # fmt: skip
    return replace(position, heroes=(*position.heroes, hero))


def deck(position: Position, event: events.Deck) -> Position:
    in_phase(position, "setup")
    if len(event.cards) != len(event.counts) or min(event.counts, default=0) < 1:
        raise IllegalMove("each face needs a count of one or more")
    if len(set(event.cards)) != len(event.cards):
        raise IllegalMove("a face is listed twice")
    return replace(position, box=tuple(Kind(*pair) for pair in zip(event.cards, event.counts, strict=True)))


def layout(position: Position, event: events.Layout) -> Position:
    """Quests lie on three corners; the two beside the Treasure Trove show theirs, the one across is where monsters
    appear first."""
    in_phase(position, "setup")
    if event.trove not in CORNERS or event.stairs not in CORNERS:
        raise IllegalMove(f"corners are {', '.join(CORNERS)}")
    spawn = opposite(event.trove)
    corners = tuple(Corner(0 if c == event.trove else 3, face_up=c not in (event.trove, spawn)) for c in CORNERS)
    return replace(
        position, trove=event.trove, stairs=event.stairs, spawn=spawn, rewards=event.rewards, corners=corners
    )


def difficulty(position: Position, event: events.Difficulty) -> Position:
    in_phase(position, "setup")
    if event.level not in ESCAPE_LIMITS:
        raise IllegalMove(f"the escape track is set to {', '.join(ESCAPE_LIMITS)}")
    return replace(position, escape_limit=ESCAPE_LIMITS[event.level])


def house(position: Position, event: events.House) -> Position:
    in_phase(position, "setup")
    return replace(position, house=HouseRules(**asdict(event)))


def charge(position: Position, event: events.Charge) -> Position:
    """At setup each helping power is charged with a card from the deck."""
    if event.player is None:
        raise IllegalMove("say whose helping power is charged: player=")
    hero = hero_of(position, event.player)
    if hero.helps not in (None, event.card.symbol):
        raise IllegalMove(f"the {hero.who}'s helping power is charged with a {hero.helps}")
    return position.with_hero(replace(hero, help_card=event.card))


def start(position: Position, event: events.Start) -> Position:
    in_phase(position, "setup")
    if len(position.heroes) not in CARDS_FOR_PLAYERS:
        raise IllegalMove(f"two to four play, not {len(position.heroes)}")
    if position.trove is None:
        raise IllegalMove("say first where the corners lie: layout trove= stairs=")
    if len(position.board) != len(CARD_SPACES):
        raise IllegalMove("the 36 cards of the board are missing: board cards=")
    in_play = seen_cards(position)
    total = sum(kind.count for kind in position.box) or CARDS_FOR_PLAYERS[len(position.heroes)]
    for kind in position.box:
        if in_play[kind.card] > kind.count:
            raise IllegalMove(f"{in_play[kind.card]} {card_text(kind.card)} lie open and the deck has {kind.count}")
    first = hero_of(position, event.first)
    monsters = sorted(INNER_CARD[corner] for corner in CORNERS if corner != position.trove)
    return replace(
        position,
        phase="hustle",
        turn=position.heroes.index(first),
        monsters=tuple(monsters),
        deck_left=total - in_play.total(),
    )


RULES: Final[dict[type, Callable[[Position, Any], Position]]] = {
    events.Player: player,
    events.Deck: deck,
    events.Layout: layout,
    events.Difficulty: difficulty,
    events.House: house,
    events.Start: start,
}
