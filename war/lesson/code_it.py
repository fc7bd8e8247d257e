"""Checks for what pupils program: their function beside the engine, and the first case that differs.

Each check returns a sentence that a notebook shows. Whatever a pupil's function does wrong is told
there and raises nothing, so that a notebook that is not yet solved runs through.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations

from war.cards import Card, card, cards, shown, text
from war.game import Game, leaders
from war.rules import Rules
from war.table import TURN, Event
from war.variants import CLASSIC

#: Deals whose first battles are compared, and how many battles of each.
DEALS, BATTLES = range(2024, 2044), 37

Piles = tuple[list[str], list[str]]


class Told(str):
    """A sentence that a notebook shows as it is, without quotes around it.

    >>> Told("All right.")
    All right.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def value(written: str) -> int:
    """How high a card is: numbers as they are, then jack 11, queen 12, king 13, ace 14.

    >>> value("2C"), value("10D"), value("AS")
    (2, 10, 14)

    Raises ValueError for a text that names no card.
    """
    return CLASSIC.strength[card(written)] + 2


def check_winner_of_battle(function: Callable[[str, str], object]) -> Told:
    """Compare a function of two cards with the engine, for every pair of cards of the deck.

    It returns 1 or 2 for the player whose card is higher, and 0 for a tie.

    >>> check_winner_of_battle(lambda mine, theirs: None)
    Nothing yet: winner_of_battle returns None for 2C against 3C. The engine says 2.
    >>> check_winner_of_battle(lambda mine, theirs: 1)
    Not yet: for 2C against 3C it says 1. The engine says 2.
    """
    for mine, theirs in permutations(CLASSIC.deck, 2):
        wanted = _winner(CLASSIC, mine, theirs)
        case = f"{mine} against {theirs}"
        try:
            given = function(str(mine), str(theirs))
        except Exception as error:  # noqa: BLE001 (a pupil's function may do anything)
            return Told(f"Not yet: for {case} it stops with {error!r}.")
        if given is None:
            return Told(
                f"Nothing yet: winner_of_battle returns None for {case}. The engine says {wanted}."
            )
        if given != wanted:
            return Told(f"Not yet: for {case} it says {shown(given)}. The engine says {wanted}.")
    pairs = len(CLASSIC.deck) * (len(CLASSIC.deck) - 1)
    return Told(f"Right for all {pairs:,} pairs of cards.")


def check_battle(function: Callable[[list[str], list[str]], object]) -> Told:
    """Compare a function of two piles with the engine, battle by battle, over whole rounds' beginnings.

    It takes the piles as lists of written cards, top card first, and returns both as they are after
    one battle: a war included, the winner's cards first and then the other player's.

    >>> print(check_battle(lambda mine, theirs: None))
    Nothing yet: battle returns None. Begin with the piles 9H | 4S: player 1 then has 9H 4S.
    >>> print(check_battle(lambda mine, theirs: (mine[1:] + mine[:1] + theirs[:1], theirs[1:])))
    Not yet. The first difference is in battle 1 of 'a higher card of player 2'.
    Before:   2C 8D | KS 3H
    Yours:    8D 2C KS | 3H
    Engine:   8D | 3H KS 2C
    """
    compared = 0
    for name, number, before, wanted in _battles():
        mine, theirs = [*before[0]], [*before[1]]
        try:
            given = function(mine, theirs)
        except Exception as error:  # noqa: BLE001 (as above)
            return Told(f"Not yet: for the piles {_written(before)} it stops with {error!r}.")
        if given is None:
            return Told(
                "Nothing yet: battle returns None. Begin with the piles 9H | 4S: player 1 then has"
                " 9H 4S."
            )
        piles = _read(given)
        if piles is None:
            return Told(f"Not yet: it returns {shown(given)}, and two lists of cards are wanted.")
        if piles != wanted:
            return Told(
                f"Not yet. The first difference is in battle {number} of {name}.\n"
                f"Before:   {_written(before)}\n"
                f"Yours:    {_written(piles)}\n"
                f"Engine:   {_written(wanted)}"
            )
        compared += 1
    return Told(f"Right in all {compared:,} battles. You have written the heart of the engine.")


def check_endless(piles: str) -> Told:
    """Play piles as laid and without a limit, and tell whether the round ever ends.

    >>> check_endless("2S 4S | 5H 3H")
    It never ends: after battle 2 the position comes back every 4 battles.
    >>> check_endless("")
    Nothing yet: write two piles with | between them, such as 2S 3S | 4H 5H.
    """
    if not isinstance(piles, str) or not piles.strip():
        return Told("Nothing yet: write two piles with | between them, such as 2S 3S | 4H 5H.")
    try:
        game = Game({"pickup": "as-laid", "cap": None}, piles=piles.split("|"))
    except ValueError as error:
        return Told(f"Not yet: {error}.")
    if not game.cycle:
        battles = game.play().battles
        return Told(f"It ends after {battles} battle{'s' * (battles != 1)}. Try another one.")
    start, period = game.cycle
    begin = f"after battle {start}" if start else "from the deal on"
    return Told(f"It never ends: {begin} the position comes back every {period} battles.")


def _winner(rules: Rules, mine: Card, theirs: Card) -> int:
    leading = leaders(rules, Event(1, TURN, 0, (0, 1), (mine, theirs)))
    return leading[0] + 1 if len(leading) == 1 else 0


def _battles() -> Iterator[tuple[str, int, Piles, Piles]]:
    """Battles to compare: name, number, piles before and after; the first ones are small and clear.

    In none of them does anybody run out of cards in a war.
    """
    for name, written in (
        ("a higher card of player 1", "9H 2C | 4S 7D"),
        ("a higher card of player 2", "2C 8D | KS 3H"),
        ("a war", "9S 4D KH 2C | 9C 6S 7D 3H"),
        ("a war in a war", "9S 2D 5H 3C KH 2C | 9C 6S 5D 4H 7D 8H"),
    ):
        yield _one(f"{name!r}", Game(piles=written.split("|")))
    for code in DEALS:
        game = Game(code=code)
        for _ in range(BATTLES):
            if game.outcome:
                break
            before = _piles(game)
            game.play(1)
            # A shortage in a war has rules of its own, which are no part of this exercise.
            if game.outcome is None:
                yield f"deal {code}", game.battles, before, _piles(game)


def _one(name: str, game: Game) -> tuple[str, int, Piles, Piles]:
    before = _piles(game)
    return name, 1, before, _piles(game.play(1))


def _piles(game: Game) -> Piles:
    mine, theirs = game.position.stacks
    return [*map(str, mine)], [*map(str, theirs)]


def _read(given: object) -> Piles | None:
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        return None
    try:
        mine, theirs = map(cards, given)
    except ValueError:
        return None
    return [*map(str, mine)], [*map(str, theirs)]


def _written(piles: Piles) -> str:
    return " | ".join(text(cards(pile)) for pile in piles)
