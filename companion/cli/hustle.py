"""`companion dungeon-hustle`: monsters, runs and score, one question a line."""

from __future__ import annotations

from typing import Any

import click

from companion.cli.lines import answer_lines
from companion.games.dungeon_hustle.answers import answer_monsters, answer_runs

_EPILOG = "FILE holds one JSON object a line, or - for standard input; see the formats in the README."


@click.group(name="dungeon-hustle")
def hustle() -> None:
    """Dungeon Hustle: monster moves, best runs, final scores."""


@hustle.command(epilog=_EPILOG)
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, one object a line.")
@click.option("--explain", is_flag=True, help="Add a sentence for each monster to the JSON.")
def monsters(file: str, as_json: bool, explain: bool) -> None:
    """Who appears, moves and escapes when a card is turned up."""
    answer_lines(file, lambda question: answer_monsters(question, explain or not as_json), None if as_json else _story)


@hustle.command(epilog=_EPILOG)
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, one object a line.")
def runs(file: str, as_json: bool) -> None:
    """The best run of each colour: most cards picked up, shortest path."""
    answer_lines(file, answer_runs, None if as_json else _runs_text)


def _story(answer: dict[str, Any]) -> str:
    why = answer["explanations"]
    spawned = answer["spawned"]
    head = f"A monster appears on {_place(spawned)}: " if spawned else "No monster appears: "
    lines = [head + why["spawned"] + "."]
    for move in why["moves"]:
        verb = "stays" if move["from"] == move["to"] else "escapes" if move["to"] == [3, 3] else "moves"
        to = f" to {_place(move['to'])}" if verb == "moves" else ""
        lines.append(f"{_place(move['from'])} {verb}{to}: {move['why']}.")
    lines.append(f"Escaped so far: {answer['escaped']}." + (" The monsters win." if answer["monsters_win"] else ""))
    return "\n".join(lines)


def _runs_text(answer: dict[str, Any]) -> str:
    return "\n".join(
        f"{run['colour']}: {len(run['picks'])} card{'' if len(run['picks']) == 1 else 's'}, "
        f"{' → '.join(map(_place, run['path']))}, ends on a {run['ends_on']}"
        for run in answer["runs"]
    )


def _place(spot: list[int] | str) -> str:
    return spot if isinstance(spot, str) else f"({spot[0]},{spot[1]})"
