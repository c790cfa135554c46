"""A second photo of the same table, taken from another side: what it adds to the table as it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.errors import CompanionError
from companion.pieces import Piece, pieces_from_json
from companion.readings import DropReading
from vision.merge import NUMBERS, OTHER_TABLE, apart_mm, merged
from web.journal import Journal
from web.readings import PERSON, reading_from_json


def joined(journal: Journal, photo: str, reading: Mapping[str, Any]) -> dict[str, Any]:
    """What the table's reading becomes: the keys that change, to be laid over it.

    Raises CompanionError, in a sentence for whoever took the photo, where the two do not fit together.
    """
    table = journal.table_reading()
    one, two = (None if data is None else reading_from_json(data) for data in (table, reading))
    if table is None or not isinstance(one, DropReading) or not isinstance(two, DropReading):
        raise CompanionError("Photograph the table first; a photo from another side comes second.")
    if not two.pieces:
        reason = two.problems[0].message if two.problems else "No cubes could be seen on this photo."
        raise CompanionError(f"{reason} The table stays as it was read.")
    both = merged(one, two)
    if OTHER_TABLE in both.problems:
        raise CompanionError(f"{OTHER_TABLE.message} The table stays as it was read.")
    known = {piece.id for piece in one.pieces}
    struck = _struck(journal)
    pieces = [
        *(_with_persons_word(before, now) for before in one.pieces if (now := _by_id(both.pieces, before)) is not None),
        *(piece for piece in both.pieces if piece.id not in known and not _is_struck(piece, struck)),
    ]
    told = replace(both, pieces=tuple(pieces)).as_json()
    kept = {key: told[key] for key in ("pieces", "error_mm", "scale_from", "problems")}
    return kept | {
        "sides": [*table.get("sides", []), photo],
        "found": len(pieces) - len(known & {p.id for p in pieces}),
    }


def _with_persons_word(before: Piece, now: Piece) -> Piece:
    """Photos settle where a piece lies; what it is, a person may have said already."""
    if before.confidence < PERSON:
        return now
    return replace(now, type=before.type, size=before.size, colour=before.colour, confidence=PERSON)


def _by_id(pieces: Sequence[Piece], wanted: Piece) -> Piece | None:
    """The same piece after merging; what a person put there stays, whatever the photos say."""
    found = next((piece for piece in pieces if piece.id == wanted.id), None)
    return wanted if found is None and wanted.confidence >= PERSON else found


def _struck(journal: Journal) -> tuple[Piece, ...]:
    """Pieces that were read on the table's photos and that a person said are not there."""
    fixes = [entry.body for entry in journal.done if entry.kind == "fix" and entry.body["photo"] == journal.table]
    names = {body["id"] for body in fixes if body["op"] == "delete"}
    readings = [entry.body for entry in journal.done if entry.kind == "reading"]
    told = [body["reading"] for body in readings if body["photo"] == journal.table]
    told += [body["table"] for body in readings if body.get("joins") == journal.table]
    return tuple(piece for reading in told for piece in pieces_from_json(reading["pieces"]) if piece.id in names)


def _is_struck(piece: Piece, struck: Sequence[Piece]) -> bool:
    return any(
        piece.center_mm and other.center_mm and apart_mm(piece.center_mm, other.center_mm) < NUMBERS.duplicate_mm
        for other in struck
    )
