"""A plain reading of rulings H1 to H9 and H15 to H17, written from their text alone: slow, short, with no engine code.

Boards are dicts from (row, col) to a dict with colour, symbol, occupant and also, as FORMATS has them.
"""

from __future__ import annotations

import math
import random
from functools import cache
from itertools import pairwise
from typing import Any

SPACES = [
    (r, c)
    for r in range(7)
    for c in range(7)
    if (r, c) != (3, 3)
    and (r, c) not in {(0, 0), (0, 1), (1, 0), (0, 6), (0, 5), (1, 6), (6, 6), (6, 5), (5, 6), (6, 0), (5, 0), (6, 1)}
]
TILES = {
    "top-left": {(0, 0), (0, 1), (1, 0)},
    "top-right": {(0, 6), (0, 5), (1, 6)},
    "bottom-right": {(6, 6), (6, 5), (5, 6)},
    "bottom-left": {(6, 0), (5, 0), (6, 1)},
}
SPAWN_FROM_TOP_LEFT = [(0, 2), (0, 3), (0, 4), (2, 6), (3, 6), (4, 6), (6, 4), (6, 3), (6, 2), (4, 0), (3, 0), (2, 0)]
FIRST = {"top-left": 0, "top-right": 3, "bottom-right": 6, "bottom-left": 9}
DIAGONAL = {"top-left": (-1, -1), "top-right": (-1, 1), "bottom-right": (1, 1), "bottom-left": (1, -1)}
SYMBOLS = ["potion", "scroll", "sword", "key", "shield"]
COLOURS = ["blue", "green", "purple", "red", "yellow"]

Board = dict[tuple[int, int], dict[str, Any]]


def has_monster(cell: dict[str, Any]) -> bool:
    return cell["occupant"] == "monster" or cell.get("also") == "monster"


def angle(row: float, col: float) -> float:
    return math.atan2(row, col)  # rows grow downwards, so this grows clockwise


def clockwise_from(origin: float, here: float) -> float:
    turn = (here - origin) % (2 * math.pi)
    return 0.0 if turn > 2 * math.pi - 1e-9 else turn


def monsters(board: Board, revealed: dict[str, Any], corner: str, escaped: int, limit: int) -> dict[str, Any]:
    standing = {space for space in SPACES if has_monster(board[space])}
    heroes = {space for space in SPACES if board[space]["occupant"] not in (None, "monster")}
    spawned = None
    old = sorted(standing)
    if len(standing) < 4:
        order = SPAWN_FROM_TOP_LEFT[FIRST[corner] :] + SPAWN_FROM_TOP_LEFT[: FIRST[corner]]
        spawned = next((s for s in order if board[s]["colour"] == revealed["colour"] and s not in standing), None)
        if spawned:
            standing.add(spawned)
    origin = angle(*DIAGONAL[corner])
    old.sort(key=lambda s: (abs(s[0] - 3) + abs(s[1] - 3), clockwise_from(origin, angle(s[0] - 3, s[1] - 3))))
    moves = []
    for row, col in old:
        card = board[row, col]
        if card["colour"] != revealed["colour"] and card["symbol"] != revealed["symbol"]:
            continue
        here = abs(row - 3) + abs(col - 3)
        closer = []
        for r, c in [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]:
            free = (r, c) == (3, 3) or ((r, c) in SPACES and (r, c) not in standing and (r, c) not in heroes)
            if free and abs(r - 3) + abs(c - 3) < here:
                closer.append((r, c))
        if not closer:
            continue
        mine = angle(row - 3, col - 3)
        # of two, one lies clockwise (less than half a turn on) and one counterclockwise
        to = min(closer, key=lambda s: 0 if s == (3, 3) else clockwise_from(mine, angle(s[0] - 3, s[1] - 3)))
        standing.discard((row, col))
        moves.append({"from": [row, col], "to": list(to)})
        if to == (3, 3):
            escaped += 1
            if escaped == limit:
                break
        else:
            standing.add(to)
    return {
        "spawned": list(spawned) if spawned else None,
        "moves": moves,
        "escaped": escaped,
        "monsters_win": escaped >= limit,
        "standing": standing,
        "heroes": heroes,
    }


def touching(a: tuple[int, int], b: tuple[int, int]) -> bool:
    return a != b and abs(a[0] - b[0]) <= 1 and abs(a[1] - b[1]) <= 1


@cache
def jumps_from(place: Any) -> list[Any]:
    if place == "entrance":
        return list(SPAWN_FROM_TOP_LEFT)
    if isinstance(place, str):
        return [s for s in SPACES if any(touching(s, part) for part in TILES[place])]
    corners = [name for name, tile in TILES.items() if any(touching(place, part) for part in tile)]
    return [s for s in SPACES if touching(place, s)] + corners


def legal_picks(board: Board, path: list[Any], start: Any, colour: str) -> set[tuple[int, int]]:
    """What a run picks up, after checking that it is one. The path includes the start where that is a card."""
    places = path if not isinstance(start, str) else [start, *path]
    assert places[0] == start and len(places) >= 2
    cards = [place for place in places if not isinstance(place, str)]
    assert len(cards) == len(set(cards)), "a card twice"
    for before, after in pairwise(places):
        assert after in jumps_from(before), "too far"
    for place in places[1:-1]:
        assert not isinstance(place, str), "a corner ends it"
        assert board[place]["occupant"] is None and board[place]["colour"] == colour, "should have ended"
    jumped = {place for place in cards if board[place]["colour"] == colour and place != places[-1]}
    return {s for s in jumped if not has_monster(board[s])}


def most_picks(board: Board, start: Any, colour: str) -> tuple[int, int]:
    """Plain exhaustive search: the most cards, and the fewest jumps that do it."""
    best = (-1, 0)

    def go(place: Any, seen: set[Any], picked: int, jumps: int) -> None:
        nonlocal best
        if jumps:
            best = max(best, (picked, -jumps))
        onward = place in (start, "entrance") and jumps == 0
        if not isinstance(place, str):
            cell = board[place]
            matches = cell["colour"] == colour
            onward = onward or (matches and cell["occupant"] is None)
            picked += matches and not has_monster(cell)
        if not onward:
            return
        for after in jumps_from(place):
            if after not in seen or isinstance(after, str):
                go(after, seen | {after}, picked, jumps + 1)

    go(start, {start}, 0, 0)
    return best[0], -best[1]


def random_board(
    rng: random.Random, colours: int, crowd: int, weights: list[float] | None = None, unread: float = 0.0
) -> Board:
    names = COLOURS[:colours]
    board: Board = {
        space: {
            "colour": None if rng.random() < unread else rng.choices(names, weights)[0],
            "symbol": rng.choice(SYMBOLS),
            "attack": rng.random() < 0.2,
            "occupant": None,
        }
        for space in SPACES
    }
    people = ["monster", "fighter", "monster", "rogue", "monster", "cleric", "monster", "mage"][:crowd]
    for who, space in zip(people, rng.sample(SPACES, len(people)), strict=True):
        board[space]["occupant"] = who
    heroes = [space for space in SPACES if board[space]["occupant"] not in (None, "monster")]
    if heroes and rng.random() < 0.2:
        board[rng.choice(heroes)]["also"] = "monster"
    return board


def as_cells(board: Board) -> list[dict[str, Any]]:
    return [{"row": row, "col": col, **cell} for (row, col), cell in board.items()]
