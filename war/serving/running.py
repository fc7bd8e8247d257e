"""A server from its port to its end, with every process that it started."""

import errno
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress

import click
import psutil
from tornado.ioloop import IOLoop, PeriodicCallback
from tornado.netutil import bind_sockets
from tornado.web import HTTPError
from traitlets.config import Config

# A socket's whole name may have 107 letters, and the kernel's own name takes 50 of them.
LONGEST_SOCKET_FOLDER = 57


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


def connect_by_files(config: Config, folder: str) -> None:
    """Let kernels be reached by files in a folder, where that works."""
    # Two kernels that start at once can take the same TCP port; files have no such race.
    if sys.platform == "linux" and len(folder) <= LONGEST_SOCKET_FOLDER:
        config.KernelManager.transport = "ipc"


def open_browser(address: str) -> None:
    """Open an address in the browser, without waiting for that."""
    # A browser in the foreground of a terminal must not hold up the server.
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def run(start: Callable[[], None], tell: Callable[[], None], stop: Callable[[], None]) -> None:
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
