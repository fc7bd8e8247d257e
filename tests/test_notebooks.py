"""The notebooks run, and hold nothing but prose, short calls and still pictures."""

import ast
import re
import subprocess
import sys
from base64 import b64decode
from itertools import chain
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tests.servers import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("**/*.ipynb"))
STILL = re.compile(r'<img alt="[^"]+"[^>]* src="data:image/svg\+xml;base64,([^"]+)"')
SVG = 'xmlns="http://www.w3.org/2000/svg"'
MOST_TEXT = 1_000


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def notebook(request: pytest.FixtureRequest) -> Any:
    return nbformat.read(request.param, as_version=nbformat.NO_CONVERT)


def test_every_cell_runs(notebook: Any, tmp_path: Path) -> None:
    # nbval holds a cell with outputs and no number for one that was never run.
    for number, cell in enumerate(code_cells(notebook), start=1):
        cell.execution_count = number
    nbformat.write(notebook, path := tmp_path / "numbered.ipynb")
    nbval = [sys.executable, "-m", "pytest", "--nbval", "--nbval-cell-timeout=180", path]
    ran = subprocess.run(nbval, check=False, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_it_is_a_notebook_without_noise(notebook: Any) -> None:
    nbformat.validate(notebook)
    assert notebook.metadata.keys() <= {"kernelspec", "language_info", "title", "waiting"}
    assert notebook.metadata.language_info == {"name": "python"}
    assert notebook.metadata.kernelspec.name == "python3"
    assert notebook.metadata.title
    for cell in notebook.cells:
        assert cell.metadata.keys() <= {"tags"}, cell.id
        assert cell.get("execution_count") is None, cell.id


def test_code_is_thin(notebook: Any) -> None:
    for cell in code_cells(notebook):
        assert len(cell["source"].splitlines()) <= 10, cell["id"]
        if "exercise" not in tags(cell):
            made = [type(node) for node in ast.walk(ast.parse(cell["source"]))]
            assert not {ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef}.intersection(made)


def test_outputs_are_stills_or_text_that_is_compared(notebook: Any) -> None:
    for cell in code_cells(notebook):
        for output in cell["outputs"]:
            assert output["output_type"] in ("execute_result", "display_data"), cell["id"]
            assert output.get("execution_count") is None, cell["id"]
            assert output["metadata"] == {}, cell["id"]
            # Beside a picture, a key for a widget view would show an error where nothing runs.
            if "nbval-ignore-output" in tags(cell):
                assert output["data"].keys() == {"text/html"}, cell["id"]
                assert STILL.search(output["data"]["text/html"]), cell["id"]
            else:
                # Tables for people are compared as they stand, beside what they are in one line.
                assert output["data"].keys() - {"text/html"} == {"text/plain"}, cell["id"]
                assert "<script" not in output["data"].get("text/html", ""), cell["id"]
                assert len(output["data"]["text/plain"]) <= MOST_TEXT, cell["id"]


def test_no_other_machine_is_named(notebook: Any) -> None:
    texts = [cell["source"] for cell in notebook.cells]
    outputs = chain.from_iterable(cell["outputs"] for cell in code_cells(notebook))
    for value in chain.from_iterable(output["data"].values() for output in outputs):
        texts += [value, *(b64decode(still).decode() for still in STILL.findall(value))]
    # The name of a kind of XML is no address that anybody asks.
    addresses = re.findall(r"(?:\w+:)?//[\w.-]+\S*", "".join(texts).replace(SVG, ""))
    assert [each for each in addresses if "//127.0.0.1" not in each] == []


def code_cells(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def tags(cell: Any) -> list[str]:
    return cell["metadata"].get("tags", [])
