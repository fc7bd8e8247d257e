"""What the game's page costs a visitor, beside a page of one Button and one Label, in one run."""

import shutil
import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import nbformat.v4
from playwright.sync_api import Browser, Response, expect, sync_playwright

from tests.servers import CHROMIUM_FLAGS, ROOT, app_page, find_chromium, running, war_app

VISITS = 10
CLICKS = 150
#: A deal that is played for all of its 500 battles, so that every click plays one.
LONG_DEAL = 1

BARE = """
from ipywidgets import Button, Label, VBox
label = Label("0 clicks")
button = Button(description="Count")
clicks = iter(range(1, 10**6))
button.on_click(lambda _: setattr(label, "value", f"{next(clicks)} clicks"))
VBox([button, label])
"""
TABLE = f"from war import play\nplay(deal={LONG_DEAL})"


class Visited(NamedTuple):
    """A kind of page: its name, its notebook, the button to press, and what that changes."""

    name: str
    notebook: str
    button: str
    changes: str


PAGES = (
    Visited("one Button and one Label", "bare.ipynb", "Count", ".widget-label"),
    Visited("the table alone", "table.ipynb", "Turn cards", ".war-battle"),
    Visited("the game's page", "play.ipynb", "Turn cards", ".war-battle"),
)

# From the browser hearing the click to the page holding another text.
WATCH = """selector => {
    const node = document.querySelector(selector);
    const milliseconds = window.milliseconds = [];
    let start;
    addEventListener("click", () => { start = performance.now(); }, true);
    new MutationObserver(() => {
        if (start) milliseconds.push(performance.now() - start);
        start = undefined;
    }).observe(node, { childList: true, characterData: true, subtree: true });
}"""


def rows() -> Iterator[tuple[str, str, str]]:
    """What was measured, the figures, and the aim, for each measurement."""
    with (
        tempfile.TemporaryDirectory(prefix="war-") as folder,
        running(war_app(str(_notebooks(Path(folder))))) as server,
        sync_playwright() as playwright,
    ):
        chromium = playwright.chromium.launch(
            executable_path=find_chromium(), args=CHROMIUM_FLAGS, timeout=30_000
        )
        seconds, weights = _visits(chromium, server.address)
        for page in PAGES[1:]:
            yield _row("page to first working click", page, seconds, 0.5, "s", "at most 1.1 times")
        milliseconds = _clicks(chromium, server.address)
        for page in PAGES[1:]:
            for part in (0.5, 0.95):
                yield _row(
                    "click to changed page", page, milliseconds, part, "ms", "at most 1.1 times"
                )
        for page in PAGES[1:]:
            yield _row("weight", page, weights, 0.5, "MB", "")
        chromium.close()


def _row(
    what: str, page: Visited, measured: dict[str, list[float]], part: float, unit: str, aim: str
) -> tuple[str, str, str]:
    base, own = (_part(measured[name], part) for name in (PAGES[0].name, page.name))
    figures = f"{own / base:.2f} times ({own:.3g} {unit} against {base:.3g} {unit})"
    return f"{what}, {page.name} against {PAGES[0].name}, p{part * 100:.0f}", figures, aim


def _part(values: list[float], part: float) -> float:
    return statistics.quantiles(values, n=100, method="inclusive")[round(part * 100) - 1]


def _notebooks(folder: Path) -> Path:
    shutil.copy(ROOT / "notebooks" / "play.ipynb", folder)
    for name, code in (("bare", BARE), ("table", TABLE)):
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code.strip())])
        nbformat.write(notebook, folder / f"{name}.ipynb")
    return folder


def _visits(
    chromium: Browser, address: str
) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """The seconds until the first click has changed the page, and the megabytes that came."""
    seconds: dict[str, list[float]] = {page.name: [] for page in PAGES}
    weights: dict[str, list[float]] = {page.name: [] for page in PAGES}
    # The first round is for the server, which has read nothing from its disk by then.
    for visit in range(VISITS + 1):
        for visited in PAGES:
            # With a context of its own, every visitor comes with nothing kept.
            page = chromium.new_context().new_page()
            responses: list[Response] = []
            page.on("response", lambda response, seen=responses: seen.append(response))
            start = perf_counter()
            page.goto(app_page(address, visited.notebook), timeout=60_000)
            button = page.get_by_role("button", name=visited.button, exact=True)
            button.wait_for(timeout=60_000)
            changes = page.locator(visited.changes).first
            before = changes.text_content()
            button.click()
            expect(changes).not_to_have_text(before or "")
            if visit:
                seconds[visited.name].append(perf_counter() - start)
                sizes = [each.request.sizes()["responseBodySize"] for each in responses]
                weights[visited.name].append(sum(sizes) / 1e6)
            page.context.close()
    return seconds, weights


def _clicks(chromium: Browser, address: str) -> dict[str, list[float]]:
    """The milliseconds from each click to the change that it makes, the pages taking turns."""
    pages = []
    for visited in PAGES:
        page = chromium.new_context().new_page()
        page.goto(app_page(address, visited.notebook) + f"?deal={LONG_DEAL}", timeout=60_000)
        button = page.get_by_role("button", name=visited.button, exact=True)
        button.wait_for(timeout=60_000)
        page.evaluate(WATCH, visited.changes)
        pages.append((visited, page, button))
    for click in range(1, CLICKS + 1):
        for _, page, button in pages:
            button.click()
            page.wait_for_function(f"window.milliseconds.length === {click}")
    return {visited.name: page.evaluate("window.milliseconds") for visited, page, _ in pages}


if __name__ == "__main__":
    for row in rows():
        print(*row, sep=" | ", flush=True)
