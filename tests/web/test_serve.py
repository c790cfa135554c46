"""`companion serve` as people start it: the address it prints, the PIN, TLS, and goodbye."""

from __future__ import annotations

import json
import os
import re
import signal
import ssl
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-c", "from companion.cli import main; main()", "serve", "--port", "0"]


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    database = f"sqlite:///{folder / 'games.sqlite3'}"
    home = {**os.environ, "XDG_DATA_HOME": str(folder), "HOME": str(folder)}
    command = [*COMMAND, *options, "--database", database]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=home) as process:
        assert process.stdout is not None
        said = ""
        for line in process.stdout:
            said += line
            if "Ctrl-C" in line:
                break
        address = re.search(r"https?://localhost:\d+", said)
        assert address is not None, said
        yield process, address.group(), said
        process.kill()


def test_it_serves_this_machine_and_says_so(tmp_path: Path) -> None:
    with serving(tmp_path) as (process, address, said):
        assert "Only this machine is served" in said
        with urllib.request.urlopen(f"{address}/index.json") as answer:
            assert [game["name"] for game in json.load(answer)["games"]] == ["dungeon-drop", "dungeon-hustle"]
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 0


def test_lan_and_https_print_a_pin_and_make_a_certificate(tmp_path: Path) -> None:
    with serving(tmp_path, "--lan", "--https") as (_, address, said):
        pin = re.search(r"PIN (\d{6})", said)
        assert pin is not None and address.startswith("https://")
        trusting = ssl.create_default_context(cafile=str(next(tmp_path.rglob("certificate.pem"))))
        with urllib.request.urlopen(f"{address}/index.json", context=trusting) as answer:
            assert json.load(answer)["join"].endswith(f"/join?pin={pin.group(1)}")
        asked = urllib.request.Request(f"{address}/games", b'{"game": "dungeon-drop"}', {"Origin": address})
        asked.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(asked, context=trusting) as answer:
            assert answer.status == 201 and "Secure" in answer.headers["Set-Cookie"]


@pytest.mark.parametrize("database", ["nonsense://here", "sqlite:////no/such/folder/games.sqlite3"])
def test_a_database_that_cannot_be_opened_is_one_sentence(database: str) -> None:
    done = subprocess.run([*COMMAND, "--database", database], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("companion: the database") and done.stderr.count("\n") == 1
