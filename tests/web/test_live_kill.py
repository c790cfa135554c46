"""kill -9 during play, a few times; tests/benchmarks/live_kill.py does it ten times and more."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.live_kills import survived


@pytest.mark.slow
def test_what_was_acknowledged_survives_kill_9_and_the_page_goes_on(tmp_path: Path) -> None:
    kept = survived(tmp_path / "games.sqlite3", kills=2, seed=5, seconds=(2.5, 5.0))
    assert len(kept.entries) > 2
    assert kept.photos
