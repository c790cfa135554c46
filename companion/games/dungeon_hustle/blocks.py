"""How much of a region one path can take in, where the region hangs together by single cards.

A path that crosses such a card never comes back. So the region falls into blocks joined at those cards like a tree, and
a path takes in one chain of blocks that starts where it stands: no path beats the best chain.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.dungeon_hustle.bitboard import AROUND


def best_chain(start: int, part: int, worth: Sequence[int]) -> int:
    """The most that a chain of blocks from `start` adds; `start` is a bit beside the part, and itself not counted.

    Tarjan's walk: `low` is the earliest card that a branch can get back to; a branch that cannot get back past the
    card it hangs on is a block of its own, together with all that hangs on it.
    """
    order = {start: 0}
    low = {start: 0}

    def walk(card: int, stack: list[tuple[int, int]]) -> int:
        """The best chain that leaves by the blocks hanging on this card. The stack holds (own worth, best way on) of
        the cards whose block is not closed yet."""
        best_hanging = 0
        near = AROUND[card] & (part | 1 << start)
        while near:
            bit = near & -near
            near ^= bit
            other = bit.bit_length() - 1
            if other in order:
                low[card] = min(low[card], order[other])
                continue
            order[other] = low[other] = len(order)
            height = len(stack)
            stack.append((worth[other], 0))
            hanging = walk(other, stack)
            stack[height] = (worth[other], hanging)
            low[card] = min(low[card], low[other])
            if low[other] >= order[card]:  # what hangs on this card by that branch is closed off
                block = stack[height:]
                del stack[height:]
                best_hanging = max(best_hanging, sum(own for own, _ in block) + max(way for _, way in block))
        return best_hanging

    return walk(start, [])
