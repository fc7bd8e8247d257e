"""A second reading of the rules of War, written without looking at the engine, that the tests hold against it."""


def rank_of(card):
    """The rank is everything but the last character, because "10D" has a rank of two characters."""
    return card[:-1]


def is_shuffling(rules):
    """Set-aside cards are shuffled when they come back, whatever the pick-up order is."""
    return rules["won"] == "aside" or rules["pickup"] == "shuffled"


def check(rules, piles, won):
    """Refuse positions and rules that no game can start from."""
    if len(piles) != rules["players"] or len(won) != rules["players"]:
        raise ValueError("there must be one pile for each player")
    cards = [card for pile in piles + won for card in pile]
    if len(set(cards)) != len(cards):
        raise ValueError("a card is there twice")
    for card in cards:
        if rank_of(card) not in rules["ranks"] or card[-1] not in rules["suits"]:
            raise ValueError("not a card of this deck: " + card)
    for pile, won_pile in zip(piles, won, strict=True):
        if not pile and not won_pile:
            raise ValueError("a player owns no card")
        if won_pile and rules["won"] != "aside":
            raise ValueError("won cards are set aside only where the rules say so")
    # Splitting ties for ever can neither be proved endless when cards are shuffled nor be relied on to end.
    if rules["tie"] == "split" and is_shuffling(rules) and rules["cap"] is None:
        raise ValueError("split ties with shuffling need a cap")


class Table:
    """Everything that lies on the table. Seats are counted from 0 here, players from 1 outside."""

    def __init__(self, rules, piles, won, shuffle):
        self.rules = rules
        self.seats = range(rules["players"])
        self.stacks = [list(pile) for pile in piles]  # top card first
        self.won = [list(pile) for pile in won]  # oldest card first
        self.stake = []  # (step, seat, card) in the order the cards were laid
        self.step = 0  # only counts up, so a waiting stake always has the lower numbers
        self.out = [False for seat in self.seats]
        self.wars = 0
        self.shuffle = shuffle

    def owned(self, seat):
        return len(self.stacks[seat]) + len(self.won[seat])

    def still_in(self):
        return [seat for seat in self.seats if not self.out[seat]]

    def shuffled(self, cards):
        """Fewer than two cards have only one order, so they use no random number."""
        if len(cards) >= 2 and self.shuffle is None:
            raise ValueError("this game needs a shuffle")
        return list(cards) if len(cards) < 2 else list(self.shuffle(list(cards)))

    def lay(self, seat):
        """Lay the top card; the won pile becomes the stack only when a card is needed and there is none."""
        if not self.stacks[seat]:
            self.stacks[seat], self.won[seat] = self.shuffled(self.won[seat]), []
        card = self.stacks[seat].pop(0)
        self.stake.append((self.step, seat, card))
        return card

    def lay_together(self, seats):
        """One card from each of them, all in one step."""
        self.step += 1
        return [(seat, self.lay(seat)) for seat in seats]

    def leave(self, seats):
        """These players are out: their spare cards join the stake, all in one step."""
        self.step += 1
        for seat in seats:
            # The won pile goes unshuffled: these cards are given up, none of them is drawn.
            for card in self.stacks[seat] + self.won[seat]:
                self.stake.append((self.step, seat, card))
            self.stacks[seat], self.won[seat] = [], []
            self.out[seat] = True

    def take(self, winner):
        """The whole stake goes to the winner, in the pick-up order of the rules."""
        players = self.rules["players"]
        pickup = self.rules["pickup"]

        def place(laid):
            step, seat, _ = laid
            seats_after_winner = (seat - winner) % players  # 0 for the winner
            if pickup == "winner-first":
                return (seats_after_winner,)
            if pickup == "loser-first":
                return ((seat - winner - 1) % players,)  # highest for the winner
            if pickup == "alternating":
                return (step, seats_after_winner)
            return (step, seat)  # as-laid, and what is shuffled starts from there

        # Sorting keeps the order of equal places, so each player's cards stay as they were laid.
        cards = [card for step, seat, card in sorted(self.stake, key=place)]
        if pickup == "shuffled":
            cards = self.shuffled(cards)
        self.stake = []
        target = self.won if self.rules["won"] == "aside" else self.stacks
        target[winner] += cards

    def split(self):
        """Everybody takes back the own card, under the own stack."""
        for _, seat, card in self.stake:
            self.stacks[seat].append(card)
        self.stake = []

    def cards_down(self, rank):
        """How many cards a tie of this rank calls for, face down."""
        down = self.rules["down"]
        return down if isinstance(down, int) else down[self.rules["ranks"].index(rank)]

    def can_lay(self, seat, down):
        return self.owned(seat) >= (down + 1 if self.rules["short"] == "lose" else 1)

    def lay_war(self, fighters, down):
        """Face-down cards step by step, then everybody's face-up card in one last step."""
        hidden = {}
        poorest = min(self.owned(seat) for seat in fighters)
        for seat in fighters:
            if self.rules["short"] == "lose":
                hidden[seat] = down
            elif self.rules["short"] == "last-card":
                hidden[seat] = min(down, self.owned(seat) - 1)
            else:  # shrink: the poorest fighter's war is everybody's war
                hidden[seat] = min(down, poorest - 1)
        for number in range(max(hidden.values())):
            self.lay_together([seat for seat in fighters if number < hidden[seat]])
        return self.lay_together(fighters)

    def battle(self):
        """Play one battle and say how it was decided.

        "cards": a highest card took the stake, or the tie was split. "shortage": somebody took it because others
        could not lay. "waiting": it stays for the next battle's winner. "draw": nobody can go on.
        """
        fighters = self.still_in()
        face_up = self.lay_together(fighters)
        while True:
            highest = max([rank_of(card) for seat, card in face_up], key=self.rules["ranks"].index)
            tied = [seat for seat, card in face_up if rank_of(card) == highest]
            if len(tied) == 1:
                self.take(tied[0])
                return "cards"
            if self.rules["tie"] == "split":
                self.split()
                return "cards"
            self.wars += 1  # the tie calls for a war, whether or not it can be laid
            if self.rules["fighters"] == "tied":
                fighters = tied
            down = self.cards_down(highest)
            able = [seat for seat in fighters if self.can_lay(seat, down)]
            short = [seat for seat in fighters if seat not in able]
            if not able:
                return self.nobody_can_lay(fighters)
            if len(able) == 1:
                self.leave(short)
                self.take(able[0])
                return "shortage"
            face_up = self.lay_war(able, down)
            self.leave(short)
            fighters = able

    def nobody_can_lay(self, fighters):
        most = max(self.owned(seat) for seat in fighters)
        richest = [seat for seat in fighters if self.owned(seat) == most]
        others = [seat for seat in self.still_in() if seat not in fighters]
        if len(richest) == 1:
            # The richest stays in the game and so keeps the spare cards where they are.
            self.leave([seat for seat in fighters if seat != richest[0]])
            self.take(richest[0])
            return "shortage"
        if not others:
            return "draw"
        self.leave(fighters)
        if len(others) == 1:
            # The last player left, even without a card of one's own: the stake is enough to win with.
            self.take(others[0])
            return "shortage"
        return "waiting"

    def position(self):
        """Suits never decide, so two positions with the same ranks go on in the same way."""
        stacks = tuple(tuple(rank_of(card) for card in stack) for stack in self.stacks)
        return stacks, tuple(rank_of(card) for step, seat, card in self.stake)


def outcome_after(table, decided):
    """(result, winning seat, reason) if this battle ended the game, else None."""
    if decided == "draw":
        return "draw", None, "equal-shortage"
    for seat in table.seats:
        if table.owned(seat) == 0:
            table.out[seat] = True
    left = table.still_in()
    if not left:
        return "draw", None, "equal-shortage"
    if len(left) > 1:
        return None
    if decided == "waiting":
        table.take(left[0])  # there will be no next battle to win the waiting stake in
    return "win", left[0], "all-cards" if decided == "cards" else "short-in-war"


def outcome_at_cap(table):
    """A draw, or the win of the one player who owns more cards than any other."""
    if table.rules["at_cap"] == "more-cards":
        most = max(table.owned(seat) for seat in table.seats)
        richest = [seat for seat in table.seats if table.owned(seat) == most]
        if len(richest) == 1:
            return "win", richest[0], "more-cards"
    return "draw", None, "battle-limit"


def play(rules, piles, won=None, battles=None, shuffle=None):
    """Play from a position to the end, or for at most so many battles, and tell what came of it."""
    if won is None:
        won = [[] for pile in piles]
    check(rules, piles, won)
    table = Table(rules, piles, won, shuffle)
    outcome = None
    start = period = None
    played = 0
    watch_for_repeats = rules["cap"] is None and not is_shuffling(rules)
    seen = {table.position(): 0}
    while outcome is None and (battles is None or played < battles):
        decided = table.battle()
        played += 1
        outcome = outcome_after(table, decided)
        if outcome is None and played == rules["cap"]:
            outcome = outcome_at_cap(table)
        if outcome is None and watch_for_repeats:
            position = table.position()
            if position in seen:
                start, period = seen[position], played - seen[position]
                outcome = ("draw", None, "endless")
            seen[position] = played
    result, winner, reason = outcome or ("unfinished", None, None)
    return {
        "result": result,
        "winner": None if winner is None else winner + 1,
        "reason": reason,
        "battles": played,
        "wars": table.wars,
        "piles": table.stacks,
        "won": table.won,
        "stake": [card for step, seat, card in table.stake],
        "start": start,
        "period": period,
    }
