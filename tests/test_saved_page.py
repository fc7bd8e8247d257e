"""A notebook as one file: complete, by itself, and without a word for anybody else's machine."""

import re
from pathlib import Path

import nbformat
import pytest
from click.testing import CliRunner

from tests.servers import ROOT
from war.cli import main
from war.saved_page import saved_page

FIGURE = (
    '<figure><img alt="A chart" src="data:image/svg+xml;base64,PHN2Zy8+"><figcaption>Lengths'
    "</figcaption><details><summary>Data</summary><table><tr><th>1</th></tr></table></details></figure>"
)


def page_of(folder: Path, *cells: nbformat.NotebookNode, **metadata: str) -> str:
    notebook = nbformat.v4.new_notebook(cells=[*cells], metadata=metadata)
    nbformat.write(notebook, folder / "own.ipynb")
    return saved_page(folder / "own.ipynb")


def cell_with(**data: object) -> nbformat.NotebookNode:
    outputs = [nbformat.v4.new_output("display_data", data)]
    return nbformat.v4.new_code_cell("show()", outputs=outputs)


def test_a_page_has_its_language_title_and_one_main(tmp_path: Path) -> None:
    page = page_of(tmp_path, language="de", title="Krieg < Frieden")
    assert '<html lang="de">' in page
    assert "<title>Krieg &lt; Frieden</title>" in page
    assert page.count("<main>") == 1


@pytest.mark.parametrize(
    "data",
    [
        {"text/html": '<img src="https://example.org/a.png"><script>alert(1)</script>'},
        {"application/javascript": "alert(1)", "text/plain": "a script"},
        {"application/vnd.jupyter.widget-view+json": {"model_id": "1"}, "text/plain": "a widget"},
    ],
    ids=lambda data: next(iter(data)),
)
def test_whatever_an_output_asks_for_its_policy_forbids(
    data: dict[str, object], tmp_path: Path
) -> None:
    page = page_of(tmp_path, cell_with(**data))
    policy = re.search(r'<meta content="([^"]+)" http-equiv="Content-Security-Policy"/>', page)
    assert policy
    assert policy[1] == "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
    # Only what comes after a policy is under it.
    assert not re.search(r"<(link|script|style|img)", page[: policy.start()])
    if "text/plain" in data:
        assert f"<pre>{data['text/plain']}</pre>" in page


def test_a_chart_is_kept_with_its_data_and_a_still_rather_than_a_widget(tmp_path: Path) -> None:
    widget = {"application/vnd.jupyter.widget-view+json": {"model_id": "1"}}
    page = page_of(tmp_path, cell_with(**widget, **{"text/html": FIGURE, "text/plain": "Chart()"}))
    for part in ("data:image/svg+xml;base64,PHN2Zy8+", "<figcaption>Lengths", "<th>1</th>"):
        assert part in page
    assert "Chart()" not in page
    assert "model_id" not in page


def test_links_lead_to_headings_and_to_other_saved_pages(tmp_path: Path) -> None:
    text = "# My own page\n[up](#My-own-page) [rules](house_rules.ipynb#Split)"
    page = page_of(tmp_path, nbformat.v4.new_markdown_cell(text))
    assert '<h1 id="My-own-page">' in page
    assert 'href="#My-own-page"' in page
    assert 'href="house_rules.html#Split"' in page


def test_the_command_writes_beside_the_notebook_or_where_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    notebook = tmp_path / "play.ipynb"
    notebook.write_bytes((ROOT / "notebooks" / "play.ipynb").read_bytes())
    for output, path in (([], tmp_path / "play.html"), (["--output", "x.html"], Path("x.html"))):
        done = CliRunner().invoke(main, ["export", str(notebook), *output])
        assert done.output == f"{path}\n"
        assert path.read_text(encoding="utf-8") == saved_page(notebook)


def test_what_is_no_notebook_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "own.ipynb").write_text("{", encoding="utf-8")
    done = CliRunner().invoke(main, ["export", str(tmp_path / "own.ipynb")])
    assert done.exit_code == 1
    assert done.output.startswith("Error: not a notebook: '")
    assert not (tmp_path / "own.html").exists()
