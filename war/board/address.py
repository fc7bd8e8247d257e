"""A moment of a game as the query of a web address, and back; whatever an address says is checked."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode

from war.cards import shown, text
from war.game import Game
from war.rules import QUESTIONS
from war.variants import answer_of, base_and_changes, rules_of

# A toy deck or a cap beyond these is for the notebooks, where nobody follows somebody else's link.
_FIXED = ("ranks", "suits")
MOST_BATTLES = 100_000


def to_query(game: Game) -> str:
    """The query that leads to this moment of a game: deal, rules, changed fields and battle.

    >>> to_query(Game({"base": "house", "cap": None}, 2024).play(3))
    'deal=2024&rules=house&cap=none&battle=3'
    """
    base, changes = base_and_changes(game.rules)
    query: list[tuple[str, object]] = [("deal", game.code), ("rules", base)]
    for name, value in changes.items():
        if value is None:
            query.append((name, "none"))
        else:
            query.append((name, ",".join(map(str, value)) if isinstance(value, list) else value))
    if not game.dealt:
        query.append(("piles", "|".join(map(text, game.start.stacks))))
        if any(game.start.won):
            query.append(("won", "|".join(map(text, game.start.won))))
    query.append(("battle", game.battles))
    return urlencode(query)


def from_query(query: str) -> Game | None:
    """The moment of a game that a query leads to, or None where it names none.

    >>> game = from_query("?deal=2024&rules=house&battle=3")
    >>> game.battles, game.rules.cap
    (3, 300)
    >>> from_query("?utm_source=letter") is None
    True

    Raises ValueError for a query that names what is not there.
    """
    if len(query) > 4000:
        raise ValueError(f"the address is too long: {len(query)} characters")
    wanted = dict(parse_qsl(query.removeprefix("?"), keep_blank_values=True, max_num_fields=40))
    changes = {
        name: answer_of(value)
        for name, value in wanted.items()
        if name in QUESTIONS and name not in _FIXED
    }
    if not changes and not wanted.keys() & {"deal", "rules", "piles"}:
        return None
    rules = rules_of(wanted.get("rules", "classic")).change(**changes)
    if rules.cap and rules.cap > MOST_BATTLES:
        raise ValueError(f"cap is at most {MOST_BATTLES} in an address, not {rules.cap}")
    piles = wanted["piles"].split("|") if "piles" in wanted else None
    won = wanted["won"].split("|") if piles and "won" in wanted else None
    game = Game(rules, wanted.get("deal"), piles, won)
    battle = answer_of(wanted.get("battle", "0"))
    if not isinstance(battle, int):
        raise ValueError(f"battle is a whole number, not {shown(wanted['battle'])}")
    return game.go_to(min(battle, MOST_BATTLES))
