"""Live updates over the real server: within a second, and a phone that was away catches up."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from flask import Flask

from tests.web.conftest import Table
from web import Config, Limits
from web.server import certificate_files, make_server


@pytest.fixture
def port(app: Flask, config: Config) -> Iterator[int]:
    server = make_server(app, config, "127.0.0.1", 0)
    server.prepare()
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    yield server.bind_addr[1]
    server.stop()
    thread.join(timeout=10)


def told(connection: http.client.HTTPConnection, path: str, **headers: str) -> Iterator[tuple[str, object]]:
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    assert response.headers["Content-Type"].startswith("text/event-stream")
    name = ""
    for line in response:
        text = line.decode().strip("\n")
        if text.startswith("event: "):
            name = text[7:]
        elif text.startswith("data: "):
            yield name, json.loads(text[6:])


def test_a_change_is_told_within_a_second_and_missed_ones_at_once(port: int, drop: Table) -> None:
    seq = drop.state()["seq"]
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as phone:
        news = (data for name, data in told(phone, f"/games/{drop.id}/stream?after={seq}") if name == "changed")
        threading.Timer(0.3, lambda: drop.fix(op="delete", piece="p01")).start()
        start = time.monotonic()
        assert next(news) == {"seq": seq + 1}
        assert time.monotonic() - start < 1.3
    drop.fix(op="delete", piece="p02")
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as phone:
        headers = {"Last-Event-ID": str(seq + 1)}
        news = (data for name, data in told(phone, f"/games/{drop.id}/stream", **headers) if name == "changed")
        assert next(news) == {"seq": seq + 2}


def test_one_phone_too_many_is_asked_to_come_again(app: Flask, drop: Table) -> None:
    bus = app.extensions["companion"].bus
    with ExitStack() as many:
        for _ in range(Limits().streams):
            assert many.enter_context(bus.listening(Limits().streams))
        answer = drop.client.get(f"/games/{drop.id}/stream")
        assert answer.data == b"retry: 15000\n\n"
    with bus.listening(1) as free:
        assert free


def test_the_certificate_is_made_once_and_anew_for_a_new_name(tmp_path: Path) -> None:
    names = ("127.0.0.1", "localhost")
    certificate, key = certificate_files(tmp_path, names)
    first = certificate.read_bytes()
    assert certificate_files(tmp_path, names)[0].read_bytes() == first
    assert key.stat().st_mode & 0o077 == 0
    assert certificate_files(tmp_path, (*names, "table.local"))[0].read_bytes() != first
