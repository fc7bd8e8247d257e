"""A game as the kernel plays it and as the engine does, in the same rows of numbers."""

from typing import Any, NamedTuple

import numpy as np

from war.game import Game, Reason, is_war
from war.lab import kernel
from war.lab.chunks import card_numbers
from war.rules import Rules
from war.table import Kind

#: Number of the event, battle, kind, step, seat, card.
Rows = list[list[int]]


#: Neither the cards held nor who leads.
NOT_NOTED = (np.zeros((0, 1), np.int64), np.zeros(0, np.int64), np.zeros((0, 1), np.int64))


class Told(NamedTuple):
    """What is told of a game: its events, battles, wars, winner, reason, ties at first, and cycle."""

    rows: Rows
    battles: int
    wars: int
    winner: int
    reason: str
    first_wars: int
    start: int
    period: int
    depths: dict[int, int]


def by_engine(game: Game) -> Told:
    """The game played to its end by the readable engine."""
    numbers = card_numbers(game.rules)
    game.play()
    rows: Rows = []
    ties = [0] * game.battles
    for place, event in enumerate(game.events):
        seats = event.seats
        if event.kind in (Kind.SHORT, Kind.TAKE, Kind.SHUFFLE):
            seats *= len(event.cards) or 1
        cards = [numbers[card] for card in event.cards] or [-1]
        ties[event.battle - 1] += is_war(game.rules, event)
        for seat, card in zip(seats, cards, strict=True):
            rows.append([place, event.battle, event.kind, event.step, seat, card])
    assert game.outcome
    winner, reason = game.outcome
    cycle = game.cycle if reason is Reason.ENDLESS else None
    depths = {depth: ties.count(depth) for depth in sorted(set(ties))}
    start, period = cycle or (0, 0)
    return Told(rows, game.battles, game.wars, winner or 0, reason, ties[0], start, period, depths)


def by_kernel(game: Game, room: int) -> Told:
    """The same game played by the kernel, with room for so many rows of events."""
    scratch, events = kernel.new_scratch(), np.zeros((room, 6), np.int64)
    results, depths = np.zeros((1, kernel.COLUMNS), np.int64), np.zeros(kernel.DEPTHS, np.int64)
    kernel.play_games(*arguments(game), results, depths, *NOT_NOTED, events, scratch)
    row = results[0].tolist()
    return Told(
        events[: scratch.piles.numbers[kernel.ROWS]].tolist(),
        row[kernel.BATTLES],
        row[kernel.WARS],
        row[kernel.WINNER],
        str(kernel.REASONS[row[kernel.REASON]]),
        row[kernel.FIRST_WARS],
        row[kernel.CYCLE_START],
        row[kernel.CYCLE_PERIOD],
        {ties: int(battles) for ties, battles in enumerate(depths) if battles},
    )


def arguments(game: Game) -> tuple[Any, ...]:
    """The kernel's first arguments for a game from its start."""
    rules, stacks = game.rules, game.start.stacks
    numbers = card_numbers(rules)
    return (
        *rules_arguments(rules),
        kernel.dealing_of(
            [numbers[card] for stack in stacks for card in stack], [*map(len, stacks)], []
        ),
        np.array([game.code], np.uint64),
        np.zeros(1, np.uint64),
    )


def rules_arguments(rules: Rules) -> tuple[Any, ...]:
    """The kernel's arguments for rules."""
    downs = np.array(rules.down_by_rank, np.int64)
    return kernel.numbers_of(rules), downs, kernel.turn_order(rules)
