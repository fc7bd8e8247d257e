"""What `import war` costs a fresh interpreter."""

import subprocess
import sys
from collections.abc import Iterator
from functools import partial

from bench import Ratio, fastest

ROUNDS = 20


def ratios() -> Iterator[Ratio]:
    """Whole processes, from their start to their end."""
    programs = ("import war", "pass", "import json")
    command = [sys.executable, "-I", "-c"]
    runs = [partial(subprocess.run, [*command, each], check=True) for each in programs]
    war, bare, json = fastest(runs, ROUNDS)
    yield Ratio("python -c 'import war'", war, "python -c pass", bare)
    yield Ratio("python -c 'import war'", war, "python -c 'import json'", json)
