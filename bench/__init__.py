"""Speed as ratios, measured in one run on one machine: `python -m bench`."""

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import NamedTuple


class Ratio(NamedTuple):
    """How many times as long something takes as what it is held against, in seconds."""

    what: str
    seconds: float
    against: str
    base: float
    at_most: float | None = None

    @property
    def times(self) -> float:
        return self.seconds / self.base


def fastest(calls: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """The least seconds of each call, taken in turns, so that a busy machine is busy for all alike."""
    best = [float("inf")] * len(calls)
    for _ in range(rounds):
        for place, call in enumerate(calls):
            start = perf_counter()
            call()
            best[place] = min(best[place], perf_counter() - start)
    return best
