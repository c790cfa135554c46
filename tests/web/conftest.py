"""One page for each test: a database of its own, photos read from their labels."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser

from tests.web.browser import chromium, served
from tests.web.labels import read_labels
from web import Config, create_app


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(f"sqlite:///{tmp_path / 'games.sqlite3'}", tmp_path, read=read_labels, read_in="thread")


@pytest.fixture
def app(config: Config) -> Iterator[Flask]:
    app = create_app(config)
    yield app
    app.extensions["companion"].close()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("page")) as found:
        yield found


class Table:
    """A game as a phone sees it."""

    def __init__(self, client: FlaskClient, game_id: str) -> None:
        self.client, self.id = client, game_id

    def state(self) -> dict[str, Any]:
        answer = self.client.get(f"/games/{self.id}.json")
        assert answer.status_code == 200, answer.json
        return dict(answer.json)

    def read(self) -> dict[str, Any]:
        """The state once every photo has been read."""
        for _ in range(400):
            state = self.state()
            if not state["waiting"]:
                return state
            time.sleep(0.02)
        raise AssertionError("the photo was never read")

    def get(self, path: str, status: int = 200) -> Any:
        answer = self.client.get(f"/games/{self.id}/{path}")
        assert answer.status_code == status, answer.json
        return answer.json

    def post(self, path: str, data: dict[str, Any] | None = None, status: int | None = None) -> Any:
        answer = self.client.post(f"/games/{self.id}/{path}", json=data or {})
        assert answer.status_code == status if status else answer.status_code < 300, answer.json
        return answer.json

    def fix(self, status: int = 201, **change: Any) -> Any:
        return self.post("fixes", {"photo": self.state()["table"]["photo"]["id"], **change}, status)

    def piece(self, name: str) -> dict[str, Any] | None:
        return next((piece for piece in self.state()["table"]["pieces"] if piece["id"] == name), None)


@pytest.fixture
def drop(client: FlaskClient) -> Table:
    table = Table(client, client.post("/demo/dungeon-drop").json["id"])
    table.read()
    return table


@pytest.fixture
def hustle(client: FlaskClient) -> Table:
    table = Table(client, client.post("/demo/dungeon-hustle").json["id"])
    table.read()
    return table
