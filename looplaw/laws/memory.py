"""The memory law of a program on a machine: footprints of loops, conditions, lines per level."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import structs

from runtime.machine.description import Machine
from staticana.expr import Expr, Number, sym, symbols
from staticana.traffic import LoopFootprint, Refused, TrafficLaw, traffic_of

from ..documents.analysis import AnalysisDocument, LevelTraffic, LoopMemory, MemoryDocument


def with_memory(
    document: AnalysisDocument,
    canonical_text: str,
    entry: str,
    parameters: Mapping[str, str],
    machine: Machine,
    at: Mapping[str, Number],
) -> AnalysisDocument:
    """The document of an analysis with the memory law, or why there is none."""
    try:
        law = traffic_of(canonical_text, entry=entry, parameters=parameters)
        found = memory_document(law, machine, at)
    except Refused as why:
        found = MemoryDocument(reason=str(why))
    return structs.replace(document, memory=found)


def memory_document(law: TrafficLaw, machine: Machine, at: Mapping[str, Number]) -> MemoryDocument:
    """The law on a machine; lines per level where `at` has a value for every parameter.

    Raises:
        Refused: an address is not affine at these values.
    """
    caches = {c.level: c.bytes for c in machine.caches if c.bytes is not None}
    loops = tuple(_loop(loop, caches) for loop in law.loops)
    known = set(law.parameters) <= at.keys()
    lines = tuple(LevelTraffic(k, b, law.lines(b, at)) for k, b in caches.items()) if known else ()
    plain: dict[str, int | float] = {
        k: v if isinstance(v, int) else float(v) for k, v in at.items()
    }
    return MemoryDocument(loops, lines, plain, law.notes)


def _loop(loop: LoopFootprint, caches: Mapping[str, int]) -> LoopMemory:
    fits: dict[str, str] = {}
    if loop.per_iteration is not None:
        for level, capacity in caches.items():
            until = loop.fits_until(capacity)
            constant = loop.per_iteration.constant
            if until is not None:
                fits[level] = f"{until[0]} <= {until[1]}"
            elif constant is not None:
                fits[level] = "always" if constant * 64 <= capacity else "never"
            else:
                fits[level] = f"{_text(loop.per_iteration)} <= {capacity // 64}"
    return LoopMemory(
        loop.at, loop.function, loop.depth, _text(loop.lines), _text(loop.per_iteration), fits
    )


def _text(e: Expr | None) -> str | None:
    """A formula with plain names for iteration numbers; None stays None."""
    if e is None:
        return None
    inner = sorted(s for s in e.symbols if symbols.is_iteration(s))
    return str(e.substitute({s: sym(f"i_{k}") for k, s in enumerate(inner)}))


def memory_text(memory: MemoryDocument) -> str:
    """The law as lines of text."""
    if memory.reason is not None:
        return f"no memory law: {memory.reason}"
    rows = []
    for loop in memory.loops:
        indent = "  " * (loop.depth - 1)
        rows.append(f"{indent}{loop.at} in {loop.function}")
        rows.append(f"{indent}  lines touched: {loop.lines or 'no closed formula'}")
        conditions = ", ".join(f"{level}: {when}" for level, when in loop.fits.items())
        if conditions:
            rows.append(f"{indent}  an iteration fits in {conditions}")
    rows += [f"lines that miss {t.level} ({t.bytes} bytes): {t.lines:.6g}" for t in memory.traffic]
    if not memory.traffic:
        rows.append("lines that miss each cache: add --at NAME=VALUE for every parameter")
    rows += [f"assumed: {note}" for note in memory.notes]
    return "\n".join(rows)
