"""Starts of games: what hypothesis draws, over all fields of the rules, and piles from ranks alone."""

from itertools import pairwise
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from war.cards import LABELS, RANKS, SUITS, Card
from war.chance import CODES
from war.rules import AtCap, Fighters, Pickup, Rules, Short, Tie, Won

# Every run draws the same examples, so that a change fails by its own fault and not by luck; another
# profile named on the command line (--hypothesis-profile=default) draws new ones.
settings.register_profile(
    "steady",
    derandomize=True,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
if settings.get_current_profile_name() in ("default", "ci"):
    settings.load_profile("steady")

#: What makes a game: the arguments of `Game` by their names.
Start = dict[str, Any]


def codes() -> st.SearchStrategy[int]:
    """Any deal code."""
    return st.integers(0, CODES - 1)


@st.composite
def rules(draw: st.DrawFn) -> Rules:
    """Rules over all fields, most of them with a small deck, so that games end and ties abound."""
    players = draw(st.integers(2, 4))
    suits = draw(st.lists(st.sampled_from(SUITS), min_size=1, max_size=4, unique=True))
    fewest = -(-players // len(suits))
    few = st.lists(st.sampled_from(LABELS), min_size=fewest, max_size=6, unique=True)
    ranks = draw(few | few | st.just(RANKS))
    downs = st.integers(0, 4)
    pickup = draw(st.sampled_from(Pickup))
    won = draw(st.sampled_from(Won))
    tie = draw(st.sampled_from((Tie.WAR, Tie.WAR, Tie.SPLIT)))
    shuffles = pickup is Pickup.SHUFFLED or won is Won.ASIDE
    caps = st.integers(1, 40)
    # Without a cap two programs play on until they end or repeat, which a small deck does soon.
    if len(ranks) * len(suits) <= 16 and not (shuffles and (tie is Tie.SPLIT or players > 2)):
        caps |= st.none() | st.none()
    return Rules(
        players=players,
        ranks=tuple(ranks),
        suits=tuple(suits),
        down=draw(downs | st.lists(downs, min_size=len(ranks), max_size=len(ranks))),
        tie=tie,
        fighters=draw(st.sampled_from(Fighters)),
        short=draw(st.sampled_from(Short)),
        won=won,
        pickup=pickup,
        cap=draw(caps),
        at_cap=draw(st.sampled_from(AtCap)),
    )


@st.composite
def starts(draw: st.DrawFn) -> Start:
    """The start of a game: a deal, or piles laid out by hand, some of them already set aside."""
    drawn = draw(rules())
    start = {"rules": drawn, "code": draw(codes())}
    if draw(st.booleans()):
        return start
    pack = draw(st.permutations(drawn.deck))
    pack = pack[: draw(st.integers(drawn.players, len(pack)))]
    places: list[int] = []
    for waiting in range(drawn.players - 1, 0, -1):
        places.append(draw(st.integers(places[-1] + 1 if places else 1, len(pack) - waiting)))
    piles = _cut(pack, places)
    if drawn.won is Won.UNDER:
        return start | {"piles": piles}
    halves = [_cut(pile, [draw(st.integers(0, len(pile)))]) for pile in piles]
    return start | {"piles": [half[0] for half in halves], "won": [half[1] for half in halves]}


def _cut(pack: list[Card], places: list[int]) -> list[list[Card]]:
    return [pack[start:end] for start, end in pairwise([0, *places, len(pack)])]


def with_suits(piles: str, suits: str = "CDHS") -> list[list[str]]:
    """Piles given by their ranks alone, each rank with a new suit every time."""
    seen: list[str] = []
    given: list[list[str]] = []
    for pile in piles.split("|"):
        given.append([])
        for rank in pile.split():
            given[-1].append(rank + suits[seen.count(rank)])
            seen.append(rank)
    return given
