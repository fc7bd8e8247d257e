"""Run the notebooks and keep in them what shows without a kernel: still pictures, and no live widget.

python -m tools.stills [NOTEBOOK …]
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
WIDGET = "application/vnd.jupyter.widget-view+json"


def keep_stills(path: Path) -> None:
    """Run a notebook and write it back with its stills and its small texts alone."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, kernel_name="python3", timeout=120).execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type != "code":
            continue
        cell.execution_count = None
        for output in cell.outputs:
            output.pop("execution_count", None)
            if output.output_type == "execute_result":
                output["execution_count"] = None
            # Where the output is a picture, it alone is kept: a saved view of a widget would show an
            # error instead of it.
            if "<img " in output.get("data", {}).get("text/html", ""):
                output["data"] = {"text/html": output["data"]["text/html"]}
        # A bar that showed how far a cell was.
        cell.outputs = [each for each in cell.outputs if WIDGET not in each.get("data", {})]
    notebook.metadata = {
        key: value
        for key, value in notebook.metadata.items()
        if key in ("kernelspec", "title", "language")
    } | {"language_info": {"name": "python"}}
    nbformat.write(notebook, path)


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]) if sys.argv[1:] else sorted(NOTEBOOKS.glob("*.ipynb")):
        print(path.name)
        keep_stills(path)
