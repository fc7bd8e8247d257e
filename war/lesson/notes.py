"""What a teacher wants to know before the lesson: plan, key, usual mistakes, the class's link.

Nothing of the lesson is told twice: questions, answers and minutes come from
`war.lesson.questions`, results from the engine; here is only what the teacher does with them. Words
in braces are filled in by `war.lesson.results` for the deal.
"""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Sequence
from html import escape
from typing import NamedTuple
from urllib.parse import urlencode

import segno

from war.cards import shown
from war.lesson.puzzles import find_puzzle
from war.lesson.questions import (
    BEGIN_MINUTES,
    LEVELS,
    MISCONCEPTIONS,
    Level,
    Question,
    every_question,
    find_question,
)
from war.lesson.results import CLASS_DEAL, check_deal, fill, result
from war.lesson.tasks import asked


class Note(NamedTuple):
    """How a step is led: who works with whom, what to ask, and what to look for."""

    who: str
    ask: str
    look: str


#: What each curriculum code asks for, in our words. The letters and numbers before the dots are
#: those of the Common Core State Standards for Mathematics (2010), CSTA those of the K-12 Computer
#: Science Standards (revised 2017), whose 3B is for ages 16 to 18.
CODES = {
    "K.CC.C.6": "say which of two groups has more, by matching and counting",
    "K.CC.C.7": "compare two written numbers between 1 and 10",
    "1.NBT.B.3": "compare two numbers of two digits, with >, = and <",
    "2.OA.A.1": "solve word problems within 100, also those that compare",
    "7.SP.C.7": "compare what a model says with how often it is seen, and explain a difference",
    "7.SP.C.8": "find the probability of a compound event as a share of all outcomes (a, b)",
    "6.SP.B.5.d": "choose centre and spread by the shape of the data",
    "CSTA 3B-AP-11": "judge algorithms by correctness, clarity and cost (correctness: does it stop?)",
    "CSTA 3B-AP-12": "compare data structures and what they are good for",
    "CSTA 3B-AP-21": "write test cases that show whether a program does what it should",
}

#: How each step is led, by its name.
NOTES = {
    # compare
    "higher": Note(
        "Whole class, then pairs",
        "How do you know that it is higher? Can two cards be equal?",
        "Ten, jack, queen, king, ace in this order; nobody argues with colour or suit.",
    ),
    "pips": Note(
        "Pairs",
        "Which card has more? How did you find how many more without counting all the pips?",
        "Counting on from the smaller number. Adding both is the usual slip.",
    ),
    "five-battles": Note(
        "Pairs: one turns, one keeps a tally",
        "When one number grows, what does the other do? How many are both together?",
        "The two numbers always make 52; the difference is found by counting on.{early_war}",
    ),
    "war": Note(
        "First everybody locks in a guess; then, for the whole class, two children at the front lay"
        " 9H 2C KS against 9D 3C 7S, the second card face down",
        "Who can say how many cards the winner takes before we count them?",
        "The hidden cards are counted too, and lost like the others.",
    ),
    "next": Note(
        "Pairs",
        "Does the pile know who won before? What could it do about it?",
        "“It is my turn” is common and worth a talk, after the guess: nobody can have a reason before.",
    ),
    "to-the-end": Note(
        "Whole class, on the projector",
        "Who was ahead after battle 20? ({score20}.) How often does the line cross the middle?"
        " ({crossings}.)",
        "Numbers beyond 100 are read aloud; nobody is the loser of anything but cards.",
    ),
    # chance
    "decides": Note(
        "Pairs, each beside another pair",
        "What did you decide in these ten battles? What does your neighbour's table show?",
        "Surprise that every table shows the same. Wait for “then nobody decides”.",
    ),
    "tie": Note(
        "Pairs, then the whole class",
        "How many cards can the other player turn? How many of them tie with yours?",
        "51 and 3, not 52 and 4. Ours is {ties20} in 20 battles, where theory says {theory_ties} in 100:"
        " is the theory wrong? No, 20 battles are too few. All pairs have the same wars, so there is"
        " nothing to add up; the page's table has 100, 1,000 and 10,000 first battles.",
    ),
    "long": Note(
        "Pairs, then the whole class",
        "Where is the middle round? Why does the mean lie to the right of it?",
        "A dot for each pair's guess above a line on the board; below it our round ({battles}), then"
        " the median ({median}) and the mean ({mean}). The word “skewed” may come. Whoever divides {mean}"
        " by 17 has calculated well: the page says why there are {wars} wars all the same.",
    ),
    "down": Note(
        "Pairs: the buttons play both tables, and each watches one",
        "How many cards does the winner of a war take on your table? And on the other?",
        "Ten instead of six, five of them the loser's. One deal proves nothing: ask what most deals"
        " do, and read what the page says of {rounds} deals.",
    ),
    "ahead": Note(
        "Two pairs together",
        "How large must a lead be before you bet a biscuit on it?",
        "A good answer: of the rounds that somebody wins, the leader wins about seven in ten, and more"
        " with a larger lead. We counted {leads}. The page says afterwards that this deal was chosen because its leader loses.",
    ),
    "aces": Note(
        "Pairs",
        "When exactly can an ace change hands?",
        "Both ways: face down in a war, and in a war of aces.",
    ),
    # compute
    "queue": Note(
        "Pairs on paper, one pair at the board",
        "At which end do cards leave, at which do they join?",
        "A drawing with two ends. “Pile, so stack” is a good guess from the word alone: where do won cards go?",
    ),
    "invariant": Note(
        "Pairs",
        "What could you check after each battle without knowing who won?",
        "52 different cards, and then the parity: an odd number of cards moves in each battle."
        " Exception: the final battle, if a player runs out of cards in a war.",
    ),
    "trace": Note(
        "Alone on paper, then compared in pairs",
        "Which card stayed? In which order do the others go under it?",
        "The pile written line by line. Those who play in their heads lose a card.",
    ),
    "pickup": Note(
        "Pairs, two tables side by side",
        "In which battle do they differ for the first time (battle {differ}), and why not before?",
        "That both agree until a won card comes up again.",
    ),
    "cycle": Note(
        "Alone on paper, then two pairs together",
        "What is the whole state of this game? What follows when a state comes back?",
        "Both piles in order are the state; who won before is not part of it.",
    ),
}

#: Steps that a lesson does without when time is short; one of them is enough.
SPARE = {"to-the-end", "down", "aces", "pickup"}

#: What comes before the first step, alike in each level but for who learns later what a war is.
BEGIN = Note(
    "Whole class, then pairs at their devices",
    "Who can show one battle with two real cards? And this war: 9H 2C KS against 9D 3C 7S?",
    "The same deal code at the top of every page. Nobody has to read the rules first.",
)

BEGIN_OF = {
    "compare": BEGIN._replace(ask="Who can show one battle with two real cards? (No war yet.)")
}

#: The three exit questions, alike in each level but for who does not read yet.
EXIT = Note(
    "Alone, on the sheet",
    "Nothing: this is their turn. Where each has a device, collect the copied answers instead.",
    "Which wrong answer is chosen most: begin the next lesson with it.",
)
EXIT_OF = {
    "compare": EXIT._replace(
        who="Whole class", ask="Read each question aloud; children point, or tick on paper."
    )
}

#: The question that shows a misconception best, where it is not the first one.
SHOWN_BEST = {"skill": "practice", "order": "why-order"}

#: A reply to each misconception of the lesson: a question that lets pupils find out themselves.
REPLIES = {
    "skill": "Show me a battle where you could have done something else.",
    "due": "Where in your pile is the card that makes up for it, and when did it move there?",
    "leader": "Of 100 rounds that somebody wins, how many does the leader after 100 battles lose? ({lost})",
    "aces": "Lay an ace face down in a war and lose. Who has it now?",
    "thirteen": "Take your own nine out of the deck. How many nines are left, among how many cards?",
    "rare": "One battle in 17 would be 15 wars in 250 battles. Is that nearer to 1 or to 20?",
    "average": "In the picture of ten thousand rounds, how many of 100 are longer than the mean? ({longer})",
    "ends": "Here are 2S 4S against 5H 3H, taken up as they lie: player 1's card first, whoever wins."
    " Play on until you have a reason to stop. (By the usual rule, the winner's first, they are done"
    " after six battles.)",
    "order": "Both tables had the same deal. What else could have made the difference?",
    "stack": "You have just won a king. When do you see it again?",
}


#: What the key adds to a step.
ADDED = {
    "tie": "For “Ten deals for each pair”, where there is more time: of the deals {pairs_first} to"
    " {pairs_last}, {ties_of_pairs} begin with a tie, and 150/17 is about 9.",
}


class Notes(NamedTuple):
    """Something for the teacher to read: a page's part, and what it is in one line."""

    name: str
    html: str

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def _repr_html_(self) -> str:
        return self.html


def objectives() -> Notes:
    """What each level is for, with the codes of the curricula.

    >>> objectives()
    <Objectives of 3 levels>
    """
    rows = [
        (f"{level.title} ({level.ages})", objective, code, CODES[code])
        for level in LEVELS
        for objective, code in level.objectives
    ]
    head = ("Level", "Pupils can then …", "Code", "which asks to …")
    return Notes(f"Objectives of {len(LEVELS)} levels", _table(head, rows))


def plan(level: str, deal: object = CLASS_DEAL) -> Notes:
    """A level by the minute: who works with whom, what to ask, what to look for on the class's deal.

    >>> plan("chance", deal=2024)
    <Plan of Chance on deal 2024: 8 parts, 45 minutes>

    Raises ValueError for an unknown level, and for a deal that is not fit for the lesson.
    """
    chosen, code = _level(level), check_deal(deal)
    steps = [("Open the link", BEGIN_MINUTES, BEGIN_OF.get(chosen.name, BEGIN))]
    for step in chosen.steps:
        title = f"{step.title} (may be left out)" if step.name in SPARE else step.title
        steps.append((title, step.minutes, NOTES[step.name]))
    steps.append(("Before you go", chosen.exit_minutes, EXIT_OF.get(chosen.name, EXIT)))
    rows, begin = [], 0
    for title, minutes, note in steps:
        led = (fill(text, code) for text in note)
        rows.append((f"{begin}–{begin + minutes}", title, *led))
        begin += minutes
    name = f"Plan of {chosen.title} on deal {code}: {len(steps)} parts, {chosen.minutes} minutes"
    luck = ", ".join(f"“{step.title}”" for step in chosen.steps if step.prediction.luck)
    told = f"<p>Only luck decides the guess in {luck}: ask for no reason.</p>" if luck else ""
    late = (
        "<p>If you are late: leave out a step marked “may be left out”, and skip to the exit at minute"
        f" {begin - chosen.exit_minutes}.</p>"
    )
    html = _table(("Minute", "Step", "Who", "Ask", "Look for"), rows) + told + late
    return Notes(name, html + _closing(chosen, code))


def _closing(level: Level, code: int) -> str:
    """What the page says at the end of each step, for a teacher who closes it aloud."""
    said = "".join(
        f"<li>{escape(step.title)}: {escape(fill(step.explain, code))}</li>" for step in level.steps
    )
    return f"{_heading('To take along from each step')}<ul>{said}</ul>"


def key(level: str, deal: object = CLASS_DEAL) -> Notes:
    """What happens in each step of a level on the class's deal, and the key to every question.

    >>> key("chance", deal=2024)
    <Key of Chance on deal 2024: 12 questions>

    Raises ValueError for an unknown level, and for a deal that is not fit for the lesson.
    """
    chosen, code = _level(level), check_deal(deal)
    parts: list[str] = []
    for step in chosen.steps:
        parts.append(_heading(step.title))
        happened = result(step, code).told
        guess = asked(step, code)
        parts.append(f"<p>Guess: {escape(guess)} <strong>{escape(happened)}</strong></p>")
        parts += [_key_of(question, code) for question in step.questions]
        if step.name in ADDED:
            parts.append(f"<p>{escape(fill(ADDED[step.name], code))}</p>")
    parts.append(_heading("Before you go"))
    parts += [_key_of(question, code) for question in chosen.exit]
    questions = len([*every_question((chosen,))])
    return Notes(f"Key of {chosen.title} on deal {code}: {questions} questions", "\n".join(parts))


def puzzles() -> Notes:
    """A solution to each puzzle; the page takes every other one that the engine agrees with.

    >>> puzzles()
    <Solutions of 5 puzzles>
    """
    names = dict.fromkeys(name for level in LEVELS for name in level.puzzles)
    rows = []
    for puzzle in map(find_puzzle, names):
        levels = ", ".join(level.title for level in LEVELS if puzzle.name in level.puzzles)
        rows.append((puzzle.title, levels, puzzle.text, puzzle.solution))
    return Notes(
        f"Solutions of {len(rows)} puzzles",
        _table(("Puzzle", "In", "What is wanted", "One solution, top cards first"), rows),
    )


def mistakes(deal: object = CLASS_DEAL) -> Notes:
    """What pupils usually get wrong, a good reply, and the question that brings it up.

    >>> mistakes(deal=2024)
    <Usual mistakes and replies: 10>

    Raises ValueError for a deal that is not fit for the lesson.
    """
    code = check_deal(deal)
    met = {
        name: [
            question.text
            for question in every_question()
            if any(answer.misconception == name for answer in question.answers)
        ]
        for name in MISCONCEPTIONS
    }
    best = {name: find_question(question).text for name, question in SHOWN_BEST.items()}
    rows = [
        (
            wrong,
            fill(REPLIES[name], code),
            f"{fill(best.get(name, met[name][0]), code)} ({_questions(len(met[name]))})",
        )
        for name, wrong in MISCONCEPTIONS.items()
    ]
    return Notes(
        f"Usual mistakes and replies: {len(rows)}",
        _table(("What they think", "A reply", "Comes up, for example, in"), rows),
    )


def _questions(count: int) -> str:
    return f"in {count} questions" if count > 1 else "only here"


def class_link(server: str, level: str, deal: object = CLASS_DEAL) -> Notes:
    """The link that leads a class to its level and its deal, with its QR code for the projector.

    `server` is the address that `war app` has told.

    >>> class_link("http://127.0.0.1:8866/", "chance", deal=2024)
    <http://127.0.0.1:8866/lesson?level=chance&deal=2024>

    Raises ValueError for what is no address, an unknown level, and a deal unfit for the lesson.
    """
    if not re.fullmatch(r"https?://[^\s/?#]+(/[^\s?#]*)?", server):
        raise ValueError(f"not the address of a server: {shown(server)}")
    query = urlencode({"level": _level(level).name, "deal": check_deal(deal)})
    link = f"{server.rstrip('/')}/lesson?{query}"
    drawn = io.BytesIO()
    code = segno.make(link, error="m")
    # White is drawn too, as a page may be dark.
    code.save(drawn, kind="svg", scale=8, light="#fff", xmldecl=False, nl=False)
    picture = base64.b64encode(drawn.getvalue()).decode()
    html = (
        f'<figure><img alt="QR code of {escape(link)}" width="280"'
        f' src="data:image/svg+xml;base64,{picture}">'
        f"<figcaption><code>{escape(link)}</code></figcaption></figure>"
    )
    return Notes(link, html)


def _level(name: str) -> Level:
    for level in LEVELS:
        if level.name == name:
            return level
    raise ValueError(
        f"unknown level: {shown(name)} (known: {', '.join(each.name for each in LEVELS)})"
    )


def _heading(title: str) -> str:
    # Smaller than the headings of the text around it, wherever the notebook is shown.
    return f'<h4 style="font-size: 1em; font-weight: 600">{escape(title)}</h4>'


def _key_of(question: Question, deal: int) -> str:
    right = fill(question.key.text, deal)
    wrong = "\n".join(
        f"<li>{escape(fill(answer.text, deal))}: {escape(fill(answer.feedback, deal))}</li>"
        for answer in question.answers
        if not answer.right
    )
    asked = escape(fill(question.text, deal))
    return f"<p>{asked} <strong>{escape(right)}</strong></p><ul>{wrong}</ul>"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    left = ' style="text-align: left; vertical-align: top"'
    names = "".join(f'<th scope="col"{left}>{escape(name)}</th>' for name in head)
    body = "\n".join(
        f"<tr>{''.join(f'<td{left}>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows
    )
    return f"<table><thead><tr>{names}</tr></thead><tbody>\n{body}\n</tbody></table>"
