"""The analysis of one build: what it says of each loop, and the value of that in each run."""

from __future__ import annotations

import re
import resource
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .causes import causes_of

_GIVEN_UP = ("no error exit", "the run passes", "the run does not end")
"""How assumptions begin that a run breaks which ends with an error."""
FORMULA = 2000
"""Characters that are kept of a formula."""


def analysis_worker(job: dict[str, Any]) -> dict[str, Any]:
    """canonical.ll -> what the analysis says of each loop, its value for each command line, and
    what that took."""
    from staticana import analyze_module, parse_module

    text = (Path(job["folder"]) / "canonical.ll").read_text(errors="surrogateescape")
    started = time.process_time()
    module = parse_module(text)
    argc = len(job["runs"][0][0]) + 1 if job["runs"] else None
    named = {"ranks": "mpi:size", "rank": "mpi:rank"} if job["ranks"] else {}
    analysis = analyze_module(module, entry=job["entry"], parameters=named, argc=argc, matrix=False)
    cpu_s, memory_mb = time.process_time() - started, _peak_mb()
    vectors = [_values(analysis.parameters, job["values"], *point) for point in job["runs"]]
    causes = causes_of(module) if job["reasons"] else {}
    loops = []
    for own, found in ((True, analysis.loops), (False, analysis.library)):
        for loop in found:
            total = loop.total
            loops.append(
                {
                    "at": loop.at,
                    "own": own,
                    "function": loop.function,
                    "kind": _kind(total),
                    "per_entry": _kind(loop.per_entry) in ("exact", "value"),
                    "formula": _text(total.formula),
                    "one_count": _has_one_count(total),
                    "reason": total.reason,
                    "opaque": [[o.meaning, o.at] for o in total.opaque],
                    "causes": sorted({c for h in loop.headers for c in causes.get(h, ())}),
                    "values": [
                        [_value(e, v) for e in (total.formula, total.lower, total.upper)]
                        for v in vectors
                    ],
                    "holds": [total.holds(v) for v in vectors],
                    "no_error": any(a.startswith(_GIVEN_UP) for a in total.assumptions),
                }
            )
    return {
        "modelled": _behind_models(module),
        "cpu_s": cpu_s,
        "memory_mb": memory_mb,
        "loops": loops,
        "functions": len(analysis.functions),
        "instructions": sum(
            len(b.instructions) for f in module.functions.values() for b in f.blocks.values()
        ),
    }


def _behind_models(module: Any) -> list[str]:
    """Places of loops in functions whose bodies are replaced by models, or that only such functions
    call."""
    from staticana.frontend.models import with_models
    from staticana.ir.loop_info import loop_forest

    modelled, called = with_models(module)
    hidden: set[str] = set()
    open_: set[str] = set()
    for name, f in module.functions.items():
        if f.is_declaration:
            continue
        mine = {loop.at for loop in loop_forest(f, module).loops}
        left = modelled.functions[name].blocks.keys()
        (hidden if name in called or left != f.blocks.keys() else open_).update(mine)
    return sorted(hidden - open_)


def _peak_mb() -> float:
    """Of this process alone: ru_maxrss would include what its parent held when it was started."""
    status = Path("/proc/self/status")
    found = re.search(r"VmHWM:\s+(\d+)", status.read_text()) if status.exists() else None
    return (
        int(found.group(1)) if found else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    ) / 1024


def _kind(count: Any) -> str:
    if count.kind != "parametric":
        return str(count.kind)
    return (
        "data"
        if any(o.meaning.startswith(("mean ", "fraction ")) for o in count.opaque)
        else "value"
    )


def _has_one_count(count: Any) -> bool:
    """Is it a formula over named values with at most one named count in each product: how often a
    loop runs, or code is passed, that data decide?"""
    data = {o.symbol: o.meaning for o in count.opaque if o.meaning.startswith(("mean ", "frac"))}
    if count.formula is None or any(m.startswith("fraction ") for m in data.values()):
        return False
    return all(
        sum(len(a.symbols & data.keys()) for a, _ in monomial) <= 1
        for monomial in count.formula.terms
    )


def _text(e: object) -> str | None:
    return None if e is None else str(e)[:FORMULA]


def _values(
    parameters: Sequence[Any],
    known: Mapping[str, int],
    argv: Sequence[str],
    units: int = 1,
    rank: int = 0,
) -> dict[str, int]:
    """What the program parameters are in this run of so many threads or processes; atoi reads 0
    from a word that is no number."""
    values = dict(known)
    for p in parameters:
        if p.origin.startswith("argv["):
            word = argv[int(p.origin[5:-1]) - 1]
            number = re.match(r"\s*[-+]?\d+", word)
            values[p.name] = int(number.group()) if number else 0
        elif p.origin == "argc":
            values[p.name] = len(argv) + 1
        elif p.origin in ("mpi:size", "omp:threads", "mpi:rank"):
            values[p.name] = rank if p.origin == "mpi:rank" else units
    return values


def _value(e: Any, values: Mapping[str, int]) -> int | float | None:
    """The number; None where there is no formula, a symbol has no value, or it is a sum too long to
    add up."""
    if e is None or not e.symbols <= values.keys():
        return None
    try:
        number = e.evaluate(values)
    except OverflowError:
        return None
    return int(number) if number == int(number) else float(number)
