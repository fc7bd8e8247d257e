"""The printed sheet: two pages at the most, black on white, right, and without its key."""

import io
import re
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from statistics import mean, median

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from click.testing import CliRunner, Result
from matplotlib.image import imread
from playwright.sync_api import Page as BrowserPage

from tests.agreement import second
from war import Game
from war.cli import main
from war.describe import rules_in_words
from war.game import Reason
from war.lesson.questions import LEVELS, find_question
from war.lesson.results import fill, result
from war.lesson.sheet import LOOKS, PAPERS, Page, sheet_and_key, to_html, to_pdf, typeset
from war.lesson.tasks import Choices, Table, tasks_of
from war.rules import Rules
from war.variants import VARIANTS, rules_of

RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
# Deal 74 begins by house rules with a war of tens, the other code is as long as codes can be.
CODES = (74, 2**63 - 9)
SMALL = rules_of({"ranks": "2 3 A", "players": 3})


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["sheet", *words])


def pages(codes: tuple[int, ...], rules: object = "classic", paper: str = "a4") -> Iterator[Page]:
    for code, level in product(codes, LOOKS):
        yield from sheet_and_key(code, level, rules, paper)


def table_of(page: Page, place: int) -> Table:
    return next(part for part in page.questions[place - 1][1] if isinstance(part, Table))


def answer(page: Page, place: int) -> str:
    return str(page.questions[place - 1][1][-1])


# Letter is the shorter paper.
@pytest.mark.parametrize(
    ("rules", "paper"),
    [(VARIANTS["classic"], "a4"), *((each, "letter") for each in (*VARIANTS.values(), SMALL))],
)
def test_a_sheet_has_two_pages_at_the_most(rules: Rules, paper: str) -> None:
    for page in pages(CODES, rules, paper):
        pdf = to_pdf(page)
        printed = re.findall(rb"/Type\s*/Page\b", pdf)
        assert 1 <= len(printed) <= 2, page.name
        # Tags, a language and words for each picture: the standard for PDF that can be listened to.
        assert b"pdfuaid:part>1<" in pdf


def test_paper_has_its_size() -> None:
    boxes = {
        paper: re.search(
            rb"/MediaBox\s*\[([^]]*)]", to_pdf(sheet_and_key(1, "compare", paper=paper)[0])
        )
        for paper in PAPERS
    }
    sizes = {
        paper: [round(float(each)) for each in box[1].split()[2:]] for paper, box in boxes.items()
    }
    assert sizes == {"a4": [595, 842], "letter": [612, 792]}


def test_everything_is_printed_without_colour() -> None:
    for page in pages((2024,)):
        pictures = typeset(page, format="png", ppi=60)
        for picture in pictures if isinstance(pictures, list) else [pictures]:
            pixels = imread(io.BytesIO(picture))[..., :3]
            assert np.ptp(pixels, axis=2).max() == 0
            assert pixels.min() < 0.2
            # Nobody's copier runs out of toner.
            assert pixels.mean() > 0.85
        for colour in re.findall(r"#([0-9a-f]{3,6})\b", to_html(page)):
            assert len({*colour}) == 1 or colour[:2] * 3 == colour, colour


def test_the_sheet_does_not_hold_its_key() -> None:
    for code, rules in product(CODES, ("classic", "house")):
        for level in LEVELS:
            sheet, key = sheet_and_key(code, level.name, rules)
            assert "Key" not in to_html(sheet)
            assert 'class="answer"' not in to_html(sheet)
            assert 'class="answer"' in to_html(key)
            for task, (_, room) in zip(
                tasks_of(level, Game(rules, code)), sheet.questions, strict=True
            ):
                assert not any(isinstance(part, str) for part in room)
                assert not task.table or task.table not in room
                if not any(isinstance(part, Choices) for part in room):
                    assert not task.answer or task.answer not in to_html(sheet)
    first_columns = {"compare": 2, "chance": 2, "compute": 1}
    for level, place in first_columns.items():
        sheet, _ = sheet_and_key(2024, level)
        tables = [part for part in sheet.questions[place - 1][1] if isinstance(part, Table)]
        assert [row[-1] for row in tables[-1].rows if row[0] != "start"] == [""] * 5 + [""] * (
            level == "compare"
        )


def test_a_hidden_card_is_nowhere_on_the_sheet_about_chance() -> None:
    game = Game("classic", 2024).play(5)
    sheet, key = sheet_and_key(2024, "chance")
    for battle in range(1, 6):
        mine, hidden = game.events_of(battle)[0].cards
        table = table_of(sheet, 2)
        assert table.rows[battle - 1][1:3] == ((mine,), (None,))
        assert hidden.name not in to_html(sheet)
        assert str(hidden) in to_html(key)


@pytest.mark.parametrize("code", [0, 7, 74, 2024, 123456])
def test_the_key_of_compare_is_right(code: int) -> None:
    _, key = sheet_and_key(code, "compare")
    taken = [0, 0]
    for place, first, sign, other, taker in table_of(key, 2).rows:
        strengths = [RANKS.index(str(card)[:-1]) for card in (first, other)]
        assert sign == (
            "<" if strengths[0] < strengths[1] else ">" if strengths[0] > strengths[1] else "="
        )
        assert taker == {"<": "Player 2", ">": "Player 1", "=": "war"}[sign]
        if sign != "=":
            taken[sign == "<"] += 1
        last = int(re.match(r"\d+", str(place))[0])
    assert answer(key, 3).startswith(f"Player 1: {taken[0]}, Player 2: {taken[1]}.")
    if taken[0] != taken[1]:
        ahead = 1 + (taken[1] > taken[0])
        assert f"Player {ahead} took most, {abs(taken[0] - taken[1])} more." in answer(key, 3)
    then, next_one = (
        [len(pile) for pile in second({"rules": "classic", "code": code}, battles)["piles"]]
        for battles in (last, last + 1)
    )
    assert answer(key, 4) == f"Player 1: {then[0]}, Player 2: {then[1]}. Together 52."
    assert answer(key, 6).startswith(f"Player {1 + (next_one[1] > then[1])} takes it.")


def test_nobody_is_asked_for_a_card_that_is_not_there() -> None:
    for code in range(1, 201):
        lines = sheet_and_key(code, "compare")[0].questions[1][1][0]
        shown = {
            card for row in lines.rows for cell in row if isinstance(cell, tuple) for card in cell
        }
        sheet, key = sheet_and_key(code, "compare")
        ((card,), *room) = table_of(sheet, 5).rows[0]
        assert room == [(), ()]
        assert card in shown
        assert card.name in sheet.questions[4][0]
        assert "no card" not in answer(key, 5)
        place = RANKS.index(card.rank)
        assert 0 < place < len(RANKS) - 1, code


def test_the_youngest_read_one_line_before_they_begin() -> None:
    for rules in VARIANTS:
        sheet, key = sheet_and_key(2024, "compare", rules)
        assert len(" ".join(sheet.about)) < 100
        assert ("rules: " in sheet.about[0]) == (rules != "classic")
        assert f"rules: {rules}" in key.about[0]
        assert all(each in key.about[1] for each in rules_in_words(rules_of(rules)).values())
    # The war of the second battle says how many cards lie hidden.
    for change, cards in (({}, "1 hidden card each"), ({"down": 3}, "3 hidden cards each")):
        sheet, _ = sheet_and_key(2024, "compare", change)
        assert f"2, war: {cards}" in [row[0] for row in table_of(sheet, 2).rows]


def test_written_cards_are_explained_wherever_they_are_written() -> None:
    met = set()
    for page in pages(CODES):
        read = re.sub(r"<[^>]*>", " ", re.sub(r"(?s)<(style|title)>.*?</\1>", "", to_html(page)))
        told = "10D is the ten of diamonds: C clubs, D diamonds, H hearts, S spades; A ace, K king"
        others = read.replace("10D is", "")
        if re.search(r"(?<!\w)(10|[2-9JQKA])[CDHS](?!\w)", others):
            met.add(page.name)
            assert told in read, page.name
    assert len(met) >= 8


def test_the_key_holds_that_of_the_lesson_for_the_same_deal() -> None:
    for code, level in product((2024, 7), LEVELS):
        sheet, key = sheet_and_key(code, level.name)
        rows = table_of(key, len(key.questions)).rows
        told = [row[2] for row in rows]
        for step in level.steps:
            assert result(step, code).told in told
            for question in step.questions:
                assert fill(question.text, code) in [row[1] for row in rows]
        assert len(rows) == sum(1 + len(step.questions) for step in level.steps)
        assert len(key.questions) == len(sheet.questions) + 1
        assert not any(each in to_html(sheet) for each in told if len(each) > 30)
    _, short = sheet_and_key(624, "chance")
    assert "over after 22 battles" in answer(short, len(short.questions))
    house = sheet_and_key(2024, "chance", "house")
    assert len(house[0].questions) == len(house[1].questions)


def test_what_the_key_says_of_mean_and_median_is_true() -> None:
    said = set()
    for code in range(60):
        lengths = [int(str(row[1])) for row in table_of(sheet_and_key(code, "chance")[0], 5).rows]
        middle = sorted(lengths)[2]
        longer = sum(length - middle for length in lengths if length > middle)
        shorter = sum(middle - length for length in lengths if length < middle)
        way = "up" if longer > shorter else "down"
        told = answer(sheet_and_key(code, "chance")[1], 5)
        assert told.startswith(f"Mean {sum(lengths) / 5:.1f}, median {middle}. ")
        assert told.endswith(f"pull the mean {way}." if longer != shorter else "are the same.")
        assert ("the long rounds lie further" in told) == (longer > shorter)
        said.add(way)
    assert said == {"up", "down"}


@pytest.mark.parametrize("code", [0, 7, 74, 2024, 123456])
def test_the_key_of_chance_is_right(code: int) -> None:
    _, key = sheet_and_key(code, "chance")
    total = 0
    for _, mine, hidden, lower, equal, higher, chance, was in table_of(key, 2).rows:
        others = [rank + suit for rank, suit in product(RANKS, "CDHS") if rank + suit != mine]
        against = [RANKS.index(other[:-1]) - RANKS.index(str(mine)[:-1]) for other in others]
        counted = [
            sum(each < 0 for each in against),
            against.count(0),
            sum(each > 0 for each in against),
        ]
        assert [lower, equal, higher] == [*map(str, counted)]
        assert chance == f"{counted[0]}/51 = {counted[0] / 51 * 100:.1f}\xa0%"
        total += counted[0]
        assert (
            was
            == ("lower", "equal", "higher")[int(np.sign(against[others.index(str(hidden))])) + 1]
        )
    assert answer(key, 3).startswith(f"Expected {total / 51:.1f}, ")
    assert answer(key, 4).startswith("3/51 = 5.9\xa0%. ")
    rounds = table_of(sheet_and_key(code, "chance")[0], 5).rows
    assert [row[0] for row in rounds] == [str(code + further) for further in range(1, 6)]
    lengths = [second({"rules": "classic", "code": row[0]})["battles"] for row in rounds]
    assert [row[1] for row in rounds] == [*map(str, lengths)]
    assert answer(key, 5).startswith(f"Mean {mean(lengths):.1f}, median {median(lengths)}.")
    end = second({"rules": "classic", "code": code})
    said = "draw" if end["winner"] is None else f"Player {end['winner']} wins"
    assert f"Game over after {end['battles']} battles" in answer(key, 6).replace(": draw", "")
    assert said in answer(key, 6)


@pytest.mark.parametrize(
    ("code", "rules"), [*product([0, 74, 2024], ["classic", "house", "three-players"])]
)
def test_the_key_of_compute_is_right(code: int, rules: str) -> None:
    sheet, key = sheet_and_key(code, "compute", rules)
    start, *rows = table_of(key, 1).rows
    players = VARIANTS[rules].players
    drawn = [[*map(str, row[1])] for row in table_of(sheet, 1).rows]
    for row in rows:
        then = second({"rules": rules, "code": code}, int(str(row[0])))
        owned = [len(pile) + len(won) for pile, won in zip(then["piles"], then["won"], strict=True)]
        assert [int(str(each)) for each in row[-players:]] == owned
        # What is laid comes off the stacks that the sheet shows.
        for pile, laid in zip(drawn, row[1 : players + 1], strict=True):
            cards = str(laid).replace("(", "").replace(")", "").split()
            assert pile[: len(cards)] == cards
            del pile[: len(cards)]
    assert f"== {sum(int(str(each)) for each in start[-players:])}." in answer(key, 3)


def test_the_four_cards_go_round_as_the_key_says() -> None:
    _, key = sheet_and_key(2024, "compute")
    positions = [row[1:] for row in table_of(key, 4).rows]
    start, period = map(int, re.findall(r"\d+", answer(key, 4)))
    assert positions[start] == positions[start + period]
    assert len({*positions[: start + period]}) == start + period
    piles = [str(pile) for pile in positions[0]]
    endless = Game({"pickup": "as-laid", "cap": None}, piles=piles).play()
    assert endless.outcome.reason is Reason.ENDLESS
    assert Game({"cap": None}, piles=piles).play().outcome.reason is Reason.ALL_CARDS


def test_the_exit_questions_are_those_of_the_lesson() -> None:
    for level in LEVELS:
        sheet, key = sheet_and_key(1, level.name)
        assert [ask for ask, _ in sheet.questions[-3:]] == [each.text for each in level.exit]
        assert not re.search("[{}]", "".join(each.text for each in level.exit))
        for (_, (room,)), question in zip(sheet.questions[-3:], level.exit, strict=True):
            assert isinstance(room, Choices)
            assert len(room.answers) == len(question.answers)
        # What happens on the screen comes last.
        assert answer(key, len(sheet.questions)) == find_question(level.exit[-1].name).key.text


def test_pages_of_a_sheet_are_for_everybody(page: BrowserPage) -> None:
    *_, key = some = [*pages((74,), paper="letter")]
    for each in [*(sheet for sheet in some if not sheet.key), key]:
        page.set_content(to_html(each))
        assert page.locator("html").get_attribute("lang") == "en"
        assert page.get_by_role("main").get_by_text("Deal 74").count() == 1
        found = Axe().run(page).response["violations"]
        assert [one["id"] for one in found] == [], each.name
        page.set_viewport_size({"width": 320, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, each.name
        printed = page.pdf(prefer_css_page_size=True)
        # A browser prints a key with that of the lesson on a third page.
        assert len(re.findall(rb"/Type\s*/Page\b", printed)) <= 2 + each.key, each.name


def test_four_files_are_written_and_named(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "sheets"
    done = run("--deal", "20 24", "--level", "compare", "--set", "down=2", "--output", str(folder))
    assert done.exit_code == 0
    name = "war-2024-classic-changed-compare"
    assert done.output.split() == [
        str(folder / f"{name}{ending}") for ending in (".pdf", ".html", "-key.pdf", "-key.html")
    ]
    assert {path.name for path in folder.iterdir()} == {
        Path(path).name for path in done.output.split()
    }
    assert "two cards face down" in (folder / f"{name}-key.html").read_text()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--deal", "twelve"), "not a deal code: 'twelve'"),
        (("--deal", "1", "--level", "hard"), "unknown level: 'hard'"),
        (("--deal", "1", "--paper", "a0"), "unknown paper: 'a0'"),
        (("--deal", "1", "--rules", "bridge"), "unknown rules: 'bridge'"),
        (("--deal", "1", "--set", "cap=99999999"), "cap is at most"),
        (("--deal", "1", "--output", __file__), "cannot write into"),
        (("--deal", "1", "--output", f"{__file__}/sheets"), "cannot write into"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(words: tuple[str, ...], complaint: str) -> None:
    done = run(*words)
    assert done.exit_code == 1
    assert complaint in done.output
    assert len(done.output.splitlines()) == 1


def test_typst_missing_is_said_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    done = run("--deal", "1", "--output", str(tmp_path))
    assert done.output == (
        "Error: typst is not installed; install it with: pip install 'war-notebooks[sheet]'\n"
    )
    assert not any(tmp_path.iterdir())


def test_nothing_on_a_page_is_taken_for_markup() -> None:
    sheet, _ = sheet_and_key(1, "compare")
    wild = "<script>alert(1)</script> #panic() *x* $y$ @z"
    odd = sheet._replace(
        title=wild,
        about=(wild, wild),
        questions=((wild, (wild, Choices((wild,)), Table((wild,), ((wild,),)))),),
    )
    assert "<script>" not in to_html(odd)
    assert to_html(odd).count("&lt;script&gt;") == 10
    assert to_pdf(odd).startswith(b"%PDF")
