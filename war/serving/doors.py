"""The three doors of the front page: to play, to learn, to study."""

from __future__ import annotations

from typing import NamedTuple


class Way(NamedTuple):
    """A link behind a door: what it says, the notebook it opens, and the query of its address."""

    name: str
    notebook: str
    query: str = ""

    @property
    def path(self) -> str:
        """Where the notebook is shown, from the server's first address on.

        >>> Way("Chance", "lesson.ipynb", "level=chance").path
        'voila/render/lesson.ipynb?level=chance'
        """
        return f"voila/render/{self.notebook}{'?' * bool(self.query)}{self.query}"


class Door(NamedTuple):
    """One door: its name, what is behind it, the cards on it, and the ways in, the main one first."""

    name: str
    promise: str
    cards: str
    ways: tuple[Way, ...]


DOORS = (
    Door(
        "Play",
        "Turn the cards, and see who takes them.",
        "KH 7S",
        (Way("The table", "play.ipynb"), Way("House rules", "house_rules.ipynb")),
    ),
    Door(
        "Learn",
        "One lesson, three levels: guess first, then let the cards decide.",
        "2C 3D 4H",
        (
            Way("Compare, ages 6 to 8", "lesson.ipynb", "level=compare"),
            Way("Chance, ages 11 to 14", "lesson.ipynb", "level=chance"),
            Way("Compute, ages 15 and up", "lesson.ipynb", "level=compute"),
        ),
    ),
    Door(
        "Study",
        "How long does it last, does it ever end, do aces decide? A million games answer.",
        "AS AH AC AD",
        (Way("The figures", "statistics.ipynb"),),
    ),
)

#: Has cells to write in, and so is for JupyterLab alone; a page would show it without them.
NEEDS_JUPYTERLAB = "code_it.ipynb"

#: Needs much from a machine, and shows a class as much when it is kept as it was.
SAVED_FOR_A_CLASS = "statistics.ipynb"


def doors_to(notebooks: set[str]) -> list[Door]:
    """Return the doors with the ways that lead to one of these notebooks; none without a way.

    >>> [door.name for door in doors_to({"play.ipynb", "statistics.ipynb"})]
    ['Play', 'Study']
    """
    open_ways = [
        door._replace(ways=tuple(way for way in door.ways if way.notebook in notebooks))
        for door in DOORS
    ]
    return [door for door in open_ways if door.ways]


def ways_to(notebook: str) -> tuple[Way, ...]:
    """Return the links to a notebook: those of its door, or its own.

    >>> [way.query for way in ways_to("lesson.ipynb")]
    ['level=compare', 'level=chance', 'level=compute']
    """
    known = tuple(way for door in DOORS for way in door.ways if way.notebook == notebook)
    return known or (Way(notebook.removesuffix(".ipynb"), notebook),)
