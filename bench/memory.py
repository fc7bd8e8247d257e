"""What a pupil's kernel takes with the game in it, beside one with bare ipywidgets, in one run."""

import json
import statistics
from collections.abc import Iterator, Sequence

import psutil
from jupyter_client.manager import KernelManager

from tests.servers import ROOT

ROUNDS = 5
TIME_LIMIT = 60

BARE = ("from ipywidgets import Button, Label, VBox\nVBox([Button(), Label()])",)


def rows() -> Iterator[tuple[str, str, str]]:
    """What was measured, the figures, and the aim."""
    game = tuple(
        "".join(cell["source"])
        for cell in json.loads((ROOT / "notebooks" / "play.ipynb").read_text())["cells"]
        if cell["cell_type"] == "code"
    )
    # In turns, so that a machine that changes its mind about memory does so for both.
    measured = [(_megabytes(BARE), _megabytes(game)) for _ in range(ROUNDS)]
    bare, own = (statistics.median(values) for values in zip(*measured, strict=True))
    yield (
        "memory of a kernel that ran play.ipynb against one with a Button and a Label",
        f"{own - bare:+.1f} MB ({own:.1f} MB against {bare:.1f} MB)",
        "at most +4 MB",
    )


def _megabytes(cells: Sequence[str]) -> float:
    """What a new kernel holds in memory when it has run these cells."""
    manager = KernelManager(transport="ipc")
    manager.start_kernel()
    client = manager.blocking_client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=TIME_LIMIT)
        for cell in cells:
            reply = client.execute_interactive(cell, timeout=TIME_LIMIT, output_hook=lambda _: None)
            if reply["content"]["status"] != "ok":
                raise RuntimeError(f"a cell failed: {cell}")
        return psutil.Process(manager.provisioner.pid).memory_info().rss / 1e6
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


if __name__ == "__main__":
    for row in rows():
        print(*row, sep=" | ", flush=True)
