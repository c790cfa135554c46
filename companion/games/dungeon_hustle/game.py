"""Dungeon Hustle on the contract that all games keep."""

from __future__ import annotations

from typing import Any

from companion.games.dungeon_hustle import events, play, problems, view
from companion.games.dungeon_hustle.notation import value_from_text
from companion.games.dungeon_hustle.position import Position
from companion.problems import Problem


class DungeonHustle:
    name = "dungeon-hustle"
    title = "Dungeon Hustle"

    def opening(self) -> Position:
        return Position()

    def parse_event(self, text: str) -> Any:
        return events.parse_event(text)

    def parse_position(self, text: str) -> Position:
        position = value_from_text(Position, text)
        assert isinstance(position, Position)
        return position

    def play(self, position: Position, event: Any) -> Position:
        return play.play(position, event)

    def problems(self, position: Position) -> tuple[Problem, ...]:
        return problems.position_problems(position)

    def view(self, position: Position) -> dict[str, Any]:
        return view.view(position)
