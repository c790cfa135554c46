"""Which photos the readers are measured on, and what a person taught before."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
SHARED: Final = ROOT.parent / "shared" / "photos"
DEMO: Final = ROOT / "web" / "demo"


@dataclass(frozen=True)
class Suite:
    """Photos with labels beside them, all read with what the same taps have taught (none: the profile that ships)."""

    name: str
    game: str
    photos: tuple[Path, ...]
    taps: tuple[Path, ...] = ()

    def label(self, photo: Path) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(photo.with_suffix(".json").read_text())
        return data


def suites(quick: bool = False) -> tuple[Suite, ...]:
    """The photos that were kept aside from tuning where the shared ones are here, else those of the demo."""
    chosen = _kept_aside() if SHARED.exists() else _demo()
    chosen = tuple(suite for suite in chosen if suite.photos)
    if not quick:
        return chosen
    return tuple(Suite(suite.name, suite.game, suite.photos[:2], suite.taps) for suite in chosen)


def folder_suite(folder: Path, taps: tuple[Path, ...]) -> tuple[Suite, ...]:
    """Any folder of labelled photos."""
    found = []
    for game in ("dungeon-drop", "dungeon-hustle"):
        photos = tuple(photo for photo in _labelled(folder) if _game_of(photo) == game)
        if photos:
            found.append(Suite(folder.name, game, photos, taps))
    return tuple(found)


def _kept_aside() -> tuple[Suite, ...]:
    drop, hustle, real = SHARED / "drop", SHARED / "hustle", SHARED / "real"
    seen = {"board1", "board2", "board3", "board5", "columns1", "game1"}  # looked at, or taught from
    unseen = tuple(photo for photo in _labelled(real) if photo.stem not in seen)
    return (
        Suite("Drop, edition A, default profile", "dungeon-drop", _numbered(drop, "A")),
        Suite("Drop, edition B, taught", "dungeon-drop", _numbered(drop, "B"), _taps(drop, "B")),
        Suite("Drop, real photos, taught", "dungeon-drop", unseen, tuple(sorted(real.glob("*.taps.json")))),
        Suite("Hustle, ink, taught", "dungeon-hustle", _numbered(hustle, "ink"), _taps(hustle, "ink")),
        Suite("Hustle, emoji, taught", "dungeon-hustle", _numbered(hustle, "emoji"), _taps(hustle, "emoji")),
    )


def _demo() -> tuple[Suite, ...]:
    return (
        Suite("Drop, demo photos", "dungeon-drop", _labelled(DEMO / "drop")),
        Suite("Hustle, demo photos", "dungeon-hustle", _labelled(DEMO / "hustle")),
    )


def _labelled(folder: Path) -> tuple[Path, ...]:
    photos = sorted(folder.glob("*.jpg"))
    return tuple(
        photo for photo in photos if photo.with_suffix(".json").exists() and not photo.stem.startswith("teach")
    )


def _numbered(folder: Path, copy: str) -> tuple[Path, ...]:
    """Photos of this copy whose number is divisible by three: nothing was tuned on those."""
    named = [(photo, photo.stem.split("-")) for photo in _labelled(folder)]
    return tuple(
        photo for photo, words in named if words[1] == copy and words[-1].isdigit() and int(words[-1]) % 3 == 0
    )


def _taps(folder: Path, copy: str) -> tuple[Path, ...]:
    return tuple(sorted(folder.glob(f"teach-{copy}-*.taps.json")))


def _game_of(photo: Path) -> str:
    return str(json.loads(photo.with_suffix(".json").read_text()).get("game"))
