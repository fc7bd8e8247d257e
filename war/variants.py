"""Rule sets by name; data only."""

from __future__ import annotations

from collections.abc import Mapping

from war.cards import shown
from war.rules import AtCap, Rules, Short, Won

CLASSIC = Rules()
HOUSE = Rules(
    # The tied card measures the war: a two lays one, a king twelve, an ace none.
    down=(*range(1, 13), 0),
    short=Short.SHRINK,
    won=Won.ASIDE,
    cap=300,
    at_cap=AtCap.MORE_CARDS,
)

VARIANTS: dict[str, Rules] = {
    "classic": CLASSIC,
    "house": HOUSE,
    "three-down": CLASSIC.change(down=3),
    "last-card": CLASSIC.change(down=3, short="last-card"),
    "split": CLASSIC.change(tie="split"),
    # With an odd number of cards any fixed pick-up order mostly goes round for ever.
    "three-players": CLASSIC.change(players=3, pickup="shuffled"),
    "four-players": CLASSIC.change(players=4),
    "ace-fourteen": HOUSE.change(down=range(1, 14)),
    "open-ended": CLASSIC.change(cap=None),
}


def rules_of(value: object) -> Rules:
    """The rules that a name stands for, or a mapping with a `base` name and changed answers.

    >>> rules_of("house").cap, rules_of({"base": "classic", "cap": 2}).cap
    (300, 2)

    Raises ValueError for an unknown name, an unknown question, or an answer it does not allow.
    """
    if isinstance(value, Rules):
        return value
    if isinstance(value, str):
        if value in VARIANTS:
            return VARIANTS[value]
        raise ValueError(f"unknown rules: {shown(value)} (known: {', '.join(VARIANTS)})")
    if isinstance(value, Mapping):
        answers = dict(value)
        base = answers.pop("base", "classic")
        if not isinstance(base, str):
            raise ValueError(f"base is the name of a rule set, not {shown(base)}")
        return rules_of(base).change(**answers)
    raise ValueError(f"rules are a name or a record of answers, not {shown(value)}")


def name_of(rules: Rules) -> str | None:
    """The name of a rule set, or None where it has none.

    >>> name_of(HOUSE), name_of(CLASSIC.change(down=2))
    ('house', None)
    """
    return next((name for name, known in VARIANTS.items() if known == rules), None)


def base_and_changes(rules: Rules) -> tuple[str, dict[str, object]]:
    """The named rules that are nearest, and the answers that differ, as plain JSON values.

    >>> base_and_changes(HOUSE.change(cap=None))
    ('house', {'cap': None})
    """
    changes = {name: rules.differences(known) for name, known in VARIANTS.items()}
    base = min(changes, key=lambda name: len(changes[name]))
    return base, changes[base]


def plain_rules(rules: Rules) -> object:
    """Rules as JSON has them: a name, or a base with what differs from it.

    >>> plain_rules(HOUSE), plain_rules(CLASSIC.change(down=2))
    ('house', {'base': 'classic', 'down': 2})
    """
    base, changes = base_and_changes(rules)
    return {"base": base, **changes} if changes else base


def answer_of(field: str, text: str) -> object:
    """An answer as somebody types it: a number, none for no cap, words, or a list with commas.

    >>> answer_of("down", "1,2,0"), answer_of("cap", "none"), answer_of("pickup", "as-laid")
    ([1, 2, 0], None, 'as-laid')
    >>> answer_of("ranks", "2,3,4")
    '2,3,4'
    """
    if text == "none":
        return None
    numbers = text.split(",")
    labels = field in ("ranks", "suits")
    if labels or not all(each.isascii() and each.isdigit() and len(each) < 20 for each in numbers):
        return text
    return [*map(int, numbers)] if len(numbers) > 1 else int(text)
