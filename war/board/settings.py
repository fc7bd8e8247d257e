"""What each person may set for the board; it stays in that person's browser."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

LONGEST_NAME = 20
#: Battles a second while a round is watched; 0 plays it at once.
SPEEDS = {"slow": 1.0, "medium": 4.0, "fast": 20.0, "at once": 0.0}


@dataclass(frozen=True)
class Settings:
    """The settings of one board.

    >>> Settings().speed, Settings(names=("Ada", "Bo")).names
    ('medium', ('Ada', 'Bo'))
    """

    four_colours: bool = False
    large: bool = False
    pips: bool = False
    motion: bool = True
    open_stacks: bool = False
    owners: bool = False
    speed: str = "medium"
    names: tuple[str, ...] = ()


def settings_of(record: object) -> Settings:
    """Settings from what a browser has kept; whatever it should not have kept is left out.

    >>> settings_of({"pips": True, "speed": "warp", "names": ["  Ada ", "B" * 99, 7]})
    Settings(four_colours=False, large=False, pips=True, motion=True, open_stacks=False, \
owners=False, speed='medium', names=('Ada', 'BBBBBBBBBBBBBBBBBBBB', ''))
    """
    if not isinstance(record, Mapping):
        return Settings()
    known: dict[str, Any] = {
        name: record[name]
        for name in ("four_colours", "large", "pips", "motion", "open_stacks", "owners")
        if isinstance(record.get(name), bool)
    }
    if isinstance(record.get("speed"), str) and record["speed"] in SPEEDS:
        known["speed"] = record["speed"]
    names = record.get("names")
    if isinstance(names, list):
        known["names"] = tuple(
            " ".join(name.split())[:LONGEST_NAME] if isinstance(name, str) else ""
            for name in names[:4]
        )
    return Settings(**known)
