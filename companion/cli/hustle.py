"""`companion dungeon-hustle`: monsters, runs and score, one question a line."""

from __future__ import annotations

import json
from typing import Any

import click

from companion.cli.lines import answer_lines, read_text
from companion.errors import CompanionError
from companion.games.dungeon_hustle.answers import answer_monsters, answer_runs
from companion.games.dungeon_hustle.board_answers import answer_advice, answer_forecast
from companion.games.dungeon_hustle.score_record import score_of_record
from companion.games.dungeon_hustle.scoring import answer_score
from companion.record import is_record

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


@hustle.command(epilog=_EPILOG)
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, one object a line.")
def advise(file: str, as_json: bool) -> None:
    """The best run for what a hero wants, by weights for symbols, colours and endings.

    \b
    JSON: a board and a start as for `runs`, and
    "wants": {"card": 1, "symbols": {"sword": 2}, "colours": {"red": 1}, "faces": {"red-key": 3},
              "ends": [{"at": [2, 3], "worth": 4}, {"at": "top-left", "worth": 5}]},
    "recolour": true where one card's colour may be changed, "leap": true where one space may be jumped over.
    """
    answer_lines(file, answer_advice, None if as_json else _advice_text)


@hustle.command(epilog=_EPILOG)
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, one object a line.")
def forecast(file: str, as_json: bool) -> None:
    """What each card that may be turned up next would do, and the chance of an escape.

    \b
    JSON: a board and tracks as for `monsters`, and "deck": ["blue-sword", "red-key!"] where its cards are known.
    """
    answer_lines(file, answer_forecast, None if as_json else _forecast_text)


def _advice_text(answer: dict[str, Any]) -> str:
    line = _runs_text({"runs": [answer]}) + f"; worth {answer['worth']:g}"
    if answer["recolour"]:
        line += f", with {_place(answer['recolour'])} recoloured"
    return line + (f", jumping over {_place(answer['leap'])}" if answer["leap"] else "")


def _forecast_text(answer: dict[str, Any]) -> str:
    lines = []
    for one in answer["cards"]:
        what = [f"{_place(move['from'])} to {_place(move['to'])}" for move in one["moves"] if move["to"] != [3, 3]]
        what += [f"{one['escapes']} escape{'s' if one['escapes'] == 1 else ''}"] if one["escapes"] else []
        what += [f"one appears on {_place(one['spawned'])}"] if one["spawned"] else []
        chance = "" if one["chance"] is None else f" ({100 * one['chance']:.1f}%)"
        lines.append(f"{one['card']}{chance}: {', '.join(what) or 'nothing moves'}")
    if answer["escape_chance"] is not None:
        lines.append(f"A monster escapes next with a chance of {100 * answer['escape_chance']:.1f}%.")
    return "\n".join(lines)


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
