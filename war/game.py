"""A game of War from the deal to its outcome: the engine that is there to be read."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import islice
from typing import NamedTuple

from war.cards import Card, cards, shown, text
from war.chance import Stream, deal_code, deal_stream, new_code, play_stream
from war.rules import (
    AtCap,
    Fighters,
    Pickup,
    Rules,
    Tie,
    Won,
    can_lay,
    cards_to_lay,
    pickup_order,
)
from war.table import (
    DOWN,
    RETURN,
    SHORT,
    SHUFFLE,
    TAKE,
    TURN,
    UP,
    Event,
    Kind,
    Position,
    Table,
    new_event,
)
from war.variants import rules_of


class Reason(StrEnum):
    """Why a game ended; the first three are reasons to win, the others of a draw."""

    ALL_CARDS = "all-cards"
    SHORT_IN_WAR = "short-in-war"
    MORE_CARDS = "more-cards"
    EQUAL_SHORTAGE = "equal-shortage"
    BATTLE_LIMIT = "battle-limit"
    ENDLESS = "endless"


# Looking a member up by name costs as much as moving a card.
SHUFFLED, WAR, SPLIT, EQUAL_SHORTAGE = (
    Pickup.SHUFFLED, Tie.WAR, Tie.SPLIT, Reason.EQUAL_SHORTAGE,
)  # fmt: skip


class Outcome(NamedTuple):
    """How a game ended: the winner, a player's number from 1, or None for a draw; and why."""

    winner: int | None
    reason: Reason


class Cycle(NamedTuple):
    """A game that never ends: its position after `start` battles is back after `period` more."""

    start: int
    period: int


#: A battle that has been played: its wars, and the reason if a shortage decided it.
Verdict = tuple[int, Reason | None]


def deal(rules: Rules, code: int) -> tuple[tuple[Card, ...], ...]:
    """The stacks that a deal code gives, one for each player, top card first.

    >>> [len(stack) for stack in deal(Rules(players=3), 2024)]
    [17, 17, 17]

    Raises ValueError for a number that is no deal code.
    """
    shuffled = deal_stream(deal_code(code)).shuffled(rules.deck)
    each = len(shuffled) // rules.players
    return tuple(tuple(shuffled[seat :: rules.players][:each]) for seat in range(rules.players))


def leaders(rules: Rules, event: Event) -> tuple[int, ...]:
    """The seats whose card of this event is highest; more than one is a tie.

    >>> leaders(Rules(), Event(1, TURN, 0, (0, 1), cards("10H 9S")))
    (0,)
    """
    _, _, _, seats, laid = event
    strengths, best = rules.strength, -1
    leading: tuple[int, ...] = ()
    for seat, card in zip(seats, laid):  # noqa: B905 (the check costs more than the comparison)
        strength = strengths[card]
        if strength > best:
            best, leading = strength, (seat,)
        elif strength == best:
            leading += (seat,)
    return leading


def is_war(rules: Rules, event: Event) -> bool:
    """Whether an event shows a tie for highest that calls for a war.

    >>> is_war(Rules(), Event(1, TURN, 0, (0, 1), cards("9H 9S")))
    True
    """
    shows = event.kind == TURN or event.kind == UP
    return shows and rules.tie == WAR and len(leaders(rules, event)) > 1


def play_battle(
    rules: Rules, table: Table, stream: Stream, number: int, events: list[Event]
) -> Verdict:
    """Play one battle on the table and append its events.

    Returns how many wars it had, and the reason for the game to end where a shortage decided it.

    >>> table, events = Table([cards("9H 2C KS"), cards("9D 3C 7S")]), []
    >>> play_battle(Rules(), table, Stream(0), 1, events)
    (1, None)
    >>> [str(event.kind) for event in events]
    ['turn', 'down', 'up', 'take']
    """
    in_game = fighters = table.owners()
    turn = last = _lay(table, stream, events, number, TURN, in_game)
    leading = leaders(rules, turn)
    wars, reason = 0, None
    while len(leading) > 1:
        if rules.tie == SPLIT:
            event = new_event((number, RETURN, last.step + 1, turn.seats, turn.cards))
            table.apply(event)
            events.append(event)
            return 0, None
        wars += 1
        tied = last.cards[last.seats.index(leading[0])]
        down = rules.down_by_rank[rules.strength[tied]]
        if rules.fighters is Fighters.TIED:
            fighters = leading
        able = tuple(seat for seat in fighters if can_lay(rules.short, down, table.owned(seat)))
        if len(able) > 1:
            last = _lay_war(rules, table, stream, events, number, down, able)
            short = [seat for seat in fighters if seat not in able]
            _leave(table, events, number, short)
            in_game = tuple(seat for seat in in_game if seat not in short)
            fighters = able
            leading = leaders(rules, last)
            continue
        reason = Reason.SHORT_IN_WAR
        most = max(map(table.owned, fighters))
        leading = able or tuple(seat for seat in fighters if table.owned(seat) == most)
        if len(leading) == 1:
            _leave(table, events, number, [seat for seat in fighters if seat != leading[0]])
            break
        others = [seat for seat in in_game if seat not in fighters]
        if not others:
            return wars, Reason.EQUAL_SHORTAGE
        _leave(table, events, number, fighters)
        # Of several others some may have turned their last card; they are out after this battle.
        if len(others) > 1:
            others = [seat for seat in others if table.owned(seat)]
        if len(others) != 1:
            return wars, None if others else Reason.EQUAL_SHORTAGE
        leading = (others[0],)
    _take(rules, table, stream, events, number, leading[0])
    return wars, reason


def _lay(
    table: Table,
    stream: Stream,
    events: list[Event],
    number: int,
    kind: Kind,
    seats: tuple[int, ...],
) -> Event:
    step, stacks = table.step, table.stacks
    if table.aside:
        for seat in seats:
            if not stacks[seat]:
                order = tuple(stream.shuffled(table.won[seat]))
                event = new_event((number, SHUFFLE, step, (seat,), order))
                table.apply(event)
                events.append(event)
    tops = tuple([stacks[seat][0] for seat in seats])
    event = new_event((number, kind, step, seats, tops))
    table.apply(event)
    events.append(event)
    return event


def _lay_war(
    rules: Rules,
    table: Table,
    stream: Stream,
    events: list[Event],
    number: int,
    down: int,
    able: tuple[int, ...],
) -> Event:
    poorest = min(map(table.owned, able))
    to_lay = {seat: cards_to_lay(rules.short, down, table.owned(seat), poorest) for seat in able}
    for laid in range(1, max(to_lay.values())):
        seats = tuple(seat for seat in able if laid < to_lay[seat])
        _lay(table, stream, events, number, DOWN, seats)
    return _lay(table, stream, events, number, UP, able)


def _leave(table: Table, events: list[Event], number: int, seats: Iterable[int]) -> None:
    step = table.step
    for seat in seats:
        spare = (*table.stacks[seat], *table.won[seat])
        event = new_event((number, SHORT, step, (seat,), spare))
        table.apply(event)
        events.append(event)


def _take(
    rules: Rules, table: Table, stream: Stream, events: list[Event], number: int, winner: int
) -> None:
    stake = table.stake
    order = pickup_order(rules.pickup, rules.players, winner, tuple(table.places))
    taken = tuple(map(stake.__getitem__, order))
    if rules.pickup == SHUFFLED:
        taken = tuple(stream.shuffled(taken))
    event = new_event((number, TAKE, table.step, (winner,), taken))
    table.apply(event)
    events.append(event)


def outcome_after(
    rules: Rules, table: Table, battles: int, reason: Reason | None, cycle: Cycle | None
) -> Outcome | None:
    """How the game ends after a battle, or None where it goes on."""
    if reason is EQUAL_SHORTAGE:
        return Outcome(None, reason)
    owners = table.owners()
    if len(owners) == 1:
        return Outcome(owners[0] + 1, reason or Reason.ALL_CARDS)
    if cycle and battles == cycle.start + cycle.period:
        return Outcome(None, Reason.ENDLESS)
    if rules.cap is None or battles < rules.cap:
        return None
    if rules.at_cap is AtCap.MORE_CARDS:
        most = max(map(table.owned, owners))
        richest = [seat for seat in owners if table.owned(seat) == most]
        if len(richest) == 1:
            return Outcome(richest[0] + 1, Reason.MORE_CARDS)
    return Outcome(None, Reason.BATTLE_LIMIT)


def find_cycle(rules: Rules, start: Position) -> Cycle | None:
    """Where a game without shuffles starts to repeat its positions, or None where it ends.

    A position is the ranks of all stacks and of the stake, in order: suits never decide. The least
    start and the least period are found by Brent's algorithm ("An improved Monte Carlo factorization
    algorithm", BIT 20, 1980), which remembers one position, however long the game goes on.

    >>> game = Game(Rules(pickup="as-laid", cap=None), piles=["2S 4S", "5H 3H"])
    >>> find_cycle(game.rules, game.start)
    Cycle(start=2, period=4)

    Raises ValueError where the rules shuffle: such a game has no cycle to find.
    """
    last = deque(_search_cycle(rules, start), maxlen=1)
    return last[0] if last else None


def _search_cycle(rules: Rules, start: Position) -> Iterator[Cycle | None]:
    """Yield None for each battle the search goes ahead, and the cycle last if there is one.

    It is found at the latest when the search is three times as many battles ahead as start and
    period are together, so a game that is played need not be searched further than that.
    """
    if rules.shuffles:
        raise ValueError("the rules shuffle cards, so a position that comes back proves nothing")
    rules = rules.change(cap=None)
    hare = _table(rules, start)
    remembered = _ranks(hare)
    period, limit = 0, 1
    while True:
        if _skip(rules, hare):
            return
        period += 1
        ranks = _ranks(hare)
        if ranks == remembered:
            break
        if period == limit:
            remembered, period, limit = ranks, 0, limit * 2
        yield None
    hare, tortoise, first = _table(rules, start), _table(rules, start), 0
    for _ in range(period):
        _skip(rules, hare)
    while _ranks(hare) != _ranks(tortoise):
        _skip(rules, hare)
        _skip(rules, tortoise)
        first += 1
    yield Cycle(first, period)


def _ranks(table: Table) -> list[list[str]]:
    stake = [card.rank for card in table.stake]
    return [stake, *([card.rank for card in stack] for stack in table.stacks)]


def _skip(rules: Rules, table: Table) -> bool:
    """Play a battle without shuffles and keep nothing of it; whether the game ended."""
    _, reason = play_battle(rules, table, Stream(0), 0, [])
    return outcome_after(rules, table, 0, reason, None) is not None


def _table(rules: Rules, position: Position) -> Table:
    return Table(*position, aside=rules.won is Won.ASIDE)


class Game:
    """A game that is played forwards and looked at backwards; its list of events is the game.

    >>> game = Game(piles=["9H 2C KS", "9D 3C 7S"])
    >>> len(game.battle()), game.counts, game.outcome
    (4, (6, 0), Outcome(winner=1, reason=<Reason.ALL_CARDS: 'all-cards'>))
    >>> game.back().counts
    (3, 3)

    `rules` is a `Rules`, a name or a record of changed answers. Without `piles` the code deals the
    cards; with them it only fixes the later shuffles. With `record=False` no event is kept: memory
    does not grow, and there is no way back.

    Raises ValueError for unknown rules, for what is no deal code, and for piles that are no position
    of these rules.
    """

    def __init__(
        self,
        rules: object = "classic",
        code: object = None,
        piles: Sequence[str | Iterable[str | Card]] | None = None,
        won: Sequence[str | Iterable[str | Card]] | None = None,
        record: bool = True,
    ) -> None:
        self.rules = rules_of(rules)
        if code is None:
            code = new_code() if piles is None else 0
        self.code = deal_code(code)
        self.dealt = piles is None
        if piles is None and won is not None:
            raise ValueError("won piles need piles beside them")
        stacks = deal(self.rules, self.code) if piles is None else _piles(piles)
        self.start = _checked(self.rules, stacks, () if won is None else _piles(won))
        self.record = record
        self._stream = play_stream(self.code)
        # All that has been played: the table at its end, the events, how many of them lie before the
        # end of each battle, and the wars.
        self._table = _table(self.rules, self.start)
        self._events: list[Event] = []
        self._ends = [0]
        self._wars = 0
        self._end: Outcome | None = None
        endless = self.rules.cap is None and not self.rules.shuffles
        self._search = _search_cycle(self.rules, self.start) if endless else None
        self._cycle: Cycle | None = None
        # The moment shown: how many whole battles and how many events lie before it, and the table
        # as it was then, where that is not the end of all that has been played.
        self._whole = self._at = 0
        self._then: Table | None = None

    @property
    def battles(self) -> int:
        """How many battles have been begun up to this moment.

        >>> Game(code=1).play(10).battles
        10
        """
        return self._whole + self.mid_battle

    @property
    def mid_battle(self) -> bool:
        """Whether a battle has been begun and is not over at this moment.

        >>> game = Game(code=1)
        >>> event = game.step()
        >>> game.mid_battle
        True
        """
        return self._at > self._ends[self._whole if self.record else 0]

    @property
    def played(self) -> int:
        """How many whole battles have been played at all, also those after this moment.

        >>> Game(code=1).play(10).back().played
        10
        """
        return len(self._ends) - 1 if self.record else self._whole

    @property
    def at(self) -> int:
        """How many events lie before this moment.

        >>> Game(piles=["9H 2C KS", "9D 3C 7S"]).play().at
        4
        """
        return self._at

    @property
    def wars(self) -> int:
        """How many ties up to this moment called for a war.

        >>> Game(piles=["9H 2C KS", "9D 3C 7S"]).play().wars
        1
        """
        if self._then is None:
            return self._wars
        return sum(is_war(self.rules, event) for event in self._events[: self._at])

    @property
    def events(self) -> tuple[Event, ...]:
        """All events before this moment.

        >>> [str(event.kind) for event in Game(piles=["9H 2C KS", "9D 3C 7S"]).play().events]
        ['turn', 'down', 'up', 'take']
        """
        return tuple(self._events[: self._at])

    @property
    def present(self) -> tuple[Event, ...]:
        """The events of the battle under way, or else of the last one, up to this moment.

        >>> len(Game(piles=["9H 2C KS", "9D 3C 7S"]).seek(3).present)
        3
        """
        return tuple(self._events[self._ends[max(self.battles - 1, 0)] : self._at])

    def events_of(self, battle: int) -> tuple[Event, ...]:
        """The events of one battle, as far as it has been played.

        >>> len(Game(piles=["9H 2C KS", "9D 3C 7S"]).play().events_of(1))
        4
        """
        if not 1 <= battle < len(self._ends):
            return ()
        return tuple(self._events[self._ends[battle - 1] : self._ends[battle]])

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended, or None at a moment before its end."""
        return None if self._then else self._end

    @property
    def cycle(self) -> Cycle | None:
        """Where a game without a cap starts to repeat and how soon, or None where it does not.

        >>> Game("open-ended", piles=["5S JS 6S 2S 4S", "7H 9H 3H 10H 8H"]).cycle
        Cycle(start=43, period=60)
        """
        for found in self._search or ():
            self._cycle = found
        return self._cycle

    @property
    def position(self) -> Position:
        """Where all cards lie now, as values."""
        return (self._then or self._table).position

    @property
    def counts(self) -> tuple[int, ...]:
        """How many cards each player owns, the stack and the won pile together."""
        return (self._then or self._table).counts

    def step(self) -> Event | None:
        """Let the next event happen and return it; None when the game is over.

        >>> Game(piles=["9H 2C KS", "9D 3C 7S"]).step().kind
        <Kind.TURN: 0>
        """
        if self._then is None:
            self._keep_events()
            if self._end:
                return None
            before = self.position
            at, whole = self._at, self._whole
            self._play_on()
            self._then, self._at, self._whole = _table(self.rules, before), at, whole
        return self._again()

    def battle(self) -> list[Event]:
        """Play one battle, or what is left of one, and return its events; none when the game is over.

        >>> [str(event.kind) for event in Game(piles=["9H 2C KS", "9D 3C 7S"]).battle()]
        ['turn', 'down', 'up', 'take']
        """
        if self._then is None:
            return [] if self._end else self._play_on()
        return [self._again() for _ in range(self._at, self._ends[self._whole + 1])]

    def play(self, battles: int | None = None) -> Game:
        """Play so many battles, or to the end, and return the game; a battle left open counts as one.

        >>> Game("classic", 2024).play().outcome is not None
        True
        """
        while (battles is None or battles > 0) and self.battle():
            battles = battles and battles - 1
        return self

    def back(self) -> Game:
        """Go back one battle; in the middle of one, to its start.

        >>> Game(code=1).play(10).back().battles
        9
        """
        return self.go_to(self.battles - 1)

    def step_back(self) -> Game:
        """Go back one event.

        >>> Game(code=1).play(1).step_back().mid_battle
        True
        """
        return self.seek(max(self._at - 1, 0))

    def seek(self, at: int) -> Game:
        """Go to the moment that has so many events before it, back or forth.

        >>> Game(piles=["9H 2C KS", "9D 3C 7S"]).seek(2).position.stake[-1]
        Laid(card=Card('3', 'C'), seat=1, step=1, up=False)

        Raises ValueError where the game has no such moment, or keeps no events.
        """
        self._keep_events()
        if at < 0:
            raise ValueError(f"there is no event {at}: events count from 0")
        if at < self._at:
            self._rewind(at)
        while self._at < at:
            if not self.step():
                raise ValueError(f"there is no event {at}: the game ends after {self._at}")
        return self

    def go_to(self, battle: int) -> Game:
        """Go to the end of a battle, back or forth; 0 is the deal, beyond the end is the end.

        >>> game = Game(code=1).play(10)
        >>> game.go_to(3).battles, game.go_to(12).battles
        (3, 12)
        """
        battle = max(battle, 0)
        if battle < self.battles:
            self._keep_events()
            self._rewind(self._ends[battle])
        while self._whole < battle and self.battle():
            pass
        return self

    def _play_on(self) -> list[Event]:
        """Play one more battle, beyond all that has been played, and go to its end."""
        events: list[Event] = []
        number = self._whole + 1
        if self._search:
            # An endless game stops after one period, which has to be known when it is over.
            self._cycle = next(filter(None, islice(self._search, 3)), self._cycle)
        wars, reason = play_battle(self.rules, self._table, self._stream, number, events)
        # Nearly every battle ends nothing, which is seen at a glance.
        if reason or self._cycle or number == self.rules.cap or not all(self._table.stacks):
            self._end = outcome_after(self.rules, self._table, number, reason, self._cycle)
        self._at += len(events)
        self._whole = number
        self._wars += wars
        if self.record:
            self._events += events
            self._ends.append(self._at)
        else:
            self._ends[0] = self._at
        return events

    def _again(self) -> Event:
        """Let an event that has been played happen on the table of the moment shown."""
        assert self._then is not None
        event = self._events[self._at]
        self._then.apply(event)
        self._at += 1
        self._whole += self._at == self._ends[self._whole + 1]
        if self._at == len(self._events):
            self._then = None
        return event

    def _rewind(self, at: int) -> None:
        self._then = _table(self.rules, self.start)
        self._at = self._whole = 0
        while self._at < at:
            self._again()
        if self._at == len(self._events):
            self._then = None

    def _keep_events(self) -> None:
        if not self.record:
            raise ValueError("this game keeps no events, so it goes battle by battle, and not back")


def _piles(piles: Sequence[str | Iterable[str | Card]]) -> tuple[tuple[Card, ...], ...]:
    if isinstance(piles, str):
        piles = piles.split("|")
    if not isinstance(piles, Sequence):
        raise ValueError(f"piles are a list with one pile for each player, not {shown(piles)}")
    return tuple(map(cards, piles))


def _checked(
    rules: Rules, stacks: tuple[tuple[Card, ...], ...], won: tuple[tuple[Card, ...], ...]
) -> Position:
    won = won or ((),) * len(stacks)
    for name, piles in (("piles", stacks), ("won piles", won)):
        if len(piles) != rules.players:
            raise ValueError(f"{rules.players} players need as many {name}, not {len(piles)}")
    if any(won) and rules.won is Won.UNDER:
        raise ValueError(f"these rules set no cards aside, but a won pile has {text(sum(won, ()))}")
    known, seen = set(rules.deck), set()
    for card in sum((*stacks, *won), ()):
        if card not in known:
            raise ValueError(f"{card} is not in this deck")
        if card in seen:
            raise ValueError(f"{card} is there twice")
        seen.add(card)
    for player, (stack, pile) in enumerate(zip(stacks, won, strict=True), 1):
        if not stack and not pile:
            raise ValueError(f"player {player} has no cards")
    return Position(stacks, won)
