"""What a pupil's browser may ask of the server: to play on its own page, and nothing else."""

from __future__ import annotations

import asyncio
import errno
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jupyter_server.services.contents.largefilemanager import LargeFileManager
from jupyter_server.services.kernels.connection.base import (
    deserialize_msg_from_ws_v1,
    serialize_msg_to_ws_v1,
)
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from tornado.web import HTTPError

from war.serving.notebooks import TEACHERS, is_for_teachers

#: How every page of today writes its messages, and in how many parts at most.
V1 = "v1.kernel.websocket.jupyter.org"
MOST_PARTS = 100

#: More than a kernel takes that is only busy with a class that is just coming in.
SECONDS_TO_GREET = 3.0

#: The messages that a page with widgets sends: it looks for the widgets, and tells what is clicked.
ALLOWED = {"comm_close", "comm_info_request", "comm_msg", "comm_open", "kernel_info_request"}
#: The one conversation that a page begins itself, to ask for the state of all its widgets.
ALLOWED_TARGET = "jupyter.widget.control"

#: Files that a page may show, and those that nobody gets, as Voilà takes them.
PICTURES = [r".*\.(png|jpg|jpeg|gif|svg|webp)"]
NEVER = [r".*\.(ipynb|py)"]
NOT_FOR_PUPILS = [*NEVER, rf"(.*[/\\])?{TEACHERS}.*"]


def is_allowed(channel: object, kind: object, content: object) -> bool:
    """Whether a browser may send a message of this kind with this content on this channel.

    >>> is_allowed("shell", "comm_msg", {"comm_id": "…", "data": {}})
    True
    >>> is_allowed("shell", "execute_request", {"code": "1 + 1"})
    False
    """
    if channel != "shell" or kind not in ALLOWED:
        return False
    # Whatever else a notebook listens for, it does not expect it from somebody's browser.
    return kind != "comm_open" or (
        isinstance(content, dict) and content.get("target_name") == ALLOWED_TARGET
    )


class GuardedConnection(ZMQChannelsWebsocketConnection):
    """A browser's connection to its kernel, which passes on what is allowed and drops the rest."""

    def connect(self) -> Any:
        """Connect, and send every answer at once instead of waiting for more to send with it."""
        self.websocket_handler.set_nodelay(True)
        return super().connect()

    def create_stream(self) -> None:
        """Open the two channels that a page has: on one it speaks, on the other it listens."""
        for channel in ("iopub", "shell"):
            connect = getattr(self.kernel_manager, f"connect_{channel}")
            self.channels[channel] = stream = connect(identity=self.session.bsession)
            stream.channel = channel

    async def prepare(self) -> None:
        """Get ready for a page whose kernel is alive.

        Raises HTTPError for a kernel that has died: nobody starts it again, and to wait for it, as
        Jupyter does, would leave the page without a word for a minute.
        """
        if not await self.kernel_manager.is_alive():
            raise HTTPError(404, f"the kernel has died: {self.kernel_id}")
        await super().prepare()

    def request_kernel_info(self) -> Any:
        """Ask nothing: the kernel is our own, and has answered before its page was there."""
        answered: asyncio.Future[dict[str, Any]] = asyncio.Future()
        answered.set_result({})
        return answered

    def nudge(self) -> asyncio.Future[None]:
        """Return what is done when the kernel knows that somebody listens.

        Python's kernel greets every listener (`iopub_welcome`, Jupyter's messaging protocol 5.4), so
        that it need not be asked for a sign of life, which was half of what it did when a page opens.
        """
        listener = self.channels["iopub"]
        greeted: asyncio.Future[None] = asyncio.Future()

        def greet(_: object) -> None:
            listener.stop_on_recv()
            greeted.set_result(None)

        async def wait() -> None:
            # A kernel of another kind may greet nobody, and one that is gone does not; by then the one
            # is listened to, and of the other the page has to hear.
            with suppress(TimeoutError):
                await asyncio.wait_for(greeted, SECONDS_TO_GREET)

        listener.on_recv(greet)
        return asyncio.ensure_future(wait())

    def handle_incoming_message(self, incoming_msg: Any) -> None:
        """Pass on an allowed message; anything else, and what cannot be read, reaches no kernel."""
        try:
            channel, header, content = self._read(incoming_msg)
            allowed = is_allowed(channel, header["msg_type"], content)
        except Exception:  # noqa: BLE001 (a browser may send anything at all)
            return
        if not allowed:
            return
        self._is_active()
        # What a kernel has said of itself in the rehearsal need not be asked again.
        info = getattr(self.kernel_manager, "info", None)
        if header["msg_type"] == "kernel_info_request" and info:
            self._answer(header, "shell", "kernel_info_reply", info)
            self._answer(header, "iopub", "status", {"execution_state": "idle"})
        else:
            super().handle_incoming_message(incoming_msg)

    def disconnect(self) -> Any:
        """Hang up; from now on the pupil is away."""
        self._is_active()
        return super().disconnect()

    def _answer(self, asked: object, channel: str, kind: str, content: dict[str, Any]) -> None:
        """Tell the page something as its kernel would."""
        message = self.session.msg(kind, content, parent={"header": asked})
        parts = ("header", "parent_header", "metadata", "content")
        packed = [self.session.pack(message[part]) for part in parts]
        self.websocket_handler.write_message(serialize_msg_to_ws_v1(packed, channel), binary=True)

    def _is_active(self) -> None:
        self.kernel_manager.last_activity = datetime.now(UTC)

    def _read(self, message: bytes) -> tuple[object, Any, object]:
        # Jupyter's readers believe a message that says it has 2⁶⁴ parts, and never come back.
        if self.subprotocol != V1 or int.from_bytes(message[:8], "little") > MOST_PARTS:
            raise ValueError("not a message of a page")
        channel, parts = deserialize_msg_from_ws_v1(message)
        header, content = (self.session.unpack(parts[place]) for place in (0, 3))
        return channel, header, content


class PupilsNotebooks(LargeFileManager):
    """The folder of notebooks as pupils have it: what is for teachers is not there."""

    def file_exists(self, path: str) -> bool:
        """Whether there is such a file for pupils."""
        return not self._hides(path) and bool(super().file_exists(path))

    def get(self, path: str, *args: Any, **options: Any) -> Any:
        """Return a file or folder with what is in it for pupils, or say that it is not there."""
        if self._hides(path):
            if options.get("content") is False:
                # So a list of files leaves out one of them, instead of failing as a whole.
                raise PermissionError(errno.EACCES, "this is for teachers", path)
            raise HTTPError(404, f"file or directory does not exist: {path!r}")
        model = super().get(path, *args, **options)
        if model["type"] == "directory" and model["content"]:
            model["content"] = [each for each in model["content"] if not self._hides(each["path"])]
        return model

    def _hides(self, path: str) -> bool:
        # A link to a file leads to what the file is.
        real = Path(self._get_os_path(path)).resolve()
        root = Path(self.root_dir).resolve()
        return is_for_teachers(path) or (
            real.is_relative_to(root) and is_for_teachers(str(real.relative_to(root)))
        )
