"""Who imports what: the core needs the standard library alone, and the arrows point one way."""

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import war

ROOM = Path(war.__file__).parent

#: What each module of the core takes from the others; an arrow more is a decision, not an accident.
ARROWS: dict[str, set[str]] = {
    "cards": set(),
    "chance": {"cards"},
    "rules": {"cards"},
    "variants": {"cards", "rules"},
    "table": {"cards"},
    "game": {"cards", "chance", "rules", "table", "variants"},
    "notation": {"cards", "game", "table", "variants"},
    "describe": {"cards", "game", "rules", "table"},
    "trouble": set(),
}


def imports(module: str) -> set[str]:
    """All that a module imports, at its top or within a function, by the full names."""
    names: set[str] = set()
    for node in ast.walk(ast.parse((ROOM / f"{module}.py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module in ("war", "war.lab"):
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.add("." * node.level + (node.module or ""))
    return names


@pytest.mark.parametrize("module", ARROWS)
def test_a_module_of_the_core_takes_what_is_written_down_and_the_standard_library(
    module: str,
) -> None:
    ours = {f"war.{name}" for name in ARROWS[module]}
    others = {name.split(".")[0] for name in imports(module) - ours}
    assert ours <= imports(module)
    assert others <= sys.stdlib_module_names


def test_no_arrow_leads_back() -> None:
    assert next(iter(TopologicalSorter(ARROWS).static_order())) == "cards"


@pytest.mark.parametrize("modules", ["war", ", ".join(f"war.{name}" for name in ARROWS)])
def test_the_core_loads_nothing_heavy(modules: str) -> None:
    program = f"import sys; before = {{*sys.modules}}; import {modules}\n"
    program += "print(*({*sys.modules} - before))"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = {name.split(".")[0] for name in run.stdout.split()}
    assert loaded - sys.stdlib_module_names == {"war"}


#: Which rooms beside the core each room may use; they stand beside each other, the lesson on the board.
ROOMS: dict[str, set[str]] = {"board": {"board"}, "lab": {"lab"}, "lesson": {"lesson", "board"}}


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_stands_on_the_core_and_on_the_rooms_it_may_use(room: str) -> None:
    modules = [*(ROOM / room).glob("*.py")]
    assert modules
    for path in modules:
        names = {name for name in imports(f"{room}/{path.stem}") if name.split(".")[0] == "war"}
        used = {name.split(".")[1] for name in names if "." in name}
        assert used <= {*ARROWS, *ROOMS[room]}, path


#: What each module of the lab takes from the others; the kernel shares the rules and the stream of the
#: readable engine, and nothing in it knows what is counted of its games.
LAB: dict[str, set[str]] = {
    "codes": set(),
    "compiling": set(),
    "kernel": {"codes", "compiling"},
    "tally": set(),
    "dealing": set(),
    "chunks": {"codes", "compiling", "kernel", "tally"},
    "running": {"chunks", "compiling"},
    "results": {"chunks", "running", "tally"},
    "summary": {"chunks", "dealing", "results", "running", "tally"},
    "questions": {"chunks", "kernel", "results", "running", "summary", "tally"},
    "endless": {"chunks", "dealing", "results", "running", "summary", "tally"},
}


@pytest.mark.parametrize("module", LAB)
def test_a_module_of_the_lab_takes_what_is_written_down(module: str) -> None:
    found = {name for name in imports(f"lab/{module}") if name.startswith("war.lab.")}
    assert found == {f"war.lab.{name}" for name in LAB[module]}


def test_no_arrow_of_the_lab_leads_back() -> None:
    assert {*TopologicalSorter(LAB).static_order()} == {*LAB}


def test_the_lab_loads_no_charts_and_no_cluster_before_they_are_asked_for() -> None:
    program = "import sys, war.lab; print(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = {name.split(".")[0] for name in run.stdout.split()}
    assert not loaded & {"matplotlib", "distributed", "dask", "pandas", "scipy"}
