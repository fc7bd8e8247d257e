"""How a test sits down at a table, plays as a person does, and reads what the table shows."""

import re
from collections.abc import Callable

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from tests.servers import app_page
from war import Game, Kind
from war.describe import moment, of_battles, of_outcome, seat_names

SLOW = 60_000


def sit_down_in_app(page: Page, address: str, query: str = "") -> Locator:
    """Open the game's page in Voilà and return its table."""
    page.goto(app_page(address) + query)
    return first_table(page)


def first_table(page: Page) -> Locator:
    """The table to play at, once it is there."""
    table = page.locator(".war-game").first
    expect(button(table, "Turn cards")).to_be_visible(timeout=SLOW)
    expect(table.get_by_role("status")).to_be_attached()
    return table


def button(table: Locator, name: str) -> Locator:
    """The button with this label."""
    return table.get_by_role("button", name=name, exact=True)


def go_to_step(lesson: Locator, step: str, act: Callable[[Locator], None] = Locator.click) -> None:
    """Go to a step of the lesson, as "Step 2: How often is it war?", and wait until it is there.

    What is pressed before that belongs to the step before.
    """
    act(button(lesson, step))
    _, title = step.split(": ")
    expect(lesson.get_by_role("heading", name=title, exact=True)).to_be_visible()


def open_fold(table: Locator, title: str) -> None:
    """Open what lies folded below the table."""
    table.locator("summary").get_by_text(title, exact=True).click()


def shown_game(table: Locator) -> Game:
    """The game that the table shows, dealt again from its code and not yet played."""
    found = re.search(r"Deal (\d+)", table.inner_text())
    assert found, "the table shows no deal code"
    return Game(code=found[1])


def new_round(table: Locator) -> Game:
    """Press New round, wait for the new deal, and return its game."""
    code = f"Deal {shown_game(table).code}"
    button(table, "New round").click()
    expect(table.get_by_text(code, exact=True)).to_have_count(0)
    return shown_game(table)


def expect_moment(table: Locator, game: Game, first_name: str = "You") -> None:
    """The table shows this moment of this game: the battle, the counts and the cards in view."""
    expect_battle(table, game)
    expect_cards(table, game, first_name)


def expect_battle(table: Locator, game: Game) -> None:
    """The table shows the number of this battle."""
    battle = f"Battle {game.battles} of {game.rules.cap}"
    expect(table.get_by_text(battle, exact=True)).to_be_visible()


def expect_cards(table: Locator, game: Game, first_name: str = "You") -> None:
    """The table shows the counts and the cards in view at this moment of this game."""
    for seat, name in enumerate((first_name, *seat_names(game.rules.players)[1:])):
        row = table.get_by_role("region", name=name, exact=True)
        count = game.counts[seat]
        expect(row.locator(".war-count")).to_have_text(f"{count} card{'s' * (count != 1)}")
        cards = row.get_by_role("img")
        expect(cards).to_have_count(len(names := cards_in_view(game, seat)))
        assert [card.get_attribute("aria-label") for card in cards.all()] == names


def cards_in_view(game: Game, seat: int) -> list[str]:
    """The names of the cards that a seat has laid in this battle, as the table has to say them."""
    return [
        card.name if event.kind in (Kind.TURN, Kind.UP) else "face-down card"
        for event in game.present
        if event.kind in (Kind.TURN, Kind.UP, Kind.DOWN, Kind.SHORT)
        for owner, card in zip(event.seats * len(event.cards), event.cards, strict=False)
        if owner == seat
    ]


def listen(table: Locator) -> Callable[[], list[str]]:
    """From now on, keep all that the status region says; the function returned tells it."""
    heard = table.get_by_role("status").evaluate_handle(
        """node => {
            const heard = [];
            new MutationObserver(() => heard.push(node.textContent))
                .observe(node, { childList: true, characterData: true, subtree: true });
            return heard;
        }"""
    )
    return heard.json_value


def plays_battles_and_rounds(table: Locator) -> None:
    """The first battle, ten more, and another round are what the engine makes of the codes shown."""
    status = table.get_by_role("status")
    game = shown_game(table)
    expect_moment(table, game)
    expect(status).to_be_empty()
    button(table, "Turn cards").click()
    expect_moment(table, game.play(1))
    expect(status).to_have_text(moment(game).spoken)
    button(table, "Play 10 battles").click()
    expect_moment(table, game.play(10))
    expect(status).to_have_text(of_battles(game, 2).spoken)
    expect_moment(table, new_round(table))
    button(table, "Turn cards").click()
    expect_moment(table, shown_game(table).play(1))


def plays_to_the_end(table: Locator) -> None:
    """Ten by ten a round ends where the engine says; then nothing plays, and the page says why."""
    status, turn = table.get_by_role("status"), button(table, "Turn cards")
    game = new_round(table)
    while not game.outcome:
        button(table, "Play 10 battles").click()
        expect_battle(table, game.play(10))
    expect_moment(table, game)
    expect(status).to_contain_text(of_outcome(game))
    expect(turn).to_have_attribute("aria-disabled", "true")
    turn.focus()
    table.page.keyboard.press("Enter")
    expect(status).to_contain_text("until a new round")
    expect(status).to_contain_text(of_outcome(game))
    # Playwright clicks nothing that says it rests, unless told to.
    turn.click(force=True)
    button(table, "Play 10 battles").click(force=True)
    turn.focus()
    table.page.keyboard.press("Space")
    expect(turn).to_be_focused()
    expect_moment(table, game)
    expect_moment(table, new_round(table))
    expect(turn).not_to_have_attribute("aria-disabled", "true")


def held_enter_plays_one(table: Locator) -> None:
    """Holding Enter plays one battle, and so does pressing it again."""
    keyboard, heard = table.page.keyboard, listen(table)
    game = shown_game(table)
    button(table, "Turn cards").focus()
    for _ in range(30):
        keyboard.down("Enter")
    keyboard.up("Enter")
    keyboard.press("Enter")
    expect(button(table, "Turn cards")).to_be_focused()
    expect_moment(table, game.play(2))
    # Whatever else the keys had begun would have come before this.
    new_round(table)
    assert heard()[:-1] == [moment(game.go_to(battle)).spoken for battle in (1, 2)]


def quick_clicks_play_as_many(table: Locator, clicks: int) -> None:
    """Clicks without moving the hand play as many battles, in order, and none is told twice."""
    heard = listen(table)
    game = shown_game(table)
    box = button(table, "Turn cards").bounding_box()
    assert box
    for _ in range(clicks):
        table.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect_moment(table, game.play(clicks))
    new_round(table)
    assert heard()[:-1] == [moment(game.go_to(n)).spoken for n in range(1, clicks + 1)]


def serious_faults(page: Page, part: str | None = None) -> list[str]:
    """What axe finds serious or critical on a page or in a part of it."""
    found = Axe().run(page, part).response["violations"]
    return [
        f"{each['id']} ({each['impact']}): {node['html'][:200]}"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


def faults_in_all_colours(page: Page) -> list[str]:
    """What axe finds serious, or nobody could read, by day, by night and in the system's own colours."""
    found = []
    for forced in ("none", "active"):
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, forced_colors=forced)
            faults = serious_faults(page) + (unseen(page) if forced == "active" else [])
            found += [f"{scheme}, forced colours {forced}: {fault}" for fault in faults]
    page.emulate_media(color_scheme="light", forced_colors="none")
    return found


def unseen(page: Page) -> list[str]:
    """Text in the colour of what is behind it, where the system forces its colours.

    axe looks at the colours that the page has asked for.
    """
    found: list[str] = page.evaluate(
        """() => {
            const behind = (node) => {
                const colour = node ? getComputedStyle(node).backgroundColor : "rgb(255, 255, 255)";
                return /^rgba.*, 0\\)$/.test(colour) ? behind(node.parentElement) : colour;
            };
            return [...document.querySelectorAll("main *")].filter((node) =>
                node.checkVisibility() && !node.closest("svg, .war-status")
                && [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim())
                && getComputedStyle(node).color === behind(node)
            ).map((node) => node.outerHTML.slice(0, 100));
        }"""
    )
    return found


def too_wide(page: Page) -> list[str]:
    """What reaches beyond the page's width; a table of data may scroll in its own frame."""
    found: list[str] = page.evaluate(
        """() => {
            const width = document.documentElement.clientWidth;
            const wide = [...document.querySelectorAll("main *")].filter(
                (node) => node.getBoundingClientRect().right > width + 1 && node.checkVisibility()
                    && !node.closest(".war-scroll, .war-status, svg svg"));
            const scrolls = document.scrollingElement.scrollWidth > width ? ["the page"] : [];
            return [...scrolls, ...wide.map((node) => node.outerHTML.slice(0, 100))];
        }"""
    )
    return found


def clipped(page: Page, part: str = "main") -> list[str]:
    """What hides a part of its own text."""
    found: list[str] = page.evaluate(
        """part => [...document.querySelectorAll(`${part} *`)].filter((node) => {
            const { overflowX, overflowY } = getComputedStyle(node);
            return node.clientWidth > 1 && !node.closest(".war-status, svg") && (
                (overflowX === "hidden" && node.scrollWidth > node.clientWidth + 1)
                || (overflowY === "hidden" && node.scrollHeight > node.clientHeight + 1));
        }).map((node) => node.outerHTML.slice(0, 100))""",
        part,
    )
    return found
