"""`companion print`: the kit to print and cut out."""

from __future__ import annotations

from pathlib import Path

import click

from companion.errors import InvalidInput


@click.command("print")
@click.option("--out", required=True, metavar="FILE", help="The PDF to write.")
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True)
def print_kit(out: str, paper: str) -> None:
    """Writes marker cards, a board for the lens and a ruler at true size as a PDF."""
    from calibration.kit import kit_pdf

    try:
        Path(out).write_bytes(kit_pdf(paper))
    except OSError as problem:
        raise InvalidInput(f"{out}: cannot be written ({problem.strerror}); choose another place") from None
    click.echo(f"{out}: print it at 100 % and check the ruler", err=True)
