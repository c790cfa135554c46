"""Records of simulated games of Dungeon Hustle up to a wanted moment, for tests of the page."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.dungeon_hustle.position import Position
from tests.companion.hustle_simulation import Simulation


def played_until(wanted: Callable[[Position], bool]) -> tuple[list[str], Position]:
    """The events of the first simulated game that comes to such a position, and that position."""
    for seed in range(50):
        game = Simulation(seed, players=3)
        while game.position.phase != "over" and len(game.events) < 300:
            if wanted(game.position):
                return [str(event) for event in game.events], game.position
            game.step()
    raise AssertionError("no simulated game comes to such a position")


def rewarded(position: Position) -> bool:
    """A hero on a card is to hustle, and their helping card shows its reward."""
    return position.phase == "hustle" and position.hero.reward and isinstance(position.hero.spot, tuple)


def before_the_card(position: Position) -> bool:
    """A hero on a card who has not fought is about to turn up the card, with monsters on the board."""
    on_card = isinstance(position.hero.spot, tuple) if position.has_turn else False
    return position.phase == "quest" and on_card and not position.fought and bool(position.monsters)
