"""All that the rules need to know of one moment of Dungeon Hustle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from companion.games.dungeon_hustle.board import CORNERS, Spot
from companion.games.dungeon_hustle.costs import Cost, Need, card_order
from companion.games.dungeon_hustle.house import STANDARD, HouseRules
from companion.games.dungeon_hustle.notation import value_text
from companion.games.dungeon_hustle.runs import Table
from companion.tiles import CARD_SPACES, Card, Space

CARDS_FOR_PLAYERS: Final[Mapping[int, int]] = {2: 96 - 12 - 6, 3: 96 - 12, 4: 96}
ESCAPE_LIMITS: Final[Mapping[str, int]] = {"easy": 5, "normal": 4, "hard": 3}
MOST_ITEMS: Final = 3
TOP_LEVEL: Final = 4
LAST_DUNGEON_LEVEL: Final = 3  # reaching the one below it ends the game
TIERS: Final = ("trinket", "treasure", "artifact")

# Phases in the order of a turn; "setup" before the first and "over" after the last.
PHASES: Final = ("setup", "hustle", "replace", "attacks", "combat", "quest", "rest", "over")


@dataclass(frozen=True)
class Item:
    name: str
    points: int = 0
    recharge: tuple[Need, ...] = ()
    charged: bool = True


@dataclass(frozen=True)
class Quest:
    name: str
    needs: tuple[Need, ...] = ()
    gold: int = 0
    points: int = 0

    @property
    def cost(self) -> Cost:
        return Cost(self.needs, types_differ=True)


@dataclass(frozen=True)
class Corner:
    """One corner tile's quests; the Treasure Trove has none."""

    quests_left: int = 0
    face_up: bool = False
    quest: Quest | None = None  # the one face up, once somebody has entered it


@dataclass(frozen=True)
class Hero:
    player: str
    who: str
    spot: Spot | None = None  # None before the first turn
    hand: tuple[Card, ...] = ()  # sorted
    gold: int = 0
    level: int = 1
    items: tuple[Item, ...] = ()
    quests: tuple[Quest, ...] = ()
    help_card: Card | None = None  # what charges the helping power
    reward: bool = False  # the helping card shows its reward side
    turns: int = 0
    level_gold: tuple[int, ...] = ()  # what levels 2, 3 and 4 cost, from the character card
    hand_sizes: tuple[int, ...] = ()  # at levels 1, 2, 3 and 4, from the character card
    helps: str | None = None  # the symbol that charges the helping power

    @property
    def hand_size(self) -> int | None:
        return self.hand_sizes[max(min(self.level, len(self.hand_sizes)), 1) - 1] if self.hand_sizes else None


@dataclass(frozen=True)
class Fight:
    at: Space
    base: int  # the monster's power before any draw: the hero's level
    power: int | None = None  # after the draw
    defended: bool = False


@dataclass(frozen=True)
class Kind:
    """How many cards of one face the deck was made of."""

    card: Card
    count: int


@dataclass(frozen=True)
class Position:
    phase: str = "setup"
    heroes: tuple[Hero, ...] = ()
    turn: int = 0  # whose, as an index of heroes
    board: tuple[Card, ...] = ()  # in the order of CARD_SPACES
    monsters: tuple[Space, ...] = ()  # sorted
    corners: tuple[Corner, ...] = (Corner(), Corner(), Corner(), Corner())  # in the order of CORNERS
    trove: str | None = None
    stairs: str | None = None
    spawn: str | None = None
    escaped: int = 0
    escape_limit: int = ESCAPE_LIMITS["easy"]
    level: int = 1  # of the dungeon
    rewards: tuple[int, ...] = ()  # gold for a monster on levels 1, 2 and 3, from the stairs tile
    deck_left: int | None = None
    exhausted: bool = False  # the deck ran out during this turn
    box: tuple[Kind, ...] = ()  # what the deck was made of, where the players entered it
    discards: tuple[Card, ...] = ()  # sorted
    to_replace: tuple[Space, ...] = ()  # picked up this turn, not yet covered again
    attacks: int = 0  # wandering monsters still to be answered
    fight: Fight | None = None
    fought: bool = False  # this turn
    helped: bool = False  # this turn
    bought: bool = False  # this turn
    recharged: tuple[str, ...] = ()  # items, this turn
    revealed: Card | None = None  # the card last turned up in phase 5
    monsters_won: bool = False
    house: HouseRules = STANDARD

    def __str__(self) -> str:
        return value_text(self)

    @property
    def hero(self) -> Hero:
        """Whose turn it is."""
        return self.heroes[self.turn]

    @property
    def has_turn(self) -> bool:
        """Whether it is anybody's turn."""
        return self.phase not in ("setup", "over") and 0 <= self.turn < len(self.heroes)

    @property
    def cards(self) -> dict[Space, Card]:
        return dict(zip(CARD_SPACES, self.board, strict=False))

    def corner(self, name: str) -> Corner:
        return self.corners[CORNERS.index(name)]

    def with_corner(self, name: str, corner: Corner) -> Position:
        at = CORNERS.index(name)
        return replace(self, corners=(*self.corners[:at], corner, *self.corners[at + 1 :]))

    def with_hero(self, hero: Hero) -> Position:
        """The position with one hero replaced, found by their class."""
        return replace(self, heroes=tuple(hero if one.who == hero.who else one for one in self.heroes))

    def table_for(self, hero: Hero) -> Table:
        """What a hustle of this hero depends on."""
        others = (one.spot for one in self.heroes if one.who != hero.who)
        return Table(
            self.cards, frozenset(self.monsters), frozenset(spot for spot in others if isinstance(spot, tuple))
        )


def sorted_cards(cards: tuple[Card, ...] | list[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=card_order))


def seen_cards(position: Position) -> Counter[Card]:
    """Every card that lies open or is known: the board, hands, helping cards and discards."""
    on_board = (card for space, card in position.cards.items() if space not in position.to_replace)
    seen = Counter(on_board) + Counter(position.discards)
    for hero in position.heroes:
        seen += Counter(hero.hand)
        if hero.help_card is not None:
            seen[hero.help_card] += 1
    return seen


def unseen_cards(position: Position) -> Counter[Card] | None:
    """What the deck may hold: what it was made of, less all that is seen. None where nobody entered that."""
    if not position.box:
        return None
    return Counter({kind.card: kind.count for kind in position.box}) - seen_cards(position)
