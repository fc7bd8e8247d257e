"""Rounds that never end: whether a deal is one, and a hunt for more of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

from war.cards import LABELS, Card
from war.game import Cycle, Game, find_cycle
from war.lab.chunks import Task
from war.lab.dealing import piles_of_ranks, ranks_of_piles
from war.lab.results import Grid, Result, caption, origin, plain_share, rules_text
from war.lab.running import Run, add_up
from war.lab.summary import count_chunk, task_of
from war.lab.tally import Share, Tally, share
from war.rules import Rules
from war.variants import rules_of

#: A deal: its code, piles as `Game` takes them, or the ranks alone with a bar between the piles.
Deal = int | str | Sequence[str | Iterable[str | Card]]


def endless(rules: object, deal: Deal) -> Cycle | None:
    """Where a deal that never ends starts to repeat, and after how many battles; None where it ends.

    `deal` is a deal code, piles as `Game` takes them, or the ranks alone with a bar between the
    piles. Only ranks matter for what repeats, and a cap of the rules is left out.

    >>> endless({"ranks": "2 3 4 5 6 7 8 9 10 J"}, "5 J 6 2 4 | 7 9 3 10 8")
    Cycle(start=43, period=60)
    >>> endless("classic", 2024) is None
    True

    Raises ValueError where the rules shuffle, so that nothing is sure to repeat, and for what is no
    deal of these rules.
    """
    known = uncapped(rules_of(rules))
    if isinstance(deal, int) or (isinstance(deal, str) and "|" not in deal):
        return find_cycle(known, Game(known, deal).start)
    if isinstance(deal, str) and any(word in LABELS for word in deal.split()):
        deal = piles_of_ranks(known, deal)
    return find_cycle(known, Game(known, piles=deal).start)


def uncapped(rules: Rules) -> Rules:
    """The rules without a cap.

    >>> uncapped(Rules()).cap is None
    True

    Raises ValueError where the rules shuffle: then no position that comes back proves anything.
    """
    if rules.shuffles:
        raise ValueError(
            f"{rules_text(rules)} shuffles cards, so a position that comes back proves nothing"
        )
    return rules.change(cap=None)


class Found(NamedTuple):
    """A deal that never ends: its number in the search, its code, its piles as ranks, its cycle."""

    game: int
    code: int
    piles: str
    cycle: Cycle


@dataclass(frozen=True, repr=False)
class Search(Result):
    """What a hunt for deals that never end has brought home.

    >>> toy = {"ranks": "1 2 3", "pickup": "as-laid"}
    >>> search = search_endless(toy, games=200, seed=7, progress=False)
    >>> first = search.found[0]
    >>> endless(toy, first.piles) == endless(toy, first.code) == first.cycle
    True
    """

    task: Task
    tally: Tally
    run: Run

    @property
    def endless(self) -> Share:
        """The share of deals that never end.

        >>> print(search_endless("classic", games=100, progress=False).endless)
        0.0 % (0.0 to 3.7)
        """
        return share(self.tally.periods.total(), self.tally.games)

    @cached_property
    def found(self) -> tuple[Found, ...]:
        """The first of them, ten at most; the readable engine proves each once more.

        >>> search_endless("classic", games=10, progress=False).found
        ()
        """
        found = []
        for number in self.tally.endless:
            game = self.task.game(number)
            cycle = find_cycle(game.rules, game.start)
            assert cycle, f"only one of the two engines finds deal {game.code} endless"
            found.append(Found(number, game.code, ranks_of_piles(game.start.stacks), cycle))
        return tuple(found)

    def grid(self) -> Grid:
        """A row for each deal found.

        >>> search_endless("classic", games=10, progress=False).grid().rows
        ()
        """
        what = f"{rules_text(self.task.rules)}, {self.endless} never end"
        return Grid(
            caption(what, self.task.seed, self.run),
            ("deal", "starts to repeat after", "period", "piles"),
            tuple(
                (str(each.code), f"{each.cycle.start:,}", f"{each.cycle.period:,}", each.piles)
                for each in self.found
            ),
        )

    def columns(self) -> dict[str, list[int]]:
        """How many deals have each period, as columns for a data frame.

        >>> search_endless("classic", games=10, progress=False).columns()
        {'period': [], 'games': []}
        """
        periods = sorted(self.tally.periods)
        return {"period": periods, "games": [self.tally.periods[each] for each in periods]}

    def record(self) -> dict[str, Any]:
        """All of it as plain JSON values.

        >>> search_endless("classic", games=10, progress=False).record()["found"]
        []
        """
        return {
            **origin(self.task, self.run),
            "endless": plain_share(self.endless),
            "periods": sorted(map(list, self.tally.periods.items())),
            "found": [
                {
                    "code": str(each.code),
                    "piles": each.piles,
                    "start": each.cycle.start,
                    "period": each.cycle.period,
                }
                for each in self.found
            ],
        }


def search_endless(
    rules: object = "classic",
    games: int = 10_000,
    seed: int = 0,
    *,
    sizes: object = None,
    hands: object = None,
    threads: int = 1,
    dask: Any = None,
    progress: bool = True,
) -> Search:
    """Hunt for deals that never end; the deck is that of the rules, and the rest as `simulate`.

    A deck of another size is a matter of `ranks` and `suits`, unequal piles one of `sizes`.

    >>> search_endless("classic", games=300, sizes=[26, 25], seed=7, progress=False).endless.part > 0.6
    True

    Raises ValueError as `simulate` does, and where the rules shuffle.
    """
    task = task_of(uncapped(rules_of(rules)), seed, sizes, hands)
    tally, run = add_up(partial(count_chunk, task), games, threads, dask, progress)
    return Search(task, tally, run)
