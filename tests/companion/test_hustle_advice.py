"""The best run for what a hero wants, against exhaustive search: weights, endings, a recoloured card, a leap."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.games.dungeon_hustle import search
from companion.games.dungeon_hustle.advice import Wants, best_wanted_run
from companion.games.dungeon_hustle.legal import checked_run
from companion.games.dungeon_hustle.runs import Table
from companion.tiles import Card
from tests.companion import hustle_oracle as oracle


def table_of(board: oracle.Board, start: Any) -> Table:
    return Table(
        {space: Card(cell["colour"], cell["symbol"], cell["attack"]) for space, cell in board.items()},
        frozenset(space for space, cell in board.items() if oracle.has_monster(cell)),
        frozenset(s for s, cell in board.items() if cell["occupant"] not in (None, "monster") and s != start),
    )


def leaps_from(place: Any) -> list[Any]:
    """Straight over one space that is no corner, onto a card or a corner tile."""
    if isinstance(place, str):
        return []
    landings: list[Any] = []
    corners = {part: name for name, tile in oracle.TILES.items() for part in tile}
    for drow in (-1, 0, 1):
        for dcol in (-1, 0, 1):
            middle, far = (place[0] + drow, place[1] + dcol), (place[0] + 2 * drow, place[1] + 2 * dcol)
            if (drow or dcol) and (middle == (3, 3) or middle in oracle.SPACES):
                landings += [far] if far in oracle.SPACES else [corners[far]] if far in corners else []
    return landings


def most_worth(
    board: oracle.Board, start: Any, colour: str, wants: Wants, *, recolour: Any, leap: bool
) -> tuple[float, int]:
    """Every run there is: the highest worth, and the fewest jumps that bring it."""
    best = (-1e9, 0)

    def worth(place: Any) -> float:
        cell = board[place]
        if (cell["colour"] != colour and place != recolour) or oracle.has_monster(cell):
            return 0.0
        return (
            wants.card
            + wants.symbols.get(cell["symbol"], 0)
            + wants.colours.get(cell["colour"], 0)
            + wants.faces.get((cell["colour"], cell["symbol"]), 0)
        )

    def go(place: Any, seen: set[Any], value: float, jumps: int, leap_left: bool) -> None:
        nonlocal best
        if jumps:
            best = max(best, (round(value + wants.ends.get(place, 0), 6), -jumps))
        onward = jumps == 0
        if place in board:
            cell = board[place]
            onward = onward or (cell["occupant"] is None and (cell["colour"] == colour or place == recolour))
            value += worth(place)
        if not onward:
            return
        for after in oracle.jumps_from(place):
            if after not in seen or isinstance(after, str):
                go(after, seen | {after}, value, jumps + 1, leap_left)
        for after in leaps_from(place) if leap_left else []:
            if after not in seen or isinstance(after, str):
                go(after, seen | {after}, value, jumps + 1, False)

    go(start, {start}, 0.0, 0, leap)
    return best[0], -best[1]


def random_wants(rng: random.Random) -> Wants:
    return Wants(
        card=rng.choice([0, 1, 1, 0.5, -0.5]),
        symbols={symbol: rng.choice([0, 0, 1, 2.5]) for symbol in oracle.SYMBOLS},
        colours={colour: rng.choice([0, 0, 1]) for colour in oracle.COLOURS},
        faces={(rng.choice(oracle.COLOURS), rng.choice(oracle.SYMBOLS)): 2.0},
        ends={place: rng.choice([0, 1, 4]) for place in [*rng.sample(oracle.SPACES, 4), *oracle.TILES]},
    )


@pytest.mark.parametrize(("recolour", "leap", "boards"), [(False, False, 150), (True, False, 25), (False, True, 60)])
def test_agrees_with_exhaustive_search(recolour: bool, leap: bool, boards: int) -> None:
    rng = random.Random(boards)
    for _ in range(boards):
        board = oracle.random_board(rng, rng.choice([4, 5]), rng.randrange(9))
        heroes = [space for space in oracle.SPACES if board[space]["occupant"] not in (None, "monster")]
        start = rng.choice([*heroes, *oracle.TILES, "entrance"])
        wants = random_wants(rng)
        table = table_of(board, start)
        advice = best_wanted_run(table, start, wants, recolour=recolour, leap=leap)
        changes = [None, *(s for s in oracle.SPACES if not has_company(board, s, start))] if recolour else [None]
        colours = {cell["colour"] for cell in board.values()}
        truth = max(
            (worth, -jumps)
            for colour in colours
            for change in changes
            for worth, jumps in [most_worth(board, start, colour, wants, recolour=change, leap=leap)]
        )
        assert advice.worth == pytest.approx(truth[0])
        assert len(advice.run.path) - (start in board) == -truth[1]
        again = checked_run(
            table, start, advice.run.colour, advice.run.path, recolour=advice.recolour, leap=advice.leap
        )
        assert again == advice.run


def has_company(board: oracle.Board, space: Any, start: Any) -> bool:
    return oracle.has_monster(board[space]) or (board[space]["occupant"] is not None and space != start)


def test_the_sweep_alone_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards that the search settles soon never reach the sweep: here it gets them all."""
    monkeypatch.setattr(search, "LONG_SEARCH", 0)
    test_agrees_with_exhaustive_search(recolour=False, leap=False, boards=100)
