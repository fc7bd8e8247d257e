"""Cards, decks and their text; nothing here knows which card wins."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import ClassVar, Self

SUITS = ("C", "D", "H", "S")
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
#: Every label a toy deck may use, in the order in which a new deck lies.
LABELS = (*map(str, range(1, 100)), "J", "Q", "K", "A")

SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
SUIT_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
RANK_NAMES = {
    "1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven",
    "8": "eight", "9": "nine", "10": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace",
}  # fmt: skip

_SUIT_OF = {name: suit for suit, sign in SUIT_SIGNS.items() for name in (suit, suit.lower(), sign)}
# White outlines and the emoji form of a suit sign are what keyboards and web pages really send.
_SUIT_OF |= dict(zip("♧♢♡♤", SUITS, strict=True))
_PLACE = {label: place for place, label in enumerate(LABELS)}
# [0-9] rather than \d, which would take the digits of every script.
_CARD = re.compile(rf"([0-9]{{1,2}}|[TJQKAtjqka])([{''.join(_SUIT_OF)}])\ufe0f?")


class Card:
    """One card, a rank label and a suit; it has no order of its own, strength belongs to the rules.

    >>> Card("10", "H")
    Card('10', 'H')
    >>> print(Card("10", "H"), Card("10", "H").name)
    10H ten of hearts
    >>> Card("10", "H") is Card("10", "H")
    True

    Raises ValueError for a rank or a suit that no deck has.
    """

    __slots__ = ("name", "rank", "suit")
    rank: str
    suit: str
    name: str
    """The card in words, as a screen reader should say it."""

    # Each card exists once, as on a table: so cards compare and hash as fast as objects can.
    _all: ClassVar[dict[tuple[str, str], Self]] = {}

    def __new__(cls, rank: str, suit: str) -> Self:
        known = cls._all.get((rank, suit))
        if known:
            return known
        if rank not in LABELS or suit not in SUITS:
            raise ValueError(f"not a card: rank {shown(rank)}, suit {shown(suit)}")
        new = super().__new__(cls)
        object.__setattr__(new, "rank", rank)
        object.__setattr__(new, "suit", suit)
        object.__setattr__(new, "name", f"{rank_name(rank)} of {SUIT_NAMES[suit]}")
        return cls._all.setdefault((rank, suit), new)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a card does not change: {name} of {self}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a card does not change: {name} of {self}")

    def __reduce__(self) -> tuple[type[Card], tuple[str, str]]:
        return Card, (self.rank, self.suit)

    def __repr__(self) -> str:
        return f"Card({self.rank!r}, {self.suit!r})"

    def __str__(self) -> str:
        return self.rank + self.suit


def rank_name(rank: str) -> str:
    """The rank in words; labels above ten stay figures.

    >>> rank_name("9"), rank_name("A"), rank_name("27")
    ('nine', 'ace', '27')
    """
    return RANK_NAMES.get(rank, rank)


@lru_cache(maxsize=1024)
def card(text: str) -> Card:
    """The card that a text names, however its ten, its case and its suit sign are written.

    >>> [str(card(text)) for text in ("10H", "TH", "10h", "10♥")]
    ['10H', '10H', '10H', '10H']

    Raises ValueError for a text that names no card.
    """
    match = _CARD.fullmatch(text)
    rank = match[1].upper().replace("T", "10") if match else ""
    if not match or rank not in _PLACE:
        raise ValueError(f"not a card: {shown(text)} (cards are written like 9H, 10D or KS)")
    return Card(rank, _SUIT_OF[match[2]])


def cards(text: str | Iterable[str | Card]) -> tuple[Card, ...]:
    """A pile of cards, top card first, from text or from anything that yields cards or their texts.

    >>> cards("9H 2C KS")
    (Card('9', 'H'), Card('2', 'C'), Card('K', 'S'))
    >>> cards(["9H", Card("2", "C")]) == cards("9H, 2C")
    True

    Raises ValueError for a text that names no card.
    """
    if isinstance(text, str):
        text = text.replace(",", " ").split()
    elif not isinstance(text, Iterable) or isinstance(text, Mapping):
        raise ValueError(f"not a pile of cards: {shown(text)}")
    return tuple(each if isinstance(each, Card) else _one(each) for each in text)


def _one(text: object) -> Card:
    if not isinstance(text, str):
        raise ValueError(f"not a card: {shown(text)} (cards are written like 9H, 10D or KS)")
    return card(text)


def text(pile: Iterable[Card]) -> str:
    """The written form of a pile, top card first.

    >>> text(cards("9h 2♣ Ts"))
    '9H 2C 10S'
    """
    return " ".join(map(str, pile))


def deck(ranks: Iterable[str] = RANKS, suits: Iterable[str] = SUITS) -> tuple[Card, ...]:
    """A new deck, suit by suit; the order of the labels given does not matter, so that rules which
    only rank the cards differently deal the same cards.

    >>> text(deck(["A", "2"], "SH"))
    '2H AH 2S AS'
    """
    in_order = sorted(ranks, key=_PLACE.__getitem__)
    return tuple(Card(rank, suit) for suit in sorted(suits) for rank in in_order)


def shown(value: object, longest: int = 60) -> str:
    """A value as an error message quotes it, cut where somebody sends a whole book.

    >>> shown("X" * 80, longest=12)
    "'XXXXXXXX..."
    """
    try:
        quoted = repr(value)
    except ValueError:  # Python refuses to write out an integer of thousands of digits
        return "a number of thousands of digits"
    return quoted if len(quoted) <= longest else quoted[: longest - 3] + "..."
