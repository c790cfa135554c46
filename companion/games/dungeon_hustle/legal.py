"""Whether a run is one (rulings H15 to H17, H20), and if not, which jump breaks which rule."""

from __future__ import annotations

from itertools import pairwise

from companion.errors import IllegalMove
from companion.games.dungeon_hustle.board import CORNERS, Spot, spot_text
from companion.games.dungeon_hustle.runs import Run, Table, first_jumps, run_along
from companion.tiles import CARD_SPACES, CENTRE, SIDE, Space, is_corner_space


def over(start: Space, space: Space) -> Spot | None:
    """Where a jump over a space lands, straight on; None off the board or on the deck.

    *House*: the rulebook says over which spaces the thief may jump, not where to; straight on, in any of the eight
    directions. A corner tile may be landed on, never jumped over.
    """
    row, col = 2 * space[0] - start[0], 2 * space[1] - start[1]
    if not (0 <= row < SIDE and 0 <= col < SIDE) or (row, col) == CENTRE:
        return None
    if is_corner_space(row, col):
        side = "top" if row < CENTRE[0] else "bottom"
        return f"{side}-{'left' if col < CENTRE[1] else 'right'}"
    return row, col


def checked_run(
    table: Table, start: Spot, colour: str, path: tuple[Spot, ...], *,
    recolour: Space | None = None, leap: Space | None = None,
) -> Run:  # fmt: skip
    """The run along this path, or IllegalMove with the rule that it breaks."""
    places = path if isinstance(start, tuple) else (start, *path)
    if len(places) < 2 or places[0] != start:
        raise IllegalMove(f"a run starts at {spot_text(start)} and jumps at least once")
    cards = [place for place in places if place in CARD_SPACES]
    if len(cards) != len(set(cards)):
        raise IllegalMove("each card may be jumped on once in a run")
    _check_jumps(places, leap)
    for place in places[1:-1]:
        if why := _ends_run(table, place, colour, recolour):
            raise IllegalMove(f"{spot_text(place)} {why}, so the run ends there")
    return run_along(table, colour, path, recolour)


def can_go_on(table: Table, start: Spot, run: Run, recolour: Space | None = None) -> bool:
    """Whether a run ended on a card from which another jump was open to it."""
    end = run.path[-1]
    if _ends_run(table, end, run.colour, recolour):
        return False
    return any(isinstance(spot, str) or spot not in (start, *run.path) for spot in first_jumps(end))


def _check_jumps(places: tuple[Spot, ...], leap: Space | None) -> None:
    leaps = 0
    for before, after in pairwise(places):
        if after in first_jumps(before):
            continue
        if leap is None or not isinstance(before, tuple) or over(before, leap) != after or not _touch(before, leap):
            raise IllegalMove(f"{spot_text(after)} does not touch {spot_text(before)}")
        leaps += 1
    if leap is not None and leaps != 1:
        raise IllegalMove(
            f"the run never jumps over {spot_text(leap)}" if not leaps else "one space is jumped over, once"
        )


def _touch(one: Space, other: Space) -> bool:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) == 1


def _ends_run(table: Table, place: Spot, colour: str, recolour: Space | None) -> str:
    if place in CORNERS or isinstance(place, str):
        return "is a corner"
    if place in table.taken:
        return "is taken"
    if table.cards[place].colour != colour and place != recolour:
        return f"is not {colour}"
    return ""
