"""What the camera remembers and what the journal says, kept in step: a person's correction reaches the camera's memory,
and the camera's readings become the journal's."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.pieces import Piece, pieces_from_json
from companion.readings import HustleReading
from vision.live.boards import BoardMemory
from vision.live.memory import Known, Memory
from vision.merge import apart_mm
from web.readings import PERSON, reading_from_json

PUT_BACK_MM = 15.0  # nobody puts a cube back more exactly than within its own width
SAID_BY_A_PERSON = 50.0  # log odds: no number of readings outvotes whoever sits at the table


@dataclass(frozen=True)
class Difference:
    """The table that the journal knows against the table that the camera sees, by the pieces' ids."""

    removed: tuple[Piece, ...]
    added: tuple[Piece, ...]

    def __bool__(self) -> bool:
        return bool(self.removed or self.added)


def memory_from_json(data: Mapping[str, Any]) -> Memory | BoardMemory:
    """What is known where a game goes on: the journal's table, read from a photo or corrected by hand."""
    reading = reading_from_json(data)
    if isinstance(reading, HustleReading):
        return BoardMemory(reading)
    return Memory(tuple(_known(piece) for piece in reading.pieces), _next_number(reading.pieces), reading)


def corrected_memory(memory: Memory, before: Mapping[str, Any], now: Mapping[str, Any]) -> Memory:
    """The memory with what people changed in the journal since it was last written: pieces looted, deleted, added,
    renamed or moved by hand. What only the camera has seen since then stays."""
    was = {piece.id: piece for piece in pieces_from_json(before.get("pieces") or [])}
    stands = {piece.id: piece for piece in pieces_from_json(now.get("pieces") or [])}
    if was == stands:
        return memory
    known = {one.piece.id: one for one in memory.known if one.piece.id in stands or one.piece.id not in was}
    for name, piece in stands.items():
        if name not in was or (was[name] != piece and name in known):
            known[name] = _known(piece, SAID_BY_A_PERSON if piece.confidence >= PERSON else None)
    everything = tuple(known[name] for name in sorted(known))
    number = max(memory.next_number, _next_number(tuple(stands.values())))
    pieces = tuple(one.piece for one in everything)
    return Memory(everything, number, replace(memory.reading, pieces=pieces))


def reidentified(memory: Memory, before: Sequence[Piece]) -> Memory:
    """Cubes taken up and put back where they lay are the same cubes: they get their old names again."""
    names = {one.piece.id for one in memory.known}
    gone = {piece.id: piece for piece in before if piece.id not in names}
    was = {piece.id for piece in before}
    renamed = []
    for one in memory.known:
        old = None if one.piece.id in was else next((p for p in gone.values() if _is_same(p, one.piece)), None)
        if old is not None:
            del gone[old.id]
            one = replace(one, piece=replace(one.piece, id=old.id))  # noqa: PLW2901
        renamed.append(one)
    pieces = tuple(one.piece for one in renamed)
    return replace(memory, known=tuple(renamed), reading=replace(memory.reading, pieces=pieces))


def evidence(
    before: Sequence[Piece], seen: Sequence[Piece], unsure: frozenset[str], change: Difference
) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Both tables as a story must explain them: what came and went, and what was and is there beyond doubt. Pieces that
    were overlooked before, or turned out never to have been there, are neither."""
    changed = {piece.id for piece in (*change.removed, *change.added)}
    stayed = {piece.id for piece in before} & {piece.id for piece in seen} - unsure
    was, now = (tuple(piece for piece in table if piece.id in changed | stayed) for table in (before, seen))
    return was, now


def difference(before: Sequence[Piece], seen: Sequence[Piece], misread: frozenset[str]) -> Difference:
    """`misread` pieces were overlooked in earlier readings, or never there: they neither came nor went."""
    was, now = {piece.id for piece in before}, {piece.id for piece in seen}
    return Difference(
        tuple(piece for piece in before if piece.id not in now | misread),
        tuple(piece for piece in seen if piece.id not in was | misread),
    )


def _is_same(one: Piece, two: Piece) -> bool:
    if (one.type, one.size, one.colour) != (two.type, two.size, two.colour) or not (one.center_mm and two.center_mm):
        return False
    return apart_mm(one.center_mm, two.center_mm) <= PUT_BACK_MM


def _known(piece: Piece, weight: float | None = None) -> Known:
    return Known(piece, {(piece.type, piece.size): weight if weight is not None else 6.0 * piece.confidence})


def _next_number(pieces: Sequence[Piece]) -> int:
    numbers = [int(match[1]) for piece in pieces if (match := re.fullmatch(r"p(\d+)", piece.id))]
    return max(numbers, default=0) + 1
