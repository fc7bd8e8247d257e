"""The notebooks as pages: the front page, the table, and a room for a class."""

from __future__ import annotations

import asyncio
import logging
import re
import sys
import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any

import click
import psutil
import segno
from tornado.ioloop import IOLoop
from tornado.iostream import StreamClosedError
from tornado.web import HTTPError, authenticated
from voila.app import Voila
from voila.handler import BaseVoilaHandler

from war.board.art import card_svg
from war.cards import cards
from war.serving.addresses import address, here, there, with_slashes
from war.serving.doors import NEEDS_JUPYTERLAB, SAVED_FOR_A_CLASS, Way, doors_to, ways_to
from war.serving.guard import NEVER, NOT_FOR_PUPILS, PICTURES, GuardedConnection, PupilsNotebooks
from war.serving.notebooks import FIRST_NOTEBOOK, is_for_teachers, notebook_of_the_class, title_of
from war.serving.room import FullRoomError, Kernels, LeanKernels, Room, seats_for
from war.serving.running import connect_by_files, free_port, open_browser, run
from war.serving.settings import page_settings

# A pupil may look away for a lesson's half; a closed page's kernel is gone at once, and that of a
# page that was cut off soon after this.
IDLE_SECONDS = 20 * 60
LOOK_FOR_IDLE_SECONDS = 30

# In a class somebody else waits for the seat: a pupil who left is gone within six minutes.
CLASS_IDLE_SECONDS = 5 * 60

#: What one pupil's page takes of the machine's memory, in bytes, with a little to spare.
BYTES_A_PUPIL = 60_000_000

FAILED = """
<script>
  document.getElementById("loading")?.remove();
  document.documentElement.classList.remove("loading");
</script>
<p class="war-note" role="alert">This page could not be set up. <a href="">Please load it again.</a></p>
"""


class App(Voila):
    """Voilà with our own front page and pages, and with a guard for what browsers ask."""

    #: Whether what is for teachers is shown too.
    teacher = False
    #: How many pupils a class has, and which notebook it uses; none without a class.
    pupils = 0
    notebook = ""
    #: Pages that are kept as they were, by notebook.
    saved: Mapping[str, Awaitable[str]] = {}
    #: The links for the wall, each with its name.
    wall: Sequence[tuple[str, str]] = ()

    def init_settings(self) -> Any:
        """Return the settings of the server, with the folder as pupils have it."""
        settings = super().init_settings()
        if not self.teacher:
            self.contents_manager = PupilsNotebooks(parent=self)
            settings["contents_manager"] = self.contents_manager
        self.room = Room(self, self.notebook, self.pupils)
        return settings

    def init_handlers(self) -> Any:
        """Return who answers which address: the first one that fits."""
        about = {"voila_configuration": self.voila_configuration}
        base = re.escape(self.base_url)
        own = [
            (base, FrontPage, about),
            (base + "wall", Wall, about),
            (base + r"voila/render/(.*)", NotebookPage, about),
            # Voilà lists folders here for a front page of another kind.
            (base + r"voila/api/contents.*", PageNotFound, about),
            (base + r"([\w-]+)", ShortAddress, about),
        ]
        return own + super().init_handlers()


class OwnHandler(BaseVoilaHandler):
    """What our pages know of the app that shows them."""

    @property
    def war(self) -> App:
        """The app."""
        app: App = self.settings["voila"]
        return app

    def titles(self) -> dict[str, str]:
        """The titles of the notebooks at the top of the folder, by file name."""
        found = self.contents_manager.get("")["content"]
        names = sorted(each["name"] for each in found if each["type"] == "notebook")
        return {name: title_of(Path(self.war.root_dir, name)) for name in names}


class PageNotFound(OwnHandler):
    """Whatever is asked for, there is no such page."""

    async def prepare(self) -> None:
        await super().prepare()
        raise HTTPError(404)


class FrontPage(OwnHandler):
    """Three doors, and below them whatever else is in the folder."""

    @authenticated
    def get(self) -> None:
        titles = self.titles()
        doors = doors_to({*titles})
        behind = {way.notebook for door in doors for way in door.ways} | {NEEDS_JUPYTERLAB}
        folders = [
            each["name"]
            for each in self.contents_manager.get("")["content"]
            if each["type"] == "directory"
        ]
        self.write(
            self.render_template(
                "front.html",
                doors=doors,
                pictures={
                    door.name: [card_svg(each) for each in cards(door.cards)] for door in doors
                },
                others={name: title for name, title in titles.items() if name not in behind},
                folders=sorted(folders),
            )
        )


class ShortAddress(OwnHandler):
    """An address that one can type: /lesson leads to the notebook of this name."""

    @authenticated
    def get(self, name: str) -> None:
        notebook = f"{name}.ipynb"
        if notebook not in self.titles():
            raise HTTPError(404)
        query = f"?{self.request.query}" if self.request.query else ""
        self.redirect(f"{self.base_url}voila/render/{notebook}{query}")


class Wall(OwnHandler):
    """The links of a class, large enough to be read across a room, and to be printed."""

    @authenticated
    def get(self) -> None:
        if not self.war.wall:
            raise HTTPError(404)
        pictures = {
            link: segno.make(link, error="m").svg_inline(scale=8, omitsize=True)
            for _, link in self.war.wall
        }
        self.write(self.render_template("wall.html", links=self.war.wall, pictures=pictures))


class NotebookPage(OwnHandler):
    """A notebook as a page: one that was made before, or one that is made now."""

    @authenticated
    async def get(self, path: str) -> None:
        # Pages that are kept call each other so.
        if path.endswith(".html"):
            self.redirect(f"{self.base_url}voila/render/{path.removesuffix('.html')}.ipynb")
            return
        if not path.endswith(".ipynb"):
            raise HTTPError(404)
        self.set_header("Content-Type", "text/html; charset=UTF-8")
        # A page belongs to one kernel, which ends with it.
        self.set_header("Cache-Control", "no-store")
        saved = self.war.saved.get(path)
        if made := await saved if saved else self.war.room.take(path):
            self.write(made)
            return
        sending: asyncio.Task[None] | None = None
        try:
            async with aclosing(self.war.room.make(path, self.request.query)) as pieces:
                async for piece in pieces:
                    self.write(piece)
                    if sending is None or sending.done():
                        # Nobody is there any more where it says that the stream is closed.
                        if sending:
                            sending.result()
                        sending = asyncio.ensure_future(self._send_soon())
        except FullRoomError:
            self.set_status(503)
            self.set_header("Retry-After", "30")
            self.write(self.render_template("full.html", seats=self.war.room.seats))
        except StreamClosedError:
            pass
        except Exception:
            if not self._headers_written:
                raise
            # The page has begun, so it ends by saying so instead of never.
            self.log.exception("A page could not be made.")
            self.write(FAILED)
        finally:
            # Whether it went well is of no interest any more, but has to be asked.
            if sending and not sending.cancel():
                sending.exception()

    async def _send_soon(self) -> None:
        # A page comes in hundreds of small pieces, and each that is sent alone costs time.
        await asyncio.sleep(0.02)
        await self.flush()


def serve_app(
    folder: Path,
    host: str,
    port: int,
    base_url: str,
    browser: bool,
    teacher: bool = False,
    pupils: int | None = None,
    notebook: str | None = None,
) -> None:
    """Serve a folder's notebooks with Voilà until Ctrl-C or SIGTERM, then end every kernel.

    For a class of so many pupils the pages of its notebook are made before they come.

    Raises ValueError for what is no class, and for a notebook that is not there or not for pupils.
    """
    if pupils is not None:
        seats_for(pupils)
        notebook = notebook_of_the_class(folder, notebook)
        if teacher:
            raise ValueError("--teacher shows everybody the key, so it goes without --class")
        if is_for_teachers(notebook):
            raise ValueError(f"{notebook} is for teachers; show it with --teacher, without --class")
    elif notebook is not None:
        raise ValueError("--notebook says what a class uses, so it needs --class")
    # A mistyped address is no news to whoever runs the server.
    logging.getLogger("tornado").setLevel(logging.ERROR)
    config = page_settings(folder)
    config.Voila.ip = host
    config.Voila.port = free_port(host, port)
    config.Voila.base_url = base_url = with_slashes(base_url)
    config.Voila.open_browser = False
    config.Voila.log_level = "ERROR"
    config.Voila.kernel_websocket_connection_class = GuardedConnection
    config.VoilaConfiguration.multi_kernel_manager_class = Kernels
    config.VoilaConfiguration.kernel_spec_manager_class = LeanKernels
    config.VoilaConfiguration.file_allowlist = PICTURES
    config.VoilaConfiguration.file_denylist = NEVER if teacher else NOT_FOR_PUPILS
    config.MappingKernelManager.cull_idle_timeout = CLASS_IDLE_SECONDS if pupils else IDLE_SECONDS
    config.MappingKernelManager.cull_interval = LOOK_FOR_IDLE_SECONDS
    # A kernel that was started again knows nothing of the game; the page finds its own way back.
    config.KernelRestarter.restart_limit = 0
    connect_by_files(config, tempfile.gettempdir() + "/voila_12345678")
    app = App(config=config)
    app.config_file_paths = []
    app.initialize([str(folder)])
    app.teacher, app.pupils, app.notebook = teacher, pupils or 0, notebook or ""
    app.tornado_settings = {
        "default_handler_class": PageNotFound,
        "default_handler_args": {"voila_configuration": app.voila_configuration},
        # A page that is closed tells so without Jupyter's mark against forged requests, and only
        # it knows its kernel's name; with the mark asked for, closed pages would keep kernels.
        "disable_check_xsrf": True,
    }

    def tell() -> None:
        first = f"voila/render/{FIRST_NOTEBOOK}" if (folder / FIRST_NOTEBOOK).exists() else ""
        click.echo(f"War is served at {address(there(host), app.port, base_url)} (Ctrl-C ends it).")
        if browser:
            # Whoever has a class shows it the front page.
            open_browser(address(here(host), app.port, base_url + ("" if pupils else first)))
        if pupils:
            app.wall = [
                (way.name, address(there(host), app.port, base_url + short(way)))
                for way in ways_to(app.notebook)
            ]
            app.saved = _saved_pages(app)
            _tell_the_class(app, address(there(host), app.port, base_url + "wall"))
            IOLoop.current().spawn_callback(app.room.keep_warm, _status_line(pupils))

    run(app.start, tell, stop=IOLoop.current().stop)


def short(way: Way) -> str:
    """Return a link's address as short as one likes to type it.

    >>> short(Way("Chance", "lesson.ipynb", "level=chance"))
    'lesson?level=chance'
    """
    return f"{way.notebook.removesuffix('.ipynb')}{'?' * bool(way.query)}{way.query}"


def _saved_pages(app: App) -> dict[str, Awaitable[str]]:
    """What a class gets as it was kept, made once and beside everything else."""
    # It takes the titles from this package.
    from war.saved_page import saved_page

    notebook = Path(app.root_dir, SAVED_FOR_A_CLASS)
    if app.notebook == SAVED_FOR_A_CLASS or not notebook.exists():
        return {}
    page = IOLoop.current().run_in_executor(None, saved_page, notebook)
    return {SAVED_FOR_A_CLASS: page}


def _tell_the_class(app: App, wall: str) -> None:
    for name, link in app.wall:
        click.echo(f"\n{name}: {link}\n")
        segno.make(link, error="l").terminal(out=sys.stdout, border=2, compact=True)
    click.echo(f"\nTo print for the wall: {wall}")
    needed, free = app.room.seats * BYTES_A_PUPIL, psutil.virtual_memory().available
    if needed > free:
        click.echo(
            f"A full room takes {needed / 1e9:.1f} GB of memory,"
            f" but {free / 1e9:.1f} GB are free: close other programs, or have a smaller class."
        )


def _status_line(pupils: int) -> Callable[[int], None]:
    """Return what tells how many pages are ready, on one line where the terminal can do that."""

    def tell(ready: int) -> None:
        end = "" if sys.stdout.isatty() and ready < pupils else "\n"
        back = "\r" if sys.stdout.isatty() else ""
        done = "." if ready == pupils else " …"
        click.echo(f"{back}{ready} of {pupils} ready{done}", nl=False)
        click.echo(end, nl=False)

    return tell
