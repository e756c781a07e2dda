"""What editors show of an analysis: a few words behind each loop, and details in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from looplaw_common.errors import InputError
from looplaw_common.formula.formula import parse_formula
from looplaw_common.text import visible
from staticana.alias.whole_programs import MAIN

from ..documents.analysis import (
    AnalysisDocument,
    FunctionDocument,
    KernelDocument,
    LaunchDocument,
    LibraryCallDocument,
    LoopDocument,
)
from ..documents.count import CountDocument
from ..laws.law_terms import without_guards
from ..report.cells import values_text
from ..report.formulas import with_condition
from ..report.listings.listing import LEGEND, MARKS
from .measured import Measured

_READABLE = 300
"""Characters of a formula that is shortened further than the analysis does."""
_LONGEST = 64
"""Characters of a formula behind a line; the whole stands in the details."""
_SHORT = 40
_MOST = 8
"""Assumptions and operations listed in the details."""
_ARGUMENT = "argument "
_NAME = re.compile(r"[A-Za-z_]\w*")
_NUMBERED = re.compile(r"(.*\D)_\d+")
_REMARKABLE = ("miscounted", "exceeds", "below", "obeys", "not identifiable")
_OPERATIONS = {
    "flops": "floating-point operations",
    "loads": "loads",
    "stores": "stores",
    "library_steps": "steps of library functions",
    "mpi_messages": "MPI messages",
    "mpi_bytes": "MPI bytes",
}


@dataclass(frozen=True)
class Shown:
    """A count as people read it. names: symbol -> what stands in the text for it."""

    count: CountDocument
    text: str
    names: Mapping[str, str]

    @property
    def kind(self) -> str:
        """As the count's; exact where all its symbols are arguments of the function itself."""
        own = all(o.meaning.startswith(_ARGUMENT) for o in self.count.opaque)
        return "exact" if self.count.kind == "parametric" and own else self.count.kind

    @property
    def short(self) -> str:
        """Without guards that matter for small values only."""
        return self._short(self.count.formula, self.text)

    @property
    def most(self) -> str | None:
        """What a count in named values is at most without these, written the same way; None where
        nothing tells that."""
        upper = self.count.upper
        if self.kind != "parametric" or upper in (None, "oo"):
            return None
        if {o.symbol for o in self.count.opaque} & {*_NAME.findall(upper)}:
            return None
        return self._short(upper, _in_words(upper, self.names))

    def _short(self, formula: str | None, otherwise: str) -> str:
        if formula is None or len(formula) > _READABLE:
            return otherwise
        try:
            plain = without_guards(parse_formula(_renamed(formula, self.names))).text
        except InputError:
            return otherwise
        return min(plain, otherwise, key=len)


def shown(count: CountDocument, display: object = None) -> Shown:
    """A count with the names of the source: numbers that tell symbols of several functions apart
    are dropped where one function is looked at."""
    names = _plain_names(count)
    if count.formula is not None:
        formula = display if isinstance(display, str) else count.formula
        text = _in_words(formula, names)
    elif count.upper is not None:
        text = _renamed(count.upper, names)
    else:
        text = "" if count.lower in (None, "0") else _renamed(str(count.lower), names)
    return Shown(count, text, names)


def _plain_names(count: CountDocument) -> dict[str, str]:
    texts = " ".join(t for t in (count.formula, count.lower, count.upper) if t)
    used = set(_NAME.findall(texts))
    wanted: dict[str, list[str]] = {}
    for o in count.opaque:
        match = _NUMBERED.fullmatch(o.symbol)
        if match is not None and match[1] not in used:
            wanted.setdefault(match[1], []).append(o.symbol)
    return {symbols[0]: name for name, symbols in wanted.items() if len(symbols) == 1}


def _in_words(formula: str, names: Mapping[str, str]) -> str:
    return with_condition(_renamed(formula, names)).replace("   if", " if")


def _renamed(text: str, names: Mapping[str, str]) -> str:
    return _NAME.sub(lambda m: names.get(m[0], m[0]), text)


def law_in_short(loop: LoopDocument, is_whole: bool) -> str:
    """The law of a loop in a call of its function, and in a run where that is something else."""
    call, run = shown(loop.per_call, loop.display_per_call), shown(loop.total, loop.display)
    if isinstance(loop.launch, LaunchDocument):
        return _marked(run, " a launch")
    if loop.function in MAIN or (is_whole and call.text == run.text):
        return _marked(call, "")
    if not is_whole or loop.total.formula is None:
        return _marked(call, " a call")
    if call.kind == "unknown":
        return _marked(run, " a run")
    first = _marked(call, " a call")
    return first if len(first) + len(run.text) > _LONGEST else f"{first}, {_marked(run, ' a run')}"


def _marked(shown: Shown, unit: str) -> str:
    mark = MARKS[shown.kind]
    if shown.kind == "unknown":
        return f"{mark} {_cut(shown.count.reason or 'unknown', _SHORT)}"
    if shown.most is not None:
        return f"{MARKS['bounded']} {_cut(shown.most, _LONGEST)}{unit}"
    if shown.count.formula is None and shown.count.upper is None:
        mark = "≥"
    return f"{mark} {_cut(shown.short, _LONGEST)}{unit}"


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def measured_in_short(found: Measured | None) -> str:
    """Time and verdict of a loop, as they stand behind its law; "" where nothing is known."""
    if found is None:
        return ""
    parts = []
    if found.seconds is not None:
        parts.append(f"{seconds_text(found.seconds)} at {values_text(found.at)}")
    if found.ns is not None:
        parts.append(f"{found.ns:.3g} ns an iteration")
    if found.loop.verdict in _REMARKABLE and (parts or found.loop.verdict != "obeys"):
        parts.append(found.loop.verdict)
    if parts and found.earlier:
        parts.append("before the last edit")
    return ", ".join(parts)


def seconds_text(seconds: float) -> str:
    """A time with a unit of its size."""
    for factor, unit in ((1.0, "s"), (1e3, "ms"), (1e6, "us")):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def loop_details(
    loop: LoopDocument, data: AnalysisDocument, is_whole: bool, found: Measured | None
) -> str:
    """All that is known of a loop, in Markdown."""
    return "\n\n".join(part for part in _loop_parts(loop, data, is_whole, found) if part)


def _loop_parts(
    loop: LoopDocument, data: AnalysisDocument, is_whole: bool, found: Measured | None
) -> Iterator[str]:
    call = shown(loop.per_call, loop.display_per_call)
    yield f"**Loop in {_code(loop.function)}**: {_kind_text(call, is_whole)}"
    if isinstance(loop.launch, LaunchDocument):
        yield from _launch_parts(loop.launch)
        return
    counts = [("each time it starts", shown(loop.per_entry)), ("in a call of its function", call)]
    if is_whole:
        counts.append(("in a run", shown(loop.total, loop.display)))
    yield "\n".join(f"- iterations {when}: {_count(c)}" for when, c in counts)
    yield _parameters(loop, data)
    yield _symbols([c for _, c in counts])
    yield _listed("Assumed", _assumptions([c.count for _, c in counts]))
    yield _measured(found)


def _launch_parts(launch: LaunchDocument) -> Iterator[str]:
    """What all threads of a launch do in a loop."""
    counts = [(name, shown(getattr(launch, name))) for name in ("work", "depth")]
    counts.append(("warps", shown(launch.warps.of_whole_warps)))
    yield "\n".join(f"- {name} of a launch: {_count(c)}" for name, c in counts)
    yield _symbols([c for _, c in counts])
    yield _listed("Assumed", _assumptions([c.count for _, c in counts]))


def _kind_text(count: Shown, is_whole: bool) -> str:
    """What kind of law it is, in words."""
    has_symbols = count.count.formula is not None and not count.count.formula.isdigit()
    if count.kind == "exact" and has_symbols and (count.count.opaque or not is_whole):
        return "exact in the function's arguments"
    if count.kind == "parametric":
        return "exact over the values named below"
    return LEGEND[count.kind]


def _count(c: Shown) -> str:
    if c.count.formula is not None:
        most = "" if c.most is None else f", at most {_code(_cut(c.most, _READABLE))}"
        return _code(_cut(c.text, _READABLE)) + most
    bounds = [
        f"{word} {_code(_renamed(t, c.names))}"
        for word, t in (("at least", c.count.lower), ("at most", c.count.upper))
        if t
    ]
    why = f" ({_line(c.count.reason)})" if c.count.reason else ""
    return f"{' and '.join(bounds) or 'unknown'}{why}"


def _parameters(loop: LoopDocument, data: AnalysisDocument) -> str:
    """Where the parameters come from that a loop depends on."""
    origins = {p.name: p.origin for p in data.parameters}
    return "\n".join(
        f"- {_code(name)}: {_origin(name, origins[name], loop.function)}"
        for name in loop.parameters
        if name in origins
    )


def _origin(name: str, origin: str, function: str) -> str:
    if origin.startswith("arg:"):
        return f"argument {_line(name)} of {_line(origin.split(':')[1] or function)}"
    return _code(origin)


def _symbols(counts: Sequence[Shown]) -> str:
    found: dict[str, str] = {}
    for c in counts:
        for o in c.count.opaque:
            where = f" ({o.at})" if o.at and o.at not in o.meaning else ""
            found.setdefault(c.names.get(o.symbol, o.symbol), f"{o.meaning}{where}")
    return "\n".join(f"- {_code(name)}: {_line(meaning)}" for name, meaning in found.items())


def _assumptions(counts: Sequence[CountDocument]) -> list[str]:
    return list(dict.fromkeys(a for c in counts for a in c.assumptions))


def _listed(head: str, lines: Sequence[str]) -> str:
    if not lines:
        return ""
    more = [f"- and {len(lines) - _MOST} more"] if len(lines) > _MOST else []
    return "\n".join([f"{head}:", "", *(f"- {_line(x)}" for x in lines[:_MOST]), *more])


def _measured(found: Measured | None) -> str:
    """What a study says of a loop."""
    if found is None:
        return ""
    loop = found.loop
    earlier = ", of the file before the last edit" if found.earlier else ""
    lines = [f"Measured ({_line(str(found.folder))}{earlier}):", ""]
    if found.seconds is not None:
        lines.append(f"- time: {seconds_text(found.seconds)} at {values_text(found.at)}")
    if loop.time_model is not None:
        lines.append(f"- model of the time in seconds: {_code(loop.time_model.formula)}")
    if found.ns is not None:
        lines.append(f"- time of an iteration: {found.ns:.3g} ns")
    if loop.counted:
        equal = sum(c.equal is True for c in loop.counted)
        lines.append(f"- counted as predicted at {equal} of {len(loop.counted)} points")
    why = f": {_line(loop.verdict_reason)}" if loop.verdict_reason else ""
    return "\n".join([*lines, f"- verdict: {loop.verdict}{why}"])


def function_details(f: FunctionDocument) -> str:
    """The work of a function, in Markdown."""
    display = f.display or None
    work = shown(f.work, display.work if display else None)
    when = "a launch" if isinstance(f.kernel, KernelDocument) else "a call"
    lines = [f"**{_code(f.name)}**, in {when}:", "", f"- iterations: {_count(work)}"]
    depth = shown(f.depth, display.depth if display else None)
    if depth.text != work.text:
        lines.append(f"- depth, with unlimited processors: {_count(depth)}")
    for kind, name in _OPERATIONS.items():
        count = f.operations.get(kind)
        if count is not None and count.formula != "0":
            lines.append(f"- {name}: {_count(shown(count))}")
    parts = ["\n".join(lines), _symbols([work])]
    return "\n\n".join(p for p in [*parts, _listed("Assumed", _assumptions([f.work]))] if p)


def library_details(call: LibraryCallDocument) -> str:
    """What a call of a library function costs, in Markdown."""
    steps = shown(call.steps)
    parts = [
        f"{_code(call.call)} passes {_count(steps)} bytes or elements a call",
        _symbols([steps]),
    ]
    return "\n\n".join(part for part in parts if part)


def function_in_short(f: FunctionDocument) -> str:
    """The work of a function on one line; "" where it has no loops."""
    work = shown(f.work, f.display.work if f.display else None)
    steps = f.operations.get("library_steps")
    if work.text in ("", "0") and (steps is None or steps.formula in (None, "0")):
        return ""
    when = "launch" if isinstance(f.kernel, KernelDocument) else "call"
    parts = [f"work {_marked(work, f' iterations a {when}')}"]
    if steps is not None and steps.formula not in (None, "0"):
        parts.append(f"library {_marked(shown(steps), ' steps')}")
    return "; ".join(parts)


def _code(text: str) -> str:
    """As code; nothing in it ends the code or begins a link."""
    return f"`{visible(' '.join(text.split())).replace('`', chr(39))}`"


def _line(text: str | None) -> str:
    """Text of a source or a study, in which nothing is read as Markdown."""
    return re.sub(r"([\\`*_{}\[\]<>#|!~])", r"\\\1", visible(" ".join((text or "").split())))
