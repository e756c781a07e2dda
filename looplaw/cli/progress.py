"""What is said of runs on the way and at the end of a sweep, a line each."""

from __future__ import annotations

import re
from collections.abc import Mapping

from runtime import RunRecord, UntilTight
from staticana import analyze_module

from ..laws.limits import percent
from ..report.cells import counted_noun
from ..report.places import short_places
from ..studies.adaptive import Adaptive
from ..studies.prepared import Prepared
from ..studies.sweep import Sweep
from .console import say

_MOST_LINES = 10
_MOST_LOOPS = 300
"""A program with more loops is not analysed again for a hint."""


def shown_point(params: Mapping[str, int]) -> str:
    return ", ".join(f"{name}={value}" for name, value in params.items())


class Hottest:
    """Which kernel took most of the largest run so far."""

    def __init__(self, prepared: Prepared) -> None:
        kernels = [c for c in prepared.plan.counters if c.nesting == 1]
        self._places = short_places(c.at for c in prepared.plan.counters)
        self._kernels = [(c.id, c.at) for c in kernels]
        self._largest = 0.0

    def after(self, record: RunRecord) -> str | None:
        """What to say after a run; nothing if a longer one was finished before."""
        if not record.ok or record.cpu_s < self._largest or not record.seconds:
            return None
        self._largest = record.cpu_s
        taken = max(
            ((record.seconds[k], at) for k, at in self._kernels if k < len(record.seconds)),
            default=(0.0, ""),
        )
        if not 0 < taken[0] <= record.cpu_s:
            return None
        share = percent(taken[0] / record.cpu_s)
        return f"{self._places[taken[1]]} takes {share} at {shown_point(record.params)}"


def report_selection(prepared: Prepared) -> None:
    """Why counters are slower than usual; how many kernels are instrumented where some are not, and
    a line for each that would cost too much."""
    if prepared.handlers:
        say(
            f"signal handlers may leave a loop ({', '.join(prepared.handlers)}): counters stay in"
            " memory, so that none is lost; this costs time"
        )
    for out in prepared.left_out[:_MOST_LINES]:
        say(
            f"{out.kernel.names[0]} ({out.kernel.at}) is not instrumented: its counters are"
            f" predicted to cost {100 * out.overhead:.2g} % of the program's instructions"
        )
    if len(prepared.left_out) > _MOST_LINES:
        say(f"and {len(prepared.left_out) - _MOST_LINES} more kernels")
    counted = sum(c.nesting == 1 for c in prepared.plan.counters)
    if prepared.left_out or not prepared.settings.selection.is_all:
        say(f"instrumented: {counted} kernel{'' if counted == 1 else 's'}")


class Failures:
    """Says what failed runs said last: once for all repetitions that said the same."""

    def __init__(self) -> None:
        self._said: set[str] = set()

    def report(self, record: RunRecord) -> None:
        """One line if the run failed in a way that was not reported before."""
        if record.ok:
            return
        last = last_words(record.stderr)
        text = (
            f"run {shown_point(record.params)} failed: {record.reason}{': ' + last if last else ''}"
        )
        if text not in self._said:
            self._said.add(text)
            say(text)


_TELLING = re.compile(
    r"error|fault|abort|signal|exception|usage|assert|cannot|no such", re.IGNORECASE
)
_FRAME = re.compile(r"\s*#?\d+[: ]|.*\[0x[0-9a-f]+\]\s*$")


def last_words(stderr: str) -> str:
    """The line of what a program said last that tells most: no rules and no frames of a stack."""
    lines = [
        line.strip()
        for line in stderr.splitlines()
        if re.search(r"[^\W\d_]", line) and not _FRAME.match(line)
    ]
    telling = [line for line in lines if _TELLING.search(line)]
    return (telling or lines or [""])[-1]


def arguments_missing(prepared: Prepared) -> str | None:
    """What a program reads from its command line that the study does not give; None where it gives
    all. A program may do without, so that this is told only where no run succeeded."""
    settings = prepared.settings
    if len(prepared.analysis.loops) > _MOST_LOOPS:  # it would take another minute
        return None
    # that of the study knows how many words there are, so that others have no name there
    parameters = analyze_module(prepared.module, entry=settings.entry).parameters
    places = {
        p.name: int(match[1])
        for p in parameters
        if (match := re.fullmatch(r"argv\[(\d+)\]", p.origin))
    }
    given = (
        len(settings.args)
        if settings.args is not None
        else max((places.get(n, 0) for n in settings.vary), default=0)
    )
    left = {n: k for n, k in places.items() if k > given}
    if not left:
        return None
    told = ", ".join(f"{n} (argv[{k}])" for n, k in left.items())
    more = " ".join(f"--vary {n}=10" for n in left)
    return f"the program also reads {told}: add {more}, or name all with --args"


def report_sweep(prepared: Prepared, sweep: Sweep) -> None:
    """Damaged lines, runs made elsewhere, a spent budget, wide intervals, models that are not
    identified."""
    if sweep.store.torn:
        say(f"{sweep.store.folder}: {sweep.store.torn} damaged line(s) ignored")
    made = {
        r.environment for r in sweep.live.runs if r.ok and r.environment in sweep.store.environments
    }
    if len(made) > 1:
        differ = sorted(
            {
                name
                for e in made
                for name, value in sweep.store.environments[e].items()
                if any(
                    other.get(name) != value
                    for k, other in sweep.store.environments.items()
                    if k in made
                )
            }
        )
        say(
            f"{sweep.store.folder}: its runs were made in {len(made)} environments that differ in"
            f" {', '.join(differ)}: their times may not compare"
        )
    for name in prepared.settings.events:
        if lacking := sum(r.ok and name not in r.events for r in sweep.live.runs):
            say(
                f"{counted_noun(lacking, 'run')} without {name}: it had to share its counter; ask"
                " for fewer metrics at a time"
            )
    missed = sum(n for r in sweep.live.runs for n in r.missed_calls.values())
    if missed:
        say(
            f"the values of {counted_noun(missed, 'call')} of kernels were not kept: short calls"
            " are sampled, and a table holds few combinations; results are those of the kept calls"
        )
    for line in sweep.live.without_operations():
        say(line)
    if sweep.budget_spent:
        runs = prepared.settings.runs
        limits = [f"{runs.budget_s:g} s"] if runs.budget_s is not None else []
        limits += [counted_noun(runs.most_runs, "run")] if runs.most_runs is not None else []
        say(
            f"the budget of {' and '.join(limits)} is spent; the same command goes on where it"
            " stopped"
        )
    if isinstance(sweep.schedule, UntilTight):
        loose = sweep.schedule.loose()
        for point, wide in list(loose.items())[:_MOST_LINES]:
            say(f"times at {shown_point(dict(point))} are only known to +-{100 * wide:.2g} %")
    if (
        isinstance(sweep.schedule, Adaptive)
        and not sweep.schedule.identified
        and not sweep.interrupted
    ):
        for line in sweep.schedule.open[:_MOST_LINES]:
            say(line)
