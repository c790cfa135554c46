"""What the deck may do next: the odds of a fight, and the forecast of the card that moves the monsters."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from companion.games.dungeon_hustle.combat import (
    Odds,
    Piles,
    by_power,
    draw_size,
    odds_after_draw,
    odds_before_draw,
)
from companion.games.dungeon_hustle.monsters import MonsterPhase, monster_phase
from companion.games.dungeon_hustle.notation import card_text
from companion.games.dungeon_hustle.position import Hero, Position, unseen_cards
from companion.tiles import SYMBOLS, Card


def piles(position: Position) -> Piles | None:
    """The deck as far as it is known; None where nobody entered what it is made of."""
    unseen = unseen_cards(position)
    if unseen is None:
        return None
    both = position.house.sword_and_icon_add_two
    power = by_power(unseen, both)
    left = sum(power) if position.deck_left is None else min(position.deck_left, sum(power))
    return Piles(power, left, by_power(position.discards, both))


def fight_odds(position: Position, hero: Hero, bonus: int = 0) -> Odds | None:
    """The exact chance to beat a monster by attacking and by defending once, with all the hero's swords and a bonus
    from help and items: during a fight for the draw as it stands, otherwise for a fight that would begin now."""
    deck = piles(position)
    if deck is None:
        return None
    strength = bonus + sum(card.symbol == "sword" for card in hero.hand)
    shield = any(card.symbol == "shield" for card in hero.hand)
    draws = draw_size(position.level)
    fight = position.fight
    if fight is None or fight.power is None:
        may_defend = shield and not (fight is not None and fight.defended)
        return odds_before_draw(deck, draws, fight.base if fight else hero.level, strength, may_defend)
    odds = odds_after_draw(deck, draws, fight.base, fight.power, strength)
    return odds if shield and not fight.defended else Odds(odds.attack, Fraction(0))


@dataclass(frozen=True)
class Outlook:
    """What one face would do, and how likely it is."""

    card: Card
    chance: Fraction | None
    phase: MonsterPhase
    escapes: int


@dataclass(frozen=True)
class Forecast:
    outlooks: tuple[Outlook, ...]
    escape: Fraction | None  # at least one monster escapes
    loss: Fraction | None  # the escape track ends

    def as_json(self) -> dict[str, Any]:
        return {
            "escape_chance": None if self.escape is None else float(self.escape),
            "loss_chance": None if self.loss is None else float(self.loss),
            "cards": [
                {
                    "card": card_text(outlook.card),
                    "chance": None if outlook.chance is None else float(outlook.chance),
                    "spawned": None if outlook.phase.spawned is None else list(outlook.phase.spawned),
                    "moves": [
                        {"from": list(move.start), "to": list(move.to), "why": move.why} for move in outlook.phase.moves
                    ],
                    "escapes": outlook.escapes,
                    "monsters_win": outlook.phase.monsters_win,
                }
                for outlook in self.outlooks
            ],
        }


def forecast(position: Position, deck: Counter[Card] | None = None) -> Forecast:
    """For each card that may be turned up next, what would happen: likeliest first; with chances where it is known
    what the deck may hold, and for every colour and symbol on the board where it is not."""
    faces = _faces(position, unseen_cards(position) if deck is None else deck)
    total = sum(faces.values())
    outlooks = []
    for card, count in faces.items():
        phase = revealed_phase(position, card)
        escapes = sum(move.escapes for move in phase.moves)
        outlooks.append(Outlook(card, Fraction(count, total) if total else None, phase, escapes))
    outlooks.sort(key=lambda one: (-(one.chance or 0), one.card.colour or "", one.card.symbol or ""))
    return Forecast(
        tuple(outlooks),
        sum((o.chance or Fraction(0) for o in outlooks if o.escapes), Fraction(0)) if total else None,
        sum((o.chance or Fraction(0) for o in outlooks if o.phase.monsters_win), Fraction(0)) if total else None,
    )


def possible_faces(position: Position) -> list[Card]:
    """Every colour and symbol that may be turned up next."""
    return sorted(_faces(position, unseen_cards(position)), key=lambda card: (card.colour or "", card.symbol or ""))


def _faces(position: Position, unseen: Counter[Card] | None) -> Counter[Card]:
    """Colour and symbol of what may come, counted; counted zero where the deck is unknown."""
    if unseen is None:
        colours = sorted({card.colour for card in position.board if card.colour is not None})
        return Counter({Card(colour, symbol): 0 for colour in colours for symbol in SYMBOLS})
    faces: Counter[Card] = Counter()
    for card, count in unseen.items():
        faces[Card(card.colour, card.symbol)] += count
    return faces


def revealed_phase(position: Position, card: Card) -> MonsterPhase:
    """What a card would do if it were turned up now."""
    assert position.spawn is not None
    return monster_phase(
        position.cards,
        position.monsters,
        {hero.spot for hero in position.heroes if isinstance(hero.spot, tuple)},
        revealed=card,
        spawn_corner=position.spawn,
        escaped=position.escaped,
        escape_limit=position.escape_limit,
        order_corner=position.spawn if position.house.equals_from_spawn_corner else position.trove,
    )
