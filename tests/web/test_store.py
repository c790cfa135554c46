"""What was acknowledged is kept: through a pulled plug, and with many writers at once."""

from __future__ import annotations

import hashlib
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from web.store import Store

WRITER = """
import sys
from web.store import Store
store = Store(sys.argv[1])
game = sys.argv[2]
for number in range(100_000):
    entry = store.append(game, "fix", {"number": number, "writer": sys.argv[3]})
    photo = store.add_photo(game, "photo.jpg", "image/jpeg", (1, 1), f"{sys.argv[3]} {number}".encode() * 500)
    print(entry.seq, number, photo.id, flush=True)
"""


@pytest.mark.slow
def test_ten_kills_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'games.sqlite3'}"
    game = Store(url).add_game("dungeon-drop", "killed").id
    generator, promised = random.Random(5), []
    for kill in range(10):
        command = [sys.executable, "-c", WRITER, url, game, f"writer {kill}"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            promised.append((kill, process.stdout.readline()))
            time.sleep(generator.uniform(0.0, 0.15))
            os.kill(process.pid, signal.SIGKILL)
            promised += [(kill, line) for line in process.stdout if line.endswith("\n")]
    store = Store(url)
    kept = {entry.seq: entry.body for entry in store.entries(game)}
    for kill, line in promised:
        seq, number, photo = line.split()
        assert kept[int(seq)] == {"number": int(number), "writer": f"writer {kill}"}
        _, data = store.photo(game, photo)
        assert hashlib.sha256(data).hexdigest()[:40] == photo
    assert sorted(kept) == list(range(1, len(kept) + 1))
    store.close()


def test_many_writers_get_numbers_without_gaps(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'games.sqlite3'}")
    game = store.add_game("dungeon-drop", "busy").id
    threads = [
        threading.Thread(target=lambda n=n: [store.append(game, "fix", {"by": n}) for _ in range(12)]) for n in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [entry.seq for entry in store.entries(game)] == list(range(1, 73))
    store.close()


def test_the_file_is_as_safe_as_sqlite_can_make_it(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'games.sqlite3'}")
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
    store.close()
