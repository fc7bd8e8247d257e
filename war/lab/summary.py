"""What a simulation found out, with its uncertainty; prints itself, and goes to JSON and back."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from war.cards import cards, shown
from war.chance import deal_code
from war.game import Game, Reason
from war.lab.chunks import Task, play_chunk, tally_of
from war.lab.dealing import hands_of, sizes_of
from war.lab.results import GENERATOR, Grid, Result, caption, known, origin, plain_share, rules_text
from war.lab.running import Run, add_up
from war.lab.tally import Average, Extreme, Share, Tally, average, deviation, percentile, share
from war.rules import Rules
from war.variants import rules_of


@dataclass(frozen=True, repr=False)
class Summary(Result):
    """The games of a simulation, summed up.

    What is said of battles and of wars leaves games out that go round for ever; a game that was
    stopped by the limit counts with the battles it had.

    >>> summary = simulate("classic", games=1000, seed=7, progress=False)
    >>> summary.games, summary.battles.mean, summary.median
    (1000, 256.211, 224)
    """

    task: Task
    tally: Tally
    run: Run

    @property
    def rules(self) -> Rules:
        """The rules that were played.

        >>> simulate("house", games=5, progress=False).rules.cap
        300
        """
        return self.task.rules

    @property
    def games(self) -> int:
        """How many games have been played.

        >>> simulate("classic", games=5, progress=False).games
        5
        """
        return self.tally.games

    def wins(self, player: int) -> int:
        """How many games a player, from 1, has won.

        >>> summary = simulate("classic", games=100, seed=7, progress=False)
        >>> summary.wins(1), summary.wins(2)
        (49, 41)
        """
        return sum(n for (winner, _), n in self.tally.endings.items() if winner == player)

    @property
    def draws(self) -> int:
        """How many games nobody has won.

        >>> simulate("classic", games=100, seed=7, progress=False).draws
        10
        """
        return self.wins(0)

    def ended(self, *reasons: Reason | str) -> Share:
        """The share of games that ended for a reason, or for one of several.

        >>> print(simulate("classic", games=100, seed=7, progress=False).ended("short-in-war"))
        20.0 % (13.3 to 28.9)

        Raises ValueError for what is no reason.
        """
        asked = set(map(Reason, reasons))
        return share(
            sum(n for (_, reason), n in self.tally.endings.items() if reason in asked), self.games
        )

    def won(self, player: int) -> Share:
        """The share of games that a player, from 1, has won.

        >>> print(simulate("classic", games=100, seed=7, progress=False).won(1))
        49.0 % (39.4 to 58.7)
        """
        return share(self.wins(player), self.games)

    def favoured(self, player: int = 1) -> Share:
        """The share of a player, by default the first, among the games that somebody won.

        >>> print(simulate("classic", games=100, seed=7, progress=False).favoured())
        54.4 % (44.2 to 64.3)
        """
        return share(self.wins(player), self.games - self.draws)

    @property
    def battles(self) -> Average:
        """The mean number of battles, and its standard error.

        >>> simulate("classic", games=1000, seed=7, progress=False).battles.mean
        256.211
        """
        return average(self.tally.lengths)

    @property
    def deviation(self) -> Average:
        """The standard deviation of the number of battles, and its own standard error.

        >>> round(simulate("classic", games=1000, seed=7, progress=False).deviation.mean)
        147
        """
        return deviation(self.tally.lengths)

    @property
    def median(self) -> int | None:
        """The median number of battles, or None where no game ended.

        >>> simulate("classic", games=1000, seed=7, progress=False).median
        224
        """
        return self.percentile(50)

    def percentile(self, percent: float) -> int | None:
        """The nearest-rank percentile of the number of battles, or None where no game ended.

        >>> simulate("classic", games=1000, seed=7, progress=False).percentile(95)
        500
        """
        return percentile(self.tally.lengths, percent) if self.tally.lengths else None

    def beyond(self, battles: int) -> Share:
        """The share of games that go on for more battles than that, or for ever.

        >>> print(simulate("open-ended", games=100, seed=7, progress=False).beyond(500))
        10.0 % (5.5 to 17.4)
        """
        longer = sum(n for length, n in self.tally.lengths.items() if length > battles)
        return share(longer + self.tally.periods.total(), self.games)

    @property
    def wars(self) -> Average:
        """The mean number of wars in a game (ties that call for one), and its standard error.

        >>> simulate("classic", games=100, seed=7, progress=False).wars.mean
        18.84
        """
        return average(self.tally.wars)

    def depth(self, ties: int) -> Share:
        """The share of battles that had so many ties, one after the other.

        >>> print(simulate("classic", games=100, seed=7, progress=False).depth(2))
        0.5 % (0.4 to 0.5)
        """
        return share(self.tally.depths[ties], self.tally.depths.total())

    @property
    def first_ties(self) -> Share:
        """The share of games in which the first cards turned call for a war.

        >>> print(simulate("classic", games=1000, seed=7, progress=False).first_ties)
        6.6 % (5.2 to 8.3)
        """
        return share(self.tally.first_ties, self.games)

    @property
    def reach_cap(self) -> Share:
        """The share of games that are played to the last battle allowed, and not decided in it.

        >>> print(simulate("classic", games=100, seed=7, progress=False).reach_cap)
        10.0 % (5.5 to 17.4)
        """
        return self.ended(Reason.BATTLE_LIMIT, Reason.MORE_CARDS)

    @property
    def endless(self) -> Share:
        """The share of games that go round for ever.

        >>> as_laid = {"base": "open-ended", "pickup": "as-laid"}
        >>> print(simulate(as_laid, games=100, seed=7, progress=False).endless)
        50.0 % (40.4 to 59.6)
        """
        return self.ended(Reason.ENDLESS)

    @property
    def shortest(self) -> Extreme | None:
        """The first of the shortest games: its battles and its number.

        >>> simulate("classic", games=100, seed=7, progress=False).shortest
        Extreme(battles=44, game=47)
        """
        return self.tally.shortest

    @property
    def longest(self) -> Extreme | None:
        """The first of the longest games: its battles and its number.

        >>> simulate("open-ended", games=100, seed=7, progress=False).longest
        Extreme(battles=1078, game=77)
        """
        return self.tally.longest

    def game(self, number: int) -> Game:
        """A game of the simulation, counted from 0, to be played by the readable engine.

        >>> summary = simulate("classic", games=100, progress=False)
        >>> summary.game(summary.longest.game).play().battles == summary.longest.battles
        True
        """
        return self.task.game(number)

    def grid(self) -> Grid:
        """The summary line by line: a name and the words for it.

        >>> simulate("classic", games=10, progress=False).grid().rows[0][0]
        'player 1 wins'
        """
        title = caption(rules_text(self.rules), self.task.seed, self.run)
        return Grid(title, (), tuple(self._rows()))

    def _rows(self) -> Iterator[tuple[str, str]]:
        for player in range(1, self.rules.players + 1):
            yield f"player {player} wins", str(self.won(player))
        yield "draws", str(share(self.draws, self.games))
        if self.games > self.draws:
            yield "player 1 among the decided", str(self.favoured())
        for reason in Reason:
            if self.ended(reason).part:
                yield f"ended by {reason}", str(self.ended(reason))
        if self.rules.cap:
            yield f"reach {self.rules.cap} battles undecided", str(self.reach_cap)
        if self.tally.lengths:
            yield "battles", f"mean {self.battles}, median {self.median}"
            yield (
                "battles, percentiles",
                ", ".join(f"{percent} %: {self.percentile(percent)}" for percent in PERCENTILES),
            )
        for name, extreme in (("shortest", self.shortest), ("longest", self.longest)):
            if extreme:
                yield name, f"{extreme.battles} battles, deal {self.task.code(extreme.game)}"
        if self.tally.wars:
            yield "wars a game", f"mean {self.wars}, most {max(self.tally.wars)}"
        yield (
            "ties in a battle",
            ", ".join(f"{ties}: {self.depth(ties).rarity}" for ties in sorted(self.tally.depths)),
        )
        yield "first cards call for a war", str(self.first_ties)
        yield (
            "time",
            f"{self.run.seconds:.2f} s, {self.run.games_per_second:,.0f} games a second",
        )

    def columns(self) -> dict[str, list[int]]:
        """How many games had each number of battles, as columns for a data frame.

        >>> simulate("classic", games=3, progress=False).columns()
        {'battles': [72, 308, 364], 'games': [1, 1, 1]}
        """
        lengths = sorted(self.tally.lengths)
        return {"battles": lengths, "games": [self.tally.lengths[each] for each in lengths]}

    def record(self) -> dict[str, Any]:
        """All of it as plain JSON values; `from_json` reads it back.

        >>> simulate("classic", games=100, seed=7, progress=False).record()["results"]
        {'1': 49, '2': 41, 'draw': 10}
        """
        tally = self.tally
        return {
            **origin(self.task, self.run),
            "results": {
                **{str(player): self.wins(player) for player in range(1, self.rules.players + 1)},
                "draw": self.draws,
            },
            "reasons": {
                str(reason): sum(n for (_, why), n in tally.endings.items() if why == reason)
                for reason in Reason
            },
            "player_1_of_decided": plain_share(self.favoured()),
            "reach_cap": plain_share(self.reach_cap),
            "battles": {
                "mean": known(self.battles.mean),
                "se": known(self.battles.se),
                "median": self.median,
                **{f"p{percent}": self.percentile(percent) for percent in PERCENTILES},
                "min": min(tally.lengths, default=None),
                "max": max(tally.lengths, default=None),
            },
            "shortest": self._extreme(self.shortest),
            "longest": self._extreme(self.longest),
            "wars": {
                "mean": known(self.wars.mean),
                "se": known(self.wars.se),
                "max": max(tally.wars, default=None),
                "by_depth": {str(ties): n for ties, n in sorted(tally.depths.items())},
            },
            "first_ties": tally.first_ties,
            "endless": [str(self.task.code(game)) for game in tally.endless],
            "counts": {
                "endings": [[winner, why, n] for (winner, why), n in sorted(tally.endings.items())],
                "endless": list(tally.endless),
                **{name: sorted(map(list, getattr(tally, name).items())) for name in _COUNTED},
            },
        }

    def _extreme(self, extreme: Extreme | None) -> dict[str, object] | None:
        # A code may be more than a number of JavaScript holds, so it is text.
        return extreme and {**extreme._asdict(), "code": str(self.task.code(extreme.game))}

    @classmethod
    def from_json(cls, written: str) -> Summary:
        """A summary from its JSON.

        >>> summary = simulate("house", games=50, seed=1, progress=False)
        >>> Summary.from_json(summary.to_json()) == summary
        True

        Raises ValueError for what is no summary.
        """
        try:
            record = json.loads(written)
            if record["generator"] != GENERATOR:
                raise ValueError(f"unknown generator: {shown(record['generator'])}")
            counts = record["counts"]
            parts: dict[str, Any] = {
                name: Counter(dict(map(tuple, counts[name]))) for name in _COUNTED
            }
            for name in ("shortest", "longest"):
                extreme = record[name]
                parts[name] = extreme and Extreme(extreme["battles"], extreme["game"])
            tally = Tally(
                games=record["games"],
                endings=Counter({(winner, why): n for winner, why, n in counts["endings"]}),
                first_ties=record["first_ties"],
                endless=tuple(counts["endless"]),
                **parts,
            )
            task = task_of(
                record["rules"],
                record["seed"],
                record["sizes"] or None,
                [cards(hand) for hand in record["hands"]] or None,
            )
            return cls(task, tally, Run(record["asked"], record["games"], record["seconds"]))
        except (AttributeError, KeyError, TypeError, json.JSONDecodeError) as error:
            raise ValueError(f"not a summary of a simulation: {shown(written)}") from error


_COUNTED = ("lengths", "wars", "depths", "periods")
#: The percentiles of the number of battles that a summary names.
PERCENTILES = (5, 95, 99)


def count_chunk(task: Task, first: int, games: int) -> Tally:
    """Play games of a simulation and count them.

    >>> count_chunk(Task(Rules()), 0, 5).games
    5
    """
    return tally_of(play_chunk(task, first, games))


def simulate(
    rules: object = "classic",
    games: int = 10_000,
    seed: int = 0,
    *,
    sizes: object = None,
    hands: object = None,
    threads: int = 1,
    dask: Any = None,
    progress: bool = True,
) -> Summary:
    """Play many games by rules given as to `Game`, and sum them up.

    Game i is the game of one deal code, made of the seed and i. `sizes` deals other numbers of cards
    than equal ones; `hands` gives each player certain cards, in shuffled order. `dask` is the address
    of a Dask scheduler or a client. Threads and machines change the time it takes and nothing else.

    >>> simulate("house", games=200, seed=3, progress=False).games
    200

    Raises ValueError for unknown rules, a number of games, seed or threads that is none, hands or
    sizes that cannot be dealt, and an address where no scheduler answers.
    """
    task = task_of(rules, seed, sizes, hands)
    tally, run = add_up(partial(count_chunk, task), games, threads, dask, progress)
    return Summary(task, tally, run)


def task_of(rules: object, seed: object = 0, sizes: object = None, hands: object = None) -> Task:
    """What is to be played, checked.

    Raises ValueError as `simulate` does.
    """
    known = rules_of(rules)
    if sizes is not None and hands is not None:
        raise ValueError("hands say who gets which cards, so there is nothing left for sizes")
    return Task(
        known,
        deal_code(seed),
        () if sizes is None else sizes_of(known, sizes),
        () if hands is None else hands_of(known, hands),
    )
