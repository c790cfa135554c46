"""House rulings: where the rulebook is silent, each in one named place, so that a table can switch it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class HouseRules:
    """What this table plays where the rulebook does not decide. The defaults are the ones the page explains."""

    equals_from_spawn_corner: bool = True
    """H4: of monsters equally far from the exit, the first clockwise from the spawn corner moves first. Off: from
    the Treasure Trove's corner, which never changes."""

    empty_corner_spawns: bool = True
    """H11: a corner whose last quest is done is still where monsters appear. Off: the next clockwise with quests."""

    may_stop_early: bool = True
    """H15: a run may end on a card from which it could go on. Off: it goes on while it can."""

    cornered_hero_stays: bool = True
    """H19: whoever loses a fight with no empty space beside stays. Off: they step to any empty card."""

    sword_and_icon_add_two: bool = True
    """A card that a monster draws counts once for its sword and once for its attack icon. Off: once in all."""


STANDARD = HouseRules()
