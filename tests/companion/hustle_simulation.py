"""Whole games of Dungeon Hustle played by chance and a little greed, through events alone: fodder for property tests.

The deck is really shuffled and really drawn from, so that what the position believes of it can be checked.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from companion.games.dungeon_hustle import events
from companion.games.dungeon_hustle.board import CORNERS
from companion.games.dungeon_hustle.combat_play import empty_beside
from companion.games.dungeon_hustle.costs import Cost, Need, keys_cost, payments
from companion.games.dungeon_hustle.game import DungeonHustle
from companion.games.dungeon_hustle.position import Position
from companion.games.dungeon_hustle.runs import ENTRANCE, best_run, colours_on
from companion.games.dungeon_hustle.wants import advise
from companion.tiles import HEROES, SYMBOLS, Card

GAME = DungeonHustle()
COLOURS = ["blue", "green", "purple", "red"]


class Simulation:
    """A game in progress: `step` chooses the next event and plays it."""

    def __init__(self, seed: int, players: int = 2, difficulty: str = "easy") -> None:
        self.rng = random.Random(seed)
        self.position: Position = GAME.opening()
        self.events: list[Any] = []
        self.deck = self._deck({2: 78, 3: 84, 4: 96}[players])
        for name, hero in zip(["Anna", "Ben", "Cleo Maria", "Dan"], HEROES[:players], strict=False):
            self.play(events.Player(name, hero, (3, 4, 5), (5, 6, 7, 8), self.rng.choice(SYMBOLS)))
        made_of = Counter(self.deck)
        self.play(events.Deck(tuple(made_of), tuple(made_of.values())))
        self.play(events.Layout("top-left", "bottom-left", (2, 3, 4)))
        self.play(events.Difficulty(difficulty))
        for hero in self.position.heroes:
            card = next(card for card in self.deck if card.symbol == hero.helps)
            self.deck.remove(card)
            self.play(events.Charge(card, hero.player))
        self.play(events.Board(tuple(self.deck.pop() for _ in range(36))))
        self.play(events.Start(self.rng.choice(self.position.heroes).player))

    def _deck(self, size: int) -> list[Card]:
        faces = [Card(colour, symbol) for colour in COLOURS for symbol in SYMBOLS]
        plain = [card for card in faces for _ in range(4)]
        fierce = [Card(c.colour, c.symbol, True) for c in self.rng.choices(faces, k=96 - len(plain))]
        deck = plain + fierce
        self.rng.shuffle(deck)
        return deck[:size]

    def play(self, event: Any) -> None:
        self.position = GAME.play(self.position, event)
        self.events.append(event)

    def draw(self, count: int) -> tuple[Card, ...]:
        """From the real deck; where it runs out, the discards that the position knows of are shuffled."""
        drawn = [self.deck.pop() for _ in range(min(count, len(self.deck)))]
        if len(drawn) < count:
            self.shuffle_in(self.position.discards)
            drawn += [self.deck.pop() for _ in range(count - len(drawn))]
        return tuple(drawn)

    def shuffle_in(self, cards: tuple[Card, ...]) -> None:
        self.deck = list(cards)
        self.rng.shuffle(self.deck)

    def step(self) -> None:
        """One more event. A deck that was emptied by it takes the discards that vanished from the position."""
        event = self.choose()
        known = Counter(self.position.discards)
        for hero in self.position.heroes:
            known += Counter(hero.hand) + Counter([hero.help_card] if hero.help_card else [])
        self.play(event)
        if not self.deck and self.position.deck_left:
            for hero in self.position.heroes:
                known -= Counter(hero.hand) + Counter([hero.help_card] if hero.help_card else [])
            known += Counter(getattr(event, "cards", ())) if isinstance(event, events.Flip) else Counter()
            known += Counter([event.card]) if isinstance(event, events.Reveal) else Counter()
            self.shuffle_in(tuple((known - Counter(self.position.discards)).elements()))

    def choose(self) -> Any:
        return {
            "hustle": self.hustle,
            "replace": lambda: events.Replace(self.draw(len(self.position.to_replace))),
            "attacks": self.answer,
            "combat": self.fight,
            "quest": self.quest,
            "rest": self.rest,
        }[self.position.phase]()

    def hustle(self) -> Any:
        for name, corner in zip(CORNERS, self.position.corners, strict=True):
            if corner.face_up and corner.quest is None:
                needs = tuple(Need(self.rng.choice(SYMBOLS)) for _ in range(2))
                return events.Quest(name, f"Example {len(self.events)}", needs, gold=3, points=4)
        hero = self.position.hero
        if self.rng.random() < 0.7:
            advice = advise(self.position, hero)
            by = None if advice.recolour is None and advice.leap is None else "reward"
            return events.Hustle(advice.run.colour, advice.run.path, advice.recolour, advice.leap, by)
        table, start = self.position.table_for(hero), hero.spot or ENTRANCE
        run = best_run(table, start, self.rng.choice(colours_on(table.cards)))
        return events.Hustle(
            run.colour, run.path[: self.rng.randrange(1 + (hero.spot in table.cards), len(run.path) + 1)]
        )

    def answer(self) -> Any:
        hand = self.position.hero.hand
        shields = [card for card in hand if card.symbol == "shield"]
        return events.Defend(shields[0]) if shields else events.Lose(self.rng.choice(hand))

    def fight(self) -> Any:
        position, hero, fight = self.position, self.position.hero, self.position.fight
        assert fight is not None
        if fight.power is None:
            helpers = [one for one in position.heroes if one.help_card and one != hero]
            if helpers and self.rng.random() < 0.5:
                return events.Help(helpers[0].player)
            return events.Flip(self.draw(min(position.level, 3) + 1))
        swords = [card for card in hero.hand if card.symbol == "sword"]
        shields = [card for card in hero.hand if card.symbol == "shield"]
        bonus = self.rng.randrange(2)
        if len(swords) + bonus >= fight.power:
            return events.Attack(tuple(swords[: fight.power - bonus]), bonus)
        if shields and not fight.defended:
            return events.Reflip(shields[0])
        ways = empty_beside(position, fight.at) if hero.spot == fight.at else ()
        return events.Retreat(
            self.rng.choice(hero.hand) if hero.hand else None, self.rng.choice(ways) if ways else None
        )

    def quest(self) -> Any:
        here = self.position.hero.spot
        quest = self.position.corner(here).quest if isinstance(here, str) else None
        if quest is not None and (pay := next(payments(quest.cost, self.position.hero.hand), None)):
            return events.Complete(pay)
        return events.Reveal(self.draw(1)[0])

    def rest(self) -> Any:
        return next(self.resting(), events.End())

    def resting(self) -> Iterator[Any]:
        position, hero = self.position, self.position.hero
        if not position.bought and (pay := next(payments(keys_cost(1), hero.hand), None)):
            drop = hero.items[0].name if len(hero.items) == 3 else None
            name = f"Example {len(self.events)}"
            yield events.Buy(name, "trinket", pay, points=1, recharge=(Need("scroll"),), drop=drop)
        for item in hero.items:
            if not item.charged and item.name not in position.recharged:
                yield from (events.Recharge(item.name, pay) for pay in payments(Cost(item.recharge), hero.hand))
            elif item.charged and item.name not in position.recharged and self.rng.random() < 0.2:
                yield events.Use(item.name)
        if hero.help_card is None and not hero.reward:
            yield from (events.Charge(card) for card in hero.hand if card.symbol == hero.helps)
        if hero.hand_size is not None and len(hero.hand) > hero.hand_size:
            yield events.Discard(hero.hand[hero.hand_size :])


def played(seed: int, players: int = 2, events_at_most: int = 400, difficulty: str = "easy") -> Simulation:
    game = Simulation(seed, players, difficulty)
    while game.position.phase != "over" and len(game.events) < events_at_most:
        game.step()
    return game
