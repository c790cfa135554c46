"""The JSON questions of the command line and of the page: `monsters` and `runs`, as FORMATS has them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile
from typing import Any

from companion.errors import InvalidInput
from companion.games.dungeon_hustle.board import CORNERS, Spot, outer_from, spot_from_json
from companion.games.dungeon_hustle.monsters import MOST_MONSTERS, MonsterPhase, monster_phase
from companion.games.dungeon_hustle.runs import ENTRANCE, Table, best_run, colours_on
from companion.tiles import CARD_SPACES, Card, Cell, Space, card_from_json, cells_from_json

MONSTER = "monster"


def whole_board(data: Any) -> tuple[Cell, ...]:
    """All 36 cells of a question, or a sentence that says which is missing."""
    cells = cells_from_json(data)
    if missing := sorted(set(CARD_SPACES) - {cell.space for cell in cells}):
        names = ", ".join(f"({row},{col})" for row, col in missing[:3]) + (", …" if len(missing) > 3 else "")
        raise InvalidInput(f"a board has 36 cells; missing: {names}")
    for cell in cells:
        if cell.occupant == cell.also == MONSTER:
            raise InvalidInput(f"two monsters cannot share the card at row {cell.row}, column {cell.col}")
    return cells


def monster_spaces(cells: tuple[Cell, ...]) -> frozenset[Space]:
    return frozenset(cell.space for cell in cells if MONSTER in (cell.occupant, cell.also))


def hero_spaces(cells: tuple[Cell, ...]) -> frozenset[Space]:
    return frozenset(cell.space for cell in cells if cell.occupant not in (None, MONSTER))


def answer_monsters(question: Mapping[str, Any], explain: bool = False) -> dict[str, Any]:
    """What the turned-up card does: who appears, who moves, who escapes; with `explain`, one sentence for each."""
    cells = whole_board(question.get("cells"))
    corner, escaped, limit = tracks_from_json(question)
    phase = monster_phase(
        {cell.space: cell.card for cell in cells},
        monster_spaces(cells),
        hero_spaces(cells),
        revealed=_revealed(question),
        spawn_corner=corner,
        escaped=escaped,
        escape_limit=limit,
    )
    answer = {
        "spawned": None if phase.spawned is None else list(phase.spawned),
        "moves": [{"from": list(move.start), "to": list(move.to)} for move in phase.moves],
        "escaped": phase.escaped,
        "monsters_win": phase.monsters_win,
        "cells": _cells_after(question["cells"], phase),
    }
    return answer | ({"explanations": explanations(phase, cells, corner)} if explain else {})


def explanations(phase: MonsterPhase, cells: tuple[Cell, ...], corner: str) -> dict[str, Any]:
    """A sentence for each monster, and doubts: what a card that could not be read might change."""
    return {
        "spawned": phase.spawn_why,
        "moves": [{"from": list(m.start), "to": list(m.to), "why": m.why} for m in phase.considered],
        "doubts": doubts(phase, cells, corner),
    }


def doubts(phase: MonsterPhase, cells: tuple[Cell, ...], corner: str) -> list[str]:
    cards = {cell.space: cell.card for cell in cells}
    moved = {move.start for move in phase.considered}
    found = [
        f"The card under the monster on ({row},{col}) could not be read: it moves if that card matches."
        for row, col in sorted(monster_spaces(cells) - moved)
        if None in (cards[row, col].colour, cards[row, col].symbol)
    ]
    if len(monster_spaces(cells)) < MOST_MONSTERS:
        before = takewhile(lambda space: space != phase.spawned, outer_from(corner))
        found += [
            f"The card on ({row},{col}) could not be read: a monster appears there if its colour matches."
            for row, col in before
            if cards[row, col].colour is None and (row, col) not in monster_spaces(cells)
        ]
    return found


def answer_runs(question: Mapping[str, Any]) -> dict[str, Any]:
    """The best run of each colour, or of the colour asked for."""
    cells = whole_board(question.get("cells"))
    start = start_from_json(question.get("from"))
    cards = {cell.space: cell.card for cell in cells}
    table = Table(cards, monster_spaces(cells), hero_spaces(cells) - {start})
    colour = question.get("colour")
    if colour is not None and (not isinstance(colour, str) or not colour):
        raise InvalidInput('"colour" must be a text')
    colours = colours_on(cards) if colour is None else [colour]
    return {"runs": [best_run(table, start, each).as_json() for each in colours]}


def start_from_json(value: Any) -> Spot:
    if value == ENTRANCE:
        return ENTRANCE
    return spot_from_json(value, '"from" ("entrance" before the first turn)')


def _revealed(question: Mapping[str, Any]) -> Card:
    card = card_from_json(question.get("revealed"), 'the card in "revealed"')
    if card.colour is None or card.symbol is None:
        raise InvalidInput("the turned-up card needs its colour and its symbol")
    return card


def tracks_from_json(question: Mapping[str, Any]) -> tuple[str, int, int]:
    """Spawn corner, monsters escaped, and how many end the game."""
    corner = question.get("spawn_corner")
    if not isinstance(corner, str) or corner not in CORNERS:
        raise InvalidInput(f'"spawn_corner" must be one of {", ".join(CORNERS)}')
    escaped, limit = _count(question, "escaped", 0), _count(question, "escape_limit", 1)
    if escaped >= limit:
        raise InvalidInput(f"{escaped} of {limit} monsters have escaped: the game is over")
    return corner, escaped, limit


def _count(question: Mapping[str, Any], key: str, least: int) -> int:
    value = question.get(key)
    if type(value) is not int or value < least:
        raise InvalidInput(f'"{key}" must be a whole number, {least} or more')
    return value


def _cells_after(cells: list[dict[str, Any]], phase: MonsterPhase) -> list[dict[str, Any]]:
    """The cells as they were given, with the monsters where they stand now."""
    after = []
    for given in cells:
        cell = {key: value for key, value in given.items() if key != "also"}
        hero = None if given.get("occupant") == MONSTER else given.get("occupant")
        here = (given["row"], given["col"]) in phase.monsters
        cell["occupant"] = hero or (MONSTER if here else None)
        after.append(cell | ({"also": MONSTER} if hero and here else {}))
    return after
