"""How fast the best run is found: `python -m tests.benchmarks.runs`.

Against plain exhaustive search (every path, cards as bits, no pruning) on boards of two colours, with the same number
of cards picked up by both; and a board of one colour, from every start, against typical boards of four.
Ratios of processor time within one run, so that they hold on any machine.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from companion.games.dungeon_hustle.bitboard import AROUND, bit_of, bits, mask_of
from companion.games.dungeon_hustle.board import BESIDE, CORNERS, Spot
from companion.games.dungeon_hustle.runs import ENTRANCE, Table, best_run, colours_on, first_jumps
from companion.tiles import CARD_SPACES, SYMBOLS, Card, Space

COLOURS: Final = ("blue", "green", "purple", "red")
TWO_COLOUR_BOARDS: Final = 16
FOUR_COLOUR_BOARDS: Final = 60
FASTER_THAN_EXHAUSTIVE: Final = 100.0
ONE_COLOUR_IN_FOUR_COLOURS: Final = 20.0


@dataclass(frozen=True)
class Bar:
    name: str
    measured: float
    bar: float
    passed: bool

    def __str__(self) -> str:
        return f"{self.name:<64}{self.measured:>10.1f}{self.bar:>10.0f}  {'ok' if self.passed else 'MISSED'}"


def board(rng: random.Random, colours: int, crowd: int) -> tuple[Table, Space]:
    """A random board with monsters and other heroes on it, and where the hero stands."""
    cards = {space: Card(rng.choice(COLOURS[:colours]), rng.choice(SYMBOLS)) for space in CARD_SPACES}
    start, *others = rng.sample(CARD_SPACES, crowd + 1)
    return Table(cards, frozenset(others[: crowd // 2]), frozenset(others[crowd // 2 :])), start


def exhaustive(table: Table, start: Space, colour: str) -> int:
    """The most cards that any run picks up, by walking every path."""
    matching = {s for s, card in table.cards.items() if card.colour == colour and s not in table.taken}
    open_ = mask_of(matching - {start})
    ends = {bit_of(s) for s in matching if any(spot not in matching and spot != start for spot in BESIDE[s])}

    def longest(here: int, free: int) -> int:
        """Cards picked up from here on, `here` included, which the run leaves again or ends beside."""
        most = 1 if here in ends else 0
        for bit in bits(AROUND[here] & free):
            most = max(most, 1 + longest(bit, free & ~(1 << bit)))
        return most

    first = [longest(bit, open_ & ~(1 << bit)) for bit in bits(AROUND[bit_of(start)] & open_)]
    return max(first, default=0) + (start in matching)


def seconds(work: Callable[[], Any], repeats: int = 1) -> float:
    """Processor time; the least of several repeats where the work is short, as others share the machine."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def all_runs(table: Table, start: Spot) -> list[int]:
    return [len(best_run(table, start, colour).picks) for colour in colours_on(table.cards)]


def against_exhaustive() -> Bar:
    rng = random.Random(2)
    plain = quick = 0.0
    for _ in range(TWO_COLOUR_BOARDS):
        table, start = board(rng, colours=2, crowd=3)
        truth: list[int] = []
        plain += seconds(lambda: truth.extend(exhaustive(table, start, c) for c in colours_on(table.cards)))  # noqa: B023
        found: list[int] = []
        quick += seconds(lambda: found.extend(all_runs(table, start)))  # noqa: B023
        assert found == truth, (found, truth)
    ratio = plain / quick
    return Bar("exhaustive search takes so many times as long, two colours", ratio, FASTER_THAN_EXHAUSTIVE,
               ratio >= FASTER_THAN_EXHAUSTIVE)  # fmt: skip


def one_colour() -> Bar:
    rng = random.Random(4)
    boards = [board(rng, colours=4, crowd=5) for _ in range(FOUR_COLOUR_BOARDS)]
    typical = statistics.median(seconds(lambda: all_runs(*one), repeats=3) for one in boards)  # noqa: B023
    table, _ = board(rng, colours=1, crowd=0)
    starts: list[Spot] = [*CARD_SPACES, *CORNERS, ENTRANCE]
    assert all(first_jumps(start) and all_runs(table, start) == [36] for start in starts)
    slowest = max(seconds(lambda: all_runs(table, start), repeats=3) for start in starts)  # noqa: B023
    print(
        f"one colour, slowest of {len(starts)} starts: {1000 * slowest:.2f} ms; four colours: {1000 * typical:.2f} ms"
    )
    ratio = slowest / typical
    return Bar("typical four-colour boards in the time of a one-colour one", ratio, ONE_COLOUR_IN_FOUR_COLOURS,
               ratio <= ONE_COLOUR_IN_FOUR_COLOURS)  # fmt: skip


def main() -> int:
    bars = [against_exhaustive(), one_colour()]
    print(f"{'best runs of Dungeon Hustle':<64}{'measured':>10}{'bar':>10}")
    for bar in bars:
        print(bar)
    return 0 if all(bar.passed for bar in bars) else 1


if __name__ == "__main__":
    sys.exit(main())
