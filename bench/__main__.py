"""Measure everything that is named, or everything there is: `python -m bench [engine] [pages] …`."""

import sys

from bench import Ratio, classroom, engine, imports, lab, memory, pages

#: What is measured, and the lines it tells: ratios with their limits, or rows of text.
MEASUREMENTS = {
    "classroom": classroom.rows,
    "engine": engine.ratios,
    "imports": imports.ratios,
    "lab": lab.lines,
    "memory": memory.rows,
    "pages": pages.rows,
}


def duration(seconds: float) -> str:
    """Seconds in the unit that suits them.

    >>> duration(0.25), duration(4.2e-9)
    ('250 ms', '4.2 ns')
    """
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def told(line: Ratio | tuple[str, ...]) -> str:
    """A line of the table."""
    if not isinstance(line, Ratio):
        return " | ".join(filter(None, line))
    limit = "" if line.at_most is None else f", at most {line.at_most:.3g}"
    return (
        f"{line.times:8.2f} times{limit:15}  {line.what} ({duration(line.seconds)})"
        f" against {line.against} ({duration(line.base)})"
    )


def main(names: list[str]) -> bool | str:
    """What the process ends with: nothing where all limits are kept."""
    unknown = [name for name in names if name not in MEASUREMENTS]
    if unknown:
        return f"unknown measurement: {unknown[0]} (known: {', '.join(MEASUREMENTS)})"
    kept = True
    for name in names or MEASUREMENTS:
        # Each line is printed as soon as it is known.
        for line in MEASUREMENTS[name]():
            print(told(line), flush=True)
            kept &= not isinstance(line, Ratio) or line.kept
    return not kept


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
