"""What must be discarded for a quest, an item or a recharge, and which cards to give up: solved exactly.

Three kinds of need (as the item cards print them): any colour, one colour, or shaded: shaded needs may be paid in any
colours, but all different. For a quest, cards of the same type must always differ in colour.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from companion.errors import InvalidInput
from companion.games.dungeon_hustle.names import name_from_text, name_text
from companion.tiles import SYMBOLS, Card


@dataclass(frozen=True)
class Need:
    """One symbol of a cost.

    >>> need_text(Need("scroll", "blue")), need_text(Need("key", shaded=True)), need_text(Need("sword"))
    ('blue-scroll', '~key', 'sword')
    """

    symbol: str
    colour: str | None = None
    shaded: bool = False


def need_text(need: Need) -> str:
    if need.colour is not None:
        return f"{name_text(need.colour)}-{need.symbol}"
    return f"~{need.symbol}" if need.shaded else need.symbol


def need_from_text(text: str) -> Need:
    colour, _, symbol = text.rpartition("-")
    shaded = symbol.startswith("~")
    if symbol.lstrip("~") not in SYMBOLS or (shaded and colour):
        raise InvalidInput(f"{text!r} is no cost; write sword (any colour), blue-sword, or ~sword (all different)")
    return Need(symbol.lstrip("~"), name_from_text(colour) if colour else None, shaded)


@dataclass(frozen=True)
class Cost:
    needs: tuple[Need, ...]
    types_differ: bool = False  # the quests' rule: cards of one type in different colours


def keys_cost(keyholes: int) -> Cost:
    """The price of an item: keys, all of different colours."""
    return Cost((Need("key", shaded=True),) * keyholes)


def payments(cost: Cost, hand: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """Every way to pay, as sorted cards, each once. Cards that could not be read pay nothing."""
    needs = sorted(cost.needs, key=lambda need: (need.colour is None, need.symbol, need.shaded))
    kinds = sorted(Counter(hand).items(), key=lambda pair: card_order(pair[0]))
    left = dict(kinds)
    seen: set[tuple[Card, ...]] = set()

    def pay(number: int, paid: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
        if number == len(needs):
            if (ordered := tuple(sorted(paid, key=card_order))) not in seen:
                seen.add(ordered)
                yield ordered
            return
        for card, _ in kinds:
            if left[card] and _fits(cost, needs, paid, card):
                left[card] -= 1
                yield from pay(number + 1, (*paid, card))
                left[card] += 1

    return pay(0, ())


def _fits(cost: Cost, needs: Sequence[Need], paid: Sequence[Card], card: Card) -> bool:
    need = needs[len(paid)]
    if card.symbol != need.symbol or card.colour is None or need.colour not in (None, card.colour):
        return False
    for other_need, other in zip(needs, paid, strict=False):
        if other.colour == card.colour and (
            (need.shaded and other_need.shaded) or (cost.types_differ and other.symbol == card.symbol)
        ):
            return False
    return True


def pays(cost: Cost, cards: Sequence[Card]) -> bool:
    """Whether exactly these cards pay the cost."""
    return len(cards) == len(cost.needs) and next(payments(cost, cards), None) is not None


@dataclass(frozen=True)
class Wish:
    """Something a hero would like to be able to pay for later, and what that is worth to them."""

    cost: Cost
    worth: float


@dataclass(frozen=True)
class Payment:
    cards: tuple[Card, ...]
    kept_worth: float  # of the wishes that the rest of the hand can still pay for together
    card_worth: float  # of the cards given up


def best_payment(
    cost: Cost, hand: Sequence[Card], wishes: Sequence[Wish] = (), worth: Callable[[Card], float] = lambda _: 1.0
) -> Payment | None:
    """The payment that leaves the most useful hand: most worth of wishes that can all still be paid, then the least
    worth of cards given up. None where the hand cannot pay.

    >>> hand = [Card("red", "key"), Card("blue", "key")]
    >>> best_payment(Cost((Need("key"),)), hand, [Wish(Cost((Need("key", "red"),)), 5)]).cards
    (Card(colour='blue', symbol='key', attack=False),)
    """
    best = None
    for cards in payments(cost, hand):
        payment = Payment(cards, wishes_kept(without(hand, cards), wishes), sum(map(worth, cards)))
        if best is None or (payment.kept_worth, -payment.card_worth) > (best.kept_worth, -best.card_worth):
            best = payment
    return best


def wishes_kept(hand: Sequence[Card], wishes: Sequence[Wish]) -> float:
    """The most worth of wishes that one hand can pay for together."""
    if not wishes:
        return 0.0
    first, rest = wishes[0], wishes[1:]
    most = wishes_kept(hand, rest)
    hopeful = sum(wish.worth for wish in wishes)
    for cards in payments(first.cost, hand):
        if most >= hopeful:
            break
        most = max(most, first.worth + wishes_kept(without(hand, cards), rest))
    return most


def without(hand: Sequence[Card], cards: Sequence[Card]) -> tuple[Card, ...]:
    """The hand less these cards, sorted; ValueError where one is not in it."""
    left = list(hand)
    for card in cards:
        left.remove(card)
    return tuple(sorted(left, key=card_order))


def card_order(card: Card) -> tuple[str, str, int]:
    return card.symbol or "", card.colour or "", {False: 0, True: 1, None: 2}[card.attack]
