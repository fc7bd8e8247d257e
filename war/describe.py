"""What happens in a game, in sentences: one to show and one to speak for every moment of it.

Every sentence about events is written here, for the board, the history, a screen reader and the
terminal. Names are the labels of the seats; whoever is called "You" is spoken to. A card that lies
face down is counted, never named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, pairwise
from typing import NamedTuple

from war.cards import RANK_NAMES, rank_name
from war.game import Game, Reason, is_war, leaders
from war.rules import AtCap, Fighters, Rules, Short, Tie, Won, can_lay
from war.table import Event, Kind

_USUAL = ("You", "Computer", "Computer 1", "Computer 2", "Computer 3")
NUMBERS = ("no", *list(RANK_NAMES.values())[:10], "eleven", "twelve", "thirteen")


class Sentence(NamedTuple):
    """The same news twice: short beside the picture, complete for the ear.

    How a round ended is spoken at once, and shown in a place of its own: see `of_outcome`.
    """

    shown: str
    spoken: str


class Row(NamedTuple):
    """A battle in the history: what each player laid, its wars, who took how many cards, the counts.

    `laid` holds written cards; those that lay face down are in brackets.
    """

    battle: int
    laid: tuple[str, ...]
    wars: int
    winner: int | None
    taken: int
    counts: tuple[int, ...]


def seat_names(players: int) -> tuple[str, ...]:
    """The labels of the seats when nobody has chosen others.

    >>> seat_names(2), seat_names(3)
    (('You', 'Computer'), ('You', 'Computer 1', 'Computer 2'))
    """
    if players == 2:
        return ("You", "Computer")
    return ("You", *(f"Computer {number}" for number in range(1, players)))


def moment(game: Game, names: Sequence[str] = ()) -> Sentence:
    """What has just happened at this moment of a game.

    >>> game = Game(piles=["9H 2C KS", "9D 3C 7S"])
    >>> moment(game).shown
    'Each player has 3 cards.'
    >>> moment(game.seek(1)).shown, moment(game.seek(2)).shown
    ('Nine against nine: war.', 'One card each face down.')
    >>> print(moment(game.play()).spoken)
    Battle 1. Nine against nine: war. One card each face down. King against seven. You win 6 cards. \
You 6, computer 0. Game over after 1 battle. You win: the computer has no cards left.
    """
    names = names or seat_names(game.rules.players)
    if not game.battles:
        return _both(_beginning(game, names))
    change = _after((0,) * game.rules.players, game.present)
    before = [now - by for now, by in zip(game.counts, change, strict=True)]
    if game.mid_battle:
        last = list(_parts(game.rules, game.present, before, names))[-1]
        return Sentence(last.spoken, f"Battle {game.battles}. {last.spoken}")
    battle = of_battle(game.rules, game.present, before, names)
    return _with_outcome(game, battle, names)


def of_battle(
    rules: Rules, events: Sequence[Event], before: Sequence[int], names: Sequence[str]
) -> Sentence:
    """A whole battle; `before` are the cards that each player owned when it began.

    >>> game = Game(piles=["9S 4D KH 2C", "9C 6S 7D 3H"]).play(1)
    >>> print(of_battle(game.rules, game.events, (4, 4), seat_names(2)).shown)
    War! Nine against nine. One card each face down. Your king beats the seven: you take 6 cards.
    """
    parts = list(_parts(rules, events, before, names))
    spoken = [f"Battle {events[0].battle}.", *(part.spoken for part in parts)]
    if events[-1].kind not in (Kind.TAKE, Kind.RETURN) and any(_after(before, events)):
        waits = "The cards stay on the table."
        parts.append(_both(waits))
        spoken.append(waits)
    spoken.append(totals(_after(before, events), names))
    war = "War!" if any(is_war(rules, event) for event in events) else ""
    return Sentence(_join([war, *(part.shown for part in parts)]), _join(spoken))


def of_battles(game: Game, first: int, names: Sequence[str] = ()) -> Sentence:
    """The battles from number `first` to this moment, summed up in one sentence.

    >>> print(of_battles(Game(code=2024).play(10), 1).shown)
    Battles 1 to 10: you won 7, computer 3, 2 wars. You 30, computer 22.
    """
    names = names or seat_names(game.rules.players)
    if game.battles <= first or game.mid_battle:
        return moment(game, names)
    battles = [game.events_of(battle) for battle in range(first, game.battles + 1)]
    wins = Counter(map(_taker, battles))
    won = [f"{_subject(names[0])} won {wins.pop(0, 0)}"]
    nobody = wins.pop(None, 0)
    # Nobody keeps more than a few numbers in mind that are only heard once.
    others = _numbers(names[1:], [wins[1]]) if len(names) == 2 else [f"the others {wins.total()}"]
    won += others + [f"nobody {nobody}"] * bool(nobody)
    won.append(_count(sum(is_war(game.rules, event) for event in chain(*battles)), "war"))
    text = f"Battles {first} to {game.battles}: {', '.join(won)}."
    # Whoever is told how it ended can reckon who owns how many, or is told so at the limit.
    if not game.outcome:
        text = f"{text} {totals(game.counts, names)}"
    return _with_outcome(game, _both(text), names)


def of_outcome(game: Game, names: Sequence[str] = ()) -> str:
    """How the game has ended, and why; empty while it goes on.

    >>> of_outcome(Game(piles=["9S 4D", "9H 5C"]).play())
    'Game over: draw after 1 battle. Nobody can lay the cards for the war.'
    """
    if not game.outcome:
        return ""
    names = names or seat_names(game.rules.players)
    winner, reason = game.outcome
    battles = _count(game.battles, "battle")
    if winner is None:
        return f"Game over: draw after {battles}. {_why_drawn(game, names)}"
    name = names[winner - 1]
    others = [other for seat, other in enumerate(names) if seat != winner - 1]
    alone = others[0] if len(others) == 1 else "nobody else"
    has = f"{_subject(alone)} {verb_of(alone, 'has')}"
    why = {
        Reason.ALL_CARDS: f"{has} {'no' if len(others) == 1 else 'any'} cards left",
        Reason.SHORT_IN_WAR: (
            f"{_subject(alone)} had {'fewer' if len(others) == 1 else 'as many'} cards for the war"
        ),
        Reason.MORE_CARDS: f"most cards at the limit. {totals(game.counts, names)[:-1]}",
    }[reason]
    return f"Game over after {battles}. {_capital(_subject(name))} {verb_of(name, 'wins')}: {why}."


def highlights(game: Game, names: Sequence[str] = ()) -> list[str]:
    """What was remarkable in a round: the biggest stake, the longest war, the changes of lead.

    >>> highlights(Game(piles=["9H 2C KS", "9D 3C 7S"]).play())[0]
    'Biggest stake: 6 cards in battle 1, taken by you.'
    """
    names = names or seat_names(game.rules.players)
    rows = list(history(game))
    news = []
    taken = [row for row in rows if row.winner is not None]
    if taken:
        most = max(taken, key=lambda row: row.taken)
        assert most.winner is not None
        news.append(
            f"Biggest stake: {_count(most.taken, 'card')} in battle {most.battle}, "
            f"taken by {_subject(names[most.winner])}."
        )
    longest = max(rows, key=lambda row: row.wars)
    if longest.wars:
        ties = f"{longest.wars} ties in a row" if longest.wars > 1 else "one tie"
        news.append(f"Longest war: {ties}, in battle {longest.battle}.")
    else:
        news.append("No war in this round.")
    if game.outcome and game.outcome.reason is Reason.BATTLE_LIMIT:
        news.insert(0, f"Nobody has all the cards, and a round stops after {game.battles} battles.")
    changes = lead_changes(row.counts for row in rows)
    news.append(f"The lead changed {_times(changes)}." if changes else "The lead never changed.")
    return news


def lead_changes(counts: Iterable[Sequence[int]]) -> int:
    """How often another player came to have most cards; being level changes nothing.

    >>> lead_changes([(27, 25), (26, 26), (27, 25), (25, 27)])
    1
    """
    leading = [
        max(range(len(each)), key=each.__getitem__)
        for each in counts
        if max(each) > sorted(each)[-2]
    ]
    return sum(earlier != later for earlier, later in pairwise(leading))


def rules_in_words(rules: Rules) -> dict[str, str]:
    """The rules that a battle can show, one short sentence each, by what they are about.

    >>> rules_in_words(Rules())["war"]
    'A tie is a war: one card face down, one face up.'
    """
    taken = "under the stack" if rules.won is Won.UNDER else "onto a pile that is shuffled later"
    both = "both" if rules.players == 2 else "all"
    if isinstance(rules.down, int):
        down = f"{_count(rules.down, 'card', word=True)} face down"
    else:
        down = "as many face down as the tied card says"
    short = {
        Short.LOSE: "Too few cards for a war: you are out.",
        Short.LAST_CARD: "Too few cards for a war: your last card is laid face up.",
        Short.SHRINK: "Too few cards for a war: everybody lays fewer.",
    }
    words = {"higher": f"The highest card takes {both}, {taken}."}
    if rules.players == 2:
        words["higher"] = words["higher"].replace("highest", "higher")
    if rules.tie is Tie.SPLIT:
        words["war"] = "A tie is split: every card goes back."
    else:
        words["war"] = f"A tie is a war: {down}, one face up."
        words["short"] = short[rules.short]
    if rules.cap:
        end = "most cards win" if rules.at_cap is AtCap.MORE_CARDS else "the round is a draw"
        words["cap"] = f"After {_count(rules.cap, 'battle')} {end}."
    return words


def rule_in_force(game: Game) -> str:
    """What the rule is about that this moment shows: higher, war, short or cap.

    >>> rule_in_force(Game(piles=["9H 2C KS", "9D 3C 7S"]).seek(2))
    'war'
    """
    outcome = game.outcome
    if outcome and outcome.reason in (Reason.MORE_CARDS, Reason.BATTLE_LIMIT):
        return "cap"
    drawn = outcome is not None and outcome.reason is Reason.EQUAL_SHORTAGE
    if drawn or any(event.kind is Kind.SHORT for event in game.present) or _laid_fewer(game):
        return "short"
    shown = (event for event in game.present if event.kind in (Kind.TURN, Kind.UP))
    return "war" if any(len(leaders(game.rules, event)) > 1 for event in shown) else "higher"


def _laid_fewer(game: Game) -> bool:
    """Whether somebody lays fewer cards in a war of this battle than the rules ask for."""
    need, laid = 0, Counter[int]()
    for event in game.present:
        laid.update(event.seats)
        if event.kind is Kind.UP and any(laid[seat] < need for seat in event.seats):
            return True
        if is_war(game.rules, event):
            tied = event.cards[event.seats.index(leaders(game.rules, event)[0])]
            need = game.rules.down_by_rank[game.rules.strength[tied]] + 1
            laid.clear()
    return False


def headline(game: Game, names: Sequence[str] = ()) -> str:
    """How the game has ended, in two or three words; empty while it goes on.

    >>> headline(Game(piles=["KS", "QS"]).play()), headline(Game(piles=["9S", "9H"]).play())
    ('You win!', 'A draw!')
    """
    if not game.outcome:
        return ""
    names = names or seat_names(game.rules.players)
    if not game.outcome.winner:
        return "A draw!"
    name = names[game.outcome.winner - 1]
    return f"{_capital(_subject(name))} {verb_of(name, 'wins')}!"


def of_stake(game: Game, names: Sequence[str] = ()) -> str:
    """What lies on the table or has just been taken from it; empty where nothing does.

    >>> game = Game(piles=["9H 2C KS", "9D 3C 7S"])
    >>> of_stake(game.seek(2)), of_stake(game.play(1))
    ('4 cards on the table', 'You took 6 cards')
    """
    names = names or seat_names(game.rules.players)
    stake = len(game.position.stake)
    if stake:
        return f"{_count(stake, 'card')} on the table"
    last = game.present[-1] if game.battles else None
    if not last or last.kind is not Kind.TAKE:
        return ""
    return f"{_capital(_subject(names[last.seats[0]]))} took {_count(len(last.cards), 'card')}"


def totals(counts: Sequence[int], names: Sequence[str]) -> str:
    """Who owns how many cards.

    >>> totals((31, 21), seat_names(2))
    'You 31, computer 21.'
    """
    return _capital(", ".join(_numbers(names, counts)) + ".")


def _numbers(names: Sequence[str], numbers: Sequence[int]) -> list[str]:
    # "Computer 1 26" would read as one number.
    colon = ":" if any(name[-1:].isdigit() for name in names) else ""
    each = zip(names, numbers, strict=True)
    return [f"{_subject(name, False)}{colon} {number}" for name, number in each]


def history(game: Game) -> Iterator[Row]:
    """A row for each whole battle up to this moment.

    >>> for row in history(Game(piles=["9H 2C KS", "9D 3C 7S"]).play()):
    ...     print(row)
    Row(battle=1, laid=('9H (2C) KS', '9D (3C) 7S'), wars=1, winner=0, taken=6, counts=(6, 0))
    """
    whole = game.battles - game.mid_battle
    for battle, counts in enumerate(counts_by_battle(game, whole)[1:], 1):
        events = game.events_of(battle)
        laid: list[list[str]] = [[] for _ in counts]
        for event in events:
            if event.kind in (Kind.TURN, Kind.UP):
                for seat, card in zip(event.seats, event.cards, strict=True):
                    laid[seat].append(str(card))
            elif event.kind is Kind.DOWN:
                for seat, card in zip(event.seats, event.cards, strict=True):
                    laid[seat].append(f"({card})")
            elif event.kind is Kind.SHORT:
                laid[event.seats[0]] += [f"({card})" for card in event.cards]
        wars = sum(is_war(game.rules, event) for event in events)
        winner = _taker(events)
        taken = 0 if winner is None else len(events[-1].cards)
        yield Row(battle, tuple(map(" ".join, laid)), wars, winner, taken, counts)


def counts_by_battle(
    game: Game, battles: int, known: Sequence[tuple[int, ...]] = ()
) -> list[tuple[int, ...]]:
    """How many cards each player owned at the start and after each of the first battles.

    `known` is what an earlier call has told of the same game, which need not be counted again.

    >>> counts_by_battle(Game(piles=["9H 2C KS", "9D 3C 7S"]).play(), 1)
    [(3, 3), (6, 0)]
    """
    stacks, won, _ = game.start
    counts = [*known[: battles + 1]] or [
        tuple(len(stack) + len(pile) for stack, pile in zip(stacks, won, strict=True))
    ]
    for number in range(len(counts), battles + 1):
        counts.append(_after(counts[-1], game.events_of(number)))
    return counts


def _taker(events: Sequence[Event]) -> int | None:
    last = events[-1]
    return last.seats[0] if last.kind is Kind.TAKE else None


def _after(counts: Sequence[int], events: Iterable[Event]) -> tuple[int, ...]:
    now = [*counts]
    for event in events:
        if event.kind in (Kind.TAKE, Kind.SHORT):
            now[event.seats[0]] += len(event.cards) * (1 if event.kind is Kind.TAKE else -1)
        elif event.kind is not Kind.SHUFFLE:
            for seat in event.seats:
                now[seat] += 1 if event.kind is Kind.RETURN else -1
    return tuple(now)


def _parts(
    rules: Rules, events: Sequence[Event], before: Sequence[int], names: Sequence[str]
) -> Iterator[Sentence]:
    """A sentence for each run of events of one kind; shown is empty where a later one says it all."""
    counts = tuple(before)
    faces = None
    # Each turn of faces is a part of its own, also where one follows the other.
    for (kind, _), run in groupby(events, key=lambda event: (event.kind, _face(event))):
        phase = list(run)
        counts = _after(counts, phase)
        if kind is Kind.TURN or kind is Kind.UP:
            again = faces is not None
            (faces,) = phase
            yield _face_up(rules, faces, again, counts, names)
        elif kind is Kind.DOWN:
            yield _both(_face_down(phase, names))
        elif kind is Kind.TAKE:
            assert faces is not None
            yield _taking(rules, faces, phase[0], names)
        elif kind is Kind.SHORT:
            yield _both(" ".join(_leaving(event, names) for event in phase))
        elif kind is Kind.RETURN:
            yield _both("Every card goes back under its own stack.")
        else:
            yield _both(" ".join(_shuffling(event, names) for event in phase))


def _face(event: Event) -> int | None:
    return event.step if event.kind in (Kind.TURN, Kind.UP) else None


def _face_up(
    rules: Rules, event: Event, again: bool, counts: Sequence[int], names: Sequence[str]
) -> Sentence:
    leading = leaders(rules, event)
    ranks = [rank_name(card.rank) for card in event.cards]
    between = " against " if len(ranks) == 2 else ", "
    if len(leading) == 1:
        # A war speaks of ranks alone, as suits never decide; a plain battle names the cards in full.
        cards = ranks if again else [card.name for card in event.cards]
        return Sentence("", f"{_capital(between.join(cards))}.")
    if rules.tie is Tie.SPLIT:
        return _both(f"{_capital(between.join(ranks))}: a tie.")
    match = _capital(between.join(ranks))
    called = "war again" if again else "war"
    if len(ranks) > 2:
        *first, last = (_subject(names[seat]) for seat in leading)
        tied = f"{', '.join(first)} and {last}"
        match = f"{_capital(tied)} tie with {_plural_rank(event, leading[0])}"
        if rules.fighters is Fighters.EVERYBODY:
            called += ", and everybody fights"
    short = _shortage(rules, event, leading, counts, names)
    return Sentence(_join([f"{match}.", short]), _join([f"{match}: {called}.", short]))


def _plural_rank(event: Event, seat: int) -> str:
    rank = rank_name(event.cards[event.seats.index(seat)].rank)
    return f"{rank}es" if rank.endswith("x") else f"{rank}s"


def _shortage(
    rules: Rules, event: Event, leading: Sequence[int], counts: Sequence[int], names: Sequence[str]
) -> str:
    fighters = event.seats if rules.fighters is Fighters.EVERYBODY else leading
    tied = event.cards[event.seats.index(leading[0])]
    down = rules.down_by_rank[rules.strength[tied]]
    short = [seat for seat in fighters if not can_lay(rules.short, down, counts[seat])]
    if short:
        need = down + 1 if rules.short is Short.LOSE else 1
        if len(short) == 1:
            name = names[short[0]]
            owned = _count(counts[short[0]], "card")
            return f"But {_subject(name)} {verb_of(name, 'has')} {owned} left and {verb_of(name, 'needs')} {need}."
        if len({counts[seat] for seat in short}) == 1 and len(short) == len(names):
            if not counts[short[0]]:
                return f"But nobody has a card left, and a war needs {need}."
            everybody = "you both have" if "You" in names and len(names) == 2 else "everybody has"
            owned = _count(counts[short[0]], "card")
            return f"But {everybody} {owned} left, and a war needs {need}."
        each = [
            f"{_subject(names[seat])} {verb_of(names[seat], 'has')} {counts[seat]}"
            for seat in short
        ]
        return f"But {' and '.join(each)} left, and a war needs {need}."
    poorest = min(fighters, key=lambda seat: counts[seat])
    if rules.short is Short.SHRINK and counts[poorest] < down + 1:
        name = names[poorest]
        return (
            f"{_capital(_subject(name))} {verb_of(name, 'has')} only {counts[poorest]} left, "
            f"so each lays {counts[poorest]}."
        )
    return ""


def _face_down(phase: Sequence[Event], names: Sequence[str]) -> str:
    laid = Counter(seat for event in phase for seat in event.seats)
    numbers = {*laid.values()}
    fighters = sorted(laid)
    if len(numbers) == 1 and len(fighters) > 1:
        (number,) = numbers
        return f"{_capital(_count(number, 'card', word=True))} each face down."
    each = [f"{_subject(names[seat])} lays {laid[seat]}" for seat in fighters]
    return f"Face down: {', '.join(each)}.".replace("you lays", "you lay")


def _taking(rules: Rules, faces: Event, take: Event, names: Sequence[str]) -> Sentence:
    (winner,) = take.seats
    name = names[winner]
    cards = _count(len(take.cards), "card")
    spoken = f"{_capital(_subject(name))} {verb_of(name, 'wins')} {cards}."
    takes = f"{_subject(name)} {verb_of(name, 'takes')} {cards}."
    if leaders(rules, faces) != (winner,):
        return Sentence(_capital(takes), spoken)
    ranks = dict(zip(faces.seats, faces.cards, strict=True))
    high = f"{_capital(_possessive(name))} {rank_name(ranks.pop(winner).rank)}"
    if len(ranks) != 1:
        return Sentence(f"{high} is highest: {takes}", spoken)
    ((other, card),) = ranks.items()
    low = f"{'your' if names[other] == 'You' else 'the'} {rank_name(card.rank)}"
    return Sentence(f"{high} beats {low}: {takes}", spoken)


def _leaving(event: Event, names: Sequence[str]) -> str:
    name = names[event.seats[0]]
    out = f"{_capital(_subject(name))} {verb_of(name, 'is')} out"
    if not event.cards:
        return f"{out}."
    return f"{out} and {verb_of(name, 'adds')} {_count(len(event.cards), 'spare card')}."


def _shuffling(event: Event, names: Sequence[str]) -> str:
    name = names[event.seats[0]]
    cards = _count(len(event.cards), "won card")
    return f"{_capital(_subject(name))} {verb_of(name, 'shuffles')} {cards} into a new stack."


def _beginning(game: Game, names: Sequence[str]) -> str:
    counts = game.counts
    if len({*counts}) == 1:
        return f"Each player has {_count(counts[0], 'card')}."
    return totals(counts, names)


def _why_drawn(game: Game, names: Sequence[str]) -> str:
    assert game.outcome is not None
    reason = game.outcome.reason
    if reason is Reason.ENDLESS and game.cycle:
        start, period = game.cycle
        every = f"{period} battles" if period > 1 else "battle"
        return f"It would never end: from battle {start} on it repeats every {every}."
    if reason is Reason.EQUAL_SHORTAGE:
        return "Nobody can lay the cards for the war."
    return totals(game.counts, names)


def _with_outcome(game: Game, news: Sentence, names: Sequence[str]) -> Sentence:
    over = of_outcome(game, names)
    return Sentence(news.shown, _join([news.spoken, over]))


def _both(text: str) -> Sentence:
    return Sentence(text, text)


def _join(texts: Iterable[str]) -> str:
    return " ".join(filter(None, texts))


def _count(number: int, what: str, word: bool = False) -> str:
    """A number with its noun: 1 card, 2 cards, no cards."""
    figure = NUMBERS[number] if (word or not number) and number < len(NUMBERS) else str(number)
    return f"{figure} {what}{'' if number == 1 else 's'}"


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _subject(name: str, article: bool = True) -> str:
    """A seat's label as running text has it: you, the computer, computer 2, Ada."""
    if name == "Computer" and article:
        return "the computer"
    return name.lower() if name in _USUAL else name


def _possessive(name: str) -> str:
    return "your" if name == "You" else f"{_subject(name)}'s"


def verb_of(name: str, verb: str) -> str:
    """A verb in the person that a label calls for.

    >>> verb_of("You", "owns"), verb_of("Ada", "owns")
    ('own', 'owns')
    """
    if name != "You":
        return verb
    return {"has": "have", "is": "are"}.get(verb, verb.removesuffix("s"))
