"""What a hero has use for, as weights: quests on the table, items to recharge, keys to buy with, the next fight."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Final

from companion.games.dungeon_hustle.advice import Advice, Wants, best_wanted_run
from companion.games.dungeon_hustle.board import CORNERS, Spot
from companion.games.dungeon_hustle.chances import fight_odds
from companion.games.dungeon_hustle.costs import Cost, keys_cost, payments
from companion.games.dungeon_hustle.position import LAST_DUNGEON_LEVEL, Hero, Position
from companion.games.dungeon_hustle.runs import ENTRANCE


@dataclass(frozen=True)
class Tastes:
    """How much a card matters for each use, in gold. Any card has some worth: it can be lost in another's stead."""

    any_card: float = 1.0
    for_quest: float = 1.5  # a card that a face-up quest still lacks: quests bring gold and points
    for_recharge: float = 1.0  # a card that a discharged item lacks
    key: float = 0.5  # towards an item, whatever it is
    sword: float = 0.5  # towards a fight
    lost_card: float = 1.0  # what a lost fight costs
    unknown_reward: float = 2.0  # for a monster, where nobody entered the level track
    trove: float = 0.5  # choosing one of three items rather than taking the top one, if the hero can buy


TASTES: Final = Tastes()


def wants_of(position: Position, hero: Hero, tastes: Tastes = TASTES) -> Wants:
    symbols: defaultdict[str, float] = defaultdict(float)
    faces: defaultdict[tuple[str, str], float] = defaultdict(float)
    symbols["key"] += tastes.key
    symbols["sword"] += tastes.sword
    costs = [(corner.quest.cost, tastes.for_quest) for corner in position.corners if corner.face_up and corner.quest]
    costs += [(Cost(item.recharge), tastes.for_recharge) for item in hero.items if not item.charged]
    for cost, worth in costs:
        if next(payments(cost, hero.hand), None) is None:
            _add_lacking(cost, hero, worth, symbols, faces)
    return Wants(tastes.any_card, dict(symbols), {}, dict(faces), _ends(position, hero, tastes))


def _add_lacking(
    cost: Cost, hero: Hero, worth: float, symbols: dict[str, float], faces: dict[tuple[str, str], float]
) -> None:
    """A symbol is lacking where the cost names it more often than the hand has it in colours that count."""
    held = {(card.colour, card.symbol) for card in hero.hand}
    for symbol, needed in Counter(need.symbol for need in cost.needs if need.colour is None).items():
        if sum(kind == symbol for _, kind in held) < needed:
            symbols[symbol] += worth
    for need in cost.needs:
        if need.colour is not None and (need.colour, need.symbol) not in held:
            faces[need.colour, need.symbol] += worth


def _ends(position: Position, hero: Hero, tastes: Tastes) -> dict[Spot, float]:
    ends: dict[Spot, float] = {}
    track = position.rewards
    reward = track[min(position.level, len(track)) - 1] if len(track) >= LAST_DUNGEON_LEVEL else tastes.unknown_reward
    odds = fight_odds(position, hero)
    for space in position.monsters if odds is not None else ():
        assert odds is not None
        ends[space] = float(odds.defend) * reward - float(1 - odds.defend) * tastes.lost_card
    for name in CORNERS:
        corner = position.corner(name)
        if corner.face_up and corner.quest and next(payments(corner.quest.cost, hero.hand), None) is not None:
            ends[name] = float(corner.quest.gold + corner.quest.points)
    if position.trove is not None and next(payments(keys_cost(1), hero.hand), None) is not None:
        ends[position.trove] = tastes.trove
    return ends


def advise(position: Position, hero: Hero, wants: Wants | None = None) -> Advice:
    """The best run for a hero as the position stands, with their reward power if it is theirs to use."""
    return best_wanted_run(
        position.table_for(hero),
        ENTRANCE if hero.spot is None else hero.spot,
        wants_of(position, hero) if wants is None else wants,
        recolour=hero.reward and hero.who != "rogue",
        leap=hero.reward and hero.who == "rogue",
    )
