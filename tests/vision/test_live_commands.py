"""`companion merge`, `companion watch` and `companion cameras`, with the real readers."""

from __future__ import annotations

import json
import os
import shutil
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli.cameras import cameras
from companion.cli.merging import merge
from companion.cli.watching import watch
from companion.errors import InvalidInput

DEMO = Path(__file__).parents[2] / "web" / "demo" / "drop"


def test_the_same_photo_twice_merges_with_itself() -> None:
    photo = str(DEMO / "table-1.jpg")
    run = CliRunner().invoke(merge, [photo, photo, "--json"])
    assert run.exit_code == 0, run.output
    reading = json.loads(run.output)
    assert len(reading["pieces"]) > 40


def test_one_photo_is_not_enough_to_merge() -> None:
    with pytest.raises(InvalidInput, match="two photos"):
        CliRunner().invoke(merge, ["one.jpg"], catch_exceptions=False)


def test_a_folder_is_watched_photo_by_photo(tmp_path: Path) -> None:
    old = time.time() - 10
    for number in (1, 2):
        shutil.copy(DEMO / "table-1.jpg", tmp_path / f"{number}.jpg")
        os.utime(tmp_path / f"{number}.jpg", (old, old))
    run = CliRunner().invoke(watch, ["dungeon-drop", str(tmp_path), "--once", "--json"])
    lines = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    assert [line["photo"] for line in lines] == ["1.jpg", "2.jpg"]
    assert lines[1]["change"] == {"added": [], "removed": [], "moved": [], "overlooked": []}
    assert [piece["id"] for piece in lines[0]["pieces"]] == [piece["id"] for piece in lines[1]["pieces"]]


def test_cameras_are_listed_or_their_absence_explained() -> None:
    run = CliRunner().invoke(cameras, [])
    assert run.exit_code == 0 and run.output
