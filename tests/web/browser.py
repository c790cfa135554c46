"""A real Chromium and a real server, one of each for all tests of a module. Skips where there is no Chromium."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.web.labels import read_labels
from web import Config, create_app
from web.server import make_server

SIZES = {"phone": (390, 844), "desktop": (1280, 800)}
ARGUMENTS = ["--no-sandbox", "--headless=new", "--disable-background-networking", "--disable-gpu"]
CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)

expect.set_options(timeout=20_000)  # a slow machine is no bug


@contextmanager
def served(folder: Path, read: Callable[..., dict[str, Any]] = read_labels) -> Iterator[str]:
    config = Config(f"sqlite:///{folder / 'games.sqlite3'}", folder, read=read, read_in="thread")
    server = make_server(create_app(config), config, "127.0.0.1", 0)
    server.prepare()
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.bind_addr[1]}"
    server.stop()
    thread.join(timeout=10)


@contextmanager
def chromium(*more: str) -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*ARGUMENTS, *more])
        yield browser
        browser.close()


def person(browser: Browser, address: str, size: str, scheme: str = "light") -> BrowserContext:
    """Somebody with a browser of their own."""
    width, height = SIZES[size]
    context = browser.new_context(
        base_url=address,
        viewport={"width": width, "height": height},
        has_touch=size == "phone",
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
    )
    context.set_default_timeout(15_000)
    return context


def demo(page: Page, what: str) -> None:
    """From the start page to the demo, read: one tap."""
    page.goto("/")
    page.get_by_role("button", name=f"Try a demo {what}").click()
    page.wait_for_selector("[data-piece]" if what == "table" else "[data-spot]")
