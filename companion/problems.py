"""Impossible input is data: a misread table yields problems, each with a code and a sentence, never an exception."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.errors import InvalidInput


@dataclass(frozen=True, order=True)
class Problem:
    """One thing that cannot be as it was read.

    >>> Problem("blurred", "The photo is blurred: hold the phone still and try again.").as_json()
    {'code': 'blurred', 'message': 'The photo is blurred: hold the phone still and try again.'}
    """

    code: str
    message: str

    def as_json(self) -> dict[str, str]:
        return {"code": self.code, "message": self.message}


def problem_from_json(data: Any) -> Problem:
    if not isinstance(data, dict) or not isinstance(data.get("code"), str) or not isinstance(data.get("message"), str):
        raise InvalidInput("a problem needs a code and a message")
    return Problem(data["code"], data["message"])
