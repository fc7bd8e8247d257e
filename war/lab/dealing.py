"""Deals that are not the usual one: certain cards for a player, or stacks of other sizes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from war.cards import Card, cards, shown
from war.rules import Rules


def hands_of(rules: Rules, hands: object) -> tuple[tuple[Card, ...], ...]:
    """The cards that each player gets, from one entry a player; None for one of them is the rest.

    >>> from war.rules import Rules
    >>> [len(hand) for hand in hands_of(Rules(), ["AC AD AH AS", None])]
    [4, 48]

    Raises ValueError for a card twice or not of this deck, and for a player without cards.
    """
    if isinstance(hands, str) or not isinstance(hands, Sequence) or len(hands) != rules.players:
        raise ValueError(f"hands are a list with one entry for each player, not {shown(hands)}")
    given = [None if hand is None else cards(hand) for hand in hands]
    if given.count(None) > 1:
        raise ValueError("only one player can get the rest of the cards")
    seen: set[Card] = set()
    for card in chain.from_iterable(filter(None, given)):
        if card not in rules.strength:
            raise ValueError(f"{card} is not in this deck")
        if card in seen:
            raise ValueError(f"{card} is there twice")
        seen.add(card)
    rest = tuple(card for card in rules.deck if card not in seen)
    dealt = tuple(rest if hand is None else tuple(hand) for hand in given)
    for player, hand in enumerate(dealt, 1):
        if not hand:
            raise ValueError(f"player {player} has no cards")
    return dealt


def sizes_of(rules: Rules, sizes: object) -> tuple[int, ...]:
    """How many cards each player is dealt, one number a player.

    >>> sizes_of(Rules(), [26, 25])
    (26, 25)

    Raises ValueError for other numbers than the deck can give.
    """
    if isinstance(sizes, str) or not isinstance(sizes, Iterable):
        raise ValueError(f"sizes are a list with one number for each player, not {shown(sizes)}")
    numbers = tuple(sizes)
    for number in numbers:
        if isinstance(number, bool) or not isinstance(number, int) or number < 1:
            raise ValueError(
                f"a player is dealt a whole number of cards from 1 on, not {shown(number)}"
            )
    if len(numbers) != rules.players:
        raise ValueError(f"{rules.players} players need as many sizes, not {len(numbers)}")
    if sum(numbers) > len(rules.deck):
        raise ValueError(f"a deck of {len(rules.deck)} has no {sum(numbers)} cards to deal")
    return numbers


def piles_of_ranks(rules: Rules, ranks: str) -> list[tuple[Card, ...]]:
    """Piles from ranks alone, written like `2 1 3 | 1 2 3`; suits never matter, so any will do.

    >>> piles_of_ranks(Rules(ranks="1 2"), "2 1 | 1 2")
    [(Card('2', 'C'), Card('1', 'C')), (Card('1', 'D'), Card('2', 'D'))]

    Raises ValueError for a rank that the deck has not, or not so often.
    """
    left = {rank: iter(rules.suits) for rank in rules.ranks}

    def card(rank: str) -> Card:
        if rank not in left:
            raise ValueError(f"{shown(rank)} is no rank of this deck")
        suit = next(left[rank], None)
        if suit is None:
            raise ValueError(f"this deck has only {len(rules.suits)} of rank {rank}")
        return Card(rank, suit)

    return [tuple(map(card, pile.split())) for pile in ranks.split("|")]


def ranks_of_piles(piles: Iterable[Iterable[Card]]) -> str:
    """The ranks of piles, a bar between them, as `piles_of_ranks` reads them.

    >>> ranks_of_piles(piles_of_ranks(Rules(), "2 K | A 2"))
    '2 K | A 2'
    """
    return " | ".join(" ".join(card.rank for card in pile) for pile in piles)
