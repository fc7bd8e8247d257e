"""Many chunks, on one thread, several, or several machines, added up in their order."""

from __future__ import annotations

import os
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from socket import create_connection
from time import perf_counter
from typing import Any, NamedTuple, Protocol, Self, TypeVar

from tqdm.auto import tqdm

from war.cards import shown
from war.lab.chunks import GAMES_IN_A_CHUNK
from war.lab.compiling import is_compiled

MOST_GAMES = 10**12
MOST_THREADS = 256
#: So long somebody may wait for news that there is no scheduler at an address.
SECONDS_FOR_A_SCHEDULER = 5


class Addable(Protocol):
    """Something of which two are one of the same kind."""

    def __add__(self, other: Self, /) -> Self: ...


Sum = TypeVar("Sum", bound=Addable)


class Run(NamedTuple):
    """How many games were asked for and played, and the seconds of playing, compiling not counted."""

    asked: int
    games: int
    seconds: float

    @property
    def games_per_second(self) -> float:
        """How quickly they were played.

        >>> Run(100, 100, 0.5).games_per_second
        200.0
        """
        return self.games / self.seconds


def whole(name: str, value: object, most: int) -> int:
    """The value where it is a whole number from 1 on.

    >>> whole("games", 5, 10)
    5

    Raises ValueError where it is not, or where it is too large.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise ValueError(f"{name} is a whole number from 1 to {most:,}, not {shown(value)}")
    return value


def add_up(
    measure: Callable[[int, int], Sum],
    games: int,
    threads: int = 1,
    dask: Any = None,
    progress: bool = True,
) -> tuple[Sum, Run]:
    """Measure so many games chunk by chunk and add up what comes out.

    `measure` takes the number of the first game and how many there are. `dask` is the address of a
    scheduler or a `distributed.Client`, whose workers then do the work. Whoever interrupts it (Ctrl-C,
    or Jupyter's stop button) gets the sum of what has been played by then, all games from the first on.

    Raises ValueError for a number of games or threads that is none, and for an address nobody answers.
    """
    whole("games", games, MOST_GAMES)
    whole("threads", threads, MOST_THREADS)
    _warn_once()
    with _workers(threads, dask, measure) as (executor, together):
        # Voilà shows a page when all of it has run, and then an error where the bar had been.
        watched = progress and "VOILA_KERNEL_ID" not in os.environ
        bar = tqdm(
            total=games, unit=" games", unit_scale=True, delay=1, leave=False, disable=not watched
        )
        start = perf_counter()
        chunks = iter(range(0, games, GAMES_IN_A_CHUNK))
        waiting: deque[tuple[int, Future[Sum]]] = deque()

        def submit(number: int) -> None:
            for first in islice(chunks, number):
                count = min(GAMES_IN_A_CHUNK, games - first)
                waiting.append((count, executor.submit(measure, first, count)))

        # One name for both, so that whoever interrupts in between never gets a sum without its number.
        so_far: tuple[Sum, int] | None = None
        try:
            submit(2 * together)
            while waiting:
                count, future = waiting[0]
                part = future.result()
                so_far = (so_far[0] + part, so_far[1] + count) if so_far else (part, count)
                waiting.popleft()
                bar.update(count)
                submit(1)
        except KeyboardInterrupt:
            for _, future in waiting:
                future.cancel()
            if so_far is None:
                raise
        finally:
            bar.close()
        assert so_far
        total, done = so_far
        return total, Run(games, done, perf_counter() - start)


@contextmanager
def _workers(
    threads: int, dask: Any, measure: Callable[[int, int], Any]
) -> Iterator[tuple[Executor, int]]:
    """Who does the work, and how many do it at once; what they need is compiled by then."""
    if dask is None:
        measure(0, 1)
        with ThreadPoolExecutor(threads) as executor:
            yield executor, threads
        return
    with _client(dask) as client:
        client.run(measure, 0, 1)
        # A worker that dies takes its work with it, and the scheduler gives that to another one.
        with client.get_executor(pure=False) as executor:
            yield executor, sum(client.nthreads().values())


@contextmanager
def _client(dask: Any) -> Iterator[Any]:
    try:
        from distributed import Client
        from distributed.comm.addressing import get_address_host_port
    except ImportError as error:
        raise ValueError(
            "simulations on several machines need: pip install 'war-notebooks[cluster]'"
        ) from error
    if isinstance(dask, Client):
        yield dask
        return
    if not isinstance(dask, str):
        raise ValueError(f"dask is the address of a scheduler or a client, not {shown(dask)}")
    try:
        # Refused at once where nobody listens; the client alone would try again until its time is up.
        create_connection(get_address_host_port(dask), SECONDS_FOR_A_SCHEDULER).close()
        client: Any = Client(dask, timeout=SECONDS_FOR_A_SCHEDULER)  # type: ignore[no-untyped-call]
    except Exception as error:  # whatever it is that answers there
        raise ValueError(f"no Dask scheduler answers at {shown(dask)}") from error
    with client:
        if not client.nthreads():
            raise ValueError(f"the Dask scheduler at {shown(dask)} has no workers")
        yield client


_warned = False


def _warn_once() -> None:
    global _warned
    if not is_compiled and not _warned:
        _warned = True
        warnings.warn(
            "Numba is not installed, so games are played by plain Python: the same results, but "
            "about a hundred times slower (pip install numba).",
            RuntimeWarning,
            stacklevel=4,
        )
