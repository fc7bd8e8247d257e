"""What one pupil has said and tried: plain values that a browser can keep and give back.

There is no name in it and nothing else of a person. The browser keeps it; the server forgets it with
the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any, TypeGuard

from war.cards import Card, cards
from war.lesson.puzzles import PUZZLES, is_solved
from war.lesson.questions import LEVELS, Answer, Question, every_question
from war.lesson.results import fill, predictions, result

MOST_TRIES, LONGEST_TRY = 50, 400
_STEPS = {step.name: step for level in LEVELS for step in level.steps}
_QUESTIONS = {question.name: question for question in every_question()}


@dataclass
class Record:
    """The work of one pupil on one deal.

    `predicted` has the answer locked in by the name of each prediction; `begun` and `played` are the
    steps whose cards have been turned, and turned as far as the step wants; `tries` has the answers
    given to each question, the last one last; `stood` at which event the tables of a step stood that
    is not yet played; `hints` how many hints have been opened; `puzzles` the
    piles last checked for each puzzle; `at` the step last looked at in each level.

    >>> record = Record()
    >>> record.predict("tie-guess", 2)
    >>> record.answer("why-17", 0)
    >>> record.tries, record.solved("why-17")
    ({'why-17': [0]}, False)
    """

    predicted: dict[str, int] = field(default_factory=dict)
    begun: list[str] = field(default_factory=list)
    played: list[str] = field(default_factory=list)
    stood: dict[str, list[int]] = field(default_factory=dict)
    tries: dict[str, list[int | str]] = field(default_factory=dict)
    hints: dict[str, int] = field(default_factory=dict)
    puzzles: dict[str, list[str]] = field(default_factory=dict)
    at: dict[str, int] = field(default_factory=dict)

    def predict(self, name: str, answer: int) -> None:
        """Lock a prediction in; one that is locked in stays.

        Raises ValueError for a prediction or an answer that is not there.
        """
        known = predictions().get(name)
        if not known or answer not in range(len(known.answers)):
            raise ValueError(f"there is no answer {answer!r} to predict {name!r}")
        self.predicted.setdefault(name, answer)

    def change(self, step: str) -> None:
        """Unlock the prediction of a step, as long as no card has been turned."""
        if step in _STEPS and step not in self.begun:
            self.predicted.pop(_STEPS[step].prediction.name, None)

    def play(self, step: str, enough: bool) -> None:
        """Note that cards have been turned in a step, and whether as far as it wants."""
        for done, steps in ((True, self.begun), (enough, self.played)):
            if done and step not in steps:
                steps.append(step)

    def stand(self, step: str, tables: list[int]) -> None:
        """Note at which event the tables of a step stand, as long as it is on its way."""
        self.stood.pop(step, None)
        if step in self.begun and step not in self.played:
            self.stood[step] = tables

    def answer(self, name: str, given: int | str) -> None:
        """Try an answer; after the right one nothing is tried any more.

        Raises ValueError for a question or an answer that is not there.
        """
        question = _QUESTIONS.get(name)
        kind = str if question and question.written else int
        if not question or not isinstance(given, kind) or isinstance(given, bool):
            raise ValueError(f"there is no answer {given!r} to question {name!r}")
        if isinstance(given, int) and given not in range(len(question.answers)):
            raise ValueError(f"there is no answer {given!r} to question {name!r}")
        if not self.solved(name):
            tries = self.tries.setdefault(name, [])
            tries.append(given[:LONGEST_TRY] if isinstance(given, str) else given)
            del tries[:-MOST_TRIES]

    def hint(self, name: str) -> None:
        """Open one hint more of a question or a puzzle."""
        self.hints[name] = min(self.hints.get(name, 0) + 1, 9)

    def join(self, other: Record) -> None:
        """Take over what the same pupil has done elsewhere; what was done here stays, and so does `at`.

        >>> one, other = Record({"tie-guess": 2}), Record({"ten-guess": 1}, tries={"why-17": [0]})
        >>> one.join(other)
        >>> one.predicted, one.tries
        ({'ten-guess': 1, 'tie-guess': 2}, {'why-17': [0]})
        """
        self.predicted = other.predicted | self.predicted
        for here, there in ((self.begun, other.begun), (self.played, other.played)):
            here += [step for step in there if step not in here]
        for step, tables in (other.stood | self.stood).items():
            self.stand(step, tables)
        for name, tries in other.tries.items():
            if not self.solved(name) and len(tries) > len(self.tries.get(name, [])):
                self.tries[name] = [*tries]
        for name, opened in other.hints.items():
            self.hints[name] = max(opened, self.hints.get(name, 0))
        for name, piles in other.puzzles.items():
            if name not in self.puzzles or is_solved(name, *piles):
                self.puzzles[name] = piles

    def solved(self, name: str) -> bool:
        """Whether the last answer to a question was right."""
        tries = self.tries.get(name, [])
        return bool(tries) and judge(_QUESTIONS[name], tries[-1]).right

    def as_json(self) -> dict[str, Any]:
        """The record as plain values."""
        return asdict(self)


def record_of(kept: object) -> Record:
    """The record from what a browser has kept; whatever does not belong there is left out.

    >>> record_of({"predicted": {"tie-guess": 2, "nonsense": 1}, "tries": 7}).predicted
    {'tie-guess': 2}
    """
    record = Record()
    if not isinstance(kept, Mapping):
        return record
    for name, answer in _pairs(kept.get("predicted")):
        if _whole(answer):
            _leave_out(record.predict, name, answer)
    for step, known in _STEPS.items():
        if known.prediction.name in record.predicted:
            for names, enough in ((kept.get("begun"), False), (kept.get("played"), True)):
                if isinstance(names, list) and step in names:
                    record.play(step, enough)
    for step, tables in _pairs(kept.get("stood")):
        if isinstance(tables, list) and all(_whole(at) and at >= 0 for at in tables[:2]):
            record.stand(step, tables[:2])
    for name, given in _pairs(kept.get("tries")):
        for each in given[:MOST_TRIES] if isinstance(given, list) else ():
            _leave_out(record.answer, name, each)
    for name, opened in _pairs(kept.get("hints")):
        if _whole(opened) and name in {*_QUESTIONS, *(puzzle.name for puzzle in PUZZLES)}:
            record.hints[name] = max(0, min(opened, 9))
    for name, piles in _pairs(kept.get("puzzles")):
        if name in {puzzle.name for puzzle in PUZZLES} and _two_texts(piles):
            record.puzzles[name] = [pile[:LONGEST_TRY] for pile in piles]
    for level in LEVELS:
        at = dict(_pairs(kept.get("at"))).get(level.name)
        if _whole(at):
            record.at[level.name] = max(0, min(at, len(level.steps) + 1))
    return record


def judge(question: Question, given: int | str) -> Answer:
    """The answer that was given, with its feedback; for a written one that nobody foresaw, one made
    from what was written.

    >>> judge(_QUESTIONS["trace-pile"], "2c 9s 4d kh 9c 6s 7d").right
    True
    >>> judge(_QUESTIONS["trace-pile"], "2C 9S").feedback
    'The pile has 7 cards, and here are 2.'
    """
    if isinstance(given, int):
        return question.answers[given]
    try:
        pile = cards(given)
    except ValueError as error:
        return Answer(given, f"{str(error)[:1].upper()}{str(error)[1:]}.")
    for answer in question.answers:
        if cards(answer.text) == pile:
            return answer
    return Answer(given, _difference(cards(question.key.text), pile))


def report(record: Record, level: str, deal: int) -> str:
    """A pupil's answers in one level as text to hand in.

    >>> print(report(Record(), "chance", 2024).splitlines()[0])
    War, level Chance, deal 2024
    """
    chosen = next(each for each in LEVELS if each.name == level)
    lines = [f"War, level {chosen.title}, deal {deal}"]
    for number, step in enumerate(chosen.steps, 1):
        lines += ["", f"{number}. {step.title}"]
        guess = record.predicted.get(step.prediction.name)
        if guess is not None:
            lines.append(f"   I predicted: {fill(step.prediction.answers[guess], deal)}")
        if step.name in record.played:
            lines.append(f"   What happened: {result(step, deal).told}")
        lines += _answers(record, step.questions, deal)
    lines += ["", "Exit questions", *_answers(record, chosen.exit, deal)]
    solved = [
        puzzle.title
        for puzzle in PUZZLES
        if puzzle.name in record.puzzles and is_solved(puzzle.name, *record.puzzles[puzzle.name])
    ]
    if solved:
        lines += ["", f"Puzzles solved: {', '.join(solved)}"]
    return "\n".join(lines)


def _answers(record: Record, questions: Iterable[Question], deal: int) -> list[str]:
    lines = []
    for question in questions:
        tries = record.tries.get(question.name, [])
        if not tries:
            continue
        hints = record.hints.get(question.name, 0)
        right = "right" if record.solved(question.name) else "not right yet"
        asked = f", {hints} hint{'s' * (hints != 1)}" if hints else ""
        lines.append(f"   {fill(question.text, deal)}")
        given = [judge(question, each).text for each in tries]
        # What a pupil has written is shown as it is.
        texts = given if question.written else [fill(text, deal) for text in given]
        # Which wrong answer came first is what a teacher wants to know.
        lines.append(f"   - {', then '.join(texts)} ({right}{asked})")
    return lines


def _difference(wanted: tuple[Card, ...], pile: tuple[Card, ...]) -> str:
    if len(pile) != len(wanted):
        return f"The pile has {len(wanted)} cards, and here are {len(pile)}."
    for card in pile:
        if card not in wanted:
            return f"{card} is not in this pile: it was not won, or not played."
        if pile.count(card) > 1:
            return f"{card} is there twice."
    place = next(
        at for at, (one, other) in enumerate(zip(wanted, pile, strict=True)) if one != other
    )
    if not place:
        return "These are the right cards, but another one is on top."
    return f"These are the right cards, in the right order up to card {place}, and then it changes."


def _pairs(record: object) -> Iterable[tuple[str, Any]]:
    return record.items() if isinstance(record, Mapping) else ()


def _whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _two_texts(piles: object) -> bool:
    return (
        isinstance(piles, list) and len(piles) == 2 and all(isinstance(each, str) for each in piles)
    )


def _leave_out(note: Callable[[str, Any], None], name: str, value: object) -> None:
    with suppress(ValueError):
        note(name, value)
