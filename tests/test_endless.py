"""Games that never end, and the proof of it: the least start and the least period."""

import tracemalloc
from collections.abc import Callable

import pytest

from tests.strategies import with_suits
from war.cards import Card
from war.game import Cycle, Game, Outcome, Reason, find_cycle
from war.rules import Rules

ELEVEN = Rules(ranks=[*map(str, range(1, 12))], cap=None)
AS_LAID = ELEVEN.change(pickup="as-laid")

# Michael Z. Spivey, "Cycles in War" (Integers 10, 2010): one suit of 52 ranks.
SPIVEY_RULES = Rules(ranks=[*map(str, range(1, 53))], suits="S", cap=None)
SPIVEY = (
    "27 7 52 46 45 26 44 25 24 6 51 43 42 23 41 22 21 5 50 40 39 20 38 19 18 4 |"
    "37 17 36 16 15 3 49 35 34 14 33 13 12 2 48 32 31 11 30 10 9 1 47 29 28 8"
)


def first_repeat(rules: Rules, piles: object, look: Callable[[Card], str]) -> Cycle:
    """The same by brute force: play under a cap, keep every position, and see which comes back."""
    game = Game(rules.change(cap=1000), piles=piles)
    seen: dict[object, int] = {}
    while True:
        now = tuple(tuple(map(look, stack)) for stack in game.position.stacks)
        if now in seen:
            return Cycle(seen[now], game.battles - seen[now])
        seen[now] = game.battles
        assert game.battle(), f"no position came back: {game.outcome}"


def by_rank(card: Card) -> str:
    return card.rank


@pytest.mark.parametrize(
    ("rules", "piles", "cycle"),
    [
        pytest.param(AS_LAID, "2 1 3 1 3 2 | 1 2 1 3 2 3", Cycle(0, 6), id="twelve-as-laid"),
        pytest.param(ELEVEN, "5 11 6 2 4 | 7 9 3 10 8", Cycle(43, 60), id="ten-winner-first"),
        pytest.param(
            ELEVEN,
            "4 3 2 1 2 3 5 1 5 5 | 4 4 3 4 1 5 2 3 2 1",
            Cycle(9, 16),
            id="twenty-winner-first",
        ),
        # 2 9 | 9 2, then 9 | 2 9 2, then 9 2 | 9 2, and from there two ties for ever.
        pytest.param(ELEVEN.change(tie="split"), "2 9 | 9 2", Cycle(2, 2), id="split"),
        pytest.param(ELEVEN.change(tie="split"), "9 | 9", Cycle(0, 1), id="split-at-once"),
    ],
)
def test_small_decks_that_go_round_for_ever(rules: Rules, piles: str, cycle: Cycle) -> None:
    laid = with_suits(piles)
    assert find_cycle(rules, Game(rules, piles=laid).start) == cycle
    assert first_repeat(rules, laid, by_rank) == cycle
    game = Game(rules, piles=laid)
    for battle in range(1, sum(cycle)):
        game.battle()
        assert game.outcome is None, battle
    game.battle()
    assert game.outcome == Outcome(None, Reason.ENDLESS)
    assert game.battle() == []


def test_by_its_very_cards_the_deck_of_twenty_takes_three_times_as_long() -> None:
    laid = with_suits("4 3 2 1 2 3 5 1 5 5 | 4 4 3 4 1 5 2 3 2 1")
    assert first_repeat(ELEVEN, laid, str).period == 48


def test_spiveys_deal_is_proved_endless_in_less_than_a_megabyte() -> None:
    piles = with_suits(SPIVEY, "S")
    tracemalloc.start()
    try:
        game = Game(SPIVEY_RULES, piles=piles, record=False).play()
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert game.cycle == Cycle(0, 31_920)
    assert game.outcome == Outcome(None, Reason.ENDLESS)
    assert (game.battles, game.wars) == (31_920, 0)
    assert most < 1_000_000


@pytest.mark.parametrize("code", range(5))
def test_a_game_that_ends_has_no_cycle(code: int) -> None:
    game = Game("open-ended", code).play()
    assert game.cycle is None
    assert game.outcome
    assert game.outcome.winner


def test_a_game_with_a_cap_is_played_to_the_cap_and_not_asked() -> None:
    capped = Game(ELEVEN.change(cap=5), piles=with_suits("9 2 | 2 9")).play()
    assert capped.cycle is None


@pytest.mark.parametrize("answers", [{"pickup": "shuffled"}, {"won": "aside"}], ids=str)
def test_where_cards_are_shuffled_nothing_is_proved(answers: dict[str, str]) -> None:
    game = Game({"base": "open-ended", **answers}, 3)
    assert game.cycle is None
    with pytest.raises(ValueError, match="shuffle"):
        find_cycle(game.rules, game.start)
    assert game.play().outcome
    assert game.outcome != Outcome(None, Reason.ENDLESS)
