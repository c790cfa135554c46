"""The rules of a turn: each event checked against the position and applied to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from companion.errors import IllegalMove
from companion.games.dungeon_hustle import combat_play, events, setup_play, table_play
from companion.games.dungeon_hustle.board import CORNERS, Spot, spot_text
from companion.games.dungeon_hustle.chances import revealed_phase
from companion.games.dungeon_hustle.costs import Cost, keys_cost, pays
from companion.games.dungeon_hustle.legal import can_go_on, checked_run
from companion.games.dungeon_hustle.position import (
    LAST_DUNGEON_LEVEL,
    TIERS,
    Corner,
    Hero,
    Item,
    Position,
    sorted_cards,
)
from companion.games.dungeon_hustle.problems import shape_problems
from companion.games.dungeon_hustle.runs import ENTRANCE
from companion.games.dungeon_hustle.state import discarded, drawn, in_phase, item_named, levelled, paid


def play(position: Position, event: Any) -> Position:
    """The position after the event; IllegalMove where the rules say no."""
    if position.phase == "over":
        raise IllegalMove("the game is over; undo the last event to change it")
    for problem in shape_problems(position):
        raise IllegalMove(f"this position cannot be played on. {problem.message}")
    return _RULES[type(event)](position, event)


def hustle(position: Position, event: events.Hustle) -> Position:
    in_phase(position, "hustle")
    hero = position.hero
    start: Spot = ENTRANCE if hero.spot is None else hero.spot
    hero = _spend_power(position, event)
    run = checked_run(
        position.table_for(hero), start, event.colour, event.path, recolour=event.recolour, leap=event.leap
    )
    end = event.path[-1]
    if not position.house.may_stop_early and can_go_on(position.table_for(hero), start, run, event.recolour):
        raise IllegalMove(f"at this table a run goes on while it can, and from {spot_text(end)} it can")
    cards = position.cards
    hero = replace(hero, spot=end, hand=sorted_cards([*hero.hand, *(cards[space] for space in run.picks)]))
    after = replace(position.with_hero(hero), to_replace=run.picks, phase="replace" if run.picks else "attacks")
    return after if run.picks else _after_attacks(after)


def _spend_power(position: Position, event: events.Hustle) -> Hero:
    """Recolouring a card and jumping over one each take a power: a reward, an item, or another player's help."""
    hero = position.hero
    wants = [name for name in ("recolour", "leap") if getattr(event, name) is not None]
    if not wants and event.by is None:
        return hero
    if len(wants) != 1 or event.by is None:
        raise IllegalMove("recolouring a card or jumping over one takes one power: name it in by=")
    if event.by == "reward":
        if not hero.reward:
            raise IllegalMove(f"{hero.player}'s helping card does not show its reward side")
        if (hero.who == "rogue") != (wants == ["leap"]):
            raise IllegalMove(f"the {hero.who}'s reward does not {wants[0]}")
        return replace(hero, reward=False)
    if event.by == "help":
        if not position.helped:
            raise IllegalMove("nobody has helped this turn: record the help first")
        return hero
    return used(hero, event.by)


def used(hero: Hero, name: str) -> Hero:
    item = item_named(hero, name)
    if not item.charged:
        raise IllegalMove(f"{name} is discharged")
    return _with_item(hero, replace(item, charged=False))


def _with_item(hero: Hero, item: Item) -> Hero:
    return replace(hero, items=tuple(item if one.name == item.name else one for one in hero.items))


def replace_cards(position: Position, event: events.Replace) -> Position:
    in_phase(position, "replace")
    spaces = position.to_replace
    if len(event.cards) != len(spaces):
        raise IllegalMove(f"{len(spaces)} cards were picked up, {len(event.cards)} laid")
    if unknown := [card for card in event.cards if card.attack is None]:
        raise IllegalMove(f"say whether the new card {unknown[0].colour} {unknown[0].symbol} shows an attack icon")
    new = dict(zip(spaces, event.cards, strict=True))
    board = tuple(new.get(space, card) for space, card in position.cards.items())
    attacks = sum(card.attack is True for card in event.cards)
    position = drawn(position, len(event.cards))
    return _after_attacks(replace(position, board=board, to_replace=(), attacks=attacks, phase="attacks"))


def defend(position: Position, event: events.Defend) -> Position:
    in_phase(position, "attacks")
    if event.card.symbol != "shield":
        raise IllegalMove("only a shield defends")
    return _after_attacks(replace(paid(position, (event.card,)), attacks=position.attacks - 1))


def lose(position: Position, event: events.Lose) -> Position:
    in_phase(position, "attacks")
    return _after_attacks(replace(paid(position, (event.card,)), attacks=position.attacks - 1))


def _after_attacks(position: Position) -> Position:
    """On to combat or quests, once all attacks are answered or nothing is left to lose (ruling H14)."""
    if position.attacks and position.hero.hand:
        return position
    position = replace(position, attacks=0)
    if position.hero.spot in position.monsters:
        return combat_play.engaged(position, position.hero.spot)
    return replace(position, phase="quest")


def complete(position: Position, event: events.Complete) -> Position:
    in_phase(position, "quest")
    here = position.hero.spot
    if not isinstance(here, str) or not position.corner(here).face_up:
        raise IllegalMove("a quest is done on a corner whose quest lies face up")
    corner = position.corner(here)
    if corner.quest is None:
        raise IllegalMove(f"enter what the quest at {here} says first")
    if not pays(corner.quest.cost, event.pay):
        raise IllegalMove(f"these cards do not pay for {corner.quest.name}; cards of one type must differ in colour")
    position = paid(position, event.pay)
    hero = position.hero
    hero = replace(hero, quests=(*hero.quests, corner.quest), gold=hero.gold + corner.quest.gold)
    position = position.with_hero(levelled(hero)).with_corner(here, Corner(corner.quests_left - 1))
    old = position.corner(position.spawn) if position.spawn else Corner()
    if position.spawn is not None and old.quests_left:
        position = position.with_corner(position.spawn, replace(old, face_up=True))
    return replace(position, spawn=here if position.house.empty_corner_spawns else _next_with_quests(position, here))


def _next_with_quests(position: Position, corner: str) -> str:
    """The first corner clockwise, this one included, that has a quest left; this one where none has."""
    at = CORNERS.index(corner)
    ring = CORNERS[at:] + CORNERS[:at]
    return next((name for name in ring if position.corner(name).quests_left), corner)


def reveal(position: Position, event: events.Reveal) -> Position:
    in_phase(position, "quest")
    if event.card.colour is None or event.card.symbol is None:
        raise IllegalMove("the turned-up card needs its colour and its symbol")
    phase = revealed_phase(position, event.card)
    position = discarded(drawn(position, 1), (event.card,))
    return replace(
        position,
        monsters=tuple(sorted(phase.monsters)),
        escaped=phase.escaped,
        revealed=event.card,
        monsters_won=phase.monsters_win,
        phase="over" if phase.monsters_win else "rest",
    )


def buy(position: Position, event: events.Buy) -> Position:
    in_phase(position, "rest")
    if position.bought:
        raise IllegalMove("one item may be bought in a turn")
    if event.tier not in TIERS:
        raise IllegalMove(f"items are {', '.join(TIERS)}")
    if not event.pay or not pays(keys_cost(len(event.pay)), event.pay):
        raise IllegalMove("an item is paid for with keys of different colours")
    position = paid(position, event.pay)
    item = Item(event.item, event.points, event.recharge)
    return replace(position.with_hero(table_play.with_new_item(position.hero, item, event.drop)), bought=True)


def recharge(position: Position, event: events.Recharge) -> Position:
    in_phase(position, "rest")
    item = item_named(position.hero, event.item)
    if item.charged or item.name in position.recharged:
        raise IllegalMove(f"{item.name} is {'charged already' if item.charged else 'recharged once a turn'}")
    if not pays(Cost(item.recharge), event.pay):
        raise IllegalMove(f"these cards do not recharge {item.name}")
    position = paid(position, event.pay)
    position = position.with_hero(_with_item(position.hero, replace(item, charged=True)))
    return replace(position, recharged=(*position.recharged, item.name))


def charge(position: Position, event: events.Charge) -> Position:
    if position.phase == "setup":
        return setup_play.charge(position, event)
    in_phase(position, "rest")
    hero = position.hero
    if event.player not in (None, hero.player):
        raise IllegalMove(f"it is {hero.player}'s turn to rest")
    if hero.help_card is not None or hero.reward:
        raise IllegalMove(f"{hero.player}'s helping card {'shows its reward' if hero.reward else 'is charged'}")
    if hero.helps is not None and event.card.symbol != hero.helps:
        raise IllegalMove(f"the {hero.who}'s helping power is charged with a {hero.helps}")
    hero = paid(position, (event.card,), to_discards=False).hero
    return position.with_hero(replace(hero, help_card=event.card))


def discard(position: Position, event: events.Discard) -> Position:
    in_phase(position, "rest")
    return paid(position, event.cards)


def use(position: Position, event: events.Use) -> Position:
    if position.phase == "setup":
        raise IllegalMove("the game has not started")
    return position.with_hero(used(position.hero, event.item))


def end(position: Position, _: events.End) -> Position:
    in_phase(position, "rest")
    hero = position.hero
    if hero.hand_size is not None and len(hero.hand) > hero.hand_size:
        raise IllegalMove(f"{hero.player} holds {len(hero.hand)} cards and may keep {hero.hand_size}: discard first")
    position = position.with_hero(replace(hero, turns=hero.turns + 1))
    level = min(position.level + position.exhausted, LAST_DUNGEON_LEVEL + 1)
    equal = len({one.turns for one in position.heroes}) == 1
    return replace(
        position,
        level=level,
        exhausted=False,
        turn=(position.turn + 1) % len(position.heroes),
        phase="over" if level > LAST_DUNGEON_LEVEL and equal else "hustle",
        fought=False,
        helped=False,
        bought=False,
        recharged=(),
    )


_RULES: Final[dict[type, Callable[[Position, Any], Position]]] = {
    **setup_play.RULES,
    **table_play.RULES,
    **combat_play.RULES,
    events.Hustle: hustle,
    events.Replace: replace_cards,
    events.Defend: defend,
    events.Lose: lose,
    events.Complete: complete,
    events.Reveal: reveal,
    events.Buy: buy,
    events.Recharge: recharge,
    events.Charge: charge,
    events.Discard: discard,
    events.Use: use,
    events.End: end,
}
