"""The command line: `war`, or `python -m war`."""

from collections.abc import Callable
from pathlib import Path

import click

from war import __version__

Command = Callable[..., None]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="war")
def main() -> None:
    """Play the card game War: in the browser, in JupyterLab or in the terminal."""


def server_options(port: int) -> Callable[[Command], Command]:
    """Return a decorator that adds what each server of notebooks can be told."""
    options = (
        click.argument(
            "folder", required=False, type=click.Path(exists=True, file_okay=False, path_type=Path)
        ),
        click.option(
            "--host",
            default="127.0.0.1",
            show_default=True,
            help="Address to listen on; 0.0.0.0 lets other machines in.",
        ),
        click.option(
            "--port",
            default=port,
            show_default=True,
            type=click.IntRange(0, 65535),
            help="Port to listen on; if it is taken, the next free one is used.",
        ),
        click.option(
            "--base-url",
            default="/",
            show_default=True,
            help="Path that a proxy or JupyterHub puts before every address.",
        ),
        click.option("--no-browser", is_flag=True, help="Serve only, and open no browser."),
    )

    def add_all(command: Command) -> Command:
        for add in reversed(options):
            command = add(command)
        return command

    return add_all


@main.command()
@server_options(port=8866)
def app(folder: Path | None, host: str, port: int, base_url: str, no_browser: bool) -> None:
    """Serve the notebooks as pages to play on, or those of FOLDER."""
    # Only the servers need Jupyter's packages, which take a second to load.
    from war.serving import notebooks_folder, serve_app

    serve_app(folder or notebooks_folder(), host, port, base_url, browser=not no_browser)


@main.command()
@server_options(port=8888)
def lab(folder: Path | None, host: str, port: int, base_url: str, no_browser: bool) -> None:
    """Open JupyterLab on the notebooks, or on those of FOLDER."""
    from war.serving import serve_lab

    serve_lab(folder, host, port, base_url, browser=not no_browser)
