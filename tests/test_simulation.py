"""How a simulation runs: threads, chunks, without Numba, progress, a stop in the middle, the command."""

import json
import re
import signal
import subprocess
import sys
import time
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import strategies  # noqa: F401 (every run draws the same examples)
from war.cli import main
from war.lab import lead, running, simulate
from war.rules import Pickup

WAR = [sys.executable, "-W", "error", "-m", "war", "simulate"]


def figures(written: str) -> dict[str, Any]:
    """All of a simulation's JSON but how long it took."""
    record: dict[str, Any] = json.loads(written)
    del record["seconds"], record["games_per_second"]
    return record


@settings(max_examples=20)
@given(
    st.sampled_from(["classic", "house", {"pickup": "as-laid", "cap": None}]),
    st.integers(1, 60),
    st.integers(1, 4),
    st.integers(1, 70),
)
def test_threads_and_chunks_change_nothing(
    rules: object, games: int, threads: int, chunk: int
) -> None:
    expected = simulate(rules, games, 5, progress=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(running, "GAMES_IN_A_CHUNK", chunk)
        found = simulate(rules, games, 5, threads=threads, progress=False)
    assert figures(found.to_json()) == figures(expected.to_json())


def test_without_numba_the_same_source_plays_the_same_games_and_says_so_once() -> None:
    program = """
import sys, warnings
sys.modules["numba"] = None
from war.lab import simulate, lead
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    for rules, games in (("classic", 150), ("house", 50), ("three-players", 20),
                         ({"pickup": "as-laid", "cap": None}, 4)):
        print(simulate(rules, games, 7, threads=2, progress=False).to_json())
    print(lead("classic", games=20, progress=False).to_json())
assert [each.category for each in said] == [RuntimeWarning], said
assert "Numba" in str(said[0].message)
"""
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=True
    )
    *summaries, leads = map(figures, ran.stdout.splitlines())
    for record in summaries:
        compiled = simulate(record["rules"], record["games"], 7, progress=False)
        assert record == figures(compiled.to_json())
    assert leads == figures(lead("classic", games=20, progress=False).to_json())


def test_memory_is_bounded_by_the_chunks_that_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "GAMES_IN_A_CHUNK", 1)
    began: list[int] = []
    ended: list[int] = []
    most = 0

    class One(int):
        def __add__(self, other: int) -> "One":
            nonlocal most
            ended.append(other)
            most = max(most, len(began) - len(ended))
            return One(int(self) + other)

    def measure(first: int, games: int) -> One:
        began.append(first)
        return One(games)

    total, run = running.add_up(measure, 500, threads=2, progress=False)
    assert (total, run.games) == (500, 500)
    # The first two are for compiling and for the sum to begin with.
    assert most <= 2 * 2 + 2


def test_who_stops_in_the_middle_gets_the_games_from_the_first_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(running, "GAMES_IN_A_CHUNK", 10)
    calls = 0
    bar = running.tqdm

    def interrupting(*words: Any, **how: Any) -> Any:
        shown = bar(*words, **how)

        def update(games: int) -> None:
            nonlocal calls
            calls += 1
            if calls == 3:
                raise KeyboardInterrupt

        shown.update = update
        return shown

    monkeypatch.setattr(running, "tqdm", interrupting)
    summary = simulate("classic", 1000, 3, threads=2, progress=False)
    assert (summary.games, summary.run.asked) == (30, 1000)
    assert "30 games of 1,000: stopped early" in repr(summary)
    monkeypatch.setattr(running, "tqdm", bar)
    thirty = simulate("classic", 30, 3, progress=False)
    assert summary.tally == thirty.tally


def test_ctrl_c_prints_what_there_is_and_progress_stays_on_standard_error() -> None:
    command = [*WAR, "--games", "1000000000000", "--seed", "7", "--json", "--progress"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout
            assert process.stderr
            # The bar moves: some chunks are over.
            shown = ""
            while not re.search(r"[1-9][0-9.]*[kM]/", shown):
                read = process.stderr.read(1)
                assert read, shown
                shown += read
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130
    record = figures(out)
    assert 0 < record["games"] < record["asked"] == 10**12
    assert sum(record["results"].values()) == record["games"]
    assert f"Stopped early: {record['games']:,} of 1,000,000,000,000 games." in err
    again = simulate("classic", record["games"], 7, progress=False)
    assert figures(again.to_json()) == {**record, "asked": record["games"]}


def run(*words: str) -> Any:
    return CliRunner().invoke(main, ["simulate", *words])


def test_the_command_prints_the_json_of_the_call() -> None:
    said = run("--rules", "classic", "--set", "pickup=shuffled", "--games", "300", "--seed", "7",
               "--threads", "2", "--json")  # fmt: skip
    assert said.exit_code == 0
    assert said.stderr == ""
    expected = simulate({"pickup": "shuffled"}, 300, 7, progress=False)
    assert figures(said.stdout) == figures(expected.to_json())
    assert figures(said.stdout)["rules"] == {"base": "classic", "pickup": "shuffled"}


@pytest.mark.parametrize("pickup", Pickup)
def test_any_field_of_the_rules_can_be_set(pickup: Pickup) -> None:
    said = run(
        "--set", f"pickup={pickup}", "--set", "ranks=2 3 4", "--set", "cap=9", "--games", "20"
    )
    assert said.exit_code == 0
    assert "reach 9 battles undecided" in said.stdout


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--games", "-5"), "games is a whole number from 1 to 1,000,000,000,000, not -5"),
        (("--threads", "0"), "threads is a whole number from 1 to 256, not 0"),
        (("--seed", "x"), "not a deal code: 'x'"),
        (("--set", "colour=red"), "unknown rule: 'colour'"),
        (("--set", "pickup=backwards"), "unknown pickup: 'backwards' is none of"),
        (("--rules", "bridge"), "unknown rules: 'bridge'"),
        (("--dask", "tcp://127.0.0.1:1"), "no Dask scheduler answers at 'tcp://127.0.0.1:1'"),
        (("--dask", "nowhere"), "no Dask scheduler answers at 'nowhere'"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence_at_once(
    words: tuple[str, ...], complaint: str
) -> None:
    start = time.perf_counter()
    said = run(*words)
    assert time.perf_counter() - start < 10
    assert said.exit_code == 1
    assert complaint in said.output
    assert len(said.output.splitlines()) == 1


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("war.lab")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    said = run("--games", "5")
    assert said.exit_code == 1
    assert "simulations need tqdm.auto: pip install 'war-notebooks[study]'" in said.output
