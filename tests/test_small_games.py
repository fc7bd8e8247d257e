"""Small games whose ends are known, worked out by hand; no number here comes from the engine."""

from typing import Any

import pytest

from tests.strategies import with_suits
from war.cards import RANKS, text
from war.game import Cycle, Game

#: The rules, the piles from the top, how many battles to play (None: to the end), and what is known.
GAMES: dict[str, tuple[object, Any, int | None, dict[str, object]]] = {
    "the-worked-example": (
        "classic", "9H 2C KS | 9D 3C 7S", None,
        {"winner": 1, "reason": "all-cards", "battles": 1, "wars": 1,
         "piles": ["9H 2C KS 9D 3C 7S", ""]},
    ),
    "six-cards-for-player-1": (
        "classic", "9S 4D KH 2C | 9C 6S 7D 3H", 1,
        {"winner": None, "reason": None, "battles": 1, "wars": 1, "stake": "",
         "piles": ["2C 9S 4D KH 9C 6S 7D", "3H"], "counts": (7, 1)},
    ),
    "suits-do-not-decide": (
        "classic", "9H 2C 5D | 9S 3C 4D", None,
        {"winner": 1, "reason": "all-cards", "battles": 1, "wars": 1, "counts": (6, 0)},
    ),
    "one-card-each-classic": (
        "classic", "9S | 9H", None,
        {"winner": None, "reason": "equal-shortage", "battles": 1, "wars": 1,
         "piles": ["", ""], "stake": "9S 9H"},
    ),
    "one-card-each-house": (
        "house", "9S | 9H", None,
        {"winner": None, "reason": "equal-shortage", "battles": 1, "wars": 1,
         "piles": ["", ""], "won": ["", ""], "stake": "9S 9H"},
    ),
    "both-short-alike": (
        "classic", "9S 4D | 9H 5C", None,
        {"winner": None, "reason": "equal-shortage", "battles": 1, "wars": 1,
         "piles": ["4D", "5C"], "stake": "9S 9H"},
    ),
    "player-1-short": (
        "classic", "9S 4D | 9H 5C 6D 7S", None,
        {"winner": 2, "reason": "short-in-war", "battles": 1, "wars": 1,
         "piles": ["", "5C 6D 7S 9H 9S 4D"], "stake": ""},
    ),
    "player-1-has-nothing-more": (
        "classic", "9S | 9H 5C 6D", None,
        {"winner": 2, "reason": "short-in-war", "battles": 1, "wars": 1,
         "piles": ["", "5C 6D 9H 9S"]},
    ),
    "short-in-the-second-war": (
        "classic", "9S 2S 8S 3S | 9H 4H 8H 5H 6H 7H", None,
        {"winner": 2, "reason": "short-in-war", "battles": 1, "wars": 2,
         "piles": ["", "5H 6H 7H 9H 4H 8H 9S 2S 8S 3S"]},
    ),
    "six-battles": (
        "classic", "2S 4S | 5H 3H", None,
        {"winner": 2, "reason": "all-cards", "battles": 6, "wars": 0,
         "piles": ["", "5H 3H 4S 2S"]},
    ),
    # After battle 2 the stacks are 4 3 | 2 5, and after battle 6 they are again.
    "six-battles-as-laid": (
        {"base": "open-ended", "pickup": "as-laid"}, "2S 4S | 5H 3H", None,
        {"winner": None, "reason": "endless", "battles": 6, "cycle": Cycle(2, 4),
         "piles": ["4S 3H", "2S 5H"]},
    ),
    "ten-cards-to-the-cap": (
        "classic", "5S JS 6S 2S 4S | 7H 9H 3H 10H 8H", None,
        {"winner": None, "reason": "battle-limit", "battles": 500, "wars": 0, "counts": (5, 5),
         "cycle": None},
    ),
    "ten-cards-for-ever": (
        "open-ended", "5S JS 6S 2S 4S | 7H 9H 3H 10H 8H", None,
        {"winner": None, "reason": "endless", "battles": 103, "cycle": Cycle(43, 60)},
    ),
    "a-win-in-the-last-battle": (
        {"base": "classic", "cap": 2}, "KS QS | 3H 2H", None,
        {"winner": 1, "reason": "all-cards", "battles": 2, "wars": 0,
         "piles": ["KS 3H QS 2H", ""]},
    ),
    "a-draw-at-the-cap": (
        {"base": "classic", "cap": 1}, "KS QS | 3H 2H", None,
        {"winner": None, "reason": "battle-limit", "battles": 1, "counts": (3, 1),
         "piles": ["QS KS 3H", "2H"]},
    ),
    "ten-battles-asked-two-played": (
        "classic", "KS QS | 3H 2H", 10,
        {"winner": 1, "reason": "all-cards", "battles": 2, "counts": (4, 0)},
    ),
    "thirteen-ties": (
        "classic",
        [[f"{rank}{suit}" for rank in RANKS for suit in suits] for suits in ("SC", "HD")], None,
        {"winner": None, "reason": "equal-shortage", "battles": 1, "wars": 13,
         "piles": ["AC", "AD"], "counts": (1, 1)},
    ),
    "house-war-of-eight": (
        "house", "8S 2S 3S 4S 5S 6S 7S 9S KS JS | 8H 2H 3H 4H 5H 6H 7H 9H 7D JD", 1,
        {"winner": None, "reason": None, "battles": 1, "wars": 1, "counts": (19, 1),
         "piles": ["JS", "JD"], "won":
         ["8S 2S 3S 4S 5S 6S 7S 9S KS 8H 2H 3H 4H 5H 6H 7H 9H 7D", ""]},
    ),
    "house-war-of-aces": (
        "house", "AS 4S | AH 9H", None,
        {"winner": 2, "reason": "all-cards", "battles": 1, "wars": 1,
         "piles": ["", ""], "won": ["", "AH 9H AS 4S"]},
    ),
    "house-nothing-more-to-lay": (
        "house", "8S | 8H 3H 4H", None,
        {"winner": 2, "reason": "short-in-war", "battles": 1, "wars": 1,
         "piles": ["", "3H 4H"], "won": ["", "8H 8S"]},
    ),
    "house-shrinks-to-two": (
        "house", "5S 2S 9S | 5H 3H 9H", None,
        {"winner": None, "reason": "equal-shortage", "battles": 1, "wars": 2,
         "stake": "5S 5H 2S 3H 9S 9H", "counts": (0, 0)},
    ),
    "no-war-ever": (
        {"base": "open-ended", "pickup": "as-laid"},
        with_suits(
            "8 2 K 2 J 6 Q 7 10 2 8 5 7 4 K 6 Q 4 10 3 K 4 J 3 10 8 |"
            "5 J 8 A 7 9 9 A 2 Q 5 J 6 A 7 K 3 9 5 Q 4 10 3 9 6 A"
        ), None,
        {"winner": None, "reason": "endless", "battles": 52, "wars": 0, "cycle": Cycle(0, 52),
         "counts": (26, 26)},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("rules", "piles", "battles", "known"), GAMES.values(), ids=GAMES)
def test_a_small_game_ends_as_known(
    rules: object, piles: Any, battles: int | None, known: dict[str, object]
) -> None:
    game = Game(rules, piles=piles).play(battles)
    winner, reason = game.outcome or (None, None)
    facts = {
        "winner": winner,
        "reason": reason,
        "battles": game.battles,
        "wars": game.wars,
        "counts": game.counts,
        "piles": [text(stack) for stack in game.position.stacks],
        "won": [text(pile) for pile in game.position.won],
        "stake": text(laid.card for laid in game.position.stake),
        "cycle": game.cycle,
    }
    assert {name: facts[name] for name in known} == known
    # Whatever a button asks for after the end, the game rests.
    assert not game.outcome or game.battle() == []


def test_the_cards_both_short_players_keep_are_never_laid() -> None:
    game = Game(piles="9S 4D | 9H 5C").play()
    assert [text(event.cards) for event in game.events] == ["9S 9H"]
