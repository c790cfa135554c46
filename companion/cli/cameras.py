"""`companion cameras`: what is plugged in, and what else can be named."""

from __future__ import annotations

import json

import click


@click.command("cameras")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def cameras(as_json: bool) -> None:
    """List the webcams of this machine: number and name, either of which `serve --camera` takes."""
    from vision.live.cameras import list_cameras

    found = list_cameras()
    for camera in found:
        click.echo(json.dumps({"number": camera.number, "name": camera.name}) if as_json else str(camera))
    if not found and not as_json:
        click.echo(
            "No webcam is plugged in. A phone works as a camera too: open the page on it"
            " (`companion serve --lan --https`), or name its address, as rtsp://… or http://…"
        )
