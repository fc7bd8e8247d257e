"""Charts and the panel: what they say is what was played, and everybody can read them."""

import asyncio
import re
import subprocess
import sys
from collections.abc import Callable
from html import escape
from xml.etree import ElementTree

import pytest

from tests.pupils import run
from war.lab import Summary, by_holding, charts, compare, lead, simulate, what_if
from war.lab.charts import Chart
from war.lab.panel import WhatIf

CHARTS: dict[str, Callable[[], Chart]] = {
    "lengths": lambda: charts.lengths(played("classic")),
    "wars": lambda: charts.wars(played("house")),
    "still_going": lambda: charts.still_going(played("open-ended")),
    "several": lambda: charts.still_going(
        {
            each: played({"base": "open-ended", "pickup": each})
            for each in ("as-laid", "winner-first")
        }
    ),
    "never_end": lambda: charts.never_end(
        {"two": played("open-ended"), "<&>": played("open-ended")}
    ),
    "first_tie": lambda: charts.first_tie([played("classic")]),
    "held": lambda: charts.held({"A": by_holding(ranks="A", games=300, progress=False)}),
    "leaders": lambda: charts.leaders(lead(after=[10, 100], games=300, progress=False)),
    "on_the_same_deals": lambda: charts.on_the_same_deals(
        compare(["classic", "house"], games=300, progress=False)
    ),
    "beside": lambda: charts.beside(played("classic"), played("house")),
}


def played(rules: object, games: int = 300, seed: int = 7) -> Summary:
    return simulate(rules, games, seed, progress=False)


@pytest.fixture(params=CHARTS)
def make(request: pytest.FixtureRequest) -> Callable[[], Chart]:
    return CHARTS[request.param]


def test_a_chart_is_complete_and_the_same_each_time(make: Callable[[], Chart]) -> None:
    chart = make()
    assert make()._repr_html_() == chart._repr_html_()
    html = chart.html()
    assert f'alt="{escape(f"Chart: {chart.title}. {chart.words}")}"' in html
    assert f"<strong>{escape(chart.title)}</strong>" in html
    assert f">{escape(chart.words)}</figcaption>" in html
    for row in chart.numbers.rows:
        assert all(escape(word) in html for word in row)
    assert "<details><summary" in html
    assert "<details open><summary" in chart.html(open=True)
    assert str(chart).startswith(f"{chart.title}\n{chart.words}\n")


def test_a_picture_is_small_asks_nobody_and_can_be_read_on_a_phone(
    make: Callable[[], Chart],
) -> None:
    svg = make().svg
    assert len(svg) < 40_000
    root = ElementTree.fromstring(svg)
    assert "//" not in svg.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"<metadata|<image|<script|\d{4}-\d\d-\d\d", svg)
    # A phone of 320 pixels shows the picture 288 wide.
    width = float(root.attrib["viewBox"].split()[2])
    sizes = re.findall(r"font-size: ([\d.]+)px", svg)
    assert sizes
    assert min(map(float, sizes)) * 288 / width >= 12
    # Every colour changes from day to night.
    assert not re.findall(r"#[0-9a-f]{6}", re.sub(r"var\([^)]*\)|<style>.*?</style>", "", svg))


def test_colours_stand_out_by_day_and_by_night() -> None:
    for shown in (lambda day: day, charts._COLOURS.__getitem__):
        for words in (charts._INK, charts._SOFT):
            assert contrast(shown(words), shown(charts._PAPER)) >= 4.5
        for style in charts._SERIES:
            assert contrast(shown(str(style["color"])), shown(charts._PAPER)) >= 3


def test_series_are_told_apart_without_colours() -> None:
    assert len({str(style["marker"]) for style in charts._SERIES}) == len(charts._SERIES)
    assert len({str(style["linestyle"]) for style in charts._SERIES}) == len(charts._SERIES)


def test_what_a_title_says_is_what_was_played() -> None:
    rounds = played("classic")
    assert f"{rounds.median} battles" in charts.lengths(rounds).title
    assert f"mean is {rounds.battles.mean:.0f}" in charts.lengths(rounds).title
    still = charts.still_going(rounds, after=200)
    assert f"{rounds.beyond(200).part * 100:.0f} of 100" in still.title
    table = dict(still.numbers.rows)
    assert table["200 battles"] == f"{rounds.beyond(200).part * 100:.1f} %"
    bars = [float(row[1].split()[0]) for row in charts.lengths(rounds).numbers.rows]
    assert sum(bars) == pytest.approx(100, abs=1)


def test_rounds_that_never_end_are_neither_forgotten_nor_counted_as_lengths() -> None:
    rounds = played({"base": "open-ended", "pickup": "as-laid"})
    assert rounds.endless.percent in charts.lengths(rounds).words
    curve = charts.still_going(rounds, after=500)
    assert dict(curve.numbers.rows)["2,000 battles"] >= rounds.endless.percent


def test_where_no_round_ends_there_is_no_length_to_draw() -> None:
    never = played({"base": "split", "cap": None, "ranks": "2"}, 5)
    assert never.endless.part == 1
    for draw in (charts.lengths, charts.wars, charts.beside):
        with pytest.raises(ValueError, match="none of 5 rounds of split, ranks 2, cap none ended"):
            draw(never)
    assert "100 of 100" in charts.still_going(never).title


def test_the_theory_of_the_first_tie_is_that_of_two_players() -> None:
    assert "3/51" in charts.first_tie([played("classic", 10)]).title
    with pytest.raises(ValueError, match="two players, not 3"):
        charts.first_tie([played("three-players", 10)])


def test_the_lab_loads_pictures_and_controls_only_for_those_who_ask() -> None:
    program = "import sys, war.lab; print(*{'matplotlib', 'ipywidgets'} & {*sys.modules})"
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == ""


def test_the_panel_plays_what_is_chosen_and_keeps_the_run_before() -> None:
    panel = what_if("classic", games=100, seed=7)
    assert panel.now.tally == simulate("classic", 100, 7, progress=False).tally
    panel.controls["rules"].value = "house"
    assert panel.rules() == panel.run().rules == simulate("house", 1, progress=False).rules
    assert panel.before.rules == simulate("classic", 1, progress=False).rules
    for words in ("This run: mean", "Last run: mean", f"{panel.now.won(1)}"):
        assert words in panel.result.value
    panel.controls["down"].value = 3
    panel.controls["pickup"].value = "shuffled"
    panel.controls["cap"].value = "none"
    rules = panel.run().rules
    assert (rules.down, str(rules.pickup), rules.cap) == (3, "shuffled", None)
    panel.controls["rules"].value = "classic"
    panel.controls["aces"].value = panel.controls["aces"].options[1]
    assert panel.run().won(1).part > 0.6


@pytest.mark.parametrize(
    ("control", "value", "words"),
    [
        ("cap", "soon", "'soon'"),
        ("cap", "1000000", "at most 100,000"),
        ("seed", "-1", "'-1'"),
        ("seed", "", "''"),
        ("players", 3, "one player can get the rest"),
    ],
)
def test_what_cannot_be_played_is_told_and_changes_nothing(
    control: str, value: object, words: str
) -> None:
    panel = what_if(games=100)
    panel.controls["aces"].value = panel.controls["aces"].options[1]
    panel.controls[control].value = value
    before = panel.now
    panel.button.click()
    assert panel.said.words.startswith("That does not work: ")
    assert words in panel.said.words
    assert panel.now is before
    assert panel.button.description == "Run"


def test_a_run_shows_how_far_it_is_and_stops_when_told() -> None:
    panel = what_if(games=100)
    panel.controls["games"].value = 100_000
    panel.controls["rules"].value = "open-ended"
    seen: list[float] = []
    panel.said.observe(lambda change: seen.append(change["new"]), "part")

    async def run_and_stop() -> None:
        panel.button.click()
        assert panel.button.description == "Stop"
        while not any(0 < part < 1 for part in seen):
            await asyncio.sleep(0.01)
        panel.button.click()
        while panel.button.description == "Stop":
            await asyncio.sleep(0.01)

    run(run_and_stop(), 60)
    assert 0 < panel.now.games < 100_000
    assert "stopped before 100,000" in panel.said.words
    # As far as it came, it is the same simulation.
    whole = simulate("open-ended", panel.now.games, 1, progress=False)
    assert panel.now.tally == whole.tally


def test_without_a_kernel_the_panel_is_a_chart() -> None:
    bundle = WhatIf(games=100)._repr_mimebundle_()
    assert "<figure" in bundle["text/html"]
    assert "Run this notebook" in bundle["text/html"]


def test_a_panel_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown rules: 'chess'"):
        what_if("chess")
    with pytest.raises(ValueError, match="games is one of 100, 1000, 10000, 100000, not 99"):
        what_if(games=99)


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, as the Web Content Accessibility Guidelines define it."""
    light, dark = sorted(map(luminance, (one, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
