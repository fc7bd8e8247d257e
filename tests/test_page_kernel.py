"""A page's kernel: what it tells of its widgets, and the rehearsal before anybody comes."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import ipywidgets
import pytest
from jupyter_client import AsyncKernelClient, AsyncKernelManager

from tests.pupils import run
from war import play
from war.page_kernel import answer_states
from war.serving import rehearsal
from war.serving.rehearsal import rehearse
from war.serving.room import LeanKernels


class Conversation:
    """What a page and its kernel say to each other about all widgets."""

    def __init__(self) -> None:
        self.said: list[tuple[dict[str, Any], list[bytes]]] = []

    def on_msg(self, answer: Callable[[dict[str, Any]], None]) -> None:
        self.ask = answer

    def send(self, data: dict[str, Any], buffers: list[Any]) -> None:
        self.said.append((data, [bytes(buffer) for buffer in buffers]))


def test_the_states_are_those_that_widgets_tell_by_themselves() -> None:
    play(deal=2024)
    ipywidgets.Image(value=b"\x89PNG\x00")
    ipywidgets.HBox([ipywidgets.Image(value=b"other"), ipywidgets.FileUpload()])
    own, theirs = Conversation(), Conversation()
    answer_states(own, None)  # type: ignore[arg-type]
    ipywidgets.Widget.handle_control_comm_opened(theirs, {"metadata": {"version": "1.0.0"}})
    for conversation in (own, theirs):
        conversation.ask({"content": {"data": {"method": "request_states"}}})
    (told, buffers), (expected, expected_buffers) = own.said[0], theirs.said[0]
    assert told == expected
    assert buffers == expected_buffers
    assert b"\x89PNG\x00" in buffers


def test_what_is_asked_besides_is_not_answered() -> None:
    own = Conversation()
    answer_states(own, None)  # type: ignore[arg-type]
    own.ask({"content": {"data": {"method": "something else"}}})
    own.ask({"content": {"data": {}}})
    assert own.said == []


@pytest.mark.parametrize(
    "code", ["import ipywidgets; ipywidgets.Button()", "1 + 1"], ids=["widgets", "no widgets"]
)
def test_a_rehearsal_asks_what_a_page_asks(code: str, tmp_path: Path) -> None:
    async def ask() -> None:
        async with kernel_in(tmp_path) as (kernel, client):
            assert (await client.execute(code, reply=True))["content"]["status"] == "ok"
            said = await rehearse(kernel)
            again = (await client.kernel_info(reply=True))["content"]
            # Each time it gives another piece of advice.
            assert said.pop("banner")
            assert said.items() < again.items()
            assert said["implementation"] == "ipython"

    run(ask())


def test_a_kernel_that_does_not_answer_is_not_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rehearsal, "SECONDS_TO_ANSWER", 0.5)

    async def ask() -> None:
        async with kernel_in(tmp_path) as (kernel, _):
            await rehearse(kernel)
            os.kill(kernel.provisioner.pid, signal.SIGSTOP)
            with pytest.raises(TimeoutError):
                await rehearse(kernel)

    run(ask())


@asynccontextmanager
async def kernel_in(
    folder: Path,
) -> AsyncGenerator[tuple[AsyncKernelManager, AsyncKernelClient], None]:
    """A page's kernel that has come up, as long as one needs it, and somebody who talks to it."""
    kernel = AsyncKernelManager(kernel_spec_manager=LeanKernels())
    await kernel.start_kernel(cwd=str(folder))
    client = kernel.client()
    client.start_channels()
    try:
        await client.wait_for_ready(timeout=60)
        yield kernel, client
    finally:
        client.stop_channels()
        await kernel.shutdown_kernel(now=True)
