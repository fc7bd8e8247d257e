"""The game in Voilà, played in a real browser."""

import json
import re

from playwright.sync_api import Page, WebSocket, expect

from tests.browser.table import (
    button,
    expect_moment,
    held_enter_plays_one,
    plays_battles_and_rounds,
    plays_to_the_end,
    quick_clicks_play_as_many,
    serious_faults,
    shown_game,
    sit_down_in_app,
)
from war import Card, Game
from war.board.art import card_svg


def test_battles_and_rounds(page: Page, app_address: str) -> None:
    plays_battles_and_rounds(sit_down_in_app(page, app_address))


def test_a_round_to_its_end(page: Page, app_address: str) -> None:
    plays_to_the_end(sit_down_in_app(page, app_address))


def test_a_held_key_and_quick_clicks(page: Page, app_address: str) -> None:
    table = sit_down_in_app(page, app_address)
    held_enter_plays_one(table)
    quick_clicks_play_as_many(table, 10)


def test_a_hidden_card_is_nowhere(page: Page, app_address: str) -> None:
    frames: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: frames.append(_text(frame)))

    page.on("websocket", listen)
    table = sit_down_in_app(page, app_address, "?deal=106")
    button(table, "Turn cards").click()
    expect_moment(table, game := Game(code=106).play(1))
    expect(table.get_by_role("img", name="face-down card")).to_have_count(2)
    sent, drawn = "".join(frames), table.evaluate("node => node.outerHTML")
    _, down, up, _ = game.present
    for card in up.cards:
        assert told_in(sent, card)
        assert told_in(drawn, card)
    for card in down.cards:
        assert not told_in(sent, card)
        assert not told_in(drawn, card)
        assert card.name not in page.content()


def test_axe_finds_nothing_serious(page: Page, app_address: str) -> None:
    table = sit_down_in_app(page, app_address)
    assert not serious_faults(page)
    button(table, "Play 10 battles").click()
    expect_moment(table, shown_game(table).play(10))
    assert not serious_faults(page)


def told_in(text: str, card: Card) -> bool:
    """Whether a text has a card's name, its written form or its picture."""
    picture = card_svg(card)
    return (
        card.name in text
        or re.search(rf"(?<!\w){card}(?!\w)", text) is not None
        or picture in text
        or json.dumps(picture)[1:-1] in text
    )


def _text(frame: str | bytes) -> str:
    return frame if isinstance(frame, str) else frame.decode(errors="replace")
