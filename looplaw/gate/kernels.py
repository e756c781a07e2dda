"""Kernels of graphics processors in two versions: growth of their launch laws, of what a warp
touches of memory, and of the lanes that wait for others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from staticana import Analysis, Count, FunctionResult, analyze_module, canonical, compile_sources
from staticana import parse_module as parsed
from staticana.expr import Expr, sym
from staticana.launch import efficiency_of, usual_value
from staticana.results import Access, KernelResult

from .judging import Change, judged
from .program import Law

_NUMBER = re.compile(r"_\d+$")
_MORE = 1.5
"""Times as many sectors, ways or waiting lanes as before that are told."""


def kernel_changes(
    sides: tuple[Path, Path], files: Sequence[tuple[str, str]], flags: Sequence[str]
) -> tuple[Change, ...]:
    """The findings on the kernels of files, each (before, after) relative to the two roots.

    Raises:
        InputError: a file does not compile.
    """
    found: list[Change] = []
    for names in files:
        before, after = (side / name for side, name in zip(sides, names, strict=True))
        if before.read_bytes() != after.read_bytes():
            found += _changed(_analysed(before, flags), _analysed(after, flags))
    return tuple(found)


def _analysed(file: Path, flags: Sequence[str]) -> Analysis:
    text = canonical(compile_sources([file], flags=flags))
    return analyze_module(parsed(text), matrix=False)


def _kernels(analysis: Analysis) -> dict[str, tuple[FunctionResult, KernelResult]]:
    return {f.name: (f, f.kernel) for f in analysis.functions if f.kernel is not None}


def _changed(old: Analysis, new: Analysis) -> Iterator[Change]:
    before, after = _kernels(old), _kernels(new)
    for name, (function, kernel) in after.items():
        at = f"{function.file}:{function.line}"
        if name not in before:
            yield Change("new", name, at, "", _text(kernel.counts.work))
            continue
        yield from _of_laws(name, at, before[name][1], kernel)
        yield from _of_accesses(name, before[name][1], kernel)
    for name, (function, kernel) in before.items():
        if name not in after:
            at = f"{function.file}:{function.line}"
            yield Change("gone", name, at, _text(kernel.counts.work), "")


def _of_laws(name: str, at: str, old: KernelResult, new: KernelResult) -> Iterator[Change]:
    for what in ("work", "depth"):
        before, after = (_law(getattr(k.counts, what)) for k in (old, new))
        change = judged(before, after)
        if change is not None:
            reason = f"{what} of a launch" + (f": {change.reason}" if change.reason else "")
            yield replace(change, function=name, at=at, reason=reason)
            break
    was, now = (efficiency_of(k.counts, k) for k in (old, new))
    if was is not None and now is not None and was > now * _MORE:
        reason = f"divergence: {was:.0%} of the lanes work -> {now:.0%}"
        yield Change(
            "growth", name, at, f"{was:.0%}", f"{now:.0%}", reason=reason, unit="lanes that work"
        )


def _of_accesses(name: str, old: KernelResult, new: KernelResult) -> Iterator[Change]:
    before = _by_place(old.accesses)
    for key, access in _by_place(new.accesses).items():
        was = before.get(key)
        if was is None:
            continue
        for unit, one, two in (
            ("sectors", was.sectors, access.sectors),
            ("ways of a bank", was.conflicts, access.conflicts),
        ):
            if one is None or two is None:
                continue
            few, many = usual_value(one, old), usual_value(two, new)
            if few and many and many >= _MORE * few:
                yield Change(
                    "growth",
                    name,
                    access.at,
                    f"{few:g}",
                    f"{many:g}",
                    reason=f"{unit} per {access.kind} of {access.array} {few:g} -> {many:g}",
                    unit=f"{unit} per {access.kind}",
                )


def _by_place(accesses: Sequence[Access]) -> Mapping[tuple[str, str, int], Access]:
    """Accesses by array, kind and number."""
    found: dict[tuple[str, str, int], Access] = {}
    for access in accesses:
        number = sum(key[:2] == (access.array, access.kind) for key in found)
        found[access.array, access.kind, number] = access
    return found


def _law(count: Count) -> Law:
    names = {s: sym(n) for s, n in _alike(count).items()}

    def text(e: Expr | None) -> str | None:
        return None if e is None else str(e.substitute(names))

    return Law(text(count.formula), text(count.lower), text(count.upper), (), count.reason)


def _alike(count: Count) -> dict[str, str]:
    """What data decide by names that do not change with the lines of a file: of the same kind
    by their order."""
    found: dict[str, str] = {}
    for o in sorted(count.opaque, key=lambda o: (_line(o.at), o.symbol)):
        kind = _NUMBER.sub("", o.symbol)
        taken = sum(_NUMBER.sub("", s) == kind for s in found)
        found[o.symbol] = f"{kind}_{taken + 1}"
    return found


def _line(at: str) -> int:
    parts = at.split(":")
    return int(parts[-2]) if len(parts) > 2 and parts[-2].isdigit() else 0


def _text(count: Count) -> str:
    return str(count.formula) if count.formula is not None else count.reason or ""
