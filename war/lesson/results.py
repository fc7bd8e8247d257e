"""What the engine makes of the class's deal: the words that fill the questions, and each result."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import count, pairwise
from statistics import fmean
from string import Formatter
from typing import NamedTuple

from war.chance import CODES, deal_code
from war.describe import counts_by_battle, history, moment, seat_names
from war.game import Game, deal
from war.lesson.questions import LEVELS, Play, Prediction, Step
from war.lesson.rounds import ROUNDS, Round, figures, play_round, rounds
from war.rules import Pickup
from war.table import Kind
from war.variants import CLASSIC

CLASS_DEAL = 2024
#: The last battle that a step looks at before the end of the round.
LEAST_BATTLES = 37

# Published with this project's statistics, each from a million games or more by `classic` rules
# without the limit of 500 battles: how many of 100 decided rounds a player wins who is dealt four
# aces (92.9), how many of 100 deals never end as laid (42.02 +- 0.05), and how many million were
# played winner first without finding one such deal.
FOUR_ACES_WIN, AS_LAID_ENDLESS, NONE_IN_MILLIONS = 93, 42, 40

#: How often, in 100, the first two cards of a whole deck are equal: 3 of the 51 others have the same rank.
TIES_BY_THEORY = 300 / 51


class Result(NamedTuple):
    """What happened: which answer of the prediction came true, and a sentence about it."""

    answer: int
    told: str


def check_deal(code: object) -> int:
    """A deal code that a class can use, checked.

    >>> check_deal("2024")
    2024

    Raises ValueError for what is no deal code, and for a deal that is over too soon for the lesson.
    """
    checked = deal_code(code)
    battles = _round(checked).battles
    if battles <= LEAST_BATTLES:
        raise ValueError(
            f"deal {checked} is over after {battles} battles, which is too soon for the lesson"
        )
    return checked


def game_of(play: Play, code: int) -> Game:
    """The game that a step plays, before its first picture's battles.

    >>> game_of(LEVELS[0].steps[0].play, 2024).code
    2024
    """
    rules = play.rules or "classic"
    if play.piles:
        return Game(rules, piles=play.piles.split("|"))
    return Game(rules, _DEALS[play.deal](code))


def fill(text: str, code: int) -> str:
    """A text with what its words in braces are for this deal.

    >>> fill("You have {you5} cards, {difference5} more.", 2024)
    'You have 29 cards, 6 more.'
    """
    names = {name for _, name, _, _ in Formatter().parse(text) if name}
    return text.format_map({name: _WORDS[name](code) for name in names}) if names else text


def result(step: Step, code: int) -> Result:
    """What became of a step's prediction.

    >>> result(LEVELS[0].steps[3], 2024)
    Result(answer=2, told='Six cards: three of yours and three of the computer.')
    """
    return _RESULTS[step.prediction.name](step, code)


def predictions() -> dict[str, Prediction]:
    """All predictions by name.

    >>> "tie-guess" in predictions()
    True
    """
    return {step.prediction.name: step.prediction for level in LEVELS for step in level.steps}


# --- the deals ---------------------------------------------------------------------------------


def _round(code: int) -> Round:
    return rounds()[code] if code < ROUNDS else _played(code)


@lru_cache(maxsize=256)
def _played(code: int) -> Round:
    return play_round(code)


def _next(code: int, fits: Callable[[int], bool]) -> int:
    """The first deal after this one that fits."""
    return next(code for code in (each % CODES for each in count(code + 1)) if fits(code))


@lru_cache(maxsize=64)
def _other(code: int) -> int:
    """The next deal that is lost by whoever is ahead after 100 battles."""

    def lost_by_the_leader(each: int) -> bool:
        played = _round(each)
        if not played.winner or played.ahead is None or played.ahead == 26:
            return False
        return (played.ahead > 26) != (played.winner == 1)

    return _next(code, lost_by_the_leader)


@lru_cache(maxsize=64)
def _four_aces(code: int) -> int:
    """The next deal that gives player 1 all four aces."""
    return _next(code, lambda each: sum(card.rank == "A" for card in deal(CLASSIC, each)[0]) == 4)


@lru_cache(maxsize=64)
def _counts(code: int, battles: int) -> tuple[int, int]:
    mine, theirs = Game(code=code).play(battles).counts
    return mine, theirs


def _score(code: int, battles: int) -> str:
    mine, theirs = _counts(code, battles)
    leader = "You" if mine > theirs else "The computer" if theirs > mine else "Nobody"
    return f"{leader}, {max(mine, theirs)} to {min(mine, theirs)}"


@lru_cache(maxsize=64)
def _crossings(code: int) -> str:
    """In which battles of its round the lead goes to the other player."""
    game = Game(code=code).play()
    counts = enumerate(counts_by_battle(game, game.battles))
    leads = [(battle, mine > theirs) for battle, (mine, theirs) in counts if mine != theirs]
    crossed = [battle for (_, before), (battle, now) in pairwise(leads) if before != now]
    if len(crossed) <= 1:
        return f"Once, in battle {crossed[0]}" if crossed else "Never"
    return f"{len(crossed)} times, first in battle {crossed[0]}, last in battle {crossed[-1]}"


def wars_in(code: int, battles: int) -> int:
    """How many wars a deal has in its first battles.

    >>> wars_in(2024, 20)
    3
    """
    return Game(code=code).play(battles).wars


@lru_cache(maxsize=64)
def _early_war(code: int) -> str:
    """What to say where a war comes before the step that tells what a war is."""
    first = next((row.battle for row in history(Game(code=code).play(6)) if row.wars), None)
    if not first:
        return ""
    return f" Battle {first} is a war already: say “we come to that”, and look at the counts."


@lru_cache(maxsize=64)
def _differ(code: int) -> int:
    """The first battle that another order of picking up makes different."""
    usual = history(Game(code=code).play())
    as_laid = history(Game({"pickup": str(Pickup.AS_LAID)}, code).play())
    rows = zip(usual, as_laid, strict=False)
    return next(one.battle for one, other in rows if one.laid != other.laid)


def _leads() -> str:
    """How often leads of some sizes held, among the rounds that somebody won."""
    said = []
    for least, most in ((28, 32), (34, 40), (42, 50)):
        held = [
            (each.ahead > 26) == (each.winner == 1)
            for each in rounds()
            if each.winner and each.ahead and least <= max(each.ahead, 52 - each.ahead) <= most
        ]
        said.append(f"{100 * fmean(held):.0f} of 100 with {least} to {most} cards")
    return ", ".join(said)


#: Ten deals for each of fifteen pairs, to look for ties in their first battles.
OF_PAIRS = range(100, 250)


def _ties_of_pairs() -> str:
    tied = [code for code in OF_PAIRS if _round(code).tie]
    return f"{len(tied)} ({', '.join(map(str, tied))})"


#: The deals that a step may play, by the names that it gives them.
_DEALS: dict[str, Callable[[int], int]] = {
    "": lambda code: code,
    "other": _other,
    "four_aces": _four_aces,
}


# --- the words ---------------------------------------------------------------------------------

_WORDS: dict[str, Callable[[int], object]] = {
    "deal": lambda code: code,
    "you5": lambda code: _counts(code, 5)[0],
    "computer5": lambda code: _counts(code, 5)[1],
    "more5": lambda code: max(_counts(code, 5)),
    "fewer5": lambda code: min(_counts(code, 5)),
    "difference5": lambda code: abs(_counts(code, 5)[0] - _counts(code, 5)[1]),
    "battles": lambda code: _round(code).battles,
    "battles_more": lambda code: _round(code).battles + 1,
    "battles_less": lambda code: _round(code).battles - 1,
    "battles_ten": lambda code: _round(code).battles + 10,
    "battles_hundred": lambda code: _round(code).battles + 100,
    "rounds": lambda _: f"{ROUNDS:,}",
    "mean": lambda _: f"{figures().mean:.0f}",
    "median": lambda _: f"{figures().median:.0f}",
    "wars": lambda _: f"{figures().wars:.1f}",
    "below": lambda _: f"{figures().below:.0f}",
    "near": lambda _: f"{figures().near:.0f}",
    "capped": lambda _: f"{figures().capped:.0f}",
    "led": lambda _: f"{figures().led:.0f}",
    "mean_three_down": lambda _: f"{figures().three_down:.0f}",
    "other": _other,
    "you100": lambda code: _counts(_other(code), 100)[0],
    "computer100": lambda code: _counts(_other(code), 100)[1],
    "four_aces": _four_aces,
    "four_aces_win": lambda _: FOUR_ACES_WIN,
    "as_laid_endless": lambda _: AS_LAID_ENDLESS,
    "none_in_millions": lambda _: NONE_IN_MILLIONS,
    # What only the teacher is told.
    "score20": lambda code: _score(code, 20),
    "crossings": _crossings,
    "early_war": _early_war,
    "ties20": lambda code: wars_in(code, 20),
    "theory_ties": lambda _: f"{TIES_BY_THEORY:.1f}",
    "differ": _differ,
    "leads": lambda _: _leads(),
    "lost": lambda _: f"{100 - figures().led:.0f}",
    "longer": lambda _: f"{100 - figures().below:.0f}",
    "pairs_first": lambda _: OF_PAIRS[0],
    "pairs_last": lambda _: OF_PAIRS[-1],
    "ties_of_pairs": lambda _: _ties_of_pairs(),
}


# --- the results -------------------------------------------------------------------------------


def _always(answer: int, told: str) -> Callable[[Step, int], Result]:
    return lambda _, code: Result(answer, fill(told, code))


def _taker(step: Step, code: int) -> Result:
    """Who took the cards of the last battle played; the third answer is a tie that called for war."""
    game = game_of(step.play, code).play(step.play.until)
    tie = game.present[0].cards[0].rank == game.present[0].cards[1].rank
    if tie and len(step.prediction.answers) > 2:
        return Result(2, moment(game).shown)
    assert game.present[-1].kind is Kind.TAKE
    return Result(game.present[-1].seats[0], moment(game).shown)


def _counted(step: Step, code: int) -> Result:
    """Who has more cards after so many battles."""
    battles = step.play.until
    assert battles
    mine, theirs = _counts(code, battles)
    answer = 2 if mine == theirs else int(theirs > mine)
    return Result(
        answer, f"After {battles} battles you have {mine} cards and the computer has {theirs}."
    )


def _lasted(*bounds: int) -> Callable[[Step, int], Result]:
    """How long the round lasts; each bound is the first number that is too high for an answer."""

    def lasted(_: Step, code: int) -> Result:
        battles = _round(code).battles
        answer = sum(battles >= bound for bound in bounds)
        return Result(answer, f"Our round lasted {battles} battles.")

    return lasted


def _won(step: Step, code: int) -> Result:
    """Who wins the round."""
    each = _round(game_of(step.play, code).code)
    name = seat_names(2)[each.winner - 1] if each.winner else ""
    won = {"": "Nobody won", "You": "You won"}.get(name, "The computer won")
    return Result((each.winner - 1) % 3, f"{won} after {each.battles} battles.")


def _won_from_behind(step: Step, code: int) -> Result:
    won = _won(step, code)
    told = f"{won.told} This deal was chosen: it is the next after ours that the leader lost."
    return Result(won.answer, told)


def _tied(step: Step, code: int) -> Result:
    battles = step.play.until
    assert battles
    wars = wars_in(code, battles)
    return Result(
        2,
        f"1 in 17. Our deal had {wars} war{'s' * (wars != 1)} in {battles} battles. In"
        f" {ROUNDS:,} deals the first two cards tied {figures().ties:.1f} times in 100; 1 in 17 is"
        f" {TIES_BY_THEORY:.1f} in 100.",
    )


def _with_four_aces(step: Step, code: int) -> Result:
    won = _won(step, code).told
    return Result(2, f"{won} Of 100 such rounds that somebody wins, you win about {FOUR_ACES_WIN}.")


def _sooner(step: Step, first: int, second: int) -> Result:
    """Which of two tables with the same deal was done in fewer battles."""
    lasted = zip(step.play.labels, (first, second), strict=True)
    told = " ".join(f"{label}: {battles} battles." for label, battles in lasted)
    return Result(2 if first == second else int(second < first), told)


@lru_cache(maxsize=256)
def _as_laid(code: int) -> int:
    return Game({"pickup": str(Pickup.AS_LAID)}, code, record=False).play().battles


def _with_another_pickup(step: Step, code: int) -> Result:
    return _sooner(step, _round(code).battles, _as_laid(code))


def _with_three_down(step: Step, code: int) -> Result:
    answer, told = _sooner(step, _round(code).battles, _round(code).three_down)
    return Result(
        answer,
        f"{told} Of {ROUNDS:,} deals, {figures().sooner:.0f} in 100 are over sooner with three.",
    )


_RESULTS: dict[str, Callable[[Step, int], Result]] = {
    "higher-guess": _taker,
    "pips-guess": _always(1, "Three more: five and three make eight."),
    "five-guess": _counted,
    "war-guess": _always(2, "Six cards: three of yours and three of the computer."),
    "next-guess": _taker,
    "end-guess": _lasted(50, 101, 201),
    "ten-guess": _counted,
    "tie-guess": _tied,
    "long-guess": _lasted(100, 200, 300, 500),
    "down-guess": _with_three_down,
    "ahead-guess": _won_from_behind,
    "aces-guess": _with_four_aces,
    "queue-guess": _always(1, "The five of diamonds: the cards you have won went under it."),
    "parity-guess": _always(2, "Never. After an odd number of battles both counts are odd."),
    "trace-guess": _always(2, "Seven: you laid three of your four, and took six."),
    "pickup-guess": _with_another_pickup,
    "cycle-guess": _always(2, "It never ends. How can one be sure after six battles?"),
}  # fmt: skip
