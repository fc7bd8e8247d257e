"""Measure everything that is named, or everything there is: `python -m bench [engine] [imports]`."""

import sys
from collections.abc import Iterable

from bench import Ratio, engine, imports

MEASUREMENTS = {"engine": engine.ratios, "imports": imports.ratios}


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
    unknown = [name for name in names if name not in MEASUREMENTS]
    if unknown:
        return f"unknown measurement: {unknown[0]} (known: {', '.join(MEASUREMENTS)})"
    chosen = names or MEASUREMENTS
    kept = [print_table(MEASUREMENTS[name]()) for name in chosen]
    return not all(kept)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
