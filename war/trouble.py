"""What goes wrong where somebody has pressed a button: it is told on the page.

A callback's error would otherwise vanish unseen, as a page shows nobody what its kernel prints.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable


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
    except ValueError as error:
        tell(f"That does not work: {error}.")
    except Exception as error:  # noqa: BLE001 (nothing may go wrong in silence)
        tell(fault(part, error))


def fault(part: str, error: Exception) -> str:
    """A sentence about a fault in the code; all of it goes to the server's own log.

    >>> fault("game", KeyError("ace"))
    "Something in the game's code went wrong: KeyError('ace')"
    """
    traceback.print_exception(error, file=sys.__stderr__)
    return f"Something in the {part}'s code went wrong: {error!r}"
