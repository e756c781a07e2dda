"""The sources with a pragma before each loop, as TACLeBench has them.

Source: H. Falk et al., "TACLeBench: A Benchmark Collection to Support Worst-Case Execution Time
Research", WCET 2016: _Pragma( "loopbound min 0 max 10" ).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from .loop_bounds import LoopBound


def loop_pragmas(bounds: Sequence[LoopBound]) -> str:
    """The sources, one behind the other; loops without a bound have none there either."""
    files: dict[str, list[LoopBound]] = defaultdict(list)
    for bound in bounds:
        if bound.most is not None:
            files[bound.file].append(bound)
    return "".join(_annotated(file, found) for file, found in files.items())


def _annotated(file: str, bounds: Sequence[LoopBound]) -> str:
    """A source; the last loops first, so that places stay."""
    lines = Path(file).read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)
    for b in sorted(bounds, key=lambda b: (b.line, b.column), reverse=True):
        line = lines[b.line - 1]
        before, rest = line[: b.column - 1], line[b.column - 1 :]
        indent = line[: len(line) - len(line.lstrip())]
        pragma = f'_Pragma( "loopbound min {b.least} max {b.most}" )'
        lines[b.line - 1] = f"{before}{pragma}\n{indent}{rest}"
    return "".join(lines)
