"""A hero's turn: explore, act, potions and shields, loot, end; and whose turn it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from companion.errors import IllegalMove
from companion.games.dungeon_drop import events as e
from companion.games.dungeon_drop.heroes import DAMAGE, POTION_HEALS, Hero
from companion.games.dungeon_drop.house import HouseRules
from companion.games.dungeon_drop.position import EXPLORES, ROUNDS, Player, Position, Turn
from companion.games.dungeon_drop.quests import Cubes
from companion.games.dungeon_drop.rooms import Judged, Room, TableRooms, judged, room_records, table_rooms
from companion.games.dungeon_drop.stashes import EMPTY, counted, cubes_of, stash_of, without
from companion.pieces import Piece

REASONS: Final = {
    "pillar-inside": "it holds a fourth pillar",
    "last-health": "it would cost the last health point",
    "dragon-needs-shield": "the dragon cannot be taken without a shield",
}


# ---- order


def opening_order(players: Sequence[Player]) -> tuple[str, ...]:
    """Lowest initiative first; equals as they sat down."""
    return tuple(player.name for player in sorted(players, key=lambda player: player.initiative))


def weight_order(players: Sequence[Player]) -> tuple[str, ...]:
    """The lightest first (D12), among equals the lowest initiative (D16)."""
    return tuple(player.name for player in sorted(players, key=lambda player: (player.weight, player.initiative)))


def new_turn(position: Position) -> Turn:
    """A lone hero's explores are not in the rulebook: a solo game may go without."""
    return Turn(explored=len(position.players) == 1)


def end(position: Position, _: e.End) -> Position:
    hero = position.active_player
    if not position.turn.done:
        raise IllegalMove(f"{hero.name} has to loot a room or pass before the turn ends")
    table = None if position.table is None else tuple(p for p in position.table if p.type != "meeple")
    here = replace(position, table=table, turn=new_turn(position), active=position.active + 1)
    if here.active < len(here.order):
        return here
    if here.round == ROUNDS:
        return replace(here, phase="count", active=0)
    return replace(here, round=here.round + 1, active=0, order=weight_order(here.players))


# ---- before the room


def explore_number(position: Position, event: e.Explore) -> int:
    _before_the_room(position)
    if position.turn.explored and len(position.players) > 1:
        raise IllegalMove("this hero has explored already this turn")
    if position.turn.acted:
        raise IllegalMove("explore comes before the ability")
    number = event.number if event.number is not None else EXPLORES.get(len(position.players))
    if number is None:
        raise IllegalMove("the rulebook gives no number for one hero: say how many cubes are drawn")
    if number < 0:
        raise IllegalMove("cubes cannot be drawn back")
    return number


def explored(position: Position) -> Position:
    """What fell off the table comes back with the drawn cubes."""
    expected = stash_of(cubes_of(position.expected) + cubes_of(position.fallen))
    return replace(position, turn=replace(position.turn, explored=True), expected=expected, fallen=EMPTY)


def act(position: Position, event: e.Act) -> Position:
    _before_the_room(position)
    if event.ability not in ("race", "class"):
        raise IllegalMove('an ability is "race" or "class"')
    if position.turn.acted:
        raise IllegalMove(f"one ability a turn: the {position.turn.acted} ability was used already")
    return replace(position, turn=replace(position.turn, acted=event.ability))


def potion(position: Position, _: e.Potion) -> Position:
    here = _dropped_again(position, "potion")
    hero = here.active_player
    return here.with_player(replace(hero, damage=max(0, hero.damage - POTION_HEALS)))


def shield(position: Position, _: e.Shield) -> Position:
    here = _dropped_again(position, "shield")
    return replace(here, turn=replace(here.turn, shields=here.turn.shields + 1))


def _dropped_again(position: Position, kind: str) -> Position:
    """From the stash into the dungeon; the next look finds where it landed."""
    _before_the_room(position)
    hero = position.active_player
    before = cubes_of(hero.stash)
    after = without(before, kind)
    if after == before:
        raise IllegalMove(f"{hero.name} has no {kind} in the stash; one still in the dungeon cannot be used")
    here = position.with_player(replace(hero, stash=stash_of(after)))
    return replace(here, expected=stash_of(cubes_of(here.expected) + (before - after)))


def meeple(position: Position, event: e.Meeple) -> Position:
    _before_the_room(position)
    if not position.teamwork:
        raise IllegalMove("meeples belong to the teamwork game: start with teamwork=yes")
    if event.hero == position.active_player.name:
        raise IllegalMove("the active hero's own meeple only marks the room and needs no record")
    if position.player(event.hero).name in position.turn.meeples:
        raise IllegalMove(f"{event.hero}'s meeple is in the dungeon already")
    return replace(position, turn=replace(position.turn, meeples=(*position.turn.meeples, event.hero)))


def _before_the_room(position: Position) -> None:
    hero = position.active_player
    if position.turn.done:
        raise IllegalMove(f"{hero.name}'s room is formed; end the turn first")


# ---- the room


@lru_cache(maxsize=16)
def rooms_of(table: tuple[Piece, ...], error_mm: float | None, rules: HouseRules) -> TableRooms:
    return table_rooms(table, error_mm, rules)


def position_rooms(position: Position) -> TableRooms:
    """The rooms of the table as it was last seen; kept, since a page asks again and again."""
    return rooms_of(position.table or (), position.error_mm, position.rules)


def formed_room(position: Position, event: e.Loot | e.Illegal, hero: Hero | None) -> Room:
    """The named room, judged; what the table ruled on doubtful pieces is taken into account by `loot`."""
    if position.table is None:
        raise IllegalMove("the table has not been seen: take a photo first, or record what was taken")
    names = tuple(sorted(event.pillars))
    rooms = position_rooms(position)
    pillars = {piece.id for piece in rooms.pieces if piece.type == "pillar"}
    if len(set(names)) != 3 or not set(names) <= pillars:
        raise IllegalMove(f"a room needs three different pillars of the table, not {', '.join(names) or 'none'}")
    places = {piece.id: number for number, piece in enumerate(rooms.pieces)}
    wanted = [places[name] for name in names]
    row = (rooms.triples == wanted).all(axis=1).nonzero()[0]
    verdicts: Judged = judged(rooms, hero)
    return room_records(rooms, verdicts, row)[0]


def loot(position: Position, event: e.Loot) -> Position:
    _ready_to_loot(position)
    hero = position.hero(position.active_player.name, with_stash=False)
    room = formed_room(position, event, hero)
    if unsure := sorted({*event.without, *event.also} - set(room.doubtful)):
        raise IllegalMove(f"{unsure[0]} is not too close to call in this room; put the table right instead")
    names = (set(room.collects) | set(event.also)) - set(event.without)
    pieces = named_pieces(position, names - _pillars(position))
    barred = "pillar-inside" in room.why_not and bool(_fourth_pillars(position, room) - set(event.without))
    barred = barred or bool(set(event.also) & _pillars(position))
    return _looted(position, pieces, ["pillar-inside"] if barred else [])


def _fourth_pillars(position: Position, room: Room) -> set[str]:
    rooms = position_rooms(position)
    places = {piece.id: number for number, piece in enumerate(rooms.pieces)}
    row = (rooms.triples == [places[name] for name in room.pillars]).all(axis=1).nonzero()[0][0]
    inside = rooms.piece[(rooms.room == row) & rooms.inside]
    return {rooms.pieces[number].id for number in inside if rooms.pieces[number].type == "pillar"}


def _pillars(position: Position) -> set[str]:
    return {piece.id for piece in position.table or () if piece.type == "pillar"}


def take(position: Position, event: e.Take) -> Position:
    _ready_to_loot(position)
    if odd := [kind for kind, _, _ in event.cubes if kind in ("pillar", "staircase")]:
        raise IllegalMove(f"a {odd[0]} cannot be collected")
    owners = [position.player(name).name for name in event.meeples]
    here = _collected(position, cubes_of(event.cubes), owners, [])
    left = cubes_of(here.expected)
    for kind, size, number in event.cubes:
        for _ in range(number):
            left = without(left, kind, size)
    # Nobody told which of the cubes on the table they were, so the table has to be seen anew.
    return replace(here, expected=stash_of(left), table=None if position.table is None else ())


def _looted(position: Position, pieces: Sequence[Piece], barred: list[str]) -> Position:
    owners = [
        player.name for player in position.players
        if any(piece.type == "meeple" and piece.colour == player.meeple != "" for piece in pieces)
    ]  # fmt: skip
    here = _collected(position, counted(pieces), owners, barred)
    return taken_off(here, pieces)


def _collected(position: Position, cubes: Cubes, owners: Iterable[str], barred: list[str]) -> Position:
    """The cubes go to the active hero's stash, monsters cover health, other heroes' meeples score (D17)."""
    hero = position.active_player
    harm = sorted((DAMAGE[kind] for kind, _ in cubes.elements() if kind in DAMAGE), reverse=True)
    dragons, damage = harm.count(DAMAGE["dragon"]), sum(harm[position.turn.shields :])
    reasons = list(barred)
    if hero.damage + damage > hero.health - 1:
        reasons.append("last-health")
    if dragons > position.turn.shields:
        reasons.append("dragon-needs-shield")
    if reasons:
        why = " and ".join(REASONS[reason] for reason in reasons)
        raise IllegalMove(f"this room is not allowed: {why}; choose another, or record an illegal room")
    stash = stash_of(cubes_of(hero.stash) + cubes)
    here = position.with_player(replace(hero, stash=stash, damage=hero.damage + damage))
    for name in owners:
        if position.teamwork and name != hero.name:
            owner = here.player(name)
            here = here.with_player(replace(owner, teamwork=owner.teamwork + 1))
    return replace(here, turn=replace(here.turn, done="looted", meeples=()))


def illegal(position: Position, event: e.Illegal) -> Position:
    """D14. The cubes are dropped again, so the table has to be seen anew; nothing changes hands."""
    _ready_to_loot(position)
    if event.pillars:
        room = formed_room(position, event, position.hero(position.active_player.name, with_stash=False))
        if room.legal:
            raise IllegalMove("that room is allowed: loot it")
    if not position.rules.illegal_room_loses_turn:
        return position
    return replace(position, turn=replace(position.turn, done="lost", meeples=()))


def pass_turn(position: Position, _: e.Pass) -> Position:
    """D13: only where no legal room exists, if this table plays so."""
    hero = position.active_player
    _ready_to_loot(position)
    if position.rules.must_loot and position.table:
        legal = judged(position_rooms(position), position.hero(hero.name, with_stash=False)).legal
        if legal.any():
            raise IllegalMove(f"{int(legal.sum())} rooms can be looted, so {hero.name} has to take one (D13)")
    return replace(position, turn=replace(position.turn, done="passed", meeples=()))


def _ready_to_loot(position: Position) -> None:
    hero = position.active_player
    _before_the_room(position)
    if not position.turn.explored:
        raise IllegalMove(f"{hero.name} explores first: draw the cubes and drop them into the dungeon")


# ---- pieces of the table


def named_pieces(position: Position, names: Iterable[str]) -> list[Piece]:
    pieces = {piece.id: piece for piece in position.table or ()}
    if unknown := sorted(set(names) - set(pieces)):
        raise IllegalMove(f"there is no piece {unknown[0]} on the table")
    return [pieces[name] for name in sorted(set(names))]


def taken_off(position: Position, pieces: Sequence[Piece]) -> Position:
    """The table and the count of what should lie there, without these pieces."""
    gone = {piece.id for piece in pieces}
    expected = cubes_of(position.expected)
    for piece in pieces:
        if piece.type != "meeple":
            expected = without(expected, piece.type, piece.size)
    table = tuple(piece for piece in position.table or () if piece.id not in gone)
    return replace(position, table=table, expected=stash_of(expected))
