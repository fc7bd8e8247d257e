"""What the board draws, as plain values: nothing in them tells what a face-down card is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from war.board.art import card_svg
from war.describe import (
    Sentence,
    history,
    moment,
    of_outcome,
    rule_in_force,
    rules_in_words,
    seat_names,
)
from war.game import Game
from war.table import Event, Kind
from war.variants import name_of

FACE_DOWN = "face-down card"


def board_state(
    game: Game, news: Sentence | None = None, names: Sequence[str] = ()
) -> dict[str, Any]:
    """A moment of a game as the board draws it; `news` is what to say instead of the moment itself.

    >>> state = board_state(Game(piles=["9H 2C KS", "9D 3C 7S"]).seek(2))
    >>> [card["name"] for card in state["seats"][0]["cards"]], state["stake"]
    (['nine of hearts', 'face-down card'], 4)
    """
    names = names or seat_names(game.rules.players)
    news = news or moment(game, names)
    stacks, won, stake = game.position
    outcome = game.outcome
    taker = _taker(game)
    cards = _cards_in_view(game)
    return {
        "rules": rules_title(game),
        "code": str(game.code) if game.dealt else None,
        "battle": game.battles,
        "cap": game.rules.cap,
        "seats": [
            {
                "name": name,
                "count": len(stacks[seat]) + len(won[seat]),
                "stack": len(stacks[seat]),
                "won": len(won[seat]) if game.rules.won else None,
                "cards": cards[seat],
                "takes": seat == taker,
                "wins": outcome is not None and outcome.winner == seat + 1,
            }
            for seat, name in enumerate(names)
        ],
        # Taken cards stay in view until the next battle, so they still count as the stake here.
        "stake": len(stake) or sum(map(len, cards)),
        "taken": not stake and taker is not None,
        "shown": news.shown,
        "spoken": news.spoken,
        "words": rules_in_words(game.rules),
        "lit": rule_in_force(game) if game.battles else None,
        "over": of_outcome(game, names),
        "counts": [[len(stack) + len(pile) for stack, pile in zip(*game.start[:2], strict=True)]]
        + [list(row.counts) for row in history(game)],
    }


def rules_title(game: Game) -> str:
    """The name of a game's rules as a heading has it.

    >>> rules_title(Game("three-players", 1)), rules_title(Game({"cap": 7}, 1))
    ('Three players', 'Own rules')
    """
    return (name_of(game.rules) or "own rules").replace("-", " ").capitalize()


def _taker(game: Game) -> int | None:
    last = game.present[-1] if game.battles else None
    return last.seats[0] if last and last.kind is Kind.TAKE else None


def _cards_in_view(game: Game) -> list[list[dict[str, Any]]]:
    """The cards that each seat has laid in this battle, and before it where the stake waited."""
    cards: list[list[dict[str, Any]]] = [[] for _ in range(game.rules.players)]
    for event in _events_in_view(game):
        up = event.kind in (Kind.TURN, Kind.UP)
        if up or event.kind is Kind.DOWN:
            for seat, card in zip(event.seats, event.cards, strict=True):
                cards[seat].append(
                    {"name": card.name, "svg": card_svg(card)} if up else {"name": FACE_DOWN}
                )
        elif event.kind is Kind.SHORT:
            cards[event.seats[0]] += [{"name": FACE_DOWN} for _ in event.cards]
    return cards


def _events_in_view(game: Game) -> list[Event]:
    events = list(game.present)
    battle = game.battles - 1
    while battle > 0 and game.events_of(battle)[-1].kind not in (Kind.TAKE, Kind.RETURN):
        events[:0] = game.events_of(battle)
        battle -= 1
    return events
