"""What the teacher reads: all of the lesson is in it, right, and for the teacher alone."""

import re
import shutil
from html import unescape
from pathlib import Path
from typing import Any

import nbformat
import pytest
from click.testing import CliRunner
from tornado.web import HTTPError

from tests.servers import ROOT
from war import Game
from war.cli import main
from war.game import Reason
from war.lesson import lesson
from war.lesson.notes import (
    CODES,
    EXIT_OF,
    NOTES,
    REPLIES,
    SHOWN_BEST,
    SPARE,
    class_link,
    key,
    mistakes,
    plan,
    puzzles,
)
from war.lesson.puzzles import check, find_puzzle
from war.lesson.questions import (
    BEGIN_MINUTES,
    LEVELS,
    MISCONCEPTIONS,
    every_question,
    find_question,
)
from war.lesson.record import judge
from war.lesson.results import CLASS_DEAL, fill
from war.lesson.rounds import figures, rounds
from war.serving.guard import PupilsNotebooks
from war.serving.notebooks import is_for_teachers

NOTEBOOK = ROOT / "notebooks" / "teacher.ipynb"


@pytest.fixture(scope="module")
def notebook() -> Any:
    return nbformat.read(NOTEBOOK, as_version=4)


@pytest.fixture(scope="module")
def words(notebook: Any) -> str:
    """All that the teacher reads in the notebook, without its marks."""
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    for cell in notebook.cells:
        texts += [output["data"].get("text/html", "") for output in cell.get("outputs", [])]
    return unescape(re.sub(r"<[^>]*>", " ", " ".join(texts)))


def test_every_step_is_led_and_every_minute_planned() -> None:
    assert {*NOTES} == {step.name for level in LEVELS for step in level.steps}
    assert all(all(note) for note in NOTES.values())
    for level in LEVELS:
        spans = re.findall(r"<td[^>]*>(\d+)–(\d+)</td>", plan(level.name).html)
        begins, ends = zip(*(map(int, span) for span in spans), strict=True)
        assert begins == (0, *ends[:-1])
        assert 45 <= ends[-1] <= 50
        assert [end - begin for begin, end in zip(begins, ends, strict=True)] == [
            BEGIN_MINUTES,
            *(step.minutes for step in level.steps),
            level.exit_minutes,
        ]


def test_a_plan_says_what_to_do_when_time_is_short() -> None:
    assert {*SPARE} <= {*NOTES}
    for level in LEVELS:
        told = plan(level.name).html
        assert f"skip to the exit at minute {level.minutes - level.exit_minutes}" in told
        assert level.minutes - level.exit_minutes == 40
        spare = [step for step in level.steps if step.name in SPARE]
        assert told.count("(may be left out)") == len(spare) >= 1
        # No exit question is about a step that has been left out, by the only feedback that names one.
        words = " ".join(each.feedback for question in level.exit for each in question.answers)
        assert not any(step.play.deal and f"{{{step.play.deal}}}" in words for step in spare)
        # Who cannot read yet does not sit alone before questions.
        assert ("Alone, without talking" in told) == (level.name not in EXIT_OF)
    assert {*EXIT_OF} == {"compare"}


def test_every_pair_is_asked_for_what_can_differ_between_pairs() -> None:
    # With one deal for all, whatever is counted on it is counted alike by everybody.
    notes = " ".join(f"{note.ask} {note.look}" for note in NOTES.values())
    replies = " ".join(REPLIES.values())
    for wrong in ("each pair's count of wars", "our rounds", "in this room", "Some pairs see"):
        assert wrong not in notes + replies
    assert "codes of its own" in NOTES["tie"].look


def test_every_objective_has_a_code_that_is_explained() -> None:
    assert {code for level in LEVELS for _, code in level.objectives} == {*CODES}
    assert all(2 <= len(level.objectives) <= 4 for level in LEVELS)


def test_every_mistake_has_a_reply_and_a_question_that_brings_it_up() -> None:
    assert {*REPLIES} == {*MISCONCEPTIONS}
    assert len({*REPLIES.values()}) == len(REPLIES)
    told = unescape(mistakes().html)
    for name, wrong in MISCONCEPTIONS.items():
        assert wrong in told
        assert REPLIES[name] in told
    assert "(0 in all)" not in told
    for name, shown in SHOWN_BEST.items():
        question = find_question(shown)
        assert name in {answer.misconception for answer in question.answers}
        assert fill(question.text, CLASS_DEAL) in told


def test_what_is_said_of_figures_is_true(words: str) -> None:
    words = " ".join(words.split()).replace("*", "")
    wars = sum(each.wars for each in rounds())
    assert round(sum(each.battles for each in rounds()) / wars) == 13
    assert "about one in 13" in words
    first = sum(each.tie for each in rounds())
    assert round(len(rounds()) / first) == 17
    assert "first battles of the class, is about one in 17" in words
    assert round(250 / 17) == 15
    assert "would be 15 wars in 250 battles" in REPLIES["rare"]
    # Of the four cards it is said how they are taken up, for by the usual rule they do end.
    piles = re.findall(r"(?:\d[SHDC] ?){2}", REPLIES["ends"])
    assert len(piles) == 2
    assert (
        Game({"pickup": "as-laid", "cap": None}, piles=piles).play().outcome.reason
        is Reason.ENDLESS
    )
    assert Game({"cap": None}, piles=piles).play().battles == 6
    assert "by the usual rule they are done after six battles" in words
    assert "taken up as they lie" in REPLIES["ends"]
    deals = re.findall(
        r"deal (\d+) .{0,60}?(all four|two) aces .{0,30}?(wins|loses),? after (\d+) battles", words
    )
    assert [each[0] for each in deals] == [str(CLASS_DEAL), "2031"]
    for deal, aces, won, battles in deals:
        each = rounds()[int(deal)]
        assert each.aces == {"all four": 4, "two": 2}[aces]
        assert each.winner == {"wins": 1, "loses": 2}[won]
        assert each.battles == int(battles)
    assert f"our round ({rounds()[CLASS_DEAL].battles} battles in deal {CLASS_DEAL})" in words
    assert f"the median ({figures().median:.0f}) and the mean ({figures().mean:.0f})" in words


@pytest.mark.parametrize("deal", [CLASS_DEAL, 7])
def test_the_key_is_what_the_page_takes_for_right(deal: int) -> None:
    for level in LEVELS:
        told = unescape(key(level.name, deal).html)
        for question in every_question((level,)):
            right = next(at for at, each in enumerate(question.answers) if each.right)
            assert judge(question, question.key.text if question.written else right).right
            assert f"{fill(question.text, deal)} <strong>{fill(question.key.text, deal)}<" in told
            for answer in question.answers:
                if not answer.right:
                    assert fill(answer.feedback, deal) in told


def test_every_puzzle_has_a_solution_that_solves_it() -> None:
    told = unescape(puzzles().html)
    for name in {name for level in LEVELS for name in level.puzzles}:
        puzzle = find_puzzle(name)
        assert puzzle.solution in told
        assert check(name, puzzle.solution).solved


def test_the_notebook_holds_everything_for_a_lesson(notebook: Any, words: str) -> None:
    for level in LEVELS:
        for objective, code in level.objectives:
            assert objective in words
            assert code in words
        for step in level.steps:
            assert NOTES[step.name].ask in words
            assert NOTES[step.name].look in words
        for question in every_question((level,)):
            assert fill(question.text, CLASS_DEAL) in words
    # Its headings are the list of what a teacher was promised.
    headings = re.findall(r"(?m)^## (.+)$", "\n".join(cell.source for cell in notebook.cells))
    assert headings == [
        *("What it is for", "What you need", "Before the lesson", "How each step goes"),
        *(f"The plan: {level.title}, ages {level.ages}" for level in LEVELS),
        *("If …", "What they usually get wrong", "The key", "What they have learnt"),
        *("When there is more time", "What this game cannot do"),
    ]
    more = next(cell.source for cell in notebook.cells if cell.id == "extensions")
    assert len(re.findall(r"(?m)^- \*\*", more)) >= 3


def test_the_notebook_tells_commands_and_pages_that_exist(notebook: Any) -> None:
    prose = " ".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    for command, options in re.findall(r"`(?:\S+[/\\])?war (\w+)((?: [^`]+)?)`", prose):
        told = CliRunner().invoke(main, [command, "--help"]).output
        for option in re.findall(r"--\w+", options):
            assert option in told, f"war {command} {option}"
    assert "--teacher" in CliRunner().invoke(main, ["app", "--help"]).output
    for page in re.findall(r"[\w_]+\.ipynb", prose):
        assert (NOTEBOOK.parent / page).exists(), page


def test_the_link_leads_to_the_level_and_the_deal() -> None:
    link = repr(class_link("http://127.0.0.1:8866/school/", "chance", deal="20 24"))[1:-1]
    path, query = link.split("?")
    assert path == "http://127.0.0.1:8866/school/lesson"
    page = lesson()
    page.answer({"ask": "hello", "query": f"?{query}", "kept": None})
    assert page.page.view["level"] == "chance"
    assert page.page.view["deal"] == "2024"


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: plan("hard"), "unknown level: 'hard'"),
        (lambda: key("hard"), "unknown level: 'hard'"),
        (lambda: key("chance", "twelve"), "not a deal code: 'twelve'"),
        (lambda: class_link("javascript:alert(1)", "chance"), "not the address of a server"),
        (lambda: class_link("http://a b/", "chance"), "not the address of a server"),
        (lambda: class_link("http://127.0.0.1/?x=1", "chance"), "not the address of a server"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(call: Any, complaint: str) -> None:
    with pytest.raises(ValueError, match=re.escape(complaint)) as told:
        call()
    assert "\n" not in str(told.value)


def test_what_comes_from_outside_is_no_markup() -> None:
    link = class_link('http://127.0.0.1/"><script>alert(1)</script>/', "chance")
    assert "<script>" not in link.html
    assert '"><' not in link.html.replace('"><figcaption>', "")


def test_pupils_do_not_get_it() -> None:
    assert is_for_teachers(NOTEBOOK.name)
    # Nor does another notebook show what it shows.
    for path in NOTEBOOK.parent.glob("*.ipynb"):
        if path != NOTEBOOK:
            assert "war.lesson.notes" not in path.read_text(encoding="utf-8"), path.name


def test_a_list_of_notebooks_leaves_it_out_and_has_the_others(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(NOTEBOOK.parent, tmp_path / "notebooks"))
    (folder / "other-name.ipynb").symlink_to(NOTEBOOK.name)
    for_pupils = PupilsNotebooks(root_dir=str(folder))
    listed = {each["name"] for each in for_pupils.get("")["content"]}
    everything = {path.name for path in NOTEBOOK.parent.glob("*.ipynb")}
    assert listed == everything - {NOTEBOOK.name}
    for name in (NOTEBOOK.name, "other-name.ipynb"):
        with pytest.raises(HTTPError):
            for_pupils.get(name)
