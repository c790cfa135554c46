"""One moment of a game of Dungeon Drop: a frozen value, and its one-line text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from companion.errors import IllegalMove, InvalidInput
from companion.games.dungeon_drop.heroes import Hero
from companion.games.dungeon_drop.house import STANDARD, HouseRules, house_rules_from_json
from companion.games.dungeon_drop.notation import piece_from_text, piece_text
from companion.games.dungeon_drop.quests import NO_QUEST, Quest, quest_from_json
from companion.games.dungeon_drop.scoring import Standing, number_of, weight
from companion.games.dungeon_drop.stashes import EMPTY, Stash, cubes_of, stash_from_text, stash_text
from companion.pieces import Piece

PHASES: Final = ("setup", "play", "count", "over")
ROUNDS: Final = 3
EXPLORES: Final[Mapping[int, int]] = {2: 6, 3: 4, 4: 3}  # cubes drawn each turn, by the number of heroes


@dataclass(frozen=True)
class Player:
    """A hero at this table."""

    name: str
    initiative: int
    health: int
    race: str = ""
    role: str = ""
    meeple: str = ""
    quest: Quest = NO_QUEST
    stash: Stash = EMPTY
    damage: int = 0
    teamwork: int = 0
    rolls: tuple[int, ...] = ()
    free_bonus: int = 0

    @property
    def weight(self) -> int:
        return weight(cubes_of(self.stash))

    def owns(self, kind: str) -> int:
        return number_of(cubes_of(self.stash), kind)

    def standing(self) -> Standing:
        return Standing(
            self.name, self.initiative, self.quest, cubes_of(self.stash), self.rolls, self.teamwork, self.free_bonus
        )


@dataclass(frozen=True)
class Turn:
    """What the active hero has done so far this turn."""

    explored: bool = False
    acted: str = ""  # race or class
    shields: int = 0  # dropped this turn, each stops one monster
    meeples: tuple[str, ...] = ()  # heroes whose meeples were put into the dungeon
    done: str = ""  # looted, passed or lost: the room has been formed, or never will be


@dataclass(frozen=True)
class Position:
    phase: str = "setup"
    rules: HouseRules = STANDARD
    teamwork: bool = False
    solo_cubes: bool = False
    players: tuple[Player, ...] = ()
    round: int = 0
    order: tuple[str, ...] = ()  # names, this round
    active: int = 0  # place in order
    turn: Turn = Turn()
    table: tuple[Piece, ...] | None = None  # None: never seen
    error_mm: float | None = None
    expected: Stash = EMPTY  # the cubes that should lie on the table
    unseen: int = 0  # cubes drawn since, which the next look will name
    drawn: int = 0  # cubes drawn from the box so far
    fallen: Stash = EMPTY  # off the table, dropped by the next hero to explore

    def player(self, name: str) -> Player:
        for player in self.players:
            if player.name == name:
                return player
        raise IllegalMove(f"there is no hero {name!r}; at the table are {', '.join(p.name for p in self.players)}")

    @property
    def active_player(self) -> Player:
        if self.phase != "play":
            raise IllegalMove("nobody has a turn now")
        return self.player(self.order[self.active])

    def hero(self, name: str, *, with_stash: bool = True) -> Hero:
        """A hero as rooms see them: with the stash's potions and shields, or only with what was dropped."""
        player = self.player(name)
        ready = self.turn.shields if self.phase == "play" and self.order[self.active] == name else 0
        return Hero(
            health=player.health, damage=player.damage, quest=player.quest,
            shields=ready + (player.owns("shield") if with_stash else 0),
            potions=player.owns("potion") if with_stash else 0,
        )  # fmt: skip

    def with_player(self, player: Player) -> Position:
        return replace(self, players=tuple(player if p.name == player.name else p for p in self.players))

    def __str__(self) -> str:
        return json.dumps(position_json(self), separators=(",", ":"), ensure_ascii=True)


def position_json(position: Position) -> dict[str, Any]:
    """All of it, for the one-line text; fields at their defaults are left out."""
    return _without_defaults(position) | {
        key: value
        for key, value in {
            "rules": _without_defaults(position.rules),
            "players": [_player_json(player) for player in position.players],
            "turn": _without_defaults(position.turn),
            "table": None if position.table is None else [piece_text(piece) for piece in position.table],
            "expected": stash_text(position.expected),
            "fallen": stash_text(position.fallen),
        }.items()
        if value not in ({}, [], None, "none") or (key == "table" and value == [])
    }


def _player_json(player: Player) -> dict[str, Any]:
    out = _without_defaults(player)
    if player.stash:
        out["stash"] = stash_text(player.stash)
    if player.quest != NO_QUEST:
        out["quest"] = player.quest.as_json()
    return out


def _without_defaults(value: Any) -> dict[str, Any]:
    out = {}
    for field in fields(value):
        here = getattr(value, field.name)
        if here != field.default and isinstance(here, str | int | float | tuple):
            out[field.name] = list(here) if isinstance(here, tuple) else here
    return out


def parse_position(text: str) -> Position:
    """
    >>> parse_position(str(Position(round=2))).round
    2
    """
    try:
        data = json.loads(text)
        return _position(data)
    except (json.JSONDecodeError, RecursionError, TypeError, KeyError, AttributeError) as problem:
        raise InvalidInput(f"this is no position of Dungeon Drop ({problem})") from None


def _position(data: Any) -> Position:
    _check_fields(Position, data)
    table = data.get("table")
    position = Position(
        **_plain(Position, data),
        rules=house_rules_from_json(data.get("rules", {})),
        players=tuple(map(_player, data.get("players", []))),
        turn=_turn(data.get("turn", {})),
        order=_texts(data.get("order", [])),
        table=None if table is None else tuple(map(piece_from_text, table)),
        expected=stash_from_text(data.get("expected", "none")),
        fallen=stash_from_text(data.get("fallen", "none")),
    )
    names = [player.name for player in position.players]
    if position.phase not in PHASES or len(set(names)) < len(names) or not set(position.order) <= set(names):
        raise InvalidInput("this is no position of Dungeon Drop (phase, names and order do not fit)")
    if position.phase == "play" and not 0 <= position.active < len(position.order):
        raise InvalidInput("this is no position of Dungeon Drop (nobody is active)")
    return position


def _player(data: Any) -> Player:
    _check_fields(Player, data)
    return Player(
        **_plain(Player, data),
        quest=quest_from_json(data.get("quest")),
        stash=stash_from_text(data.get("stash", "none")),
        rolls=tuple(_whole(roll) for roll in data.get("rolls", [])),
    )


def _turn(data: Any) -> Turn:
    _check_fields(Turn, data)
    return Turn(**_plain(Turn, data), meeples=_texts(data.get("meeples", [])))


_PLAIN: Final = {"str": str, "int": int, "bool": bool, "float | None": float}


def _plain(kind: Any, data: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that are texts and numbers, each of its type."""
    out = {}
    for field in fields(kind):
        wanted = _PLAIN.get(str(field.type))
        if wanted is None or field.name not in data:
            continue
        value = data[field.name]
        if type(value) is not wanted:
            raise InvalidInput(f"{field.name} must be {wanted.__name__}, not {value!r}")
        out[field.name] = value
    return out


def _check_fields(kind: Any, data: Any) -> None:
    if not isinstance(data, Mapping) or not set(data) <= {field.name for field in fields(kind)}:
        raise InvalidInput(f"this is no {kind.__name__.lower()} of Dungeon Drop")


def _texts(values: Any) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise InvalidInput("names must be a list of texts")
    return tuple(values)


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInput(f"{value!r} is no whole number")
    return value
