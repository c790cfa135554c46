"""Which games the page knows, what each is called, and which page shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from companion.errors import InvalidInput


@dataclass(frozen=True)
class Shown:
    name: str
    title: str
    template: str
    blurb: str


SHOWN: Final = (
    Shown("dungeon-drop", "Dungeon Drop", "drop.html", "Cubes on the table. Which are in the room?"),
    Shown("dungeon-hustle", "Dungeon Hustle", "hustle.html", "Cards in a grid. Where do the monsters go?"),
)


def shown(name: object) -> Shown:
    for game in SHOWN:
        if game.name == name:
            return game
    raise InvalidInput(f"which game? One of {', '.join(game.name for game in SHOWN)}")
