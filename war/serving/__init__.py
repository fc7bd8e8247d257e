"""The notebooks in a browser: as pages with Voilà, or to work on with JupyterLab."""

from war.serving.app import serve_app
from war.serving.lab import serve_lab
from war.serving.notebooks import copy_missing, notebooks_folder, title_of
from war.serving.settings import BOARD_EXTENSIONS, unneeded_extensions

__all__ = [
    "BOARD_EXTENSIONS",
    "copy_missing",
    "notebooks_folder",
    "serve_app",
    "serve_lab",
    "title_of",
    "unneeded_extensions",
]
