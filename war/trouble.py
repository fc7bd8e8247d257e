"""What goes wrong where somebody has pressed a button: it is told on the page.

A callback's error would otherwise vanish unseen, as a page shows nobody what its kernel prints.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from opcode import opmap


def guarded(
    tell: Callable[[str], object], part: str, action: Callable[..., object], *values: object
) -> None:
    """Do what somebody asked for, and tell in a sentence what goes wrong; `part` is whose code it is.

    >>> from war.chance import deal_code
    >>> guarded(print, "game", deal_code, "x")
    That does not work: not a deal code: 'x' (it is a whole number from 0 below 2^63).
    """
    try:
        action(*values)
    except Exception as error:  # noqa: BLE001 (nothing may go wrong in silence)
        ours = isinstance(error, ValueError) and _raised_here(error)
        tell(f"That does not work: {error}." if ours else fault(part, error))


def _raised_here(error: Exception) -> bool:
    """Whether the game's own code has raised an error with `raise`, to tell somebody something.

    Python complains with a ValueError as well, of what is nobody's fault but ours.
    """
    last = error.__traceback__
    while last and last.tb_next:
        last = last.tb_next
    if not last or last.tb_frame.f_globals.get("__name__", "").partition(".")[0] != "war":
        return False
    return last.tb_frame.f_code.co_code[last.tb_lasti] == opmap["RAISE_VARARGS"]


def fault(part: str, error: Exception) -> str:
    """A sentence about a fault in the code; all of it goes to the server's own log.

    >>> fault("game", KeyError("ace"))
    "Something in the game's code went wrong: KeyError('ace')"
    """
    traceback.print_exception(error, file=sys.__stderr__)
    return f"Something in the {part}'s code went wrong: {error!r}"
