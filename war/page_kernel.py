"""The kernel behind a page: Python's own, without what only somebody who writes code needs."""

import sys
from base64 import b64decode
from typing import Any

# The debugger takes 25 MB and 0.6 seconds of every kernel; where it is not found, it is left out.
sys.modules["debugpy"] = None  # type: ignore[assignment]

import comm
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

    def initialize(self, argv: list[str] | None = None) -> None:
        """Get ready, with an answer of our own for a page that asks what widgets there are."""
        super().initialize(argv)  # type: ignore[no-untyped-call]
        # It has an answer too, which collects all states twice and throws one of them away.
        import ipywidgets  # noqa: F401

        # The kernel has put its own keeper of conversations into this module.
        comm.get_comm_manager().register_target("jupyter.widget.control", answer_states)


def answer_states(conversation: comm.base_comm.BaseComm, _: object) -> None:
    """Tell a page the states of all widgets when it asks for them, by the protocol of ipywidgets."""

    def answer(message: dict[str, Any]) -> None:
        from ipywidgets import Widget

        if message["content"]["data"].get("method") != "request_states":
            return
        states = Widget.get_manager_state()["state"]
        paths, buffers = [], []
        for name, model in states.items():
            for buffer in model.pop("buffers", []):
                paths.append([name, "state", *buffer["path"]])
                buffers.append(b64decode(buffer["data"]))
        told = {"method": "update_states", "states": states, "buffer_paths": paths}
        conversation.send(told, buffers=buffers)

    conversation.on_msg(answer)


CONFIG = Config(
    IPKernelApp={"outstream_class": "war.page_kernel.PageStream"},
    HistoryManager={"enabled": False},
)

if __name__ == "__main__":
    PageKernelApp.launch_instance(config=CONFIG)
