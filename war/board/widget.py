"""The board: a widget that draws the state it is given."""

from __future__ import annotations

from pathlib import Path

import anywidget
import traitlets

from war.board.art import back_svg

_HERE = Path(__file__).parent


class Board(anywidget.AnyWidget):
    """A picture of the table; `state` is what `board_state` returns, and the browser draws it."""

    _esm = _HERE / "board.js"
    _css = _HERE / "board.css"

    state = traitlets.Dict().tag(sync=True)
    back = traitlets.Unicode(back_svg()).tag(sync=True)
