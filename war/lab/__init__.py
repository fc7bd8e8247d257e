"""The lab: many games at once, and what they say about War.

>>> from war.lab import simulate
>>> simulate("classic", games=100, seed=7, progress=False).games
100
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from war.lab.endless import Search, endless, search_endless
from war.lab.questions import Comparison, Holdings, Leads, by_holding, compare, lead
from war.lab.summary import Summary, simulate

if TYPE_CHECKING:
    from war.lab import charts as charts
    from war.lab.panel import what_if as what_if

__all__ = [
    "Comparison",
    "Holdings",
    "Leads",
    "Search",
    "Summary",
    "by_holding",
    "charts",
    "compare",
    "endless",
    "lead",
    "search_endless",
    "simulate",
    "what_if",
]


def __getattr__(name: str) -> Any:
    # Pictures and controls are for notebooks; the command line should not have to load them.
    if name == "charts":
        return import_module("war.lab.charts")
    if name == "what_if":
        return import_module("war.lab.panel").what_if
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
