"""`companion bench`: the readers measured on photos that nothing was tuned on."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Final

import click

from companion.errors import CompanionError, InvalidInput

PROJECT: Final = Path(__file__).parents[2]


@click.command()
@click.option("--json", "as_json", is_flag=True, help="All numbers as one JSON object.")
@click.option("--quick", is_flag=True, help="Two photos of each kind.")
@click.option(
    "--photos", metavar="DIR", help="Labelled photos of your own. Default: ../shared/photos, else the demo's."
)
@click.option("--taps", multiple=True, metavar="TAPS.json", help="Teach from these before reading --photos.")
@click.option("--faults", "show_faults", is_flag=True, help="Every fault in a line of its own, on standard error.")
def bench(as_json: bool, quick: bool, photos: str | None, taps: tuple[str, ...], show_faults: bool) -> None:
    """Accuracy, rooms, honesty of confidence, speed by stage and memory, in one table."""
    sys.path.insert(0, str(PROJECT))  # an installed command does not see the tests beside it
    try:
        from tests.benchmarks.readers import faults, measured, peak_memory_mb, summary, table
        from tests.benchmarks.truth import folder_suite, suites
    except ImportError:
        raise InvalidInput("the benchmark lives in the project's tests: run it in the project's folder") from None
    from calibration.camera import CalibrationError

    chosen = folder_suite(Path(photos), tuple(map(Path, taps))) if photos else suites(quick)
    if not chosen:
        raise InvalidInput(f"{photos}: there are no labelled photos in it")
    summaries = []
    total = sum(len(suite.photos) for suite in chosen)
    failed = False
    with click.progressbar(length=total, file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        for suite in chosen:
            try:
                result = measured(suite, lambda: bar.update(1))
            except (CompanionError, CalibrationError) as problem:  # the other suites still tell something
                failed = True
                click.echo(f"companion: {suite.name}: {problem}", err=True)
                continue
            summaries.append(summary(result))
            for line in faults(result) if show_faults else ():
                click.echo(line, err=True)
    memory_mb = peak_memory_mb()
    if as_json:
        click.echo(json.dumps({"suites": summaries, "peak_memory_mb": round(memory_mb, 1)}))
    else:
        click.echo(table(summaries, memory_mb))
    if failed:
        raise click.exceptions.Exit(1)
