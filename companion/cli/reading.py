"""`companion read` and `companion teach`: photos in, JSON Lines or words out."""

from __future__ import annotations

import contextlib
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from companion.errors import CompanionError, InvalidInput
from companion.readings import DropReading, HustleReading

Reading = DropReading | HustleReading
GAMES = click.Choice(["dungeon-drop", "dungeon-hustle"])


@dataclass(frozen=True)
class Wishes:
    """What the command line asked for besides the photos."""

    game: str
    profile: str | None = None
    explain: str | None = None
    lens: str | None = None
    corners: str | None = None
    size: str | None = None
    before: str | None = None


@click.command()
@click.argument("game", type=GAMES)
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line for each photo, in order.")
@click.option("--profile", metavar="FILE", help="What `companion teach` learned of your copy.")
@click.option("--lens", metavar="FILE", help="What `companion lens` found: a file, or the camera's name.")
@click.option("--explain", metavar="DIR", help="Write every stage of the reading there as pictures.")
@click.option(
    "--corners", metavar="X,Y,...",
    help="Four corners in pixels, far left first, clockwise: of the 7 by 7 board, or of a rectangle of --size.",
)  # fmt: skip
@click.option("--size", metavar="WxD", help="Width and depth in mm of the rectangle whose --corners are given.")
@click.option("--before", metavar="FILE", help="An earlier reading of this board: hidden cards keep what it knew.")
def read(photos: tuple[str, ...], as_json: bool, **wishes: Any) -> None:
    """Reads photos of a table: what lies where, and how sure that is. A PHOTO of - is standard input."""
    from companion.cli.readers import reader

    with plain_words():
        read_one = reader(Wishes(**wishes))
    failed = False
    progress = click.progressbar(photos, file=sys.stderr, hidden=len(photos) < 2 or not sys.stderr.isatty())
    with progress as names:
        for name in names:
            reading = read_one(name)
            failed |= unread(reading)
            if unread(reading):
                click.echo(f"companion: {name}: {reading.problems[0].message}", err=True)
            click.echo(json.dumps(reading.as_json()) if as_json else in_words(reading))
    if failed:
        raise click.exceptions.Exit(1)


@click.command()
@click.argument("game", type=GAMES)
@click.argument("taps", nargs=-1, required=True, metavar="TAPS.json...")
@click.option("--out", required=True, metavar="PROFILE", help="Where to write what was learned.")
def teach(game: str, taps: tuple[str, ...], out: str) -> None:
    """Learns your copy's pieces from photos on which you have named them."""
    from companion.cli.readers import learned

    with plain_words():
        profile = learned(game, taps)
    write_whole(Path(out), json.dumps(profile) + "\n")
    click.echo(f"{out}: learned from {len(taps)} photo{'s' * (len(taps) > 1)}; read with --profile {out}", err=True)


@contextlib.contextmanager
def plain_words() -> Iterator[None]:
    """What calibration complains about is something that a person can put right, like all that the companion says."""
    from calibration.camera import CalibrationError

    try:
        yield
    except CalibrationError as problem:
        raise CompanionError(str(problem)) from None


def unread(reading: Reading) -> bool:
    """Nothing was found and there is a reason: as opposed to an empty table."""
    found = reading.pieces if isinstance(reading, DropReading) else reading.cells
    return not found and bool(reading.problems)


def in_words(reading: Reading) -> str:
    """One line for people."""
    if isinstance(reading, DropReading):
        kinds = Counter(piece.type for piece in reading.pieces)
        text = f"{len(reading.pieces)} pieces"
        if kinds:
            text += f" ({', '.join(f'{count} {kind}' for kind, count in kinds.most_common())})"
        if reading.error_mm is not None:
            text += f", scale from {reading.scale_from}, within {reading.error_mm:.1f} mm"
        doubtful = sum(piece.confidence < 0.9 for piece in reading.pieces)
    else:
        known = sum(cell.card.colour is not None and cell.card.symbol is not None for cell in reading.cells)
        standing = [f"{cell.occupant} at {cell.row},{cell.col}" for cell in reading.cells if cell.occupant]
        text = f"{known} of {len(reading.cells)} cards read"
        text += f"; {', '.join(standing)}" if standing else ""
        doubtful = sum(cell.confidence < 0.9 for cell in reading.cells)
    text += f"; {doubtful} doubtful" if doubtful else ""
    return f"{reading.photo}: {text}" + "".join(f"\n  {problem.message}" for problem in reading.problems)


def write_whole(path: Path, text: str) -> None:
    """Written whole or not at all."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as problem:
        raise InvalidInput(f"{path}: cannot be written ({problem.strerror}); choose another place") from None
