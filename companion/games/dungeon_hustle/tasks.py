"""What the search for the best run is asked, and what it answers. Cards are bits (see bitboard.py)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

NOTHING: Final = -(10**12)  # worse than any run


class Ending(Enum):
    STAY = "on the last open card, which is then not picked up"
    BESIDE = "on a place beside the last open card"
    LEAP = "on a place that a leap from the last open card reaches"


@dataclass(frozen=True)
class Task:
    """What to search. All worths are whole numbers, higher is better; bits name the cards."""

    entries: int  # open cards that the first jump may reach
    open: int  # cards that a run may pass through, the start excluded
    worth: Mapping[int, int]  # what passing through each open card adds
    end_worth: Mapping[int, int]  # what the best ending beside an open card adds; absent where there is none
    stay_worth: Mapping[int, int]  # what ending on an open card itself adds
    leap_entries: int = 0  # open cards that a leap from the start reaches
    leaps: Mapping[int, int] = field(default_factory=dict)  # from each open card, the open cards that a leap reaches
    leap_end_worth: Mapping[int, int] = field(default_factory=dict)  # what the best ending reached by a leap adds


@dataclass(frozen=True)
class Found:
    value: int
    through: tuple[int, ...]  # the open cards jumped on, in order
    ending: Ending
