"""The lesson's page: what a pupil reads and presses, and the tables that are made when they are due."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import anywidget
import ipywidgets
import traitlets
from ipywidgets.widgets.widget_string import LabelStyle

from war.board.playing import SmallTable
from war.board.settings import Settings
from war.board.state import names_at
from war.board.still import still_html
from war.board.widget import with_parts
from war.cards import shown
from war.chance import deal_code
from war.describe import Sentence, headline, of_outcome, totals
from war.game import Game
from war.lesson.chart import line_svg
from war.lesson.puzzles import Verdict, check, find_puzzle
from war.lesson.questions import Level, Step
from war.lesson.record import Record, record_of
from war.lesson.results import CLASS_DEAL, check_deal, game_of
from war.lesson.rounds import ROUNDS, summary
from war.lesson.view import MANY, find_level, source, view
from war.trouble import guarded

_HERE = Path(__file__).parent

LONGEST_ADDRESS = 4_000
MANY_BATTLES = 5
#: Nobody keeps more words in mind that are only heard once.
MOST_WORDS = 25


class LessonPage(anywidget.AnyWidget):
    """All of the lesson but its tables; the browser draws `view` and keeps `record`."""

    # The page is made of the board's own parts, and looks like it before a board is there.
    _esm = with_parts(_HERE / "lesson.js")
    _css = with_parts(_HERE / "lesson.css")

    view = traitlets.Dict().tag(sync=True)
    #: The code that plays a battle; sent once, as it never changes.
    source = traitlets.Unicode(source()).tag(sync=True)
    #: The lines of the rounds on the tables, and where one looks.
    chart = traitlets.List(traitlets.Dict()).tag(sync=True)
    #: What the browser shall keep for this deal; None where there is nothing yet to keep.
    record = traitlets.Dict(allow_none=True, default_value=None).tag(sync=True)
    #: What a screen reader says: once for whatever somebody does, here or at a table of the lesson.
    said = traitlets.Unicode("").tag(sync=True)
    #: A sentence about something that went wrong, or empty.
    notice = traitlets.Unicode("").tag(sync=True)


class StepTable(SmallTable):
    """A small table that rests where its step is over, as a later one asks what comes then."""

    def _rest(self) -> Sentence:
        if self.game.outcome:
            return super()._rest()
        rest = f"This table stops after battle {self.until}: a later step asks what comes then."
        return Sentence(rest, rest)


class PipsTable(StepTable):
    """A small table whose cards show pips to count, whatever the browser's settings say."""

    settings = Settings(pips=True)

    def _settle(self, settings: object) -> None:
        kept = settings if isinstance(settings, Mapping) else {}
        super()._settle({**kept, "pips": True})


class Lesson(ipywidgets.VBox):  # type: ignore[misc]
    """A lesson for one pupil: the page, and the tables of the step that is looked at.

    >>> pupil = Lesson("chance", 2024)
    >>> pupil.answer({"ask": "predict", "name": "ten-guess", "answer": 0})
    >>> pupil.page.view["compare"], len(pupil.tables)
    (None, 1)
    """

    def __init__(self, level: str | None = None, deal: object = CLASS_DEAL) -> None:
        self.level: Level | None = None
        self.deal = check_deal(deal)
        self.record = Record()
        self.tables: list[SmallTable] = []
        # The questions speak of all of them.
        self._many = ROUNDS
        self._puzzle = ""
        self._verdict: Verdict | None = None
        self._staged: object = None
        self._playing = False
        # One of each for all widgets, whatever the step: none is left behind when tables are closed.
        self._layout, self._style = ipywidgets.Layout(), LabelStyle()
        self.page = LessonPage(layout=self._layout)
        self.stage = ipywidgets.VBox(layout=self._layout)
        self.stage.add_class("war-stage")
        super().__init__([self.page, self.stage], layout=self._layout)
        self.add_class("war-game")
        self.add_class("war-lesson")
        self.page.on_msg(lambda _widget, message, _buffers: self._guarded(self.answer, message))
        if level is not None:
            self.choose(level)
        self._show()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """The live lesson, and a still picture of its deal for where no kernel runs."""
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs)
        return {**bundle, "text/html": still_html(Game(code=self.deal))}

    @property
    def step(self) -> Step | None:
        """The step that is looked at, or None at the exit, the puzzles, and before a choice."""
        if not self.level:
            return None
        at = self.record.at.get(self.level.name, 0)
        return self.level.steps[at] if at < len(self.level.steps) else None

    def choose(self, level: object) -> None:
        """Go to a level, where it was left.

        Raises ValueError for a level that is not there.
        """
        found = find_level(level)
        if not found:
            raise ValueError(f"there is no level {shown(level)}: it is compare, chance or compute")
        self.level, self._puzzle, self._verdict = found, "", None

    def answer(self, message: object) -> None:
        """Do what the page asks for, a record whose entry `ask` says what.

        Raises ValueError for a request that makes no sense; nothing has changed then.
        """
        if not isinstance(message, Mapping):
            raise ValueError(f"the page asked for {shown(message)}")
        ask = message.get("ask")
        if ask == "ping":
            self.page.send({"answer": "here"})
            return
        if ask == "hello":
            self._greet(message.get("query"), message.get("kept"), message.get("at"))
            return
        if ask == "history":
            self._tell_battles(_number(message, "table"), message.get("after"))
            return
        self.page.notice = ""
        said = self._done(ask, message)
        self._show(said)

    def _done(self, ask: object, message: Mapping[str, Any]) -> str:
        """Do it and return what is to be said."""
        match ask:
            case "level":
                self.choose(message.get("level"))
            case "levels":
                self.level = self._verdict = None
            case "go":
                self._go(message.get("step"))
            case "deal":
                self.deal = _typed_deal(message.get("code"))
                self._remember(message.get("kept"))
                return f"Deal {self.deal}."
            case "kept":
                self._follow(message.get("kept"), message.get("cleared") is True)
            case "predict":
                self.record.predict(_text(message, "name"), _number(message, "answer"))
                return "Locked in. Now play."
            case "change" if self.step:
                self.record.change(self.step.name)
                return "Predict again."
            case "play":
                return self._play(message.get("how"))
            case "look":
                self._look(_number(message, "table"), _number(message, "battle"))
            case "try":
                given = message.get("answer")
                self.record.answer(_text(message, "name"), given)  # type: ignore[arg-type]
                return self._verdict_on(_text(message, "name"))
            case "hint":
                self.record.hint(_text(message, "name"))
                return self._newest_hint(_text(message, "name"))
            case "many":
                self._many = _number(message, "count") if message.get("count") in MANY else ROUNDS
                return summary(self._many).partition(". ")[0] + "."
            case "puzzle":
                self._puzzle, self._verdict = self._own_puzzle(_text(message, "name")), None
                return find_puzzle(self._puzzle).text
            case "check":
                return self._check(_text(message, "name"), message.get("piles"))
            case "clear":
                self.record, self._verdict = Record(), None
                return "All answers are cleared."
            case _:
                raise ValueError(f"the page asked for {shown(ask)}")
        return ""

    def _greet(self, query: object, kept: object, at: object = None) -> None:
        """Begin as the address says, with the answers that the browser has kept for its deal.

        `at` is the step at which this page was before it was loaded again, or None.
        """
        before = self.deal
        try:
            wanted = _wanted(query)
            if "deal" in wanted:
                self.deal = check_deal(wanted["deal"])
            if "level" in wanted:
                self.choose(wanted["level"])
        finally:
            # A wild address costs nobody the answers, nor a page to work on.
            if self.deal != before or self.record == Record():
                self._remember(kept)
            else:
                # A page that is drawn anew, where a browser may be forbidden to keep anything.
                self._follow(kept)
            if self.level and isinstance(at, int):
                self._go(int(at))
            self._show()

    def _remember(self, kept: object) -> None:
        """Begin with the answers that the browser has kept for this deal, if it tells any."""
        self.record = record_of(kept.get(str(self.deal)) if isinstance(kept, Mapping) else None)

    def _follow(self, kept: object, cleared: bool = False) -> None:
        """Take over what the same pupil has answered in another tab, and stay where one is here.

        What comes from there may be older than what has just been answered here, so nothing is given up
        but what was cleared.
        """
        if cleared:
            self.record = Record(at=self.record.at)
        elif isinstance(kept, Mapping):
            self.record.join(record_of(kept.get(str(self.deal))))

    def _go(self, step: object) -> None:
        if not self.level:
            raise ValueError("no level has been chosen")
        if isinstance(step, bool) or not isinstance(step, int):
            raise ValueError(f"a step is a whole number, not {shown(step)}")
        self.record.at[self.level.name] = max(0, min(step, len(self.level.steps) + 1))
        self._verdict = None

    # --- the tables ------------------------------------------------------------------------

    def _set_stage(self) -> None:
        """Make the tables that are due now, and close those that are not wanted any more."""
        step = self.step
        due: object = None
        if step and step.prediction.name in self.record.predicted:
            due = (self.deal, step.name)
        elif self._verdict and self._verdict.game:
            due = self._verdict
        if due == self._staged:
            return
        for table in self.tables:
            table.pause()
        for child in self.stage.children:
            _close(child)
        self._staged, self.tables = due, []
        if due and step:
            self.tables = self._tables_of(step)
        elif due and self._verdict and self._verdict.game:
            self.tables = [SmallTable(self._verdict.game.go_to(0), silent=True)]
        for table in self.tables:
            table.board.observe(partial(self._moved, table), "state")
            table.board.observe(lambda change: self._say(change["new"]), "notice")
        labels = step.play.labels if due and step else ()
        self.stage.children = [
            ipywidgets.VBox([self._label(label), table], layout=self._layout)
            for label, table in zip(labels, self.tables, strict=False)
        ] or self.tables
        (self.stage.add_class if labels else self.stage.remove_class)("two")

    def _tables_of(self, step: Step) -> list[SmallTable]:
        games = [game_of(step.play, self.deal)]
        if step.play.beside:
            games.append(Game(step.play.beside, games[0].code))
        kind = PipsTable if self.level and self.level.name == "compare" else StepTable
        stood = self.record.stood.get(step.name, [])
        for place, game in enumerate(games):
            game.go_to(step.play.start)
            if step.name in self.record.played:
                game.play(None if step.play.until is None else step.play.until - step.play.start)
            elif place < len(stood):
                _stand(game, stood[place], step.play.until)
        tables = [kind(game, silent=True) for game in games]
        if not step.play.piles:
            for table in tables:
                table.until = step.play.until
        return tables

    def _label(self, text: str) -> ipywidgets.Label:
        label = ipywidgets.Label(text, layout=self._layout, style=self._style)
        label.add_class("war-rule")
        return label

    def _moved(self, table: SmallTable, _: object) -> None:
        """Cards have moved on a table by its own buttons."""
        if not self._playing:
            self._guarded(self._note_move, table)

    def _note_move(self, table: SmallTable) -> None:
        before = self._progress()
        said = self._news([table])
        if self._progress() != before:
            self._show(said)
        else:
            self._show_move(said)

    def _progress(self) -> tuple[bool, bool]:
        name = self.step.name if self.step else ""
        return name in self.record.begun, name in self.record.played

    def _news(self, moved: list[SmallTable]) -> str:
        """Note what has been played, and return what is to be said of the tables that moved."""
        said = [_short(table) for table in moved if table.board.state["spoken"]]
        step = self.step
        if not step:
            return " ".join(said)
        if len(moved) > 1:
            each = zip(step.play.labels, moved, strict=True)
            said = [f"{label}: {_shortest(table)}" for label, table in each]
        _, before = self._progress()
        games = [table.game for table in self.tables]
        if any(game.at and game.battles > step.play.start for game in games):
            self.record.play(step.name, all(_enough(step, game) for game in games))
        self.record.stand(step.name, [game.at for game in games])
        _, after = self._progress()
        return " ".join([*said, "Now compare."] if after and not before else said)

    def _play(self, how: object) -> str:
        if how not in ("ten", "end"):
            raise ValueError(f"the page asked to play {shown(how)}")
        self._playing = True
        try:
            for table in self.tables:
                if how == "ten":
                    table.play_ten()
                    continue
                before, table.settings = table.settings, replace(table.settings, speed="at once")
                table.play_to_end()
                table.settings = before
        finally:
            self._playing = False
        return self._news(self.tables)

    def _look(self, place: int, battle: int) -> None:
        if place in range(len(self.tables)):
            self.tables[place].answer({"ask": "go", "battle": battle})

    def _tell_battles(self, place: int, after: object) -> None:
        """Send the rows of a table's battles, which a page that shows none need not carry."""
        if place in range(len(self.tables)):
            rows = self.tables[place].battles(after)
            self.page.send({"answer": "history", "table": place, **rows})

    def _draw_chart(self) -> None:
        step = self.step
        # A line needs a few points to tell something.
        charted = step and not step.play.piles and (step.play.until or MANY_BATTLES) >= MANY_BATTLES
        labels = step.play.labels or ("",) if step and charted else ()
        self.page.chart = [
            _line(table, label)
            for table, label in zip(self.tables, labels, strict=False)
            if table.game.played
        ]

    # --- questions and puzzles -------------------------------------------------------------

    def _verdict_on(self, name: str) -> str:
        shown_now = view(self.record, self.deal, self.level, self._many)
        for question in shown_now.get("questions", []):
            if question["name"] == name:
                return f"{question['verdict']} {question['feedback']}".lstrip() + self._opened(name)
        return ""

    def _opened(self, name: str) -> str:
        """What a right answer has opened below, where it can be seen and not yet heard."""
        step = self.step
        if not step or not self.record.solved(name):
            return ""
        if all(self.record.solved(question.name) for question in step.questions):
            return " Below: what to take along."
        return " Below: the next question."

    def _newest_hint(self, name: str) -> str:
        shown_now = view(self.record, self.deal, self.level, self._many, self._puzzle)
        puzzle = shown_now.get("puzzle")
        for each in [*shown_now.get("questions", []), *([puzzle] if puzzle else [])]:
            if each["name"] == name and each["hints"]:
                return f"Hint: {each['hints'][-1]}"
        return ""

    def _own_puzzle(self, name: str) -> str:
        if not self.level or name not in self.level.puzzles:
            raise ValueError(f"there is no puzzle {shown(name)} in this level")
        return name

    def _check(self, name: str, piles: object) -> str:
        if not isinstance(piles, list) or [*map(type, piles)] != [str, str]:
            raise ValueError(f"these are no piles: {shown(piles)}")
        self._puzzle = self._own_puzzle(name)
        self._verdict = check(name, piles)
        self.record.puzzles[name] = [pile[:400] for pile in piles]
        return self._verdict.told

    # --- what is shown ---------------------------------------------------------------------

    def _show(self, said: str = "") -> None:
        self._set_stage()
        with self.page.hold_sync():
            self.page.view = view(
                self.record, self.deal, self.level, self._many, self._puzzle, self._verdict
            )
            self._show_move(said)

    def _show_move(self, said: str) -> None:
        """Show what a move changes, which leaves the view as it is."""
        with self.page.hold_sync():
            self.page.record = self.record.as_json()
            self._say(said)
            self._draw_chart()

    def _say(self, said: str) -> None:
        if said:
            # The same words again would not be read out, as nothing would seem to have changed.
            self.page.said = f"{said}\u00a0" if self.page.said == said else said

    def _guarded(self, action: Callable[..., None], *values: Any) -> None:
        guarded(self._tell, "lesson", action, *values)

    def _tell(self, trouble: str) -> None:
        self.page.notice = trouble
        self._say(trouble)


def lesson(level: str | None = None, deal: object = CLASS_DEAL) -> Lesson:
    """A lesson for one pupil; without a level the page lets the pupil choose one.

    What a page's address says of level and deal goes before both.

    >>> lesson("compare").level.title
    'Compare'

    Raises ValueError for a level that is not there, and for a deal that no lesson can use.
    """
    made = Lesson(level, deal)
    # Where the page's address is known before the page is there, the first picture is right at once.
    made._guarded(made._greet, os.environ.get("QUERY_STRING", ""), None)
    return made


def _close(widget: ipywidgets.Widget) -> None:
    for child in getattr(widget, "children", ()):
        _close(child)
    widget.close()


def _line(table: SmallTable, label: str) -> dict[str, Any]:
    game = table.game
    return {
        "svg": line_svg(game),
        "label": label,
        "battle": game.battles,
        "played": game.played,
        # How many rows the table of battles has, and what tells its round from any other.
        "whole": game.battles - game.mid_battle,
        "round": [game.code, label, table.board.state["round"]],
    }


def _short(table: SmallTable) -> str:
    """What a table says of its move; where that is long, not why a round has ended, but how."""
    spoken: str = table.board.state["spoken"]
    if not table.game.outcome or len(spoken.split()) <= MOST_WORDS:
        return spoken
    names = names_at(table.game, table.settings)
    return spoken.replace(of_outcome(table.game, names), headline(table.game, names))


def _shortest(table: SmallTable) -> str:
    game = table.game
    if game.outcome:
        return f"{game.battles} battles."
    return totals(game.counts, names_at(game, table.settings))


def _stand(game: Game, at: int, until: int | None) -> None:
    """Go to where a table stood, as far as its step goes, whatever has been kept of it."""
    # Beyond the end of the round there is only its end.
    with suppress(ValueError):
        game.seek(at)
    if until is not None and game.battles > until:
        game.go_to(until)


def _typed_deal(code: object) -> int:
    try:
        deal_code(code)
    except ValueError:
        message = f"{shown(code)} is no deal code. Type a number, like {CLASS_DEAL}"
        raise ValueError(message) from None
    return check_deal(code)


def _enough(step: Step, game: Game) -> bool:
    if game.outcome:
        return True
    return step.play.until is not None and game.battles - game.mid_battle >= step.play.until


def _wanted(query: object) -> dict[str, str]:
    if not isinstance(query, str):
        return {}
    if len(query) > LONGEST_ADDRESS:
        raise ValueError(f"the address is too long: {len(query)} characters")
    return {
        name: value
        for name, value in parse_qsl(query.removeprefix("?"))
        if name in ("level", "deal")
    }


def _text(message: Mapping[str, Any], name: str) -> str:
    value = message.get(name)
    if not isinstance(value, str):
        raise ValueError(f"{name} is a text, not {shown(value)}")
    return value


def _number(message: Mapping[str, Any], name: str) -> int:
    value = message.get(name)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{name} is a whole number, not {shown(value)}")
    return value
