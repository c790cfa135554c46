"""The live table: frames in, settled readings and changes out. No thread, no clock, no file: a test or a simulated
evening drives it as fast as it can, the page drives it from a camera."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from companion.errors import CompanionError
from companion.readings import DropReading, HustleReading
from vision.live.boards import BoardChange, BoardMemory, board_remembered, boards_together, cell_outlines
from vision.live.frames import WATCH_WIDTH_PX, Frame, Image
from vision.live.memory import Change, Memory, remembered
from vision.live.pixels import INCOMPARABLE, Difference, Picture, difference, picture
from vision.live.watch import Look, State, Watcher, crispness, from_the_edge
from vision.merge import OTHER_TABLE, Merging, merged

Reading = DropReading | HustleReading
Reader = Callable[[Frame], Reading]


@dataclass(frozen=True)
class Choosing:
    """Numbers of this stage."""

    candidates: int = 4  # frames of the quiet time that a reading chooses from
    change_px: int = 5  # of the thumbnail: a small cube's picture; less is a crumb
    change_looks: int = 3  # a change nobody's hand was seen at: wait, for it may be the tip of one coming in
    again_s: float = 4.0  # after a reading that failed, though nobody touched anything since
    usual_piece_px: float = 40.0  # before anything was read
    edge_px: int = 8  # of the comparison: a sleeve is in the picture up to its very edge


NUMBERS: Final = Choosing()
# Two frames from one place: no cube hides in one of them only. A pale one may be found in one and not in the other, but
# then it is a sure find (0.9 and more stay above `believed`), where a phantom is a doubtful one.
SAME_CAMERA: Final = Merging(unseen=0.55)


@dataclass(frozen=True, eq=False)
class Settled:
    """The table was read. `reading` is what is known now, from this and all earlier readings, in one frame of
    millimetres; `raw` is what this photo alone said."""

    frame: Frame
    reading: Reading
    raw: Reading
    change: Change | BoardChange
    bumped: bool
    first: bool


class LiveTable:
    """Watches, decides when to read, reads (a change twice, from two frames), and remembers."""

    def __init__(
        self,
        read: Reader,
        *,
        watcher: Watcher | None = None,
        on_state: Callable[[State], None] | None = None,
        numbers: Choosing = NUMBERS,
    ) -> None:
        self._read, self._watcher, self._on_state, self._numbers = read, watcher or Watcher(), on_state, numbers
        self._candidates: deque[Frame] = deque(maxlen=numbers.candidates)
        self._memory: Memory | BoardMemory | None = None
        self._last: Picture | None = None
        self._pending = True
        self._different = 0  # looks in a row at a settled table that is not the one last read
        self._failed_s: float | None = None
        self._first_look: Reading | None = None  # of a change that waits for its second
        self.state = State.WATCHING
        self.look: Look | None = None

    @property
    def memory(self) -> Memory | BoardMemory | None:
        return self._memory

    def correct(self, memory: Memory | BoardMemory, photo: Image | None = None) -> None:
        """A person put something right, or the game goes on after a pause: this is what is known from now on. `photo`
        is what it was read from, where that is not the frame read last."""
        self._memory = memory
        if photo is not None:
            self._last = picture(photo)

    def step(self, frame: Frame) -> Settled | None:
        """Looks at one frame; what came of it where it was time to read."""
        if frame.still:
            return self._read_now([frame])
        look = self.look = self._watcher.look(frame.grey(), frame.time_s)
        if not look.settled:
            self._pending |= look.hand or look.light_jumped
            self._candidates.clear()
            self._different, self._first_look = 0, None
            self._tell(State.HAND if look.hand else State.WATCHING if self._pending else self.state)
            return None
        self._candidates.append(frame)
        if not self._is_due(look):
            self._tell(State.READ if self._memory is not None else State.WATCHING)
            return None
        return self._read_now(list(self._candidates))

    def _is_due(self, look: Look) -> bool:
        if self._failed_s is not None and look.time_s - self._failed_s > self._numbers.again_s:
            return True
        changed = look.changed is not None and int(np.count_nonzero(look.changed)) >= self._numbers.change_px
        self._different = self._different + 1 if changed or look.bumped else 0
        return self._pending or self._different >= self._numbers.change_looks

    def _read_now(self, candidates: Sequence[Frame]) -> Settled | None:
        self._tell(State.READING)
        frame = best_of(candidates)
        self._watcher.read(frame.grey())
        self._candidates.clear()
        self._pending, self._different = False, 0
        try:
            image = frame.image()
            raw = self._read(frame)
        except CompanionError:
            self._failed_s = frame.time_s
            self._tell(State.WATCHING)
            return None
        self._failed_s = None if _is_something(raw) else frame.time_s
        if self._failed_s is not None:
            self._tell(State.WATCHING)
            return None
        self._watcher.learn_size(_piece_px(raw, self._numbers) * WATCH_WIDTH_PX / image.shape[1])
        if self._first_look is not None:
            raw, self._first_look = together(self._first_look, raw), None
        elif not frame.still and self._is_news(image, raw):
            self._first_look, self._pending = raw, True  # the next frame says whether it was a slip
            return None
        settled = self._remember(frame, image, raw)
        self._tell(State.READ)
        return settled

    def _is_news(self, image: Image, raw: Reading) -> bool:
        """Whether this reading says something that nobody knew: then one more frame is read before it is believed."""
        return self._memory is None or bool(self._compared(picture(image), raw)[1])

    def _remember(self, frame: Frame, image: Image, raw: Reading) -> Settled:
        now, first = picture(image), self._memory is None
        self._memory, change, pixels = self._compared(now, raw)
        self._last = now
        return Settled(frame, self._memory.reading, raw, change, pixels.moved is not None, first)

    def _compared(self, now: Picture, raw: Reading) -> tuple[Memory | BoardMemory, Change | BoardChange, Difference]:
        pixels = difference(self._last, now, _piece_px(raw, self._numbers)) if self._last else INCOMPARABLE
        if isinstance(raw, DropReading):
            return *remembered(self._memory if isinstance(self._memory, Memory) else Memory(), raw, pixels), pixels
        # A run changes whole fields of cards: only what reaches in from the edge is a hand that covers them.
        pixels = replace(pixels, covered=from_the_edge(pixels.covered, self._numbers.edge_px))
        board = self._memory if isinstance(self._memory, BoardMemory) else BoardMemory()
        return *board_remembered(board, raw, pixels), pixels

    def _tell(self, state: State) -> None:
        if state is not self.state:
            self.state = state
            if self._on_state is not None:
                self._on_state(state)


def best_of(frames: Sequence[Frame]) -> Frame:
    """The sharpest; of equals the newest."""
    if len(frames) == 1:
        return frames[0]
    return max(reversed(frames), key=lambda frame: crispness(frame.image()))


def together(one: Reading, two: Reading) -> Reading:
    """Two frames of one quiet moment, read as one: what only one of them shows is doubtful."""
    if isinstance(one, DropReading) and isinstance(two, DropReading):
        both = merged(two, one, numbers=SAME_CAMERA)
        if OTHER_TABLE in both.problems:
            return two
        return replace(both, error_mm=two.error_mm)  # the same camera twice: its error does not average out
    if isinstance(one, HustleReading) and isinstance(two, HustleReading):
        return boards_together(one, two)
    return two


def _is_something(reading: Reading) -> bool:
    return bool(reading.pieces if isinstance(reading, DropReading) else reading.cells)


def _piece_px(reading: Reading, numbers: Choosing) -> float:
    """A usual piece's width in the photo; of a board, a card's."""
    if isinstance(reading, DropReading):
        outlines = [np.array(piece.outline_px) for piece in reading.pieces if piece.outline_px]
    else:
        outlines = [np.array(outline) for outline in cell_outlines(reading.board_px).values()]
    if not outlines:
        return numbers.usual_piece_px
    return float(np.median([np.ptp(outline, axis=0).mean() for outline in outlines]))
