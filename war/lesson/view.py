"""What the lesson's page shows, as plain values: never more than a pupil has earned to see.

The result of a step is not in it before the prediction is locked in and the cards are played, and an
answer's feedback not before it is tried.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from war.board.art import SUIT_PATHS, card_svg
from war.cards import Card, cards
from war.game import Game, play_battle
from war.lesson.puzzles import Verdict, find_puzzle, is_solved
from war.lesson.questions import LEVELS, Answer, Level, Question, Step
from war.lesson.record import Record, judge, report
from war.lesson.results import TIES_BY_THEORY, fill, result, wars_in
from war.lesson.rounds import ROUNDS, bins, figures, histogram, summary

MANY = (100, 1_000, ROUNDS)

_EXIT = {"compare": "Three questions. Think first, then tap."}


def find_level(name: object) -> Level | None:
    """The level of this name, or None.

    >>> find_level("chance").title
    'Chance'
    """
    return next((level for level in LEVELS if level.name == name), None)


def view(
    record: Record,
    deal: int,
    level: Level | None = None,
    many: int = ROUNDS,
    puzzle: str = "",
    verdict: Verdict | None = None,
) -> dict[str, Any]:
    """The page of a pupil with this record, at the step that the record says.

    >>> shown = view(Record(), 2024, find_level("chance"))
    >>> shown["title"], shown["play"], shown["compare"], shown["questions"]
    ('Who decides?', None, None, [])
    """
    page: dict[str, Any] = {
        "deal": str(deal),
        "level": level.name if level else "",
        "levels": [
            {"name": each.name, "title": each.title, "ages": each.ages, "promise": each.promise}
            for each in LEVELS
        ],
    }
    if not level:
        return page
    at = record.at.get(level.name, 0)
    page |= {
        "name": level.title,
        "ages": level.ages,
        "at": at,
        "steps": _steps(record, level),
        "report": report(record, level.name, deal),
        "goals": [goal for goal, _ in level.objectives],
    }
    if at < len(level.steps):
        return page | _step(record, deal, level, level.steps[at], many)
    if at == len(level.steps):
        return page | {
            "kind": "exit",
            "title": "Before you go",
            "text": _EXIT.get(
                level.name, "Three questions. Then copy your answers and hand them in."
            ),
            "questions": [_question(record, each, deal, level) for each in level.exit],
        }
    return page | _puzzles(record, level, puzzle or level.puzzles[0], verdict)


def drawn(pile: str, pips: bool = False) -> list[dict[str, str]]:
    """A pile as pictures with their names; nothing for a text that names no cards.

    >>> [card["name"] for card in drawn("9H KS")], drawn("About 20")
    (['nine of hearts', 'king of spades'], [])
    """
    try:
        return [_drawn(card, pips) for card in cards(pile)]
    except ValueError:
        return []


def _drawn(card: Card, pips: bool) -> dict[str, str]:
    return {"name": card.name, "text": str(card), "svg": card_svg(card, pips=pips)}


def _steps(record: Record, level: Level) -> list[dict[str, Any]]:
    steps = [
        {
            "title": step.title,
            "done": step.name in record.played and _all_solved(record, step.questions),
        }
        for step in level.steps
    ]
    exit_done = _all_solved(record, level.exit)
    solved = all(
        name in record.puzzles and is_solved(name, *record.puzzles[name]) for name in level.puzzles
    )
    return [
        *steps,
        {"title": "Before you go", "done": exit_done},
        {"title": "Puzzles", "done": solved},
    ]


def _all_solved(record: Record, questions: Sequence[Question]) -> bool:
    return all(record.solved(question.name) for question in questions)


def _step(record: Record, deal: int, level: Level, step: Step, many: int) -> dict[str, Any]:
    pips = level.name == "compare"
    guess = record.predicted.get(step.prediction.name)
    played = guess is not None and step.name in record.played
    shown: dict[str, Any] = {
        "kind": "step",
        "title": step.title,
        "text": fill(step.text, deal),
        "piles": _piles(step, deal, pips),
        "predict": {
            "name": step.prediction.name,
            "text": fill(step.prediction.text, deal),
            "answers": [fill(answer, deal) for answer in step.prediction.answers],
            "locked": guess,
            "open": step.name not in record.begun,
        },
        "play": None,
        "compare": None,
        "questions": [],
        "explain": "",
        # The engine's source is at the foot of the other pages, and here beside the question.
        "reading": step.extra == "source",
    }
    if guess is not None:
        shown["play"] = {
            "name": step.name,
            "task": step.play.task,
            "buttons": step.play.buttons,
            "done": played,
        }
    if not played:
        return shown
    assert guess is not None
    happened = result(step, deal)
    shown["compare"] = {
        "said": fill(step.prediction.answers[guess], deal),
        "told": happened.told,
        "verdict": _compared(step, happened.answer == guess),
    }
    if step.extra == "many":
        shown["many"] = _many(many)
    if step.extra == "ties":
        shown["table"] = _ties(step, deal)
    open_questions = _open(record, step.questions)
    shown["questions"] = [_question(record, each, deal, level) for each in open_questions]
    if _all_solved(record, step.questions):
        shown["explain"] = fill(step.explain, deal)
    return shown


def _compared(step: Step, same: bool) -> str:
    said = "✓ As you predicted." if same else "Not as you predicted."
    # Where only luck decides, there is no reason to look for.
    why = "Nobody could know." if step.prediction.luck else "" if same else "Why?"
    return f"{said} {why}".rstrip()


def _open(record: Record, questions: Sequence[Question]) -> Sequence[Question]:
    """One question after the other: those that are solved, and the first that is not."""
    solved = 0
    while solved < len(questions) and record.solved(questions[solved].name):
        solved += 1
    return questions[: solved + 1]


def _piles(step: Step, deal: int, pips: bool) -> list[dict[str, Any]]:
    if step.cards == "top":
        tops = [stack[0] for stack in Game(code=deal).start.stacks]
        return [
            {"owner": owner, "cards": [_drawn(card, pips)]}
            for owner, card in zip(("You", "Computer"), tops, strict=True)
        ]
    if "|" in step.cards:
        mine, theirs = step.cards.split("|")
        return [
            {"owner": "You", "cards": drawn(mine, pips)},
            {"owner": "Computer", "cards": drawn(theirs, pips)},
        ]
    return [{"owner": "", "cards": drawn(step.cards, pips)}] if step.cards else []


def _question(record: Record, question: Question, deal: int, level: Level) -> dict[str, Any]:
    tries = record.tries.get(question.name, [])
    last = judge(question, tries[-1]) if tries else None
    hints = question.hints[: record.hints.get(question.name, 0)]
    return {
        "name": question.name,
        "text": fill(question.text, deal),
        "written": question.written,
        "typed": tries[-1] if tries and question.written else "",
        "answers": []
        if question.written
        else [
            {
                "text": fill(answer.text, deal),
                "cards": drawn(answer.text, level.name == "compare"),
                "tried": place in tries,
                "right": place in tries and answer.right,
            }
            for place, answer in enumerate(question.answers)
        ],
        "last": tries[-1] if tries and not question.written else None,
        "feedback": _feedback(question, last, deal) if last else "",
        "verdict": _verdict(last) if last else "",
        "right": bool(last and last.right),
        "tries": len(tries),
        "hints": [fill(hint, deal) for hint in hints],
        "more": len(question.hints) - len(hints),
    }


def _verdict(given: Answer) -> str:
    """Right or not, in words; empty where the feedback begins with them."""
    if not given.right:
        return "" if given.feedback.startswith("Nearly") else "Not yet."
    return "" if given.feedback.startswith(("Yes", "Right")) else "Right."


def _feedback(question: Question, given: Answer, deal: int) -> str:
    # Feedback made from what a pupil has written has no words to fill, whatever it holds.
    return fill(given.feedback, deal) if given in question.answers else given.feedback


def _many(count: int) -> dict[str, Any]:
    return {
        "count": count,
        "counts": MANY,
        "svg": histogram(count),
        "summary": summary(count),
        "head": ["Battles", "Rounds"],
        "rows": [[f"{first} to {last}", number] for first, last, number in bins(count)],
    }


def _ties(step: Step, deal: int) -> dict[str, Any]:
    battles = step.play.until or 1
    rows = [[f"Our {battles} battles", f"{100 * wars_in(deal, battles) / battles:.1f}"]]
    rows += [[f"{count:,} first pairs", f"{figures(count).ties:.1f}"] for count in MANY]
    return {
        "caption": "Ties in 100",
        "head": ["Counted in", "Ties in 100"],
        "rows": [*rows, ["Theory, 3/51", f"{TIES_BY_THEORY:.1f}"]],
    }


def _puzzles(record: Record, level: Level, name: str, verdict: Verdict | None) -> dict[str, Any]:
    chosen = find_puzzle(name)
    hints = chosen.hints[: record.hints.get(name, 0)]
    return {
        "kind": "puzzles",
        "title": "Puzzles",
        "text": "For whoever is ready early. The engine plays whatever you lay.",
        "beyond": level.beyond,
        "puzzles": [
            {
                "name": each.name,
                "title": each.title,
                "solved": each.name in record.puzzles
                and is_solved(each.name, *record.puzzles[each.name]),
            }
            for each in map(find_puzzle, level.puzzles)
        ],
        "puzzle": {
            "name": name,
            "text": chosen.text,
            "piles": record.puzzles.get(name, ["", ""]),
            "verdict": verdict.told if verdict else "",
            "solved": bool(verdict and verdict.solved),
            "hints": list(hints),
            "more": len(chosen.hints) - len(hints),
            "deck": deck(),
            "suits": suits(),
        },
        "questions": [],
    }


@lru_cache(maxsize=1)
def deck() -> list[list[str]]:
    """The cards to choose from, suit by suit, as written form and name.

    >>> deck()[0]
    ['2C', 'two of clubs']
    """
    return [[str(card), card.name] for card in Game(code=0).rules.deck]


@lru_cache(maxsize=1)
def suits() -> dict[str, str]:
    """The signs of the suits as pictures in the colour of the text around them.

    >>> [*suits()]
    ['C', 'D', 'H', 'S']
    """
    return {
        suit: f'<svg viewBox="0 0 100 100" aria-hidden="true"><path d="{path}" fill="currentColor"/></svg>'
        for suit, path in SUIT_PATHS.items()
    }


@lru_cache(maxsize=1)
def source() -> str:
    """The engine's own battle, as it is run."""
    return inspect.getsource(play_battle)
