"""The doors that strangers' bytes come through. Each takes anything, and answers or refuses in one sentence; any other
exception, or minutes of work, is a fault."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import cv2

from calibration.camera import CalibrationError, camera_from_json
from calibration.drop_profile import profile_from_json
from calibration.hustle_profile import hustle_profile_from_json
from companion.errors import CompanionError
from companion.games import GAMES
from companion.games.dungeon_drop.answers import advice_answer, check_answer, rooms_answer
from companion.games.dungeon_drop.scoring import score_answer
from companion.games.dungeon_hustle.answers import answer_monsters, answer_runs
from companion.games.dungeon_hustle.scoring import answer_score
from companion.jsonl import answers, objects, parsed
from companion.record import parse_record, position
from companion.taps import drop_taps_from_json, hustle_taps_from_json
from vision.live.frames import Frame
from vision.live.mjpeg import parts
from vision.photo import load_photo
from web.readings import reading_from_json

REFUSED: Final = (CompanionError, CalibrationError)


def image(data: bytes) -> None:
    """A photo's file, and the same bytes as a live frame."""
    for door in (lambda: load_photo(data), lambda: Frame(1, 0.0, encoded=data).grey()):
        try:
            door()
        except REFUSED as problem:
            one_sentence(problem)
        except cv2.error as problem:  # memory is the machine's limit, not a fault of the door
            if "OutOfMemory" not in str(problem) and "Insufficient memory" not in str(problem):
                raise
    list(parts(_Bytes(data), b"b"))


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


DOORS: Final[Mapping[str, Callable[[bytes], None]]] = {"image": image, "json": json_text}
