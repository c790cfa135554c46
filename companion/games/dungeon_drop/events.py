"""What can happen at a Dungeon Drop table. Each event is a frozen value with a one-line text (see notation.py)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Final

from companion.games.dungeon_drop.notation import event_from_text, event_text, recorded
from companion.games.dungeon_drop.quests import Quest
from companion.games.dungeon_drop.stashes import EMPTY, Stash
from companion.pieces import Piece


class Told:
    """The text that all events share."""

    verb: ClassVar[str]

    def __str__(self) -> str:
        return event_text(self.verb, self)


# ---- setup


@dataclass(frozen=True)
class Join(Told):
    """A hero sits down, with what stands on the race and class card."""

    verb = "join"
    name: str
    initiative: int
    health: int
    race: str = ""
    role: str = ""  # the class card's name
    meeple: str = ""  # its colour


@dataclass(frozen=True)
class SetQuest(Told):
    """A quest as entered from the card; may be entered late, as long as it is before the count."""

    verb = "quest"
    hero: str
    quest: Quest


@dataclass(frozen=True)
class House(Told):
    """How this table plays where the rulebook is silent (house.py)."""

    verb = "house"
    doubt_counts_as_in: bool = True
    doubt_deviations: float = 2.0
    leaning_by_projection: bool = True
    must_loot: bool = True
    illegal_room_loses_turn: bool = True


@dataclass(frozen=True)
class Start(Told):
    """The small cubes and the dragon are dropped; the first round begins."""

    verb = "start"
    teamwork: bool = False
    solo_cubes: bool = False


# ---- the table


@dataclass(frozen=True)
class Look(Told):
    """The table as it lies now: after a drop, after an ability moved cubes, or put right by hand."""

    verb = "look"
    pieces: tuple[Piece, ...] = ()
    error_mm: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "pieces", tuple(map(recorded, self.pieces)))
        if self.error_mm is not None:
            object.__setattr__(self, "error_mm", round(float(self.error_mm), 4))


@dataclass(frozen=True)
class Accept(Told):
    """The table is right as it was last seen, whatever the count says."""

    verb = "accept"


@dataclass(frozen=True)
class Fall(Told):
    """Cubes fell off the table; the next hero drops them while exploring."""

    verb = "fall"
    pieces: tuple[str, ...]


# ---- a turn


@dataclass(frozen=True)
class Explore(Told):
    """Cubes drawn from the box and dropped. `cubes` where somebody wrote down which; a look tells otherwise."""

    verb = "explore"
    number: int | None = None  # None: as many as the number of heroes asks for
    cubes: Stash = EMPTY


@dataclass(frozen=True)
class Act(Told):
    verb = "act"
    ability: str  # race or class
    note: str = ""


@dataclass(frozen=True)
class Potion(Told):
    """The active hero drops a potion from the stash: up to 3 damage healed (D11)."""

    verb = "potion"


@dataclass(frozen=True)
class Shield(Told):
    """The active hero drops a shield from the stash: one monster does no damage this turn (D10)."""

    verb = "shield"


@dataclass(frozen=True)
class Meeple(Told):
    """Teamwork: another hero's meeple is put into the dungeon."""

    verb = "meeple"
    hero: str


@dataclass(frozen=True)
class Loot(Told):
    """A room of three pillars. `without` and `also` are doubtful pieces that the table ruled out or in (D3)."""

    verb = "loot"
    pillars: tuple[str, ...]
    without: tuple[str, ...] = ()
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class Take(Told):
    """A room known only by what was taken, at a table that no camera saw."""

    verb = "take"
    cubes: Stash
    meeples: tuple[str, ...] = ()  # heroes whose meeples were in the room


@dataclass(frozen=True)
class Illegal(Told):
    """A room that the rules forbid was formed: its cubes are dropped again, the turn is lost (D14)."""

    verb = "illegal"
    pillars: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Pass(Told):
    """No room is looted."""

    verb = "pass"


@dataclass(frozen=True)
class End(Told):
    """The turn ends; meeples go back, and after the last turn of a round the lightest hero is next."""

    verb = "end"


# ---- corrections and the count


@dataclass(frozen=True)
class Count(Told):
    """A hero's stash as counted, by hand or from a photo, in place of what the record says."""

    verb = "count"
    hero: str
    stash: Stash


@dataclass(frozen=True)
class Damage(Told):
    """A hero's health track as it stands: abilities hurt and heal too."""

    verb = "damage"
    hero: str
    points: int


@dataclass(frozen=True)
class Teamwork(Told):
    """A hero's place on the score tracker, put right by hand."""

    verb = "teamwork"
    hero: str
    points: int


@dataclass(frozen=True)
class Roll(Told):
    """A chest with its key is rolled."""

    verb = "roll"
    hero: str
    shows: int


@dataclass(frozen=True)
class FreeBonus(Told):
    """Points that no kind of bonus covers, as the players agree."""

    verb = "bonus"
    hero: str
    points: int
    note: str = ""


@dataclass(frozen=True)
class Finish(Told):
    """All chests are rolled: the score stands."""

    verb = "finish"


EVENTS: Final = (
    Join, SetQuest, House, Start, Look, Accept, Fall, Explore, Act, Potion, Shield, Meeple, Loot, Take, Illegal, Pass,
    End, Count, Damage, Teamwork, Roll, FreeBonus, Finish,
)  # fmt: skip
VERBS: Final[dict[str, Any]] = {kind.verb: kind for kind in EVENTS}
DropEvent = (
    Join | SetQuest | House | Start | Look | Accept | Fall | Explore | Act | Potion | Shield | Meeple | Loot | Take
    | Illegal | Pass | End | Count | Damage | Teamwork | Roll | FreeBonus | Finish
)  # fmt: skip


def parse_event(text: str) -> DropEvent:
    """
    >>> str(parse_event("loot p03,p11,p17 without=p09"))
    'loot p03,p11,p17 without=p09'
    """
    event: DropEvent = event_from_text(text.strip(), VERBS)
    return event
