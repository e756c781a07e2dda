"""The predicted cost of counters, kernel by kernel, and the choice of kernels to leave out so that
the total stays below a bound. Where a program can be run, its instructions are counted
(`runtime.build.executed_instructions`); what follows is for where it cannot, and divides the cost
among kernels.

How often a block runs follows from the iterations of loops along the loop call graph: those that a
first run has counted, or else the same guess for every loop. A block that some iterations skip
counts half. The program's instructions are those of its blocks in the IR, as far as the optimiser
leaves them where they are, and those of the library functions it calls. Counters cost what
`instrument` inserts: in a loop with an induction variable only a few instructions at its ends, one
for each change where they are in a register, more where they are in memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from looplaw_common.digraph import Digraph, circles
from staticana.ir.graph import callee
from staticana.ir.loop_info import Loop, LoopForest, loop_forest
from staticana.ir.types import Function, Instruction, Module, Operand, Register, int_bits

from ..counters.counts import Snapshot
from .abnormal_exits import is_emitted
from .counter_plan import Plan
from .induction_variables import find_induction_variable
from .instrument import counters_in
from .kernels import Kernel, LoopKey

GUESSED_ITERATIONS = 32.0
"""Of each loop, where nothing was counted yet: an inner loop then outweighs what is around it."""

# Estimated machine instructions:
_IN_MEMORY = 2.0
"""One change of a counter in memory."""
_TESTED = 5.0
"""The same where its address has to be found each time."""
_IN_REGISTER = 1.0
"""One change of a counter in a register."""
_AT_AN_END = 2.0
"""Following an induction variable, at one end of its loop."""
_ROW = 1.0
"""A row of a matrix whose end is the next one's start: registers may be short."""
_FLUSH = 2.5
"""Adding a register to memory when a region is left."""
_TURN = 2.0
"""Counting down to the next time stamp at a call of a timed function."""
_CALL = 40.0
"""Recording a call of a kernel."""
_PRICES = {
    name: price
    for price, names in (
        (0.1, "getelementptr"),
        (0.2, "sext zext trunc phi"),
        (0.7, "add sub mul shl lshr ashr and or xor load store select"),
        (1.0, "icmp br switch ret fadd fsub fmul fdiv fneg fcmp fpext fptrunc"),
        (2.0, "sdiv udiv srem urem sitofp uitofp fptosi fptoui invoke"),
    )
    for name in names.split()
}
"""Opcode -> machine instructions for one of the IR before it is optimised: addresses, conversions
and loads fold into other instructions. Medians of seventeen programs (see docs/figures.md)."""
_JUMP = 0.2
"""A branch without a condition: most become nothing."""
_CALL_OWN = 2.0
"""A call of a function of the module, with what it saves; many are inlined."""
_CALL_RECURSIVE = 12.0
"""A call of a function that may be running already: it is not inlined, and saves its registers."""
_ADDRESS = 0.1
"""A sum or a conversion that only leads to addresses: it folds into them or a pointer's step."""
_LIBRARY = (
    (re.compile(r"\w*(?:printf|scanf|puts)|_ZNS(?:o|i|ols|irs)\w*"), 700.0),
    (re.compile(r"__looplaw_\w+"), 60.0),
    (re.compile(r"malloc|free|calloc|realloc|_Z[nd][wal]\w*|strto\w+|ato[ilf]"), 100.0),
    (re.compile(r"(?:llvm\.)?(?:sin|cos|tan|pow|exp|log)(?:2|10|1p|m1|h)?(?:[fl]|\.\w+)?"), 80.0),
    (re.compile(r"llvm\..*"), 2.0),
)
"""Names of library functions -> instructions of a call, as callgrind counts them."""
_GROWS = re.compile(
    r"_M_(?:realloc_\w+|check_len)|(?:push|emplace)_back_slow_path"
)  # of GCC and LLVM
_RARE = 0.05
"""Of the cases in which an element is added to a container, those in which it moves all others."""
_CALL_LIBRARY = 40.0
"""A call of another one."""
_MAX_ACCESSOR = 12
"""Instructions of a function that only computes or loads something; it is inlined."""
_VECTOR_BYTES = 16
_MIN_VECTOR_ITERATIONS = 8.0
_NOTHING = ("llvm.dbg.", "llvm.lifetime.", "llvm.assume", "llvm.experimental.")
_COMPUTED = frozenset(
    """add sub mul shl lshr ashr and or xor sext zext trunc getelementptr fadd fsub fmul fdiv fneg
    sdiv udiv srem urem icmp fcmp select sitofp uitofp fptosi fptoui fpext fptrunc load""".split()
)
_FOLDED = frozenset(("add", "sub", "sext", "zext"))
_VECTOR_CALLS = ("llvm.fma", "llvm.fabs.", "llvm.sqrt.", "llvm.smax.", "llvm.smin.", "llvm.umax.")

Executed = Mapping[LoopKey, tuple[float, float]]
"""Loop -> its entries and iterations in a run."""


def executed(plan: Plan, counts: Snapshot) -> Executed:
    """What a run of a plan has counted; the plan counts entries, too."""
    return {
        (c.function, c.header): (float(counts.entries[c.id]), float(counts.iterations[c.id]))
        for c in plan.counters
    }


def library_price(name: str) -> float:
    """Machine instructions of a call of a library function."""
    found = (price for names, price in _LIBRARY if names.fullmatch(name))
    return next(found, _CALL_LIBRARY)


def _is_accessor(f: Function) -> bool:
    body = f.entry.instructions
    return (
        len(f.blocks) == 1
        and len(body) <= _MAX_ACCESSOR
        and all(i.opcode in _COMPUTED or i.opcode == "ret" for i in body)
    )


def _leading_to_addresses(f: Function) -> frozenset[Operand]:
    """The sums, and their conversions, whose values are used for addresses only."""
    instructions = [i for b in f.blocks.values() for i in b.instructions]
    found: dict[Operand, Instruction] = {i.token: i for i in instructions if i.opcode in _FOLDED}
    work: list[Operand] = [
        o
        for i in instructions
        if i.opcode != "getelementptr" and i.token not in found
        for o in i.operands
    ]
    while work:
        used = found.pop(work.pop(), None)
        work += used.operands if used is not None else ()
    return frozenset(found)


class LoopShape:
    """What the optimiser makes of a loop: what it takes out of it, and whether several iterations
    become one.

    Args:
        mean: iterations of one entry.
    """

    def __init__(self, function: Function, loop: Loop, mean: float) -> None:
        self._function, self.loop, self._mean = function, loop, mean
        self._known: dict[Operand, bool] = {}

    def is_invariant(self, i: Instruction) -> bool:
        """Is it computed once, before the loop? Loads are taken to be."""
        return i.opcode in _COMPUTED and all(map(self._is_given, i.operands))

    def _is_given(self, token: Operand) -> bool:
        """Is a value the same in all iterations?"""
        if not isinstance(token, Register) or token in self._known:
            return self._known.get(token, True)
        i = self._function.definitions.get(token)
        if i is None or self._function.block_of.get(token) not in self.loop.blocks:
            return True
        self._known[token] = False
        self._known[token] = self.is_invariant(i)
        return self._known[token]

    @cached_property
    def width(self) -> float:
        """Iterations that are done at once."""
        variable = find_induction_variable(self._function, self.loop)
        if variable is None or variable.step not in ("1", "-1") or len(self.loop.exits) != 1:
            return 1.0
        if self._mean < _MIN_VECTOR_ITERATIONS:
            return 1.0
        largest = 1
        for b in self.loop.blocks:
            for i in self._function.blocks[b].instructions:
                bytes_ = self._element(i, variable.token)
                if bytes_ is None:
                    return 1.0
                largest = max(largest, bytes_)
        return max(1.0, _VECTOR_BYTES / largest)

    def _element(self, i: Instruction, index: Operand) -> int | None:
        """The bytes of an element that an instruction accesses, 0 for one that accesses none; None
        where it keeps the loop from being vectorised."""
        name = callee(i) or ""
        if i.opcode == "phi" and i.type in ("float", "double"):
            return None  # a sum whose order matters
        if i.is_call and not name.startswith((*_VECTOR_CALLS, *_NOTHING)):
            return None
        if i.opcode not in ("load", "store") or self.is_invariant(i):
            return 0
        address = self._function.definitions.get(i.operands[-1])
        if address is None or address.opcode != "getelementptr":
            return None
        *others, last = address.operands
        if not self._is_next(last, index) or not all(map(self._is_given, others)):
            return None
        bits = {"double": 64, "float": 32, "ptr": 64}.get(i.type) or int_bits(i.type) or 64
        return bits // 8

    def _is_next(self, token: Operand, index: Operand) -> bool:
        """Does a value grow by one with the loop's variable?"""
        if token == index:
            return True
        i = self._function.definitions.get(token)
        if i is None or i.opcode not in ("sext", "zext", "add", "sub"):
            return False
        first, *rest = i.operands
        if self._is_next(first, index):
            return all(map(self._is_given, rest))
        return i.opcode == "add" and self._is_given(first) and self._is_next(rest[0], index)


@dataclass(frozen=True)
class Costs:
    """Predicted instructions: of the program, and of the counters of each kernel, by its index."""

    program: float
    kernels: Mapping[int, float]


@dataclass(frozen=True)
class LeftOut:
    """A kernel that is not instrumented; its counters would cost `overhead` times the program's
    instructions."""

    kernel: Kernel
    overhead: float


class Executions:
    """How often the blocks of a program run, by counts of a first run or by guesses."""

    def __init__(self, module: Module, counted: Executed | None = None) -> None:
        self._module, self._counted = module, counted or {}
        self._functions = [f for f in module.functions.values() if is_emitted(f)]
        self._forests = {f.name: loop_forest(f, module) for f in self._functions}
        self._loops: dict[LoopKey, tuple[float, float]] = {}
        self._calls = dict.fromkeys(self._forests, 0.0)
        self._blocks: dict[tuple[str, str], float] = {}
        self._recursive: set[str] = set()
        for f in self._from_callers():
            self._visit(f)

    def _from_callers(self) -> list[Function]:
        """Functions, callers before callees; mutually recursive ones in any order."""
        graph = Digraph(
            self._forests, ((f.name, name) for f in self._functions for _, name in self._called(f))
        )
        parts = list(circles(graph))
        for part in parts:
            if len(part) > 1 or any(graph.has_edge(name, name) for name in part):
                self._recursive |= part
        for name in self._forests:
            if not graph.predecessors(name) or name == "main":
                self._calls[name] = 1.0
        return [self._module.functions[name] for part in reversed(parts) for name in sorted(part)]

    def _called(self, f: Function) -> list[tuple[str, str]]:
        """(block, callee) for each call of a function of the module."""
        return [
            (b.name, name)
            for b in f.blocks.values()
            for i in b.instructions
            if (name := callee(i) or "") in self._forests
        ]

    def _visit(self, f: Function) -> None:
        forest = self._forests[f.name]
        known = [
            self._counted[f.name, loop.header][0]
            for loop in forest.loops
            if loop.parent is None and (f.name, loop.header) in self._counted
        ]
        calls = self._calls[f.name] = max([self._calls[f.name], *known])
        for loop in forest.loops:
            around = calls if loop.parent is None else self._loops[f.name, loop.parent][1]
            self._loops[f.name, loop.header] = self._counted.get(
                (f.name, loop.header), (around, around * GUESSED_ITERATIONS)
            )
        for name in f.blocks:
            rare = any(_GROWS.search(callee(i) or "") for i in f.blocks[name].instructions)
            self._blocks[f.name, name] = self._block(f, forest, name) * (_RARE if rare else 1.0)
        for block, called in self._called(f):
            self._calls[called] += self._blocks[f.name, block]

    def _block(self, f: Function, forest: LoopForest, block: str) -> float:
        header = forest.innermost.get(block)
        if block not in forest.dominator or f.blocks[block].terminator.opcode == "unreachable":
            return 0.0
        if header is None:
            return self._calls[f.name]
        loop = forest.by_header()[header]
        entries, iterations = self._loops[f.name, header]
        if block == header:
            return entries + iterations
        return (
            iterations
            if all(forest.dominates(block, latch) for latch in loop.latches)
            else iterations / 2
        )

    def calls(self, function: str) -> float:
        """Calls of a function."""
        return self._calls[function]

    def loop(self, key: LoopKey) -> tuple[float, float]:
        """Entries and iterations of a loop."""
        return self._loops[key]

    def edge(self, function: str, source: str, target: str) -> float:
        """An upper bound on how often an edge is taken; ("", "") leads into the function."""
        return (
            self.calls(function)
            if not target
            else min(self._blocks[function, source], self._blocks[function, target])
        )

    @cached_property
    def instructions(self) -> float:
        """Instructions of the whole run, but for its start."""
        inlined = {f.name for f in self._functions if _is_accessor(f)}
        return sum(self._instructions(f, inlined) for f in self._functions if f.name not in inlined)

    def _instructions(self, f: Function, inlined: Collection[str]) -> float:
        """Instructions of all calls of a function, without those of the functions of the module
        that it calls."""
        forest, total = self._forests[f.name], 0.0
        loops = forest.by_header()
        shapes = {
            name: LoopShape(f, loop, self._mean(f.name, name)) for name, loop in loops.items()
        }
        addresses = _leading_to_addresses(f)
        for b in f.blocks.values():
            shape = shapes.get(forest.innermost.get(b.name, ""))
            runs = self._blocks[f.name, b.name]
            for i in b.instructions:
                price = _ADDRESS if i.token in addresses else self._price(i, inlined)
                if shape is None or not price:
                    total += price * runs
                elif shape.is_invariant(i):
                    total += price * min(runs, self._loops[f.name, shape.loop.header][0])
                else:
                    total += price * runs / shape.width
        return total

    def _price(self, i: Instruction, inlined: Collection[str]) -> float:
        """Machine instructions for one of the IR, what a library does in a call included."""
        if i.opcode == "br" and len(i.labels) == 1:
            return _JUMP
        if not i.is_call:
            return _PRICES.get(i.opcode, 0.0)
        name = callee(i) or ""
        if name in inlined or name.startswith(_NOTHING):
            return 0.0
        if name in self._recursive:
            return _CALL_RECURSIVE
        return _CALL_OWN if not name or name in self._forests else library_price(name)

    def _mean(self, function: str, header: str) -> float:
        """Iterations of a loop for each of its entries."""
        entries, iterations = self._loops[function, header]
        return iterations / entries if entries else 0.0


def predicted(
    module: Module, plan: Plan, kernels: Mapping[LoopKey, int], executions: Executions
) -> Costs:
    """The cost of a plan's counters; `kernels`: loop -> index of its kernel."""
    found: dict[int, float] = {}
    timed: set[str] = set()
    for c in plan.counters:
        kernel, own = kernels[c.function, c.header], 0.0
        if c.nesting == 1 and plan.timed and c.function not in timed:
            timed.add(c.function)
            own += _TURN * executions.calls(c.function)
        if c.nesting == 1 and plan.calls and not plan.sampled:
            own += _CALL * executions.loop((c.function, c.header))[0]
        found[kernel] = found.get(kernel, 0.0) + own
    for counter in counters_in(module, plan):
        key = (counter.function, counter.header)
        changes = sum(executions.edge(counter.function, *e) for e in counter.edges)
        if counter.region is None:
            cost = (_IN_MEMORY if counter.stays else _TESTED) * changes
        else:
            cost = _FLUSH * executions.loop((counter.function, counter.region))[0]
            if counter.telescopes:
                cost += _ROW * executions.loop(key)[0]
            elif counter.follows:
                cost += 2 * _AT_AN_END * executions.loop(key)[0]
            else:
                cost += _IN_REGISTER * changes
        found[kernels[key]] = found.get(kernels[key], 0.0) + cost
    return Costs(executions.instructions, found)


def affordable(
    module: Module,
    kernels: Sequence[Kernel],
    plan_of: Callable[[Sequence[Kernel]], Plan],
    most: float,
    counted: Executed | None = None,
    measured: Callable[[Plan], float | None] | None = None,
) -> tuple[tuple[Kernel, ...], tuple[LeftOut, ...]]:
    """The kernels that can be counted at an overhead of at most `most`, and those that are left
    out, the most expensive first.

    Args:
        plan_of: the plan for some kernels.
        counted: entries and iterations in a first run; without it, every loop is taken to have
            GUESSED_ITERATIONS.
        measured: what the counters of a plan cost in a run, as far as that can be told; the prices
            of this module then only divide it among the kernels.
    """
    executions = Executions(module, counted)
    kept, left = list(kernels), list[LeftOut]()
    while kept:
        plan = plan_of(kept)
        costs = predicted(
            module,
            plan,
            {key: k for k, kernel in enumerate(kept) for key in kernel.loops},
            executions,
        )
        share = (
            {k: cost / costs.program for k, cost in costs.kernels.items()} if costs.program else {}
        )
        total = measured(plan) if measured is not None else None
        if total is not None:
            share = _divided(total, share)
        else:
            total = sum(share.values())
        by_cost = sorted(share, key=lambda k: -share[k])
        dropped: set[int] = set()
        while total > most and by_cost:
            k = by_cost.pop(0)
            total -= share[k]
            dropped.add(k)
            left.append(LeftOut(kept[k], share[k]))
        kept = [kernel for k, kernel in enumerate(kept) if k not in dropped]
        if not dropped:
            break
    return tuple(kept), tuple(sorted(left, key=lambda out: -out.overhead))


def _divided(total: float, share: Mapping[int, float]) -> dict[int, float]:
    """A cost in the proportions of another one."""
    before = sum(share.values())
    return {k: total * (s / before if before else 1 / len(share)) for k, s in share.items()}
