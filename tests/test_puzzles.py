"""The puzzles: every kind of right solution is taken, and a near miss is told what it misses."""

from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from war import CLASSIC, Card
from war.cards import RANKS, text
from war.lesson.puzzles import PUZZLES, Puzzle, check, find_puzzle, is_solved

#: Thirteen ties in one battle use up the deck: the same ranks in the same order.
SAME = " ".join(f"{rank}{{0}} {rank}{{1}}" for rank in RANKS)
#: One card more on each side, and kings lay all of their thirteen.
KINGS_WAR = "KS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS AS"

#: The higher half of the deck against the lower one.
BY_STRENGTH = sorted(CLASSIC.deck, key=CLASSIC.strength.__getitem__)
HIGH, LOW = text(BY_STRENGTH[:25:-1]), text(BY_STRENGTH[25::-1])


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.name)
def test_a_puzzle_has_a_solution_and_hints(puzzle: Puzzle) -> None:
    verdict = check(puzzle.name, puzzle.solution)
    assert verdict.solved, verdict.told
    assert verdict.told.startswith("Solved! ")
    assert verdict.game
    assert len(puzzle.hints) == 3
    assert is_solved(puzzle.name, *puzzle.solution.split(" | "))


def test_there_are_the_five_puzzles() -> None:
    assert {puzzle.name for puzzle in PUZZLES} == {
        "endless", "shortest", "unbeaten", "shortage", "war-of-twelve",
    }  # fmt: skip
    with pytest.raises(ValueError, match="there is no puzzle 'solitaire'"):
        find_puzzle("solitaire")


# --- right solutions of many kinds --------------------------------------------------------------


def goes_round(mine: tuple[int, ...], theirs: tuple[int, ...]) -> bool:
    """Whether a game of different ranks taken up as laid never ends, by a few lines of its own."""
    seen = set()
    while mine and theirs:
        if (mine, theirs) in seen:
            return True
        seen.add((mine, theirs))
        pair = (mine[0], theirs[0])
        mine, theirs = mine[1:], theirs[1:]
        if pair[0] > pair[1]:
            mine += pair
        else:
            theirs += pair
    return False


def test_every_endless_deck_of_four_ranks_is_taken_and_no_other() -> None:
    taken = 0
    for ranks in combinations((2, 7, 9, 10), 4):
        for order in permutations(ranks):
            for cut in (1, 2, 3):
                piles = [
                    " ".join(f"{rank}S" for rank in order[:cut]),
                    " ".join(f"{rank}D" for rank in order[cut:]),
                ]
                endless = goes_round(order[:cut], order[cut:])
                assert check("endless", piles).solved == endless, piles
                taken += endless
    assert taken == 16


@settings(deadline=None)
@given(st.data())
def test_high_cards_against_low_ones_are_never_beaten(data: st.DataObject) -> None:
    low = data.draw(st.integers(1, len(RANKS) - 1))
    higher = [card for card in CLASSIC.deck if card.rank in RANKS[low:]]
    lower = [card for card in CLASSIC.deck if card.rank in RANKS[:low]]
    each = data.draw(st.integers(3, min(len(higher), len(lower))))
    mine = data.draw(st.permutations(higher))[:each]
    theirs = data.draw(st.permutations(lower))[:each]
    assert check("unbeaten", [text(mine), text(theirs)]).solved
    verdict = check("unbeaten", [text(theirs), text(mine)])
    assert verdict.told == "Not yet: player 1 loses battle 1."


@settings(deadline=None)
@given(st.permutations(RANKS), st.integers(1, 13), st.booleans())
def test_ties_until_the_cards_are_gone_are_a_draw(
    ranks: list[str], ties: int, hidden_last: bool
) -> None:
    mine, theirs = [], []
    for rank in ranks[:ties]:
        mine += [Card(rank, "S"), Card(rank, "C")]
        theirs += [Card(rank, "H"), Card(rank, "D")]
    if not hidden_last:
        mine, theirs = mine[:-1], theirs[:-1]
    assert check("shortage", [text(mine), text(theirs)]).solved


@settings(deadline=None)
@given(st.permutations(RANKS), st.integers(0, 11))
def test_two_battles_end_in_many_ways(ranks: list[str], at: int) -> None:
    # Ties everywhere but where two hidden cards change places with two that fight.
    suits = [("S", "C"), ("H", "D")]
    mine, theirs = ([f"{rank}{suit}" for rank in ranks for suit in pair] for pair in suits)
    deeper = 2 * at + 2
    mine[deeper], mine[deeper - 1] = mine[deeper - 1], mine[deeper]
    verdict = check("shortest", [" ".join(mine), " ".join(theirs)])
    assert verdict.game
    assert verdict.solved == (verdict.game.outcome.winner is not None and verdict.game.battles == 2)
    assert verdict.solved, verdict.told


@pytest.mark.parametrize(
    "piles",
    [
        # Queens at once, with more cards than needed; in a later battle; kings with twelve left.
        "QS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS KS AS 2C | QH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH AH KH 2D",
        "AS QS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS KS | KD QH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH AH 9D 8D",
        "KS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS AS | KH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH QD 2D 3D",
    ],
)
def test_a_war_of_twelve_comes_about_in_more_than_one_way(piles: str) -> None:
    assert check("war-of-twelve", piles).solved


def test_piles_are_read_however_they_are_written() -> None:
    assert check("endless", "2s, 4♠ | 5h   3♥").solved
    assert check("endless", ["2S 4S", "5H 3H"]).solved
    assert check("shortage", "10S|TH").solved


# --- near misses --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("puzzle", "piles", "told"),
    [
        ("endless", "2S 4S 3S | 5H 3H", "Four cards are wanted in all, and 5 are laid."),
        ("endless", "2S 3S | 4H 5H", "Not yet: this one does end. Player 2 wins after 2 battles."),
        ("endless", "2S 4S | 2S 3H", "2S is there twice."),
        ("endless", "2S 4S |", "Player 2 has no cards yet."),
        ("endless", "2S 4S 5H 3H", "Two piles are needed, with | between them."),
        ("endless", "2S 4S | 5H | 3H", "Two piles are needed, with | between them."),
        ("endless", "2S 4S | 5H 1H", "1H is not in this deck."),
        (
            "endless",
            "2S 4S | 5H joker",
            "Not a card: 'joker' (cards are written like 9H, 10D or KS).",
        ),
        ("endless", "2S " * 999, "This is more text than 52 cards need."),
        ("unbeaten", "AS KS | 2H 3H", "At least 3 cards each are wanted, not 2."),
        (
            "unbeaten",
            "AS KS QS | 2H 3H",
            "Both players need as many cards: here it is 3 against 2.",
        ),
        ("unbeaten", "AS KS 2S | 3H 4H QH", "Not yet: player 1 loses battle 3."),
        (
            "unbeaten",
            "9S KS AS | 9H 2H AH",
            "Not yet: player 1 has not won. It is a draw after 1 battle.",
        ),
        (
            "shortage",
            "9S 4D KS | 9H 5C 2C",
            "Not yet: this is no draw. Player 1 wins after 1 battle.",
        ),
        ("shortage", "9S 4D | 9H 5C 6C", "Not yet: this is no draw. Player 2 wins after 1 battle."),
        (
            "shortage",
            "5S JS 6S 2S 4S | 7H 9H 3H 10H 8H",
            "Not yet: this is a draw because 500 battles are over, not for want of cards.",
        ),
        ("shortest", "AS KS | 2H 3H", "26 cards each are wanted, not 2 and 2."),
        (
            "shortest",
            f"{SAME.format('S', 'C')} | {SAME.format('H', 'D')}",
            "Not yet: nobody wins. It is a draw after 1 battle.",
        ),
        ("shortest", f"{HIGH} | {LOW}", "Not yet: this takes 26 battles, not two."),
        ("war-of-twelve", "2S | 3H", "Not yet: no two cards tie in this round."),
        ("war-of-twelve", "QS | QH", "Not yet: two cards tie, but nobody can lay a war."),
        (
            "war-of-twelve",
            "QS 2S 3S | QH 2H 4H",
            "Not yet: the biggest war here has 2 cards each.",
        ),
        # Jacks make eleven, and kings thirteen where both own enough.
        (
            "war-of-twelve",
            "JS 2S 3S 4S 5S 6S 7S 8S 9S 10S QS KS | JH 2H 3H 4H 5H 6H 7H 8H 9H 10H QH AH",
            "Not yet: the biggest war here has 11 cards each.",
        ),
        (
            "war-of-twelve",
            f"{KINGS_WAR} 2C | {KINGS_WAR.replace('S', 'H')} 2D",
            "Not yet: the biggest war here has 13 cards each.",
        ),
    ],
)
def test_a_near_miss_is_told_what_it_misses(puzzle: str, piles: str, told: str) -> None:
    verdict = check(puzzle, piles)
    assert not verdict.solved
    assert verdict.told == told


@settings(deadline=None)
@given(st.sampled_from(PUZZLES), st.text(alphabet="23TJQKA♠SHDC |\n,é{}<", max_size=60))
def test_whatever_is_typed_gets_one_sentence(puzzle: Puzzle, piles: str) -> None:
    verdict = check(puzzle.name, piles)
    assert verdict.told
    assert verdict.told[0].isupper() or not verdict.told[0].isalpha()
    assert verdict.told.endswith((".", ")."))
    assert "\n" not in verdict.told
