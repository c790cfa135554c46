"""Coverage-guided fuzzing of a door: `python -m tests.fuzz.run image|pixels|json [--minutes 10]` (the `fuzz` extra).

Starts from the kept corpus; what it finds goes to a folder of its own and is looked at before any of it is kept.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["companion", "vision", "calibration", "web", "json"]):
    from tests.fuzz.entrances import DOORS

CORPUS = Path(__file__).parent / "corpus"


def main() -> None:
    door = sys.argv[1]
    minutes = float(sys.argv[sys.argv.index("--minutes") + 1]) if "--minutes" in sys.argv else 10.0
    found = tempfile.mkdtemp(prefix=f"fuzz-{door}-")
    options = [f"-max_total_time={round(minutes * 60)}", "-timeout=20", "-rss_limit_mb=3000", "-max_len=60000"]
    atheris.Setup([sys.argv[0], *options, f"-artifact_prefix={found}/", found, str(CORPUS / door)], DOORS[door])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
