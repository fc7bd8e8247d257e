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
import warnings
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
import psutil
from jupyter_core.paths import jupyter_path, jupyter_runtime_dir
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

# It asks at the first start, and then other machines, for news and newer versions.
NEWS_EXTENSION = "@jupyterlab/apputils-extension:announcements"

# A pupil may look away for a lesson's half; a closed page's kernel is gone soon after that.
IDLE_SECONDS = 20 * 60
LOOK_FOR_IDLE_SECONDS = 60

# A socket's whole name may have 107 letters, and the kernel's own name takes 50 of them.
LONGEST_SOCKET_FOLDER = 57

EVERYWHERE = ("", "0.0.0.0", "::")

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
    folders = [*jupyter_path("labextensions"), *jupyter_path("voila", "labextensions")]
    return sorted(set(get_federated_extensions(folders)) - BOARD_EXTENSIONS)


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


def copy_missing(source: Path, target: Path) -> int:
    """Copy the files of a folder that another folder lacks, and return how many those were."""
    missing = [
        path
        for path in source.rglob("*")
        if path.is_file() and not (target / path.relative_to(source)).exists()
    ]
    for path in missing:
        copy = target / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    return len(missing)


def serve_app(folder: Path, host: str, port: int, base_url: str, browser: bool) -> None:
    """Serve a folder's notebooks with Voilà until Ctrl-C or SIGTERM, then end every kernel."""
    # A mistyped address is no news to whoever runs the server.
    logging.getLogger("tornado").setLevel(logging.ERROR)
    config = _page_settings(folder)
    config.Voila.ip = host
    config.Voila.port = free_port(host, port)
    config.Voila.base_url = base_url = _with_slashes(base_url)
    config.Voila.open_browser = False
    config.Voila.log_level = "ERROR"
    config.MappingKernelManager.cull_idle_timeout = IDLE_SECONDS
    config.MappingKernelManager.cull_interval = LOOK_FOR_IDLE_SECONDS
    _connect_by_files(config, tempfile.gettempdir() + "/voila_12345678")
    app = Voila(config=config)
    app.config_file_paths = []
    app.initialize([str(folder)])
    app.tornado_settings = {
        "default_handler_class": _page_not_found(),
        "default_handler_args": {"voila_configuration": app.voila_configuration},
        # A page that is closed tells so without Jupyter's mark against forged requests, and only
        # it knows its kernel's name; with the mark asked for, closed pages would keep kernels.
        "disable_check_xsrf": True,
    }

    def tell() -> None:
        first = f"voila/render/{FIRST_NOTEBOOK}" if (folder / FIRST_NOTEBOOK).exists() else ""
        click.echo(
            f"War is served at {_address(_there(host), app.port, base_url)} (Ctrl-C ends it)."
        )
        if browser:
            _open_browser(_address(_here(host), app.port, base_url + first))

    _run(app.start, tell, stop=IOLoop.current().stop)


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
    config = _page_settings(folder)
    config.ServerApp.ip = host
    config.ServerApp.port = free_port(host, port)
    config.ServerApp.base_url = base_url = _with_slashes(base_url)
    config.ServerApp.root_dir = str(folder.resolve())
    config.ServerApp.open_browser = False
    config.ServerApp.allow_root = True
    config.ServerApp.log_level = "ERROR"
    config.LabApp.log_level = "ERROR"
    _connect_by_files(config, jupyter_runtime_dir())
    config.ServerApp.tornado_settings = {"page_config_hook": _without_news}
    server = LabApp.initialize_server([], config=config)

    def tell() -> None:
        first = f"lab/tree/{FIRST_NOTEBOOK}" if (folder / FIRST_NOTEBOOK).exists() else "lab"
        path = f"{base_url}{first}?token={server.identity_provider.token}"
        click.echo(
            f"JupyterLab is at {_address(_there(host), server.port, path)} (Ctrl-C ends it)."
        )
        if browser:
            _open_browser(_address(_here(host), server.port, path))

    _run(server.start, tell, stop=server.stop)


def _page_settings(folder: Path) -> Config:
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


def _without_news(_: object, page_config: dict[str, Any]) -> dict[str, Any]:
    disabled = [*page_config.get("disabledExtensions", []), NEWS_EXTENSION]
    return {**page_config, "disabledExtensions": disabled}


def _connect_by_files(config: Config, folder: str) -> None:
    # Two kernels that start at once can take the same TCP port; files have no such race.
    if sys.platform == "linux" and len(folder) <= LONGEST_SOCKET_FOLDER:
        config.KernelManager.transport = "ipc"


def _page_not_found() -> type:
    class PageNotFound(BaseVoilaHandler):
        async def prepare(self) -> None:
            await super().prepare()
            raise HTTPError(404)

    return PageNotFound


def _find_own_template() -> None:
    # An editable install holds a copy of the template; a checkout's own is the newer one.
    share = Path(__file__).parents[1] / "share" / "jupyter"
    if share.is_dir():
        paths = [str(share), os.environ.get("JUPYTER_PATH", "")]
        os.environ["JUPYTER_PATH"] = os.pathsep.join(filter(None, paths))


def _folder_to_work_in() -> Path:
    notebooks = notebooks_folder()
    if notebooks.parent != Path(__file__).parent:
        return notebooks
    new = copy_missing(notebooks, LAB_COPY)
    click.echo(f"Your own copy of the notebooks is in {LAB_COPY} ({new} new, the others kept).")
    return LAB_COPY


def _with_slashes(base_url: str) -> str:
    return re.sub(r"/+", "/", f"/{base_url}/")


def _address(host: str, port: int, path: str) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}{path}"


def _here(host: str) -> str:
    return "127.0.0.1" if host in EVERYWHERE else host


def _there(host: str) -> str:
    return socket.gethostname() if host in EVERYWHERE else host


def _open_browser(address: str) -> None:
    # A browser in the foreground of a terminal must not hold up the server.
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _run(start: Callable[[], None], tell: Callable[[], None], stop: Callable[[], None]) -> None:
    """Run a server that tells when it listens, until a signal ends it and all its kernels."""
    loop = IOLoop.current()

    def end() -> None:
        _kill_kernels()
        stop()

    def handle(*_: object) -> None:
        # The end takes a moment; a second Ctrl-C must not leave kernels behind.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        loop.add_callback_from_signal(end)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, handle)
    if sys.platform == "win32":
        # Windows wakes no waiting loop for Ctrl-C.
        PeriodicCallback(lambda: None, 500).start()
    loop.add_callback(tell)
    # Jupyter does not find a kernel again that was on its way up.
    with suppress(HTTPError):
        start()
    _kill_kernels()


def _kill_kernels() -> None:
    # They have nothing to save, and one on its way up hears no polite request.
    kernels = psutil.Process().children(recursive=True)
    for kernel in kernels:
        with suppress(psutil.NoSuchProcess):
            kernel.kill()
    psutil.wait_procs(kernels, timeout=2)
