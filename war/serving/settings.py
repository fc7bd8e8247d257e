"""How Voilà shows notebooks as pages: our own template, no other machine, no tracebacks."""

import os
from pathlib import Path
from typing import Any

from jupyter_core.paths import jupyter_path
from jupyterlab_server.config import get_federated_extensions
from traitlets.config import Config

from war.serving.notebooks import title_of, titles_in

# What a board is drawn with: the widgets, Voilà's keeper of them, and our own kind of widget.
BOARD_EXTENSIONS = {
    "@jupyter-widgets/jupyterlab-manager",
    "@voila-dashboards/widgets-manager8",
    "anywidget",
}

CELL_FAILED = "This part of the page could not be made. Please load the page again."


def unneeded_extensions() -> list[str]:
    """Return the names of the installed JupyterLab extensions that no board needs."""
    folders = [*jupyter_path("labextensions"), *jupyter_path("voila", "labextensions")]
    return sorted(set(get_federated_extensions(folders)) - BOARD_EXTENSIONS)


def page_settings(folder: Path) -> Config:
    """Return how Voilà shows this folder's notebooks."""
    _find_own_template()

    def add_titles(page_config: dict[str, Any], notebook_path: str, **_: Any) -> dict[str, Any]:
        # Voilà's list of notebooks takes what is put into this dictionary, and no other one.
        if notebook_path.endswith(".ipynb"):
            page_config["title"] = title_of(folder / notebook_path)
        else:
            page_config["titles"] = titles_in(folder)
        return page_config

    config = Config()
    config.VoilaConfiguration.template = "war"
    config.VoilaConfiguration.classic_tree = True
    # Voilà's other templates ask a content network for their icons.
    config.VoilaConfiguration.allow_template_override = "NO"
    config.VoilaConfiguration.allow_theme_override = "NO"
    config.VoilaConfiguration.show_tracebacks = False
    config.VoilaConfiguration.extension_denylist = unneeded_extensions()
    config.VoilaConfiguration.page_config_hook = add_titles
    config.VoilaExecutor.cell_error_instruction = CELL_FAILED
    return config


def _find_own_template() -> None:
    # An editable install holds a copy of the template; a checkout's own is the newer one.
    share = Path(__file__).parents[2] / "share" / "jupyter"
    if share.is_dir():
        paths = [str(share), os.environ.get("JUPYTER_PATH", "")]
        os.environ["JUPYTER_PATH"] = os.pathsep.join(filter(None, paths))
