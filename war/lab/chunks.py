"""A few thousand games at a time: what is to be played, and what the kernel notes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from war.cards import Card
from war.chance import deal_stream
from war.game import Game
from war.lab import kernel
from war.lab.codes import code_of_game, state_of_game
from war.lab.compiling import is_compiled, plain
from war.lab.tally import MOST_ENDLESS, Extreme, Tally
from war.rules import Rules

#: Short enough for a progress bar that moves and a stop that is heard; results do not depend on it.
GAMES_IN_A_CHUNK = 10_000 if is_compiled else 100


@dataclass(frozen=True)
class Task:
    """What is to be played: the rules, the seed, and how the cards come to the players.

    Without `hands` the deck is shuffled and dealt around until each player has as many cards as
    `sizes` says; with them each player gets these cards, shuffled.
    """

    rules: Rules
    seed: int = 0
    sizes: tuple[int, ...] = ()
    hands: tuple[tuple[Card, ...], ...] = ()

    def code(self, game: int) -> int:
        """The deal code of a game, counted from 0.

        >>> Task(Rules(), seed=7).code(0) == code_of_game(7, 0)
        True
        """
        return code_of_game(self.seed, game)

    def game(self, number: int) -> Game:
        """A game of the simulation, counted from 0, as the readable engine plays it.

        >>> Task(Rules(), seed=7).game(0).code == code_of_game(7, 0)
        True
        """
        code = self.code(number)
        if self.hands:
            stream = deal_stream(code)
            return Game(self.rules, code, [stream.shuffled(hand) for hand in self.hands])
        if self.sizes:
            shuffled = iter(deal_stream(code).shuffled(self.rules.deck))
            piles: list[list[Card]] = [[] for _ in self.sizes]
            for round_ in range(max(self.sizes)):
                for pile, size in zip(piles, self.sizes, strict=True):
                    if round_ < size:
                        pile.append(next(shuffled))
            return Game(self.rules, code, piles)
        return Game(self.rules, code)


class Played(NamedTuple):
    """What the kernel noted: a row of `results` for each game, battles by ties, and what was asked for.

    `results` has the shape (games, kernel.COLUMNS), `held` (games, ranks) with how many cards of each
    strength player 1 was dealt, `leads` (games, marks + 1): who led at each mark, and the changes.
    """

    first: int
    results: Any
    depths: Any
    held: Any
    leads: Any = None


@lru_cache(maxsize=64)
def _prepared(task: Task) -> tuple[Any, ...]:
    """The kernel's first arguments."""
    rules = task.rules
    numbers = card_numbers(rules)
    cards, sizes = rules.deck, task.sizes or (len(rules.deck) // rules.players,) * rules.players
    shuffles: tuple[int, ...] = (len(cards),)
    if task.hands:
        cards = sum(task.hands, ())
        sizes = shuffles = tuple(map(len, task.hands))
    return (
        kernel.numbers_of(rules),
        plain(np.array(rules.down_by_rank, np.int64)),
        plain(kernel.turn_order(rules)),
        kernel.dealing_of([numbers[card] for card in cards], sizes, shuffles),
    )


def card_numbers(rules: Rules) -> dict[Card, int]:
    """The number that the kernel has for each card: strength times four, plus the suit.

    >>> card_numbers(Rules())[Card("A", "S")]
    51
    """
    suits = {suit: place for place, suit in enumerate(rules.suits)}
    return {card: 4 * strength + suits[card.suit] for card, strength in rules.strength.items()}


def play_chunk(
    task: Task, first: int, games: int, marks: Sequence[int] | None = None, held: bool = False
) -> Played:
    """Play games of a simulation, from the first on, and return what the kernel noted.

    `marks` are numbers of battles after which it is noted who leads.

    >>> play_chunk(Task(Rules()), 0, 3).results.shape
    (3, 7)
    """
    results = np.zeros((games, kernel.COLUMNS), np.int64)
    depths = np.zeros(kernel.DEPTHS, np.int64)
    in_hand = np.zeros((games if held else 0, len(task.rules.ranks)), np.int64)
    leads = np.zeros((0 if marks is None else games, len(marks or ()) + 1), np.int64)
    play: Any = kernel.play_games
    play(
        *_prepared(task),
        plain(np.zeros(0, np.uint64)),
        plain(np.array([state_of_game(task.seed, first)], np.uint64)),
        plain(results),
        plain(depths),
        plain(in_hand),
        plain(np.array(marks or (), np.int64)),
        plain(leads),
        plain(np.zeros((0, 6), np.int64)),
        kernel.new_scratch(),
    )
    return Played(first, results, depths, in_hand, leads)


def tally_of(played: Played) -> Tally:
    """What is counted of a chunk.

    >>> tally_of(play_chunk(Task(Rules()), 0, 3)).games
    3
    """
    results, first = played.results, played.first
    endings = counted(results[:, kernel.WINNER] * len(kernel.REASONS) + results[:, kernel.REASON])
    repeats = results[:, kernel.CYCLE_PERIOD] > 0
    ended, endless = np.flatnonzero(~repeats), np.flatnonzero(repeats)
    battles = results[ended, kernel.BATTLES]

    def extreme(place: Any) -> Extreme:
        return Extreme(int(battles[place]), first + int(ended[place]))

    return Tally(
        len(results),
        Counter(
            {
                (
                    ending // len(kernel.REASONS),
                    str(kernel.REASONS[ending % len(kernel.REASONS)]),
                ): n
                for ending, n in endings.items()
            }
        ),
        counted(battles),
        counted(results[ended, kernel.WARS]),
        Counter({ties: int(n) for ties, n in enumerate(played.depths) if n}),
        counted(results[endless, kernel.CYCLE_PERIOD]),
        int(np.count_nonzero(results[:, kernel.FIRST_WARS])),
        extreme(battles.argmin()) if len(battles) else None,
        extreme(battles.argmax()) if len(battles) else None,
        tuple(first + int(game) for game in endless[:MOST_ENDLESS]),
    )


def counted(values: Any) -> Counter[int]:
    """How often each whole number from 0 on is there.

    >>> counted(np.array([3, 1, 3]))
    Counter({3: 2, 1: 1})
    """
    # Sorting takes far longer than counting, where there are not many more numbers than values.
    if len(values) and values.max() < 4 * len(values):
        times = np.bincount(values)
        each = np.flatnonzero(times)
        times = times[each]
    else:
        each, times = np.unique(values, return_counts=True)
    return Counter(dict(zip(each.tolist(), times.tolist(), strict=True)))
