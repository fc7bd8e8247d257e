"""Positions to play, one JSON record a line, and what becomes of them, for programs to read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from war.cards import shown, text
from war.game import Game, Reason
from war.notation import read_json

KEYS = ("rules", "deal", "piles", "won", "battles")


def replay(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """A record for each line that is not blank, in order; a line that is wrong gives its error.

    >>> for record in replay(['{"rules": "classic", "piles": ["9H", "9D"]}', "", "nonsense"]):
    ...     print(record["result"] if "result" in record else record)
    draw
    {'error': 'not JSON: Expecting value at character 1', 'line': 3}
    """
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield played(read_json(line))
            except ValueError as error:
                yield {"error": str(error), "line": number}


def played(request: object) -> dict[str, Any]:
    """What becomes of one position: the result, and where all cards lie.

    >>> end = played({"rules": "classic", "piles": ["9H 2C KS", "9D 3C 7S"], "battles": 1})
    >>> end["result"], end["winner"], end["piles"]
    ('win', 1, ['9H 2C KS 9D 3C 7S', ''])

    Raises ValueError for a request that makes no game.
    """
    if not isinstance(request, Mapping):
        raise ValueError(f"a request is a record with rules, not {shown(request)}")
    for key in request:
        if key not in KEYS:
            raise ValueError(f"unknown key: {shown(key)} (keys are {', '.join(KEYS)})")
    if "piles" not in request and "deal" not in request:
        raise ValueError("a request needs piles or a deal")
    for key in KEYS:
        if key in request and request[key] is None:
            raise ValueError(f"{key} is null: leave it out or give a value")
    battles = request.get("battles")
    if battles is not None and (
        isinstance(battles, bool) or not isinstance(battles, int) or battles < 0
    ):
        raise ValueError(f"battles is a whole number from 0, not {shown(battles)}")
    game = Game(
        request.get("rules", "classic"),
        request.get("deal", 0),
        request.get("piles"),
        request.get("won"),
        record=False,
    )
    return result(game.play(battles))


def result(game: Game) -> dict[str, Any]:
    """A game's result and position as plain JSON values.

    >>> result(Game(piles=["KS 2H", "QS 3H"]).play(1))["counts"]
    [3, 1]
    """
    stacks, won, stake = game.position
    outcome = game.outcome
    record: dict[str, Any] = {
        "result": "unfinished",
        "winner": None,
        "reason": None,
        "battles": game.battles,
        "wars": game.wars,
        "piles": [text(stack) for stack in stacks],
        "won": [text(pile) for pile in won],
        "stake": text(laid.card for laid in stake),
        "counts": list(game.counts),
    }
    if outcome:
        record["result"] = "win" if outcome.winner else "draw"
        record["winner"], record["reason"] = outcome.winner, str(outcome.reason)
        if outcome.reason is Reason.ENDLESS and game.cycle:
            record["start"], record["period"] = game.cycle
    return record


def to_line(record: Mapping[str, Any]) -> str:
    """A record as one line of JSON.

    >>> to_line({"error": "not a card: '9X'", "line": 1})
    '{"error": "not a card: \\'9X\\'", "line": 1}'
    """
    return json.dumps(record)
