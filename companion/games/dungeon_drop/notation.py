"""One-line texts for events: a verb, then values in the order of the event's fields, the optional ones as name=value.

    loot p03,p11,p17 without=p09

Each parses back to an equal value. Within a word, what would end it is written as %XX, a space as %20.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields
from typing import Any, Final
from urllib.parse import unquote

from companion.errors import InvalidInput
from companion.games.dungeon_drop.quests import Quest, quest_from_json
from companion.games.dungeon_drop.stashes import stash_from_text, stash_text
from companion.pieces import Outline, Piece, piece_from_json

_FIRM: Final = frozenset("%=,;:/\"' ")


def name_text(name: str) -> str:
    """
    >>> name_text("Red Fox, the 2nd"), name_text("Bär"), name_text("")
    ('Red%20Fox%2C%20the%202nd', 'Bär', '%-')
    """
    return _escaped(name, _FIRM) or "%-"


def _escaped(text: str, firm: frozenset[str]) -> str:
    """With %XX for these characters and for all that would not print, line ends of every kind among them."""
    return "".join(
        letter
        if letter.isprintable() and letter not in firm
        else "".join(f"%{byte:02X}" for byte in letter.encode("utf-8", "surrogatepass"))
        for letter in text
    )


def name_from_text(text: str) -> str:
    return "" if text == "%-" else unquote(text, errors="surrogatepass")


def _whole(text: str) -> int:
    if not re.fullmatch(r"-?\d{1,9}", text, re.ASCII):
        raise InvalidInput(f"{text!r} is no whole number")
    return int(text)


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InvalidInput(f"{text!r} is no number")
    return value


def _truth(text: str) -> bool:
    if text not in ("yes", "no"):
        raise InvalidInput(f"{text!r} should be yes or no")
    return text == "yes"


def _names(text: str) -> tuple[str, ...]:
    return tuple(name_from_text(part) for part in text.split(","))


def _quest_text(quest: Quest) -> str:
    return _escaped(str(quest), frozenset("% "))


def _quest(text: str) -> Quest:
    try:
        return quest_from_json(json.loads(unquote(text, errors="surrogatepass")))
    except json.JSONDecodeError:
        raise InvalidInput(f"{text!r} is no quest; write it as JSON without spaces") from None


def piece_text(piece: Piece) -> str:
    """
    >>> piece_text(Piece("p01", "gold", "S", footprint_mm=((0.0, 1.5), (8.0, 1.5))))
    'p01:gold:S:0,1.5/8,1.5'
    """
    outline = "/".join(f"{x:.10g},{y:.10g}" for x, y in piece.footprint_mm)
    words = [name_text(piece.id), piece.type, piece.size or "?", outline]
    extras = [f"{key}:{name_text(str(value))}" for key, value in _extras(piece)]
    return ":".join([*words, *extras])


def _extras(piece: Piece) -> list[tuple[str, Any]]:
    return [(key, value) for key in ("colour", "shows", "resting") if (value := getattr(piece, key)) is not None]


def piece_from_text(text: str) -> Piece:
    words = text.split(":")
    if len(words) < 4 or len(words) % 2:
        raise InvalidInput(f"{text!r} is no piece; write id:type:size:x,y/x,y/x,y")
    data: dict[str, Any] = {"id": name_from_text(words[0]), "type": words[1], "footprint_mm": _outline(words[3])}
    data |= {"size": None if words[2] == "?" else words[2]}
    data |= {key: name_from_text(value) for key, value in zip(words[4::2], words[5::2], strict=True)}
    if "shows" in data:
        data["shows"] = _whole(data["shows"])
    return recorded(piece_from_json(data))


def _outline(text: str) -> list[list[float]]:
    return [[_number(value) for value in point.split(",")] for point in text.split("/")] if text else []


def recorded(piece: Piece) -> Piece:
    """A piece as the record keeps it: what the rules need, footprints to a thousandth of a millimetre."""
    outline: Outline = tuple((round(x, 3) + 0.0, round(y, 3) + 0.0) for x, y in piece.footprint_mm)
    return Piece(
        piece.id, piece.type, piece.size, footprint_mm=outline,
        colour=piece.colour, shows=piece.shows, resting=piece.resting,
    )  # fmt: skip


def _pieces_text(pieces: tuple[Piece, ...]) -> str:
    return ";".join(map(piece_text, pieces))


def _pieces(text: str) -> tuple[Piece, ...]:
    pieces = tuple(piece_from_text(part) for part in text.split(";"))
    if len({piece.id for piece in pieces}) < len(pieces):
        raise InvalidInput("two pieces have the same id")
    return pieces


# By the field's annotation, as it stands in the dataclass.
_WORDS: Final[Mapping[str, tuple[Callable[[Any], str], Callable[[str], Any]]]] = {
    "str": (name_text, name_from_text),
    "int": (str, _whole),
    "int | None": (str, _whole),
    "float": (repr, _number),
    "float | None": (repr, _number),
    "bool": (lambda value: "yes" if value else "no", _truth),
    "tuple[str, ...]": (lambda names: ",".join(map(name_text, names)), _names),
    "Stash": (stash_text, stash_from_text),
    "Quest": (_quest_text, _quest),
    "tuple[Piece, ...]": (_pieces_text, _pieces),
}


def event_text(verb: str, event: Any) -> str:
    words = [verb]
    for field in fields(event):
        value, write = getattr(event, field.name), _WORDS[str(field.type)][0]
        if _must(field):
            words.append(write(value))
        elif value != field.default:
            words.append(f"{field.name}={write(value)}")
    return " ".join(words)


def event_from_text(text: str, verbs: Mapping[str, Any]) -> Any:
    """The event of one line; `verbs` names the event classes."""
    verb, *words = text.split(" ") if text.isprintable() else [""]
    if verb not in verbs:
        raise InvalidInput(f"{text[:60]!r} is no event of this game; it starts with one of {', '.join(verbs)}")
    kind = verbs[verb]
    needed = [field for field in fields(kind) if _must(field)]
    optional = {field.name: field for field in fields(kind) if not _must(field)}
    if len(words) < len(needed):
        raise InvalidInput(f"{verb}: {needed[len(words)].name} is missing")
    values = {field.name: _read(verb, field, word) for field, word in zip(needed, words, strict=False)}
    for word in words[len(needed) :]:
        name, equals, value = word.partition("=")
        if not equals or name not in optional or name in values:
            raise InvalidInput(f"{verb}: {word[:60]!r} is not understood" + _hint(optional))
        values[name] = _read(verb, optional[name], value)
    return kind(**values)


def _must(field: Field[Any]) -> bool:
    return field.default is MISSING


def _read(verb: str, field: Field[Any], word: str) -> Any:
    try:
        return _WORDS[str(field.type)][1](word)
    except InvalidInput as problem:
        raise InvalidInput(f"{verb}, {field.name}: {problem}") from None


def _hint(optional: Mapping[str, Any]) -> str:
    return f"; it may be followed by {', '.join(f'{name}=…' for name in optional)}" if optional else ""
