"""A route that the README does not name fails here; so does one that the README invents."""

from __future__ import annotations

import re
from pathlib import Path

from flask import Flask

README = Path(__file__).parents[2] / "web" / "README.md"


def routes(app: Flask) -> set[str]:
    return {re.sub(r"<\w+:", "<", rule.rule) for rule in app.url_map.iter_rules() if "static" not in rule.rule}


def documented() -> set[str]:
    cells = re.findall(r"^\| (`.*?) \|", README.read_text(), flags=re.MULTILINE)
    return {path for cell in cells for path in re.findall(r"`(?:GET|POST) ([^`?]*)`", cell)}


def test_every_request_is_documented(app: Flask) -> None:
    assert {route for route in routes(app) if "/live" not in route} - documented() == set()


def test_nothing_is_documented_that_is_not_there(app: Flask) -> None:
    assert documented() - routes(app) == set()
