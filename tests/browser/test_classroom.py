"""A class in a real browser: the front page, a page that was made before, and a link that is passed on."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, expect

from tests.browser.table import (
    SLOW,
    button,
    expect_moment,
    first_table,
    go_to_step,
    serious_faults,
    shown_game,
    sit_down_in_app,
)
from tests.pupils import kernels_of
from tests.servers import Server, app_page, running, war_app
from war import Game
from war.lesson.questions import LEVELS, Level
from war.lesson.results import result
from war.serving.room import seats_for

PUPILS = 3


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with class_of(PUPILS, "play") as server:
        yield server


@contextmanager
def class_of(pupils: int, notebook: str) -> Iterator[Server]:
    """A server whose pages for a class have all been made."""
    options = ("--class", str(pupils), "--notebook", notebook, "--host", "127.0.0.1")
    with running(war_app(*options)) as server:
        give_up = time.monotonic() + 90
        while f"{pupils} of {pupils} ready." not in server.log.read_text():
            assert time.monotonic() < give_up
            time.sleep(0.1)
        yield server


def test_an_address_holds_on_a_page_made_before_and_a_lost_kernel_is_one_pupils_own(
    page: Page, server: Server
) -> None:
    before = set(kernels_of(server))
    game = Game("house", 7).play(3)
    table = sit_down_in_app(page, server.address, "?deal=7&rules=house&battle=3")
    expect_moment(table, game)
    button(table, "Turn cards").click()
    expect_moment(table, game.play(1))
    expect(page).to_have_url(re.compile("deal=7&rules=house&battle=4$"))
    # The address passed on shows the same battle to somebody else, on a page made before too.
    other = page.context.new_page()
    other.goto(page.url)
    expect_moment(first_table(other), game)
    third = sit_down_in_app(page.context.new_page(), server.address)
    expect_moment(third, Game(code=shown_game(third).code))
    # A new page may be waiting for the next one by now, but the three that were there are in use.
    kernels = kernels_of(server)
    assert before <= set(kernels)
    used = page.evaluate("JSON.parse(document.getElementById('jupyter-config-data').text).kernelId")
    assert used in before
    kernels[used].kill()
    expect(table.get_by_role("alert")).to_contain_text("lost its connection", timeout=6_000)
    button(first_table(other), "Turn cards").click()
    expect_moment(first_table(other), Game("house", 7).play(5))
    button(table, "Go on").click()
    expect_moment(first_table(page), game)
    button(first_table(page), "Turn cards").click()
    expect_moment(first_table(page), game.play(1))


def test_the_round_that_was_dealt_before_is_never_taken_for_the_address(page: Page) -> None:
    # What is kept to be loaded again, and what the address says, while the kernel has not yet heard.
    page.add_init_script(
        """
        window.moments = [];
        const { setItem } = Storage.prototype;
        Storage.prototype.setItem = function (name, value) {
          if (this === sessionStorage) window.moments.push(value);
          return setItem.call(this, name, value);
        };
        const { replaceState } = History.prototype;
        History.prototype.replaceState = function (state, title, address) {
          if (String(address).includes("deal=")) window.moments.push(String(address));
          return replaceState.apply(this, arguments);
        };
        """
    )
    with class_of(1, "play") as server:
        table = sit_down_in_app(page, server.address, "?deal=7&rules=house&battle=3")
        expect_moment(table, game := Game("house", 7).play(3))
        button(table, "Turn cards").click()
        expect_moment(table, game.play(1))
        expect(page).to_have_url(re.compile("battle=4$"))
    moments = page.evaluate("window.moments")
    assert len(moments) > 1
    assert all("deal=7&" in moment for moment in moments), moments


def test_the_front_page_leads_by_keyboard_to_the_table(page: Page, server: Server) -> None:
    page.goto(server.address)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for width in (320, 768, 1280, 1920):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") == width
            for link in page.get_by_role("main").get_by_role("listitem").get_by_role("link").all():
                box = link.bounding_box()
                assert box
                assert box["height"] >= 44
        assert not serious_faults(page)
    # The picture on a door is no news to a screen reader; the heading and the links are.
    expect(page.get_by_role("region", name="Play").get_by_role("img")).to_have_count(0)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Play", exact=True)).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="The table")).to_be_focused()
    page.keyboard.press("Enter")
    expect(button(first_table(page), "Turn cards")).to_be_visible()


def test_a_full_room_and_the_links_for_the_wall(page: Page, server: Server) -> None:
    page.goto(f"{server.address}wall")
    expect(page.get_by_role("img", name=f"QR code of {server.address}play")).to_be_visible()
    assert not serious_faults(page)
    for _ in range(seats_for(PUPILS) + 1):
        page.context.request.get(f"{server.address}voila/render/play.ipynb", timeout=60_000)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": 320, "height": 640})
        page.goto(f"{server.address}play")
        expect(page.get_by_role("heading", name="The room is full")).to_be_visible()
        expect(page.get_by_role("link", name="Try again")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") == 320
        assert not serious_faults(page)


def test_the_lesson_lands_on_its_level_and_deal_on_a_page_made_before(page: Page) -> None:
    deal = 77
    with class_of(2, "lesson") as server:
        before = set(kernels_of(server))
        for level in LEVELS[1:]:
            pupil = page.context.new_page()
            pupil.goto(f"{app_page(server.address, 'lesson.ipynb')}?level={level.name}&deal={deal}")
            used = pupil.evaluate(
                "JSON.parse(document.getElementById('jupyter-config-data').text).kernelId"
            )
            assert used in before
            expect_to_be_at(pupil, level, deal)
        # What is played there is the class's deal.
        lesson = pupil.locator(".war-lesson")
        go_to_step(lesson, "Step 2: What never changes?")
        lesson.locator(".predict .answer").first.click()
        button(lesson, "Play 10 battles").click()
        compare = lesson.get_by_role("region", name="Compare")
        expect(compare).to_contain_text(result(LEVELS[2].steps[1], deal).told)
        expect(lesson.locator(".war-seat .war-count b").last).to_have_text(
            str(Game(code=deal).play(37).counts[0])
        )
        # The address stays as it is, so that whoever loads the page again is there again.
        pupil.reload()
        expect_to_be_at(pupil, LEVELS[2], deal)


def expect_to_be_at(page: Page, level: Level, deal: int) -> None:
    head = page.locator(".war-lesson .lesson-head")
    expect(head.get_by_text(f"{level.title}, ages {level.ages}", exact=True)).to_be_visible(
        timeout=SLOW
    )
    expect(head.get_by_text(f"Deal {deal}", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile(rf"\?level={level.name}&deal={deal}$"))
