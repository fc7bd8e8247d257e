"""What holds for every game by every rules, on games that hypothesis draws, and on all tiny ones."""

import random
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from itertools import combinations, pairwise, product

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from tests.agreement import engine, second
from tests.strategies import Start, codes, starts
from war.cards import SUITS, Card
from war.game import Game, Reason
from war.rules import AtCap, Fighters, Pickup, Rules, Short, Tie, Won
from war.table import Event, Position


def played_in_steps(game: Game) -> tuple[list[Event], list[Position]]:
    """All events of a game, and the positions before the first and after each of them."""
    events, positions = [], [game.position]
    while happened := game.step():
        events.append(happened)
        positions.append(game.position)
    return events, positions


def all_cards(position: Position) -> Counter[Card]:
    """How often each card lies somewhere: on a stack, on a won pile or on the table."""
    there = Counter(laid.card for laid in position.stake)
    for pile in (*position.stacks, *position.won):
        there.update(pile)
    return there


def owned(position: Position) -> tuple[int, ...]:
    return tuple(len(s) + len(w) for s, w in zip(position.stacks, position.won, strict=True))


@given(starts())
def test_the_cards_are_all_there_once_each_after_every_event(start: Start) -> None:
    _, positions = played_in_steps(Game(**start))
    dealt = all_cards(positions[0])
    assert set(dealt.values()) == {1}
    for position in positions:
        assert all_cards(position) == dealt


@given(starts(), starts(), st.integers())
def test_the_same_code_plays_the_same_game_whatever_goes_on_beside_it(
    start: Start, other: Start, seed: int
) -> None:
    straight = Game(**start).play()
    again, beside = Game(**start), Game(**other)
    while again.battle():
        random.seed(seed)
        beside.battle()
    assert again.events == straight.events
    assert again.outcome == straight.outcome
    assert again.position == straight.position


@given(starts())
def test_what_a_game_is_given_is_never_changed(start: Start) -> None:
    given_before = deepcopy(start)
    game = Game(**start).play()
    game.go_to(0).play()
    assert start == given_before


@given(starts())
def test_two_games_and_their_callers_share_nothing(start: Start) -> None:
    game, other = Game(**start), Game(**start)
    at_start = other.position
    while happened := game.battle():
        happened.clear()
    for pile in (*start.get("piles", ()), *start.get("won", ())):
        pile.clear()
    assert other.position == at_start
    assert other.play().events == game.events


@given(starts())
def test_step_back_undoes_each_event_exactly(start: Start) -> None:
    game = Game(**start)
    events, positions = played_in_steps(game)
    # Going back replays from the deal, so the whole way back of a long game would take for ever.
    far = max(0, len(events) - 60)
    for at in range(len(events) - 1, far - 1, -1):
        game.step_back()
        assert game.position == positions[at]
        assert game.events == tuple(events[:at])
        assert game.outcome is None
    assert played_in_steps(game) == (events[far:], positions[far:])


@given(starts(), st.integers(0, 60), st.integers(0, 60))
def test_any_battle_back_and_forth_is_as_it_was(start: Start, there: int, back: int) -> None:
    game = Game(**start)
    moments = [(game.position, game.wars, game.battles, game.outcome)]
    while game.battle():
        moments.append((game.position, game.wars, game.battles, game.outcome))
    events, last = game.events, len(moments) - 1
    for battle in (there, back, there, last):
        game.go_to(battle)
        reached = min(battle, last)
        assert (game.position, game.wars, game.battles, game.outcome) == moments[reached]
        assert not game.mid_battle
        if reached:
            if game.step_back().mid_battle:
                game.back()
            assert (game.position, game.wars, game.battles) == moments[reached - 1][:3]
    assert game.play().events == events
    assert (game.position, game.wars, game.battles, game.outcome) == moments[-1]


@given(starts(), st.data())
def test_however_the_steps_fall_the_game_is_the_same(start: Start, data: st.DataObject) -> None:
    straight, game = Game(**start).play(), Game(**start)
    ways: list[Callable[[], object]] = [game.step, game.battle, game.back, game.step_back]
    for way in data.draw(st.lists(st.sampled_from(range(4)), max_size=25)):
        ways[way]()
        assert game.events == straight.events[: game.at]
    assert game.play().events == straight.events
    assert game.wars == straight.wars
    assert game.outcome == straight.outcome


@given(starts())
def test_the_end_is_seen_at_once_and_nothing_happens_after_it(start: Start) -> None:
    game = Game(**start)
    cap = game.rules.cap
    while not game.outcome:
        assert sum(map(bool, owned(game.position))) > 1
        assert cap is None or game.battles < cap
        assert game.battle()
    end = game.position, game.events, game.battles, game.outcome
    assert game.battle() == []
    assert game.step() is None
    game.play().play(10).go_to(game.battles + 10)
    assert (game.position, game.events, game.battles, game.outcome) == end


@given(starts())
def test_every_outcome_has_its_reason(start: Start) -> None:
    game = Game(**start).play()
    assert game.outcome
    winner, reason = game.outcome
    event(reason)
    counts, rules = owned(game.position), game.rules
    if reason in (Reason.ALL_CARDS, Reason.SHORT_IN_WAR):
        assert winner
        assert not game.position.stake
        assert counts[winner - 1] == sum(counts)
    elif reason is Reason.MORE_CARDS:
        assert winner
        assert rules.at_cap is AtCap.MORE_CARDS
        assert counts[winner - 1] > sorted(counts)[-2]
    else:
        assert winner is None
    if reason in (Reason.MORE_CARDS, Reason.BATTLE_LIMIT):
        assert game.battles == rules.cap
    if reason is Reason.BATTLE_LIMIT and rules.at_cap is AtCap.MORE_CARDS:
        assert sorted(counts)[-2] == max(counts)
    if reason is Reason.EQUAL_SHORTAGE:
        assert game.position.stake
    if reason is Reason.ENDLESS:
        assert game.cycle
        assert rules.cap is None
        assert game.battles == sum(game.cycle)


@given(starts())
def test_a_game_without_events_comes_to_the_same_end(start: Start) -> None:
    game, quick = Game(**start).play(), Game(**start, record=False).play()
    assert quick.events == ()
    assert (quick.position, quick.wars, quick.battles, quick.outcome) == (
        game.position,
        game.wars,
        game.battles,
        game.outcome,
    )


@given(starts(), st.permutations(SUITS))
def test_suits_never_decide(start: Start, others: list[str]) -> None:
    in_place_of = dict(zip(SUITS, others, strict=True))

    def swapped(piles: tuple[tuple[Card, ...], ...]) -> list[list[Card]]:
        return [[Card(card.rank, in_place_of[card.suit]) for card in pile] for pile in piles]

    game = Game(**start)
    rules = game.rules.change(suits=[in_place_of[suit] for suit in game.rules.suits])
    piles, won = swapped(game.start.stacks), swapped(game.start.won)
    same = Game(rules, game.code, piles, won if any(won) else None)
    assert same.play().outcome == game.play().outcome
    assert swapped(tuple(event.cards for event in game.events)) == [
        [*event.cards] for event in same.events
    ]


@settings(max_examples=40)
@given(codes())
def test_parity_of_classic(code: int) -> None:
    # A battle moves 1 + 2 · wars cards from one player to the other, which is odd.
    game = Game("open-ended", code)
    while not game.outcome:
        game.battle()
        if not game.outcome or game.outcome.reason is Reason.ALL_CARDS:
            assert {count % 2 for count in owned(game.position)} == {game.battles % 2}
    if game.outcome.reason is Reason.ALL_CARDS:
        assert game.battles % 2 == 0


@settings(max_examples=600)
@given(starts(), st.none() | st.integers(0, 30))
def test_a_second_opinion_agrees(start: Start, battles: int | None) -> None:
    found = engine(start, battles)
    event(f"{found['reason']}, {start['rules'].players} players")
    assert found == second(start, battles)


def all_deals(players: int) -> list[list[tuple[Card, ...]]]:
    """All ways to lay out a two and a three for each player; suits only tell cards apart."""
    size = 2 * players
    packs = []
    for threes in combinations(range(size), players):
        suits = {"2": iter(SUITS), "3": iter(SUITS)}
        ranks = ("3" if place in threes else "2" for place in range(size))
        packs.append(tuple(Card(rank, next(suits[rank])) for rank in ranks))
    cuts = [(0, *inner, size) for inner in combinations(range(1, size), players - 1)]
    return [[pack[start:end] for start, end in pairwise(cut)] for pack in packs for cut in cuts]


@pytest.mark.parametrize("short", Short, ids=str)
@pytest.mark.parametrize("tie", Tie, ids=str)
def test_all_games_of_two_with_four_cards(tie: Tie, short: Short) -> None:
    deals = all_deals(2)
    assert len(deals) == 18
    downs, caps = (0, 1, (2, 0)), (1, 3, None)
    for fighters, won, pickup, at_cap, cap, down in product(
        Fighters, Won, Pickup, AtCap, caps, downs
    ):
        answers = {
            "ranks": "2 3", "suits": "C D", "down": down, "tie": tie, "fighters": fighters,
            "short": short, "won": won, "pickup": pickup, "cap": cap, "at_cap": at_cap,
        }  # fmt: skip
        shuffles = won is Won.ASIDE or pickup is Pickup.SHUFFLED
        if tie is Tie.SPLIT and shuffles and cap is None:
            with pytest.raises(ValueError, match="could go on for ever"):
                Rules(**answers)
            continue
        rules = Rules(**answers)
        for deal in deals:
            start = {"rules": rules, "code": 7, "piles": deal}
            assert engine(start) == second(start), start


# With more players it is the wars that differ: who fights, who is short, who is left.
@pytest.mark.parametrize("short", Short, ids=str)
@pytest.mark.parametrize("fighters", Fighters, ids=str)
@pytest.mark.parametrize(("players", "number", "downs"), [(3, 200, (0, 1, 2)), (4, 2450, (0, 1))])
def test_all_wars_of_more_players(
    players: int, number: int, downs: tuple[int, ...], fighters: Fighters, short: Short
) -> None:
    deals = all_deals(players)
    assert len(deals) == number
    for down in downs:
        rules = Rules(
            players=players, ranks="2 3", down=down, fighters=fighters, short=short, cap=6
        )
        for deal in deals:
            start = {"rules": rules, "code": 7, "piles": deal}
            assert engine(start) == second(start), start
