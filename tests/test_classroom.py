"""A class in the small: pages made before, seats for all, failed starts, lost kernels, who left."""

from __future__ import annotations

import asyncio
import json
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from click.testing import CliRunner
from tornado.httpclient import HTTPClientError

from tests.pupils import Line, Pupil, fetch, kernel_of, kernels_of, run
from tests.servers import Server, app_page, family_of, free_port, running, status_of, war_app
from tests.test_serving import write_notebook
from war import Game
from war.cli import main
from war.serving.doors import DOORS
from war.serving.room import seats_for

ROOT = Path(__file__).parents[1]
TABLE = "from war import play\nplay()"
#: A deal that is played for all of its 500 battles.
LONG_DEAL = 1


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("notebooks")
    write_notebook(path / "play.ipynb", "# To play", TABLE)
    write_notebook(
        path / "other.ipynb", "# Something else", "print(2 * 'hip', end='')\nprint(3 * 'hur')"
    )
    write_notebook(path / "statistics.ipynb", "# Figures", "never_run = 1")
    return path


def class_of(pupils: int, folder: Path, *options: str) -> list[str]:
    return war_app("--class", str(pupils), "--host", "127.0.0.1", *options, str(folder))


def wait_until_ready(server: Server, pupils: int, seconds: float = 90) -> None:
    give_up = time.monotonic() + seconds
    while f"{pupils} of {pupils} ready." not in server.log.read_text():
        assert time.monotonic() < give_up, server.log.read_text()
        time.sleep(0.1)


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    with running(class_of(4, folder)) as server:
        wait_until_ready(server, 4)
        yield server


async def holds(true: Callable[[], bool], seconds: float = 60) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(seconds):
        while not true():
            await asyncio.sleep(0.1)


async def close(server: Server, kernel: str) -> None:
    """Close a page whose kernel this is, so that the tests after this one find the room as it was."""
    await fetch(f"{server.address}voila/api/shutdown/{kernel}", method="POST", body="")


def test_the_status_line_counts_to_the_class_and_the_links_are_printed(server: Server) -> None:
    said = server.log.read_text()
    counts = [int(count) for count in re.findall(r"(\d) of 4 ready", said)]
    assert counts == sorted(counts)
    assert {counts[0], counts[-1]} == {0, 4}
    assert f"The table: {server.address}play\n" in said
    # The code is drawn with half blocks, two of its rows to a line.
    assert said.count("█▀") + said.count("▄█") > 20
    status, wall = status_of(f"{server.address}wall")
    assert status == 200
    assert f"{server.address}play" in wall
    assert "<path" in wall


def test_a_class_plays_on_pages_made_before_and_lost_kernels_harm_nobody_else(
    server: Server,
) -> None:
    async def lesson() -> None:
        before = set(kernels_of(server))
        query = f"?deal={LONG_DEAL}&rules=house&battle=3"
        # All at once: each gets a page of their own that was there before.
        pupils = await asyncio.gather(
            *(Pupil.open(server.address, "play.ipynb", query) for _ in range(4))
        )
        assert {pupil.kernel for pupil in pupils} == before
        for pupil in pupils:
            # The address holds, though the page was made before anybody had asked for it.
            await pupil.until(lambda pupil: (pupil.battle, pupil.code) == (3, LONG_DEAL))
            assert pupil.states[pupil.board]["state"]["rules"] == "House rules"
            pupil.click("Turn cards")
            await pupil.until(lambda pupil: pupil.battle == 4)
        lost, *others = pupils
        kernels_of(server)[lost.kernel].kill()
        # Within five seconds the server says so, without anybody asking.
        await lost.sees_the_end_of_its_kernel(seconds=5)
        for pupil in others:
            pupil.click("Turn cards")
            await pupil.until(lambda pupil: pupil.battle == 5)
        # Its address holds the place, and the page loaded again goes on from there.
        again = await Pupil.open(
            server.address, "play.ipynb", f"?{lost.states[lost.board]['state']['query']}"
        )
        await again.until(lambda pupil: pupil.battle == 4)
        again.click("Turn cards")
        await again.until(lambda pupil: pupil.battle == 5)
        game = Game("house", LONG_DEAL).play(5)
        for pupil in (again, *others):
            seats = pupil.states[pupil.board]["state"]["seats"]
            assert tuple(seat["count"] for seat in seats) == game.counts
        # Whoever leaves is gone, and one after the other new pages wait for whoever comes next.
        for pupil in (again, *others):
            await pupil.leave()
        used = {pupil.kernel for pupil in (again, *pupils)}
        await holds(lambda: not used & set(kernels_of(server)), seconds=5)
        await holds(lambda: len(kernels_of(server)) == 4)
        assert not used & set(kernels_of(server))

    run(lesson(), 60)


def test_what_a_notebook_prints_is_on_its_page_and_a_click_prints_nothing(server: Server) -> None:
    async def look() -> None:
        status, page = await fetch(app_page(server.address, "other.ipynb"))
        assert status == 200
        assert "hiphiphurhurhur" in page
        await close(server, kernel_of(page))
        pupil = await Pupil.open(server.address)
        pupil.click("Turn cards")
        kinds = set()
        while pupil.battle == 0:
            kinds.add((await pupil.take_in()).kind)
        # Nothing of it went wrong and was complained of either.
        assert kinds == {"status", "comm_msg"}
        await pupil.leave()

    run(look())


def test_a_page_made_before_hears_of_its_kernel_without_waiting_for_it(server: Server) -> None:
    async def ask(notebook: str) -> tuple[int, dict[str, Any]]:
        _, page = await fetch(app_page(server.address, notebook))
        kernel = kernel_of(page)
        line = await Line.to(server.address, kernel, f"?session_id={kernel}")
        if notebook == "play.ipynb":
            kernels_of(server)[kernel].suspend()
        line.send("kernel_info_request", {})
        kinds = []
        while True:
            message = await line.next(5)
            kinds.append((message.channel, message.content.get("execution_state")))
            if message.kind == "kernel_info_reply":
                info = message.content
            # It is idle again, and the page need not wait any more for what it has asked.
            if kinds[-1] == ("iopub", "idle"):
                kernels_of(server)[kernel].resume()
                await close(server, kernel)
                return kinds.count(("shell", None)), info

    async def both() -> None:
        await holds(lambda: len(kernels_of(server)) == 4)
        (answers, info), (others, asked) = await ask("play.ipynb"), await ask("other.ipynb")
        assert answers == others == 1
        # Each time it gives another piece of advice.
        assert info.pop("banner")
        assert info.items() < asked.items()

    run(both(), 60)


def test_a_page_whose_kernel_died_before_it_came_is_told_so(server: Server) -> None:
    async def late() -> None:
        await holds(lambda: len(kernels_of(server)) == 4)
        _, page = await fetch(app_page(server.address))
        kernel = kernel_of(page)
        kernels_of(server)[kernel].kill()
        # Nobody greets this line, and it must not wait for that: it is told, or hung up, or refused
        # where the server has noticed before.
        async with asyncio.timeout(10):
            with suppress(HTTPClientError, ConnectionError):
                line = await Line.to(server.address, kernel, "?session_id=late")
                while (await line.next()).content.get("execution_state") != "dead":
                    pass

    run(late())


def test_a_full_room_says_so_kindly_until_somebody_leaves(folder: Path) -> None:
    async def rush() -> None:
        seats = seats_for(1)
        pages = await asyncio.gather(
            *(fetch(app_page(server.address, "other.ipynb")) for _ in range(seats + 4))
        )
        statuses = sorted(status for status, _ in pages)
        assert statuses == [200] * seats + [503] * 4
        refused = next(text for status, text in pages if status == 503)
        assert "<h1>The room is full</h1>" in refused
        assert "Try again" in refused
        # What needs no kernel is there for everybody.
        assert (await fetch(server.address))[0] == 200
        status, figures = await fetch(app_page(server.address, "statistics.ipynb"))
        assert status == 200
        assert "Figures" in figures
        assert "kernelId" not in figures
        left = next(kernel_of(text) for status, text in pages if status == 200)
        await fetch(f"{server.address}voila/api/shutdown/{left}", method="POST", body="")
        assert (await fetch(app_page(server.address, "other.ipynb")))[0] == 200
        # At no time there were more kernels than seats and one.
        assert most[0] <= seats + 1

    most = [0]

    def watch() -> None:
        while not done.is_set():
            most[0] = max(most[0], len(kernels_of(server)))
            time.sleep(0.1)

    with running(class_of(1, folder, "--notebook", "play")) as server:
        wait_until_ready(server, 1)
        done = threading.Event()
        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            run(rush(), 60)
        finally:
            done.set()
            watcher.join()


#: A Python that fails at the first two starts of each kernel, as one does that finds its port taken.
FAILING = """
import pathlib, sys
tries = pathlib.Path(sys.argv[-1] + ".tries")
done = len(tries.read_text()) if tries.exists() else 0
tries.write_text("x" * (done + 1))
if done < 2:
    sys.exit("Address already in use")
from ipykernel.kernelapp import main
main()
"""


#: A Python that greets nobody who listens, as kernels do that know only older versions of the protocol.
RUDE = """
from ipykernel.iostream import IOPubThread
IOPubThread._send_welcome_message = lambda *_: None
from ipykernel.kernelapp import main
main()
"""


@pytest.mark.parametrize("source", [FAILING, RUDE], ids=["failing", "rude"])
def test_a_kernel_of_another_kind_plays_and_a_failed_start_is_tried_again(
    tmp_path: Path, source: str
) -> None:
    (tmp_path / "kernel.py").write_text(source)
    kind = tmp_path / "kernels" / "other"
    kind.mkdir(parents=True)
    command = [sys.executable, str(tmp_path / "kernel.py"), "-f", "{connection_file}"]
    about = {"argv": command, "display_name": "Other", "language": "python"}
    (kind / "kernel.json").write_text(json.dumps(about))
    notebooks = tmp_path / "notebooks"
    notebooks.mkdir()
    kernel = {"name": "other", "display_name": "Other", "language": "python"}
    write_notebook(notebooks / "play.ipynb", "# To play", TABLE, kernelspec=kernel)
    write_notebook(notebooks / "other.ipynb", "# Else", TABLE, kernelspec=kernel)

    async def both() -> None:
        pupils = [await Pupil.open(server.address, each) for each in ("play.ipynb", "other.ipynb")]
        for pupil in pupils:
            pupil.click("Turn cards")
            await pupil.until(lambda pupil: pupil.battle == 1)

    with running(["env", f"JUPYTER_PATH={tmp_path}", *class_of(2, notebooks)]) as server:
        wait_until_ready(server, 2)
        run(both(), 60)


def test_a_start_that_always_fails_ends_the_page_with_words(tmp_path: Path) -> None:
    kind = tmp_path / "kernels" / "broken"
    kind.mkdir(parents=True)
    about = {"argv": ["false"], "display_name": "Broken", "language": "python"}
    (kind / "kernel.json").write_text(json.dumps(about))
    kernel = {"name": "broken", "display_name": "Broken", "language": "python"}
    write_notebook(tmp_path / "play.ipynb", "# To play", TABLE, kernelspec=kernel)
    with running(["env", f"JUPYTER_PATH={tmp_path}", *war_app(str(tmp_path))]) as server:
        _, text = status_of(app_page(server.address))
    assert "This page could not be set up" in text
    assert "load it again" in text


def test_a_pupil_who_is_cut_off_leaves_no_kernel_for_long(folder: Path) -> None:
    # The same clockwork, quicker: the times themselves are for the measurements.
    quick = (
        "import war.serving.app as app;"
        "app.CLASS_IDLE_SECONDS = 2; app.LOOK_FOR_IDLE_SECONDS = 1;"
        "from war.cli import main; main()"
    )
    command = [sys.executable, "-c", quick, *class_of(2, folder)[3:]]

    async def cut_off() -> None:
        stays, leaves = [await Pupil.open(server.address) for _ in range(2)]
        leaves.line.close()
        await holds(lambda: leaves.kernel not in kernels_of(server), seconds=15)
        # Who only looks at the page stays, and so do the pages that wait for somebody.
        await asyncio.sleep(2)
        assert stays.kernel in kernels_of(server)
        stays.click("Turn cards")
        await stays.until(lambda pupil: pupil.battle == 1)
        await holds(lambda: len(kernels_of(server)) >= 3)
        waiting = set(kernels_of(server)) - {stays.kernel}
        await asyncio.sleep(4)
        assert waiting <= set(kernels_of(server))

    with running(command) as server:
        wait_until_ready(server, 2)
        run(cut_off(), 60)


def test_a_class_is_open_to_other_machines_by_the_number_of_this_one(folder: Path) -> None:
    port = free_port()
    command = [sys.executable, "-m", "war", "app", "--no-browser", "--class", "1"]
    command += ["--port", str(port), str(folder)]
    log = folder / "log"
    with log.open("w") as output:
        process = psutil.Popen(command, stdout=output)
        try:
            give_up = time.monotonic() + 60
            while "ready" not in log.read_text():
                assert time.monotonic() < give_up
                time.sleep(0.1)
            link = re.search(rf"The table: (http://[\d.]+:{port}/play)\n", log.read_text())
            assert link
            assert "127.0.0.1" not in link[1]
            assert status_of(link[1].removesuffix("play"))[0] == 200
        finally:
            for each in family_of(process):
                each.kill()
            process.wait()


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--class", "0"], "a class has 1 to 100 pupils, not 0"),
        (["--class", "-3"], "a class has 1 to 100 pupils, not -3"),
        (["--class", "100000"], "a class has 1 to 100 pupils, not 100000"),
        (
            ["--class", "3", "--notebook", "nowhere"],
            "no notebook of this name: 'nowhere' (there are: other, play, statistics)",
        ),
        (["--class", "3", "--notebook", "../play"], "no notebook of this name: '../play'"),
        (["--notebook", "play"], "--notebook says what a class uses, so it needs --class"),
        (
            ["--class", "3", "--teacher"],
            "--teacher shows everybody the key, so it goes without --class",
        ),
    ],
)
def test_what_is_no_class_is_said_in_one_sentence(
    folder: Path, options: list[str], complaint: str
) -> None:
    result = CliRunner().invoke(main, ["app", "--no-browser", *options, str(folder)])
    assert result.exit_code == 1
    assert result.output.startswith(f"Error: {complaint}")
    assert len(result.output.splitlines()) == 1


def test_the_readme_leads_to_the_same_doors() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    first_screen = readme.split("## ")[0]
    for door in DOORS:
        for notebook in {way.notebook for way in door.ways}:
            assert f"(notebooks/{notebook})" in first_screen
        assert f"**{door.name}**" in first_screen
        assert door.promise.rstrip(".") in first_screen.replace("\n", " ")
