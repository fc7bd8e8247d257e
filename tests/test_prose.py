"""The spelling of all prose: documents, notebooks, pages, the texts and comments in the code."""

import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from tests.servers import ROOT


def typos(*words: object, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = shutil.which("typos", path=Path(sys.executable).parent)
    assert command, "typos is missing; install it with: make setup"
    settings = ("--config", ROOT / "pyproject.toml")
    return subprocess.run(
        [command, *map(str, settings), *map(str, words)],
        check=False,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_nothing_is_misspelled() -> None:
    found = typos("--format", "brief")
    assert found.returncode == 0, found.stdout + found.stderr


def test_all_that_people_read_is_looked_at() -> None:
    looked_at = {ROOT / line for line in typos("--files").stdout.splitlines()}
    kinds = ("*.md", "notebooks/*.ipynb", "share/**/*.html", "tools/*.py", "bench/*.py")
    kinds += tuple(f"war/**/*.{ending}" for ending in ("py", "js", "css", "typ"))
    for kind in kinds:
        files = {path for path in ROOT.glob(kind) if "__pycache__" not in path.parts}
        assert files, kind
        assert files <= looked_at, kind


@pytest.mark.parametrize(
    ("name", "text", "wrong"),
    [
        ("README.md", "Teh cards are dealt.\n", "Teh"),
        ("CHANGELOG.md", "Another color.\n", "color"),
        ("war/cards.py", '"""A card that you recieve."""\n', "recieve"),
        ("war/game.py", "# Why it is neccessary.\n", "neccessary"),
        ("war/board/board.js", 'const text = "The seperate pile";\n', "seperate"),
        ("share/page.html", "<p>Wich card is higher?</p>\n", "Wich"),
        ("sheet.typ", "#text[Teh pile]\n", "Teh"),
    ],
)
def test_a_mistake_is_found(tmp_path: Path, name: str, text: str, wrong: str) -> None:
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    found = typos("--format", "brief", folder=tmp_path)
    assert found.returncode == 2
    assert f"`{wrong}`" in found.stdout


def test_a_mistake_in_a_notebook_is_found_beside_its_pictures(tmp_path: Path) -> None:
    notebook = nbformat.read(ROOT / "notebooks" / "play.ipynb", as_version=4)
    notebook.cells[-1].source += " Teh end."
    nbformat.write(notebook, tmp_path / "play.ipynb")
    found = typos("--format", "brief", folder=tmp_path)
    assert found.stdout.count("error") == 1
    assert "`Teh`" in found.stdout


def test_what_libraries_call_a_color_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "style.css").write_text("p { color: black; text-align: center }\n")
    assert typos(folder=tmp_path).returncode == 0
