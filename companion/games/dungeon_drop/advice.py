"""Advice: what potions and shields would open, what a room leaves to the next hero, and how safe a verdict is."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from companion.games.dungeon_drop.heroes import Hero
from companion.games.dungeon_drop.rooms import Room, TableRooms, best_first, judged, room_records


@dataclass(frozen=True)
class Remedy:
    """A room that becomes legal once so many potions are drunk and shields dropped, and with no fewer."""

    room: Room
    potions: int
    shields: int

    def as_json(self) -> dict[str, Any]:
        return {"room": self.room.as_json(), "potions": self.potions, "shields": self.shields}


def remedies(rooms: TableRooms, hero: Hero, ready_shields: int = 0) -> list[Remedy]:
    """Rooms that the hero can only loot after using something from the stash, best first.

    `hero` has all of the stash; of its shields, `ready_shields` were dropped already this turn and cost nothing more.
    Fewest shields first, then fewest potions: a shield is worth more.
    """
    found: list[Remedy] = []
    settled = np.zeros(len(rooms), dtype=np.bool_)
    for shields, potions in product(range(ready_shields, hero.shields + 1), range(hero.potions + 1)):
        verdicts = judged(rooms, replace(hero, shields=shields, potions=potions))
        new = verdicts.legal & ~settled
        settled |= verdicts.legal
        if (shields, potions) != (ready_shields, 0):
            rows = best_first(rooms, verdicts, legal_only=False)
            records = room_records(rooms, verdicts, rows[new[rows]])
            found += [Remedy(room, potions, shields - ready_shields) for room in records]
    return sorted(found, key=lambda remedy: (-remedy.room.points, remedy.shields, remedy.potions, remedy.room.pillars))


@dataclass(frozen=True)
class Aftermath:
    """What looting a room does to the rest of the table, for the hero who comes next."""

    opened: tuple[Room, ...]  # not allowed before, allowed now: their monsters are gone
    spoiled: tuple[tuple[Room, int], ...]  # rooms as they are now, with the points they lost
    best_before: Room | None
    best_after: Room | None

    def as_json(self) -> dict[str, Any]:
        return {
            "opened": [room.as_json() for room in self.opened],
            "spoiled": [{"room": room.as_json(), "lost": lost} for room, lost in self.spoiled],
            "best_before": None if self.best_before is None else self.best_before.as_json(),
            "best_after": None if self.best_after is None else self.best_after.as_json(),
        }


def aftermath(rooms: TableRooms, room: Room, following: Hero | None) -> Aftermath:
    """Pillars stay, so the rooms stay; what they hold does not."""
    after = without_pieces(rooms, room.collects)
    was, now = judged(rooms, following), judged(after, following)
    opened = np.flatnonzero(now.legal & ~was.legal)
    lost = np.where(was.legal & now.legal, was.points - now.points, 0)
    spoiled = np.flatnonzero(lost > 0)
    spoiled = spoiled[np.argsort(-lost[spoiled], kind="stable")]
    order = best_first(after, now)
    opened = order[np.isin(order, opened)]
    before, left = best_first(rooms, was)[:1], order[:1]
    return Aftermath(
        opened=tuple(room_records(after, now, opened)),
        spoiled=tuple(zip(room_records(after, now, spoiled), lost[spoiled].tolist(), strict=True)),
        best_before=next(iter(room_records(rooms, was, before)), None),
        best_after=next(iter(room_records(after, now, left)), None),
    )


def without_pieces(rooms: TableRooms, names: Iterable[str]) -> TableRooms:
    """The same rooms once these pieces are taken; margins stay those of the full table."""
    gone = set(names)
    stays = np.array([piece.id not in gone for piece in rooms.pieces], dtype=np.bool_)
    kept = stays[rooms.piece]
    return replace(
        rooms, room=rooms.room[kept], piece=rooms.piece[kept], gap_mm=rooms.gap_mm[kept],
        inside=rooms.inside[kept], doubtful=rooms.doubtful[kept],
    )  # fmt: skip


@dataclass(frozen=True)
class Safety:
    word: str  # safe, fair, or too-close
    chance: float  # that the piece nearest to the line is on the side it was judged to be on

    def as_json(self) -> dict[str, Any]:
        return {"word": self.word, "chance": round(self.chance, 4)}


def safety(room: Room, error_mm: float | None) -> Safety:
    """How far the reader's error may be trusted with this room's nearest piece, taking errors as normally distributed.

    >>> room = Room(("a", "b", "c"), (), 0, 0, True, (), 1.2, ())
    >>> safety(room, 0.4)
    Safety(word='safe', chance=0.9986501019683699)
    """
    if room.margin_mm is None or not error_mm:
        return Safety("too-close" if room.doubtful else "safe", 1.0)
    deviations = room.margin_mm / error_mm
    chance = (1 + math.erf(deviations / math.sqrt(2))) / 2
    word = "too-close" if room.doubtful else "safe" if deviations >= 3 - 1e-9 else "fair"
    return Safety(word, chance)
