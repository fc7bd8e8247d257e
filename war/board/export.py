"""What a person takes away from the board: the history as a table, and the game as a file."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

from war.cards import shown
from war.describe import history, verb_of
from war.game import Game
from war.notation import to_json


def table_rows(game: Game, names: Sequence[str], after: object) -> dict[str, Any]:
    """The rows of the history after a battle, as the board's table shows them.

    >>> game = Game(piles=["9H 2C KS", "9D 3C 7S"]).play()
    >>> table_rows(game, ("You", "Computer"), 0)["rows"]
    [[1, '9H (2C) KS', '9D (3C) 7S', 1, 'You', 6, 6, 0]]

    Raises ValueError where `after` is no number of a battle.
    """
    if isinstance(after, bool) or not isinstance(after, int) or after < 0:
        raise ValueError(f"a battle is a whole number, not {shown(after)}")
    rows = [row for row in history(game) if row.battle > after]
    return {
        "after": after,
        "head": [
            "Battle",
            *names,
            "Wars",
            "Taken by",
            "Cards",
            *(f"{name} {verb_of(name, 'owns')}" for name in names),
        ],
        "rows": [
            [
                row.battle,
                *row.laid,
                row.wars,
                "" if row.winner is None else names[row.winner],
                row.taken,
                *row.counts,
            ]
            for row in rows
        ],
    }


def saved(game: Game, form: object) -> dict[str, str]:
    """A game as a file: json to open again, or csv with its history for a spreadsheet.

    >>> saved(Game(piles=["KS", "QS"]).play(), "csv")["text"].splitlines()[1]
    '1,KS,QS,0,1,2,2,0'

    Raises ValueError for another form.
    """
    name = f"war-{game.code}"
    if form == "json":
        return {"name": f"{name}.json", "type": "application/json", "text": to_json(game) + "\n"}
    if form != "csv":
        raise ValueError(f"a game is saved as json or csv, not {shown(form)}")
    # Players by number, as names that somebody has typed could be formulas to a spreadsheet.
    players = range(1, game.rules.players + 1)
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(
        [
            "battle",
            *(f"player {player} laid" for player in players),
            *("wars", "taken by player", "cards taken"),
            *(f"player {player} owns" for player in players),
        ]
    )
    for row in history(game):
        taker = "" if row.winner is None else row.winner + 1
        table.writerow([row.battle, *row.laid, row.wars, taker, row.taken, *row.counts])
    return {"name": f"{name}.csv", "type": "text/csv", "text": text.getvalue()}
