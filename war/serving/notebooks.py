"""Which notebooks there are, what they are called, and whom they are for."""

import json
import re
import shutil
from pathlib import Path

FIRST_NOTEBOOK = "play.ipynb"
LESSON_NOTEBOOK = "lesson.ipynb"

#: What the name of a notebook, or of a folder around it, begins with that pupils never see.
TEACHERS = "teacher"


def notebooks_folder() -> Path:
    """Return the folder of the game's notebooks, in the installed package or in a checkout."""
    package = Path(__file__).parents[1]
    installed = package / "notebooks"
    return installed if installed.is_dir() else package.parent / "notebooks"


def title_of(notebook: Path) -> str:
    """Return a notebook's title: its metadata's, else its first heading, else its file name.

    >>> title_of(Path("how_long-is-a-game.ipynb"))
    'How long is a game'
    """
    try:
        content = json.loads(notebook.read_text(encoding="utf-8"))
        if title := content["metadata"].get("title"):
            return str(title)
        for cell in content["cells"]:
            heading = re.search(r"^#+ +(.+?)[ #]*$", "".join(cell["source"]), re.MULTILINE)
            if cell["cell_type"] == "markdown" and heading:
                return heading[1]
    except (OSError, ValueError, KeyError):
        pass
    return re.sub(r"[-_]+", " ", notebook.stem).capitalize()


def titles_in(folder: Path) -> dict[str, str]:
    """Return the titles of all notebooks below a folder, by path from there."""
    return {
        path.relative_to(folder).as_posix(): title_of(path)
        for path in sorted(folder.rglob("*.ipynb"))
        if ".ipynb_checkpoints" not in path.parts
    }


def is_for_teachers(path: str) -> bool:
    """Whether a path below the folder of notebooks leads to what only teachers may see.

    The name decides, so that a copy and a version that JupyterLab keeps aside are for teachers too.

    >>> is_for_teachers("Teacher-Copy1.ipynb"), is_for_teachers("school/teachers/plan.ipynb")
    (True, True)
    >>> is_for_teachers("play.ipynb")
    False
    """
    return any(part.strip().casefold().startswith(TEACHERS) for part in re.split(r"[/\\]", path))


def notebook_of_the_class(folder: Path, name: str | None) -> str:
    """Return the file of the notebook that a class uses: the one of this name, or the lesson.

    >>> notebook_of_the_class(notebooks_folder(), "play")
    'play.ipynb'

    Raises ValueError for a name that no notebook in the folder has.
    """
    known = sorted(path.stem for path in folder.glob("*.ipynb"))
    if name is None:
        name = next((each for each in ("lesson", "play") if each in known), "")
        if not name:
            raise ValueError("say which notebook the class uses, with --notebook NAME")
    if name.removesuffix(".ipynb") not in known:
        names = ", ".join(known) or "none"
        raise ValueError(f"no notebook of this name: {name!r} (there are: {names})")
    return name.removesuffix(".ipynb") + ".ipynb"


def copy_missing(source: Path, target: Path) -> int:
    """Copy the files of a folder that another folder lacks, and return how many those were."""
    missing = [
        path
        for path in source.rglob("*")
        if path.is_file() and not (target / path.relative_to(source)).exists()
    ]
    for path in missing:
        copy = target / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    return len(missing)
