"""House rulings: where the rulebook is silent, each in one named place, so that a table can switch it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from companion.errors import InvalidInput


@dataclass(frozen=True)
class HouseRules:
    """What this table plays where the rulebook does not decide. The defaults are the ones the page explains."""

    doubt_counts_as_in: bool = True
    """D3: a cube or fourth pillar too close to call counts as in the room; the table may overrule."""

    doubt_deviations: float = 2.0
    """D3: "too close" is this many standard deviations of the reader's own error; two keep 19 of 20 verdicts right."""

    leaning_by_projection: bool = True
    """D4: a leaning or stacked cube covers what it covers from straight above. Off: such cubes are always doubtful."""

    must_loot: bool = True
    """D13: a hero must loot where any legal room exists."""

    illegal_room_loses_turn: bool = True
    """D14: an illegal room's cubes are dropped again and the turn is lost. Off: choose another room."""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


STANDARD = HouseRules()


def house_rules_from_json(data: Any) -> HouseRules:
    """
    >>> house_rules_from_json({"must_loot": False}).must_loot
    False
    """
    if not isinstance(data, Mapping):
        raise InvalidInput('"house" must be a JSON object')
    known = {field.name: field for field in fields(HouseRules)}
    for name, value in data.items():
        if name not in known:
            raise InvalidInput(f"unknown house rule {name!r}; known are {', '.join(known)}")
        if name == "doubt_deviations":
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 10:
                raise InvalidInput("doubt_deviations must be a number from 0 to 10")
        elif not isinstance(value, bool):
            raise InvalidInput(f"house rule {name} must be true or false")
    return HouseRules(**data)
