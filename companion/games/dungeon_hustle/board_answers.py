"""More questions in JSON that boards alone answer: advice, the forecast, and what happened between two boards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from companion.errors import InvalidInput
from companion.games.dungeon_hustle.advice import Wants, best_wanted_run
from companion.games.dungeon_hustle.answers import (
    hero_spaces,
    monster_spaces,
    start_from_json,
    tracks_from_json,
    whole_board,
)
from companion.games.dungeon_hustle.board import Spot, spot_from_json
from companion.games.dungeon_hustle.chances import forecast
from companion.games.dungeon_hustle.inference import explain_change
from companion.games.dungeon_hustle.notation import card_from_text
from companion.games.dungeon_hustle.position import Hero, Position
from companion.games.dungeon_hustle.runs import ENTRANCE, Table
from companion.tiles import CARD_SPACES, HEROES, card_from_json

MOST_WORTH: Final = 1000  # a card that matters more than all others together needs no larger number


def answer_advice(question: Mapping[str, Any]) -> dict[str, Any]:
    """The best run for what a hero wants; all of "wants" is optional, and so are the powers.

    in:  {"cells", "from", "recolour": false, "leap": false,
          "wants": {"card": 1, "symbols": {"sword": 2}, "colours": {"red": 1}, "faces": {"red-key": 3},
                    "ends": [{"at": [2, 3], "worth": 4}, {"at": "top-left", "worth": 5}]}}
    out: a run as `runs` has it, with "worth", "recolour" and "leap"
    """
    cells = whole_board(question.get("cells"))
    start = start_from_json(question.get("from"))
    table = Table({cell.space: cell.card for cell in cells}, monster_spaces(cells), hero_spaces(cells) - {start})
    wants = _wants(question.get("wants", {}))
    recolour, leap = question.get("recolour") is True, question.get("leap") is True
    return best_wanted_run(table, start, wants, recolour=recolour, leap=leap).as_json()


def answer_forecast(question: Mapping[str, Any]) -> dict[str, Any]:
    """What each card that may be turned up next would do; chances where "deck" lists what it may hold.

    in:  {"cells", "spawn_corner", "escaped", "escape_limit", "deck": ["blue-sword", "red-key!", …]}
    """
    deck = question.get("deck")
    if deck is not None and (not isinstance(deck, list) or not deck or not all(isinstance(one, str) for one in deck)):
        raise InvalidInput('"deck" must be a list of cards such as "blue-sword"')
    cards = None if deck is None else Counter(card_from_text(one) for one in deck)
    return forecast(_position(question, "cells"), cards).as_json()


def answer_change(question: Mapping[str, Any]) -> dict[str, Any]:
    """What may have happened between two boards, in a turn of "hero" that began with the first.

    in:  {"before": [cells], "after": [cells], "hero": "fighter", "from": [4, 1], "revealed": {…} or null,
          "spawn_corner", "escaped", "escape_limit"}        # from: only where the hero stood on no card before
    out: {"explanations": [{"events": ["hustle colour=…"], "words": ["…"], "asks": ["…"]}]}
    """
    who = question.get("hero")
    if who not in HEROES:
        raise InvalidInput(f'"hero" must be one of {", ".join(HEROES)}')
    position = _with_turn(_position(question, "before"), who, question)
    revealed = None if question.get("revealed") is None else card_from_json(question["revealed"], "the turned-up card")
    after = whole_board(question.get("after"))
    found = explain_change(position, after, revealed)
    return {
        "explanations": [
            {"events": [str(event) for event in one.events], "words": list(one.words), "asks": list(one.asks)}
            for one in found
        ]
    }


def _position(question: Mapping[str, Any], key: str) -> Position:
    """A position as far as one board and the tracks show it."""
    cells = whole_board(question.get(key))
    corner, escaped, limit = tracks_from_json(question)
    cards = {cell.space: cell.card for cell in cells}
    heroes = [cell for cell in cells if cell.space in hero_spaces(cells)]
    return Position(
        phase="hustle",
        heroes=tuple(Hero(cell.occupant or "", cell.occupant or "", spot=cell.space) for cell in heroes),
        board=tuple(cards[space] for space in CARD_SPACES),
        monsters=tuple(sorted(monster_spaces(cells))),
        spawn=corner,
        escaped=escaped,
        escape_limit=limit,
    )


def _with_turn(position: Position, who: str, question: Mapping[str, Any]) -> Position:
    """It is this hero's turn, who may stand on no card: on a corner, or before the entrance."""
    names = [hero.who for hero in position.heroes]
    if who in names:
        return replace(position, turn=names.index(who))
    start = start_from_json(question.get("from", ENTRANCE))
    hero = Hero(who, who, spot=None if start == ENTRANCE else start)
    return replace(position, heroes=(*position.heroes, hero), turn=len(names))


def _wants(data: Any) -> Wants:
    if not isinstance(data, Mapping):
        raise InvalidInput('"wants" must be an object')
    faces = {}
    for text, worth in _worths(data, "faces").items():
        card = card_from_text(text)
        faces[card.colour or "", card.symbol or ""] = worth
    return Wants(
        _worth(data.get("card", 1.0), '"card"'), _worths(data, "symbols"), _worths(data, "colours"), faces, _ends(data)
    )


def _ends(data: Mapping[str, Any]) -> dict[Spot, float]:
    ends = data.get("ends", [])
    if not isinstance(ends, list) or not all(isinstance(end, Mapping) for end in ends):
        raise InvalidInput('"ends" must be a list of objects with "at" and "worth"')
    return {spot_from_json(end.get("at"), '"at"'): _worth(end.get("worth"), '"worth"') for end in ends}


def _worths(data: Mapping[str, Any], key: str) -> dict[str, float]:
    found = data.get(key, {})
    if not isinstance(found, Mapping):
        raise InvalidInput(f'"{key}" must be an object with a number for each name')
    return {str(name): _worth(worth, f'"{key}"') for name, worth in found.items()}


def _worth(value: Any, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= MOST_WORTH:
        raise InvalidInput(f"{what} needs a number from -{MOST_WORTH} to {MOST_WORTH}, not {value!r}")
    return float(value)
