"""`companion dungeon-drop` from outside: lines in, lines out, exit codes, plain sentences."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from companion.cli.drop import drop
from companion.errors import CompanionError

RECORD = Path(__file__).parent / "playthroughs" / "dungeon-drop.txt"


def square(x: float, y: float, side: float = 8.0) -> list[list[float]]:
    return [[x, y], [x + side, y], [x + side, y + side], [x, y + side]]


PIECES: list[dict[str, Any]] = [
    {"id": "p01", "type": "pillar", "size": "S", "footprint_mm": square(0, 0)},
    {"id": "p02", "type": "pillar", "size": "S", "footprint_mm": square(100, 0)},
    {"id": "p03", "type": "pillar", "size": "S", "footprint_mm": square(0, 100)},
    {"id": "p04", "type": "gem-blue", "size": "S", "footprint_mm": square(20, 20)},
    {"id": "p05", "type": "troll", "size": "L", "footprint_mm": square(40, 20, 10)},
    {"id": "p06", "type": "gold", "size": "S", "footprint_mm": square(50, -8.5)},
    {"id": "p07", "type": "gold", "size": "S", "footprint_mm": square(300, 300)},
    {"id": "p08", "type": "meeple", "colour": "red", "footprint_mm": square(20, 40)},
]
HERO = {"health": 8, "damage": 3, "shields": 0, "potions": 0, "quest": {"gem-blue": 4}}


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(drop, list(arguments), input=stdin)


def lines(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_rooms_as_the_formats_have_them() -> None:
    result = run("rooms", "-", "--json", stdin=json.dumps({"pieces": PIECES, "hero": HERO, "error_mm": 0.1}))
    assert result.exit_code == 0
    assert lines(result) == [
        {
            "rooms": [
                {
                    "pillars": ["p01", "p02", "p03"],
                    "collects": ["p04", "p05", "p08"],
                    "damage": 2,
                    "points": 6,
                    "legal": True,
                    "why_not": [],
                    "margin_mm": 0.5,
                    "doubtful": [],
                }
            ],
            "boundary_mm": lines(result)[0]["boundary_mm"],
            "outside": ["p06", "p07"],
        }
    ]
    corners = {(0.0, 0.0), (108.0, 0.0), (108.0, 8.0), (8.0, 108.0), (0.0, 108.0)}
    assert {(x, y) for x, y in lines(result)[0]["boundary_mm"]} == corners


def test_doubtful_cubes_count_as_in() -> None:
    (answer,) = lines(run("rooms", "-", "--json", stdin=json.dumps({"pieces": PIECES, "error_mm": 0.3})))
    assert answer["rooms"][0]["doubtful"] == ["p06"]
    assert "p06" in answer["rooms"][0]["collects"]
    switched = {"pieces": PIECES, "error_mm": 0.3, "house": {"doubt_counts_as_in": False}}
    (answer,) = lines(run("rooms", "-", "--json", stdin=json.dumps(switched)))
    assert answer["rooms"][0]["doubtful"] == ["p06"]
    assert "p06" not in answer["rooms"][0]["collects"]


def test_illegal_rooms_only_where_asked_for() -> None:
    weak = json.dumps({"pieces": PIECES, "hero": HERO | {"damage": 6}})
    assert lines(run("rooms", "-", "--json", stdin=weak))[0]["rooms"] == []
    (room,) = lines(run("rooms", "-", "--json", "--all", stdin=weak))[0]["rooms"]
    assert (room["legal"], room["why_not"]) == (False, ["last-health"])


def test_for_people() -> None:
    result = run("rooms", "-", stdin=json.dumps({"pieces": PIECES, "error_mm": 0.3}))
    assert "takes 1 gem-blue, 1 troll, 1 gold, 1 meeple; too close to call: p06 (gold)" in result.stdout
    assert "Outside the dungeon: p07." in result.stdout
    assert "No room can be looted." in run("rooms", "-", stdin='{"pieces": []}').stdout


def test_advice_tells_what_a_room_leaves_and_what_a_shield_opens() -> None:
    more = [
        {"id": "p09", "type": "pillar", "size": "S", "footprint_mm": square(-100, 0)},
        {"id": "p10", "type": "dragon", "size": "H", "footprint_mm": square(-40, 20, 12)},
    ]
    question = json.dumps({"pieces": PIECES + more, "hero": HERO | {"shields": 1}, "next": HERO, "error_mm": 0.1})
    (answer,) = lines(run("advise", "-", "--json", stdin=question))
    best = answer["rooms"][0]
    assert (best["pillars"], best["safety"]["word"]) == (["p01", "p02", "p03"], "safe")
    assert best["leaves"]["best_before"]["points"] == 6 and best["leaves"]["best_after"]["points"] == 0
    remedy = answer["remedies"][0]
    assert (remedy["room"]["points"], remedy["shields"]) == (8, 1)
    text = run("advise", "-", stdin=question).stdout
    assert "leaves the next hero 0 points at best" in text and "with 1 shield: " in text
    assert run("advise", "-", stdin=json.dumps({"pieces": []})).exit_code == 2


def test_one_bad_line_does_not_stop_the_others() -> None:
    good = json.dumps({"pieces": PIECES})
    result = run("rooms", "-", "--json", stdin=f'{good}\nnonsense\n{{"pieces": 3}}\n{good}\n')
    assert result.exit_code == 2
    answers = lines(result)
    assert [("rooms" in answer, "error" in answer) for answer in answers] == [(True, False)] + [(False, True)] * 2 + [
        (True, False)
    ]
    assert "line 2" in result.stderr and "line 3" in result.stderr and "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("question", "complaint"),
    [
        ({}, "pieces"),
        ({"pieces": [{"type": "orc"}]}, "unknown type"),
        ({"pieces": [], "hero": {}}, "health"),
        ({"pieces": [], "hero": {"health": 3, "potions": -1}}, "potions"),
        ({"pieces": [], "hero": {"health": 3, "quest": {"gem-green": 2}}}, "gem-green"),
        ({"pieces": [], "error_mm": -1}, "error_mm"),
        ({"pieces": [], "house": {"free_beer": True}}, "free_beer"),
        ({"pieces": [{"type": "gold", "footprint_mm": [[1e9, 0]]}]}, "mm"),
        ({"pieces": [{"type": "pillar", "id": str(n), "footprint_mm": [[n, 0]]} for n in range(201)]}, "201 pillars"),
    ],
)
def test_bad_questions_get_one_sentence(question: dict[str, Any], complaint: str) -> None:
    result = run("rooms", "-", "--json", stdin=json.dumps(question))
    assert result.exit_code == 2
    assert complaint in lines(result)[0]["error"]


def cubes(*kinds: str) -> list[dict[str, str]]:
    return [{"type": kind, "size": "S"} for kind in kinds]


HEROES: list[dict[str, Any]] = [
    {
        "name": "Red", "initiative": 7, "quest": {"gem-clear": 2, "gem-pink": 1, "gem-blue": 4}, "teamwork": 2,
        "stash": cubes(*["gold"] * 5, "gem-blue", "troll", *["key"] * 2, *["chest"] * 3), "chest_rolls": [4, 6, 1],
    },
    {"name": "Blue", "initiative": 9, "stash": cubes("dragon"), "quest": None},
]  # fmt: skip


def test_score_as_the_formats_have_it() -> None:
    (answer,) = lines(run("score", "-", "--json", stdin=json.dumps({"heroes": HEROES})))
    assert answer == {
        "scores": [
            {
                "name": "Red",
                "total": 23,
                "parts": {"gold": 5, "gems": 4, "monsters": 2, "chests": 10, "teamwork": 2, "bonus": 0},
            },
            {
                "name": "Blue",
                "total": 8,
                "parts": {"gold": 0, "gems": 0, "monsters": 8, "chests": 0, "teamwork": 0, "bonus": 0},
            },
        ],
        "winner": "Red",
    }
    assert "Red wins." in run("score", "-", stdin=json.dumps({"heroes": HEROES})).stdout


def test_ties_go_to_the_higher_initiative() -> None:
    tied = [{"name": "Low", "initiative": 2}, {"name": "High", "initiative": 9}, {"name": "Mid", "initiative": 5}]
    assert lines(run("score", "-", "--json", stdin=json.dumps({"heroes": tied})))[0]["winner"] == "High"


def test_too_few_rolls_are_an_error() -> None:
    short = [HEROES[0] | {"chest_rolls": [4]}]
    result = run("score", "-", "--json", stdin=json.dumps({"heroes": short}))
    assert (result.exit_code, "Red has 2 paired chests but 1 roll" in result.stderr) == (2, True)


def test_scores_and_positions_from_a_record() -> None:
    (sheet,) = lines(run("score", str(RECORD), "--json"))
    assert [score["name"] for score in sheet["scores"]] == ["Ada", "Bo Li", "Cy"]
    (view,) = lines(run("replay", str(RECORD), "--json"))
    assert (view["phase"], view["sheet"], view["problems"]) == ("over", sheet, [])
    assert f"{sheet['winner']} wins." in run("replay", "-", stdin=RECORD.read_text()).stdout


def test_a_record_that_breaks_the_rules_names_the_event() -> None:
    result = run("replay", "-", stdin="game dungeon-drop\njoin Ada 3 8\nstart\nend\n")
    assert isinstance(result.exception, CompanionError)
    assert "event 3, end: Ada has to loot a room or pass" in str(result.exception)


def test_check_names_what_cannot_be() -> None:
    golds = [{"id": f"g{n}", "type": "gold", "size": "S"} for n in range(13)]
    (answer,) = lines(run("check", "-", "--json", stdin=json.dumps({"pieces": golds})))
    assert [problem["code"] for problem in answer["problems"]] == ["too-many"]
    assert "Nothing is wrong" in run("check", "-", stdin=json.dumps({"pieces": PIECES})).stdout
