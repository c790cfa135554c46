"""Lenses that were calibrated, one file for each camera, in the folder where this system keeps a user's data."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

from platformdirs import user_data_path

from calibration.camera import CalibrationError, Camera, camera_from_json

APP: Final = "dungeon-companion"
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,60}")


def lens_folder() -> Path:
    return user_data_path(APP) / "lenses"


def lens_file(name: str) -> Path:
    """Where the lens of the camera that a person calls by this name is kept."""
    if not NAME.fullmatch(name):
        raise CalibrationError(f"a camera's name is letters, digits, spaces, dots and dashes, not {name!r}")
    return lens_folder() / f"{name}.json"


def save_lens(camera: Camera, path: Path) -> None:
    """Written whole or not at all: a lens half written would bend every table."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps(camera.as_json(), indent=1) + "\n", encoding="utf-8")
    part.replace(path)


def load_lens(name_or_path: str) -> Camera:
    """A saved lens by its camera's name, or by the path of its file."""
    path = Path(name_or_path)
    if not path.exists() and NAME.fullmatch(name_or_path) and lens_file(name_or_path).exists():
        path = lens_file(name_or_path)
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        reason = problem.strerror or "not a file"
        raise CalibrationError(f"{name_or_path}: no such lens ({reason}); make one with `companion lens`") from None
    except ValueError:
        raise CalibrationError(f"{name_or_path}: this is no saved lens; make one with `companion lens`") from None
    return camera_from_json(data)
