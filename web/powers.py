"""Runs with a power: one card counted as another colour, or one jumped over. A hero may have the reward of their
helping card, charged items, or somebody's help this turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.dungeon_hustle.advice import Advice, Wants, best_wanted_run
from companion.games.dungeon_hustle.position import Position
from companion.games.dungeon_hustle.runs import ENTRANCE


def powered_runs(position: Position) -> list[dict[str, Any]]:
    """The longest run with each power that the active hero has, as `companion dungeon-hustle runs` prints runs, with
    `recolour` or `leap`, and `by`: what allows it, as the record names it."""
    powers = list(_powers(position))
    best = {kind: _longest(position, kind) for kind in dict.fromkeys(kind for _, kind in powers)}
    return [best[kind].as_json() | {"by": by} for by, kind in powers if getattr(best[kind], kind) is not None]


def _powers(position: Position) -> Iterator[tuple[str, str]]:
    hero = position.hero
    if hero.reward:
        yield "reward", "leap" if hero.who == "rogue" else "recolour"
    for by in [*(item.name for item in hero.items if item.charged), *(["help"] if position.helped else [])]:
        yield by, "recolour"  # the item's or the helper's own card says which of the two it is
        yield by, "leap"


def _longest(position: Position, kind: str) -> Advice:
    hero = position.hero
    start = ENTRANCE if hero.spot is None else hero.spot
    table = position.table_for(hero)
    return best_wanted_run(table, start, Wants(), recolour=kind == "recolour", leap=kind == "leap")
