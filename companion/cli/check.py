"""`companion check`: light, glare, focus, cards and resolution of a photo or a camera, and what to do about each."""

from __future__ import annotations

import json
from typing import Any

import click

from companion.errors import InvalidInput

MARKS = {"good": "✓", "fair": "~", "bad": "✗"}


@click.command("check")
@click.argument("photo", required=False)
@click.option(
    "--camera", help="A webcam's number or name, an rtsp:// or http:// address, a film: its next frame is checked."
)
@click.option("--against", metavar="PHOTO", help="An earlier photo: was the camera or a card bumped since?")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def check(photo: str | None, camera: str | None, against: str | None, as_json: bool) -> None:
    """Before play: will PHOTO, or what --camera sees, be read well? Exit code 1 where something must be put right."""
    from vision.check import Grade, check_photo, check_still

    if (photo is None) == (camera is None):
        raise InvalidInput("name either a photo or a --camera to check")
    seen = _photo(photo) if photo is not None else _frame(str(camera))
    findings = check_photo(seen)
    if against is not None:
        findings += (check_still(seen, _photo(against)),)
    if as_json:
        told = {"photo": photo or camera, "findings": [finding.as_json() for finding in findings]}
        click.echo(json.dumps(told))
    else:
        for finding in findings:
            click.echo(f"{MARKS[finding.grade.value]} {finding.code:<10} {finding.message}")
    if any(finding.grade is Grade.BAD for finding in findings):
        raise click.exceptions.Exit(1)


def _photo(name: str) -> Any:
    from vision.photo import UnreadablePhoto, load_photo

    try:
        return load_photo(name).bgr
    except UnreadablePhoto as problem:
        raise InvalidInput(f"{name}: {problem}") from None


def _frame(spec: str) -> Any:
    from vision.live.cameras import open_source

    source = open_source(spec, paced=False, follow=False)
    try:
        frame = None
        for _ in range(5 if source.live else 1):  # a webcam's first frames are dark: its exposure is still settling
            frame = source.frame() or frame
    finally:
        source.close()
    if frame is None:
        raise InvalidInput(f"{spec}: no picture comes from there; check the cable, the address or the file")
    return frame.image()
