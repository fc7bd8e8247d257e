"""Controls to change a rule and play again, with the run before kept beside the new one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any

import anywidget
import ipywidgets
import traitlets

from war.cards import shown
from war.lab.charts import beside
from war.lab.running import Run
from war.lab.summary import Summary, count_chunk, task_of
from war.lab.tally import Tally
from war.rules import QUESTIONS, Pickup, Rules
from war.trouble import fault, guarded
from war.variants import VARIANTS, answer_of, rules_of

GAMES = (100, 1_000, 10_000, 100_000)
#: Beyond this a single round could take longer than anybody waits for Stop.
MOST_BATTLES_HERE = 100_000
#: So long the panel plays before it looks whether somebody pressed Stop.
SECONDS_A_PIECE = 0.2

_AS_DEALT, _ALL_ACES = "as the deal gives them", "player 1 has the four and nothing else"
_BY_RANK = "as the tied card says"
_LIVE = "Run this notebook to change the rules here."


class Said(anywidget.AnyWidget):
    """One sentence that a screen reader reads out when it changes, and how far a run has got."""

    _esm = """
    function render({ model, el }) {
      const words = document.createElement("p"), bar = document.createElement("progress");
      words.setAttribute("role", "status");
      bar.setAttribute("aria-label", "Rounds played");
      el.append(words, bar);
      const show = () => {
        words.textContent = model.get("words");
        bar.value = model.get("part");
        bar.style.visibility = model.get("part") < 1 ? "visible" : "hidden";
      };
      model.on("change", show);
      show();
      // A notebook acts on keys, and a button held down repeats: neither is meant on the panel.
      const guard = (event) => {
        if (!el.closest(".war-what-if")?.contains(event.target)) return;
        if (event.repeat && event.target.closest("button")) event.preventDefault();
        if (!(event.ctrlKey || event.metaKey || event.altKey)) event.stopImmediatePropagation();
      };
      window.addEventListener("keydown", guard, true);
      return () => window.removeEventListener("keydown", guard, true);
    }
    export default { render };
    """
    words = traitlets.Unicode("").tag(sync=True)
    part = traitlets.Float(1.0).tag(sync=True)


_STYLE = """<style>
.jupyter-widgets.war-what-if {
  --ink: #22262b; --line: #8b8577; --chip: #efe9dc; --field: #fff; --accent: #9a5b00; --on: #fff;
  box-sizing: border-box; max-width: 46rem; overflow: visible; padding: 4px; color: var(--ink);
  color-scheme: light;
  font: 1rem/1.45 system-ui, "Segoe UI", Roboto, Helvetica, Arial, sans-serif;
}
body[data-jp-theme-light="false"] .jupyter-widgets.war-what-if {
  color-scheme: dark;
  --ink: #ece8df; --line: #7c848b; --chip: #262c31; --field: #1c2125; --accent: #e6a93f; --on: #1b1405;
}
.war-what-if .war-controls {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr));
  gap: 12px 20px; align-items: end; overflow: visible; padding: 16px; margin: 0 0 8px;
  border-radius: 16px; background: var(--chip);
}
.war-what-if .widget-inline-hbox {
  display: flex; flex-flow: column; align-items: stretch; width: auto; height: auto; margin: 0;
  overflow: visible;
}
.war-what-if .widget-label {
  width: auto; height: auto; margin: 0 0 4px; overflow: visible; color: var(--ink);
  font-size: 0.9375rem; line-height: 1.35; text-align: start; white-space: normal;
}
.war-what-if :is(select, input) {
  appearance: auto; background-image: none; flex: none;
  box-sizing: border-box; width: 100%; max-width: 100%; height: 44px; margin: 0;
  padding: 6px 12px; border: 1.5px solid var(--line); border-radius: 10px; background-color: var(--field);
  color: var(--ink); font: inherit; font-size: 1rem;
}
.war-what-if button.jupyter-button {
  width: 100%; height: auto; min-height: 44px; margin: 0; padding: 8px 24px; border-radius: 12px;
  background: var(--accent); color: var(--on); box-shadow: none; font: inherit; font-weight: 600;
}
.war-what-if :focus-visible { outline: 3px solid var(--accent) !important; outline-offset: 3px; }
.war-what-if [role="status"] { margin: 4px; min-height: 1.45em; }
.war-what-if progress { width: 100%; height: 8px; accent-color: var(--accent); }
.war-what-if table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
.war-what-if caption { padding: 4px 0; text-align: start; }
.war-what-if .jp-RenderedHTMLCommon { max-width: none; }
.war-what-if .jp-RenderedHTMLCommon :is(th, td) {
  padding: 5px 8px 5px 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top;
  font-weight: 400; white-space: normal; overflow-wrap: anywhere;
}
.war-what-if .widget-html-content { overflow: visible; font-size: 1rem; line-height: 1.45; }
.war-what-if .jupyter-widgets { overflow: visible; }
.war-what-if .jupyter-widgets-disconnected::before { content: none; }
</style>"""


class WhatIf(ipywidgets.VBox):  # type: ignore[misc]
    """Rules to choose, a number of games, a seed, one button; `now` is the last run, `before` the other.

    >>> panel = WhatIf(games=100)
    >>> panel.controls["pickup"].value = "shuffled"
    >>> panel.run().rules.pickup, panel.before.rules.pickup
    (<Pickup.SHUFFLED: 4>, <Pickup.WINNER_FIRST: 0>)
    """

    def __init__(self, rules: str = "classic", games: int = 1_000, seed: int = 1) -> None:
        self.now: Summary | None = None
        self.before: Summary | None = None
        self._running: asyncio.Task[None] | None = None
        self._stopped = False
        self.controls: dict[str, Any] = {
            "rules": self._choice("Which rules?", VARIANTS),
            "players": self._choice(QUESTIONS["players"], (2, 3, 4)),
            "pickup": self._choice(QUESTIONS["pickup"], map(str, Pickup)),
            "down": self._choice(QUESTIONS["down"], (0, 1, 2, 3, 4, 5, 6, _BY_RANK)),
            "cap": ipywidgets.Text(description=f"{QUESTIONS['cap']} (a number, or none)"),
            "aces": self._choice("Who holds the aces?", (_AS_DEALT, _ALL_ACES)),
            "games": self._choice("How many rounds?", [(f"{each:,}", each) for each in GAMES]),
            "seed": ipywidgets.Text(description="Seed (the same seed, the same deals)"),
        }
        self.button = ipywidgets.Button(description="Run")
        self.button.on_click(lambda _: self._guarded(self._press))
        self.said = Said()
        self.result = ipywidgets.HTML()
        self.controls["rules"].observe(lambda _: self._guarded(self._take_answers), "value")
        self.controls["rules"].value = rules
        self._take_answers()
        self.controls["games"].value = games
        self.controls["seed"].value = str(seed)
        controls = ipywidgets.Box([*self.controls.values(), self.button])
        controls.add_class("war-controls")
        super().__init__([ipywidgets.HTML(_STYLE), controls, self.said, self.result])
        self.add_class("war-what-if")
        # Something to look at and to compare with, before anybody chooses anything.
        self.run()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """The live controls, and the chart alone for where no kernel runs."""
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs)
        assert self.now
        return {**bundle, "text/html": f"{beside(self.now, self.before).html()}<p>{_LIVE}</p>"}

    def rules(self) -> Rules:
        """The rules that are chosen.

        Raises ValueError for answers that do not go together, and for a limit that is none.
        """
        answers = {
            "players": self.controls["players"].value,
            "pickup": self.controls["pickup"].value,
            "cap": answer_of("cap", self.controls["cap"].value.strip()),
        }
        if self.controls["down"].value != _BY_RANK:
            answers["down"] = self.controls["down"].value
        base = rules_of(self.controls["rules"].value)
        if "down" not in answers and isinstance(base.down, int):
            base = base.change(down=VARIANTS["house"].down)
        rules = base.change(**answers)
        if (rules.cap or 0) > MOST_BATTLES_HERE:
            raise ValueError(f"cap is at most {MOST_BATTLES_HERE:,} here, not {rules.cap:,}")
        return rules

    def run(self) -> Summary:
        """Play what is chosen, now, and show it.

        Raises ValueError as `rules` does, and for what is no seed.
        """
        play, games = self._begin()
        # The first round waits for what has to be compiled, which is not counted.
        play(0, 1)
        start = perf_counter()
        return self._end(play(0, games), games, perf_counter() - start)

    def _begin(self) -> tuple[Callable[[int, int], Tally], int]:
        rules, seed = self.rules(), self.controls["seed"].value.strip()
        aces = ["AC AD AH AS", *[None] * (rules.players - 1)]
        hands = aces if self.controls["aces"].value == _ALL_ACES else None
        self._task = task_of(rules, seed, hands=hands)
        games: int = self.controls["games"].value
        return partial(count_chunk, self._task), games

    def _end(self, tally: Tally, asked: int, seconds: float) -> Summary:
        new = Summary(self._task, tally, Run(asked, tally.games, seconds))
        chart = beside(new, self.now)
        self.before, self.now = self.now, new
        self.result.value = f'<div class="jp-RenderedHTMLCommon">{chart.html(open=True)}</div>'
        took = f"{seconds:.1f} seconds" if seconds >= 0.05 else "a blink"
        early = f", stopped before {asked:,}" if asked > new.games else ""
        self.said.words = (
            f"{new.games:,} rounds in {took}{early}: "
            f"mean {new.battles.mean:,.0f}, median {new.median:,} battles."
        )
        return new

    def _press(self) -> None:
        if self._running:
            self._stopped = True
            return
        play, games = self._begin()
        self._stopped = False
        self.button.description = "Stop"
        self.said.words = f"Playing {games:,} rounds …"
        self.said.part = 0.0
        loop = asyncio.get_running_loop()
        self._running = loop.create_task(self._play(play, games))

    async def _play(self, play: Callable[[int, int], Tally], games: int) -> None:
        try:
            await asyncio.to_thread(play, 0, 1)
            start = perf_counter()
            tally, piece = Tally(), 100
            while tally.games < games and not (self._stopped and tally.games):
                before = perf_counter()
                count = min(piece, games - tally.games)
                tally += await asyncio.to_thread(play, tally.games, count)
                self.said.part = tally.games / games
                # Nearly as many as fit, so that Stop is heard soon by slow rules too.
                pace = count / (perf_counter() - before)
                piece = max(1, min(4 * piece, int(pace * SECONDS_A_PIECE)))
            self._guarded(self._end, tally, games, perf_counter() - start)
        except Exception as error:  # noqa: BLE001 (nothing may go wrong in silence)
            self.said.words = fault("lab", error)
        finally:
            self._running = None
            self.said.part = 1.0
            self.button.description = "Run"

    def _take_answers(self) -> None:
        """Set the controls to the answers of the rules that have been chosen."""
        rules = VARIANTS[self.controls["rules"].value]
        self.controls["players"].value = rules.players
        self.controls["pickup"].value = str(rules.pickup)
        self.controls["down"].value = rules.down if isinstance(rules.down, int) else _BY_RANK
        self.controls["cap"].value = "none" if rules.cap is None else str(rules.cap)

    @staticmethod
    def _choice(question: str, answers: Any) -> ipywidgets.Dropdown:
        return ipywidgets.Dropdown(options=[*answers], description=question)

    def _guarded(self, action: Callable[..., Any], *values: Any) -> None:
        guarded(partial(setattr, self.said, "words"), "lab", action, *values)


def what_if(rules: str = "classic", games: int = 1_000, seed: int = 1) -> WhatIf:
    """Controls to change a rule and play again; the first run is that of the arguments.

    >>> what_if("house", games=100).now.games
    100

    Raises ValueError for rules that have no name, another number of games than the panel offers, and
    what is no seed.
    """
    if rules not in VARIANTS:
        raise ValueError(f"unknown rules: {shown(rules)} (known: {', '.join(VARIANTS)})")
    if games not in GAMES:
        raise ValueError(f"games is one of {', '.join(map(str, GAMES))}, not {shown(games)}")
    return WhatIf(rules, games, seed)
