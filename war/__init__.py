"""The card game War: an engine to play, to teach and to study it."""

__version__ = "0.1.0"
