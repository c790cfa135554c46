"""This copy's cubes as they were taught: what each type looks like, and how long the sides of S, L and H are.

A look is a point in the space of `vision`'s appearance network, so a profile holds no pictures. The profile names the
network that made its points: those of another one mean nothing to it.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera import CalibrationError

GAME: Final = "dungeon-drop"
VERSION: Final = 1
SIZES: Final = ("S", "L", "H")
DEFAULT: Final = Path(__file__).parent / "data" / "dungeon-drop.json"


@dataclass(frozen=True, eq=False)
class DropProfile:
    """Parallel arrays: look i is of type `types[i]`, tapped in teach photo number `photos[i]`."""

    name: str
    network: str  # which appearance network the looks belong to
    sides_mm: Mapping[str, float]  # S, L and H
    types: tuple[str, ...]
    photos: tuple[int, ...]
    looks: NDArray[np.float32]  # (n, dimensions)

    def __post_init__(self) -> None:
        if self.looks.ndim != 2 or not len(self.looks) == len(self.types) == len(self.photos):
            raise CalibrationError("this profile's looks and types do not pair up; teach it again")
        if len(self.types) == 0:
            raise CalibrationError("this profile knows no cube; tap a few cubes of every type and teach it again")
        if set(self.sides_mm) != set(SIZES) or not all(0.5 < side < 200 for side in self.sides_mm.values()):
            raise CalibrationError("this profile needs a side length in mm for each of S, L and H; teach it again")
        if not np.isfinite(self.looks).all():
            raise CalibrationError("this profile's looks are not numbers; teach it again")

    @property
    def taught(self) -> frozenset[str]:
        return frozenset(self.types)

    def as_json(self) -> dict[str, Any]:
        return {
            "game": GAME,
            "version": VERSION,
            "name": self.name,
            "network": self.network,
            "sides_mm": {size: round(self.sides_mm[size], 3) for size in SIZES},
            "types": list(self.types),
            "photos": list(self.photos),
            "dimensions": int(self.looks.shape[1]),
            "looks": base64.b64encode(self.looks.astype("<f2").tobytes()).decode(),
        }


def profile_from_json(data: Any, where: str = "the profile") -> DropProfile:
    """Raises CalibrationError with one sentence for anything that is not a profile."""
    if not isinstance(data, Mapping) or data.get("game") != GAME:
        raise CalibrationError(f"{where} is not a Dungeon Drop profile; make one with `companion teach dungeon-drop`")
    if data.get("version") != VERSION:
        raise CalibrationError(f"{where} was taught with another version of the companion; teach it again")
    try:
        looks = np.frombuffer(base64.b64decode(data["looks"], validate=True), "<f2").astype(np.float32)
        return DropProfile(
            name=str(data["name"]),
            network=str(data["network"]),
            sides_mm={str(size): float(side) for size, side in data["sides_mm"].items()},
            types=tuple(str(kind) for kind in data["types"]),
            photos=tuple(int(photo) for photo in data["photos"]),
            looks=looks.reshape(-1, int(data["dimensions"])),
        )
    except CalibrationError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as problem:
        raise CalibrationError(f"{where} is damaged; teach it again") from problem


def save_drop_profile(profile: DropProfile, path: Path) -> None:
    path.write_text(json.dumps(profile.as_json(), indent=1) + "\n")


def load_drop_profile(path: Path) -> DropProfile:
    try:
        data = json.loads(path.read_text())
    except OSError as problem:
        raise CalibrationError(f"{path}: cannot be opened; check the name") from problem
    except ValueError as problem:
        raise CalibrationError(f"{path} is not JSON; give a profile made by `companion teach`") from problem
    return profile_from_json(data, str(path))


@cache
def default_drop_profile() -> DropProfile:
    """The published box, taught from staged photos of it."""
    return load_drop_profile(DEFAULT)
