"""The kept corpus as ordinary tests: every file that once taught the fuzzer something, or once broke a door."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.entrances import DOORS

CORPUS = Path(__file__).parent / "corpus"
FILES = sorted(path for door in DOORS for path in (CORPUS / door).iterdir())


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_kept_input_is_answered_or_refused(path: Path) -> None:
    DOORS[path.parent.name](path.read_bytes())


def test_the_corpus_is_there_and_small() -> None:
    assert len(FILES) >= 30
    assert sum(path.stat().st_size for path in FILES) < 300_000
