"""Counters put into a program's IR, as text, before it is optimised.

A counter is a local variable of its function, so that the optimiser turns it into a register or folds it altogether,
and is added to the thread's cells when the function leaves. Where control may leave in ways the function does not see
(exit(), abort(), longjmp(), exceptions that pass through), the counter lives in the cells themselves and nothing is
lost. Iterations of a loop are the executions of its header minus the exits by its own test (see `staticana.loops`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from staticana.ir import Function, Module
from staticana.loops import Loop, loop_forest

from .entries import ENTRIES_IR, EntryPlan, Probe, record_entries
from .plan import LoopCounter, Plan

CELL_BYTES = 64
ENTRIES, ITERATIONS, TICKS, SAMPLES, SQUARES, ACTIVE = range(0, 48, 8)
_PLAIN = re.compile(r"[-a-zA-Z$._][-a-zA-Z$._0-9]*$")

# Library functions that return to their caller. What is not named here and not defined in the program may leave by
# exit(), longjmp() or an exception.
_RETURN = frozenset("""
printf fprintf sprintf snprintf vprintf vfprintf vsnprintf puts putchar fputs fputc putc fwrite fread fopen fclose
fflush fgets getc fgetc getchar scanf sscanf fscanf rewind fseek ftell feof ferror perror remove
malloc calloc realloc free aligned_alloc posix_memalign memcpy memmove memset memcmp memchr
strlen strcmp strncmp strcpy strncpy strcat strncat strchr strrchr strstr strdup strtok strtol strtoul strtoll strtoull
strtod strtof atoi atol atoll atof abs labs rand srand rand_r random srandom drand48 srand48 lrand48 getenv
time clock clock_gettime gettimeofday usleep nanosleep sleep toupper tolower isdigit isspace isalpha
sqrt sqrtf cbrt pow powf exp expf exp2 log logf log2 log10 log1p expm1 sin sinf cos cosf tan asin acos atan atan2
sinh cosh tanh floor floorf ceil ceilf fabs fabsf fmin fmax fminf fmaxf fmod round lround rint trunc hypot erf erfc
tgamma lgamma ldexp frexp modf copysign fma sincos isnan isinf
_Znwm _Znam _ZdlPv _ZdaPv _ZdlPvm _ZdaPvm __cxa_guard_acquire __cxa_guard_release __cxa_atexit
__isoc99_sscanf __isoc99_scanf __isoc99_fscanf __isoc23_strtol __isoc23_strtoul __isoc23_strtoll __isoc23_sscanf
__assert_fail __errno_location __cxa_begin_catch __cxa_end_catch omp_get_wtime omp_get_num_threads
omp_get_thread_num omp_get_max_threads
""".split())

RUNTIME_IR = f"""
@__looplaw_segment = external thread_local(initialexec) global ptr, align 8
declare ptr @__looplaw_attach()
declare i64 @llvm.readcyclecounter()

define internal ptr @__looplaw_cell(i64 %id) alwaysinline nounwind {{
entry:
  %known = load ptr, ptr @__looplaw_segment, align 8
  %none = icmp eq ptr %known, null
  br i1 %none, label %attach, label %done
attach:
  %fresh = call ptr @__looplaw_attach()
  br label %done
done:
  %base = phi ptr [ %known, %entry ], [ %fresh, %attach ]
  %at = mul i64 %id, {CELL_BYTES}
  %cell = getelementptr i8, ptr %base, i64 %at
  ret ptr %cell
}}

define internal void @__looplaw_add(i64 %id, i64 %field, i64 %amount) alwaysinline nounwind {{
  %cell = call ptr @__looplaw_cell(i64 %id)
  %p = getelementptr i8, ptr %cell, i64 %field
  %old = load i64, ptr %p, align 8
  %new = add i64 %old, %amount
  store i64 %new, ptr %p, align 8
  ret void
}}

define internal i64 @__looplaw_begin(i64 %id) alwaysinline nounwind {{
entry:
  %cell = call ptr @__looplaw_cell(i64 %id)
  %entries = load i64, ptr %cell, align 8
  %more = add i64 %entries, 1
  store i64 %more, ptr %cell, align 8
  %a = getelementptr i8, ptr %cell, i64 {ACTIVE}
  %active = load i64, ptr %a, align 8
  %deeper = add i64 %active, 1
  store i64 %deeper, ptr %a, align 8
  %few = icmp ult i64 %entries, 1024
  %low = and i64 %entries, 63
  %turn = icmp eq i64 %low, 0
  %sampled = or i1 %few, %turn
  %outermost = icmp eq i64 %active, 0
  %take = and i1 %sampled, %outermost
  br i1 %take, label %stamp, label %none
stamp:
  %now = call i64 @llvm.readcyclecounter()
  ret i64 %now
none:
  ret i64 0
}}

define internal void @__looplaw_end(i64 %id, i64 %since) alwaysinline nounwind {{
entry:
  %cell = call ptr @__looplaw_cell(i64 %id)
  %a = getelementptr i8, ptr %cell, i64 {ACTIVE}
  %active = load i64, ptr %a, align 8
  %less = sub i64 %active, 1
  store i64 %less, ptr %a, align 8
  %skipped = icmp eq i64 %since, 0
  br i1 %skipped, label %done, label %stamp
stamp:
  %now = call i64 @llvm.readcyclecounter()
  %elapsed = sub i64 %now, %since
  %pt = getelementptr i8, ptr %cell, i64 {TICKS}
  %t = load i64, ptr %pt, align 8
  %t1 = add i64 %t, %elapsed
  store i64 %t1, ptr %pt, align 8
  %ps = getelementptr i8, ptr %cell, i64 {SAMPLES}
  %s = load i64, ptr %ps, align 8
  %s1 = add i64 %s, 1
  store i64 %s1, ptr %ps, align 8
  %pq = getelementptr i8, ptr %cell, i64 {SQUARES}
  %q = load double, ptr %pq, align 8
  %d = uitofp i64 %elapsed to double
  %dd = fmul double %d, %d
  %q1 = fadd double %q, %dd
  store double %q1, ptr %pq, align 8
  br label %done
done:
  ret void
}}
"""


def _ref(name: str) -> str:
    return f"%{name}" if _PLAIN.match(name) or name.isdigit() else f'%"{name}"'


@dataclass
class _Edits:
    """Insertions before a line and replacements of lines of the module's text."""

    lines: list[str]
    before: dict[int, list[str]] = field(default_factory=dict)
    number: int = 0

    def insert(self, line: int, text: Iterable[str]) -> None:
        self.before.setdefault(line, []).extend(text)

    def fresh(self) -> str:
        self.number += 1
        return f"ll.{self.number}"

    def result(self) -> str:
        out: list[str] = []
        for at, line in enumerate(self.lines):
            out.extend(self.before.get(at, ()))
            out.append(line)
        return "\n".join(out)


def may_leave(module: Module) -> frozenset[str]:
    """Functions a call of which may not return: they, or what they call, may exit, jump or throw."""
    leaving: set[str] = set()
    callers: dict[str, set[str]] = {}
    for f in module.functions.values():
        for b in f.blocks.values():
            for i in b.instructions:
                if i.opcode not in ("call", "invoke"):
                    continue
                callee = i.operands[0]
                name = callee[1:].strip('"')
                if callee[0] != "@":
                    if callee != "asm":
                        leaving.add(f.name)
                elif name.startswith("llvm."):
                    continue
                elif name in module.functions and not module.functions[name].is_declaration \
                        and " available_externally " not in module.functions[name].header[:60]:
                    callers.setdefault(name, set()).add(f.name)
                elif name not in _RETURN:
                    leaving.add(f.name)
    work = list(leaving)
    while work:
        for caller in callers.get(work.pop(), ()):
            if caller not in leaving:
                leaving.add(caller)
                work.append(caller)
    return frozenset(leaving)


def instrument(module: Module, plan: Plan, entries: EntryPlan | None = None) -> str:
    """The module's text with the plan's counters, and with the recording of loops' entries where that is asked for;
    `module` must come from canonical text."""
    edits = _Edits(module.text.split("\n"))
    leaving = may_leave(module)
    groups: dict[str, list[LoopCounter]] = {}
    for counter in plan.counters:
        groups.setdefault(counter.function, []).append(counter)
    probes: dict[str, list[Probe]] = {}
    for probe in entries.probes if entries is not None else ():
        probes.setdefault(probe.claim.function, []).append(probe)
    for name in dict.fromkeys((*groups, *probes)):
        _Function(edits, module, module.functions[name], groups.get(name, []), name in leaving,
                  plan.timed).rewrite(probes.get(name, []))
    text = edits.result() + (ENTRIES_IR if probes else "")
    if "@llvm.readcyclecounter" in module.text:
        return text + RUNTIME_IR.replace("declare i64 @llvm.readcyclecounter()", "")
    return text + RUNTIME_IR


class _Function:
    """The edits in one function."""

    def __init__(self, edits: _Edits, module: Module, function: Function, counters: list[LoopCounter],
                 in_memory: bool, timed: bool) -> None:
        self.edits, self.module, self.function = edits, module, function
        self.counters, self.timed = counters, timed
        # a tail call that must stay one leaves no room for a flush after it
        self.in_memory = in_memory or any("musttail" in line for line in
                                          edits.lines[function.line:function.end])
        self.loops: dict[str, Loop] = loop_forest(function, module).by_header()
        self.split: dict[tuple[str, str], tuple[str, list[str]]] = {}
        self.setup: list[str] = []  # what the entry block begins with

    def rewrite(self, probes: Sequence[Probe]) -> None:
        for counter in self.counters:
            self._loop(counter, self.loops[counter.header])
        if probes:
            record_entries(self, probes)
        for (source, target), (name, body) in self.split.items():
            self._write_split(source, target, name, body)
        if not self.in_memory:
            self._locals()
        line = self.function.entry.instructions[0].line
        self.edits.before[line] = self.setup + self.edits.before.get(line, [])

    # -- pieces ------------------------------------------------------------------------------------------------
    def _bump(self, counter: LoopCounter, what: int, amount: int) -> list[str]:
        """Add to a local counter or to its cell."""
        if self.in_memory:
            return [f"  call void @__looplaw_add(i64 {counter.id}, i64 {what}, i64 {amount})"]
        value, more = self.fresh(), self.fresh()
        slot = f"%ll.c{counter.id}.{what}"
        return [f"  %{value} = load i64, ptr {slot}, align 8", f"  %{more} = add i64 %{value}, {amount}",
                f"  store i64 %{more}, ptr {slot}, align 8"]

    def _loop(self, counter: LoopCounter, loop: Loop) -> None:
        self.insert(self.first(loop.header), self._bump(counter, ITERATIONS, 1))
        timed = self.timed and counter.nesting == 1

        def entered() -> list[str]:
            if not timed:
                return self._bump(counter, ENTRIES, 1)
            token = f"%ll.now.{counter.id}.{self.fresh()}"
            return [f"  {token} = call i64 @__looplaw_begin(i64 {counter.id})",
                    f"  store i64 {token}, ptr %ll.t{counter.id}, align 8"]
        self.on_entry(loop, entered)
        for edge in loop.exits:
            if edge.is_unwind:
                continue
            body = self._bump(counter, ITERATIONS, -1) if edge.is_test else []
            if timed:
                since = self.fresh()
                body += [f"  %{since} = load i64, ptr %ll.t{counter.id}, align 8",
                         f"  call void @__looplaw_end(i64 {counter.id}, i64 %{since})"]
            if body:
                self.on_edge(edge.source, edge.target, body)
        if timed:
            self.setup += [f"  %ll.t{counter.id} = alloca i64, align 8",
                           f"  store i64 0, ptr %ll.t{counter.id}, align 8"]

    def fresh(self) -> str:
        return self.edits.fresh()

    def insert(self, line: int, text: Iterable[str]) -> None:
        self.edits.insert(line, text)

    def on_entry(self, loop: Loop, body: Callable[[], list[str]]) -> None:
        """On every way into the loop, with registers of its own each."""
        for p in dict.fromkeys(p for p in self.function.predecessors[loop.header] if p not in loop.blocks):
            if self.function.blocks[p].successors == (loop.header,):
                self.insert(self.function.blocks[p].terminator.line, body())
            else:
                self.on_edge(p, loop.header, body())

    def first(self, block: str) -> int:
        """The line of the first instruction that is no phi."""
        return next(i.line for i in self.function.blocks[block].instructions if i.opcode not in ("phi", "landingpad"))

    def on_edge(self, source: str, target: str, body: list[str]) -> None:
        key = (source, target)
        if key not in self.split:
            self.split[key] = self.fresh(), []
        self.split[key][1].extend(body)

    def _write_split(self, source: str, target: str, name: str, body: list[str]) -> None:
        """A block of its own on the edge source -> target; the target's phis learn its name."""
        lines = self.edits.lines
        terminator = self.function.blocks[source].terminator
        at = terminator.line
        while True:  # a switch spans several lines
            lines[at] = re.sub(rf"label {re.escape(_ref(target))}(?=[,\s\]]|$)", f"label %{name}", lines[at])
            at += 1
            if at >= self.function.end or not lines[at].startswith(("    ", "  ]")) or lines[at].startswith("    #dbg"):
                break
        edges = sum(label == target for label in self._labels(source))
        for phi in self.function.blocks[target].phis:
            pattern = re.compile(rf"(\[ [^\[\]]*(?:\[[^\]]*\][^\[\]]*)*?, ){re.escape(_ref(source))} \]")
            lines[phi.line] = pattern.sub(rf"\g<1>%{name} ]", lines[phi.line], count=1)
            for _ in range(edges - 1):
                lines[phi.line] = re.sub(rf", \[ [^\[\]]*, {re.escape(_ref(source))} \]", "", lines[phi.line], count=1)
        self.edits.insert(self.function.end, ["", f"{name}:", *body, f"  br label {_ref(target)}"])

    def _labels(self, source: str) -> tuple[str, ...]:
        return self.function.blocks[source].terminator.labels

    def _locals(self) -> None:
        """Declare the counters on entry, add them to the cells on every way out."""
        kinds = [(c, what) for c in self.counters for what in (ITERATIONS, ENTRIES)
                 if what == ITERATIONS or not (self.timed and c.nesting == 1)]
        for c, what in kinds:
            self.setup += [f"  %ll.c{c.id}.{what} = alloca i64, align 8", f"  store i64 0, ptr %ll.c{c.id}.{what}, align 8"]
        for block in self.function.blocks.values():
            if block.terminator.opcode not in ("ret", "resume", "unreachable"):
                continue
            line = block.terminator.line
            if block.terminator.opcode == "unreachable" and len(block.instructions) > 1 \
                    and block.instructions[-2].opcode == "call":
                line = block.instructions[-2].line
            body: list[str] = []
            for c, what in kinds:
                value = self.fresh()
                body += [f"  %{value} = load i64, ptr %ll.c{c.id}.{what}, align 8",
                         f"  call void @__looplaw_add(i64 {c.id}, i64 {what}, i64 %{value})"]
            self.edits.insert(line, body)
