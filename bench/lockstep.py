"""`classic` in NumPy: thousands of games side by side, all of them playing a battle at a time."""

import numpy as np

DECK, RANKS, CAP = 52, 13, 500
#: A pile is a ring in a row of this length: more than two piles together, and a power of two.
ROOM = 128
_HIGH, _LOW = np.uint64(32), np.uint64((1 << 32) - 1)


def next_words(states):
    """The next 64 random bits of each stream; the states, a uint64 array, go on."""
    states += np.uint64(0x9E3779B97F4A7C15)
    bits = (states ^ (states >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


def draw_below(states, bound):
    """A whole number below the bound from each stream."""
    products = (next_words(states) >> _HIGH) * np.uint64(bound)
    (again,) = np.nonzero((products & _LOW) < np.uint64((1 << 32) % bound))
    while again.size:
        # An index makes a copy of the states, so what was drawn from it has to be put back.
        some = states[again]
        products[again] = (next_words(some) >> _HIGH) * np.uint64(bound)
        states[again] = some
        again = again[(products[again] & _LOW) < np.uint64((1 << 32) % bound)]
    return (products >> _HIGH).astype(np.intp)


def deal(codes):
    """The piles of each deal code, shape (2, games, ROOM), of which the first 26 cards are dealt."""
    states = codes.astype(np.uint64)
    games = np.arange(codes.size)
    decks = np.tile(np.arange(DECK, dtype=np.uint8) % RANKS, (codes.size, 1))
    for last in range(DECK - 1, 0, -1):
        other = draw_below(states, last + 1)
        card = decks[:, last].copy()
        decks[:, last] = decks[games, other]
        decks[games, other] = card
    piles = np.zeros((2, codes.size, ROOM), np.uint8)
    piles[0, :, : DECK // 2] = decks[:, 0::2]
    piles[1, :, : DECK // 2] = decks[:, 1::2]
    return piles


def play(codes):
    """All battles, all wars, the games that the first and that the second player wins."""
    piles = deal(codes)
    # Both players always lay equally many cards, so their piles have the same top.
    top = np.zeros(codes.size, np.intp)
    held = np.full(codes.size, DECK // 2)
    playing = np.arange(codes.size)
    battles = wars = first_wins = second_wins = 0
    for _ in range(CAP):
        battles += playing.size
        up = top.copy()
        ends = np.stack((top + held, top + DECK - held))
        nearest = ends.min(axis=0)
        mine, yours = piles[:, playing, up % ROOM]
        (tied,) = np.nonzero(mine == yours)
        short = np.zeros(playing.size, bool)
        while tied.size:
            wars += tied.size
            up[tied] += 2
            able = up[tied] < nearest[tied]
            short[tied[~able]] = True
            tied = tied[able]
            mine[tied], yours[tied] = piles[:, playing[tied], up[tied] % ROOM]
            tied = tied[mine[tied] == yours[tied]]
        winner = (mine < yours).astype(np.intp)
        laid = np.where(short, 0, up + 1 - top)
        (some,) = np.nonzero(laid)
        under = np.where(winner, ends[1], ends[0])
        card = 0
        while some.size:
            who, game, place = winner[some], playing[some], under[some] + card
            source = (top[some] + card) % ROOM
            piles[who, game, place % ROOM] = piles[who, game, source]
            piles[who, game, (place + laid[some]) % ROOM] = piles[1 - who, game, source]
            card += 1
            some = some[laid[some] > card]
        held += np.where(winner, -laid, laid)
        top += laid
        # In a war that one player is too short for, the other one has the longer pile.
        held[short] = (np.sign(ends[0] - ends[1])[short] + 1) * DECK // 2
        first, second = held == DECK, held == 0
        first_wins += np.count_nonzero(first)
        second_wins += np.count_nonzero(second)
        (still,) = np.nonzero(~(first | second | short))
        if still.size < playing.size:
            playing, top, held = playing[still], top[still], held[still]
    return battles, wars, int(first_wins), int(second_wins)
