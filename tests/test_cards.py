"""Cards, decks and their text."""

import copy
import operator
import pickle
import re
from collections.abc import Callable
from itertools import product

import pytest

from war.cards import LABELS, RANKS, SUITS, Card, card, cards, deck, shown, text


@pytest.mark.parametrize(
    ("written", "form"),
    [
        *[(each, "10H") for each in ("10H", "TH", "10h", "Th", "tH", "th")],
        # Black and white signs, and the sign with the selector that asks for a coloured picture.
        *[(f"{ten}{sign}", "10H") for ten in ("10", "T", "t") for sign in ("♥", "♡", "♥\ufe0f")],
        *[(f"9{sign}", "9C") for sign in ("C", "c", "♣", "♧", "♣\ufe0f")],
        *[(f"9{sign}", "9D") for sign in ("D", "d", "♦", "♢", "♦\ufe0f")],
        *[(f"9{sign}", "9S") for sign in ("S", "s", "♠", "♤", "♠\ufe0f")],
        *[("js", "JS"), ("qd", "QD"), ("kC", "KC"), ("aH", "AH")],
        *[("1S", "1S"), ("27S", "27S"), ("99c", "99C")],
    ],
)
def test_a_card_is_read_however_it_is_written(written: str, form: str) -> None:
    assert str(card(written)) == form


@pytest.mark.parametrize("label", LABELS)
def test_the_written_form_is_read_as_the_same_card(label: str) -> None:
    for suit in SUITS:
        assert card(f"{label}{suit}") is Card(label, suit)
        assert str(Card(label, suit)) == f"{label}{suit}"


@pytest.mark.parametrize(
    "wrong",
    [
        "", "H", "9", "0H", "00H", "09H", "100H", "11", "HH", "H9", "9X", "9HH", "9 H", "9H ",
        "1TH", "BH", "-9H", "٩H", "９H", "9♥♥", "9\ufe0f♥", "10♥\ufe0f\ufe0f", "9H\n", "joker",
    ],
    ids=ascii,
)  # fmt: skip
def test_what_is_no_card_is_refused_by_name(wrong: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"not a card: {wrong!r} ")):
        card(wrong)


def test_piles_are_read_from_text_cards_and_any_mixture() -> None:
    three = (Card("9", "H"), Card("2", "C"), Card("K", "S"))
    assert (
        cards("9H 2C KS") == cards(" 9H,2C ,  KS\n") == cards(iter(["9h", three[1], "K♠"])) == three
    )
    assert cards("") == cards([]) == ()
    assert cards(text(three)) == three


@pytest.mark.parametrize(
    ("wrong", "quoted"),
    [("9H 2X", "'2X'"), (["9H", "nine"], "'nine'"), (["9H", 7], "7"), ([None], "None"),
     ("9H2C", "'9H2C'"), (["9H 2C"], "'9H 2C'")],
)  # fmt: skip
def test_the_wrong_card_of_a_pile_is_named(wrong: object, quoted: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"not a card: {quoted} ")):
        cards(wrong)


@pytest.mark.parametrize("wrong", [7, None, 2.5])
def test_what_is_no_pile_is_refused_by_name(wrong: object) -> None:
    with pytest.raises(ValueError, match=re.escape(f"not a pile of cards: {wrong!r}")):
        cards(wrong)


@pytest.mark.parametrize(
    ("rank", "suit"), [("0", "H"), ("100", "H"), ("T", "H"), ("9", "h"), (9, "H"), ("9", "♥")]
)
def test_only_labels_of_some_deck_make_a_card(rank: str, suit: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"not a card: rank {rank!r}, suit {suit!r}")):
        Card(rank, suit)


@pytest.mark.parametrize("name", ["rank", "suit", "name", "owner"])
def test_a_card_does_not_change(name: str) -> None:
    nine = Card("9", "H")
    with pytest.raises(AttributeError, match="9H"):
        setattr(nine, name, "A")
    assert (nine.rank, nine.suit, nine.name) == ("9", "H", "nine of hearts")


@pytest.mark.parametrize("compare", [operator.lt, operator.le, operator.gt, operator.ge])
def test_a_card_has_no_order_of_its_own(compare: Callable[[Card, Card], bool]) -> None:
    with pytest.raises(TypeError):
        compare(Card("9", "H"), Card("K", "S"))


@pytest.mark.parametrize(
    "copied",
    [
        copy.copy,
        copy.deepcopy,
        *[
            lambda each, protocol=protocol: pickle.loads(pickle.dumps(each, protocol))
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
        ],
    ],
)
def test_a_copy_is_the_card_itself(copied: Callable[[Card], Card]) -> None:
    ten = Card("10", "H")
    assert copied(ten) is ten
    assert {ten: "found"}[copied(ten)] == "found"


def test_every_card_has_a_name_to_be_said() -> None:
    assert Card("10", "H").name == "ten of hearts"
    assert Card("A", "S").name == "ace of spades"
    assert Card("2", "C").name == "two of clubs"
    assert Card("27", "D").name == "27 of diamonds"


def test_a_deck_is_every_rank_of_every_suit_once_in_one_order() -> None:
    full = deck()
    assert len(full) == len({*full}) == 52
    assert {*full} == {Card(rank, suit) for rank, suit in product(RANKS, SUITS)}
    assert text(full[:14]) == "2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC 2D"
    assert deck(reversed(RANKS), "SHDC") == full
    assert text(deck(["A", "10", "9", "1"], ["S"])) == "1S 9S 10S AS"


def test_a_long_value_is_cut_where_it_is_quoted() -> None:
    assert shown("X" * 80) == "'" + "X" * 56 + "..."
    assert shown("9H") == "'9H'"
    assert shown(10**5000) == "a number of thousands of digits"
