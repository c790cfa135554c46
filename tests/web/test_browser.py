"""The eight flows in a real Chromium, at phone and desktop size."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browser import SIZES, demo, person
from tests.web.hustle_games import before_the_card, played_until, rewarded
from tests.web.labels import DEMO, HIDDEN, photo_from
from web.powers import powered_runs

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.xdist_group("browser")]


@pytest.fixture(params=list(SIZES))
def size(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def page(browser: Browser, address: str, size: str) -> Iterator[Page]:
    context = person(browser, address, size)
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda problem: wrong.append(str(problem)))
    page.on("console", lambda message: wrong.append(message.text) if "Content Security" in message.text else None)
    yield page
    context.close()
    assert wrong == []


# Name and middle of the piece that is being corrected, in one go: the drawing may be made anew at any moment.
PICKED = """() => {
  const piece = document.querySelector('[data-piece][aria-pressed="true"]'), box = piece.getBoundingClientRect();
  return [piece.dataset.piece, box.x + box.width / 2, box.y + box.height / 2];
}"""


def state(page: Page) -> dict[str, object]:
    return dict(page.evaluate("fetch(location.pathname + '.json').then((answer) => answer.json())"))


def test_start_from_the_first_page_to_a_verdict_in_four_taps(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    page.get_by_role("button", name="Try a demo table", exact=True).click()  # one
    page.wait_for_selector(".roomlist button")
    room = page.evaluate("fetch(location.pathname + '/rooms.json').then((answer) => answer.json())")["rooms"][0]
    for pillar in room["pillars"]:  # two, three, four
        page.locator(f'[data-piece="{pillar}"]').focus()
        page.keyboard.press("Enter")
    expect(page.locator(".verdict .call")).to_have_text("A legal room")
    expect(page.locator(".verdict .figures .big").first).to_have_text(str(room["points"]))


def test_setting_up_with_a_quest_that_stays_secret(page: Page, browser: Browser, address: str, size: str) -> None:
    page.goto("/")
    page.get_by_role("button", name="New game", exact=True).first.click()
    page.wait_for_selector("#panel[data-key]")
    page.get_by_role("tab", name="Heroes").click()
    for number, name in enumerate(("Anna", "<b>Ben</b>")):
        if number:
            page.get_by_role("button", name="Another hero", exact=True).click()
        page.get_by_label("Name").fill(name)
        page.get_by_role("button", name="Join", exact=True).click()
        expect(page.get_by_text(name)).to_be_visible()
    page.get_by_role("button", name="Enter quest", exact=True).first.click()
    page.get_by_label("Each blue gem").fill("7")
    page.get_by_role("button", name="Keep it secret", exact=True).click()
    expect(page.get_by_role("button", name="My quest", exact=True)).to_be_visible()
    page.get_by_label("Play with teamwork meeples").check()
    page.get_by_role("button", name="Start the game", exact=True).click()
    expect(page.get_by_text("Round 1 of 3")).to_be_visible()
    other = person(browser, address, size)
    friend = other.new_page()
    friend.goto(page.url)
    friend.wait_for_selector("#panel[data-key]")
    friend.get_by_role("tab", name="Heroes").click()
    expect(friend.get_by_text("quest kept secret")).to_be_visible()
    assert "7" not in json.dumps(state(friend)["secrets"])
    expect(friend.get_by_role("button", name="My quest", exact=True)).to_have_count(0)
    other.close()


def test_a_photo_by_the_file_chooser_and_the_table_from_above(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="New game", exact=True).first.click()
    with page.expect_file_chooser() as chosen:
        page.get_by_role("button", name="Take a photo", exact=True).click()
    chosen.value.set_files(DEMO / "drop" / "table-2.jpg")
    page.wait_for_selector("[data-piece]")
    view = page.locator("#view")
    whole = view.get_attribute("viewBox")
    box = view.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.wheel(0, -400)
    page.wait_for_function("before => document.querySelector('#view').getAttribute('viewBox') !== before", arg=whole)
    page.get_by_role("button", name="Show all", exact=True).click()
    assert view.get_attribute("viewBox") == whole
    page.get_by_role("button", name="Photo", exact=True).first.click()
    expect(page.locator("#view image")).to_have_attribute("href", re.compile(r"\.jpg$"))
    assert page.locator(".outline").count() > 30


def test_a_second_photo_from_the_other_side(page: Page, tmp_path: Path) -> None:
    front, back, elsewhere = (tmp_path / name for name in ("front.jpg", "back.jpg", "elsewhere.jpg"))
    front.write_bytes(photo_from(DEMO / "drop" / "table-2.jpg", "front"))
    back.write_bytes(photo_from(DEMO / "drop" / "table-2.jpg", "back"))
    elsewhere.write_bytes(photo_from(DEMO / "drop" / "table-5.jpg", "back"))
    page.goto("/")
    page.get_by_role("button", name="New game", exact=True).first.click()
    with page.expect_file_chooser() as chosen:
        page.get_by_role("button", name="Take a photo", exact=True).click()
    chosen.value.set_files(front)
    offer = page.get_by_role("button", name="Add a photo from the other side", exact=True)
    with page.expect_file_chooser() as chosen:
        offer.click()
    chosen.value.set_files(elsewhere)
    expect(page.locator("#panel")).to_contain_text("does not seem to show the same table")
    before = len(state(page)["table"]["pieces"])  # type: ignore[index]
    with page.expect_file_chooser() as chosen:
        page.get_by_role("button", name="Try once more", exact=True).click()
    chosen.value.set_files(back)
    expect(page.get_by_text("Read from 2 photos. The last one found 3 pieces that hid behind others.")).to_be_visible()
    expect(page.locator("#panel")).not_to_contain_text("same table")
    assert len(state(page)["table"]["pieces"]) == before + HIDDEN  # type: ignore[index]
    page.get_by_role("button", name="Undo: photo from another side added", exact=True).click()
    expect(offer).to_be_visible()


def test_correcting_what_was_read(page: Page) -> None:
    demo(page, "table")
    before = len(state(page)["table"]["pieces"])  # type: ignore[index]
    page.get_by_role("tab", name="Correct").click()
    page.get_by_role("button", name="Check them", exact=True).click()
    expect(page.get_by_text("I am only 60 % sure")).to_be_visible()
    page.get_by_role("button", name="troll", exact=True).click()
    expect(page.get_by_role("heading", name="large troll")).to_be_visible()
    page.wait_for_selector('#undo[aria-label$="is a large troll"]')
    name, x, y = page.evaluate(PICKED)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y + 20, steps=4)
    page.mouse.up()
    expect(page.get_by_role("button", name="Undo: large troll moved", exact=True)).to_be_enabled()
    page.get_by_role("button", name="There is nothing here", exact=True).click()
    page.wait_for_selector(f'[data-piece="{name}"]', state="detached")
    page.get_by_role("button", name="Add a piece", exact=True).click()
    page.get_by_role("button", name="key", exact=True).click()
    page.mouse.click(x, y - 40)
    expect(page.get_by_role("button", name="Undo: small key added", exact=True)).to_be_enabled()
    for what in ("small key added", "large troll deleted", "large troll moved"):
        page.get_by_role("button", name=f"Undo: {what}", exact=True).click()
        page.wait_for_selector(f'#redo[aria-label="Redo: {what}"]')
    assert len(state(page)["table"]["pieces"]) == before  # type: ignore[index]
    page.get_by_role("button", name="Redo: large troll moved", exact=True).click()
    page.wait_for_selector('#undo[aria-label="Undo: large troll moved"]')


def test_a_room_taken_with_its_close_call_shown(page: Page) -> None:
    demo(page, "table")
    page.get_by_role("tab", name="Heroes").click()
    page.get_by_label("Name").fill("Anna")
    page.get_by_role("button", name="Join", exact=True).click()
    page.get_by_role("button", name="Start the game", exact=True).click()
    page.get_by_role("tab", name="Rooms").click()
    page.locator(".roomlist button").first.click()
    figure = page.locator("figure.closeup").first
    expect(figure.locator("image")).to_have_attribute("href", re.compile("closeup"))
    expect(figure).to_contain_text(re.compile(r"\d\.\d mm (over|short of) the line"))
    assert page.evaluate("document.querySelector('.closeup image').getBBox().width") == 30
    page.get_by_role("button", name="Anna takes it", exact=True).click()
    expect(page.get_by_text("Round 2 of 3")).to_be_visible()
    expect(page.locator('[data-hero="Anna"] .tally li').first).to_be_visible()
    page.reload()
    page.wait_for_selector("#panel[data-key]")
    page.get_by_role("tab", name="Heroes").click()
    expect(page.get_by_text("Round 2 of 3")).to_be_visible()
    for round_ in (2, 3):
        page.get_by_role("tab", name="Rooms").click()
        page.locator(".roomlist button").first.click()
        page.get_by_role("button", name="Anna takes it", exact=True).click()
        expect(page.get_by_text("Round 3 of 3" if round_ == 2 else "Count the treasure")).to_be_visible()
    with page.expect_file_chooser() as chosen:
        page.get_by_role("button", name="Photograph the stash", exact=True).click()
    chosen.value.set_files(DEMO / "drop" / "stash-1.jpg")
    page.get_by_role("button", name="The photo is right", exact=True).click()
    expect(page.get_by_text("The photo agrees with the record.")).to_be_visible()
    chests = state(page)["play"]["heroes"][0]["chests"]  # type: ignore[index]
    assert chests > 0
    for roll in range(chests):
        page.get_by_role("group", name="The die shows").get_by_role("button", name="4", exact=True).click()
        expect(page.get_by_text(f"Rolled: {', '.join(['4'] * (roll + 1))}", exact=True)).to_be_visible()
    page.get_by_role("button", name="The score stands", exact=True).click()
    expect(page.get_by_role("table")).to_contain_text("Anna wins")


def test_the_quick_way_to_a_score(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Only the score", exact=True).click()
    with page.expect_file_chooser() as chosen:
        page.get_by_role("button", name="Photograph the stash", exact=True).first.click()
    chosen.value.set_files(DEMO / "drop" / "stash-1.jpg")
    expect(page.get_by_role("table")).to_contain_text("Hero 1 wins")
    total = page.locator("tfoot strong").first
    before = int(total.inner_text())
    page.get_by_role("button", name="One gold more", exact=True).first.click()
    expect(total).to_have_text(str(before + 1))


def test_runs_and_monsters_of_a_board(page: Page) -> None:
    demo(page, "board")
    page.get_by_role("button", name="mage", exact=True).first.click()
    expect(page.locator("#view polyline.path").first).to_be_attached()
    assert page.locator("#view .picked").count() == int(page.locator(".roomlist .big").first.inner_text())
    page.get_by_role("tab", name="Monsters").click()
    expect(page.locator(".moves li").first).to_be_visible()
    page.get_by_label("Ends at").select_option("3")
    page.get_by_label("Escaped").select_option("2")
    expect(page.get_by_text("One more escape and the monsters win.")).to_be_visible()
    page.get_by_role("button", name="Move them so", exact=True).click()
    expect(page.get_by_role("heading", name="Turn up a card")).to_be_visible()
    page.get_by_role("button", name="Use this card", exact=True).click()
    expect(page.get_by_role("button", name="Move them so", exact=True)).to_be_visible()


def test_a_recorded_turn_of_hustle(page: Page) -> None:
    demo(page, "board")
    page.get_by_role("tab", name="Heroes").click()
    for name, hero in (("Anna", "mage"), ("Ben", "cleric")):
        page.get_by_label("Name").fill(name)
        page.locator('select[name="hero"]').select_option(hero)
        page.get_by_role("button", name="Join", exact=True).click()
        expect(page.locator(".card strong", has_text=name)).to_be_visible()
    page.get_by_role("button", name="Start the game", exact=True).click()
    expect(page.get_by_role("heading", name="Anna: hustle")).to_be_visible()
    page.get_by_role("tab", name="Runs").click()
    page.get_by_role("button", name="mage", exact=True).first.click()
    page.get_by_role("button", name="Anna takes this run", exact=True).click()
    expect(page.get_by_role("heading", name="Anna: new cards")).to_be_visible()
    cards = page.locator('[data-hero="Anna"] .mini').count()
    assert cards > 1
    page.get_by_role("button", name="The photo shows the new cards", exact=True).click()
    expect(page.get_by_role("heading", name=re.compile("Anna: (quest|1 wandering|2 wandering)"))).to_be_visible()


def test_a_run_with_a_power_and_a_fight_from_a_distance(page: Page) -> None:
    lines, position = played_until(lambda here: rewarded(here) and bool(powered_runs(here)))
    demo(page, "board")
    assert page.request.post(f"{page.url}/plays", data={"lines": lines}).ok
    page.reload()
    page.wait_for_selector("[data-spot]")
    page.get_by_role("button", name=position.hero.who, exact=True).first.click()
    page.get_by_role("button", name=re.compile("by the reward")).click()
    page.get_by_role("button", name=f"{position.hero.player} takes this run", exact=True).click()
    expect(page.get_by_role("heading", name=f"{position.hero.player}: new cards")).to_be_visible()

    lines, position = played_until(before_the_card)
    demo(page, "board")
    assert page.request.post(f"{page.url}/plays", data={"lines": lines}).ok
    page.reload()
    page.wait_for_selector("[data-spot]")
    page.get_by_role("tab", name="Heroes").click()
    page.get_by_text("Fight from a distance").click()
    row, col = position.monsters[0]
    page.get_by_role("button", name=f"Row {row + 1}, column {col + 1}", exact=True).click()
    expect(page.get_by_role("heading", name=f"{position.hero.player} fights")).to_be_visible()


def test_history_steps_back_and_a_game_goes_through_a_file(page: Page, tmp_path: Path) -> None:
    demo(page, "table")
    page.get_by_role("tab", name="Correct").click()
    page.get_by_role("button", name="Check them", exact=True).click()
    page.get_by_role("button", name="There is nothing here", exact=True).click()
    page.wait_for_selector('#undo[aria-label*="deleted"]')
    page.get_by_role("tab", name="More").click()
    page.get_by_role("link", name="History").click()
    expect(page.locator("#where")).to_contain_text("deleted")
    page.wait_for_selector("#view .piece")
    count = page.locator("#view .piece").count()
    page.get_by_role("button", name="One step back", exact=True).click()
    page.wait_for_function("count => document.querySelectorAll('#view .piece').length === count + 1", arg=count)
    with page.expect_download() as download:
        page.get_by_role("link", name="Save the game").click()
    saved = tmp_path / "saved.json"
    download.value.save_as(saved)
    page.goto("/")
    page.get_by_text("Open a saved game").click()
    page.get_by_label("A saved game").set_input_files(saved)
    page.get_by_role("button", name="Open it", exact=True).click()
    page.wait_for_selector("[data-piece]")
    assert len(state(page)["table"]["pieces"]) == count  # type: ignore[index]


def test_the_big_screen_and_two_phones_see_the_same(page: Page, browser: Browser, address: str, size: str) -> None:
    demo(page, "table")
    other = person(browser, address, size, "dark")
    screen, friend = other.new_page(), other.new_page()
    screen.goto(f"{page.url}/screen")
    friend.goto(page.url)
    friend.wait_for_selector("[data-piece]")
    assert screen.get_by_role("button").count() == 0
    page.locator(".roomlist button").first.click()
    expect(screen.locator(".verdict .call")).to_have_text("A legal room", timeout=3000)
    page.get_by_role("tab", name="Correct").click()
    page.get_by_role("button", name="Check them", exact=True).click()
    name = page.locator('[data-piece][aria-pressed="true"]').get_attribute("data-piece")
    page.get_by_role("button", name="There is nothing here", exact=True).click()
    friend.wait_for_function("() => document.querySelector('#undo').title.endsWith('deleted')", timeout=3000)
    assert name not in [piece["id"] for piece in state(friend)["table"]["pieces"]]  # type: ignore[index]
    other.close()


def test_spoken_verdicts_are_off_until_switched_on(page: Page) -> None:
    page.add_init_script("window.said = []; speechSynthesis.speak = (words) => window.said.push(words.text);")
    demo(page, "table")
    page.locator(".roomlist button").first.click()
    page.wait_for_selector(".verdict")
    assert page.evaluate("said") == []
    page.get_by_role("button", name="Speak verdicts aloud", exact=True).click()
    page.get_by_role("button", name="Another room", exact=True).click()
    page.locator(".roomlist button").first.click()
    page.wait_for_selector(".verdict")
    page.wait_for_function("() => said.length === 2")
    assert page.evaluate("said[1]").startswith("Legal.")


def test_teaching_shows_at_once_what_was_learnt(page: Page) -> None:
    demo(page, "table")
    page.get_by_role("tab", name="More").click()
    page.get_by_role("link", name="Our own pieces").click()
    expect(page.get_by_role("heading", name="Tap a small gold")).to_be_visible()
    box = page.locator("#view").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.get_by_role("heading", name="Tap a large gold")).to_be_visible()
    expect(page.get_by_role("button", name="Learn from 1 tap", exact=True)).to_be_visible()
    expect(page.locator(".crops li")).to_have_count(1)
