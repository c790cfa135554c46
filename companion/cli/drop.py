"""`companion dungeon-drop`: rooms, scores, and a look through records and readings."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, Final

import click

from companion.cli.lines import answer_lines, read_text
from companion.errors import CompanionError, InvalidInput
from companion.games import GAMES
from companion.games.dungeon_drop.answers import advice_answer, check_answer, rooms_answer
from companion.games.dungeon_drop.game import DungeonDrop
from companion.games.dungeon_drop.position import Position
from companion.games.dungeon_drop.scoring import PARTS, score_answer, score_sheet
from companion.games.dungeon_drop.turns import REASONS
from companion.record import Record, is_record, parse_record, position

_EPILOG: Final = "FILE holds one JSON object a line, or - for standard input; see the formats in the README."
_JSON: Final = click.option("--json", "as_json", is_flag=True, help="Answer in JSON, one object a line.")


@click.group(name="dungeon-drop")
def drop() -> None:
    """Dungeon Drop: rooms and what they hold, final scores."""


@drop.command(epilog=_EPILOG)
@click.argument("file")
@_JSON
@click.option("--all", "all_rooms", is_flag=True, help="Illegal rooms too, with the reason.")
def rooms(file: str, as_json: bool, all_rooms: bool) -> None:
    """Every room that three pillars form: what it takes, its damage and points, and how safe that is.

    A reading of `companion read dungeon-drop --json` will do; "hero" may stand beside its "pieces".
    """

    def ask(question: dict[str, Any]) -> dict[str, Any]:
        answer = rooms_answer(question, all_rooms=all_rooms)
        return answer if as_json else answer | {"kinds": _kinds(question)}

    answer_lines(file, ask, None if as_json else _rooms_text)


@drop.command(epilog=_EPILOG)
@click.argument("file")
@_JSON
@click.option("--number", default=5, show_default=True, type=click.IntRange(1), help="How many rooms.")
def advise(file: str, as_json: bool, number: int) -> None:
    """The best rooms for "hero", what each leaves to the "next" hero, and what a potion or shield would open."""

    def ask(question: dict[str, Any]) -> dict[str, Any]:
        answer = advice_answer(question, number)
        return answer if as_json else answer | {"kinds": _kinds(question)}

    answer_lines(file, ask, None if as_json else _advice_text)


@drop.command(epilog=_EPILOG)
@click.argument("file")
@_JSON
def score(file: str, as_json: bool) -> None:
    """The final score sheet, from the heroes' stashes or from the record of a game."""
    text = read_text(file)
    if not is_record(text):
        answer_lines(file, score_answer, None if as_json else _score_text, text)
        return
    here = _replayed(file, text)
    sheet = score_sheet([player.standing() for player in here.players])
    click.echo(json.dumps(sheet) if as_json else _score_text(sheet))


@drop.command(epilog=_EPILOG)
@click.argument("file")
@_JSON
def check(file: str, as_json: bool) -> None:
    """What a table or stash cannot be as it was read: more gold than the box holds, cubes inside each other."""
    answer_lines(file, check_answer, None if as_json else _problems_text)


@drop.command()
@click.argument("file")
@_JSON
def replay(file: str, as_json: bool) -> None:
    """Plays a record through and shows where the game stands. FILE is a record, or - for standard input."""
    here = _replayed(file, read_text(file))
    view = DungeonDrop().view(here)
    click.echo(json.dumps(view) if as_json else _position_text(view))


def _replayed(file: str, text: str) -> Position:
    try:
        record: Record = parse_record(text, GAMES)
        if not isinstance(record.game, DungeonDrop):
            raise InvalidInput(f"this is a record of {record.game.title}, not of Dungeon Drop")
        here = position(record)
    except CompanionError as problem:
        raise type(problem)(f"{file}: {problem}") from None
    assert isinstance(here, Position)
    return here


def _kinds(question: dict[str, Any]) -> dict[str, str]:
    return {item.get("id", f"p{number:02}"): item["type"] for number, item in enumerate(question["pieces"], 1)}


def _rooms_text(answer: dict[str, Any]) -> str:
    lines = [_room_line(room, answer["kinds"]) for room in answer["rooms"]] or ["No room can be looted."]
    if answer["outside"]:
        lines.append(f"Outside the dungeon: {', '.join(answer['outside'])}.")
    if answer.get("unplaced"):
        lines.append(f"Without a position, so not judged: {', '.join(answer['unplaced'])}.")
    return "\n".join(lines)


def _room_line(room: dict[str, Any], kinds: dict[str, str]) -> str:
    number = Counter(kinds[name] for name in room["collects"])
    taken = ", ".join(f"{count} {kind}" for kind, count in number.items()) or "nothing"
    line = f"{' '.join(room['pillars'])}: {_count(room['points'], 'point')}, {room['damage']} damage, takes {taken}"
    if not room["legal"]:
        line += f"; not allowed: {' and '.join(REASONS[code] for code in room['why_not'])}"
    if room["doubtful"]:
        close = ", ".join(f"{name} ({kinds[name]})" for name in room["doubtful"])
        line += f"; too close to call: {close}"
    elif room["margin_mm"] is not None:
        line += f"; safe by {room['margin_mm']:.1f} mm"
    return line


def _advice_text(answer: dict[str, Any]) -> str:
    kinds = answer["kinds"]
    lines = []
    for room in answer["rooms"]:
        lines.append(_room_line(room, kinds))
        if leaves := room.get("leaves"):
            best = leaves["best_after"]
            left = "nothing to loot" if best is None else f"{_count(best['points'], 'point')} at best"
            lines.append(
                f"    leaves the next hero {left}; opens {_count(len(leaves['opened']), 'room')}, "
                f"takes from {len(leaves['spoiled'])}"
            )
    lines = lines or ["No room can be looted without a potion or shield."]
    for remedy in answer["remedies"]:
        used = [_count(remedy[key], key[:-1]) for key in ("potions", "shields") if remedy[key]]
        lines.append(f"with {' and '.join(used)}: {_room_line(remedy['room'], kinds)}")
    return "\n".join(lines)


def _score_text(answer: dict[str, Any]) -> str:
    width = max(len("hero"), *(len(score["name"]) for score in answer["scores"])) + 2
    lines = [f"{'hero':<{width}}" + "".join(f"{part:>10}" for part in PARTS) + f"{'total':>10}"]
    for score in answer["scores"]:
        numbers = [score["parts"][part] for part in PARTS] + [score["total"]]
        lines.append(f"{score['name']:<{width}}" + "".join(f"{number:>10}" for number in numbers))
    return "\n".join([*lines, f"{answer['winner']} wins."])


def _problems_text(answer: dict[str, Any]) -> str:
    return "\n".join(problem["message"] for problem in answer["problems"]) or "Nothing is wrong with it."


def _position_text(view: dict[str, Any]) -> str:
    heads = {"setup": "Setting up.", "count": "All rounds are played: count.", "over": "The score stands."}
    lines = [heads.get(view["phase"], f"Round {view['round']} of {view['rounds']}, {view['active']}'s turn.")]
    for hero in view["heroes"]:
        stash = ", ".join(f"{item['number']} {item['type']} {item['size'] or ''}".strip() for item in hero["stash"])
        state = f"{hero['damage']} damage of {hero['health']} health, weight {hero['weight']}"
        lines.append(f"{hero['name']}: {state}; {stash or 'nothing yet'}")
    if view.get("sheet"):
        lines.append(_score_text(view["sheet"]))
    return "\n".join(lines + [problem["message"] for problem in view["problems"]])


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
