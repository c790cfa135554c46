"""What lies on a Dungeon Hustle board, as read or as entered: plain records that vision writes and the rules read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.errors import InvalidInput

Space = tuple[int, int]

SYMBOLS: Final = ("potion", "scroll", "sword", "key", "shield")
HEROES: Final = ("fighter", "rogue", "cleric", "mage")
OCCUPANTS: Final = ("monster", *HEROES, "hero")  # "hero": somebody whose name is unknown
SIDE: Final = 7
CENTRE: Final[Space] = (3, 3)


def is_corner_space(row: int, col: int) -> bool:
    """The three spaces that each corner tile takes: the corner and its two neighbours."""
    return min(row, SIDE - 1 - row) + min(col, SIDE - 1 - col) <= 1


CARD_SPACES: Final[tuple[Space, ...]] = tuple(
    (row, col) for row in range(SIDE) for col in range(SIDE) if not is_corner_space(row, col) and (row, col) != CENTRE
)


@dataclass(frozen=True)
class Card:
    """A dungeon card's face; None where it could not be read, never guessed."""

    colour: str | None
    symbol: str | None
    attack: bool | None = False

    def as_json(self) -> dict[str, Any]:
        return {"colour": self.colour, "symbol": self.symbol, "attack": self.attack}


@dataclass(frozen=True)
class Cell:
    """One of the 36 spaces that hold a card, and who stands on it."""

    row: int
    col: int
    card: Card
    occupant: str | None = None
    also: str | None = None  # "monster", where one appeared beside a hero
    confidence: float = 1.0

    @property
    def space(self) -> Space:
        return self.row, self.col

    def as_json(self) -> dict[str, Any]:
        out = {"row": self.row, "col": self.col, **self.card.as_json(), "occupant": self.occupant}
        if self.also is not None:
            out["also"] = self.also
        return out | {"confidence": round(self.confidence, 3)}


def card_from_json(data: Any, where: str) -> Card:
    if not isinstance(data, Mapping):
        raise InvalidInput(f"{where} is not a JSON object")
    colour, symbol, attack = data.get("colour"), data.get("symbol"), data.get("attack", False)
    if colour is not None and (not isinstance(colour, str) or not colour):
        raise InvalidInput(f"{where}: its colour must be a text")
    if symbol is not None and symbol not in SYMBOLS:
        raise InvalidInput(f"{where}: unknown symbol {symbol!r}; known are {', '.join(SYMBOLS)}")
    if attack is not None and not isinstance(attack, bool):
        raise InvalidInput(f"{where}: attack must be true or false")
    return Card(colour, symbol, attack)


def cell_from_json(data: Any) -> Cell:
    """
    >>> cell_from_json({"row": 0, "col": 2, "colour": "blue", "symbol": "sword"})
    Cell(row=0, col=2, card=Card(colour='blue', symbol='sword', attack=False), occupant=None, also=None, confidence=1.0)
    """
    if not isinstance(data, Mapping):
        raise InvalidInput("a cell is not a JSON object")
    space = (data.get("row"), data.get("col"))
    if space not in CARD_SPACES or any(isinstance(v, bool) for v in space):
        raise InvalidInput(f"there is no dungeon card at row {space[0]!r}, column {space[1]!r}")
    row, col = CARD_SPACES[CARD_SPACES.index(space)]
    where = f"the cell at row {row}, column {col}"
    occupant, also = data.get("occupant"), data.get("also")
    if occupant is not None and occupant not in OCCUPANTS:
        raise InvalidInput(f"{where}: unknown occupant {occupant!r}; known are {', '.join(OCCUPANTS)}")
    if also not in (None, "monster"):
        raise InvalidInput(f'{where}: "also" can only be "monster"')
    confidence = data.get("confidence", 1.0)
    if isinstance(confidence, bool) or not isinstance(confidence, int | float) or not 0 <= confidence <= 1:
        raise InvalidInput(f"{where}: its confidence must be a number from 0 to 1")
    return Cell(row, col, card_from_json(data, where), occupant, also, float(confidence))


def cells_from_json(data: Any) -> tuple[Cell, ...]:
    if not isinstance(data, list):
        raise InvalidInput('"cells" must be a list')
    cells = tuple(cell_from_json(item) for item in data)
    spaces = [cell.space for cell in cells]
    if twice := sorted({space for space in spaces if spaces.count(space) > 1}):
        raise InvalidInput(f"two cells name the same space: {', '.join(map(str, twice))}")
    return cells
