"""What the analysis of a program finds, as outside readers get it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from looplaw_common import graphs
from looplaw_common.html import SHOWN, Typeset, table
from looplaw_common.lookup import find

from .count import Count
from .entry_formulas import EntryFormula
from .frontend.phases import is_phase
from .hidden_cost import HiddenCost, LibraryCall
from .interprocedural.inputs.program_parameters import ProgramParameter
from .matrix import MatrixForm

if TYPE_CHECKING:
    from networkx import DiGraph

FORMAT = "looplaw-analysis/1"
_OF_LAUNCHES = re.compile(r"__device_stub__|^__hip_|^_GLOBAL__sub_I_|^__cxx_global_var_init")
"""Functions that compilers write around launches."""
_TYPESET = 300
"""Characters of a formula that is shown in notebooks as people write it."""


@dataclass(frozen=True)
class LaunchCounts:
    """What all threads of a launch do together: the sum over threads, the maximum over threads, and
    the sum over warps of their lanes' number times the maximum of their lanes."""

    work: Count
    depth: Count
    warps: Count

    def to_json(self) -> dict[str, object]:
        return {
            "work": self.work.to_json(),
            "depth": self.depth.to_json(),
            "warps": self.warps.to_json(),
        }


@dataclass(frozen=True)
class Access:
    """A place of a kernel that reads or writes memory.

    Attributes:
        at: "file:line:col".
        kind: "load", "store" or "atomic".
        space: "global", "shared" or "constant".
        bytes: of one access of one thread.
        sectors: of 32 bytes that a warp of which all lanes take part touches.
        pattern: "broadcast", "coalesced", "strided" or "gathered".
        conflicts: ways that a warp's access of shared memory takes, 1 where no two lanes are in
            each other's way; None for other memory.
        lines: of 128 bytes, as `sectors`.
        stride: the bytes between neighbouring lanes, where that is one formula.
        array: what is accessed, as the source calls it.
        launch: how often threads come there.
        loop: the place of the innermost loop around.
    """

    at: str
    kind: str
    space: str
    bytes: int
    sectors: Count
    pattern: str
    conflicts: Count | None
    lines: Count
    stride: str | None
    array: str
    launch: LaunchCounts
    loop: str | None

    def to_json(self) -> dict[str, object]:
        return {
            "at": self.at,
            "kind": self.kind,
            "space": self.space,
            "bytes": self.bytes,
            "sectors": self.sectors.to_json(),
            "lines": self.lines.to_json(),
            "pattern": self.pattern,
            "conflicts": None if self.conflicts is None else self.conflicts.to_json(),
            "stride": self.stride,
            "array": self.array,
            "launch": self.launch.to_json(),
            "loop": self.loop,
        }


@dataclass(frozen=True)
class LaunchSite:
    """A place in code of the host that launches a kernel.

    Attributes:
        at: "file:line:col".
        loop: the place of the innermost loop around it.
        grid, block: blocks and threads along each axis, as formulas; None: not known.
        launches: how often a run launches it.
        work, warps: of all these launches together.
        arguments: what is handed to the kernel's arguments, as formulas; None: not known, or no
            number.
    """

    at: str
    loop: str | None
    grid: tuple[str | None, ...]
    block: tuple[str | None, ...]
    launches: Count
    work: Count
    warps: Count
    arguments: tuple[str | None, ...] = ()

    def to_json(self) -> dict[str, object]:
        return {
            "at": self.at,
            "loop": self.loop,
            "grid": list(self.grid),
            "block": list(self.block),
            "launches": self.launches.to_json(),
            "work": self.work.to_json(),
            "warps": self.warps.to_json(),
            "arguments": list(self.arguments),
        }


@dataclass(frozen=True)
class KernelResult:
    """The laws of the launches of a kernel.

    Attributes:
        dimensions: axes of a launch that the kernel uses; along others there is one thread.
        warp: lanes of a warp.
        counts: of iterations of the innermost loops; of a kernel without loops, of threads that
            come to its accesses of memory.
        efficiency: work over warps.
        shared_bytes: shared memory of a block.
        launches: in a run of the host's program; None where there is none.
        accesses: of memory, in the order of the source.
        divergence: the branches on which lanes of a warp part, "file:line:col".
        operations: kind -> what all threads of a launch do of it.
        sites: where the host launches it.
        best, moved: bytes between memory and multiprocessors, at best and as accesses are made.
        loops: the laws of the loops that its threads run, by place.
        blocks: of a multiprocessor at once, by its shared memory; None where it sets no limit.
    """

    dimensions: int
    warp: int
    counts: LaunchCounts
    efficiency: str | None
    shared_bytes: Count
    launches: Count | None
    accesses: tuple[Access, ...]
    divergence: tuple[str, ...]
    operations: Mapping[str, Count]
    best: Count
    moved: Count
    blocks: Count | None
    sites: tuple[LaunchSite, ...] = ()
    loops: Mapping[str, LaunchCounts] = field(default_factory=dict)

    @property
    def intensity(self) -> str | None:
        """Floating-point operations for each byte that is moved, at least."""
        flops, moved = self.operations.get("flops"), self.moved.upper
        if flops is None or not flops.formula or not moved:
            return None
        return f"({flops.formula})/({moved})"

    def to_json(self) -> dict[str, object]:
        found: dict[str, object] = {
            "dimensions": self.dimensions,
            "warp": self.warp,
            "efficiency": self.efficiency,
            "shared_bytes": self.shared_bytes.to_json(),
            "launches": None if self.launches is None else self.launches.to_json(),
            "accesses": [a.to_json() for a in self.accesses],
            "divergence": list(self.divergence),
            "operations": {kind: count.to_json() for kind, count in self.operations.items()},
            "sites": [site.to_json() for site in self.sites],
            "loops": {at: counts.to_json() for at, counts in self.loops.items()},
            "bytes": {"best": self.best.to_json(), "moved": self.moved.to_json()},
            "intensity": self.intensity,
            "blocks_per_multiprocessor": None if self.blocks is None else self.blocks.to_json(),
        }
        return found | self.counts.to_json()


@dataclass(frozen=True, repr=False)
class LoopResult:
    """One source loop. `headers` are the (function symbol, header block) of its copies in the IR;
    `inner` the places of the loops that run directly inside it: nested in it, or in functions that
    it calls."""

    at: str
    function: str
    nesting: int
    parent: str | None
    parameters: tuple[str, ...]
    per_entry: Count
    per_call: Count
    total: Count
    headers: tuple[tuple[str, str], ...]
    inner: tuple[str, ...] = ()
    matrix: MatrixForm | None = None
    launch: LaunchCounts | None = None

    def __repr__(self) -> str:
        return f"LoopResult({self.at} in {self.function}: {self.total!r})"

    def to_json(self) -> dict[str, object]:
        return {
            "at": self.at,
            "function": self.function,
            "nesting": self.nesting,
            "parent": self.parent,
            "inner": list(self.inner),
            "parameters": list(self.parameters),
            "per_entry": self.per_entry.to_json(),
            "per_call": self.per_call.to_json(),
            "total": self.total.to_json(),
        } | ({} if self.launch is None else {"launch": self.launch.to_json()})


@dataclass(frozen=True, repr=False)
class FunctionResult:
    """One function; `work`, `depth` and `operations` are per call.

    work: iterations of the innermost loops, callees included (N in Hoefler and Kwasniewski, SPAA
    2014).
    """

    name: str
    symbol: str
    file: str | None
    line: int | None
    parameters: tuple[str, ...]
    work: Count
    depth: Count
    efficiency: str | None
    operations: Mapping[str, Count]
    kernel: KernelResult | None = None

    def __repr__(self) -> str:
        return f"FunctionResult({self.name}: work {self.work!r})"

    def to_json(self) -> dict[str, object]:
        found: dict[str, object] = {
            "name": self.name,
            "file": self.file,
            "line": self.line,
            "parameters": list(self.parameters),
            "work": self.work.to_json(),
            "depth": self.depth.to_json(),
            "efficiency": self.efficiency,
            "operations": {kind: count.to_json() for kind, count in self.operations.items()},
        }
        return found if self.kernel is None else {**found, "kernel": self.kernel.to_json()}


@dataclass(frozen=True)
class Call:
    """The calls of one function at one place.

    Attributes:
        caller, callee: symbols of functions (`FunctionResult.symbol`).
        at: "file:line:col".
        loop: the place of the innermost loop of the caller around it.
        total: how often a whole run makes this call.
    """

    caller: str
    callee: str
    at: str
    loop: str | None
    total: Count


@dataclass(frozen=True, repr=False)
class Analysis:
    """All loops and functions of a program. `library` are loops in headers that are not the
    program's own; `entries` what is claimed of one entry of each loop of the IR, in internal
    symbols; `findings` work that loops do over and over;
    `library_calls` what calls of the library cost; `calls` who calls whom."""

    entry: str
    parameters: tuple[ProgramParameter, ...]
    loops: tuple[LoopResult, ...]
    functions: tuple[FunctionResult, ...]
    library: tuple[LoopResult, ...]
    notes: tuple[str, ...]
    entries: tuple[EntryFormula, ...] = ()
    findings: tuple[HiddenCost, ...] = ()
    library_calls: tuple[LibraryCall, ...] = ()
    calls: tuple[Call, ...] = ()

    @cached_property
    def call_graph(self) -> DiGraph:
        """Who calls whom; see `looplaw_common.graphs.call_graph`."""
        return graphs.call_graph(self.functions, self.calls)

    @cached_property
    def loop_tree(self) -> DiGraph:
        """Which loops run inside which; see `looplaw_common.graphs.loop_tree`."""
        return graphs.loop_tree((*self.loops, *self.library))

    @cached_property
    def dependences(self) -> DiGraph:
        """Which parameters influence what; see `looplaw_common.graphs.dependences`."""
        return graphs.dependences(
            (p.name for p in self.parameters), (*self.loops, *self.library), self.functions
        )

    def __getitem__(self, key: str) -> Any:
        """The `LoopResult` at "file:line" or "file:line:col" (of the file, the last part of its
        path suffices), or the `FunctionResult` of that name.

        Raises:
            UnknownKey: nothing, or several, are called so; the message lists what there is.
        """
        return find(key, (*self.loops, *self.library), self.functions)

    def __repr__(self) -> str:
        names = ", ".join(p.name for p in self.parameters) or "none"
        exact = sum(loop.total.kind == "exact" for loop in self.loops)
        name = next((f.name for f in self.functions if f.symbol == self.entry), self.entry)
        return (
            f"Analysis(entry {name}: {len(self.loops)} loops, {exact} of them exact,"
            f" {len(self.functions)} functions; parameters: {names})"
        )

    def _repr_html_(self) -> str:
        """What notebooks show."""
        rows = [
            (loop.at, loop.function, _typeset(loop.total), loop.total.kind)
            for loop in self.loops[: SHOWN + 1]
        ]
        heads = ("loop", "function", "iterations in a run", "kind")
        return table(heads, rows, len(self.loops))

    def to_json(self) -> dict[str, object]:
        """The contract "looplaw-analysis/1"."""
        return {
            "format": FORMAT,
            "entry": self.entry,
            "parameters": [p.to_json() for p in self.parameters],
            "loops": [loop.to_json() for loop in self.loops],
            "functions": [f.to_json() for f in self.functions],
            "library": [loop.to_json() for loop in self.library],
            "notes": list(self.notes),
            "findings": [f.to_json() for f in self.findings],
            "library_calls": [c.to_json() for c in self.library_calls],
        }


def _typeset(count: Count) -> str:
    """The formula as LaTeX; long ones, and what there is instead of one, as text."""
    if count.formula is not None and len(str(count.formula)) <= _TYPESET:
        return Typeset(count.latex())
    bounds = [f"at least {count.lower}"] * (count.lower is not None)
    bounds += [f"at most {count.upper}"] * (count.upper is not None)
    return str(count.formula or ", ".join(bounds) or f"unknown: {count.reason}")


def of_launches(analysis: Analysis) -> Analysis:
    """The analysis with the operations of kernels those of a whole launch, not of one thread."""
    return replace(
        analysis,
        functions=tuple(
            f if f.kernel is None else replace(f, operations=f.kernel.operations)
            for f in analysis.functions
        ),
    )


def of_whole_launches(analysis: Analysis) -> Analysis:
    """The analysis with the work and the depth of kernels those of a whole launch, too."""
    return replace(
        analysis,
        functions=tuple(
            f
            if f.kernel is None
            else replace(f, work=f.kernel.counts.work, depth=f.kernel.counts.depth)
            for f in of_launches(analysis).functions
        ),
    )


def with_kernels(
    host: Analysis | None, kernels: Sequence[Analysis], laws: Mapping[str, KernelResult]
) -> Analysis:
    """The analysis of a program and of its kernels, each of which was analysed by itself. laws: of
    launches, by the kernel's symbol."""
    parts = [*([] if host is None else [host]), *kernels]
    first = parts[0]
    functions = {
        f.symbol: replace(f, kernel=laws.get(f.symbol))
        for part in parts
        for f in part.functions
        if not _OF_LAUNCHES.search(f.symbol)
    }
    loops = [loop for part in parts for loop in part.loops]
    library = [loop for part in parts for loop in part.library]
    return replace(
        first,
        parameters=tuple({p.origin: p for part in parts for p in part.parameters}.values()),
        loops=_of_several_kernels(loops),
        functions=tuple(functions.values()),
        library=_of_several_kernels(library),
        notes=tuple(dict.fromkeys(note for part in parts for note in part.notes)),
        findings=tuple(dict.fromkeys(f for part in parts for f in part.findings)),
        library_calls=tuple(dict.fromkeys(c for part in parts for c in part.library_calls)),
        calls=tuple(c for part in parts for c in part.calls),
    )


def _of_several_kernels(loops: Sequence[LoopResult]) -> tuple[LoopResult, ...]:
    """One entry for each place of a loop. Kernels that run the same loop of a device function each
    have a law of their own; only what is the same for all of them is told of the loop."""
    groups: dict[str, list[LoopResult]] = {}
    for loop in loops:
        groups.setdefault(loop.at, []).append(loop)
    found = []
    for first, *others in groups.values():
        headers = tuple(dict.fromkeys(h for loop in (first, *others) for h in loop.headers))
        launch = first.launch
        if any(loop.launch != launch for loop in others):
            why = Count.unknown("several kernels run this loop, each with a law of its own")
            launch = LaunchCounts(why, why, why)
        found.append(replace(first, headers=headers, launch=launch) if others else first)
    return tuple(found)


def merged_copies(results: list[LoopResult]) -> list[LoopResult]:
    """One entry for a source loop: template instances and inlined copies add up."""
    groups: dict[str, list[LoopResult]] = {}
    for r in results:
        groups.setdefault(r.at, []).append(r)
    merged = []
    for group in groups.values():
        first = group[0]
        if len(group) == 1:
            merged.append(replace(first, per_entry=_per_entry(group)))
            continue
        merged.append(
            LoopResult(
                first.at,
                first.function,
                min(r.nesting for r in group),
                first.parent,
                tuple(sorted({p for r in group for p in r.parameters})),
                _per_entry(group),
                _per_call(group),
                Count.sum([r.total for r in group], what=f"the formula of its {len(group)} copies"),
                tuple(dict.fromkeys(h for r in group for h in r.headers)),
                tuple(dict.fromkeys(at for r in group for at in r.inner)),
                first.matrix,
            )
        )
    return merged


def _per_entry(copies: Sequence[LoopResult]) -> Count:
    """Iterations for each entry of a loop: those of its phases add up where a call enters it once
    at most."""
    functions = {function for r in copies for function, _ in r.headers}
    if any(is_phase(header) for r in copies for _, header in r.headers):
        if len(functions) == 1 and all(r.nesting == 1 for r in copies):
            return _per_call(copies)
        return Count.unknown("its phases are counted one by one")
    return _same([r.per_entry for r in copies])


def _per_call(copies: Sequence[LoopResult]) -> Count:
    """Iterations in one call of the function that holds a loop: copies in one function, as inlining
    leaves them, add up there."""
    holding: dict[str, dict[tuple[tuple[str, str], ...], list[Count]]] = {}
    for r in copies:
        symbol = r.headers[0][0] if r.headers else ""
        holding.setdefault(symbol, {}).setdefault(r.headers, []).append(r.per_call)
    each = [[_same(counts) for counts in places.values()] for places in holding.values()]
    what = "the formula of its copies in a function"
    return _same([c[0] if len(c) == 1 else Count.sum(c, what=what) for c in each])


def merged_functions(results: Sequence[tuple[str, FunctionResult]]) -> tuple[FunctionResult, ...]:
    """One entry for a function (its symbol stands first) of which there are copies: what differs
    between them is unknown."""
    groups: dict[str, list[FunctionResult]] = {}
    for symbol, r in results:
        groups.setdefault(symbol, []).append(r)
    return tuple(
        group[0] if len(group) == 1 else _merged_function(symbol, group)
        for symbol, group in groups.items()
    )


def _merged_function(symbol: str, group: Sequence[FunctionResult]) -> FunctionResult:
    first = group[0]

    def same(counts: Sequence[Count]) -> Count:
        return (
            counts[0]
            if all(c == counts[0] for c in counts)
            else Count.unknown("it differs with the functions that are handed to it")
        )

    return replace(
        first,
        symbol=symbol,
        parameters=tuple(sorted({p for r in group for p in r.parameters})),
        work=same([r.work for r in group]),
        depth=same([r.depth for r in group]),
        efficiency=first.efficiency if len({r.efficiency for r in group}) == 1 else None,
        operations={
            kind: same([r.operations[kind] for r in group if kind in r.operations])
            for kind in first.operations
        },
    )


def _same(counts: list[Count]) -> Count:
    if all(c == counts[0] for c in counts):
        return counts[0]
    return Count.unknown(f"it differs between the {len(counts)} copies of the loop")
