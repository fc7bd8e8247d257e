"""What the lesson asks and answers: three levels, their steps, every question and its feedback.

All of it is data, so that the page, the worksheet and the teacher's notes tell the same. Words in
braces, as in "after battle 10 you have {you}", are filled in by `war.lesson.results` with what the
engine makes of the class's deal, or with figures counted in `war.lesson.rounds`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

#: What many people believe about War, by the name that an `Answer` gives it.
MISCONCEPTIONS = {
    "skill": "There is skill in War: a good player wins more often.",
    "due": "After many losses a win is due.",
    "leader": "Whoever is ahead wins.",
    "aces": "An ace cannot be lost.",
    "thirteen": "Two cards tie once in 13, as there are 13 ranks.",
    "rare": "Ties are rare, so a whole round has one war or two.",
    "average": "The average is what usually happens.",
    "ends": "Every game of War ends some day.",
    "order": "The order in which won cards are picked up cannot matter.",
    "stack": "A pile is a stack: what is won last is played next.",
}


class Answer(NamedTuple):
    """One answer to a question, why it is right or wrong, and the misconception behind it if any."""

    text: str
    feedback: str
    right: bool = False
    misconception: str = ""


class Question(NamedTuple):
    """A question that may be tried again; where it is `written`, the answers are piles of cards."""

    name: str
    text: str
    answers: tuple[Answer, ...]
    hints: tuple[str, ...]
    written: bool = False

    @property
    def key(self) -> Answer:
        """The right answer.

        >>> find_question("highest").key.text
        '10D'
        """
        return next(answer for answer in self.answers if answer.right)


class Prediction(NamedTuple):
    """What a pupil says before anything is shown; `war.lesson.results` tells what happens then."""

    name: str
    text: str
    answers: tuple[str, ...]
    #: Whether only luck can make it come true, so that there is nothing to ask about it afterwards.
    luck: bool = False


class Play(NamedTuple):
    """What is played after a prediction.

    `piles` are laid by hand, otherwise the class's deal is dealt; `until` is the battle that has to
    be reached, or None for the end of the round. `buttons` go beside those of the small table.
    """

    task: str
    until: int | None
    piles: str = ""
    rules: dict[str, object] | None = None
    buttons: tuple[str, ...] = ()
    #: Which deal: the class's own, or the one that `war.lesson.results` chooses under this name.
    deal: str = ""
    #: How many battles lie before the first picture.
    start: int = 0
    #: A second table beside the first, with the same cards by these rules.
    beside: dict[str, object] | None = None
    #: What tells the two tables apart.
    labels: tuple[str, ...] = ()


class Step(NamedTuple):
    """One step: predict, play, compare, explain."""

    name: str
    title: str
    minutes: int
    text: str
    prediction: Prediction
    play: Play
    questions: tuple[Question, ...]
    #: What everybody should take along, shown when the questions are answered.
    explain: str
    #: Cards shown beside the prediction: a pile, or "top" for the top cards of the class's deal.
    cards: str = ""
    #: What the step shows besides: "ties", "many" rounds, or the engine's "source".
    extra: str = ""


#: For the link, a greeting, and one battle and one war with real cards, before the first step.
BEGIN_MINUTES = 5


class Level(NamedTuple):
    """A lesson of 45 minutes, complete in itself; its objectives have their curriculum codes."""

    name: str
    title: str
    ages: str
    promise: str
    objectives: tuple[tuple[str, str], ...]
    steps: tuple[Step, ...]
    exit: tuple[Question, ...]
    exit_minutes: int
    puzzles: tuple[str, ...]
    #: Where to go on from here.
    beyond: str

    @property
    def minutes(self) -> int:
        """How long the level takes in all; the puzzles are for whoever is ready before.

        >>> [level.minutes for level in LEVELS]
        [45, 45, 45]
        """
        return BEGIN_MINUTES + sum(step.minutes for step in self.steps) + self.exit_minutes


def every_question(levels: tuple[Level, ...] | None = None) -> Iterator[Question]:
    """All questions, level by level, with those of the exit last in each.

    >>> len({question.name for question in every_question()}) == len([*every_question()])
    True
    """
    for level in LEVELS if levels is None else levels:
        for step in level.steps:
            yield from step.questions
        yield from level.exit


def find_question(name: str) -> Question:
    """The question of this name.

    >>> find_question("why-17").key.misconception
    ''

    Raises KeyError for a name that no question has.
    """
    return {question.name: question for question in every_question()}[name]


def _no(text: str, feedback: str, misconception: str = "") -> Answer:
    return Answer(text, feedback, misconception=misconception)


def _yes(text: str, feedback: str) -> Answer:
    return Answer(text, feedback, right=True)


COMPARE = Level(
    name="compare",
    title="Compare",
    ages="6 to 8",
    promise="Find the higher card, count more and fewer, and win a war.",
    objectives=(
        ("Say which of two numbers from 1 to 10 is greater", "K.CC.C.7"),
        ("Say which of two groups has more, by matching or by counting", "K.CC.C.6"),
        ("Compare two numbers of two digits with <, = and >", "1.NBT.B.3"),
        ("Say how many more one number is than another", "2.OA.A.1"),
    ),
    steps=(
        Step(
            "higher",
            "Which card is higher?",
            5,
            "Here are the two top cards of our deal.",
            Prediction(
                "higher-guess",
                "Who takes both cards?",
                ("I do", "The computer", "Nobody: they are equal"),
            ),
            Play("Press **Next battle** and look.", 1),
            (
                Question(
                    "highest",
                    "Which of these cards is the highest?",
                    (
                        _no("9S", "Nine is high. Count one more: what comes after nine?"),
                        _yes("10D", "Yes! Ten comes after nine."),
                        _no("7C", "Count on from seven: eight, nine, ten. There are higher ones."),
                        _no("4H", "Hearts look nice, but only the number counts. Four is low."),
                    ),
                    (
                        "Look at the number in the corner.",
                        "Count up from two. Which number here do you say last?",
                    ),
                ),
                Question(
                    "beats-king",
                    "Which card beats the king?",
                    (
                        _no("QH", "It goes jack, queen, king. The queen is just below the king."),
                        _no("JS", "The jack is the lowest of the three picture cards."),
                        _yes("AC", "Yes! The ace beats them all."),
                        _no("10H", "Every picture card beats the ten."),
                    ),
                    (
                        "Ten, jack, queen, king: one card comes after them.",
                        "It has a letter and one big sign in the middle.",
                    ),
                ),
            ),
            "The higher card takes both. Hearts or spades, red or black: that never matters.",
            cards="top",
        ),
        Step(
            "pips",
            "Count the pips",
            5,
            "The big signs in the middle of a card are called pips. An eight has eight of them. The small signs in the corners do not count.",
            Prediction(
                "pips-guess",
                "Be quick, do not count yet! How many more pips has the eight?",
                ("2 more", "3 more", "5 more", "13 more"),
            ),
            Play(
                "Now count on the cards. **Next battle** turns them.",
                1,
                piles="8H 9S 4C | 5S 7D 6H",
            ),
            (
                Question(
                    "nine-seven",
                    "You turn a nine, the computer a seven. How many more pips do you have?",
                    (
                        _no("16", "Sixteen is both cards together. How many are more than seven?"),
                        _yes("2", "Yes! Seven and two make nine."),
                        _no("3", "Do not count the seven itself: eight is one, nine is two."),
                        _no("9", "Nine is all you have. The computer has seven of its own: how many more are yours?"),
                    ),
                    (
                        "Lay the seven on the nine in your mind. How many pips peep out?",
                        "Count on from seven to nine with your fingers.",
                    ),
                ),
            ),
            "To find how many more, count on from the smaller number to the bigger one.",
            cards="8H 5S",
        ),
        Step(
            "five-battles",
            "More and fewer",
            7,
            "Both of you begin with 26 cards. That is half of the deck.",
            Prediction(
                "five-guess",
                "Who has more cards after five battles?",
                ("I do", "The computer", "Both have the same"),
                luck=True,
            ),
            Play("Press **Next battle** five times.", 5),
            (
                Question(
                    "sign",
                    "Which sign goes between {more5} and {fewer5}?",
                    (
                        _no("< (is less than)", "Read it aloud: {more5} is less than {fewer5}. Is it?"),
                        _no("= (is equal to)", "Equal would be 26 and 26, half of the deck each."),
                        _yes("> (is greater than)", "Yes! The open side is at the bigger number."),
                    ),
                    (
                        "Which number is bigger? Look at the tens first.",
                        "The sign opens towards the bigger number.",
                    ),
                ),
                Question(
                    "sign-back",
                    "Now the other way round: which sign goes between {fewer5} and {more5}?",
                    (
                        _yes("< (is less than)", "Yes! The numbers changed places, so the sign turns round."),
                        _no("= (is equal to)", "They have changed places. Does that make them equal?"),
                        _no("> (is greater than)", "Read it aloud: {fewer5} is greater than {more5}. Can that be?"),
                    ),
                    (
                        "Which number comes first now, the smaller or the bigger one?",
                        "The pointed side is at the smaller number.",
                    ),
                ),
                Question(
                    "difference",
                    "You have {you5} cards and the computer has {computer5}. How many more has the bigger pile?",
                    (
                        _no("{more5}", "That is how many the bigger pile has, not how many more."),
                        _yes("{difference5}", "Yes! {fewer5} and {difference5} make {more5}."),
                        _no("52", "52 are all the cards of the deck together."),
                        _no("{fewer5}", "That is the smaller pile. Start there and count on."),
                    ),
                    (
                        "Start at {fewer5}. Count on until you reach {more5}.",
                        "{more5} take away {fewer5}.",
                    ),
                ),
            ),
            "What one of you wins, the other loses. So one number grows while the other shrinks.",
        ),
        Step(
            "war",
            "War!",
            8,
            "Both of you turn a nine. Each of you lays one card face down, and then one face up.",
            Prediction(
                "war-guess",
                "How many cards does the winner take?",
                ("2 cards", "4 cards", "6 cards", "All the cards of the deck"),
            ),
            Play("Press **Next** and watch card by card.", 1, piles="9H 2C KS | 9D 3C 7S"),
            (
                Question(
                    "hearts-spades",
                    "You turn the nine of hearts, the computer the nine of spades. Who wins?",
                    (
                        _no("I do: hearts are better", "No sign is better than another one."),
                        _no("The computer: black beats red", "Look only at the numbers: 9 and 9."),
                        _yes("Nobody yet: it is war", "Yes! Equal cards mean war."),
                        _no(
                            "Each takes their own card back",
                            "Some people play so. At our table equal cards mean war.",
                        ),
                    ),
                    ("Look at the numbers alone.", "9 and 9 are equal. What do we call that?"),
                ),
                Question(
                    "hidden-ace",
                    "Your ace lies face down in a war. Your seven loses to a king. Where does the ace go?",
                    (
                        _no(
                            "Back to me: aces are safe",
                            "No card is safe. The winner takes all that lies on the table.",
                            "aces",
                        ),
                        _no(
                            "I turn it, and it beats the king",
                            "A card that lies face down does not fight.",
                        ),
                        _yes("The computer takes it", "Yes! Even an ace can be lost."),
                        _no("It waits for the next war", "Nothing stays when a battle is over."),
                    ),
                    ("Who takes the cards on the table?", "The ace is one of the cards there."),
                ),
            ),
            "In a war six cards lie on the table. The winner takes them all, the hidden ones too.",
        ),
        Step(
            "next",
            "What comes next?",
            5,
            "Five battles of our deal are over. Nobody can see the next cards.",
            Prediction(
                "next-guess",
                "Who takes the next cards?",
                ("I do", "The computer"),
                luck=True,
            ),
            Play("Press **Next battle**.", 6, start=5),
            (
                Question(
                    "three-losses",
                    "Ada has lost three battles in a row. What happens in the next one?",
                    (
                        _no(
                            "She wins, it is her turn now",
                            "Cards do not take turns. They do not know who won before.",
                            "due",
                        ),
                        _no(
                            "She loses, this is not her day",
                            "The cards do not know what day it is.",
                        ),
                        _yes("Nobody knows before it is played", "Yes! Only the next cards decide."),
                        _no(
                            "She wins if she turns fast",
                            "Fast or slow, it is the same card on top.",
                            "skill",
                        ),
                    ),
                    ("What decides a battle?", "Do the cards on top know what happened before?"),
                ),
                Question(
                    "practice",
                    "Can you get better at War when you practise?",
                    (
                        _no(
                            "Yes, I learn which card to choose",
                            "You never choose: you always turn the top card.",
                            "skill",
                        ),
                        _no(
                            "Yes, grown-ups win more often",
                            "Grown-ups turn the top card too, just as you do.",
                            "skill",
                        ),
                        _yes("No, the cards decide it all", "Yes! That is why anybody can win."),
                        _no(
                            "Yes, if I shuffle with care",
                            "Nobody sees the cards while they are shuffled, so it helps nobody.",
                            "skill",
                        ),
                    ),
                    ("What do you decide in a battle?", "Could you have turned another card?"),
                ),
            ),
            "In War nobody decides anything. That is fair: big or small, everybody has the same chance.",
        ),
        Step(
            "to-the-end",
            "To the very end",
            5,
            "A round is over when somebody has all the cards, or when somebody has too few for a war.",
            Prediction(
                "end-guess",
                "How many battles does our round take?",
                ("Fewer than 50", "50 to 100", "101 to 200", "More than 200"),
                luck=True,
            ),
            Play("Press **To the end**. Then look at the line.", None, buttons=("ten", "end")),
            (
                Question(
                    "one-more",
                    "Our round took {battles} battles. Which number is one more?",
                    (
                        _no("{battles_less}", "That is one fewer. Count forwards."),
                        _yes("{battles_more}", "Yes! You say it right after {battles}."),
                        _no("{battles_ten}", "That is ten more. We want just one more."),
                        _no("{battles_hundred}", "That is a hundred more. One more is the very next number."),
                    ),
                    ("Say {battles} aloud, and then count on.", "Only one step further."),
                ),
            ),
            "Rounds can be short or very long. At this table a round stops after 500 battles.",
        ),
    ),
    exit=(
        Question(
            "exit-order",
            "Which card is the highest?",
            (
                _no("QD", "The queen beats the ten, but two cards beat the queen."),
                _no("10S", "Ten is the highest number card, but not the highest card."),
                _yes("AH", "Right: the ace."),
                _no("KC", "The king is second. One card beats him."),
            ),
            ("Ten, jack, queen, king …",),
        ),
        Question(
            "exit-more",
            "You have 30 cards, the computer has 22. How many more do you have?",
            (
                _yes("8", "Right: 22 and 8 make 30."),
                _no("52", "You added them. Count on from 22 to 30."),
                _no("12", "From 22 to 30 it is less than ten."),
                _no("30", "That is all of yours. Take 22 away."),
            ),
            ("Count on from 22.",),
        ),
        Question(
            "exit-next",
            "You have lost four battles in a row. Who wins the next one?",
            (
                _no(
                    "I do, after four losses",
                    "The cards in your pile have not moved because you lost.",
                    "due",
                ),
                _no("The computer, it is so strong", "It turns its top card, like you.", "skill"),
                _yes("Only the cards know", "Right: nobody can tell before."),
            ),
            ("What decides it?",),
        ),
    ),
    exit_minutes=5,
    puzzles=("unbeaten",),
    beyond="You can play as many rounds as you like: open [Play War](play.ipynb) and press New round.",
)  # fmt: skip

CHANCE = Level(
    name="chance",
    title="Chance",
    ages="11 to 14",
    promise="Guess, play, count, and find out what chance really does.",
    objectives=(
        ("Compare the chance of a tie with how often first battles are ties", "7.SP.C.7"),
        ("Find the probability of an event made of two: the same rank twice", "7.SP.C.8"),
        ("Choose between mean and median for a skewed distribution", "6.SP.B.5.d"),
    ),
    steps=(
        Step(
            "decides",
            "Who decides?",
            4,
            "Everybody in the room plays deal {deal}: the same cards in the same order.",
            Prediction(
                "ten-guess",
                "Who has more cards after ten battles?",
                ("I do", "The computer", "Both have 26"),
                luck=True,
            ),
            Play("Play ten battles.", 10, buttons=("ten",)),
            (
                Question(
                    "expert",
                    "Somebody who has played for years sits down in your seat, with the same deal. What happens?",
                    (
                        _no(
                            "The expert wins more cards: practice helps",
                            "Practise what? Both players turn the top card, always.",
                            "skill",
                        ),
                        _no(
                            "The expert saves the aces for later",
                            "Nobody can hold a card back: its place in the pile is fixed by the deal.",
                            "skill",
                        ),
                        _yes(
                            "Exactly the same round, card by card",
                            "Yes. The deal decides everything, and there is no skill in War.",
                        ),
                        _no(
                            "Another round, as cards are shuffled again",
                            "After the deal nothing is shuffled any more in these rules.",
                        ),
                    ),
                    (
                        "Which decisions have you made in these ten battles?",
                        "Compare with your neighbour: same code, same cards?",
                    ),
                ),
                Question(
                    "six-losses",
                    "You have lost six battles in a row. What is true of the next one?",
                    (
                        _no(
                            "I will probably win: a win is due",
                            "The cards keep no account. They lay in this order before you had lost even once.",
                            "due",
                        ),
                        _no(
                            "I will probably lose: it is a losing run",
                            "A run ends or goes on with the next two cards; it pushes nothing.",
                        ),
                        _yes(
                            "The two top cards decide it, and they lie there already",
                            "Yes. Losses behind you change no card in front of you.",
                        ),
                        _no(
                            "It is fifty-fifty all through the round, whatever I hold",
                            "Early on, ties apart, yes: nobody has seen the cards that come next. Later whoever holds more high cards wins more battles.",
                        ),
                    ),
                    (
                        "When was the order of your cards fixed?",
                        "Has any card still in your pile moved because you lost?",
                    ),
                ),
            ),
            "A run of losses feels as if it meant something. The cards do not know about it.",
        ),
        Step(
            "tie",
            "How often is it war?",
            6,
            "You turn a card. The computer turns one too.",
            Prediction(
                "tie-guess",
                "How likely is it that they have the same rank?",
                ("1 in 52", "1 in 26", "1 in 17", "1 in 13"),
            ),
            Play("Play 20 battles and count the wars.", 20, buttons=("ten",)),
            (
                Question(
                    "why-17",
                    "Your first card is a nine. Why is the chance of a tie 1 in 17?",
                    (
                        _no(
                            "It should be 1 in 13: there are 13 ranks",
                            "Count cards, not ranks. Your nine is gone: how many nines are left, among how many cards?",
                            "thirteen",
                        ),
                        _no(
                            "4 nines among 52 cards",
                            "4 in 52 is 1 in 13. It counts the nine in your own hand, which cannot meet itself.",
                            "thirteen",
                        ),
                        _yes(
                            "3 nines are left among 51 cards",
                            "Yes. 3/51 is 1/17: your own card is not in the deck any more.",
                        ),
                        _no(
                            "17 cards are higher or lower",
                            "Of the other 51 cards, 48 are higher or lower.",
                        ),
                    ),
                    (
                        "Take your nine out of the deck. How many cards are left?",
                        "How many of them are nines? Write it as a fraction.",
                    ),
                ),
            ),
            "Theory says 3/51, and ten thousand first battles say nearly the same. The more there are, the nearer they mostly come.",
            extra="ties",
        ),
        Step(
            "long",
            "How long does a round last?",
            10,
            "A round ends when one player has all cards, when one has too few for a war, or after 500 battles.",
            Prediction(
                "long-guess",
                "How many battles does our deal last?",
                ("Fewer than 100", "100 to 199", "200 to 299", "300 to 499", "All 500"),
                luck=True,
            ),
            Play(
                "Press **To the end**, then look at the line.", None, buttons=("ten", "end")
            ),
            (
                Question(
                    "typical",
                    "The mean of {rounds} rounds is {mean} battles. What is true of a single round?",
                    (
                        _no(
                            "It will last about {mean} battles",
                            "Look at the bars around {mean}. Only {near} of 100 rounds lie within 25 battles of it.",
                            "average",
                        ),
                        _no(
                            "It is as likely to be longer as to be shorter",
                            "That is true of the median, {median}. The few very long rounds pull the mean up.",
                            "average",
                        ),
                        _yes(
                            "It is shorter than the mean more often than longer",
                            "Yes: {below} of 100 rounds are shorter than the mean.",
                        ),
                        _no("Nearly always 500", "Only {capped} of 100 rounds get that far."),
                    ),
                    (
                        "Find the mean in the picture. On which side are more rounds?",
                        "The median has half of the rounds on each side. Where is it?",
                    ),
                ),
                Question(
                    "pull",
                    "Suppose the rounds that stop at 500 went on to 1,000. What changes?",
                    (
                        _no(
                            "Mean and median both grow",
                            "The median counts rounds on each side, and none has changed sides.",
                        ),
                        _yes(
                            "The mean grows, the median stays",
                            "Yes. That is why a few extreme values cannot move the median.",
                        ),
                        _no(
                            "The median grows, the mean stays",
                            "The other way round: the mean adds up all lengths.",
                        ),
                        _no(
                            "Neither: they are still long rounds",
                            "Add up the lengths: the sum has grown, and so has one of the two.",
                        ),
                    ),
                    (
                        "How is the mean computed?",
                        "How many rounds lie left and right of the median, before and after?",
                    ),
                ),
                Question(
                    "how-many-wars",
                    "How many wars has a whole round on average?",
                    (
                        _no(
                            "1 or 2: ties are rare",
                            "Rare in one battle, yes. But how many battles has a round?",
                            "rare",
                        ),
                        _no("About 5", "In {mean} battles that is one in fifty. How likely was a tie in one battle?"),
                        _yes(
                            "About 20",
                            "Yes. In {rounds} rounds we counted {wars} wars a round: more than one battle in 17, as a war can hold a second tie, and won cards are not shuffled.",
                        ),
                        _no("About 100", "Then more than every third battle would be a war."),
                    ),
                    (
                        "How many battles has a round on average? And how likely was a tie in one of them?",
                        "{mean} battles divided by 17 is about 15. Real rounds have a few more: a war can hold a second tie, and won cards are not shuffled.",
                    ),
                ),
            ),
            "A few very long rounds pull the mean up. The median tells more about a usual round.",
            extra="many",
        ),
        Step(
            "down",
            "What if three lie face down?",
            5,
            "Same deal, twice. On one table each of you lays one card face down in a war, on the other three.",
            Prediction(
                "down-guess",
                "Which round is over sooner?",
                (
                    "With one card face down",
                    "With three cards face down",
                    "Both after the same battle",
                ),
            ),
            Play(
                "Play both to the end.",
                None,
                buttons=("ten", "end"),
                beside={"down": 3},
                labels=("One card face down", "Three cards face down"),
            ),
            (
                Question(
                    "why-three",
                    "With three cards face down most rounds are shorter. Why?",
                    (
                        _no(
                            "There are more ties",
                            "A tie needs two equal cards face up. The hidden ones are not compared.",
                        ),
                        _no(
                            "A good player picks which cards to hide",
                            "Nobody picks: they are the next three of the pile, whatever they are.",
                            "skill",
                        ),
                        _yes(
                            "The winner of a war takes ten cards instead of six",
                            "Yes. The piles change in greater leaps, and some have too few cards for a war.",
                        ),
                        _no(
                            "High cards are safe face down",
                            "They are in danger there: with the war all three are lost, even three aces.",
                            "aces",
                        ),
                    ),
                    (
                        "Look for a war on both tables. How many cards does its winner take?",
                        "Each of you lays the tied card, the hidden ones, and one more. Count them.",
                    ),
                ),
            ),
            "In {rounds} deals a round took {mean} battles on average, and {mean_three_down} with three face down. One small rule makes it another game.",
        ),
        Step(
            "ahead",
            "Who is really ahead?",
            6,
            "Another deal, {other}. After 100 battles you have {you100} cards, the computer {computer100}.",
            Prediction(
                "ahead-guess",
                "Who wins this round?",
                ("I do", "The computer", "Nobody: it stops at 500"),
            ),
            Play(
                "Play on, ten by ten or to the end.",
                None,
                buttons=("ten", "end"),
                deal="other",
                start=100,
            ),
            (
                Question(
                    "leader",
                    "Take 100 rounds that go on after battle 100 and that somebody wins. How many are won by whoever led after battle 100?",
                    (
                        _no(
                            "All 100: the leader wins",
                            "In nearly three of ten such rounds the other player wins.",
                            "leader",
                        ),
                        _yes(
                            "About 70",
                            "Yes. We counted {led} of 100: a lead helps, but settles nothing.",
                        ),
                        _no(
                            "About 50: it is all chance",
                            "A bigger pile holds more high cards, and that does help.",
                        ),
                        _no(
                            "About 30: the other one is due",
                            "Being behind brings no better cards.",
                            "due",
                        ),
                    ),
                    (
                        "Does a bigger pile help at all?",
                        "Does it help always? Look at the round that you have just played.",
                    ),
                ),
            ),
            "A lead is an advantage, not a result.",
        ),
        Step(
            "aces",
            "Do aces decide?",
            4,
            "In deal {four_aces} all four aces are yours.",
            Prediction(
                "aces-guess",
                "Imagine 100 rounds in which all four aces are yours and somebody wins. How many do you win?",
                ("About 50", "About 70", "About 90", "All 100"),
            ),
            Play("Play it to the end.", None, buttons=("ten", "end"), deal="four_aces"),
            (
                Question(
                    "lose-ace",
                    "How can you lose an ace?",
                    (
                        _no(
                            "Not at all: nothing beats an ace",
                            "Nothing beats it face up. But it does not always lie face up.",
                            "aces",
                        ),
                        _no(
                            "Only by a mistake",
                            "There is nothing to do wrong: you turn the top card.",
                            "skill",
                        ),
                        _yes(
                            "Face down in a war, or in a war of aces",
                            "Yes. Whoever loses a war loses the hidden cards as well.",
                        ),
                        _no("To a higher suit", "Suits never decide anything."),
                    ),
                    (
                        "What lies on the table in a war?",
                        "What if both of you turn an ace?",
                    ),
                ),
            ),
            "Four aces win about {four_aces_win} of 100 decided rounds. They are strong, and still not safe.",
        ),
    ),
    exit=(
        Question(
            "exit-tie",
            "A deck has 20 cards: five ranks, four of each. How likely is it that the first two cards tie?",
            (
                _no("1/5", "Five ranks, but one card is already in your hand.", "thirteen"),
                _yes("3/19", "Right: three of the 19 cards left."),
                _no("4/20", "That is 1/5 again: count without your own card.", "thirteen"),
                _no("3/20", "The three is right. How many cards can the other player still turn?"),
            ),
            ("Take one card out and count what is left.",),
        ),
        Question(
            "exit-mean",
            "Five rounds lasted 60, 90, 120, 150 and 480 battles. Which sentence is true?",
            (
                _no(
                    "A usual round lasts 180, the mean",
                    "Four of the five were shorter than 180.",
                    "average",
                ),
                _yes("The median is 120, the mean 180", "Right: one long round pulls the mean up."),
                _no("Mean and median are equal", "Put them in order and look at the middle one."),
                _no("The median is 180", "900 battles in five rounds: 180 is the mean."),
            ),
            ("The median is the one in the middle.",),
        ),
        Question(
            "exit-lead",
            "After 100 battles it stands 34 to 18. What do you say?",
            (
                _no(
                    "The leader has won",
                    "Deal {other} stood {you100} to {computer100} then. Who won that round?",
                    "leader",
                ),
                _no(
                    "Now the other one is due",
                    "18 cards do not get better because they are few.",
                    "due",
                ),
                _yes("The leader wins more often, not always", "Right: about seven times in ten, where somebody wins at all."),
            ),
            ("How many of 100 was it?",),
        ),
    ),
    exit_minutes=5,
    puzzles=("unbeaten", "shortage", "shortest"),
    beyond="A million rounds instead of ten thousand: open [Statistics](statistics.ipynb), change a rule, and ask again.",
)  # fmt: skip

COMPUTE = Level(
    name="compute",
    title="Compute",
    ages="15 and older",
    promise="See a card game as a machine: a queue, an invariant, a cycle.",
    objectives=(
        ("Choose between queue and stack for a pile, and trace a battle with it", "CSTA 3B-AP-12"),
        ("Find an invariant and use it to test a program", "CSTA 3B-AP-21"),
        ("Argue that a process without chance stops or repeats", "CSTA 3B-AP-11"),
    ),
    steps=(
        Step(
            "queue",
            "What is a pile?",
            6,
            "You: king, five. The computer: three, nine. The left card is on top.",
            Prediction(
                "queue-guess",
                "You win the first battle. Which card do you turn in the second?",
                ("King of spades", "Five of diamonds", "Three of hearts"),
            ),
            Play("Play two battles.", 2, piles="KS 5D | 3H 9C"),
            (
                Question(
                    "structure",
                    "Which data structure is a player's pile?",
                    (
                        _no(
                            "A stack: last in, first out",
                            "Then the cards just won would be turned at once. Where did they go?",
                            "stack",
                        ),
                        _yes(
                            "A queue: first in, first out",
                            "Yes. Cards leave at the front and join at the back.",
                        ),
                        _no(
                            "A set: only which cards are in it matters",
                            "Two piles with the same cards in another order play another round.",
                            "order",
                        ),
                        _no(
                            "A priority queue: the highest first",
                            "Then you would always turn your best card. Nobody sorts here.",
                            "skill",
                        ),
                    ),
                    (
                        "From which end is a card taken?",
                        "At which end are won cards added?",
                    ),
                ),
            ),
            "A pile is a queue. In Python it is a deque: popleft to turn, extend to take.",
            cards="KS 5D | 3H 9C",
        ),
        Step(
            "invariant",
            "What never changes?",
            5,
            "27 battles of our deal are over. Ten more will make it 37.",
            Prediction(
                "parity-guess",
                "Can both players own 26 cards after 37 battles?",
                ("Yes", "Only if there was a war", "Never"),
            ),
            Play(
                "Go on battle by battle. Watch your count: even, odd?",
                37,
                start=27,
                buttons=("ten",),
            ),
            (
                Question(
                    "invariants",
                    "A test looks at the table after every battle. What may it demand?",
                    (
                        _no(
                            "The leader still leads",
                            "The lead changes hands in many rounds. A test that fails on good code is a bad test.",
                            "leader",
                        ),
                        _yes(
                            "52 different cards in all, none twice",
                            "Yes. Cards move, but none appears and none is lost.",
                        ),
                        _no(
                            "Wins and losses come out even",
                            "Nothing balances them; no pile would ever be empty.",
                            "due",
                        ),
                        _no(
                            "Both counts are even",
                            "After an odd number of battles both are odd: 26 plus or minus odd numbers.",
                        ),
                    ),
                    (
                        "What is true of the cards whoever wins?",
                        "Where can a card be? Nowhere else?",
                    ),
                ),
            ),
            "What never changes is called an invariant. Here it is this: every battle moves an odd number of cards from one player to the other: 1, 3, 5 … So as long as the round goes on, after n battles both counts are as even or odd as n. Only the last battle may break this: a player too short of cards for a war gives up all of them.",
        ),
        Step(
            "trace",
            "Trace a war",
            8,
            "You: 9S 4D KH 2C. The computer: 9C 6S 7D 3H. Top card first, one battle.",
            Prediction(
                "trace-guess",
                "How many cards do you own after it?",
                ("5", "6", "7", "8"),
            ),
            Play(
                "Watch it step by step.", 1, piles="9S 4D KH 2C | 9C 6S 7D 3H"
            ),
            (
                Question(
                    "trace-pile",
                    "Write your pile after this battle, top card first. The winner's own cards go under first, then the other player's.",
                    (
                        _yes(
                            "2C 9S 4D KH 9C 6S 7D",
                            "Yes. The card that stayed, then yours as laid, then the other's.",
                        ),
                        _no(
                            "2C 9S 9C 4D 6S KH 7D",
                            "This is picked up as the cards lie. Here the winner's own three go first.",
                            "order",
                        ),
                        _no(
                            "9S 4D KH 9C 6S 7D 2C",
                            "That puts the won cards on top, like a stack. They go under the pile.",
                            "stack",
                        ),
                        _no(
                            "2C 9C 6S 7D 9S 4D KH",
                            "The right six cards, but the loser's came first.",
                            "order",
                        ),
                        _no(
                            "2C 9S KH 9C 7D",
                            "The two cards that lay face down are won as well.",
                        ),
                    ),
                    (
                        "Which card of yours never left the pile?",
                        "Below it go your three in the order in which you laid them: 9S, then …",
                        "2C 9S 4D KH, and then the computer's three in the same way.",
                    ),
                    written=True,
                ),
            ),
            "To trace means to do what the machine does, one step after the other, without guessing.",
            cards="9S 4D KH 2C | 9C 6S 7D 3H",
            extra="source",
        ),
        Step(
            "pickup",
            "The rule nobody writes down",
            7,
            "Same deal, twice. On one table the winner's cards go under first; on the other all cards on the table are taken up as they lie.",
            Prediction(
                "pickup-guess",
                "Which round is over sooner?",
                ("Winner's cards first", "As the cards lie", "Both after the same battle"),
                luck=True,
            ),
            Play(
                "Play both to the end.",
                None,
                buttons=("ten", "end"),
                beside={"pickup": "as-laid"},
                labels=("Winner's cards first", "As the cards lie"),
            ),
            (
                Question(
                    "why-order",
                    "Both tables had the same cards. Why did the rounds differ?",
                    (
                        _no(
                            "They cannot differ: it is a fault",
                            "Look at the battles again: they agree until a won card comes back to the top.",
                            "order",
                        ),
                        _no(
                            "One table shuffled",
                            "By neither rule is anything shuffled after the deal.",
                        ),
                        _yes(
                            "The order decides which cards meet later",
                            "Yes. A pile is a queue, so the order taken up is the order played.",
                        ),
                        _no(
                            "Winner first helps the winner at once",
                            "Won cards go to the back: they are played a whole pile later.",
                            "stack",
                        ),
                    ),
                    (
                        "In which battle do the two tables differ for the first time?",
                        "What happens to a won card when it comes to the top again?",
                    ),
                ),
            ),
            "Picked up as they lie, {as_laid_endless} of 100 deals never end at all. With the winner's cards first, not one was found among {none_in_millions} million.",
        ),
        Step(
            "cycle",
            "Four cards",
            9,
            "Four cards, taken up as they lie, and no limit. You: 2, 4. The computer: 5, 3.",
            Prediction(
                "cycle-guess",
                "How does it end?",
                ("I win", "The computer wins", "It never ends"),
            ),
            Play(
                "Go battle by battle, and write down the piles.",
                6,
                piles="2S 4S | 5H 3H",
                rules={"pickup": "as-laid", "cap": None},
            ),
            (
                Question(
                    "period",
                    "How do the piles lie after battle 14?",
                    (
                        _no("As after battle 1", "Battle 1 lies before the part that repeats: its piles never come back."),
                        _yes("As after battle 2", "Yes: 14 is 2 and three times 4."),
                        _no("As after battle 4", "From 4 it goes to 8 and to 12. Which battle leads to 14 in the same steps?"),
                        _no("Nobody can know without playing", "The same piles go on in the same way. Which came back, and how much later?"),
                    ),
                    (
                        "Write both piles after every battle, top card first.",
                        "Compare the line of battle 2 with those of 3, 4, 5 and 6.",
                        "What is there after battle 6 is there again after battle 10.",
                    ),
                ),
                Question(
                    "prove",
                    "How can a program prove that a game never ends?",
                    (
                        _no(
                            "It need not: every game ends some day",
                            "You have just seen one that does not.",
                            "ends",
                        ),
                        _no(
                            "Play a million battles and stop",
                            "A very long game and an endless one look alike until then.",
                        ),
                        _yes(
                            "Find a position that was there before",
                            "Yes. The same position goes on in the same way, so it comes back for ever.",
                        ),
                        _no(
                            "Find two cards that meet twice",
                            "They can meet again with other cards waiting behind them.",
                        ),
                    ),
                    (
                        "What decides how a game goes on?",
                        "What follows if all of that is as it was before?",
                    ),
                ),
            ),
            "Finitely many positions and no chance: such a game ends, or goes round for ever.",
            cards="2S 4S | 5H 3H",
        ),
    ),
    exit=(
        Question(
            "exit-queue",
            "Your pile is 7H KC. You turn the seven, it beats 4D. What is your pile now?",
            (
                _no("7H 4D KC", "The won cards are on top here. A queue adds at the back.", "stack"),
                _yes("KC 7H 4D", "Right: the king moves up, your seven goes under, then the four."),
                _no("KC 4D 7H", "Nearly: the winner's own card goes first.", "order"),
                _no("4D 7H KC", "Sorted by strength? Nobody sorts a pile."),
            ),
            ("Which card is on top when the seven is gone?",),
        ),
        Question(
            "exit-invariant",
            "After battle 50, with the round still going on, a program shows 27 and 25 cards. What do you know?",
            (
                _no("Nothing: it depends on the deal", "Some things are true in every deal: how many cards move in a battle, even or odd?"),
                _yes("It has a fault: both must be even", "Right: 50 is even, so both counts are."),
                _no("There was a war", "A war moves an odd number of cards too."),
                _no("The player with 27 wins", "Look at the program first: can 27 and 25 stand there after 50 battles?", "leader"),
            ),
            ("How many cards change hands in a battle: even or odd?",),
        ),
        Question(
            "exit-cycle",
            "Nothing is shuffled. After battle 90 all piles are as they were after battle 30. What now?",
            (
                _no("It will end soon", "What did it do in the last 60 battles?", "ends"),
                _yes("It repeats every 60 battles", "Right, or a divisor of 60, and for ever."),
                _no(
                    "Chance may still break it",
                    "After the deal there is no chance left in such a game.",
                ),
                _no("It repeats from the deal on", "The 30 battles before it need not come back."),
            ),
            ("The same position goes on in the same way.",),
        ),
    ),
    exit_minutes=5,
    puzzles=("endless", "shortest", "unbeaten", "shortage", "war-of-twelve"),
    beyond=(
        "Now write the game yourself. On a computer with this project, type **make lab** and open"
        " **code_it.ipynb**: you write who wins a battle, then a whole battle, and each is checked"
        " at once against the engine."
    ),
)  # fmt: skip

LEVELS = (COMPARE, CHANCE, COMPUTE)
