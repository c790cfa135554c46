"""`companion read`, `teach`, `print` and `lens` as a person meets them: exit codes, paired lines, plain sentences."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.cli import main

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "web" / "demo"
GAMES = {"dungeon-drop": DEMO / "drop" / "table-1.jpg", "dungeon-hustle": DEMO / "hustle" / "board-1.jpg"}
FOUND = {"dungeon-drop": "pieces", "dungeon-hustle": "cells"}


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Exit code, what was printed and what was complained about."""

    def call(*words: object, stdin: bytes = b"") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["companion", *map(str, words)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as end:
            main()
        out, err = capsys.readouterr()
        return int(end.value.code or 0), out, err

    return call


def lines_of(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


@pytest.fixture(scope="module")
def rotten(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of things that people and other people send."""
    folder = tmp_path_factory.mktemp("rotten")
    good = cv2.imread(str(GAMES["dungeon-drop"]))
    jpeg = GAMES["dungeon-drop"].read_bytes()
    small = good[::4, ::4]
    rng = np.random.default_rng(3)
    pictures = {
        "black.png": np.zeros((600, 800, 3), np.uint8),
        "white.png": np.full((600, 800, 3), 255, np.uint8),
        "noise.png": rng.integers(0, 256, (600, 800, 3), np.uint8),
        "wood.jpg": cv2.GaussianBlur(rng.integers(90, 160, (600, 800, 3), np.uint8), (0, 0), 3),
        "one-pixel.png": np.full((1, 1, 3), 90, np.uint8),
        "strip.png": np.full((2, 3000, 3), 90, np.uint8),
        "blurred.jpg": cv2.GaussianBlur(good, (0, 0), 25),
        "tiny.png": small[::8, ::8],
    }
    for name, picture in pictures.items():
        cv2.imwrite(str(folder / name), picture)
    bomb = bytearray(cv2.imencode(".png", small)[1].tobytes())
    bomb[16:24] = (20_000).to_bytes(4, "big") + (10_000).to_bytes(4, "big")
    files = {
        "bomb.png": bytes(bomb), "cut.jpg": jpeg[: len(jpeg) // 2], "empty.jpg": b"", "text.jpg": b"not a photo at all",
        "heic.heic": b"\0\0\0\x18ftypheic" + b"\0" * 400, "zeros.jpg": b"\0" * 4096,
    }  # fmt: skip
    for name, body in files.items():
        (folder / name).write_bytes(body)
    return folder


@pytest.mark.parametrize("game", GAMES)
def test_a_good_photo_is_read(run: Any, game: str) -> None:
    code, out, err = run("read", game, GAMES[game], "--json")
    (reading,) = lines_of(out)
    assert (code, err) == (0, "")
    assert reading["game"] == game
    assert reading["photo"] == GAMES[game].name
    assert {"decode", "read"} <= set(reading["timings_ms"])
    label = json.loads(GAMES[game].with_suffix(".json").read_text())
    expected = len(label["cubes"]) if game == "dungeon-drop" else 36
    assert abs(len(reading[FOUND[game]]) - expected) <= 3
    words = run("read", game, GAMES[game])[1]
    assert words.startswith(f"{GAMES[game].name}: ")


@pytest.mark.parametrize("game", GAMES)
def test_rotten_photos_pair_up_and_never_crash(run: Any, game: str, rotten: Path) -> None:
    photos = [*sorted(rotten.iterdir()), rotten, rotten / "not-there.jpg"]
    code, out, err = run("read", game, *photos, "--json")
    readings = lines_of(out)
    assert code == 1
    assert [reading["photo"] for reading in readings] == [photo.name for photo in photos]
    for reading in readings:
        assert reading["problems"], reading["photo"]
        assert all("\n" not in problem["message"] for problem in reading["problems"])
        assert len(reading[FOUND[game]]) <= (3 if game == "dungeon-drop" else 36)
        if not reading[FOUND[game]]:
            assert reading["photo"] in err
    assert "Traceback" not in err


def test_one_bad_photo_does_not_stop_the_others(run: Any, rotten: Path) -> None:
    code, out, err = run("read", "dungeon-drop", rotten / "cut.jpg", GAMES["dungeon-drop"], "--json")
    bad, good = lines_of(out)
    assert code == 1
    assert bad["pieces"] == []
    assert bad["problems"][0]["code"] == "unreadable"
    assert len(good["pieces"]) > 40
    assert err.count("\n") == 1


@pytest.mark.parametrize("game", GAMES)
def test_a_photo_of_the_other_game_says_so(run: Any, game: str) -> None:
    other = next(photo for name, photo in GAMES.items() if name != game)
    code, out, _ = run("read", game, other, "--json")
    (reading,) = lines_of(out)
    assert code == 1
    assert reading[FOUND[game]] == []
    assert [problem["code"] for problem in reading["problems"]] == ["other-game"]


def test_standard_input_is_a_photo_too(run: Any) -> None:
    code, out, _ = run("read", "dungeon-drop", "-", "--json", stdin=b"nonsense")
    assert code == 1
    assert lines_of(out)[0]["photo"] == "-"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--profile", "no-such.json"], "no-such.json"),
        (["--lens", "no-such"], "no such lens"),
        (["--corners", "1,2,3"], "eight numbers"),
        (["--corners", "1,2,3,4,5,6,7,8"], "go together"),
        (["--size", "a4"], "297x210"),
        (["--before", "x.json"], "leave it out"),
    ],
)
def test_wrong_wishes_are_bad_usage(run: Any, words: list[str], complaint: str) -> None:
    code, out, err = run("read", "dungeon-drop", GAMES["dungeon-drop"], "--json", *words)
    assert (code, out) == (2, "")
    assert complaint in err
    assert err.count("\n") == 1


def test_a_rectangle_on_the_table_stands_in_for_the_cards(run: Any) -> None:
    """The demo table's own marker cards, given by hand as corners of one square."""
    label = json.loads(GAMES["dungeon-drop"].with_suffix(".json").read_text())
    quads = {marker["id"]: np.array(marker["corners_px"]) for marker in label["markers"]}
    assert quads, "the demo's first table has marker cards"
    corners = ",".join(f"{value:.2f}" for value in quads[min(quads)].ravel())
    code, out, _ = run("read", "dungeon-drop", GAMES["dungeon-drop"], "--json", "--corners", corners, "--size", "30x30")
    (reading,) = lines_of(out)
    assert code == 0
    assert reading["scale_from"] == "corners"
    assert len(reading["pieces"]) > 30


HEAD = '{"game": "dungeon-drop", "photo": "no.jpg", "cubes": ['


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("", "no JSON object"),
        ("[]", "JSON object"),
        ('{"game": "dungeon-hustle"}', "not for"),
        ('{"game": "dungeon-drop", "photo": 3}', "photo"),
        (HEAD + "]}", "at least one cube"),
        (HEAD + '{"type": "cat"}]}', "unknown type"),
        (HEAD + '{"type": "gold", "size": "S", "center_px": [1]}]}', "two numbers"),
        (HEAD + '{"type": "gold", "size": "S", "center_px": [1, 2]}]}', "no.jpg"),
    ],
)
def test_bad_taps_name_the_file_and_write_nothing(run: Any, tmp_path: Path, body: str, complaint: str) -> None:
    taps, profile = tmp_path / "taps.json", tmp_path / "profile.json"
    taps.write_text(body)
    code, _, err = run("teach", "dungeon-drop", taps, "--out", profile)
    assert code == 2
    assert str(taps) in err
    assert complaint in err
    assert not profile.exists()


def test_a_tap_outside_the_photo_is_refused(run: Any, tmp_path: Path) -> None:
    taps = tmp_path / "taps.json"
    cube = {"type": "gold", "size": "S", "center_px": [99_999, 5]}
    taps.write_text(json.dumps({"game": "dungeon-drop", "photo": str(GAMES["dungeon-drop"]), "cubes": [cube]}))
    code, _, err = run("teach", "dungeon-drop", taps, "--out", tmp_path / "profile.json")
    assert code == 2
    assert "outside" in err


@pytest.mark.parametrize(("game", "folder"), [("dungeon-drop", "drop"), ("dungeon-hustle", "hustle")])
def test_teaching_and_reading_with_what_was_taught(run: Any, tmp_path: Path, game: str, folder: str) -> None:
    taps = sorted((DEMO / folder).glob("teach-*.taps.json"))
    profile = tmp_path / "profile.json"
    code, _, err = run("teach", game, *taps, "--out", profile)
    assert code == 0, err
    code, out, _ = run("read", game, GAMES[game], "--json", "--profile", profile)
    assert code == 0
    assert len(lines_of(out)[0][FOUND[game]]) >= 36
    other = next(name for name in GAMES if name != game)
    assert run("read", other, GAMES[other], "--json", "--profile", profile)[0] == 2


def test_the_kit_is_written_or_the_reason_given(run: Any, tmp_path: Path) -> None:
    assert run("print", "--out", tmp_path / "kit.pdf", "--paper", "letter")[0] == 0
    assert (tmp_path / "kit.pdf").read_bytes().startswith(b"%PDF")
    code, _, err = run("print", "--out", tmp_path / "no" / "kit.pdf")
    assert code == 2
    assert "cannot be written" in err


def test_a_lens_needs_photos_of_the_board(run: Any, tmp_path: Path, rotten: Path) -> None:
    code, _, err = run(
        "lens", rotten / "noise.png", rotten / "text.jpg", "--board", "9x6", "--out", tmp_path / "lens.json"
    )
    assert code == 2
    assert "found in 0 photos and 4 are needed" in err
    assert not (tmp_path / "lens.json").exists()
    assert run("lens", rotten / "noise.png", "--board", "nine")[0] == 2
