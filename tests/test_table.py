"""What each event does to the table, and which events it refuses; all worked out by hand."""

import re

import pytest

from war.cards import Card, cards, text
from war.table import Event, Kind, Laid, Position, Table


def place(stacks: str, won: str = "|", stake: tuple[Laid, ...] = (), aside: bool = False) -> Table:
    """A table from piles written down."""
    return Table(
        [cards(stack) for stack in stacks.split("|")],
        [cards(pile) for pile in won.split("|")],
        stake,
        aside,
    )


def laid(cards_and_seats: str, step: int = 0, up: bool = True) -> tuple[Laid, ...]:
    """Cards on the table in one step, written 1:9H 2:9D as in the notation."""
    each = [one.split(":") for one in cards_and_seats.split()]
    return tuple(Laid(*cards(card), int(player) - 1, step, up) for player, card in each)


def written(table: Table) -> tuple[str, str, str]:
    stacks, won, stake = table.position
    return (
        " | ".join(map(text, stacks)),
        " | ".join(map(text, won)),
        " ".join(f"{each.seat + 1}:{each.card}" for each in stake),
    )


def event(kind: Kind, step: int, seats: tuple[int, ...], written: str) -> Event:
    return Event(1, kind, step, seats, cards(written))


BOTH = (0, 1)
STAKE = laid("1:9H 2:9D")


def test_cards_are_laid_from_the_top_side_by_side() -> None:
    table = place("9H 2C KS | 9D 3C 7S")
    table.apply(event(Kind.TURN, 0, BOTH, "9H 9D"))
    table.apply(event(Kind.DOWN, 1, BOTH, "2C 3C"))
    table.apply(event(Kind.UP, 2, (1,), "7S"))
    assert written(table) == ("KS | ", " | ", "1:9H 2:9D 1:2C 2:3C 2:7S")
    stake = table.position.stake
    assert [each.step for each in stake] == [0, 0, 1, 1, 2]
    assert [each.up for each in stake] == [True, True, False, False, True]
    assert table.step == 3


def test_a_stake_goes_under_the_stack_or_onto_the_won_pile() -> None:
    under, aside = place("KS | 7S", stake=STAKE), place("KS | 7S", "|2D", STAKE, aside=True)
    for table in (under, aside):
        table.apply(event(Kind.TAKE, 1, (1,), "9D 9H"))
    assert written(under) == ("KS | 7S 9D 9H", " | ", "")
    assert written(aside) == ("KS | 7S", " | 2D 9D 9H", "")
    assert under.step == aside.step == 0


def test_spare_cards_join_the_stake_face_down_and_all_at_once() -> None:
    table = place("KS 4S | 7S", "3C|", STAKE, aside=True)
    table.apply(event(Kind.SHORT, 1, (0,), "KS 4S 3C"))
    assert written(table) == (" | 7S", " | ", "1:9H 2:9D 1:KS 1:4S 1:3C")
    assert [each[1:] for each in table.position.stake[2:]] == [(0, 1, False)] * 3


def test_everybody_takes_the_own_card_back_under_the_own_stack() -> None:
    table = place("KS | 7S", stake=STAKE)
    table.apply(event(Kind.RETURN, 1, BOTH, "9H 9D"))
    assert written(table) == ("KS 9H | 7S 9D", " | ", "")


def test_a_won_pile_becomes_the_stack_in_the_order_that_is_written() -> None:
    table = place(" | 7S", "2C 3C 4C | 5C", STAKE, aside=True)
    table.apply(event(Kind.SHUFFLE, 1, (0,), "4C 2C 3C"))
    assert written(table) == ("4C 2C 3C | 7S", " | 5C", "1:9H 2:9D")


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (event(Kind.TURN, 1, BOTH, "4S 7S"), "4S is not on top of the stack of player 1"),
        (event(Kind.TURN, 1, BOTH, "KS 8S"), "8S is not on top of the stack of player 2"),
        (event(Kind.DOWN, 1, BOTH, "KS KS"), "KS is not on top of the stack of player 2"),
        (event(Kind.UP, 1, (0,), "3C"), "3C is not on top of the stack of player 1"),
        (event(Kind.UP, 1, (2,), "2D"), "2D is not on top of the stack of player 3"),
        (event(Kind.TAKE, 1, (0,), "9H"), "9H are not the cards of the stake"),
        (event(Kind.TAKE, 1, (0,), "9H 9D KS"), "9H 9D KS are not the cards of the stake"),
        (event(Kind.TAKE, 1, (0,), "9H 9H"), "9H 9H are not the cards of the stake"),
        (event(Kind.TAKE, 1, (0,), "9H 9S"), "9H 9S are not the cards of the stake"),
        (event(Kind.TAKE, 1, (0,), ""), "no cards are not the cards of the stake"),
        (event(Kind.SHORT, 1, (0,), "KS 4S"), "KS 4S are not the cards of player 1"),
        (event(Kind.SHORT, 1, (1,), ""), "no cards are not the cards of player 2"),
        (event(Kind.RETURN, 1, (0,), "9H"), "9H are not the cards of the stake"),
        (event(Kind.RETURN, 1, BOTH, "KS 7S"), "KS 7S are not the cards of the stake"),
        (event(Kind.SHUFFLE, 1, (0,), "2C"), "2C are not the cards of the won pile"),
        (event(Kind.SHUFFLE, 1, (0,), "3C 9H"), "3C 9H are not the cards of the won pile"),
        (event(Kind.SHUFFLE, 1, (1,), "3C"), "3C are not the cards of the won pile"),
    ],
    ids=lambda each: f"{each.kind}-{text(each.cards)}" if isinstance(each, Event) else "",
)
def test_an_event_that_does_not_fit_is_refused(wrong: Event, sentence: str) -> None:
    table = place("KS 4S | 7S | ", "3C | | 2D", STAKE, aside=True)
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        table.apply(wrong)


def test_a_table_begins_from_any_position_and_shares_nothing_with_it() -> None:
    position = Position(
        (cards("KS 4S"), cards("7S")), (cards("3C"), ()), (*STAKE, *laid("2:5D", 1, up=False))
    )
    table = Table(*position, aside=True)
    assert table.position == position
    assert table.step == 2
    table.apply(event(Kind.TAKE, 2, (1,), "9H 9D 5D"))
    assert written(table) == ("KS 4S | 7S", "3C | 9H 9D 5D", "")
    assert Table(*position).position == position


def test_owners_and_counts_look_at_stack_and_won_pile_together() -> None:
    table = place("KS 4S | | | 7S", "3C | 2D | | ", aside=True)
    assert table.counts == (3, 1, 0, 1)
    assert table.owners() == (0, 1, 3)
    assert Card("2", "D") in table.won[1]
