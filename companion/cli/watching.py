"""`companion watch`: a camera, film or folder watched without a page; one line for each settled reading."""

from __future__ import annotations

import json
from typing import Any

import click

from companion.readings import DropReading, HustleReading


@click.command("watch")
@click.argument("game", type=click.Choice(["dungeon-drop", "dungeon-hustle"]))
@click.argument("source")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line: the reading, and what changed.")
@click.option("--once", is_flag=True, help="End with the film, or with the photos that are there now.")
def watch(game: str, source: str, as_json: bool, once: bool) -> None:
    """Watches SOURCE: a webcam's number or name, rtsp://… or http://…, a film, or a folder that photos come into."""
    from vision.live.cameras import open_source
    from vision.live.feed import Feed, Health
    from vision.live.table import LiveTable

    feed = Feed(lambda: open_source(source, paced=not once, follow=not once)).start()
    live = LiveTable(_reader(game), on_state=lambda state: click.echo(f"{state.value}…", err=True))
    try:
        while True:
            frame = feed.take(0.5)
            if frame is not None and (settled := live.step(frame)) is not None:
                change = _change(settled.change)
                told = settled.reading.as_json() | {"change": change, "bumped": settled.bumped}
                click.echo(json.dumps(told) if as_json else _words(settled.reading, change))
            elif frame is None and feed.health is Health.ENDED:
                return
            elif feed.complaint and feed.health is Health.SILENT:
                click.echo(f"companion: {feed.complaint}", err=True)
    finally:
        feed.stop()


def _reader(game: str) -> Any:
    from vision.live.frames import Frame
    from vision.photo import Photo

    def read(frame: Frame) -> DropReading | HustleReading:
        photo = Photo(frame.name, frame.image())
        if game == "dungeon-drop":
            from vision.drop import read_table

            return read_table(photo)
        from calibration.hustle_profile import default_hustle_profile
        from vision.hustle import read_board

        return read_board(photo, default_hustle_profile())

    return read


def _change(change: Any) -> dict[str, Any]:
    from vision.live.boards import BoardChange

    if isinstance(change, BoardChange):
        return {
            "cells": [[before.as_json(), now.as_json()] for before, now in change.cells],
            "revealed": change.revealed,
        }
    return {
        "added": [piece.id for piece in change.added],
        "removed": [piece.id for piece in change.removed],
        "moved": [before.id for before, _ in change.moved],
        "overlooked": [piece.id for piece in change.found],
    }


def _words(reading: DropReading | HustleReading, change: dict[str, Any]) -> str:
    if isinstance(reading, HustleReading):
        return f"{len(reading.cells)} cards, {len(change['cells'])} changed"
    return f"{len(reading.pieces)} pieces, {len(change['added'])} new, {len(change['removed'])} gone"
