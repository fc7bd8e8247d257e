"""What a pupil's browser cannot do; each attack succeeds against a plain Jupyter server, so it is real."""

from __future__ import annotations

import asyncio
import json
import sys
import uuid
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tornado.websocket import websocket_connect

from tests.pupils import Line, Pupil, fetch, kernel_of, run
from tests.servers import TOKEN, app_page, free_port, running, status_of, war_app
from tests.test_serving import write_notebook

#: For one attack on one server, or for play, on a busy machine.
TIME_LIMIT = 15
CODE = "only_in_the_source"
WORDS = "what pupils usually get wrong"
#: Whoever asks this kernel to begin a conversation of this kind has code run by it.
RUNS_WHAT_IT_HEARS = """
get_ipython().kernel.comm_manager.register_target(
    "run", lambda comm, message: exec(message["content"]["data"]["code"])
)
"""
TABLE = "from war import play\nplay(deal=1)"


class Place(NamedTuple):
    """A server, what lies in its folder, and two kernels: the attacker's own and another pupil's."""

    address: str
    folder: Path
    own: str
    other: str
    headers: dict[str, str]

    async def ask(self, path: str, method: str = "GET", **options: Any) -> tuple[int, str]:
        """Ask the server for something, with all the rights that a visitor has."""
        if method in ("POST", "PUT"):
            options.setdefault("body", "{}")
        return await fetch(self.address + path, method=method, headers=self.headers, **options)

    async def line(self, kernel: str = "") -> Line:
        """A WebSocket to a kernel, by default to the attacker's own."""
        return await Line.to(self.address, kernel or self.own, self.query)

    @property
    def query(self) -> str:
        """What a WebSocket's address says of those rights."""
        return f"?token={TOKEN}" if self.headers else ""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("notebooks")
    write_notebook(path / "play.ipynb", "# To play", f"{CODE} = 1", RUNS_WHAT_IT_HEARS, TABLE)
    write_notebook(path / "teacher.ipynb", f"# For the teacher\n\n{WORDS}", f"{CODE} = 1")
    (path / "teachers").mkdir()
    write_notebook(path / "teachers" / "plan.ipynb", f"# A plan\n\n{WORDS}")
    (path / "another-name.ipynb").symlink_to("teacher.ipynb")
    (path / "notes.py").write_text(f"{CODE} = 1")
    return path


@pytest.fixture(scope="module")
def plain(folder: Path) -> Iterator[Place]:
    """A plain Jupyter server, with the token that it gives to whoever may come in."""
    command = [
        *(sys.executable, "-m", "jupyter_server", "--no-browser", "--allow-root"),
        *("--ip=127.0.0.1", f"--port={free_port()}", f"--ServerApp.root_dir={folder}"),
        "--ServerApp.allow_remote_access=True",
    ]
    headers = {"Authorization": f"token {TOKEN}"}

    async def start(address: str) -> str:
        _, text = await fetch(f"{address}api/kernels", method="POST", body="{}", headers=headers)
        kernel: str = json.loads(text)["id"]
        line = await Line.to(address, kernel, f"?token={TOKEN}")
        line.send("execute_request", {"code": RUNS_WHAT_IT_HEARS + TABLE, "silent": False})
        while (await line.next()).kind != "execute_reply":
            pass
        return kernel

    async def start_two(address: str) -> list[str]:
        return await asyncio.gather(start(address), start(address))

    with running(command) as server:
        own, other = run(start_two(server.address), 60)
        yield Place(server.address, folder, own, other, headers)


@pytest.fixture(scope="module")
def ours(folder: Path) -> Iterator[Place]:
    async def open_two(address: str) -> list[str]:
        pages = await asyncio.gather(*(fetch(app_page(address)) for _ in range(2)))
        return [kernel_of(page) for _, page in pages]

    with running(war_app(str(folder))) as server:
        own, other = run(open_two(server.address), 60)
        yield Place(server.address, folder, own, other, {})


Attack = Callable[[Place], Awaitable[bool]]


async def happened(line: Line, mark: Path) -> bool:
    """Whether a file has come to be, when the kernel has had the time for all that it heard."""
    for _ in range(3):
        line.send("kernel_info_request", {})
        with suppress(TimeoutError):
            while (await line.next(5)).kind != "kernel_info_reply":
                pass
        await asyncio.sleep(0.2)
        if mark.exists():
            return True
    return False


def writes(mark: Path) -> str:
    return f"open({str(mark)!r}, 'w').close()"


def execute_on(channel: str) -> Attack:
    async def attack(place: Place) -> bool:
        mark, line = place.folder / f"{uuid.uuid4()}.mark", await place.line()
        content = {"code": writes(mark), "silent": True, "user_expressions": {}}
        line.send("execute_request", content, channel)
        return await happened(line, mark)

    return attack


async def execute_by_the_older_protocol(place: Place) -> bool:
    mark, line = place.folder / f"{uuid.uuid4()}.mark", await place.line()
    where = f"{place.address.replace('http', 'ws', 1)}api/kernels/{place.own}/channels"
    older = Line(await websocket_connect(where + place.query)).connection
    header = {"msg_id": "1", "msg_type": "execute_request", "session": "1", "username": ""}
    message = {
        "header": {**header, "version": "5.3", "date": "2026-01-01T00:00:00Z"},
        "parent_header": {},
        "metadata": {},
        "content": {"code": writes(mark), "silent": True},
        "buffers": [],
        "channel": "shell",
    }
    older.write_message(json.dumps(message))
    return await happened(line, mark)


async def run_by_a_conversation(place: Place) -> bool:
    mark, line = place.folder / f"{uuid.uuid4()}.mark", await place.line()
    data = {"code": writes(mark)}
    line.send("comm_open", {"comm_id": uuid.uuid4().hex, "target_name": "run", "data": data})
    return await happened(line, mark)


async def run_by_user_expressions(place: Place) -> bool:
    mark, line = place.folder / f"{uuid.uuid4()}.mark", await place.line()
    content = {"code": "", "silent": False, "user_expressions": {"x": writes(mark)}}
    line.send("execute_request", content)
    return await happened(line, mark)


async def write_a_file_by_the_debugger(place: Place) -> bool:
    line = await place.line()
    request = {"type": "request", "seq": 1, "command": "dumpCell", "arguments": {"code": "1"}}
    line.send("debug_request", request, "control")
    # What is asked on another channel is answered at once, so this one has its time.
    await asyncio.sleep(1)
    return await answered(line, "debug_reply")


async def answered(line: Line, kind: str) -> bool:
    """Whether an answer of this kind comes before that to a question asked later."""
    line.send("kernel_info_request", {})
    heard = []
    while "kernel_info_reply" not in heard:
        heard.append((await line.next()).kind)
    return kind in heard


def look_inside_by(kind: str, content: dict[str, Any]) -> Attack:
    async def attack(place: Place) -> bool:
        line = await place.line()
        line.send(f"{kind}_request", content)
        return await answered(line, f"{kind}_reply")

    return attack


async def open_another_kind_of_widget(place: Place) -> bool:
    line = await place.line()
    name = uuid.uuid4().hex
    state = {"_model_module": "@jupyter-widgets/controls", "_model_name": "TextModel"}
    state |= {"_model_module_version": "2.0.0", "_view_module": "@jupyter-widgets/controls"}
    state |= {"_view_module_version": "2.0.0", "_view_name": "TextView"}
    data = {"state": state, "buffer_paths": []}
    line.send("comm_open", {"comm_id": name, "target_name": "jupyter.widget", "data": data})
    line.send("comm_info_request", {})
    while (message := await line.next()).kind != "comm_info_reply":
        pass
    return name in message.content["comms"]


def see(path: str, evidence: str) -> Attack:
    async def attack(place: Place) -> bool:
        return evidence in (await place.ask(path))[1]

    return attack


async def list_kernels(place: Place) -> bool:
    return place.other in (await place.ask("api/kernels"))[1]


async def start_a_kernel(place: Place) -> bool:
    status, text = await place.ask("api/kernels", "POST")
    with suppress(ValueError):
        await place.ask(f"api/kernels/{json.loads(text)['id']}", "DELETE")
    return status == 201


async def open_a_terminal(place: Place) -> bool:
    return (await place.ask("api/terminals", "POST"))[0] == 200


async def write_a_file(place: Place) -> bool:
    body = json.dumps({"type": "file", "format": "text", "content": "x"})
    await place.ask("api/contents/written.py", "PUT", body=body)
    written = place.folder / "written.py"
    done = written.exists()
    written.unlink(missing_ok=True)
    return done


async def delete_a_file(place: Place) -> bool:
    lost = place.folder / "lost.txt"
    lost.write_text("x")
    await place.ask("api/contents/lost.txt", "DELETE")
    done = not lost.exists()
    lost.unlink(missing_ok=True)
    return done


async def play_for_another_pupil(place: Place) -> bool:
    """Turn a card on every table that can be found or guessed; whether another pupil's one turned."""
    victim = await pupil_at(place, place.other)
    _, listed = await place.ask("api/kernels")
    with suppress(ValueError):
        for kernel in json.loads(listed):
            (await pupil_at(place, kernel["id"])).click("Turn cards")
    # Even who knows what the other's button is called reaches nothing by the own line.
    own = await place.line()
    button = victim.find(lambda state: state.get("description") == "Turn cards")
    data = {"method": "custom", "content": {"event": "click"}}
    own.send("comm_msg", {"comm_id": button, "data": data})
    with suppress(TimeoutError):
        await victim.until(lambda pupil: pupil.battle > 0, seconds=2)
    return victim.battle > 0


async def pupil_at(place: Place, kernel: str) -> Pupil:
    return await Pupil.at(place.address, await place.line(kernel), kernel)


async def end_a_kernel_of_others(place: Place) -> bool:
    """Ask for the end of all kernels that are listed, by every address there is for it."""
    _, listed = await place.ask("api/kernels")
    with suppress(ValueError):
        for kernel in json.loads(listed):
            await place.ask(f"api/kernels/{kernel['id']}", "DELETE")
    await place.ask(f"voila/api/shutdown/{uuid.uuid4()}", "POST")
    await place.ask("voila/api/shutdown/", "POST")
    await place.ask(f"api/kernels/{uuid.uuid4()}", "DELETE")
    return (await place.ask(f"api/kernels/{place.other}"))[0] != 200


ATTACKS: dict[str, Attack] = {
    "run code": execute_on("shell"),
    "run code on the channel for control": execute_on("control"),
    "run code by the older protocol": execute_by_the_older_protocol,
    "run code that a conversation brings": run_by_a_conversation,
    "run code as an expression": run_by_user_expressions,
    "write by the debugger": write_a_file_by_the_debugger,
    "look at a name": look_inside_by("inspect", {"code": "play", "cursor_pos": 4}),
    "look for names": look_inside_by("complete", {"code": "pl", "cursor_pos": 2}),
    "look at what ran before": look_inside_by(
        "history", {"output": False, "raw": True, "hist_access_type": "tail", "n": 5}
    ),
    "make a widget": open_another_kind_of_widget,
    "list kernels": list_kernels,
    "list sessions": see("api/sessions", "["),
    "list terminals": see("api/terminals", "["),
    "list kinds of kernels": see("api/kernelspecs", "kernelspecs"),
    "list files": see("api/contents", "notes.py"),
    "see how many are there": see("api/status", "kernels"),
    "read a source": see("files/play.ipynb", CODE),
    "read a source by its contents": see("api/contents/play.ipynb", CODE),
    "read a source as a script": see("nbconvert/script/play.ipynb", CODE),
    "read another file": see("files/notes.py", CODE),
    "read what is for teachers": see("files/teacher.ipynb", WORDS),
    "read what is for teachers as a page": see("nbconvert/html/teacher.ipynb", WORDS),
    "start a kernel": start_a_kernel,
    "open a terminal": open_a_terminal,
    "write a file": write_a_file,
    "delete a file": delete_a_file,
    "play for another pupil": play_for_another_pupil,
    # The last one, as nothing is left after it.
    "end another's kernel": end_a_kernel_of_others,
}


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_that_is_real_is_refused(name: str, plain: Place, ours: Place) -> None:
    attack = ATTACKS[name]
    assert not run(attack(ours), TIME_LIMIT), f"succeeded: {name}"
    assert run(attack(plain), TIME_LIMIT), f"no attack at all: {name}"


def test_after_all_of_that_the_page_still_plays(ours: Place) -> None:
    async def play() -> int:
        line = await ours.line()
        for junk in (b"", b"\x00" * 8, b"\xff" * 100, "{}", "[]", "null", "x" * 10_000):
            line.connection.write_message(junk, binary=isinstance(junk, bytes))
        pupil = await Pupil.at(ours.address, line, ours.own)
        pupil.click("Turn cards")
        await pupil.until(lambda pupil: pupil.battle == 1)
        return pupil.battle

    assert run(play(), TIME_LIMIT) == 1


TRICKS = [
    "voila/render/{}",
    "voila/render//{}",
    "voila/render/./{}",
    "voila/render/x/../{}",
    "voila/render/teachers/../{}",
    "voila/render/%2e/{}",
    "voila/render/%2F{}",
    "voila/render/{}/",
    "voila/render/{}%20",
    "voila/render/{}%00",
    "voila/render/{}?template=lab&theme=light",
    "voila/files/{}",
    "voila/files/./{}",
    "voila/files/%2e%2e/{folder}/{}",
    "voila/files/{}%0a.png",
    "voila/static/../../{}",
    "voila/static/%2e%2e/%2e%2e/{}",
    "voila/templates/war/static/../../../../../../notebooks/{}",
    "voila/templates/../static/{}",
    "voila/labextensions/../{}",
    "voila/tree/{}",
    "voila/api/contents/{}",
    "voila/api/contents/{}?content=1&type=file&format=text",
    "voila/{}",
    "static/{}",
    "files/{}",
    "notebooks/{}",
    "edit/{}",
    "lab/tree/{}",
    "doc/tree/{}",
    "tree/{}",
    "nbconvert/html/{}",
    "nbconvert/script/{}",
    "api/contents/{}",
    "{}",
]
NAMES = [
    "teacher.ipynb",
    "TEACHER.ipynb",
    "%74eacher.ipynb",
    "teachers/plan.ipynb",
    "another-name.ipynb",
    ".ipynb_checkpoints/teacher-checkpoint.ipynb",
]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_for_teachers_is_at_no_address(name: str, ours: Place) -> None:
    for trick in TRICKS:
        path = trick.format(name, folder=ours.folder.name)
        status, text = status_of(ours.address + path)
        assert status >= 400, f"{status} at {path}"
        assert WORDS not in text, path
        assert CODE not in text, path


def test_it_is_in_no_list_either(ours: Place) -> None:
    for path in ("", "voila/tree", "voila/tree/teachers", "teacher"):
        _, text = status_of(ours.address + path)
        assert "teacher.ipynb" not in text
        assert "For the teacher" not in text
        assert "plan.ipynb" not in text


def test_a_teacher_sees_it_and_still_no_source(folder: Path) -> None:
    with running(war_app("--teacher", str(folder))) as server:
        assert "For the teacher" in status_of(server.address)[1]
        status, text = status_of(app_page(server.address, "teacher.ipynb"))
        assert status == 200
        assert WORDS in text
        assert CODE not in text
        for trick in TRICKS:
            # A page is made with a kernel, which takes its time; one was enough.
            path = trick.format("teacher.ipynb", folder=folder.name)
            if path.startswith("voila/render"):
                continue
            assert CODE not in status_of(server.address + path)[1], path
