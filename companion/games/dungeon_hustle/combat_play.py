"""Phase 3, as events: the draw, the reflip, the attack, the retreat (rulings H19, H22)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

from companion.errors import IllegalMove
from companion.games.dungeon_hustle import events
from companion.games.dungeon_hustle.board import BESIDE, spot_text
from companion.games.dungeon_hustle.combat import added_power, draw_size
from companion.games.dungeon_hustle.position import LAST_DUNGEON_LEVEL, Fight, Position
from companion.games.dungeon_hustle.state import discarded, drawn, in_phase, levelled, paid
from companion.tiles import CARD_SPACES, Space


def engaged(position: Position, at: Space) -> Position:
    return replace(position, phase="combat", fight=Fight(at, position.hero.level), fought=True)


def fight(position: Position, event: events.Fight) -> Position:
    """A battle from a distance, which some items and powers allow: not from a corner, and one battle a turn."""
    in_phase(position, "quest")
    if isinstance(position.hero.spot, str) or position.fought:
        raise IllegalMove("one monster may be fought in a turn, and none from a corner")
    if event.at not in position.monsters:
        raise IllegalMove(f"no monster stands on {spot_text(event.at)}")
    return engaged(position, event.at)


def flip(position: Position, event: events.Flip) -> Position:
    fight = _fight(position)
    if fight.power is not None:
        raise IllegalMove("the monster has drawn already: attack, defend or retreat")
    if len(event.cards) != draw_size(position.level):
        raise IllegalMove(f"the monster draws {draw_size(position.level)} cards here, not {len(event.cards)}")
    if any(card.attack is None or card.symbol is None for card in event.cards):
        raise IllegalMove("name the symbol and attack icon of each card drawn")
    both = position.house.sword_and_icon_add_two
    power = fight.base + sum(added_power(card, both) for card in event.cards)
    position = discarded(drawn(position, len(event.cards)), event.cards)
    return replace(position, fight=replace(fight, power=power))


def reflip(position: Position, event: events.Reflip) -> Position:
    fight = _fight(position)
    if fight.power is None or fight.defended:
        raise IllegalMove("defending comes after the draw, once in a combat")
    if event.shield.symbol != "shield":
        raise IllegalMove("only a shield defends")
    return replace(paid(position, (event.shield,)), fight=replace(fight, power=None, defended=True))


def attack(position: Position, event: events.Attack) -> Position:
    fight = _fight(position)
    if fight.power is None:
        raise IllegalMove("the monster draws first: flip cards=")
    if any(card.symbol != "sword" for card in event.swords) or event.bonus < 0:
        raise IllegalMove("an attack takes swords, and a bonus that is not negative")
    if len(event.swords) + event.bonus < fight.power:
        raise IllegalMove(f"an attack of {len(event.swords) + event.bonus} does not reach the monster's {fight.power}")
    reward = event.gold
    if reward is None:
        if len(position.rewards) < LAST_DUNGEON_LEVEL:
            raise IllegalMove("say how much gold the level track gives: gold=")
        reward = position.rewards[min(position.level, LAST_DUNGEON_LEVEL) - 1]
    position = paid(position, event.swords)
    hero = levelled(replace(position.hero, gold=position.hero.gold + reward))
    monsters = tuple(at for at in position.monsters if at != fight.at)
    return replace(position.with_hero(hero), monsters=monsters, fight=None, phase="quest")


def retreat(position: Position, event: events.Retreat) -> Position:
    """A card at random, and away from the monster's card where a space beside it is empty."""
    fight = _fight(position)
    if fight.power is None:
        raise IllegalMove("the monster draws first: flip cards=")
    hero = position.hero
    if (event.lost is None) != (not hero.hand):
        raise IllegalMove("a lost fight costs one card, unless the hand is empty: lost=")
    if event.lost is not None:
        position = paid(position, (event.lost,))
    position = replace(position, fight=None, phase="quest")
    ways = empty_beside(position, fight.at) if hero.spot == fight.at else ()
    if not ways and hero.spot == fight.at and not position.house.cornered_hero_stays:
        ways = empty_cards(position, CARD_SPACES)
    if event.to not in (ways or (None,)):
        choice = ", ".join(map(spot_text, ways)) or "none: stay"
        raise IllegalMove(f"a lost fight moves to an empty space beside; these are {choice}")
    return position if event.to is None else position.with_hero(replace(position.hero, spot=event.to))


def empty_beside(position: Position, at: Space) -> tuple[Space, ...]:
    return empty_cards(position, (spot for spot in BESIDE[at] if isinstance(spot, tuple)))


def empty_cards(position: Position, spaces: Iterable[Space]) -> tuple[Space, ...]:
    taken = {*position.monsters, *(hero.spot for hero in position.heroes)}
    return tuple(space for space in spaces if space not in taken)


def _fight(position: Position) -> Fight:
    in_phase(position, "combat")
    assert position.fight is not None
    return position.fight


RULES: Final[dict[type, Callable[[Position, Any], Position]]] = {
    events.Fight: fight,
    events.Flip: flip,
    events.Reflip: reflip,
    events.Attack: attack,
    events.Retreat: retreat,
}
