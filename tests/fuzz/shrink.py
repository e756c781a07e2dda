"""A wrong program made minimal: lines and blocks are left out as long as it stays wrong in the same
way and compiles."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import replace

from looplaw_common.errors import LooplawError
from staticana import Compiler

from .deceive import Finding, judge
from .families import Program

_MOST = 400  # candidates that are tried


def minimal(program: Program, fault: Finding, compiler: Compiler) -> tuple[Program, Finding]:
    """The least program found that has a fault of this sort, and what is wrong with it: the program
    itself where it is not wrong when it is judged alone."""
    sort = fault.sort
    found = _fault(program, sort, compiler)
    if found is None:
        return program, fault
    tried = 0
    at = 0
    while True:
        candidates = list(_without(program.lines))
        for k in [*range(at, len(candidates)), *range(min(at, len(candidates)))]:
            tried += 1
            if tried > _MOST:
                return program, found
            less = replace(program, lines=candidates[k])
            still = _fault(less, sort, compiler)
            if still is not None:
                program, found, at = less, still, k
                break
        else:
            return program, found


def _fault(program: Program, sort: str, compiler: Compiler) -> Finding | None:
    try:
        findings = judge([program], [compiler])[0].wrong
    except (LooplawError, subprocess.CalledProcessError):
        return None  # it does not compile
    return next((f for f in findings if f.sort == sort), None)


def _without(lines: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """A block left out, or only its braces, or a line; the largest first."""
    spans = [(k, _end(lines, k)) for k in range(len(lines))]
    for first, last in sorted(spans, key=lambda s: s[0] - s[1]):
        if "_main(" in lines[first] or "return 0;" in lines[first]:
            continue
        yield (*lines[:first], *lines[last + 1 :])
        if last > first + 1:
            yield (*lines[:first], *lines[first + 1 : last], *lines[last + 1 :])


def _end(lines: Sequence[str], first: int) -> int:
    """The last line of the block that a line opens."""
    depth = 0
    for k in range(first, len(lines)):
        depth += lines[k].count("{") - lines[k].count("}")
        if depth <= 0:
            return k
    return first


def as_test(program: Program, finding: Finding) -> str:
    """The program as a file for tests/claims: a main, its arguments in the first line."""
    vectors = " | ".join(" ".join(v.words) for v in program.vectors)
    said = finding.sort
    head = f"/* args: {vectors} : {program.family}, {said} was wrong"
    flags = [f for f in (program.standard, *program.flags, "-D_GNU_SOURCE") if f]
    head += f"\n   flags: {' '.join(flags)} */"
    text = program.source.replace(f"{program.name}_main", "main").replace(f"{program.name}_", "")
    text = text.replace('extern "C" int main', "int main")
    return "\n".join([head, *(f"#include <{h}>" for h in program.includes), text, ""])
