"""What a person touches: the board, its buttons and its pictures."""

from war.board.playing import PlayingTable, SmallTable, example, play, side_by_side
from war.board.state import board_state
from war.board.widget import Board

__all__ = ["Board", "PlayingTable", "SmallTable", "board_state", "example", "play", "side_by_side"]
