"""Questions that one number cannot answer: rules on the same deals, who holds what, who is ahead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations, repeat
from typing import Any, NamedTuple

from war.cards import shown
from war.lab import kernel
from war.lab.chunks import Task, play_chunk, tally_of
from war.lab.results import Grid, Result, caption, known, origin, plain_share, rules_text
from war.lab.running import Run, add_up, whole
from war.lab.summary import Summary, task_of
from war.lab.tally import Average, Share, Tally, average, average_of_sums, share
from war.rules import MOST_BATTLES, Rules
from war.variants import plain_rules


class Sums(NamedTuple):
    """So many whole numbers, their sum, and the sum of their squares.

    >>> Sums(1, 2, 4).plus(Sums(1, 3, 9))
    Sums(number=2, total=5, squares=13)
    """

    number: int
    total: int
    squares: int

    def plus(self, other: Sums) -> Sums:
        """Both together.

        >>> Sums(1, 2, 4).plus(Sums(0, 0, 0))
        Sums(number=1, total=2, squares=4)
        """
        return Sums(*(one + another for one, another in zip(self, other, strict=True)))


def sums_of(numbers: Any) -> Sums:
    """The sums of an array of whole numbers, exact however large they are.

    >>> import numpy as np
    >>> sums_of(np.array([10**9, -(10**9)])).squares
    2000000000000000000
    """
    # Squares of very long games, ten thousand of them, are more than 64 bits hold.
    values = numbers.tolist()
    return Sums(len(values), sum(values), sum(value * value for value in values))


@dataclass
class Paired:
    """The counts of several rules on the same deals, and the sums of the differences of each pair."""

    tallies: tuple[Tally, ...]
    battles: dict[tuple[int, int], Sums]
    wins: dict[tuple[int, int], Sums]

    def __add__(self, other: Paired) -> Paired:
        return Paired(
            tuple(one + another for one, another in zip(self.tallies, other.tallies, strict=True)),
            {pair: sums.plus(other.battles[pair]) for pair, sums in self.battles.items()},
            {pair: sums.plus(other.wins[pair]) for pair, sums in self.wins.items()},
        )


def pair_chunk(tasks: Sequence[Task], first: int, games: int) -> Paired:
    """Play the same deals by several rules, and count them and their differences.

    >>> pair_chunk([Task(Rules()), Task(Rules())], 0, 5).battles
    {(0, 1): Sums(number=5, total=0, squares=0)}
    """
    played = [play_chunk(task, first, games) for task in tasks]
    lengths = [each.results[:, kernel.BATTLES] for each in played]
    ends = [each.results[:, kernel.CYCLE_PERIOD] == 0 for each in played]
    wins = [(each.results[:, kernel.WINNER] == 1).astype(int) for each in played]
    pairs = list(combinations(range(len(tasks)), 2))
    return Paired(
        tuple(map(tally_of, played)),
        {(i, j): sums_of((lengths[j] - lengths[i])[ends[i] & ends[j]]) for i, j in pairs},
        {(i, j): sums_of(wins[j] - wins[i]) for i, j in pairs},
    )


@dataclass(frozen=True, repr=False)
class Comparison(Result):
    """Several rules on the same deals.

    The same deal by two rules is one pair, so what the deal decides drops out of the difference, and
    its interval is narrower than from two simulations apart.

    >>> comparison = compare(["classic", "house"], games=500, progress=False)
    >>> comparison.battles(1).mean < 0
    True
    """

    tasks: tuple[Task, ...]
    paired: Paired
    run: Run

    @property
    def summaries(self) -> tuple[Summary, ...]:
        """The summary of each of the rules.

        >>> compare(["classic", "house"], games=5, progress=False).summaries[1].rules.cap
        300
        """
        return tuple(
            Summary(task, tally, self.run)
            for task, tally in zip(self.tasks, self.paired.tallies, strict=True)
        )

    def battles(self, rules: int, base: int = 0) -> Average:
        """How many battles more a deal takes by some of the rules than by others, which count from 0.

        Deals that go round for ever by either of them are left out.

        >>> compare(["classic", "classic"], games=5, progress=False).battles(1)
        Average(mean=0.0, se=0.0)
        """
        return self._difference(self.paired.battles, rules, base)

    def wins(self, rules: int, base: int = 0) -> Average:
        """By how much the share of games that player 1 wins differs between two of the rules.

        >>> compare(["classic", "classic"], games=5, progress=False).wins(1)
        Average(mean=0.0, se=0.0)
        """
        return self._difference(self.paired.wins, rules, base)

    def _difference(self, sums: dict[tuple[int, int], Sums], rules: int, base: int) -> Average:
        if (base, rules) in sums:
            return average_of_sums(*sums[base, rules])
        if (rules, base) not in sums:
            raise ValueError(f"two of the {len(self.tasks)} rules differ, not {rules} and {base}")
        mean, se = average_of_sums(*sums[rules, base])
        return Average(-mean, se)

    def grid(self) -> Grid:
        """A row for each of the rules, with what differs from the first.

        >>> compare(["classic", "house"], games=5, progress=False).grid().head[0]
        'rules'
        """
        head = (
            "rules", "battles", "median", "against the first", "player 1 wins",
            "points against the first", "draws",
        )  # fmt: skip
        rows = [
            (
                rules_text(summary.rules),
                str(summary.battles),
                str(summary.median),
                _signed(self.battles(place)) if place else "",
                summary.won(1).percent,
                _signed(self.wins(place), 100) if place else "",
                share(summary.draws, summary.games).percent,
            )
            for place, summary in enumerate(self.summaries)
        ]
        what = f"{len(self.tasks)} rules on the same deals"
        return Grid(caption(what, self.tasks[0].seed, self.run), head, tuple(rows))

    def columns(self) -> dict[str, list[Any]]:
        """A row for each of the rules, as columns for a data frame; differences are from the first.

        >>> compare(["classic", "house"], games=5, progress=False).columns()["rules"]
        ['classic', 'house']
        """
        first, *others = self.summaries
        differences = [
            (self.battles(place), self.wins(place)) for place in range(1, len(others) + 1)
        ]
        return {
            "rules": [rules_text(each.rules) for each in (first, *others)],
            "battles": [each.battles.mean for each in (first, *others)],
            "median": [each.median for each in (first, *others)],
            "player_1_wins": [each.won(1).part for each in (first, *others)],
            "battles_more": [0.0, *(battles.mean for battles, _ in differences)],
            "battles_more_se": [0.0, *(battles.se for battles, _ in differences)],
            "wins_more": [0.0, *(wins.mean for _, wins in differences)],
            "wins_more_se": [0.0, *(wins.se for _, wins in differences)],
        }

    def record(self) -> dict[str, Any]:
        """All of it as plain JSON values, with the whole summary of each of the rules.

        >>> compare(["classic", "house"], games=5, progress=False).record()["rules"]
        ['classic', 'house']
        """
        return {
            **origin(self.tasks[0], self.run),
            "rules": [plain_rules(task.rules) for task in self.tasks],
            "summaries": [summary.record() for summary in self.summaries],
            "differences": [
                {
                    "base": base,
                    "rules": rules,
                    "battles": _plain(self.battles(rules, base)),
                    "wins": _plain(self.wins(rules, base)),
                }
                for base, rules in self.paired.battles
            ],
        }


def _signed(difference: Average, unit: float = 1) -> str:
    low, high = difference.interval
    return f"{difference.mean * unit:+.1f} ({low * unit:+.1f} to {high * unit:+.1f})"


def _plain(difference: Average) -> dict[str, float | None]:
    low, high = difference.interval
    return {
        "mean": known(difference.mean),
        "se": known(difference.se),
        "low": known(low),
        "high": known(high),
    }


def compare(
    rules: Iterable[object],
    games: int = 10_000,
    seed: int = 0,
    *,
    sizes: object = None,
    hands: object = None,
    threads: int = 1,
    dask: Any = None,
    progress: bool = True,
) -> Comparison:
    """Play the same deals by several rules, and say by how much they differ; the rest as `simulate`.

    >>> comparison = compare(["classic", "house"], games=2000, seed=7, progress=False)
    >>> print(comparison.battles(1))
    -141.11 ± 3.70

    Raises ValueError as `simulate` does, and where the rules do not deal the same cards.
    """
    if isinstance(rules, str | Rules) or not isinstance(rules, Iterable):
        raise ValueError(f"rules to compare are a list of two or more, not {shown(rules)}")
    tasks = tuple(task_of(each, seed, sizes, hands) for each in rules)
    if len(tasks) < 2:
        raise ValueError(f"rules to compare are a list of two or more, not of {len(tasks)}")
    first = tasks[0].rules
    for task in tasks[1:]:
        if (task.rules.deck, task.rules.players) != (first.deck, first.players):
            raise ValueError(
                f"{rules_text(first)} and {rules_text(task.rules)} do not deal the same cards to as "
                "many players, so there are no pairs to compare"
            )
    paired, run = add_up(partial(pair_chunk, tasks), games, threads, dask, progress)
    return Comparison(tasks, paired, run)


class Cell(NamedTuple):
    """The games in which player 1 was dealt so many of each rank asked about.

    `won` is the share of player 1 among the decided.
    """

    held: tuple[int, ...]
    games: int
    decided: int
    won: Share


def hold_chunk(task: Task, ranks: Sequence[str], first: int, games: int) -> Counter[Any]:
    """Play games and count them by what player 1 was dealt of each rank, and by the winner.

    >>> hold_chunk(Task(Rules()), ["A"], 0, 50).total()
    50
    """
    played = play_chunk(task, first, games, held=True)
    dealt = [played.held[:, task.rules.ranks.index(rank)].tolist() for rank in ranks]
    winners = played.results[:, kernel.WINNER].tolist()
    return Counter(zip(zip(*dealt, strict=True), winners, strict=True))


@dataclass(frozen=True, repr=False)
class Holdings(Result):
    """How often player 1 wins by what the deal gave; `counts` is by cards held and winner.

    >>> holdings = by_holding("classic", "A", games=1000, progress=False)
    >>> [cell.held for cell in holdings.cells]
    [(0,), (1,), (2,), (3,), (4,)]
    """

    task: Task
    ranks: tuple[str, ...]
    counts: Counter[tuple[tuple[int, ...], int]]
    run: Run
    #: What has been asked for by `within`: a rank, and how many of it player 1 was dealt.
    given: tuple[tuple[str, int], ...] = ()

    @property
    def cells(self) -> tuple[Cell, ...]:
        """What was dealt, from the fewest cards on, and how often player 1 won with it.

        >>> sum(cell.games for cell in by_holding("classic", "A K", games=99, progress=False).cells)
        99
        """
        return tuple(self.cell(*held) for held in sorted({held for held, _ in self.counts}))

    def cell(self, *held: int) -> Cell:
        """The games in which player 1 was dealt so many, one number for each rank asked about.

        >>> by_holding("classic", "A", games=1000, progress=False).cell(4).won.part > 0.7
        True
        """
        wins = {winner: n for (dealt, winner), n in self.counts.items() if dealt == held}
        games = sum(wins.values())
        decided = games - wins.get(0, 0)
        return Cell(held, games, decided, share(wins.get(1, 0), decided))

    def within(self, rank: str, held: int) -> Holdings:
        """The same for those deals alone in which player 1 was dealt so many of a rank.

        >>> holdings = by_holding("classic", "K A", games=1000, progress=False)
        >>> holdings.within("A", 2).ranks
        ('K',)

        Raises ValueError for a rank that was not asked about.
        """
        place = self._place(rank)
        counts: Counter[tuple[tuple[int, ...], int]] = Counter()
        for (dealt, winner), n in self.counts.items():
            if dealt[place] == held:
                counts[(*dealt[:place], *dealt[place + 1 :]), winner] += n
        ranks = (*self.ranks[:place], *self.ranks[place + 1 :])
        return Holdings(self.task, ranks, counts, self.run, (*self.given, (rank, held)))

    def only(self, rank: str) -> Holdings:
        """The same by one of the ranks, whatever was dealt of the others.

        >>> by_holding("classic", "K A", games=1000, progress=False).only("K").ranks
        ('K',)

        Raises ValueError for a rank that was not asked about.
        """
        place = self._place(rank)
        counts: Counter[tuple[tuple[int, ...], int]] = Counter()
        for (dealt, winner), n in self.counts.items():
            counts[(dealt[place],), winner] += n
        return Holdings(self.task, (rank,), counts, self.run, self.given)

    def _place(self, rank: str) -> int:
        if rank not in self.ranks:
            raise ValueError(f"asked about {' '.join(self.ranks)}, not about {shown(rank)}")
        return self.ranks.index(rank)

    def grid(self) -> Grid:
        """A row for each number of cards dealt.

        >>> by_holding("classic", "A", games=100, progress=False).grid().head
        ('A', 'games', 'decided', 'player 1 wins of these')
        """
        what = rules_text(self.task.rules) + "".join(
            f", player 1 dealt {held} of {rank}" for rank, held in self.given
        )
        return Grid(
            caption(what, self.task.seed, self.run),
            (*self.ranks, "games", "decided", "player 1 wins of these"),
            tuple(
                (*map(str, cell.held), f"{cell.games:,}", f"{cell.decided:,}", str(cell.won))
                for cell in self.cells
            ),
        )

    def columns(self) -> dict[str, list[Any]]:
        """A row for each number of cards dealt, as columns for a data frame.

        >>> list(by_holding("classic", "A", games=100, progress=False).columns())
        ['A', 'games', 'decided', 'won', 'low', 'high']
        """
        cells = self.cells
        return {
            **{rank: [cell.held[i] for cell in cells] for i, rank in enumerate(self.ranks)},
            "games": [cell.games for cell in cells],
            "decided": [cell.decided for cell in cells],
            "won": [cell.won.part for cell in cells],
            "low": [cell.won.low for cell in cells],
            "high": [cell.won.high for cell in cells],
        }

    def record(self) -> dict[str, Any]:
        """All of it as plain JSON values.

        >>> by_holding("classic", "A", games=100, progress=False).record()["ranks"]
        ['A']
        """
        return {
            **origin(self.task, self.run),
            "ranks": list(self.ranks),
            "given": [list(each) for each in self.given],
            "cells": [
                {
                    "held": list(cell.held),
                    "games": cell.games,
                    "decided": cell.decided,
                    "won": plain_share(cell.won),
                }
                for cell in self.cells
            ],
        }


def by_holding(
    rules: object = "classic",
    ranks: str | Iterable[str] = "A",
    games: int = 10_000,
    seed: int = 0,
    *,
    sizes: object = None,
    threads: int = 1,
    dask: Any = None,
    progress: bool = True,
) -> Holdings:
    """Count how often player 1 wins by how many aces, kings or cards of any rank the deal gave.

    `ranks` are one or several, like `"A"` or `"A K"`; the rest as `simulate`.

    >>> holdings = by_holding("classic", "A", games=5000, seed=7, progress=False)
    >>> [round(cell.won.part, 1) for cell in holdings.cells]
    [0.1, 0.2, 0.5, 0.8, 0.9]

    Raises ValueError as `simulate` does, and for a rank that the deck has not.
    """
    task = task_of(rules, seed, sizes)
    asked = tuple(ranks.replace(",", " ").split()) if isinstance(ranks, str) else tuple(ranks)
    if not asked:
        raise ValueError("name a rank to ask about, like A")
    for rank in asked:
        if rank not in task.rules.ranks:
            raise ValueError(f"{shown(rank)} is no rank of this deck")
        if asked.count(rank) > 1:
            raise ValueError(f"rank {rank} is there twice")
    counts, run = add_up(partial(hold_chunk, task, asked), games, threads, dask, progress)
    return Holdings(task, asked, counts, run)


@dataclass
class LeadTally:
    """The games by leader and winner after each number of battles, and by how often the lead changed.

    `ahead` counts by the place of the number, the leader (a player from 1, 0 for nobody, -1 where the
    game was over) and the winner (0 for a draw).
    """

    ahead: Counter[tuple[int, int, int]] = field(default_factory=Counter)
    changes: Counter[int] = field(default_factory=Counter)

    def __add__(self, other: LeadTally) -> LeadTally:
        return LeadTally(self.ahead + other.ahead, self.changes + other.changes)


def lead_chunk(task: Task, after: Sequence[int], first: int, games: int) -> LeadTally:
    """Play games and count who was ahead after so many battles, and who won.

    >>> lead_chunk(Task(Rules()), [10, 20], 0, 50).ahead.total()
    100
    """
    played = play_chunk(task, first, games, marks=after)
    winners = played.results[:, kernel.WINNER].tolist()
    *leaders, changes = played.leads.T.tolist()
    return LeadTally(
        Counter(
            key
            for place, ahead in enumerate(leaders)
            for key in zip(repeat(place), ahead, winners, strict=False)
        ),
        Counter(changes),
    )


class Ahead(NamedTuple):
    """Games after a number of battles: led by somebody, even, finished.

    `wins` is how often the leader wins, of the games led by somebody that are decided in the end.
    """

    battles: int
    led: int
    even: int
    finished: int
    decided: int
    wins: Share


@dataclass(frozen=True, repr=False)
class Leads(Result):
    """Who is ahead, and what it is worth.

    >>> leads = lead("classic", after=[100], games=1000, progress=False)
    >>> leads.ahead(100).wins.part > 0.6
    True
    """

    task: Task
    after: tuple[int, ...]
    tally: LeadTally
    run: Run

    def ahead(self, battles: int) -> Ahead:
        """How it stood after one of the numbers of battles asked about.

        >>> leads = lead("classic", after=[1], games=100, progress=False)
        >>> leads.ahead(1).led + leads.ahead(1).even
        100

        Raises ValueError for another number.
        """
        if battles not in self.after:
            raise ValueError(f"asked about {', '.join(map(str, self.after))}, not {shown(battles)}")
        place = self.after.index(battles)
        games: Counter[int] = Counter()
        decided = wins = 0
        for (mark, leader, winner), n in self.tally.ahead.items():
            if mark == place:
                games[min(leader, 1)] += n
                if leader > 0 and winner:
                    decided += n
                    wins += n * (leader == winner)
        return Ahead(
            battles, games[1], games[0], games[kernel.FINISHED], decided, share(wins, decided)
        )

    @property
    def changes(self) -> Average:
        """How often in a game somebody else is ahead than before: the mean and its standard error.

        >>> lead("classic", games=1000, seed=7, progress=False).changes.mean > 1
        True
        """
        return average(self.tally.changes)

    def grid(self) -> Grid:
        """A row for each number of battles asked about.

        >>> lead("classic", after=[9], games=100, progress=False).grid().rows[0][0]
        '9'
        """
        what = f"{rules_text(self.task.rules)}, {self.changes} changes of the lead a game"
        rows = [
            (
                f"{each.battles:,}",
                f"{each.led:,}",
                f"{each.even:,}",
                f"{each.finished:,}",
                f"{each.decided:,}",
                str(each.wins),
            )
            for each in map(self.ahead, self.after)
        ]
        head = ("after", "one leads", "even", "finished", "led and decided", "the leader wins")
        return Grid(caption(what, self.task.seed, self.run), head, tuple(rows))

    def columns(self) -> dict[str, list[Any]]:
        """A row for each number of battles asked about, as columns for a data frame.

        >>> lead("classic", after=[9], games=100, progress=False).columns()["battles"]
        [9]
        """
        rows = [self.ahead(battles) for battles in self.after]
        return {
            **{
                name: [getattr(row, name) for row in rows]
                for name in ("battles", "led", "even", "finished", "decided")
            },
            "wins": [row.wins.part for row in rows],
            "low": [row.wins.low for row in rows],
            "high": [row.wins.high for row in rows],
        }

    def record(self) -> dict[str, Any]:
        """All of it as plain JSON values.

        >>> lead("classic", after=[9], games=100, progress=False).record()["after"][0]["battles"]
        9
        """
        return {
            **origin(self.task, self.run),
            "after": [
                {**each._asdict(), "wins": plain_share(each.wins)}
                for each in map(self.ahead, self.after)
            ],
            "changes": {
                "mean": known(self.changes.mean),
                "se": known(self.changes.se),
                "max": max(self.tally.changes),
            },
        }


def lead(
    rules: object = "classic",
    after: Iterable[int] = (10, 50, 100, 200),
    games: int = 10_000,
    seed: int = 0,
    *,
    sizes: object = None,
    hands: object = None,
    threads: int = 1,
    dask: Any = None,
    progress: bool = True,
) -> Leads:
    """See who is ahead after so many battles and how often they win; the rest as `simulate`.

    >>> lead("classic", after=[50, 100], games=100, progress=False).ahead(50).battles
    50

    Raises ValueError as `simulate` does, and for what is no list of numbers of battles.
    """
    task = task_of(rules, seed, sizes, hands)
    if isinstance(after, str) or not isinstance(after, Iterable):
        raise ValueError(f"after is a list of numbers of battles, not {shown(after)}")
    numbers = tuple(sorted({whole("after", number, MOST_BATTLES) for number in after}))
    if not numbers:
        raise ValueError("after is a list of numbers of battles, not an empty one")
    tally, run = add_up(partial(lead_chunk, task, numbers), games, threads, dask, progress)
    return Leads(task, numbers, tally, run)
