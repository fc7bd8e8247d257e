"""Ten thousand rounds, played once and for all, so that a class of thirty need not wait for them.

`rounds.csv` has one line for each of the deal codes 0 to 9,999, played by `classic` rules with this
project's engine, and once more with three cards face down in a war. That takes the engine two
minutes; `python -m war.lesson.rounds` does it again, and a test does so for a part. Any of these
rounds can be opened on a table by its code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from statistics import fmean, median
from typing import NamedTuple

from war.cards import RANKS
from war.game import Game

FILE = Path(__file__).parent / "rounds.csv"
ROUNDS = 10_000
AHEAD_AFTER = 100
_HEAD = "battles,wars,winner,ahead,aces,tie,three_down"

WIDE, HIGH = 25, 190
_ACROSS, _LEFT, _BELOW = 500, 16, 62


class Round(NamedTuple):
    """One round: how long it was, its wars, who won (0 for a draw), and what led there.

    `ahead` is how many cards player 1 owned after 100 battles, or None where it was over by then;
    `aces` how many aces player 1 was dealt; `tie` whether the first two cards were equal;
    `three_down` how many battles the same deal takes with three cards face down in a war.
    """

    battles: int
    wars: int
    winner: int
    ahead: int | None
    aces: int
    tie: bool
    three_down: int


def play_round(code: int) -> Round:
    """Play the round of a deal code by `classic` rules, and with three cards face down.

    >>> play_round(2024)
    Round(battles=107, wars=15, winner=1, ahead=44, aces=4, tie=False, three_down=20)
    """
    game = Game("classic", code).play(AHEAD_AFTER)
    ahead = None if game.outcome else game.counts[0]
    mine, theirs = game.start.stacks
    outcome = game.play().outcome
    assert outcome
    aces = sum(card.rank == RANKS[-1] for card in mine)
    tie = mine[0].rank == theirs[0].rank
    three_down = Game("three-down", code, record=False).play().battles
    return Round(game.battles, game.wars, outcome.winner or 0, ahead, aces, tie, three_down)


@lru_cache(maxsize=1)
def rounds() -> tuple[Round, ...]:
    """All rounds that have been played, by deal code.

    >>> len(rounds()), rounds()[2024] == play_round(2024)
    (10000, True)
    """
    return tuple(map(_read, FILE.read_text(encoding="ascii").splitlines()[1:]))


def _read(line: str) -> Round:
    battles, wars, winner, ahead, aces, tie, three_down = line.split(",")
    known = int(ahead) if ahead else None
    first = (int(battles), int(wars), int(winner), known, int(aces), tie == "1")
    return Round(*first, int(three_down))


def _written(each: Round) -> str:
    return ",".join("" if value is None else str(int(value)) for value in each)


class Figures(NamedTuple):
    """What a number of rounds come to; shares are in per cent."""

    rounds: int
    mean: float
    median: float
    wars: float
    ties: float
    below: float
    near: float
    capped: float
    led: float
    three_down: float
    sooner: float


@lru_cache(maxsize=8)
def figures(count: int = ROUNDS) -> Figures:
    """The figures of the first so many rounds.

    `led` is how many of the rounds that somebody won were won by whoever was ahead after 100 battles;
    `near` how many lasted within 25 battles of the mean; `three_down` is the mean of the same deals
    with three cards face down in a war, and `sooner` how many of them are over sooner then.

    >>> figures(100).rounds
    100
    """
    some = rounds()[:count]
    lengths = [each.battles for each in some]
    mean = fmean(lengths)
    leads = [
        (each.ahead > 26) == (each.winner == 1)
        for each in some
        if each.winner and each.ahead not in (None, 26)
    ]
    return Figures(
        count,
        mean,
        median(lengths),
        fmean(each.wars for each in some),
        _percent([each.tie for each in some]),
        _percent([length < mean for length in lengths]),
        _percent([abs(length - mean) <= WIDE for length in lengths]),
        _percent([each.winner == 0 for each in some]),
        _percent(leads),
        fmean(each.three_down for each in some),
        _percent([each.three_down < each.battles for each in some]),
    )


def _percent(cases: Sequence[bool]) -> float:
    return 100 * sum(cases) / len(cases)


@lru_cache(maxsize=8)
def bins(count: int = ROUNDS) -> tuple[tuple[int, int, int], ...]:
    """How many of the first so many rounds have a length from, to: one row for each 25 battles.

    >>> sum(rounds for _, _, rounds in bins(100))
    100
    """
    found = Counter((each.battles - 1) // WIDE for each in rounds()[:count])
    return tuple((WIDE * at + 1, WIDE * at + WIDE, found[at]) for at in range(500 // WIDE))


@lru_cache(maxsize=8)
def summary(count: int = ROUNDS) -> str:
    """The picture of the first so many rounds in words.

    >>> summary(100).startswith("100 rounds: ")
    True
    """
    found = figures(count)
    lengths = [each.battles for each in rounds()[:count]]
    shortest, longest = (lengths.index(choice(lengths)) for choice in (min, max))
    return (
        f"{count:,} rounds: the mean is {found.mean:.0f} battles, the median {found.median:.0f}."
        f" {found.below:.0f} of 100 rounds are shorter than the mean; {found.capped:.0f} of 100"
        f" stop at 500. The shortest took {lengths[shortest]} battles (deal {shortest})."
    ) + (f" The first that took {lengths[longest]} is deal {longest}." if longest else "")


@lru_cache(maxsize=8)
def histogram(count: int = ROUNDS) -> str:
    """A picture of how long the first so many rounds lasted, with mean and median, as SVG.

    Its colours are the page's own, by the classes `bar`, `mean` and `median`.

    >>> histogram(100).count('class="bar"')
    20
    """
    found = figures(count)
    rows = bins(count)
    most = max(number for _, _, number in rows)
    step = (_ACROSS - _LEFT) / 500

    def across(battles: float) -> float:
        return _LEFT + battles * step

    bars = "".join(
        f'<rect class="bar" x="{across(first - 1) + 1:.1f}" width="{WIDE * step - 2:.1f}"'
        f' y="{30 + HIGH - HIGH * number / most:.1f}" height="{HIGH * number / most:.1f}"/>'
        for first, _, number in rows
    )
    ticks = "".join(
        f'<text x="{across(battles):.1f}" y="{HIGH + 54}" text-anchor="middle">{battles}</text>'
        for battles in (0, 100, 200, 300, 400, 500)
    )
    # The names stand on both sides of the two lines, which can be close together.
    marks = "".join(
        f'<path class="{name}" d="M{across(value):.1f} 24V{HIGH + 30}"/>'
        f'<text class="name" x="{across(value) + shift:.1f}" y="18" text-anchor="{anchor}">'
        f"{name} {value:.0f}</text>"
        for name, value, shift, anchor in (
            ("median", found.median, 4 if found.median > found.mean else -4, _side(found, True)),
            ("mean", found.mean, -4 if found.median > found.mean else 4, _side(found, False)),
        )
    )
    return (
        f'<svg viewBox="0 0 {_ACROSS + 16} {HIGH + 30 + _BELOW}" role="img"'
        f' aria-label="{summary(count)}">{bars}'
        f'<path class="axis" d="M{_LEFT} {HIGH + 30}H{_ACROSS}"/>{ticks}'
        f'<text x="{_ACROSS / 2}" y="{HIGH + 82}" text-anchor="middle">battles in a round</text>'
        f"{marks}</svg>"
    )


def _side(found: Figures, of_median: bool) -> str:
    return "start" if (found.median > found.mean) == of_median else "end"


if __name__ == "__main__":
    lines = [_HEAD, *(_written(play_round(code)) for code in range(ROUNDS))]
    FILE.write_text("\n".join(lines) + "\n", encoding="ascii")
