"""The dungeon's geometry: which spaces touch, what lies clockwise, where corners and the outer row are.

Row 0 is the far row and column 0 the left one. "Clockwise" is as the players see the board from above.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.errors import InvalidInput
from companion.tiles import CARD_SPACES, CENTRE, SIDE, Space, is_corner_space

Spot = Space | str  # a card's space, or the name of a corner tile

CORNERS: Final = ("top-left", "top-right", "bottom-right", "bottom-left")  # clockwise

# The outer row, clockwise, three cards for each corner, starting with the first after it (ruling H6).
OUTER_AFTER: Final[dict[str, tuple[Space, ...]]] = {
    "top-left": ((0, 2), (0, 3), (0, 4)),
    "top-right": ((2, 6), (3, 6), (4, 6)),
    "bottom-right": ((6, 4), (6, 3), (6, 2)),
    "bottom-left": ((4, 0), (3, 0), (2, 0)),
}
OUTER: Final[tuple[Space, ...]] = tuple(space for corner in CORNERS for space in OUTER_AFTER[corner])

# The card that lies in each corner tile's arms, where three of the monsters start (ruling H18).
INNER_CARD: Final[dict[str, Space]] = {
    "top-left": (1, 1),
    "top-right": (1, 5),
    "bottom-right": (5, 5),
    "bottom-left": (5, 1),
}


def ring(space: Space) -> Iterator[Space]:
    """The spaces of the 7 by 7 around one, diagonals too, clockwise from straight up; centre and corners included."""
    for drow, dcol in ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)):
        row, col = space[0] + drow, space[1] + dcol
        if 0 <= row < SIDE and 0 <= col < SIDE:
            yield row, col


def corner_of(row: int, col: int) -> str:
    """The corner whose quarter of the board holds this space."""
    return f"{'top' if row < CENTRE[0] else 'bottom'}-{'left' if col < CENTRE[1] else 'right'}"


def _cards_beside(corner: str) -> tuple[Space, ...]:
    tile = [
        (row, col)
        for row in range(SIDE)
        for col in range(SIDE)
        if is_corner_space(row, col) and corner_of(row, col) == corner
    ]
    return tuple(space for space in CARD_SPACES if any(space in ring(part) for part in tile))


def _spots_beside(space: Space) -> tuple[Spot, ...]:
    cards = [near for near in ring(space) if near in CARD_SPACES]
    corners = [corner for corner in CORNERS if space in CORNER_CARDS[corner]]
    return (*cards, *corners)


# The cards that touch each corner tile (ruling H17), and all that one jump can reach from each card.
CORNER_CARDS: Final[dict[str, tuple[Space, ...]]] = {corner: _cards_beside(corner) for corner in CORNERS}
BESIDE: Final[dict[Space, tuple[Spot, ...]]] = {space: _spots_beside(space) for space in CARD_SPACES}


def outer_from(corner: str) -> tuple[Space, ...]:
    """The twelve outer cards in spawning order.

    >>> outer_from("bottom-left")[:4]
    ((4, 0), (3, 0), (2, 0), (0, 2))
    """
    start = OUTER.index(OUTER_AFTER[corner][0])
    return OUTER[start:] + OUTER[:start]


def opposite(corner: str) -> str:
    """The corner across the centre."""
    return CORNERS[(CORNERS.index(corner) + 2) % 4]


def steps_to_exit(space: Space) -> int:
    """Orthogonal steps to the centre (ruling H1)."""
    return abs(space[0] - CENTRE[0]) + abs(space[1] - CENTRE[1])


def clockwise_rank(space: Space, corner: str) -> int:
    """How far clockwise from the corner a space lies, by angle about the centre, for spaces equally far from the exit.

    Such spaces form a diamond about the centre, so the way along its edge orders them as the angle does, in whole
    numbers: no angle can round to the wrong side of the corner.

    >>> clockwise_rank((1, 1), "top-left"), clockwise_rank((1, 5), "top-left"), clockwise_rank((2, 0), "top-left")
    (0, 8, 30)
    """
    right, down, steps = space[1] - CENTRE[1], space[0] - CENTRE[0], steps_to_exit(space)
    if right >= 0 and down < 0:
        along = right
    elif right > 0:
        along = steps + down
    elif down > 0:
        along = 2 * steps - right
    else:
        along = 3 * steps - down
    corner_along = (7 + 2 * CORNERS.index(corner)) * steps  # in halves: top-left is 3.5 sides on from straight up
    return (2 * along - corner_along) % (8 * steps)


def closer_spaces(space: Space) -> tuple[Space, ...]:
    """The one or two spaces a step closer to the exit, the clockwise one first (ruling H2).

    >>> closer_spaces((1, 1)), closer_spaces((1, 4)), closer_spaces((5, 3))
    (((1, 2), (2, 1)), ((2, 4), (1, 3)), ((4, 3),))
    """
    row, col = space
    down, right = row - CENTRE[0], col - CENTRE[1]
    by_row = (row - (down > 0) + (down < 0), col)
    by_col = (row, col - (right > 0) + (right < 0))
    if down == 0:
        return (by_col,)
    if right == 0:
        return (by_row,)
    return (by_col, by_row) if (down > 0) == (right > 0) else (by_row, by_col)


def spot_text(spot: Spot) -> str:
    """
    >>> spot_text((4, 1)), spot_text("top-left")
    ('4,1', 'top-left')
    """
    return spot if isinstance(spot, str) else f"{spot[0]},{spot[1]}"


def spot_from_text(text: str) -> Spot:
    if text in CORNERS:
        return text
    row, comma, col = text.partition(",")
    if comma and len(row) == len(col) == 1 and row in "0123456" and col in "0123456":
        space = (int(row), int(col))
        if space in CARD_SPACES:
            return space
    raise InvalidInput(f"{text!r} is neither a card's row,column nor one of the corners {', '.join(CORNERS)}")


def spot_from_json(value: object, what: str) -> Spot:
    """A spot as FORMATS writes it: [row, column] or a corner's name."""
    if isinstance(value, str) and value in CORNERS:
        return value
    if isinstance(value, list | tuple) and len(value) == 2 and all(type(part) is int for part in value):
        space = (value[0], value[1])
        if space in CARD_SPACES:
            return space
    raise InvalidInput(f"{what} must be a card's [row, column] or one of the corners {', '.join(CORNERS)}")


def spot_json(spot: Spot) -> list[int] | str:
    return spot if isinstance(spot, str) else list(spot)
