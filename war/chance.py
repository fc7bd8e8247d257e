"""The one random stream of a game, and the deal code that fixes it.

The generator is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
OOPSLA 2014, in the form Sebastiano Vigna published); numbers below a bound are drawn without bias by
Daniel Lemire's method ("Fast random integer generation in an interval", 2019); shuffles are
Durstenfeld's (Algorithm 235, 1964). All of it is arithmetic on 64-bit integers and must never change:
a deal code written on a blackboard has to give the same cards in every later version. It is written
as functions from numbers to numbers, so that a compiled engine draws from the same stream.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, MutableSequence
from typing import TypeVar

from war.cards import shown

Item = TypeVar("Item")

CODES = 1 << 63
NEW_CODES = 1_000_000
#: How far a state lies from the one before.
GAMMA = 0x9E3779B97F4A7C15
_WORD = (1 << 64) - 1
_HALF = (1 << 32) - 1


def next_state(state: int) -> int:
    """The state of the stream after this one, a whole number from 0 to 2**64 - 1.

    >>> hex(next_state(0))
    '0x9e3779b97f4a7c15'
    """
    return (state + GAMMA) & _WORD


def word_of(state: int) -> int:
    """The 64 random bits that a state of the stream stands for.

    >>> word_of(next_state(0))
    16294208416658607535
    """
    bits = state
    bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & _WORD
    return bits ^ (bits >> 31)


def draw(state: int, bound: int) -> tuple[int, int]:
    """The next state and a number from 0 to bound - 1, each equally likely; the bound is 1 to 2**31.

    >>> draw(7, 6)[1]
    2
    """
    while True:
        state = next_state(state)
        # The upper half of a word is a number that signed integers hold too, and so is the product.
        product = int(word_of(state) >> 32) * bound
        rest = product & _HALF
        if rest >= bound or rest >= (1 << 32) % bound:
            return state, product >> 32


def shuffle(items: MutableSequence[Item], first: int, count: int, state: int) -> int:
    """Shuffle so many items in place, from the first on, and return the state of the stream after it.

    Every order is equally likely; fewer than two items draw no number.

    >>> cards = ["a", "b", "c", "d"]
    >>> shuffle(cards, 0, 4, 7) == next_state(next_state(next_state(7))), cards
    (True, ['c', 'd', 'a', 'b'])
    """
    for last in range(count - 1, 0, -1):
        state, other = draw(state, last + 1)
        items[first + last], items[first + other] = items[first + other], items[first + last]
    return state


class Stream:
    """A stream of random numbers with 64 bits of state.

    >>> stream = Stream(1234567)
    >>> stream.word(), stream.word()
    (6457827717110365317, 3203168211198807973)
    """

    __slots__ = ("state",)

    def __init__(self, state: int) -> None:
        self.state = state & _WORD

    def word(self) -> int:
        """The next 64 random bits, a whole number from 0 to 2**64 - 1.

        >>> Stream(0).word()
        16294208416658607535
        """
        self.state = next_state(self.state)
        return word_of(self.state)

    def below(self, bound: int) -> int:
        """A whole number from 0 to bound - 1, each equally likely; the bound is 1 to 2**31.

        >>> stream = Stream(7)
        >>> [stream.below(6) for _ in range(5)]
        [2, 0, 5, 3, 2]
        """
        self.state, number = draw(self.state, bound)
        return number

    def shuffled(self, items: Iterable[Item]) -> list[Item]:
        """The items in a random order, every order equally likely; fewer than two draw no number.

        >>> Stream(7).shuffled("abcd")
        ['c', 'd', 'a', 'b']
        """
        order = list(items)
        self.state = shuffle(order, 0, len(order), self.state)
        return order


def deal_code(code: object) -> int:
    """A deal code, checked: any whole number from 0 below 2**63, also written as text.

    >>> deal_code(2024), deal_code("482 913")
    (2024, 482913)

    Raises ValueError for anything else.
    """
    if isinstance(code, str):
        digits = code.replace(" ", "")
        if digits.isascii() and digits.isdigit() and len(digits) <= 30:
            code = int(digits)
    if isinstance(code, bool) or not isinstance(code, int) or not 0 <= code < CODES:
        raise ValueError(f"not a deal code: {shown(code)} (it is a whole number from 0 below 2^63)")
    return code


def new_code() -> int:
    """A new deal code of at most six digits, short enough to be read aloud.

    >>> 0 <= new_code() < 1_000_000
    True
    """
    return secrets.randbelow(NEW_CODES)


def deal_stream(code: int) -> Stream:
    """The stream that shuffles the deck before the deal."""
    return Stream(code)


def play_state(code: int) -> int:
    """The state in which the stream of all later shuffles starts.

    >>> play_state(0) == 2**64 - 1
    True
    """
    return code ^ _WORD


def play_stream(code: int) -> Stream:
    """The stream of all later shuffles of that game.

    It is one of its own, so that the same piles laid out by hand go on as the dealt ones do; its
    states start in the half of the 64-bit numbers that no deal code reaches.
    """
    return Stream(play_state(code))
