"""The memory law of a program on a machine: footprints of loops, conditions, lines per level."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from fractions import Fraction

from msgspec import structs

from looplaw_common.text import in_one_line
from runtime.machine.description import Machine
from staticana.expr import Expr, Number, TooComplex, sym, symbols
from staticana.traffic import (
    Evaluation,
    LoopFootprint,
    Refused,
    Regime,
    TrafficLaw,
    traffic_of,
    traffic_of_functions,
)
from staticana.traffic.closed import largest

from ..documents.analysis import (
    AnalysisDocument,
    LevelTraffic,
    LoopMemory,
    LoopTraffic,
    MemoryDocument,
    RegimeMemory,
)
from .law_terms import in_range


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


def bytes_from_memory(
    canonical_text: str,
    functions: Iterable[str],
    entry: str,
    parameters: Mapping[str, str],
    capacity_bytes: int,
    at: Mapping[str, Number],
) -> dict[str, Fraction]:
    """Bytes of one call of each function (by symbol) between memory and a cache that begins empty:
    lines that miss it, and those written back; only where they are sure."""
    laws = traffic_of_functions(canonical_text, functions, entry=entry, parameters=parameters)
    found: dict[str, Fraction] = {}
    for symbol, law in laws.items():
        if set(law.parameters) <= at.keys():
            with contextlib.suppress(Refused):
                level = law.at(at, (capacity_bytes,)).levels[0]
                if level.is_sure:
                    found[symbol] = Fraction(round(64 * (level.missed + level.written_back)))
    return found


def memory_document(law: TrafficLaw, machine: Machine, at: Mapping[str, Number]) -> MemoryDocument:
    """The law on a machine; lines per level where `at` has a value for every parameter.

    Raises:
        Refused: an address is not affine at these values.
    """
    caches = {c.level: c.bytes for c in machine.caches if c.bytes is not None}
    loops = tuple(_loop(loop, caches) for loop in law.loops)
    plain: dict[str, int | float] = {
        k: v if isinstance(v, int) else float(v) for k, v in at.items()
    }
    found = MemoryDocument(
        loops,
        tuple(_regime(r, caches) for r in law.regimes),
        at=plain,
        notes=law.notes,
        unknowns=dict(law.unknowns),
    )
    if set(law.parameters) - law.fractions <= at.keys():
        return _evaluated(found, law.at(at, tuple(caches.values())), tuple(caches))
    return found


def _evaluated(
    document: MemoryDocument, found: Evaluation, levels: tuple[str, ...]
) -> MemoryDocument:
    traffic = tuple(
        LevelTraffic(
            name,
            x.capacity_bytes,
            x.missed,
            x.streamed,
            x.strided,
            x.random,
            x.written_back,
            x.low,
            x.high,
            x.smaller,
            x.larger,
            bool(x.is_sure),
            x.reason,
        )
        for name, x in zip(levels, found.levels, strict=True)
    )
    loops = tuple(
        LoopTraffic(
            x.at,
            x.function,
            x.iterations,
            x.loads,
            x.stores,
            {k: v.missed for k, v in zip(levels, x.levels, strict=True)},
            {k: v.strided for k, v in zip(levels, x.levels, strict=True)},
            {k: v.random for k, v in zip(levels, x.levels, strict=True)},
        )
        for x in found.loops
    )
    return structs.replace(
        document,
        traffic=traffic,
        loop_traffic=loops,
        footprint=found.footprint,
        method=found.method,
    )


def _loop(loop: LoopFootprint, caches: Mapping[str, int]) -> LoopMemory:
    fits: dict[str, str] = {}
    if loop.per_iteration is not None:
        fits = {k: _condition((loop.per_iteration,), c) for k, c in caches.items()}
    return LoopMemory(
        loop.at, loop.function, loop.depth, _text(loop.lines), _text(loop.per_iteration), fits
    )


def _regime(regime: Regime, caches: Mapping[str, int]) -> RegimeMemory:
    return RegimeMemory(
        regime.at,
        tuple(t for e in regime.needs if (t := _text(e)) is not None),
        _text(regime.lines),
        {k: _condition(regime.needs, c) for k, c in caches.items()},
    )


def _condition(needs: tuple[Expr, ...], capacity: int) -> str:
    """When all of some numbers of lines fit in a cache."""
    lines = capacity // 64
    parts: list[str] = []
    limits: dict[str, int] = {}
    for e in needs:
        constant = e.constant
        if constant is not None:
            if constant > lines:
                return "never"
            continue
        name = min(e.symbols)
        until = None if name[0] == "%" else largest(e, name, lines)
        if until is None:
            parts.append(f"{_text(e)} <= {lines}")
        else:
            limits[name] = min(until, limits.get(name, until))
    parts = [f"{name} <= {until}" for name, until in limits.items()] + parts
    return " and ".join(parts) or "always"


def _text(e: Expr | None) -> str | None:
    """A formula for parameters of at least 1, with plain names for iteration numbers; None stays
    None."""
    if e is None:
        return None
    inner = sorted(s for s in e.symbols if symbols.is_iteration(s))
    with contextlib.suppress(TooComplex):
        e = in_range(e, dict.fromkeys(e.symbols - set(inner), 1))
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
    for k, regime in enumerate(memory.regimes):
        if regime.lines is None:
            continue
        what = f"an iteration of {', '.join(regime.at)}" if regime.at else "everything"
        when = ", ".join(f"{level}: {text}" for level, text in regime.fits.items())
        rows.append(f"where {what} fits{' and no more' if k else ''} ({when})")
        rows.append(f"  lines missed: {regime.lines}")
    rows += [_level_text(t) for t in memory.traffic]
    if memory.traffic and memory.method != "simulated":
        rows.append("a part of the iterations was simulated and stands for all")
    if not memory.traffic:
        rows.append("lines that miss each cache: add --at NAME=VALUE for every parameter")
    rows += [f"{name}: {meaning}" for name, meaning in memory.unknowns.items()]
    rows += [f"assumed: {note}" for note in memory.notes]
    return "\n".join(map(in_one_line, rows))


def _level_text(t: LevelTraffic) -> str:
    """One cache at the given values."""
    kinds = [
        f"{number:.4g} {kind}"
        for kind, number in (("strided", t.strided), ("random", t.random))
        if number
    ]
    kinds.append(f"{t.written_back:.4g} written back")
    text = f"lines that miss {t.level} ({t.bytes} bytes): {t.lines:.6g} ({', '.join(kinds)})"
    if not t.sure:
        text += f"; between {t.low:.4g} and {t.high:.4g}: {t.reason}"
    if t.smaller - t.larger > 0.1 * max(t.lines, 1.0):
        text += f"; {t.smaller:.4g} at 0.8, {t.larger:.4g} at 1.25 times the size"
    return text
