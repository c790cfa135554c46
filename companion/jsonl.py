"""JSON Lines in and out: one object a line, in order, so that a thousand positions cost one start-up."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from companion.errors import CompanionError, InvalidInput


@dataclass(frozen=True)
class Outcome:
    """What became of one line: an answer, or a sentence that says what is wrong with it."""

    line: int
    answer: dict[str, Any] | None
    complaint: str | None = None


def objects(text: str) -> Iterator[tuple[int, str]]:
    """Line number and text of each object. A file that holds one object over many lines counts as one line.

    >>> list(objects('{"a": 1}\\n\\n{"a": 2}\\n'))
    [(1, '{"a": 1}'), (3, '{"a": 2}')]
    >>> list(objects('{\\n "a": 1\\n}\\n'))
    [(1, '{\\n "a": 1\\n}')]
    """
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if lines and _is_json(text) and not all(_is_json(line) for _, line in lines):
        yield lines[0][0], text.strip()
        return
    yield from lines


def answers(text: str, ask: Callable[[Any], dict[str, Any]]) -> Iterator[Outcome]:
    """Each object's answer, in order. One bad line does not stop the others."""
    for number, line in objects(text):
        try:
            yield Outcome(number, ask(parsed(line)))
        except CompanionError as problem:
            yield Outcome(number, None, str(problem))


def parsed(line: str) -> Any:
    try:
        value = json.loads(line, parse_constant=_no_constant)
    except (json.JSONDecodeError, RecursionError) as problem:
        raise InvalidInput(f"this is not JSON ({problem})") from None
    if not isinstance(value, dict):
        raise InvalidInput("a JSON object is needed, in braces")
    return value


def dumped(items: Iterable[Any]) -> str:
    return "".join(json.dumps(item) + "\n" for item in items)


def _no_constant(name: str) -> Any:
    raise InvalidInput(f"{name} is not a number that JSON knows")


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        return False
    return True
