"""A short staged evening, the reader an oracle with a reader's faults: what changed is found, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.errors import InvalidInput
from companion.readings import DropReading
from tests.benchmarks.live_oracle import Faults, Oracle
from tests.benchmarks.live_stage import Hand, Scene, Stage, StagedFrame, reach, still, wave
from vision.live.frames import Frame, Image
from vision.live.table import LiveTable, Reader, Reading, Settled
from vision.live.watch import State

DEMO = Path(__file__).parents[2] / "web" / "demo" / "drop"


class Evening:
    def __init__(self, stage: Stage, present: frozenset[int], faults: Faults) -> None:
        self.random = np.random.default_rng(11)
        self.stage, self.scene = stage, Scene(present)
        self.oracle = Oracle(stage, faults, self.random)
        self.states: list[State] = []
        self.read: Reader = self.oracle
        self.live = LiveTable(self._ask, on_state=self.states.append)
        self.number = 0

    def _ask(self, frame: Frame) -> Reading:
        return self.read(frame)

    def play(self, scenes: Iterable[Scene]) -> list[Settled]:
        out = []
        for scene in scenes:
            self.number += 1
            self.oracle.scene = scene
            frame = StagedFrame(self.number, self.number / 10, stage=self.stage, scene=scene, name=str(self.number))
            if settled := self.live.step(frame):
                out.append(settled)
            self.scene = replace(scene, hand=None)
        return out

    def rest(self) -> list[Settled]:
        return self.play(still(self.scene, 1.2))


@pytest.fixture(scope="module")
def stage() -> Stage:
    return Stage(DEMO / "table-3.jpg")


def names(pieces: Iterable[object]) -> list[str]:
    return sorted(f"{piece.type} {piece.size}" for piece in pieces)  # type: ignore[attr-defined]


def test_loot_exploring_pointing_and_a_bump_are_told_apart(stage: Stage) -> None:
    cubes = stage.cubes
    late = frozenset(n for n, cube in enumerate(cubes) if cube["size"] == "L" and cube["type"] != "pillar")
    new = frozenset(sorted(late)[:3])
    evening = Evening(stage, stage.everything - new, Faults(missed=0.02, misread=0.02, phantom=0.005))
    (first,) = evening.rest()
    assert first.first and not first.change
    ids = {piece.id for piece in first.reading.pieces}  # type: ignore[union-attr]

    (explored,) = [*evening.play(reach(stage, evening.scene, evening.random, put=new)), *evening.rest()]
    assert names(explored.change.added) == names(stage.pieces(new))  # type: ignore[union-attr]
    assert not explored.change.removed  # type: ignore[union-attr]

    (pointed,) = [*evening.play(wave(evening.scene, evening.random)), *evening.rest()]
    assert not pointed.change

    evening.scene = replace(evening.scene, turn_deg=1.2, shift_px=(14.0, -9.0))
    (bumped,) = evening.play(still(evening.scene, 2.0))
    assert bumped.bumped and not bumped.change

    taken = frozenset(n for n in sorted(evening.scene.present) if cubes[n]["type"] in ("gold", "goblin"))
    taken = frozenset(sorted(taken)[:5])
    (looted,) = [*evening.play(reach(stage, evening.scene, evening.random, take=taken)), *evening.rest()]
    assert names(looted.change.removed) == names(stage.pieces(taken))  # type: ignore[union-attr]
    assert not looted.change.added  # type: ignore[union-attr]
    assert {piece.id for piece in looted.change.removed} <= ids | {p.id for p in explored.change.added}  # type: ignore[union-attr]
    assert set(evening.states) == {State.HAND, State.WATCHING, State.READING, State.READ}


def test_a_quiet_table_is_read_from_two_frames_and_then_no_more(stage: Stage) -> None:
    evening = Evening(stage, stage.everything, Faults())
    assert len(evening.play(still(evening.scene, 6.0))) == 1
    assert evening.oracle.reads == 2
    assert evening.live.state is State.READ


def test_a_change_that_the_next_frame_does_not_show_was_a_slip(stage: Stage) -> None:
    evening = Evening(stage, stage.everything, Faults(missed=0, misread=0, phantom=0))
    evening.rest()
    looted = frozenset(sorted(stage.everything)[:3])
    slips = iter([evening.scene.present - looted])

    def read(frame: Frame) -> DropReading:
        """Misses cubes of a room once, where a hand has just been and left its shadow."""
        evening.oracle.scene = replace(evening.scene, present=next(slips, evening.scene.present))
        return evening.oracle(frame)

    evening.read = read
    told = [*evening.play(wave(evening.scene, evening.random)), *evening.rest()]
    assert not any(one.change for one in told)
    assert len(told[-1].reading.pieces) == len(stage.cubes)  # type: ignore[union-attr]


def test_a_hand_that_rests_covers_cubes_and_takes_none(stage: Stage) -> None:
    evening = Evening(stage, stage.everything, Faults(missed=0, misread=0, phantom=0))
    evening.rest()
    x, y = stage.at(0)
    resting = replace(evening.scene, hand=Hand(x, y))
    bare, handed = (
        stage.picture(scene, stage.label["width"], evening.random).astype(int) for scene in (evening.scene, resting)
    )
    hidden = frozenset(n for n, cube in enumerate(stage.cubes) if _differ(bare, handed, cube["center_px"]))
    assert hidden  # the reader does not see through a hand
    readings = evening.play([resting] * 40)
    assert readings == []  # four seconds: somebody points at a cube
    evening.read = lambda frame: seen_without(evening, frame, hidden)
    (patient,) = evening.play([resting] * 40)
    assert not patient.change.removed  # type: ignore[union-attr]
    assert len(patient.reading.pieces) == len(stage.cubes)  # type: ignore[union-attr]


def _differ(one: Image, two: Image, place_px: list[float]) -> bool:
    x, y = round(place_px[0]), round(place_px[1])
    return bool(np.abs(one[y - 3 : y + 4, x - 3 : x + 4] - two[y - 3 : y + 4, x - 3 : x + 4]).mean() > 25)


def seen_without(evening: Evening, frame: Frame, hidden: frozenset[int]) -> DropReading:
    evening.oracle.scene = replace(evening.oracle.scene, present=evening.scene.present - hidden)
    return evening.oracle(frame)


def test_a_reader_that_fails_is_asked_again_and_nothing_is_lost(stage: Stage) -> None:
    evening = Evening(stage, stage.everything, Faults(missed=0, misread=0, phantom=0))
    answers = iter([InvalidInput("no"), DropReading("x")])

    def read(frame: Frame) -> DropReading:
        answer = next(answers, None)
        if isinstance(answer, Exception):
            raise answer
        return answer or evening.oracle(frame)

    evening.read = read
    readings = evening.play(still(evening.scene, 12.0))
    assert len(readings) == 1 and len(readings[0].reading.pieces) == len(stage.cubes)  # type: ignore[union-attr]
