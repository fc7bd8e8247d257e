"""Numba where it is installed; without it the same source runs as plain Python."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar
from zlib import crc32

numba: Any
register_jitable: Any
try:
    import numba
    from numba.extending import register_jitable
except ImportError:
    numba = None

Function = TypeVar("Function", bound=Callable[..., Any])

is_compiled = numba is not None

# The kernel makes no arrays, so nothing in it has to be counted for freeing; the counting took nine
# tenths of the time.
_NO_COUNTING = {"_nrt": False}

_WAR = Path(__file__).parents[1]
_SOURCES = (
    "chance.py", "rules.py", "table.py", "game.py", "lab/codes.py", "lab/compiling.py", "lab/kernel.py",
)  # fmt: skip


def _fingerprint() -> int:
    text = b"".join((_WAR / name).read_bytes() for name in _SOURCES)
    return crc32(text, int(is_compiled and bool(numba.config.BOUNDSCHECK)))


#: A number that changes with the source of what is compiled. Numba keeps compiled code as long as one
#: file is unchanged, and would go on with an old rule that came from another one.
FINGERPRINT = _fingerprint()


def shared(function: Function) -> Function:
    """The function as it is, which compiled code may call from now on.

    >>> shared(abs)(-1)
    1
    """
    if is_compiled:
        register_jitable(**_NO_COUNTING)(function)
    return function


def part(function: Function) -> Function:
    """The function as it is, which becomes a part of the compiled code of its callers.

    >>> part(abs)(-1)
    1
    """
    if is_compiled:
        register_jitable(forceinline=True, **_NO_COUNTING)(function)
    return function


def entry(function: Function) -> Function:
    """A function that is compiled at its first call, kept on disk, and runs beside other threads.

    >>> from war.rules import Short, can_lay
    >>> entry(can_lay)(int(Short.LAST_CARD), 1, 1)
    True
    """
    if not is_compiled:
        return function
    compiled: Function = numba.njit(cache=True, nogil=True, error_model="numpy", **_NO_COUNTING)(
        function
    )
    return compiled


def plain(array: Any) -> Any:
    """An array as compiled code takes it; plain Python is quicker on a view of Python's own numbers.

    >>> import numpy as np
    >>> int(plain(np.zeros(2, np.int64))[0])
    0
    """
    return array if is_compiled else memoryview(array)
