"""One-line texts for cards, costs, events and positions; each parses back to an equal value.

An event is its verb and then field=value pairs, in the order of its dataclass; fields at their default are left out.
Lists are joined by slashes. What would end a word inside a name is written as %XX, a space as %20.
A position is one line of JSON, with cards, costs and places in the same notation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from companion.errors import InvalidInput
from companion.games.dungeon_hustle.board import Spot, spot_from_text, spot_text
from companion.games.dungeon_hustle.costs import Need, need_from_text, need_text
from companion.games.dungeon_hustle.names import name_from_text, name_text
from companion.tiles import SYMBOLS, Card, Space


def card_text(card: Card) -> str:
    """
    >>> card_text(Card("blue", "sword", True)), card_text(Card("red", None, None))
    ('blue-sword!', 'red-??')
    """
    icon = {True: "!", False: "", None: "?"}[card.attack]
    colour = "?" if card.colour is None else name_text(card.colour)
    return f"{colour}-{card.symbol or '?'}{icon}"


def card_from_text(text: str) -> Card:
    """
    >>> card_from_text("dark-blue-sword!")
    Card(colour='dark-blue', symbol='sword', attack=True)
    """
    colour, dash, face = text.rpartition("-")
    attack: bool | None = False
    if face.endswith("!"):
        face, attack = face[:-1], True
    elif face.endswith("?") and face != "?":
        face, attack = face[:-1], None
    if not dash or not colour or (face != "?" and face not in SYMBOLS):
        raise InvalidInput(f"{text!r} is no card; write colour-symbol, as in blue-sword, with ! for an attack icon")
    return Card(None if colour == "?" else name_from_text(colour), None if face == "?" else face, attack)


def _whole(text: str) -> int:
    if not re.fullmatch(r"-?\d{1,9}", text, re.ASCII):
        raise InvalidInput(f"{text!r} is no whole number")
    return int(text)


def _truth(text: str) -> bool:
    if text not in ("yes", "no"):
        raise InvalidInput(f"{text!r} should be yes or no")
    return text == "yes"


def _space(text: str) -> Space:
    spot = spot_from_text(text)
    if isinstance(spot, str):
        raise InvalidInput(f"{text} is a corner; a card's row,column is needed")
    return spot


_WORDS: Final[list[tuple[Any, Callable[[Any], str], Callable[[str], Any]]]] = [
    (bool, lambda value: "yes" if value else "no", _truth),
    (int, str, _whole),
    (str, name_text, name_from_text),
    (Card, card_text, card_from_text),
    (Need, need_text, need_from_text),
    (Space, spot_text, _space),
    (Spot, spot_text, spot_from_text),
]


def _word(kind: Any) -> tuple[Callable[[Any], str], Callable[[str], Any]] | None:
    return next(((write, read) for known, write, read in _WORDS if known == kind), None)


@cache
def _hints(cls: Any) -> dict[str, Any]:
    return get_type_hints(cls)


@cache
def _kinds(cls: Any) -> dict[str, tuple[Any, bool]]:
    """Each field's type without None, and whether it may be None."""
    return {name: _without_none(kind) for name, kind in _hints(cls).items()}


def _without_none(kind: Any) -> tuple[Any, bool]:
    if get_origin(kind) in (Union, UnionType) and NoneType in get_args(kind):
        rest = [part for part in get_args(kind) if part is not NoneType]
        return (rest[0] if len(rest) == 1 else Union[tuple(rest)]), True  # noqa: UP007  (made at run time)
    return kind, False


def _is_list(kind: Any) -> bool:
    return get_origin(kind) is tuple and get_args(kind)[-1] is Ellipsis


def _default(field: Field[Any]) -> Any:
    return MISSING if field.default is MISSING else field.default


# ---- events: verb field=value ...


def event_text(verb: str, event: Any) -> str:
    words = [verb]
    for field in fields(event):
        value = getattr(event, field.name)
        if value is None or value == _default(field):
            continue
        kind, _ = _kinds(event.__class__)[field.name]
        words.append(f"{field.name}={_value_text(kind, value)}")
    return " ".join(words)


def _value_text(kind: Any, value: Any) -> str:
    if _is_list(kind):
        return "/".join(_value_text(get_args(kind)[0], part) for part in value)
    word = _word(kind)
    assert word is not None, kind
    return word[0](value)


def event_from_text(text: str, verbs: Mapping[str, type]) -> Any:
    verb, *pairs = text.split()
    if verb not in verbs:
        raise InvalidInput(f"{verb!r} is no event of this game; known are {', '.join(verbs)}")
    cls = verbs[verb]
    kinds, given = _kinds(cls), {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or name not in kinds or name in given:
            raise InvalidInput(f"{verb}: {pair!r} does not belong here; it takes {', '.join(kinds) or 'nothing'}")
        given[name] = _value_from_text(kinds[name][0], value)
    missing = [f.name for f in fields(cls) if f.name not in given and f.default is MISSING]
    if missing:
        raise InvalidInput(f"{verb}: {', '.join(missing)} missing")
    return cls(**given)


def _value_from_text(kind: Any, text: str) -> Any:
    if _is_list(kind):
        return tuple(_value_from_text(get_args(kind)[0], part) for part in text.split("/")) if text else ()
    word = _word(kind)
    assert word is not None, kind
    return word[1](text)


# ---- positions: one line of JSON


def value_text(value: Any) -> str:
    return json.dumps(_plain(type(value), value), separators=(",", ":"), ensure_ascii=False)


def value_from_text(cls: type, text: str) -> Any:
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        raise InvalidInput("a position is one line of JSON, and this is not") from None
    return _from_plain(cls, data, "the position")


def _plain(kind: Any, value: Any) -> Any:
    kind = _without_none(kind)[0]
    if value is None or kind in (bool, int, str):
        return value
    if _is_list(kind):
        return [_plain(get_args(kind)[0], part) for part in value]
    if (word := _word(kind)) is None:
        hints = _hints(kind)
        return {
            f.name: _plain(hints[f.name], getattr(value, f.name))
            for f in fields(kind)
            if getattr(value, f.name) != _default(f)
        }
    return word[0](value)


def _from_plain(kind: Any, data: Any, where: str) -> Any:
    kind, may_be_none = _without_none(kind)
    if data is None and may_be_none:
        return None
    if _is_list(kind):
        if not isinstance(data, list):
            raise InvalidInput(f"{where} must be a list")
        return tuple(_from_plain(get_args(kind)[0], part, where) for part in data)
    if kind in (bool, int, str):
        if type(data) is not kind:
            raise InvalidInput(f"{where} must be {'a text' if kind is str else 'a whole number or true or false'}")
        return data
    if (word := _word(kind)) is not None:
        if not isinstance(data, str):
            raise InvalidInput(f"{where} must be a text")
        return word[1](data)
    return _dataclass_from_plain(kind, data, where)


def _dataclass_from_plain(cls: Any, data: Any, where: str) -> Any:
    hints = _hints(cls)
    if not isinstance(data, dict) or not set(data) <= set(hints):
        raise InvalidInput(f"{where} must be an object with some of {', '.join(hints)}")
    missing = [f.name for f in fields(cls) if f.default is MISSING and f.name not in data]
    if missing:
        raise InvalidInput(f"{where}: {', '.join(missing)} missing")
    return cls(**{name: _from_plain(hints[name], value, f"{where}, {name}") for name, value in data.items()})
