"""What the lab says of the games it has played: counts, intervals, tables, JSON, and each game again."""

import json
from collections import Counter
from functools import partial
from math import isnan, sqrt
from statistics import mean, stdev
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import war
from tests import strategies  # noqa: F401 (every run draws the same examples)
from war.cards import text
from war.chance import CODES
from war.game import Game, Reason
from war.lab import (
    Summary,
    by_holding,
    compare,
    endless,
    kernel,
    lead,
    search_endless,
    simulate,
)
from war.lab.chunks import Task, play_chunk, tally_of
from war.lab.questions import hold_chunk, lead_chunk, pair_chunk
from war.lab.summary import count_chunk, task_of
from war.lab.tally import average, deviation, percentile, share
from war.rules import Rules
from war.variants import VARIANTS

AS_LAID = {"base": "open-ended", "pickup": "as-laid"}
FOUR_ACES: list[Any] = ["AC AD AH AS", None]
counters = st.dictionaries(st.integers(0, 900), st.integers(1, 50), min_size=1).map(Counter)


def test_wilsons_interval_is_the_one_in_the_books() -> None:
    # Newcombe, "Two-sided confidence intervals for the single proportion" (Statistics in Medicine 17,
    # 1998), table I, method 3.
    for some, of, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        found = share(some, of)
        assert (round(found.low, 4), round(found.high, 4)) == (low, high)
        assert found.part == some / of
    assert share(0, 0)[1:] == (0, 1)
    assert isnan(share(0, 0).part)


@given(counters, st.floats(0.1, 100))
def test_a_percentile_is_the_value_of_nearest_rank(counts: Counter[int], percent: float) -> None:
    values = sorted(counts.elements())
    at_least = next(
        value for place, value in enumerate(values, 1) if place * 100 >= percent * len(values)
    )
    assert percentile(counts, percent) == at_least


@given(counters)
def test_means_and_deviations_are_those_of_the_values(counts: Counter[int]) -> None:
    values = list(counts.elements())
    found = average(counts)
    assert found.mean == pytest.approx(mean(values))
    if len(values) > 1:
        assert found.se == pytest.approx(stdev(values) / sqrt(len(values)))
    if len(counts) > 1:
        assert deviation(counts).mean == pytest.approx(float(np.std(values)))


@given(st.sampled_from([*VARIANTS.values()]), st.integers(0, 2**40), st.integers(1, 11))
@settings(max_examples=25)
def test_parts_add_up_exactly_in_whatever_pieces(rules: Rules, seed: int, cut: int) -> None:
    task, games = Task(rules, seed), 12
    whole = tally_of(play_chunk(task, 0, games))
    assert whole.endings.total() == whole.games == games
    assert whole.lengths.total() + whole.periods.total() == games
    measures: list[Any] = [
        partial(count_chunk, task),
        partial(hold_chunk, task, ["A", "K"]),
        partial(pair_chunk, [task, task]),
    ]
    if rules.players == 2:
        measures.append(partial(lead_chunk, task, [1, 50]))
    for measure in measures:
        one, other = measure(0, cut), measure(cut, games - cut)
        assert one + other == other + one == measure(0, games)


def agrees(task: Task, games: int) -> None:
    """Each game of a simulation is the same game when the readable engine plays it."""
    rows = play_chunk(task, 0, games).results
    for number, row in enumerate(rows.tolist()):
        game = task.game(number)
        first = game.play(1).wars
        game.play()
        assert game.outcome
        assert game.code == task.code(number)
        cycle = game.cycle or (0, 0)
        assert row[kernel.BATTLES] == game.battles
        assert row[kernel.WARS] == game.wars
        assert row[kernel.WINNER] == (game.outcome.winner or 0)
        assert kernel.REASONS[row[kernel.REASON]] == game.outcome.reason
        assert row[kernel.FIRST_WARS] == first
        assert (row[kernel.CYCLE_START], row[kernel.CYCLE_PERIOD]) == cycle


@pytest.mark.parametrize("name", VARIANTS)
def test_any_game_of_a_simulation_can_be_opened(name: str) -> None:
    task = task_of(name, 7)
    agrees(task, 4)
    # Ordinary deals may be opened by their code alone.
    assert task.game(3).start == Game(name, task.code(3)).start


@pytest.mark.parametrize(
    "how",
    [
        {"hands": FOUR_ACES},
        {"hands": ["2C 3C 4C", "AC KC"]},
        {"sizes": [26, 25]},
        {"sizes": [1, 51]},
        {"sizes": [30, 5]},
        {"rules": "three-players", "sizes": [18, 17, 17]},
        {"rules": "three-players", "hands": ["AC AD", None, "KC KD KH KS"]},
        {"rules": "house", "sizes": [10, 20]},
        {"rules": "four-players", "sizes": [1, 2, 3, 4]},
        {"rules": {"base": "open-ended", "ranks": "2 3 4"}, "sizes": [5, 4]},
    ],
    ids=str,
)
def test_and_so_can_those_of_certain_hands_and_sizes(how: dict[str, Any]) -> None:
    task = task_of(how.get("rules", "classic"), 11, how.get("sizes"), how.get("hands"))
    agrees(task, 4)
    dealt = task.game(0).start.stacks
    if "sizes" in how:
        assert [*map(len, dealt)] == how["sizes"]
    else:
        for hand, stack in zip(how["hands"], dealt, strict=True):
            assert hand is None or set(hand.split()) == set(text(stack).split())
    assert task.game(0).start != task.game(1).start or len(dealt[0]) == 1


def test_a_summary_says_what_its_games_say() -> None:
    summary = simulate("house", 60, seed=5, progress=False)
    games = [summary.game(number).play() for number in range(60)]
    lengths = [game.battles for game in games]
    outcomes = [game.outcome for game in games if game.outcome]
    assert summary.battles.mean == pytest.approx(mean(lengths))
    assert summary.wars.mean == pytest.approx(mean(game.wars for game in games))
    assert [summary.wins(player) for player in (0, 1, 2)] == [
        sum((outcome.winner or 0) == player for outcome in outcomes) for player in (0, 1, 2)
    ]
    for reason in Reason:
        assert summary.ended(reason).part == mean(outcome.reason is reason for outcome in outcomes)
    capped = [
        game.battles == 300 and str(game.outcome[1]) in ("more-cards", "battle-limit")
        for game in games
        if game.outcome
    ]
    assert summary.reach_cap.part == mean(capped)
    assert summary.shortest == (min(lengths), lengths.index(min(lengths)))
    assert summary.longest == (max(lengths), lengths.index(max(lengths)))
    assert summary.tally.depths.total() == sum(lengths)
    assert sum(ties * n for ties, n in summary.tally.depths.items()) == sum(
        game.wars for game in games
    )
    assert summary.columns()["battles"] == sorted(set(lengths))


def test_games_that_never_end_are_counted_apart() -> None:
    summary = simulate(AS_LAID, 20, seed=3, progress=False)
    games = [summary.game(number).play() for number in range(20)]
    ended = [game for game in games if not game.cycle]
    assert 0 < len(ended) < 20
    assert summary.endless.part == 1 - len(ended) / 20
    assert summary.battles.mean == pytest.approx(mean(game.battles for game in ended))
    assert summary.beyond(500).part == mean(
        bool(game.cycle) or game.battles > 500 for game in games
    )
    assert summary.tally.periods == Counter(game.cycle.period for game in games if game.cycle)
    assert [*summary.tally.endless] == [number for number, game in enumerate(games) if game.cycle][
        :10
    ]


def test_where_no_game_ends_there_is_no_length_and_the_summary_still_prints() -> None:
    # A two, shuffled by itself, against a nine, with ties split: nobody ever wins a card.
    rules = {"base": "open-ended", "ranks": "9", "suits": "C D", "tie": "split"}
    summary = simulate(rules, 5, progress=False)
    assert summary.endless.part == 1
    assert summary.median is summary.longest is summary.shortest is None
    record = json.loads(summary.to_json())
    assert record["battles"] == dict.fromkeys(record["battles"])
    assert Summary.from_json(summary.to_json()) == summary
    assert "endless" in repr(summary)
    assert "endless" in summary._repr_html_()


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"rules": "three-players"},
        {"rules": AS_LAID},
        {"rules": "house", "hands": FOUR_ACES},
        {"rules": {"base": "house", "down": [*range(13)], "cap": None}, "sizes": [20, 10]},
        {"games": 1},
    ],
    ids=str,
)
def test_a_summary_goes_to_json_and_back(how: dict[str, Any]) -> None:
    summary = simulate(**{"games": 30, "seed": CODES - 1, "progress": False, **how})
    again = Summary.from_json(summary.to_json())
    assert again == summary
    assert again.to_json() == summary.to_json()
    record = json.loads(summary.to_json())
    assert record["version"] == war.__version__
    assert record["generator"] == "splitmix64-63"
    assert sum(record["results"].values()) == sum(record["reasons"].values()) == record["games"]
    assert {"mean", "se", "median", "p5", "p95", "p99", "min", "max"} <= set(record["battles"])
    assert {"mean", "se", "max"} <= set(record["wars"])
    assert {"rules", "seed", "seconds", "games_per_second"} <= set(record)
    # Codes may be larger than the numbers of other languages, so they are text.
    assert Game("classic", record["longest"]["code"]).code == summary.task.code(
        record["longest"]["game"]
    )


@pytest.mark.parametrize(
    "written", ["", "7", "[]", "{}", '{"generator": "dice"}', '{"generator": "splitmix64-63"}']
)
def test_what_is_no_summary_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match=r"not a summary|unknown generator"):
        Summary.from_json(written)


def results() -> list[Any]:
    how: dict[str, Any] = {"games": 50, "seed": 7, "progress": False}
    return [
        simulate("classic", **how),
        compare(["classic", "house", AS_LAID], **how),
        by_holding("classic", "A K", **how),
        lead("classic", [10, 500, 600], **how),
        search_endless(AS_LAID, **how),
    ]


def test_every_result_prints_itself_in_text_and_as_a_table_and_goes_to_json() -> None:
    for result in results():
        grid = result.grid()
        lines = repr(result).splitlines()
        assert len(lines) == 1 + bool(grid.head) + len(grid.rows)
        html = result._repr_html_()
        assert html.count("<tr>") == len(lines) - 1
        assert html.count('scope="row"') == len(grid.rows)
        record = json.loads(result.to_json())
        assert (record["games"], record["seed"], record["version"]) == (50, 7, war.__version__)
        lengths = {len(column) for column in result.columns().values()}
        assert len(lengths) == 1


def test_rules_are_compared_deal_by_deal() -> None:
    comparison = compare(["classic", "house", AS_LAID], 25, seed=2, progress=False)
    games = [[summary.game(i).play() for i in range(25)] for summary in comparison.summaries]
    assert all(a.start == b.start == c.start for a, b, c in zip(*games, strict=True))
    for one, other in ((0, 1), (1, 0), (0, 2), (1, 2)):
        pairs = [*zip(games[one], games[other], strict=True)]
        longer = [b.battles - a.battles for a, b in pairs if not (a.cycle or b.cycle)]
        wins = [_wins(b) - _wins(a) for a, b in pairs]
        for found, values in (
            (comparison.battles(other, one), longer),
            (comparison.wins(other, one), wins),
        ):
            assert found.mean == pytest.approx(mean(values))
            assert found.se == pytest.approx(stdev(values) / sqrt(len(values)))
    with pytest.raises(ValueError, match="two of the 3 rules"):
        comparison.battles(3)


def _wins(game: Game) -> int:
    assert game.outcome
    return int(game.outcome.winner == 1)


def test_pairs_know_the_difference_better_than_two_simulations_apart() -> None:
    comparison = compare(["classic", {"cap": 400}], 2000, progress=False)
    one, other = comparison.summaries
    assert comparison.battles(1).se < sqrt(one.battles.se**2 + other.battles.se**2) / 2


def test_sums_of_the_longest_games_do_not_overflow() -> None:
    from war.lab.questions import sums_of

    assert sums_of(np.full(3, 10**9)).squares == 3 * 10**18
    assert sums_of(np.full(30, 10**9)).squares == 3 * 10**19


def test_what_player_1_holds_is_what_was_dealt() -> None:
    holdings = by_holding("classic", "K A", 80, seed=4, progress=False)
    task = task_of("classic", 4)
    cells: dict[tuple[int, int], list[Any]] = {}
    for number in range(80):
        game = task.game(number)
        ranks = [card.rank for card in game.start.stacks[0]]
        outcome = game.play().outcome
        assert outcome
        cells.setdefault((ranks.count("K"), ranks.count("A")), []).append(outcome.winner)
    for cell in holdings.cells:
        winners = cells.pop(cell.held)  # type: ignore[arg-type]
        decided = [winner for winner in winners if winner]
        assert (cell.games, cell.decided) == (len(winners), len(decided))
        assert cell.won[1:] == share(decided.count(1), len(decided))[1:]
    assert not cells
    two = holdings.within("A", 2)
    assert two.ranks == ("K",)
    assert sum(cell.games for cell in two.cells) == holdings.only("A").cell(2).games
    with pytest.raises(ValueError, match="not about 'Q'"):
        holdings.within("Q", 2)


def test_the_leader_is_who_owns_more_cards() -> None:
    leads = lead("classic", [1, 60, 500], 50, seed=9, progress=False)
    task = task_of("classic", 9)
    stood: dict[int, list[tuple[int, int]]] = {1: [], 60: [], 500: []}
    changes = []
    for number in range(50):
        game, ahead, changed = task.game(number), 0, 0
        while game.battle():
            one, two = game.counts
            now = 1 if one > two else 2 if two > one else 0
            changed += bool(now and ahead and now != ahead)
            ahead = now or ahead
            if game.battles in stood and not game.outcome:
                stood[game.battles].append((now, number))
        changes.append(changed)
    for battles, games in stood.items():
        found = leads.ahead(battles)
        assert found.finished == 50 - len(games)
        assert found.even == sum(not who for who, _ in games)
        assert found.led == sum(bool(who) for who, _ in games)
        outcomes = [(who, task.game(number).play().outcome) for who, number in games if who]
        decided = [(who, end.winner) for who, end in outcomes if end and end.winner]
        assert found.decided == len(decided)
        assert found.wins[1:] == share(sum(w == e for w, e in decided), len(decided))[1:]
    assert leads.changes.mean == pytest.approx(mean(changes))
    with pytest.raises(ValueError, match="asked about 1, 60, 500, not 7"):
        leads.ahead(7)


@pytest.mark.parametrize(
    "rules",
    [AS_LAID, {"ranks": "1 2 3", "pickup": "as-laid"}, {"ranks": "2 3 4 5 6", "suits": "S"}],
)
def test_a_search_brings_home_deals_that_never_end(rules: dict[str, Any]) -> None:
    search = search_endless(rules, 300, seed=1, progress=False)
    assert search.tally.games == 300
    for found in search.found:
        assert endless(rules, found.piles) == endless(rules, found.code) == found.cycle
        assert found.cycle.period in search.tally.periods
    assert bool(search.found) is bool(search.endless.part)
    assert len(search.found) == min(10, search.tally.periods.total())


def test_a_deal_is_asked_about_by_code_cards_or_ranks() -> None:
    deal = "2S 4S | 5H 3H"
    assert endless(AS_LAID, deal) == endless(AS_LAID, ["2S 4S", "5H 3H"]) == (2, 4)
    assert endless(AS_LAID, "2 4 | 5 3") == (2, 4)
    assert endless("classic", "20 24") is endless("classic", 2024) is None


BAD: list[tuple[Any, dict[str, Any], str]] = [
    (simulate, {"games": -5}, "games is a whole number from 1 to 1,000,000,000,000, not -5"),
    (simulate, {"games": 0}, "not 0"),
    (simulate, {"games": 2.5}, "not 2.5"),
    (simulate, {"games": True}, "not True"),
    (simulate, {"games": "many"}, "not 'many'"),
    (simulate, {"games": 10**13}, "not 10000000000000"),
    (simulate, {"threads": 0}, "threads is a whole number from 1 to 256, not 0"),
    (simulate, {"seed": -1}, "not a deal code: -1"),
    (simulate, {"seed": "x"}, "not a deal code: 'x'"),
    (simulate, {"rules": "bridge"}, "unknown rules: 'bridge'"),
    (simulate, {"rules": {"colour": "red"}}, "unknown rule: 'colour'"),
    (simulate, {"sizes": [26]}, "2 players need as many sizes, not 1"),
    (simulate, {"sizes": [26, 27]}, "a deck of 52 has no 53 cards to deal"),
    (simulate, {"sizes": [26, 0]}, "from 1 on, not 0"),
    (simulate, {"sizes": "26 26"}, "sizes are a list"),
    (simulate, {"hands": ["AC", "AC"]}, "AC is there twice"),
    (simulate, {"hands": [None, None]}, "only one player can get the rest"),
    (simulate, {"hands": ["AC"]}, "one entry for each player"),
    (simulate, {"hands": ["", None]}, "player 1 has no cards"),
    (simulate, {"hands": FOUR_ACES, "sizes": [4, 48]}, "nothing left for sizes"),
    (simulate, {"hands": ["1C", None]}, "1C is not in this deck"),
    (simulate, {"dask": 7}, "the address of a scheduler or a client, not 7"),
    (simulate, {"dask": "banana"}, "no Dask scheduler answers at 'banana'"),
    (simulate, {"dask": "tcp://127.0.0.1:1"}, "no Dask scheduler answers at 'tcp://127.0.0.1:1'"),
    (compare, {"rules": "classic"}, "a list of two or more, not 'classic'"),
    (compare, {"rules": ["classic"]}, "a list of two or more, not of 1"),
    (compare, {"rules": ["classic", "three-players"]}, "do not deal the same cards"),
    (compare, {"rules": ["classic", {"ranks": "2 3"}]}, "do not deal the same cards"),
    (by_holding, {"ranks": "1"}, "'1' is no rank of this deck"),
    (by_holding, {"ranks": "A A"}, "rank A is there twice"),
    (by_holding, {"ranks": ""}, "name a rank"),
    (lead, {"after": [0]}, "after is a whole number from 1"),
    (lead, {"after": []}, "not an empty one"),
    (lead, {"after": 100}, "not 100"),
    (search_endless, {"rules": "house"}, "house shuffles cards"),
    (endless, {"rules": "three-players", "deal": 1}, "shuffles cards"),
    (endless, {"rules": "classic", "deal": "2 Z | 3"}, "'Z' is no rank of this deck"),
    (endless, {"rules": "classic", "deal": "2 2 2 2 | 2"}, "only 4 of rank 2"),
    (endless, {"rules": "classic", "deal": "x"}, "not a deal code: 'x'"),
]


@pytest.mark.parametrize(
    ("call", "how", "complaint"), BAD, ids=[f"{call.__name__}-{how}"[:60] for call, how, _ in BAD]
)
def test_what_is_wrong_is_said_in_one_sentence(
    call: Any, how: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(ValueError, match=r"^[^\n]*$") as caught:
        call(**how)
    assert complaint in str(caught.value)
