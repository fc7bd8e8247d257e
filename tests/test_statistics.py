"""The notebook of the figures: its chapters, what it says in prose, and what it keeps."""

import re
from typing import Any

import nbformat

from tests.servers import ROOT
from war.lab import simulate

NOTEBOOK = nbformat.read(ROOT / "notebooks" / "statistics.ipynb", as_version=4)
CELLS = {cell["id"]: cell for cell in NOTEBOOK.cells}
PROSE = " ".join(
    " ".join(cell["source"].split()) for cell in NOTEBOOK.cells if cell.cell_type == "markdown"
)


def html(cell: Any) -> str:
    return "".join(output["data"].get("text/html", "") for output in cell["outputs"])


def charts() -> list[Any]:
    return [cell for cell in CELLS.values() if "lab.charts." in cell["source"]]


def test_every_chart_is_kept_with_its_finding_its_words_and_its_numbers() -> None:
    assert len(charts()) >= 11
    for cell in charts():
        kept = html(cell)
        assert kept.count("<figure") == kept.count("<details") == 1, cell["id"]
        title, words = (
            re.search(rf"<{tag}[^>]*>(.+?)</{tag}>", kept) for tag in ("strong", "figcaption")
        )
        assert title
        assert words
        assert f'alt="Chart: {title[1]}. {words[1]}"' in kept, cell["id"]
        assert kept.count("<tr>") >= 3, cell["id"]


def test_a_cell_that_is_run_again_gives_the_same_bytes() -> None:
    names: dict[str, Any] = {}
    exec(CELLS["setup"]["source"], names)  # noqa: S102 (the notebook itself)
    for name in ("long-rounds", "limit-curve", "limit-rounds", "wars-rounds"):
        *lines, last = CELLS[name]["source"].splitlines()
        exec("\n".join(lines), names)  # noqa: S102 (the notebook itself)
        assert eval(last, names)._repr_html_() == html(CELLS[name]), name


def test_the_prose_says_what_the_saved_pictures_say() -> None:
    kept = {cell["id"]: html(cell) for cell in charts()}
    assert "one round in seven" in PROSE
    assert "After 500 battles 14 of 100" in kept["limit-curve"]
    assert "42 deals in a hundred" in PROSE
    assert re.search(r"As laid: 4[12]\.\d % never end", kept["order-rounds"])
    assert "about seven rounds in ten go round for ever" in PROSE
    assert re.search(
        r"Never end: 0 % with 26 and 26; (6[89]|7\d) % with 26 and 25", kept["odd-rounds"]
    )
    assert re.search(r"less often: 5\d\.\d % to 4\d\.\d % \(all deals\)", kept["kings-rounds"])
    assert re.search(r"more often: 4\d\.\d % to 5\d\.\d % \(two aces", kept["kings-rounds"])
    assert "less than half as long" in PROSE
    assert re.search(r"quickest with a mean of 100 battles, split longest", kept["rules-rounds"])
    # Two cards of one rank among 51: the prose has the number, the picture theory and simulation.
    assert "3 in 51" in PROSE
    assert "3/51 = 5.88 %" in kept["tie-rounds"]


def test_the_rounds_on_the_board_are_the_shortest_and_the_longest_played() -> None:
    open_ended = simulate("open-ended", games=100_000, seed=1, progress=False)
    for extreme in (open_ended.shortest, open_ended.longest):
        assert extreme
        assert open_ended.game(extreme.game).play().battles == extreme.battles
    assert f"the shortest takes {open_ended.shortest.battles}" in html(CELLS["long-rounds"])
    assert f"the longest {open_ended.longest.battles:,}" in html(CELLS["long-rounds"])
