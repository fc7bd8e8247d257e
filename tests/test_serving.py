"""Both servers as whoever starts them, plays on their pages or ends them sees them."""

import json
import re
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path

import nbformat.v4 as notebook_format
import psutil
import pytest
from axe_playwright_python.sync_playwright import Axe
from click.testing import CliRunner
from playwright.sync_api import Browser, Page, expect

from tests.browser.notebook import wait_for_kernel
from tests.servers import (
    Server,
    app_page,
    family_of,
    lab_page,
    running,
    status_of,
    war_app,
    war_lab,
)
from war import serving
from war.cli import main

SECRET = "only_in_the_source"

COUNTER = f"""
from ipywidgets import Button, Label, VBox
{SECRET} = Label("0 clicks")
button = Button(description="Count")
button.on_click(lambda _: setattr({SECRET}, "value", f"{{int({SECRET}.value[0]) + 1}} clicks"))
VBox([button, {SECRET}])
"""

KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}


def write_notebook(path: Path, *cells: str, **metadata: object) -> None:
    """Write a notebook of code cells and, where a text begins with #, of prose."""
    content = notebook_format.new_notebook(
        cells=[
            notebook_format.new_markdown_cell(cell)
            if cell.startswith("#")
            else notebook_format.new_code_cell(cell)
            for cell in cells
        ],
        metadata={"kernelspec": KERNEL, **metadata},
    )
    path.write_text(json.dumps(content), encoding="utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("notebooks")
    write_notebook(
        path / "play.ipynb", "# A table to try\n\nSome words [to follow](busy.ipynb).", COUNTER
    )
    write_notebook(path / "busy.ipynb", "while True: pass")
    write_notebook(path / "broken.ipynb", "# Not well", f"raise ValueError('{SECRET}')")
    write_notebook(path / "named.ipynb", "# Heading", title="A name of its own")
    write_notebook(path / "no-heading_here.ipynb")
    write_notebook(path / "boards.ipynb", "from war import play; play()", "print('said')")
    (path / "notes.py").write_text(SECRET)
    return path


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    with running(war_app(str(folder))) as server:
        yield server


def kernels_of(server: Server) -> list[psutil.Process]:
    return family_of(server.process)[1:]


def wait_for(condition: object, seconds: float = 15) -> None:
    give_up = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < give_up, "waited in vain"
        time.sleep(0.05)


def test_the_address_is_told_in_one_line(server):
    assert server.log.read_text() == f"War is served at {server.address} (Ctrl-C ends it).\n"


def test_a_page_has_language_title_landmark_and_words_for_no_javascript(server):
    status, text = status_of(app_page(server.address))
    assert status == 200
    assert '<html lang="en"' in text
    assert "<title>A table to try</title>" in text
    assert text.count("<main") == 1
    assert re.search("<noscript>.*JavaScript", text)
    assert 'name="viewport" content="width=device-width, initial-scale=1"' in text
    assert SECRET not in text


def test_only_the_extensions_that_draw_a_board_are_loaded(server):
    _, text = status_of(app_page(server.address))
    settings = re.search(r'id="jupyter-config-data"[^>]*>(.*?)</script>', text, re.DOTALL)[1]
    loaded = {extension["name"] for extension in json.loads(settings)["federated_extensions"]}
    assert loaded == serving.BOARD_EXTENSIONS
    assert serving.unneeded_extensions(), "nothing was there to be left out"


def test_a_page_carries_nothing_that_nobody_sees(server):
    _, text = status_of(app_page(server.address, "boards.ipynb"))
    cells = re.findall('<div cell-index="[0-9]+">(.*?)(?=<div cell-index|</main>)', text, re.DOTALL)
    assert len(cells) == 2
    assert "application/vnd.jupyter.widget-view+json" in cells[0]
    assert "text/html" not in cells[0], "a still picture, for where no kernel runs"
    assert cells[0].count("<script") == 1, "more than the output itself"
    assert "said" in cells[1]
    assert "<script" not in cells[1]


@pytest.mark.parametrize(
    "path",
    [
        "play.ipynb",
        "files/play.ipynb",
        "notebooks/play.ipynb",
        "api/contents/play.ipynb",
        "api/kernels",
        "api/sessions",
        "voila/files/play.ipynb",
        "voila/files/notes.py",
        "voila/files/../notes.py",
        "voila/render/notes.py",
        "voila/api/contents/play.ipynb",
        "voila/api/contents/notes.py",
        "voila/static/../../notes.py",
        "voila/render/broken.ipynb",
        "voila/render/play.ipynb?template=classic&theme=dark",
    ],
)
def test_no_source_is_served(server, path):
    _, text = status_of(server.address + path)
    assert SECRET not in text


def test_the_front_page_shows_doors_and_below_them_what_else_there_is(server):
    _, text = status_of(server.address)
    assert re.findall(r"<h2 id[^>]*><a href=\"([^\"]+)\">(.+?)</a>", text) == [
        ("/voila/render/play.ipynb", "Play")
    ]
    below = text.split("Also in this folder")[1]
    titles = re.findall(r'<li><a href="/voila/render/[^"]+">(.+?)</a>', below)
    assert titles == ["Boards", "Not well", "Busy", "A name of its own", "No heading here"]


@pytest.mark.parametrize("path", ["nowhere", "voila/render/nowhere.ipynb", "voila/tree/nowhere"])
def test_a_missing_page_is_told_kindly(server, path):
    status, text = status_of(server.address + path)
    assert status == 404
    assert "<h1>There is no such page</h1>" in text
    assert '<a href="/">' in text


def test_a_cell_that_fails_is_told_without_a_traceback(server, page):
    page.goto(app_page(server.address, "broken.ipynb"))
    expect(page.get_by_text("load the page again")).to_be_visible()
    assert "Traceback" not in page.content()


def test_a_widget_answers(server, page):
    page.goto(app_page(server.address), wait_until="commit")
    expect(page.get_by_role("status")).to_have_text("Setting the table…")
    page.get_by_role("button", name="Count").click()
    expect(page.get_by_text("1 clicks")).to_be_visible()
    expect(page.get_by_role("status")).to_have_count(0)
    expect(page.get_by_role("main")).to_contain_text("A table to try")


@pytest.mark.parametrize("path", ["", "nowhere", "voila/render/play.ipynb"])
def test_every_page_is_accessible_in_both_schemes_and_on_a_phone(server, page, path):
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(server.address + path)
    if "play" in path:
        page.get_by_role("button", name="Count").wait_for()
    for scheme, paper in (("light", "rgb(250, 247, 241)"), ("dark", "rgb(21, 24, 27)")):
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == paper
        assert page.evaluate("document.documentElement.scrollWidth") == 320
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()


def test_without_javascript_a_page_says_so(server, browser: Browser):
    context = browser.new_context(java_script_enabled=False)
    page: Page = context.new_page()
    page.goto(app_page(server.address), timeout=30_000)
    expect(page.locator("noscript p")).to_be_visible()
    expect(page.get_by_role("status")).to_be_hidden()
    context.close()


def test_a_long_page_prints_whole_and_light(server, page):
    page.emulate_media(media="print", color_scheme="dark")
    page.goto(app_page(server.address))
    page.get_by_text("Some words").wait_for()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(250, 247, 241)"
    assert page.evaluate("getComputedStyle(document.querySelector('main')).overflow") == "visible"


def test_a_closed_page_ends_its_kernel(folder, page):
    with running(war_app(str(folder))) as server:
        page.goto(app_page(server.address))
        page.get_by_role("button", name="Count").click()
        assert len(kernels_of(server)) == 1
        page.goto("about:blank")
        wait_for(lambda: not kernels_of(server))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_app_with_all_its_kernels(folder, number):
    def visit(notebook):
        with suppress(OSError, HTTPException):
            status_of(app_page(server.address, notebook))

    with running(war_app(str(folder))) as server:
        # One kernel is in a cell that never ends, and another has only begun to start.
        visitors = []
        for notebook, seconds in (("busy.ipynb", 2), ("play.ipynb", 0.3)):
            visitors.append(threading.Thread(target=visit, args=[notebook]))
            visitors[-1].start()
            wait_for(lambda: len(kernels_of(server)) == len(visitors))
            time.sleep(seconds)
        kernels = kernels_of(server)
        server.process.send_signal(number)
        server.process.send_signal(number)
        assert server.process.wait(timeout=10) == 0
        assert psutil.wait_procs(kernels, timeout=1)[1] == []
        assert "Traceback" not in server.log.read_text()
        for visitor in visitors:
            visitor.join(timeout=10)


def test_a_taken_port_gives_the_next_free_one(folder):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with running(war_app("--port", str(port), str(folder))) as server:
            used = int(server.address.split(":")[2].strip("/"))
            assert used > port
            assert f"Port {port} is taken, using {used} instead." in server.log.read_text()


@pytest.mark.parametrize("base_url", ["/user/ada/war/", "user/ada/war"])
def test_a_base_url_stands_before_every_address(folder, page, base_url):
    failed = []
    page.on("response", lambda answer: answer.ok or failed.append(answer.url))
    with running(war_app("--base-url", base_url, str(folder))) as server:
        assert server.address.endswith("/user/ada/war/")
        page.goto(server.address)
        page.get_by_role("link", name="Play", exact=True).click()
        page.get_by_role("button", name="Count").click()
        expect(page.get_by_text("1 clicks")).to_be_visible()
        assert not failed


def test_a_host_that_is_none_is_an_error_in_one_sentence():
    result = CliRunner().invoke(main, ["app", "--no-browser", "--host", "no such host"])
    assert result.exit_code == 1
    assert result.output == "Error: no such host to listen on: 'no such host'\n"


def test_jupyterlab_opens_the_notebook_asks_nothing_and_ends_with_its_kernel(folder, page):
    with running(war_lab(str(folder))) as server:
        page.goto(lab_page(server.address))
        page.get_by_role("heading", name="A table to try").wait_for()
        wait_for_kernel(page)
        page.get_by_role("menuitem", name="Run").click()
        page.get_by_text("Run All Cells", exact=True).click()
        page.get_by_role("button", name="Count").click()
        expect(page.get_by_text("1 clicks")).to_be_visible()
        expect(page.get_by_text("news")).to_have_count(0)
        kernels = kernels_of(server)
        assert kernels
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(timeout=15) == 0
        assert psutil.wait_procs(kernels, timeout=1)[1] == []
        assert server.log.read_text().count("\n") == 1


def test_a_copy_never_overwrites_what_is_there(tmp_path):
    source, target = tmp_path / "source", tmp_path / "target"
    (source / "deep").mkdir(parents=True)
    (source / "mine.ipynb").write_text("new")
    (source / "deep" / "other.ipynb").write_text("new")
    assert serving.copy_missing(source, target) == 2
    (target / "mine.ipynb").write_text("my own work")
    assert serving.copy_missing(source, target) == 0
    assert (target / "mine.ipynb").read_text() == "my own work"
