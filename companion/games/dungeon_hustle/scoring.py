"""The end: five points a level, one for each gold, and what items and quests print. No scores where monsters win."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from companion.errors import InvalidInput
from companion.games.dungeon_hustle.position import TOP_LEVEL, Position

POINTS_A_LEVEL: Final = 5


@dataclass(frozen=True)
class Score:
    name: str
    levels: int
    gold: int
    items: int
    quests: int

    @property
    def total(self) -> int:
        return self.levels + self.gold + self.items + self.quests

    def as_json(self) -> dict[str, Any]:
        parts = {"levels": self.levels, "gold": self.gold, "items": self.items, "quests": self.quests}
        return {"name": self.name, "total": self.total, "parts": parts}


def scores(position: Position) -> tuple[Score, ...]:
    """Each hero's score as things stand; none where the monsters have won."""
    if position.monsters_won:
        return ()
    return tuple(
        Score(
            hero.player,
            POINTS_A_LEVEL * hero.level,
            hero.gold,
            sum(item.points for item in hero.items),
            sum(quest.points for quest in hero.quests),
        )
        for hero in position.heroes
    )


def sheet(results: Sequence[Score], monsters_win: bool = False) -> dict[str, Any]:
    """The score sheet. The rulebook breaks no ties: where several share the most, `winner` is null."""
    most = max((score.total for score in results), default=0)
    winners = [score.name for score in results if score.total == most]
    return {
        "scores": [score.as_json() for score in results],
        "winner": winners[0] if len(winners) == 1 else None,
        "winners": winners,
        "monsters_win": monsters_win,
    }


def answer_score(question: Mapping[str, Any]) -> dict[str, Any]:
    """The score sheet of heroes as entered: level, gold, and the points on their items and quests.

    >>> answer_score({"heroes": [{"name": "Anna", "level": 3, "gold": 4, "items": [2, 1], "quests": [5]}]})["winner"]
    'Anna'
    """
    if question.get("monsters_win") is True:
        return sheet((), monsters_win=True)
    heroes = question.get("heroes")
    if not isinstance(heroes, list) or not heroes:
        raise InvalidInput('"heroes" must be a list of heroes')
    return sheet([_score(hero, number) for number, hero in enumerate(heroes, 1)])


def _score(hero: Any, number: int) -> Score:
    if not isinstance(hero, Mapping) or not isinstance(hero.get("name"), str):
        raise InvalidInput(f"hero {number} needs a name")
    name = hero["name"]
    level = _points(hero.get("level", 1), f"{name}'s level")
    if not 1 <= level <= TOP_LEVEL:
        raise InvalidInput(f"{name}'s level must be from 1 to {TOP_LEVEL}")
    return Score(
        name,
        POINTS_A_LEVEL * level,
        _points(hero.get("gold", 0), f"{name}'s gold"),
        _sum(hero.get("items", []), f"{name}'s items"),
        _sum(hero.get("quests", []), f"{name}'s quests"),
    )


def _sum(values: Any, what: str) -> int:
    if not isinstance(values, list):
        raise InvalidInput(f"{what} must be a list of points, or of objects with points")
    return sum(_points(value.get("points") if isinstance(value, Mapping) else value, what) for value in values)


def _points(value: Any, what: str) -> int:
    if type(value) is not int or value < 0:
        raise InvalidInput(f"{what}: a whole number, not negative, is needed, not {value!r}")
    return value
