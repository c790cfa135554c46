"""`companion lens`: what this camera's lens does, once and for all."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.errors import CompanionError, InvalidInput

if TYPE_CHECKING:
    from calibration.card_edges import Image


@click.command()
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO...")
@click.option("--out", metavar="FILE", help="Where to save the lens. Default: under --camera in your data folder.")
@click.option("--camera", default="camera", show_default=True, help="What to call this camera.")
@click.option("--board", metavar="9x6", help="Inner corners of a chessboard. Without: the ChArUco board of the kit.")
@click.option("--json", "as_json", is_flag=True, help="Print the lens as JSON too.")
def lens(photos: tuple[str, ...], out: str | None, camera: str, board: str | None, as_json: bool) -> None:
    """Measures a lens from about ten photos of a printed board, taken from different sides."""
    from calibration.lens import fit_lens
    from calibration.saved import lens_file, save_lens
    from companion.cli.reading import plain_words

    with plain_words():
        corners = None if board is None else inner_corners(board)
        path = Path(out) if out else lens_file(camera)
        fit = fit_lens(pictures(photos), corners)
        try:
            save_lens(fit.camera, path)
        except OSError as problem:
            raise InvalidInput(f"{path}: cannot be written ({problem.strerror}); choose another place") from None
    for name, why in fit.left_out:
        click.echo(f"companion: {name} is left out: {why}", err=True)
    if as_json:
        click.echo(json.dumps(fit.camera.as_json() | {"rms_px": round(fit.rms_px, 4), "photos": len(fit.used)}))
    else:
        click.echo(f"The lens is known from {len(fit.used)} photos; {fit.in_words}. Saved as {path}.")


def inner_corners(text: str) -> tuple[int, int]:
    """
    >>> inner_corners("9x6")
    (9, 6)
    """
    match = re.fullmatch(r"(\d{1,2})[xX](\d{1,2})", text)
    if match is None or min(int(match[1]), int(match[2])) < 3:
        raise InvalidInput("--board needs the numbers of inner corners, at least 3 each, such as 9x6")
    return int(match[1]), int(match[2])


def pictures(photos: tuple[str, ...]) -> Iterator[tuple[str, Image]]:
    """Name and picture of each photo; one that cannot be opened is said and passed over."""
    from vision.photo import load_photo

    with click.progressbar(photos, file=sys.stderr, hidden=len(photos) < 2 or not sys.stderr.isatty()) as names:
        for name in names:
            try:
                yield Path(name).name, load_photo(name).bgr
            except CompanionError as problem:
                click.echo(f"companion: {name}: {problem}", err=True)
