"""`companion dungeon-hustle`: monsters, runs and score, one question a line."""

from __future__ import annotations

import json
from typing import Any

import click

from companion.cli.lines import answer_lines, read_text
from companion.errors import CompanionError
from companion.games.dungeon_hustle.answers import answer_monsters, answer_runs
from companion.games.dungeon_hustle.score_record import is_record, score_of_record
from companion.games.dungeon_hustle.scoring import answer_score

_EPILOG = "FILE holds one JSON object a line, or is - for standard input."


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


@hustle.command(epilog=_EPILOG)
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, one object a line.")
def score(file: str, as_json: bool) -> None:
    """The score sheet, from heroes as JSON or from the record of a game.

    \b
    JSON: {"heroes": [{"name": "Anna", "level": 3, "gold": 4, "items": [2, 1], "quests": [5]}]}
    where items and quests list the points on their cards. A record starts with "game dungeon-hustle".
    """
    text = read_text(file)
    if is_record(text):
        try:
            answer = score_of_record(text)
        except CompanionError as problem:
            raise type(problem)(f"{file}: {problem}") from None
        click.echo(json.dumps(answer) if as_json else _sheet_text(answer))
    else:
        answer_lines(file, answer_score, None if as_json else _sheet_text, text)


def _sheet_text(answer: dict[str, Any]) -> str:
    if answer["monsters_win"]:
        return "The monsters win: nobody scores."
    rows = [(score["name"], *score["parts"].values(), score["total"]) for score in answer["scores"]]
    table = [("", "levels", "gold", "items", "quests", "total"), *rows]
    width = max(len(str(row[0])) for row in table)
    lines = [f"{row[0]!s:<{width}}" + "".join(f"{cell!s:>8}" for cell in row[1:]) for row in table]
    winners = " and ".join(answer["winners"])
    return "\n".join([*lines, f"{winners} {'wins' if len(answer['winners']) == 1 else 'share the win'}."])


def _story(answer: dict[str, Any]) -> str:
    why = answer["explanations"]
    spawned = answer["spawned"]
    head = f"A monster appears on {_place(spawned)}: " if spawned else "No monster appears: "
    lines = [head + why["spawned"] + "."]
    for move in why["moves"]:
        verb = "stays" if move["from"] == move["to"] else "escapes" if move["to"] == [3, 3] else "moves"
        to = f" to {_place(move['to'])}" if verb == "moves" else ""
        lines.append(f"{_place(move['from'])} {verb}{to}: {move['why']}.")
    lines += why["doubts"]
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
