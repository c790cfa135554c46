"""The axe rules on every page, light and dark, at phone size; and how much a first visit loads."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Response

from tests.web.browser import demo, person

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.xdist_group("browser")]

FIRST_VISIT_BYTES = 300_000


def complaints(page: Page) -> list[str]:
    found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]})
    return [
        f"{page.url} {rule['id']}: {node['target']} {node.get('failureSummary', '')[:160]}"
        for rule in found.response["violations"]
        for node in rule["nodes"]
    ]


def with_a_quest(page: Page) -> list[str]:
    """The form for a hero and the one for a quest, open and filled in."""
    page.get_by_role("tab", name="Heroes").click()
    page.get_by_label("Name").fill("Anna")
    wrong = complaints(page)
    page.get_by_role("button", name="Join", exact=True).click()
    page.get_by_role("button", name="Enter quest", exact=True).first.click()
    page.get_by_label("Each blue gem").fill("7")
    wrong += complaints(page)
    page.get_by_role("button", name="Keep it secret", exact=True).click()
    page.get_by_role("button", name="My quest", exact=True).click()
    return wrong + complaints(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_any_page(browser: Browser, address: str, scheme: str) -> None:
    context = person(browser, address, "phone", scheme)
    page = context.new_page()
    page.goto("/")
    wrong = complaints(page)
    demo(page, "table")
    page.wait_for_selector(".roomlist button")
    wrong += complaints(page)
    page.locator(".roomlist button").first.click()
    page.wait_for_selector("figure.closeup")
    wrong += complaints(page)
    table = page.url
    for tab in ("Heroes", "Correct", "More"):
        page.get_by_role("tab", name=tab).click()
        wrong += complaints(page)
    wrong += with_a_quest(page)
    for place in ("history", "score", "screen", "teach", "live"):
        page.goto(f"{table}/{place}")
        page.wait_for_load_state("networkidle") if place == "teach" else page.wait_for_timeout(300)
        wrong += complaints(page)
    demo(page, "board")
    page.get_by_role("button", name="mage", exact=True).first.click()
    wrong += complaints(page)
    page.get_by_role("tab", name="Monsters").click()
    page.wait_for_selector(".moves li")
    wrong += complaints(page)
    page.get_by_role("tab", name="Heroes").click()
    wrong += complaints(page)
    context.close()
    assert not wrong, "\n".join(wrong)


def test_a_first_visit_is_light(browser: Browser, address: str) -> None:
    context = person(browser, address, "phone")
    page = context.new_page()
    loaded: dict[str, int] = {}

    def weigh(response: Response) -> None:
        if response.request.resource_type != "eventsource" and not response.url.endswith(".jpg") and response.ok:
            loaded[response.url] = len(response.body())

    page.on("requestfinished", lambda request: weigh(answer) if (answer := request.response()) else None)
    demo(page, "table")
    page.wait_for_selector(".roomlist button")
    context.close()
    assert 20_000 < sum(loaded.values()) < FIRST_VISIT_BYTES
