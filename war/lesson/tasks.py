"""What the printed sheets ask about a deal, and what is right: each question with its answer.

The answers come from the engine, so a sheet of any deal by any rules has its key.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean, median
from typing import NamedTuple, TypeVar

from war.cards import Card, card, rank_name, text
from war.chance import CODES
from war.describe import Row, history, of_outcome, totals
from war.game import Game, leaders
from war.lesson.questions import Level, Question, Step
from war.lesson.results import check_deal, fill, result
from war.rules import Rules, Won
from war.table import Event, Kind
from war.variants import CLASSIC

# Four cards that go round for ever where they are picked up as they lie, from battle 2 on.
ENDLESS = ("4S 6D", "7H 5C")

Item = TypeVar("Item")

#: Cards drawn in a cell of a table, where None lies face down; no cards are room to draw one.
Drawn = tuple[Card | None, ...]
Cell = str | Drawn


class Table(NamedTuple):
    """A table to read or to fill in; an empty cell is room to write."""

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


class Choices(NamedTuple):
    """Answers to tick."""

    answers: tuple[str, ...]


#: The room below a question: so many empty lines, a table, or answers to tick.
Room = int | Table | Choices


class Task(NamedTuple):
    """A question, the room for its answer, the answer, and the table of its room filled in."""

    ask: str
    room: tuple[Room, ...]
    answer: str = ""
    table: Table | None = None


class Comparison(NamedTuple):
    """Cards turned side by side: how many lie face down before them, and who takes them all.

    `taker` is "war" where the battle goes on.
    """

    turned: Event
    down: str
    taker: str


def names_of(game: Game) -> tuple[str, ...]:
    """What the players are called on paper, where nobody is the computer.

    >>> names_of(Game("three-players", 1))
    ('Player 1', 'Player 2', 'Player 3')
    """
    return tuple(f"Player {number}" for number in range(1, game.rules.players + 1))


def comparisons(game: Game, battle: int) -> list[Comparison]:
    """All cards of a battle that are turned side by side.

    >>> for each in comparisons(Game(piles=["9H 2C KS", "9D 3C 7S"]).play(), 1):
    ...     print(each.turned.kind, each.down or "no hidden cards", "->", each.taker)
    turn no hidden cards -> war
    up 1 hidden card each -> Player 1
    """
    turned: list[Comparison] = []
    down: list[int] = []
    for event in game.events_of(battle):
        if event.kind is Kind.DOWN:
            down += event.seats
        elif event.kind in (Kind.TURN, Kind.UP):
            each = sorted({down.count(seat) for seat in event.seats} - {0})
            cards = f"{' or '.join(map(str, each))} hidden card{'s' * (each != [1])} each"
            turned.append(Comparison(event, cards if each else "", "war"))
            down = []
    winner = _rows(game)[battle - 1].winner
    taker = "nobody" if winner is None else names_of(game)[winner]
    if winner is not None and len(leaders(game.rules, turned[-1].turned)) > 1:
        taker = f"{taker}: nobody else can go on with the war"
    turned[-1] = turned[-1]._replace(taker=taker)
    return turned


def tasks_of(level: Level, game: Game) -> list[Task]:
    """All tasks of a level for a deal; the exit questions speak of the classic rules alone.

    >>> from war.lesson.questions import COMPARE
    >>> len(tasks_of(COMPARE, Game("house", 1))), len(tasks_of(COMPARE, Game("classic", 1)))
    (6, 9)
    """
    tasks = {"compare": _compare, "chance": _chance, "compute": _compute}[level.name](game)
    if game.rules == CLASSIC:
        tasks += [_exit(question) for question in level.exit]
    return tasks


def _compare(game: Game, most: int = 6) -> list[Task]:
    """The tasks of the youngest: which card is higher, who has more."""
    names = names_of(game)
    game.play(most + 1)
    lines = comparisons(game, 1)
    last = 1
    for battle in range(2, game.battles + 1):
        more = comparisons(game, battle)
        if len(lines) + len(more) > most:
            break
        lines, last = lines + more, battle
    rows = _rows(game)
    wins = [sum(row.winner == seat for row in rows[:last]) for seat in range(len(names))]
    counts = rows[last - 1].counts
    drawn: list[tuple[Cell, ...]] = []
    answered: list[tuple[Cell, ...]] = []
    for turned, down, taker in lines:
        place = str(turned.battle)
        if turned.kind is Kind.UP:
            place = f"{place}, war: {down}" if down else f"{place}, war"
        laid = dict(zip(turned.seats, turned.cards, strict=True))
        faces = [(laid[seat],) if seat in laid else "–" for seat in range(len(names))]
        texts = [str(laid.get(seat, "–")) for seat in range(len(names))]
        drawn.append((place, *_between(faces, ""), ""))
        answered.append((place, *_between(texts, _sign(game.rules, turned)), taker))
    head = ("Battle", *_between(names, "< = >"), "Who takes the cards?")
    sign = (
        "Write <, = or > between them"
        if len(names) == 2
        else "Circle the highest card in each line"
    )
    tasks = [
        Task(
            "Cover the cards below. Who will take the most battles? Write your guess.",
            (1,),
            "Every guess is good. Nobody chooses a card, so nobody plays well or badly.",
        ),
        Task(
            f"Now look at the cards. {sign}. Equal cards mean war: go on in the next line. Who takes"
            " the cards?",
            (Table(head, tuple(drawn)),),
            table=Table(head, tuple(answered)),
        ),
        Task(
            "How many battles did each player take? Who took the most, and how many more?",
            (2,),
            f"{totals(wins, names)} {_most(names, wins)}",
        ),
        Task(
            f"At the start each player had {len(game.start.stacks[0])} cards. How many has each"
            " now? How many cards are that together?",
            (2,),
            f"{totals(counts, names)} Together {sum(counts)}.",
        ),
        *_between_two(game, lines),
    ]
    if last < len(rows):
        winner = rows[last].winner
        tasks.append(
            Task(
                f"Who will take battle {last + 1}? Guess, then play this deal on the screen. Could"
                " you have known?",
                (2,),
                f"{'Nobody' if winner is None else names[winner]} takes it. The deal has decided"
                " that already, but nobody can know it before the cards are turned.",
            )
        )
    return tasks


def _between_two(game: Game, lines: Sequence[Comparison]) -> list[Task]:
    """A higher and a lower card than one of those turned; not for the lowest or the highest rank."""
    ranks = game.rules.ranks
    turned = (
        (seat, card, line.turned.battle)
        for line in lines
        for seat, card in zip(line.turned.seats, line.turned.cards, strict=True)
        if card.rank not in (ranks[0], ranks[-1])
    )
    found = min(turned, key=lambda each: each[0], default=None)
    if not found:
        return []
    seat, card, battle = found
    strength = ranks.index(card.rank)
    return [
        Task(
            f"In battle {battle} {names_of(game)[seat].lower()} turned the {card.name}. Draw a card"
            " that is higher, and a card that is lower.",
            (Table(("This card", "A higher card", "A lower card"), (((card,), (), ()),)),),
            f"Higher: {_named(ranks[strength + 1 :])}. Lower: {_named(ranks[:strength])}. The suit"
            " does not matter.",
        )
    ]


def _chance(game: Game) -> list[Task]:
    """The tasks about chance: how likely a card wins or a war comes, how long a round takes."""
    names = names_of(game)
    game.play(10)
    rows = _rows(game)
    played = _count(len(rows), "battle")
    after = totals(game.counts, names)
    turns = [event for event in game.events if event.kind is Kind.TURN]
    firsts = [event for event in turns if event.seats[:2] == (0, 1)][:5]
    odds = [_odds(game.rules, first.cards[0]) for first in firsts]
    unseen = len(game.rules.deck) - 1
    drawn = tuple(
        (str(first.battle), (first.cards[0],), (None,), "", "", "", "", "") for first in firsts
    )
    answered = tuple(
        (
            str(first.battle),
            *map(str, first.cards[:2]),
            *map(str, each),
            _share(each[0], unseen),
            _against(game.rules, first),
        )
        for first, each in zip(firsts, odds, strict=True)
    )
    head = (
        "Battle",
        "Player 1",
        "Player 2",
        "lower",
        "equal",
        "higher",
        "chance to beat it",
        "it was",
    )
    expected = sum(lower for lower, _, _ in odds) / unseen
    beaten = sum(_against(game.rules, first) == "lower" for first in firsts)
    same = len(game.rules.suits) - 1
    codes = [(game.code + further) % CODES for further in range(1, 6)]
    lengths = [Game(game.rules, code).play().battles for code in codes]
    rounds = tuple((str(code), str(length)) for code, length in zip(codes, lengths, strict=True))
    return [
        Task(
            f"Guess before you play {played}: how many does player 1 take? How many wars are there?",
            (1,),
            f"Player 1 takes {sum(row.winner == 0 for row in rows)}."
            f" Wars: {sum(row.wars for row in rows)}.",
        ),
        Task(
            f"Player 1 turns these cards. Take each by itself: of the {unseen} other cards of the"
            " deck, how many are lower, equal, higher? So what is the chance that it beats the"
            " hidden card? Then play, and write into the last column what the hidden card was.",
            (Table(head, drawn),),
            table=Table(head, answered),
        ),
        Task(
            "Add up the chances: that is how many cards you expect to beat. How many did you beat?"
            " (An equal card is not beaten, even if the war is won.) Why do the two not have to agree?",
            (3,),
            f"Expected {expected:.1f}, beaten {beaten}. A chance tells what happens in the long"
            f" run, not in {_count(len(firsts), 'battle')}.",
        ),
        Task(
            "How likely is it that two turned cards are equal? Does that depend on the first card?",
            (2,),
            f"{_share(same, unseen)}. No: of the other {unseen} cards {same} have the same rank,"
            " whatever the first card is.",
        ),
        Task(
            "Five other rounds by the same rules took this many battles. Find the mean and the median. Which"
            " of them tells better how long a round usually takes, and why?",
            (Table(("Deal", "Battles"), rounds), 3),
            f"Mean {mean(lengths):.1f}, median {median(lengths)}. The median: it is the round in the"
            f" middle, however long the longest is. {_pull(lengths)}",
        ),
        Task(
            f"Play {played}. Who is ahead? How sure are you, in per cent, that this player wins the"
            " round? Then play to the end.",
            (2,),
            f"After {played}: {after} {of_outcome(game.play(), names)} One round proves nothing, so"
            " compare with other deals.",
        ),
    ]


def _compute(game: Game, most: int = 13) -> list[Task]:
    """The tasks about computing: trace battles, name the structure, find what never changes."""
    names = names_of(game)
    traced = _traced(game, most)
    owned = [len(stack) for stack in game.start.stacks]
    first_cards = Table(
        ("Player", "The first cards"),
        tuple(
            (name, stack[: max(most, *map(_laid, traced))])
            for name, stack in zip(names, game.start.stacks, strict=True)
        ),
    )
    lays, owns = ([f"{name} {does}" for name in names] for does in ("lays", "owns"))
    head = ("Battle", *lays, "Taken by", "Cards", *owns)
    start = ("start", *["–"] * (len(names) + 2), *map(str, owned))
    empty = tuple((str(row.battle), *[""] * (len(head) - 1)) for row in traced)
    answered = tuple(
        (
            str(row.battle),
            *row.laid,
            "nobody" if row.winner is None else names[row.winner],
            str(row.taken),
            *map(str, row.counts),
        )
        for row in traced
    )
    together = " + ".join(f"owned[{seat}]" for seat in range(len(names)))
    return [
        Task(
            f"These cards come up first, from left to right. Trace {_count(len(traced), 'battle')}."
            " Write cards that lie face down in brackets, as in 9H (2C) KS.",
            (first_cards, Table(head, (start, *empty))),
            table=Table(head, (start, *answered)),
        ),
        Task(
            "Where does a won card go, and when does it come up again? Which data structure is"
            " that?",
            (2,),
            "Under the pile, so it comes up after all cards that lie there already: first in, first"
            " out. That is a queue."
            if game.rules.won is Won.UNDER
            else "Onto a heap beside the pile, which is shuffled when the pile is used up. It comes"
            " up at random: that is neither a queue nor a stack.",
        ),
        Task(
            "Which number is the same in every row? Write it as a condition that a program could"
            " check after each battle.",
            (2,),
            f"All cards together: {together} == {sum(owned)}.",
        ),
        *_cycle(),
        Task(
            "Write a program, in words or in code, that plays one battle with its wars.",
            (7,),
            "Turn the top cards and compare them. While the highest are equal: whoever has too few"
            " cards is out, the others lay cards face down and one face up, and these are compared."
            " Then the winner takes all cards on the table, in the order of the rules. The project's"
            " own is play_battle in war/game.py.",
        ),
    ]


def _cycle() -> list[Task]:
    """Four cards that go round for ever by one order of picking up, and are soon done by another."""
    as_laid = Game({"pickup": "as-laid", "cap": None}, piles=ENDLESS)
    start, period = as_laid.cycle or (0, 0)
    positions = [as_laid.go_to(battle).position.stacks for battle in range(start + period + 1)]
    head = ("After battle", "Pile of player 1", "Pile of player 2")
    empty = tuple((str(battle), "", "") for battle in range(1, len(positions)))
    filled = tuple((str(battle), *map(text, each)) for battle, each in enumerate(positions))
    winner_first = Game({"cap": None}, piles=ENDLESS)
    return [
        Task(
            "Another rule: won cards go under the winner's pile as they were laid, the card of"
            " player 1 first. Write both piles after each battle. When does a position come back?"
            " After which battle was it there first?",
            (Table(head, (("0", *positions[0]), *empty)),),
            f"First after battle {start}, and back {period} battles later.",
            Table(head, filled),
        ),
        Task(
            "The same four cards, but the winner's own card goes under the pile first. What"
            " happens?",
            (2,),
            of_outcome(winner_first.play(), names_of(winner_first)),
        ),
    ]


def _pull(lengths: Sequence[int]) -> str:
    """Which way the mean of some rounds is pulled from their median."""
    if mean(lengths) == median(lengths):
        return "Here both are the same."
    up = mean(lengths) > median(lengths)
    far, near, way = ("long", "short", "up") if up else ("short", "long", "down")
    return (
        f"Here the {far} rounds lie further from it than the {near} ones, and pull the mean {way}."
    )


def of_the_screen(level: Level, game: Game) -> list[Task]:
    """What the teacher needs beside the lesson on the screen: what happens and what is right.

    >>> from war.lesson.questions import CHANCE
    >>> [task] = of_the_screen(CHANCE, Game("classic", 2024))
    >>> task.table.rows[0][2]
    'After 10 battles you have 30 cards and the computer has 22.'
    """
    if game.rules != CLASSIC:
        return []
    try:
        code = check_deal(game.code)
    except ValueError as error:
        return [Task("The lesson on the screen needs another deal code.", (), f"{error}.")]
    rows: list[tuple[Cell, ...]] = []
    for step in level.steps:
        rows.append((step.title, asked(step, code), result(step, code).told))
        rows += [
            ("", fill(question.text, code), _in_words(fill(question.key.text, code)))
            for question in step.questions
        ]
    head = ("Step", "Asked", "What happens, or what is right")
    return [Task("The lesson on the screen, with this deal.", (), table=Table(head, tuple(rows)))]


def asked(step: Step, code: int) -> str:
    """What a step asks for a guess, and on which cards where they are not the class's deal.

    >>> from war.lesson.questions import CHANCE
    >>> asked(CHANCE.steps[5], 2024)[:43]
    'In deal 2050 all four aces are yours. Imagi'
    """
    own = step.play.deal or "|" in step.cards
    return fill(f"{step.text} {step.prediction.text}" if own else step.prediction.text, code)


def _exit(question: Question) -> Task:
    answers = tuple(_in_words(answer.text) for answer in question.answers)
    return Task(question.text, (Choices(answers),), _in_words(question.key.text))


def _in_words(answer: str) -> str:
    """An answer on paper, where one card has its name."""
    try:
        return card(answer).name
    except ValueError:
        return answer


def _rows(game: Game) -> list[Row]:
    return list(history(game))


def _traced(game: Game, most: int) -> list[Row]:
    """The first battles, five at the most, that need no card which has been won before."""
    room = min(most, *map(len, game.start.stacks))
    rows = _rows(game.play(5))
    fits = [sum(map(_laid, rows[: number + 1])) <= room for number in range(len(rows))]
    return rows[: max(sum(fits), 1)]


def _laid(row: Row) -> int:
    return max(len(cards.split()) for cards in row.laid)


def _between(items: Sequence[Item], sign: str) -> tuple[Item | str, ...]:
    return (items[0], sign, items[1]) if len(items) == 2 else tuple(items)


def _sign(rules: Rules, turned: Event) -> str:
    first, second = (rules.strength[card] for card in turned.cards[:2])
    return "<" if first < second else ">" if first > second else "="


def _against(rules: Rules, turned: Event) -> str:
    """What the second card was against the first."""
    return {"<": "higher", "=": "equal", ">": "lower"}[_sign(rules, turned)]


def _odds(rules: Rules, card: Card) -> tuple[int, int, int]:
    """How many other cards of the deck are lower, equal, higher."""
    strength, each = rules.ranks.index(card.rank), len(rules.suits)
    return strength * each, each - 1, (len(rules.ranks) - strength - 1) * each


def _most(names: Sequence[str], wins: Sequence[int]) -> str:
    *_, second, best = sorted(wins)
    if second == best:
        return "Nobody took most: it is equal."
    return f"{names[wins.index(best)]} took most, {best - second} more."


def _named(ranks: Sequence[str]) -> str:
    if not ranks:
        return "no card"
    return (
        rank_name(ranks[0])
        if len(ranks) == 1
        else f"{rank_name(ranks[0])} to {rank_name(ranks[-1])}"
    )


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole} = {100 * part / whole:.1f}\N{NO-BREAK SPACE}%"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
