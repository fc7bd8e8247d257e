"""The notebooks in a browser: as pages with Voilà, or to work on with JupyterLab."""

import errno
import json
import logging
import os
import re
import shutil
import signal
import socket
import sys
import tempfile
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from jupyter_core.paths import jupyter_path
from jupyter_core.utils import ensure_async
from jupyterlab_server.config import get_federated_extensions
from tornado.ioloop import IOLoop, PeriodicCallback
from tornado.netutil import bind_sockets
from tornado.web import HTTPError
from traitlets.config import Config
from voila.app import Voila
from voila.handler import BaseVoilaHandler

FIRST_NOTEBOOK = "play.ipynb"
LAB_COPY = Path("war-notebooks")

# What a board is drawn with: the widgets, Voilà's keeper of them, and our own kind of widget.
BOARD_EXTENSIONS = {
    "@jupyter-widgets/jupyterlab-manager",
    "@voila-dashboards/widgets-manager8",
    "anywidget",
}

# A pupil may look away for a lesson's half; a closed page's kernel is gone soon after that.
IDLE_SECONDS = 20 * 60
LOOK_FOR_IDLE_SECONDS = 60

CELL_FAILED = "This part of the page could not be made. Please load the page again."


def notebooks_folder() -> Path:
    """Return the folder of the game's notebooks, in the installed package or in a checkout."""
    installed = Path(__file__).with_name("notebooks")
    return installed if installed.is_dir() else Path(__file__).parents[1] / "notebooks"


def title_of(notebook: Path) -> str:
    """Return a notebook's title: its metadata's, else its first heading, else its file name.

    >>> title_of(Path("how_long-is-a-game.ipynb"))
    'How long is a game'
    """
    try:
        content = json.loads(notebook.read_text(encoding="utf-8"))
        if title := content["metadata"].get("title"):
            return str(title)
        for cell in content["cells"]:
            heading = re.search(r"^#+ +(.+?)[ #]*$", "".join(cell["source"]), re.MULTILINE)
            if cell["cell_type"] == "markdown" and heading:
                return heading[1]
    except (OSError, ValueError, KeyError):
        pass
    return re.sub(r"[-_]+", " ", notebook.stem).capitalize()


def titles_in(folder: Path) -> dict[str, str]:
    """Return the titles of all notebooks below a folder, by path from there."""
    return {
        path.relative_to(folder).as_posix(): title_of(path)
        for path in sorted(folder.rglob("*.ipynb"))
        if ".ipynb_checkpoints" not in path.parts
    }


def unneeded_extensions() -> list[str]:
    """Return the names of the installed JupyterLab extensions that no board needs."""
    found = get_federated_extensions(jupyter_path("labextensions") + _voila_extension_paths())
    return sorted(set(found) - BOARD_EXTENSIONS)


def free_port(host: str, port: int) -> int:
    """Return the first port from this one on where nobody listens yet; any free one for 0."""
    for candidate in range(port, 65536):
        try:
            sockets = bind_sockets(candidate, host)
        except socket.gaierror as error:
            raise click.ClickException(f"no such host to listen on: {host!r}") from error
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                continue
            raise click.ClickException(
                f"cannot listen on {host!r}, port {candidate}: {error.strerror}"
            ) from error
        free: int = sockets[0].getsockname()[1]
        for each in sockets:
            each.close()
        if port not in (0, free):
            click.echo(f"Port {port} is taken, using {free} instead.")
        return free
    raise click.ClickException(f"no free port from {port} on")


def serve_app(folder: Path, host: str, port: int, base_url: str, browser: bool) -> None:
    """Serve a folder's notebooks with Voilà until Ctrl-C or SIGTERM, then end every kernel."""
    _find_own_template()
    # A mistyped address is no news to whoever runs the server.
    logging.getLogger("tornado").setLevel(logging.ERROR)
    base_url = _with_slashes(base_url)
    app = Voila(config=_app_config(folder, host, free_port(host, port), base_url))
    app.config_file_paths = []
    app.initialize([str(folder)])
    app.tornado_settings = {
        "default_handler_class": _page_not_found(),
        "default_handler_args": {"voila_configuration": app.voila_configuration},
        # A page that is closed tells so without Jupyter's mark against forged requests, and only
        # it knows its kernel's name; with the mark asked for, closed pages would keep kernels.
        "disable_check_xsrf": True,
    }
    loop = IOLoop.current()

    async def end() -> None:
        # Voilà ends kernels itself, but only after it removed the sockets to tell them so.
        await ensure_async(app.kernel_manager.shutdown_all())
        loop.stop()

    def listening() -> None:
        first = f"voila/render/{FIRST_NOTEBOOK}" if (folder / FIRST_NOTEBOOK).exists() else ""
        _announce("War is served", host, app.port, base_url, first, browser)

    loop.add_callback(listening)
    _on_end_signal(lambda: loop.add_callback_from_signal(end))
    if sys.platform == "win32":
        # Windows wakes no waiting loop for Ctrl-C.
        PeriodicCallback(lambda: None, 500).start()
    app.start()


def serve_lab(folder: Path | None, host: str, port: int, base_url: str, browser: bool) -> None:
    """Open JupyterLab on a folder until Ctrl-C or SIGTERM; by default on the game's notebooks."""
    try:
        from jupyterlab.handlers.announcements import NeverCheckForUpdate
        from jupyterlab.labapp import LabApp
    except ImportError as error:
        raise click.ClickException(
            "JupyterLab is not installed; install it with: pip install 'war-notebooks[lab]'"
        ) from error
    if folder is None:
        folder = _lab_folder()
    base_url = _with_slashes(base_url)
    config = Config()
    config.ServerApp.ip = host
    config.ServerApp.port = free_port(host, port)
    config.ServerApp.base_url = base_url
    config.ServerApp.root_dir = str(folder.resolve())
    config.ServerApp.open_browser = False
    config.ServerApp.allow_root = True
    config.ServerApp.log_level = "WARN"
    config.LabApp.log_level = "WARN"
    config.LabApp.news_url = None
    config.LabApp.check_for_updates_class = NeverCheckForUpdate
    server = LabApp.initialize_server([], config=config)

    def listening() -> None:
        first = f"lab/tree/{FIRST_NOTEBOOK}" if (folder / FIRST_NOTEBOOK).exists() else "lab"
        token = f"?token={server.identity_provider.token}"
        _announce("JupyterLab is open", host, server.port, base_url, first + token, browser, True)

    server.io_loop.add_callback(listening)
    _on_end_signal(lambda: server.stop(from_signal=True))
    server.start()


def _app_config(folder: Path, host: str, port: int, base_url: str) -> Config:
    def add_titles(page_config: dict[str, Any], notebook_path: str, **_: Any) -> dict[str, Any]:
        # Voilà gives its list of notebooks no way to hand back another dictionary.
        if notebook_path.endswith(".ipynb"):
            page_config["title"] = title_of(folder / notebook_path)
        else:
            page_config["titles"] = titles_in(folder)
        return page_config

    config = Config()
    config.Voila.ip = host
    config.Voila.port = port
    config.Voila.base_url = base_url
    config.Voila.open_browser = False
    config.Voila.log_level = "ERROR"
    config.VoilaConfiguration.template = "war"
    config.VoilaConfiguration.classic_tree = True
    # Voilà's other templates ask a content network for their icons.
    config.VoilaConfiguration.allow_template_override = "NO"
    config.VoilaConfiguration.allow_theme_override = "NO"
    config.VoilaConfiguration.show_tracebacks = False
    config.VoilaConfiguration.extension_denylist = unneeded_extensions()
    config.VoilaConfiguration.page_config_hook = add_titles
    config.VoilaExecutor.cell_error_instruction = CELL_FAILED
    config.MappingKernelManager.cull_idle_timeout = IDLE_SECONDS
    config.MappingKernelManager.cull_interval = LOOK_FOR_IDLE_SECONDS
    config.KernelManager.shutdown_wait_time = 2.0
    if sys.platform == "linux" and len(tempfile.gettempdir()) < 24:
        # Two kernels that start at once can take the same TCP port; files have no such race, but
        # the system limits the length of their names.
        config.KernelManager.transport = "ipc"
    return config


def _page_not_found() -> type:
    class PageNotFound(BaseVoilaHandler):
        async def prepare(self) -> None:
            await super().prepare()
            raise HTTPError(404)

    return PageNotFound


def _voila_extension_paths() -> list[str]:
    return [str(Path(path) / "labextensions") for path in jupyter_path("voila")]


def _find_own_template() -> None:
    # An editable install holds a copy of the template; a checkout's own is the newer one.
    share = Path(__file__).parents[1] / "share" / "jupyter"
    if share.is_dir():
        paths = [str(share), os.environ.get("JUPYTER_PATH", "")]
        os.environ["JUPYTER_PATH"] = os.pathsep.join(filter(None, paths))


def _lab_folder() -> Path:
    notebooks = notebooks_folder()
    if notebooks.parent != Path(__file__).parent:
        return notebooks
    copied = 0
    for source in (path for path in notebooks.rglob("*") if path.is_file()):
        target = LAB_COPY / source.relative_to(notebooks)
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
            copied += 1
    click.echo(f"Your own copy of the notebooks is in {LAB_COPY} ({copied} new; yours are kept).")
    return LAB_COPY


def _with_slashes(base_url: str) -> str:
    return re.sub(r"/+", "/", f"/{base_url}/")


def _address(host: str, port: int, path: str) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}{path}"


def _announce(
    what: str, host: str, port: int, base_url: str, first: str, browser: bool, whole: bool = False
) -> None:
    everywhere = host in ("", "0.0.0.0", "::")
    shown = socket.gethostname() if everywhere else host
    click.echo(f"{what} at {_address(shown, port, base_url + (first if whole else ''))}")
    click.echo("Ctrl-C ends it.")
    if browser:
        here = _address("127.0.0.1" if everywhere else host, port, base_url + first)
        # A browser in the foreground of a terminal must not hold up the server.
        threading.Thread(target=webbrowser.open, args=(here,), daemon=True).start()


def _on_end_signal(end: Callable[[], None]) -> None:
    def handle(*_: object) -> None:
        # The end takes a moment; a second Ctrl-C must not leave kernels behind.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        end()

    signal.signal(signal.SIGINT, handle)
    signal.signal(signal.SIGTERM, handle)
