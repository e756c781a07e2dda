"""Natural loops of a function, by dominators (Aho, Lam, Sethi and Ullman, "Compilers", 9.6).

An iteration is one start of the body: one that leaves by break or return counts, the failing last
test does not. So each exit edge says whether it is the loop's own test (`for (...; i < n; ...)`,
`while (...)`), and

    iterations = executions of the header - exits by the loop's own test.

Debug information decides it where there is any: clang places the test's branch at the loop keyword,
where `!llvm.loop` says that the loop starts, while a break's branch lies in the body and a
do-while's at its end.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from looplaw_common.digraph import Digraph, circles, dominators

from .graph import blocks_reached, callee, closure
from .matchers import is_any, is_invoke, is_load, is_phi
from .types import Function, Instruction, Location, Module, Operand

TEAM_LOOP = "looplaw.team"  # what `openmp` calls its loops over threads
SHARED_LOOP = "looplaw.shared"
_CLANGS_LOOPS = (
    *("omp.outer.log.scan.body", "omp.inner.log.scan.body"),
    *("omp.arrayinit.body", "omp.arraycpy.body"),
    *("arrayctor.loop", "arrayinit.body", "arraydestroy.body"),
)
"""The loops of clang's own that add up what threads have found, for `#pragma omp scan`, that
copy the arrays of each thread and add them up, for `reduction(+ : a[:4])`, and that make and
destroy the elements of an array, on the way of an exception, too."""
TEAM_SIZE = "omp_get_max_threads"
FIRST_TEAM_SIZE = "looplaw.omp.first"
"""What is called for the number of threads that a run begins with, where the program sets others:
only where it is used is it a parameter of the program."""
TEAM_SIZE_UNKNOWN = "omp_team_size"
"""What is called for the size of a team that only the run tells."""
ASKED_SIZE = "looplaw.omp.asked"
"""What is called for the number of threads that a program asks for, which must be positive (OpenMP
5.2, section 10.1.2): it is what it is handed."""
NEST_LOOP = "looplaw.nest"
"""What `collapse` calls the empty loops that stand for those around a collapsed one."""
NESTED_IN = "looplaw.nested.in"
"""The mark of a loop that several were collapsed into; places of the loops around it follow. A loop
without them is no loop of the source."""
_LOWER_BOUNDS = (("__kmpc_for_static_init_", 5), ("__kmpc_dispatch_next_", 4))
"""Beginnings of the calls that set the bounds of a thread's share, and the operand that is the
address of the lower one."""
_SHARES = tuple(start for start, _ in _LOWER_BOUNDS)
_STRING = re.compile(r'!"((?:[^"\\]|\\.)*)"')
_TESTED_HEADERS = ("for.cond", "while.cond", "for.inc", "do.cond")
_BODY_HEADERS = ("do.body", "for.body", "while.body", "do_body")


@dataclass(frozen=True, slots=True)
class ExitEdge:
    """An edge that leaves a loop. `is_test`: by the loop's own condition; `is_unwind`: by an
    exception."""

    source: str
    target: str
    is_test: bool
    is_unwind: bool = False


@dataclass(frozen=True)
class Loop:
    """A natural loop; `parent` is the header of the loop around it, `depth` counts from 1.

    is_source: False for what the source does not have: loops over the threads of a team, over a
    thread's chunks, and those that repeat an atomic update until no other thread comes between.
    collapsed: places of the loops around it that are one loop with it as it runs, outer ones first
    (see `frontend.collapse`). is_shared: the threads of a team share its iterations, which thread 0
    stands for.
    """

    header: str
    blocks: frozenset[str]
    latches: tuple[str, ...]
    preheader: str | None
    exits: tuple[ExitEdge, ...]
    parent: str | None
    depth: int
    location: Location | None
    at: str
    is_source: bool = True
    collapsed: tuple[str, ...] = ()
    is_shared: bool = False

    @property
    def latch(self) -> str | None:
        """The only latch, None where canonicalisation could not make it one."""
        return self.latches[0] if len(self.latches) == 1 else None


@dataclass(frozen=True)
class LoopForest:
    """The loops of a function, outer before inner; `irreducible`: cycles with several entries."""

    loops: tuple[Loop, ...]
    irreducible: tuple[frozenset[str], ...]
    dominator: dict[str, str]
    innermost: dict[str, str]

    def by_header(self) -> dict[str, Loop]:
        return {loop.header: loop for loop in self.loops}

    def dominates(self, a: str, b: str) -> bool:
        """True when every path from the entry to `b` passes through `a`."""
        if a == b:
            return True
        first, last = self._span.get(a, (0, 0))
        return first < self._span.get(b, (0, 0))[0] <= last

    def dominated(self, block: str) -> list[str]:
        """The blocks that a block dominates, itself included."""
        first, last = self._span.get(block, (0, 0))
        return self._in_order[first - 1 : last] if first else [block]

    @cached_property
    def _in_order(self) -> list[str]:
        """The blocks by their numbers."""
        return sorted(self._span, key=lambda b: self._span[b][0])

    @cached_property
    def _span(self) -> dict[str, tuple[int, int]]:
        """The number of each block when the dominator tree is walked from above, from 1, and the
        last number below it."""
        below: dict[str, list[str]] = {}
        roots: list[str] = []
        for block, above in self.dominator.items():
            (roots if block == above else below.setdefault(above, [])).append(block)
        span: dict[str, tuple[int, int]] = {}
        number = 0
        work = [(root, False) for root in roots]
        while work:
            block, is_done = work.pop()
            if is_done:
                span[block] = span[block][0], number
                continue
            number += 1
            span[block] = number, number
            work.append((block, True))
            work += [(b, False) for b in below.get(block, ())]
        return span


def _start(
    function: Function, module: Module, header: str, latches: tuple[str, ...]
) -> Location | None:
    """Where the loop keyword stands."""
    for latch in latches:
        node = function.blocks[latch].terminator.loop
        for operand in module.metadata_operands(node):
            location = module.location(operand) if operand != node else None
            if location is not None:
                return location
    return None


def _bounds_set(setters: Iterable[Instruction]) -> set[Operand]:
    """Where these calls of the OpenMP runtime put the first bound of a loop."""
    return {
        i.operands[at]
        for i in setters
        for start, at in _LOWER_BOUNDS
        if (callee(i) or "").startswith(start)
    }


def _is_shared(function: Function, header: str, bounds: set[Operand]) -> bool:
    """Does the loop start at one of these bounds, which the OpenMP runtime has set?"""
    if not bounds:
        return False
    loads = {
        i.token for i in function.definitions.values() if is_load(i) and i.operands[0] in bounds
    }
    return any(o in loads for phi in function.blocks[header].phis for o in phi.operands)


def _is_marked(function: Function, module: Module, header: str, latches: tuple[str, ...]) -> bool:
    """The same for a loop whose bounds `openmp` has taken from the runtime, and for loops of
    `#pragma omp simd`."""
    phis = {p.token for p in function.blocks[header].phis}
    if any(
        v.value in phis and module.metadata_field(v.node, "name") == ".omp.iv"
        for v in function.variables
    ):
        return True
    return any(
        SHARED_LOOP in module.metadata.get(o, "")
        for latch in latches
        for o in module.metadata_operands(function.blocks[latch].terminator.loop)
    )


def _collapsed(
    function: Function, module: Module, latches: tuple[str, ...]
) -> tuple[str, ...] | None:
    """The places of the loops that were collapsed into this one; None where it is marked as none of
    the source."""
    for latch in latches:
        for o in module.metadata_operands(function.blocks[latch].terminator.loop):
            text = module.metadata.get(o, "")
            if NESTED_IN in text:
                return tuple(_STRING.findall(text)[1:]) or None
    return ()


def _test_place(function: Function, module: Module, header: str) -> Location | None:
    """Where a worksharing loop stands: its metadata and branches name the pragma, the test's
    operands the `for`."""
    branch = function.blocks[header].terminator
    test = function.definitions.get(branch.operands[0]) if branch.operands else None
    return (module.location(test.dbg) if test is not None else None) or module.location(branch.dbg)


def _chunk_loops(
    function: Function,
    bodies: dict[str, frozenset[str]],
    innermost: dict[str, str],
    parents: dict[str, str | None],
) -> set[str]:
    """Loops in which a thread asks for, or steps to, its next share of a worksharing loop."""
    found: set[str] = set()
    if not any((callee(i) or "").startswith(_SHARES) for i in function.calls):
        return found
    for b in function.blocks.values():
        for i in b.instructions:
            called = callee(i) or ""
            if called.startswith("__kmpc_dispatch_next_"):
                found.update(innermost[name] for name in [b.name] if name in innermost)
            if not called.startswith("__kmpc_for_static_init_"):
                continue
            # `distribute parallel for`: a team's share, which its threads share out once more
            combined = i.operands[5].startswith("%.omp.comb.lb")
            for header, parent in parents.items():
                if combined and _is_shared(function, header, _bounds_set((i,))):
                    found.add(header)
                if (
                    parent is not None
                    and b.name not in bodies[parent]
                    and _is_shared(function, header, _bounds_set((i,)))
                ):
                    found.add(parent)
    return found


def _is_atomic_update(function: Function, loop: Loop) -> bool:
    """Repeats a compare-and-exchange until it succeeds, and the source has no loop there.

    Older clangs write an atomic update of a floating-point number so (`atomicrmw fadd` since LLVM
    17), and all write so what `atomicrmw` has no operation for. Where a loop of the source does the
    same, by a goto too, its test is of a value that the exchange has left in a variable.
    """
    if loop.latch is None or {e.source for e in loop.exits} != {loop.latch}:
        return False
    ends = function.blocks[loop.latch].terminator
    if ends.loop is not None or not ends.operands:
        return False
    succeeded = function.definitions.get(ends.operands[0])
    if not is_any(succeeded, "extractvalue"):
        return False
    exchange = function.definitions.get(succeeded.operands[0])
    return is_any(exchange, "cmpxchg")


def _is_over_sections(function: Function, loop: Loop) -> bool:
    """`#pragma omp sections` as clang writes it: a worksharing loop around a switch over its
    variable."""
    if not loop.header.startswith("omp.inner.for.cond"):
        return False
    phis = {p.token for p in function.blocks[loop.header].phis}
    inside = [s for s in function.blocks[loop.header].successors if s in loop.blocks]
    # the switch over a single section may have become a comparison
    return any(
        (
            is_any(function.blocks[s].terminator, "switch")
            and function.blocks[s].terminator.operands[0] in phis
        )
        or any(t.startswith(".omp.sections.exit") for t in function.blocks[s].successors)
        for s in inside
    )


def _second_phases(function: Function, loops: Iterable[Loop]) -> frozenset[str]:
    """Headers of the loops in which `#pragma omp scan` goes through its iterations once more, when
    what threads have found is added up: the source has one loop, whose body comes in two parts."""
    line = {loop.header: function.blocks[loop.header].line for loop in loops}
    sums = [at for header, at in line.items() if header.startswith(_CLANGS_LOOPS[0])]
    return frozenset(
        second.header
        for at in sums
        for second in loops
        if line[second.header] > at
        and any(line[first.header] < at and first.at == second.at for first in loops)
    )


def _exits(
    function: Function,
    module: Module,
    header: str,
    blocks: frozenset[str],
    latches: tuple[str, ...],
    start: Location | None,
    shared: bool,
) -> tuple[ExitEdge, ...]:
    edges = [
        (name, target, at)
        for name in function.blocks
        if name in blocks
        for at, target in enumerate(dict.fromkeys(function.blocks[name].successors))
        if target not in blocks
    ]
    unwind = {
        (s, t)
        for s, t, _ in edges
        if is_invoke(function.blocks[s].terminator) and function.blocks[s].successors[-1] == t
    }
    sources = list(dict.fromkeys(s for s, t, _ in edges if (s, t) not in unwind))
    located = start is not None and any(
        module.location(function.blocks[s].terminator.dbg) for s in sources
    )
    tests: set[str] = set()
    if shared and header in sources and header not in latches:
        tests = {header}
    elif located:
        tests = _located_tests(function, module, sources, latches, start)
        # `a && b` makes two exits; only the second lies at the keyword. What comes before it
        # belongs to the test.
        tests |= {
            s for s in sources if s not in tests and _reaches(function, s, tests, blocks, header)
        }
    elif header in sources and _is_tested_first(function, module, header, latches):
        tests = {header} | {
            s for s in sources if s not in latches and _tests_on(function, module, header, s)
        }
    return tuple(
        ExitEdge(s, t, s in tests and (s, t) not in unwind, (s, t) in unwind) for s, t, _ in edges
    )


def _located_tests(
    function: Function,
    module: Module,
    sources: Sequence[str],
    latches: tuple[str, ...],
    start: Location | None,
) -> set[str]:
    """The blocks, of those from which control leaves a loop, whose test stands at its keyword.

    A range-based for puts its test and its way back at the colon. A test in the latch comes after
    the body: it is a do-while, or a loop that an optimiser has rotated, and no iteration is taken
    back by it.
    """
    at = {latch: module.location(function.blocks[latch].terminator.dbg) for latch in latches}
    places = {start, *at.values()} - {None}
    return {
        s
        for s in sources
        if s not in latches and module.location(function.blocks[s].terminator.dbg) in places
    }


def _is_tested_first(
    function: Function, module: Module, header: str, latches: tuple[str, ...]
) -> bool:
    """Does a loop without a place in the source test at its header, by the header's name or by what
    stands in it?"""
    name = header.split("::")[-1]
    if name.startswith(_TESTED_HEADERS):
        return True
    # rustc calls its blocks bb1, bb2, ...; so does the pass that names blocks which a compiler left
    # without
    is_rusts = name.startswith("bb") and function.dbg is not None
    if name.startswith(_BODY_HEADERS) or is_rusts or header in latches:
        return False
    return _tests_first(function, module, header)


def _tests_first(function: Function, module: Module, header: str) -> bool:
    """Does nothing of another line run in a header before it leaves the loop? Where something does,
    the loop was rotated, and its body has begun."""
    block = function.blocks[header]
    here = module.location(block.terminator.dbg)
    if here is None:
        return True
    places = (module.location(i.dbg) for i in block.instructions if not is_phi(i))
    return all(place is None or place[:2] == here[:2] for place in places)


def _tests_on(function: Function, module: Module, header: str, source: str) -> bool:
    """Does a block that leaves a loop go on with the test that the header begins, as `for x, y in
    zip(a, b)` asks one sequence after the other? Nothing of another place has run by then."""
    here = module.location(function.blocks[header].terminator.dbg)
    if here is None or module.location(function.blocks[source].terminator.dbg) != here:
        return False
    between = [source]
    while between[-1] != header:
        before = function.predecessors[between[-1]]
        if len(before) != 1:
            return False
        between += before
    places = (module.location(i.dbg) for b in between for i in function.blocks[b].instructions)
    return all(place in (None, here) for place in places)


def _reaches(
    function: Function, source: str, targets: set[str], blocks: frozenset[str], header: str
) -> bool:
    """Can one of `targets` be reached from `source` within the same iteration?"""
    reached = blocks_reached(function, source, within=blocks, without={header})
    return not targets.isdisjoint(reached)


def _natural_loop(
    function: Function, header: str, latches: Iterable[str], reachable: Container[str]
) -> set[str]:
    """The blocks from which a latch is reached without passing the header, and the header."""

    def before(name: str) -> list[str]:
        if name == header:
            return []
        return [p for p in function.predecessors[name] if p in reachable]

    return closure({header, *latches}, before)


def loop_forest(function: Function, module: Module) -> LoopForest:
    """Find the loops of a function."""
    if function.is_declaration:
        return LoopForest((), (), {}, {})
    entry = function.entry.name
    graph = Digraph(
        function.blocks, ((b.name, s) for b in function.blocks.values() for s in b.successors)
    )
    dominator = dominators(graph, entry)
    dominator[entry] = entry
    backs = _back_edges(function, LoopForest((), (), dominator, {}))
    bodies = {
        header: frozenset(_natural_loop(function, header, latches, dominator))
        for header, latches in backs.items()
    }
    for header, latches in backs.items():
        for latch in latches:
            graph.remove_edge(latch, header)
    irreducible = tuple(
        frozenset(c) for c in circles(graph) if len(c) > 1 and any(b in dominator for b in c)
    )
    innermost, parents = _nesting(function, bodies)
    bounds = _bounds_set(function.calls) if bodies else set[Operand]()
    loops = [
        _loop(function, module, _Body(header, bodies[header], tuple(backs[header]), parent), bounds)
        for header, parent in parents.items()
    ]
    depths = _depths(parents)
    loops = [
        replace(loop, preheader=_preheader(function, loop, dominator), depth=depths[loop.header])
        for loop in loops
    ]
    loops = _placed(function, _of_source(function, loops, bodies, innermost))
    return LoopForest(tuple(loops), irreducible, dominator, innermost)


class _Body(NamedTuple):
    """The blocks of a loop; parent: the header of the loop around."""

    header: str
    blocks: frozenset[str]
    latches: tuple[str, ...]
    parent: str | None


def _back_edges(function: Function, forest: LoopForest) -> dict[str, list[str]]:
    """Header -> the blocks from which control comes back to it."""
    found: dict[str, list[str]] = {}
    for block in function.blocks.values():
        for target in dict.fromkeys(block.successors):
            if block.name in forest.dominator and forest.dominates(target, block.name):
                found.setdefault(target, []).append(block.name)
    return found


def _nesting(
    function: Function, bodies: Mapping[str, frozenset[str]]
) -> tuple[dict[str, str], dict[str, str | None]]:
    """Block -> the header of the innermost loop around it, and header -> that of the loop around,
    outer loops first."""
    innermost: dict[str, str] = {}
    parents: dict[str, str | None] = {}
    for header in sorted(bodies, key=lambda h: (-len(bodies[h]), function.blocks[h].line)):
        parents[header] = innermost.get(header)
        innermost.update(dict.fromkeys(bodies[header], header))
    return innermost, parents


def _loop(function: Function, module: Module, body: _Body, bounds: set[Operand]) -> Loop:
    """A loop as it stands, its depth and its preheader aside. bounds: as `_bounds_set` has them."""
    header, blocks, latches, parent = body
    start = _start(function, module, header, latches)
    shared = _is_shared(function, header, bounds) or _is_marked(function, module, header, latches)
    written = start or module.location(function.blocks[header].terminator.dbg)
    location = _test_place(function, module, header) if shared else written
    merged = _collapsed(function, module, latches)
    return Loop(
        header,
        blocks,
        latches,
        None,
        _exits(function, module, header, blocks, latches, start, shared),
        parent,
        1,
        location,
        str(location) if location else f"{function.name}:%{header}",
        merged is not None,
        merged or (),
        shared,
    )


def _preheader(function: Function, loop: Loop, dominator: Mapping[str, str]) -> str | None:
    """The one block that control comes from into a loop, where it goes nowhere else."""
    outside = [
        p for p in function.predecessors[loop.header] if p not in loop.blocks and p in dominator
    ]
    is_one = len(outside) == 1 and len(function.blocks[outside[0]].successors) == 1
    return outside[0] if is_one else None


def _depths(parents: Mapping[str, str | None]) -> dict[str, int]:
    """Header -> depth, of loops that come behind those around them."""
    found: dict[str, int] = {}
    for header, parent in parents.items():
        found[header] = found[parent] + 1 if parent is not None else 1
    return found


def _of_source(
    function: Function,
    loops: list[Loop],
    bodies: dict[str, frozenset[str]],
    innermost: dict[str, str],
) -> list[Loop]:
    """Loops, with whether they stand in the source or the compiler made them."""
    chunks = _chunk_loops(function, bodies, innermost, {loop.header: loop.parent for loop in loops})
    made = chunks | set(_second_phases(function, loops))

    def is_source(loop: Loop) -> bool:
        return (
            loop.is_source
            and loop.header not in made
            and not loop.header.startswith((TEAM_LOOP, *_CLANGS_LOOPS))
            and not _is_over_sections(function, loop)
            and not _is_atomic_update(function, loop)
        )

    return [replace(loop, is_source=is_source(loop)) for loop in loops]


def _placed(function: Function, loops: list[Loop]) -> list[Loop]:
    """Loops in the order of the text, each before those inside it."""
    places: dict[str, tuple[int, ...]] = {}
    for loop in loops:  # a loop that jumps form may have its header behind an inner loop
        above = places[loop.parent] if loop.parent is not None else ()
        places[loop.header] = (*above, function.blocks[loop.header].line)
    return sorted(loops, key=lambda loop: places[loop.header])
