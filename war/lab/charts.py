"""What the lab finds out, as pictures: each has its finding as a title, in words, and as a table.

A chart is one piece of HTML with an SVG picture in it, so that it stays in a saved notebook, needs no
JavaScript, and asks no other machine for anything. The picture knows day and night by itself, and its
words are laid out for a phone and drawn smaller where there is room.
"""

from __future__ import annotations

import base64
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from io import StringIO
from typing import TYPE_CHECKING, Any, cast

from war.lab.questions import Comparison, Holdings, Leads
from war.lab.results import Grid, html_of, rules_text, text_of
from war.lab.summary import Summary
from war.lab.tally import Average, Share, average, percentile, share

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Colours by day and by night; they are those of the board.
_COLOURS = {
    "#22262b": "#ece8df",
    "#565e66": "#b3bac0",
    "#d9d2c4": "#3a4147",
    "#fffdf8": "#1c2125",
    "#a86400": "#e6a93f",
    "#3d5aa8": "#9db2e6",
    "#1d6b53": "#7fd0b2",
}
_INK, _SOFT, _LINE, _PAPER, _FIRST, _SECOND, _THIRD = _COLOURS
#: A series is told by its mark and its line, with or without colours.
_SERIES: tuple[dict[str, Any], ...] = (
    {"color": _FIRST, "marker": "o", "linestyle": "-"},
    {"color": _SECOND, "marker": "s", "linestyle": (0, (5, 2))},
    {"color": _THIRD, "marker": "^", "linestyle": (0, (1.5, 1.5))},
    {"color": _INK, "marker": "D", "linestyle": (0, (6, 2, 1.5, 2))},
    {"color": _SOFT, "marker": "v", "linestyle": (0, (3, 3))},
)
_WIDTH, _TEXT = 400, 17
#: On a phone the picture is shown at three quarters of its size, on a laptop at one and a half.
_STYLE = (
    "text{font-family:system-ui,'Segoe UI',Roboto,Helvetica,Arial,sans-serif!important;"
    "transform-box:fill-box;transform-origin:0 50%}"
    'text[style*="middle"]{transform-origin:50% 50%}text[style*="end"]{transform-origin:100% 50%}'
    "@media(min-width:480px){text{scale:.72}}@media(min-width:600px){text{scale:.6}}"
)
_RULES: dict[str, Any] = {
    "font.size": _TEXT,
    "svg.fonttype": "none",
    "svg.hashsalt": "war",
    "text.color": _INK,
    "axes.edgecolor": _SOFT,
    "axes.labelcolor": _SOFT,
    "axes.spines.left": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "axes.xmargin": 0.06,
    "axes.unicode_minus": True,
    "grid.color": _LINE,
    "grid.linewidth": 1,
    "xtick.color": _SOFT,
    "ytick.color": _SOFT,
    "xtick.major.size": 4,
    "ytick.major.size": 0,
    "lines.linewidth": 2.5,
    "lines.markersize": 7,
    "legend.frameon": False,
    "legend.handlelength": 2.2,
    "legend.borderaxespad": 0,
    "legend.borderpad": 0,
    "legend.labelspacing": 0.25,
}


@dataclass(frozen=True, repr=False)
class Chart:
    """A picture with its finding, the same in a sentence or two, and the numbers behind it.

    >>> Chart("Twice two is four", "As ever.", "<svg/>", Grid("Sums", ("sum",), (("4",),)))
    Twice two is four
    As ever.
    """

    title: str
    words: str
    svg: str
    numbers: Grid

    def __repr__(self) -> str:
        return f"{self.title}\n{self.words}"

    def __str__(self) -> str:
        return f"{self!r}\n\n{text_of(self.numbers)}"

    def _repr_html_(self) -> str:
        return self.html()

    def html(self, open: bool = False) -> str:
        """The chart as a piece of a page, its numbers folded away or open.

        >>> chart = Chart("One", "A one.", "<svg/>", Grid("Ones", ("one",), (("1",),)))
        >>> "<details open>" in chart.html(open=True)
        True
        """
        picture = base64.b64encode(self.svg.encode()).decode()
        # A notebook that nobody trusts yet is stripped of style sheets, but not of these.
        return (
            '<figure class="war-figure" style="max-width:46rem;margin:8px 0 20px">'
            '<div style="margin:0 0 8px;font-size:1.15em;line-height:1.3">'
            f'<strong>{escape(self.title)}</strong></div><img alt="{escape(f"Chart: {self.title}. {self.words}")}"'
            ' style="display:block;width:100%;max-width:100%;height:auto"'
            f' src="data:image/svg+xml;base64,{picture}">'
            f'<figcaption style="margin:8px 0;line-height:1.45">{escape(self.words)}</figcaption>'
            f'<details{" open" if open else ""}><summary style="min-height:44px;line-height:44px">The numbers</summary>'
            f"{_aligned(html_of(self.numbers))}</details></figure>"
        )


def _aligned(table: str) -> str:
    """The table with its names on the left, where JupyterLab would have them on the right."""
    return re.sub(r"<(caption|th)(?=[ >])", r'<\1 style="text-align:start"', table)


def lengths(summary: Summary) -> Chart:
    """How long rounds last, with mean and median.

    >>> from war.lab import simulate
    >>> print(lengths(simulate("classic", games=1000, seed=7, progress=False)).title)
    Half of all rounds take 224 battles or fewer; the mean is 256
    """
    _ended(summary)
    counts, games, mean = summary.tally.lengths, summary.games, summary.battles.mean
    low, median, high = (percentile(counts, each) for each in (5, 50, 95))
    words = (
        f"{games:,} rounds by the rules “{rules_text(summary.rules)}”. "
        f"Nine in ten take between {low} and {high:,} battles; "
        f"the shortest takes {min(counts)}, the longest {max(counts):,}."
    )
    if summary.endless.part:
        words += f" {summary.endless.percent} never end and are left out of the picture."
    return _histogram(
        counts,
        games,
        f"Half of all rounds take {median:,} battles or fewer; the mean is {mean:,.0f}",
        words,
        "battles in a round",
    )


def wars(summary: Summary) -> Chart:
    """How many wars there are in a round.

    >>> from war.lab import simulate
    >>> print(wars(simulate("classic", games=1000, seed=7, progress=False)).title)
    A round has 20 wars on average
    """
    _ended(summary)
    counts, games = summary.tally.wars, summary.games
    deep = max(summary.tally.depths)
    battles = summary.tally.depths.total()
    fought = share(battles - summary.tally.depths[0], battles)
    return _histogram(
        counts,
        games,
        f"A round has {summary.wars.mean:.0f} wars on average",
        f"{games:,} rounds by the rules “{rules_text(summary.rules)}”. Half of them have {percentile(counts, 50)}"
        f" wars or fewer, the most has {max(counts)}. {_percent(fought.part, 1)} of all battles are"
        f" wars; the deepest had {deep} ties in a row.",
        "wars in a round",
    )


def still_going(summaries: Summary | Mapping[str, Summary], after: int = 500) -> Chart:
    """How many rounds are still going on after so many battles; several have a name each.

    >>> from war.lab import simulate
    >>> print(still_going(simulate("open-ended", games=1000, seed=7, progress=False)).title)
    After 500 battles 14 of 100 rounds are still going on
    """
    named = {"": summaries} if isinstance(summaries, Summary) else dict(summaries)
    left = {name: f"{_left(each, after) * 100:.0f} of 100" for name, each in named.items()}
    if len(named) == 1:
        title = f"After {after:,} battles {left[next(iter(left))]} rounds are still going on"
    else:
        title = f"After {after:,} battles still going on: " + ", ".join(
            f"{part} {name}" for name, part in left.items()
        )
    furthest = max(
        6 * after if each.endless.part else percentile(each.tally.lengths, 99)
        for each in named.values()
    )
    marks = range(0, furthest + 1, max(1, furthest // 120))
    rows = len(named) if len(named) > 1 else 0
    with _drawn(rows) as (figure, axes):
        for style, (name, each) in zip(_SERIES, named.items(), strict=False):
            line = {key: value for key, value in style.items() if key != "marker"}
            axes.plot(marks, [_left(each, at) * 100 for at in marks], label=name or None, **line)
        axes.axvline(after, color=_SOFT, linewidth=1.5, linestyle=(0, (2, 2)))
        _beside(axes, after, 88, f"{after:,}", color=_SOFT)
        _scale(axes, "battles", "still going on", 100)
        axes.set_xlim(0, furthest)
        svg = _svg(figure, axes, rows)
    shown = sorted({after // 5, after // 2, after, 2 * after, 4 * after})
    words = f"{_games(named.values())} rounds{' each' if rows else ''}."
    for name, each in named.items():
        who = f" {name[:1].upper()}{name[1:]}:" if name else " Of these"
        if each.endless.part:
            words += f"{who} {each.endless.percent} never end."
        if half := _half(each):
            words += f"{who} half are over after {half:,} battles."
    return Chart(
        title,
        words,
        svg,
        Grid(
            "Rounds still going on",
            ("after", *(name or "rounds" for name in named)),
            tuple(
                (f"{at:,} battles", *(_percent(_left(each, at), 1) for each in named.values()))
                for at in shown
            ),
        ),
    )


def never_end(summaries: Mapping[str, Summary]) -> Chart:
    """The share of rounds that go round for ever, by a name for each.

    >>> from war.lab import simulate
    >>> orders = {"by turns": "alternating", "as laid": "as-laid"}
    >>> rules = {name: {"base": "open-ended", "pickup": order} for name, order in orders.items()}
    >>> rounds = {name: simulate(each, games=100, progress=False) for name, each in rules.items()}
    >>> never_end(rounds).title
    'Never end: 0 % by turns; 41 % as laid'

    Raises ValueError for rules with a cap, by which every round ends.
    """
    for name, each in summaries.items():
        if each.rules.cap:
            raise ValueError(f"{name}: every round ends, as the cap is {each.rules.cap}")
    parts = {name: each.endless for name, each in summaries.items()}
    with _drawn(0, 44 * len(parts) + 60) as (figure, axes):
        for place, (name, part) in enumerate(parts.items()):
            axes.barh(-place, part.part * 100, height=0.42, color=_FIRST)
            axes.text(0, -place + 0.24, f"{name}: {_percent(part.part)}", va="bottom")
        axes.axvline(0, color=_SOFT, linewidth=1.5)
        axes.set_ylim(-len(parts) + 0.6, 0.95)
        axes.set_xlim(0, 100)
        axes.set_yticks([])
        axes.set_xticks([0, 50, 100], ["0", "50", "100 %"])
        axes.grid(axis="x")
        axes.grid(visible=False, axis="y")
        svg = _svg(figure, axes, 0)
    return Chart(
        "Never end: " + "; ".join(f"{_percent(part.part)} {name}" for name, part in parts.items()),
        f"{_games(summaries.values())} rounds each, without a limit. Each that never ends has been "
        "proved so: its position came back.",
        svg,
        Grid(
            "Never end; 95 % intervals in brackets",
            ("", "rounds"),
            tuple((name, str(part)) for name, part in parts.items()),
        ),
    )


def _games(summaries: Iterable[Summary]) -> str:
    every = sorted({each.games for each in summaries})
    return " or ".join(f"{games:,}" for games in every)


def first_tie(summaries: Iterable[Summary]) -> Chart:
    """How often the first two cards tie, beside what theory says.

    Whatever the first card is, so many cards of its rank are left among all that are left.

    >>> from war.lab import simulate
    >>> print(first_tie([simulate(games=n, progress=False) for n in (10, 1000)]).title)
    Theory says 3/51 = 5.88 %; 1,000 rounds say 6.7 %

    Raises ValueError for other than two players, as theory is another one there.
    """
    every = list(summaries)
    rules = every[0].rules
    if rules.players != 2:
        raise ValueError(f"the first tie is worked out for two players, not {rules.players}")
    theory = Fraction(len(rules.suits) - 1, len(rules.deck) - 1)
    shares = [share(each.tally.first_ties, each.games) for each in every]
    within = sum(part.low <= theory <= part.high for part in shares)
    exact = f"{len(rules.suits) - 1}/{len(rules.deck) - 1}"
    return _points(
        {"simulation": dict(zip((f"{each.games:,}" for each in every), shares, strict=True))},
        f"Theory says {exact} = {float(theory):.2%}".replace("%", " %")
        + f"; {every[-1].games:,} rounds say {_percent(shares[-1].part, 1)}",
        "The level line is theory, the upright bars are 95 % intervals: the more rounds, the narrower. Theory "
        f"lies within {'all' if within == len(shares) else within} of the {len(shares)} intervals.",
        "rounds played",
        "first cards tie",
        (float(theory), f"theory {exact}"),
    )


def held(holdings: Mapping[str, Holdings] | Holdings) -> Chart:
    """How often player 1 wins by how many cards of a rank the deal gave, in one row or several.

    >>> from war.lab import by_holding
    >>> print(held(by_holding(ranks="A", games=2000, progress=False)).title)
    From 0 to 4 aces, player 1 wins more often: 4 % to 92 %
    """
    rows = {"": holdings} if isinstance(holdings, Holdings) else dict(holdings)
    rank = next(iter(rows.values())).ranks[0]
    name = _PLURALS.get(rank, f"cards of rank {rank}")
    series = {
        label: {str(cell.held[0]): cell.won for cell in each.cells} for label, each in rows.items()
    }
    ends = {
        label: (points[next(iter(points))].part, points[next(reversed(points))].part)
        for label, points in series.items()
    }
    fewest, most = next(iter(series[next(iter(series))])), [*series[next(iter(series))]][-1]
    digits = 0 if all(abs(high - low) > 0.1 for low, high in ends.values()) else 1
    title = f"From {fewest} to {most} {name}, player 1 wins " + "; ".join(
        f"{'more' if high > low else 'less'} often: {_percent(low, digits)} to"
        f" {_percent(high, digits)}" + (f" ({label})" if label else "")
        for label, (low, high) in ends.items()
    )
    games = "; ".join(
        (f"{label[:1].upper()}{label[1:]}: " if label else "")
        + f"{sum(cell.decided for cell in each.cells):,} decided rounds"
        for label, each in rows.items()
    )
    return _points(
        series,
        title,
        f"{games}. Upright bars are 95 % intervals; the level line is one half.",
        f"{name} dealt to player 1",
        "player 1 wins",
        (0.5, ""),
    )


_PLURALS = {"A": "aces", "K": "kings", "Q": "queens", "J": "jacks"}


def leaders(leads: Leads) -> Chart:
    """How often the player wins who is ahead after so many battles.

    >>> from war.lab import lead
    >>> print(leaders(lead(after=[10, 100], games=1000, progress=False)).title)
    Who is ahead after 10 battles wins 58 % of the rounds, after 100 battles 75 %
    """
    moments = [leads.ahead(battles) for battles in leads.after]
    first, last = moments[0], moments[-1]
    return _points(
        {"": {f"{each.battles:,}": each.wins for each in moments}},
        f"Who is ahead after {first.battles:,} battles wins {_percent(first.wins.part)} of the rounds, "
        f"after {last.battles:,} battles {_percent(last.wins.part)}",
        f"{leads.run.games:,} rounds by the rules “{rules_text(leads.task.rules)}”; only decided ones count. The lead"
        f" changes {leads.changes.mean:.0f} times in a round on average.",
        "battles played",
        "the leader wins",
        (0.5, ""),
    )


def on_the_same_deals(comparison: Comparison) -> Chart:
    """How long rounds last by several rules on the same deals.

    >>> from war.lab import compare
    >>> print(on_the_same_deals(compare(["classic", "house"], games=500, progress=False)).title)
    house is quickest with a mean of 115 battles, classic longest with 252
    """
    every = dict(zip(_names(comparison.summaries), comparison.summaries, strict=True))
    for each in every.values():
        _ended(each)
    means = {name: each.battles.mean for name, each in every.items()}
    least, most = min(means, key=means.__getitem__), max(means, key=means.__getitem__)
    with _drawn(0, 50 * len(every) + 66) as (figure, axes):
        for place, (name, each) in enumerate(every.items()):
            low, median, high = (percentile(each.tally.lengths, part) for part in (5, 50, 95))
            axes.plot([low, high], [-place] * 2, color=_SECOND, linewidth=5, solid_capstyle="round")
            axes.plot(median, -place, "o", color=_PAPER, markeredgecolor=_INK, markersize=11, mew=2)
            axes.plot(means[name], -place, "D", color=_FIRST, markersize=8)
            axes.text(0, -place + 0.2, f"{name}: mean {means[name]:.0f}", va="bottom")
        axes.set_ylim(-len(every) + 0.6, 0.95)
        axes.set_xlim(left=0)
        axes.set_yticks([])
        axes.set_xlabel("battles")
        axes.grid(axis="x")
        axes.grid(visible=False, axis="y")
        svg = _svg(figure, axes, 0)
    return Chart(
        f"{least} is quickest with a mean of {means[least]:,.0f} battles, "
        f"{most} longest with {means[most]:,.0f}",
        f"The same {comparison.run.games:,} deals by each of the rules. A line holds the middle nine "
        "tenths of the rounds, the ring is the median, the diamond the mean. The table says how many "
        f"battles more or fewer than by {next(iter(every))} the same deal takes.",
        svg,
        Grid(
            "Battles a round; 95 % intervals in brackets",
            ("rules", "mean, median", "against the first"),
            tuple(
                (name, f"{means[name]:,.1f}, {each.median}", row[3])
                for (name, each), row in zip(every.items(), comparison.grid().rows, strict=True)
            ),
        ),
    )


def beside(new: Summary, last: Summary | None = None) -> Chart:
    """How long rounds last in a run, with the run before as an outline.

    >>> from war.lab import simulate
    >>> runs = [simulate(rules, games=500, progress=False) for rules in ("house", "classic")]
    >>> print(beside(*runs).title)
    This run: mean 115, median 95 battles. Last run: mean 252, median 214
    """
    runs = {"this run": new} | ({"last run": last} if last else {})
    for each in runs.values():
        _ended(each)
    edges = _edges([each.tally.lengths for each in runs.values()])
    with _drawn(len(runs)) as (figure, axes):
        for number, (name, each) in enumerate(runs.items()):
            heights = _heights(each.tally.lengths, edges, each.games)
            label = f"{name}: {rules_text(each.rules)}"
            label = label if len(label) <= 36 else f"{label[:35]}…"
            if number:
                axes.stairs(heights, edges, color=_SECOND, linewidth=2.5, label=label)
            else:
                axes.stairs(heights, edges, fill=True, color=_FIRST, label=label)
        _scale(axes, "battles in a round", "rounds")
        axes.set_xlim(0, edges[-1])
        svg = _svg(figure, axes, len(runs))
    parts = [
        f"{name.capitalize()}: mean {each.battles.mean:,.0f}, median {each.median:,}"
        for name, each in runs.items()
    ]
    parts[0] += " battles"
    rows = [{row[0]: row[1] for row in each.grid().rows} for each in runs.values()]
    # How long it took is no finding, and another one each time.
    names = [name for name in dict.fromkeys(name for row in rows for name in row) if name != "time"]
    return Chart(
        ". ".join(parts),
        f"{new.games:,} rounds by the rules “{rules_text(new.rules)}” as filled bars"
        + (f", {last.games:,} by “{rules_text(last.rules)}” as an outline." if last else "."),
        svg,
        Grid(
            "95 % intervals in brackets",
            ("", *runs),
            tuple((name, *(row.get(name, "–") for row in rows)) for name in names),
        ),
    )


def _ended(summary: Summary) -> None:
    if not summary.tally.lengths:
        raise ValueError(
            f"none of {summary.games:,} rounds of {rules_text(summary.rules)} ended, so there is no "
            "length to draw"
        )


def _histogram(counts: Counter[int], games: int, title: str, words: str, what: str) -> Chart:
    edges = _edges([counts])
    heights = _heights(counts, edges, games)
    mean: Average = average(counts)
    marks = sorted({"median": float(percentile(counts, 50)), "mean": mean.mean}.items(), key=_value)
    top = max(heights)
    with _drawn(0) as (figure, axes):
        axes.stairs(heights, edges, fill=True, color=_FIRST)
        _scale(axes, what, "rounds", top * 1.42)
        for height, (name, at) in zip((1.24, 1.04), marks, strict=True):
            style = "-" if name == "median" else (0, (4, 2))
            axes.plot(
                [at, at], [0, top * (height + 0.14)], color=_INK, linewidth=2, linestyle=style
            )
            _beside(axes, at, top * height, f"{name} {at:,.0f}")
        axes.set_xlim(0, edges[-1])
        svg = _svg(figure, axes, 0)
    beyond = sum(n for value, n in counts.items() if value >= edges[-1])
    rows = [(_span(low, high), f"{height:.1f} %") for low, high, height in _coarser(edges, heights)]
    if beyond:
        rows.append((f"{edges[-1]:,} and more", _percent(beyond / games, 1)))
        words += f" The picture ends at {edges[-1]:,}; {rows[-1][1]} lie beyond."
    return Chart(title, words, svg, Grid("Share of the rounds", (what, "rounds"), tuple(rows)))


def _value(item: tuple[str, float]) -> float:
    return item[1]


def _edges(counted: Sequence[Counter[int]]) -> list[int]:
    """The edges of bars, forty at most, up to where only one value in a hundred lies beyond."""
    furthest = max(percentile(counts, 99) for counts in counted)
    width = next(each for each in _ROUND if furthest < 40 * each)
    return list(range(0, furthest + width + 1, width))


_ROUND = [digit * 10**power for power in range(9) for digit in (1, 2, 5)]


def _heights(counts: Counter[int], edges: Sequence[int], games: int) -> list[float]:
    """How many of a hundred games each bar holds."""
    width = edges[1]
    bars = Counter[int]()
    for value, times in counts.items():
        bars[value // width] += times
    return [bars[place] * 100 / games for place in range(len(edges) - 1)]


def _coarser(edges: Sequence[int], heights: Sequence[float]) -> Iterable[tuple[int, int, float]]:
    """The bars as a table of ten rows or so has them."""
    together = -(-len(heights) // 10)
    for start in range(0, len(heights), together):
        part = heights[start : start + together]
        yield edges[start], edges[start + len(part)] - 1, sum(part)


def _span(low: int, high: int) -> str:
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _points(
    series: Mapping[str, Mapping[str, Share]],
    title: str,
    words: str,
    across: str,
    up: str,
    reference: tuple[float, str],
) -> Chart:
    """Shares with their intervals, side by side."""
    places = list(next(iter(series.values())))
    named = sum(map(bool, series)) if len(series) > 1 else 0
    with _drawn(named) as (figure, axes):
        line, name = reference
        axes.axhline(line * 100, color=_SOFT, linewidth=1.5)
        for number, (style, (label, points)) in enumerate(
            zip(_SERIES, series.items(), strict=False)
        ):
            shift = (number - (len(series) - 1) / 2) * 0.12
            at = [places.index(place) + shift for place in points]
            parts = [part.part * 100 for part in points.values()]
            reach = [
                [max(part.part - part.low, 0) * 100 for part in points.values()],
                [max(part.high - part.part, 0) * 100 for part in points.values()],
            ]
            bars = axes.errorbar(at, parts, reach, label=label or None, **style)
            for bar in bars[2]:
                bar.set_linestyle("-")
        _scale(axes, across, up)
        if name:
            axes.text(len(places) - 0.5, line * 100, name, ha="right", va="bottom", color=_SOFT)
        axes.set_xlim(-0.5, len(places) - 0.5)
        axes.set_xticks(range(len(places)), places)
        svg = _svg(figure, axes, named)
    head = [label or up for label in series]
    return Chart(
        title,
        words,
        svg,
        Grid(
            f"{up[0].upper()}{up[1:]}; 95 % intervals in brackets",
            (across, *head),
            tuple(
                (
                    place,
                    *(str(points[place]) if place in points else "–" for points in series.values()),
                )
                for place in places
            ),
        ),
    )


class _drawn:
    """A figure with its axes, in the style of the board; `rows` are those of its legend."""

    def __init__(self, rows: int, height: int = 250) -> None:
        self.height = height + 23 * rows

    def __enter__(self) -> tuple[Figure, Axes]:
        # The drawing library takes a second to load, which only somebody who draws should wait.
        import matplotlib
        from matplotlib.figure import Figure

        self.style = matplotlib.rc_context(cast(Any, _RULES))
        self.style.__enter__()
        figure = Figure(figsize=(_WIDTH / 72, self.height / 72), layout="constrained")
        figure.patch.set_visible(False)
        axes = figure.subplots()
        axes.patch.set_visible(False)
        return figure, axes

    def __exit__(self, *error: object) -> None:
        self.style.__exit__(None, None, None)


def _scale(axes: Axes, across: str, up: str, top: float | None = None) -> None:
    """Name the axes, the upright one in words above it, where they can be read without turning."""
    axes.set_xlabel(across)
    axes.set_title(up, loc="left", x=0, fontsize=_TEXT, color=_SOFT, pad=8)
    axes.locator_params(nbins=5)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g} %")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    if top:
        axes.set_ylim(0, top)


def _beside(axes: Axes, at: float, height: float, words: str, color: str = _INK) -> None:
    axes.annotate(words, (at, height), (6, 0), textcoords="offset points", va="bottom", color=color)


def _svg(figure: Figure, axes: Axes, named: int) -> str:
    """The picture as SVG: the same bytes each time, in colours that follow day and night."""
    if named:
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1.16))
    written = StringIO()
    figure.savefig(
        written, format="svg", metadata=dict.fromkeys(("Creator", "Date", "Format", "Type"))
    )
    svg = written.getvalue()
    svg = svg[svg.index("<svg") :]
    # What no browser needs, or what would look like the address of another machine.
    svg = re.sub(
        r"<defs>\s*<style type=\"text/css\">.*?</style>\s*</defs>", "", svg, flags=re.DOTALL
    )
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = svg.replace(' xmlns:xlink="http://www.w3.org/1999/xlink"', "").replace(
        "xlink:href", "href"
    )
    svg = re.sub(r"font: (\d+)px [^;\"]*", r"font-size: \1px", svg)
    svg = re.sub(r' transform="rotate\(-?0 [^)]*\)"', "", svg)
    svg = re.sub(r">\s+<", "><", svg)
    night = ""
    for number, (day, dark) in enumerate(_COLOURS.items()):
        svg = svg.replace(day, f"var(--c{number},{day})")
        night += f"--c{number}:{dark};"
    style = (
        f"<style>{_STYLE}@media screen and (prefers-color-scheme:dark){{svg{{{night}}}}}</style>"
    )
    paper = f'<rect width="100%" height="100%" rx="12" fill="var(--c3,{_PAPER})"/>'
    return re.sub(r"(<svg[^>]*>)", rf"\1{style}{paper}", svg, count=1).strip()


def _names(summaries: Sequence[Summary]) -> list[str]:
    """What tells sets of rules from each other, in as few words as that takes."""
    words = [rules_text(each.rules).split(", ") for each in summaries]
    shared = set(words[0]).intersection(*words[1:]) if len(words) > 1 else set()
    return [", ".join(word for word in each if word not in shared) or each[0] for each in words]


def _left(summary: Summary, after: int) -> float:
    """The share of games that go on after so many battles; what reached the cap went on."""
    if summary.rules.cap and after >= summary.rules.cap:
        return summary.reach_cap.part
    return summary.beyond(after).part


def _half(summary: Summary) -> int:
    """After how many battles half of the games are over, or 0 where that never comes."""
    over = 0
    for length, n in sorted(summary.tally.lengths.items()):
        over += n
        if over * 2 >= summary.games:
            return length
    return 0


def _percent(part: float, digits: int = 0) -> str:
    return f"{part * 100:.{digits}f} %"
