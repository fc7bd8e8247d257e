"""The rules of a game, as values: each field of `Rules` is one question that players ask.

What the rules decide is decided here too, by small functions on whole numbers, so that the readable
engine and a compiled one can share them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import IntEnum
from functools import cached_property, lru_cache
from typing import Any, Self

from war.cards import LABELS, RANKS, SUITS, Card, deck, shown

MOST_DOWN = 999
MOST_BATTLES = 1_000_000_000


class Choice(IntEnum):
    """An answer from a short list: a whole number inside, a word outside.

    >>> Pickup.of("as-laid"), int(Pickup.of("as-laid")), str(Pickup.AS_LAID)
    (<Pickup.AS_LAID: 2>, 2, 'as-laid')
    """

    # An enum hashes by its name, through Python code; a number is quicker and just as good.
    __hash__ = int.__hash__

    def __str__(self) -> str:
        return self.name.lower().replace("_", "-")

    @classmethod
    def of(cls, word: object) -> Self:
        """The answer that a word names.

        >>> Tie.of("war")
        <Tie.WAR: 0>

        Raises ValueError for what is not on the list.
        """
        for answer in cls:
            if answer is word or str(answer) == word:
                return answer
        raise ValueError(f"{shown(word)} is none of {', '.join(map(str, cls))}")


class Tie(Choice):
    """What a tie for highest calls for."""

    WAR = 0
    SPLIT = 1


class Fighters(Choice):
    """Who fights a war."""

    EVERYBODY = 0
    TIED = 1


class Short(Choice):
    """What happens to a fighter who owns too few cards for a war."""

    LOSE = 0
    LAST_CARD = 1
    SHRINK = 2


class Won(Choice):
    """Where the cards go that a player takes."""

    UNDER = 0
    ASIDE = 1


class Pickup(Choice):
    """In which order the stake is taken."""

    WINNER_FIRST = 0
    LOSER_FIRST = 1
    AS_LAID = 2
    ALTERNATING = 3
    SHUFFLED = 4


class AtCap(Choice):
    """What happens when the last allowed battle is over."""

    DRAW = 0
    MORE_CARDS = 1


def _question(text: str, default: Any) -> Any:
    return field(default=default, metadata={"question": text})


@dataclass(frozen=True)
class Rules:
    """The answers to all questions about a game; the defaults are the rules called `classic`.

    >>> rules = Rules(pickup="as-laid", cap=None)
    >>> rules.pickup, rules.cap, rules.down
    (<Pickup.AS_LAID: 2>, None, 1)
    >>> Rules(down={"2": 1, "A": 0}, ranks="2 A").down
    (1, 0)

    Raises ValueError for an answer that its question does not allow.
    """

    players: int = _question("How many play?", 2)
    ranks: tuple[str, ...] = _question("Which ranks are in the deck, from low to high?", RANKS)
    suits: tuple[str, ...] = _question("Which suits are in the deck?", SUITS)
    down: int | tuple[int, ...] = _question("How many cards face down in a war?", 1)
    tie: Tie = _question("What does a tie for highest call for?", Tie.WAR)
    fighters: Fighters = _question("Who fights a war?", Fighters.EVERYBODY)
    short: Short = _question("What if somebody has too few cards for a war?", Short.LOSE)
    won: Won = _question("Where do won cards go?", Won.UNDER)
    pickup: Pickup = _question("In which order are won cards picked up?", Pickup.WINNER_FIRST)
    cap: int | None = _question("After how many battles does a round stop?", 500)
    at_cap: AtCap = _question("Who wins when it stops there?", AtCap.DRAW)

    def __post_init__(self) -> None:
        def settle(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        _whole("players", self.players, 2, 4)
        settle("ranks", _labels("ranks", self.ranks, LABELS))
        settle("suits", _labels("suits", self.suits, SUITS))
        settle("down", _down(self.down, self.ranks))
        for name, kind in CHOICES.items():
            try:
                settle(name, kind.of(getattr(self, name)))
            except ValueError as error:
                raise ValueError(f"unknown {name}: {error}") from None
        if self.cap is not None:
            _whole("cap", self.cap, 1, MOST_BATTLES)
        if len(self.ranks) * len(self.suits) < self.players:
            raise ValueError(
                f"a deck of {len(self.ranks) * len(self.suits)} is too small for {self.players} players"
            )
        if self.cap is None and self.tie is Tie.SPLIT and self.shuffles:
            raise ValueError(
                "tie 'split' with shuffled cards and no cap could go on for ever: give a cap, "
                "or shuffle nothing (pickup 'shuffled' or won 'aside' do)"
            )

    @property
    def shuffles(self) -> bool:
        """Whether anything is shuffled after the deal.

        >>> Rules().shuffles, Rules(won="aside").shuffles
        (False, True)
        """
        return self.pickup is Pickup.SHUFFLED or self.won is Won.ASIDE

    @cached_property
    def strength(self) -> dict[Card, int]:
        """The strength of each card, which is the place of its rank from low to high, from 0.

        >>> Rules().strength[Card("10", "H")] > Rules().strength[Card("9", "S")]
        True
        """
        return {card: self.ranks.index(card.rank) for card in self.deck}

    @cached_property
    def deck(self) -> tuple[Card, ...]:
        """The new deck, before any shuffle.

        >>> len(Rules().deck)
        52
        """
        return deck(self.ranks, self.suits)

    @cached_property
    def down_by_rank(self) -> tuple[int, ...]:
        """How many cards a war lays face down, by the strength of the tied rank.

        >>> Rules(down=3, ranks="2 3").down_by_rank
        (3, 3)
        """
        return (self.down,) * len(self.ranks) if isinstance(self.down, int) else self.down

    def change(self, /, **answers: object) -> Self:
        """These rules with some answers changed; a `down` for each rank follows its rank labels.

        >>> Rules(ranks="2 3 A", down=[1, 2, 0]).change(ranks="A 2").down
        (0, 1)

        Raises ValueError for an unknown question, or an answer that it does not allow.
        """
        for name in answers:
            if name not in QUESTIONS:
                raise ValueError(f"unknown rule: {shown(name)} (rules are {', '.join(QUESTIONS)})")
        if "ranks" in answers and "down" not in answers and not isinstance(self.down, int):
            ranks = _labels("ranks", answers["ranks"], LABELS)
            answers["down"] = {
                rank: down
                for rank, down in zip(self.ranks, self.down, strict=True)
                if rank in ranks
            }
        return replace(self, **answers)  # type: ignore[arg-type]

    def differences(self, base: Rules) -> dict[str, object]:
        """The answers that differ from another set of rules, as plain JSON values.

        >>> Rules(pickup="shuffled", cap=None).differences(Rules())
        {'pickup': 'shuffled', 'cap': None}
        """
        return {
            name: plain(getattr(self, name))
            for name in QUESTIONS
            if getattr(self, name) != getattr(base, name)
        }


CHOICES: dict[str, type[Choice]] = {
    "tie": Tie, "fighters": Fighters, "short": Short, "won": Won, "pickup": Pickup, "at_cap": AtCap,
}  # fmt: skip
#: The question that each field answers, by the field's name.
QUESTIONS: dict[str, str] = {each.name: each.metadata["question"] for each in fields(Rules)}


def plain(answer: object) -> object:
    """An answer as JSON has it: words, numbers, lists.

    >>> plain(Pickup.AS_LAID), plain((1, 2)), plain(None)
    ('as-laid', [1, 2], None)
    """
    if isinstance(answer, Choice):
        return str(answer)
    return list(answer) if isinstance(answer, tuple) else answer


def _whole(name: str, value: object, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"{name} is a whole number from {least} to {most}, not {shown(value)}")


def _labels(name: str, value: object, allowed: tuple[str, ...]) -> tuple[str, ...]:
    if isinstance(value, str):
        value = value.replace(",", " ").split()
    if not isinstance(value, Iterable) or isinstance(value, Mapping):
        raise ValueError(f"{name} is a list of labels, not {shown(value)}")
    labels = tuple(value)
    for label in labels:
        if label not in allowed:
            raise ValueError(f"unknown label in {name}: {shown(label)}")
        if labels.count(label) > 1:
            raise ValueError(f"{name} has {shown(label)} twice")
    if not labels:
        raise ValueError(f"{name} is empty")
    return labels


def _down(value: object, ranks: tuple[str, ...]) -> int | tuple[int, ...]:
    if isinstance(value, Mapping):
        for rank in value:
            if rank not in ranks:
                raise ValueError(
                    f"down has a number for {shown(rank)}, which is no rank of this deck"
                )
        for rank in ranks:
            if rank not in value:
                raise ValueError(f"down has no number for rank {shown(rank)}")
        value = [value[rank] for rank in ranks]
    if isinstance(value, Iterable) and not isinstance(value, str):
        numbers = tuple(value)
        if len(numbers) != len(ranks):
            raise ValueError(f"down has {len(numbers)} numbers for {len(ranks)} ranks")
        for number in numbers:
            _whole("down", number, 0, MOST_DOWN)
        return numbers[0] if len(set(numbers)) == 1 else numbers
    _whole("down", value, 0, MOST_DOWN)
    assert isinstance(value, int)
    return value


# Looking a member up by name costs as much as the rest of a small function.
_LOSE, _LAST_CARD, _SHRINK = Short
_WINNER_FIRST, _LOSER_FIRST, _AS_LAID, _ALTERNATING, _SHUFFLED = Pickup


def can_lay(short: int, down: int, owned: int) -> bool:
    """Whether a fighter who owns so many cards can lay in a war of `down` cards face down.

    >>> can_lay(Short.LOSE, 1, 1), can_lay(Short.LAST_CARD, 1, 1)
    (False, True)
    """
    return owned >= (down + 1 if short == _LOSE else 1)


def cards_to_lay(short: int, down: int, owned: int, poorest: int) -> int:
    """How many cards a fighter who can lay puts down in a war, the last one face up.

    `poorest` is the fewest cards that any fighter owns who owns one at all.

    >>> cards_to_lay(Short.SHRINK, 12, 20, 3), cards_to_lay(Short.LAST_CARD, 12, 20, 3)
    (3, 13)
    """
    if short == _SHRINK:
        return min(down + 1, poorest)
    return min(down + 1, owned)


def pickup_key(pickup: int, step: int, seat: int, winner: int, players: int) -> int:
    """The place of a laid card among those picked up: a stable sort by it is the pick-up order.

    >>> [pickup_key(Pickup.WINNER_FIRST, 0, seat, 1, 3) for seat in range(3)]
    [2, 0, 1]
    """
    if pickup == _WINNER_FIRST:
        return (seat - winner) % players
    if pickup == _LOSER_FIRST:
        return (seat - winner - 1) % players
    if pickup == _ALTERNATING:
        return step * players + (seat - winner) % players
    return step * players + seat


@lru_cache(maxsize=4096)
def pickup_order(
    pickup: int, players: int, winner: int, places: tuple[tuple[int, bool, tuple[int, ...]], ...]
) -> tuple[int, ...]:
    """Which card of the stake the winner picks up first, second and so on, as indexes from 0.

    `places` tells of what was laid at once: the step, whether it shows its face, the seat of each
    card. Few shapes of a stake make nearly all battles, so the answers are remembered.

    >>> pickup_order(Pickup.WINNER_FIRST, 2, 1, ((0, True, (0, 1)), (1, False, (0, 1))))
    (1, 3, 0, 2)
    """
    keys = [
        pickup_key(pickup, step, seat, winner, players)
        for step, _, seats in places
        for seat in seats
    ]
    return tuple(sorted(range(len(keys)), key=keys.__getitem__))
