"""The notebooks as saved pages, opened from the disk in a real browser."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.table import clipped, serious_faults, too_wide
from tests.servers import ROOT
from war.saved_page import saved_page

NOTEBOOKS = sorted((ROOT / "notebooks").glob("**/*.ipynb"))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_saved_page_is_for_everybody(page: Page, notebook: Path, tmp_path: Path) -> None:
    (saved := tmp_path / "page.html").write_text(saved_page(notebook), encoding="utf-8")
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text))
    page.goto(saved.as_uri())
    for picture in page.get_by_role("img").all():
        assert picture.evaluate("node => node.complete && node.naturalWidth > 0")
        assert picture.get_attribute("alt")
    for code in page.locator("summary").all():
        code.click()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert not serious_faults(page)
    for size, width in (("100%", 320), ("200%", 320), ("200%", 1280)):
        page.set_viewport_size({"width": width, "height": 800})
        page.add_style_tag(content=f"html {{ font-size: {size}; }}")
        assert not too_wide(page)
        assert not clipped(page)
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.locator("summary").first).to_be_hidden()
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(34, 38, 43)"
    assert not refused
