"""The game in Voilà, played in a real browser."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, WebSocket, expect

from tests.browser.table import (
    SLOW,
    button,
    clipped,
    expect_cards,
    expect_moment,
    faults_in_all_colours,
    first_table,
    held_enter_plays_one,
    listen,
    new_round,
    open_fold,
    plays_battles_and_rounds,
    plays_to_the_end,
    quick_clicks_play_as_many,
    serious_faults,
    shown_game,
    sit_down_in_app,
    too_wide,
)
from tests.servers import end, family_of, free_port, running, war_app
from war import Card, Game
from war.board.address import to_query
from war.board.art import card_svg
from war.describe import moment, of_outcome

SHORT_DEAL, LONG_DEAL, WAR_AT_ONCE = 624, 1, 106
# A phone, half a laptop's screen or a laptop's with everything at 200 %, a laptop.
WIDTHS = (320, 640, 1280)

# Thirteen ties in one battle: the most cards that can lie on the table.
BLACK = "2S 2C 3S 3C 4S 4C 5S 5C 6S 6C 7S 7C 8S 8C 9S 9C 10S 10C JS JC QS QC KS KC AS AC"
RED = BLACK.replace("S", "H").replace("C", "D")


def test_battles_rounds_and_the_end(page: Page, app_address: str) -> None:
    table = sit_down_in_app(page, app_address)
    plays_battles_and_rounds(table)
    plays_to_the_end(table)


def test_a_held_key_and_quick_clicks(page: Page, app_address: str) -> None:
    table = sit_down_in_app(page, app_address, f"?deal={LONG_DEAL}")
    quick_clicks_play_as_many(table, 100)
    held_enter_plays_one(table)


def test_a_round_by_keyboard_alone(page: Page, app_address: str) -> None:
    table = sit_down_in_app(page, app_address, f"?deal={SHORT_DEAL}")
    heard = listen(table)
    game = Game(code=SHORT_DEAL)
    tab_to(button(table, "Turn cards"))
    said = []
    while not game.outcome:
        page.keyboard.press("Space" if game.battles % 2 else "Enter")
        said.append(moment(game.play(1)).spoken)
        expect(table.get_by_role("status")).to_have_text(said[-1])
    page.keyboard.press("Enter")
    expect(table.get_by_role("status")).to_contain_text("until a new round")
    expect(button(table, "Turn cards")).to_be_focused()
    assert heard()[:-1] == said
    tab_to(button(table, "New round"))
    page.keyboard.press("Enter")
    expect(table.get_by_text("Battle 0 of 500", exact=True)).to_be_visible()
    expect(button(table, "New round")).to_be_focused()


@pytest.mark.parametrize(
    ("tables", "name"),
    [(".war-game:not(.small)", "Turn cards"), (".war-game.small", "Next battle")],
)
def test_a_battle_leaves_the_rest_of_the_page_as_it_is(
    page: Page, app_address: str, tables: str, name: str
) -> None:
    sit_down_in_app(page, app_address, f"?deal={LONG_DEAL}")
    table = page.locator(tables).first
    most = page.locator("main *").count() / 4
    button(table, name).scroll_into_view_if_needed()
    page.wait_for_timeout(300)
    browser = page.context.browser
    assert browser
    browser.start_tracing(page=page, categories=["devtools.timeline"])
    said = table.locator(".war-status")
    before = said.inner_text()
    button(table, name).click()
    expect(said).not_to_have_text(before)
    page.wait_for_timeout(300)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    # How many elements the browser has found the style of anew, each time that it did.
    styled = [
        event["args"]["elementCount"]
        for event in events
        if event["name"] == "UpdateLayoutTree" and "elementCount" in event["args"]
    ]
    assert max(styled) < most, styled


def test_step_back_and_slider(page: Page, app_address: str) -> None:
    table = sit_down_in_app(page, app_address, f"?deal={WAR_AT_ONCE}")
    slider, game = table.get_by_role("slider", name="Look back"), Game(code=WAR_AT_ONCE)
    for at in range(1, 5):
        button(table, "Step").click()
        expect_moment(table, game.seek(at))
        expect(table.get_by_role("status")).to_have_text(moment(game).spoken)
    button(table, "Step").click()
    expect_moment(table, game.seek(5))
    button(table, "Back").click()
    expect_moment(table, game.go_to(1))
    button(table, "Step").click()
    # What is left of a battle counts as one.
    button(table, "Turn cards").click()
    expect_moment(table, game.go_to(2))
    button(table, "Play 10 battles").click()
    expect_moment(table, game.go_to(12))
    button(table, "Back").click()
    expect_moment(table, game.go_to(11))
    slider.press("ArrowLeft")
    expect_moment(table, game.go_to(10))
    slider.press("Home")
    expect_moment(table, game.go_to(0))
    slider.press("End")
    expect_moment(table, game.go_to(12))
    slider.fill("1")
    expect_moment(table, game.go_to(1))
    expect(slider).to_be_focused()
    button(table, "Turn cards").click()
    expect_moment(table, game.go_to(2))


def test_watching_a_round_and_pausing_it(page: Page, app_address: str) -> None:
    table = sit_down_in_app(page, app_address, f"?deal={SHORT_DEAL}")
    heard = listen(table)
    button(table, "Play to the end").click()
    expect(table.get_by_text("Battle 2 of 500", exact=True)).to_be_visible()
    button(table, "Pause").click()
    expect(button(table, "Play to the end")).to_be_focused()
    battle = int(re.findall(r"Battle (\d+) of", table.inner_text())[0])
    button(table, "Turn cards").click()
    expect_moment(table, Game(code=SHORT_DEAL).play(battle + 1))
    open_fold(table, "Settings")
    table.get_by_label("Speed of playing to the end").select_option("fast")
    button(table, "Play to the end").click()
    expect_moment(table, game := Game(code=SHORT_DEAL).play())
    expect(table.get_by_role("status")).to_contain_text(of_outcome(game))
    expect(button(table, "Play to the end")).to_be_visible()
    assert len(heard()) <= 3


def test_a_deal_is_typed_saved_and_linked_to_another_visitor(
    page: Page, app_address: str, tmp_path: Path
) -> None:
    table = sit_down_in_app(page, app_address)
    open_fold(table, "Deal and rules")
    table.get_by_role("combobox", name="Rules", exact=True).select_option("house")
    table.get_by_label("Deal code").fill("2024")
    table.get_by_label("Deal code").press("Enter")
    expect_moment(table, game := Game("house", 2024))
    button(table, "Play 10 battles").click()
    expect_moment(table, game.play(10))
    open_fold(table, "History")
    rows = table.get_by_role("table").locator("tbody tr")
    expect(rows).to_have_count(10)
    expect(rows.first.get_by_role("rowheader")).to_have_text("10")
    with page.expect_download() as download:
        button(table, "Save the game").click()
    download.value.save_as(saved := tmp_path / "game.json")
    button(table, "Link to this moment").click()
    link = table.get_by_role("textbox", name="Link", exact=True).input_value()
    other = page.context.new_page()
    other.goto(link)
    visited = first_table(other)
    expect_moment(visited, game)
    # From the same moment each visitor goes an own way.
    button(visited, "Turn cards").click()
    expect_moment(visited, Game("house", 2024).play(11))
    button(table, "Back").click()
    expect_moment(table, Game("house", 2024).play(9))
    expect_moment(visited, Game("house", 2024).play(11))
    new_round(table)
    table.get_by_label("Open a saved game").set_input_files(saved)
    expect_moment(table, game)


def test_a_page_loaded_again_goes_on(page: Page, app_address: str) -> None:
    table = sit_down_in_app(page, app_address)
    game = shown_game(table).play(10)
    open_fold(table, "Settings")
    table.get_by_label("Four colours").check()
    table.get_by_label("Name of player 1").fill("Ada")
    table.get_by_label("Name of player 1").press("Tab")
    expect(table.get_by_role("region", name="Ada", exact=True)).to_be_visible()
    button(table, "Play 10 battles").click()
    expect_moment(table, game, "Ada")
    page.reload()
    expect_moment(first_table(page), game, "Ada")
    open_fold(first_table(page), "Settings")
    expect(first_table(page).get_by_label("Four colours")).to_be_checked()


def test_a_wild_address_is_told_and_the_table_plays(page: Page, app_address: str) -> None:
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    table = sit_down_in_app(page, app_address, "?deal=<script>alert(1)</script>")
    told = "not a deal code: '<script>alert(1)</script>'"
    expect(table.get_by_role("alert")).to_contain_text(told)
    button(table, "Turn cards").click()
    expect_moment(table, shown_game(table).play(1))
    expect(table.get_by_role("alert")).to_be_empty()
    assert not dialogs


def test_the_example_is_played_beside_the_table(page: Page, app_address: str) -> None:
    table = sit_down_in_app(page, app_address, f"?deal={LONG_DEAL}")
    small = page.locator(".war-game").nth(1)
    example = Game(piles=["9H 2C KS", "9D 3C 7S"])
    for at in range(1, 5):
        button(small, "Next").click()
        expect_cards(small, example.seek(at))
        expect(small.locator(".war-say")).to_contain_text(moment(example).shown)
    button(small, "Undo").click()
    expect_cards(small, example.seek(3))
    page.get_by_role("link", name="Back to the table").last.scroll_into_view_if_needed()
    expect(small).not_to_be_in_viewport()
    # The table stays in view while somebody reads on.
    expect(button(table, "Turn cards")).to_be_in_viewport()
    button(table, "Turn cards").click()
    expect_moment(table, Game(code=LONG_DEAL).play(1))
    expect_cards(small, example)


def test_the_table_plays_before_the_text_and_its_examples_are_there(
    page: Page, app_address: str
) -> None:
    page.add_init_script(
        "window.later = []; window.requestIdleCallback = (action) => later.push(action);"
    )
    table = sit_down_in_app(page, app_address, f"?deal={LONG_DEAL}")
    button(table, "Turn cards").click()
    expect_moment(table, Game(code=LONG_DEAL).play(1))
    text = page.get_by_role("heading", name="How a war goes")
    small = page.locator(".war-game.small")
    expect(page.get_by_role("heading", name="Play War")).to_be_visible()
    expect(text).to_be_hidden()
    expect(small).to_have_count(0)
    place = table.bounding_box()
    page.wait_for_function("later.length === 6")
    page.evaluate("later.forEach((action) => action())")
    expect(text).to_be_visible()
    expect(small).to_have_count(5)
    assert table.bounding_box() == place, "the table moves when the text comes"


def test_a_text_that_is_held_up_is_shown_after_twenty_seconds(page: Page, app_address: str) -> None:
    page.add_init_script(
        """
        window.requestIdleCallback = () => {};
        const wait = window.setTimeout;
        window.setTimeout = (action, milliseconds, ...rest) => {
          if (milliseconds === 20000) window.inTheEnd = action;
          return wait(action, milliseconds, ...rest);
        };
        """
    )
    sit_down_in_app(page, app_address)
    text = page.get_by_role("heading", name="How a war goes")
    expect(text).to_be_hidden()
    page.evaluate("inTheEnd()")
    expect(text).to_be_visible()


def test_a_lost_kernel_and_a_restarted_server(page: Page) -> None:
    game, port = Game(code=LONG_DEAL).play(10), str(free_port())
    with running(war_app("--port", port)) as server:
        table = sit_down_in_app(page, server.address, f"?deal={LONG_DEAL}")
        button(table, "Play 10 battles").click()
        expect_moment(table, game)
        for process in family_of(server.process)[1:]:
            process.kill()
        is_told_of_the_loss(table)
        goes_on(table, game)
        end(server.process)
    is_told_of_the_loss(table)
    with running(war_app("--port", port)):
        goes_on(table, game)


def tab_to(control: Locator) -> None:
    """Press Tab until something has the focus, as somebody does who sees where the focus is."""
    for _ in range(15):
        control.page.keyboard.press("Tab")
        if control.evaluate("node => node === document.activeElement"):
            return
    raise AssertionError("fifteen times Tab do not lead there")


def is_told_of_the_loss(table: Locator) -> None:
    """Within five seconds of a click the page says that the game is cut off."""
    button(table, "Turn cards").click()
    expect(table.get_by_role("alert")).to_contain_text("lost its connection", timeout=5_000)
    expect(button(table, "Turn cards")).to_be_visible()


def goes_on(table: Locator, game: Game) -> None:
    """One button brings the game back to where it was."""
    button(table, "Go on").click()
    expect(table.get_by_role("alert")).to_be_empty(timeout=SLOW)
    expect_moment(first_table(table.page), game)


def test_a_hidden_card_is_nowhere(page: Page, app_address: str) -> None:
    frames: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: frames.append(_text(frame)))

    page.on("websocket", listen)
    table = sit_down_in_app(page, app_address, f"?deal={WAR_AT_ONCE}")
    button(table, "Turn cards").click()
    expect_moment(table, game := Game(code=WAR_AT_ONCE).play(1))
    expect(table.get_by_role("img", name="face-down card")).to_have_count(2)
    sent, drawn = "".join(frames), table.evaluate("node => node.outerHTML")
    _, down, up, _ = game.present
    for card in up.cards:
        assert told_in(sent, card)
        assert told_in(drawn, card)
    for card in down.cards:
        assert not told_in(sent, card)
        assert not told_in(drawn, card)
        assert card.name not in page.content()


def test_it_fits_from_a_phone_to_a_laptop_in_any_text_size(page: Page, app_address: str) -> None:
    for game in (
        Game(code=LONG_DEAL).play(),
        Game("four-players", 5).play(3),
        Game(piles=[BLACK, RED]).play(1),
    ):
        table = sit_down_in_app(page, app_address, f"?{to_query(game)}")
        expect_moment(table, game)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            assert not too_wide(page)
    for title in ("Deal and rules", "History", "Settings"):
        open_fold(table, title)
    page.set_viewport_size({"width": 320, "height": 800})
    assert not too_wide(page)
    sizes = text_sizes(table)
    # Whoever sets the browser to larger text sets this.
    page.add_style_tag(content="html { font-size: 200%; }")
    assert text_sizes(table) == [2 * size for size in sizes]
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert not too_wide(page)
        assert not clipped(page, ".war-game")
    page.add_style_tag(content="html { font-size: 100%; }" + WIDE_TEXT)
    assert not too_wide(page)
    assert not clipped(page, ".war-game")


def text_sizes(table: Locator) -> list[float]:
    """The sizes of all text that a table shows, in the order of the page."""
    sizes: list[float] = table.evaluate(
        """table => [...table.querySelectorAll("*")].filter((node) => !node.closest("svg")
                && [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim()))
            .map((node) => parseFloat(getComputedStyle(node).fontSize))"""
    )
    return sizes


def test_the_table_stands_beside_the_text_unless_its_cards_are_large(
    page: Page, app_address: str
) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    table = sit_down_in_app(page, app_address)
    title, text = (
        page.locator("main").get_by_role("heading", level=level).first for level in (1, 2)
    )
    box = table.bounding_box()
    assert box
    assert box["width"] < 0.6 * 1280
    # The heading of the text is to the right of the table, and the title above both.
    expect_right_of(text, box["x"] + box["width"])
    assert (title.bounding_box() or box)["y"] < box["y"]
    page.mouse.wheel(0, 1000)
    expect(button(table, "Turn cards")).to_be_in_viewport()
    open_fold(table, "Settings")
    large = table.get_by_role("checkbox", name="Large cards, for a projector")
    large.check()
    expect_width(table, 1100, 1280)
    large.uncheck()
    expect_width(table, 0, 0.6 * 1280)


def expect_right_of(place: Locator, x: float) -> None:
    box = place.bounding_box()
    assert box
    assert box["x"] >= x


def expect_width(place: Locator, least: float, most: float) -> None:
    box = place.bounding_box()
    assert box
    assert least < box["width"] < most


def test_targets_are_large_and_the_focus_is_seen(page: Page, app_address: str) -> None:
    table = sit_down_in_app(page, app_address, f"?deal={SHORT_DEAL}&battle=22")
    page.set_viewport_size({"width": 320, "height": 800})
    for title in ("Deal and rules", "History", "Settings"):
        open_fold(table, title)
    page.keyboard.press("Tab")
    for colours in ("none", "active"):
        page.emulate_media(forced_colors=colours)
        for control in (
            table.locator("button, summary, input, select").locator("visible=true").all()
        ):
            box = target(control).bounding_box()
            assert box
            assert min(box["width"], box["height"]) >= 24, control.evaluate(
                "node => node.outerHTML"
            )
            control.focus()
            ring = control.evaluate("node => getComputedStyle(node).outline")
            width = re.search(r"(?:solid|auto) ([\d.]+)px", ring)
            assert width, ring
            assert float(width[1]) >= 2, ring
    for name in ("Turn cards", "Play 10 battles", "New round", "Step", "Back", "Play to the end"):
        box = button(table, name).bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44


def target(control: Locator) -> Locator:
    """What somebody may touch for a control: itself, or the label around it."""
    label = control.locator("xpath=ancestor::label")
    return label if label.count() else control


def test_nothing_moves_where_motion_is_not_wanted(page: Page, app_address: str) -> None:
    table = sit_down_in_app(page, app_address, f"?deal={LONG_DEAL}")
    moved = page.evaluate_handle(
        """() => {
            const moved = [];
            for (const kind of ["animationstart", "transitionrun"]) {
                addEventListener(kind, (event) => {
                    if (event.target.closest(".war-board")) moved.push(event.target.className);
                }, true);
            }
            return moved;
        }"""
    )
    game = Game(code=LONG_DEAL)
    button(table, "Turn cards").click()
    expect_moment(table, game.play(1))
    page.wait_for_function("moved => moved.length", arg=moved)
    page.emulate_media(reduced_motion="reduce")
    before = len(moved.json_value())
    button(table, "Turn cards").click()
    expect_moment(table, game.play(1))
    open_fold(table, "Settings")
    table.get_by_label("Cards move").uncheck()
    page.emulate_media(reduced_motion="no-preference")
    button(table, "Turn cards").click()
    expect_moment(table, game.play(1))
    assert len(moved.json_value()) == before


def test_axe_finds_nothing_serious_by_day_and_night(page: Page, app_address: str) -> None:
    table = sit_down_in_app(page, app_address, f"?deal={WAR_AT_ONCE}")
    assert not serious_faults(page)
    button(table, "Turn cards").click()
    expect_moment(table, Game(code=WAR_AT_ONCE).play(1))
    for title in ("Deal and rules", "History", "Settings"):
        open_fold(table, title)
    assert not faults_in_all_colours(page)
    button(table, "Play to the end").click()
    button(table, "Pause").click()
    assert not serious_faults(page)


def told_in(text: str, card: Card) -> bool:
    """Whether a text has a card's name, its written form or its picture."""
    picture = card_svg(card)
    return (
        card.name in text
        or re.search(rf"(?<!\w){card}(?!\w)", text) is not None
        or picture in text
        or json.dumps(picture)[1:-1] in text
    )


def _text(frame: str | bytes) -> str:
    return frame if isinstance(frame, str) else frame.decode(errors="replace")


#: What somebody may set who reads better with more space (WCAG 2.2, 1.4.12).
WIDE_TEXT = """
    main * { line-height: 1.5 !important; letter-spacing: 0.12em !important;
             word-spacing: 0.16em !important; }
    main p { margin-bottom: 2em !important; }
"""
