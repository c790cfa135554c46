"""The door to the readers. Runs in a process of its own, so that a phone's correction never waits for a photo."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ReadJob:
    """A photo to be read: plain values, because it travels to another process."""

    game: str
    purpose: str  # "table", "stash" or "teach"
    name: str
    photo: bytes
    profile: str | None = None  # a taught profile's JSON; None: the one that ships


def read(job: ReadJob) -> dict[str, Any]:
    """The reading's JSON, as `companion read` prints it. A photo that cannot be read is a reading with problems."""
    reader = _read_drop if job.game == "dungeon-drop" else _read_hustle
    return reader(job)


def warm_up() -> None:
    """Once in a new reading process: load what reading needs, and step back behind whoever serves the phones."""
    import os

    import cv2

    if hasattr(os, "nice"):
        os.nice(5)
    cv2.setNumThreads(1)


def _read_drop(job: ReadJob) -> dict[str, Any]:
    from calibration.drop_profile import profile_from_json
    from vision.drop import read_table
    from vision.photo import load_photo

    photo = load_photo(job.photo, job.name)
    profile = None if job.profile is None else profile_from_json(json.loads(job.profile))
    return read_table(photo, profile).as_json() | {"size_px": list(photo.size)}


def _read_hustle(job: ReadJob) -> dict[str, Any]:
    from vision.hustle import read_board
    from vision.photo import load_photo

    photo = load_photo(job.photo, job.name)
    return read_board(photo).as_json() | {"size_px": list(photo.size)}
