"""`companion merge`: two or more photos of one table, from different sides, read as one."""

from __future__ import annotations

import json
from functools import reduce

import click

from companion.errors import InvalidInput
from companion.readings import DropReading


@click.command("merge")
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO PHOTO...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, as `companion read` prints it.")
@click.option("--profile", metavar="FILE", help="What `companion teach` learned of your copy.")
def merge(photos: tuple[str, ...], as_json: bool, profile: str | None) -> None:
    """Reads photos of one Dungeon Drop table from two sides or more as one: cubes hidden in one are seen in another,
    and places become more exact. Pixels are those of the first."""
    from companion.cli.readers import reader
    from companion.cli.reading import Wishes
    from vision.merge import merged

    if len(photos) < 2:
        raise InvalidInput("two photos are needed, of the same table from two sides")
    readings = list(map(reader(Wishes("dungeon-drop", profile)), photos))
    together = reduce(merged, [reading for reading in readings if isinstance(reading, DropReading)])
    if as_json:
        click.echo(json.dumps(together.as_json()))
    else:
        counts = ", ".join(str(len(reading.pieces)) for reading in readings if isinstance(reading, DropReading))
        error = "unknown" if together.error_mm is None else f"{together.error_mm:.2f} mm"
        click.echo(
            f"{len(together.pieces)} pieces from {len(photos)} photos ({counts} in each); position error {error}"
        )
        for problem in together.problems:
            click.echo(f"! {problem.message}")
    if not together.pieces or any(problem.code == "other-table" for problem in together.problems):
        raise click.exceptions.Exit(1)
