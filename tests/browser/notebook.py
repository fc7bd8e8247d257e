"""How a test works in a notebook, in JupyterLab and Notebook 7 alike."""

from pathlib import Path

import nbformat
from playwright.sync_api import Locator, Page, expect

from tests.browser.table import (
    SLOW,
    button,
    expect_moment,
    first_table,
    open_fold,
    shown_game,
)
from tests.servers import ROOT
from war import Game

TWICE = "from war import play\ntable = play(deal=1)\ndisplay(table, table)"
END_OF_KERNEL = "import os\nos._exit(1)"


def own_notebook(folder: Path, name: str, *cells: str) -> str:
    """Write a fresh copy of the game's notebook, or a notebook of these cells; return its name."""
    notebook = nbformat.read(ROOT / "notebooks" / "play.ipynb", as_version=4)
    if cells:
        made = [nbformat.v4.new_code_cell(cell) for cell in cells]
        notebook.cells = [notebook.cells[0], *made]
    nbformat.write(notebook, folder / f"{name}.ipynb")
    return f"{name}.ipynb"


def open_notebook(page: Page, address: str) -> None:
    """Open a notebook at its heading, and wait until its kernel is ready."""
    page.goto(address)
    kernel = page.get_by_role("button", name="Python 3 (ipykernel)", exact=True)
    expect(kernel).to_be_visible(timeout=SLOW)
    page.get_by_role("heading", name="Play War").click()
    wait_for_kernel(page)


def wait_for_kernel(page: Page) -> None:
    """Wait until the kernel is connected: cells that are run before are silently not run at all."""
    expect(page.locator("[data-status=idle]").first).to_be_visible(timeout=SLOW)


def shows_a_still(page: Page) -> None:
    """Before anything is run, and trusted by nobody, a notebook shows the picture of its table."""
    picture = page.get_by_role("img", name="The table of War: You: 26, Computer: 26 cards.").first
    expect(picture).to_be_visible(timeout=SLOW)
    assert picture.evaluate("node => node.complete && node.naturalWidth > 0")
    expect(page.get_by_text("A still picture: run this cell to play.").first).to_be_visible()
    expect(page.get_by_text("Error displaying widget")).to_have_count(0)


def run_cells(page: Page, cells: int) -> None:
    """Run this many cells, from the selected one on."""
    for _ in range(cells):
        page.get_by_role("button", name="Run this cell and advance").click()


def sit_down_in_notebook(page: Page, address: str) -> Locator:
    """Open a notebook, run its heading and its first cell, and return the table."""
    open_notebook(page, address)
    run_cells(page, 2)
    return first_table(page)


def keys_stay_on_the_table(table: Locator) -> None:
    """The notebook's own keys do nothing to its cells while the focus is on the table."""
    page, cells = table.page, table.page.locator(".jp-Notebook .jp-Cell")
    before = cells.count()
    for name in ("Turn cards", "Play 10 battles", "New round", "Back", "Step"):
        button(table, name).focus()
        for key in ("b", "a", "d", "d", "x", "y", "m"):
            page.keyboard.press(key)
        expect(button(table, name)).to_be_focused()
        expect(cells).to_have_count(before)
    open_fold(table, "Deal and rules")
    table.get_by_role("textbox", name="Deal code").press_sequentially("bddx")
    expect(cells).to_have_count(before)
    # The same key does act where the focus is on a cell.
    page.get_by_role("heading", name="Play War").click()
    page.keyboard.press("b")
    expect(cells).to_have_count(before + 1)


def running_again_plays_nothing_twice(table: Locator) -> None:
    """A cell that is run once more gives a table of its own, which plays one battle a click."""
    code = f"Deal {shown_game(table).code}"
    table.page.get_by_role("heading", name="Play War").click()
    run_cells(table.page, 2)
    expect(table.get_by_text(code, exact=True)).to_have_count(0)
    game = shown_game(first_table(table.page))
    for _ in range(2):
        button(table, "Turn cards").click()
        expect_moment(table, game.play(1))


def shown_twice_it_is_one_game(page: Page) -> None:
    """Two pictures of one table show the same game, whichever of them is played at."""
    first_table(page)
    game, tables = Game(code=1), page.locator(".war-game").all()
    assert len(tables) == 2
    for played_at in tables:
        button(played_at, "Turn cards").click()
        game.play(1)
        button(played_at, "Turn cards").press("Enter")
        game.play(1)
        for table in tables:
            expect_moment(table, game)


def goes_on_without_its_kernel(page: Page) -> None:
    """A kernel that dies is told at once, and one button brings the game back to where it was."""
    table = first_table(page)
    game = shown_game(table).play(10)
    button(table, "Play 10 battles").click()
    expect_moment(table, game)
    # A click on the table has selected its cell.
    page.get_by_text("os._exit").click()
    run_cells(page, 1)
    page.get_by_role("dialog").get_by_role("button", name="Ok").click()
    expect(table.get_by_role("alert")).to_contain_text("lost its connection", timeout=5_000)
    # Buttons without a kernel are called as before.
    expect(button(table, "Turn cards")).to_be_visible()
    button(table, "Go on").click()
    expect(page.get_by_role("button", name="Go on", exact=True)).to_have_count(0, timeout=SLOW)
    expect_moment(first_table(page), game)
    button(first_table(page), "Turn cards").click()
    expect_moment(first_table(page), game.play(1))


def turn_dark(page: Page) -> None:
    """Choose the dark theme in the menu."""
    page.get_by_role("menuitem", name="Settings", exact=True).click()
    page.locator(".lm-Menu-itemLabel").get_by_text("Theme", exact=True).hover()
    page.get_by_role("menuitem", name="JupyterLab Dark", exact=True).click()
    expect(page.locator("body[data-jp-theme-light=false]")).to_be_attached(timeout=SLOW)
