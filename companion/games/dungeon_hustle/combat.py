"""Phase 3: how strong the monster gets, and the exact chance to beat it by attacking or by defending."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Final

from companion.games.dungeon_hustle.position import LAST_DUNGEON_LEVEL
from companion.tiles import Card

MOST_ADDED: Final = 2  # by one card

Draw = tuple[int, ...]  # how many of the cards add 0, 1 and 2


def draw_size(dungeon_level: int) -> int:
    """2, 3 and 4 cards on levels 1, 2 and 3."""
    return min(dungeon_level, LAST_DUNGEON_LEVEL) + 1


def added_power(card: Card, both: bool = True) -> int:
    """One for a sword and one for an attack icon; `both` is the house rule sword_and_icon_add_two."""
    added = (card.symbol == "sword") + bool(card.attack)
    return added if both else min(added, 1)


def by_power(cards: Mapping[Card, int] | Iterable[Card], both: bool = True) -> Draw:
    """How many of these cards add 0, 1 and 2.

    >>> by_power([Card("red", "sword"), Card("red", "sword", True), Card("blue", "key")])
    (1, 1, 1)
    """
    counts = [0] * (MOST_ADDED + 1)
    for card, count in Counter(cards).items():
        counts[added_power(card, both)] += count
    return tuple(counts)


@dataclass(frozen=True)
class Piles:
    """What may be drawn from, by power: the unseen cards, how many of them the deck holds, and the discards that are
    shuffled in when it runs out. Where the deck's own count is unknown, all that is unseen counts as the deck."""

    unseen: Draw
    deck_left: int
    discards: Draw = (0, 0, 0)


@dataclass(frozen=True)
class Odds:
    attack: Fraction  # attacking now, or after the first draw whatever it is
    defend: Fraction  # sending the monster back once; before the draw: only where the attack would fail


def odds_before_draw(piles: Piles, draws: int, base: int, strength: int, shield: bool) -> Odds:
    """The chance to win if the hero can bring up to `strength`, without defending and with it."""
    attack = defend = Fraction(0)
    for chance, drawn, left in outcomes(piles, draws):
        if base + power_of(drawn) <= strength:
            attack += chance
            defend += chance
        elif shield:
            defend += chance * chance_within(left, draws, strength - base)
    return Odds(attack, defend)


def odds_after_draw(piles: Piles, draws: int, base: int, power: int, strength: int) -> Odds:
    """The choice once the monster has its power; `piles` are those after the draw."""
    return Odds(Fraction(int(power <= strength)), chance_within(piles, draws, strength - base))


def chance_within(piles: Piles, draws: int, most: int) -> Fraction:
    """That a draw adds no more than this."""
    return sum((chance for chance, drawn, _ in outcomes(piles, draws) if power_of(drawn) <= most), Fraction(0))


def power_of(drawn: Draw) -> int:
    return sum(power * count for power, count in enumerate(drawn))


def outcomes(piles: Piles, draws: int) -> Iterator[tuple[Fraction, Draw, Piles]]:
    """Every draw with its chance and the piles after it. Cards just drawn lie apart until the draw is done."""
    from_deck = min(draws, piles.deck_left, sum(piles.unseen))
    for chance, first in hands(piles.unseen, from_deck):
        if from_deck < draws:  # the deck runs out on the way
            for again, second in hands(piles.discards, min(draws - from_deck, sum(piles.discards))):
                deck, drawn = _less(piles.discards, second), _plus(first, second)
                yield chance * again, drawn, Piles(deck, sum(deck), drawn)
        elif piles.deck_left > draws:
            left = Piles(_less(piles.unseen, first), piles.deck_left - draws, _plus(piles.discards, first))
            yield chance, first, left
        elif sum(piles.discards):  # the deck's last card was drawn: the discards are the new one
            yield chance, first, Piles(piles.discards, sum(piles.discards), first)
        else:
            yield chance, first, Piles(first, sum(first))


def hands(pile: Draw, draws: int) -> Iterator[tuple[Fraction, Draw]]:
    """Every way to draw so many from a pile, with its chance (the hypergeometric distribution)."""
    total = comb(sum(pile), draws)
    zeros, ones, twos = pile
    for two in range(min(draws, twos) + 1):
        for one in range(min(draws - two, ones) + 1):
            zero = draws - two - one
            if zero <= zeros:
                yield Fraction(comb(zeros, zero) * comb(ones, one) * comb(twos, two), total), (zero, one, two)


def _plus(one: Draw, other: Draw) -> Draw:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _less(one: Draw, other: Draw) -> Draw:
    return tuple(a - b for a, b in zip(one, other, strict=True))
