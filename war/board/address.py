"""A moment of a game as the query of a web address, and back; whatever an address says is checked."""

from __future__ import annotations

import base64
import zlib
from functools import lru_cache
from urllib.parse import parse_qsl, urlencode

from war.cards import shown, text
from war.game import Game
from war.rules import QUESTIONS, Rules, Tie
from war.table import Position
from war.variants import answer_of, base_and_changes, rules_of

# What somebody else's link may ask of this kernel; a notebook may ask for more.
LONGEST_ROUND = 10_000


def to_query(game: Game) -> str:
    """The query that leads to this moment of a game: deal, rules, changed fields, battle and step.

    >>> to_query(Game({"base": "house", "cap": None}, 2024).play(3))
    'deal=2024&rules=house&cap=none&battle=3'
    """
    query = [("deal", str(game.code)), *_written(game.rules)]
    if not game.dealt:
        query.append(("hand", _hidden(game.start)))
    query.append(("battle", str(game.battles - game.mid_battle)))
    if game.mid_battle:
        query.append(("step", str(len(game.present))))
    return urlencode(query)


@lru_cache(maxsize=32)
def _written(rules: Rules) -> list[tuple[str, str]]:
    base, changes = base_and_changes(rules)
    written = [("rules", base)]
    for name, value in changes.items():
        text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
        written.append((name, "none" if value is None else text))
    return written


def from_query(query: str) -> Game | None:
    """The moment of a game that a query leads to, or None where it names none.

    >>> game = from_query("?deal=2024&rules=house&battle=3")
    >>> game.battles, game.rules.cap
    (3, 300)
    >>> from_query("?utm_source=letter") is None
    True

    Raises ValueError for a query that names what is not there, or asks for too much.
    """
    if len(query) > 4000 or query.count("&") > 40:
        raise ValueError(f"the address is too long: {len(query)} characters")
    wanted = dict(parse_qsl(query.removeprefix("?"), keep_blank_values=True))
    changes = {name: answer_of(name, value) for name, value in wanted.items() if name in QUESTIONS}
    if not changes and not wanted.keys() & {"deal", "rules", "hand"}:
        return None
    rules = rules_of(wanted.get("rules", "classic")).change(**changes)
    check_length(rules)
    stacks, won = _shown(wanted["hand"]) if "hand" in wanted else (None, None)
    game = Game(rules, wanted.get("deal"), stacks, won)
    battle, step = (_number(name, wanted.get(name, "0")) for name in ("battle", "step"))
    game.go_to(battle)
    for _ in range(step):
        if not game.step() or not game.mid_battle:
            break
    return game


def check_length(rules: Rules) -> None:
    """Refuse rules by which a round on a page might never be over.

    Raises ValueError for a cap beyond `LONGEST_ROUND`, and for ties that are split without one.
    """
    if rules.cap and rules.cap > LONGEST_ROUND:
        raise ValueError(f"cap is at most {LONGEST_ROUND} here, not {rules.cap}")
    if rules.cap is None and rules.tie is Tie.SPLIT:
        raise ValueError("tie 'split' needs a cap here, as such a round may be too long to play")


def _number(name: str, text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise ValueError(f"{name} is a whole number, not {shown(text)}")
    return LONGEST_ROUND if len(text) > 20 else min(int(text), LONGEST_ROUND)


def _hidden(start: Position) -> str:
    """Piles laid by hand, written so that nobody reads a card off the address."""
    piles = "/".join("|".join(map(text, piles)) for piles in start[:2])
    return base64.urlsafe_b64encode(zlib.compress(piles.encode(), 9)).decode().rstrip("=")


def _shown(hidden: str) -> tuple[list[str], list[str]]:
    try:
        packed = base64.urlsafe_b64decode(hidden + "=" * (-len(hidden) % 4))
        # So much is enough for every deck, however small a bomb the address holds.
        piles = zlib.decompressobj().decompress(packed, 10_000).decode()
        stacks, won = piles.split("/")
    except (ValueError, zlib.error):
        raise ValueError(f"hand is no position: {shown(hidden)}") from None
    return stacks.split("|"), won.split("|")
