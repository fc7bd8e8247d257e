"""The questions, the answers they allow, and the named variants."""

import pickle
import re
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from typing import Any

import pytest
from hypothesis import given

from tests.strategies import rules
from war.cards import RANKS, Card
from war.rules import (
    CHOICES,
    QUESTIONS,
    AtCap,
    Fighters,
    Pickup,
    Rules,
    Short,
    Tie,
    Won,
    can_lay,
    cards_to_lay,
    pickup_order,
    plain,
)
from war.variants import VARIANTS, name_of, plain_rules, rules_of

CLASSIC = {
    "players": 2,
    "ranks": ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"],
    "suits": ["C", "D", "H", "S"],
    "down": 1,
    "tie": "war",
    "fighters": "everybody",
    "short": "lose",
    "won": "under",
    "pickup": "winner-first",
    "cap": 500,
    "at_cap": "draw",
}
HOUSE = CLASSIC | {
    "down": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0],
    "short": "shrink",
    "won": "aside",
    "cap": 300,
    "at_cap": "more-cards",
}
KNOWN = {
    "classic": CLASSIC,
    "house": HOUSE,
    "three-down": CLASSIC | {"down": 3},
    "last-card": CLASSIC | {"down": 3, "short": "last-card"},
    "split": CLASSIC | {"tie": "split"},
    "three-players": CLASSIC | {"players": 3, "pickup": "shuffled"},
    "four-players": CLASSIC | {"players": 4},
    "ace-fourteen": HOUSE | {"down": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]},
    "open-ended": CLASSIC | {"cap": None},
}


def answers(of: Rules) -> dict[str, object]:
    return {name: plain(getattr(of, name)) for name in QUESTIONS}


def test_these_are_all_the_variants_and_classic_is_the_default() -> None:
    assert {*VARIANTS} == {*KNOWN}
    assert Rules() == VARIANTS["classic"] == rules_of({})


@pytest.mark.parametrize("name", KNOWN)
def test_a_named_variant_answers_as_its_row_says(name: str) -> None:
    variant = rules_of(name)
    assert answers(variant) == KNOWN[name]
    assert name_of(variant) == plain_rules(variant) == name
    # The row can be written out as answers, too.
    assert rules_of(KNOWN[name]) == Rules(**KNOWN[name]) == variant


def test_every_answer_from_a_list_is_there_by_its_word() -> None:
    assert {name: [*map(str, kind)] for name, kind in CHOICES.items()} == {
        "tie": ["war", "split"],
        "fighters": ["everybody", "tied"],
        "short": ["lose", "last-card", "shrink"],
        "won": ["under", "aside"],
        "pickup": ["winner-first", "loser-first", "as-laid", "alternating", "shuffled"],
        "at_cap": ["draw", "more-cards"],
    }


@pytest.mark.parametrize("field", fields(Rules), ids=lambda field: field.name)
def test_every_field_is_a_question_with_a_default(field: Field[Any]) -> None:
    assert re.fullmatch("[A-Z][^?]{10,}[?]", QUESTIONS[field.name])
    assert field.default is not MISSING
    assert getattr(Rules(), field.name) == field.default


def test_no_two_questions_are_alike() -> None:
    assert len({*QUESTIONS.values()}) == len(QUESTIONS)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"players": 1}, "players is a whole number from 2 to 4, not 1"),
        ({"players": 5}, "players is a whole number from 2 to 4, not 5"),
        ({"players": "2"}, "players is a whole number from 2 to 4, not '2'"),
        ({"players": 2.0}, "players is a whole number from 2 to 4, not 2.0"),
        ({"players": True}, "players is a whole number from 2 to 4, not True"),
        ({"cap": 0}, "cap is a whole number from 1 to 1000000000, not 0"),
        ({"cap": -1}, "cap is a whole number from 1 to 1000000000, not -1"),
        ({"cap": "none"}, "cap is a whole number from 1 to 1000000000, not 'none'"),
        ({"cap": 10**9 + 1}, "cap is a whole number from 1 to 1000000000, not 1000000001"),
        ({"down": -1}, "down is a whole number from 0 to 999, not -1"),
        ({"down": 1000}, "down is a whole number from 0 to 999, not 1000"),
        ({"down": None}, "down is a whole number from 0 to 999, not None"),
        ({"down": "3"}, "down is a whole number from 0 to 999, not '3'"),
        ({"down": [1] * 12 + [-1]}, "down is a whole number from 0 to 999, not -1"),
        ({"down": [1, 2]}, "down has 2 numbers for 13 ranks"),
        ({"down": {"2": 1}, "ranks": "2 3"}, "down has no number for rank '3'"),
        (
            {"down": {"2": 1, "4": 1}, "ranks": "2 3"},
            "down has a number for '4', which is no rank of this deck",
        ),
        ({"ranks": "2 3 B"}, "unknown label in ranks: 'B'"),
        ({"ranks": "2 3 T"}, "unknown label in ranks: 'T'"),
        ({"ranks": ["2", "100"]}, "unknown label in ranks: '100'"),
        ({"ranks": [2, 3]}, "unknown label in ranks: 2"),
        ({"ranks": "2 3 2"}, "ranks has '2' twice"),
        ({"ranks": ""}, "ranks is empty"),
        ({"ranks": 13}, "ranks is a list of labels, not 13"),
        ({"suits": "C X"}, "unknown label in suits: 'X'"),
        ({"suits": ["C", "C"]}, "suits has 'C' twice"),
        ({"suits": []}, "suits is empty"),
        ({"ranks": "2", "suits": "C"}, "a deck of 1 is too small for 2 players"),
        ({"tie": "peace"}, "unknown tie: 'peace' is none of war, split"),
        ({"tie": 0}, "unknown tie: 0 is none of war, split"),
        ({"fighters": "nobody"}, "unknown fighters: 'nobody' is none of everybody, tied"),
        ({"short": "win"}, "unknown short: 'win' is none of lose, last-card, shrink"),
        ({"won": "WON"}, "unknown won: 'WON' is none of under, aside"),
        ({"pickup": None}, "unknown pickup: None is none of winner-first, loser-first, as-laid"),
        ({"pickup": Tie.WAR}, "unknown pickup: "),
        ({"at_cap": ["draw"]}, "unknown at_cap: ['draw'] is none of draw, more-cards"),
        (
            {"tie": "split", "cap": None, "won": "aside"},
            "tie 'split' with shuffled cards and no cap",
        ),
        ({"tie": "split", "cap": None, "pickup": "shuffled"}, "tie 'split' with shuffled cards"),
        ({"colour": "red"}, "unknown rule: 'colour' (rules are players, ranks, suits, down, "),
        ({"base": "poker"}, "unknown rules: 'poker' (known: classic, house, "),
        ({"base": 7}, "base is the name of a rule set, not 7"),
    ],
    ids=lambda each: re.sub(r"[^\w-]+", "-", str(each))[:40] if isinstance(each, dict) else "",
)
def test_a_wrong_answer_is_refused_in_one_sentence(wrong: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}[^\n]*$"):
        rules_of(wrong)


@pytest.mark.parametrize("wrong", [None, 7, ["classic"]], ids=repr)
def test_what_are_no_rules_is_refused(wrong: object) -> None:
    sentence = f"rules are a name or a record of answers, not {wrong!r}"
    with pytest.raises(ValueError, match=re.escape(sentence)):
        rules_of(wrong)


def test_rules_do_not_change_and_are_equal_by_their_answers() -> None:
    first, second = Rules(down=2, cap=None), Rules(down=[2] * 13, cap=None)
    assert first == second
    assert hash(first) == hash(second)
    assert first != Rules(down=2)
    with pytest.raises(FrozenInstanceError):
        first.down = 1
    assert first.change(down=1).down == 1
    assert first.down == 2
    assert pickle.loads(pickle.dumps(first)) == first


@given(rules())
def test_rules_are_written_as_plain_answers_and_read_again(drawn: Rules) -> None:
    assert rules_of(plain_rules(drawn)) == drawn
    assert Rules(**answers(drawn)) == drawn


def test_strength_is_the_place_of_the_rank_and_no_letter_of_its_label() -> None:
    full = Rules()
    assert [full.strength[Card(rank, "S")] for rank in RANKS] == [*range(13)]
    turned = Rules(ranks="A K 10 9 2")
    assert turned.strength[Card("2", "C")] == 4
    assert turned.strength[Card("A", "C")] == 0


def test_numbers_of_cards_down_follow_their_ranks() -> None:
    low = rules_of({"base": "house", "ranks": "A 3 K"})
    assert low.down == (0, 2, 12)
    assert low.down_by_rank == (0, 2, 12)
    assert rules_of({"base": "house", "ranks": "A 3 K", "down": 5}).down_by_rank == (5, 5, 5)
    with pytest.raises(ValueError, match="down has no number for rank '1'"):
        rules_of({"base": "house", "ranks": "1 2 3"})


@pytest.mark.parametrize(
    ("answer", "shuffles"),
    [
        ({}, False),
        ({"won": "aside"}, True),
        ({"pickup": "shuffled"}, True),
        ({"tie": "split"}, False),
    ],
    ids=str,
)
def test_only_two_answers_shuffle(answer: dict[str, str], shuffles: bool) -> None:
    assert rules_of(answer).shuffles is shuffles


@pytest.mark.parametrize(
    ("short", "down", "owned", "able"),
    [
        ("lose", 1, 2, True), ("lose", 1, 1, False), ("lose", 0, 1, True), ("lose", 0, 0, False),
        ("lose", 3, 3, False), ("last-card", 3, 1, True), ("last-card", 3, 0, False),
        ("shrink", 12, 1, True), ("shrink", 0, 0, False),
    ],
)  # fmt: skip
def test_who_can_lay(short: str, down: int, owned: int, able: bool) -> None:
    assert can_lay(Rules(short=short).short, down, owned) is able


@pytest.mark.parametrize(
    ("short", "down", "owned", "poorest", "lays"),
    [
        ("lose", 1, 26, 2, 2), ("lose", 0, 26, 1, 1),
        # The short one lays what there is, the others lay in full.
        ("last-card", 3, 2, 2, 2), ("last-card", 3, 9, 2, 4),
        # Everybody lays as many as the poorest.
        ("shrink", 12, 20, 3, 3), ("shrink", 3, 20, 20, 4), ("shrink", 0, 20, 3, 1),
    ],
)  # fmt: skip
def test_how_many_cards_a_fighter_lays(
    short: str, down: int, owned: int, poorest: int, lays: int
) -> None:
    assert cards_to_lay(Rules(short=short).short, down, owned, poorest) == lays


# Three players turn a card each, then lay one down and one up: cards 0 1 2, 3 4 5, 6 7 8.
# Player 2 takes cards 1 4 7, of player 3 come 2 5 8 and of player 1 come 0 3 6.
@pytest.mark.parametrize(
    ("pickup", "order"),
    [
        (Pickup.WINNER_FIRST, (1, 4, 7, 2, 5, 8, 0, 3, 6)),
        (Pickup.LOSER_FIRST, (2, 5, 8, 0, 3, 6, 1, 4, 7)),
        (Pickup.AS_LAID, (0, 1, 2, 3, 4, 5, 6, 7, 8)),
        (Pickup.ALTERNATING, (1, 2, 0, 4, 5, 3, 7, 8, 6)),
        (Pickup.SHUFFLED, (0, 1, 2, 3, 4, 5, 6, 7, 8)),
    ],
    ids=str,
)
def test_the_order_of_picking_up(pickup: Pickup, order: tuple[int, ...]) -> None:
    places = tuple((step, step != 1, (0, 1, 2)) for step in range(3))
    assert pickup_order(pickup, 3, 1, places) == order


def test_an_answer_is_a_whole_number_inside() -> None:
    for kind in (Tie, Fighters, Short, Won, Pickup, AtCap):
        assert [*map(int, kind)] == [*range(len(kind))]
        for answer in kind:
            assert kind.of(str(answer)) is kind.of(answer) is answer
