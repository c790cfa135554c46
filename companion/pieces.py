"""What lies on a Dungeon Drop table, as read or as entered: plain records that vision writes and the rules read."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.errors import InvalidInput

Point = tuple[float, float]
Outline = tuple[Point, ...]

TYPES: Final = (
    "gold", "key", "chest", "gem-clear", "gem-pink", "gem-blue", "potion", "shield", "relic",
    "goblin", "troll", "dragon", "pillar", "staircase", "meeple",
)  # fmt: skip
SIZES: Final = ("S", "L", "H")

# How many of each type and size the box holds, as its component table lists them. The last two are for the solo game.
BOX: Final[Mapping[tuple[str, str], int]] = {
    ("gold", "S"): 12, ("gold", "L"): 8, ("key", "S"): 4, ("key", "L"): 2, ("chest", "L"): 6,
    ("gem-clear", "S"): 4, ("gem-clear", "L"): 3, ("gem-pink", "S"): 4, ("gem-pink", "L"): 3,
    ("gem-blue", "S"): 4, ("gem-blue", "L"): 3, ("potion", "S"): 2, ("shield", "L"): 2,
    ("goblin", "S"): 10, ("troll", "L"): 4, ("dragon", "H"): 1, ("pillar", "S"): 13, ("pillar", "L"): 5,
    ("relic", "S"): 2, ("staircase", "S"): 1,
}  # fmt: skip
SOLO_TYPES: Final = frozenset({"relic", "staircase"})


@dataclass(frozen=True)
class Piece:
    """One cube or meeple. Positions are None where they are unknown, as in a stash that was only counted."""

    id: str
    type: str
    size: str | None = None
    confidence: float = 1.0
    center_px: Point | None = None
    outline_px: Outline = ()
    center_mm: Point | None = None
    footprint_mm: Outline = ()
    colour: str | None = None  # a meeple's
    shows: int | None = None  # a chest's upper face
    resting: str | None = None  # flat, leaning or stacked, where the reader can tell

    def as_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {"id": self.id, "type": self.type}
        if self.type != "meeple":
            out["size"] = self.size
        out["confidence"] = round(self.confidence, 3)
        if self.center_px is not None:
            out["center_px"] = _rounded(self.center_px, 2)
        if self.outline_px:
            out["outline_px"] = [_rounded(p, 2) for p in self.outline_px]
        if self.center_mm is not None:
            out["center_mm"] = _rounded(self.center_mm, 3)
        if self.footprint_mm:
            out["footprint_mm"] = [_rounded(p, 3) for p in self.footprint_mm]
        for key in ("colour", "shows", "resting"):
            if (value := getattr(self, key)) is not None:
                out[key] = value
        return out


def piece_from_json(data: Any, number: int = 1) -> Piece:
    """A piece from its JSON; `number` names it in messages and gives it an id where it has none.

    >>> piece_from_json({"id": "p01", "type": "gold", "size": "S"})
    Piece(id='p01', type='gold', size='S', confidence=1.0, center_px=None, outline_px=(), center_mm=None, \
footprint_mm=(), colour=None, shows=None, resting=None)
    """
    if not isinstance(data, Mapping):
        raise InvalidInput(f"piece {number} is not a JSON object")
    name = data.get("id", f"p{number:02}")
    kind = data.get("type")
    if not isinstance(name, str) or not name:
        raise InvalidInput(f"piece {number}: its id must be a text")
    if kind not in TYPES:
        raise InvalidInput(f"piece {name}: unknown type {kind!r}; known are {', '.join(TYPES)}")
    size = data.get("size")
    if size is not None and size not in SIZES:
        raise InvalidInput(f"piece {name}: unknown size {size!r}; known are S, L and H")
    shows = data.get("shows")
    if shows is not None and (isinstance(shows, bool) or not isinstance(shows, int) or not 1 <= shows <= 6):
        raise InvalidInput(f"piece {name}: a chest shows 1 to 6, not {shows!r}")
    confidence = data.get("confidence", 1.0)
    if isinstance(confidence, bool) or not isinstance(confidence, int | float) or not 0 <= confidence <= 1:
        raise InvalidInput(f"piece {name}: its confidence must be a number from 0 to 1")
    return Piece(
        id=name, type=kind, size=size, confidence=float(confidence),
        center_px=_optional_point(data, "center_px", name), outline_px=_outline(data, "outline_px", name),
        center_mm=_optional_point(data, "center_mm", name), footprint_mm=_outline(data, "footprint_mm", name),
        colour=data.get("colour"), shows=shows, resting=data.get("resting"),
    )  # fmt: skip


def pieces_from_json(data: Any) -> tuple[Piece, ...]:
    if not isinstance(data, list):
        raise InvalidInput('"pieces" must be a list')
    pieces = tuple(piece_from_json(item, number) for number, item in enumerate(data, 1))
    names = [piece.id for piece in pieces]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise InvalidInput(f"two pieces have the same id: {', '.join(twice)}")
    return pieces


def point_from_json(value: Any, what: str) -> Point:
    if isinstance(value, list | tuple) and len(value) == 2:
        x, y = value
        if all(isinstance(v, int | float) and not isinstance(v, bool) and math.isfinite(v) for v in (x, y)):
            return float(x), float(y)
    raise InvalidInput(f"{what} must be two numbers, not {value!r}")


def _optional_point(data: Mapping[str, Any], key: str, name: str) -> Point | None:
    return None if data.get(key) is None else point_from_json(data[key], f"piece {name}: {key}")


def _outline(data: Mapping[str, Any], key: str, name: str) -> Outline:
    value = data.get(key) or []
    if not isinstance(value, list | tuple):
        raise InvalidInput(f"piece {name}: {key} must be a list of points")
    return tuple(point_from_json(point, f"piece {name}: a point of {key}") for point in value)


def _rounded(values: Iterable[float], digits: int) -> list[float]:
    return [round(value, digits) for value in values]
