"""The game in JupyterLab and in Notebook 7, played in a real browser."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.notebook import (
    END_OF_KERNEL,
    TWICE,
    goes_on_without_its_kernel,
    keys_stay_on_the_table,
    open_notebook,
    own_notebook,
    run_cells,
    running_again_plays_nothing_twice,
    shown_twice_it_is_one_game,
    shows_a_still,
    sit_down_in_notebook,
    turn_dark,
)
from tests.browser.table import (
    first_table,
    held_enter_plays_one,
    plays_battles_and_rounds,
    plays_to_the_end,
    quick_clicks_play_as_many,
    serious_faults,
)
from tests.servers import lab_page, notebook_page

PLAY = "from war import play\nplay()"


@pytest.fixture(params=["JupyterLab", "Notebook 7"])
def address_of(notebooks_copy: Path, request: pytest.FixtureRequest) -> Callable[..., str]:
    """Where a notebook of this test's own is shown: the game's, or one of these cells."""

    def address(*cells: str) -> str:
        name = re.sub(r"\W+", "_", request.node.name)
        notebook = own_notebook(notebooks_copy, name, *cells)
        if request.param == "Notebook 7":
            return notebook_page(request.getfixturevalue("notebook_address"), notebook)
        # Without a reset JupyterLab opens what an earlier test left open.
        return f"{lab_page(request.getfixturevalue('lab_address'), notebook)}&reset"

    return address


def test_battles_rounds_and_the_end_by_day_and_night(
    page: Page, address_of: Callable[..., str]
) -> None:
    open_notebook(page, address_of())
    shows_a_still(page)
    run_cells(page, 2)
    table = first_table(page)
    plays_battles_and_rounds(table)
    assert not serious_faults(page, ".jp-OutputArea-output")
    turn_dark(page)
    assert not serious_faults(page, ".jp-OutputArea-output")
    plays_to_the_end(table)


def test_keys_clicks_and_running_again(page: Page, address_of: Callable[..., str]) -> None:
    table = sit_down_in_notebook(page, address_of())
    held_enter_plays_one(table)
    quick_clicks_play_as_many(table, 10)
    running_again_plays_nothing_twice(table)
    keys_stay_on_the_table(table)


def test_one_table_shown_twice(page: Page, address_of: Callable[..., str]) -> None:
    sit_down_in_notebook(page, address_of(TWICE))
    shown_twice_it_is_one_game(page)


def test_a_kernel_that_dies(page: Page, address_of: Callable[..., str]) -> None:
    sit_down_in_notebook(page, address_of(PLAY, END_OF_KERNEL))
    goes_on_without_its_kernel(page)
