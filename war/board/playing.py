"""A table to play at: the board, and the buttons that play."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import ipywidgets

from war.board.address import check_length, from_query, to_query
from war.board.export import saved, table_rows
from war.board.settings import SPEEDS, Settings, settings_of
from war.board.state import board_state, names_at
from war.board.still import still_html
from war.board.widget import Board, drawing
from war.cards import shown
from war.describe import Sentence, counts_by_battle, moment, of_battles, of_outcome
from war.game import Game
from war.notation import from_json, from_text
from war.trouble import guarded
from war.variants import rules_of

MOST_TEXT = 5_000_000


class Playing:
    """What people do at a table, whatever its size: `game` is the game that its `board` shows."""

    #: After which battle the table rests, where it is not to be played to the end of the round.
    until: int | None = None

    #: What has been set for this table; where nobody has set anything, this.
    settings = Settings()

    #: What its buttons say and do, by their names in the page.
    controls: ClassVar[Mapping[str, tuple[str, Callable[[Any], None]]]]

    game: Game
    board: Board

    def _sit_down(self, board: Board, game: Game) -> None:
        self.board = board
        self.game = game
        self._round = 0
        self._counts: list[tuple[int, ...]] = []
        self._spoken = ""
        self._watching: asyncio.Task[None] | None = None
        board.on_msg(lambda _widget, message, _buffers: self._guarded(self.answer, message))
        self._show()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {moment(self.game, self._names()).shown}>"

    def turn_cards(self) -> None:
        """Play one battle, or what is left of one."""
        self._play(1)

    def play_ten(self) -> None:
        """Play ten battles, or as many as the round still has."""
        self._play(10)

    def new_round(self) -> None:
        """Deal again by the same rules with a new code."""
        self._start(Game(self.game.rules))

    def step(self) -> None:
        """Let one event happen: a turn, a card face down, a take."""
        self.pause()
        self._show(None if not self._rests() and self.game.step() else self._rest())

    def back(self) -> None:
        """Go back one battle; in the middle of one, to its start."""
        self.pause()
        if not self.game.battles:
            self._show(
                Sentence("This is the deal: there is nothing before it.", "This is the deal.")
            )
            return
        news = moment(self.game.back(), self._names())
        self._show(Sentence(news.shown, f"Back. {news.spoken}"))

    def undo(self) -> None:
        """Take back one event."""
        self.pause()
        at = self.game.at
        news = moment(self.game.step_back(), self._names())
        self._show(Sentence(news.shown, f"Undone. {news.spoken}") if at else None)

    def play_to_end(self) -> None:
        """Play to the end at the speed that is set, for somebody to watch; a second call pauses it."""
        if self._watching:
            self.pause()
            return
        seconds = SPEEDS[self.settings.speed]
        if not seconds or self._rests():
            self._play(None)
            return
        self._watching = asyncio.get_running_loop().create_task(self._watch(1 / seconds))
        self._name_end("Pause")

    def pause(self) -> None:
        """Stop playing by itself, if it does."""
        if self._watching:
            self._watching.cancel()
            self._watching = None
            self._name_end(self.controls["war-end"][0])

    def _name_end(self, label: str) -> None:
        """Write something else on the button that plays to the end, or its own label again."""
        raise NotImplementedError

    async def _watch(self, pause: float) -> None:
        first = self._next_battle()
        while not self._rests():
            self._guarded(self._watch_one)
            await asyncio.sleep(pause)
        self._guarded(self._watched, first)

    def _watch_one(self) -> None:
        self.game.play(1)
        # A picture a battle, but one announcement for all of them.
        self._show(Sentence(moment(self.game, self._names()).shown, ""))

    def _watched(self, first: int) -> None:
        self.pause()
        self._show(of_battles(self.game, first, self._names()))

    def _play(self, battles: int | None) -> None:
        self.pause()
        first = self._next_battle()
        if self._rests():
            self._show(self._rest())
        else:
            limits = [each for each in (battles, self._left()) if each is not None]
            self.game.play(min(limits, default=None))
            self._show(of_battles(self.game, first, self._names()))

    def _next_battle(self) -> int:
        return self.game.battles + (not self.game.mid_battle)

    def _left(self) -> int | None:
        """How many battles are left before the table rests; None for all of the round."""
        return None if self.until is None else self.until - self._next_battle() + 1

    def _rests(self) -> bool:
        return self.game.outcome is not None or self._left() == 0

    def _rest(self) -> Sentence:
        rest = "The cards rest until a new round."
        return Sentence(rest, f"{rest} {of_outcome(self.game, self._names())}")

    def _start(self, game: Game) -> None:
        self.pause()
        self.game = game
        self._round += 1
        self._counts = []
        self._show()

    def _names(self) -> tuple[str, ...]:
        return names_at(self.game, self.settings)

    def _now(self) -> Sentence:
        now = moment(self.game, self._names())
        if self.game.battles or not self.board.main:
            return now
        code = f" {self.game.code}" if self.game.dealt else ""
        return Sentence(f"{now.shown} Turn cards to begin.", f"Deal{code}. {now.spoken}")

    def _show(self, news: Sentence | None = None) -> None:
        news = news or self._now()
        state = board_state(self.game, self.settings, news) | {"round": self._round, "query": ""}
        if state["spoken"]:
            # The same words again would not be read out, as nothing would seem to have changed.
            if state["spoken"] == self._spoken:
                state["spoken"] = f"Once more. {self._spoken}"
            self._spoken = state["spoken"]
        with self.board.hold_sync():
            self.board.notice = ""
            # Only the table to play at has an address and a chart.
            if self.board.main:
                whole = self.game.battles - self.game.mid_battle
                self._counts = counts_by_battle(self.game, self.game.played, self._counts)
                self.board.counts = self._counts[: whole + 1]
                state["query"] = to_query(self.game)
            self.board.state = state

    def answer(self, message: object) -> None:
        """Do what the board asks for, a record whose entry `ask` says what.

        >>> table = PlayingTable(Game(code=1))
        >>> table.answer({"ask": "deal", "code": "2024", "rules": "house"})
        >>> table.game.code, table.game.rules.cap
        (2024, 300)

        Raises ValueError for a request that makes no sense; nothing has changed then.
        """
        if not isinstance(message, Mapping):
            raise ValueError(f"the board asked for {shown(message)}")
        match message.get("ask"):
            case "ping":
                self.board.send({"answer": "here"})
            case "hello":
                self._greet(message.get("query"), message.get("settings"))
            case "press":
                self._press(message.get("button"))
            case "settings":
                self._settle(message.get("settings"))
            case "go":
                self._go(message.get("battle"))
            case "deal":
                rules = self.game.rules
                if message.get("rules"):
                    check_length(rules := rules_of(message["rules"]))
                self._start(Game(rules, message.get("code") or None))
            case "again":
                self._start(self.game.go_to(0))
            case "open":
                self._open(message.get("text"))
            case "save":
                self.board.send({"answer": "file", **saved(self.game, message.get("form"))})
            case "history":
                self.board.send({"answer": "history", **self.battles(message.get("after"))})
            case "link":
                self._link(message.get("page"))
            case ask:
                raise ValueError(f"the board asked for {shown(ask)}")

    def battles(self, after: object) -> dict[str, Any]:
        """The battles after a number up to this moment, as rows of a table.

        >>> PlayingTable(Game(piles=["KS", "QS"]).play()).battles(0)["rows"]
        [[1, 'KS', 'QS', 0, 'You', 2, 2, 0]]

        Raises ValueError where `after` is no number of a battle.
        """
        return table_rows(self.game, self._names(), after)

    def _greet(self, query: object, settings: object) -> None:
        """Begin where the address says, with the settings that the browser has kept."""
        self._settle(settings)
        game = from_query(query) if isinstance(query, str) else None
        if game and to_query(game) != to_query(self.game):
            self._start(game)

    def _settle(self, settings: object) -> None:
        """Take what the browser has kept or somebody has just set; nothing has happened by that."""
        before, self.settings = self.settings, settings_of(settings)
        if self.settings != before:
            self._show(Sentence(self._now().shown, ""))

    def _press(self, button: object) -> None:
        if not isinstance(button, str) or button not in self.board.buttons:
            raise ValueError(f"this table has no button {shown(button)}")
        _, action = self.controls[button]
        action(self)

    def _go(self, battle: object) -> None:
        if isinstance(battle, bool) or not isinstance(battle, int):
            raise ValueError(f"a battle is a whole number, not {shown(battle)}")
        self.pause()
        self.game.go_to(min(battle, self.game.played))
        # The slider itself says which battle it is at.
        self._show(Sentence(moment(self.game, self._names()).shown, ""))

    def _open(self, text: object) -> None:
        if not isinstance(text, str) or len(text) > MOST_TEXT:
            raise ValueError("this file is not a saved game")
        game = from_json(text) if text.lstrip("\ufeff ").startswith("{") else from_text(text)
        check_length(game.rules)
        self._start(game)

    def _link(self, page: object) -> None:
        if not isinstance(page, str) or len(page) > 1000 or not page.startswith("http"):
            raise ValueError(f"not the address of a page: {shown(page)}")
        # A third of the time that loading the board would take, and few ask for a link.
        import segno

        address = f"{page}?{to_query(self.game)}"
        code = segno.make(address, error="l")
        picture = code.svg_inline(scale=4, dark="#000", light="#fff", omitsize=True)
        self.board.send({"answer": "link", "address": address, "picture": picture})

    def _guarded(self, action: Callable[..., None], *values: Any) -> None:
        guarded(self._tell, "game", action, *values)

    def _tell(self, trouble: str) -> None:
        # The next battle would wipe it away before anybody has read it.
        self.pause()
        self.board.notice = trouble


class PlayingTable(Playing, ipywidgets.VBox):
    """The table of a page: the board, and below it its buttons, each of which calls one method.

    >>> table = PlayingTable(Game(piles=["9H 2C KS", "9D 3C 7S"]))
    >>> table.turn_cards()
    >>> table.game.counts
    (6, 0)
    """

    controls: ClassVar = {
        "war-turn": ("Turn cards", Playing.turn_cards),
        "war-ten": ("Play 10 battles", Playing.play_ten),
        "war-step": ("Step", Playing.step),
        "war-back": ("Back", Playing.back),
        "war-end": ("Play to the end", Playing.play_to_end),
        "war-new": ("New round", Playing.new_round),
    }

    def __init__(self, game: Game) -> None:
        # Each widget makes the page wait a little, so that all of them share one of these.
        layout, style = ipywidgets.Layout(), ipywidgets.ButtonStyle()
        board = Board(layout=layout)
        self._buttons: dict[str, ipywidgets.Button] = {}
        for name, (label, action) in self.controls.items():
            button = ipywidgets.Button(description=label, layout=layout, style=style)
            button.add_class(name)
            button.on_click(lambda _, action=action: self._guarded(action, self))
            self._buttons[name] = button
        row = ipywidgets.HBox([*self._buttons.values()], layout=layout)
        row.add_class("war-buttons")
        super().__init__([board, row], layout=layout)
        self.add_class("war-game")
        self._sit_down(board, game)

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """The live table, and a still picture of it for where no kernel runs."""
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs)
        return {**bundle, "text/html": still_html(self.game)}

    def _name_end(self, label: str) -> None:
        self._buttons["war-end"].description = label


class SmallTable(Playing, Board):
    """A table beside a text: a board that draws its own buttons, as a page may have many of them.

    >>> table = SmallTable(Game(piles=["9H 2C KS", "9D 3C 7S"]))
    >>> table.answer({"ask": "press", "button": "war-turn"})
    >>> table.game.counts
    (6, 0)
    """

    # Other names than those of the table to play at, so that nobody who hears or asks for a button by
    # its name gets the wrong one.
    controls: ClassVar = {
        "war-step": ("Next", Playing.step),
        "war-turn": ("Next battle", Playing.turn_cards),
        "war-back": ("Undo", Playing.undo),
        "war-end": ("Finish", Playing.play_to_end),
    }

    def __init__(self, game: Game, silent: bool = False) -> None:
        buttons = {name: label for name, (label, _) in self.controls.items()}
        super().__init__(main=False, silent=silent, buttons=buttons, layout=drawing().layout)
        self.add_class("war-game")
        self._sit_down(self, game)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """The live table, and a still picture of it for where no kernel runs."""
        bundle = super()._repr_mimebundle_(**kwargs)
        return bundle and ({**bundle[0], "text/html": still_html(self.game)}, bundle[1])

    def _name_end(self, label: str) -> None:
        self.buttons = self.buttons | {"war-end": label}


class SideBySide(ipywidgets.HBox):
    """Small tables beside each other, or below where there is no room."""

    def __init__(self, tables: list[SmallTable]) -> None:
        super().__init__(tables)
        self.add_class("war-side-by-side")

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs)
        return {**bundle, "text/html": "".join(still_html(table.game) for table in self.children)}


def play(rules: object = "classic", deal: object = None) -> PlayingTable:
    """A table to play at, dealt by a deal code or a new one; a page's address goes before both.

    >>> play("house", 2024).game.counts
    (26, 26)

    Raises ValueError for unknown rules and for what is no deal code.
    """
    table = PlayingTable(Game(rules, deal))
    # Where the page's address is known before the page is there, the first picture is right at once.
    query = os.environ.get("QUERY_STRING", "")
    table._guarded(table._greet, query, None)
    return table


def example(
    piles: str | None = None, rules: object = "classic", deal: object = None, battle: int = 0
) -> SmallTable:
    """A small table beside a text, from piles written like `9H 2C KS | 9D 3C 7S` or from a deal.

    `battle` is how many battles lie before its first picture.

    >>> example("9H 2C KS | 9D 3C 7S").game.counts
    (3, 3)

    Raises ValueError for what is no position of these rules.
    """
    written = None if piles is None else piles.split("|")
    return SmallTable(Game(rules, deal, written).go_to(battle))


def side_by_side(*rules: object, deal: object) -> SideBySide:
    """Small tables beside each other, with the same deal by several rules.

    >>> [table.game.rules.cap for table in side_by_side("classic", "house", deal=2024).children]
    [500, 300]

    Raises ValueError for unknown rules and for what is no deal code.
    """
    return SideBySide([example(rules=each, deal=deal) for each in rules])
