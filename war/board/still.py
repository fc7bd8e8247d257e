"""A still picture of the table, for where nothing runs: a saved notebook, an exported page, paper."""

from __future__ import annotations

import base64
from html import escape

from war.board.art import HEIGHT, WIDTH, back_svg
from war.board.state import board_state
from war.game import Game

CAPTION = "A still picture: run this cell to play."

_FELT, _CREAM, _GLOW = "#1e4f4c", "#f1f5f0", "#ffd479"
_FONT = "font-family=\"system-ui,'Segoe UI',Roboto,Helvetica,Arial,sans-serif\""
_ACROSS, _ROW = 640, 172


def still_svg(game: Game) -> str:
    """The table at this moment as one SVG picture, 640 units wide.

    >>> still_svg(Game("three-players", 1)).count("17 cards")
    3
    """
    state = board_state(game)
    own, *others = state["seats"]
    height = _ROW * len(state["seats"]) + 16
    inside = "".join(_row(seat, place * _ROW + 14) for place, seat in enumerate([*others, own]))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_ACROSS}" height="{height}"'
        f' viewBox="0 0 {_ACROSS} {height}">'
        f'<rect width="{_ACROSS}" height="{height}" rx="20" fill="{_FELT}"/>{inside}</svg>'
    )


def still_html(game: Game) -> str:
    """The still picture as a piece of a page, with all that it shows in words.

    >>> still_html(Game(code=2024)).startswith('<figure><img alt="The table of War')
    True
    """
    state = board_state(game)
    seats = ", ".join(f"{seat['name']}: {seat['count']}" for seat in state["seats"])
    picture = base64.b64encode(still_svg(game).encode()).decode()
    return (
        f'<figure><img alt="The table of War: {escape(seats)} cards. {escape(state["shown"])}"'
        f' style="max-width:100%" src="data:image/svg+xml;base64,{picture}">'
        f"<figcaption>{CAPTION}</figcaption></figure>"
    )


def _row(seat: dict[str, object], top: int) -> str:
    cards, count = seat["cards"], seat["count"]
    assert isinstance(cards, list)
    assert isinstance(count, int)
    stack = "".join(
        _placed(back_svg(), 24 + 2 * layer, top + 6 - 2 * layer)
        for layer in range(min(4, -(-count // 9)))
    )
    # Close together where there are many, as on the board.
    shift = min(64, 250 / max(len(cards) - 1, 1))
    laid = "".join(
        _placed(card.get("svg") or back_svg(), 290 + place * shift, top + 6)
        for place, card in enumerate(cards)
    )
    # Where a card will lie.
    laid = laid or (
        f'<rect x="291" y="{top + 7}" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="9" fill="none"'
        f' stroke="{_CREAM}" stroke-opacity="0.3" stroke-width="2" stroke-dasharray="6 4"/>'
    )
    glow = ""
    if seat["beats"]:
        left = 290 + (len(cards) - 1) * shift - 4
        glow = (
            f'<rect x="{left:g}" y="{top + 2}" width="{WIDTH + 8}" height="{HEIGHT + 8}" rx="12"'
            f' fill="none" stroke="{_GLOW}" stroke-width="4"/>'
        )
    return (
        f'{stack}{laid}{glow}<g {_FONT} fill="{_CREAM}">'
        f'<text x="150" y="{top + 66}" font-size="18" font-weight="600">{escape(str(seat["name"]))}'
        f'</text><text x="150" y="{top + 92}" font-size="20">'
        f"{count} card{'' if count == 1 else 's'}</text></g>"
    )


def _placed(picture: str, left: float, top: float) -> str:
    at = f'<svg x="{left:g}" y="{top:g}" width="{WIDTH}" height="{HEIGHT}" '
    return picture.replace("<svg ", at, 1)
