"""What a game must offer. See README.md beside this file for how to add one."""

from __future__ import annotations

from typing import Any, Protocol

from companion.problems import Problem


class Event(Protocol):
    """Something that happened: a frozen value whose text, one line, parses back to an equal one."""

    def __str__(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...


class Position(Protocol):
    """All that the rules need to know of one moment: a frozen value whose one-line text parses back to an equal one."""

    def __str__(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...


class Game(Protocol):
    """One game's rules. Every method is a function of its arguments and nothing else.

    Events and positions are the game's own types; `play` is only ever given what this game made, and each game narrows
    them on entry, so that this contract needs no type parameters that every caller would have to carry along.
    """

    @property
    def name(self) -> str:
        """As on the command line: lower case, words joined by hyphens."""

    @property
    def title(self) -> str:
        """As people write it."""

    def opening(self) -> Position:
        """Before anything happened, setup included: setup is events too."""

    def parse_event(self, text: str) -> Event:
        """InvalidInput where the line is no event of this game."""

    def parse_position(self, text: str) -> Position:
        """InvalidInput where the line is no position of this game."""

    def play(self, position: Any, event: Any) -> Position:
        """The position after the event; IllegalMove where the rules say no."""

    def problems(self, position: Any) -> tuple[Problem, ...]:
        """What cannot be, if this position was read from a table; empty where all is well."""

    def view(self, position: Any) -> dict[str, Any]:
        """The position as JSON, for the page and for other programs."""
