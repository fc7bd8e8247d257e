"""The board: a widget that draws the state it is given and passes on what a person asks for."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets
import traitlets

from war.board.art import back_svg
from war.board.settings import LONGEST_NAME, SPEEDS
from war.variants import VARIANTS

_HERE = Path(__file__).parent


def with_parts(path: Path) -> str:
    """A page's script or style, with the parts before it that all pages of the game are made of.

    >>> with_parts(_HERE / "board.js").startswith("// What every page of the game is made of")
    True
    """
    shared = (_HERE / "parts").with_suffix(path.suffix)
    return shared.read_text(encoding="utf-8") + path.read_text(encoding="utf-8")


class Drawing(ipywidgets.Widget):
    """What all boards of a page have in common: how they are drawn, and what can be chosen on them."""

    script = traitlets.Unicode(with_parts(_HERE / "board.js")).tag(sync=True)
    style = traitlets.Unicode(with_parts(_HERE / "board.css")).tag(sync=True)
    back = traitlets.Unicode(back_svg()).tag(sync=True)
    variants = traitlets.List(list(VARIANTS)).tag(sync=True)
    speeds = traitlets.List(list(SPEEDS)).tag(sync=True)
    longest_name = traitlets.Int(LONGEST_NAME).tag(sync=True)
    #: One for all small boards, as a page waits a little for each widget.
    layout = traitlets.Instance(ipywidgets.Layout, ())


@cache
def _drawing() -> Drawing:
    return Drawing()


def drawing() -> Drawing:
    """Return what the boards of this kernel have in common.

    >>> drawing() is drawing()
    True
    """
    if _drawing().comm is None:
        # Somebody has closed all widgets of the kernel.
        _drawing.cache_clear()
    return _drawing()


class Board(anywidget.AnyWidget):
    """A picture of the table; `state` is what `board_state` returns, and the browser draws it.

    What does not fit a button comes back as messages, records with the entry `ask`.
    """

    _esm = (_HERE / "loader.js").read_text(encoding="utf-8")

    #: Where the page finds what it draws the board with.
    drawing = traitlets.Unicode().tag(sync=True)
    state = traitlets.Dict().tag(sync=True)
    #: What each player owned at the deal and after each battle. As text it is sent as it is, while a
    #: list is looked through for binary data, number by number.
    counts: traitlets.List[Any] = traitlets.List().tag(
        sync=True, to_json=lambda counts, _: json.dumps(counts)
    )
    #: The labels of the buttons that a small board has, by their names in the page.
    buttons = traitlets.Dict().tag(sync=True)
    #: A sentence about something that went wrong, or empty.
    notice = traitlets.Unicode("").tag(sync=True)
    #: Whether this board owns the page's address and the settings beside it, or only shows something.
    main = traitlets.Bool(True).tag(sync=True)
    #: Whether the page around it says what happens here, as one page has one voice.
    silent = traitlets.Bool(False).tag(sync=True)

    @traitlets.default("drawing")
    def _default_drawing(self) -> str:
        return f"anywidget:{drawing().model_id}"
