"""Games and single battles, each worked out by hand."""

import re
from typing import Any

import pytest

from war.cards import cards, text
from war.chance import play_stream
from war.game import Game, Outcome, Reason
from war.rules import Pickup
from war.table import Kind


def classic(**answers: object) -> dict[str, object]:
    return {"base": "classic", **answers}


def stacks(game: Game) -> str:
    return " | ".join(text(stack) for stack in game.position.stacks)


def won(game: Game) -> str:
    return " | ".join(text(pile) for pile in game.position.won)


def stake(game: Game) -> str:
    return text(laid.card for laid in game.position.stake)


def told(game: Game) -> list[str]:
    """What happened, an event a line, players from 1."""
    return [
        f"{event.kind} {' '.join(str(seat + 1) for seat in event.seats)}: {text(event.cards)}"
        for event in game.events
    ]


# Three nines; then player 1 hides 2S and shows 4S, player 2 hides 3H and shows 5H, player 3 hides
# 6D and shows 3D. Player 2 takes all nine cards.
@pytest.mark.parametrize(
    ("pickup", "taken"),
    [
        ("winner-first", "9H 3H 5H 9D 6D 3D 9S 2S 4S"),
        ("loser-first", "9D 6D 3D 9S 2S 4S 9H 3H 5H"),
        ("as-laid", "9S 9H 9D 2S 3H 6D 4S 5H 3D"),
        ("alternating", "9H 9D 9S 3H 6D 2S 5H 3D 4S"),
        ("shuffled", text(play_stream(7).shuffled(cards("9S 9H 9D 2S 3H 6D 4S 5H 3D")))),
    ],
)
def test_pick_up_orders_with_three_players(pickup: str, taken: str) -> None:
    rules = classic(players=3, pickup=pickup)
    game = Game(rules, 7, "9S 2S 4S | 9H 3H 5H | 9D 6D 3D").play()
    assert stacks(game) == f" | {taken} | "
    assert game.outcome == Outcome(2, Reason.ALL_CARDS)


# Player 3 has one card after the tie and would need two: it is a spare card, laid last, in a step of
# its own. Players 1 and 2 fight on, and player 2 takes.
@pytest.mark.parametrize(
    ("pickup", "taken"),
    [
        ("winner-first", "9H 3H 5H 9D 6D 9S 2S 4S"),
        ("loser-first", "9D 6D 9S 2S 4S 9H 3H 5H"),
        ("as-laid", "9S 9H 9D 2S 3H 4S 5H 6D"),
        ("alternating", "9H 9D 9S 3H 2S 5H 4S 6D"),
        ("shuffled", text(play_stream(7).shuffled(cards("9S 9H 9D 2S 3H 4S 5H 6D")))),
    ],
)
def test_spare_cards_are_laid_last(pickup: str, taken: str) -> None:
    game = Game(classic(players=3, pickup=pickup), 7, "9S 2S 4S | 9H 3H 5H | 9D 6D").play()
    assert stacks(game) == f" | {taken} | "
    assert told(game)[:4] == [
        "turn 1 2 3: 9S 9H 9D",
        "down 1 2: 2S 3H",
        "up 1 2: 4S 5H",
        "short 3: 6D",
    ]
    # Player 1 was beaten in the war and could lay in it, so the win is one of all cards.
    assert game.outcome == Outcome(2, Reason.ALL_CARDS)


# Player 1 has two cards for a war of three down: one down, the last one up. Player 2 lays in full,
# and the two cards shown lie side by side in the last step.
@pytest.mark.parametrize(
    ("pickup", "taken"),
    [
        ("as-laid", "9S 9H 2S 3H 5H 6H 4S 7H"),
        ("alternating", "9H 9S 3H 2S 5H 6H 7H 4S"),
        ("winner-first", "9H 3H 5H 6H 7H 9S 2S 4S"),
    ],
)
def test_the_last_card_is_the_one_shown(pickup: str, taken: str) -> None:
    rules = classic(down=3, short="last-card", pickup=pickup)
    game = Game(rules, piles="9S 2S 4S | 9H 3H 5H 6H 7H 8H").play()
    assert stacks(game) == f" | 8H {taken}"
    assert told(game)[1:5] == ["down 1 2: 2S 3H", "down 2: 5H", "down 2: 6H", "up 1 2: 4S 7H"]


def test_spare_cards_are_those_of_the_stack_and_then_those_set_aside() -> None:
    rules = classic(down=3, won="aside")
    game = Game(rules, piles="9S 2S | 9H 4H 5H 6H", won=["3S", ""]).play()
    assert told(game) == ["turn 1 2: 9S 9H", "short 1: 2S 3S", "take 2: 9H 9S 2S 3S"]


def test_the_war_of_a_number_down_for_each_rank_is_sized_by_the_tie() -> None:
    # A tie of threes hides two cards, the tie of aces that follows hides none.
    rules = classic(ranks="3 4 5 A", down=[2, 1, 1, 0])
    game = Game(rules, piles="3S 4S 5S AS 5C | 3H 4H 5H AH 4C").play()
    assert told(game) == [
        "turn 1 2: 3S 3H",
        "down 1 2: 4S 4H",
        "down 1 2: 5S 5H",
        "up 1 2: AS AH",
        "up 1 2: 5C 4C",
        "take 1: 3S 4S 5S AS 5C 3H 4H 5H AH 4C",
    ]
    assert game.wars == 2


def test_everybody_fights_or_only_the_tied() -> None:
    # Player 3 turned a four. Where everybody fights, the king it shows in the war takes all.
    piles = "9S 2S 4S | 9H 3H 5H | 4D 6D KD"
    everybody = Game(classic(players=3), piles=piles).play(1)
    assert stacks(everybody) == " |  | 4D 6D KD 9S 2S 4S 9H 3H 5H"
    tied = Game(classic(players=3, fighters="tied"), piles=piles).play(1)
    assert stacks(tied) == " | 9H 3H 5H 4D 9S 2S 4S | 6D KD"
    assert told(tied)[1:3] == ["down 1 2: 2S 3H", "up 1 2: 4S 5H"]


def test_only_those_tied_again_fight_the_second_war() -> None:
    # Sevens of players 1 and 3 tie in the war, player 2 showed a five and fights no more.
    piles = "9S 2S 7S 2H 3S | 9H 3H 5H 8H | 9D 6D 7D 4D 8D"
    game = Game(classic(players=3, fighters="tied"), piles=piles).play(1)
    assert told(game) == [
        "turn 1 2 3: 9S 9H 9D",
        "down 1 2 3: 2S 3H 6D",
        "up 1 2 3: 7S 5H 7D",
        "down 1 3: 2H 4D",
        "up 1 3: 3S 8D",
        "take 3: 9D 6D 7D 4D 8D 9S 2S 7S 2H 3S 9H 3H 5H",
    ]
    assert stacks(game) == " | 8H | 9D 6D 7D 4D 8D 9S 2S 7S 2H 3S 9H 3H 5H"


# Nines of players 1 and 2 tie, both own one card more and would need two: both are out, players 3 and
# 4 go on, and six cards wait on the table. Battle 2 is a five against a seven: player 4 takes them.
# In turn from player 4: its own four and seven; 9S 2S; 9H 3H; 4D 5D.
@pytest.mark.parametrize(
    ("pickup", "taken"),
    [
        ("winner-first", "4C 7C 9S 2S 9H 3H 4D 5D"),
        ("loser-first", "9S 2S 9H 3H 4D 5D 4C 7C"),
        ("as-laid", "9S 9H 4D 4C 2S 3H 5D 7C"),
        ("alternating", "4C 9S 9H 4D 2S 3H 7C 5D"),
    ],
)
def test_a_stake_waits_for_the_next_winner(pickup: str, taken: str) -> None:
    rules = classic(players=4, fighters="tied", pickup=pickup)
    game = Game(rules, piles="9S 2S | 9H 3H | 4D 5D 6D | 4C 7C 8C").play(1)
    assert told(game) == ["turn 1 2 3 4: 9S 9H 4D 4C", "short 1: 2S", "short 2: 3H"]
    assert stake(game) == "9S 9H 4D 4C 2S 3H"
    assert game.counts == (0, 0, 2, 2)
    assert game.outcome is None
    game.battle()
    assert stacks(game) == f" |  | 6D | 8C {taken}"
    assert game.play().outcome == Outcome(4, Reason.ALL_CARDS)
    assert (game.battles, game.wars) == (3, 1)


def test_a_waiting_stake_is_stepped_over_forth_and_back() -> None:
    rules = classic(players=4, fighters="tied")
    game = Game(rules, piles="9S 2S | 9H 3H | 4D 5D 6D | 4C 7C 8C").play(1)
    waiting = game.position
    game.step()
    assert stake(game) == "9S 9H 4D 4C 2S 3H 5D 7C"
    game.step()
    assert stake(game) == ""
    assert game.step_back().step_back().position == waiting


# Nobody can lay, and what then decides. Where a spare card is not laid it stays on its stack.
@pytest.mark.parametrize(
    ("answers", "piles", "outcome", "left", "on_the_table"),
    [
        pytest.param(
            {"players": 3, "down": 2}, "9S 2S 5S | 9H 3H | 4D",
            (1, "short-in-war"), "2S 5S 9S 9H 3H 4D |  | ", "",
            id="the-richest-takes",
        ),
        pytest.param(
            {"players": 3, "down": 2}, "9S 2S | 9H 3H | 4D",
            (None, "equal-shortage"), "2S | 3H | ", "9S 9H 4D",
            id="two-richest-and-no-other-player",
        ),
        pytest.param(
            {"players": 3, "fighters": "tied"}, "9S 2S | 9H 3H | 4D 5D",
            (3, "short-in-war"), " |  | 5D 4D 9S 2S 9H 3H", "",
            id="the-only-other-player-takes",
        ),
        pytest.param(
            {"players": 3, "fighters": "tied"}, "9S | 9H | 4D",
            (3, "short-in-war"), " |  | 4D 9S 9H", "",
            id="the-only-other-player-without-a-card-takes",
        ),
        pytest.param(
            {"players": 4, "fighters": "tied"}, "9S | 9H | 4D | 4C 5C",
            (4, "short-in-war"), " |  |  | 5C 4C 9S 9H 4D", "",
            id="the-only-other-player-with-a-card-takes",
        ),
        pytest.param(
            {"players": 4, "fighters": "tied"}, "9S | 9H | 4D | 4C",
            (None, "equal-shortage"), " |  |  | ", "9S 9H 4D 4C",
            id="two-others-without-a-card",
        ),
        pytest.param(
            {"players": 4, "fighters": "tied"}, "9S 2S | 9H | 4D 5D 6D 7D | 4C",
            None, "2S 9S 9H 4D 4C |  | 5D 6D 7D | ", "",
            id="the-richest-takes-and-goes-on-against-another",
        ),
        # Player 3 is out in the first war and does not come back to win the second.
        pytest.param(
            {"players": 3}, "9S 2S 8S | 9H 3H 8H | 9D",
            (None, "equal-shortage"), " |  | ", "9S 9H 9D 2S 3H 8S 8H",
            id="two-alike-and-another-out-before",
        ),
    ],
)  # fmt: skip
def test_when_nobody_can_lay(
    answers: dict[str, object], piles: str, outcome: Any, left: str, on_the_table: str
) -> None:
    game = Game(classic(**answers), piles=piles).play(1)
    assert game.outcome == outcome
    assert stacks(game) == left
    assert stake(game) == on_the_table


def test_who_owns_no_card_after_a_battle_is_out() -> None:
    # 1: king beats five and four, player 3 is out. 2: 2S loses to 3H. 3: king beats three.
    # 4: five beats two.
    game = Game(classic(players=3), piles="KS 2S | 5H 3H | 4D")
    after = []
    while game.battle():
        after.append(stacks(game))
    assert after == [
        "2S KS 5H 4D | 3H | ",
        "KS 5H 4D | 3H 2S | ",
        "5H 4D KS 3H | 2S | ",
        "4D KS 3H 5H 2S |  | ",
    ]
    assert [event.seats for event in game.events if event.kind is Kind.TURN] == [(0, 1, 2)] + [
        (0, 1)
    ] * 3
    assert game.outcome == Outcome(1, Reason.ALL_CARDS)


def test_who_cannot_lay_in_a_war_of_everybody_is_out_even_if_not_tied() -> None:
    # Player 3 turned a lower four and has nothing left for the war of players 1, 2 and 4.
    game = Game(classic(players=4), piles="9S 2S 4S 2H | 9H 3H 5H 8H | 4D | 9C 2D KC 2C").play(1)
    assert told(game) == [
        "turn 1 2 3 4: 9S 9H 4D 9C",
        "down 1 2 4: 2S 3H 2D",
        "up 1 2 4: 4S 5H KC",
        "short 3: ",
        "take 4: 9C 2D KC 9S 2S 4S 9H 3H 5H 4D",
    ]
    assert game.outcome is None
    assert game.counts == (1, 1, 0, 11)
    assert [event.seats for event in game.play(1).events[5:6]] == [(0, 1, 3)]


# Player 1 owns the two cards won before and nothing else when the fives tie.
def test_a_won_pile_is_shuffled_in_the_middle_of_a_war() -> None:
    game = Game("house", 0, "5S | 5H 2H 3H", ["9S 8S", ""]).play()
    shuffled = play_stream(0).shuffled(cards("9S 8S"))
    assert told(game) == [
        "turn 1 2: 5S 5H",
        f"shuffle 1: {text(shuffled)}",
        f"down 1 2: {shuffled[0]} 2H",
        f"up 1 2: {shuffled[1]} 3H",
        f"take 1: 5S {text(shuffled)} 5H 2H 3H",
    ]
    assert won(game) == f"5S {text(shuffled)} 5H 2H 3H | "


def test_won_piles_are_shuffled_in_seat_order_with_one_stream() -> None:
    game = Game("house", 5, "5S | 5H", ["9S 8S 7S", "2H 3H 4H"]).play()
    stream = play_stream(5)
    first = stream.shuffled(cards("9S 8S 7S"))
    second = stream.shuffled(cards("2H 3H 4H"))
    assert told(game)[1:3] == [f"shuffle 1: {text(first)}", f"shuffle 2: {text(second)}"]


def test_a_won_pile_is_shuffled_when_a_card_is_needed_and_never_earlier() -> None:
    game = Game("house", 3, "KS | 2H 3H", ["4S 5S", ""]).play(1)
    assert told(game) == ["turn 1 2: KS 2H", "take 1: KS 2H"]
    assert (stacks(game), won(game)) == (" | 3H", "4S 5S KS 2H | ")
    event = game.step()
    assert event
    assert (str(event.kind), event.seats, {*event.cards}) == (
        "shuffle", (0,), {*cards("4S 5S KS 2H")},
    )  # fmt: skip


def test_a_won_pile_of_one_card_uses_no_random_number() -> None:
    # Player 2's single card comes back first; player 1's two cards then get the stream's first order.
    game = Game("house", 11, "KS | 2H", ["4S", "3H"]).play(1)
    assert (stacks(game), won(game)) == (" | ", "4S KS 2H | 3H")
    game.play(1)
    order = text(play_stream(11).shuffled(cards("4S KS 2H")))
    assert told(game)[2:4] == [f"shuffle 1: {order}", "shuffle 2: 3H"]
    single = Game("house", 11, "KS | 2H 5H", ["", "3H"]).play(1)
    assert told(single.play(1))[2] == f"shuffle 1: {text(play_stream(11).shuffled(cards('KS 2H')))}"


def test_split_gives_everybody_the_own_card_back() -> None:
    game = Game(classic(players=3, tie="split"), piles="9S 2S | 9H 3H | 4D 5D").play(1)
    assert told(game) == ["turn 1 2 3: 9S 9H 4D", "return 1 2 3: 9S 9H 4D"]
    assert stacks(game) == "2S 9S | 3H 9H | 5D 4D"
    assert game.wars == 0


@pytest.mark.parametrize(
    ("answers", "piles", "outcome"),
    [
        # A war that runs in the last battle is finished: seven to one.
        ({"cap": 1}, "9S 4D KH 2C | 9C 6S 7D 3H", (None, "battle-limit")),
        ({"cap": 1, "at_cap": "more-cards"}, "9S 4D KH 2C | 9C 6S 7D 3H", (1, "more-cards")),
        # Two to two.
        ({"cap": 2, "at_cap": "more-cards"}, "KS 2S | 3H 4H", (None, "battle-limit")),
        # Two players own three cards each, the third none: nobody owns more than everybody else.
        (
            {"cap": 2, "at_cap": "more-cards", "players": 3},
            "KS 2S | 5H KH 3H | 4D",
            (None, "battle-limit"),
        ),
        # A win in the last allowed battle is a win.
        ({"cap": 1, "at_cap": "more-cards"}, "KS | 2H", (1, "all-cards")),
        ({"cap": 1, "at_cap": "more-cards"}, "9S | 9H", (None, "equal-shortage")),
    ],
)
def test_at_the_cap(answers: dict[str, object], piles: str, outcome: tuple[Any, str]) -> None:
    game = Game(classic(**answers), piles=piles).play()
    assert game.outcome == outcome


@pytest.mark.parametrize(
    ("rules", "piles", "won", "sentence"),
    [
        ("classic", "9H | KS | 2C", None, "2 players need as many piles, not 3"),
        ("three-players", "9H | KS", None, "3 players need as many piles, not 2"),
        ("house", "9H | KS", ["2C"], "2 players need as many won piles, not 1"),
        ("classic", "9H 2C | KS 9H", None, "9H is there twice"),
        ("classic", "9H 9h | KS", None, "9H is there twice"),
        ("house", "9H | KS", ["", "9H"], "9H is there twice"),
        ("classic", "1H | KS", None, "1H is not in this deck"),
        (classic(suits="C D"), "9C | 8H", None, "8H is not in this deck"),
        ("classic", "9H | ", None, "player 2 has no cards"),
        ("three-players", "9H | | 2C", None, "player 2 has no cards"),
        ("house", "9H | KS | ", None, "2 players need as many piles, not 3"),
        ("classic", "9H | KS", ["2C", ""], "these rules set no cards aside, but a won pile has 2C"),
        ("classic", "9H | 2X", None, "not a card: '2X' (cards are written like 9H, 10D or KS)"),
        ("classic", 7, None, "piles are a list with one pile for each player, not 7"),
        ("classic", [7, "9H"], None, "not a pile of cards: 7"),
        ("classic", None, ["2C", ""], "won piles need piles beside them"),
    ],
)
def test_what_is_no_position_is_refused(rules: Any, piles: Any, won: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        Game(rules, piles=piles, won=won)


def test_whoever_owns_set_aside_cards_alone_is_in_the_game() -> None:
    game = Game("house", piles=" | KS", won=["2C", ""]).play()
    assert told(game) == ["shuffle 1: 2C", "turn 1 2: 2C KS", "take 2: KS 2C"]


def test_without_a_record_there_is_no_way_back_and_no_single_event() -> None:
    game = Game(code=1, record=False).play(10)
    for move in (game.step, game.back, game.step_back, lambda: game.go_to(3)):
        with pytest.raises(ValueError, match="keeps no events"):
            move()
    assert game.battles == 10
    assert game.go_to(12).battles == 12


def test_hand_built_piles_and_a_deal_of_the_same_cards_play_alike() -> None:
    dealt = Game("house", 2024).play()
    built = Game("house", 2024, piles=dealt.start.stacks).play()
    assert built.events == dealt.events
    # Another code shuffles the same piles otherwise.
    assert Game("house", 2025, piles=dealt.start.stacks).play().events != dealt.events


def test_the_code_of_piles_is_nought_and_that_of_a_deal_is_new() -> None:
    assert Game(piles="9H | KS").code == 0
    assert len({Game().code for _ in range(20)}) > 15


def test_back_at_the_start_stays_there() -> None:
    game = Game(piles="9H 2C KS | 9D 3C 7S")
    assert game.back().step_back().go_to(-3).position == game.start
    game.play()
    assert game.go_to(0).battles == 0
    assert game.position == game.start


def test_events_of_a_battle_and_of_none() -> None:
    game = Game(piles="KS QS | 3H 2H").play()
    assert [text(event.cards) for event in game.events_of(2)] == ["QS 2H", "QS 2H"]
    assert game.events_of(0) == game.events_of(3) == ()
    assert game.events_of(1) + game.events_of(2) == game.events


def test_a_shuffled_order_is_written_in_the_event() -> None:
    game = Game({"base": "classic", "pickup": Pickup.SHUFFLED}, 4).play(1)
    taken = game.events[-1].cards
    assert game.position.stacks[game.events[-1].seats[0]][-len(taken) :] == taken


def test_any_moment_can_be_sought_and_none_beyond_the_end() -> None:
    game = Game(piles="9H 2C KS 4S | 9D 3C 7S 4D")
    assert stake(game.seek(3)) == "9H 9D 2C 3C KS 7S"
    assert stake(game.seek(1)) == "9H 9D"
    assert game.seek(4).battles == 1
    # Battle 2 ties the last card of player 2: turn, its missing spare cards, take.
    with pytest.raises(ValueError, match="there is no event 9: the game ends after 7"):
        game.seek(9)
