"""Evenings of Dungeon Hustle before the camera: simulated games laid out with staged cards, hands that come and go,
people pointing, drifting light, a bumped camera; the reader a stand-in that knows the board and has a reader's faults.

    python -m tests.benchmarks.live_hustle [--turns 12] [--games 2] [--faults 0.01] [--seed 1] [--blind] [--json]

`--blind` leaves the pictures out: boards go straight to the rules, which is quick and tells their part in the faults.

Every run, every new card and every monster's move must be proposed as what it was, and nothing where nothing happened.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np

from companion.errors import CompanionError
from companion.games.dungeon_hustle import events
from companion.games.dungeon_hustle.position import Position
from companion.games.dungeon_hustle.view import cells
from companion.readings import HustleReading
from companion.tiles import HEROES, SYMBOLS, Card, Cell
from tests.benchmarks.live_board_stage import BoardScene, BoardStage, touched
from tests.benchmarks.live_stage import FPS, StagedFrame, still, wave
from tests.companion.hustle_simulation import GAME, Simulation
from vision.live.boards import BoardMemory
from vision.live.frames import Frame
from vision.live.table import LiveTable
from web.live.board_proposals import board_proposals
from web.live.proposals import Proposal

DEMO = Path(__file__).parents[2] / "web" / "demo" / "hustle"
PHOTOS = tuple(DEMO / f"board-{number}.jpg" for number in (1, 2, 3, 4))
VISIBLE = (events.Hustle, events.Replace, events.Reveal)  # the rest is entered on the page, hands and swords included
LOOKED = 0.6  # of all moments between two things that happen: the hands leave the table


@dataclass
class Tally:
    looks: int = 0  # at a board where something had happened
    first: int = 0  # proposed first, exactly
    among: int = 0  # or among the choices
    silent: int = 0  # nothing but the board as it lies was offered
    wrong: int = 0  # all stories offered were wrong
    quiet: int = 0  # looks at a board where nothing had happened
    false: int = 0  # and something was proposed all the same
    bumps: int = 0
    bumps_seen: int = 0


class BoardOracle:
    """Reads the scene shown last as a reader does: one occupant a card, and a fault now and then."""

    def __init__(self, stage: BoardStage, faults: float, random: np.random.Generator) -> None:
        self._stage, self._faults, self._random = stage, faults, random
        self.scene: BoardScene | None = None

    def __call__(self, frame: Frame) -> HustleReading:
        assert self.scene is not None
        read = tuple(self._read(cell) for cell in self.scene.cells)
        return HustleReading(frame.name, read, self._stage.corners_px(self.scene), self.scene.revealed, "tiles")

    def _read(self, cell: Cell) -> Cell:
        card, occupant, confidence = cell.card, cell.occupant, float(self._random.uniform(0.92, 0.99))
        if self._random.random() < self._faults and card.colour is not None:
            card, confidence = self._misread(card), float(self._random.uniform(0.5, 0.9))
        if self._random.random() < self._faults:
            others = [who for who in (None, "monster", "hero") if who != occupant]
            occupant, confidence = others[int(self._random.integers(2))], float(self._random.uniform(0.5, 0.9))
        return replace(cell, card=card, occupant=occupant, also=None, confidence=confidence)

    def _misread(self, card: Card) -> Card:
        if self._random.random() < 0.5:
            return replace(card, attack=not card.attack)
        return replace(card, symbol=str(self._random.choice([one for one in SYMBOLS if one != card.symbol])))


class StagedGame(Simulation):
    """A simulated game whose deck holds only cards that there are pictures of."""

    def __init__(self, stage: BoardStage, seed: int) -> None:
        self._faces = sorted(stage.faces, key=str)
        super().__init__(seed, players=3)

    def _deck(self, size: int) -> list[Card]:
        deck = [*self._faces * 2, *self.rng.choices(self._faces, k=size)]
        needed = [next(card for card in self._faces if card.symbol == symbol) for symbol in SYMBOLS]
        deck = [*needed * len(HEROES), *deck][:size]
        self.rng.shuffle(deck)
        return deck


class Evening:
    """`page` is the position as the page's record has it, `game` the truth."""

    def __init__(self, stage: BoardStage, seed: int, faults: float, note: Callable[[str], None]) -> None:
        self.stage, self.note = stage, note
        self.random = np.random.default_rng(seed)
        self.game = StagedGame(stage, seed)
        self.page: Position = self.game.position
        self.tally, self.number = Tally(), 0
        self.oracle = BoardOracle(stage, faults, self.random)
        self.table = LiveTable(self.oracle)
        self.scene = BoardScene(cells(self.page))
        self.base: HustleReading | None = None
        self.watch(still(self.scene, 2))

    def live(self, turns: int) -> None:
        for turn in range(turns):
            if turn in (turns // 4, 3 * turns // 4):
                self.bump()
            self.take_turn()
            if self.game.position.phase == "over":
                return
            self.tally.quiet += 1
            for _, told in self.watch([*wave(self.scene, self.random), *still(self.scene, 1.5)]):
                self.tally.false += 1
                self.note(f"false: {[one.says for one in told]}")

    def take_turn(self) -> None:
        before, done, unseen = self.game.position, False, 0
        while not done and self.game.position.phase != "over":
            event = self.game.choose()
            visible = isinstance(event, VISIBLE)
            if not visible and unseen:
                self.look()
                unseen = 0
            self.game.events.append(event)
            self.game.position = GAME.play(self.game.position, event)
            self.restock(event)
            if not visible:
                self.page = GAME.play(self.page, event)
                self.lay()
            elif isinstance(event, events.Reveal) or self.random.random() < LOOKED:
                self.look()
                unseen = 0
            else:
                unseen += 1
            done = self.game.position.turn != before.turn
        if unseen:
            self.look()

    def lay(self) -> None:
        """A figure moved or taken off by what was entered: nothing is left to propose."""
        after = replace(self.scene, cells=cells(self.page), revealed=self.page.revealed)
        if after == self.scene:
            return
        for _, told in self.watch([*touched(self.stage, self.scene, after, self.random), *still(after, 1.5)]):
            self.tally.false += 1
            self.note(f"false: {[one.says for one in told]}")

    def restock(self, event: Any) -> None:
        """What the deck must hold when it runs out does not matter here: any cards that have pictures will do."""
        if len(self.game.deck) < len(self.game._faces):
            self.game.deck = self.game._deck(78)

    def bump(self) -> None:
        self.tally.bumps += 1
        x, y = self.scene.shift_px
        self.scene = replace(self.scene, turn_deg=self.scene.turn_deg + 1.1, shift_px=(x + 13, y - 8))
        for _, told in self.watch(still(self.scene, 3)):
            self.tally.false += 1
            self.note(f"false after a bump: {[one.says for one in told]}")

    def look(self) -> None:
        """The hands have left; somebody taps what is true, or puts the record right by hand."""
        after = replace(self.scene, cells=cells(self.game.position), revealed=self.game.position.revealed)
        seen = self.watch([*touched(self.stage, self.scene, after, self.random), *still(after, 1.5)])
        if same_board(self.page, self.game.position):
            return  # a run that picked up nothing and ended where it began
        self.tally.looks += 1
        told = seen[-1][1] if seen else ()
        stories = [proposal for proposal in told if proposal.kind == "turn"]
        right = [n for n, proposal in enumerate(stories) if self.leads_there(proposal)]
        self.tally.first += right[:1] == [0]
        self.tally.among += bool(right)
        self.tally.silent += not stories
        self.tally.wrong += bool(stories) and not right
        if right[:1] != [0]:
            happened = [str(event) for event in self.game.events[-3:] if isinstance(event, VISIBLE)]
            self.note(f"{'among' if right else 'missed'}: {happened}: {[one.says for one in told]}")
        self.page = self.game.position
        if right:
            self.confirm()
        else:
            assert isinstance(self.table.memory, BoardMemory)
            true = replace(self.table.memory.reading, cells=tuple(cells(self.page)))
            self.table.correct(BoardMemory(true))
            self.base = true

    def confirm(self) -> None:
        assert isinstance(self.table.memory, BoardMemory)
        self.base = self.table.memory.reading

    def leads_there(self, proposal: Proposal) -> bool:
        """Whether its events give the true board; where more must be asked first, as far as they go."""
        position = self.page
        try:
            for line in proposal.lines:
                position = GAME.play(position, GAME.parse_event(line))
        except CompanionError:
            return False
        return same_board(position, self.game.position)

    def watch(self, scenes: Iterable[BoardScene]) -> list[tuple[HustleReading, tuple[Proposal, ...]]]:
        out = []
        for scene in scenes:
            self.number += 1
            now_s = self.number / FPS
            self.scene = self.oracle.scene = replace(scene, hand=None)
            lit = replace(scene, light=1 + 0.2 * np.sin(now_s / 90), slope=0.12 * np.sin(now_s / 60))
            settled = self.table.step(StagedFrame(self.number, now_s, stage=self.stage, scene=lit))
            if settled is None:
                continue
            self.tally.bumps_seen += settled.bumped
            seen = settled.reading
            assert isinstance(seen, HustleReading)
            if self.base is None:
                self.base = seen
            elif told := board_proposals(self.page, self.base, seen):
                out.append((seen, told))
        return out


class BlindEvening(Evening):
    """No pictures: every board goes straight from the oracle to the rules, and nothing is remembered."""

    def watch(self, scenes: Iterable[BoardScene]) -> list[tuple[HustleReading, tuple[Proposal, ...]]]:
        *_, last = scenes
        self.scene = self.oracle.scene = last
        seen = self.oracle(Frame(0, 0.0))
        self.table.correct(BoardMemory(seen))
        before, self.base = self.base, self.base or seen
        told = board_proposals(self.page, before, seen) if before is not None else ()
        return [(seen, told)] if told else []


def same_board(one: Position, two: Position) -> bool:
    """Cards that lie open, standees, and the hands that the cards went to."""
    return _shape(one) == _shape(two)


def _shape(position: Position) -> Any:
    spots = tuple((hero.spot, len(hero.hand)) for hero in position.heroes)
    return cells(position), position.monsters, spots, position.escaped, position.phase


def lived(
    turns: int,
    seeds: Iterable[int],
    faults: float,
    note: Callable[[str], None] = lambda text: None,
    *,
    blind: bool = False,
) -> dict[str, int]:
    cv2.setNumThreads(1)
    stage, total = BoardStage(PHOTOS), Tally()
    for seed in seeds:
        evening = (BlindEvening if blind else Evening)(stage, seed, faults, note)
        evening.live(turns)
        for name, value in vars(evening.tally).items():
            setattr(total, name, getattr(total, name) + value)
    return dict(vars(total))


@click.command()
@click.option("--turns", default=12)
@click.option("--games", default=2)
@click.option("--faults", default=0.01, help="Of all cards, how many are misread, and of all standees, each time.")
@click.option("--seed", default=1)
@click.option("--blind", is_flag=True, help="Without pictures.")
@click.option("--json", "as_json", is_flag=True)
def main(turns: int, games: int, faults: float, seed: int, *, blind: bool, as_json: bool) -> None:
    note = functools.partial(click.echo, err=True)
    figures = lived(turns, range(seed, seed + games), faults, note, blind=blind)
    if as_json:
        click.echo(json.dumps(figures))
        return
    for name, value in figures.items():
        click.echo(f"{name:12} {value}")


if __name__ == "__main__":
    main()
