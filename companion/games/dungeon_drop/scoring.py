"""The final count: gold, gems by quest, monsters, paired chests, teamwork, bonuses; every sum laid open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from companion.errors import InvalidInput
from companion.games.dungeon_drop.heroes import count_from_json
from companion.games.dungeon_drop.quests import GEMS, NO_QUEST, Cubes, Quest, bonus_points, quest_from_json
from companion.pieces import piece_from_json

MONSTERS: Final[Mapping[str, int]] = {"goblin": 0, "troll": 2, "dragon": 8}
PARTS: Final = ("gold", "gems", "monsters", "chests", "teamwork", "bonus")


@dataclass(frozen=True)
class Standing:
    """What a hero brings to the final count."""

    name: str
    initiative: int = 0
    quest: Quest = NO_QUEST
    stash: Cubes = field(default_factory=Counter)
    chest_rolls: tuple[int, ...] = ()
    teamwork: int = 0
    free_bonus: int = 0


@dataclass(frozen=True)
class Score:
    name: str
    parts: Mapping[str, int]

    @property
    def total(self) -> int:
        return sum(self.parts.values())

    def as_json(self) -> dict[str, Any]:
        return {"name": self.name, "total": self.total, "parts": dict(self.parts)}


def number_of(stash: Cubes, kind: str) -> int:
    return sum(number for (cube, _), number in stash.items() if cube == kind)


def unlocked(stash: Cubes) -> int:
    """D15: how many chests are rolled."""
    return min(number_of(stash, "key"), number_of(stash, "chest"))


def weight(stash: Cubes) -> int:
    """D12: all that is no monster, potions and shields too.

    >>> weight(Counter({("gold", "S"): 2, ("shield", "L"): 1, ("troll", "L"): 3}))
    3
    """
    return sum(number for (kind, _), number in stash.items() if kind not in MONSTERS)


def scored(standings: Sequence[Standing]) -> list[Score]:
    """Each hero's score, in the order given. Fewer chest rolls than paired chests are an error."""
    scores = []
    for hero in standings:
        others = [other.stash for other in standings if other is not hero]
        if len(hero.chest_rolls) < (need := unlocked(hero.stash)):
            raise InvalidInput(
                f"{hero.name} has {need} paired chest{'s' if need > 1 else ''} but {len(hero.chest_rolls)} "
                f"roll{'' if len(hero.chest_rolls) == 1 else 's'}; roll the rest and enter them in chest_rolls"
            )
        parts = {
            "gold": number_of(hero.stash, "gold"),
            "gems": sum(hero.quest.gem_value(*cube) * n for cube, n in hero.stash.items() if cube[0] in GEMS),
            "monsters": sum(MONSTERS.get(kind, 0) * n for (kind, _), n in hero.stash.items()),
            "chests": sum(hero.chest_rolls[:need]),
            "teamwork": hero.teamwork,
            "bonus": sum(bonus_points(b, hero.stash, others) for b in hero.quest.bonuses) + hero.free_bonus,
        }
        scores.append(Score(hero.name, parts))
    return scores


def winner(standings: Sequence[Standing], scores: Sequence[Score]) -> str:
    """D16: most points; among equals the highest starting initiative; and then whoever stands first in the list."""
    best = max(range(len(scores)), key=lambda number: (scores[number].total, standings[number].initiative, -number))
    return scores[best].name


def score_answer(question: dict[str, Any]) -> dict[str, Any]:
    """The score sheet as FORMATS.md has it.

    >>> gold = {"type": "gold", "size": "S"}
    >>> score_answer({"heroes": [{"name": "Red", "initiative": 7, "stash": [gold, gold]}]})["winner"]
    'Red'
    """
    heroes = question.get("heroes")
    if not isinstance(heroes, list) or not heroes:
        raise InvalidInput('"heroes" must be a list with at least one hero')
    standings = [standing_from_json(hero, number) for number, hero in enumerate(heroes, 1)]
    return score_sheet(standings)


def score_sheet(standings: Sequence[Standing]) -> dict[str, Any]:
    scores = scored(standings)
    return {"scores": [score.as_json() for score in scores], "winner": winner(standings, scores)}


def standing_from_json(data: Any, number: int) -> Standing:
    if not isinstance(data, Mapping):
        raise InvalidInput(f"hero {number} is not a JSON object")
    name = data.get("name", f"Hero {number}")
    if not isinstance(name, str) or not name:
        raise InvalidInput(f"hero {number}: its name must be a text")
    rolls = data.get("chest_rolls") or []
    if not isinstance(rolls, list):
        raise InvalidInput(f"{name}: chest_rolls must be a list of numbers from 1 to 6")
    return Standing(
        name=name,
        initiative=count_from_json(data.get("initiative", 0), f"{name}'s initiative"),
        quest=quest_from_json(data.get("quest")),
        stash=stash_from_json([] if data.get("stash") is None else data["stash"], name),
        chest_rolls=tuple(count_from_json(roll, f"{name}'s chest roll", 1, 6) for roll in rolls),
        teamwork=count_from_json(data.get("teamwork", 0), f"{name}'s teamwork"),
        free_bonus=_free_bonus(data.get("bonus", 0), name),
    )


def stash_from_json(data: Any, name: str) -> Cubes:
    """A stash from a list of pieces, as read from a photo or as entered; meeples are no cubes and do not count."""
    if not isinstance(data, list):
        raise InvalidInput(f"{name}: the stash must be a list of cubes")
    pieces = [piece_from_json(item, number) for number, item in enumerate(data, 1)]
    return Counter((piece.type, piece.size) for piece in pieces if piece.type != "meeple")


def _free_bonus(value: Any, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > 1000:
        raise InvalidInput(f"{name}'s bonus must be a whole number of points, not {value!r}")
    return value
