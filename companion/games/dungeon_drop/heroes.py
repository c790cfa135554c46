"""A hero as far as one room is concerned: health, damage, what the stash offers, and what gems are worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from companion.errors import InvalidInput
from companion.games.dungeon_drop.quests import NO_QUEST, Quest, quest_from_json

DAMAGE: Final[Mapping[str, int]] = {"goblin": 1, "troll": 2, "dragon": 8}
POTION_HEALS: Final = 3


@dataclass(frozen=True)
class Hero:
    """
    >>> hero = Hero(health=8, damage=5, potions=1)
    >>> hero.can_take(5), hero.can_take(6)
    (True, False)
    """

    health: int
    damage: int = 0
    shields: int = 0
    potions: int = 0
    quest: Quest = field(default=NO_QUEST)

    def can_take(self, damage: int) -> bool:
        """D8: the last health point is never covered, all potions drunk beforehand."""
        return damage + self.damage_after_potions <= self.health - 1

    @property
    def damage_after_potions(self) -> int:
        return max(0, self.damage - POTION_HEALS * self.potions)


def hero_from_json(data: Any) -> Hero | None:
    """A hero as FORMATS.md has it; None where there is none."""
    if data is None:
        return None
    if not isinstance(data, Mapping):
        raise InvalidInput('"hero" must be a JSON object')
    if "health" not in data:
        raise InvalidInput('"hero" needs its "health", the number of hearts on the race card')
    numbers = {key: count_from_json(data.get(key, 0), f"the hero's {key}") for key in _NUMBERS}
    return Hero(**numbers, quest=quest_from_json(data.get("quest")))


_NUMBERS: Final = ("health", "damage", "shields", "potions")


def count_from_json(value: Any, what: str, least: int = 0, most: int = 1_000_000) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InvalidInput(f"{what} must be a whole number from {least} to {most}, not {value!r}")
    return value
