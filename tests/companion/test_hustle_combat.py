"""The odds of a fight equal full enumeration of every order in which small decks can come."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import permutations

import pytest

from companion.games.dungeon_hustle.combat import (
    Piles,
    by_power,
    draw_size,
    odds_after_draw,
    odds_before_draw,
)
from companion.tiles import Card

FACES = [Card("red", "key"), Card("red", "sword"), Card("red", "sword", True), Card("blue", "potion", True)]


def power(cards: tuple[Card, ...]) -> int:
    """Each sword and each attack icon adds one."""
    return sum(card.symbol == "sword" for card in cards) + sum(card.attack is True for card in cards)


def enumerated(deck: list[Card], draws: int, base: int, strength: int, shield: bool) -> tuple[Fraction, Fraction]:
    """Every order of a deck that is large enough for two draws, each equally likely."""
    attack = defend = total = 0
    for order in permutations(deck):
        total += 1
        first, second = order[:draws], order[draws : 2 * draws]
        if base + power(first) <= strength:
            attack += 1
            defend += 1
        elif shield and base + power(second) <= strength:
            defend += 1
    return Fraction(attack, total), Fraction(defend, total)


@pytest.mark.parametrize("seed", range(25))
def test_odds_before_the_draw(seed: int) -> None:
    rng = random.Random(seed)
    draws = rng.choice([2, 3])
    deck = rng.choices(FACES, k=rng.randrange(2 * draws + 1, 8))
    base, strength, shield = rng.randrange(1, 4), rng.randrange(0, 8), rng.random() < 0.7
    odds = odds_before_draw(Piles(by_power(deck), len(deck)), draws, base, strength, shield)
    assert (odds.attack, odds.defend) == enumerated(deck, draws, base, strength, shield)


@pytest.mark.parametrize("seed", range(25))
def test_odds_when_the_deck_runs_out(seed: int) -> None:
    """The discards are shuffled when the deck is empty; what was just drawn lies apart until its draw is done."""
    rng = random.Random(seed)
    deck, discards = rng.choices(FACES, k=rng.randrange(1, 4)), rng.choices(FACES, k=rng.randrange(4, 6))
    base, strength, draws = 1, rng.randrange(1, 7), 2
    wins = total = 0
    for order in permutations(deck):
        for again in permutations(discards):
            total += 1
            draw = (*order, *again)[:draws]
            if base + power(draw) <= strength:
                wins += 1
                continue
            # What a full deck leaves, or what was not drawn of the discards that are the new one.
            later = (*order, *again)[draws:]
            # Past the old deck's end the discards hold the first draw too, in any place.
            if len(deck) > draws and len(deck) - draws < draws:
                pool = [*discards, *draw]
                need = draws - (len(deck) - draws)
                good = sum(base + power((*order[draws:], *rest)) <= strength for rest in permutations(pool, need))
                wins += Fraction(good, sum(1 for _ in permutations(pool, need)))
            else:
                wins += base + power(later[:draws]) <= strength
    odds = odds_before_draw(Piles(by_power(deck), len(deck), by_power(discards)), draws, base, strength, shield=True)
    assert odds.defend == Fraction(wins, total)


def test_the_choice_after_the_draw() -> None:
    deck = [Card("red", "sword"), Card("red", "key"), Card("blue", "key")]
    odds = odds_after_draw(Piles(by_power(deck), 3), draws=2, base=2, power=4, strength=2)
    assert odds.attack == 0
    assert odds.defend == Fraction(1, 3)  # the two keys, of three pairs


def test_draws_grow_with_the_dungeon_and_the_last_turns_draw_as_the_third_level() -> None:
    assert [draw_size(level) for level in (1, 2, 3, 4)] == [2, 3, 4, 4]


def test_unseen_cards_in_unknown_hands_count_like_the_deck() -> None:
    """Which of the unseen cards lie in the deck is unknown, so a draw is one from all of them."""
    unseen = by_power([*FACES, *FACES])
    known = odds_before_draw(Piles(unseen, 8), 2, 1, 2, shield=False)
    hidden = odds_before_draw(Piles(unseen, 5), 2, 1, 2, shield=False)
    assert known.attack == hidden.attack
