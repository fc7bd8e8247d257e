"""The random stream, the deal code, and deals that must never change."""

import random
import re
from collections import Counter
from hashlib import sha256
from itertools import count, islice, permutations

import pytest
from hypothesis import given

from tests.strategies import codes
from war import chance
from war.cards import text
from war.chance import CODES, NEW_CODES, Stream, deal_code, deal_stream, new_code, play_stream
from war.game import Game, deal
from war.rules import Rules
from war.variants import VARIANTS


def test_words_are_the_published_ones() -> None:
    # https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64
    stream = Stream(1234567)
    assert [stream.word() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_words_counted_in_fifths_are_the_published_counts() -> None:
    # The second half of the same task: the words of this seed as fractions, times five.
    stream = Stream(987654321)
    fifths = Counter(stream.word() * 5 >> 64 for _ in range(100_000))
    assert fifths == {0: 20027, 1: 19892, 2: 20073, 3: 19978, 4: 20030}


@pytest.mark.parametrize("bound", [1, 2, 3, 5, 13, 26, 51, 52, 396])
def test_below_gives_each_value_for_equally_many_words(
    bound: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def below(*words: int) -> int:
        given = iter(words)
        monkeypatch.setattr(chance, "word_of", lambda _: next(given))
        return Stream(0).below(bound)

    # Half words h with h · bound from value · 2³² give the value, but perhaps for the first of them.
    first = [-(-(value << 32) // bound) for value in range(bound + 1)]
    for value in range(bound):
        halves = range(first[value], first[value + 1])
        other = first[(value + 1) % bound] + 1 << 32
        rejected = below(halves[0] << 32, other) != value
        for half in (halves[1], halves[-1]):
            assert below(half << 32) == value
        assert len(halves) - rejected == 2**32 // bound


def test_every_order_of_a_shuffle_comes_about_equally_often() -> None:
    stream, rounds = Stream(2024), 24_000
    orders = Counter(tuple(stream.shuffled("abcd")) for _ in range(rounds))
    assert set(orders) == set(permutations("abcd"))
    expected = rounds / 24
    chi_square = sum((seen - expected) ** 2 / expected for seen in orders.values())
    # 49.7 is passed by one fair shuffle in a thousand (23 degrees of freedom).
    assert chi_square < 49.7


@pytest.mark.parametrize("items", ["", "a"])
def test_fewer_than_two_items_use_no_random_number(items: str) -> None:
    stream = Stream(5)
    assert stream.shuffled(items) == list(items)
    assert stream.state == 5


def test_a_shuffle_leaves_its_input_alone() -> None:
    items = [1, 2, 3, 4, 5]
    Stream(1).shuffled(items)
    assert items == [1, 2, 3, 4, 5]


# These have been dealt by a second program as well. They must never change: a code on a blackboard
# has to give the same cards in every later version.
@pytest.mark.parametrize(
    ("code", "first", "digest"),
    [
        (0, "AC 10C 4C AS 4H | JH JS QS KC AD", "79069ad97d7349f4"),
        (1, "10S KH 2C KS 7C | 8S 5S 9H QH 6H", "4d53759ed1dec450"),
        (7, "10H 4D 4S JS KS | 8C 7D JD 10C 6H", "cfc41bf5a6e29c4f"),
        (2024, "2D 10C 4D JD 5S | 6D 10D QC 4C 3C", "c41a8f74f1e74161"),
        (999_999, "QH 5C JS 10D 10C | JH 9S 4S JC 4H", "6f398ba2759fc5df"),
        (2**53 + 1, "AC 4C 3S 2H 8H | 7C KC 9H 5D 6C", "c26a7a2a85535d64"),
        (2**63 - 1, "10H 4S 2S 5S 3C | 7H 2D 5H 7S 7D", "f1ff4140d386084b"),
    ],
)
def test_deals_that_must_never_change(code: int, first: str, digest: str) -> None:
    stacks = deal(Rules(), code)
    assert " | ".join(text(stack[:5]) for stack in stacks) == first
    whole = " | ".join(map(text, stacks))
    assert sha256(whole.encode()).hexdigest()[:16] == digest


@pytest.mark.parametrize(
    ("code", "first"),
    [(0, "4D 8D AC 6D KS"), (2024, "7H 6C QS 4D KS"), (2**63 - 1, "AD QH QD 9D 4H")],
)
def test_later_shuffles_that_must_never_change(code: int, first: str) -> None:
    assert text(play_stream(code).shuffled(Rules().deck)[:5]) == first


def test_cards_are_dealt_one_at_a_time_and_what_does_not_divide_stays_out() -> None:
    shuffled = deal_stream(2024).shuffled(Rules().deck)
    assert text(shuffled[:6]) == "2D 6D 10C 10D 4D QC"
    stacks = deal(Rules(players=3), 2024)
    assert [text(stack[:2]) for stack in stacks] == ["2D 10D", "6D 4D", "10C QC"]
    assert [*map(len, stacks)] == [17, 17, 17]
    assert text({*shuffled}.difference(*stacks)) == text(shuffled[-1:]) == "8H"


def test_rules_that_only_rank_the_cards_differently_deal_the_same_cards() -> None:
    ace_low = Rules(ranks="A 2 3 4 5 6 7 8 9 10 J Q K", suits="S H D C")
    assert deal(ace_low, 2024) == deal(Rules(), 2024)


@pytest.mark.parametrize("rules", VARIANTS.values(), ids=VARIANTS)
def test_games_do_not_touch_or_use_other_random_numbers(rules: Rules) -> None:
    random.seed(1)
    expected = random.random()
    random.seed(1)
    game = Game(rules, 5).play()
    assert random.random() == expected
    random.seed(2)
    assert Game(rules, 5).play().events == game.events


@given(codes())
def test_a_code_is_itself_as_a_number_and_as_text(code: int) -> None:
    in_threes = f" {code:,} ".replace(",", " ")
    assert [deal_code(code), deal_code(str(code)), deal_code(in_threes)] == [code] * 3


@pytest.mark.parametrize(
    "wrong",
    [
        -1, CODES, 10**400, 2024.0, 0.5, float("nan"), True, False, None, b"7", [7],
        "", " ", "-1", "+7", "7.0", "1e3", "0x10", "7_000", "7,000", "seven", "٧", "７", "²",
        str(CODES), "9" * 31,
    ],
    ids=repr,
)  # fmt: skip
def test_what_is_no_code_is_refused_by_name(wrong: object) -> None:
    value = re.escape(str(wrong)[:50])
    with pytest.raises(ValueError, match=f"^not a deal code: '?{value}"):
        deal_code(wrong)
    if wrong is not None:
        with pytest.raises(ValueError, match="not a deal code"):
            Game(code=wrong)


def test_a_number_that_python_will_not_write_out_is_refused_too() -> None:
    with pytest.raises(ValueError, match="not a deal code: a number of thousands of digits"):
        deal_code(10**5000)
    with pytest.raises(ValueError, match="not a deal code: '9999"):
        deal_code("9" * 5000)


def test_new_codes_have_at_most_six_digits_and_differ() -> None:
    drawn = {new_code() for _ in range(200)}
    assert all(0 <= code < NEW_CODES for code in drawn)
    # Of 200 codes in a million two are alike in one run of fifty, forty never.
    assert len(drawn) > 160
    assert Game().code < NEW_CODES


def test_dealing_and_playing_draw_from_streams_of_their_own() -> None:
    # States that start apart by a multiple of the constant would be one stream, shifted.
    for code in (0, 1, 2024, CODES - 1):
        dealt, played = deal_stream(code), play_stream(code)
        words = {dealt.word() for _ in range(200)}
        assert words.isdisjoint(played.word() for _ in range(200))
    assert len({*islice((deal_stream(code).word() for code in count()), 1000)}) == 1000
