"""What probably happened on a Dungeon Drop table, from the change and the rules: a list to choose from with one tap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.errors import CompanionError
from companion.games.contract import Position
from companion.games.dungeon_drop import events as e
from companion.games.dungeon_drop.inference import WATCHED_ODDS, Story, inferred
from companion.games.dungeon_drop.play import play
from companion.games.dungeon_drop.position import Position as DropPosition
from companion.pieces import Piece
from companion.readings import DropReading
from web.corrections import named
from web.live.known import Difference

MOST = 3  # more choices than this are no help
# In the middle of a game, so few pieces that the rules have no story for were misread rather than touched: nobody is
# asked, and the next reading that does mean something says what they are.
FEW = 2
# Of a room that was looted before the camera, what lies there still is likelier a phantom (a table has one or two, and
# a room is a twentieth of it) than the room is another one, for that would leave gone cubes unexplained.
ODDS = replace(WATCHED_ODDS, ghost=0.03)


@dataclass(frozen=True)
class Proposal:
    """`lines` are events of the game, to be played in order; none where only the table as read is taken over."""

    kind: str  # "loot", "explore", "turn" or "table"
    says: str
    lines: tuple[str, ...] = ()
    removes: tuple[str, ...] = ()
    pillars: tuple[str, ...] = ()
    chance: float = 1.0

    def as_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind, "says": self.says, "pillars": list(self.pillars), "removes": list(self.removes),
            "chance": round(self.chance, 3),
        }  # fmt: skip


def drop_proposals(
    here: Position, before: DropReading, after: Sequence[Piece], change: Difference, unseen: Sequence[Piece] = ()
) -> tuple[Proposal, ...]:
    """The stories that the rules can tell of the change, likeliest first, and always the table as it lies. `unseen`
    pieces left together with the others, though no reading ever had them: told as a guess, with the other choice."""
    as_it_lies = Proposal("table", _as_it_lies(change))
    if not isinstance(here, DropPosition) or here.phase != "play":
        return (as_it_lies,)
    try:
        told = [*_with_unseen(here, before, after, change, unseen), *_plainly(here, before, after, change)]
    except CompanionError:  # a table that the rules cannot follow is shown as it lies
        return (as_it_lies,)
    happened = any(proposal.kind != "table" for proposal in told)
    if not happened and len(change.removed) + len(change.added) <= FEW:
        return ()
    return (*told[:MOST], as_it_lies)


def _plainly(here: DropPosition, before: DropReading, after: Sequence[Piece], change: Difference) -> Iterator[Proposal]:
    look, stories = _stories(here, before, after, change)
    looked = play(here, look)
    yield from (_told(looked, look, story, change) for story in stories)


def _with_unseen(
    here: DropPosition, before: DropReading, after: Sequence[Piece], change: Difference, unseen: Sequence[Piece]
) -> Iterator[Proposal]:
    """The likeliest room, if unseen pieces lay in it, fewer than known ones: they complete a story, they tell none."""
    for _ in range(2):  # again without those that lay outside: a crumb, a shadow
        if not 0 < len(unseen) <= len(change.removed):
            return
        more = replace(before, pieces=(*before.pieces, *unseen))
        all_gone = replace(change, removed=(*change.removed, *unseen))
        look, stories = _stories(here, more, after, all_gone)
        room = stories[0].room if stories else None
        inside = [piece for piece in unseen if room is not None and piece.id in (*room.collects, *room.doubtful)]
        if room is not None and len(inside) == len(unseen):
            yield _told(play(here, look), look, stories[0], change, guessed=len(inside))
            return
        unseen = inside


def _stories(
    here: DropPosition, before: DropReading, after: Sequence[Piece], change: Difference
) -> tuple[e.Look, tuple[Story, ...]]:
    """The stories, and the look that they begin with. Whoever loots a room takes all of it: what lies there still, not
    a pixel changed, was never there, or is left lying; in either case nobody gained it."""
    look = e.Look(before.pieces, before.error_mm or None)
    stories = inferred(play(here, look), after, before.error_mm, ODDS).stories
    room = stories[0].room if stories else None
    if room is None:
        return look, stories
    left = {*room.collects} - {*room.doubtful} - {piece.id for piece in change.removed}
    if not left or len(left) >= len(change.removed):
        return look, stories
    look = e.Look(tuple(piece for piece in before.pieces if piece.id not in left), before.error_mm or None)
    seen = [piece for piece in after if piece.id not in left]
    return look, inferred(play(here, look), seen, before.error_mm, ODDS).stories


def _told(here: DropPosition, look: e.Look, story: Story, change: Difference, *, guessed: int = 0) -> Proposal:
    lines = (str(look), *map(str, story.events))
    removes = tuple(sorted(piece.id for piece in change.removed))
    ended = any(isinstance(event, e.End) for event in story.events[:1])  # the next hero has begun
    name = play(here, e.End()).active_player.name if ended else here.active_player.name
    if story.room is not None:
        forbidden = any(isinstance(event, e.Illegal) for event in story.events)
        more = f", and {guessed} that I had not seen: a clear gem, I think" if guessed else ""
        did = "took a room that is not allowed" if forbidden else "looted a room"
        says = f"{name} {did}: {_listed(change.removed)}{more}."
        return Proposal("loot", says, lines, removes, story.room.pillars, story.chance)
    if any(isinstance(event, e.Explore) for event in story.events):
        return Proposal("explore", f"{name} explored: {_listed(change.added)}.", lines, removes, (), story.chance)
    return Proposal("table", _sentence("; ".join(story.reasons)), lines, removes, (), story.chance)


def _as_it_lies(change: Difference) -> str:
    parts = []
    if change.removed:
        parts.append(f"{_listed(change.removed)} gone")
    if change.added:
        parts.append(f"{_listed(change.added)} new")
    return f"{' and '.join(parts) or 'The table changed'}: take the table as it lies?"


def _listed(pieces: Sequence[Piece]) -> str:
    counts = Counter(named({"type": piece.type}) for piece in pieces)
    listed = [f"{number} {name}{'s' * (number > 1 and name != 'gold')}" for name, number in sorted(counts.items())]
    return " and ".join(filter(None, (", ".join(listed[:-1]), *listed[-1:])))


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + "."
