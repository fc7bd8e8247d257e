"""A table to play at: the board, and the buttons that play."""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets

from war.board.state import board_state
from war.board.widget import Board
from war.describe import Sentence, of_battles, of_outcome
from war.game import Game


class PlayingTable(ipywidgets.VBox):
    """The board with its buttons; each button calls one method here, and `game` is the game played.

    >>> table = PlayingTable(Game(piles=["9H 2C KS", "9D 3C 7S"]))
    >>> table.turn_cards()
    >>> table.game.counts
    (6, 0)
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.board = Board()
        self.buttons = [
            _button("Turn cards", self.turn_cards, "war-turn"),
            _button("Play 10 battles", self.play_ten, "war-ten"),
            _button("New round", self.new_round, "war-new"),
        ]
        row = ipywidgets.HBox(self.buttons)
        row.add_class("war-buttons")
        super().__init__([self.board, row])
        self.add_class("war-game")
        self._show()

    def turn_cards(self) -> None:
        """Play one battle, or what is left of one."""
        self._play(1)

    def play_ten(self) -> None:
        """Play ten battles, or as many as the round still has."""
        self._play(10)

    def new_round(self) -> None:
        """Deal again by the same rules with a new code."""
        self.game = Game(self.game.rules)
        self._show()

    def _play(self, battles: int) -> None:
        first = self.game.battles + (not self.game.mid_battle)
        if self.game.outcome:
            rest = "Turn cards rests until a new round."
            self._show(
                Sentence(f"{of_outcome(self.game)} {rest}", f"{rest} {of_outcome(self.game)}")
            )
            return
        self.game.play(battles)
        self._show(of_battles(self.game, first))

    def _show(self, news: Sentence | None = None) -> None:
        self.board.state = board_state(self.game, news)


def _button(label: str, action: Callable[[], None], name: str) -> ipywidgets.Button:
    button = ipywidgets.Button(description=label)
    button.add_class(name)
    button.on_click(lambda _: action())
    return button


def play(rules: object = "classic", deal: object = None) -> PlayingTable:
    """A table to play at, dealt by a deal code or a new one.

    >>> play("house", 2024).game.counts
    (26, 26)

    Raises ValueError for unknown rules and for what is no deal code.
    """
    return PlayingTable(Game(rules, deal))
