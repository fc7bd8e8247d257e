"""What is installed, by whom and from what: the pins, conda's file, make, and the wheel alone."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import psutil
import pytest
import yaml
from packaging.requirements import Requirement

import war
from tests.servers import ROOT, app_page, family_of, running, status_of

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
REQUIREMENTS = sorted((ROOT / "requirements").glob("*.txt"))
EXTRAS = PROJECT["optional-dependencies"]
#: What `make play` installs: every page that is served has to work with it.
SERVED = [*PROJECT["dependencies"], *EXTRAS["study"], *EXTRAS["sheet"]]
EVERYTHING = [*PROJECT["dependencies"], *(name for extra in EXTRAS.values() for name in extra)]


def pins_of(path: Path) -> set[tuple[str, str]]:
    """Return the pinned packages with their versions; one may have a version for each platform."""
    return set(re.findall(r"^(\S+)==(\S+)", path.read_text(), re.MULTILINE))


def run(*command: object, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(part) for part in command],
        check=False,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands of an environment that holds the wheel and what it needs, and nothing more."""
    folder = tmp_path_factory.mktemp("wheel")
    environment = folder / "environment"

    def python(*arguments: object) -> None:
        done = run(sys.executable, "-m", *arguments)
        assert done.returncode == 0, done.stdout + done.stderr

    python("hatchling", "build", "--target", "wheel", "--directory", folder)
    python("uv", "venv", "--quiet", "--python", sys.executable, environment)
    install = ("uv", "pip", "install", "--quiet", "--python", environment)
    python(*install, "--require-hashes", "--requirement", ROOT / "requirements" / "app.txt")
    python(*install, "--no-deps", *folder.glob("*.whl"))
    return environment / "bin"


def test_the_wheel_alone_serves_its_notebooks_from_an_empty_folder(installed, tmp_path):
    with running(
        [str(installed / "war"), "app", "--no-browser", "--port", "0"], tmp_path
    ) as server:
        status, text = status_of(app_page(server.address))
        assert status == 200
        assert '<main id="rendered_cells">' in text
        assert "Setting the table" in text
        assert "This part of the page could not be made" not in text
        family = family_of(server.process)
        assert len(family) > 1, "no kernel was started"
        server.process.terminate()
        assert psutil.wait_procs(family, timeout=10)[1] == []
    assert list(tmp_path.iterdir()) == []


def test_the_wheel_alone_says_how_to_get_jupyterlab(installed, tmp_path):
    done = run(installed / "war", "lab", folder=tmp_path)
    assert done.returncode == 1
    assert done.stderr == (
        "Error: JupyterLab is not installed; install it with: pip install 'war-notebooks[lab]'\n"
    )


def test_the_command_knows_its_version(installed):
    done = run(installed / "war", "--version")
    assert done.stdout == f"war, version {war.__version__}\n"


@pytest.mark.parametrize("path", REQUIREMENTS, ids=lambda path: path.name)
def test_every_requirement_is_pinned_and_hashed(path):
    entries = re.split(r"\n(?=\S)", re.sub(r"(?m)^ *#.*\n", "", path.read_text()).strip())
    assert len(entries) > 5
    for entry in entries:
        assert re.match(r"^[a-z0-9.-]+==[^ ]+ .*\\\n +--hash=sha256:[0-9a-f]{64}\b", entry), entry


@pytest.mark.parametrize("name", ["app.txt", "uv.txt"])
def test_shared_requirements_have_the_same_versions(name):
    everything = pins_of(ROOT / "requirements" / "all.txt")
    some = pins_of(ROOT / "requirements" / name)
    assert some <= everything
    assert len(some) < len(everything)


@pytest.mark.parametrize(("name", "wanted"), [("app.txt", SERVED), ("all.txt", EVERYTHING)])
def test_the_pins_are_those_of_the_project(name, wanted):
    pins = pins_of(ROOT / "requirements" / name)
    for requirement in map(Requirement, wanted):
        versions = [version for name, version in pins if name == requirement.name]
        assert versions, f"run make lock: {requirement}"
        assert all(requirement.specifier.contains(each) for each in versions), requirement


@pytest.mark.parametrize(
    "path",
    [*REQUIREMENTS, *(ROOT / name for name in ("environment.yml", "pyproject.toml", "Makefile"))],
    ids=lambda path: path.name,
)
def test_nothing_is_installed_from_an_address(path):
    assert "://" not in path.read_text()


def test_conda_installs_the_packages_of_the_project():
    named = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    by_conda = [name for name in named if isinstance(name, str)]
    by_pip = next(name["pip"] for name in named if isinstance(name, dict))
    assert "--editable ." in by_pip
    others = {f"python{PROJECT['requires-python']}", "pip", "--editable ."}
    assert sorted({*by_conda, *by_pip} - others) == sorted(EVERYTHING)
    assert others <= {*by_conda, *by_pip}


def test_the_citation_names_this_version():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["version"] == war.__version__


def test_playing_after_testing_installs_nothing(monkeypatch):
    # Under make test, make tells its children what it was told itself.
    for name in ("ARGS", "MAKEFLAGS", "MAKELEVEL"):
        monkeypatch.delenv(name, raising=False)
    make = shutil.which("make")
    assert make, "make is missing; install it with: apt-get install make"
    done = run(make, "--dry-run", "play")
    assert done.stdout.strip() == ".venv/bin/war app"


def test_no_test_minds_what_ran_before_it_in_its_thread() -> None:
    # A browser's tests leave a loop running there; `tests.pupils.run` has a thread of its own.
    runs = "asyncio." + "run("
    found = [path.name for path in (ROOT / "tests").rglob("*.py") if runs in path.read_text()]
    assert not found
