"""What the board draws, as plain values: nothing in them tells what a face-down card is."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from war.board.art import card_svg
from war.board.settings import Settings
from war.cards import Card
from war.describe import (
    Sentence,
    headline,
    highlights,
    moment,
    of_outcome,
    of_stake,
    rule_in_force,
    rules_in_words,
    seat_names,
)
from war.game import Game, leaders
from war.rules import Rules
from war.table import Event, Kind
from war.variants import base_and_changes, name_of

FACE_DOWN = "face-down card"


def board_state(
    game: Game, settings: Settings | None = None, news: Sentence | None = None
) -> dict[str, Any]:
    """A moment of a game as the board draws it; `news` is what to say instead of the moment itself.

    >>> state = board_state(Game(piles=["9H 2C KS", "9D 3C 7S"]).seek(2))
    >>> [card["name"] for card in state["seats"][0]["cards"]], state["stake"]
    (['nine of hearts', 'face-down card'], '4 cards on the table')
    """
    settings = settings or Settings()
    names = names_at(game, settings)
    news = news or moment(game, names)
    stacks, won, _ = game.position
    outcome = game.outcome
    taker = _taker(game)
    cards = _cards_in_view(game, settings)
    return {
        "rules": rules_title(game),
        "base": _base(game.rules),
        "code": str(game.code) if game.dealt else None,
        "battle": game.battles,
        "played": game.played,
        "open": game.mid_battle,
        "cap": game.rules.cap,
        "seats": [
            {
                "name": name,
                "count": len(stacks[seat]) + len(won[seat]),
                "stack": len(stacks[seat]),
                "won": len(won[seat]) if game.rules.won else None,
                "cards": cards[seat],
                "takes": len(game.present[-1].cards) if seat == taker else 0,
                # A card that only tied has not beaten anything, even if its owner takes the stake.
                "beats": seat == taker and _decided_by_cards(game),
                "wins": outcome is not None and outcome.winner == seat + 1,
                "order": [_drawn(card, settings) for card in stacks[seat]]
                if settings.open_stacks
                else None,
            }
            for seat, name in enumerate(names)
        ],
        "stake": of_stake(game, names),
        "shown": news.shown,
        "spoken": news.spoken,
        "words": _words(game.rules),
        "lit": rule_in_force(game) if game.battles else None,
        "over": of_outcome(game, names),
        "headline": headline(game, names),
        "highlights": highlights(game, names) if outcome else [],
    }


@lru_cache(maxsize=32)
def _base(rules: Rules) -> str:
    return base_and_changes(rules)[0]


@lru_cache(maxsize=32)
def _words(rules: Rules) -> dict[str, str]:
    return rules_in_words(rules)


def names_at(game: Game, settings: Settings) -> tuple[str, ...]:
    """The labels of the seats: those that somebody has set, or else the usual ones.

    >>> names_at(Game("three-players", 1), Settings(names=("", "Ada")))
    ('You', 'Ada', 'Computer 2')
    """
    usual = seat_names(game.rules.players)
    names: list[str] = []
    for seat, label in enumerate(usual):
        own = settings.names[seat] if seat < len(settings.names) else ""
        own = "You" if own.lower() == "you" else own
        others = {name.lower() for name in (*names, *usual[:seat], *usual[seat + 1 :])}
        # Two of a name could not be told apart, and one might win and lose in one sentence.
        names.append(label if not own or own.lower() in others else own)
    return tuple(names)


def rules_title(game: Game) -> str:
    """The name of a game's rules as a heading has it.

    >>> rules_title(Game("three-players", 1)), rules_title(Game({"cap": 7}, 1))
    ('Three players', 'Own rules')
    """
    name = name_of(game.rules) or "own"
    return (
        f"{name} rules" if name in ("classic", "house", "own") else name.replace("-", " ")
    ).capitalize()


def _taker(game: Game) -> int | None:
    last = game.present[-1] if game.battles else None
    return last.seats[0] if last and last.kind is Kind.TAKE else None


def _decided_by_cards(game: Game) -> bool:
    faces = [event for event in game.present if event.kind in (Kind.TURN, Kind.UP)]
    return len(leaders(game.rules, faces[-1])) == 1


def _cards_in_view(game: Game, settings: Settings) -> list[list[dict[str, Any]]]:
    """The cards that each seat has laid in this battle, and before it where the stake waited."""
    owners = (
        {card: seat for piles in game.start[:2] for seat, pile in enumerate(piles) for card in pile}
        if settings.owners
        else {}
    )
    cards: list[list[dict[str, Any]]] = [[] for _ in range(game.rules.players)]
    for event in _events_in_view(game):
        if event.kind in (Kind.TURN, Kind.UP):
            for seat, card in zip(event.seats, event.cards, strict=True):
                cards[seat].append(_drawn(card, settings) | {"owner": owners.get(card)})
        elif event.kind is Kind.DOWN:
            for seat in event.seats:
                cards[seat].append({"name": FACE_DOWN})
        elif event.kind is Kind.SHORT:
            cards[event.seats[0]] += [{"name": FACE_DOWN} for _ in event.cards]
    return cards


def _drawn(card: Card, settings: Settings) -> dict[str, Any]:
    return {"name": card.name, "svg": card_svg(card, settings.four_colours, settings.pips)}


def _events_in_view(game: Game) -> list[Event]:
    events = list(game.present)
    battle = game.battles - 1
    while battle > 0 and game.events_of(battle)[-1].kind not in (Kind.TAKE, Kind.RETURN):
        events[:0] = game.events_of(battle)
        battle -= 1
    return events
