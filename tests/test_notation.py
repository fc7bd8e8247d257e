"""Games written down and read again."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import Start, starts
from war import Game
from war.notation import from_json, from_record, from_text, to_json, to_record, to_text


@given(starts(), st.integers(0, 4), st.integers(0, 30))
def test_both_forms_lead_back_to_the_same_game_and_moment(
    start: Start, battles: int, back: int
) -> None:
    game = Game(**start).play(battles)
    game.seek(max(game.at - back, 0))
    for again in (from_json(to_json(game)), from_text(to_text(game))):
        assert (again.rules, again.code, again.start) == (game.rules, game.code, game.start)
        assert (again.position, again.at, again.wars) == (game.position, game.at, game.wars)
        assert again.played == game.played
        assert again.outcome == game.outcome
        assert to_record(again) == to_record(game)


def test_a_dealt_game_needs_its_code_alone() -> None:
    game = from_json('{"war": 1, "rules": "house", "deal": "2024"}')
    assert game.position == Game("house", 2024).position
    assert game.dealt


def test_the_code_is_text_that_no_browser_rounds() -> None:
    code = 2**63 - 1
    assert json.loads(to_json(Game(code=code)))["deal"] == str(code)


PLAYED = to_record(Game(piles=["9H 2C KS", "9D 3C 7S"]).play())


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"war": 2}, "2"),
        ({"war": None}, "None"),
        ({"rules": "bridge"}, "bridge"),
        ({"deal": "-1"}, "-1"),
        ({"piles": ["9H 2C KS", "9H 3C 7S"]}, "9H"),
        ({"at": 5}, "5"),
        ({"at": True}, "True"),
        ({"at": "2"}, "'2'"),
        ({"events": 7}, "7"),
        ({"events": [*PLAYED["events"], PLAYED["events"][-1]]}, "event 5"),
        ({"events": [PLAYED["events"][1]]}, "event 1"),
        ({"extra": 1}, "extra"),
    ],
)
def test_a_record_that_the_rules_do_not_lead_to_is_refused(
    change: dict[str, object], complaint: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(complaint)) as error:
        from_record(PLAYED | change)
    assert len(str(error.value)) < 300


TEXT = to_text(Game(piles=["9H 2C KS", "9D 3C 7S"]).play())


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "''"),
        ("Chess, notation 1", "Chess"),
        (TEXT.replace("notation 1", "notation 9"), "9"),
        (TEXT.replace("9H 2C KS |", "9H 2C QS |"), "event 3"),
        (TEXT.replace("1:KS 2:7S", "1:QS 2:7S"), "1:QS"),
        (TEXT.replace("At: 4", "At: 9"), "9"),
        (TEXT.replace("At: 4", "At: four"), "four"),
        (TEXT.replace("Deal: 0", "Deal: 0\nDeal: 1"), "Deal: 1"),
        (TEXT.replace('"classic"', "classic"), "JSON"),
        (TEXT + "and so on", "and so on"),
    ],
)
def test_a_text_that_says_otherwise_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=re.escape(complaint)) as error:
        from_text(text)
    assert len(str(error.value)) < 300


@pytest.mark.parametrize(
    "line",
    ["", "{", "[" * 100_000, '{"war": NaN}', '{"war": 1, "war": 1}', '{"war": ' + "9" * 5000 + "}"],
)
def test_what_is_no_json_of_a_game_is_refused_in_a_sentence(line: str) -> None:
    with pytest.raises(ValueError, match=r"not JSON|too large|twice") as error:
        from_json(line)
    assert 10 < len(str(error.value)) < 200
    assert "\n" not in str(error.value)
