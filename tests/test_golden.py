"""Golden games: whole games in notation, which every later version must play in the same way.

The games of a deal were chosen among short ones for what happens in them, and every battle of theirs
agreed with the second opinion, as it must still do here; those with piles were worked out by hand.
A new one is written by `to_text(Game(rules, code, piles).play())` and then read, event by event.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.agreement import engine, second
from war.game import Game
from war.notation import from_text, to_text
from war.rules import CHOICES, QUESTIONS, Choice, Rules
from war.variants import VARIANTS

GAMES = {path.stem: path for path in sorted((Path(__file__).parent / "games").glob("*.txt"))}


def start_of(name: str, **changed: object) -> dict[str, Any]:
    """What a golden game starts from, with some answers changed."""
    game = from_text(GAMES[name].read_text(encoding="utf-8"))
    won = game.start.won if any(game.start.won) else None
    piles = None if game.dealt else game.start.stacks
    return {"rules": game.rules.change(**changed), "code": game.code, "piles": piles, "won": won}


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_is_played_as_it_is_written(name: str) -> None:
    written = GAMES[name].read_text(encoding="utf-8")
    assert to_text(from_text(written)) == written
    assert to_text(Game(**start_of(name)).play()) == written


@pytest.mark.parametrize("name", GAMES)
def test_the_second_opinion_agrees_after_every_battle(name: str) -> None:
    start = start_of(name)
    battles = Game(**start).play().battles
    for battle in range(battles + 1):
        assert engine(start, battle) == second(start, battle)
    assert engine(start)["reason"] is not None


@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_has_a_golden_game(name: str) -> None:
    assert start_of(name)["rules"] == VARIANTS[name]


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_has_a_golden_game_with_an_answer_of_its_own(question: str) -> None:
    default = getattr(Rules(), question)
    assert any(getattr(start_of(name)["rules"], question) != default for name in GAMES)


@pytest.mark.parametrize(
    ("question", "answer"),
    [(question, answer) for question, kind in CHOICES.items() for answer in kind],
    ids=str,
)
def test_every_answer_decides_a_golden_game(question: str, answer: Choice) -> None:
    """Some game with this answer goes another way by every other one."""
    others = [other for other in type(answer) if other is not answer]

    def decides(name: str) -> bool:
        start = start_of(name)
        return (
            getattr(start["rules"], question) is answer
            # Piles set aside are no start of rules that set none aside.
            and not start["won"]
            and all(course(start) != course(start_of(name, **{question: o})) for o in others)
        )

    assert any(map(decides, GAMES))


def course(start: dict[str, Any]) -> object:
    """How a game goes and ends."""
    game = Game(**start).play()
    return game.events, game.outcome
