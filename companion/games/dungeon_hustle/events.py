"""What can happen in a game of Dungeon Hustle. Each event is one line: its verb and its fields (see notation.py)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.errors import InvalidInput
from companion.games.dungeon_hustle.board import Spot
from companion.games.dungeon_hustle.costs import Need
from companion.games.dungeon_hustle.notation import event_from_text, event_text
from companion.tiles import Card, Space


class Noted:
    """An event's text is its verb and fields."""

    def __str__(self) -> str:
        return event_text(type(self).__name__.lower(), self)


# ---- setup


@dataclass(frozen=True)
class Player(Noted):
    """Somebody joins, with what their character card says, as far as they enter it."""

    name: str
    hero: str
    level_gold: tuple[int, ...] = ()
    hand_sizes: tuple[int, ...] = ()
    helps: str | None = None


@dataclass(frozen=True)
class Deck(Noted):
    """What the dungeon deck is made of, after the setup's removals: faces and how many of each."""

    cards: tuple[Card, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True)
class Layout(Noted):
    """Which corners hold the Treasure Trove and the stairs, and what the level track pays for a monster."""

    trove: str
    stairs: str
    rewards: tuple[int, ...] = ()


@dataclass(frozen=True)
class Difficulty(Noted):
    level: str


@dataclass(frozen=True)
class House(Noted):
    """How this table plays where the rulebook is silent (house.py)."""

    equals_from_spawn_corner: bool = True
    empty_corner_spawns: bool = True
    may_stop_early: bool = True
    cornered_hero_stays: bool = True
    sword_and_icon_add_two: bool = True


@dataclass(frozen=True)
class Start(Noted):
    """The first player begins; three monsters stand in their corners."""

    first: str


# ---- what the table shows, and putting it right


@dataclass(frozen=True)
class Board(Noted):
    """The 36 cards, row by row: the setup, or a correction of it at any time."""

    cards: tuple[Card, ...]


@dataclass(frozen=True)
class Stand(Noted):
    """A correction: where a hero stands."""

    hero: str
    at: Spot


@dataclass(frozen=True)
class Monsters(Noted):
    """A correction: where the monsters stand."""

    at: tuple[Space, ...]


@dataclass(frozen=True)
class Left(Noted):
    """A correction: how many cards the deck holds."""

    cards: int


@dataclass(frozen=True)
class Quest(Noted):
    """What a quest that lies face up says."""

    corner: str
    name: str
    needs: tuple[Need, ...]
    gold: int = 0
    points: int = 0


@dataclass(frozen=True)
class Gold(Noted):
    """Gold that a power, an item or a quest's effect gives or takes."""

    player: str
    amount: int


@dataclass(frozen=True)
class Gain(Noted):
    """Cards that come into a hand by an effect; from the deck, the discards or elsewhere."""

    player: str
    cards: tuple[Card, ...]
    source: str = "deck"


@dataclass(frozen=True)
class Shed(Noted):
    """Cards that an effect makes a player discard."""

    player: str
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class Level(Noted):
    """A level gained where the character card's costs were not entered."""

    player: str
    level: int
    gold: int


@dataclass(frozen=True)
class Note(Noted):
    text: str


# ---- a turn


@dataclass(frozen=True)
class Hustle(Noted):
    """A run: the path as in FORMATS, starting with the hero's own card if they stand on one."""

    colour: str
    path: tuple[Spot, ...]
    recolour: Space | None = None  # this card counts as the run's colour
    leap: Space | None = None  # this space was jumped over
    by: str | None = None  # what allowed that: "reward", "help", or an item's name


@dataclass(frozen=True)
class Replace(Noted):
    """New cards on the empty spaces, in reading order of the spaces."""

    cards: tuple[Card, ...]


@dataclass(frozen=True)
class Defend(Noted):
    """A shield against one wandering monster."""

    card: Card


@dataclass(frozen=True)
class Lose(Noted):
    """A card lost at random to one wandering monster."""

    card: Card


@dataclass(frozen=True)
class Help(Noted):
    """Another player's helping power is used."""

    player: str


@dataclass(frozen=True)
class Use(Noted):
    """An item is used and turned sideways."""

    item: str


@dataclass(frozen=True)
class Fight(Noted):
    """A battle from a distance."""

    at: Space


@dataclass(frozen=True)
class Flip(Noted):
    """The monster's draw."""

    cards: tuple[Card, ...]


@dataclass(frozen=True)
class Reflip(Noted):
    """A shield sends the monster back to its base power, to draw again."""

    shield: Card


@dataclass(frozen=True)
class Attack(Noted):
    """Swords from the hand and what help, items and powers add; it must be enough."""

    swords: tuple[Card, ...] = ()
    bonus: int = 0
    gold: int | None = None  # the reward, where the level track's was not entered


@dataclass(frozen=True)
class Retreat(Noted):
    """The fight is lost: a card at random, and a step to an empty space beside."""

    lost: Card | None = None
    to: Space | None = None


@dataclass(frozen=True)
class Complete(Noted):
    """The quest at the hero's corner is done."""

    pay: tuple[Card, ...]


@dataclass(frozen=True)
class Reveal(Noted):
    """The card that brings and moves monsters."""

    card: Card


@dataclass(frozen=True)
class Buy(Noted):
    item: str
    tier: str
    pay: tuple[Card, ...]
    points: int = 0
    recharge: tuple[Need, ...] = ()
    drop: str | None = None  # the item given up where there would be four


@dataclass(frozen=True)
class Receive(Noted):
    """An item gained by an effect, not bought."""

    player: str
    item: str
    points: int = 0
    recharge: tuple[Need, ...] = ()
    drop: str | None = None


@dataclass(frozen=True)
class Recharge(Noted):
    item: str
    pay: tuple[Card, ...]


@dataclass(frozen=True)
class Charge(Noted):
    """A card is put on a helping card; during setup, anybody's."""

    card: Card
    player: str | None = None


@dataclass(frozen=True)
class Discard(Noted):
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class End(Noted):
    """The turn is over."""


VERBS: Final[Mapping[str, type]] = {
    event.__name__.lower(): event
    for event in (
        Player, Deck, Layout, Difficulty, House, Start,
        Board, Stand, Monsters, Left, Quest, Gold, Gain, Shed, Level, Note,
        Hustle, Replace, Defend, Lose, Help, Use, Fight, Flip, Reflip, Attack, Retreat, Complete, Reveal, Buy, Receive,
        Recharge, Charge, Discard, End,
    )
}  # fmt: skip


def parse_event(text: str) -> Any:
    """
    >>> parse_event("hustle colour=blue path=4,1/3,2/top-left")
    Hustle(colour='blue', path=((4, 1), (3, 2), 'top-left'), recolour=None, leap=None, by=None)
    """
    if not text.split() or len(text.splitlines()) > 1:
        raise InvalidInput("an event is one line of text")
    return event_from_text(text, VERBS)
