"""Quests as data that players enter from their cards: what gems are worth, and bonuses of a few kinds.

    {"gem-clear": 2, "gem-pink": {"S": 1, "L": 3}, "gem-blue": 4,
     "bonus": [{"kind": "each", "type": "key", "points": 2}]}

A bonus counts cubes of a stash that fit `type` (one or a list) and `size` (both optional: any), and is of one kind:

    each      points for every such cube (or every `per` of them)
    set       points for every complete set of the listed types
    at-least  points once, where there are at least `count` such cubes
    at-most   points once, where there are at most `count`
    most      points where no other hero has more (and this one has any); `shared: false` wants strictly more
    fewest    points where no other hero has fewer; `shared: false` wants strictly fewer
    points    a free number, for anything that no kind covers
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from companion.errors import InvalidInput
from companion.pieces import SIZES, TYPES

GEMS: Final = ("gem-clear", "gem-pink", "gem-blue")
KINDS: Final = ("each", "set", "at-least", "at-most", "most", "fewest", "points")
CUBE_TYPES: Final = tuple(kind for kind in TYPES if kind not in ("pillar", "staircase", "meeple"))
Cubes = Counter[tuple[str, str | None]]  # (type, size) of a stash


@dataclass(frozen=True)
class Bonus:
    kind: str
    points: int
    types: tuple[str, ...] = ()  # empty: any
    size: str | None = None  # None: any
    count: int = 1  # at-least, at-most; "each": how many cubes earn the points once
    shared: bool = True
    note: str = ""

    def as_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {"kind": self.kind, "points": self.points}
        if self.types:
            out["type"] = list(self.types)
        if self.size is not None:
            out["size"] = self.size
        if self.count != 1 or self.kind in ("at-least", "at-most"):
            out["count"] = self.count
        if not self.shared:
            out["shared"] = False
        if self.note:
            out["note"] = self.note
        return out


@dataclass(frozen=True)
class Quest:
    """
    >>> quest = quest_from_json({"gem-pink": {"S": 1, "L": 3}, "gem-blue": 4})
    >>> quest.gem_value("gem-pink", "L"), quest.gem_value("gem-blue", "S"), quest.gem_value("gem-clear", "S")
    (3, 4, 0)
    """

    gems: tuple[tuple[str, str | None, int], ...] = ()  # (type, size or None for any, points)
    bonuses: tuple[Bonus, ...] = ()
    name: str = ""

    def gem_value(self, kind: str, size: str | None) -> int:
        fitting = [(wanted, points) for gem, wanted, points in self.gems if gem == kind and wanted in (None, size)]
        return max(fitting, key=lambda item: item[0] is not None)[1] if fitting else 0

    def as_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {"name": self.name} if self.name else {}
        for kind, size, points in self.gems:
            if size is None:
                out[kind] = points
            else:
                out.setdefault(kind, {})[size] = points
        if self.bonuses:
            out["bonus"] = [bonus.as_json() for bonus in self.bonuses]
        return out

    def __str__(self) -> str:
        return json.dumps(self.as_json(), separators=(",", ":"), ensure_ascii=False)


NO_QUEST: Final = Quest()


def quest_from_json(data: Any) -> Quest:
    if data is None:
        return NO_QUEST
    if not isinstance(data, Mapping):
        raise InvalidInput('"quest" must be a JSON object')
    if unknown := sorted(set(map(str, data)) - {*GEMS, "bonus", "name"}):
        raise InvalidInput(f"a quest cannot hold {unknown[0]!r}; known are {', '.join(GEMS)}, bonus and name")
    gems: list[tuple[str, str | None, int]] = []
    for kind in GEMS:
        value = data.get(kind)
        if isinstance(value, Mapping):
            if not value or not set(value) <= set(SIZES):
                raise InvalidInput(f"the quest's {kind} by size must name S, L or H")
            gems += [
                (kind, size, _points(value[size], f"the quest's {kind} {size}")) for size in SIZES if size in value
            ]
        elif value is not None:
            gems.append((kind, None, _points(value, f"the quest's {kind}")))
    bonuses = data.get("bonus") or []
    if isinstance(bonuses, int) and not isinstance(bonuses, bool):
        bonuses = [{"kind": "points", "points": bonuses}]
    if not isinstance(bonuses, list):
        raise InvalidInput('the quest\'s "bonus" must be a list or a number')
    return Quest(tuple(gems), tuple(map(bonus_from_json, bonuses)), _text(data.get("name", ""), "the quest's name"))


def bonus_from_json(data: Any) -> Bonus:
    """
    >>> bonus_from_json({"kind": "set", "type": ["gem-clear", "gem-pink"], "points": 3}).types
    ('gem-clear', 'gem-pink')
    """
    if not isinstance(data, Mapping) or data.get("kind") not in KINDS:
        raise InvalidInput(f'a bonus needs a "kind", one of {", ".join(KINDS)}')
    if unknown := sorted(set(map(str, data)) - {"kind", "points", "type", "size", "count", "per", "shared", "note"}):
        raise InvalidInput(f"a bonus cannot hold {unknown[0]!r}")
    kind, listed = data["kind"], data.get("type") or []
    types = (listed,) if isinstance(listed, str) else tuple(listed) if isinstance(listed, list) else (None,)
    if not all(item in CUBE_TYPES for item in types):
        raise InvalidInput(f"a bonus can only count {', '.join(CUBE_TYPES)}")
    if kind == "set" and len(types) < 2:
        raise InvalidInput('a "set" bonus lists two types or more')
    size, shared = data.get("size"), data.get("shared", True)
    if size is not None and size not in SIZES:
        raise InvalidInput("a bonus's size is S, L or H")
    if not isinstance(shared, bool):
        raise InvalidInput('a bonus\'s "shared" must be true or false')
    count, least = data.get("count", data.get("per", 1)), 0 if kind == "at-most" else 1
    if isinstance(count, bool) or not isinstance(count, int) or count < least:
        raise InvalidInput(f"a bonus's count must be a whole number, {least} or more")
    points = _points(data.get("points"), "a bonus's points")
    return Bonus(kind, points, types, size, count, shared, _text(data.get("note", ""), "a bonus's note"))


def bonus_points(bonus: Bonus, stash: Cubes, others: Sequence[Cubes]) -> int:
    """What a bonus earns with this stash, the other heroes having those."""
    if bonus.kind == "points":
        return bonus.points
    if bonus.kind == "set":
        return bonus.points * min(_fitting(bonus, stash, (kind,)) for kind in bonus.types)
    mine = _fitting(bonus, stash, bonus.types)
    theirs = [_fitting(bonus, other, bonus.types) for other in others]
    if bonus.kind == "each":
        return bonus.points * (mine // bonus.count)
    edge = 0 if bonus.shared else 1
    earned = {
        "at-least": mine >= bonus.count,
        "at-most": mine <= bonus.count,
        "most": mine > 0 and all(mine >= other + edge for other in theirs),
        "fewest": all(mine + edge <= other for other in theirs),
    }[bonus.kind]
    return bonus.points if earned else 0


def _fitting(bonus: Bonus, stash: Cubes, types: tuple[str, ...]) -> int:
    return sum(
        number for (kind, size), number in stash.items() if (not types or kind in types) and bonus.size in (None, size)
    )


def _points(value: Any, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > 1000:
        raise InvalidInput(f"{what} must be a whole number of points, not {value!r}")
    return value


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str) or "\n" in value or "\r" in value:
        raise InvalidInput(f"{what} must be one line of text")
    return value
