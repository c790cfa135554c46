"""The rules as one function from a position and an event to the next position. IllegalMove where they say no."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any, Final

from companion.errors import IllegalMove
from companion.games.dungeon_drop import events as e
from companion.games.dungeon_drop import turns
from companion.games.dungeon_drop.house import HouseRules
from companion.games.dungeon_drop.position import Player, Position
from companion.games.dungeon_drop.scoring import unlocked
from companion.games.dungeon_drop.stashes import counted, cubes_of, first_drop, stash_of, total
from companion.pieces import BOX

MOST_HEROES: Final = 4


def play(position: Position, event: e.DropEvent) -> Position:
    """The position after the event."""
    return _RULES[type(event)](position, event)


# ---- setup


def _join(position: Position, event: e.Join) -> Position:
    _need(position, "setup", "heroes join before the start")
    if not event.name:
        raise IllegalMove("a hero needs a name")
    if len(position.players) == MOST_HEROES:
        raise IllegalMove("four heroes are the most that can play")
    if any(player.name == event.name for player in position.players):
        raise IllegalMove(f"there is a hero {event.name} already; choose another name")
    if event.health < 1 or event.initiative < 0:
        raise IllegalMove("health is 1 or more and initiative 0 or more; see the race card")
    player = Player(event.name, event.initiative, event.health, event.race, event.role, event.meeple)
    return replace(position, players=(*position.players, player))


def _quest(position: Position, event: e.SetQuest) -> Position:
    if position.phase == "over":
        raise IllegalMove("the score stands; take the end back to change a quest")
    return position.with_player(replace(position.player(event.hero), quest=event.quest))


def _house(position: Position, event: e.House) -> Position:
    if not 0 <= event.doubt_deviations <= 10:
        raise IllegalMove("doubt_deviations must lie between 0 and 10")
    return replace(position, rules=HouseRules(**asdict(event)))


def _start(position: Position, event: e.Start) -> Position:
    _need(position, "setup", "the game has started already")
    if not position.players:
        raise IllegalMove("somebody has to play: let a hero join first")
    return replace(
        position, phase="play", round=1, active=0, teamwork=event.teamwork, solo_cubes=event.solo_cubes,
        order=turns.opening_order(position.players), turn=turns.new_turn(position),
        expected=stash_of(first_drop(event.solo_cubes)),
    )  # fmt: skip


# ---- the table


def _look(position: Position, event: e.Look) -> Position:
    """What is seen becomes the table. Where it fits the count, the count learns which cubes were drawn."""
    here = replace(position, table=event.pieces, error_mm=event.error_mm)
    seen, expected = counted(event.pieces), cubes_of(position.expected)
    new = seen - expected
    if not expected - seen and new.total() <= position.unseen:
        here = replace(here, expected=stash_of(seen), unseen=position.unseen - new.total())
    return here


def _accept(position: Position, _: e.Accept) -> Position:
    if position.table is None:
        raise IllegalMove("the table has not been seen yet")
    return replace(position, expected=stash_of(counted(position.table)), unseen=0)


def _fall(position: Position, event: e.Fall) -> Position:
    _need(position, "play", "cubes fall while the game goes on")
    pieces = turns.named_pieces(position, event.pieces)
    fallen = cubes_of(position.fallen) + counted(pieces)
    return replace(turns.taken_off(position, pieces), fallen=stash_of(fallen))


# ---- corrections and the count


def _count(position: Position, event: e.Count) -> Position:
    player = position.player(event.hero)
    rolls = player.rolls[: unlocked(cubes_of(event.stash))]
    return position.with_player(replace(player, stash=event.stash, rolls=rolls))


def _damage(position: Position, event: e.Damage) -> Position:
    player = position.player(event.hero)
    if not 0 <= event.points <= player.health - 1:
        raise IllegalMove(f"{player.name} can have 0 to {player.health - 1} damage: the last health point stays (D8)")
    return position.with_player(replace(player, damage=event.points))


def _teamwork(position: Position, event: e.Teamwork) -> Position:
    if event.points < 0:
        raise IllegalMove("the score tracker starts at 0")
    return position.with_player(replace(position.player(event.hero), teamwork=event.points))


def _roll(position: Position, event: e.Roll) -> Position:
    _need(position, "count", "chests are rolled after the last round")
    player = position.player(event.hero)
    if not 1 <= event.shows <= 6:
        raise IllegalMove("a chest shows 1 to 6")
    if len(player.rolls) >= (most := unlocked(cubes_of(player.stash))):
        raise IllegalMove(f"{player.name} has {most} chests with keys, and all are rolled (D15)")
    return position.with_player(replace(player, rolls=(*player.rolls, event.shows)))


def _free_bonus(position: Position, event: e.FreeBonus) -> Position:
    _need(position, "count", "bonuses are counted after the last round")
    return position.with_player(replace(position.player(event.hero), free_bonus=event.points))


def _finish(position: Position, _: e.Finish) -> Position:
    _need(position, "count", "the score stands only after the last round")
    for player in position.players:
        if len(player.rolls) < (most := unlocked(cubes_of(player.stash))):
            raise IllegalMove(f"{player.name} still rolls {most - len(player.rolls)} of {most} chests")
    return replace(position, phase="over")


def _need(position: Position, phase: str, otherwise: str) -> None:
    if position.phase != phase:
        raise IllegalMove(otherwise)


def left_in_box(position: Position) -> int:
    """Large cubes not yet drawn (D18)."""
    large = sum(number for (_, size), number in BOX.items() if size == "L")
    return large - position.drawn


def _explore(position: Position, event: e.Explore) -> Position:
    number = turns.explore_number(position, event)
    if number > (left := left_in_box(position)):
        raise IllegalMove(f"only {left} cubes are left in the box, not {number}")
    here = turns.explored(position)
    if event.cubes:
        if total(event.cubes) != number:
            raise IllegalMove(f"{total(event.cubes)} cubes are listed, but {number} were drawn")
        expected = stash_of(cubes_of(here.expected) + cubes_of(event.cubes))
        return replace(here, expected=expected, drawn=position.drawn + number)
    return replace(here, unseen=position.unseen + number, drawn=position.drawn + number)


_RULES: Final[dict[type, Callable[[Position, Any], Position]]] = {
    e.Join: _join, e.SetQuest: _quest, e.House: _house, e.Start: _start,
    e.Look: _look, e.Accept: _accept, e.Fall: _fall, e.Explore: _explore,
    e.Act: turns.act, e.Potion: turns.potion, e.Shield: turns.shield, e.Meeple: turns.meeple, e.Loot: turns.loot,
    e.Take: turns.take, e.Illegal: turns.illegal, e.Pass: turns.pass_turn, e.End: turns.end,
    e.Count: _count, e.Damage: _damage, e.Teamwork: _teamwork, e.Roll: _roll, e.FreeBonus: _free_bonus,
    e.Finish: _finish,
}  # fmt: skip
