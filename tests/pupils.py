"""A pupil's browser in the small: a page, its WebSocket, the widgets on it, and a click.

What it sends is what a real page sends; thirty of them fit into one process.
"""

from __future__ import annotations

import asyncio
import re
import uuid
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

import orjson
import psutil
from jupyter_server.services.kernels.connection.base import (
    deserialize_msg_from_ws_v1,
    serialize_msg_to_ws_v1,
)
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from tests.servers import Server, app_page, family_of

V1 = "v1.kernel.websocket.jupyter.org"
TIME_LIMIT = 300.0

# Thirty pupils ask at once; as it is, the eleventh would wait for the first.
AsyncHTTPClient.configure(None, max_clients=100)

T = TypeVar("T")

LINES: list[Line] = []

Found = Callable[[dict[str, Any]], bool]


class Message(NamedTuple):
    """What came from a kernel: the channel, the kind, and the content."""

    channel: str
    kind: str
    content: dict[str, Any]


def kernel_of(page: str) -> str:
    """The name of the kernel that a page talks to."""
    found = re.search(r'"kernelId": ?"([0-9a-f-]{36})"', page)
    assert found, f"the page names no kernel: {page[:300]}"
    return found[1]


def kernels_of(server: Server) -> dict[str, psutil.Process]:
    """The running kernels by their names, which only their command lines tell."""
    found = {}
    for process in family_of(server.process)[1:]:
        # One may end while it is looked at.
        with suppress(psutil.NoSuchProcess):
            name = re.search(r"kernel-([0-9a-f-]{36})\.json", " ".join(process.cmdline()))
            if name and process.status() != psutil.STATUS_ZOMBIE:
                found[name[1]] = process
    return found


async def fetch(address: str, **options: Any) -> tuple[int, str]:
    """The status and the text that a server answers with, whatever the status."""
    request = HTTPRequest(
        address, connect_timeout=TIME_LIMIT, request_timeout=TIME_LIMIT, **options
    )
    answer = await AsyncHTTPClient().fetch(request, raise_error=False)
    return answer.code, answer.body.decode(errors="replace") if answer.body else ""


def run(coroutine: Coroutine[Any, Any, T], seconds: float = TIME_LIMIT) -> T:
    """Run what some pupils do, in a thread of its own, and hang up after them."""

    async def and_hang_up() -> T:
        try:
            return await asyncio.wait_for(coroutine, seconds)
        finally:
            while LINES:
                LINES.pop().close()

    # Playwright leaves a running loop in the thread of the tests, which allows no second one.
    with ThreadPoolExecutor(1) as alone:
        return alone.submit(asyncio.run, and_hang_up()).result()


class Line:
    """A WebSocket to a kernel."""

    def __init__(self, connection: WebSocketClientConnection) -> None:
        self.connection = connection
        LINES.append(self)
        self.session = uuid.uuid4().hex

    @classmethod
    async def to(cls, address: str, kernel: str, query: str = "") -> Line:
        """Connect to a kernel of the server at this address, as a page does."""
        where = f"{address.replace('http', 'ws', 1)}api/kernels/{kernel}/channels{query}"
        request = HTTPRequest(where, connect_timeout=TIME_LIMIT, request_timeout=TIME_LIMIT)
        return cls(await websocket_connect(request, subprotocols=[V1]))

    def send(self, kind: str, content: dict[str, Any], channel: str = "shell") -> None:
        """Send a message."""
        header = {
            "msg_id": uuid.uuid4().hex,
            "msg_type": kind,
            "session": self.session,
            "username": "",
            "date": "2026-01-01T00:00:00Z",
            "version": "5.3",
        }
        # The versions of the conversations about one widget and about all of them.
        versions = {"jupyter.widget": "2.1.0", "jupyter.widget.control": "1.0.0"}
        about = {"version": versions.get(content.get("target_name"))}
        parts = [orjson.dumps(part) for part in (header, {}, about, content)]
        self.connection.write_message(serialize_msg_to_ws_v1(parts, channel), binary=True)

    async def next(self, seconds: float = TIME_LIMIT) -> Message:
        """The next message; TimeoutError where none comes, ConnectionError where none can."""
        raw = await asyncio.wait_for(self.connection.read_message(), seconds)
        if raw is None:
            raise ConnectionError("the server has closed the connection")
        channel, parts = deserialize_msg_from_ws_v1(raw)
        return Message(channel, orjson.loads(parts[0])["msg_type"], orjson.loads(parts[3]))

    async def states(self, seconds: float = TIME_LIMIT) -> dict[str, Any]:
        """Ask for the states of all widgets; TimeoutError where no answer comes."""
        control = uuid.uuid4().hex
        about = {"comm_id": control, "target_name": "jupyter.widget.control", "data": {}}
        self.send("comm_open", about)
        self.send("comm_msg", {"comm_id": control, "data": {"method": "request_states"}})
        async with asyncio.timeout(seconds):
            while True:
                data = (await self.next()).content.get("data", {})
                if data.get("method") == "update_states":
                    return {name: model["state"] for name, model in data["states"].items()}

    def close(self) -> None:
        """Hang up, as a tablet does that falls asleep, and wait for no answer."""
        protocol = self.connection.protocol
        self.connection.close()
        if protocol:
            # Otherwise the socket stays open until the server has said goodbye too.
            protocol.stream.close()


class Pupil:
    """Somebody who has opened a page and plays on it."""

    def __init__(self, address: str, line: Line, kernel: str, states: dict[str, Any]) -> None:
        self.address = address
        self.line = line
        self.kernel = kernel
        self.states = states

    @classmethod
    async def open(cls, address: str, notebook: str = "play.ipynb", query: str = "") -> Pupil:
        """Open a notebook's page, and wait for the state of all that is on it."""
        status, page = await fetch(app_page(address, notebook) + query)
        assert status == 200, f"{status}: {page[:300]}"
        kernel = kernel_of(page)
        line = await Line.to(address, kernel, f"?session_id={uuid.uuid4()}")
        pupil = await cls.at(address, line, kernel)
        for name, state in pupil.states.items():
            if state.get("main"):
                pupil.tell(name, {"ask": "hello", "query": query, "settings": {}})
        return pupil

    @classmethod
    async def at(cls, address: str, line: Line, kernel: str) -> Pupil:
        """Sit down at the other end of a line, and look at all that is there."""
        line.send("kernel_info_request", {})
        patience = 1.0
        async with asyncio.timeout(TIME_LIMIT):
            while True:
                with suppress(TimeoutError):
                    return cls(address, line, kernel, await line.states(patience))
                # A line to a kernel that is just busy begins before it is heard on, so that the
                # first answer may be lost; who asks again is answered.
                patience *= 2

    def find(self, found: Found) -> str:
        """The first widget of which this holds."""
        return next(name for name, state in self.states.items() if found(state))

    @property
    def board(self) -> str:
        """The table to play at."""
        return self.find(lambda state: bool(state.get("main")))

    @property
    def battle(self) -> int:
        """The number of the battle that the table shows."""
        return int(self.states[self.board]["state"]["battle"])

    @property
    def code(self) -> int:
        """The deal code that the table shows."""
        return int(self.states[self.board]["state"]["code"])

    def tell(self, widget: str, content: dict[str, Any]) -> None:
        """Tell a widget something, as its own JavaScript does."""
        data = {"method": "custom", "content": content}
        self.line.send("comm_msg", {"comm_id": widget, "data": data})

    def click(self, button: str) -> None:
        """Click the button with this label."""
        self.tell(self.find(lambda state: state.get("description") == button), {"event": "click"})

    async def until(self, true: Callable[[Pupil], bool], seconds: float = TIME_LIMIT) -> None:
        """Take in what the kernel says until something holds of this pupil's page."""
        async with asyncio.timeout(seconds):
            while not true(self):
                await self.take_in()

    async def take_in(self) -> Message:
        """Take in the next thing that the kernel says."""
        message = await self.line.next()
        data = message.content.get("data", {})
        if message.kind == "comm_msg" and data.get("method") in ("update", "echo_update"):
            self.states.setdefault(message.content["comm_id"], {}).update(data["state"])
        return message

    async def sees_the_end_of_its_kernel(self, seconds: float = TIME_LIMIT) -> None:
        """Wait until the server says that the kernel is gone."""
        async with asyncio.timeout(seconds):
            while (await self.take_in()).content.get("execution_state") != "dead":
                pass

    async def leave(self) -> None:
        """Close the page: it tells the server so."""
        await fetch(f"{self.address}voila/api/shutdown/{self.kernel}", method="POST", body="")
        self.line.close()
