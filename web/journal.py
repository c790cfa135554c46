"""A game's entries folded into what stands now. Pure: the same entries always give the same state.

Kinds of entry:
  photo    a photo was taken: {photo, purpose, hero}. Never undone; it happened.
  reading  what a photo said: {photo, purpose, hero, reading}. Becomes the table, or a hero's stash; or, taken from
           another side, betters the table that it joins: {…, joins, table}.
  failed   a photo could not be read: {photo, purpose, hero, message}
  fix      a person's correction of one photo's reading: {photo, op, …}, see corrections.py
  play     events of the game in its own notation: {lines, says, photo, removes, leaves}
  track    what a table that keeps no full record counts on the page: {says, track, photo, leaves}
  undo     takes back the last reading, fix or play that stands: {seq}
  redo     brings back the last one taken back: {seq}
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from web.corrections import corrected
from web.errors import Refused
from web.store import Entry

UNDOABLE: Final = frozenset({"reading", "fix", "play", "track"})


@dataclass(frozen=True)
class Journal:
    seq: int = 0
    done: tuple[Entry, ...] = ()  # undoable entries that stand, in order
    taken_back: tuple[Entry, ...] = ()  # the last one taken back is the last
    readings: dict[str, dict[str, Any]] = field(default_factory=dict)  # by photo, corrections included
    table: str | None = None  # the photo that shows the table now
    stashes: dict[str, str] = field(default_factory=dict)  # hero: photo
    gone: frozenset[str] = frozenset()  # pieces of the table's photo that were looted since it was taken
    waiting: dict[str, dict[str, Any]] = field(default_factory=dict)  # photos not read yet: what they are for
    failed: dict[str, Any] | None = None  # the last photo that could not be read, until a newer one could
    track: dict[str, Any] = field(default_factory=dict)

    @property
    def lines(self) -> tuple[str, ...]:
        """The game's own events, to be replayed by its rules."""
        return tuple(line for entry in self.done if entry.kind == "play" for line in entry.body["lines"])

    def table_reading(self) -> dict[str, Any] | None:
        """The table as it should lie there now: read, corrected, and without what was looted."""
        if self.table is None:
            return None
        reading = self.readings[self.table]
        if not self.gone or "pieces" not in reading:
            return reading
        return reading | {"pieces": [piece for piece in reading["pieces"] if piece["id"] not in self.gone]}


def folded(entries: Iterable[Entry]) -> Journal:
    done: list[Entry] = []
    taken_back: list[Entry] = []
    waiting: dict[str, dict[str, Any]] = {}
    failed: dict[str, Any] | None = None
    seq = 0
    for entry in entries:
        seq = entry.seq
        if entry.kind in UNDOABLE:
            done.append(entry)
            taken_back.clear()
        if entry.kind == "undo" and done and done[-1].seq == entry.body["seq"]:
            taken_back.append(done.pop())
        elif entry.kind == "redo" and taken_back and taken_back[-1].seq == entry.body["seq"]:
            done.append(taken_back.pop())
        elif entry.kind == "photo":
            waiting[entry.body["photo"]] = entry.body
            failed = None
        elif entry.kind == "failed":
            waiting.pop(entry.body["photo"], None)
            failed = entry.body
        elif entry.kind == "reading":
            waiting.pop(entry.body["photo"], None)
            failed = None
    return _applied(Journal(seq, tuple(done), tuple(taken_back), waiting=waiting, failed=failed))


def _applied(journal: Journal) -> Journal:
    readings: dict[str, dict[str, Any]] = {}
    stashes: dict[str, str] = {}
    table: str | None = None
    gone: frozenset[str] = frozenset()
    track: dict[str, Any] = {}
    for entry in journal.done:
        body = entry.body
        if entry.kind == "reading":
            readings[body["photo"]] = body["reading"]
            if body.get("purpose") == "stash":
                stashes[body["hero"]] = body["photo"]
            elif body.get("purpose") == "table":
                table, gone = body["photo"], frozenset()
            elif body.get("purpose") == "side" and table is not None and body["joins"] == table:
                readings[table], gone = readings[table] | body["table"], frozenset()
        elif entry.kind == "fix":
            if body["photo"] in readings:
                readings[body["photo"]] = corrected(readings[body["photo"]], body)
        else:
            track |= body.get("track", {})
        if body.get("photo") == table and entry.kind in ("play", "track"):
            gone |= frozenset(body.get("removes", ()))
            if "leaves" in body and table is not None:  # the rules moved standees on the board that was read
                readings[table] = readings[table] | body["leaves"]
    return replace(journal, readings=readings, table=table, stashes=stashes, gone=gone, track=track)


def undo_body(journal: Journal, seq: int | None) -> dict[str, Any]:
    return {"seq": _last(journal.done, seq, "There is nothing to undo.").seq}


def redo_body(journal: Journal, seq: int | None) -> dict[str, Any]:
    return {"seq": _last(journal.taken_back, seq, "There is nothing to bring back.").seq}


def _last(entries: tuple[Entry, ...], seq: int | None, nothing: str) -> Entry:
    """The last one, which must be the one that the person saw on the button."""
    if not entries:
        raise Refused(409, "nothing-there", nothing)
    if seq is not None and entries[-1].seq != seq:
        raise Refused(409, "changed", "Somebody else did something in between; look again, then undo.")
    return entries[-1]


def label(entry: Entry) -> str:
    """What an entry did, in a few words, for the undo button and the history."""
    body = entry.body
    if entry.kind == "reading":
        if body.get("purpose") == "side":
            return "photo from another side added"
        return f"{body['hero']}'s stash read" if body.get("purpose") == "stash" else "photo read"
    if "says" in body:
        return str(body["says"])
    return {"photo": "photo taken", "failed": "photo not readable", "undo": "undone", "redo": "brought back"}[
        entry.kind
    ]
