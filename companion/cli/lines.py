"""What the commands that answer JSON Lines share: open FILE or -, answer each line, complain in one sentence."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from companion.errors import InvalidInput
from companion.jsonl import answers, objects


def read_text(file: str) -> str:
    """The text of FILE, or of standard input where it is -."""
    try:
        raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as problem:
        raise InvalidInput(f"{file}: cannot be opened ({problem.strerror}); check the name") from None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInput(f"{file}: this is not a text file; JSON in UTF-8 is needed") from None


def answer_lines(
    file: str,
    ask: Callable[[Any], dict[str, Any]],
    show: Callable[[dict[str, Any]], str] | None = None,
    text: str | None = None,
) -> None:
    """Prints one answer a line: as JSON, or as `show` words it. Ends with exit code 2 where any line was bad.

    `text` is what FILE holds, where the caller has read it already: standard input can be read once.
    """
    text = read_text(file) if text is None else text
    total = sum(1 for _ in objects(text))
    if total == 0:
        raise InvalidInput(f"{file}: there is no JSON object in it")
    bad = False
    with click.progressbar(
        answers(text, ask), length=total, file=sys.stderr, hidden=total < 20 or not sys.stderr.isatty()
    ) as outcomes:
        for outcome in outcomes:
            if outcome.answer is None:
                bad = True
                click.echo(f"companion: {file}, line {outcome.line}: {outcome.complaint}", err=True)
                click.echo(json.dumps({"error": outcome.complaint}))
            else:
                click.echo(json.dumps(outcome.answer) if show is None else show(outcome.answer))
    if bad:
        raise click.exceptions.Exit(2)
