"""A position as JSON, for the page and for other programs. Quests stay secret until the count."""

from __future__ import annotations

from typing import Any, Final

from companion.games.dungeon_drop.play import left_in_box
from companion.games.dungeon_drop.position import EXPLORES, ROUNDS, Player, Position
from companion.games.dungeon_drop.quests import NO_QUEST
from companion.games.dungeon_drop.scoring import score_sheet, unlocked
from companion.games.dungeon_drop.stashes import Stash, cubes_of
from companion.games.dungeon_drop.table_problems import position_problems

_BY_STAGE: Final = {
    "setup": ["join", "quest", "house", "start"],
    "count": ["roll", "bonus", "count", "quest", "finish"],
    "over": [],
}


def view(position: Position) -> dict[str, Any]:
    revealed = position.phase in ("count", "over")
    out: dict[str, Any] = {
        "game": "dungeon-drop",
        "phase": position.phase,
        "round": position.round,
        "rounds": ROUNDS,
        "order": list(position.order),
        "active": position.order[position.active] if position.phase == "play" else None,
        "turn": {
            "explored": position.turn.explored, "acted": position.turn.acted or None,
            "shields": position.turn.shields, "meeples": list(position.turn.meeples),
            "done": position.turn.done or None,
        },
        "next": next_verbs(position),
        "explore": EXPLORES.get(len(position.players)),
        "teamwork": position.teamwork,
        "solo_cubes": position.solo_cubes,
        "house": position.rules.as_json(),
        "heroes": [_hero(position, player, revealed) for player in position.players],
        "box": left_in_box(position),
        "error_mm": position.error_mm,
        "pieces": None if position.table is None else [piece.as_json() for piece in position.table],
        "fallen": stash_json(position.fallen),
        "problems": [problem.as_json() for problem in position_problems(position)],
    }  # fmt: skip
    if revealed:
        out["sheet"] = _sheet(position)
    return out


def next_verbs(position: Position) -> list[str]:
    """The events that can come next, the likeliest first."""
    if position.phase != "play":
        return _BY_STAGE[position.phase]
    turn, hero = position.turn, position.active_player
    if turn.done:
        return ["end"]
    verbs = [] if turn.explored else ["explore"]
    verbs += ["act"] if not turn.acted and turn.explored else []
    verbs += ["potion"] if hero.owns("potion") and hero.damage else []
    verbs += ["shield"] if hero.owns("shield") else []
    verbs += ["meeple"] if position.teamwork else []
    return [*verbs, "loot", "pass", "illegal"] if turn.explored else verbs


def _hero(position: Position, player: Player, revealed: bool) -> dict[str, Any]:
    return {
        "name": player.name, "race": player.race, "class": player.role, "meeple": player.meeple,
        "initiative": player.initiative, "health": player.health, "damage": player.damage, "weight": player.weight,
        "stash": stash_json(player.stash), "potions": player.owns("potion"), "shields": player.owns("shield"),
        "teamwork": player.teamwork, "has_quest": player.quest != NO_QUEST,
        "quest": player.quest.as_json() if revealed else None,
        "chests": unlocked(cubes_of(player.stash)), "rolls": list(player.rolls), "bonus": player.free_bonus,
        "active": position.phase == "play" and position.order[position.active] == player.name,
    }  # fmt: skip


def stash_json(stash: Stash) -> list[dict[str, Any]]:
    return [{"type": kind, "size": size, "number": number} for kind, size, number in stash]


def _sheet(position: Position) -> dict[str, Any] | None:
    """The score sheet once every paired chest is rolled, None before."""
    if any(len(player.rolls) < unlocked(cubes_of(player.stash)) for player in position.players):
        return None
    return score_sheet([player.standing() for player in position.players])
