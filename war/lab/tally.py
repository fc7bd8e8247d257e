"""What is counted of games that have been played: whole numbers only, so that parts add up exactly."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import accumulate
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

#: How many standard errors a 95 % interval reaches to either side.
NORMAL_95 = NormalDist().inv_cdf(0.975)


class Extreme(NamedTuple):
    """The battles of a game that was shorter or longer than all others, and its number."""

    battles: int
    game: int


class Share(NamedTuple):
    """A share of something, with its 95 % interval by Wilson's score (JASA 22, 1927).

    >>> print(share(50, 100))
    50.0 % (40.4 to 59.6)
    """

    part: float
    low: float
    high: float

    @property
    def percent(self) -> str:
        """The share alone, in per cent.

        >>> share(1, 3).percent
        '33.3 %'
        """
        return f"{self.part * 100:.1f} %"

    @property
    def rarity(self) -> str:
        """The share alone, as one in so many where it is small.

        >>> share(1, 3).rarity, share(2, 1000).rarity
        ('33.3 %', '1 in 500')
        """
        return self.percent if self.part >= 0.01 or not self.part else f"1 in {1 / self.part:,.0f}"

    def __str__(self) -> str:
        return f"{self.percent} ({self.low * 100:.1f} to {self.high * 100:.1f})"


class Average(NamedTuple):
    """A mean with its standard error.

    >>> print(Average(288.834, 0.07), Average(3.5, float("nan")))
    288.83 ± 0.07 3.5
    """

    mean: float
    se: float

    def __str__(self) -> str:
        return f"{self.mean:.2f} ± {self.se:.2f}" if self.se >= 0 else f"{self.mean:g}"

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval, as of a normal distribution.

        >>> [round(end, 2) for end in Average(10, 1).interval]
        [8.04, 11.96]
        """
        return self.mean - NORMAL_95 * self.se, self.mean + NORMAL_95 * self.se


def share(some: int, of: int) -> Share:
    """The share of some among so many, with Wilson's 95 % interval; of none it is anything.

    >>> share(0, 10).low, round(share(0, 10).high, 3)
    (0.0, 0.278)
    """
    if not of:
        return Share(float("nan"), 0.0, 1.0)
    part, square = some / of, NORMAL_95 * NORMAL_95
    middle = (part + square / (2 * of)) / (1 + square / of)
    reach = NORMAL_95 / (1 + square / of) * sqrt(part * (1 - part) / of + square / (4 * of * of))
    # At the ends the two sides are equal but for the last digit.
    return Share(part, middle - reach if some else 0.0, middle + reach if some < of else 1.0)


def average(counts: Counter[int]) -> Average:
    """The mean of counted values and its standard error.

    >>> average(Counter({1: 2, 3: 2}))
    Average(mean=2.0, se=0.5773502691896257)
    """
    return average_of_sums(
        counts.total(),
        sum(value * times for value, times in counts.items()),
        sum(value * value * times for value, times in counts.items()),
    )


def deviation(counts: Counter[int]) -> Average:
    """The standard deviation of counted values and its own standard error.

    The error is that of a large sample, from the fourth moment (Cramér, Mathematical Methods of
    Statistics, 1946, 27.7).

    >>> deviation(Counter({1: 2, 3: 2}))
    Average(mean=1.0, se=0.0)
    """
    number = counts.total()
    mean = average(counts).mean
    second, fourth = (
        sum((value - mean) ** power * times for value, times in counts.items()) / number
        for power in (2, 4)
    )
    return Average(sqrt(second), sqrt((fourth - second * second) / number) / (2 * sqrt(second)))


def average_of_sums(number: int, total: int, squares: int) -> Average:
    """The mean and its standard error from how many values there are, their sum and their squares'.

    >>> average_of_sums(4, 8, 20)
    Average(mean=2.0, se=0.5773502691896257)
    """
    if not number:
        return Average(float("nan"), float("nan"))
    if number == 1:
        return Average(total / number, float("nan"))
    # In whole numbers until the last step, so that it does not matter in which order games were played.
    spread = (number * squares - total * total) / (number * (number - 1))
    return Average(total / number, sqrt(spread / number))


def percentile(counts: Counter[int], percent: float) -> int:
    """The nearest-rank percentile of counted values: at least so many per cent are no greater.

    >>> percentile(Counter({10: 1, 20: 1, 30: 1, 40: 1}), 50)
    20

    Raises ValueError where there are no values.
    """
    if not counts:
        raise ValueError("there is no percentile of no values")
    values = sorted(counts)
    for value, so_far in zip(values, accumulate(counts[each] for each in values), strict=True):
        if so_far * 100 >= percent * counts.total():
            return value
    return values[-1]


def _shorter(one: Extreme | None, other: Extreme | None) -> Extreme | None:
    return min(filter(None, (one, other)), default=None)


def _longer(one: Extreme | None, other: Extreme | None) -> Extreme | None:
    # Of games as long as each other the first one counts, whichever part comes first.
    return max(filter(None, (one, other)), default=None, key=lambda each: (each[0], -each[1]))


@dataclass
class Tally:
    """The counts of games that have been played; two of them add up to that of all the games.

    `endings` counts by winner (a player from 1, or 0 for a draw) and reason; of the games that end,
    `lengths` counts those of each number of battles and `wars` those of each number of wars; of those
    that go round for ever, `periods` counts after how many battles they repeat. `depths` counts the
    battles with so many ties.

    >>> one = Tally(games=1, lengths=Counter({8: 1}), longest=Extreme(8, 0))
    >>> (one + Tally(games=1, lengths=Counter({9: 1}), longest=Extreme(9, 1))).longest
    Extreme(battles=9, game=1)
    """

    games: int = 0
    endings: Counter[tuple[int, str]] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    wars: Counter[int] = field(default_factory=Counter)
    depths: Counter[int] = field(default_factory=Counter)
    periods: Counter[int] = field(default_factory=Counter)
    first_ties: int = 0
    shortest: Extreme | None = None
    longest: Extreme | None = None
    #: The first games that never end, by their numbers.
    endless: tuple[int, ...] = ()

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.games + other.games,
            self.endings + other.endings,
            self.lengths + other.lengths,
            self.wars + other.wars,
            self.depths + other.depths,
            self.periods + other.periods,
            self.first_ties + other.first_ties,
            _shorter(self.shortest, other.shortest),
            _longer(self.longest, other.longest),
            tuple(sorted(self.endless + other.endless)[:MOST_ENDLESS]),
        )


#: How many never-ending games a tally names.
MOST_ENDLESS = 10
