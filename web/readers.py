"""The door to the readers. Runs in a process of its own, so that a phone's correction never waits for a photo."""

from __future__ import annotations

import json
import os
import threading
import time
from dataclasses import dataclass, replace
from typing import Any

from calibration.camera import CalibrationError
from calibration.drop_profile import DropProfile
from companion.errors import CompanionError


@dataclass(frozen=True)
class ReadJob:
    """A photo to be read: plain values, because it travels to another process."""

    game: str
    purpose: str  # "table", "stash" or "teach"
    name: str
    photo: bytes
    profile: str | None = None  # a taught profile's JSON; None: the one that ships


@dataclass(frozen=True)
class TeachJob:
    """Photos and what a person tapped on them, each as the taps file of FORMATS has it."""

    game: str
    photos: tuple[bytes, ...]
    taps: tuple[str, ...]  # JSON, one for each photo
    base: str | None = None  # with `extends`: the profile that the taps add to; None: the one that ships
    extends: bool = False


def warm_up() -> None:
    """Once in a new reading process: step back behind whoever serves the phones, and leave them a core."""
    import cv2

    if hasattr(os, "nice"):
        os.nice(5)
    cv2.setNumThreads(1)
    threading.Thread(target=_leave_with, args=(os.getppid(),), daemon=True).start()


def _leave_with(parent: int) -> None:
    """A server that is killed cannot say goodbye to its reading process; this one notices."""
    while os.getppid() == parent:
        time.sleep(2)
    os._exit(0)


def read(job: ReadJob) -> dict[str, Any]:
    """The reading's JSON, as `companion read` prints it. A photo that cannot be read is a reading with problems."""
    reader = _read_drop if job.game == "dungeon-drop" else _read_hustle
    return _plainly(reader, job)


def teach(job: TeachJob) -> dict[str, Any]:
    """The taught profile's JSON under `profile`."""
    teacher = _teach_drop if job.game == "dungeon-drop" else _teach_hustle
    return _plainly(teacher, job)


def _plainly(task: Any, job: Any) -> dict[str, Any]:
    """Errors travel between processes as their sentence alone: some of ours take more than one argument."""
    try:
        return dict(task(job))
    except (CompanionError, CalibrationError) as problem:
        raise CompanionError(str(problem)) from None


def _read_drop(job: ReadJob) -> dict[str, Any]:
    from calibration.drop_profile import profile_from_json
    from vision.drop import read_table
    from vision.other_game import drop_or_other
    from vision.photo import load_photo

    photo = load_photo(job.photo, job.name)
    profile = None if job.profile is None else profile_from_json(json.loads(job.profile))
    return drop_or_other(read_table(photo, profile), photo).as_json() | {"size_px": list(photo.size)}


def _read_hustle(job: ReadJob) -> dict[str, Any]:
    from calibration.hustle_profile import default_hustle_profile, hustle_profile_from_json
    from vision.hustle import read_board
    from vision.other_game import hustle_or_other
    from vision.photo import load_photo

    photo = load_photo(job.photo, job.name)
    profile = default_hustle_profile() if job.profile is None else hustle_profile_from_json(json.loads(job.profile))
    return hustle_or_other(read_board(photo, profile), photo).as_json() | {"size_px": list(photo.size)}


def _teach_drop(job: TeachJob) -> dict[str, Any]:
    from calibration.drop_profile import default_drop_profile, profile_from_json
    from companion.taps import drop_taps_from_json
    from vision.drop.teach import learn
    from vision.photo import load_photo

    taps = [drop_taps_from_json(json.loads(text)) for text in job.taps]
    learnt = learn([(load_photo(photo, tap.photo), tap) for photo, tap in zip(job.photos, taps, strict=True)])
    if job.extends:
        base = default_drop_profile() if job.base is None else profile_from_json(json.loads(job.base))
        learnt = replace(_together(base, learnt), sides_mm=base.sides_mm)
    else:
        learnt = _together(learnt, default_drop_profile(), only_new=True)
    return {"profile": json.dumps(learnt.as_json())}


def _together(one: DropProfile, other: DropProfile, *, only_new: bool = False) -> DropProfile:
    """The first profile with the other's looks added; `only_new`: of types that the first was never shown, so that
    kinds nobody tapped keep the look of the published copy. Looks of another network mean nothing and stay out."""
    import numpy as np

    kept = [n for n, kind in enumerate(other.types) if not only_new or kind not in one.taught]
    if one.network != other.network or not kept:
        return one
    first = max(one.photos) + 1
    return replace(
        one,
        types=(*one.types, *(other.types[n] for n in kept)),
        photos=(*one.photos, *(first + other.photos[n] for n in kept)),
        looks=np.concatenate([one.looks, other.looks[kept]]),
    )


def _teach_hustle(job: TeachJob) -> dict[str, Any]:
    from companion.taps import hustle_taps_from_json
    from vision.hustle.teach import learn
    from vision.photo import load_photo

    taps = [hustle_taps_from_json(json.loads(text)) for text in job.taps]
    learnt = learn([(load_photo(photo, tap.photo), tap) for photo, tap in zip(job.photos, taps, strict=True)])
    return {"profile": json.dumps(learnt.as_json())}
