"""What the teacher reads: all of the lesson is in it, right, and for the teacher alone."""

import re
import shutil
from collections.abc import Iterable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

import nbformat
import pytest
from click.testing import CliRunner
from tornado.web import HTTPError

from tests.servers import ROOT
from war import Game
from war.cards import cards
from war.cli import main
from war.game import Reason
from war.lesson import lesson
from war.lesson.notes import (
    BEGIN,
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
    Level,
    Question,
    every_question,
    find_question,
)
from war.lesson.record import judge
from war.lesson.results import CLASS_DEAL, fill, result
from war.lesson.rounds import AHEAD_AFTER, figures, rounds
from war.serving.guard import PupilsNotebooks
from war.serving.notebooks import is_for_teachers
from war.table import Kind

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
        # Nor does one bring up a mistake that only such a step has talked about.
        kept = (
            question for step in level.steps if step not in spare for question in step.questions
        )
        assert mistakes_in(level.exit) <= mistakes_in(kept)
        # Who cannot read yet does not sit alone before questions.
        assert ("Alone, on the sheet" in told) == (level.name not in EXIT_OF)
    assert {*EXIT_OF} == {"compare"}


def mistakes_in(questions: Iterable[Question]) -> set[str]:
    found = {answer.misconception for each in questions for answer in each.answers}
    return found - {""}


def test_a_plan_says_where_only_luck_decides() -> None:
    for level in LEVELS:
        told = unescape(plan(level.name).html)
        luck = [f"“{step.title}”" for step in level.steps if step.prediction.luck]
        assert ("ask for no reason" in told) == bool(luck)
        assert f"Only luck decides the guess in {', '.join(luck)}: ask" in told or not luck


def test_every_pair_is_asked_for_what_can_differ_between_pairs() -> None:
    # With one deal for all, whatever is counted on it is counted alike by everybody.
    notes = " ".join(f"{note.ask} {note.look}" for note in NOTES.values())
    replies = " ".join(REPLIES.values())
    for wrong in ("each pair's count of wars", "our rounds", "in this room", "Some pairs see"):
        assert wrong not in notes + replies
    assert "nothing to add up" in NOTES["tie"].look


def test_every_objective_has_a_code_that_is_explained() -> None:
    assert {code for level in LEVELS for _, code in level.objectives} == {*CODES}
    assert all(2 <= len(level.objectives) <= 4 for level in LEVELS)


def test_every_mistake_has_a_reply_and_a_question_that_brings_it_up() -> None:
    assert {*REPLIES} == {*MISCONCEPTIONS}
    assert len({*REPLIES.values()}) == len(REPLIES)
    told = unescape(mistakes().html)
    for name, wrong in MISCONCEPTIONS.items():
        assert wrong in told
        assert fill(REPLIES[name], CLASS_DEAL) in told
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
    assert "(By the usual rule, the winner's first, they are done after six battles.)" in words
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
    battles = rounds()[CLASS_DEAL].battles
    assert f"nobody turns the cards of {battles} battles by hand" in words


@pytest.mark.parametrize("deal", [CLASS_DEAL, 2031, 7])
def test_what_the_teacher_asks_is_answered_for_the_deal(deal: int) -> None:
    compare, chance, compute = (unescape(plan(level.name, deal).html) for level in LEVELS)
    game = Game(code=deal).play()
    counts = [game.go_to(battle).counts for battle in range(game.battles + 1)]
    mine, theirs = counts[20]
    who = "You" if mine > theirs else "The computer"
    assert f"({who}, {max(mine, theirs)} to {min(mine, theirs)}.)" in compare
    ahead, crossed = 0, []
    for battle, (mine, theirs) in enumerate(counts):
        if mine != theirs:
            crossed += [battle] * (ahead * (mine - theirs) < 0)
            ahead = mine - theirs
    often = f"{len(crossed)} times, first" if len(crossed) > 1 else "Once,"
    assert f"({often} in battle {crossed[0]}" in compare

    figure = figures()
    assert f"our round ({rounds()[deal].battles})" in chance
    assert f"the median ({figure.median:.0f}) and the mean ({figure.mean:.0f})" in chance
    sizes = re.findall(r"(\d+) of 100 with (\d+) to (\d+) cards", chance)
    won = [each for each in rounds() if each.winner and each.ahead not in (None, 26)]
    assert len(sizes) == 3
    for of_100, least, most in sizes:
        leads = [
            each for each in won if abs(each.ahead - 26) in range(int(least) - 26, int(most) - 25)
        ]
        held = sum((each.ahead > 26) == (each.winner == 1) for each in leads)
        assert int(of_100) == round(100 * held / len(leads))
    shares = [int(of_100) for of_100, _, _ in sizes]
    assert shares == sorted(shares)
    lost = sum((each.ahead > 26) != (each.winner == 1) for each in won) / len(won)
    longer = sum(each.battles > figure.mean for each in rounds()) / len(rounds())
    replies = unescape(mistakes(deal).html)
    assert f"the leader after 100 battles lose? ({100 * lost:.0f})" in replies
    assert f"longer than the mean? ({100 * longer:.0f})" in replies

    [differ] = map(int, re.findall(r"for the first time \(battle (\d+)\)", compute))
    tables = [Game(rules, deal).play(differ) for rules in ("classic", {"pickup": "as-laid"})]
    one, other = ([each for each in table.events if each.kind is not Kind.TAKE] for table in tables)
    first = next(each for each, same in zip(one, other, strict=False) if each != same)
    assert first.battle == differ


def test_the_key_tells_the_ties_of_what_the_pairs_deal(words: str) -> None:
    words = " ".join(words.split())
    assert "100 to 109, 110 to 119 and so on" in words
    starts = ((code, Game(code=code).start.stacks) for code in range(100, 250))
    tied = [code for code, (mine, theirs) in starts if mine[0].rank == theirs[0].rank]
    assert (
        f"deals 100 to 249, {len(tied)} ({', '.join(map(str, tied))}) begin with a tie, and 150/17"
        f" is about {round(150 / 17)}"
    ) in words


def test_the_rules_in_four_lines_are_those_that_are_played(words: str) -> None:
    words = " ".join(words.split())
    won = Game(piles=["9H 2C KS", "9D 3C 7S"]).play()
    assert won.present[-1].cards == tuple(cards("9H 2C KS 9D 3C 7S"))
    assert "one card face down and one face up, and the higher takes all six" in words
    # Who has how many cards left for a war, and who has lost then; nobody where it is a draw.
    for mine, theirs, winner in (("2C", "3C 7S", 2), ("2C", "", 1), ("2C", "3C", None)):
        assert Game(piles=[f"9H {mine}", f"9D {theirs}"]).play().outcome.winner == winner
    assert "fewer than two cards for a war has lost. If both have, whoever has more wins" in words
    assert "if neither has more, it is a draw" in words
    stopped = next(code for code, each in enumerate(rounds()) if each.battles == 500)
    assert Game(code=stopped).play().outcome.reason is Reason.BATTLE_LIMIT
    assert "After 500 battles it is a draw" in words


def test_cards_that_children_lay_are_those_of_the_step(words: str) -> None:
    piles = next(step for step in LEVELS[0].steps if step.name == "war").play.piles
    laid = piles.replace(" | ", " against ")
    assert laid in NOTES["war"].who
    assert laid in BEGIN.ask
    # Where no deal code tells what lies on the table, the key does.
    for level in LEVELS:
        told = unescape(key(level.name).html)
        for step in level.steps:
            if "|" in step.cards or step.play.deal:
                assert fill(step.text, CLASS_DEAL) in told


SCORE = re.compile(
    r"(?:stands|stood|shows|have) (\d+)(?: cards)?(?: to|,| and)(?: the computer)?(?: has)? (\d+)"
)
AFTER = re.compile(r"[Aa]fter (?:battle )?(\d+)")


def scores_in(texts: Iterable[str], of: str) -> Iterator[tuple[int, int, int | None]]:
    """The scores that some texts state, and after how many battles: else after those `of` states."""
    for text in texts:
        for mine, theirs in SCORE.findall(text):
            battles = AFTER.search(text) or AFTER.search(of)
            yield int(mine), int(theirs), int(battles[1]) if battles else None


@pytest.mark.parametrize("deal", [CLASS_DEAL, 2031, 7])
def test_every_score_that_is_stated_can_be(deal: int) -> None:
    found = {}
    for level in LEVELS:
        for step in level.steps:
            said = (step.text, step.prediction.text, result(step, deal).told, step.explain)
            texts = [fill(text, deal) for text in said]
            found[step.name] = [*scores_in(texts, " ".join(texts))]
        for question in every_question((level,)):
            asked = fill(question.text, deal)
            told = (text for answer in question.answers for text in answer[:2])
            texts = [asked, *(fill(text, deal) for text in (*told, *question.hints))]
            found[question.name] = [*scores_in(texts, asked)]
    stated = {name for name, scores in found.items() if scores}
    assert stated >= {"ahead", "difference", "exit-more", "exit-lead", "exit-invariant"}
    assert len(found["exit-lead"]) == 2
    for name in stated:
        for mine, theirs, battles in found[name]:
            can_be = mine + theirs == 52 and (battles is None or mine % 2 == battles % 2)
            # One question is about a score that cannot be.
            assert can_be == ("fault" not in right_answer(name)), (name, mine, theirs)
            if can_be and battles == AHEAD_AFTER:
                assert any(each.ahead == mine for each in rounds()), name


def right_answer(name: str) -> str:
    """What is right in a question of this name, if there is one."""
    return next((each.key.text for each in every_question() if each.name == name), "")


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.name)
def test_nothing_tells_how_long_rounds_are_before_that_is_guessed(level: Level) -> None:
    lengths = re.compile(
        r"\{(?:mean|median|wars|below|near|capped|battles)\w*\}|hundreds|round of \d|\d battles or so"
    )
    for step in level.steps:
        if step.prediction.name in ("long-guess", "end-guess"):
            # What is looked for is there, from here on.
            assert lengths.search(str(step.questions))
            break
        assert not lengths.search(str(step)), step.name


def test_any_step_can_be_gone_to_at_any_time() -> None:
    for level in LEVELS:
        pupil = lesson(level.name)
        for place, step in [*enumerate(level.steps)][::-1]:
            pupil.answer({"ask": "go", "step": place})
            assert pupil.page.view["title"] == step.title
        pupil.answer({"ask": "go", "step": len(level.steps)})
        assert pupil.page.view["kind"] == "exit"
        assert [each["name"] for each in pupil.page.view["questions"]] == [
            question.name for question in level.exit
        ]
        pupil.answer({"ask": "go", "step": len(level.steps) + 1})
        assert pupil.page.view["kind"] == "puzzles"


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
            assert fill(NOTES[step.name].ask, CLASS_DEAL) in words
            assert fill(NOTES[step.name].look, CLASS_DEAL) in words
        for question in every_question((level,)):
            assert fill(question.text, CLASS_DEAL) in words
    # Its headings are the list of what a teacher was promised.
    headings = re.findall(r"(?m)^## (.+)$", "\n".join(cell.source for cell in notebook.cells))
    assert headings == [
        *("What it is for", "The rules in four lines", "What you need", "Before the lesson"),
        "How each step goes",
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
