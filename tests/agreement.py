"""The engine and the second opinion asked the same question, and answering in the same words."""

from tests import second_opinion
from tests.strategies import Start
from war.chance import play_stream
from war.game import Game, Reason
from war.rules import QUESTIONS, plain


def engine(start: Start, battles: int | None = None) -> dict[str, object]:
    """What the engine makes of a start, in the words of the second opinion."""
    game = Game(**start).play(battles)
    winner, reason = game.outcome or (None, None)
    endless = reason is Reason.ENDLESS
    result = "unfinished" if reason is None else "draw" if winner is None else "win"
    stacks, won, stake = game.position
    return {
        "result": result,
        "winner": winner,
        "reason": reason,
        "battles": game.battles,
        "wars": game.wars,
        "piles": [[*map(str, stack)] for stack in stacks],
        "won": [[*map(str, pile)] for pile in won],
        "stake": [str(laid.card) for laid in stake],
        "start": game.cycle.start if endless and game.cycle else None,
        "period": game.cycle.period if endless and game.cycle else None,
    }


def second(start: Start, battles: int | None = None) -> dict[str, object]:
    """What the second opinion makes of the same start, with the same shuffles."""
    game = Game(**start)
    return second_opinion.play(
        {name: plain(getattr(game.rules, name)) for name in QUESTIONS},
        [[*map(str, stack)] for stack in game.start.stacks],
        [[*map(str, pile)] for pile in game.start.won],
        battles,
        play_stream(game.code).shuffled,
    )
