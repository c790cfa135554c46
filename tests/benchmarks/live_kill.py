"""Ten `kill -9` at random moments of play: `python -m tests.benchmarks.live_kill [--kills 10] [--seed 1]`."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from tests.web.live_kills import survived


@click.command()
@click.option("--kills", default=10)
@click.option("--seed", default=1)
def main(kills: int, seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        kept = survived(Path(folder) / "games.sqlite3", kills, seed, (0.5, 8.0))
    click.echo(
        f"{kills} kills: all {len(kept.entries)} acknowledged entries, {kept.confirmed} confirmed proposals among them,"
        f" and all {len(kept.photos)} photos are there, and the page went on"
    )


if __name__ == "__main__":
    main()
