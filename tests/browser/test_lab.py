"""The game in JupyterLab, played in a real browser."""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.table import (
    button,
    expect_moment,
    held_enter_plays_one,
    own_notebook,
    plays_battles_and_rounds,
    plays_to_the_end,
    quick_clicks_play_as_many,
    serious_faults,
    shown_game,
    sit_down_in_notebook,
)
from tests.servers import lab_page


@pytest.fixture
def table(
    page: Page, lab_address: str, notebooks_copy: Path, request: pytest.FixtureRequest
) -> Locator:
    notebook = own_notebook(notebooks_copy, f"lab_{request.node.name}")
    # Without a reset JupyterLab opens what an earlier test left open.
    return sit_down_in_notebook(page, lab_page(lab_address, notebook) + "&reset")


def test_battles_and_rounds(table: Locator) -> None:
    plays_battles_and_rounds(table)


def test_a_round_to_its_end(table: Locator) -> None:
    plays_to_the_end(table)


def test_a_held_key_and_quick_clicks(table: Locator) -> None:
    held_enter_plays_one(table)
    quick_clicks_play_as_many(table, 10)


def test_axe_finds_nothing_serious_in_the_output(table: Locator) -> None:
    button(table, "Play 10 battles").click()
    expect_moment(table, shown_game(table).play(10))
    assert not serious_faults(table.page, ".jp-OutputArea-output")
