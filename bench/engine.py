"""The engine against the plainest loop that plays the same deals."""

from collections.abc import Iterator

from bench import Ratio, deque_loop, fastest
from war import CLASSIC, Game, deal

DEALS = 30
ROUNDS = 30


def ratios() -> Iterator[Ratio]:
    """Whole games of `classic`, from piles to outcome; the least times of each deal are added up."""
    times = [measure(code) for code in range(DEALS)]
    loop, kept, unkept = map(sum, zip(*times, strict=True))
    against = f"a plain deque loop, {DEALS} games"
    yield Ratio("the engine with its events", kept, against, loop, at_most=30)
    yield Ratio("the engine without a record", unkept, against, loop)


def measure(code: int) -> list[float]:
    """The seconds of one deal: the loop, the engine, the engine without a record."""
    piles = deal(CLASSIC, code)
    one, two = ([CLASSIC.strength[card] for card in pile] for pile in piles)

    def loop() -> tuple[int, int, int]:
        return deque_loop.play(one, two)

    def engine() -> Game:
        return Game(CLASSIC, piles=piles).play()

    def without_record() -> Game:
        return Game(CLASSIC, piles=piles, record=False).play()

    assert loop() == totals(engine()) == totals(without_record()), f"deal {code} ends in two ways"
    return fastest([loop, engine, without_record], ROUNDS)


def totals(game: Game) -> tuple[int, int, int]:
    """What the loop returns: battles, wars, and 1 or -1 for the winner or 0 for a draw."""
    winner = game.outcome.winner if game.outcome else None
    return game.battles, game.wars, {1: 1, 2: -1, None: 0}[winner]
