"""Runs with a power, offered to the hero who has one and recorded as the rules want them."""

from __future__ import annotations

from companion.games.dungeon_hustle.position import Position
from companion.games.dungeon_hustle.runs import Table, best_run, colours_on
from tests.web.conftest import Table as Page
from tests.web.hustle_games import played_until, rewarded
from web.powers import powered_runs


def longest_plain(position: Position) -> int:
    table: Table = position.table_for(position.hero)
    assert position.hero.spot is not None
    return max(len(best_run(table, position.hero.spot, colour).picks) for colour in colours_on(table.cards))


def test_a_hero_with_a_reward_is_shown_a_run_that_uses_it(hustle: Page) -> None:
    lines, position = played_until(lambda here: rewarded(here) and bool(powered_runs(here)))
    hustle.post("plays", {"lines": lines})
    row, col = position.hero.spot  # type: ignore[misc]
    runs = hustle.get(f"runs.json?from={row},{col}")["runs"]
    (powered,) = (run for run in runs if run.get("by"))
    kind = "leap" if position.hero.who == "rogue" else "recolour"
    assert powered["by"] == "reward" and powered[kind] is not None
    assert len(powered["picks"]) > longest_plain(position)
    path = "/".join(place if isinstance(place, str) else ",".join(map(str, place)) for place in powered["path"])
    power = f"{kind}={','.join(map(str, powered[kind]))} by=reward"
    hustle.post("plays", {"lines": [f"hustle colour={powered['colour']} path={path} {power}"]})
    other = next(hero for hero in hustle.state()["play"]["heroes"] if hero["player"] == position.hero.player)
    assert not other["helping"]["reward"] and len(other["hand"]) == len(position.hero.hand) + len(powered["picks"])


def test_a_hero_without_a_power_and_a_place_that_is_not_theirs_get_plain_runs(hustle: Page) -> None:
    lines, position = played_until(rewarded)
    hustle.post("plays", {"lines": lines})
    assert not any(run.get("by") for run in hustle.get("runs.json?from=entrance")["runs"])
    plain, here = played_until(lambda one: one.phase == "hustle" and not one.hero.reward and not one.hero.items)
    assert powered_runs(here) == [] and plain
    assert position.hero.reward
