"""What goes wrong behind a button is told on its page, whichever page it is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from tests.pupils import run
from war import Game
from war.board import PlayingTable
from war.chance import deal_code
from war.lab.panel import WhatIf
from war.lesson import lesson


def fails(error: Exception) -> None:
    raise error


def at_the_board() -> tuple[Callable[..., None], Callable[[], str]]:
    table = PlayingTable(Game(code=1))
    return table._guarded, lambda: table.board.notice


def in_the_lesson() -> tuple[Callable[..., None], Callable[[], str]]:
    pupil = lesson("chance")
    return pupil._guarded, lambda: pupil.page.notice


def in_the_lab() -> tuple[Callable[..., None], Callable[[], str]]:
    panel = WhatIf(games=100)
    return panel._guarded, lambda: panel.said.words


@pytest.mark.parametrize("page", [at_the_board, in_the_lesson, in_the_lab])
def test_what_goes_wrong_is_told_on_its_page_and_a_fault_in_the_log_too(
    page: Callable[[], tuple[Callable[..., None], Callable[[], str]]],
    capfd: pytest.CaptureFixture[str],
) -> None:
    guarded, told = page()
    guarded(deal_code, "x")
    assert told().startswith("That does not work: not a deal code: 'x'")
    assert "Traceback" not in capfd.readouterr().err
    guarded(fails, error := KeyError("ace"))
    assert told().endswith(f"'s code went wrong: {error!r}")
    log = capfd.readouterr().err
    assert log.startswith("Traceback")
    assert "in fails" in log


def test_what_goes_wrong_while_somebody_watches_stays_to_be_read() -> None:
    async def watch() -> None:
        table = PlayingTable(Game(code=1))
        table.answer({"ask": "settings", "settings": {"speed": "fast"}})
        table.play_to_end()
        while not table.game.battles:
            await asyncio.sleep(0.01)
        table._guarded(table.answer, {"ask": "deal", "code": "x"})
        battles = table.game.battles
        await asyncio.sleep(0.5)
        assert table.board.notice.startswith("That does not work: not a deal code: 'x'")
        assert table.game.battles == battles

    run(watch())
