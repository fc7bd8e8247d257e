"""The lab: many games at once, and what they say about War.

>>> from war.lab import simulate
>>> simulate("classic", games=100, seed=7, progress=False).games
100
"""

from war.lab.summary import Summary, simulate

__all__ = ["Summary", "simulate"]
