"""The size of a study's problems in units of work: how the law of its largest loop grows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, log2

from looplaw_common.errors import InputError
from looplaw_common.formula.formula import Formula, parse_formula

from ...documents.study import RANK, StudyDocument, StudyLoop

_LARGE = 1 << 20
"""A size at which only the leading term of a law counts."""
_NEAR = 0.02
"""What an exponent may be off there."""
WORKERS = ("mpi:size", "omp:threads")
"""The origins of numbers of processes and threads."""


@dataclass(frozen=True)
class ProvedWork:
    """formula: the work of all processes, without its constant factor; at: the loop whose law it
    is."""

    formula: str
    at: str


def proved_work(study: StudyDocument, callpath: str | None = None) -> ProvedWork | None:
    """The work of a study's runs, or of one of its kernels: how its largest loop grows on one
    process. None where that is no product of powers of the sizes."""
    workers = [p.name for p in study.parameters if p.origin in WORKERS]
    sizes = [p.name for p in study.parameters if p.origin not in (*WORKERS, RANK)]
    rank = [p.name for p in study.parameters if p.origin == RANK]
    most = {p.name: max(p.values, default=1) for p in study.parameters}
    alone = {**dict.fromkeys(workers, 1), **dict.fromkeys(rank, 0)}
    found: list[tuple[float, StudyLoop, Formula]] = []
    for loop in study.loops:
        if loop.law is None or callpath not in (None, "main", loop.kernel):
            continue
        try:
            law = parse_formula(loop.law.formula)
            found.append((float(law.evaluate({**most, **alone})), loop, law))
        except InputError:
            continue
    if not found:
        return None
    _, loop, law = max(found, key=lambda f: f[0])
    powers = [(name, _exponent(law, name, sizes, alone)) for name in sizes]
    # counts are of all threads of a process together
    processes = [p.name for p in study.parameters if p.origin == WORKERS[0]]
    shares = [] if law.symbols & set(processes) else [(name, 1.0) for name in processes]
    if any(e is None for _, e in powers) or not any(e for _, e in powers):
        return None
    factors = [_power(name, e) for name, e in (*powers, *shares) if e]
    return ProvedWork("*".join(factors), loop.at)


def _exponent(law: Formula, name: str, sizes: Sequence[str], alone: dict[str, int]) -> float | None:
    """The power with which a law grows in a size, to a half; None where it is none."""
    at = dict.fromkeys(sizes, _LARGE) | alone
    try:
        low, high = (float(law.evaluate(at | {name: n})) for n in (_LARGE, 2 * _LARGE))
        found = log2(high / low)
    except (InputError, ArithmeticError, ValueError):
        return None
    nearest = round(2 * found) / 2
    return nearest if isfinite(found) and abs(found - nearest) < _NEAR else None


def _power(name: str, exponent: float) -> str:
    return name if exponent == 1 else f"{name}^{exponent:g}"
