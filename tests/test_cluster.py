"""Several machines: a real cluster on this one, and a worker that dies in the middle of its work."""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from distributed import Client, LocalCluster

from tests.test_simulation import figures
from war.lab import lead, running, simulate


def test_a_worker_that_dies_costs_time_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = {"base": "three-down", "pickup": "shuffled", "cap": None}
    monkeypatch.setattr(running, "GAMES_IN_A_CHUNK", 12_000)
    games = 240_000
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1",
            dashboard_address=None, worker_dashboard_address=None,
        ) as cluster,
        Client(cluster) as client,
    ):  # fmt: skip
        # By address, as on the command line, and another question than a summary.
        leads = lead("classic", games=500, seed=3, dask=cluster.scheduler_address, progress=False)
        assert figures(leads.to_json()) == figures(
            lead("classic", games=500, seed=3, progress=False).to_json()
        )

        pids = client.run(os.getpid)
        with ThreadPoolExecutor(1) as aside:
            waiting = aside.submit(simulate, rules, games, 7, dask=client, progress=False)
            victim = None
            while victim is None:
                assert not waiting.done(), "all was over before a worker could be killed"
                busy = [worker for worker, tasks in client.processing().items() if tasks]
                if busy and len(busy) == len(pids):
                    victim = busy[0]
                    os.kill(pids[victim], signal.SIGKILL)
                time.sleep(0.01)
            summary = waiting.result(timeout=120)
        assert pids[victim] not in client.run(os.getpid).values()
    assert summary.games == games
    local = simulate(rules, games, 7, threads=2, progress=False)
    assert figures(summary.to_json()) == figures(local.to_json())
