"""The position as JSON, for the page and for other programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from companion.games.dungeon_hustle.board import CORNERS, spot_json
from companion.games.dungeon_hustle.costs import Cost, keys_cost, need_text, payments
from companion.games.dungeon_hustle.position import Hero, Position, Quest
from companion.games.dungeon_hustle.problems import position_problems
from companion.games.dungeon_hustle.scoring import scores, sheet
from companion.tiles import Card, Cell

# What may happen next in each phase, besides corrections and notes.
NEXT = {
    "setup": ("player", "deck", "layout", "difficulty", "house", "board", "charge", "start"),
    "hustle": ("hustle", "help", "use"),
    "replace": ("replace",),
    "attacks": ("defend", "lose"),
    "combat": ("help", "use", "flip", "reflip", "attack", "retreat"),
    "quest": ("complete", "fight", "help", "use", "reveal"),
    "rest": ("buy", "recharge", "charge", "discard", "end"),
    "over": (),
}


def cells(position: Position) -> tuple[Cell, ...]:
    """The board with who stands on it, as FORMATS has it. Of two heroes on one card the one whose turn it is shows."""
    standing = {hero.spot: hero.who for hero in position.heroes if isinstance(hero.spot, tuple)}
    if position.has_turn and isinstance(position.hero.spot, tuple):
        standing[position.hero.spot] = position.hero.who
    made = []
    gone = Card(None, None, None)
    for (row, col), card in position.cards.items():
        hero, monster = standing.get((row, col)), (row, col) in position.monsters
        occupant = hero or ("monster" if monster else None)
        face = gone if (row, col) in position.to_replace else card
        made.append(Cell(row, col, face, occupant, "monster" if hero and monster else None))
    return tuple(made)


def view(position: Position) -> dict[str, Any]:
    return {
        "game": "dungeon-hustle",
        "phase": position.phase,
        "next": list(NEXT.get(position.phase, ())),
        "turn": position.hero.player if position.has_turn else None,
        "heroes": [_hero(hero, position) for hero in position.heroes],
        "cells": [cell.as_json() for cell in cells(position)],
        "monsters": [list(space) for space in position.monsters],
        "corners": {name: _corner(position, name) for name in CORNERS[: len(position.corners)]},
        "spawn_corner": position.spawn,
        "escaped": position.escaped,
        "escape_limit": position.escape_limit,
        "level": position.level,
        "deck_left": position.deck_left,
        "exhausted": position.exhausted,
        "discards": [card.as_json() for card in position.discards],
        "to_replace": [list(space) for space in position.to_replace],
        "attacks": position.attacks,
        "fight": _fight(position),
        "revealed": None if position.revealed is None else position.revealed.as_json(),
        "monsters_win": position.monsters_won,
        "house": asdict(position.house),
        "problems": [problem.as_json() for problem in position_problems(position)],
        "score": sheet(scores(position), position.monsters_won),
    }


def _hero(hero: Hero, position: Position) -> dict[str, Any]:
    return {
        "player": hero.player,
        "hero": hero.who,
        "spot": "entrance" if hero.spot is None else spot_json(hero.spot),
        "hand": [card.as_json() for card in hero.hand],
        "hand_size": hero.hand_size,
        "gold": hero.gold,
        "level": hero.level,
        "next_level_gold": hero.level_gold[hero.level - 1] if 1 <= hero.level <= len(hero.level_gold) else None,
        "items": [
            {"name": item.name, "points": item.points, "charged": item.charged}
            | {"recharge": [need_text(need) for need in item.recharge]}
            | {"payable": not item.charged and _payable(Cost(item.recharge), hero)}
            for item in hero.items
        ],
        "quests": [_quest(quest) for quest in hero.quests],
        "helping": {
            "charged": None if hero.help_card is None else hero.help_card.as_json(),
            "reward": hero.reward,
            "symbol": hero.helps,
        },
        "turns": hero.turns,
        "can_pay": {
            "quests": list(_payable_quests(hero, position)),
            "keys": max((n for n in range(6) if _payable(keys_cost(n), hero)), default=0),
        },
    }


def _payable_quests(hero: Hero, position: Position) -> Iterator[str]:
    for name in CORNERS[: len(position.corners)]:
        quest = position.corner(name).quest
        if quest is not None and _payable(quest.cost, hero):
            yield name


def _payable(cost: Cost, hero: Hero) -> bool:
    return next(payments(cost, hero.hand), None) is not None


def _corner(position: Position, name: str) -> dict[str, Any]:
    corner = position.corner(name)
    return {
        "trove": name == position.trove,
        "stairs": name == position.stairs,
        "spawn": name == position.spawn,
        "quests_left": corner.quests_left,
        "face_up": corner.face_up,
        "quest": None if corner.quest is None else _quest(corner.quest),
    }


def _quest(quest: Quest) -> dict[str, Any]:
    needs = [need_text(need) for need in quest.needs]
    return {"name": quest.name, "needs": needs, "gold": quest.gold, "points": quest.points}


def _fight(position: Position) -> dict[str, Any] | None:
    fight = position.fight
    if fight is None:
        return None
    return {"at": list(fight.at), "base": fight.base, "power": fight.power, "defended": fight.defended}
