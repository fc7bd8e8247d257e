"""The lesson in Voilà, gone through as pupils do: on a phone by keyboard, on a tablet by touch."""

import re
from collections.abc import Callable

from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.table import (
    SLOW,
    button,
    faults_in_all_colours,
    go_to_step,
    listen,
    serious_faults,
)
from tests.browser.test_app import WIDE_TEXT, clipped, too_wide
from tests.servers import app_page, family_of, running, war_app
from war import Game
from war.describe import history
from war.lesson.puzzles import find_puzzle
from war.lesson.questions import LEVELS, Question, Step
from war.lesson.results import fill, result

DEAL = 2024
COMPARE, CHANCE, COMPUTE = LEVELS


def open_lesson(page: Page, address: str, query: str = "") -> Locator:
    """Open the lesson's page and return the lesson, once it is there."""
    page.goto(app_page(address, "lesson.ipynb") + query)
    lesson = page.locator(".war-lesson")
    expect(lesson.locator(".lesson-title")).to_be_visible(timeout=SLOW)
    expect(page.locator("#loading")).to_have_count(0, timeout=SLOW)
    return lesson


def press_by_key(control: Locator) -> None:
    """Go to a control with Tab, forwards or backwards, and press Enter."""
    page = control.page
    expect(control).to_be_visible()
    way = control.evaluate(WHICH_WAY)
    for _ in range(60):
        if not way or control.evaluate("node => node === document.activeElement"):
            page.keyboard.press("Enter")
            return
        page.keyboard.press(way)
    raise AssertionError(f"Tab does not lead to {control}")


WHICH_WAY = """node => {
    const now = document.activeElement;
    if (now === node) return "";
    return now.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_PRECEDING ? "Shift+Tab" : "Tab";
}"""


class Ear:
    """Hears what the lesson says, and insists on one voice and one sentence for whatever is done."""

    def __init__(self, lesson: Locator) -> None:
        self.lesson = lesson
        self.heard = listen(lesson)

    def press(self, control: Locator) -> str:
        """Press by keyboard, and return what is said of it."""
        return self.after(press_by_key, control)

    def after(self, act: Callable[[Locator], None], control: Locator) -> str:
        before = len(self.heard())
        act(control)
        status = self.lesson.get_by_role("status")
        for _ in range(100):
            if len(self.heard()) > before:
                break
            self.lesson.page.wait_for_timeout(50)
        # Whatever else would be said has been asked for by now.
        self.lesson.page.evaluate("() => new Promise(requestAnimationFrame)")
        said = self.heard()[before:]
        assert len(said) == 1, (control, said)
        expect(status).to_have_text(said[0])
        live = self.lesson.page.locator("main").locator("[role=status], [role=alert], [aria-live]")
        expect(live).to_have_count(1)
        assert self.lesson.page.evaluate(FOCUS_IS_SEEN), (control, said)
        return said[0]


FOCUS_IS_SEEN = """() => {
    const node = document.activeElement;
    const { top, bottom } = node.getBoundingClientRect();
    return node !== document.body && bottom > 0 && top < innerHeight;
}"""


def choose(lesson: Locator, question: Question, place: int) -> Locator:
    """One answer of a question that is shown."""
    return part_of(lesson, question).locator(".answer").nth(place)


def part_of(lesson: Locator, question: Question) -> Locator:
    text = fill(question.text, DEAL)
    return lesson.locator(".question").filter(has=lesson.page.get_by_text(text, exact=True))


def expect_result(lesson: Locator, step: Step, guess: int) -> None:
    """The step compares what was predicted with what has happened."""
    happened = result(step, DEAL)
    compare = lesson.get_by_role("region", name="Compare")
    expect(compare).to_contain_text(happened.told)
    expect(compare).to_contain_text(fill(step.prediction.answers[guess], DEAL))
    same = "As you predicted" if happened.answer == guess else "Not as you predicted"
    expect(compare).to_contain_text(same)


def test_compare_on_a_phone_by_keyboard_alone(page: Page, app_address: str) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    lesson = open_lesson(page, app_address, "?deal=7")
    ear = Ear(lesson)
    code = lesson.get_by_label("Deal code of your class")
    code.fill("abc")
    assert "Type a number, like 2024" in ear.press(code)
    expect(code).to_be_focused()
    expect(code).to_have_attribute("aria-invalid", "true")
    expect(code).to_have_accessible_description(re.compile("^That does not work: 'abc'"))
    expect(lesson.locator(".lesson-told")).to_be_in_viewport()
    expect(lesson.locator(".war-notice")).to_be_empty()
    code.fill(str(DEAL))
    assert not too_small(lesson)
    assert ear.press(button(lesson, "Use this deal")) == "Deal 2024."
    expect(code).not_to_have_attribute("aria-invalid", "true")
    expect(page).to_have_url(re.compile(r"\?deal=2024$"))
    press_by_key(lesson.get_by_role("button", name=re.compile("^Compare")))
    expect(page).to_have_url(re.compile(r"\?level=compare&deal=2024$"))
    for place, step in enumerate(COMPARE.steps):
        expect(lesson.get_by_role("heading", name=step.title, exact=True)).to_be_focused()
        expect(lesson.get_by_role("region", name="Compare")).to_have_count(0)
        said = ear.press(lesson.locator(".predict .answer").first)
        assert said.startswith("Locked in")
        expect(lesson.locator(".task")).to_be_focused()
        if not place:
            ear.press(button(lesson, "Change it"))
            ear.press(lesson.locator(".predict .answer").first)
        expect(lesson.locator(".task")).to_be_in_viewport()
        if "end" in step.play.buttons:
            said = ear.press(button(lesson, "To the end"))
        else:
            for _ in range((step.play.until or 1) - step.play.start):
                said = ear.press(button(lesson, "Next battle"))
        assert said.endswith("Now compare.")
        # The rule in force is there to be read, and no other.
        expect(lesson.locator(".war-words li:visible")).to_have_class(["lit"])
        expect_result(lesson, step, 0)
        assert not too_wide(page)
        for question in step.questions:
            key = question.answers.index(question.key)
            wrong = 0 if key else 1
            said = fill(question.answers[wrong].feedback, DEAL)
            assert ear.press(choose(lesson, question, wrong)) == f"Not yet. {said}"
            expect(part_of(lesson, question).locator(".lesson-feedback")).to_contain_text(said)
            expect(choose(lesson, question, wrong)).to_be_focused()
            if question is step.questions[0]:
                for hint in question.hints:
                    more = part_of(lesson, question).get_by_role("button", name="hint")
                    assert fill(hint, DEAL) in ear.press(more)
                # The button is gone with the last hint: what is left to do has the focus.
                expect(choose(lesson, question, 0)).to_be_focused()
            assert fill(question.key.feedback, DEAL) in ear.press(choose(lesson, question, key))
            expect(choose(lesson, question, key)).to_be_focused()
        expect(lesson.get_by_role("region", name="To take along")).to_be_visible()
        # Who is six years old is spared the code that older pupils find there.
        expect(lesson.locator("summary").get_by_text("in Python")).to_have_count(0)
        assert not too_small(lesson)
        done = f"Step {place + 1}: {step.title}, done"
        expect(button(lesson, done)).to_be_visible()
        press_by_key(lesson.get_by_role("button", name=re.compile("^Next: ")))
    expect(lesson.get_by_role("region", name="You can now")).to_have_count(0)
    for question in COMPARE.exit:
        press_by_key(choose(lesson, question, question.answers.index(question.key)))
        expect(part_of(lesson, question).locator(".lesson-feedback.right")).to_be_visible()
    expect(lesson.get_by_role("region", name="You can now")).to_contain_text(
        COMPARE.objectives[0][0]
    )
    page.add_style_tag(content=WIDE_TEXT.replace(".war-game", ".war-lesson"))
    assert not too_wide(page)
    assert not clipped(page)
    ear.press(button(lesson, "Clear my answers"))
    assert not too_small(lesson)
    ear.press(button(lesson, "Keep them"))
    ear.press(button(lesson, "Clear my answers"))
    page.keyboard.press("Escape")
    expect(button(lesson, "Clear my answers")).to_be_focused()
    ear.press(button(lesson, "Copy my answers"))
    report = lesson.get_by_label("Your answers, to hand in")
    for step in COMPARE.steps:
        expect(report).to_have_value(re.compile(re.escape(step.title)))
    expect(report).to_have_value(re.compile(r", then .* \(right, [12] hints?\)"))


def test_chance_on_a_tablet_by_touch_and_again_after_a_reload(
    browser: Browser, app_address: str
) -> None:
    context = browser.new_context(viewport={"width": 768, "height": 1024}, has_touch=True)
    context.set_default_timeout(15_000)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    lesson = open_lesson(page, app_address, f"?level=chance&deal={DEAL}")
    step = CHANCE.steps[2]
    go_to_step(lesson, "Step 3: How long does a round last?", Locator.tap)
    page.go_back()
    expect(lesson.get_by_role("heading", name="Who decides?", exact=True)).to_be_visible()
    page.go_forward()
    expect(lesson.get_by_role("heading", name=step.title, exact=True)).to_be_visible()
    lesson.locator(".predict .answer").nth(3).tap()
    expect(lesson.locator(".lesson-locked")).to_contain_text("300 to 499")
    button(lesson, "Change it").tap()
    lesson.locator(".predict .answer").nth(1).tap()
    button(lesson, "Next battle").tap()
    expect(button(lesson, "Change it")).to_have_count(0)
    button(lesson, "Play 10 battles").tap()
    slider = lesson.get_by_role("slider", name="Look back")
    expect(slider).to_have_attribute("aria-valuetext", "Battle 11 of 11")
    button(lesson, "To the end").tap()
    expect_result(lesson, step, 1)
    expect(slider).to_have_attribute("aria-valuetext", "Battle 107 of 107")
    last = rows_of(Game(code=DEAL).play())[-1]
    lesson.locator("summary").get_by_text("Table of the battles").tap()
    battles = lesson.get_by_role("table", name="Every battle so far")
    expect(battles.get_by_role("row").nth(1).get_by_role("cell")).to_have_text(last[1:])
    expect(battles.get_by_role("rowheader")).to_have_text([*map(str, range(107, 0, -1))])
    expect(battles.get_by_role("columnheader").first).to_have_text("Battle")
    slider.fill("20")
    expect(battles.get_by_role("rowheader")).to_have_text([*map(str, range(20, 0, -1))])
    button(lesson, "Next battle").tap()
    expect(battles.get_by_role("rowheader").first).to_have_text("21")
    slider.fill("107")
    expect(battles.get_by_role("row").nth(1).get_by_role("cell")).to_have_text(last[1:])
    assert not serious_faults(page)
    lesson.locator("summary").get_by_text("Table of the battles").tap()
    many = lesson.get_by_role("region", name="Many rounds")
    button(many, "10,000 rounds").tap()
    picture = many.get_by_role("img")
    expect(picture).to_have_attribute("aria-label", re.compile("^10,000 rounds: the mean is 258"))
    many.locator("summary").tap()
    expect(many.get_by_role("row")).to_have_count(21)
    choose(lesson, step.questions[0], 0).tap()
    expect(part_of(lesson, step.questions[0]).locator(".lesson-feedback.wrong")).to_be_visible()
    button(part_of(lesson, step.questions[0]), "A hint, please").tap()
    expect(lesson.locator(".lesson-hints")).to_be_visible()
    assert not too_small(lesson)
    assert not faults_in_all_colours(page)
    # Time goes to the right on a page that is read from the right, too.
    page.evaluate("document.documentElement.dir = 'rtl'")
    for drawn in (slider, picture, lesson.locator(".lesson-line svg")):
        expect(drawn).to_have_css("direction", "ltr")
    page.evaluate("document.documentElement.dir = 'ltr'")
    page.set_viewport_size({"width": 1920, "height": 1080})
    set_large(page, True)
    # As large as the board's own words, from the six metres that a projector is looked at.
    assert not too_far(lesson)
    assert not too_wide(page)
    assert not clipped(page)
    set_large(page, False)
    page.set_viewport_size({"width": 768, "height": 1024})

    shown = lesson.locator(".lesson-main, .lesson-below").all_inner_texts()
    page.reload()
    lesson = open_again(page)
    expect(lesson.locator(".lesson-hints")).to_be_visible(timeout=SLOW)
    many = lesson.get_by_role("region", name="Many rounds")
    button(many, "10,000 rounds").tap()
    expect(many.get_by_role("img", name="10,000 rounds: the mean is 258")).to_be_visible()
    many.locator("summary").tap()
    expect(many.get_by_role("row")).to_have_count(21)
    assert lesson.locator(".lesson-main, .lesson-below").all_inner_texts() == shown

    button(lesson, "Copy my answers").tap()
    expect(button(lesson, "Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("War, level Chance, deal 2024\n")
    assert "I predicted: 100 to 199" in copied
    # Another deal has answers of its own; the next pupil on this tablet begins anew.
    other = open_lesson(context.new_page(), app_address, "?level=chance&deal=7")
    expect(other.locator(".predict .answer")).to_have_count(3)
    # What is answered on one page of a deal is answered on the other, and neither leaves its step.
    button(other, "Other level").tap()
    other.get_by_label("Deal code").fill(str(DEAL))
    button(other, "Use this deal").tap()
    other.get_by_role("button", name=re.compile("^Chance")).tap()
    go_to_step(other, "Step 2: How often is it war?", Locator.tap)
    other.locator(".predict .answer").nth(2).tap()
    expect(other.locator(".lesson-locked")).to_contain_text(CHANCE.steps[1].prediction.answers[2])
    page.bring_to_front()
    expect_result(lesson, step, 1)
    choose(lesson, step.questions[0], 1).tap()
    go_to_step(lesson, "Step 2: How often is it war?", Locator.tap)
    expect(lesson.locator(".lesson-locked")).to_contain_text(CHANCE.steps[1].prediction.answers[2])
    button(lesson, "Clear my answers").tap()
    button(lesson, "Clear all").tap()
    expect(lesson.get_by_role("heading", name="Who decides?", exact=True)).to_be_focused()
    expect(other.locator(".predict .answer").first).to_be_visible()
    page.reload()
    lesson = open_again(page)
    expect(lesson.locator(".predict .answer")).to_have_count(3)
    context.close()


def too_far(lesson: Locator) -> list[str]:
    """Text that nobody reads from six metres, as it is smaller than the smallest on the board."""
    found: list[str] = lesson.evaluate(
        """root => [...root.querySelectorAll("*")].filter((node) => node.checkVisibility()
                && !node.closest("svg, .war-status")
                && [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim())
                && parseFloat(getComputedStyle(node).fontSize) < 24)
            .map((node) => `${getComputedStyle(node).fontSize}: ${node.outerHTML.slice(0, 100)}`)"""
    )
    return found


def set_large(page: Page, large: bool) -> None:
    """Set large cards for a projector, as the game's own page does."""
    page.evaluate(
        """large => {
            localStorage.setItem("war-settings", JSON.stringify({ large }));
            window.dispatchEvent(new CustomEvent("war-settings", { detail: { large } }));
        }""",
        large,
    )
    expect(page.locator(".war-game.large")).to_have_count(2 * large)


def rows_of(game: Game) -> list[list[str]]:
    """The rows of a table of battles, as the page has to show them."""
    names = ("You", "Computer")
    return [
        [
            *(str(row.battle), *row.laid, str(row.wars)),
            *("" if row.winner is None else names[row.winner], str(row.taken)),
            *map(str, row.counts),
        ]
        for row in history(game)
    ]


def too_small(lesson: Locator) -> list[str]:
    """What a finger may miss of all that can be pressed: less than 44 pixels high or wide."""
    found: list[str] = lesson.evaluate(
        """root => [...root.querySelectorAll("a, button, summary, input, select, textarea, [tabindex='0']")]
            .filter(node => node.checkVisibility())
            .map(node => [node, (node.closest("label") ?? node).getBoundingClientRect()])
            .filter(([, box]) => Math.min(box.width, box.height) < 44)
            .map(([node, box]) => `${box.width} × ${box.height}: ${node.outerHTML.slice(0, 120)}`)"""
    )
    return found


def open_again(page: Page) -> Locator:
    lesson = page.locator(".war-lesson")
    expect(lesson.locator(".lesson-title")).to_be_visible(timeout=SLOW)
    expect(page.locator("#loading")).to_have_count(0, timeout=SLOW)
    return lesson


def test_compute_traces_and_lays_puzzles_after_a_wild_address(page: Page, app_address: str) -> None:
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    page.set_viewport_size({"width": 320, "height": 640})
    lesson = open_lesson(page, app_address, "?level=compute&deal=<script>alert(1)</script>")
    expect(lesson.locator(".war-notice").first).to_contain_text("not a deal code: '<script>")
    press_by_key(lesson.get_by_role("button", name=re.compile("^Compute")))
    expect(lesson.locator(".war-notice").first).to_be_empty()

    go_to_step(lesson, "Step 3: Trace a war")
    lesson.locator(".predict .answer").nth(2).click()
    button(lesson, "Next battle").click()
    expect_result(lesson, COMPUTE.steps[2], 2)
    assert not too_small(lesson)
    field = lesson.get_by_label("Cards, top card first")
    field.fill("9S 4D KH 9C 6S 7D 2C <b>")
    field.press("Enter")
    expect(lesson.locator(".lesson-feedback")).to_contain_text("Not a card: '<b>'")
    field.fill("9S 4D KH 9C 6S 7D 2C")
    field.press("Enter")
    expect(lesson.locator(".lesson-feedback")).to_contain_text("like a stack")
    field.fill("2c 9s 4d kh 9c 6s 7d")
    field.press("Enter")
    expect(lesson.locator(".lesson-feedback.right")).to_be_visible()
    lesson.locator("summary").get_by_text("The code that plays a battle").click()
    expect(lesson.locator(".lesson-source")).to_contain_text("def play_battle(")
    assert not too_wide(page)

    go_to_step(lesson, "Step 7: Puzzles")
    ear = Ear(lesson)
    for name in ("four of spades", "three of hearts", "two of spades", "five of hearts"):
        said = ear.after(Locator.click, button(lesson, name))
    assert said == "Five of hearts to player 2. 2 and 2 cards."
    assert "laid already" in ear.press(button(lesson, name))
    first, second = (lesson.get_by_label(f"Pile of player {player}") for player in (1, 2))
    expect(first).to_have_value("4S 2S")
    expect(second).to_have_value("3H 5H")
    assert "Solved!" in ear.after(Locator.click, button(lesson, "Check"))
    expect(lesson.locator(".lesson-feedback")).to_contain_text(
        "Solved! The position comes back every 4 battles, from the deal on."
    )
    ear.after(Locator.click, button(lesson, "Next battle"))
    expect(lesson.locator(".war-stage")).to_contain_text("Your four beats the three")
    ear.after(Locator.click, button(lesson, "Take back"))
    second.fill("3H 3H")
    second.press("Tab")
    button(lesson, "Check").click()
    expect(lesson.locator(".lesson-feedback")).to_have_text("✗ 3H is there twice.")
    expect(lesson.locator(".war-stage .war-board")).to_have_count(0)

    assert find_puzzle("war-of-twelve").text == ear.after(
        Locator.click, button(lesson, "A war of twelve")
    )
    expect(first).to_have_value("")
    for hint in find_puzzle("war-of-twelve").hints:
        more = lesson.locator(".puzzle").get_by_role("button", name="hint")
        assert hint in ear.after(lambda control: control.press("Enter"), more)
    expect(button(lesson, "Check")).to_be_focused()
    button(lesson, "queen of spades").click()
    button(lesson, "queen of hearts").click()
    ear.after(Locator.click, button(lesson, "Deal the rest"))
    for field in (first, second):
        # Each pile can be read as a whole.
        assert field.evaluate("node => node.scrollHeight <= node.clientHeight")
        assert field.evaluate(
            "node => node.clientWidth > 0.8 * node.closest('section').clientWidth"
        )
    expect(first).to_have_value(re.compile(r"^QS( \w+){25}$"))
    button(lesson, "Check").click()
    expect(lesson.locator(".lesson-feedback.right")).to_be_visible()
    assert not too_wide(page)
    assert not too_small(lesson)
    assert not serious_faults(page)
    assert not dialogs
    # Nothing of any other puzzle's solution is on the page.
    assert find_puzzle("shortest").solution.split(" | ")[0] not in page.content()
    ear.after(Locator.click, button(lesson, "Empty"))
    expect(lesson.get_by_role("link", name="All of War")).to_have_attribute("href", "/voila/..")
    button(lesson, "Other level").click()
    expect(lesson.locator(".war-board")).to_have_count(0)


def test_a_lost_kernel_costs_no_answer(page: Page) -> None:
    # What is deeper than any answers is none, and costs the lesson nothing.
    nested = "[" * 50_000 + "]" * 50_000
    page.add_init_script(f"localStorage['war-lesson'] ??= `{nested}`")
    with running(war_app()) as server:
        lesson = open_lesson(page, server.address, f"?level=chance&deal={DEAL}")
        lesson.locator(".predict .answer").nth(1).click()
        button(lesson, "Play 10 battles").click()
        expect_result(lesson, CHANCE.steps[0], 1)
        for process in family_of(server.process)[1:]:
            process.kill()
        choose(lesson, CHANCE.steps[0].questions[0], 0).click()
        told = page.locator(".war-notice:not(:empty)")
        expect(told).to_contain_text("Your answers are kept", timeout=5_000)
        expect(told).to_have_count(1)
        button(lesson, "Go on").click()
        expect(told).to_have_count(0, timeout=SLOW)
        expect_result(open_again(page), CHANCE.steps[0], 1)
        choose(lesson, CHANCE.steps[0].questions[0], 0).click()
        expect(lesson.locator(".lesson-feedback.wrong")).to_be_visible()
