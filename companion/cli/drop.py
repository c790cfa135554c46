"""`companion dungeon-drop`: rooms and final scores, one question a line."""

from __future__ import annotations

from typing import Any, Final

import click

from companion.cli.lines import answer_lines
from companion.games.dungeon_drop.answers import rooms_answer
from companion.games.dungeon_drop.scoring import PARTS, score_answer

_EPILOG = "FILE holds one JSON object a line, or - for standard input; see the formats in the README."
_REASONS: Final = {
    "pillar-inside": "it holds a fourth pillar",
    "last-health": "it would cost the last health point",
    "dragon-needs-shield": "the dragon needs a shield",
}


@click.group(name="dungeon-drop")
def drop() -> None:
    """Dungeon Drop: rooms and what they hold, final scores."""


@drop.command(epilog=_EPILOG)
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, one object a line.")
@click.option("--all", "all_rooms", is_flag=True, help="Illegal rooms too, with the reason.")
def rooms(file: str, as_json: bool, all_rooms: bool) -> None:
    """Every room that three pillars form: what it takes, its damage and points, and how safe that is."""
    answer_lines(file, lambda question: rooms_answer(question, all_rooms=all_rooms), None if as_json else _rooms_text)


@drop.command(epilog=_EPILOG)
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, one object a line.")
def score(file: str, as_json: bool) -> None:
    """The final score sheet, from the heroes' stashes."""
    answer_lines(file, score_answer, None if as_json else _score_text)


def _rooms_text(answer: dict[str, Any]) -> str:
    lines = [_room_line(room) for room in answer["rooms"]] or ["No room can be looted."]
    if answer["outside"]:
        lines.append(f"Outside the dungeon: {', '.join(answer['outside'])}.")
    if answer.get("unplaced"):
        lines.append(f"Without a position, so not judged: {', '.join(answer['unplaced'])}.")
    return "\n".join(lines)


def _room_line(room: dict[str, Any]) -> str:
    taken = ", ".join(room["collects"]) or "nothing"
    line = f"{' '.join(room['pillars'])}: {_count(room['points'], 'point')}, {room['damage']} damage, takes {taken}"
    if not room["legal"]:
        line += f"; not allowed: {' and '.join(_REASONS[code] for code in room['why_not'])}"
    if room["doubtful"]:
        line += f"; too close to call: {', '.join(room['doubtful'])}"
    elif room["margin_mm"] is not None:
        line += f"; safe by {room['margin_mm']:.1f} mm"
    return line


def _score_text(answer: dict[str, Any]) -> str:
    width = max(len("hero"), *(len(score["name"]) for score in answer["scores"])) + 2
    lines = [f"{'hero':<{width}}" + "".join(f"{part:>10}" for part in PARTS) + f"{'total':>10}"]
    for score in answer["scores"]:
        numbers = [score["parts"][part] for part in PARTS] + [score["total"]]
        lines.append(f"{score['name']:<{width}}" + "".join(f"{number:>10}" for number in numbers))
    return "\n".join([*lines, f"{answer['winner']} wins."])


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
