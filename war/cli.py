"""The command line: `war`, or `python -m war`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from war import __version__

if TYPE_CHECKING:
    from war.rules import Rules

Command = Callable[..., None]
#: What a shell makes of a program that Ctrl-C has stopped.
INTERRUPTED = 130


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="war")
def main() -> None:
    """Play the card game War: in the browser, in JupyterLab or in the terminal."""


def server_options(port: int) -> Callable[[Command], Command]:
    """Return a decorator that adds what each server of notebooks can be told."""
    options = (
        click.argument(
            "folder", required=False, type=click.Path(exists=True, file_okay=False, path_type=Path)
        ),
        click.option(
            "--host",
            default="127.0.0.1",
            show_default=True,
            help="Address to listen on; 0.0.0.0 lets other machines in.",
        ),
        click.option(
            "--port",
            default=port,
            show_default=True,
            type=click.IntRange(0, 65535),
            help="Port to listen on; if it is taken, the next free one is used.",
        ),
        click.option(
            "--base-url",
            default="/",
            show_default=True,
            help="Path that a proxy or JupyterHub puts before every address.",
        ),
        click.option("--no-browser", is_flag=True, help="Serve only, and open no browser."),
    )

    def add_all(command: Command) -> Command:
        for add in reversed(options):
            command = add(command)
        return command

    return add_all


@main.command()
@server_options(port=8866)
@click.option(
    "--class",
    "pupils",
    type=int,
    metavar="PUPILS",
    help="Make ready for a class of so many, and let other machines in.",
)
@click.option(
    "--notebook",
    metavar="NAME",
    help="The notebook that a class uses; by default the lesson, where there is one.",
)
@click.option("--teacher", is_flag=True, help="Show what is for teachers too, to whoever comes.")
@click.pass_context
def app(
    context: click.Context,
    folder: Path | None,
    host: str,
    port: int,
    base_url: str,
    no_browser: bool,
    pupils: int | None,
    notebook: str | None,
    teacher: bool,
) -> None:
    """Serve the notebooks as pages to play on, or those of FOLDER."""
    # Only the servers need Jupyter's packages, which take a second to load.
    from war.serving import notebooks_folder, serve_app

    if pupils is not None and context.get_parameter_source("host") is ParameterSource.DEFAULT:
        host = "0.0.0.0"
    with clear_errors():
        serve_app(
            folder or notebooks_folder(),
            host,
            port,
            base_url,
            browser=not no_browser,
            teacher=teacher,
            pupils=pupils,
            notebook=notebook,
        )


@main.command()
@server_options(port=8888)
def lab(folder: Path | None, host: str, port: int, base_url: str, no_browser: bool) -> None:
    """Open JupyterLab on the notebooks, or on those of FOLDER."""
    from war.serving import serve_lab

    serve_lab(folder, host, port, base_url, browser=not no_browser)


@contextmanager
def clear_errors() -> Iterator[None]:
    """Whatever is wrong with an input becomes one sentence instead of a traceback."""
    try:
        yield
    except ValueError as error:
        raise click.ClickException(str(error)) from None


def rules_options(command: Command) -> Command:
    """Add the options that choose rules: a name, and any field of `Rules` changed."""
    for add in (
        click.option(
            "changes",
            "--set",
            multiple=True,
            metavar="FIELD=VALUE",
            help="Change one rule, as in --set down=3; none is no cap. May be given more than once.",
        ),
        click.option("--rules", default="classic", show_default=True, help="A rule set by name."),
    ):
        command = add(command)
    return command


def chosen_rules(rules: str, changes: tuple[str, ...]) -> Rules:
    """The rules that the options name.

    >>> chosen_rules("house", ("cap=none", "down=1,2", "ranks=2 A")).down
    (1, 2)

    Raises ValueError for an unknown name, field or value.
    """
    from war.cards import shown
    from war.variants import answer_of, rules_of

    answers: dict[str, object] = {}
    for change in changes:
        field, equals, value = change.partition("=")
        if not equals:
            raise ValueError(f"a change of rules is written field=value, not {shown(change)}")
        answers[field] = answer_of(field, value)
    return rules_of(rules).change(**answers)


@main.command()
@click.argument("code")
@rules_options
def deal(code: str, rules: str, changes: tuple[str, ...]) -> None:
    """Print the piles that the deal code CODE gives: a line for each player, top card first."""
    from war.cards import text
    from war.chance import deal_code
    from war.game import deal as piles_of

    with clear_errors():
        for pile in piles_of(chosen_rules(rules, changes), deal_code(code)):
            click.echo(text(pile))


@main.command()
@click.argument("code", required=False)
@click.option("--end", is_flag=True, help="Play to the end without asking.")
@rules_options
def play(code: str | None, end: bool, rules: str, changes: tuple[str, ...]) -> None:
    """Play a round in the terminal: the deal CODE, or a new one."""
    from war.describe import moment, of_battles
    from war.game import Game

    with clear_errors():
        game = Game(chosen_rules(rules, changes), code)
    click.echo(f"Deal {game.code}. {moment(game).shown}")
    while not game.outcome:
        if end:
            battles: int | None = 1
        else:
            answer = click.prompt(
                "Enter turns cards, 10 plays ten battles, e plays to the end, b goes back, q stops",
                default="",
                show_default=False,
                prompt_suffix=": ",
            )
            match answer.strip().lower():
                case "":
                    battles = 1
                case "10":
                    battles = 10
                case "e":
                    battles = None
                case "b":
                    click.echo(moment(game.back()).spoken)
                    continue
                case "q":
                    return
                case _:
                    click.echo(f"{answer!r} is none of these.")
                    continue
        before = game.battles
        game.play(battles)
        click.echo(of_battles(game, before + 1).spoken)


@main.command()
@click.option("--games", default=10_000, show_default=True, help="How many games to play.")
@click.option(
    "--seed", default="0", show_default=True, help="Which games: the same seed, the same games."
)
@click.option("--threads", default=1, show_default=True, help="How many to play at a time.")
@click.option("--dask", metavar="ADDRESS", help="Let the workers of this Dask scheduler play.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--progress/--no-progress",
    default=None,
    help="Show how far it is, on standard error.  [default: on a terminal]",
)
@rules_options
def simulate(
    games: int,
    seed: str,
    threads: int,
    dask: str | None,
    as_json: bool,
    progress: bool | None,
    rules: str,
    changes: tuple[str, ...],
) -> None:
    """Play many games and sum them up.

    Ctrl-C stops early and prints what has been played by then; the exit code is 130.
    """
    from war.chance import deal_code

    with clear_errors():
        chosen, code = chosen_rules(rules, changes), deal_code(seed)
        try:
            from war.lab import simulate as simulated
        except ImportError as error:
            raise click.ClickException(
                f"simulations need {error.name}: pip install 'war-notebooks[study]'"
            ) from None
        try:
            summary = simulated(
                chosen,
                games,
                code,
                threads=threads,
                dask=dask,
                progress=sys.stderr.isatty() if progress is None else progress,
            )
        except KeyboardInterrupt:
            click.echo("Stopped before the first games were over.", err=True)
            raise SystemExit(INTERRUPTED) from None
    click.echo(summary.to_json() if as_json else summary)
    if summary.games < games:
        click.echo(f"Stopped early: {summary.games:,} of {games:,} games.", err=True)
        raise SystemExit(INTERRUPTED)


@main.command()
@click.argument("lines", type=click.File("rb"), default="-")
def replay(lines: Iterator[bytes]) -> None:
    """Play positions from standard input, a JSON record a line, and print what becomes of each."""
    from war.replay import replay as replayed
    from war.replay import to_line

    wrong = False
    for record in replayed(line.decode(errors="replace") for line in lines):
        wrong = wrong or "error" in record
        click.echo(to_line(record))
    if wrong:
        raise SystemExit(1)


@main.command()
@click.option("--deal", "code", required=True, metavar="CODE", help="The class's deal code.")
@click.option("--level", default="chance", show_default=True, help="compare, chance or compute.")
@click.option("--paper", default="a4", show_default=True, help="a4 or letter.")
@rules_options
@click.option(
    "--output",
    default=".",
    type=click.Path(path_type=Path),
    help="Folder to write into.  [default: the present one]",
)
def sheet(
    code: str, level: str, paper: str, rules: str, changes: tuple[str, ...], output: Path
) -> None:
    """Write a sheet of tasks on a deal for pupils, and its key, each as PDF and HTML.

    The key is apart, and tells what is right in the lesson on this deal too.
    """
    from war.lesson.sheet import write

    with clear_errors():
        for path in write(output, code, level, chosen_rules(rules, changes), paper):
            click.echo(path)


@main.command()
@click.argument("notebook", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write.  [default: beside the notebook, ending in .html]",
)
def export(notebook: Path, output: Path | None) -> None:
    """Write NOTEBOOK with the outputs it holds as one HTML file, to hand out, to keep or to print."""
    from war.saved_page import saved_page

    output = output or notebook.with_suffix(".html")
    with clear_errors():
        output.write_text(saved_page(notebook), encoding="utf-8")
    click.echo(output)
