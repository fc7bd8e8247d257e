"""The table and its events: an event is the only way a card moves."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from functools import partial
from typing import NamedTuple, cast

from war.cards import Card, text


class Kind(IntEnum):
    """What an event does; the first four lay cards on the table."""

    TURN = 0
    DOWN = 1
    UP = 2
    SHORT = 3
    TAKE = 4
    RETURN = 5
    SHUFFLE = 6

    def __str__(self) -> str:
        return self.name.lower()


# Looking a member up by name costs as much as moving a card, so the engine uses these.
TURN, DOWN, UP, SHORT, TAKE, RETURN, SHUFFLE = Kind


class Event(NamedTuple):
    """One thing that happens on the table.

    `battle` counts from 1, seats from 0. For cards that move one by one (turn, down, up, return),
    `cards[i]` belongs to `seats[i]`; a short player's spare cards, a take and a shuffle have one
    seat, and their cards in the order in which they lie afterwards. Cards with the same `step` lie
    side by side: a step is one card from everybody.
    """

    battle: int
    kind: Kind
    step: int
    seats: tuple[int, ...]
    cards: tuple[Card, ...]


class Laid(NamedTuple):
    """A card on the table: whose it was, in which step it was laid, and whether it shows its face."""

    card: Card
    seat: int
    step: int
    up: bool


#: What was laid at once: the step, whether the cards show their faces, and the seat of each.
Place = tuple[int, bool, tuple[int, ...]]

# Two of these are made in every battle, and the class's own way takes twice as long.
new_event = cast(
    Callable[[tuple[int, Kind, int, tuple[int, ...], tuple[Card, ...]]], Event],
    partial(tuple.__new__, Event),
)


class Position(NamedTuple):
    """Where all cards lie, as values: stacks from the top, won piles from the oldest, the stake as laid."""

    stacks: tuple[tuple[Card, ...], ...]
    won: tuple[tuple[Card, ...], ...]
    stake: tuple[Laid, ...] = ()


class Table:
    """The piles of one game while it is played; `apply` is the only code that moves cards.

    >>> from war.cards import cards, text
    >>> table = Table([cards("9H KS"), cards("7D 2C")])
    >>> table.apply(Event(1, Kind.TURN, 0, (0, 1), cards("9H 7D")))
    >>> table.apply(Event(1, Kind.TAKE, 1, (0,), cards("9H 7D")))
    >>> [text(stack) for stack in table.stacks]
    ['KS 9H 7D', '2C']
    """

    __slots__ = ("aside", "places", "seats", "stacks", "stake", "step", "won")

    def __init__(
        self,
        stacks: Sequence[Iterable[Card]],
        won: Sequence[Iterable[Card]] | None = None,
        stake: Sequence[Laid] = (),
        aside: bool = False,
    ) -> None:
        self.stacks = [deque(stack) for stack in stacks]
        self.won = [list(pile) for pile in won] if won else [[] for _ in self.stacks]
        self.stake = [laid.card for laid in stake]
        self.places: list[Place] = [(laid.step, laid.up, (laid.seat,)) for laid in stake]
        self.aside = aside
        #: The number of the next step on the table; a stake that waits keeps its steps.
        self.step = stake[-1].step + 1 if stake else 0
        self.seats = tuple(range(len(self.stacks)))

    @property
    def position(self) -> Position:
        """Where all cards lie now, as values."""
        places = [(seat, step, up) for step, up, seats in self.places for seat in seats]
        return Position(
            tuple(map(tuple, self.stacks)),
            tuple(map(tuple, self.won)),
            tuple(Laid(card, *place) for card, place in zip(self.stake, places, strict=True)),
        )

    def owned(self, seat: int) -> int:
        """How many cards a player owns: the stack and the won pile together."""
        return len(self.stacks[seat]) + len(self.won[seat])

    @property
    def counts(self) -> tuple[int, ...]:
        """How many cards each player owns."""
        return tuple(map(self.owned, self.seats))

    def owners(self) -> tuple[int, ...]:
        """The seats that own a card."""
        if all(self.stacks):
            return self.seats
        return tuple(seat for seat in self.seats if self.stacks[seat] or self.won[seat])

    def apply(self, event: Event) -> None:
        """Move the cards of one event.

        Raises ValueError for an event that does not fit; the table is of no use then.
        """
        _, kind, step, seats, cards = event
        stacks, stake = self.stacks, self.stake
        if kind <= UP:
            if len(seats) != len(cards):
                raise ValueError(f"{len(seats)} players lay {len(cards)} cards")
            for seat, card in zip(seats, cards):  # noqa: B905 (just compared)
                if not (stacks[seat] and stacks[seat].popleft() is card):
                    raise ValueError(f"{card} is not on top of the stack of player {seat + 1}")
            stake.extend(cards)
            self.places.append((step, kind != DOWN, seats))
            self.step = step + 1
        elif kind == TAKE:
            self._expect(cards, stake, "the stake")
            (self.won if self.aside else stacks)[seats[0]].extend(cards)
            self._clear_stake()
        elif kind == RETURN:
            self._expect(cards, stake, "the stake")
            for seat, card in zip(seats, cards, strict=True):
                stacks[seat].append(card)
            self._clear_stake()
        elif kind == SHORT:
            (seat,) = seats
            self._expect(cards, (*stacks[seat], *self.won[seat]), f"player {seat + 1}")
            stacks[seat].clear()
            self.won[seat].clear()
            stake.extend(cards)
            self.places.append((step, False, seats * len(cards)))
            self.step = step + 1
        else:
            (seat,) = seats
            self._expect(cards, self.won[seat], "the won pile")
            stacks[seat].extend(cards)
            self.won[seat].clear()

    def _clear_stake(self) -> None:
        self.stake.clear()
        self.places.clear()
        self.step = 0

    @staticmethod
    def _expect(cards: tuple[Card, ...], pile: Sequence[Card], name: str) -> None:
        if len(cards) != len(pile) or not {*cards}.issuperset(pile):
            raise ValueError(f"{text(cards) or 'no cards'} are not the cards of {name}")
