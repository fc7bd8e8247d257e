"""The kernel plays what the engine plays, event by event, whatever the rules and whoever plays."""

from itertools import combinations, pairwise, permutations, product

import numba
import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tests.kernel_games import NOT_NOTED, Told, arguments, by_engine, by_kernel
from tests.strategies import Start, rules, starts
from war import VARIANTS, Card, Game, Rules
from war.cards import LABELS
from war.lab import kernel
from war.lab.chunks import Task, play_chunk
from war.rules import CHOICES, AtCap, Fighters, Pickup, Short, Tie, Won

#: Games that go on longer have to be looked at by fewer eyes.
MOST_BATTLES = 3000


def agree(game: Game) -> Told:
    """Both play the game, and tell the same of it."""
    told = by_engine(game)
    # The search for a repeat goes ahead, and writes all over again once it has found one.
    assert by_kernel(game, 4 * len(told.rows) + 1000) == told
    return told


def test_bounds_are_checked() -> None:
    assert numba.config.BOUNDSCHECK
    game = Game(code=1)
    results, depths = np.zeros((1, kernel.COLUMNS), np.int64), np.zeros(0, np.int64)
    with pytest.raises(IndexError):
        kernel.play_games(
            *arguments(game),
            results,
            depths,
            *NOT_NOTED,
            np.zeros((0, 6), np.int64),
            kernel.new_scratch(),
        )


@settings(max_examples=1500)
@given(starts())
def test_the_kernel_and_the_engine_have_the_same_events(start: Start) -> None:
    assume("won" not in start)
    agree(Game(**start))


@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_has_the_same_events(name: str) -> None:
    for code in range(12):
        agree(Game(name, code))


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("pickup", Pickup)
def test_whole_decks_have_the_same_events(players: int, pickup: Pickup) -> None:
    for code, (won, short, fighters) in enumerate(product(Won, Short, Fighters)):
        down = tuple((code + rank) % 5 for rank in range(13))
        agree(
            Game(
                Rules(
                    players=players,
                    pickup=pickup,
                    won=won,
                    short=short,
                    fighters=fighters,
                    down=down,
                ),
                code,
            )
        )


@pytest.mark.parametrize("short", Short)
@pytest.mark.parametrize("tie", Tie)
def test_all_deals_of_six_cards_by_all_rules_of_two(tie: Tie, short: Short) -> None:
    for fighters, won, pickup, at_cap in product(Fighters, Won, Pickup, AtCap):
        asked = Rules(
            ranks="1 2 3", suits="C D", tie=tie, fighters=fighters, short=short, won=won,
            pickup=pickup, at_cap=at_cap, cap=12,
        )  # fmt: skip
        for code, deck in enumerate(permutations(asked.deck)):
            # Suits never decide (a test of its own says so): one order of the two of a rank will do.
            if all(deck.index(low) < deck.index(high) for low, high in _pairs(asked)):
                agree(Game(asked, code, [deck[::2], deck[1::2]]))


def _pairs(asked: Rules) -> list[tuple[object, object]]:
    return list(zip(asked.deck[:3], asked.deck[3:], strict=True))


@pytest.mark.parametrize("short", Short, ids=str)
@pytest.mark.parametrize("fighters", Fighters, ids=str)
@pytest.mark.parametrize(("players", "downs"), [(3, (0, 1)), (4, (1,))])
def test_all_wars_of_more_players_with_eight_cards(
    players: int, downs: tuple[int, ...], fighters: Fighters, short: Short
) -> None:
    for down in downs:
        asked = Rules(
            players=players, ranks="2 3", down=down, fighters=fighters, short=short, cap=6
        )
        for threes in combinations(range(8), 4):
            left = {rank: list(asked.suits) for rank in asked.ranks}
            pack = [
                Card(rank, left[rank].pop())
                for rank in ("3" if place in threes else "2" for place in range(8))
            ]
            for cut in combinations(range(1, 8), players - 1):
                agree(Game(asked, 7, [pack[start:end] for start, end in pairwise((0, *cut, 8))]))


def test_the_largest_deck_has_the_same_events() -> None:
    for players in (2, 3, 4):
        agree(Game(Rules(ranks=LABELS, players=players, cap=300), 1))
    # One battle with as many ties as there can be.
    even = Rules(ranks=LABELS, down=0)
    one, two = (
        [card for card in even.deck if card.suit in suits] for suits in (("C", "D"), ("H", "S"))
    )
    told = agree(Game(even, 0, [one, two]))
    assert told.wars == 206


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("players", 3), ("players", 4), ("ranks", ("A", *map(str, range(2, 11)), "J", "Q", "K")),
        ("suits", ("C", "D", "H")), ("down", 3), ("down", (*range(1, 13), 0)), ("cap", None),
        *((name, value) for name, kind in CHOICES.items() for value in list(kind)[1:]),
    ],
)  # fmt: skip
def test_every_answer_changes_some_games(field: str, value: object) -> None:
    # Two who tie are everybody, and few of two are ever short: three meet all questions.
    base = Rules(players=3, cap=200) if field in CHOICES else Rules()
    assert changed_games(base, base.change(**{field: value}), 300) > 0


def changed_games(base: Rules, other: Rules, games: int) -> int:
    """How many games of the same codes two sets of rules play in different ways."""
    results = [play_chunk(Task(each), 0, games).results for each in (base, other)]
    return int((results[0] != results[1]).any(axis=1).sum())


@settings(max_examples=100)
@given(rules(), st.integers(0, 2**63 - 1), st.integers(1, 5))
@example(Rules(), 7, 3)
def test_games_of_a_simulation_are_those_of_their_codes(
    asked: Rules, seed: int, number: int
) -> None:
    task = Task(asked, seed)
    row = play_chunk(task, number, 1).results[0]
    game = task.game(number).play()
    assert game.outcome
    assert (row[kernel.BATTLES], row[kernel.WARS]) == (game.battles, game.wars)
    assert row[kernel.WINNER] == (game.outcome.winner or 0)
