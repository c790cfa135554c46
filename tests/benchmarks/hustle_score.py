"""How well a Dungeon Hustle reading agrees with what lies on the table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from companion.readings import HustleReading
from companion.tiles import HEROES, Card, Cell

ASKED_SHARE: Final = 0.5  # a card of which less can be seen is not asked for its face
WHAT: Final = ("colour", "symbol", "attack", "occupied", "who", "revealed")


@dataclass(frozen=True)
class HustleScore:
    photo: str
    cards: int  # whose faces are asked for
    spaces: int
    faults: tuple[str, ...]
    kinds: dict[str, int]
    beliefs: tuple[tuple[float, bool], ...] = field(default=(), repr=False)


def score_hustle(label: dict[str, Any], reading: HustleReading) -> HustleScore:
    read = {cell.space: cell for cell in reading.cells}
    faults: list[tuple[str, str]] = []
    beliefs: list[tuple[float, bool]] = []
    asked = 0
    for truth in label["cells"]:
        space = truth["row"], truth["col"]
        cell = read.get(space, Cell(*space, Card(None, None, None)))
        wrong = _standing(truth, cell)
        if truth["visible"] >= ASKED_SHARE:
            asked += 1
            wrong += _face(truth, cell.card)
            if space in read:
                beliefs.append((cell.confidence, not wrong))
        faults += [(kind, f"{space} {text}") for kind, text in wrong]
    if not _same_card(label["revealed"], reading.revealed):
        faults.append(("revealed", f"the turned-up card {label['revealed']} read as {reading.revealed}"))
    kinds = {kind: sum(name == kind for name, _ in faults) for kind in WHAT}
    texts = tuple(text for _, text in faults)
    return HustleScore(label["photo"], asked, len(label["cells"]), texts, kinds, tuple(beliefs))


def _face(truth: dict[str, Any], card: Card) -> list[tuple[str, str]]:
    return [
        (kind, f"{kind} {truth[kind]} read as {getattr(card, kind)}")
        for kind in ("colour", "symbol", "attack")
        if getattr(card, kind) != truth[kind]
    ]


def _standing(truth: dict[str, Any], cell: Cell) -> list[tuple[str, str]]:
    want, got = truth["occupant"], cell.occupant
    if _sort(want) != _sort(got):
        return [("occupied", f"holds {want}, read as {got}")]
    return [] if want == got else [("who", f"is {want}, read as {got}")]


def _sort(who: str | None) -> str | None:
    return "hero" if who in (*HEROES, "hero") else who


def _same_card(want: dict[str, Any] | None, got: Card | None) -> bool:
    if want is None or got is None:
        return want is None and got is None
    return (want["colour"], want["symbol"]) == (got.colour, got.symbol)
