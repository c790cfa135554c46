"""This copy's Dungeon Hustle cards and standees as they were taught.

A card's face is a colour seen through its symbol's stencil: at every spot the print is so much of the card's colour
plus what is printed there anyway. So each symbol needs to be seen in some colours only, and each colour with some
symbols. All values are those of a photo whose contrast is stretched to 0 to 1.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera import CalibrationError

GAME: Final = "dungeon-hustle"
VERSION: Final = 1
DEFAULT: Final = Path(__file__).parent / "data" / "dungeon-hustle.json"
FACE_PX: Final = 32  # a face's side: the finest strokes of a symbol are still a pixel wide
STANDEE_PX: Final = (16, 24)  # a standee's picture, width and height

Floats = NDArray[np.float32]
SHAPES: Final[Mapping[str, tuple[int | str, ...]]] = {
    "tints": ("colours", 3),
    "stencils": ("symbols", FACE_PX, FACE_PX),
    "grounds": ("symbols", FACE_PX, FACE_PX, 3),
    "attack_cover": (FACE_PX, FACE_PX),
    "attack_paint": (FACE_PX, FACE_PX, 3),
    "back": (FACE_PX, FACE_PX, 3),
    "standee_faces": ("standees", STANDEE_PX[1], STANDEE_PX[0], 3),
    "standee_bases": ("standees", 3),
}


@dataclass(frozen=True, eq=False)
class HustleProfile:
    name: str
    colours: tuple[str, ...]
    symbols: tuple[str, ...]
    with_icon: tuple[str, ...]  # symbols that were taught with an attack icon too: only there its place is certain
    pitch_mm: float  # from card to card; how exactly is of little account
    tints: Floats  # the colours
    stencils: Floats  # how much of the colour shows at each spot of a symbol's card
    grounds: Floats  # what is printed there besides
    attack_cover: Floats  # how much of the face the attack icon hides, all zero where none was taught
    attack_paint: Floats  # and what it puts there
    back: Floats  # the deck's back, all zero where it was not seen
    standees: tuple[str, ...]
    standee_faces: Floats
    standee_bases: Floats

    def __post_init__(self) -> None:
        counts = {"colours": len(self.colours), "symbols": len(self.symbols), "standees": len(self.standees)}
        for key, wanted in SHAPES.items():
            array = getattr(self, key)
            if array.shape != tuple(counts[n] if isinstance(n, str) else n for n in wanted):
                raise CalibrationError("this profile's pictures do not pair up with its names; teach it again")
            if not np.isfinite(array).all():
                raise CalibrationError("this profile's pictures are not numbers; teach it again")
        if not self.colours or not self.symbols:
            raise CalibrationError("this profile knows no card; name some cards and teach it again")
        if not 10 < self.pitch_mm < 300:
            raise CalibrationError("this profile's cards are of an impossible size; teach it again")

    @property
    def knows_attack(self) -> bool:
        return bool(self.attack_cover.any())

    @property
    def knows_back(self) -> bool:
        return bool(self.back.any())

    def as_json(self) -> dict[str, Any]:
        plain = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in SHAPES}
        packed = {key: base64.b64encode(getattr(self, key).astype("<f2").tobytes()).decode() for key in SHAPES}
        lists = {key: list(value) if isinstance(value, tuple) else value for key, value in plain.items()}
        return {"game": GAME, "version": VERSION, **lists, **packed}


def hustle_profile_from_json(data: Any, where: str = "the profile") -> HustleProfile:
    """Raises CalibrationError with one sentence for anything that is not a profile."""
    if not isinstance(data, Mapping) or data.get("game") != GAME:
        raise CalibrationError(f"{where} is not a Dungeon Hustle profile; make one with `companion teach {GAME}`")
    if data.get("version") != VERSION:
        raise CalibrationError(f"{where} was taught with another version of the companion; teach it again")
    try:
        names: dict[str, Any] = {
            key: tuple(str(name) for name in data[key]) for key in ("colours", "symbols", "standees", "with_icon")
        }
        counts = {key: len(value) for key, value in names.items()}
        arrays: dict[str, Any] = {}
        for key, wanted in SHAPES.items():
            shape = tuple(counts[n] if isinstance(n, str) else n for n in wanted)
            raw = np.frombuffer(base64.b64decode(data[key], validate=True), "<f2")
            arrays[key] = raw.astype(np.float32).reshape(shape)
        return HustleProfile(name=str(data["name"]), pitch_mm=float(data["pitch_mm"]), **names, **arrays)
    except (KeyError, TypeError, ValueError) as problem:
        raise CalibrationError(f"{where} is damaged ({problem}); teach it again") from None


def load_hustle_profile(path: Path) -> HustleProfile:
    try:
        data = json.loads(path.read_text())
    except OSError as problem:
        raise CalibrationError(f"{path}: cannot be opened ({problem.strerror}); check its name") from None
    except ValueError:
        raise CalibrationError(f"{path} is not a profile; make one with `companion teach {GAME}`") from None
    return hustle_profile_from_json(data, str(path))


@cache
def default_hustle_profile() -> HustleProfile:
    """The example drawing of the demo photos."""
    return load_hustle_profile(DEFAULT)
