"""The card game War: an engine to play, to teach and to study it.

>>> from war import Game
>>> Game(piles=["9H 2C KS", "9D 3C 7S"]).play().outcome
Outcome(winner=1, reason=<Reason.ALL_CARDS: 'all-cards'>)
"""

from typing import TYPE_CHECKING, Any

from war.cards import Card, cards
from war.game import Game, Outcome, Reason, deal
from war.rules import Rules
from war.table import Event, Kind
from war.variants import CLASSIC, HOUSE, VARIANTS

if TYPE_CHECKING:
    from war.board import example as example
    from war.board import play as play
    from war.board import side_by_side as side_by_side

__version__ = "0.1.0"

__all__ = [
    "CLASSIC",
    "HOUSE",
    "VARIANTS",
    "Card",
    "Event",
    "Game",
    "Kind",
    "Outcome",
    "Reason",
    "Rules",
    "cards",
    "deal",
    "example",
    "play",
    "side_by_side",
]


def __getattr__(name: str) -> Any:
    # The board needs ipywidgets, which somebody who only simulates should not have to load.
    if name in ("example", "play", "side_by_side"):
        import war.board

        return getattr(war.board, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
