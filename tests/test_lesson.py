"""The lesson: its questions, what it shows and when, what it keeps, and the figures it tells."""

import asyncio
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from math import sqrt
from statistics import fmean, median
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ipywidgets.widgets.widget import _instances

from tests.pupils import run
from war import Game, cards
from war.board import PlayingTable
from war.describe import history
from war.lesson import check_battle, check_endless, check_winner_of_battle, lesson, value
from war.lesson.chart import HEIGHT
from war.lesson.page import Lesson
from war.lesson.puzzles import PUZZLES
from war.lesson.questions import (
    LEVELS,
    MISCONCEPTIONS,
    Level,
    Question,
    Step,
    every_question,
)
from war.lesson.record import Record, judge, record_of, report
from war.lesson.results import (
    AS_LAID_ENDLESS,
    FOUR_ACES_WIN,
    check_deal,
    fill,
    game_of,
    predictions,
    result,
)
from war.lesson.rounds import FILE, ROUNDS, bins, figures, histogram, play_round, rounds, summary
from war.lesson.view import MANY, find_level, view

DEAL, WAR_AT_ONCE, TOO_SHORT = 2024, 106, 624
STEPS = [(level, step) for level in LEVELS for step in level.steps]
COMPUTE = LEVELS[2].steps
QUESTIONS = [*every_question()]
#: Every one of them can be dealt to a class.
DEALS = st.integers(0, ROUNDS - 1).filter(lambda code: rounds()[code].battles > 37)


def name_of(value: object) -> str | None:
    return value.name if isinstance(value, (Level, Step, Question)) else None


# --- the questions ------------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS, ids=name_of)
def test_a_level_is_a_whole_lesson_of_45_minutes(level: Level) -> None:
    assert level.minutes == 45
    assert 2 <= len(level.objectives) <= 4
    assert all(goal and code for goal, code in level.objectives)
    assert len(level.exit) == 3
    assert level.puzzles
    assert {*level.puzzles} <= {puzzle.name for puzzle in PUZZLES}


@pytest.mark.parametrize("question", QUESTIONS, ids=name_of)
def test_a_question_has_one_right_answer_and_a_reason_for_each(question: Question) -> None:
    assert [answer.right for answer in question.answers].count(True) == 1
    assert len(question.answers) >= 3
    assert len({answer.text for answer in question.answers}) == len(question.answers)
    assert all(len(answer.feedback) > 10 for answer in question.answers)
    assert all(answer.misconception in ("", *MISCONCEPTIONS) for answer in question.answers)
    assert not question.key.misconception
    assert len(question.hints) in ((1,) if question.name.startswith("exit") else (2, 3))


def test_no_two_answers_get_the_same_feedback() -> None:
    told = Counter(answer.feedback for question in QUESTIONS for answer in question.answers)
    assert len(told) >= 120
    assert told.most_common(1)[0][1] == 1
    # Nor does another word of praise before it make it another one.
    bare = {re.sub(r"^(yes|right|nearly)\W+|\W", "", each.lower()) for each in told}
    assert len(bare) == len(told)


@pytest.mark.parametrize("level", LEVELS, ids=name_of)
def test_a_verdict_is_said_once(level: Level) -> None:
    verdict = r"Yes|Right|Nearly|Not yet"
    for question in every_question((level,)):
        pupil = Lesson(level.name, DEAL)
        for place, answer in sorted(enumerate(question.answers), key=lambda each: each[1].right):
            given = answer.text if question.written else place
            pupil.answer({"ask": "try", "name": question.name, "answer": given})
            record = Record(tries={question.name: [given]})
            step = next((each for each in level.steps if question in each.questions), None)
            record.at[level.name] = level.steps.index(step) if step else len(level.steps)
            if step:
                record.predicted[step.prediction.name] = 0
                record.played.append(step.name)
                others = (each for each in step.questions if each is not question)
                record.tries |= {each.name: [the_key(each)] for each in others}
            seen = next(
                each
                for each in view(record, DEAL, level)["questions"]
                if each["name"] == question.name
            )
            words = f"{seen['verdict']} {seen['feedback']}".lstrip()
            assert re.match(rf"({verdict})\b", words), words
            assert not re.match(rf"({verdict})\W+({verdict})\b", words), words
            assert words.startswith(("Yes", "Right")) == answer.right


def the_key(question: Question) -> int | str:
    """What a pupil gives who answers right."""
    return question.key.text if question.written else question.answers.index(question.key)


def test_every_misconception_is_met_by_a_wrong_answer() -> None:
    met = {answer.misconception for question in QUESTIONS for answer in question.answers}
    assert len(MISCONCEPTIONS) >= 10
    assert met == {"", *MISCONCEPTIONS}


def test_names_are_used_once() -> None:
    names = [question.name for question in QUESTIONS] + [*predictions()]
    names += [step.name for _, step in STEPS]
    assert len(predictions()) == len(STEPS)
    assert len({*names}) == len(names)


@settings(deadline=None, max_examples=40)
@given(DEALS)
def test_every_deal_fills_the_questions_and_leaves_their_answers_apart(deal: int) -> None:
    for question in QUESTIONS:
        texts = [fill(answer.text, deal) for answer in question.answers]
        assert len({*texts}) == len(texts), question.name
        for text in (question.text, *question.hints, *(each.feedback for each in question.answers)):
            assert "{" not in fill(text, deal)
    for _, step in STEPS:
        assert "{" not in fill(step.text + step.explain + "".join(step.prediction.answers), deal)


@settings(deadline=None, max_examples=40)
@given(DEALS)
def test_a_result_is_what_the_table_shows(deal: int) -> None:
    for _, step in STEPS:
        happened = result(step, deal)
        assert happened.answer in range(len(step.prediction.answers))
        assert "{" not in happened.told
    game = Game(code=deal)
    turned = game.step()
    assert turned
    strengths = [game.rules.strength[card] for card in turned.cards]
    higher = 2 if strengths[0] == strengths[1] else strengths.index(max(strengths))
    assert result_of("higher", deal) == higher
    mine, theirs = game.go_to(5).counts
    # After an odd number of battles nobody has half of the cards.
    assert mine != theirs
    assert result_of("five-battles", deal) == (0 if mine > theirs else 1)
    six = game.go_to(6).counts[0]
    assert result_of("next", deal) == (0 if six > mine else 1)
    ten = game.go_to(10).counts
    assert result_of("decides", deal) == (2 if ten[0] == ten[1] else int(ten[0] < ten[1]))
    lasts = game.play().battles
    ends = ("Fewer than 50", "50 to 100", "101 to 200", "More than 200")
    counted = (lasts < 50, 50 <= lasts <= 100, 101 <= lasts <= 200, lasts > 200)
    step = step_of("to-the-end")
    assert step.prediction.answers == ends
    assert result(step, deal).answer == counted.index(True)
    bounds = (lasts < 100, lasts < 200, lasts < 300, lasts < 500, True)
    assert result_of("long", deal) == bounds.index(True)
    for name, rules in (("pickup", {"pickup": "as-laid"}), ("down", {"down": 3})):
        other = Game(rules, deal, record=False).play().battles
        happened = result(step_of(name), deal)
        assert step_of(name).play.beside == rules
        assert happened.answer == (2 if lasts == other else int(other < lasts))
        first, second = step_of(name).play.labels
        assert happened.told.startswith(f"{first}: {lasts} battles. {second}: {other} battles.")


def test_the_trace_is_what_the_engine_does() -> None:
    step = step_of("trace")
    game = game_of(step.play, DEAL).play(1)
    key = step.questions[0].key
    assert game.position.stacks[0] == cards(key.text)
    assert step.prediction.answers[result(step, DEAL).answer] == str(game.counts[0])
    for answer in step.questions[0].answers:
        assert judge(step.questions[0], answer.text).right == (
            cards(answer.text) == cards(key.text)
        )


def test_the_cycle_is_what_the_engine_finds() -> None:
    step = step_of("cycle")
    cycle = game_of(step.play, DEAL).cycle
    assert cycle
    asked = step.questions[0]
    (battle,) = map(int, re.findall(r"\d+", asked.text))
    # What the table has shown when the question is asked does not answer it.
    assert battle > cycle.start + cycle.period
    game = game_of(step.play, DEAL)
    piles = [game.go_to(each).position for each in range(cycle.start + cycle.period)]
    there = piles[cycle.start + (battle - cycle.start) % cycle.period]
    for answer in asked.answers:
        named = re.findall(r"after battle (\d+)", answer.text)
        assert answer.right == bool(named and piles[int(named[0])] == there)
    assert str(cycle.period) not in result(step, DEAL).told


def test_the_exit_trace_is_what_the_engine_does() -> None:
    question = next(each for each in QUESTIONS if each.name == "exit-queue")
    assert Game(piles=["7H KC", "4D 2S"]).play(1).position.stacks[0] == cards(question.key.text)


def test_as_long_as_a_round_goes_on_both_counts_are_as_even_as_the_battle() -> None:
    explain = step_of("invariant").explain
    assert "as long as the round goes on" in explain
    assert "Only the last battle may break this" in explain
    question = next(each for each in QUESTIONS if each.name == "exit-invariant")
    assert "with the round still going on" in question.text
    broken = 0
    for code in range(300):
        game = Game(code=code).play()
        *before, last = [(row.battle, row.counts) for row in history(game)]
        assert all(count % 2 == battle % 2 for battle, counts in before for count in counts), code
        broken += any(count % 2 != last[0] % 2 for count in last[1])
    # So what is said of the last battle is no idle word.
    assert broken > 10


def test_the_winner_of_the_chosen_deal_was_behind() -> None:
    for deal in (0, 7, DEAL, 2031, ROUNDS + 5):
        step = step_of("ahead")
        game = game_of(step.play, deal)
        assert game.code > deal
        ahead, behind = game.play(100).counts
        assert ahead != behind
        outcome = game.play().outcome
        assert outcome
        assert outcome.winner == (2 if ahead > behind else 1)
        happened = result(step, deal)
        assert happened.answer + 1 == outcome.winner
        # Whoever is shown a chosen deal is told so.
        assert "This deal was chosen" in happened.told
        lost = next(each for each in QUESTIONS if each.name == "exit-lead").answers[0]
        assert f"Deal {game.code} stood {ahead} to {behind} then" in fill(lost.feedback, deal)


def test_a_hint_reckons_right() -> None:
    hint = next(each for each in QUESTIONS if each.name == "how-many-wars").hints[1]
    battles, by, about = map(int, re.findall(r"\d+", fill(hint, DEAL)))
    assert (battles, by, about) == (round(figures().mean), 17, round(figures().mean / 17))
    # The wars are more, as the hint says: in whole rounds it is one war in 13 battles.
    assert figures().wars > about
    assert round(figures().mean / figures().wars) == 13


def test_a_lesson_needs_a_deal_that_lasts() -> None:
    with pytest.raises(ValueError, match="deal 624 is over after 22 battles"):
        check_deal(TOO_SHORT)
    with pytest.raises(ValueError, match="not a deal code: 'x'"):
        lesson("chance", "x")
    assert check_deal(2**62) == 2**62


def step_of(name: str) -> Step:
    return next(step for _, step in STEPS if step.name == name)


def result_of(name: str, deal: int) -> int:
    return result(step_of(name), deal).answer


# --- what is shown, and when --------------------------------------------------------------------


@pytest.mark.parametrize(("level", "step"), STEPS, ids=name_of)
def test_nothing_is_told_before_it_is_earned(level: Level, step: Step) -> None:
    record = Record(at={level.name: level.steps.index(step)})
    told = fill(result(step, DEAL).told, DEAL)
    explain, feedback = fill(step.explain, DEAL), step.questions[0].answers[0].feedback

    def shown() -> str:
        return json.dumps(view(record, DEAL, level, ROUNDS), ensure_ascii=False)

    def hidden() -> None:
        assert told not in shown()
        assert explain not in shown()
        assert fill(feedback, DEAL) not in shown()
        assert fill(step.questions[0].text, DEAL) not in shown()

    hidden()
    record.predict(step.prediction.name, 0)
    hidden()
    record.play(step.name, False)
    hidden()
    record.play(step.name, True)
    assert told in shown()
    assert fill(step.questions[0].text, DEAL) in shown()
    assert explain not in shown()
    assert '"right": true' not in shown()
    assert fill(feedback, DEAL) not in shown()
    for question in step.questions:
        wrong = next(answer for answer in question.answers if not answer.right)
        give(record, question, wrong.text)
        assert fill(wrong.feedback, DEAL) in shown()
        assert explain not in shown()
        give(record, question, question.key.text)
        assert fill(question.key.feedback, DEAL) in shown()
    assert explain in shown()


def give(record: Record, question: Question, text: str) -> None:
    texts = [answer.text for answer in question.answers]
    record.answer(question.name, text if question.written else texts.index(text))


@pytest.mark.parametrize("level", [None, *(level.name for level in LEVELS)])
def test_running_all_cells_reveals_nothing(level: str | None) -> None:
    pupil = lesson(level)
    everything = json.dumps([pupil.page.view, pupil.page.record, pupil.page.chart])
    assert not pupil.tables
    for question in QUESTIONS:
        for answer in question.answers:
            assert fill(answer.feedback, DEAL) not in everything
    for _, step in STEPS:
        assert result(step, DEAL).told not in everything
        assert fill(step.explain, DEAL) not in everything
    assert '"right": true' not in everything


@pytest.mark.parametrize(("level", "step"), STEPS, ids=name_of)
def test_a_step_is_predicted_played_and_explained(level: Level, step: Step) -> None:
    pupil = Lesson(level.name, DEAL)
    pupil.answer({"ask": "go", "step": level.steps.index(step)})
    assert not pupil.tables
    pupil.answer({"ask": "predict", "name": step.prediction.name, "answer": 1})
    assert len(pupil.tables) == 1 + (step.play.beside is not None)
    assert pupil.page.view["compare"] is None
    play_as_told(pupil, step)
    compare = pupil.page.view["compare"]
    assert compare["said"] == fill(step.prediction.answers[1], DEAL)
    same = result(step, DEAL).answer == 1
    assert compare["verdict"].startswith("✓ As you predicted." if same else "Not as you predicted.")
    assert ("Nobody could know." in compare["verdict"]) == step.prediction.luck
    assert ("Why?" in compare["verdict"]) == (not same and not step.prediction.luck)
    games = [table.game for table in pupil.tables]
    if step.play.until is None:
        assert all(game.outcome for game in games)
    else:
        assert all(game.battles == step.play.until for game in games)
    for question in step.questions:
        key = question.answers.index(question.key)
        given = question.key.text if question.written else key
        pupil.answer({"ask": "try", "name": question.name, "answer": given})
        assert pupil.page.said.startswith(("Yes", "Right"))
    assert pupil.page.view["explain"]
    assert pupil.page.view["steps"][level.steps.index(step)]["done"]
    assert len(pupil.page.chart) == (0 if step.play.piles or step.name == "higher" else len(games))


def play_as_told(pupil: Lesson, step: Step) -> None:
    """Press what the step offers until it has been played."""
    for _ in range(60):
        if pupil.page.view["compare"]:
            return
        if "end" in step.play.buttons:
            pupil.answer({"ask": "play", "how": "end"})
        elif "ten" in step.play.buttons:
            pupil.answer({"ask": "play", "how": "ten"})
        else:
            pupil.tables[0].turn_cards()
    raise AssertionError(f"{step.name} cannot be played to its end")


def test_a_prediction_changes_only_while_the_cards_lie() -> None:
    pupil = Lesson("chance", DEAL)
    pupil.answer({"ask": "predict", "name": "ten-guess", "answer": 0})
    pupil.answer({"ask": "change"})
    assert pupil.page.view["predict"]["locked"] is None
    assert not pupil.tables
    pupil.answer({"ask": "predict", "name": "ten-guess", "answer": 2})
    pupil.answer({"ask": "predict", "name": "ten-guess", "answer": 1})
    assert pupil.page.view["predict"]["locked"] == 2
    pupil.tables[0].step()
    assert not pupil.page.view["predict"]["open"]
    pupil.tables[0].undo()
    pupil.answer({"ask": "change"})
    assert pupil.page.view["predict"]["locked"] == 2


def test_tables_are_made_when_they_are_due_and_closed_after() -> None:
    pupil = Lesson("compute", DEAL)
    pupil.answer({"ask": "go", "step": 3})
    pupil.answer({"ask": "predict", "name": "pickup-guess", "answer": 0})
    first = [*pupil.tables]
    assert len(first) == 2
    pupil.answer({"ask": "go", "step": 4})
    assert not pupil.tables
    assert not pupil.stage.children
    assert all(table.comm is None and table.board.comm is None for table in first)
    pupil.answer({"ask": "go", "step": 3})
    assert [table.game.battles for table in pupil.tables] == [0, 0]


def test_a_page_has_few_widgets_and_leaves_none_behind() -> None:
    # What all boards are drawn with is there with the first of them.
    PlayingTable(Game(code=DEAL))
    before = set(_instances)
    pupil = Lesson("compute", DEAL)
    made = []
    for step in (0, 3, 4, 3, 0, 3):
        pupil.answer({"ask": "go", "step": step})
        name = COMPUTE[step].prediction.name
        pupil.answer({"ask": "predict", "name": name, "answer": 0})
        made.append(len(set(_instances) - before))
    # The lesson, its page, its stage, and what all share; then a table, or two of them side by side,
    # each with a label in a box and what all labels share.
    assert made == [6, 11, 6, 11, 6, 11]


def test_young_pupils_see_pips_whatever_the_browser_has_kept() -> None:
    pupil = Lesson("compare", DEAL)
    pupil.answer({"ask": "predict", "name": "higher-guess", "answer": 0})
    (table,) = pupil.tables
    table.answer({"ask": "hello", "query": "", "settings": {"pips": False, "four_colours": True}})
    assert table.settings.pips
    assert table.settings.four_colours
    older = Lesson("chance", DEAL)
    older.answer({"ask": "predict", "name": "ten-guess", "answer": 0})
    older.tables[0].answer({"ask": "hello", "query": "", "settings": {"pips": False}})
    assert not older.tables[0].settings.pips


@pytest.mark.parametrize(
    ("level", "step"),
    [(level, step) for level, step in STEPS if step.play.until and not step.play.piles],
    ids=name_of,
)
def test_no_table_shows_what_a_later_step_asks(level: Level, step: Step) -> None:
    pupil = Lesson(level.name, DEAL)
    pupil.answer({"ask": "go", "step": level.steps.index(step)})
    pupil.answer({"ask": "predict", "name": step.prediction.name, "answer": 0})
    (table,) = pupil.tables
    until = step.play.until
    play_as_told(pupil, step)

    def goes_no_further() -> None:
        assert table.game.battles == until
        assert not table.game.mid_battle
        assert table.board.state["shown"] == (
            f"This table stops after battle {until}: a later step asks what comes then."
        )
        assert table.board.state["shown"] in table.board.state["spoken"]

    for press in (table.turn_cards, table.play_ten, table.step, table.play_to_end):
        press()
        goes_no_further()
    pupil.answer({"ask": "play", "how": "ten"})
    pupil.answer({"ask": "play", "how": "end"})
    goes_no_further()
    # One may go back, and on again by cards or by battles, to the same place.
    table.undo()
    assert table.game.mid_battle
    table.play_ten()
    assert (table.game.battles, table.game.mid_battle) == (until, 0)
    table.game.go_to(step.play.start)
    pupil.answer({"ask": "play", "how": "end"})
    assert (table.game.battles, table.game.mid_battle) == (until, 0)
    table.undo()
    while table.game.mid_battle:
        table.step()
    table.step()
    goes_no_further()


def test_a_table_that_is_watched_stops_where_its_step_does() -> None:
    async def watch() -> PlayingTable:
        pupil = Lesson("chance", DEAL)
        pupil.answer({"ask": "predict", "name": "ten-guess", "answer": 0})
        (table,) = pupil.tables
        table.settings = replace(table.settings, speed="fast")
        table.play_to_end()
        async with asyncio.timeout(30):
            while table._watching:
                await asyncio.sleep(0.05)
        return table

    table = run(watch())
    assert table.game.battles == 10
    assert table.board.state["shown"].startswith("Battles 1 to 10: ")


def test_one_looks_back_along_the_line() -> None:
    pupil = Lesson("chance", DEAL)
    pupil.answer({"ask": "predict", "name": "ten-guess", "answer": 0})
    pupil.answer({"ask": "play", "how": "ten"})
    assert [(each["battle"], each["played"]) for each in pupil.page.chart] == [(10, 10)]
    pupil.answer({"ask": "look", "table": 0, "battle": 3})
    assert pupil.tables[0].game.counts == Game(code=DEAL).play(3).counts
    assert [(each["battle"], each["played"]) for each in pupil.page.chart] == [(3, 10)]
    assert pupil.page.view["compare"]


def test_line_and_table_of_the_battles_agree_with_the_engine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pupil = Lesson("compute", DEAL)
    sent: list[dict[str, Any]] = []
    monkeypatch.setattr(pupil.page, "send", sent.append)
    pupil.answer({"ask": "go", "step": 3})
    pupil.answer({"ask": "predict", "name": "pickup-guess", "answer": 0})
    pupil.answer({"ask": "play", "how": "end"})
    labels = step_of("pickup").play.labels
    assert [line["label"] for line in pupil.page.chart] == [*labels]
    for place, (line, rules) in enumerate(
        zip(pupil.page.chart, ("classic", {"pickup": "as-laid"}), strict=True)
    ):
        before = {name: json.dumps(pupil.page.get_state(name)) for name in ("view", "chart")}
        pupil.answer({"ask": "history", "table": place, "after": 0})
        # Rows are told to whoever looks, and to nobody else: no state of the page has them.
        assert before == {name: json.dumps(pupil.page.get_state(name)) for name in before}
        told = sent.pop()
        assert (told["answer"], told["table"], told["after"]) == ("history", place, 0)
        assert told["head"] == [
            *("Battle", "You", "Computer", "Wars", "Taken by", "Cards"),
            *("You own", "Computer owns"),
        ]
        game = Game(rules, DEAL)
        counts = counts_on(line["svg"])
        assert len(told["rows"]) == line["played"] == line["whole"] == len(counts) - 1
        taken_by = {None: "", 0: "You", 1: "Computer"}
        for row, known in zip(told["rows"], history(game.play()), strict=True):
            assert row == [
                *(known.battle, *known.laid, known.wars, taken_by[known.winner], known.taken),
                *known.counts,
            ]
            assert counts[known.battle] == known.counts[0]
    # Whoever looks back sees the rows up to there, and only those that are new to the page.
    pupil.answer({"ask": "look", "table": 1, "battle": 50})
    assert (pupil.page.chart[1]["whole"], pupil.page.chart[1]["played"]) == (50, line["played"])
    pupil.answer({"ask": "history", "table": 1, "after": 40})
    assert [row[0] for row in sent.pop()["rows"]] == [*range(41, 51)]
    pupil.tables[1].step()
    assert (pupil.page.chart[1]["battle"], pupil.page.chart[1]["whole"]) == (51, 50)
    # Another round is another table, though it may have as many rows.
    rounds_before = [line["round"] for line in pupil.page.chart]
    pupil.tables[0].answer({"ask": "again"})
    assert pupil.page.chart[0]["round"] != rounds_before[0]
    assert pupil.page.chart[1]["round"] == rounds_before[1] != pupil.page.chart[0]["round"]
    pupil.answer({"ask": "history", "table": 2, "after": 0})
    assert not sent


def counts_on(svg: str) -> list[int]:
    """How many cards player 1 has at each point of the line in a picture."""
    points = re.findall(r'class="line" d="M([^"]+)"', svg)[0].split("L")
    return [round(52 * (1 - (float(point.split()[1]) - 4) / (HEIGHT - 8))) for point in points]


@pytest.mark.parametrize(
    "message",
    [
        None,
        {"ask": "history", "table": "0", "after": 0},
        {"ask": "history", "table": 0, "after": -1},
        {"ask": "nonsense"},
        {"ask": "predict", "name": "ten-guess", "answer": 9},
        {"ask": "predict", "name": "ten-guess", "answer": True},
        {"ask": "predict", "name": ["x"], "answer": 1},
        {"ask": "try", "name": "expert", "answer": "2"},
        {"ask": "try", "name": "nobody", "answer": 0},
        {"ask": "try", "name": "trace-pile", "answer": 0},
        {"ask": "level", "level": "expert"},
        {"ask": "go", "step": "1"},
        {"ask": "puzzle", "name": "endless"},
        {"ask": "deal", "code": "x", "kept": {}},
        {"ask": "check", "name": "unbeaten", "piles": "AS | 2H"},
    ],
)
def test_what_makes_no_sense_changes_nothing(message: object) -> None:
    pupil = Lesson("chance", DEAL)
    pupil.answer({"ask": "predict", "name": "ten-guess", "answer": 0})
    before = pupil.page.view, pupil.page.record
    with pytest.raises(ValueError, match=r"\w"):
        pupil.answer(message)
    assert (pupil.page.view, pupil.page.record) == before
    pupil._guarded(pupil.answer, message)
    assert pupil.page.notice.startswith("That does not work: ")


def test_an_error_is_told_on_the_page() -> None:
    pupil = Lesson("chance", DEAL)
    pupil._guarded(pupil.answer, {"ask": "level", "level": "expert"})
    assert pupil.page.notice == (
        "That does not work: there is no level 'expert': it is compare, chance or compute."
    )
    pupil.answer({"ask": "many", "count": 100})
    assert pupil.page.notice == ""


# --- what is said -------------------------------------------------------------------------------


def voices(pupil: Lesson) -> list[str]:
    """Where a page of this lesson says what has happened, from now on: all in one list."""
    heard: list[str] = []
    pupil.page.observe(lambda change: heard.append(change["new"]), "said")
    return heard


@pytest.mark.parametrize(("level", "step"), STEPS, ids=name_of)
def test_whatever_somebody_does_is_said_once_and_in_few_words(level: Level, step: Step) -> None:
    pupil = Lesson(level.name, DEAL)
    pupil.answer({"ask": "go", "step": level.steps.index(step)})
    heard = voices(pupil)

    def says(*actions: Any) -> str:
        for action in actions:
            before = len(heard)
            action()
            assert len(heard) == before + 1, heard[before:]
            assert not heard[-1].startswith("Once more.")
        return heard[-1].strip("\u00a0")

    def ask(**message: object) -> Any:
        return lambda: pupil.answer(message)

    guess = ask(ask="predict", name=step.prediction.name, answer=0)
    says(guess, ask(ask="change"), guess)
    assert all(table.board.silent for table in pupil.tables)
    # The browser tells each table what it has kept, and nothing has happened by that.
    said = len(heard)
    for table in pupil.tables:
        table.answer({"ask": "hello", "query": "", "settings": {"four_colours": True}})
    assert len(heard) == said
    table = pupil.tables[0]
    spoken = says(table.step, table.undo, table.step, table.turn_cards)
    assert f"Battle {step.play.start + 1}." in spoken
    for _ in range(600):
        if pupil.page.view["compare"]:
            break
        spoken = says(pupil.tables[0].turn_cards)
        if len(pupil.tables) > 1 and pupil.tables[0].game.outcome:
            spoken = says(ask(ask="play", how="ten"), ask(ask="play", how="end"))
    assert spoken.endswith("Now compare.")
    # A war is told card by card.
    assert all(len(each.split()) <= 25 for each in heard if ": war" not in each), heard
    question = step.questions[0]
    says(ask(ask="hint", name=question.name))
    assert says(ask(ask="try", name=question.name, answer=the_key(question))).endswith(
        "Below: the next question." if step.questions[1:] else "Below: what to take along."
    )
    says(*(ask(ask="many", count=count) for count in MANY))
    says(*(ask(ask="puzzle", name=name) for name in level.puzzles))
    says(ask(ask="deal", code="77", kept={}), ask(ask="clear"))
    assert heard[-2] == "Deal 77."
    trouble = says(lambda: pupil._guarded(pupil.answer, {"ask": "deal", "code": "abc"}))
    assert trouble == "That does not work: 'abc' is no deal code. Type a number, like 2024."
    assert pupil.page.notice == trouble


def test_two_tables_are_told_of_in_one_sentence_each() -> None:
    pupil = Lesson("compute", DEAL)
    pupil.answer({"ask": "go", "step": 3})
    pupil.answer({"ask": "predict", "name": "pickup-guess", "answer": 0})
    pupil.answer({"ask": "play", "how": "ten"})
    assert re.fullmatch(
        r"Winner's cards first: You \d+, computer \d+. As the cards lie: You \d+, computer \d+.",
        pupil.page.said,
    )
    pupil.answer({"ask": "play", "how": "end"})
    assert pupil.page.said == f"{result(step_of('pickup'), DEAL).told} Now compare."


def test_no_table_of_a_puzzle_stays_where_its_puzzle_is_gone() -> None:
    for ask in ({"ask": "levels"}, {"ask": "go", "step": 0}, {"ask": "clear"}):
        pupil = Lesson("compute", DEAL)
        pupil.answer({"ask": "go", "step": len(COMPUTE) + 1})
        puzzle = pupil.page.view["puzzle"]["name"]
        pupil.answer({"ask": "check", "name": puzzle, "piles": ["4S 2S", "3H 5H"]})
        assert len(pupil.tables) == 1
        pupil.answer(ask)
        assert not pupil.tables, ask


def test_two_tabs_of_a_pupil_lose_no_answer_and_stay_where_they_are() -> None:
    one, other = Lesson("chance", DEAL), Lesson("chance", DEAL)
    kept: dict[str, Any] = {}

    def does(tab: Lesson, follows: Lesson, **message: object) -> None:
        tab.answer(message)
        for writes, hears in ((tab, follows), (follows, tab)):
            kept[str(DEAL)] = json.loads(json.dumps(writes.page.record))
            hears.answer({"ask": "kept", "kept": kept})

    does(one, other, ask="predict", name="ten-guess", answer=1)
    does(other, one, ask="go", step=1)
    does(other, one, ask="predict", name="tie-guess", answer=2)
    does(one, other, ask="play", how="ten")
    does(one, other, ask="try", name="expert", answer=0)
    for tab, at in ((one, 0), (other, 1)):
        assert tab.record.predicted == {"ten-guess": 1, "tie-guess": 2}
        assert tab.record.tries == {"expert": [0]}
        assert tab.record.played == ["decides"]
        assert tab.record.at.get("chance", 0) == at
        # Loaded again, each is where it was, whichever of them has kept its answers last.
        again = Lesson("chance", DEAL)
        again.answer({"ask": "hello", "query": "", "kept": kept, "at": at})
        assert again.page.view["at"] == at
        assert again.record.predicted == tab.record.predicted


@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_two_tabs_lose_no_answer_however_late_they_hear_of_each_other(data: st.DataObject) -> None:
    tabs = [Lesson("chance", DEAL), Lesson("chance", DEAL)]
    storage: dict[str, Any] = {}
    waiting: list[list[dict[str, Any]]] = [[], []]
    wanted = iter(
        [
            {"ask": "predict", "name": "ten-guess", "answer": 1},
            {"ask": "play", "how": "ten"},
            {"ask": "try", "name": "expert", "answer": 0},
            {"ask": "hint", "name": "expert"},
            {"ask": "try", "name": "expert", "answer": 1},
        ]
    )

    def does(place: int, message: dict[str, Any]) -> None:
        before = tabs[place].page.record
        tabs[place].answer(message)
        if tabs[place].page.record != before:
            storage[str(DEAL)] = json.loads(json.dumps(tabs[place].page.record))
            waiting[1 - place].append(json.loads(json.dumps(storage)))

    # One tab works, and the other only hears of it; both are told of things as late as may be.
    while True:
        deliver = data.draw(st.sampled_from([None, 0, 1]))
        if deliver is not None:
            if waiting[deliver]:
                does(deliver, {"ask": "kept", "kept": waiting[deliver].pop(0), "cleared": False})
        elif message := next(wanted, None):
            does(0, message)
        else:
            break
    for _ in range(20):
        for place in (0, 1):
            if waiting[place]:
                does(place, {"ask": "kept", "kept": waiting[place].pop(0), "cleared": False})
    assert waiting == [[], []]
    for record in (record_of(storage[str(DEAL)]), *(tab.record for tab in tabs)):
        assert record.predicted == {"ten-guess": 1}
        assert record.played == ["decides"]
        assert record.tries == {"expert": [0, 1]}
        assert record.hints == {"expert": 1}


def test_a_page_that_is_drawn_anew_keeps_what_its_kernel_knows() -> None:
    pupil = Lesson("chance", DEAL)
    pupil.answer({"ask": "predict", "name": "ten-guess", "answer": 1})
    for kept in ({}, None, {str(DEAL): {}}):
        pupil.answer({"ask": "hello", "query": "", "kept": kept})
        assert pupil.record.predicted == {"ten-guess": 1}
    for deal, kept in ((7, {}), (8, None)):
        pupil.answer({"ask": "hello", "query": f"?deal={deal}", "kept": kept})
        assert not pupil.record.predicted
        pupil.answer({"ask": "predict", "name": "ten-guess", "answer": 1})


def test_what_is_cleared_in_one_tab_is_cleared_in_the_other() -> None:
    pupil = Lesson("chance", DEAL)
    pupil.answer({"ask": "go", "step": 1})
    pupil.answer({"ask": "predict", "name": "tie-guess", "answer": 2})
    pupil.answer({"ask": "kept", "kept": {}, "cleared": False})
    assert pupil.record.predicted == {"tie-guess": 2}
    pupil.answer({"ask": "kept", "kept": {}, "cleared": True})
    assert not pupil.record.predicted
    assert pupil.page.view["at"] == 1
    assert not pupil.tables


@pytest.mark.parametrize(("level", "step"), STEPS, ids=name_of)
def test_a_table_comes_back_where_it_stood(level: Level, step: Step) -> None:
    pupil = Lesson(level.name, DEAL)
    pupil.answer({"ask": "go", "step": level.steps.index(step)})
    pupil.answer({"ask": "predict", "name": step.prediction.name, "answer": 0})
    for press in ("step", "turn_cards", "turn_cards", "turn_cards", "undo"):
        if pupil.page.view["compare"]:
            break
        getattr(pupil.tables[-1], press)()
        again = Lesson(level.name, DEAL)
        kept = json.loads(json.dumps({str(DEAL): pupil.page.record}))
        again.answer({"ask": "hello", "query": "", "kept": kept})
        stands = [(table.game.at, table.game.counts) for table in again.tables]
        assert stands == [(table.game.at, table.game.counts) for table in pupil.tables]
        assert again.page.view == pupil.page.view


def test_nobody_is_led_beyond_a_step_by_what_a_browser_has_kept() -> None:
    for at in (-1, 10**30, True, "3", None, [9]):
        kept = {"predicted": {"ten-guess": 1}, "begun": ["decides"], "stood": {"decides": [at]}}
        pupil = Lesson("chance", DEAL)
        pupil.answer({"ask": "hello", "query": "", "kept": {str(DEAL): kept}})
        assert pupil.tables[0].game.battles in (0, 10)


def test_a_pile_is_called_so_but_where_a_stack_is_a_data_structure() -> None:
    told = [text for level in LEVELS for text in _texts(level)]
    assert len(told) > 300
    for text in told:
        if text != "stack" and re.search(r"\bstacks?\b", text, re.IGNORECASE):
            assert re.search("queue|last in, first out|like a stack", text), text


def _texts(value: object) -> Iterator[str]:
    """All that is written in a level."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _texts(each)


def test_the_way_on_is_a_link_to_a_notebook_that_is_there() -> None:
    for level in LEVELS:
        for notebook in re.findall(r"\]\((.+?)\)", level.beyond):
            assert (FILE.parents[2] / "notebooks" / notebook).is_file()
    assert sum("](" in level.beyond for level in LEVELS) == 2


# --- the address, and what the browser keeps ----------------------------------------------------


def test_the_address_says_level_and_deal_however_late(monkeypatch: pytest.MonkeyPatch) -> None:
    pupil = lesson()
    assert pupil.page.view["level"] == ""
    assert [each["name"] for each in pupil.page.view["levels"]] == ["compare", "chance", "compute"]
    pupil.answer({"ask": "hello", "query": "?level=compute&deal=7", "kept": {}})
    assert (pupil.page.view["level"], pupil.page.view["deal"]) == ("compute", "7")
    monkeypatch.setenv("QUERY_STRING", "level=chance&deal=12")
    early = lesson()
    assert (early.page.view["level"], early.page.view["deal"]) == ("chance", "12")


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("?deal=<script>", "not a deal code: '<script>'"),
        ("?level=<script>", "there is no level '<script>'"),
        (f"?deal={TOO_SHORT}", "deal 624 is over after 22 battles"),
        ("?deal=" + "9" * 5000, "the address is too long"),
    ],
)
def test_a_wild_address_costs_nobody_the_answers(query: str, told: str) -> None:
    pupil = lesson("chance")
    kept = {str(DEAL): {"predicted": {"ten-guess": 1}}}
    pupil._guarded(pupil.answer, {"ask": "hello", "query": query, "kept": kept})
    assert told in pupil.page.notice
    assert pupil.page.view["deal"] == str(DEAL)
    assert pupil.page.view["predict"]["locked"] == 1


def test_a_page_loaded_again_goes_on_where_it_was() -> None:
    pupil = Lesson("chance", DEAL)
    pupil.answer({"ask": "go", "step": 1})
    pupil.answer({"ask": "predict", "name": "tie-guess", "answer": 3})
    pupil.answer({"ask": "play", "how": "ten"})
    pupil.answer({"ask": "play", "how": "ten"})
    pupil.answer({"ask": "try", "name": "why-17", "answer": 0})
    pupil.answer({"ask": "hint", "name": "why-17"})
    kept = json.loads(json.dumps({str(DEAL): pupil.page.record}))
    again = lesson("chance")
    again.answer({"ask": "hello", "query": f"?level=chance&deal={DEAL}", "kept": kept})
    assert again.page.view == pupil.page.view
    assert again.page.chart == pupil.page.chart
    assert again.tables[0].game.battles == 20
    other = lesson("chance")
    other.answer({"ask": "hello", "query": "?deal=7", "kept": kept})
    assert other.record == Record()
    other.answer({"ask": "deal", "code": str(DEAL), "kept": kept})
    assert other.record == pupil.record
    again.answer({"ask": "clear"})
    assert again.record == Record()
    assert again.page.view["at"] == 0


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
NAMES = [
    *predictions(),
    *(question.name for question in QUESTIONS),
    *(step.name for _, step in STEPS),
]


@settings(deadline=None, max_examples=40)
@given(
    st.fixed_dictionaries(
        {},
        optional={
            part: JSON | st.dictionaries(st.sampled_from(NAMES), JSON | st.lists(JSON))
            for part in ("predicted", "begun", "played", "stood", "tries", "hints", "puzzles", "at")
        },
    )
    | JSON
)
def test_whatever_a_browser_has_kept_gives_a_page(kept: Any) -> None:
    record = record_of(kept)
    assert record_of(json.loads(json.dumps(record.as_json()))) == record
    for level in LEVELS:
        assert view(record, DEAL, level)["steps"]
        assert report(record, level.name, DEAL)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(st.sampled_from(QUESTIONS), st.integers(0, 4)), max_size=30))
def test_a_record_comes_back_as_it_was(tries: list[tuple[Question, int]]) -> None:
    record = Record()
    for question, place in tries:
        answer = question.answers[place % len(question.answers)]
        solved = record.solved(question.name)
        given = answer.text if question.written else question.answers.index(answer)
        record.answer(question.name, given)
        assert record.solved(question.name) == (solved or answer.right)
    assert record_of(json.loads(json.dumps(record.as_json()))) == record


def test_what_is_handed_in_tells_answers_tries_and_hints_and_no_key() -> None:
    record = Record()
    record.predict("tie-guess", 3)
    record.play("tie", True)
    record.answer("why-17", 0)
    record.hint("why-17")
    text = report(record, "chance", DEAL)
    assert text.startswith("War, level Chance, deal 2024\n")
    assert "I predicted: 1 in 13" in text
    assert "It should be 1 in 13: there are 13 ranks (not right yet, 1 hint)" in text
    key = next(question for question in QUESTIONS if question.name == "why-17").key.text
    assert key not in text
    record.answer("why-17", 2)
    wrong = "It should be 1 in 13: there are 13 ranks"
    assert f"- {wrong}, then {key} (right, 1 hint)" in report(record, "chance", DEAL)
    assert "How many wars has" not in report(record, "chance", DEAL)
    # Every try is there, in its order: which wrong answer came first is what a teacher asks.
    for question in QUESTIONS:
        record = Record()
        wrong_ones = [answer.text for answer in question.answers if not answer.right]
        for each in (*wrong_ones, question.key.text):
            give(record, question, each)
        tried = ", then ".join(fill(each, DEAL) for each in (*wrong_ones, question.key.text))
        level = next(each for each in LEVELS if question in every_question((each,)))
        assert f"- {tried} (right)" in report(record, level.name, DEAL)


def test_what_a_pupil_writes_is_never_read_as_anything_else() -> None:
    record = Record()
    record.answer("trace-pile", "{battles} {0.__class__}")
    record.predict("trace-guess", 0)
    record.play("trace", True)
    record.at["compute"] = 2
    shown = view(record, DEAL, find_level("compute"))["questions"][0]
    assert shown["feedback"].startswith("Not a card: '{battles}'")
    assert "{battles} {0.__class__}" in report(record, "compute", DEAL)


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("", "The pile has 7 cards, and here are 0."),
        ("2C 9S 4D KH 9C 6S 6S", "6S is there twice."),
        ("2C 9S 4D KH 9C 6S 3H", "3H is not in this pile: it was not won, or not played."),
        ("9S 2C 4D KH 9C 6S 7D", "These are the right cards, but another one is on top."),
        (
            "2C 9S KH 4D 9C 6S 7D",
            "These are the right cards, in the right order up to card 2, and then it changes.",
        ),
        (
            "2c, 9♠ 4d kh 9c 6s 7d",
            "Yes. The card that stayed, then yours as laid, then the other's.",
        ),
    ],
)
def test_a_written_pile_is_told_where_it_goes_wrong(written: str, told: str) -> None:
    assert judge(step_of("trace").questions[0], written).feedback == told


# --- the rounds ---------------------------------------------------------------------------------


def test_the_rounds_that_are_kept_are_those_of_the_engine() -> None:
    assert FILE.read_text(encoding="ascii").startswith(
        "battles,wars,winner,ahead,aces,tie,three_down\n"
    )
    assert len(rounds()) == ROUNDS
    for code in (0, DEAL, WAR_AT_ONCE, TOO_SHORT, ROUNDS - 1, *range(3, ROUNDS, 211)):
        assert rounds()[code] == play_round(code), code


def test_the_rounds_agree_with_what_is_known() -> None:
    # Within four standard errors of the published figures: mean 256.0, wars 19.7, ties 3/51, the
    # share of decided rounds that four aces win .929, and 14.38 in 100 that reach the cap.
    lengths = [each.battles for each in rounds()]
    assert abs(fmean(lengths) - 256.0) < 4 * 149 / sqrt(ROUNDS)
    assert abs(figures().wars - 19.7) < 4 * 12 / sqrt(ROUNDS)
    assert near_share(sum(each.tie for each in rounds()), ROUNDS, 3 / 51)
    assert near_share(sum(each.winner == 0 for each in rounds()), ROUNDS, 0.1438)
    four = [each.winner for each in rounds() if each.aces == 4 and each.winner]
    assert near_share(four.count(1), len(four), 0.929)
    # With three face down 300,000 rounds of other deals have a mean of 172.6, with a spread of 136.
    assert abs(figures().three_down - 172.6) < 4 * 136 / sqrt(ROUNDS)
    assert round(92.9) == FOUR_ACES_WIN
    assert round(42.02) == AS_LAID_ENDLESS
    assert 68 <= figures().led <= 75


def near_share(found: int, count: int, share: float) -> bool:
    return abs(found / count - share) < 4 * sqrt(share * (1 - share) / count)


@pytest.mark.parametrize("count", MANY)
def test_picture_words_and_table_of_many_rounds_agree(count: int) -> None:
    lengths = [each.battles for each in rounds()[:count]]
    assert figures(count).mean == pytest.approx(fmean(lengths))
    assert figures(count).median == median(lengths)
    assert sum(number for _, _, number in bins(count)) == count
    for first, last, number in bins(count):
        assert number == sum(first <= length <= last for length in lengths)
    assert f"the mean is {fmean(lengths):.0f} battles, the median {median(lengths):.0f}" in summary(
        count
    )
    assert summary(count) in histogram(count)
    shortest = lengths.index(min(lengths))
    assert f"took {min(lengths)} battles (deal {shortest})" in summary(count)
    assert Game(code=shortest).play().battles == min(lengths)


def test_answers_about_many_rounds_hold_for_the_rounds() -> None:
    wars = next(question for question in QUESTIONS if question.name == "how-many-wars")
    assert wars.key.text == f"About {round(figures().wars)}"
    assert figures().below > 50
    shorter = [each.three_down < each.battles for each in rounds()]
    assert figures().sooner == pytest.approx(100 * fmean(shorter))
    # What the notes say of them: most rounds are shorter, three of ten are longer.
    longer = [each.three_down > each.battles for each in rounds()]
    assert round(10 * fmean(longer)) == 3


def test_a_war_moves_ten_cards_with_three_face_down_and_six_with_one() -> None:
    key = next(question for question in QUESTIONS if question.name == "why-three").key.text
    assert key == "The winner of a war takes ten cards instead of six"
    moved = [
        Game(rules, piles=["9S 2H 3H 4H KH 5H", "9C 2D 6D 4D 7D 5D"]).play(1).present[-1].cards
        for rules in (step_of("down").play.rules or {}, step_of("down").play.beside)
    ]
    assert [len(each) for each in moved] == [6, 10]

    assert abs(figures().led - 70) < 5


def test_a_pupils_kernel_loads_nothing_heavy() -> None:
    program = "import sys; from war.lesson import lesson; lesson('chance')\nprint(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = {name.split(".")[0] for name in run.stdout.split()}
    assert "ipywidgets" in loaded
    assert not loaded & {"numpy", "numba", "matplotlib", "pandas", "typst", "distributed", "tqdm"}


# --- the code that pupils write -----------------------------------------------------------------


def by_value(mine: str, theirs: str) -> int:
    return (value(mine) > value(theirs)) + 2 * (value(mine) < value(theirs))


def by_a_list(mine: str, theirs: str) -> int:
    order = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    first, second = order.index(mine[:-1]), order.index(theirs[:-1])
    return 0 if first == second else 1 if first > second else 2


def with_a_loop(mine: list[str], theirs: list[str]) -> tuple[list[str], list[str]]:
    laid = 1
    while value(mine[laid - 1]) == value(theirs[laid - 1]):
        laid += 2
    if value(mine[laid - 1]) > value(theirs[laid - 1]):
        return mine[laid:] + mine[:laid] + theirs[:laid], theirs[laid:]
    return mine[laid:], theirs[laid:] + theirs[:laid] + mine[:laid]


def in_place(mine: list[str], theirs: list[str]) -> list[list[str]]:
    stakes: tuple[list[str], list[str]] = ([], [])
    while True:
        for pile, stake in zip((mine, theirs), stakes, strict=True):
            stake.append(pile.pop(0))
        winner = by_value(stakes[0][-1], stakes[1][-1])
        if winner:
            (mine, theirs)[winner - 1].extend(stakes[winner - 1] + stakes[2 - winner])
            return [mine, theirs]
        for pile, stake in zip((mine, theirs), stakes, strict=True):
            stake.append(pile.pop(0))


@pytest.mark.parametrize("function", [by_value, by_a_list])
def test_every_way_to_compare_cards_is_right(function: Any) -> None:
    assert check_winner_of_battle(function) == "Right for all 2,652 pairs of cards."


@pytest.mark.parametrize("function", [with_a_loop, in_place])
def test_every_way_to_play_a_battle_is_right(function: Any) -> None:
    assert check_battle(function).startswith("Right in all 7")


def test_the_first_difference_is_shown() -> None:
    def as_text(mine: str, theirs: str) -> int:
        return 0 if mine[:-1] == theirs[:-1] else 1 if mine[:-1] > theirs[:-1] else 2

    # As text "10" is lower than "2".
    assert check_winner_of_battle(as_text) == (
        "Not yet: for 2C against 10C it says 1. The engine says 2."
    )
    assert check_winner_of_battle(lambda mine, theirs: 1 // 0).startswith(
        "Not yet: for 2C against 3C it stops with ZeroDivisionError"
    )

    def loser_first(mine: list[str], theirs: list[str]) -> tuple[list[str], list[str]]:
        if value(mine[0]) > value(theirs[0]):
            return mine[1:] + theirs[:1] + mine[:1], theirs[1:]
        return mine[1:], theirs[1:] + mine[:1] + theirs[:1]

    assert check_battle(loser_first).splitlines() == [
        "Not yet. The first difference is in battle 1 of 'a higher card of player 1'.",
        "Before:   9H 2C | 4S 7D",
        "Yours:    2C 4S 9H | 7D",
        "Engine:   2C 9H 4S | 7D",
    ]

    def without_wars(mine: list[str], theirs: list[str]) -> tuple[list[str], list[str]]:
        if value(mine[0]) > value(theirs[0]):
            return mine[1:] + mine[:1] + theirs[:1], theirs[1:]
        return mine[1:], theirs[1:] + theirs[:1] + mine[:1]

    assert "battle 1 of 'a war'" in check_battle(without_wars)
    assert check_battle(lambda mine, theirs: mine + theirs).startswith("Not yet: it returns ")
    assert "IndexError" in check_battle(lambda mine, theirs: mine[99])


@pytest.mark.parametrize(
    ("piles", "told"),
    [
        (
            "2S 4S 3S | 5H",
            "It never ends: from the deal on the position comes back every 4 battles.",
        ),
        ("AS KS | 2H 3H", "It ends after 2 battles. Try another one."),
        ("AS KS", "Not yet: 2 players need as many piles, not 1."),
        ("AS | AS", "Not yet: AS is there twice."),
        (" ", "Nothing yet: write two piles with | between them, such as 2S 3S | 4H 5H."),
    ],
)
def test_endless_piles_are_found_out(piles: str, told: str) -> None:
    assert check_endless(piles) == told
