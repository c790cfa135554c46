"""An evening at a staged table, an hour of camera time lived as fast as the machine can: cubes explored, rooms looted
by hands that come and go, people pointing, the light drifting, the camera bumped twice.

    python -m tests.benchmarks.live_evening [--minutes 60] [--oracle [--faults 0.03]] [--seed 7] [--json] [PHOTO…]

Every change must be proposed as what it was; nothing may be proposed where nothing happened; memory must not grow.
"""

from __future__ import annotations

import functools
import gc
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
import psutil

from companion.errors import CompanionError
from companion.games.dungeon_drop import events as e
from companion.games.dungeon_drop.game import DungeonDrop
from companion.games.dungeon_drop.position import Position
from companion.games.dungeon_drop.rooms import Room, best_first, judged, room_records, table_rooms
from companion.games.dungeon_drop.stashes import cubes_of
from companion.readings import DropReading
from tests.benchmarks.live_oracle import Faults, Oracle
from tests.benchmarks.live_stage import FPS, Scene, Stage, StagedFrame, reach, still, wave
from vision.live.frames import Frame
from vision.live.memory import Change, Memory
from vision.live.table import Choosing, LiveTable, Settled
from web.live.known import difference, evidence, reidentified
from web.live.proposals import Proposal, drop_proposals

DEMO = Path(__file__).parents[2] / "web" / "demo" / "drop"
TABLES = tuple(DEMO / f"table-{number}.jpg" for number in (2, 6, 4, 5))
GAME = DungeonDrop()
NAMES = ("Ann", "Bob", "Cem")


@dataclass
class Tally:
    """What was staged, and what became of it."""

    looted: int = 0
    looted_right: int = 0  # the right room, or exactly the right cubes in the hero's stash
    stash_exact: int = 0  # of these, the latter
    explored: int = 0
    explored_right: int = 0
    false: int = 0
    bumps: int = 0
    bumps_seen: int = 0
    readings: int = 0
    slowest_settle_s: float = 0.0  # camera time from the hand's leaving to the start of the reading


def real_reader(frame: Frame) -> DropReading:
    from vision.drop import read_table
    from vision.photo import Photo

    return read_table(Photo(frame.name, frame.image()))


class Evening:
    """One game after another before one camera. `faults`: those of a stand-in for the reader; None: the real one."""

    def __init__(
        self, minutes: float, *, faults: Faults | None, note: Callable[[str], None], seed: int = 7,
        tables: Sequence[Path] = TABLES,
    ) -> None:  # fmt: skip
        self.note = note
        self.random = np.random.default_rng(seed)
        self.minutes, self.faults, self.tables = minutes, faults, tables
        self.tally = Tally()
        self.number = 0
        self.bumped_at = {round(minutes * share) for share in (0.2, 0.7)}  # in minutes
        self.memory_mb: dict[str, int] = {}  # as each game begins and ends: another table needs more or less

    @property
    def now_s(self) -> float:
        return self.number / FPS

    def live(self) -> None:
        share = self.minutes / len(self.tables)
        for number, photo in enumerate(self.tables):
            GameNight(self, Stage(photo)).play(until_s=(number + 1) * share * 60)
            self.note(f"{photo.stem} played: {self.tally}")

    def weigh(self, stage: Stage, when: str) -> None:
        stage.forget()
        gc.collect()
        mb = round(psutil.Process().memory_info().rss / 1e6)
        self.memory_mb[f"{stage.name} {when}, {self.now_s / 60:.0f} min"] = mb


class GameNight:
    def __init__(self, evening: Evening, stage: Stage) -> None:
        self.evening, self.stage, self.random = evening, stage, evening.random
        cubes = stage.cubes
        self.box = [n for n in sorted(stage.everything) if cubes[n]["size"] == "L" and cubes[n]["type"] != "pillar"]
        self.scene = Scene(stage.everything - set(self.box))
        self.oracle = Oracle(stage, evening.faults or Faults(), self.random)
        # Fewer candidates than usual: composing a frame costs more here than taking it from a camera does.
        numbers = Choosing(candidates=1 if evening.faults else 2)
        self.table = LiveTable(self.oracle if evening.faults else real_reader, numbers=numbers)
        joins = [e.Join(name, 3 + number, 40) for number, name in enumerate(NAMES)]
        self.position: Position = GAME.opening()
        for event in (*joins, e.Start()):
            self.position = GAME.play(self.position, event)
        self.base: Memory | None = None
        self.left_s: float | None = None

    def play(self, until_s: float) -> None:
        self.watch(still(self.scene, 4))
        self.evening.weigh(self.stage, "begins")
        turns = 9
        pause_s = max(2.0, (until_s - self.evening.now_s) / turns - 14)
        for _ in range(turns):
            self.explore()
            self.quiet(self.random.uniform(0.2, 0.5) * pause_s)
            self.watch([*wave(self.scene, self.random), *still(self.scene, 2)])
            self.maybe_bump()
            self.loot()
            self.quiet(0.5 * pause_s)
        self.evening.weigh(self.stage, "ends")

    def quiet(self, seconds: float) -> None:
        self.watch(still(self.scene, seconds))

    def maybe_bump(self) -> None:
        due = [minute for minute in self.evening.bumped_at if minute * 60 <= self.evening.now_s]
        if due:
            self.evening.bumped_at -= set(due)
            self.evening.tally.bumps += 1
            x, y = self.scene.shift_px
            self.scene = replace(self.scene, turn_deg=self.scene.turn_deg + 1.1, shift_px=(x + 13, y - 8))
            self.left_s = None
            self.watch(still(self.scene, 3))

    def explore(self) -> None:
        new = frozenset(self.box[:4] if len(self.box) >= 4 else [])  # as many as three heroes draw
        self.box = self.box[4:]
        if not new:  # this photo has no large cubes left to draw: somebody ends the turn on the page
            if self.position.turn.done:
                self.position = GAME.play(self.position, e.End())
            return
        self.evening.tally.explored += 1
        seen = self.watch([*reach(self.stage, self.scene, self.random, put=new), *still(self.after(put=new), 2)], new)
        right = len(seen) == 1 and seen[0][1][0].kind == "explore"
        self.evening.tally.explored_right += right
        self.settle("explored", right, seen, new)

    def loot(self) -> None:
        rooms = self.rooms()
        legal = [room for room in rooms if room.legal and 3 <= len(room.collects) <= 9]
        if not legal:
            return
        room = legal[int(self.random.integers(len(legal)))]
        taken = frozenset(int(name[1:]) for name in room.collects)
        self.evening.tally.looted += 1
        scenes = [*reach(self.stage, self.scene, self.random, take=taken), *still(self.after(take=taken), 2)]
        seen = self.watch(scenes, taken)
        name = self.position.active_player.name
        before = Counter(cubes_of(self.position.player(name).stash))
        right = len(seen) == 1 and seen[0][1][0].kind == "loot"
        self.settle("looted", right, seen, taken)
        gained = Counter(cubes_of(self.position.player(name).stash))
        gained.subtract(before)
        true = Counter((self.stage.cubes[n]["type"], self.stage.cubes[n]["size"]) for n in taken)
        exact = right and {kind: count for kind, count in gained.items() if count} == true
        same_room = right and self.taken_by(seen[0][1][0], rooms) == taken
        self.evening.tally.looted_right += exact or same_room
        self.evening.tally.stash_exact += exact
        if right and not exact:
            self.evening.note(
                f"{self.stage.name} {self.evening.now_s:.0f} s: gained {dict(+gained)}, truly {dict(true)}"
            )

    def rooms(self) -> list[Room]:
        """All rooms, by the truth."""
        rooms = table_rooms(self.stage.pieces(self.scene.present))
        verdicts = judged(rooms, self.position.hero(self.position.active_player.name))
        return room_records(rooms, verdicts, best_first(rooms, verdicts, legal_only=False))

    def taken_by(self, proposal: Proposal, rooms: list[Room]) -> frozenset[int]:
        """What the proposed room truly takes: a clear gem in it may be overlooked, the room is right still."""
        memory = self.table.memory
        assert isinstance(memory, Memory)
        pillars = self.names(piece for piece in memory.pieces if piece.id in proposal.pillars)
        named = {f"c{number:02}" for number in pillars}
        return frozenset(int(name[1:]) for room in rooms if set(room.pillars) == named for name in room.collects)

    def after(self, put: frozenset[int] = frozenset(), take: frozenset[int] = frozenset()) -> Scene:
        return replace(self.scene, present=(self.scene.present | put) - take, hand=None)

    def settle(self, what: str, right: bool, seen: list[tuple[Settled, tuple[Proposal, ...]]], truth: Any) -> None:
        """A person confirms the first proposal; what was wrong is noted."""
        if not right:
            told = [choice.says for _, proposals in seen for choice in proposals]
            kinds = sorted(self.stage.cubes[n]["type"] for n in truth)
            self.evening.note(f"{self.stage.name} {self.evening.now_s:.0f} s: {what} {kinds}: {told}")
        for _, proposals in seen[:1]:
            try:
                for line in proposals[0].lines:
                    self.position = GAME.play(self.position, GAME.parse_event(line))
            except CompanionError as problem:
                self.evening.note(f"not playable: {problem}")

    def watch(
        self, scenes: Iterable[Scene], change: frozenset[int] = frozenset()
    ) -> list[tuple[Settled, tuple[Proposal, ...]]]:
        """What was proposed while these scenes passed; any of it is false where nothing was changed."""
        out = []
        for settled in self._readings(scenes):
            proposals = self._proposed(settled)
            if proposals:
                out.append((settled, proposals))
        if not change and out:
            self.evening.tally.false += len(out)
            told = [choice.says for _, proposals in out for choice in proposals]
            self.evening.note(f"{self.stage.name} {self.evening.now_s:.0f} s: false: {told}")
        return out

    def _readings(self, scenes: Iterable[Scene]) -> Iterator[Settled]:
        tally = self.evening.tally
        for scene in scenes:
            self.evening.number += 1
            now_s = self.evening.now_s
            self.oracle.scene = scene
            lit = replace(scene, light=1 + 0.25 * np.sin(now_s / 400), slope=0.15 * np.sin(now_s / 270))
            if scene.hand is not None:
                self.left_s = None
            elif self.left_s is None:
                self.left_s = now_s
            frame = StagedFrame(self.evening.number, now_s, stage=self.stage, scene=lit, name=str(self.evening.number))
            settled = self.table.step(frame)
            self.scene = replace(scene, hand=None)
            if settled is not None:
                tally.readings += 1
                tally.bumps_seen += settled.bumped
                tally.slowest_settle_s = max(tally.slowest_settle_s, now_s - (self.left_s or now_s))
                yield settled

    def _proposed(self, settled: Settled) -> tuple[Proposal, ...]:
        memory = self.table.memory
        assert isinstance(memory, Memory)
        before, self.base = self.base, memory
        if before is None:
            return ()
        memory = reidentified(memory, before.pieces)
        self.table.correct(memory)
        self.base = memory
        assert isinstance(settled.change, Change)
        misread = frozenset(piece.id for piece in (*settled.change.found, *settled.change.doubted))
        change = difference(before.pieces, memory.pieces, misread)
        if not change:
            return ()
        was, now = evidence(before.pieces, memory.pieces, memory.unsure, change)
        known = replace(before.reading, pieces=was)
        return drop_proposals(self.position, known, now, change, settled.change.unseen)

    def names(self, pieces: Iterable[Any]) -> frozenset[int]:
        """Which cubes of the label these are: the nearest of the same kind in the picture, -1 where none is."""
        out = set()
        for piece in pieces:
            mine = [n for n, c in enumerate(self.stage.cubes) if (c["type"], c["size"]) == (piece.type, piece.size)]
            places = self.stage.to_photo(self.scene, [self.stage.cubes[n]["center_px"] for n in mine])
            away = np.hypot(*(places - piece.center_px).T) if mine else np.array([np.inf])
            out.add(mine[int(away.argmin())] if away.min() < 15 else -1)
        return frozenset(out)


def lived(evening: Evening) -> dict[str, Any]:
    cv2.setNumThreads(1)
    evening.live()
    figures = dict(vars(evening.tally))
    length = {"minutes": round(evening.now_s / 60, 1), "frames": evening.number}
    return figures | length | {"memory_mb": evening.memory_mb}


@click.command()
@click.argument("photos", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--minutes", default=60.0)
@click.option("--oracle", is_flag=True, help="A stand-in for the reader, with a reader's faults.")
@click.option("--faults", "share", default=0.01, help="Of all cubes, how many it misses, misreads and invents.")
@click.option("--seed", default=7)
@click.option("--json", "as_json", is_flag=True)
def main(photos: tuple[Path, ...], minutes: float, share: float, seed: int, *, oracle: bool, as_json: bool) -> None:
    faults = Faults(missed=share, misread=share, phantom=share, stubborn=0.5) if oracle else None
    note = functools.partial(click.echo, err=True)
    figures = lived(Evening(minutes, faults=faults, note=note, seed=seed, tables=photos or TABLES))
    if as_json:
        click.echo(json.dumps(figures))
        return
    for name, value in figures.items():
        click.echo(f"{name:18} {value}")


if __name__ == "__main__":
    main()
