"""A game as text that a person can read and as JSON, and back again without loss.

Both forms hold the rules, the deal code, hand-built piles, every event, and the moment that is shown.
What is read is not trusted: the engine plays the game again, and a file that says otherwise is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from war.cards import shown, text
from war.game import Game
from war.table import Event, Kind
from war.variants import plain_rules

VERSION = 1


def to_record(game: Game) -> dict[str, Any]:
    """A game as a record of plain JSON values; the deal code is text, which no browser rounds.

    >>> record = to_record(Game(piles=["9H 2C", "9D KS"]).play())
    >>> record["rules"], record["piles"], record["events"][0]
    ('classic', ['9H 2C', '9D KS'], [1, 'turn', 0, [1, 2], ['9H', '9D']])
    """
    record: dict[str, Any] = {
        "war": VERSION,
        "rules": plain_rules(game.rules),
        "deal": str(game.code),
    }
    if not game.dealt:
        record["piles"] = [text(stack) for stack in game.start.stacks]
        if any(game.start.won):
            record["won"] = [text(pile) for pile in game.start.won]
    record["at"] = game.at
    record["events"] = [
        _plain(event) for battle in range(game.played) for event in _seen(game, battle + 1)
    ]
    return record


def _seen(game: Game, battle: int) -> Sequence[Event]:
    """The events of a battle; of one that has just been begun those before this moment, as nobody
    has seen the others yet.
    """
    newest = game.mid_battle and battle == game.battles == game.played
    return game.present if newest else game.events_of(battle)


def from_record(record: object) -> Game:
    """The game that a record holds, played again and compared with it.

    >>> game = Game("house", 2024).play(7).back()
    >>> again = from_record(to_record(game))
    >>> again.position == game.position, again.played, again.battles
    (True, 7, 6)

    Raises ValueError for a record of another version, or one that the rules do not lead to.
    """
    if not isinstance(record, Mapping):
        raise ValueError(f"not the record of a game: {shown(record)}")
    for name in record:
        if name not in ("war", "rules", "deal", "piles", "won", "at", "events"):
            raise ValueError(f"unknown entry in the record of a game: {shown(name)}")
    _check_version(record.get("war"))
    for name in ("rules", "deal", "piles", "won"):
        if name in record and record[name] is None:
            raise ValueError(f"{name} is null: leave it out or give a value")
    game = Game(record.get("rules"), record.get("deal", 0), record.get("piles"), record.get("won"))
    events = record.get("events", [])
    if not isinstance(events, list):
        raise ValueError(f"events are a list, not {shown(events)}")
    return _replayed(game, events, _plain, record.get("at", len(events)))


def _check_version(version: object) -> None:
    if version is True or version != VERSION:
        raise ValueError(f"this is version {VERSION} of the notation, not {shown(version)}")


def _replayed(game: Game, events: list[Any], form: Callable[[Event], object], at: object) -> Game:
    for number, event in enumerate(events, 1):
        happened = game.step()
        if happened is None or event != form(happened):
            raise ValueError(f"event {number} does not follow from the rules: {shown(event)}")
    if isinstance(at, bool) or not isinstance(at, int) or not 0 <= at <= len(events):
        raise ValueError(f"at is a number of events from 0 to {len(events)}, not {shown(at)}")
    return game.seek(at)


def _plain(event: Event) -> list[object]:
    players = [seat + 1 for seat in event.seats]
    return [event.battle, str(event.kind), event.step, players, [*map(str, event.cards)]]


def to_json(game: Game) -> str:
    """A game as one line of JSON.

    >>> to_json(Game(piles=["KS", "2H"]))
    '{"war": 1, "rules": "classic", "deal": "0", "piles": ["KS", "2H"], "at": 0, "events": []}'
    """
    return json.dumps(to_record(game))


def from_json(line: str) -> Game:
    """The game that a line of JSON holds.

    >>> from_json('{"war": 1, "rules": "classic", "deal": "2024"}').counts
    (26, 26)

    Raises ValueError for what is no JSON, and as `from_record` does.
    """
    return from_record(read_json(line))


def read_json(line: str) -> Any:
    """A value from JSON that nobody vouches for.

    >>> read_json("{'war': 1}")
    Traceback (most recent call last):
    ...
    ValueError: not JSON: Expecting property name enclosed in double quotes at character 2

    Raises ValueError for what is no JSON.
    """
    try:
        return json.loads(
            line.removeprefix("\ufeff"),
            parse_int=_whole_number,
            parse_constant=_no_constant,
            object_pairs_hook=_no_key_twice,
        )
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg} at character {error.pos + 1}") from None
    except RecursionError:
        raise ValueError("not JSON of a game: it is nested too deeply") from None


def _whole_number(digits: str) -> int:
    if len(digits) > 40:
        raise ValueError(f"{shown(digits)} is too large a number for anything in a game")
    return int(digits)


def _no_constant(name: str) -> None:
    raise ValueError(f"not JSON: {name} is no number")


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{shown(twice)} is there twice")
    return record


def to_text(game: Game) -> str:
    """A game as lines that a person can read: a few headings, then a line for each battle.

    >>> print(to_text(Game(piles=["9H 2C KS", "9D 3C 7S"]).play()))
    War, notation 1
    Rules: "classic"
    Deal: 0
    Piles: 9H 2C KS | 9D 3C 7S
    At: 4
    <BLANKLINE>
    1. turn 1:9H 2:9D; down 1:2C 2:3C; up 1:KS 2:7S; take 1: 9H 2C KS 9D 3C 7S
    <BLANKLINE>
    """
    record = to_record(game)
    lines = [f"War, notation {VERSION}", f"Rules: {json.dumps(record['rules'])}"]
    lines.append(f"Deal: {record['deal']}")
    lines += [
        f"{name.capitalize()}: {' | '.join(record[name])}"
        for name in ("piles", "won")
        if name in record
    ]
    lines += [f"At: {record['at']}", ""]
    lines += [
        f"{number}. " + "; ".join(map(_line, _seen(game, number)))
        for number in range(1, game.played + 1)
    ]
    return "\n".join(lines) + "\n"


def from_text(lines: str) -> Game:
    """The game that a text holds, played again and compared with it.

    >>> game = Game("three-players", 7).play(20).step_back()
    >>> to_text(from_text(to_text(game))) == to_text(game)
    True

    Raises ValueError for a text of another version, or one that the rules do not lead to.
    """
    title, *rest = lines.removeprefix("\ufeff").strip().splitlines() or [""]
    version = re.fullmatch(r"War, notation ([0-9]{1,6})", title.strip())
    if not version:
        raise ValueError(
            f"a game in this notation begins with 'War, notation 1', not {shown(title)}"
        )
    _check_version(int(version[1]))
    headings: dict[str, str] = {}
    events: list[str] = []
    for line in filter(None, map(str.strip, rest)):
        heading = re.fullmatch(r"(Rules|Deal|Piles|Won|At): *(.*)", line)
        if heading and heading[1] not in headings:
            headings[heading[1]] = heading[2]
        elif re.match(r"[0-9]+\. ", line):
            battle, _, happened = line.partition(". ")
            events += [f"{battle}. {event.strip()}" for event in happened.split(";")]
        else:
            raise ValueError(f"not a line of a game: {shown(line)}")
    piles, won = (
        headings[name].split("|") if name in headings else None for name in ("Piles", "Won")
    )
    game = Game(read_json(headings.get("Rules", "null")), headings.get("Deal", 0), piles, won)
    at = headings.get("At", str(len(events)))
    moment = int(at) if re.fullmatch("[0-9]{1,12}", at) else at
    return _replayed(game, events, lambda event: f"{event.battle}. {_line(event)}", moment)


def _line(event: Event) -> str:
    if event.kind in (Kind.SHORT, Kind.TAKE, Kind.SHUFFLE):
        return f"{event.kind} {event.seats[0] + 1}: {text(event.cards)}".strip()
    laid = zip(event.seats, event.cards, strict=True)
    return f"{event.kind} " + " ".join(f"{seat + 1}:{card}" for seat, card in laid)
