"""What happened between two looks at the table: which room was looted, what was explored. Proposed, never assumed.

Each story (a room was looted; nothing was) is weighed by how well it explains the change: a cube that should be gone
but lies there tells strongly against a room, a cube that is gone without reason is most likely hidden or missed. Rooms
that take the same cubes are one story, told by the one whose verdict is safest.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Final

import numpy as np

from companion.errors import IllegalMove
from companion.games.dungeon_drop import events as e
from companion.games.dungeon_drop.changes import Change, changes
from companion.games.dungeon_drop.play import play
from companion.games.dungeon_drop.position import EXPLORES, ROUNDS, Position
from companion.games.dungeon_drop.rooms import Room, TableRooms, judged, room_records, table_rooms
from companion.games.dungeon_drop.shapes import Bools, Floats
from companion.games.dungeon_drop.turns import REASONS
from companion.pieces import Piece


@dataclass(frozen=True)
class Odds:
    """How often things go wrong between two looks; the story's weight is the product of these."""

    looted: float = 0.005  # this very room was looted since the last look: one look in four, of some fifty rooms
    missed: float = 0.02  # a cube that is there is not read: hidden, or a clear gem on dark cloth
    ghost: float = 0.003  # a cube that was taken is read all the same, in the same place
    illegal: float = 0.01  # a table takes a room that the rules forbid
    doubtful: float = 0.5  # a cube too close to call goes either way
    flicked: float = 0.2  # a large cube gone here and new there was moved, rather than looted and drawn
    propose: float = 0.03  # a story less likely than this, of those left, is not worth a question


ODDS: Final = Odds()
# A camera that watches compares pixel by pixel: where a cube is gone from the picture too, nobody merely missed it.
# A phantom in the room, read in every photo alike, is then likelier than a room that everybody sees to be forbidden.
WATCHED_ODDS: Final = Odds(looted=0.01, missed=0.002, illegal=0.002)
# The room is measured with this error where the reader states none: two readings never agree better.
_LEAST_ERROR_MM: Final = 0.3


@dataclass(frozen=True)
class Story:
    """One explanation, as events ready to be recorded, with its share of all explanations."""

    events: tuple[e.DropEvent, ...]
    chance: float
    reasons: tuple[str, ...]
    room: Room | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "events": [str(event) for event in self.events], "chance": round(self.chance, 4),
            "reasons": list(self.reasons), "room": None if self.room is None else self.room.as_json(),
        }  # fmt: skip


@dataclass(frozen=True)
class Inference:
    """`says` is nothing (the table is as it was), none (no story fits), one, or several (ask)."""

    says: str
    stories: tuple[Story, ...]
    change: Change

    def as_json(self) -> dict[str, Any]:
        return {
            "says": self.says, "stories": [story.as_json() for story in self.stories],
            "gone": [piece.id for piece in self.change.gone], "new": [piece.id for piece in self.change.new],
            "moved": [[was.id, now.id] for was, now in self.change.moved],
            "retyped": [[was.id, now.id] for was, now in self.change.retyped],
        }  # fmt: skip


def inferred(position: Position, after: Sequence[Piece], error_mm: float | None = None, odds: Odds = ODDS) -> Inference:
    """What may have happened since the position's last look, now that the table lies as in `after`."""
    change = changes(position.table or (), after)
    look = e.Look(tuple(after), error_mm)
    if position.phase != "play" or not position.table:
        return Inference("one", (Story((look,), 1.0, ("nothing was known of the table before",)),), change)
    if not change.aligned:
        return Inference("none", (), change)
    if not (change.gone or change.new or change.moved):
        return Inference("nothing", (), change)
    if position.turn.done and not _last_turn(position) and _explored(position, change):
        return _after_the_turn(position, after, error_mm, odds)
    dropped, reasons = _dropped(position, change)
    quiet = Story((*dropped, look), _quiet_weight(change, odds), (*reasons, *_moves(change)))
    scene = _Scene(position, change, look, tuple(dropped), odds)
    return _weighed([quiet] if position.turn.done else [quiet, *_loots(scene)], change, odds)


def _after_the_turn(position: Position, after: Sequence[Piece], error_mm: float | None, odds: Odds) -> Inference:
    """The room is on record, and the table changed again: the next hero has begun."""
    later = inferred(play(position, e.End()), after, error_mm, odds)
    stories = tuple(replace(story, events=(e.End(), *story.events)) for story in later.stories)
    return replace(later, stories=stories)


def _explored(position: Position, change: Change) -> int:
    """How many large cubes are new, if enough for an explore: one or two may only have been hidden before."""
    number = EXPLORES.get(len(position.players))
    own = position.active_player.owns("shield") if not position.turn.done else 0
    large = sum(piece.size == "L" for piece in change.new)
    large -= min(own, sum(piece.type == "shield" for piece in change.new))
    return large if number is not None and 2 * large >= number else 0


def _weighed(stories: list[Story], change: Change, odds: Odds) -> Inference:
    total = sum(story.chance for story in stories)
    shares = sorted((replace(story, chance=story.chance / total) for story in stories), key=lambda s: -s.chance)
    kept = [story for story in shares if story.chance >= odds.propose]
    if kept[0].room is None and len(change.gone) > max(2, len(change.same) // 10):
        return Inference("none", (), change)  # too much is gone for cubes that are merely hidden
    return Inference("one" if len(kept) == 1 else "several", tuple(kept), change)


def _quiet_weight(change: Change, odds: Odds) -> float:
    """The chance that whatever is gone was only missed, or flicked elsewhere."""
    new = Counter((piece.type, piece.size) for piece in change.new)
    weight = 1.0
    for piece in change.gone:
        if piece.type != "meeple":
            weight *= odds.flicked if new[piece.type, piece.size] > 0 else odds.missed
            new[piece.type, piece.size] -= 1
    return weight


# ---- what was dropped


def _dropped(position: Position, change: Change) -> tuple[list[e.DropEvent], list[str]]:
    """Explored cubes, potions, shields and meeples among the new pieces, as far as the turn allows them."""
    events: list[e.DropEvent] = []
    reasons: list[str] = []
    hero, turn = position.active_player, position.turn
    kinds = [piece.type for piece in change.new]
    if (large := _explored(position, change)) and not turn.explored and not turn.done:
        events.append(e.Explore())
        reasons.append(f"{large} large cubes are new, {EXPLORES[len(position.players)]} are drawn each turn")
    if turn.done:
        return events, reasons
    if "potion" in kinds and hero.owns("potion"):
        events.append(e.Potion())
        reasons.append(f"{hero.name}'s potion lies on the table")
    if "shield" in kinds and hero.owns("shield"):
        events.append(e.Shield())
        reasons.append(f"{hero.name}'s shield lies on the table")
    for player in position.players if position.teamwork else ():
        here = any(piece.type == "meeple" and piece.colour == player.meeple != "" for piece in change.new)
        if here and player.name != hero.name and player.name not in turn.meeples:
            events.append(e.Meeple(player.name))
            reasons.append(f"{player.name}'s meeple stands in the dungeon")
    return events, reasons


def _moves(change: Change) -> list[str]:
    """What the table shows besides, in words."""
    words = [f"{was.id}, {was.type}, was moved" for was, _ in change.moved]
    words += [f"{len(change.gone)} pieces are not seen any more"] if change.gone else []
    return words + ([f"{len(change.new)} pieces were not seen before"] if change.new else [])


# ---- which room was looted


@dataclass(frozen=True)
class _Scene:
    """What every story of one change shares."""

    position: Position
    change: Change
    look: e.Look
    dropped: tuple[e.DropEvent, ...]
    odds: Odds = ODDS

    @property
    def gone(self) -> set[str]:
        return {piece.id for piece in self.change.gone}


def _loots(scene: _Scene) -> list[Story]:
    position, gone = scene.position, scene.gone
    if not gone:
        return []
    error = max(position.error_mm or 0.0, _LEAST_ERROR_MM)
    rooms = table_rooms(position.table or (), error, position.rules)
    verdicts = judged(rooms, position.hero(position.active_player.name))
    weights = _room_weights(rooms, gone, verdicts.legal, scene.odds)
    likely = np.flatnonzero(weights >= weights.max(initial=0.0) * scene.odds.propose / 10)
    best: dict[tuple[str, ...], tuple[float, float, Room]] = {}
    for room, weight in zip(room_records(rooms, verdicts, likely), weights[likely].tolist(), strict=True):
        taken = tuple(name for name in sorted({*room.collects, *room.doubtful}) if name in gone)
        # Of two rooms that take the same cubes: the likelier, then the one with the wider margin.
        best[taken] = max(best.get(taken, (0.0, 0.0, room)), (weight, room.margin_mm or 0.0, room), key=lambda s: s[:2])
    return [_loot_story(scene, room, weight) for weight, _, room in best.values() if weight]


def _room_weights(rooms: TableRooms, gone: set[str], legal: Bools, odds: Odds) -> Floats:
    """Of every room: how likely it is, over all pieces, that just these are gone if it was looted."""
    cube = np.array([piece.type not in ("pillar", "meeple") for piece in rooms.pieces], dtype=np.bool_)
    missing = np.array([piece.id in gone for piece in rooms.pieces], dtype=np.bool_) & cube
    # Start with all that is gone as missed by the reader, and put right what the room explains.
    log = np.full(len(rooms), float(missing.sum()) * math.log(odds.missed))
    here = missing[rooms.piece]
    sure = np.where(here, -math.log(odds.missed), math.log(odds.ghost))
    even = math.log(odds.doubtful) - np.where(here, math.log(odds.missed), 0.0)
    log += np.bincount(
        rooms.room, weights=np.where(rooms.doubtful, even, sure) * cube[rooms.piece], minlength=len(rooms)
    )
    return np.asarray(odds.looted * np.exp(log + np.where(legal, 0.0, math.log(odds.illegal))))


def _loot_story(scene: _Scene, room: Room, weight: float) -> Story:
    position, gone = scene.position, scene.gone
    stayed = tuple(name for name in room.collects if name in room.doubtful and name not in gone)
    also = tuple(name for name in room.doubtful if name not in room.collects and name in gone)
    events = _looting(scene, room, stayed, also)
    if _explored(position, scene.change) and position.turn.explored and not _last_turn(position):
        events += [e.End(), e.Explore()]
    taken = len(gone & set(room.collects))
    reasons = [f"room {', '.join(room.pillars)}: {taken} of its {len(room.collects)} pieces are gone"]
    if rest := sorted(gone - set(room.collects) - set(room.doubtful)):
        reasons.append(f"not explained: {', '.join(rest)}")
    if isinstance(events[-1], e.Illegal):
        reasons.append("not allowed: " + " and ".join(REASONS[code] for code in room.why_not))
    return Story((*events, scene.look), weight, tuple(reasons), room)


def _looting(scene: _Scene, room: Room, stayed: tuple[str, ...], also: tuple[str, ...]) -> list[e.DropEvent]:
    """The events that make the room playable: with the fewest shields and potions that it needs, and the table's word
    on doubtful pieces where the record lets it have one. An illegal room where nothing helps."""
    position, dropped = scene.position, scene.dropped
    hero = position.active_player
    explore: list[e.DropEvent] = [] if position.turn.explored or e.Explore() in dropped else [e.Explore()]
    helps = product(range(hero.owns("shield") + 1), range(hero.owns("potion") + 1))
    for (shields, potions), rulings in product(helps, [(stayed, also), ((), ())]):
        more: list[e.DropEvent] = [*[e.Shield()] * shields, *[e.Potion()] * potions]
        known = [event for event in dropped if event not in more]
        events = [*explore, *known, *more, e.Loot(room.pillars, *rulings)]
        if _playable(position, events):
            return events
    return [*explore, *dropped, e.Illegal(room.pillars)]


def _playable(position: Position, events: Sequence[e.DropEvent]) -> bool:
    try:
        for event in events:
            position = play(position, event)
    except IllegalMove:
        return False
    return True


def _last_turn(position: Position) -> bool:
    return position.round == ROUNDS and position.active == len(position.order) - 1
