"""Measure everything that is named, or everything there is: `python -m bench [engine] [pages] …`."""

import sys
from collections.abc import Iterable

from bench import Ratio, engine, imports, memory, pages

MEASUREMENTS = {"engine": engine.ratios, "imports": imports.ratios}
#: What is measured in a browser or a kernel, and so in other units than seconds.
FIGURES = {"memory": memory.rows, "pages": pages.rows}


def print_table(ratios: Iterable[Ratio]) -> bool:
    """Print each ratio as a line as soon as it is known; whether all keep their limits."""
    kept = True
    for ratio in ratios:
        limit = "" if ratio.at_most is None else f", at most {ratio.at_most:g}"
        kept &= ratio.at_most is None or ratio.times <= ratio.at_most
        print(
            f"{ratio.times:8.2f} times{limit:13}  {ratio.what} ({ratio.seconds * 1000:.3g} ms)"
            f" against {ratio.against} ({ratio.base * 1000:.3g} ms)",
            flush=True,
        )
    return kept


def main(names: list[str]) -> bool | str:
    """What the process ends with: nothing where all limits are kept."""
    known = [*MEASUREMENTS, *FIGURES]
    unknown = [name for name in names if name not in known]
    if unknown:
        return f"unknown measurement: {unknown[0]} (known: {', '.join(known)})"
    kept = True
    for name in names or known:
        if name in MEASUREMENTS:
            kept &= print_table(MEASUREMENTS[name]())
        else:
            for row in FIGURES[name]():
                print(*filter(None, row), sep=" | ", flush=True)
    return not kept


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
