"""The readers as the command line calls them: one photo in, one reading out, whatever the photo is."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from calibration.camera import CalibrationError, Camera, guessed_camera, scaled
from calibration.corners import view_from_corners
from calibration.saved import load_lens
from companion.cli.lines import read_text
from companion.errors import CompanionError, InvalidInput
from companion.jsonl import objects, parsed
from companion.pieces import Outline, Piece, Point
from companion.problems import Problem
from companion.readings import DropReading, HustleReading
from companion.taps import CubeTap, DropTaps, HustleTaps, drop_taps_from_json, hustle_taps_from_json
from companion.tiles import Cell, cells_from_json
from vision.photo import Photo, UnreadablePhoto, load_photo

if TYPE_CHECKING:
    from companion.cli.reading import Reading, Wishes

# What a hopeless picture can provoke in the libraries below: the photo's fault, not the program's.
HOPELESS: Final = (CompanionError, CalibrationError, cv2.error, np.linalg.LinAlgError, MemoryError)
NOTHING: Final = "Nothing could be made of this photo: take another, from above, with the whole table in it."


def reader(wishes: Wishes) -> Callable[[str], Reading]:
    """Everything is loaded once; what it returns reads one photo after the other."""
    read = _drop_reader(wishes) if wishes.game == "dungeon-drop" else _hustle_reader(wishes)

    def read_one(name: str) -> Reading:
        start = time.perf_counter()
        shown = "-" if name == "-" else Path(name).name
        try:
            photo = load_photo(sys.stdin.buffer.read() if name == "-" else name, shown)
            return _timed(read(photo), photo, start)
        except UnreadablePhoto as problem:
            reason = Problem("unreadable", _sentence(str(problem)))
        except HOPELESS as problem:
            ours = isinstance(problem, CompanionError | CalibrationError)
            reason = Problem("no-reading", _sentence(str(problem)) if ours else NOTHING)
        blank = DropReading(shown) if wishes.game == "dungeon-drop" else HustleReading(shown)
        spent = (time.perf_counter() - start) * 1000
        return replace(blank, problems=(reason,), timings_ms={"decode": spent, "read": 0.0})

    return read_one


def learned(game: str, files: tuple[str, ...]) -> dict[str, Any]:
    """The profile that the tapped photos teach, as JSON."""
    from_json = drop_taps_from_json if game == "dungeon-drop" else hustle_taps_from_json
    taught: list[Any] = []
    for file in files:
        try:
            taps: Any = [from_json(parsed(text)) for _, text in objects(read_text(file))]
            taught += [_tapped(one, file) for one in taps]
        except CompanionError as problem:
            sentence = str(problem)
            raise InvalidInput(sentence if sentence.startswith(file) else f"{file}: {sentence}") from None
    if not taught:
        raise InvalidInput(f"{files[0]}: there is no JSON object in it")
    if game == "dungeon-drop":
        from vision.drop.teach import learn as learn_drop

        return learn_drop(taught).as_json()
    from vision.hustle.teach import learn as learn_hustle

    return learn_hustle(taught).as_json()


def _tapped(taps: DropTaps | HustleTaps, file: str) -> tuple[Photo, DropTaps | HustleTaps]:
    """The photo beside its taps, and the taps in that photo's pixels."""
    folder = Path() if file == "-" else Path(file).parent
    try:
        photo = load_photo(folder / taps.photo, Path(taps.photo).name)
    except UnreadablePhoto as problem:
        raise InvalidInput(f"{taps.photo}: {problem}") from None
    if isinstance(taps, HustleTaps):
        return photo, taps
    cubes = tuple(replace(tap, center_px=_shrunk(tap.center_px, photo.reduced)) for tap in taps.cubes)
    for number, tap in enumerate(cubes, 1):
        _inside(tap, number, photo)
    return photo, replace(taps, cubes=cubes)


def _inside(tap: CubeTap, number: int, photo: Photo) -> None:
    x, y = tap.center_px
    if not (0 <= x < photo.size[0] and 0 <= y < photo.size[1]):
        raise InvalidInput(f"cube {number}: its center_px lies outside {photo.name}; tap it again")


def _drop_reader(wishes: Wishes) -> Callable[[Photo], DropReading]:
    from calibration.drop_profile import default_drop_profile, load_drop_profile
    from vision.drop import read_table
    from vision.other_game import drop_or_other

    _only(wishes, "dungeon-hustle", before=wishes.before)
    profile = default_drop_profile() if wishes.profile is None else load_drop_profile(Path(wishes.profile))
    lens = None if wishes.lens is None else load_lens(wishes.lens)
    corners = None if wishes.corners is None else _corners(wishes.corners)
    size_mm = _size(wishes.size)
    if (corners is None) != (size_mm is None):
        raise InvalidInput("--corners and --size go together: four corners, and the rectangle's width and depth in mm")

    def read(photo: Photo) -> DropReading:
        camera, view = _camera(lens, photo), None
        if corners is not None and size_mm is not None:
            guessed = camera or guessed_camera(*photo.size, photo.focal_px_hint)
            view = view_from_corners(np.array([_shrunk(p, photo.reduced) for p in corners]), size_mm, guessed)
        reading = read_table(photo, profile, camera=camera, view=view, explain=_explain(wishes, photo))
        reading = drop_or_other(reading, photo)
        return replace(reading, pieces=tuple(_grown_piece(piece, photo.reduced) for piece in reading.pieces))

    return read


def _hustle_reader(wishes: Wishes) -> Callable[[Photo], HustleReading]:
    from calibration.hustle_profile import default_hustle_profile, load_hustle_profile
    from vision.hustle import read_board
    from vision.other_game import hustle_or_other

    _only(wishes, "dungeon-drop", size=wishes.size)
    profile = default_hustle_profile() if wishes.profile is None else load_hustle_profile(Path(wishes.profile))
    lens = None if wishes.lens is None else load_lens(wishes.lens)
    corners = None if wishes.corners is None else _corners(wishes.corners)
    before = None if wishes.before is None else _before(wishes.before)

    def read(photo: Photo) -> HustleReading:
        px = None if corners is None else np.array([_shrunk(p, photo.reduced) for p in corners])
        reading = read_board(
            photo, profile, camera=_camera(lens, photo), corners_px=px, before=before, explain=_explain(wishes, photo)
        )
        reading = hustle_or_other(reading, photo)
        return replace(reading, board_px=_grown(reading.board_px, photo.reduced))

    return read


def _only(wishes: Wishes, game: str, **given: str | None) -> None:
    for name, value in given.items():
        if value is not None:
            raise InvalidInput(f"--{name} is for {game}, not for {wishes.game}: leave it out")


def _camera(lens: Camera | None, photo: Photo) -> Camera | None:
    return None if lens is None else scaled(lens, *photo.size)


def _explain(wishes: Wishes, photo: Photo) -> Path | None:
    """A folder for each photo's stages."""
    if wishes.explain is None:
        return None
    folder = Path(wishes.explain) / (Path(photo.name).stem or "photo")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise InvalidInput(f"{folder}: cannot be made ({problem.strerror}); choose another --explain") from None
    return folder


def _corners(text: str) -> Outline:
    """
    >>> _corners("1,2,3,4,5,6,7,8")
    ((1.0, 2.0), (3.0, 4.0), (5.0, 6.0), (7.0, 8.0))
    """
    try:
        values = [float(value) for value in text.replace(";", ",").split(",")]
    except ValueError:
        values = []
    if len(values) != 8 or not np.isfinite(values).all():
        raise InvalidInput("--corners needs eight numbers, x,y of four corners, far left first, then clockwise")
    return tuple(zip(values[::2], values[1::2], strict=True))


def _size(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    try:
        width, depth = (float(value) for value in text.lower().split("x"))
    except ValueError:
        raise InvalidInput("--size needs width and depth in mm, such as 297x210") from None
    return width, depth


def _before(file: str) -> tuple[Cell, ...]:
    """The cells of an earlier reading; of several, the last."""
    readings = [parsed(text) for _, text in objects(read_text(file))]
    if not readings or "cells" not in readings[-1]:
        raise InvalidInput(f"{file}: there is no reading of a Dungeon Hustle board in it")
    return cells_from_json(readings[-1]["cells"])


def _timed(reading: Reading, photo: Photo, start: float) -> Reading:
    """The reader's own timings, completed by the decoding's and by all the rest."""
    rest = (time.perf_counter() - start) * 1000 - photo.decode_ms
    timings: Mapping[str, float] = {"decode": photo.decode_ms, "read": rest} | dict(reading.timings_ms)
    kept = tuple(problem for problem in photo.problems if problem not in reading.problems)
    return replace(reading, problems=(*kept, *reading.problems), timings_ms=timings)


def _sentence(text: str) -> str:
    text = text.strip().splitlines()[0] if text.strip() else ""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?", ")")) or not text else ".")


def _shrunk(point: Point, times: int) -> Point:
    """A pixel of the file as a pixel of its reduced copy; pixel centres are whole numbers in both."""
    return (point[0] + 0.5) / times - 0.5, (point[1] + 0.5) / times - 0.5


def _grown(outline: Outline, times: int) -> Outline:
    return outline if times == 1 else tuple(((x + 0.5) * times - 0.5, (y + 0.5) * times - 0.5) for x, y in outline)


def _grown_piece(piece: Piece, times: int) -> Piece:
    if times == 1 or piece.center_px is None:
        return piece
    return replace(piece, center_px=_grown((piece.center_px,), times)[0], outline_px=_grown(piece.outline_px, times))
