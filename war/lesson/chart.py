"""The line of a round: how many cards player 1 owned after each battle, as a small picture."""

from __future__ import annotations

from collections.abc import Sequence

from war.describe import counts_by_battle
from war.game import Game

WIDTH, HEIGHT = 600, 110


def line_svg(game: Game) -> str:
    """A picture of all that has been played of a game, with the battle that one looks at marked.

    Its colours are the page's own, by the classes `level`, `line` and `now`.

    >>> line_svg(Game(code=2024).play(10)).count("L")
    10
    """
    counts = counts_by_battle(game, game.played)
    mine = [each[0] for each in counts]
    whole = sum(counts[0])
    step = WIDTH / max(len(mine) - 1, 1)

    def down(count: int) -> float:
        return 4 + (HEIGHT - 8) * (1 - count / whole)

    points = "L".join(f"{at * step:.1f} {down(count):.1f}" for at, count in enumerate(mine))
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" role="img"'
        f' aria-label="{words(mine)}">'
        f'<path class="level" d="M0 {down(whole // 2):.1f}H{WIDTH}"/>'
        f'<path class="line" d="M{points}"/>'
        f'<path class="now" d="M{min(game.battles, game.played) * step:.1f} 0V{HEIGHT}"/></svg>'
    )


def words(mine: Sequence[int]) -> str:
    """The picture in words.

    >>> words([26, 28, 27])
    'Your cards after each battle: 26 at the deal, between 26 and 28, 27 after battle 2.'
    """
    return (
        f"Your cards after each battle: {mine[0]} at the deal, between {min(mine)} and {max(mine)},"
        f" {mine[-1]} after battle {len(mine) - 1}."
    )
