"""The games, each in its own folder, listed here by hand: nothing is discovered, so nothing is a surprise."""

from __future__ import annotations

from typing import Final

from companion.games.contract import Game
from companion.games.dungeon_drop.game import DungeonDrop
from companion.games.dungeon_hustle.game import DungeonHustle

GAMES: Final[tuple[Game, ...]] = (DungeonDrop(), DungeonHustle())
