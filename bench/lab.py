"""The lab's kernel against a tight C loop, and against what others play War with, in one run.

The floor, the kernel and the lock-step deal their games too, within the time that is taken; the loop
and the engine get their piles dealt.
"""

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time
from typing import NamedTuple

import numpy as np
from batamiaou import BatamiaouGame

from bench import Ratio, deque_loop, fastest, lockstep
from war import CLASSIC, HOUSE, Game, Rules, deal
from war.lab import simulate
from war.lab.codes import code_of_game

SEED = 7
ROUNDS = 15
GAMES = 20_000
#: Those that are slower play only the first of these games.
LOCKSTEP_GAMES, DEQUE_GAMES, ENGINE_GAMES, BATAMIAOU_GAMES = 8_000, 300, 20, 2_000
#: Two threads need longer to be worth it.
THREAD_GAMES, THREAD_ROUNDS = 200_000, 5

FIRST_GAMES, FIRST_ROUNDS = 10_000, 3
FIRST = f"from war.lab import simulate; simulate(games={FIRST_GAMES}, progress=False)"
SECONDS_TO_FIRST = 3.0

SHUFFLED = CLASSIC.change(pickup="shuffled")

#: Battles, wars, and the games that the first and that the second player wins.
Totals = tuple[int, int, int, int]


class Contender(NamedTuple):
    """Something that plays: what it is called, a call that plays, and how many battles that are."""

    name: str
    play: Callable[[], object]
    battles: int
    aim: str = ""


def lines() -> Iterator[Ratio | tuple[str, ...]]:
    """A row for each contender, then the promises as ratios."""
    with tempfile.TemporaryDirectory(prefix="war-") as folder:
        floor = compiled_floor(Path(folder))
        contenders = [*same_games(floor), *other_games()]
        times = fastest([each.play for each in contenders], ROUNDS, process_time)
    nanoseconds = {
        each.name: seconds / each.battles * 1e9
        for each, seconds in zip(contenders, times, strict=True)
    }
    least, loop = nanoseconds[FLOOR], nanoseconds[DEQUE]
    for each in contenders:
        own = nanoseconds[each.name]
        yield (
            f"{each.name:45}",
            f"{own:8.1f} ns a battle",
            f"{own / least:7.2f} times the C floor",
            f"{loop / own:7.2f} times as fast as the deque loop",
            each.aim,
        )
    seconds = {name: value / 1e9 for name, value in nanoseconds.items()}
    kernel = seconds[KERNEL]
    yield Ratio("a battle of the kernel", kernel, "the deque loop's", seconds[DEQUE], 1 / 30)
    for name in (KERNEL_HOUSE, KERNEL_SHUFFLED):
        yield Ratio(f"a battle of {name}", seconds[name], "one of classic", kernel, 4)
    yield two_threads()
    yield first_answer()


FLOOR = "C floor, classic"
KERNEL = "kernel, classic"
KERNEL_HOUSE = "kernel, house"
KERNEL_SHUFFLED = "kernel, classic with shuffled pick-up"
DEQUE = "deque loop, classic"


def same_games(floor: Callable[[int], Totals]) -> Iterator[Contender]:
    """All that play the same games of `classic`; that they do is checked before they are timed."""
    codes = game_codes(LOCKSTEP_GAMES)
    dealt = [deal(CLASSIC, int(code)) for code in codes[:DEQUE_GAMES]]
    piles = [[[CLASSIC.strength[card] for card in pile] for pile in each] for each in dealt]

    def kernel() -> Totals:
        return totals_of(CLASSIC, GAMES)

    def lock_step() -> Totals:
        return lockstep.play(codes)

    def loop() -> Totals:
        return add_up(deque_loop.play(*each) for each in piles)

    def engine(record: bool) -> Totals:
        games = [Game(CLASSIC, piles=each, record=record).play() for each in dealt[:ENGINE_GAMES]]
        return add_up((game.battles, game.wars, sign_of_winner(game)) for game in games)

    for name, games, play, aim in (
        (FLOOR, GAMES, lambda: floor(GAMES), ""),
        (KERNEL, GAMES, kernel, "aim: 1.5 times the C floor"),
        ("NumPy in lock-step, classic", LOCKSTEP_GAMES, lock_step, ""),
        (DEQUE, DEQUE_GAMES, loop, ""),
        ("readable engine, classic, without a record", ENGINE_GAMES, lambda: engine(False), ""),
        ("readable engine, classic, with its events", ENGINE_GAMES, lambda: engine(True), ""),
    ):
        totals, expected = play(), floor(games)
        if totals != expected:
            raise AssertionError(f"{name}: {totals} in {games} games, but the floor {expected}")
        yield Contender(name, play, totals[0], aim)


def other_games() -> Iterator[Contender]:
    """Those that play games of their own."""
    for name, rules in ((KERNEL_HOUSE, HOUSE), (KERNEL_SHUFFLED, SHUFFLED)):

        def kernel(rules: Rules = rules) -> Totals:
            return totals_of(rules, GAMES)

        yield Contender(name, kernel, kernel()[0])
    game = BatamiaouGame()

    def batamiaou() -> int:
        battles = 0
        for seed in range(BATAMIAOU_GAMES):
            game.reset(seed)
            battles += game.run()
        return battles

    # Its deck has six ranks of six cards, drawn at random and not from the top, until one player
    # has none: neither its rules nor its deals are ours.
    yield Contender("batamiaou, 36 cards, its own rules and deals", batamiaou, batamiaou())


def two_threads() -> Ratio:
    """What a second thread gains."""
    one, two = fastest(
        [lambda: totals_of(CLASSIC, THREAD_GAMES), lambda: totals_of(CLASSIC, THREAD_GAMES, 2)],
        THREAD_ROUNDS,
    )
    return Ratio(
        f"two threads, {THREAD_GAMES} games of classic, {one / two:.2f} times as fast (aim: 1.8),",
        two,
        "one thread",
        one,
    )


def first_answer() -> Ratio:
    """A whole fresh process that simulates once, when the compiled code is on the disk."""
    command = [sys.executable, "-c", FIRST]

    def run() -> None:
        subprocess.run(command, check=True)

    run()
    (seconds,) = fastest([run], FIRST_ROUNDS)
    what = f"a process that starts and simulates {FIRST_GAMES} games of classic"
    return Ratio(what, seconds, "what it may take", SECONDS_TO_FIRST, 1)


def compiled_floor(folder: Path) -> Callable[[int], Totals]:
    """`floor.c` as a function that plays so many games of the simulation."""
    compiler = os.environ.get("CC") or next(filter(shutil.which, ("cc", "gcc", "clang")), None)
    if not compiler:
        sys.exit("the measurements of the lab need a C compiler (Debian: apt-get install gcc)")
    library = folder / "floor.so"
    source = Path(__file__).with_name("floor.c")
    flags = ["-O3", "-march=native", "-shared", "-fPIC", "-o", str(library), str(source)]
    subprocess.run([compiler, *flags], check=True)
    function = ctypes.CDLL(str(library)).play
    function.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)
    function.restype = None
    codes, totals = game_codes(GAMES), np.zeros(4, np.int64)

    def play(games: int) -> Totals:
        assert games <= len(codes)
        function(codes.ctypes.data, games, totals.ctypes.data)
        battles, wars, first_wins, second_wins = totals.tolist()
        return battles, wars, first_wins, second_wins

    return play


def game_codes(games: int) -> np.ndarray:
    """The deal codes of a simulation's first games."""
    return np.array([code_of_game(SEED, game) for game in range(games)], np.uint64)


def totals_of(rules: Rules, games: int, threads: int = 1) -> Totals:
    """What the kernel counts."""
    summary = simulate(rules, games=games, seed=SEED, threads=threads, progress=False)
    battles, wars = (
        sum(number * games for number, games in counts.items())
        for counts in (summary.tally.lengths, summary.tally.wars)
    )
    return battles, wars, summary.wins(1), summary.wins(2)


def add_up(games: Iterator[tuple[int, int, int]]) -> Totals:
    """The totals of games of which each tells its battles, its wars and 1 or -1 for the winner."""
    battles, wars, winners = zip(*games, strict=True)
    return sum(battles), sum(wars), winners.count(1), winners.count(-1)


def sign_of_winner(game: Game) -> int:
    """1 or -1 for the player who wins, or 0 for a draw."""
    winner = game.outcome.winner if game.outcome else None
    return {1: 1, 2: -1, None: 0}[winner]


if __name__ == "__main__":
    from bench.__main__ import main

    sys.exit(main(["lab"]))
