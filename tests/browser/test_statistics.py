"""The page of the figures in Voilà: pictures for everybody, and rules to change by keyboard."""

from pathlib import Path

import nbformat
from playwright.sync_api import Locator, Page, expect

from tests.browser.table import SLOW, clipped, serious_faults, too_wide
from tests.servers import ROOT, app_page, running, war_app

#: So many of the notebook's cells as it takes to have a chart and the panel; the saved page, which
#: another test looks at, has all charts.
CELLS = ("title", "setup", "limit-rounds", "panel", "panel-controls", "others")


def test_the_figures_are_for_everybody_and_a_rule_can_be_changed(
    page: Page, tmp_path: Path
) -> None:
    notebook = nbformat.read(ROOT / "notebooks" / "statistics.ipynb", as_version=4)
    notebook.cells = [cell for cell in notebook.cells if cell["id"] in CELLS]
    nbformat.write(notebook, tmp_path / "statistics.ipynb")
    with running(war_app(str(tmp_path))) as server:
        # The page comes piece by piece while its rounds are played.
        page.goto(app_page(server.address, "statistics.ipynb"), wait_until="commit")
        # It is long in coming, and says why.
        expect(page.locator("#loading")).to_have_text(notebook.metadata.waiting)
        figures_and_panel(page)


def figures_and_panel(page: Page) -> None:
    """The figures and the panel are there, for everybody, and the panel does what it says."""
    panel = page.locator(".war-what-if")
    expect(panel.get_by_role("button", name="Run", exact=True)).to_be_visible(timeout=2 * SLOW)
    figures = page.locator("figure.war-figure")
    expect(figures).to_have_count(2)
    for figure in figures.all():
        assert figure.locator("img").evaluate("node => node.complete && node.naturalWidth > 0")
    expect(page.get_by_text("Error displaying")).to_have_count(0)
    changes_a_rule_by_keyboard(panel)
    what_cannot_be_played_is_told(panel)
    stops_a_long_run(panel)
    for fold in page.locator("main summary").all():
        if not fold.evaluate("node => node.parentElement.open"):
            fold.click()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert not serious_faults(page)
    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert not too_wide(page)
        assert not clipped(page)
        for control in panel.locator("select, input, button").all():
            box = control.bounding_box()
            assert box
            assert 44 <= box["height"] < 70


def changes_a_rule_by_keyboard(panel: Locator) -> None:
    """A rule is chosen and played with keys alone; the run before stays beside the new one."""
    keys, status = panel.page.keyboard, panel.get_by_role("status")
    before = status.inner_text()
    panel.get_by_label("In which order are won cards picked up?").focus()
    keys.press("End")
    for _ in range(6):
        keys.press("Tab")
    expect(panel.get_by_role("button", name="Run", exact=True)).to_be_focused()
    keys.press("Enter")
    expect(panel.locator("figcaption")).to_contain_text("“classic, pickup shuffled” as filled bars")
    expect(panel.locator("figcaption")).to_contain_text("by “classic” as an outline")
    expect(panel.get_by_role("columnheader", name="last run")).to_be_visible()
    expect(panel.get_by_role("row", name="player 1 wins")).to_contain_text("%")
    expect(panel.get_by_role("button", name="Run", exact=True)).to_be_focused()
    expect(status).not_to_have_text(before)
    expect(status).to_contain_text("1,000 rounds in")


def what_cannot_be_played_is_told(panel: Locator) -> None:
    """A limit that is none is told in a sentence, and the last picture stays."""
    limit, caption = panel.get_by_label("After how many battles"), panel.locator("figcaption")
    shown = caption.inner_text()
    limit.fill("soon")
    panel.get_by_role("button", name="Run", exact=True).click()
    expect(panel.get_by_role("status")).to_have_text(
        "That does not work: cap is a whole number from 1 to 1000000000, not 'soon'."
    )
    expect(caption).to_have_text(shown)
    limit.fill("none")


def stops_a_long_run(panel: Locator) -> None:
    """A long run shows how far it is; Stop keeps what has been played."""
    panel.get_by_label("How many rounds?").select_option("100,000")
    panel.get_by_role("button", name="Run", exact=True).click()
    expect(panel.get_by_role("progressbar", name="Rounds played")).to_be_visible()
    panel.get_by_role("button", name="Stop", exact=True).click()
    expect(panel.get_by_role("button", name="Run", exact=True)).to_be_visible()
    expect(panel.get_by_role("status")).to_contain_text("stopped before 100,000")
