"""The answer of a study in a terminal: a sentence, the kernels that take the time, a line each, and
what would tell more."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal, NamedTuple

from looplaw_common.text import visible
from modeling.pmnf.time_law import CORE, FRESH, LATENCY

from ..documents.study import LAUNCHES, Advice, SettleDocument, StudyDocument, StudyLoop
from ..laws.answer import BROKEN_TIME, Answer, Ranked, Standing, standing
from ..laws.counts_at import assumed_at, iterations_at, whole
from ..laws.limits import is_sure, limit_sentence, percent, place_text
from ..laws.time_prediction import PredictedKernel
from .cells import counted_noun
from .forecast_table import seconds_text
from .formulas import fewer_digits, with_condition
from .grid import Cell, Column, Table, render
from .places import short_places
from .study_tables import bindings_note

Order = Literal["share", "source", "iterations", "ns", "verdict"]
ORDERS: tuple[Order, ...] = ("share", "source", "iterations", "ns", "verdict")
TOP = 5
"""Kernels shown unless more are asked for."""
_SMALL = 0.01
"""Kernels with a smaller share of the time are folded into one line."""
_GLUE = "\u00a0"
"""A blank at which no line is broken."""
_MEANINGLESS = 100.0
"""An error in percent from which on its size says nothing."""
_WIDE = 112
"""Columns of a terminal from which on there is room for the name of the function."""
_LIMITS = {CORE: "computing", LATENCY: "latency", FRESH: "first touch", "memory": "memory"}
_SURE = {
    "sure": "sure",
    "rough": "rough: within a factor of 2",
    "open": "open: not known within a factor of 2",
}
_BADNESS = ("miscounted", "exceeds", "open", "weak", "few sizes", "-", "below", "good", "obeys")
"""How a column of verdicts is sorted: what needs attention first."""


@dataclass(frozen=True)
class Shown:
    """What of the table is shown. top: so many kernels; None is 5, or all that are found by what
    is asked for. every: all loops, those inside others, too. pattern: only loops whose place,
    function or verdict matches it; * and ? stand for any characters."""

    top: int | None = None
    every: bool = False
    order: Order | None = None
    pattern: str | None = None


def answer_text(
    found: Answer,
    shown: Shown | None = None,
    *,
    width: int = 80,
    table_width: int | None = None,
    color: bool = False,
) -> str:
    """The answer as text, no line longer than the width; that of the table may be another one."""
    chosen = shown or Shown()
    rows, folded = _chosen(found, chosen)
    blocks = [
        "\n".join(_wrapped(sentences(found), width)),
        render(_table(found, rows, width), width=table_width or width, color=color) if rows else "",
        "\n".join(
            _hanging(folded + _outside(found) + _broken(found) + _unknown_there(found), width)
        ),
        "\n".join(
            _hanging(
                [
                    *_unsettled(found, every=chosen.every),
                    *bindings_note(found.study),
                    _closing(found),
                    *_disturbed(found.study),
                ],
                width,
            )
        ),
    ]
    return "\n\n".join(block for block in blocks if block)


def sentences(found: Answer) -> str:
    """What limits a run, how long it takes, how sure that is, and what it costs."""
    study = found.study
    if study.kind == LAUNCHES:
        return (
            "Launches were counted on this processor, thread by thread. Their times are measured on"
            " a card: looplaw fit reads its profiler's tables."
        )
    if found.time is None:
        why = (
            "no run succeeded"
            if not any(r.status == "ok" for r in study.runs)
            else "no loop ran long enough to be timed: run larger sizes"
            if not _lost(study)
            else "no loop ran long enough to be timed where runs succeeded"
        )
        return f"The time of a run cannot be predicted: {why}."
    t = found.time
    far = _far(study, found.at)
    if t.unknown is not None:
        where = place_text(study, found.at)
        return f"At {where} the time of a run is not known: {t.unknown}." + (
            f" {far}" if far else ""
        )
    ends = f"{seconds_text(t.low)} to {seconds_text(t.high)}"
    how_long = (
        f"A run took {seconds_text(t.seconds)} there (measured in {counted_noun(t.runs, 'run')}"
        f"{f': {ends}' if t.runs > 1 else ''})."
        if t.runs
        else f"Expect {seconds_text(t.seconds)} ({ends} in 9 of 10 cases;"
        f" {_SURE[found.sure or 'open']})."
    )
    first = f"{limit_sentence(t, place_text(study, found.at))} {how_long}"
    places = short_places(loop.at for loop in study.loops)
    for at in sorted(places, key=len, reverse=True):
        first = first.replace(at, places[at])
    cost = found.cost
    if cost is not None:
        nodes = counted_noun(cost.nodes, "node")
        first += f" It costs {cost.price:.3g}: {cost.node_hours:.3g} node-hours on {nodes}."
    return first + (f" {far}" if far else "")


def _far(study: StudyDocument, at: Mapping[str, float]) -> str:
    """How far beyond what was measured that is."""
    told = [
        f"{p.name} = {max(p.values)}"
        for p in study.parameters
        if p.values and at.get(p.name, 0) > max(p.values)
    ]
    return f"Measured up to {', '.join(told)}." if told else ""


def _chosen(found: Answer, shown: Shown) -> tuple[list[Ranked], list[str]]:
    """The rows, and a line on those that are left out."""
    every = shown.every or shown.pattern is not None or found.study.kind == LAUNCHES
    rows = _every(found) if every else [k for k in found.kernels if k.time is not None]
    rows = rows or list(found.kernels)
    if shown.pattern is not None:
        rows = [k for k in rows if _matches(k, shown.pattern)]
    order = shown.order or ("source" if shown.every else "share")
    rows = _sorted(rows, order, found)
    top = shown.top if shown.top is not None else len(rows) if every else TOP
    kept = rows[:top]
    if not every and shown.top is None:
        kept = [k for k in kept if k.share is None or k.share >= _SMALL] or kept[:1]
    left = [k for k in rows if k not in kept]
    if shown.pattern is not None and not rows:
        return [], [f"No loop matches {shown.pattern}."]
    return kept, [_folded(left)] if left else []


def _folded(left: Sequence[Ranked]) -> str:
    shares = [k.share for k in left if k.share is not None]
    if not shares:
        return f"{counted_noun(len(left), 'more loop')}: --all shows every one."
    small = sum(share < _SMALL for share in shares)
    each = ""
    if small and len(left) > 1 and sum(shares) >= _SMALL:
        each = f", {'each' if small == len(left) else f'{small} of them'} less than 1 %"
    take = "takes" if len(left) == 1 else "together take"
    return (
        f"{counted_noun(len(left), 'more kernel')} {take} {_share(sum(shares))} of the time{each};"
        " --all shows every loop."
    )


def _every(found: Answer) -> list[Ranked]:
    """All loops in the order of the source, those of kernels with their shares."""
    known = {k.loop.at: k for k in found.kernels}
    return [
        Ranked(loop, loop, k.time, k.share, k.ns)
        if (k := known.get(loop.at)) is not None
        else Ranked(loop, loop)
        for loop in found.study.loops
    ]


def _matches(k: Ranked, pattern: str) -> bool:
    loop = k.loop
    names = (loop.at, loop.function, loop.verdict, _of_time(loop), loop.at.split("/")[-1])
    texts = (*names, loop.at.rsplit(":", 1)[0].split("/")[-1], loop.at.rsplit(":", 2)[0])
    return any(fnmatchcase(text, pattern) for text in texts)


def _sorted(rows: Sequence[Ranked], order: Order, found: Answer) -> list[Ranked]:
    keys = {
        "share": lambda k: -(k.share if k.share is not None else -1.0),
        "iterations": lambda k: -(iterations_at(k.work, found.at) or 0.0),
        "ns": lambda k: -(k.ns if k.ns is not None else -1.0),
        "verdict": lambda k: _badness(k.loop),
        "source": lambda _: 0,
    }
    if order == "source":
        place = {loop.at: k for k, loop in enumerate(found.study.loops)}
        return sorted(rows, key=lambda k: place[k.loop.at])
    return sorted(rows, key=keys[order])


def _badness(loop: StudyLoop) -> int:
    text = loop.verdict if loop.verdict == "miscounted" else _of_time(loop)
    return next((k for k, word in enumerate(_BADNESS) if text.startswith(word)), len(_BADNESS))


def _table(found: Answer, rows: Sequence[Ranked], width: int) -> Table:
    """One line for each."""
    places = short_places(loop.at for loop in found.study.loops)
    timed = any(k.time is not None for k in rows)
    bound = any(k.time is not None and k.time.has_law for k in rows)
    wide = width >= _WIDE
    runs = found.study.kind != LAUNCHES
    columns = [
        Column("kernel", "kernel" if timed else "loop" if runs else "law of", "path", 14),
        *((Column("function", "function", "path", 12),) if wide else ()),
        *((Column("share", "share", "number"),) if timed else ()),
        Column("law", "law", "brief", 14),
        *((Column("ns", "ns/iter", "number"),) if timed else ()),
        *((Column("limit", "limit", "word"),) if bound else ()),
        Column("count", "count", "word"),
        *((Column("time", "time", "word"),) if runs else ()),
    ]
    lines: list[tuple[Cell, ...]] = []
    for k in rows:
        cells: list[Cell] = [places[k.loop.at]]
        cells += [k.loop.function] if wide else []
        cells += [_share(k.share)] if timed else []
        cells.append(law_line(k.work))
        cells += [_ns(k.ns)] if timed else []
        cells += ["" if k.time is None else _limit(k.time)] if bound else []
        cells.append(_of_count(k))
        lines.append((*cells, *((_of_time(k.loop),) if runs else ())))
    return Table(tuple(columns), tuple(lines))


def _share(value: float | None) -> str:
    if value is None:
        return ""
    return percent(value) if value >= _SMALL else "<1 %"


def _ns(value: float | None) -> str:
    if not value:
        return ""
    return f"{value:.2g}" if value < 100 else f"{value:.0f}" if value < 1e5 else f"{value:.2g}"


def _limit(kernel: PredictedKernel) -> str:
    """What limits a kernel, with a question mark where the runs do not exclude all else."""
    name = kernel.bound_by
    if name is None:
        return "?"
    return _LIMITS.get(name, f"{name} cache") + ("" if is_sure(kernel) else "?")


def law_line(loop: StudyLoop) -> str:
    """The law of a loop's iterations in one line: that in the swept parameters, else the model of
    its counts, else the formula of the source."""
    if loop.law is not None and loop.law.kind != "exact":
        return _bare(loop.law.formula)
    exact = loop.total is not None and loop.total.kind == "exact"
    if not exact and loop.iterations_model is not None:
        model = loop.iterations_model
        known = model.counted is not None and model.counted.formula is not None
        return model.formula if known else f"~{fewer_digits(model.formula)}"
    return _bare(loop.static_law) if loop.static_law else "?"


def _bare(formula: str) -> str:
    """Without the condition behind it."""
    return with_condition(formula).split("   if ")[0]


def _of_count(k: Ranked) -> str:
    """How the law of the iterations is known."""
    points = len(k.work.counted)
    at = standing(k.work)
    if at == "proved":
        return "proved"
    if at == "partly":
        return f"proved {points - len(k.work.unjudged)}/{points}"
    if at == "broken":
        return f"wrong {sum(p.equal is False for p in k.work.counted)}/{points}"
    return "agrees" if at == "agrees" else "open"


def _of_time(loop: StudyLoop) -> str:
    """What is known of the time, in two words at most."""
    if loop.time_model is None or loop.verdict in ("miscounted", "unchecked", "unmeasured"):
        return "-"
    if loop.verdict == "not identifiable":
        return "open"
    if loop.verdict == "modeled":
        if loop.model_quality == "extrapolating":
            return "few sizes"
        known = loop.model_error is not None and loop.model_error < _MEANINGLESS
        error = f" ±{loop.model_error:.0f} %" if known else ""
        return f"{loop.model_quality or 'modeled'}{error}"
    return loop.verdict


def _outside(found: Answer) -> list[str]:
    """What of the time is in no kernel, where the first sentence does not say it."""
    t = found.time
    if t is None or not t.kernels or t.seconds <= 0:
        return []
    share = t.outside.seconds / t.seconds
    if share < _SMALL or share > t.kernels[0].own / t.seconds:
        return []
    return [f"{percent(share)} of the time is outside of the timed loops."]


def _unknown_there(found: Answer) -> list[str]:
    """A line for each kernel whose count assumes what does not hold at the size."""
    where = ", ".join(f"{n} = {v:g}" for n, v in found.at.items())
    places = short_places(loop.at for loop in found.study.loops)
    return [
        f"{places[k.work.at]}: its count at {where} is not known: the formula assumes {broken[0]}."
        for k in found.kernels
        if (broken := assumed_at(k.work, found.at).broken(whole(found.at)))
    ]


def _broken(found: Answer) -> list[str]:
    """A line for each loop that breaks its law."""
    places = short_places(loop.at for loop in found.study.loops)
    return [
        f"{places[loop.at]} {loop.verdict}: {loop.verdict_reason}"
        for verdict in ("miscounted", BROKEN_TIME)
        for loop in found.study.loops
        if loop.verdict == verdict and loop.verdict_reason
    ]


def _unsettled(found: Answer, *, every: bool) -> list[str]:
    """How much is not settled, and the command that would settle most of it; with `every` all
    commands. Then the run that would tell most of the time at the target."""
    n, lines, told, noun = len(found.unsettled), [], [], _noun(found.study)
    if n and found.open_share >= _SMALL:
        models = counted_noun(n, "kernel")
        told.append(
            f"{percent(found.open_share)} of the time ({models} with an open or weak model)"
        )
    if laws := found.standings.get("open", 0):
        told.append(f"the counts of {laws} of {counted_noun(len(found.study.loops), noun)}")
    if told:
        lines.append(f"Not settled: {', and '.join(told)}.")
    if found.study.kind == LAUNCHES:
        return lines
    remedies, step = _remedies(found), advice(found)
    if step is not None:
        also = remedies.pop(step.command, None) if step.command else None
        settles = f"; this also settles {also.loops}" if also and also.share >= _SMALL else ""
        lines.append(f"{step.text}{settles}{':' if step.command else '.'}")
        lines += [f"\0{step.command}"] if step.command else []
    shown = len(remedies) if every else 1 if step is None and told else 0
    for command, remedy in list(remedies.items())[:shown]:
        lines += [f"To settle {remedy.loops} ({remedy.why}:", f"\0{command}"]
    if told and (more := len(remedies) - shown):
        what = "single loops" if step is not None else "the others"
        lines.append(f"{counted_noun(more, 'command')} to settle {what}: --all shows them.")
    return lines


def _closing(found: Answer) -> str:
    """How many laws are proved, and how the runs went."""
    words: dict[Standing, str] = {
        "proved": "proved and counted so",
        "partly": "proved where their assumptions held",
        "agrees": "confirmed by every run",
        "open": "open",
    }
    told = [f"{n} {text}" for k, text in words.items() if (n := found.standings.get(k))]
    counts = ", ".join([*told, f"{found.standings.get('broken', 0)}{_GLUE}miscounted"])
    failed = f"{sum(r.status != 'ok' for r in found.study.runs) or 'none'} failed"
    if lost := _lost(found.study):
        more = " and more" * (len(lost) > _MOST_LOST)
        failed += f"; no run succeeded at {'; '.join(lost[:_MOST_LOST])}{more}"
    return (
        f"{counted_noun(len(found.study.loops), _noun(found.study))}: {counts};"
        f" {counted_noun(len(found.study.runs), 'run').replace(' ', _GLUE)},"
        f" {failed}."
    )


_MOST_LOST = 4
"""Points without a run that are named."""


def _lost(study: StudyDocument) -> list[str]:
    """The points at which no run succeeded."""
    done = {tuple(r.params.items()) for r in study.runs if r.status == "ok"}
    lost = {tuple(r.params.items()) for r in study.runs} - done
    return [", ".join(f"{n} = {v:g}" for n, v in at) for at in sorted(lost)]


def _noun(study: StudyDocument) -> str:
    """What the rows of a study are."""
    return "law" if study.kind == LAUNCHES else "loop"


_MANY_DISTURBED = 0.2
"""Share of the runs from which on it is told that others had the processor."""


def _disturbed(study: StudyDocument) -> list[str]:
    """What is to be known of times that were measured on a busy machine."""
    runs, points = study.summary.disturbed_runs, study.summary.disturbed_points
    if not points and runs < max(_MANY_DISTURBED * len(study.runs), 1):
        return []
    waited = (
        f"{runs} of {counted_noun(len(study.runs), 'run')} waited for a processor that other"
        " programs had"
    )
    every = len({tuple(sorted(r.params.items())) for r in study.runs if r.status == "ok"})
    if points == every:
        return [f"{waited}: their times are too long; measure on an idle machine."]
    kept = f", except at {points} of {every} points where every run waited" * bool(points)
    return [f"{waited}: their times are left out{kept}."]


class _Remedy(NamedTuple):
    """Which loops a command would settle, their share of the time, and why and for how long."""

    loops: str
    share: float
    why: str


def _remedies(found: Answer) -> dict[str, _Remedy]:
    """Commands that would settle loops, that for most of the time first."""
    shares = {k.loop.at: k.share or 0.0 for k in found.kernels}
    groups: dict[str, list[tuple[StudyLoop, SettleDocument]]] = {}
    for loop in found.study.loops:
        if loop.settle is not None and loop.settle.command is not None:
            groups.setdefault(loop.settle.command, []).append((loop, loop.settle))
    places = short_places(loop.at for loop in found.study.loops)

    def share(pair: tuple[StudyLoop, SettleDocument]) -> float:
        return shares.get(pair[0].at, 0.0)

    def weight(command: str) -> tuple[float, int]:
        return -sum(map(share, groups[command])), -len(groups[command])

    told = {}
    for command in sorted(groups, key=weight):
        loops = groups[command]
        first, settle = max(loops, key=share)
        others = f" and {counted_noun(len(loops) - 1, 'more loop')}" if len(loops) > 1 else ""
        takes = f", about {seconds_text(settle.seconds)} of runs" if settle.seconds else ""
        why = f"{settle.reason}){takes}"
        told[command] = _Remedy(f"{places[first.at]}{others}", -weight(command)[0], why)
    return told


def advice(found: Answer) -> Advice | None:
    """The one run that would tell most, and what it costs."""
    step = found.next
    if step is None:
        return None
    at = ", ".join(f"{n} = {v}" for n, v in step.at.items())
    return Advice(
        f"To know more, measure {at} (about {seconds_text(step.seconds)}): the interval shrinks to"
        f" {percent(step.ratio)}",
        step.command,
    )


def _hanging(lines: Sequence[str], width: int) -> list[str]:
    """Lines wrapped with what follows indented; a command, behind a NUL, is broken only as a shell
    would read on."""
    found: list[str] = []
    for text in lines:
        if text.startswith("\0"):
            found += _command(text[1:], width)
        else:
            found += _wrapped(text, width, "  ")
    return found


def _wrapped(text: str, width: int, indent: str = "") -> list[str]:
    lines = textwrap.wrap(visible(text), width, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace(_GLUE, " ") for line in lines]


def _command(command: str, width: int) -> list[str]:
    """A command in lines that can be pasted."""
    lines = [" "]
    for word in map(shlex.quote, shlex.split(command)):
        if len(lines[-1]) + 1 + len(word) > width - 2 and lines[-1].strip():
            lines[-1] += " \\"
            lines.append("     ")
        lines[-1] += f" {word}"
    return lines
