"""Positions in, results out, a line each."""

import io
import json
import re
from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from war.cli import main
from war.replay import played, replay

NINES = {"rules": "classic", "piles": ["9H 2C KS", "9D 3C 7S"]}


def test_every_key_of_a_result() -> None:
    assert played(NINES) == {
        "result": "win",
        "winner": 1,
        "reason": "all-cards",
        "battles": 1,
        "wars": 1,
        "piles": ["9H 2C KS 9D 3C 7S", ""],
        "won": ["", ""],
        "stake": "",
        "counts": [6, 0],
    }


def test_the_start_and_an_unfinished_game() -> None:
    start = played(NINES | {"battles": 0})
    assert (start["result"], start["battles"]) == ("unfinished", 0)
    assert start["piles"] == NINES["piles"]
    assert start["winner"] is start["reason"] is None


def test_a_draw_leaves_the_stake_on_the_table() -> None:
    end = played({"rules": "classic", "piles": ["9S 4D", "9H 5C"]})
    assert (end["result"], end["reason"], end["stake"]) == ("draw", "equal-shortage", "9S 9H")
    assert end["piles"] == ["4D", "5C"]


def test_an_endless_game_has_its_start_and_period() -> None:
    end = played({"rules": "open-ended", "piles": ["5S JS 6S 2S 4S", "7H 9H 3H 10H 8H"]})
    assert (end["reason"], end["start"], end["period"]) == ("endless", 43, 60)


def test_any_field_changes_and_null_is_no_cap() -> None:
    rules = {"base": "house", "cap": None, "down": {"2": 1, "A": 0}, "ranks": ["2", "A"]}
    assert played({"rules": rules, "deal": 5, "battles": 1})["battles"] == 1


def test_a_deal_beside_piles_seeds_the_shuffles_alone() -> None:
    rules = {"base": "classic", "pickup": "shuffled", "cap": 3}
    piles = ["KS QS JS 9S", "3H 2H 4H 5H"]
    ends = [played({"rules": rules, "piles": piles, "deal": code})["piles"] for code in range(20)]
    assert len({json.dumps(end) for end in ends}) > 1
    assert played({"rules": rules, "piles": piles}) == played(
        {"rules": rules, "piles": piles, "deal": 0}
    )


def test_won_piles_are_given_and_told_oldest_first() -> None:
    start = {"rules": "house", "piles": ["KS", "3H"], "won": ["", "2D 3D"], "battles": 0}
    assert played(start)["won"] == ["", "2D 3D"]
    assert played(start)["counts"] == [1, 3]


@pytest.mark.parametrize(
    ("request_", "complaint"),
    [
        (7, "7"),
        ([], "[]"),
        ({"rules": "classic"}, "piles or a deal"),
        (NINES | {"rules": "bridge"}, "bridge"),
        (NINES | {"rules": 7}, "7"),
        (NINES | {"rules": None}, "rules is null"),
        (NINES | {"rules": {"base": "bridge"}}, "bridge"),
        (NINES | {"rules": {"base": {"base": "classic"}}}, "base"),
        (NINES | {"rules": {"base": "classic", "colour": 1}}, "colour"),
        (NINES | {"rules": {"cap": 0}}, "0"),
        (NINES | {"rules": {"cap": True}}, "True"),
        (NINES | {"rules": {"cap": 1.5}}, "1.5"),
        (NINES | {"rules": {"cap": 10**30}}, "cap"),
        (NINES | {"rules": {"down": -1}}, "-1"),
        (NINES | {"rules": {"down": [1]}}, "1 numbers for 13 ranks"),
        (NINES | {"rules": {"pickup": 2}}, "2"),
        (NINES | {"rules": {"pickup": "any"}}, "any"),
        (NINES | {"rules": {"players": 5}}, "5"),
        (NINES | {"rules": {"suits": ["C", "C"]}}, "'C' twice"),
        (NINES | {"rules": {"ranks": ["2", "100"]}}, "100"),
        (NINES | {"rules": {"tie": "split", "won": "aside", "cap": None}}, "for ever"),
        (NINES | {"piles": ["9H 2C KS"]}, "2 players need as many piles, not 1"),
        (NINES | {"piles": ["9H", ""]}, "player 2"),
        (NINES | {"piles": ["9H 2C", "9H"]}, "9H"),
        (NINES | {"piles": ["9X", "9H"]}, "9X"),
        (NINES | {"piles": [9, "9H"]}, "9"),
        (NINES | {"piles": None}, "piles"),
        (NINES | {"deal": -1}, "-1"),
        (NINES | {"deal": 2**63}, str(2**63)),
        (NINES | {"deal": 1.0}, "1.0"),
        (NINES | {"deal": True}, "True"),
        (NINES | {"won": ["", "2D"]}, "2D"),
        (NINES | {"battles": -1}, "-1"),
        (NINES | {"battles": 1.0}, "1.0"),
        (NINES | {"battles": True}, "True"),
        (NINES | {"battle": 1}, "battle"),
        (NINES | {"battles": None}, "battles is null"),
        (NINES | {"rules": {"self": 1}}, "unknown rule: 'self'"),
        (NINES | {"piles": [{"9H": 1}, "9D"]}, "not a pile"),
        ({"rules": "house", "deal": 1, "won": ["", ""]}, "won"),
        (
            {"rules": "house", "piles": ["KS", "3H"], "won": [""]},
            "2 players need as many won piles, not 1",
        ),
    ],
)
def test_a_request_that_makes_no_game_is_refused_with_what_is_wrong(
    request_: object, complaint: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(complaint)) as error:
        played(request_)
    assert len(str(error.value)) < 300


def run(text: str | bytes) -> tuple[int, list[dict[str, object]]]:
    result = CliRunner().invoke(main, ["replay"], input=text)
    return result.exit_code, [json.loads(line) for line in result.stdout.splitlines()]


def test_bad_lines_have_their_errors_in_their_places() -> None:
    good = json.dumps(NINES)
    status, records = run(f"{good}\n\n  \nnonsense\n{good}\n".encode() + b'{"deal": \xff}\n')
    assert status == 1
    assert [record.get("line", record.get("result")) for record in records] == ["win", 4, "win", 6]


def test_a_mark_of_the_byte_order_is_no_part_of_the_first_line() -> None:
    status, records = run(b"\xef\xbb\xbf" + json.dumps(NINES).encode())
    assert (status, len(records)) == (0, 1)


def test_one_battle_of_a_game_that_may_never_repeat_is_played_at_once() -> None:
    """Whether it is endless is asked only as far as it is played."""
    rules = {"base": "split", "cap": None}
    assert played({"rules": rules, "deal": 1, "battles": 1})["battles"] == 1


def test_all_good_lines_end_well() -> None:
    status, records = run(json.dumps(NINES))
    assert status == 0
    assert [record["winner"] for record in records] == [1]
    assert run("") == (0, [])


def test_a_line_is_answered_before_the_next_one_is_read() -> None:
    read: list[int] = []

    def lines() -> Iterator[str]:
        for number in range(3):
            read.append(number)
            yield json.dumps(NINES)

    answers = replay(lines())
    next(answers)
    assert read == [0]


def test_memory_does_not_grow_with_the_lines() -> None:
    """The command reads the stream as it comes: an endless one is answered as long as one likes."""

    class Endless(io.RawIOBase):
        def readline(self, size: int | None = -1, /) -> bytes:
            return json.dumps(NINES | {"battles": 1}).encode() + b"\n"

    answers = replay(line.decode() for line in iter(Endless().readline, b""))
    assert all(next(answers)["result"] == "win" for _ in range(1000))
