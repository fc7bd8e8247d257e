"""Whole games on whole numbers: the engine for millions of games.

It plays what `war.game` plays, event by event, which the tests demand, and decides nothing of its own:
how many cards to lay, the order of the pick-up and every random number come from the functions in
`war.rules` and `war.chance`. Numba compiles the source as it stands; without Numba it is plain Python.

A card is a number: its strength times four, plus its suit. All piles of a game lie in one array, in
rooms of `ROOM` cards: a stack is a ring in its room, so that no card is moved to fill a gap.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from war.chance import draw, next_state, play_state, shuffle, word_of
from war.game import Reason
from war.lab.codes import code_at
from war.lab.compiling import FINGERPRINT, entry, part, plain, shared
from war.rules import (
    AtCap,
    Fighters,
    Pickup,
    Rules,
    Tie,
    Won,
    can_lay,
    cards_to_lay,
    pickup_key,
)
from war.table import Kind

#: More than the cards of the largest deck (412), and a power of two: a place in a ring is a mask.
ROOM_BITS = 9
ROOM = 1 << ROOM_BITS
_IN_ROOM = ROOM - 1
_MOST_PLAYERS = 4
_STAKE_ROOM = 2 * _MOST_PLAYERS
_ROOMS = _STAKE_ROOM + 1
#: A place of a laid card is its step times four plus its seat.
_PLACES = 4 * ROOM

# What `Piles.numbers` holds: for each seat where its stack begins, the cards of its stack and of its
# won pile; then the cards of the stake, the next step, the events, and the rows they were written in.
_HEAD, _STACK, _WON, _STAKE, _STEP, _EVENTS, _ROWS = 0, 4, 8, 12, 13, 14, 15

REASONS = tuple(Reason)
_NO_REASON = -1
_MANY = 1 << 60
_ALL_CARDS, _SHORT_IN_WAR, _MORE_CARDS, _EQUAL_SHORTAGE, _BATTLE_LIMIT, _ENDLESS = range(
    len(REASONS)
)
_TURN, _DOWN, _UP, _SHORT, _TAKE, _RETURN, _SHUFFLE = map(int, Kind)
_WAR, _EVERYBODY, _SHUFFLED, _DRAW = map(
    int, (Tie.WAR, Fighters.EVERYBODY, Pickup.SHUFFLED, AtCap.DRAW)
)

for _function in (
    next_state, word_of, draw, shuffle, play_state, code_at, can_lay, cards_to_lay,
):  # fmt: skip
    shared(_function)

#: The columns of what is noted of each game.
BATTLES, WARS, WINNER, REASON, FIRST_WARS, CYCLE_START, CYCLE_PERIOD = range(7)
COLUMNS = 7

#: What is noted instead of a leader, or of nobody (0), where the game was over by then.
FINISHED = -1

# How the cards come to the players: the deck shuffled and dealt around, the cards of each player
# shuffled apart, or the piles as they are given.
DEALT, SHUFFLED_APART, AS_GIVEN = range(3)


class Numbers(NamedTuple):
    """Rules as the kernel has them; a cap of 0 is none.

    `seats` numbers the players' seats. Compiled code knows the length of a tuple as a constant, and
    is several times as quick where it knows how many players there are.
    """

    seats: tuple[int, ...]
    tie: int
    fighters: int
    short: int
    aside: bool
    pickup: int
    cap: int
    at_cap: int
    can_repeat: bool


class Scratch(NamedTuple):
    """Room to play in: the piles of a game, piles to remember, and the battles of each depth of war."""

    piles: Any
    other: Any
    depth: Any


class Piles(NamedTuple):
    """The cards of one game: the rooms of all piles, the places of the stake, counts, the stream."""

    cards: Any
    places: Any
    numbers: Any
    stream: Any


def numbers_of(rules: Rules) -> Numbers:
    """The rules as whole numbers.

    >>> numbers_of(Rules(cap=None)).cap
    0
    """
    return Numbers(
        tuple(range(rules.players)),
        int(rules.tie),
        int(rules.fighters),
        int(rules.short),
        rules.won is Won.ASIDE,
        int(rules.pickup),
        rules.cap or 0,
        int(rules.at_cap),
        rules.cap is None and not rules.shuffles,
    )


def pickup_keys(rules: Rules) -> Any:
    """`pickup_key` for every winner and place, shape (4 * 2048,), for a winner's 2048 places each.

    >>> pickup_keys(Rules())[:4].tolist()
    [0, 1, 0, 1]
    """
    keys = np.zeros(_MOST_PLAYERS * _PLACES, np.int32)
    for winner in range(rules.players):
        for step in range(ROOM):
            for seat in range(rules.players):
                keys[winner * _PLACES + 4 * step + seat] = pickup_key(
                    rules.pickup, step, seat, winner, rules.players
                )
    return keys


def new_piles() -> Piles:
    """Room for the cards of one game.

    >>> len(new_piles().numbers)
    16
    """
    return Piles(
        plain(np.zeros(_ROOMS * ROOM, np.uint16)),
        plain(np.zeros(2 * ROOM, np.int64)),
        plain(np.zeros(16, np.int64)),
        plain(np.zeros(1, np.uint64)),
    )


def turn_order(rules: Rules) -> Any:
    """The place at which the winner picks up each seat's card where everybody laid one, shape (4 * 4,).

    >>> turn_order(Rules())[:6].tolist()
    [0, 1, 0, 0, 1, 0]
    """
    order = np.zeros(_MOST_PLAYERS * _MOST_PLAYERS, np.int64)
    for winner in range(rules.players):
        keys = [
            pickup_key(rules.pickup, 0, seat, winner, rules.players)
            for seat in range(rules.players)
        ]
        for seat, key in enumerate(keys):
            order[_MOST_PLAYERS * winner + seat] = sorted(keys).index(key)
    return order


def new_scratch() -> Scratch:
    """Room to play games in, one after the other.

    >>> len(new_scratch().depth)
    512
    """
    return Scratch(new_piles(), new_piles(), plain(np.zeros(ROOM, np.int64)))


@shared
def deal_piles(seats, piles, pack, sizes, how, code):
    """Put the cards of a game into the stacks, and the stream where later shuffles start."""
    cards, _, numbers, stream = piles
    for index in range(len(numbers)):
        numbers[index] = 0
    first = _STAKE_ROOM << ROOM_BITS
    for index in range(len(pack)):
        cards[first + index] = pack[index]
    stream[0] = code
    if how == DEALT:
        stream[0] = shuffle(cards, first, len(pack), stream[0])
    elif how == SHUFFLED_APART:
        begin = first
        for seat in range(len(seats)):
            stream[0] = shuffle(cards, begin, sizes[seat], stream[0])
            begin += sizes[seat]
    seat = 0
    total = 0
    for each in range(len(seats)):
        total += sizes[each]
    for index in range(total):
        while numbers[_STACK + seat] == sizes[seat]:
            seat = (seat + 1) % len(seats)
        cards[(seat << ROOM_BITS) + numbers[_STACK + seat]] = cards[first + index]
        numbers[_STACK + seat] += 1
        if how == DEALT:
            seat = (seat + 1) % len(seats)
    stream[0] = play_state(code)


@part
def owned(numbers, seat):
    """How many cards a player owns."""
    return numbers[_STACK + seat] + numbers[_WON + seat]


@part
def several(seats):
    """Whether a set of seats, a bit for each, has more than one."""
    return seats & (seats - 1) != 0


@part
def write(events, numbers, battle, kind, step, seat, card):
    """Write one card of an event as a row, and -1 for an event without cards."""
    if events is not None:
        row = numbers[_ROWS]
        if row >= len(events):
            raise ValueError("the game has more events than there is room for")
        events[row, 0] = numbers[_EVENTS]
        events[row, 1] = battle
        events[row, 2] = kind
        events[row, 3] = step
        events[row, 4] = seat
        events[row, 5] = card
        numbers[_ROWS] = row + 1


@part
def lay(rules, piles, battle, kind, seats, events):
    """Lay the top card of each seat; the highest strength, and the seats that show it."""
    cards, places, numbers, _ = piles
    step, stake = numbers[_STEP], numbers[_STAKE]
    if rules.aside:
        for seat in range(len(rules.seats)):
            if seats >> seat & 1 and numbers[_STACK + seat] == 0:
                refill(piles, battle, step, seat, events)
    best, leading = -1, 0
    for seat in range(len(rules.seats)):
        if seats >> seat & 1:
            head = numbers[_HEAD + seat]
            card = int(cards[(seat << ROOM_BITS) + (head & _IN_ROOM)])
            numbers[_HEAD + seat] = head + 1
            numbers[_STACK + seat] -= 1
            cards[(_STAKE_ROOM << ROOM_BITS) + stake] = card
            places[stake] = 4 * step + seat
            stake += 1
            # The winner is half of the time another one, so this is arithmetic and no question.
            strength = card >> 2
            higher = int(strength > best)
            leading = leading * (1 - higher) | int(strength >= best) << seat
            best += (strength - best) * higher
            write(events, numbers, battle, kind, step, seat, card)
    numbers[_EVENTS] += 1
    numbers[_STAKE] = stake
    numbers[_STEP] = step + 1
    return best, leading


@shared
def refill(piles, battle, step, seat, events):
    """Shuffle a won pile and make it the stack."""
    cards, _, numbers, stream = piles
    count = numbers[_WON + seat]
    pile = (_MOST_PLAYERS + seat) << ROOM_BITS
    stream[0] = shuffle(cards, pile, count, stream[0])
    for index in range(count):
        card = int(cards[pile + index])
        cards[(seat << ROOM_BITS) + index] = card
        write(events, numbers, battle, _SHUFFLE, step, seat, card)
    numbers[_EVENTS] += 1
    numbers[_HEAD + seat] = 0
    numbers[_STACK + seat] = count
    numbers[_WON + seat] = 0


@shared
def lay_war(rules, piles, battle, down, able, events):
    """Lay the cards of a war: face down as many as the rules say, then one face up."""
    numbers = piles.numbers
    poorest = ROOM
    for seat in range(len(rules.seats)):
        if able >> seat & 1:
            poorest = min(poorest, owned(numbers, seat))
    most = 0
    for seat in range(len(rules.seats)):
        if able >> seat & 1:
            most = max(most, cards_to_lay(rules.short, down, owned(numbers, seat), poorest))
    # Who lays the last card face up still owns as many cards as were to be laid, less those laid.
    laying = able
    for laid in range(1, most):
        still = 0
        for seat in range(len(rules.seats)):
            if laying >> seat & 1:
                to_lay = cards_to_lay(rules.short, down, owned(numbers, seat) + laid - 1, poorest)
                if laid < to_lay:
                    still |= 1 << seat
        laying = still
        lay(rules, piles, battle, _DOWN, laying, events)
    return lay(rules, piles, battle, _UP, able, events)


@shared
def leave(rules, piles, battle, seats, events):
    """Let seats leave the game: their spare cards join the stake."""
    cards, places, numbers, _ = piles
    step = numbers[_STEP]
    for seat in range(len(rules.seats)):
        if seats >> seat & 1:
            stake, stack = numbers[_STAKE], numbers[_STACK + seat]
            count = owned(numbers, seat)
            for index in range(count):
                if index < stack:
                    place = (seat << ROOM_BITS) + (numbers[_HEAD + seat] + index & _IN_ROOM)
                else:
                    place = ((_MOST_PLAYERS + seat) << ROOM_BITS) + index - stack
                card = int(cards[place])
                cards[(_STAKE_ROOM << ROOM_BITS) + stake + index] = card
                places[stake + index] = 4 * step + seat
                write(events, numbers, battle, _SHORT, step, seat, card)
            if count == 0:
                write(events, numbers, battle, _SHORT, step, seat, -1)
            numbers[_EVENTS] += 1
            numbers[_STAKE] = stake + count
            numbers[_STACK + seat] = 0
            numbers[_WON + seat] = 0
            numbers[_STEP] = step + 1


@shared
def put_back(rules, piles, battle, events):
    """Put every card of the stake back under the stack it came from."""
    cards, places, numbers, _ = piles
    for index in range(numbers[_STAKE]):
        card = int(cards[(_STAKE_ROOM << ROOM_BITS) + index])
        seat = places[index] & 3
        tail = numbers[_HEAD + seat] + numbers[_STACK + seat]
        cards[(seat << ROOM_BITS) + (tail & _IN_ROOM)] = card
        numbers[_STACK + seat] += 1
        write(events, numbers, battle, _RETURN, numbers[_STEP], seat, card)
    numbers[_EVENTS] += 1
    numbers[_STAKE] = 0
    numbers[_STEP] = 0


@part
def take(rules, keys, piles, battle, winner, events):
    """Give the stake to the winner, in the order of the pick-up."""
    cards, places, numbers, stream = piles
    stake, first = numbers[_STAKE], _STAKE_ROOM << ROOM_BITS
    if rules.pickup == _SHUFFLED:
        # The stake lies there as laid, which is what the rules shuffle.
        stream[0] = shuffle(cards, first, stake, stream[0])
    for index in range(stake):
        # A key made different for every card sorts as a stable sort does.
        places[ROOM + index] = keys[winner * _PLACES + places[index]] << ROOM_BITS | index
    pile, begin = winner << ROOM_BITS, numbers[_HEAD + winner] + numbers[_STACK + winner]
    if rules.aside:
        pile, begin = (_MOST_PLAYERS + winner) << ROOM_BITS, numbers[_WON + winner]
    for index in range(stake):
        # How many cards go before this one: for few cards quicker than any sort that jumps about.
        before = 0
        for other in range(stake):
            before += int(places[ROOM + other] < places[ROOM + index])
        cards[pile + (begin + before & _IN_ROOM)] = cards[first + index]
    if events is not None:
        for index in range(stake):
            card = int(cards[pile + (begin + index & _IN_ROOM)])
            write(events, numbers, battle, _TAKE, numbers[_STEP], winner, card)
    numbers[_EVENTS] += 1
    count = _WON if rules.aside else _STACK
    for seat in range(len(rules.seats)):
        numbers[count + seat] += stake * int(seat == winner)
    numbers[_STAKE] = 0
    numbers[_STEP] = 0


@part
def play_battle(rules, downs, keys, piles, battle, events):
    """Play one battle: its wars, and the reason to end where a shortage decided it."""
    numbers = piles.numbers
    in_game = 0
    for seat in range(len(rules.seats)):
        in_game |= int(owned(numbers, seat) > 0) << seat
    fighters = in_game
    best, leading = lay(rules, piles, battle, _TURN, in_game, events)
    wars, reason = 0, _NO_REASON
    while several(leading):
        if rules.tie != _WAR:
            put_back(rules, piles, battle, events)
            return 0, _NO_REASON
        wars += 1
        down = downs[best]
        if rules.fighters != _EVERYBODY:
            fighters = leading
        able, most, richest = 0, -1, 0
        for seat in range(len(rules.seats)):
            if fighters >> seat & 1:
                count = owned(numbers, seat)
                if can_lay(rules.short, down, count):
                    able |= 1 << seat
                if count > most:
                    most, richest = count, 0
                if count == most:
                    richest |= 1 << seat
        if several(able):
            best, leading = lay_war(rules, piles, battle, down, able, events)
            leave(rules, piles, battle, fighters & ~able, events)
            in_game &= able | ~fighters
            fighters = able
            continue
        reason = _SHORT_IN_WAR
        leading = able if able else richest
        if not several(leading):
            leave(rules, piles, battle, fighters & ~leading, events)
            break
        others = in_game & ~fighters
        if others == 0:
            return wars, _EQUAL_SHORTAGE
        leave(rules, piles, battle, fighters, events)
        if several(others):
            # Of several others some may have turned their last card; they are out after this battle.
            for seat in range(len(rules.seats)):
                if owned(numbers, seat) == 0:
                    others &= ~(1 << seat)
        if others == 0:
            return wars, _EQUAL_SHORTAGE
        if several(others):
            return wars, _NO_REASON
        leading = others
    take(rules, keys, piles, battle, seat_of(leading), events)
    return wars, reason


@part
def play_plain(rules, turns, piles, battles, most, events):
    """Play on while one card is higher than all others and everybody keeps cards; how many battles.

    Most battles are like this. They could all be left to `play_battle`, which is ten times as long.
    """
    cards, _, numbers, _ = piles
    if numbers[_STAKE] or rules.pickup == _SHUFFLED:
        return 0
    count = _WON if rules.aside else _STACK
    for played in range(most):
        best, leading, fewest = -1, 0, ROOM
        for seat in range(len(rules.seats)):
            card = int(cards[(seat << ROOM_BITS) + (numbers[_HEAD + seat] & _IN_ROOM)])
            strength = card >> 2
            higher = int(strength > best)
            leading = leading * (1 - higher) | int(strength >= best) << seat
            best += (strength - best) * higher
            fewest = min(fewest, numbers[_STACK + seat])
        if several(leading) or fewest < 2:
            return played
        winner = seat_of(leading)
        pile, begin = winner << ROOM_BITS, numbers[_HEAD + winner] + numbers[_STACK + winner]
        if rules.aside:
            pile, begin = (_MOST_PLAYERS + winner) << ROOM_BITS, numbers[_WON + winner]
        for seat in range(len(rules.seats)):
            card = int(cards[(seat << ROOM_BITS) + (numbers[_HEAD + seat] & _IN_ROOM)])
            cards[pile + (begin + turns[4 * winner + seat] & _IN_ROOM)] = card
            write(events, numbers, battles + played + 1, _TURN, 0, seat, card)
        if events is not None:
            numbers[_EVENTS] += 1
            for index in range(len(rules.seats)):
                card = int(cards[pile + (begin + index & _IN_ROOM)])
                write(events, numbers, battles + played + 1, _TAKE, 1, winner, card)
            numbers[_EVENTS] += 1
        for seat in range(len(rules.seats)):
            numbers[_HEAD + seat] += 1
            numbers[_STACK + seat] -= 1
            numbers[count + seat] += len(rules.seats) * int(seat == winner)
    return most


@part
def seat_of(bit):
    """The number of the only bit that is set, of four."""
    return ((bit >> 1) - (bit >> 3)) & 3


@part
def ending(rules, numbers, battles, reason):
    """The winner from 1, or 0 for nobody, and the reason to end after a battle, or none."""
    if reason == _EQUAL_SHORTAGE:
        return 0, reason
    owners, last = 0, 0
    for seat in range(len(rules.seats)):
        owns = int(owned(numbers, seat) > 0)
        owners += owns
        last += (seat + 1 - last) * owns
    if owners == 1:
        return last, reason if reason != _NO_REASON else _ALL_CARDS
    if rules.cap == 0 or battles < rules.cap:
        return 0, _NO_REASON
    if rules.at_cap != _DRAW:
        leading = leader(rules, numbers)
        if leading:
            return leading, _MORE_CARDS
    return 0, _BATTLE_LIMIT


@part
def leader(rules, numbers):
    """The player, from 1, who owns more cards than everybody else, or 0."""
    most, leading = -1, 0
    for seat in range(len(rules.seats)):
        count = owned(numbers, seat)
        if count > most:
            most, leading = count, seat + 1
        elif count == most:
            leading = 0
    return leading


@shared
def copy(rules, piles, other):
    """Lay the cards of all stacks and of the stake out a second time."""
    for pile in range(len(rules.seats) + 1):
        count, room, head = _pile(rules, piles.numbers, pile)
        for index in range(count):
            other.cards[room + index] = piles.cards[room + (head + index & _IN_ROOM)]
    for index in range(len(piles.numbers)):
        other.numbers[index] = piles.numbers[index]
    for seat in range(len(rules.seats)):
        other.numbers[_HEAD + seat] = 0


@shared
def same(rules, piles, other):
    """Whether two games are in the same position: the same ranks in all stacks and in the stake."""
    for pile in range(len(rules.seats) + 1):
        count, room, head = _pile(rules, piles.numbers, pile)
        others, _, begin = _pile(rules, other.numbers, pile)
        if count != others:
            return False
        for index in range(count):
            card = int(piles.cards[room + (head + index & _IN_ROOM)])
            if card >> 2 != int(other.cards[room + (begin + index & _IN_ROOM)]) >> 2:
                return False
    return True


@part
def _pile(rules, numbers, pile):
    """How many cards a stack has, or the stake for the number after the last seat, and where they lie."""
    if pile < len(rules.seats):
        return numbers[_STACK + pile], pile << ROOM_BITS, numbers[_HEAD + pile]
    return numbers[_STAKE], _STAKE_ROOM << ROOM_BITS, 0


@shared
def play_on(
    rules, downs, keys, turns, scratch, search, last, row, results, depths, marks, leads, events
):
    """Play to the end or for `last` battles and note the game, or return the period of its repeating.

    The search is Brent's, as in `war.game.find_cycle`.
    """
    piles, remembered, depth = scratch.piles, scratch.other, scratch.depth
    battles, wars, period, limit, deepest, leading, changes = 0, 0, 0, 1, 0, 0, 0
    winner, reason = 0, _NO_REASON
    if search:
        copy(rules, piles, remembered)
    if leads is not None:
        for mark in range(len(marks)):
            leads[row, mark] = FINISHED
    while reason == _NO_REASON:
        most = 1
        if not search and leads is None:
            most = (rules.cap or last or _MANY) - battles
        ties, played = 0, play_plain(rules, turns, piles, battles, most, events)
        if played == 0:
            played = 1
            ties, reason = play_battle(rules, downs, keys, piles, battles + 1, events)
        battles += played
        wars += ties
        depth[ties] += played
        deepest = max(deepest, ties)
        if battles == 1:
            results[row, FIRST_WARS] = ties
        winner, reason = ending(rules, piles.numbers, battles, reason)
        if leads is not None:
            now = leader(rules, piles.numbers)
            if now:
                changes += int(leading != 0 and leading != now)
                leading = now
            for mark in range(len(marks)):
                if marks[mark] == battles and reason == _NO_REASON:
                    leads[row, mark] = now
            leads[row, len(marks)] = changes
        if battles == last and reason == _NO_REASON:
            reason = _ENDLESS
        if search and reason == _NO_REASON:
            period += 1
            if same(rules, piles, remembered):
                break
            if period == limit:
                copy(rules, piles, remembered)
                period, limit = 0, limit * 2
    results[row, BATTLES] = battles
    results[row, WARS] = wars
    results[row, WINNER] = winner
    results[row, REASON] = reason
    for ties in range(deepest + 1):
        if reason != _NO_REASON:
            depths[ties] += depth[ties]
        depth[ties] = 0
    return period if reason == _NO_REASON else 0


@shared
def first_repeat(rules, downs, keys, scratch, pack, sizes, how, code, period):
    """After how many battles a game is for the first time where it will be a period later."""
    piles, other = scratch.piles, scratch.other
    deal_piles(rules.seats, piles, pack, sizes, how, code)
    deal_piles(rules.seats, other, pack, sizes, how, code)
    battles = -period
    while battles < 0 or not same(rules, piles, other):
        skip_battle(rules, downs, keys, piles)
        if battles >= 0:
            skip_battle(rules, downs, keys, other)
        battles += 1
    return battles


@shared
def skip_battle(rules, downs, keys, piles):
    """Play one battle and keep nothing of it."""
    play_battle(rules, downs, keys, piles, 0, None)


@entry
def play_games(
    rules, downs, keys, turns, pack, sizes, how, codes, state, results, depths, held, marks, leads, events,
    scratch, fingerprint=FINGERPRINT,
):  # fmt: skip
    """Play a game for each row of `results`, with the codes given or those that follow a state."""
    piles = scratch.piles
    for row in range(len(results)):
        if codes is None:
            code = code_at(state[0])
            state[0] = next_state(state[0])
        else:
            code = codes[row]
        deal_piles(rules.seats, piles, pack, sizes, how, code)
        if held is not None:
            for index in range(piles.numbers[_STACK]):
                held[row, piles.cards[index] >> 2] += 1
        period = play_on(
            rules, downs, keys, turns, scratch, rules.can_repeat, 0, row, results, depths, marks, leads,
            events,
        )  # fmt: skip
        if period:
            start = first_repeat(rules, downs, keys, scratch, pack, sizes, how, code, period)
            deal_piles(rules.seats, piles, pack, sizes, how, code)
            play_on(
                rules, downs, keys, turns, scratch, False, start + period, row, results, depths, marks,
                leads, events,
            )  # fmt: skip
            results[row, CYCLE_START] = start
            results[row, CYCLE_PERIOD] = period
