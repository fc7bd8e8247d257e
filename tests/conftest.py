"""What every test may ask for: a browser, a page that watches its requests, running servers."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Request, sync_playwright

from tests.servers import (
    CHROMIUM_FLAGS,
    ROOT,
    find_chromium,
    jupyter_notebook,
    running,
    war_app,
    war_lab,
)

# Compiled code that writes beyond an array does so in silence, unless it is told to look.
os.environ["NUMBA_BOUNDSCHECK"] = "1"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests, which can reach this machine alone."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=find_chromium(), args=CHROMIUM_FLAGS, timeout=30_000
        )
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh page with time limits; the test fails if it asked another machine for anything."""
    outside: list[str] = []

    def watch(request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme not in ("data", "blob", "file") and address.hostname != "127.0.0.1":
            outside.append(request.url)

    context = browser.new_context()
    context.set_default_timeout(15_000)
    context.set_default_navigation_timeout(30_000)
    context.on("request", watch)
    yield context.new_page()
    context.close()
    assert not outside, f"asked another machine: {outside}"


@pytest.fixture(scope="session")
def app_address() -> Iterator[str]:
    """The address of `war app` on the project's notebooks, ending in a slash.

    `app_page(app_address)` is the game's page.
    """
    with running(war_app()) as server:
        yield server.address


@pytest.fixture(scope="session")
def notebooks_copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project's notebooks, since JupyterLab saves what it opens."""
    return Path(shutil.copytree(ROOT / "notebooks", tmp_path_factory.mktemp("copy") / "notebooks"))


@pytest.fixture(scope="session")
def lab_address(notebooks_copy: Path) -> Iterator[str]:
    """The address of JupyterLab on a copy of the project's notebooks, ending in a slash.

    `lab_page(lab_address)` is the game's notebook there.
    """
    with running(war_lab(str(notebooks_copy))) as server:
        yield server.address


@pytest.fixture(scope="session")
def notebook_address(notebooks_copy: Path) -> Iterator[str]:
    """The address of a plain Notebook 7 on the same copy, ending in a slash.

    `notebook_page(notebook_address)` is the game's notebook there.
    """
    with running(jupyter_notebook(notebooks_copy)) as server:
        yield server.address
