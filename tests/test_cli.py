"""The command line, as somebody types it."""

import subprocess
import sys

import pytest
from click.testing import CliRunner, Result

from war import Game, __version__
from war.cards import text
from war.cli import main


def run(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, words, input=typed)


def test_the_version() -> None:
    assert run("--version").output == f"war, version {__version__}\n"


def test_the_module_is_the_command() -> None:
    said = subprocess.run(
        [sys.executable, "-m", "war", "--version"], capture_output=True, text=True, check=True
    )
    assert said.stdout == run("--version").output


def test_every_command_has_its_help() -> None:
    for command in main.commands.values():
        assert command.help
        assert run(str(command.name), "--help").exit_code == 0


def test_a_deal_is_printed_pile_by_pile() -> None:
    piles = [text(stack) for stack in Game(code=2024).start.stacks]
    assert run("deal", "2024").output.splitlines() == piles
    assert run("deal", "20 24").output.splitlines() == piles
    three = run("deal", "2024", "--rules", "three-players").output.splitlines()
    assert [len(pile.split()) for pile in three] == [17, 17, 17]


def test_rules_are_changed_field_by_field() -> None:
    said = run("deal", "7", "--set", "ranks=2 3 4", "--set", "suits=C D", "--set", "players=3")
    assert [len(pile.split()) for pile in said.output.splitlines()] == [2, 2, 2]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("deal", "twelve"), "twelve"),
        (("deal", "9" * 40), "999"),
        (("deal", "1", "--rules", "bridge"), "bridge"),
        (("deal", "1", "--set", "colour=red"), "colour"),
        (("deal", "1", "--set", "down"), "down"),
        (("deal", "1", "--set", "down=-1"), "-1"),
        (("play", "x"), "x"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(words: tuple[str, ...], complaint: str) -> None:
    said = run(*words)
    assert said.exit_code == 1
    assert complaint in said.output
    assert len(said.output.splitlines()) == 1


def test_a_round_is_played_as_one_types() -> None:
    said = run("play", "2024", typed="\n10\nb\nwhat\ne\n")
    assert said.exit_code == 0
    assert "Battle 1. " in said.output
    assert "Battles 2 to 11: " in said.output
    assert "Battle 10. " in said.output
    assert "'what' is none of these" in said.output
    assert Game(code=2024).play().battles == 107
    assert "Game over after 107 battles." in said.output


def test_a_round_is_played_to_the_end_by_itself() -> None:
    said = run("play", "2024", "--end")
    assert said.output.count("Battle ") == 107
    assert "Game over" in said.output.splitlines()[-1]


def test_a_round_may_be_left() -> None:
    assert run("play", "1", typed="q\n").exit_code == 0
    # Nothing more is typed: the input ends.
    assert "Traceback" not in run("play", "1", typed="\n").output
