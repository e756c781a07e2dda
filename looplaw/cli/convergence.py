"""Shows models while they converge: a table that is redrawn on a terminal, else a line whenever a
model changes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from threading import RLock
from types import TracebackType

from rich.console import Console, Group
from rich.live import Live as RichLive
from rich.table import Table
from rich.text import Text

from looplaw_common.text import in_one_line
from modeling import Drift, Model, Models

from ..studies.modelers import Metered

_SHARE = 0.2
"""Refitting after each run may take so much of the time; with more it is done less often."""
_MOST_ROWS = 40


class Convergence:
    """Refits when runs come in, as often as that is cheap, and shows what came out.

    Args:
        metered: makes the models.
        console: where they are shown.
        say: prints one line, where the console is no terminal.
        drifts: the changes of laws that were found so far.
        unit: what comes in one by one.
    """

    def __init__(
        self,
        metered: Metered,
        console: Console,
        say: Callable[[str], None],
        drifts: Callable[[], Sequence[Drift]] = tuple,
        unit: str = "run",
    ) -> None:
        self._metered, self._say, self._drifts, self._unit = metered, say, drifts, unit
        self._told = 0
        self._started = time.monotonic()
        self._runs = 0
        self._fitted = 0
        self._now = ""
        self._busy = (
            RLock()
        )  # runs come in from one thread, what they have made so far from another
        self._models = Models(())
        self._known: dict[tuple[str, str], tuple[str, bool]] = {}
        self._live = (
            RichLive(console=console, refresh_per_second=4, transient=False)
            if console.is_terminal
            else None
        )

    def __enter__(self) -> Convergence:
        if self._live:
            self._live.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None and self._fitted < self._runs:
            self.models()
        self._now = ""
        if self._live:
            self._draw()
            self._live.__exit__(kind, value, trace)
        self._say(str(self._metered.cost))

    def running(self, text: str) -> None:
        """What is running now."""
        self._now = text
        self._draw()

    def finished(self) -> None:
        """A run came in."""
        with self._busy:
            self._runs += 1
            for drift in self._drifts()[self._told :]:
                self._told += 1
                self._say(f"{self._unit} {self._runs}: {drift}")
            self._refit()

    def grown(self) -> None:
        """The run that is going on has made more calls."""
        with self._busy:
            self._refit(f"{self._unit} {self._runs + 1}, so far")

    def _refit(self, when: str | None = None) -> None:
        if self._metered.elapsed_s <= _SHARE * (time.monotonic() - self._started):
            self._fit(when or f"{self._unit} {self._runs}")

    def models(self) -> Models:
        """Fit, and show what is new."""
        with self._busy:
            return self._fit(f"{self._unit} {self._runs}")

    def _fit(self, when: str) -> Models:
        self._models = self._metered.models()
        self._fitted = self._runs
        self._draw()
        for m in self._models.models:
            shown = (shape(m), m.identifiable)
            if self._known.get((m.callpath, m.metric)) != shown:
                self._known[m.callpath, m.metric] = shown
                if self._live is None:
                    state = "identified" if m.identifiable else "not identified yet"
                    self._say(
                        f"{when}: {m.callpath}, {m.metric}: {brief(m)}, "
                        f"error {m.quality.smape:.2g} %, {state}"
                    )
        return self._models

    def _draw(self) -> None:
        if self._live is None:
            return
        table = Table(box=None, pad_edge=False, header_style="bold")
        for name in ("loop", "metric", "points", "model", "error", "identified"):
            table.add_column(
                name, justify="right" if name in ("points", "error") else "left", overflow="fold"
            )
        for m in self._models.models[:_MOST_ROWS]:
            table.add_row(
                *map(
                    Text,
                    (
                        in_one_line(m.callpath),
                        in_one_line(m.metric),
                        str(m.quality.points),
                        brief(m),
                        f"{m.quality.smape:.2g} %",
                        "yes" if m.identifiable else "not yet",
                    ),
                )
            )
        more = len(self._models.models) - _MOST_ROWS
        lines = [Text(f"and {more} more")] if more > 0 else []
        state = Text(f"{self._unit}s: {self._runs}; {self._metered.cost}")
        self._live.update(Group(table, *lines, state, Text(in_one_line(self._now), "dim")))


def shape(m: Model) -> str:
    """The terms without their coefficients: a model has converged once only those change."""
    return " + ".join(str(t) for _, t in m.terms) or "constant"


def brief(m: Model) -> str:
    """The formula with three digits."""
    parts = [f"{m.constant:.3g}"] if m.constant or not m.terms else []
    parts += [f"{c:.3g}*{t}" for c, t in m.terms]
    return " + ".join(parts).replace("+ -", "- ")
