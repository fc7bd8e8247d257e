"""JupyterLab on the notebooks, to work on them."""

import warnings
from pathlib import Path
from typing import Any

import click
from jupyter_core.paths import jupyter_runtime_dir

from war.serving.addresses import address, here, there, with_slashes
from war.serving.notebooks import FIRST_NOTEBOOK, copy_missing, notebooks_folder
from war.serving.running import connect_by_files, free_port, open_browser, run
from war.serving.settings import page_settings

LAB_COPY = Path("war-notebooks")

# It asks at the first start, and then other machines, for news and newer versions.
NEWS_EXTENSION = "@jupyterlab/apputils-extension:announcements"


def serve_lab(folder: Path | None, host: str, port: int, base_url: str, browser: bool) -> None:
    """Open JupyterLab on a folder until Ctrl-C or SIGTERM; by default on the game's notebooks."""
    try:
        from jupyterlab.labapp import LabApp
    except ImportError as error:
        raise click.ClickException(
            "JupyterLab is not installed; install it with: pip install 'war-notebooks[lab]'"
        ) from error
    # Voilà makes a noise about old ways in JupyterLab's own code.
    warnings.filterwarnings("ignore", category=DeprecationWarning, module="traitlets")
    folder = folder or _folder_to_work_in()
    # Its button for a preview shows the same pages as the app.
    config = page_settings(folder)
    config.ServerApp.ip = host
    config.ServerApp.port = free_port(host, port)
    config.ServerApp.base_url = base_url = with_slashes(base_url)
    config.ServerApp.root_dir = str(folder.resolve())
    config.ServerApp.open_browser = False
    config.ServerApp.allow_root = True
    config.ServerApp.log_level = "ERROR"
    config.LabApp.log_level = "ERROR"
    connect_by_files(config, jupyter_runtime_dir())
    config.ServerApp.tornado_settings = {"page_config_hook": _without_news}
    server = LabApp.initialize_server([], config=config)

    def tell() -> None:
        first = f"lab/tree/{FIRST_NOTEBOOK}" if (folder / FIRST_NOTEBOOK).exists() else "lab"
        path = f"{base_url}{first}?token={server.identity_provider.token}"
        click.echo(f"JupyterLab is at {address(there(host), server.port, path)} (Ctrl-C ends it).")
        if browser:
            open_browser(address(here(host), server.port, path))

    run(server.start, tell, stop=server.stop)


def _without_news(_: object, page_config: dict[str, Any]) -> dict[str, Any]:
    disabled = [*page_config.get("disabledExtensions", []), NEWS_EXTENSION]
    return {**page_config, "disabledExtensions": disabled}


def _folder_to_work_in() -> Path:
    notebooks = notebooks_folder()
    if notebooks.parent != Path(__file__).parents[1]:
        return notebooks
    new = copy_missing(notebooks, LAB_COPY)
    click.echo(f"Your own copy of the notebooks is in {LAB_COPY} ({new} new, the others kept).")
    return LAB_COPY
