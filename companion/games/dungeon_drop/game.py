"""Dungeon Drop on the contract that all games keep."""

from __future__ import annotations

from typing import Any

from companion.games.dungeon_drop import events, play, position, table_problems, view
from companion.games.dungeon_drop.position import Position
from companion.problems import Problem


class DungeonDrop:
    name = "dungeon-drop"
    title = "Dungeon Drop"

    def opening(self) -> Position:
        return Position()

    def parse_event(self, text: str) -> events.DropEvent:
        return events.parse_event(text)

    def parse_position(self, text: str) -> Position:
        return position.parse_position(text)

    def play(self, position: Position, event: events.DropEvent) -> Position:
        return play.play(position, event)

    def problems(self, position: Position) -> tuple[Problem, ...]:
        return table_problems.position_problems(position)

    def view(self, position: Position) -> dict[str, Any]:
        return view.view(position)
