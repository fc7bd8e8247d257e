"""A class of thirty: how long they wait, what a click takes, what it takes of the machine; in one run.

The floor is a notebook of one Button and one Label, served in the same way. Each pupil is a real
WebSocket; in Chromium four pages are opened at a time. A page is playable when the state of its
widgets has come, one button was clicked, and what the click changes has come back.
"""

import asyncio
import json
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import nbformat.v4
import psutil
from playwright.async_api import Browser, async_playwright

from bench.pages import BARE, LONG_DEAL
from tests.pupils import Pupil, fetch, kernel_of, kernels_of, run
from tests.servers import CHROMIUM_FLAGS, ROOT, Server, app_page, find_chromium, running, war_app
from war.serving.room import seats_for

PUPILS = 30
SECONDS_OF_PLAY = 30
#: So long it takes a class that has seen the link on the wall until the last one is there.
SECONDS_TO_COME = 5
KILLED = 4
STARTS = 300
AT_A_TIME = 4
ROUNDS_IN_CHROMIUM = 8
#: What `war app --class` promises: idle for five minutes, and looked for twice a minute.
GONE_AFTER = 6 * 60
TIME_LIMIT = 600


class Kind(NamedTuple):
    """A kind of page: its notebook, the address's query, the button, and what a click counts up."""

    name: str
    notebook: str
    query: str
    button: str
    count: Callable[[Pupil], int]


def _clicks(pupil: Pupil) -> int:
    label = pupil.find(lambda state: str(state.get("value")).endswith(" clicks"))
    return int(pupil.states[label]["value"].split()[0])


FLOOR = Kind("one Button and one Label", "bare.ipynb", "", "Count", _clicks)
TABLE = Kind(
    "the game's page", "play.ipynb", f"?deal={LONG_DEAL}", "Turn cards", lambda p: p.battle
)

#: What a page is asked: whether somebody sees this element, and whether it says something new.
SEEN = "button => document.querySelector(button)?.checkVisibility({ visibilityProperty: true })"
CHANGED = "([place, before]) => document.querySelector(place).textContent !== before"

Row = tuple[str, str, str]


def rows() -> Iterator[Row]:
    """What was measured, the figures, and the aim, for each measurement."""
    with tempfile.TemporaryDirectory(prefix="war-") as name:
        folder = _notebooks(Path(name))
        for kinds in (_warm_and_cold, _in_chromium, _starts):
            yield from kinds(folder)


def _notebooks(folder: Path) -> Path:
    shutil.copy(ROOT / "notebooks" / TABLE.notebook, folder)
    bare = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(BARE.strip())])
    nbformat.write(bare, folder / FLOOR.notebook)
    return folder


def _class_of(pupils: int, kind: Kind, folder: Path) -> list[str]:
    options = ("--class", str(pupils), "--notebook", kind.notebook, "--host", "127.0.0.1")
    return war_app(*options, str(folder))


def _until_ready(server: Server, pupils: int) -> float:
    start = time.perf_counter()
    while f"{pupils} of {pupils} ready." not in server.log.read_text():
        if time.perf_counter() - start > TIME_LIMIT:
            raise TimeoutError(server.log.read_text())
        time.sleep(0.2)
    return time.perf_counter() - start


async def _open(server: Server, kind: Kind, after: float = 0) -> tuple[Pupil, float]:
    """A pupil who has played once, and the seconds from asking for the page to that."""
    await asyncio.sleep(after)
    start = time.perf_counter()
    pupil = await Pupil.open(server.address, kind.notebook, kind.query)
    pupil.click(kind.button)
    await pupil.until(lambda pupil: kind.count(pupil) == 1, TIME_LIMIT)
    return pupil, time.perf_counter() - start


async def _play(pupils: Sequence[Pupil], kind: Kind, seconds: int) -> list[float]:
    """The seconds from each click to its answer, all pupils clicking once a second."""

    async def one(pupil: Pupil, place: int) -> list[float]:
        waits = []
        begin = time.perf_counter() + place / len(pupils)
        for click in range(seconds):
            await asyncio.sleep(begin + click - time.perf_counter())
            wanted = kind.count(pupil) + 1
            start = time.perf_counter()
            pupil.click(kind.button)
            await pupil.until(lambda pupil, wanted=wanted: kind.count(pupil) == wanted)
            waits.append(time.perf_counter() - start)
        return waits

    played = await asyncio.gather(*(one(pupil, place) for place, pupil in enumerate(pupils)))
    return [wait for waits in played for wait in waits]


class Lesson(NamedTuple):
    """What a class of one kind of page measured."""

    playable: list[float]
    clicks: list[float]
    pupil_megabytes: list[float]
    server_megabytes: float


def _warm_and_cold(folder: Path) -> Iterator[Row]:
    cold = {}
    for kind in (FLOOR, TABLE):
        with running(war_app(str(folder))) as server:
            cold[kind] = run(_all_come(server, kind, within=0))
    with running(_class_of(PUPILS, TABLE, folder)) as server:
        _until_ready(server, PUPILS)
        one_by_one = run(_all_come(server, TABLE, within=SECONDS_TO_COME))
    lessons, more = {}, []
    for kind in (FLOOR, TABLE):
        with running(_class_of(PUPILS, kind, folder)) as server:
            ready = _until_ready(server, PUPILS)
            yield f"{PUPILS} of {PUPILS} ready, {kind.name}", f"{ready:.0f} s", ""
            lessons[kind], found = run(_lesson(server, kind), TIME_LIMIT + 2 * GONE_AFTER)
            more += found
    for what, measured in (
        ("once warm", {k: v.playable for k, v in lessons.items()}),
        ("cold", cold),
    ):
        aim = "p95 at most 0.5 s" if what == "once warm" else ""
        for kind, seconds in measured.items():
            yield f"{PUPILS} at once, page to playable, {what}, {kind.name}", _spread(seconds), aim
    yield (
        f"{PUPILS} within {SECONDS_TO_COME} s, page to playable, once warm, {TABLE.name}",
        _spread(one_by_one),
        "",
    )
    own, floor = lessons[TABLE], lessons[FLOOR]
    times = _part(own.clicks, 0.95) / _part(floor.clicks, 0.95)
    figures = f"{times:.2f} times ({_spread(own.clicks)} against {_spread(floor.clicks)})"
    yield "a click a second from each, p95 against the floor's", figures, "at most 1.5 times"
    most = max(own.pupil_megabytes)
    half, base = (statistics.median(each.pupil_megabytes) for each in (own, floor))
    figures = f"{most:.1f} MB, median {half:.1f} MB (floor {base:.1f} MB)"
    yield "memory (RSS) of a pupil's kernel after that, most", figures, "at most 55 MB"
    yield "memory (RSS) of the server", f"{own.server_megabytes:.0f} MB", "at most 150 MB"
    yield from more


async def _all_come(server: Server, kind: Kind, within: float) -> list[float]:
    coming = (_open(server, kind, place * within / PUPILS) for place in range(PUPILS))
    opened = await asyncio.gather(*coming)
    for pupil, _ in opened:
        await pupil.leave()
    return [seconds for _, seconds in opened]


async def _lesson(server: Server, kind: Kind) -> tuple[Lesson, list[Row]]:
    """All come at once and click once a second; with the table, some lose their kernels, some go."""
    opened = await asyncio.gather(*(_open(server, kind) for _ in range(PUPILS)))
    pupils = [pupil for pupil, _ in opened]
    clicks = await _play(pupils, kind, SECONDS_OF_PLAY)
    kernels = kernels_of(server)
    used = [kernels[pupil.kernel].memory_info().rss / 1e6 for pupil in pupils]
    own = psutil.Process(server.process.pid).memory_info().rss / 1e6
    lesson = Lesson([seconds for _, seconds in opened], clicks, used, own)
    return lesson, [] if kind is FLOOR else await _losses(server, pupils)


async def _losses(server: Server, pupils: list[Pupil]) -> list[Row]:
    lost, others = pupils[:KILLED], pupils[KILLED:]
    battles = {pupil.kernel: pupil.battle for pupil in pupils}
    for pupil in lost:
        kernels_of(server)[pupil.kernel].kill()

    async def goes_on(pupil: Pupil) -> tuple[Pupil, float, float]:
        start = time.perf_counter()
        await pupil.sees_the_end_of_its_kernel()
        told = time.perf_counter() - start
        query = pupil.states[pupil.board]["state"]["query"]
        again = await Pupil.open(server.address, TABLE.notebook, f"?{query}")
        await again.until(lambda again: again.battle == battles[pupil.kernel])
        again.click(TABLE.button)
        await again.until(lambda again: again.battle == battles[pupil.kernel] + 1)
        return again, told, time.perf_counter() - start - told

    waits, *back = await asyncio.gather(_play(others, TABLE, 10), *(goes_on(each) for each in lost))
    missed = sum(pupil.battle != battles[pupil.kernel] + 10 for pupil in others)
    told, gone_on = (max(each[place] for each in back) for place in (1, 2))
    half = len(others) // 2
    leaving, staying = others[:half], [*others[half:], *(each[0] for each in back)]
    for pupil in leaving:
        pupil.line.close()
    start = time.perf_counter()
    names = {pupil.kernel for pupil in leaving}
    while names & set(kernels_of(server)):
        if time.perf_counter() - start > 2 * GONE_AFTER:
            break
        # Whoever stays takes part now and then.
        await _play(staying, TABLE, 1)
        await asyncio.sleep(4)
    seconds = time.perf_counter() - start
    alive = sum(pupil.kernel in kernels_of(server) for pupil in staying)
    return [
        (
            f"{KILLED} kernels killed: those {KILLED} are told, and play on where they were",
            f"after {told:.1f} s, {gone_on:.2f} s after asking for the page again",
            f"{KILLED} of {KILLED}",
        ),
        (
            f"{KILLED} kernels killed: clicks of the other {len(others)} that went astray",
            f"{missed}; {_spread(waits)}",
            "0",
        ),
        (
            f"kernels of {len(leaving)} pupils who were cut off gone (of {len(staying)} others left)",
            f"after {seconds:.0f} s ({alive} left)",
            f"within {GONE_AFTER} s",
        ),
    ]


def _in_chromium(folder: Path) -> Iterator[Row]:
    seconds: dict[Kind, list[float]] = {FLOOR: [], TABLE: []}
    # The first round reads from the disk what later ones find in memory.
    for number in range(ROUNDS_IN_CHROMIUM + 1):
        # Each kind comes first in every other round, as a machine gets faster and slower.
        for kind in [*seconds][:: 1 if number % 2 else -1]:
            with running(_class_of(AT_A_TIME, kind, folder)) as server:
                _until_ready(server, AT_A_TIME)
                found = run(_four_at_a_time(server, kind), TIME_LIMIT)
            if number:
                seconds[kind] += found
    own, base = seconds[TABLE], seconds[FLOOR]
    times = statistics.median(own) / statistics.median(base)
    yield (
        f"Chromium, {AT_A_TIME} pages at a time, to the first working click",
        f"{times:.2f} times ({_spread(own)} against {_spread(base)})",
        "at most 1.1 times",
    )


async def _four_at_a_time(server: Server, kind: Kind) -> list[float]:
    other = TABLE if kind is FLOOR else FLOOR
    # With guests in all seats that are left, no page is warmed while the others are measured.
    for _ in range(seats_for(AT_A_TIME) - AT_A_TIME):
        await Pupil.open(server.address, other.notebook)
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(
            executable_path=find_chromium(), args=CHROMIUM_FLAGS, timeout=60_000
        )
        found = await asyncio.gather(*(_one_page(chromium, kind, server) for _ in range(AT_A_TIME)))
        await chromium.close()
    return found


async def _one_page(chromium: Browser, kind: Kind, server: Server) -> float:
    context = await chromium.new_context()
    page = await context.new_page()
    button, changes = (
        (".jupyter-button", ".widget-label") if kind is FLOOR else (".war-turn", ".war-battle")
    )
    start = time.perf_counter()
    await page.goto(
        app_page(server.address, kind.notebook) + kind.query, timeout=120_000, wait_until="commit"
    )
    # These look at every frame, while a locator looks again after up to a whole second.
    await page.wait_for_function(SEEN, arg=button, timeout=120_000)
    before = await page.text_content(changes)
    await page.click(button, timeout=120_000)
    await page.wait_for_function(CHANGED, arg=[changes, before], timeout=120_000)
    seconds = time.perf_counter() - start
    await context.close()
    return seconds


def _starts(folder: Path) -> Iterator[Row]:
    with running(war_app(str(folder))) as server:
        whole, longest = asyncio.run(_start_all(server))
    yield (
        f"{STARTS} pages made when they were asked for, {AT_A_TIME} at a time",
        f"{STARTS - whole} without end, failed or broken; the slowest {longest:.1f} s",
        "0 without end",
    )


async def _start_all(server: Server) -> tuple[int, float]:
    left, whole, longest = iter(range(STARTS)), 0, 0.0

    async def visitor() -> None:
        nonlocal whole, longest
        for _ in left:
            start = time.perf_counter()
            status, page = await fetch(app_page(server.address, TABLE.notebook))
            longest = max(longest, time.perf_counter() - start)
            good = status == 200 and page.rstrip().endswith("</html>")
            good = good and "could not be" not in page
            whole += good
            if good:
                body = json.dumps({})
                address = f"{server.address}voila/api/shutdown/{kernel_of(page)}"
                await fetch(address, method="POST", body=body)

    await asyncio.gather(*(visitor() for _ in range(AT_A_TIME)))
    return whole, longest


def _part(values: Sequence[float], part: float) -> float:
    return statistics.quantiles(values, n=100, method="inclusive")[round(part * 100) - 1]


def _spread(seconds: Sequence[float]) -> str:
    half, most, longest = _part(seconds, 0.5), _part(seconds, 0.95), max(seconds)
    return f"p50 {half:.3g} s, p95 {most:.3g} s, longest {longest:.3g} s"


if __name__ == "__main__":
    for row in rows():
        print(*row, sep=" | ", flush=True)
