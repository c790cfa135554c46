"""`companion bench`: the readers measured on photos that nothing was tuned on."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
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
@click.option(
    "--all", "others", is_flag=True, help="The other benchmarks too: rules, live table, web, as they are here."
)
@click.option("--faults", "show_faults", is_flag=True, help="Every fault in a line of its own, on standard error.")
def bench(
    *, as_json: bool, quick: bool, photos: str | None, taps: tuple[str, ...], others: bool, show_faults: bool
) -> None:
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
    printed = dict(other_benchmarks()) if others else {}
    if as_json:
        click.echo(json.dumps({"suites": summaries, "peak_memory_mb": round(memory_mb, 1), "others": printed}))
    else:
        click.echo("\n\n".join([table(summaries, memory_mb), *printed.values()]))
    if failed:
        raise click.exceptions.Exit(1)


def other_benchmarks() -> Iterator[tuple[str, str]]:
    """Name and printed output of every other benchmark that can be run by itself, one after the other."""
    for path in sorted((PROJECT / "tests" / "benchmarks").glob("*.py")):
        if '__name__ == "__main__"' in path.read_text(encoding="utf-8"):
            command = [sys.executable, "-m", f"tests.benchmarks.{path.stem}"]
            done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
            yield path.stem, (done.stdout or done.stderr).rstrip()
