"""What a class asks of every kernel in the same moment, asked of each one before."""

from __future__ import annotations

import uuid
from typing import Any

from war.serving.guard import ALLOWED_TARGET

#: The version of the conversation about all widgets, by the messaging protocol of ipywidgets.
VERSION = {"version": "1.0.0"}

#: A kernel that has made its page and is silent for so long will not answer a pupil either.
SECONDS_TO_ANSWER = 30


async def rehearse(kernel: Any) -> dict[str, Any]:
    """Ask a kernel all that a page asks when it opens, and return what it says of itself.

    What it does for the first time takes it twice as long.

    Raises TimeoutError for a kernel that does not answer.
    """
    session = kernel.session.clone()
    # Whoever made the page has only just hung up, and two of one name would be taken for each other.
    session.session = uuid.uuid4().hex
    client = kernel.client(session=session)
    # This channel alone, as nobody listens: the last answer tells that everything before is done.
    shell = client.shell_channel
    shell.start()
    try:
        about = {"comm_id": uuid.uuid4().hex}
        for kind, content in (
            ("comm_open", {"target_name": ALLOWED_TARGET, "data": {}}),
            ("comm_msg", {"data": {"method": "request_states"}}),
            ("comm_close", {"data": {}}),
        ):
            shell.send(session.msg(kind, about | content, metadata=VERSION))
        answer = await client.kernel_info(reply=True, timeout=SECONDS_TO_ANSWER)
        said: dict[str, Any] = answer["content"]
        return said
    finally:
        shell.stop()
