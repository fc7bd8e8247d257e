"""The kernel behind a page: Python's own, without what only somebody who writes code needs."""

import sys

# The debugger takes 25 MB and 0.6 seconds of every kernel; where it is not found, it is left out.
sys.modules["debugpy"] = None  # type: ignore[assignment]

from ipykernel.iostream import OutStream
from ipykernel.kernelapp import IPKernelApp
from traitlets.config import Config


class PageStream(OutStream):
    """What a notebook prints, flushed only where something was printed.

    The kernel flushes two of these after every click, and waits for another thread each time.
    """

    _printed = False

    def write(self, string: str) -> int:
        """Print something, and return how many characters that were."""
        self._printed = True
        super().write(string)
        return len(string)

    def flush(self) -> None:
        """Send what was printed, if anything was."""
        if self._printed:
            self._printed = False
            super().flush()  # type: ignore[no-untyped-call]


class PageKernelApp(IPKernelApp):
    """Jupyter's kernel with one thread that takes what a page says, and no history of inputs."""

    def init_control(self, context: object) -> None:
        """Make the control channel, and no second thread for the page's own.

        That one is for running several cells at once. It passes every message on, which takes a
        quarter of the time, and looks for a widget's conversation before that has begun.
        """
        super().init_control(context)  # type: ignore[no-untyped-call]
        self.shell_channel_thread = None


CONFIG = Config(
    IPKernelApp={"outstream_class": "war.page_kernel.PageStream"},
    HistoryManager={"enabled": False},
)

if __name__ == "__main__":
    PageKernelApp.launch_instance(config=CONFIG)
