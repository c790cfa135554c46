"""The doors that strangers' bytes come through. Each takes anything, and answers or refuses in one sentence; any other
exception, or minutes of work, is a fault."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

import cv2
import numpy as np

from calibration.camera import CalibrationError, camera_from_json
from calibration.drop_profile import profile_from_json
from calibration.hustle_profile import default_hustle_profile, hustle_profile_from_json
from companion.errors import CompanionError
from companion.games import GAMES
from companion.games.dungeon_drop.answers import advice_answer, check_answer, rooms_answer
from companion.games.dungeon_drop.scoring import score_answer
from companion.games.dungeon_hustle.answers import answer_monsters, answer_runs
from companion.games.dungeon_hustle.scoring import answer_score
from companion.jsonl import answers, objects, parsed
from companion.readings import DropReading, HustleReading
from companion.record import parse_record, position
from companion.taps import drop_taps_from_json, hustle_taps_from_json
from vision.drop import read_table
from vision.hustle import read_board
from vision.live.frames import Frame
from vision.live.mjpeg import parts
from vision.other_game import drop_or_other, hustle_or_other
from vision.photo import Photo, load_photo
from web.readings import reading_from_json

REFUSED: Final = (CompanionError, CalibrationError)


SMALL_PX: Final = 60_000  # a larger picture is loaded but not read: a run must stay quick


def image(data: bytes) -> None:
    """A photo's file, read if it is a small one, and the same bytes as a live frame."""
    for door in (lambda: loaded_and_read(data), lambda: Frame(1, 0.0, encoded=data).grey()):
        try:
            door()
        except REFUSED as problem:
            one_sentence(problem)
        except cv2.error as problem:  # memory is the machine's limit, not a fault of the door
            if "OutOfMemory" not in str(problem) and "Insufficient memory" not in str(problem):
                raise
    list(parts(_Bytes(data), b"b"))


def loaded_and_read(data: bytes) -> None:
    photo = load_photo(data)
    if photo.size[0] * photo.size[1] <= SMALL_PX:
        read(photo, len(data))


def pixels(data: bytes) -> None:
    """Straight to the readers: two bytes for the picture's sides, one for the reader, the rest are pixels, repeated
    until the picture is full."""
    if len(data) < 4:
        return
    sides = 16 + data[1] % 160, 16 + data[0] % 160
    picture = np.resize(np.frombuffer(data[3:], np.uint8), (*sides, 3))
    try:
        read(Photo("fuzz", np.ascontiguousarray(picture)), data[2])
    except REFUSED as problem:
        one_sentence(problem)


def read(photo: Photo, which: int) -> None:
    """By one of the readers, as the page does it; what comes out is plain JSON, without a NaN in it."""
    reading: DropReading | HustleReading
    if which % 2:
        reading = hustle_or_other(read_board(photo, default_hustle_profile()), photo)
    else:
        reading = drop_or_other(read_table(photo), photo)
    again = reading_from_json(json.loads(json.dumps(reading.as_json(), allow_nan=False)))
    assert type(again) is type(reading)


QUESTIONS: Final[Mapping[bytes, Callable[[Any], Any]]] = {
    b"0": rooms_answer, b"1": score_answer, b"2": advice_answer, b"3": check_answer, b"4": answer_monsters,
    b"5": answer_runs, b"6": answer_score, b"7": profile_from_json, b"8": hustle_profile_from_json,
    b"9": camera_from_json, b"a": drop_taps_from_json, b"b": hustle_taps_from_json, b"c": reading_from_json,
}  # fmt: skip


def json_text(data: bytes) -> None:
    """The first byte chooses the door, the rest is the text; a record of a game is a text too."""
    text = data[1:].decode("utf-8", "replace")
    if data[:1] == b"r":
        try:
            position(parse_record(text, GAMES))
        except REFUSED as problem:
            one_sentence(problem)
        return
    ask = QUESTIONS.get(data[:1], rooms_answer)
    if data[:1] in b"0123456" and data[:1]:
        for outcome in answers(text, ask):
            assert outcome.answer is not None or outcome.complaint
        return
    for _, line in objects(text):
        try:
            ask(parsed(line))
        except REFUSED as problem:
            one_sentence(problem)


def one_sentence(problem: Exception) -> None:
    assert str(problem) and len(str(problem)) < 4000, "a refusal says why, in a sentence"


class _Bytes:
    def __init__(self, data: bytes) -> None:
        self._rest = data

    def read1(self, amount: int, /) -> bytes:
        out, self._rest = self._rest[:17], self._rest[17:]  # in small pieces, as a slow Wi-Fi delivers them
        return out


DOORS: Final[Mapping[str, Callable[[bytes], None]]] = {"image": image, "json": json_text, "pixels": pixels}
