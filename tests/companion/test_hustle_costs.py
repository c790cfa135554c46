"""Paying for quests, items and recharges, against every choice of cards there is."""

from __future__ import annotations

import random
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import InvalidInput
from companion.games.dungeon_hustle.costs import (
    Cost,
    Need,
    Wish,
    best_payment,
    card_order,
    keys_cost,
    need_from_text,
    need_text,
    payments,
    pays,
    without,
)
from companion.tiles import SYMBOLS, Card

needs = st.builds(Need, st.sampled_from(SYMBOLS), st.none() | st.text(min_size=1, max_size=4)) | st.builds(
    Need, st.sampled_from(SYMBOLS), shaded=st.just(True)
)


@given(needs)
def test_needs_parse_back(need: Need) -> None:
    assert need_from_text(need_text(need)) == need


@pytest.mark.parametrize("text", ["", "gold", "blue-gold", "blue-~key", "-", "~"])
def test_what_is_no_need(text: str) -> None:
    with pytest.raises(InvalidInput):
        need_from_text(text)


def plain_pays(cost: Cost, cards: tuple[Card, ...]) -> bool:
    """Some order of the cards meets the needs one by one, and colours differ where they must."""
    for order in permutations(cards):
        pairs = list(zip(cost.needs, order, strict=True))
        fits = all(n.symbol == c.symbol and n.colour in (None, c.colour) for n, c in pairs)
        shades = [c.colour for n, c in pairs if n.shaded]
        faces = [(c.colour, c.symbol) for c in order]
        if fits and len(set(shades)) == len(shades) and (not cost.types_differ or len(set(faces)) == len(faces)):
            return True
    return False


def random_cost(rng: random.Random) -> Cost:
    def need() -> Need:
        symbol = rng.choice(SYMBOLS[:3])
        return rng.choice([Need(symbol), Need(symbol, rng.choice(["red", "blue"])), Need(symbol, shaded=True)])

    return Cost(tuple(need() for _ in range(rng.randrange(1, 4))), rng.random() < 0.5)


def random_hand(rng: random.Random, size: int) -> list[Card]:
    return [
        Card(rng.choice(["red", "blue", "green"]), rng.choice(SYMBOLS[:3]), rng.random() < 0.3) for _ in range(size)
    ]


@pytest.mark.parametrize("seed", range(60))
def test_every_payment_is_found_once(seed: int) -> None:
    rng = random.Random(seed)
    cost, hand = random_cost(rng), random_hand(rng, rng.randrange(8))
    found = list(payments(cost, hand))
    truth = {
        tuple(sorted(cards, key=card_order)) for cards in combinations(hand, len(cost.needs)) if plain_pays(cost, cards)
    }
    assert len(found) == len(set(found))
    assert set(found) == truth
    assert all(pays(cost, cards) for cards in found)


@pytest.mark.parametrize("seed", range(40))
def test_the_best_payment_leaves_the_most_useful_hand(seed: int) -> None:
    rng = random.Random(seed)
    cost, hand = random_cost(rng), random_hand(rng, 7)
    wishes = [Wish(random_cost(rng), rng.randrange(1, 6)) for _ in range(3)]
    value = {card: rng.randrange(1, 5) for card in hand}
    best = best_payment(cost, hand, wishes, value.__getitem__)
    options = [cards for cards in combinations(hand, len(cost.needs)) if plain_pays(cost, cards)]
    if not options:
        assert best is None
        return
    assert best is not None
    truth = max((together(without(hand, cards), wishes), -sum(map(value.__getitem__, cards))) for cards in options)
    assert (best.kept_worth, -best.card_worth) == truth


def together(hand: tuple[Card, ...], wishes: list[Wish]) -> float:
    """The most worth of wishes that can be paid from one hand, trying every division of it."""
    if not wishes:
        return 0
    skipped = together(hand, wishes[1:])
    paid = [
        wishes[0].worth + together(without(hand, cards), wishes[1:])
        for cards in combinations(hand, len(wishes[0].cost.needs))
        if plain_pays(wishes[0].cost, cards)
    ]
    return max([skipped, *paid])


def test_an_item_takes_keys_of_different_colours() -> None:
    two_red = [Card("red", "key"), Card("red", "key", True)]
    assert not pays(keys_cost(2), two_red)
    assert pays(keys_cost(2), [Card("red", "key"), Card("blue", "key")])
    assert not pays(keys_cost(1), [Card(None, "key")])
