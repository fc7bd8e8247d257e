"""Which deal each game of a simulation is: any game of a million can be opened on the board.

Game i of a simulation is the game of one deal code: the upper 63 bits of word i of the SplitMix64
stream that starts at the simulation's seed (see `war.chance`). A game depends on nothing else, so it
does not matter which thread or which machine plays it.
"""

from __future__ import annotations

from war.chance import GAMMA, next_state, word_of


def state_of_game(seed: int, game: int) -> int:
    """The state of the stream of codes before the code of a game, counted from 0, is drawn.

    >>> state_of_game(7, 0)
    7
    """
    return (seed + game * GAMMA) & ((1 << 64) - 1)


def code_at(state: int) -> int:
    """The deal code that follows a state of the stream of codes.

    >>> code_at(7) == code_of_game(7, 0)
    True
    """
    return word_of(next_state(state)) >> 1


def code_of_game(seed: int, game: int) -> int:
    """The deal code of a game of a simulation; games count from 0.

    >>> code_of_game(7, 0), code_of_game(7, 999_999)
    (3595544800446187243, 4875045517947316036)
    """
    return code_at(state_of_game(seed, game))
