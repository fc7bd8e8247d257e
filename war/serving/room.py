"""A room for a class: warmed pages for the pupils who come, seats for all, and nobody left behind."""

from __future__ import annotations

import asyncio
import os
import uuid
from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from datetime import UTC, datetime
from time import monotonic
from typing import Any, NamedTuple

from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from voila.notebook_renderer import NotebookRenderer
from voila.utils import get_page_config

from war.serving.rehearsal import rehearse

#: One start of a kernel in 210 failed when it was measured, so that three in a row are no accident.
STARTS = 3
#: Between two kernels that are warmed while pupils play. One takes 1.3 seconds of a core.
SECONDS_BETWEEN = 5.0
#: So often a page under way says that there is still somebody.
SECONDS_OF_SILENCE = 10.0

MOST_PUPILS = 100


def seats_for(pupils: int) -> int:
    """Return how many pages may be open at once for a class: some more, for whoever opens two.

    >>> seats_for(30)
    38

    Raises ValueError for what is no class.
    """
    if not 1 <= pupils <= MOST_PUPILS:
        raise ValueError(f"a class has 1 to {MOST_PUPILS} pupils, not {pupils}")
    return pupils + 2 + pupils // 5


class FullRoomError(Exception):
    """All seats are taken."""


class Page(NamedTuple):
    """A whole page and the kernel that it will talk to."""

    html: str
    kernel_id: str


class LeanKernels(KernelSpecManager):
    """Jupyter's list of kinds of kernels, with a page's kernel for Python's own."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        """Return how to start a kernel."""
        spec = super().get_kernel_spec(kernel_name)
        if "ipykernel_launcher" in spec.argv:
            # -P: it takes no module from beside the notebooks by accident.
            spec.argv = [spec.argv[0], "-P", "-m", "war.page_kernel", "-f", "{connection_file}"]
        return spec


class Kernels(AsyncMappingKernelManager):
    """Jupyter's manager of kernels, which spares those that wait and tells of those that end."""

    waits: Callable[[str], bool] = staticmethod(lambda _: False)
    ended: Callable[[str], None] = staticmethod(lambda _: None)

    async def cull_kernel_if_idle(self, kernel_id: str) -> None:
        """End a kernel that nobody uses any more, but none that nobody has used yet."""
        if not self.waits(kernel_id):
            await super().cull_kernel_if_idle(kernel_id)

    def start_watching_activity(self, kernel_id: str) -> None:
        """Begin to count a kernel's idle time, which ends with what its browser says."""
        # To read all that each kernel says, only to know that it lives, was a third of the work.
        kernel: Any = self._kernels[kernel_id]
        kernel.reason = ""
        kernel.execution_state = "idle"
        kernel.last_activity = datetime.now(UTC)

    def remove_kernel(self, kernel_id: str) -> Any:
        """Forget a kernel, for whatever reason it has ended."""
        self.ended(kernel_id)
        return super().remove_kernel(kernel_id)


class Renderer(NotebookRenderer):
    """Voilà's maker of pages, which tries again where a kernel does not come up."""

    async def _jinja_kernel_start(self, nb: Any, kernel_id: str, kernel_future: Any) -> str:
        for left in reversed(range(STARTS)):
            try:
                started: str = await super()._jinja_kernel_start(nb, kernel_id, kernel_future())
                return started
            except Exception:
                if not left:
                    raise
        raise AssertionError("unreachable")


class Room:
    """The pages of an app: made when they are asked for, and for a class some of them before.

    Without a class nothing is made before and every visitor finds a seat.
    """

    def __init__(self, app: Any, notebook: str = "", pupils: int = 0) -> None:
        self.notebook = notebook
        self.pupils = pupils
        self.seats = seats_for(pupils) if pupils else 0
        self.warm: deque[Page] = deque()
        self.taken: set[str] = set()
        self._coming: set[str] = set()
        self._app = app
        self._kernels: Kernels = app.kernel_manager
        self._kernels.waits = lambda kernel_id: kernel_id not in self.taken
        self._kernels.ended = self._ended
        self._warming = 0
        self._last_visit = -SECONDS_BETWEEN

    def take(self, notebook: str) -> str | None:
        """Return a page that was made before, if one is there; it is nobody else's then."""
        if notebook != self.notebook or not self.warm:
            return None
        page = self.warm.popleft()
        self.taken.add(page.kernel_id)
        self._last_visit = monotonic()
        # It has slept until now: its time to be idle begins with its pupil.
        kernel: Any = self._kernels.get_kernel(page.kernel_id)
        kernel.last_activity = datetime.now(UTC)
        return page.html

    async def make(self, notebook: str, query: str) -> AsyncGenerator[str, None]:
        """Make a page for a visitor, piece by piece, with a kernel that knows the address's query.

        Raises FullRoomError where no seat is free.
        """
        renderer = await self._renderer(notebook)
        if self.seats and self._visitors() >= self.seats:
            raise FullRoomError
        # Nobody guesses a name with 122 random bits, and the server tells it to this visitor alone.
        kernel_id = str(uuid.uuid4())
        self._coming.add(kernel_id)
        self._last_visit = monotonic()
        # Whoever comes in takes the place of somebody who was expected.
        while self.warm and len(self.warm) > self._wanted():
            await self._end(self.warm.pop().kernel_id)
        whole = False
        try:
            async with aclosing(
                self._pieces(renderer, kernel_id, {"QUERY_STRING": query})
            ) as pieces:
                async for piece in pieces:
                    yield piece
            whole = True
        finally:
            self._coming.discard(kernel_id)
            if not whole:
                # A visitor who went away before the page was there comes for no kernel.
                await self._end(kernel_id)
            elif kernel_id in self._kernels:
                self.taken.add(kernel_id)

    async def keep_warm(self, tell: Callable[[int], None]) -> None:
        """Make the pages of a class, then gently make up for those that are taken; without end.

        `tell` hears how many are ready, as long as it was not all of them.
        """
        tell(0)
        hands = [self._fill(tell) for _ in range(os.cpu_count() or 1)]
        await asyncio.gather(*hands)
        while True:
            await asyncio.sleep(SECONDS_BETWEEN)
            quiet = monotonic() - self._last_visit >= SECONDS_BETWEEN
            # Pupils who are just coming in have the machine for themselves.
            if quiet and len(self.warm) < self._wanted():
                await self._warm_one()

    def _visitors(self) -> int:
        return len(self.taken) + len(self._coming)

    def _wanted(self) -> int:
        return min(self.pupils, self.seats - self._visitors())

    async def _fill(self, tell: Callable[[int], None]) -> None:
        while len(self.warm) + self._warming < self._wanted():
            if await self._warm_one():
                tell(len(self.warm))
            else:
                await asyncio.sleep(SECONDS_BETWEEN)

    async def _warm_one(self) -> bool:
        kernel_id = str(uuid.uuid4())
        self._warming += 1
        try:
            renderer = await self._renderer(self.notebook)
            pieces = [piece async for piece in self._pieces(renderer, kernel_id, {})]
            # A kernel that died under the page has left a page that says so.
            if not await self._kernels.is_alive(kernel_id):
                raise RuntimeError("the kernel died")
            kernel: Any = self._kernels.get_kernel(kernel_id)
            kernel.info = await rehearse(kernel)
        except Exception:
            self._app.log.exception("A page could not be warmed; another one will be.")
            await self._end(kernel_id)
            return False
        finally:
            self._warming -= 1
        self.warm.append(Page("".join(pieces), kernel_id))
        return True

    async def _pieces(
        self, renderer: Renderer, kernel_id: str, environment: dict[str, str]
    ) -> AsyncGenerator[str, None]:
        """The page piece by piece, with a sign of life where one takes long."""

        async def start() -> Any:
            # The same name again, where a first one did not come up.
            await self._end(kernel_id)
            await self._kernels.start_kernel(
                kernel_id=kernel_id,
                kernel_name=renderer.notebook.metadata.kernelspec.name,
                path=renderer.cwd,
                env={**os.environ, **environment},
            )
            return self._kernels.get_kernel(kernel_id)

        pieces = renderer.generate_content_generator(kernel_id, start)
        while True:
            coming = asyncio.ensure_future(anext(pieces, None))
            try:
                while not (await asyncio.wait({coming}, timeout=SECONDS_OF_SILENCE))[0]:
                    yield "<script>window.voila_heartbeat()</script>\n"
            finally:
                coming.cancel()
            piece = coming.result()
            if piece is None:
                return
            yield piece[0]

    async def _renderer(self, notebook: str) -> Renderer:
        app = self._app
        about = {
            "base_url": app.base_url,
            "settings": app.app.settings,
            "log": app.log,
            "voila_configuration": app.voila_configuration,
        }
        page_config = app.voila_configuration.page_config_hook(
            get_page_config(**about), **about, notebook_path=notebook
        )
        renderer = Renderer(
            voila_configuration=app.voila_configuration,
            traitlet_config=app.config,
            notebook_path=notebook,
            template_paths=app.template_paths,
            config_manager=app.config_manager,
            contents_manager=app.contents_manager,
            base_url=app.base_url,
            kernel_spec_manager=app.kernel_spec_manager,
            page_config=page_config,
        )
        await renderer.initialize()
        return renderer

    async def _end(self, kernel_id: str) -> None:
        if kernel_id in self._kernels:
            await self._kernels.shutdown_kernel(kernel_id, now=True)

    def _ended(self, kernel_id: str) -> None:
        self.taken.discard(kernel_id)
        self.warm = deque(page for page in self.warm if page.kernel_id != kernel_id)
