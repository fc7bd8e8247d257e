"""What every result has: it prints itself as a table, in text and in a notebook, and goes to JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from math import isnan
from typing import Any, NamedTuple

import war
from war.cards import text
from war.lab.chunks import Task
from war.lab.running import Run
from war.lab.tally import Share
from war.rules import Rules
from war.variants import plain_rules

#: How the deal codes come about; see `war.lab.codes`.
GENERATOR = "splitmix64-63"


class Grid(NamedTuple):
    """A table as it is printed: what it is of, what its columns are called, and its rows of words."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Result:
    """A result that prints itself; each kind says what is in its table and in its JSON."""

    def grid(self) -> Grid:
        """What is printed."""
        raise NotImplementedError

    def record(self) -> dict[str, Any]:
        """What goes to JSON, as plain values."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return text_of(self.grid())

    def _repr_html_(self) -> str:
        return html_of(self.grid())

    def to_json(self) -> str:
        """The result as JSON, with the version of the program and how the deal codes came about.

        >>> from war.lab import lead
        >>> '"version"' in lead("classic", games=10, progress=False).to_json()
        True
        """
        return json.dumps(self.record(), allow_nan=False)


def text_of(grid: Grid) -> str:
    """A table as text, its columns under each other.

    >>> print(text_of(Grid("Aces", ("held", "games"), (("0", "55"), ("1", "250")))))
    Aces
    held  games
    0     55
    1     250
    """
    lines = [*([grid.head] if grid.head else []), *grid.rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        [
            grid.caption,
            *(
                "  ".join(
                    f"{word:{width}}" for word, width in zip(line, widths, strict=True)
                ).rstrip()
                for line in lines
            ),
        ]
    )


def html_of(grid: Grid) -> str:
    """A table as HTML, in which the first cell of each row names it.

    >>> html_of(Grid("Aces", (), (("held", "4"),)))
    '<table class="war-result"><caption>Aces</caption><tr><th scope="row">held</th><td>4</td></tr></table>'
    """
    head = "".join(f'<th scope="col">{escape(word)}</th>' for word in grid.head)
    body = "".join(
        f'<tr><th scope="row">{escape(name)}</th>'
        + "".join(f"<td>{escape(word)}</td>" for word in words)
        + "</tr>"
        for name, *words in grid.rows
    )
    return (
        f'<table class="war-result"><caption>{escape(grid.caption)}</caption>'
        + (f"<tr>{head}</tr>" if head else "")
        + f"{body}</table>"
    )


def rules_text(rules: Rules) -> str:
    """Rules in a few words: a name, and what differs from it.

    >>> rules_text(Rules()), rules_text(Rules(pickup="as-laid", cap=None))
    ('classic', 'open-ended, pickup as-laid')
    """
    plain = plain_rules(rules)
    if not isinstance(plain, Mapping):
        return str(plain)
    base, *changes = plain.items()
    return ", ".join([str(base[1]), *(f"{name} {_words(value)}" for name, value in changes)])


def _words(value: object) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value))
    return "none" if value is None else str(value)


def caption(what: str, seed: int, run: Run) -> str:
    """What a table is of, how many games, and whether somebody stopped it early.

    >>> caption("classic", 7, Run(20, 10, 0.1))
    'classic, 10 games of 20: stopped early, seed 7; 95 % intervals in brackets'
    """
    early = f" of {run.asked:,}: stopped early" if run.asked != run.games else ""
    return f"{what}, {run.games:,} games{early}, seed {seed}; 95 % intervals in brackets"


def origin(task: Task, run: Run) -> dict[str, Any]:
    """Where a result comes from, as plain JSON values.

    >>> origin(Task(Rules(), 7), Run(10, 10, 0.1))["rules"]
    'classic'
    """
    return {
        "generator": GENERATOR,
        "version": war.__version__,
        "rules": plain_rules(task.rules),
        "hands": [text(hand) for hand in task.hands],
        "sizes": list(task.sizes),
        "games": run.games,
        "asked": run.asked,
        "seed": task.seed,
        "seconds": run.seconds,
        "games_per_second": run.games_per_second,
    }


def known(number: float) -> float | None:
    """A number as JSON has it, which knows no "not a number": one game has no standard error.

    >>> known(1.5), known(float("nan"))
    (1.5, None)
    """
    return None if isnan(number) else number


def plain_share(part: Share) -> dict[str, float | None]:
    """A share with its interval as JSON has it.

    >>> plain_share(Share(0.5, 0.4, 0.6))
    {'part': 0.5, 'low': 0.4, 'high': 0.6}
    """
    return {name: known(number) for name, number in part._asdict().items()}
