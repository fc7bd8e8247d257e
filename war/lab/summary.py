"""What a simulation found out, with its uncertainty; prints itself, and goes to JSON and back."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from html import escape
from math import isnan
from typing import Any

import war
from war.cards import cards, shown, text
from war.chance import deal_code
from war.game import Game, Reason
from war.lab.chunks import Task, play_chunk, tally_of
from war.lab.dealing import hands_of, sizes_of
from war.lab.running import Run, add_up
from war.lab.tally import Average, Extreme, Share, Tally, average, percentile, share
from war.rules import Rules
from war.variants import plain_rules, rules_of

#: How the deal codes come about; see `war.lab.codes`.
GENERATOR = "splitmix64-63"


@dataclass(frozen=True)
class Summary:
    """The games of a simulation, summed up.

    >>> summary = simulate("classic", games=1000, seed=7, progress=False)
    >>> summary.games, summary.battles.mean, summary.median
    (1000, 256.214, 220)
    """

    task: Task
    tally: Tally
    run: Run

    @property
    def rules(self) -> Rules:
        return self.task.rules

    @property
    def games(self) -> int:
        """How many games have been played."""
        return self.tally.games

    @property
    def games_per_second(self) -> float:
        """How quickly they were played, compiling not counted."""
        return self.games / self.run.seconds

    def wins(self, player: int) -> int:
        """How many games a player, from 1, has won."""
        return sum(n for (winner, _), n in self.tally.endings.items() if winner == player)

    @property
    def draws(self) -> int:
        """How many games nobody has won."""
        return self.wins(0)

    def ended(self, reason: Reason | str) -> Share:
        """The share of games that ended for a reason."""
        return share(
            sum(n for (_, why), n in self.tally.endings.items() if why == str(reason)), self.games
        )

    def won(self, player: int) -> Share:
        """The share of games that a player, from 1, has won."""
        return share(self.wins(player), self.games)

    def favoured(self, player: int = 1) -> Share:
        """The share of a player, by default the first, among the games that somebody won."""
        return share(self.wins(player), self.games - self.draws)

    @property
    def battles(self) -> Average:
        """The mean number of battles, and its standard error."""
        return average(self.tally.lengths)

    @property
    def median(self) -> int:
        """The median number of battles."""
        return percentile(self.tally.lengths, 50)

    def percentile(self, percent: float) -> int:
        """The nearest-rank percentile of the number of battles."""
        return percentile(self.tally.lengths, percent)

    @property
    def wars(self) -> Average:
        """The mean number of wars in a game (ties that call for one), and its standard error."""
        return average(self.tally.wars)

    @property
    def reach_cap(self) -> Share:
        """The share of games that are played to the last battle allowed, and not decided before it."""
        capped = (str(Reason.BATTLE_LIMIT), str(Reason.MORE_CARDS))
        return share(
            sum(n for (_, why), n in self.tally.endings.items() if why in capped), self.games
        )

    @property
    def endless(self) -> Share:
        """The share of games that go round for ever."""
        return self.ended(Reason.ENDLESS)

    @property
    def shortest(self) -> Extreme:
        """The first of the shortest games: its battles and its number."""
        assert self.tally.shortest
        return self.tally.shortest

    @property
    def longest(self) -> Extreme:
        """The first of the longest games: its battles and its number."""
        assert self.tally.longest
        return self.tally.longest

    def game(self, number: int) -> Game:
        """A game of the simulation, counted from 0, to be played by the readable engine.

        >>> summary = simulate("classic", games=100, progress=False)
        >>> summary.game(summary.longest.game).play().battles == summary.longest.battles
        True
        """
        return self.task.game(number)

    def rows(self) -> Iterator[tuple[str, str]]:
        """What the summary says, line by line: a name and the words for it."""
        yield (
            "games",
            f"{self.games:,}"
            + (f" of {self.run.asked:,}: stopped early" if self.run.asked != self.games else ""),
        )
        for player in range(1, self.rules.players + 1):
            yield f"player {player} wins", str(self.won(player))
        yield "draws", str(share(self.draws, self.games))
        if self.games > self.draws:
            yield "player 1 among the decided", str(self.favoured())
        for reason in Reason:
            if any(why == str(reason) for _, why in self.tally.endings):
                yield f"ended by {reason}", str(self.ended(reason))
        mean, se = self.battles
        yield "battles", f"mean {mean:.2f} ± {se:.2f}, median {self.median}"
        yield "battles of the middle 90 %", f"{self.percentile(5)} to {self.percentile(95)}"
        for name, extreme in (("shortest", self.shortest), ("longest", self.longest)):
            yield name, f"{extreme.battles} battles, deal {self.task.code(extreme.game)}"
        yield (
            "wars a game",
            f"mean {self.wars.mean:.3f} ± {self.wars.se:.3f}, most {max(self.tally.wars)}",
        )
        yield "first cards tie", str(share(self.tally.first_ties, self.games))
        yield "time", f"{self.run.seconds:.2f} s, {self.games_per_second:,.0f} games a second"

    def __str__(self) -> str:
        rows = [("rules", _rules_text(self.rules)), ("seed", str(self.task.seed)), *self.rows()]
        width = max(len(name) for name, _ in rows)
        return "\n".join(f"{name:{width}}  {words}" for name, words in rows)

    def _repr_html_(self) -> str:
        body = "".join(
            f'<tr><th scope="row">{escape(name)}</th><td>{escape(words)}</td></tr>'
            for name, words in self.rows()
        )
        caption = f"{_rules_text(self.rules)}, seed {self.task.seed}; 95 % intervals in brackets"
        return f'<table class="war-summary"><caption>{escape(caption)}</caption>{body}</table>'

    def columns(self) -> dict[str, list[int]]:
        """How many games had each number of battles, as columns for a data frame.

        >>> simulate("classic", games=3, progress=False).columns()
        {'battles': [96, 102, 500], 'games': [1, 1, 1]}
        """
        lengths = sorted(self.tally.lengths)
        return {"battles": lengths, "games": [self.tally.lengths[each] for each in lengths]}

    def record(self) -> dict[str, Any]:
        """All of it as plain JSON values; `from_record` reads it back."""
        tally = self.tally
        winners = [str(player) for player in range(1, self.rules.players + 1)]
        return {
            "generator": GENERATOR,
            "version": war.__version__,
            "rules": plain_rules(self.rules),
            "hands": [text(hand) for hand in self.task.hands],
            "sizes": list(self.task.sizes),
            "games": self.games,
            "asked": self.run.asked,
            "seed": self.task.seed,
            "seconds": self.run.seconds,
            "games_per_second": self.games_per_second,
            "results": {
                **{name: self.wins(player) for player, name in enumerate(winners, 1)},
                "draw": self.draws,
            },
            "reasons": {
                str(reason): sum(n for (_, why), n in tally.endings.items() if why == str(reason))
                for reason in Reason
            },
            "battles": {
                "mean": self.battles.mean,
                "se": _known(self.battles.se),
                "median": self.median,
                **{f"p{percent}": self.percentile(percent) for percent in (5, 95, 99)},
                "min": min(tally.lengths),
                "max": max(tally.lengths),
            },
            "wars": {"mean": self.wars.mean, "se": _known(self.wars.se), "max": max(tally.wars)},
            "shortest": self._extreme(self.shortest),
            "longest": self._extreme(self.longest),
            "first_ties": tally.first_ties,
            "endless": [str(self.task.code(game)) for game in tally.endless],
            "counts": {
                "endings": [[winner, why, n] for (winner, why), n in sorted(tally.endings.items())],
                "endless": list(tally.endless),
                **{name: sorted(map(list, getattr(tally, name).items())) for name in _COUNTED},
            },
        }

    def _extreme(self, extreme: Extreme) -> dict[str, object]:
        # A code may be more than a number of JavaScript holds, so it is text.
        return {**extreme._asdict(), "code": str(self.task.code(extreme.game))}

    def to_json(self) -> str:
        """The summary as JSON, with the version of the program and how the deal codes came about.

        >>> summary = simulate("house", games=50, seed=1, progress=False)
        >>> Summary.from_json(summary.to_json()) == summary
        True
        """
        return json.dumps(self.record(), allow_nan=False)

    @classmethod
    def from_json(cls, written: str) -> Summary:
        """A summary from its JSON.

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
                parts[name] = Extreme(record[name]["battles"], record[name]["game"])
            tally = Tally(
                games=record["games"],
                endings=Counter({(winner, why): n for winner, why, n in counts["endings"]}),
                first_ties=record["first_ties"],
                endless=tuple(counts["endless"]),
                **parts,
            )
            task = Task(
                rules_of(record["rules"]),
                record["seed"],
                tuple(record["sizes"]),
                tuple(map(cards, record["hands"])),
            )
            return cls(task, tally, Run(record["asked"], record["games"], record["seconds"]))
        except (KeyError, TypeError, json.JSONDecodeError) as error:
            raise ValueError(f"not a summary of a simulation: {shown(written)}") from error


_COUNTED = ("lengths", "wars", "depths", "periods")


def _known(number: float) -> float | None:
    """A number as JSON has it; one game has no standard error."""
    return None if isnan(number) else number


def _rules_text(rules: Rules) -> str:
    plain = plain_rules(rules)
    if isinstance(plain, Mapping):
        return ", ".join(f"{name} {value}" for name, value in plain.items()).removeprefix("base ")
    return str(plain)


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
