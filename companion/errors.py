"""Three failures, three names. Each message is one plain sentence that says what to do next."""

from __future__ import annotations


class CompanionError(ValueError):
    """Something that a person can put right; never shown with a traceback."""


class InvalidInput(CompanionError):
    """The text or JSON cannot be read as what it should be."""


class IllegalMove(CompanionError):
    """It can be read, but the rules say no in this position."""


class AmbiguousMove(CompanionError):
    """More than one thing could be meant."""

    def __init__(self, message: str, candidates: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.candidates = candidates
