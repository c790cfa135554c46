"""What cannot be: on a board as a camera read it, and in a position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from companion.games.dungeon_hustle.board import CORNERS, spot_text
from companion.games.dungeon_hustle.monsters import MOST_MONSTERS
from companion.games.dungeon_hustle.notation import card_text
from companion.games.dungeon_hustle.position import MOST_ITEMS, PHASES, TOP_LEVEL, Position, seen_cards
from companion.problems import Problem
from companion.tiles import CARD_SPACES, HEROES, Card, Cell, Space


def board_problems(cells: Sequence[Cell]) -> tuple[Problem, ...]:
    """What cannot be on a board as read: each a code and a sentence that says what to look at."""
    spaces = [cell.space for cell in cells]
    monsters = [cell.space for cell in cells if "monster" in (cell.occupant, cell.also)]
    found = [*_card_count(len(cells)), *_monsters(monsters)]
    found += [
        Problem("space-twice", f"The space {spot_text(space)} was read twice.")
        for space, count in Counter(spaces).items()
        if count > 1
    ]
    standing = Counter(cell.occupant for cell in cells if cell.occupant in HEROES)
    found += [_two_places(hero) for hero, count in standing.items() if hero and count > 1]
    if sum(cell.occupant not in (None, "monster") for cell in cells) > len(HEROES):
        found.append(Problem("too-many-heroes", "More than four heroes stand on the board."))
    if unread := sorted(c.space for c in cells if c.card.colour is None or c.card.symbol is None):
        found.append(_unread(unread))
    return tuple(found)


def position_problems(position: Position) -> tuple[Problem, ...]:
    """What cannot be in a position, whoever wrote it."""
    found = [*shape_problems(position), *_numbers(position), *_heroes(position)]
    found += [*_monsters(position.monsters), *_deck(position)]
    unread = [space for space, card in position.cards.items() if card.colour is None or card.symbol is None]
    if unread and position.phase != "setup":
        found.append(_unread(unread))
    return tuple(found)


def shape_problems(position: Position) -> Iterator[Problem]:
    """What keeps the rules from being applied at all."""
    if position.phase not in PHASES:
        yield Problem("unknown-phase", f"There is no phase called {position.phase}.")
    if len(position.corners) != len(CORNERS):
        yield Problem("corner-count", f"A dungeon has four corners, not {len(position.corners)}.")
    if any(name not in (None, *CORNERS) for name in (position.trove, position.stairs, position.spawn)):
        yield Problem("unknown-corner", f"Corners are {', '.join(CORNERS)}.")
    if not 0 <= position.turn < max(len(position.heroes), 1):
        yield Problem("nobodys-turn", "It is nobody's turn.")
    if position.phase == "setup":
        return
    if not position.heroes:
        yield Problem("nobody", "Nobody plays.")
    if position.spawn is None:
        yield Problem("no-spawn-corner", "Nobody has said where monsters appear.")
    if (position.phase == "combat") != (position.fight is not None):
        yield Problem("fight", "A fight is under way in combat, and only there.")
    yield from _card_count(len(position.board))


def _numbers(position: Position) -> Iterator[Problem]:
    if not 0 <= position.escaped <= position.escape_limit:
        yield Problem(
            "escape-track", f"{position.escaped} monsters cannot have escaped on a track of {position.escape_limit}."
        )
    if not 1 <= position.level <= 4:
        yield Problem("dungeon-level", f"The dungeon has no level {position.level}.")


def _heroes(position: Position) -> Iterator[Problem]:
    for who, count in Counter(hero.who for hero in position.heroes).items():
        if who not in HEROES:
            yield Problem("unknown-hero", f"There is no hero called {who}.")
        elif count > 1:
            yield _two_places(who)
    for hero in position.heroes:
        if len(hero.items) > MOST_ITEMS:
            yield Problem("too-many-items", f"{hero.player} has {len(hero.items)} items, and three is the most.")
        if not 1 <= hero.level <= TOP_LEVEL or hero.gold < 0:
            yield Problem("hero-numbers", f"{hero.player} cannot have level {hero.level} and {hero.gold} gold.")
        if isinstance(hero.spot, tuple) and hero.spot in position.to_replace:
            yield Problem("picked-up-underfoot", f"The card under the {hero.who} cannot have been picked up.")


def _deck(position: Position) -> Iterator[Problem]:
    seen = seen_cards(position)
    made_of = {kind.card: kind.count for kind in position.box}
    for card, count in seen.items() if made_of else ():
        if _is_read(card) and count > made_of.get(card, 0):
            yield Problem(
                "more-than-the-deck",
                f"{count} cards {card_text(card)} are seen and the deck has {made_of.get(card, 0)}.",
            )
    if position.deck_left is not None and position.deck_left < 0:
        yield Problem("deck-count", "The deck cannot hold fewer than no cards.")


def _is_read(card: Card) -> bool:
    return None not in (card.colour, card.symbol, card.attack)


def _card_count(count: int) -> Iterator[Problem]:
    if count != len(CARD_SPACES):
        yield Problem("card-count", f"A dungeon has 36 cards and {count} were found.")


def _monsters(spaces: Sequence[Space]) -> Iterator[Problem]:
    if len(spaces) > MOST_MONSTERS:
        yield Problem("too-many-monsters", f"{len(spaces)} monsters stand on the board, and four is the most.")
    if len(set(spaces)) != len(spaces):
        yield Problem("monsters-share", "Two monsters stand on one card.")


def _two_places(hero: str) -> Problem:
    return Problem("hero-twice", f"The {hero} cannot be in two places.")


def _unread(spaces: Iterable[Space]) -> Problem:
    names = ", ".join(f"({spot_text(space)})" for space in spaces)
    return Problem("unread-cards", f"Some cards could not be read: {names}.")
