"""The servers and the browser that tests talk to; each ends exactly what it started."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import psutil

ROOT = Path(__file__).parents[1]
TOKEN = "for-the-tests"
TIME_LIMIT = 60

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
)


class Server(NamedTuple):
    """A running server: the address it told, its process, and the file of all that it printed."""

    address: str
    process: psutil.Popen
    log: Path


def find_chromium() -> str:
    """Return Chromium's path, from the variable CHROMIUM or the usual names."""
    for name in (os.environ.get("CHROMIUM"), *CHROMIUM_NAMES):
        if name and (path := shutil.which(name)):
            return path
    raise FileNotFoundError(
        "the tests need the browser Chromium; install it with: apt-get install chromium"
    )


def war_app(*options: str) -> list[str]:
    """Return the command that serves notebooks with Voilà on a free port."""
    return [sys.executable, "-m", "war", "app", "--no-browser", "--port", "0", *options]


def war_lab(*options: str) -> list[str]:
    """Return the command that opens JupyterLab on a free port."""
    return [sys.executable, "-m", "war", "lab", "--no-browser", "--port", "0", *options]


def jupyter_notebook(folder: Path) -> list[str]:
    """Return the command that opens a plain Notebook 7 on a free port."""
    return [
        *(sys.executable, "-m", "notebook", "--no-browser", "--allow-root"),
        *("--ip=127.0.0.1", f"--port={free_port()}", f"--ServerApp.root_dir={folder}"),
    ]


def app_page(address: str, notebook: str = "play.ipynb") -> str:
    """Return where `war app` at this address shows a notebook."""
    return f"{address}voila/render/{notebook}"


def lab_page(address: str, notebook: str = "play.ipynb") -> str:
    """Return where JupyterLab at this address shows a notebook."""
    return f"{address}lab/tree/{notebook}?token={TOKEN}"


def notebook_page(address: str, notebook: str = "play.ipynb") -> str:
    """Return where Notebook 7 at this address shows a notebook."""
    return f"{address}notebooks/{notebook}?token={TOKEN}"


def free_port() -> int:
    """Return a port that nobody listens on at the moment."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def running(command: Sequence[str], folder: Path = ROOT) -> Iterator[Server]:
    """Run a server's command in a folder while the block lasts, from when it answers.

    The server sees no settings of whoever runs the tests. At the end it and its kernels are
    ended by process id, whether or not the block went well.
    """
    with tempfile.TemporaryDirectory(prefix="war-") as home:
        log = Path(home, "log")
        with log.open("wb") as output:
            process = psutil.Popen(
                command,
                cwd=folder,
                env=_environment(home),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        try:
            yield Server(_answering_address(process, log), process, log)
        finally:
            end(process)


def end(process: psutil.Popen) -> None:
    """End a process and all that it started: politely first, by force after ten seconds."""
    family = family_of(process)
    if process.is_running():
        process.send_signal(signal.SIGTERM)
    _, left = psutil.wait_procs(family, timeout=10)
    for each in left:
        each.kill()
    psutil.wait_procs(left, timeout=10)


def family_of(process: psutil.Process) -> list[psutil.Process]:
    """Return a process with its children and theirs; nothing for one that has ended."""
    try:
        return [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def status_of(address: str) -> tuple[int, str]:
    """Return the status and the text that a server answers with."""
    try:
        with urllib.request.urlopen(address, timeout=TIME_LIMIT) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def _environment(home: str) -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("JUPYTER")}
    return {
        **own,
        "IPYTHONDIR": f"{home}/ipython",
        "JUPYTER_CONFIG_DIR": f"{home}/config",
        "JUPYTER_DATA_DIR": f"{home}/data",
        "JUPYTER_RUNTIME_DIR": f"{home}/runtime",
        "JUPYTER_TOKEN": TOKEN,
    }


def _answering_address(process: psutil.Popen, log: Path) -> str:
    give_up = time.monotonic() + TIME_LIMIT
    while time.monotonic() < give_up and process.poll() is None:
        found = re.search(r"http://127\.0\.0\.1:\d+/[^\s?]*", log.read_text(errors="replace"))
        # Both JupyterLab and Notebook tell where they begin, not where the server's paths do.
        address = re.sub(r"(lab|tree)(/.*)?$", "", found[0]) if found else ""
        with suppress(urllib.error.URLError):
            if address and status_of(address):
                return address
        time.sleep(0.05)
    raise RuntimeError(f"{process.args} did not answer; it printed: {log.read_text()}")


if __name__ == "__main__":
    try:
        find_chromium()
    except FileNotFoundError as error:
        sys.exit(str(error))
