"""From one board to the next as the camera sees it: which run, new cards and monster moves explain the change.

None: something was misread, or the table did what the rules do not know. One: record it. Several: ask.
Runs that pick up the same cards and end on the same place are one explanation, whatever way they took.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from companion.games.dungeon_hustle import events
from companion.games.dungeon_hustle.board import BESIDE, CORNERS, Spot, spot_text
from companion.games.dungeon_hustle.chances import possible_faces, revealed_phase
from companion.games.dungeon_hustle.combat_play import empty_beside
from companion.games.dungeon_hustle.play import play
from companion.games.dungeon_hustle.position import Position
from companion.games.dungeon_hustle.retrace import differs, runs_that_explain
from companion.tiles import Card, Cell, Space

MONSTER: Final = "monster"


@dataclass(frozen=True)
class Explanation:
    """Events that lead to what was seen. Hands are not on the board: what must be asked for comes before the last
    event, which is then the turned-up card."""

    events: tuple[Any, ...]
    words: tuple[str, ...]
    asks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sight:
    """What the camera saw; a card that could not be read is None."""

    faces: dict[Space, Card | None]
    monsters: frozenset[Space]
    heroes: dict[Space, str]  # "hero" where the name is unknown
    revealed: Card | None


@dataclass(frozen=True)
class _Story:
    """What is supposed to have happened so far, and the position that it leads to as far as the board shows it."""

    position: Position
    events: tuple[Any, ...] = ()
    words: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()

    def told(self) -> Explanation:
        return Explanation(self.events, self.words or ("nothing has happened",), self.asks)

    def then(self, position: Position, words: str, event: Any = None, asks: str = "") -> _Story:
        return _Story(
            position,
            self.events if event is None else (*self.events, event),
            (*self.words, words),
            (*self.asks, asks) if asks else self.asks,
        )


def sight(cells: Sequence[Cell], revealed: Card | None = None) -> Sight:
    faces = {cell.space: None if None in (cell.card.colour, cell.card.symbol) else cell.card for cell in cells}
    heroes = {cell.space: cell.occupant for cell in cells if cell.occupant is not None and cell.occupant != MONSTER}
    monsters = frozenset(cell.space for cell in cells if MONSTER in (cell.occupant, cell.also))
    return Sight(faces, monsters, heroes, revealed)


def explain_change(position: Position, cells: Sequence[Cell], revealed: Card | None = None) -> tuple[Explanation, ...]:
    """All that may have happened since the position; where nothing did, one explanation without events."""
    seen = sight(cells, revealed)
    story = _Story(position)
    if position.phase == "hustle":
        found = list(_hustled(story, seen))
    elif position.phase == "replace":
        found = list(_replaced(story, seen))
    else:
        found = list(_turned_up(story, seen))
    return tuple(dict.fromkeys(found))


def _hustled(story: _Story, seen: Sight) -> Iterator[Explanation]:
    position = story.position
    unmoved = _faces_fit(position, seen) and _heroes_fit(position, seen)
    if unmoved and seen.monsters == set(position.monsters) and seen.revealed in (None, position.revealed):
        yield story.told()
        return
    for run in runs_that_explain(position, seen.faces, list(_run_ends(position, seen))):
        words = f"{position.hero.player} hustles {run.colour} to {spot_text(run.path[-1])}"
        yield from _replaced(story.then(play(position, run), words, run), seen)


def _run_ends(position: Position, seen: Sight) -> Iterator[Spot]:
    """Where the run may have ended: where the hero is seen, or on a monster beside that, if the fight was lost.

    A hero who is not seen stands on a corner, which the reader does not look at, or with another hero.
    """
    hero = position.hero
    others = {one.spot for one in position.heroes if one.who != hero.who}
    named = [space for space, who in seen.heroes.items() if who == hero.who]
    places = named or [space for space, who in seen.heroes.items() if who == "hero" and space not in others]
    for place in places:
        yield place
        yield from (near for near in BESIDE[place] if near in position.monsters)
    if not places:
        yield from CORNERS
        yield from (spot for spot in others if isinstance(spot, tuple))


def _replaced(story: _Story, seen: Sight) -> Iterator[Explanation]:
    """The empty spaces are still empty, or covered with what is seen there."""
    position = story.position
    if position.phase != "replace":
        yield from _fought(story, seen)
        return
    faces = [seen.faces.get(space) for space in position.to_replace]
    cards = tuple(face for face in faces if face is not None and face.attack is not None)
    if len(cards) < len(faces):
        if seen.monsters == set(position.monsters) and _heroes_fit(position, seen) and _faces_fit(position, seen):
            yield story.told()
        return
    laid = events.Replace(cards)
    after = play(position, laid)
    words = f"{len(cards)} new card{'s' if len(cards) > 1 else ''}"
    attackers = "1 wandering monster attacks" if after.attacks == 1 else f"{after.attacks} wandering monsters attack"
    asks = f"{attackers}: which shields defended, which cards were lost?"
    yield from _fought(story.then(after, words, laid, asks if after.attacks else ""), seen)


def _fought(story: _Story, seen: Sight) -> Iterator[Explanation]:
    """A run that ended on a monster: the fight is still to come, was won, or was lost."""
    position = story.position
    at = position.hero.spot
    if at not in position.monsters or not isinstance(at, tuple):
        yield from _turned_up(story, seen)
        return
    if seen.monsters == set(position.monsters) and _heroes_fit(position, seen) and _faces_fit(position, seen):
        yield story.told()
        return
    won = replace(position, monsters=tuple(space for space in position.monsters if space != at))
    yield from _turned_up(story.then(won, "the fight was won", asks="what was drawn, and which swords won?"), seen)
    for retreat in empty_beside(position, at):
        lost = position.with_hero(replace(position.hero, spot=retreat))
        asks = "what did the monster draw, and which card was lost?"
        yield from _turned_up(
            story.then(lost, f"the fight was lost, and {position.hero.player} steps back", asks=asks), seen
        )


def _turned_up(story: _Story, seen: Sight) -> Iterator[Explanation]:
    """The card that moves the monsters has been turned up, or not yet."""
    position = story.position
    if not _faces_fit(position, seen) or not _heroes_fit(position, seen):
        return
    fresh = seen.revealed is not None and seen.revealed != position.revealed
    if not fresh and seen.monsters == set(position.monsters):
        yield story.told()
        return
    if position.phase in ("rest", "over") or position.spawn is None:
        return
    for card in [seen.revealed] if seen.revealed is not None else possible_faces(position):
        for before in _quest_or_not(story, seen, card):
            words = f"{card.colour} {card.symbol} was turned up"
            yield before.then(before.position, words, events.Reveal(card)).told()


def _quest_or_not(story: _Story, seen: Sight, card: Card) -> Iterator[_Story]:
    """The story so far where the card then moves the monsters as seen. On a corner whose quest lies face up, it may
    have been done, which moves the spawn corner in the same turn (ruling H10): then that is asked for."""
    fits = revealed_phase(story.position, card).monsters == seen.monsters
    here = story.position.hero.spot
    if not isinstance(here, str) or not story.position.corner(here).face_up:
        if fits:
            yield story
        return
    done = replace(story.position, spawn=here)
    fits_if_done = revealed_phase(done, card).monsters == seen.monsters
    if fits:
        asks = f"if the quest at {here} was done: which cards paid for it?"
        yield replace(story, asks=(*story.asks, asks)) if fits_if_done else story
    elif fits_if_done:
        yield story.then(done, f"the quest at {here} was done", asks=f"which cards paid for the quest at {here}?")


def _faces_fit(position: Position, seen: Sight) -> bool:
    return not any(
        face is not None and differs(position.cards[space], face)
        for space, face in seen.faces.items()
        if space not in position.to_replace
    )


def _heroes_fit(position: Position, seen: Sight) -> bool:
    """Everyone on a card is seen there and nobody else is; of two heroes on one card one is enough."""
    standing: dict[Space, set[str]] = {}
    for hero in position.heroes:
        if isinstance(hero.spot, tuple):
            standing.setdefault(hero.spot, {"hero"}).add(hero.who)
    return set(standing) == set(seen.heroes) and all(who in standing[space] for space, who in seen.heroes.items())
