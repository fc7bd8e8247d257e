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

    @property
    def kept(self) -> bool:
        """Whether it keeps its limit, where it has one."""
        return self.at_most is None or self.times <= self.at_most


def fastest(
    calls: Sequence[Callable[[], object]],
    rounds: int,
    clock: Callable[[], float] = perf_counter,
) -> list[float]:
    """The least seconds of each call, taken in turns, so that a busy machine is busy for all alike.

    By `time.process_time` the time in which others had the processor does not count.
    """
    best = [float("inf")] * len(calls)
    for _ in range(rounds):
        for place, call in enumerate(calls):
            start = clock()
            call()
            best[place] = min(best[place], clock() - start)
    return best
