"""The input of annotated listings: an analysis with shortened formulas, and the source texts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from staticana import Analysis, Count, FunctionResult, InputError, LoopResult
from staticana.expr import ONE, Expr, TooComplex, sym
from staticana.parallel import process_parameter

from ..documents.analysis import AnalysisDocument, DisplayDocument
from ..settings.sources import files_of, read_sources
from .law_terms import LEAST, brief, in_range, plain_logs
from .roofline import quotient


def with_display(document: AnalysisDocument, analysis: Analysis) -> AnalysisDocument:
    """The document of an analysis in which loops and functions also have their formulas shortened
    for values of at least `LEAST`."""
    p = process_parameter({parameter.origin: parameter.name for parameter in analysis.parameters})
    loops = tuple(
        replace(row, display=_short(_shown(loop)), display_per_call=_short(loop.per_call))
        for row, loop in zip(document.loops, analysis.loops, strict=True)
    )
    functions = tuple(
        replace(row, display=displayed(f, p))
        for row, f in zip(document.functions, analysis.functions, strict=True)
    )
    return replace(document, loops=loops, functions=functions)


def _shown(loop: LoopResult) -> Count:
    """What stands beside a loop: what a run does, of a loop of kernels what a launch does."""
    return loop.total if loop.launch is None else loop.launch.work


def displayed(f: FunctionResult, p: str | None) -> DisplayDocument:
    """Work, depth and efficiency of a function, shortened; `p` is the number of processes."""
    if f.kernel is not None:
        return DisplayDocument(_short(f.kernel.counts.work), _short(f.kernel.counts.depth), None)
    efficiency = None
    if f.efficiency is not None and p is not None and f.work.formula is not None:
        try:
            work, serial = f.work.formula, f.work.formula.substitute({p: ONE})
            shared = sym(p) * _reduced(work, f.work)  # 0 of what one process alone does
            efficiency = (
                plain_logs(quotient(_reduced(serial, f.work), shared), _means(f.work))
                if shared
                else None
            )
        except TooComplex:
            efficiency = None
    return DisplayDocument(_short(f.work), _short(f.depth), efficiency)


def _short(count: Count) -> str | None:
    """The formula of a count without guards for small values; None where it has no formula."""
    if count.formula is None:
        return None
    try:
        return brief(count.formula, _means(count))
    except TooComplex:
        return str(count.formula)


def _reduced(formula: Expr, count: Count) -> Expr:
    return in_range(formula, dict.fromkeys(formula.symbols - _means(count), LEAST))


def _means(count: Count) -> set[str]:
    """Symbols that are no integers of at least 0."""
    return {o.symbol for o in count.opaque if not o.is_argument}


def sources_of(
    analysis: Analysis, program: Sequence[Path], functions: Sequence[str] = ()
) -> tuple[dict[str, str], dict[str, str]]:
    """(file -> text, file -> why it cannot be read) of the files that hold the loops (of the given
    functions).

    Raises:
        InputError: there is no such function.
    """
    known = {f.name for f in analysis.functions}
    for name in functions:
        if name not in known:
            raise InputError(
                f"--function {name}: the program has no function {name}; it has"
                f" {', '.join(sorted(known)[:8])}"
            )
    files = files_of(
        loop.at for loop in analysis.loops if not functions or loop.function in functions
    )
    more = tuple(
        f.file
        for f in analysis.functions
        if f.file and (f.name in functions or (f.kernel is not None and not functions))
    )
    return read_sources(dict.fromkeys((*files, *more)), program)
