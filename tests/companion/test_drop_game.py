"""The game by the rulings: turns, potions, shields, rooms, meeples, rounds, the count; and what cannot be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.errors import IllegalMove
from companion.games.dungeon_drop import example_heroes
from companion.games.dungeon_drop.events import parse_event
from companion.games.dungeon_drop.game import DungeonDrop
from companion.games.dungeon_drop.play import left_in_box
from companion.games.dungeon_drop.position import Position
from companion.games.dungeon_drop.quests import quest_from_json
from companion.pieces import BOX

GAME = DungeonDrop()


def square(x: float, y: float, side: float = 8.0) -> str:
    return f"{x},{y}/{x + side},{y}/{x + side},{y + side}/{x},{y + side}"


# One room of p1 p2 p3 with room for guests; p4 stands far off and makes three more, which hold nothing.
PILLARS = [f"p1:pillar:S:{square(0, 0)}", f"p2:pillar:S:{square(100, 0)}", f"p3:pillar:S:{square(0, 100)}"]
FAR = f"p4:pillar:S:{square(-200, -200)}"


def look(*kinds: str, error: str = "") -> str:
    """A look at the pillars with these pieces in their room, each `type` or `type:size`."""
    guests = [
        f"q{number}:{kind if ':' in kind else kind + ':S'}:{square(12 + 9 * number, 12)}"
        for number, kind in enumerate(kinds)
    ]
    return f"look pieces={';'.join([*PILLARS, FAR, *guests])}{error}"


def after(*lines: str, start: Position | None = None) -> Position:
    here = start or GAME.opening()
    for line in lines:
        here = GAME.play(here, parse_event(line))
    return here


def refused(here: Position, line: str, why: str) -> None:
    with pytest.raises(IllegalMove, match=why):
        after(line, start=here)


TWO = ("join Ada 9 5", "join Bo 4 9", "start")


def bo_explores(*kinds: str) -> Position:
    """Bo has the lower initiative and so the first turn."""
    return after(*TWO, "explore", look(*kinds), "accept")


def test_turn_order_is_by_initiative_and_then_by_weight() -> None:
    here = after("join Ada 9 5", "join Bo 4 9", "join Cy 6 9", "start")
    assert here.order == ("Bo", "Cy", "Ada")
    for taken in ("gold:S:3", "gold:S:1,troll:L:1", "gold:S:1"):
        here = after("explore", f"take {taken}", "end", start=here)
    # Weights 3, 1, 1: the troll weighs nothing (D12), the tie goes to the lower initiative (D16).
    assert (here.round, here.order) == (2, ("Cy", "Ada", "Bo"))


def test_a_game_has_three_rounds_and_empties_the_box() -> None:
    here = after(*TWO)
    while here.phase == "play":
        here = after("explore", "take gold:S", "end", start=here)
    assert (here.phase, left_in_box(here)) == ("count", 0)


@pytest.mark.parametrize(("heroes", "number"), [(2, 6), (3, 4), (4, 3)])
def test_explores_empty_the_box_on_the_last_turn(heroes: int, number: int) -> None:
    assert heroes * 3 * number == sum(count for (_, size), count in BOX.items() if size == "L")
    here = after(*(f"join H{n} {n} 8" for n in range(heroes)), "start", "explore")
    assert left_in_box(here) == 36 - number


def test_the_box_cannot_give_more_than_it_has() -> None:
    refused(after(*TWO), "explore number=37", "only 36 cubes are left")


def test_a_lone_hero_explores_as_the_cards_say() -> None:
    here = after("join Ada 9 5", "start solo_cubes=yes")
    refused(here, "explore", "say how many")
    assert left_in_box(after("explore number=5", start=here)) == 31


def test_setup_is_refused_where_it_cannot_be() -> None:
    refused(GAME.opening(), "start", "let a hero join")
    four = after(*(f"join H{n} {n} 8" for n in range(4)))
    refused(four, "join H5 5 8", "four heroes")
    refused(four, "quest Nobody {}", "no hero 'Nobody'")
    refused(after(*TWO), "join Late 5 8", "before the start")
    refused(GAME.opening(), "join Zero 1 0", "health is 1 or more")


def test_loot_needs_explore_and_ends_the_turn() -> None:
    here = after(*TWO, look("gold"))
    refused(here, "loot p1,p2,p3", "explores first")
    here = after("explore", "loot p1,p2,p3", start=here)
    assert here.player("Bo").stash == (("gold", "S", 1),)
    refused(here, "loot p1,p2,p4", "room is formed")
    refused(here, "potion", "room is formed")
    assert after("end", start=here).active_player.name == "Ada"
    refused(after(*TWO), "end", "has to loot")


def test_damage_may_reach_but_not_take_the_last_health_point() -> None:
    four = bo_explores("goblin", "goblin", "troll:L")
    here = after("damage Bo 4", "loot p1,p2,p3", start=four)
    assert here.player("Bo").damage == 8
    refused(after("damage Bo 5", start=four), "loot p1,p2,p3", "last health point")
    refused(four, "damage Bo 9", "last health point stays")


def test_the_dragon_needs_a_shield_that_was_in_the_stash() -> None:
    here = bo_explores("dragon:H", "shield:L", "goblin")
    refused(after("count Bo none", start=here), "loot p1,p2,p3", "dragon")
    ready = after("count Bo shield:L:1", "shield", start=here)
    assert ready.turn.shields == 1 and ready.player("Bo").stash == ()
    looted = after("loot p1,p2,p3", start=ready)
    assert looted.player("Bo").damage == 1  # the shield stops the dragon, the goblin bites
    assert looted.player("Bo").owns("dragon") == 1
    refused(here, "shield", "no shield in the stash")


def test_a_shield_lasts_for_its_turn() -> None:
    here = after("count Bo shield:L:1", "shield", look("gold"), "loot p1,p2,p3", "end", start=bo_explores())
    assert here.turn.shields == 0


def test_a_potion_heals_three_and_the_monsters_stay() -> None:
    here = after("count Bo potion:S:1,troll:L:2", "damage Bo 4", "potion", start=bo_explores())
    assert (here.player("Bo").damage, here.player("Bo").stash) == (1, (("troll", "L", 2),))
    assert after("count Bo potion:S:1", "damage Bo 2", "potion", start=bo_explores()).player("Bo").damage == 0
    refused(bo_explores("potion"), "potion", "no potion in the stash")


def test_one_ability_a_turn() -> None:
    here = after("act race note=flicked", start=bo_explores())
    refused(here, "act class", "one ability a turn")
    refused(bo_explores(), "act dance", "race")


def test_must_loot_where_a_room_is_legal() -> None:
    here = bo_explores("gold")
    refused(here, "pass", "has to take one")
    assert after("house must_loot=no", "pass", start=here).turn.done == "passed"
    assert after(f"look pieces={PILLARS[0]}", "pass", start=here).turn.done == "passed"


def test_an_illegal_room_loses_the_turn() -> None:
    here = after("damage Bo 8", start=bo_explores("goblin"))
    lost = after("illegal pillars=p1,p2,p3", start=here)
    assert (lost.turn.done, lost.player("Bo").stash, lost.table) == ("lost", (), here.table)
    assert after("house illegal_room_loses_turn=no", "illegal pillars=p1,p2,p3", start=here).turn.done == ""
    refused(bo_explores("gold"), "illegal pillars=p1,p2,p3", "is allowed")


def test_a_fourth_pillar_bars_the_room() -> None:
    here = bo_explores("pillar", "gold")
    refused(here, "loot p1,p2,p3", "fourth pillar")
    refused(here, "loot p1,p2", "three different pillars")
    refused(here, "loot p1,p2,q1", "three different pillars")


def test_the_table_rules_on_doubtful_cubes_only() -> None:
    near = f"look pieces={';'.join(PILLARS)};g:gold:S:{square(50, -8.3)};h:gold:S:{square(20, 20)} error_mm=0.2"
    here = after(*TWO, "explore", near)
    assert after("loot p1,p2,p3", start=here).player("Bo").stash == (("gold", "S", 2),)
    ruled_out = after("loot p1,p2,p3 without=g", start=here)
    assert ruled_out.player("Bo").stash == (("gold", "S", 1),)
    assert "g" in {piece.id for piece in ruled_out.table or ()}
    refused(here, "loot p1,p2,p3 without=h", "not too close")
    strict = after("house doubt_counts_as_in=no", start=here)
    assert after("loot p1,p2,p3", start=strict).player("Bo").stash == (("gold", "S", 1),)
    assert after("loot p1,p2,p3 also=g", start=strict).player("Bo").stash == (("gold", "S", 2),)


def test_a_doubtful_fourth_pillar_may_be_ruled_out() -> None:
    near = f"look pieces={';'.join(PILLARS)};p9:pillar:S:{square(50, -8.3)} error_mm=0.2"
    here = after(*TWO, "explore", near)
    refused(here, "loot p1,p2,p3", "fourth pillar")
    assert after("loot p1,p2,p3 without=p9", start=here).turn.done == "looted"


def test_meeples_score_for_their_owners_only() -> None:
    lines = ("join Ada 9 5 meeple=red", "join Bo 4 9 meeple=blue", "start teamwork=yes", "explore")
    meeples = f"m:meeple:?:{square(40, 12)}:colour:red;n:meeple:?:{square(20, 30)}:colour:blue"
    here = after(*lines, "meeple Ada", f"{look('gold')};{meeples}")
    refused(here, "meeple Ada", "already")
    refused(here, "meeple Bo", "own meeple")
    looted = after("loot p1,p2,p3", start=here)
    assert (looted.player("Ada").teamwork, looted.player("Bo").teamwork) == (1, 0)
    assert looted.player("Bo").stash == (("gold", "S", 1),)
    away = after(*lines, "meeple Ada", f"{look('gold')};m:meeple:?:{square(200, 200)}:colour:red", "loot p1,p2,p3")
    assert away.player("Ada").teamwork == 0
    assert all(piece.type != "meeple" for piece in after("end", start=away).table or ())
    refused(bo_explores(), "meeple Ada", "teamwork")


def test_what_fell_comes_back_with_the_next_explore() -> None:
    here = after("fall q0", "loot p1,p2,p3", "end", start=bo_explores("gold", "key"))
    assert here.fallen == (("gold", "S", 1),)
    again = after("explore", start=here)
    assert again.fallen == () and ("gold", "S", 1) in again.expected
    refused(here, "fall q9", "no piece q9")


def test_chests_are_rolled_for_paired_keys() -> None:
    here = after(*TWO)
    while here.phase == "play":
        here = after("explore", "take gold:S", "end", start=here)
    here = after("count Ada key:S:2,chest:L:3", "count Bo gold:S:4", start=here)
    refused(here, "finish", "Ada still rolls 2 of 2")
    refused(here, "roll Bo 3", "0 chests with keys")
    refused(here, "roll Ada 7", "1 to 6")
    here = after("roll Ada 3", "roll Ada 1", start=here)
    refused(here, "roll Ada 1", "all are rolled")
    over = after("bonus Bo 0", "finish", start=here)
    sheet = GAME.view(over)["sheet"]
    assert [score["total"] for score in sheet["scores"]] == [4, 4]
    assert sheet["winner"] == "Ada"  # D16: the higher initiative wins a tie
    refused(over, "quest Bo {}", "the score stands")


def test_quests_stay_secret_until_the_count() -> None:
    here = after("join Ada 9 5", 'quest Ada {"gem-pink":3}', "start")
    assert GAME.view(here)["heroes"][0]["quest"] is None
    assert GAME.view(here)["heroes"][0]["has_quest"] is True


# ---- problems


def codes(here: Position) -> list[str]:
    return [problem.code for problem in GAME.problems(here)]


def test_more_than_the_box_holds() -> None:
    golds = ";".join(f"g{n}:gold:S:{square(20 * n, 0)}" for n in range(13))
    assert "too-many" in codes(after(f"look pieces={golds}"))
    dragons = ";".join(f"d{n}:dragon:H:{square(20 * n, 0)}" for n in range(2))
    assert "too-many" in codes(after(f"look pieces={dragons}"))
    shared = after(f"look pieces=d:dragon:H:{square(0, 0)}", "join Ada 9 5", "count Ada dragon:H:1")
    assert "too-many" in codes(shared)


def test_solo_cubes_belong_to_the_solo_game() -> None:
    assert "too-many" in codes(after(*TWO, f"look pieces=s:staircase:S:{square(0, 0)}", "accept"))
    solo = after("join Ada 9 5", "start solo_cubes=yes", f"look pieces=s:staircase:S:{square(0, 0)}", "accept")
    assert codes(solo) == []


def test_cubes_inside_each_other() -> None:
    assert codes(after(f"look pieces=a:gold:S:{square(0, 0)};b:gold:S:{square(2, 1)}")) == ["overlap"]
    assert codes(after(f"look pieces=a:gold:S:{square(0, 0)};b:gold:S:{square(7.5, 0)}")) == []
    stacked = f"look pieces=a:gold:S:{square(0, 0)};b:gold:S:{square(2, 1)}:resting:stacked"
    assert codes(after(stacked)) == []


def test_a_cube_that_vanished_and_one_from_nowhere() -> None:
    here = bo_explores("gold", "goblin", "key")
    assert codes(here) == []
    less = after(look("gold", "goblin"), start=here)
    assert codes(less) == ["vanished"]
    assert codes(after("accept", start=less)) == []
    assert codes(after(look("gold", "goblin", "key"), start=less)) == []  # it was only hidden
    assert codes(after(look("gold", "goblin", "key", "gold"), start=here)) == ["appeared"]


def test_explored_cubes_are_no_surprise() -> None:
    here = after("loot p1,p2,p3", "end", "explore", start=bo_explores("gold"))
    assert codes(after(look("troll:L", "chest:L"), start=here)) == []
    assert codes(after("loot p1,p2,p4", start=here)) == []


def test_a_cube_without_a_size_may_be_either() -> None:
    here = bo_explores("gold", "gold:L")
    assert codes(after(look("gold:?", "gold:L"), start=here)) == []


# ---- the example file


def test_the_example_is_marked_and_can_be_entered() -> None:
    example = example_heroes()
    assert example["note"].startswith("AN EXAMPLE")
    for hero in example["heroes"]:
        assert all(hero[key].startswith("Example") for key in ("race", "class"))
        quest = quest_from_json(hero["quest"])
        assert quest_from_json(json.loads(str(quest))) == quest


def test_the_example_says_so_in_the_package() -> None:
    folder = Path(__file__).parents[2] / "companion" / "games" / "dungeon_drop"
    assert [file.name for file in folder.glob("*.json")] == ["example.json"]
