"""What a person tells by tapping on a teach photo: all that teaching may use besides the photo itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.errors import InvalidInput
from companion.pieces import SIZES, TYPES, Point, point_from_json
from companion.tiles import CARD_SPACES, OCCUPANTS, Card, Space, cells_from_json

TAUGHT_TYPES: Final = tuple(kind for kind in TYPES if kind != "meeple")


@dataclass(frozen=True)
class CubeTap:
    """One cube, and where its middle was tapped."""

    type: str
    size: str
    center_px: Point


@dataclass(frozen=True)
class CellTap:
    """One card of the board, named."""

    row: int
    col: int
    card: Card


@dataclass(frozen=True)
class StandeeTap:
    who: str  # "monster" or a hero's name
    row: int
    col: int


@dataclass(frozen=True)
class DropTaps:
    photo: str  # relative to the taps file
    cubes: tuple[CubeTap, ...]


@dataclass(frozen=True)
class HustleTaps:
    photo: str  # relative to the taps file
    cells: tuple[CellTap, ...]
    standees: tuple[StandeeTap, ...] = ()


def drop_taps_from_json(data: Any) -> DropTaps:
    """
    >>> drop_taps_from_json({"game": "dungeon-drop", "photo": "a.jpg",
    ...                      "cubes": [{"type": "gold", "size": "S", "center_px": [812, 455]}]})
    DropTaps(photo='a.jpg', cubes=(CubeTap(type='gold', size='S', center_px=(812.0, 455.0)),))
    """
    photo = _photo_of(data, "dungeon-drop")
    cubes = _list_of(data, "cubes", "name at least one cube")
    return DropTaps(photo, tuple(_cube(item, number) for number, item in enumerate(cubes, 1)))


def hustle_taps_from_json(data: Any) -> HustleTaps:
    photo = _photo_of(data, "dungeon-hustle")
    cells = cells_from_json(_list_of(data, "cells", "name at least one card"))
    for cell in cells:
        if cell.card.colour is None or cell.card.symbol is None or cell.card.attack is None:
            raise InvalidInput(f"the card at row {cell.row}, column {cell.col} needs a colour, a symbol and attack")
    standees = data.get("standees", [])
    if not isinstance(standees, list):
        raise InvalidInput('"standees" must be a list')
    named = tuple(CellTap(cell.row, cell.col, cell.card) for cell in cells)
    return HustleTaps(photo, named, tuple(_standee(item, number) for number, item in enumerate(standees, 1)))


def _photo_of(data: Any, game: str) -> str:
    if not isinstance(data, Mapping):
        raise InvalidInput("taps must be a JSON object")
    if data.get("game") != game:
        raise InvalidInput(f'these taps are for {data.get("game")!r}, not for "{game}": name the other game')
    photo = data.get("photo")
    if not isinstance(photo, str) or not photo or "\0" in photo:
        raise InvalidInput('"photo" must name the photo that was tapped, relative to the taps file')
    return photo


def _list_of(data: Mapping[str, Any], key: str, otherwise: str) -> list[Any]:
    value = data.get(key)
    if not isinstance(value, list) or not value:
        raise InvalidInput(f'"{key}" must be a list: {otherwise}')
    return value


def _cube(data: Any, number: int) -> CubeTap:
    if not isinstance(data, Mapping):
        raise InvalidInput(f"cube {number} is not a JSON object")
    kind, size = data.get("type"), data.get("size")
    if kind not in TAUGHT_TYPES:
        raise InvalidInput(f"cube {number}: unknown type {kind!r}; known are {', '.join(TAUGHT_TYPES)}")
    if size not in SIZES:
        raise InvalidInput(f"cube {number}: unknown size {size!r}; known are S, L and H")
    return CubeTap(kind, size, point_from_json(data.get("center_px"), f"cube {number}: center_px"))


def _standee(data: Any, number: int) -> StandeeTap:
    if not isinstance(data, Mapping):
        raise InvalidInput(f"standee {number} is not a JSON object")
    who, space = data.get("who"), (data.get("row"), data.get("col"))
    if who not in OCCUPANTS:
        raise InvalidInput(f"standee {number}: unknown name {who!r}; known are {', '.join(OCCUPANTS)}")
    row, col = _space(space, f"standee {number}")
    return StandeeTap(who, row, col)


def _space(space: tuple[Any, Any], where: str) -> Space:
    if space not in CARD_SPACES or any(isinstance(value, bool) for value in space):
        raise InvalidInput(f"{where}: there is no dungeon card at row {space[0]!r}, column {space[1]!r}")
    return CARD_SPACES[CARD_SPACES.index(space)]
