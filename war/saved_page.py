"""A notebook as one file to keep, print or hand out: it asks no other machine for anything."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import nbformat
from nbconvert import HTMLExporter
from traitlets.config import Config

from war.board.still import CAPTION
from war.serving.notebooks import title_of

#: What an output shows where it comes in several forms; a live widget has nothing to run it here.
FORMS = ["text/html", "image/svg+xml", "image/png", "text/markdown", "text/plain"]


def saved_page(notebook: Path) -> str:
    """Return a notebook with the outputs it holds as one page of HTML.

    >>> from war.serving.notebooks import notebooks_folder
    >>> saved_page(notebooks_folder() / "play.ipynb").startswith("<!DOCTYPE html>")
    True

    Raises ValueError for what is no notebook.
    """
    try:
        content = nbformat.read(notebook, as_version=4)
    except Exception as error:
        raise ValueError(f"not a notebook: {str(notebook)!r}") from error
    config = Config()
    config.NbConvertBase.display_data_priority = FORMS
    exporter = HTMLExporter(
        config=config,
        template_name="war",
        extra_template_basedirs=[str(_share() / "nbconvert" / "templates")],
        # Both kinds of pages have the same paper and ink.
        extra_template_paths=[str(_share() / "voila" / "templates" / "war")],
        embed_images=True,
        filters={"to_saved_pages": to_saved_pages, "as_saved": as_saved},
    )
    page, _ = exporter.from_notebook_node(
        content,
        {
            "metadata": {"name": notebook.stem, "path": str(notebook.parent)},
            "title": title_of(notebook),
        },
    )
    return str(page)


def to_saved_pages(html: str) -> str:
    """Return a piece of a page whose links to notebooks beside it lead to their saved pages.

    >>> to_saved_pages('<a href="house_rules.ipynb#Split">')
    '<a href="house_rules.html#Split">'
    """
    return re.sub(r'(<a href="[\w./-]+)\.ipynb(?=["#])', r"\1.html", html)


def as_saved(html: str) -> str:
    """Return a piece of a page whose still pictures say what to do here, where no cell can be run.

    >>> as_saved(CAPTION)
    'A still picture: run the notebook to play.'
    """
    return html.replace(CAPTION, CAPTION.replace("this cell", "the notebook"))


def _share() -> Path:
    checkout = Path(__file__).parents[1] / "share" / "jupyter"
    return checkout if checkout.is_dir() else Path(sys.prefix) / "share" / "jupyter"
