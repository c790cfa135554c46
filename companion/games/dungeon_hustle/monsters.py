"""Phase 5: a card is turned up, a monster may appear, those that match move towards the exit (rulings H1 to H9)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from companion.games.dungeon_hustle.board import (
    clockwise_rank,
    closer_spaces,
    outer_from,
    spot_text,
    steps_to_exit,
)
from companion.tiles import CENTRE, Card, Space

MOST_MONSTERS: Final = 4


@dataclass(frozen=True)
class MonsterMove:
    """One monster that matches the card: where it goes, `to` being its own space where it cannot move."""

    start: Space
    to: Space
    why: str

    @property
    def escapes(self) -> bool:
        return self.to == CENTRE

    @property
    def moves(self) -> bool:
        return self.to != self.start


@dataclass(frozen=True)
class MonsterPhase:
    """All that the turned-up card does."""

    spawned: Space | None
    spawn_why: str
    considered: tuple[MonsterMove, ...]  # every monster that matches, in order, those that cannot move too
    monsters: frozenset[Space]  # where they stand afterwards
    escaped: int
    monsters_win: bool

    @property
    def moves(self) -> tuple[MonsterMove, ...]:
        return tuple(move for move in self.considered if move.moves)


def monster_phase(
    cards: Mapping[Space, Card],
    monsters: Collection[Space],
    heroes: Collection[Space],
    *,
    revealed: Card,
    spawn_corner: str,
    escaped: int,
    escape_limit: int,
    order_corner: str | None = None,
) -> MonsterPhase:
    """Spawning first, then the moves, nearest first; the escape that ends the game is the last move.

    Of equals, the first clockwise from `order_corner` moves first: the spawn corner, where no other is given.

    >>> cards = {(row, col): Card("red", "key") for row, col in [*outer_from("top-left"), (2, 3), (1, 1)]}
    >>> phase = monster_phase(cards, {(2, 3), (1, 1)}, set(), revealed=Card("blue", "key"),
    ...     spawn_corner="top-left", escaped=1, escape_limit=4)
    >>> for move in phase.moves:
    ...     print(move.start, move.to, move.why)
    (2, 3) (3, 3) key matches; it reaches the exit and escapes
    (1, 1) (1, 2) key matches; two spaces are closer; clockwise is (1,2)
    """
    spawned, spawn_why = _spawn(cards, monsters, revealed, spawn_corner)
    standing = set(monsters) | ({spawned} if spawned else set())
    considered: list[MonsterMove] = []
    for start in sorted(monsters, key=lambda at: (steps_to_exit(at), clockwise_rank(at, order_corner or spawn_corner))):
        matches = matching_words(cards.get(start), revealed)
        if not matches:
            continue
        move = _one_move(start, standing | set(heroes), matches)
        considered.append(move)
        standing.discard(start)
        if not move.escapes:
            standing.add(move.to)
            continue
        escaped += 1
        if escaped >= escape_limit:
            break
    return MonsterPhase(spawned, spawn_why, tuple(considered), frozenset(standing), escaped, escaped >= escape_limit)


def matching_words(card: Card | None, revealed: Card) -> str:
    """Which of colour and symbol match, in words; empty where neither does. What could not be read matches nothing."""
    if card is None:
        return ""
    shared = [
        mine
        for mine, theirs in ((card.colour, revealed.colour), (card.symbol, revealed.symbol))
        if mine is not None and mine == theirs
    ]
    return f"{' and '.join(shared)} match{'es' if len(shared) == 1 else ''}" if shared else ""


def _spawn(
    cards: Mapping[Space, Card], monsters: Collection[Space], revealed: Card, corner: str
) -> tuple[Space | None, str]:
    if len(monsters) >= MOST_MONSTERS:
        return None, "four monsters are in the dungeon already, so none appears"
    for space in outer_from(corner):
        if revealed.colour is not None and cards[space].colour == revealed.colour and space not in monsters:
            return space, f"({spot_text(space)}) is the first free {revealed.colour} card clockwise from {corner}"
    return None, f"no free outer card is {revealed.colour or 'of a known colour'}, so none appears"


def _one_move(start: Space, taken: Collection[Space], matches: str) -> MonsterMove:
    choices = closer_spaces(start)
    if choices == (CENTRE,):
        return MonsterMove(start, CENTRE, f"{matches}; it reaches the exit and escapes")
    empty = [space for space in choices if space not in taken]
    if not empty:
        blocked = "both closer spaces are taken" if len(choices) == 2 else "the one closer space is taken"
        return MonsterMove(start, start, f"{matches}; {blocked}, so it stays")
    names = [f"({spot_text(space)})" for space in choices]
    if len(choices) == 1:
        why = f"the one closer space is {names[0]}"
    elif len(empty) == 2:
        why = f"two spaces are closer; clockwise is {names[0]}"
    else:
        taken_name = names[1 - choices.index(empty[0])]
        why = f"two spaces are closer; {taken_name} is taken, so ({spot_text(empty[0])})"
    return MonsterMove(start, empty[0], f"{matches}; {why}")
