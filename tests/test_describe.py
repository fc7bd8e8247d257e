"""What is said about a game: the agreed wording, and what no sentence may do."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import Start, starts
from war import VARIANTS, Game
from war.describe import (
    headline,
    highlights,
    history,
    lead_changes,
    moment,
    of_battles,
    of_outcome,
    of_stake,
    rule_in_force,
    rules_in_words,
    seat_names,
)
from war.rules import Rules


def spoken(rules: object, *piles: str, battles: int | None = None) -> str:
    return moment(Game(rules, piles=piles).play(battles)).spoken


def test_a_battle() -> None:
    assert spoken("classic", "KS 2C", "7H 3C", battles=1) == (
        "Battle 1. King of spades against seven of hearts. You win 2 cards. You 3, computer 1."
    )


def test_a_war() -> None:
    assert spoken("classic", "9S 4D KH 2C", "9C 6S 7D 3H", battles=1) == (
        "Battle 1. Nine against nine: war. One card each face down. King against seven. "
        "You win 6 cards. You 7, computer 1."
    )


def test_a_war_that_one_is_too_short_for() -> None:
    assert spoken("classic", "9S 4D", "9H 5C 6D 7S") == (
        "Battle 1. Nine against nine: war. But you have 1 card left and need 2. "
        "You are out and add 1 spare card. The computer wins 3 cards. You 0, computer 6. "
        "Game over after 1 battle. The computer wins: you had fewer cards for the war."
    )


@given(starts(), st.integers(0, 30), st.integers(2, 10))
def test_a_summary_is_one_sentence_of_at_most_25_words(
    start: Start, before: int, battles: int
) -> None:
    game = Game(**start).play(before)
    first = game.battles + 1
    summary = of_battles(game.play(battles), first)
    if game.battles > first:
        assert len(summary.shown.split()) <= 25
        assert summary.spoken == f"{summary.shown} {of_outcome(game)}".rstrip()


@pytest.mark.parametrize("rules", VARIANTS)
@pytest.mark.parametrize("code", range(5))
def test_each_ten_battles_of_a_round_are_told_in_at_most_25_words(rules: str, code: int) -> None:
    game = Game(rules, code)
    while not game.outcome:
        first = game.battles + 1
        summary = of_battles(game.play(10), first).shown
        if game.battles > first:
            assert summary.startswith(f"Battles {first} to {game.battles}: ")
            assert len(summary.split()) <= 25


def test_a_summary_adds_up() -> None:
    game = Game({"base": "four-players", "tie": "split"}, 1).play(40)
    rows = list(history(game))[30:]
    won = [row.winner for row in rows]
    assert of_battles(game, 31).shown == (
        f"Battles 31 to 40: you won {won.count(0)}, the others {10 - won.count(0) - won.count(None)}, "
        f"nobody {won.count(None)}, no wars. You: {game.counts[0]}, computer 1: {game.counts[1]}, "
        f"computer 2: {game.counts[2]}, computer 3: {game.counts[3]}."
    )
    assert 0 < won.count(None) < 10


def test_the_wording_of_a_summary_for_two() -> None:
    game = Game(code=2024).play(13).play(10)
    text = of_battles(game, 14).spoken
    assert re.fullmatch(
        r"Battles 14 to 23: you won \d+, computer \d+, (no|\d+) wars?\. You \d+, computer \d+\.",
        text,
    )
    assert len(text.split()) <= 25


def test_the_end_by_all_cards() -> None:
    assert of_outcome(Game(piles=["KS 2S", "QH"]).play()) == (
        "Game over after 1 battle. You win: the computer has no cards left."
    )


def test_the_end_at_the_limit() -> None:
    game = Game({"cap": 1}, piles=["KS QS", "3H 2H"]).play()
    assert of_outcome(game) == "Game over: draw after 1 battle. You 3, computer 1."
    more = Game({"cap": 1, "at_cap": "more-cards"}, piles=["KS QS", "3H 2H"]).play()
    assert of_outcome(more) == (
        "Game over after 1 battle. You win: most cards at the limit. You 3, computer 1."
    )


def test_the_end_that_never_comes() -> None:
    game = Game("open-ended", piles=["5S JS 6S 2S 4S", "7H 9H 3H 10H 8H"]).play()
    assert of_outcome(game) == (
        "Game over: draw after 103 battles. "
        "It would never end: from battle 43 on it repeats every 60 battles."
    )


def test_a_shrunk_war_says_why() -> None:
    assert "You have only 2 left, so each lays 2." in spoken(
        "house", "5S 2S 9S", "5H 3H 9H", battles=1
    )


def test_a_name_takes_the_third_person() -> None:
    game = Game(piles=["KS 2C", "7H 3C"]).play(1)
    assert moment(game, ("Ada", "Bo")).shown == "Ada's king beats the seven: Ada takes 2 cards."


def test_no_card_is_named_while_it_lies_face_down() -> None:
    game = Game(piles=["9H 2C KS", "9D 3C 7S"]).seek(2)
    said = " ".join(moment(game))
    assert "two" not in said.lower()
    assert "three" not in said.lower()


@given(starts(), st.integers(1, 6))
def test_every_moment_has_sentences_that_say_one_thing(start: Start, battles: int) -> None:
    """Whole sentences, never the same news twice in a row, and nobody wins and loses at once."""
    game = Game(**start)
    before = ""
    for _ in range(battles):
        while game.step():
            shown, said = moment(game)
            for text in (shown, said):
                assert text.endswith((".", "!"))
                assert not re.search(r"  |\{|\}|None|\b1 cards\b|\b(you) (has|wins|needs)\b", text)
            assert said != before
            before = said
            if not game.mid_battle:
                break
    over = of_outcome(game)
    if game.outcome:
        assert over.startswith("Game over")
        winner = game.outcome.winner
        assert ("draw" in over) == (winner is None)
        if winner:
            name = seat_names(game.rules.players)[winner - 1].lower()
            why = over.rsplit(":", 1)[1]
            # Whoever wins is named before the colon; what is said of others stands after it.
            assert name not in why.lower() or "most cards" in over
        assert headline(game).endswith("!")
        assert all(line.endswith(".") for line in highlights(game))
    else:
        assert over == headline(game) == ""


@given(starts(), st.integers(0, 6))
def test_history_adds_up(start: Start, battles: int) -> None:
    game = Game(**start).play(battles)
    rows = list(history(game))
    assert [row.battle for row in rows] == list(range(1, game.battles + 1))
    assert sum(row.wars for row in rows) == game.wars
    if rows:
        assert rows[-1].counts == game.counts
    for row in rows:
        if row.winner is not None:
            assert row.taken >= 1


def test_the_stake_is_counted_and_its_taker_named() -> None:
    game = Game(piles=["9H 2C KS", "9D 3C 7S"])
    assert of_stake(game) == ""
    assert of_stake(game.seek(3)) == "6 cards on the table"
    assert of_stake(game.seek(4), ("Ada", "Bo")) == "Ada took 6 cards"


@pytest.mark.parametrize(
    ("rules", "piles", "battles", "force"),
    [
        ("classic", ("KS 2C", "7H 3C"), 1, "higher"),
        ("classic", ("9H 2C KS", "9D 3C 7S"), 1, "war"),
        ("classic", ("9S 4D", "9H 5C 6D 7S"), 1, "short"),
        ("classic", ("9S", "9H"), 1, "short"),
        ({"cap": 1}, ("KS QS", "3H 2H"), 1, "cap"),
    ],
)
def test_the_rule_in_force(rules: object, piles: tuple[str, ...], battles: int, force: str) -> None:
    game = Game(rules, piles=piles).play(battles)
    assert rule_in_force(game) == force
    assert force in rules_in_words(game.rules)


def test_rules_in_words_follow_the_rules() -> None:
    assert rules_in_words(Rules(down=3))["war"] == (
        "A tie is a war: three cards face down, one face up."
    )
    assert "cap" not in rules_in_words(Rules(cap=None))
    assert "short" not in rules_in_words(Rules(tie="split"))  # type: ignore[arg-type]


def test_being_level_changes_no_lead() -> None:
    assert lead_changes([(27, 25), (26, 26), (25, 27), (26, 26), (25, 27)]) == 1
    assert lead_changes([]) == 0


def test_two_turns_of_faces_in_a_row_are_told_one_after_the_other() -> None:
    """A war of aces by the house rules lays nothing face down."""
    game = Game("house", piles=["AS AC 4S", "AH AD 9H"]).play(1)
    assert moment(game).shown == (
        "War! Ace against ace. Ace against ace. "
        "The computer's nine beats your four: the computer takes 6 cards."
    )


@pytest.mark.parametrize("code", range(12))
def test_whole_rounds_are_told_by_the_house_rules(code: int) -> None:
    game = Game("house", code)
    while game.step():
        assert all(moment(game))


def test_a_stake_that_waits_is_said_to() -> None:
    waiting = Game(
        {"base": "four-players", "fighters": "tied"}, piles=["9S", "9H", "5C 6C 7C", "4C 3D 2D"]
    ).play(1)
    assert waiting.position.stake
    assert "The cards stay on the table." in moment(waiting).spoken


def test_a_shrunk_war_lights_the_rule_of_the_short() -> None:
    game = Game("house", piles=["6S 2S 3S KS", "6H 4H 5H 9H 2H 3H 7H 8H"]).play(1)
    assert rule_in_force(game) == "short"


def test_several_tie_by_name() -> None:
    game = Game("four-players", piles=["4S 2S", "9H 3H", "9C 6C", "9D 2D"]).play(1)
    assert "Computer 1, computer 2 and computer 3 tie with nines." in moment(game).shown
