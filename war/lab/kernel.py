"""Whole games on whole numbers: the engine for millions of games.

It plays what `war.game` plays, event by event, which the tests demand, and decides nothing of its own:
who can lay, how many cards, the order of the pick-up and every random number come from the functions
in `war.rules` and `war.chance`. Numba compiles the source as it stands; without it, it is plain Python.

A card is a number: its strength times four, plus its suit. Each stack is a ring in a room of its own,
so that no card is moved to fill a gap, and a card that is laid stays where it is: the cards of a player
in the stake are those between the start of the ring and its head, the stack those from there to the
tail. Only who takes the stake has cards to write down.
"""

from __future__ import annotations

from collections.abc import Sequence
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

_MOST_PLAYERS = 4
#: More than twice the cards of the largest deck (412), as the stake lies beside its copy for a moment,
#: and a power of two: a place in a ring is a mask.
_ROOM_BITS = 10
ROOM = 1 << _ROOM_BITS
_IN_ROOM = ROOM - 1
# The stacks have the first rooms, the won piles the next, and the stake is sorted in the last.
_TAKEN = 2 * _MOST_PLAYERS << _ROOM_BITS
_CARDS = (2 * _MOST_PLAYERS + 1) << _ROOM_BITS
#: More ties than a battle can have.
DEPTHS = 256

# What `Piles.numbers` holds: for each seat where its stake, its stack and what lies behind begin, the
# cards of its won pile, and how many it lays in a war; then the next step, the events, and their rows.
_START, _HEAD, _TAIL, _WON, _TO_LAY = range(0, 5 * _MOST_PLAYERS, _MOST_PLAYERS)
_STEP, _EVENTS, ROWS, _NUMBERS = range(5 * _MOST_PLAYERS, 5 * _MOST_PLAYERS + 4)

#: The reasons to end, by the numbers that the kernel has for them.
REASONS = tuple(Reason)
_GOES_ON = -1
_ALL_CARDS, _SHORT_IN_WAR, _MORE_CARDS, _EQUAL_SHORTAGE, _BATTLE_LIMIT, _ENDLESS = range(
    len(REASONS)
)
# Compiled code compares whole numbers more quickly than members of an enum.
_TURN, _DOWN, _UP, _SHORT, _TAKE, _RETURN, _SHUFFLE = map(int, Kind)
_WAR, _EVERYBODY, _DRAW = map(int, (Tie.WAR, Fighters.EVERYBODY, AtCap.DRAW))
_AS_LAID, _SHUFFLED = int(Pickup.AS_LAID), int(Pickup.SHUFFLED)
_MANY = 1 << 60

for _each in (next_state, word_of, draw, shuffle, play_state, code_at):
    shared(_each)
for _rule in (can_lay, cards_to_lay, pickup_key):
    part(_rule)

#: The columns of what is noted of each game.
BATTLES, WARS, WINNER, REASON, FIRST_WARS, CYCLE_START, CYCLE_PERIOD, COLUMNS = range(8)
#: What is noted instead of a leader, or of nobody (0), where the game was over by then.
FINISHED = -1


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


class Piles(NamedTuple):
    """The cards of one game: the rooms of all piles, the steps of the stake, counts, the stream."""

    cards: Any
    steps: Any
    numbers: Any
    stream: Any


class Scratch(NamedTuple):
    """Room to play in: the piles of a game, piles to compare with, and its battles by their ties."""

    piles: Piles
    other: Piles
    depth: Any


class Dealing(NamedTuple):
    """How the cards of a game come to the players.

    `cards` is what is there, in order, `shuffles` how many of them are shuffled with each other, one lot
    after the other, `places` where in the rooms each card goes then, and `sizes` how many each player
    has.
    """

    cards: Any
    shuffles: Any
    places: Any
    sizes: Any


def dealing_of(cards: Sequence[int], sizes: Sequence[int], shuffles: Sequence[int]) -> Dealing:
    """How cards are dealt: around, where they are shuffled all together, and else pile by pile.

    >>> dealing_of([0, 1, 2, 3, 4], [2, 2], [5]).places.tolist()
    [0, 1024, 1, 1025]
    """
    around = len(shuffles) == 1
    order = [
        (index if around else 0, seat, index)
        for seat, size in enumerate(sizes)
        for index in range(size)
    ]
    return Dealing(
        plain(np.array(cards, np.int16)),
        plain(np.array(shuffles, np.int64)),
        plain(np.array([place(seat, index) for _, seat, index in sorted(order)], np.int64)),
        plain(np.array(sizes, np.int64)),
    )


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


def turn_order(rules: Rules) -> Any:
    """The place at which a winner picks up each seat's card where everybody laid one, shape (4 * 4,).

    >>> turn_order(Rules())[:6].tolist()
    [0, 1, 0, 0, 1, 0]
    """
    order = np.zeros(_MOST_PLAYERS * _MOST_PLAYERS, np.int64)
    seats = range(rules.players)
    for winner in seats:
        keys = [pickup_key(rules.pickup, 0, seat, winner, rules.players) for seat in seats]
        for seat in seats:
            order[_MOST_PLAYERS * winner + seat] = sorted(keys).index(keys[seat])
    return order


def new_scratch() -> Scratch:
    """Room to play games in, one after the other.

    >>> len(new_scratch().depth) == DEPTHS
    True
    """

    def piles() -> Piles:
        return Piles(
            plain(np.zeros(_CARDS, np.int16)),
            plain(np.zeros(_MOST_PLAYERS << _ROOM_BITS, np.int16)),
            plain(np.zeros(_NUMBERS, np.int64)),
            plain(np.zeros(1, np.uint64)),
        )

    return Scratch(piles(), piles(), plain(np.zeros(DEPTHS, np.int64)))


@part
def place(seat, index):
    """Where in the rooms a place of a seat's ring is."""
    return (seat << _ROOM_BITS) + (index & _IN_ROOM)


@part
def won_place(seat, index):
    """Where in the rooms a card of a seat's won pile is."""
    return ((_MOST_PLAYERS + seat) << _ROOM_BITS) + index


@shared
def deal_piles(seats, piles, dealing, code):
    """Put the cards of a game into the stacks, and the stream where later shuffles start."""
    cards, _, numbers, stream = piles
    for index in range(len(numbers)):
        numbers[index] = 0
    for index in range(len(dealing.cards)):
        cards[_TAKEN + index] = dealing.cards[index]
    stream[0] = code
    first = _TAKEN
    for index in range(len(dealing.shuffles)):
        stream[0] = shuffle(cards, first, dealing.shuffles[index], stream[0])
        first += dealing.shuffles[index]
    for index in range(len(dealing.places)):
        cards[dealing.places[index]] = cards[_TAKEN + index]
    for seat in range(len(seats)):
        numbers[_TAIL + seat] = dealing.sizes[seat]
    stream[0] = play_state(code)


@part
def owned(numbers, seat):
    """How many cards a player owns."""
    return numbers[_TAIL + seat] - numbers[_HEAD + seat] + numbers[_WON + seat]


@part
def several(seats):
    """Whether a set of seats, a bit for each, has more than one."""
    return seats & (seats - 1) != 0


@part
def seat_of(bit):
    """The number of the only bit that is set, of four."""
    return ((bit >> 1) - (bit >> 3)) & 3


@part
def write(events, numbers, battle, kind, step, seat, card):
    """Write one card of an event as a row, or -1 for an event without cards."""
    if len(events):
        row = numbers[ROWS]
        if row >= len(events):
            raise ValueError("the game has more events than there is room for")
        events[row, 0] = numbers[_EVENTS]
        events[row, 1] = battle
        events[row, 2] = kind
        events[row, 3] = step
        events[row, 4] = seat
        events[row, 5] = card
        numbers[ROWS] = row + 1


@shared
def refill(piles, battle, step, seat, events):
    """Shuffle a won pile and make it the stack."""
    cards, _, numbers, stream = piles
    count, tail = numbers[_WON + seat], numbers[_TAIL + seat]
    stream[0] = shuffle(cards, won_place(seat, 0), count, stream[0])
    for index in range(count):
        card = cards[won_place(seat, index)]
        cards[place(seat, tail + index)] = card
        write(events, numbers, battle, _SHUFFLE, step, seat, card)
    numbers[_EVENTS] += 1
    numbers[_TAIL + seat] = tail + count
    numbers[_WON + seat] = 0


@part
def lay(rules, piles, battle, kind, seats, events):
    """Lay the top card of each seat; the highest strength, and the seats that show it."""
    cards, steps, numbers, _ = piles
    step = numbers[_STEP]
    if rules.aside:
        for seat in range(len(rules.seats)):
            if seats >> seat & 1 and numbers[_HEAD + seat] == numbers[_TAIL + seat]:
                refill(piles, battle, step, seat, events)
    best, leading = 0, 0
    for seat in range(len(rules.seats)):
        if seats >> seat & 1:
            top = place(seat, numbers[_HEAD + seat])
            card = int(cards[top])
            steps[top] = step
            numbers[_HEAD + seat] += 1
            strength = card >> 2
            higher = int(strength > best)
            leading = leading & (higher - 1) | int(strength >= best) << seat
            best = max(best, strength)
            write(events, numbers, battle, kind, step, seat, card)
    numbers[_EVENTS] += 1
    numbers[_STEP] = step + 1
    return best, leading


@part
def lay_war(rules, piles, battle, down, able, events):
    """Lay the cards of a war: face down as many as the rules say, then one face up."""
    numbers = piles.numbers
    poorest = ROOM
    for seat in range(len(rules.seats)):
        if able >> seat & 1:
            poorest = min(poorest, owned(numbers, seat))
    most = 0
    for seat in range(len(rules.seats)):
        to_lay = 0
        if able >> seat & 1:
            to_lay = cards_to_lay(rules.short, down, owned(numbers, seat), poorest)
        numbers[_TO_LAY + seat] = to_lay
        most = max(most, to_lay)
    best, leading = -1, 0
    for laid in range(1, most + 1):
        kind, seats = _UP, able
        if laid < most:
            kind, seats = _DOWN, 0
            for seat in range(len(rules.seats)):
                seats |= int(laid < numbers[_TO_LAY + seat]) << seat
        best, leading = lay(rules, piles, battle, kind, seats, events)
    return best, leading


@shared
def leave(rules, piles, battle, seats, events):
    """Let seats leave the game: their spare cards join the stake."""
    cards, steps, numbers, _ = piles
    step = numbers[_STEP]
    for seat in range(len(rules.seats)):
        if seats >> seat & 1:
            tail = numbers[_TAIL + seat]
            for index in range(numbers[_WON + seat]):
                cards[place(seat, tail + index)] = cards[won_place(seat, index)]
            tail += numbers[_WON + seat]
            for index in range(numbers[_HEAD + seat], tail):
                steps[place(seat, index)] = step
                write(events, numbers, battle, _SHORT, step, seat, cards[place(seat, index)])
            if numbers[_HEAD + seat] == tail:
                write(events, numbers, battle, _SHORT, step, seat, -1)
            numbers[_EVENTS] += 1
            numbers[_HEAD + seat] = numbers[_TAIL + seat] = tail
            numbers[_WON + seat] = 0
            numbers[_STEP] = step + 1


@shared
def put_back(rules, piles, battle, events):
    """Put every card of the stake back under the stack it came from."""
    cards, _, numbers, _ = piles
    for seat in range(len(rules.seats)):
        for index in range(numbers[_START + seat], numbers[_HEAD + seat]):
            card = cards[place(seat, index)]
            cards[place(seat, numbers[_TAIL + seat])] = card
            numbers[_TAIL + seat] += 1
            write(events, numbers, battle, _RETURN, numbers[_STEP], seat, card)
        numbers[_START + seat] = numbers[_HEAD + seat]
    numbers[_EVENTS] += 1
    numbers[_STEP] = 0


@part
def gather(rules, pickup, piles, winner, room, end):
    """Write the stake into a room in the order of a pick-up, from an end on; how many cards it has.

    The cards of a player lie in the order of their steps, so the next one to be picked up is the first
    of a player: the one with the least key. Where keys ask only for the seat, that is all its cards.
    """
    cards, steps, numbers, _ = piles
    players = len(rules.seats)
    stake = 0
    for seat in range(players):
        stake += numbers[_HEAD + seat] - numbers[_START + seat]
    if pickup_key(pickup, 0, 0, winner, players) == pickup_key(pickup, 1, 0, winner, players):
        for seat in range(players):
            key, before = pickup_key(pickup, 0, seat, winner, players), end
            for other in range(players):
                first = int(pickup_key(pickup, 0, other, winner, players) < key)
                before += (numbers[_HEAD + other] - numbers[_START + other]) * first
            start = numbers[_START + seat]
            for index in range(numbers[_HEAD + seat] - start):
                card = cards[place(seat, start + index)]
                cards[room + (before + index & _IN_ROOM)] = card
        return stake
    for seat in range(players):
        numbers[_TO_LAY + seat] = numbers[_START + seat]
    for index in range(end, end + stake):
        least, first = _MANY, 0
        for seat in range(players):
            top = numbers[_TO_LAY + seat]
            key = pickup_key(pickup, steps[place(seat, top)], seat, winner, players)
            if top < numbers[_HEAD + seat] and key < least:
                least, first = key, seat
        cards[room + (index & _IN_ROOM)] = cards[place(first, numbers[_TO_LAY + first])]
        numbers[_TO_LAY + first] += 1
    return stake


@part
def pile_of(rules, numbers, winner):
    """Where the winner's cards are put: the room of that pile, and where in it they begin."""
    if rules.aside:
        return (_MOST_PLAYERS + winner) << _ROOM_BITS, numbers[_WON + winner]
    return winner << _ROOM_BITS, numbers[_TAIL + winner]


@part
def grow(rules, numbers, winner, count):
    """Make the pile longer that the winner's cards were put on."""
    for seat in range(len(rules.seats)):
        more = count * int(seat == winner)
        if rules.aside:
            numbers[_WON + seat] += more
        else:
            numbers[_TAIL + seat] += more


@part
def take(rules, piles, battle, winner, events):
    """Give the stake to the winner, in the order of the pick-up."""
    cards, _, numbers, stream = piles
    room, end = pile_of(rules, numbers, winner)
    if rules.pickup == _SHUFFLED:
        stake = gather(rules, rules.pickup, piles, winner, _TAKEN, 0)
        stream[0] = shuffle(cards, _TAKEN, stake, stream[0])
        for index in range(stake):
            cards[room + (end + index & _IN_ROOM)] = cards[_TAKEN + index]
    else:
        stake = gather(rules, rules.pickup, piles, winner, room, end)
    if len(events):
        for index in range(stake):
            card = cards[room + (end + index & _IN_ROOM)]
            write(events, numbers, battle, _TAKE, numbers[_STEP], winner, card)
    grow(rules, numbers, winner, stake)
    for seat in range(len(rules.seats)):
        numbers[_START + seat] = numbers[_HEAD + seat]
    numbers[_EVENTS] += 1
    numbers[_STEP] = 0


@part
def play_battle(rules, downs, piles, battle, events):
    """Play one battle: its wars, and the reason to end where a shortage decided it."""
    numbers = piles.numbers
    in_game = 0
    for seat in range(len(rules.seats)):
        in_game |= int(owned(numbers, seat) > 0) << seat
    fighters = in_game
    best, leading = lay(rules, piles, battle, _TURN, in_game, events)
    wars, reason = 0, _GOES_ON
    while several(leading):
        if rules.tie != _WAR:
            put_back(rules, piles, battle, events)
            return 0, _GOES_ON
        wars += 1
        down = downs[best]
        if rules.fighters != _EVERYBODY:
            fighters = leading
        able, most, richest = 0, -1, 0
        for seat in range(len(rules.seats)):
            if fighters >> seat & 1:
                count = owned(numbers, seat)
                able |= int(can_lay(rules.short, down, count)) << seat
                if count > most:
                    most, richest = count, 0
                richest |= int(count == most) << seat
        if several(able):
            best, leading = lay_war(rules, piles, battle, down, able, events)
            if fighters != able:
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
            return wars, _GOES_ON
        leading = others
    take(rules, piles, battle, seat_of(leading), events)
    return wars, reason


@part
def play_plain(rules, turns, piles, battles, most, events):
    """Play on while one card is higher than all others and everybody keeps cards; how many battles.

    Most battles are like this. They could all be left to `play_battle`, which takes far longer for it.
    """
    cards, _, numbers, _ = piles
    if numbers[_STEP] or rules.pickup == _SHUFFLED:
        return 0
    # Compiled code cannot know that writing cards leaves the numbers alone, but no tuple ever changes.
    heads = (numbers[_HEAD], numbers[_HEAD + 1], numbers[_HEAD + 2], numbers[_HEAD + 3])
    ends, offset = _TAIL, 0
    if rules.aside:
        ends, offset = _WON, _MOST_PLAYERS
    played, tie = 0, False
    while not tie:
        # Nobody can run out of cards sooner than by laying them, one in each battle.
        until = most
        for seat in range(len(rules.seats)):
            until = min(until, numbers[_TAIL + seat] - heads[seat] - 1)
        if played >= until:
            break
        while played < until:
            best, leading = 0, 0
            for seat in range(len(rules.seats)):
                strength = int(cards[place(seat, heads[seat] + played)]) >> 2
                # The winner is half of the time another one, so this is arithmetic and no question.
                higher = int(strength > best)
                leading = leading & (higher - 1) | int(strength >= best) << seat
                best = max(best, strength)
            tie = several(leading)
            if tie:
                break
            winner = seat_of(leading)
            end = numbers[ends + winner]
            for seat in range(len(rules.seats)):
                index = end + turns[_MOST_PLAYERS * winner + seat]
                cards[place(offset + winner, index)] = cards[place(seat, heads[seat] + played)]
            if len(events):
                for seat in range(len(rules.seats)):
                    card = cards[place(seat, heads[seat] + played)]
                    write(events, numbers, battles + played + 1, _TURN, 0, seat, card)
                numbers[_EVENTS] += 1
                for index in range(end, end + len(rules.seats)):
                    card = cards[place(offset + winner, index)]
                    write(events, numbers, battles + played + 1, _TAKE, 1, winner, card)
                numbers[_EVENTS] += 1
            numbers[ends + winner] = end + len(rules.seats)
            played += 1
    for seat in range(len(rules.seats)):
        numbers[_HEAD + seat] = numbers[_START + seat] = heads[seat] + played
    return played


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


@part
def ending(rules, numbers, battles, reason):
    """The winner from 1, or 0 for nobody, and the reason to end after a battle, or none."""
    if reason == _EQUAL_SHORTAGE:
        return 0, reason
    owners, last = 0, 0
    for seat in range(len(rules.seats)):
        if owned(numbers, seat) > 0:
            owners, last = owners + 1, seat + 1
    if owners == 1:
        return last, reason if reason != _GOES_ON else _ALL_CARDS
    if rules.cap == 0 or battles < rules.cap:
        return 0, _GOES_ON
    if rules.at_cap != _DRAW and leader(rules, numbers):
        return leader(rules, numbers), _MORE_CARDS
    return 0, _BATTLE_LIMIT


@shared
def copy(rules, piles, other):
    """Lay stacks and stake out a second time; nothing lies aside where positions can repeat."""
    for index in range(len(piles.numbers)):
        other.numbers[index] = piles.numbers[index]
    for seat in range(len(rules.seats)):
        for index in range(piles.numbers[_START + seat], piles.numbers[_TAIL + seat]):
            other.cards[place(seat, index)] = piles.cards[place(seat, index)]
            other.steps[place(seat, index)] = piles.steps[place(seat, index)]


@part
def same(rules, piles, other):
    """Whether two games are in the same position: the same ranks in all stacks and in the stake."""
    for seat in range(len(rules.seats)):
        head, begin = piles.numbers[_HEAD + seat], other.numbers[_HEAD + seat]
        count = piles.numbers[_TAIL + seat] - head
        if count != other.numbers[_TAIL + seat] - begin:
            return False
        for index in range(count):
            card, others = (
                piles.cards[place(seat, head + index)],
                other.cards[place(seat, begin + index)],
            )
            if card >> 2 != others >> 2:
                return False
    if piles.numbers[_STEP] == 0 and other.numbers[_STEP] == 0:
        return True
    stake = gather(rules, _AS_LAID, piles, 0, _TAKEN, 0)
    if stake != gather(rules, _AS_LAID, other, 0, _TAKEN, 0):
        return False
    for index in range(_TAKEN, _TAKEN + stake):
        if piles.cards[index] >> 2 != other.cards[index] >> 2:
            return False
    return True


@shared
def play_on(rules, downs, turns, scratch, search, last, row, results, depths, marks, leads, events):
    """Play to the end or for `last` battles and note the game, or return the period of its repeating.

    The search is Brent's, as in `war.game.find_cycle`.
    """
    piles, remembered, depth = scratch.piles, scratch.other, scratch.depth
    battles, wars, period, limit, deepest, leading, changes = 0, 0, 0, 1, 0, 0, 0
    winner, reason = 0, _GOES_ON
    if search:
        copy(rules, piles, remembered)
    if len(leads):
        for mark in range(len(marks)):
            leads[row, mark] = FINISHED
    while reason == _GOES_ON:
        most = 1
        if not search and not len(leads) and battles:
            most = (rules.cap or last or _MANY) - battles
        played = play_plain(rules, turns, piles, battles, most, events)
        depth[0] += played
        battles += played
        if played < most:
            battles += 1
            ties, reason = play_battle(rules, downs, piles, battles, events)
            wars += ties
            depth[ties] += 1
            deepest = max(deepest, ties)
            if battles == 1:
                results[row, FIRST_WARS] = ties
        winner, reason = ending(rules, piles.numbers, battles, reason)
        if len(leads):
            now = leader(rules, piles.numbers)
            if now:
                changes += int(leading != 0 and leading != now)
                leading = now
            for mark in range(len(marks)):
                if marks[mark] == battles and reason == _GOES_ON:
                    leads[row, mark] = now
            leads[row, len(marks)] = changes
        if battles == last and reason == _GOES_ON:
            reason = _ENDLESS
        if search and reason == _GOES_ON:
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
        if reason != _GOES_ON:
            depths[ties] += depth[ties]
        depth[ties] = 0
    return period if reason == _GOES_ON else 0


@shared
def skip_battle(rules, downs, piles, events):
    """Play one battle and keep nothing of it, in place of events either."""
    play_battle(rules, downs, piles, 0, events[:0])


@shared
def first_repeat(rules, downs, scratch, dealing, code, period, events):
    """After how many battles a game is for the first time where it will be a period later."""
    piles, other = scratch.piles, scratch.other
    deal_piles(rules.seats, piles, dealing, code)
    deal_piles(rules.seats, other, dealing, code)
    battles = -period
    while battles < 0 or not same(rules, piles, other):
        skip_battle(rules, downs, piles, events)
        if battles >= 0:
            skip_battle(rules, downs, other, events)
        battles += 1
    return battles


@entry
def play_games(
    rules, downs, turns, dealing, codes, state, results, depths, held, marks, leads, events,
    scratch, fingerprint=FINGERPRINT,
):  # fmt: skip
    """Play a game for each row of `results`, with the codes given or those that follow a state.

    `downs` are the cards face down in a war by strength, `turns` is a `turn_order`. `results` has the
    shape (games, COLUMNS), `depths` (DEPTHS,): the battles with so many ties. The others may have no
    rows, where they are not wanted: `codes` (games,), else `state` (1,) is where the codes go on;
    `held` (games, ranks): how many cards of each strength player 1 was dealt; `leads` (games, marks + 1):
    who led after as many battles as each of `marks` says, and the changes of lead; `events` (rows, 6):
    number of the event, battle, kind, step, seat, card, of the last game, with their count in
    `scratch.piles.numbers[ROWS]`.
    """
    piles = scratch.piles
    for row in range(len(results)):
        if len(codes):
            code = codes[row]
        else:
            code = code_at(state[0])
            state[0] = next_state(state[0])
        deal_piles(rules.seats, piles, dealing, code)
        if len(held):
            for index in range(piles.numbers[_TAIL]):
                held[row, piles.cards[index] >> 2] += 1
        period = play_on(
            rules,
            downs,
            turns,
            scratch,
            rules.can_repeat,
            0,
            row,
            results,
            depths,
            marks,
            leads,
            events,
        )
        if period:
            start = first_repeat(rules, downs, scratch, dealing, code, period, events)
            deal_piles(rules.seats, piles, dealing, code)
            play_on(
                rules, downs, turns, scratch, False, start + period, row, results, depths, marks, leads,
                events,
            )  # fmt: skip
            results[row, CYCLE_START] = start
            results[row, CYCLE_PERIOD] = period
