"""The printed sheet of a deal, and its key: from one list of tasks a PDF and a page of HTML each."""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from war.board.address import check_length
from war.board.art import back_svg, black_and_white, card_svg
from war.cards import RANK_NAMES, SUIT_NAMES, Card, shown
from war.describe import rules_in_words, seat_names
from war.game import Game
from war.lesson.questions import LEVELS
from war.lesson.tasks import Cell, Choices, Room, Table, Task, names_of, of_the_screen, tasks_of
from war.rules import Tie
from war.variants import CLASSIC, base_and_changes

#: The papers: their names in the PDF's template, and their sizes in HTML's style.
PAPERS = {"a4": ("a4", "210mm 297mm"), "letter": ("us-letter", "8.5in 11in")}


class Look(NamedTuple):
    """How a level's sheet is headed, and how large it is written, in points and centimetres.

    `card` is the width of a card, `line` the height of a line to write on.
    """

    title: str
    pips: bool
    text: float
    card: float
    line: float


LOOKS = {
    "compare": Look("Which card is higher?", True, 13, 1.75, 1.1),
    "chance": Look("How likely is it?", False, 11.5, 1.3, 0.85),
    "compute": Look("How does it go on?", False, 11.5, 1.1, 0.8),
}

# What 10D means, for whoever has not met it.
_WRITTEN = (
    f"10D is the ten of diamonds: {', '.join(map(' '.join, SUIT_NAMES.items()))};"
    f" {', '.join(f'{rank} {RANK_NAMES[rank]}' for rank in 'AKQJ')}."
)

#: What stands below a question: room to answer, or the answer.
Part = Room | str


class Page(NamedTuple):
    """A sheet or a key, ready to be written: its name, its texts, and questions with what is below."""

    name: str
    key: bool
    title: str
    about: tuple[str, ...]
    questions: tuple[tuple[str, tuple[Part, ...]], ...]
    look: Look
    paper: str


def sheet_and_key(
    code: object, level: str, rules: object = "classic", paper: str = "a4"
) -> tuple[Page, Page]:
    """The sheet for the pupils and the key for the teacher.

    >>> sheet, key = sheet_and_key(2024, "chance", "house")
    >>> sheet.name, key.name, sheet.about[0]
    ('war-2024-house-chance', 'war-2024-house-chance-key', 'Deal 2024, rules: house, level: chance (11 to 14)')

    Raises ValueError for what is no deal code, for unknown rules and those by which a round might
    never be over, for an unknown level and an unknown paper.
    """
    levels = {each.name: each for each in LEVELS}
    for name, value, known in (("level", level, levels), ("paper", paper, PAPERS)):
        if value not in known:
            raise ValueError(f"unknown {name}: {shown(value)} (known: {', '.join(known)})")
    game = Game(rules, code)
    check_length(game.rules)
    base, changes = base_and_changes(game.rules)
    own = {"changed": changes} if changes else {}
    seats = zip(names_of(game), seat_names(game.rules.players), strict=True)
    rules_named = f"rules: {' '.join([base, *own])}"
    about: tuple[str, ...] = (
        f"Deal {game.code}, {rules_named}, level: {level} ({levels[level].ages})",
        " ".join(rules_in_words(game.rules).values()),
        f"On the screen {', '.join(f'{name.lower()} is “{seat}”' for name, seat in seats)}.",
    )
    told = (*about, _WRITTEN) if level == "compute" else about
    if level == "compare":
        # Whoever is six years old reads a line, not four; the rest is on the key.
        named = f"Deal {game.code}" + f", {rules_named}" * (game.rules != CLASSIC)
        told = (named, _short_rules(game))
    look = LOOKS[level]
    name = "-".join(["war", str(game.code), base, *own, level])
    tasks = tasks_of(levels[level], game)
    sheet = tuple((task.ask, task.room) for task in tasks)
    key = tuple((task.ask, _answer(task)) for task in [*tasks, *of_the_screen(levels[level], game)])
    return (
        Page(name, False, look.title, told, sheet, look, paper),
        Page(f"{name}-key", True, f"Key: {look.title}", (*about, _WRITTEN), key, look, paper),
    )


def _short_rules(game: Game) -> str:
    takes = "higher card takes both" if game.rules.players == 2 else "highest card takes them all"
    ties = "Equal cards go back." if game.rules.tie is Tie.SPLIT else "Equal cards: war!"
    return f"The {takes}. {ties} Player 1 is you."


def _answer(task: Task) -> tuple[Part, ...]:
    table: tuple[Part, ...] = (task.table,) if task.table else ()
    return (*table, task.answer) if task.answer else table


def write(
    folder: Path, code: object, level: str, rules: object = "classic", paper: str = "a4"
) -> list[Path]:
    """Write a sheet and its key into a folder, each as PDF and as HTML, and return the four files.

    Raises ValueError as `sheet_and_key` does, and for a folder that cannot be written.
    """
    contents = {
        folder / f"{page.name}{suffix}": content
        for page in sheet_and_key(code, level, rules, paper)
        for suffix, content in ((".pdf", to_pdf(page)), (".html", to_html(page).encode()))
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, content in contents.items():
            path.write_bytes(content)
    except OSError as error:
        raise ValueError(f"cannot write into {shown(str(folder))}: {error.strerror}") from None
    return [*contents]


def to_pdf(page: Page) -> bytes:
    """The page as a PDF with tags, so that it can be listened to as well.

    >>> to_pdf(sheet_and_key(2024, "chance")[0])[:5]
    b'%PDF-'

    Raises ValueError where typst is not installed.
    """
    pdf: bytes = typeset(page, format="pdf", pdf_standards=["ua-1"])
    return pdf


def typeset(page: Page, **wanted: Any) -> Any:
    """The page in whatever form typst is asked for."""
    try:
        import typst
    except ImportError:
        raise ValueError(
            "typst is not installed; install it with: pip install 'war-notebooks[sheet]'"
        ) from None
    return typst.compile(
        files(__package__).joinpath("sheet.typ").read_bytes(),
        sys_inputs={"page": json.dumps(_plain(page))},
        # The same letters on every machine, whatever is installed there.
        font_paths=typst.Fonts(include_system_fonts=False),
        **wanted,
    )


def _plain(page: Page) -> dict[str, Any]:
    """The page as the template reads it: plain JSON, of which nothing is taken for markup."""

    def cell(value: Cell) -> object:
        if isinstance(value, str):
            return value
        return [{"picture": _picture(card, page.look), "name": _name(card)} for card in value]

    def part(value: Part) -> object:
        if isinstance(value, Choices):
            return {"choices": value.answers}
        if not isinstance(value, Table):
            return value
        return {"head": value.head, "rows": [[*map(cell, row)] for row in value.rows]}

    return {
        "title": page.title,
        "key": page.key,
        "about": page.about,
        "questions": [(ask, [*map(part, below)]) for ask, below in page.questions],
        "paper": PAPERS[page.paper][0],
        "text": page.look.text,
        "card": page.look.card,
        "line": page.look.line,
    }


def to_html(page: Page) -> str:
    """The page as HTML that stands alone, to look at on a screen or to print.

    >>> to_html(sheet_and_key(2024, "chance")[0]).count("<h1>")
    1
    """
    deal, *more = map(escape, page.about)
    title = escape(page.title)
    style = files(__package__).joinpath("sheet.css").read_text(encoding="utf-8")
    questions = "".join(
        f"<li><p>{escape(ask)}</p>{''.join(_part(part, page.look) for part in below)}</li>\n"
        for ask, below in page.questions
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} {deal}</title>
<style>
@page {{ size: {PAPERS[page.paper][1]} }}
:root {{ --text: {page.look.text}pt; --card: {page.look.card}cm; --line: {page.look.line}cm }}
{style}</style>
</head>
<body>
<main>
<header><h1>{title}</h1>{"" if page.key else '<p class="group">Group:</p>'}</header>
<p><strong>{deal}.</strong> {" ".join(more)}</p>
<ol>
{questions}</ol>
</main>
</body>
</html>
"""


def _part(part: Part, look: Look) -> str:
    if isinstance(part, str):
        return f'<p class="answer">{escape(part)}</p>'
    if isinstance(part, int):
        return '<div class="line"></div>' * part
    if isinstance(part, Choices):
        return f"<ul>{''.join(f'<li>{escape(answer)}</li>' for answer in part.answers)}</ul>"
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in part.head)
    rows = "".join(
        f"<tr>{''.join(f'<td>{_cell(cell, look)}</td>' for cell in row)}</tr>\n"
        for row in part.rows
    )
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>"


def _cell(cell: Cell, look: Look) -> str:
    if isinstance(cell, str):
        return escape(cell)
    if not cell:
        return '<span class="place"></span>'
    return "".join(
        f'<span role="img" aria-label="{escape(_name(card))}">{_picture(card, look)}</span>'
        for card in cell
    )


def _name(card: Card | None) -> str:
    return card.name if card else "face-down card"


def _picture(card: Card | None, look: Look) -> str:
    return black_and_white(card_svg(card, pips=look.pips) if card else back_svg())
