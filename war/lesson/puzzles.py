"""Puzzles: lay two piles so that something happens; the engine plays them and judges."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from war.cards import Card, cards, shown
from war.game import Game, Reason, leaders
from war.table import Kind
from war.variants import HOUSE

MOST_TEXT = 1_000


class Verdict(NamedTuple):
    """What came of two piles: whether they solve the puzzle, a sentence about it, and their game."""

    solved: bool
    told: str
    game: Game | None


class Puzzle(NamedTuple):
    """A puzzle: what is wanted, hints, the rules it is played by, one solution, and the judge.

    `cards` says how many cards must lie, in each pile or in all.
    """

    name: str
    title: str
    text: str
    hints: tuple[str, ...]
    solution: str
    rules: object
    enough: Callable[[Sequence[int]], str]
    judge: Callable[[Game], str]


def find_puzzle(name: object) -> Puzzle:
    """The puzzle of this name.

    >>> find_puzzle("endless").title
    'Round and round'

    Raises ValueError for a name that no puzzle has.
    """
    for puzzle in PUZZLES:
        if puzzle.name == name:
            return puzzle
    raise ValueError(f"there is no puzzle {shown(name)}")


def check(name: str, piles: str | Sequence[str]) -> Verdict:
    """Play two piles, written like `2S 4S | 5H 3H`, and judge whether they solve a puzzle.

    Whatever is wrong with the piles is told in the verdict, as a sentence for a pupil.

    >>> check("endless", "2S 4S | 5H 3H").solved
    True
    >>> check("endless", "2S 4S | 5H 3H 3H").told
    '3H is there twice.'

    Raises ValueError for a name that no puzzle has.
    """
    puzzle = find_puzzle(name)
    try:
        stacks = [*map(cards, _two_piles(piles))]
        _all_different(stacks)
        missing = puzzle.enough([*map(len, stacks)])
        if missing:
            return Verdict(False, missing, None)
        game = Game(puzzle.rules, piles=stacks)
    except ValueError as error:
        return Verdict(False, _sentence(str(error)), None)
    wrong = puzzle.judge(game.play())
    told = wrong or f"Solved! {_ended(game)}"
    return Verdict(not wrong, told, game)


@lru_cache(maxsize=64)
def is_solved(name: str, first: str, second: str) -> bool:
    """Whether two piles solve a puzzle; remembered, as a page asks for it again and again.

    >>> is_solved("endless", "2S 4S", "5H 3H")
    True
    """
    return check(name, (first, second)).solved


def _two_piles(piles: str | Sequence[str]) -> Sequence[str]:
    if isinstance(piles, str):
        piles = piles.split("|")
    if isinstance(piles, (str, bytes)) or not all(isinstance(each, str) for each in piles):
        raise ValueError(f"these are no piles: {shown(piles)}")
    if sum(map(len, piles)) > MOST_TEXT:
        raise ValueError("this is more text than 52 cards need")
    if len(piles) != 2:
        raise ValueError("two piles are needed, with | between them")
    for player, pile in enumerate(piles, 1):
        if not pile.strip():
            raise ValueError(f"player {player} has no cards yet")
    return piles


def _all_different(stacks: Sequence[Sequence[Card]]) -> None:
    seen = set()
    for card in (card for stack in stacks for card in stack):
        if card in seen:
            raise ValueError(f"{card} is there twice")
        seen.add(card)


def _sentence(error: str) -> str:
    return f"{error[:1].upper()}{error[1:]}."


def _ended(game: Game) -> str:
    battles = f"{game.battles} battle{'s' * (game.battles != 1)}"
    outcome = game.outcome
    assert outcome
    if outcome.reason is Reason.ENDLESS:
        start, period = game.cycle or (0, 0)
        begin = f"after battle {start}" if start else "from the deal on"
        return f"The position comes back every {period} battles, {begin}."
    if outcome.winner is None:
        return f"It is a draw after {battles}."
    return f"Player {outcome.winner} wins after {battles}."


# --- how many cards ----------------------------------------------------------------------------


def _four_in_all(counts: Sequence[int]) -> str:
    laid = sum(counts)
    return "" if laid == 4 else f"Four cards are wanted in all, and {laid} are laid."


def _half_a_deck_each(counts: Sequence[int]) -> str:
    return (
        ""
        if [*counts] == [26, 26]
        else f"26 cards each are wanted, not {counts[0]} and {counts[1]}."
    )


def _equal_piles(least: int) -> Callable[[Sequence[int]], str]:
    def equal(counts: Sequence[int]) -> str:
        first, second = counts
        if first != second:
            return f"Both players need as many cards: here it is {first} against {second}."
        return "" if first >= least else f"At least {least} cards each are wanted, not {first}."

    return equal


def _any_number(_: Sequence[int]) -> str:
    return ""


# --- what must happen --------------------------------------------------------------------------


def _never_ends(game: Game) -> str:
    assert game.outcome
    if game.outcome.reason is Reason.ENDLESS:
        return ""
    return f"Not yet: this one does end. {_ended(game)}"


def _two_battles(game: Game) -> str:
    assert game.outcome
    if game.outcome.winner is None:
        return f"Not yet: nobody wins. {_ended(game)}"
    return "" if game.battles == 2 else f"Not yet: this takes {game.battles} battles, not two."


def _no_loss(game: Game) -> str:
    for battle in range(1, game.battles + 1):
        last = game.events_of(battle)[-1]
        if last.kind is Kind.TAKE and last.seats[0] != 0:
            return f"Not yet: player 1 loses battle {battle}."
    assert game.outcome
    return "" if game.outcome.winner == 1 else f"Not yet: player 1 has not won. {_ended(game)}"


def _equal_shortage(game: Game) -> str:
    assert game.outcome
    if game.outcome.reason is Reason.EQUAL_SHORTAGE:
        return ""
    if game.outcome.reason is Reason.BATTLE_LIMIT:
        return "Not yet: this is a draw because 500 battles are over, not for want of cards."
    return f"Not yet: this is no draw. {_ended(game)}"


def wars_laid(game: Game) -> Iterator[int]:
    """How many cards each fighter laid in each war of a game, the face-up one too.

    >>> [*wars_laid(Game(piles=["9H 2C KS", "9D 3C 7S"]).play())]
    [2]
    """
    laid = 1
    for event in game.events:
        if event.kind is Kind.DOWN:
            laid += 1
        elif event.kind is Kind.UP:
            yield laid
            laid = 1


def _war_of_twelve(game: Game) -> str:
    sizes = [*wars_laid(game)]
    if 12 in sizes:
        return ""
    ties = sum(
        len(leaders(game.rules, event)) > 1
        for event in game.events
        if event.kind in (Kind.TURN, Kind.UP)
    )
    if not sizes:
        return (
            "Not yet: two cards tie, but nobody can lay a war."
            if ties
            else "Not yet: no two cards tie in this round."
        )
    return f"Not yet: the biggest war here has {max(sizes)} card{'s' * (max(sizes) != 1)} each."


PUZZLES = (
    Puzzle(
        "unbeaten",
        "Never beaten",
        "Lay two equal piles, at least three cards each, so that player 1 wins the round and never"
        " loses a battle.",
        (
            "Who takes the cards when player 1's card is always the higher one?",
            "Won cards come back. Will they be strong enough?",
            "Give player 1 all the high cards: AS KS QS against 4H 3H 2H.",
        ),
        "AS KS QS | 4H 3H 2H",
        "classic",
        _equal_piles(3),
        _no_loss,
    ),
    Puzzle(
        "shortage",
        "Nobody can go on",
        "Lay two piles so that the round is a draw because both run out of cards in the same war.",
        (
            "A war needs two cards from each player: one face down, one face up.",
            "Begin with a tie. How many cards may each player own after it, so that nobody can lay?",
            "The smallest solution has two cards in all.",
        ),
        "9S 4D | 9H 5C",
        "classic",
        _any_number,
        _equal_shortage,
    ),
    Puzzle(
        "shortest",
        "Two battles and over",
        "Lay all 52 cards, 26 each, so that somebody has won after only two battles.",
        (
            "A battle takes two cards away, but every war in it takes four more.",
            "Let ties follow each other: every second card of a pile lies face down and does not count.",
            "Twelve ties in one battle use up 24 cards each. What has to happen with the last two?",
        ),
        "2S 2C 3S 3C 4S 4C 5S 5C 6S 6C 7S 7C 8S 8C 9S 9C 10S 10C JS JC QS QC KS KC AS AC"
        " | 2H 2D 3H 3D 4H 4D 5H 5D 6H 6D 7H 7D 8H 8D 9H 9D 10H 10D JH JD QH QD AH KD KH AD",
        "classic",
        _half_a_deck_each,
        _two_battles,
    ),
    Puzzle(
        "endless",
        "Round and round",
        "Lay four cards, shared as you like, so that the round never ends when cards are taken up as"
        " they lie: player 1's first, whoever wins. The step “Four cards” shows one such deck; can you"
        " find another?",
        (
            "Try two cards each, without a tie.",
            "Write down the piles after each battle. When does a line come back?",
            "Player 1 begins with the lowest card, player 2 with the highest.",
        ),
        "2S 4S | 5H 3H",
        {"pickup": "as-laid", "cap": None},
        _four_in_all,
        _never_ends,
    ),
    Puzzle(
        "war-of-twelve",
        "A war of twelve",
        "By the house rules the tied card says how big a war is. Lay two piles so that in some war each"
        " player lays twelve cards: eleven face down and then one face up.",
        (
            "Two eights make a war of eight. Jack, queen and king go on counting after ten.",
            "Both must own enough cards. What if one of them owns fewer?",
            "Queens make a war of twelve. So do kings, when one player owns just twelve cards more.",
        ),
        "QS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS KS AS | QH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH AH KH",
        HOUSE,
        _any_number,
        _war_of_twelve,
    ),
)
