"""Results that mean that a function has failed, and loops that are given up with one.

`if (fscanf(f, "%d", &a[i]) != 1) { fprintf(stderr, "too short"); return 1; }` in a loop is an error
exit as exit(1) is. So is `return 1` in main, as exit(1) is, and `return -ENOMEM` in a function all
of whose callers report an error, or fail themselves, where that is its result
(`means_failure`): errors that are handed up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from ..alias.call_graph import Site
from ..ir import cxx_names as cxx
from ..ir.graph import blocks_leading_to, callee, closure
from ..ir.matchers import is_any, is_branch, is_icmp, is_load, is_return
from ..ir.types import Function, GlobalRef, Instruction, IntLiteral, Operand, Register
from .context import FunctionContext, ProgramContext
from .program_ends import ends_in_error

_PRINTING = frozenset(
    "printf puts putchar fprintf fputs fputc fwrite perror vfprintf vprintf dprintf write".split()
)
_READS = re.compile(r"(__isoc\d+_)?[fs]?scanf$|fread$|fgets$|getline$|fgetc$|getc$|getchar$|read$")
_COMPLAINS = re.compile(
    r"(?i:error|usage|invalid|illegal|cannot|can't|could not|fail|bad|unknown|missing|wrong"
    r"|out of|too (?:few|many|short|long|large|small)|not (?:found|enough|open|read))"
)
"""What texts say that report an error on the standard output."""
_REPORTS = frozenset("perror warn warnx vwarn vwarnx psignal".split())
_NUMBERS = {"null": 0, "false": 0, "true": 1}
_DEEPEST = 4  # functions that hand a result up
_COMPARED: Mapping[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


def prints(i: Instruction) -> bool:
    """Is it a call that prints?"""
    name = callee(i) if i.is_call else None
    return name is not None and (name in _PRINTING or name.startswith(cxx.STREAM_OUTPUT))


# -- loops that are given up
def given_up(view: FunctionContext) -> frozenset[str]:
    """The blocks in which a loop is given up: they report an error and settle for a constant
    result, with which the function does not usually end."""
    function = view.function
    if not view.loops:
        return frozenset()
    usual = _usual_ends(view)
    if not usual:
        return frozenset()
    failing = set(function.blocks) - blocks_leading_to(function, usual)
    failing -= set[str]().union(*map(function.blocks_behind, usual))  # where both ways end
    left = {
        e.target
        for loop in view.loops.values()
        for e in loop.exits
        if not e.is_unwind and e.target in failing
    }
    found: set[str] = closure(
        left, lambda b: [s for s in function.blocks[b].successors if s in failing]
    )
    return frozenset(b for b in found if b not in view.forest.innermost)


def _usual_ends(view: FunctionContext) -> set[str]:
    """The blocks that settle what the function returns, but for those that report an error."""
    function = view.function
    ends = function.returned
    failed = {end for end in ends if is_failure(view, *end)}
    if not failed or failed == ends:
        return set()
    return {block for block, _ in ends - failed} | {
        b.name for b in function.blocks.values() if is_any(b.terminator, "resume", "unreachable")
    }


def is_failure(view: FunctionContext, block: str, value: Operand) -> bool:
    """Is a result that a block settles for a constant that means failure: for main a status that is
    not zero; else one that is reported in the block or before it, unless a caller asks for it and
    goes on, or one that all callers take so?"""
    number = number_of(value)
    if number is None:
        return False
    name = view.function.name
    if name == "main":
        return number != 0
    if _is_reported(view, block):
        return not view.program.ask_callers(
            name, ("handled", number), lambda p: _is_handled(p, name, number)
        )
    return view.program.ask_callers(
        name, ("fails", number), lambda p: means_failure(p, name, number)
    )


def fails(view: FunctionContext, block: str) -> bool:
    """Does a block report an error, or settle for a result that means failure?"""
    return any(_reports(view, i) for i in view.function.blocks[block].instructions) or any(
        b == block and is_failure(view, b, v) for b, v in view.function.returned
    )


def number_of(value: Operand) -> int | None:
    """The number that a constant result is; of a null pointer, 0."""
    return value.value if isinstance(value, IntLiteral) else _NUMBERS.get(value)


def _is_reported(view: FunctionContext, block: str) -> bool:
    """Does a block, or what always runs before it, report an error?"""
    blocks, seen = view.function.blocks, set[str]()
    while block not in seen:
        seen.add(block)
        if any(_reports(view, i) for i in blocks[block].instructions):
            return True
        before = view.function.predecessors[block]
        if len(before) != 1 or not is_any(blocks[before[0]].terminator, "br", "invoke"):
            return False
        above = blocks[before[0]].terminator
        if is_branch(above) and len(above.labels) != 1:
            return False
        block = before[0]
    return False


# -- errors that are handed up
def means_failure(program: ProgramContext, name: str, number: int, depth: int = _DEEPEST) -> bool:
    """Does every caller of a function report an error, or fail, where this is its result?"""
    sites = program.calls.callers.get(name, ())
    return (
        depth > 0
        and bool(sites)
        and name not in program.calls.pointed
        and name not in program.calls.recursive
        and all(
            s.certain and (told := _told(program, s, number)).fails(depth) and not told.has_work
            for s in sites
        )
    )


def _is_handled(program: ProgramContext, name: str, number: int, depth: int = _DEEPEST) -> bool:
    """Does a caller of a function ask for this result, and go on, or hand it to one that does?"""
    for s in program.calls.callers.get(name, ()) if depth > 0 else ():
        told = _told(program, s, number)
        handed = () if told.is_asked or s.caller == "main" else told.found
        if told.is_asked and not told.fails(depth):
            return True
        if any(n is not None and _is_handled(program, s.caller, n, depth - 1) for n in handed):
            return True
    return False


@dataclass(frozen=True)
class _Told:
    """What a function does where a call in it has a certain result. way: the blocks that only run
    then; found: the results of the function that are settled so, None for what is no constant;
    is_asked: a branch depends on it. program: whose callers count."""

    program: ProgramContext
    view: FunctionContext
    way: frozenset[str]
    found: tuple[int | None, ...]
    is_asked: bool

    @property
    def has_work(self) -> bool:
        """Are there loops that only run then?"""
        return not self.way.isdisjoint(self.view.forest.innermost)

    def fails(self, depth: int) -> bool:
        """Does the function report an error or fail?"""
        view, name = self.view, self.view.function.name
        own = [view.function.blocks[b] for b in self.way]
        if any(
            is_any(b.terminator, "unreachable") and ends_in_error(self.program, view.function, b)
            for b in own
        ):
            return True
        numbers = [n for n in self.found if n is not None]
        is_reported = any(_reports(view, i) for b in own for i in b.instructions)
        if name == "main":
            is_known = len(numbers) == len(self.found)
            return bool(self.found) and 0 not in numbers and (is_known or is_reported)
        if is_reported:
            return not any(_is_handled(self.program, name, n, depth - 1) for n in set(numbers))
        return bool(self.found) and all(
            n is not None and means_failure(self.program, name, n, depth - 1)
            for n in set(self.found)
        )


def _told(program: ProgramContext, site: Site, number: int) -> _Told:
    """What a function does where a call in it has this result."""
    view, block, call = program.view(site.caller), site.block, site.instruction
    function = view.function
    known = numbers_where(function, call.token, number) if call.result is not None else {}
    ends = function.returned
    way: set[str] = set()
    edges: set[str] = set()  # where it is told
    for b in function.blocks_behind(block):
        end = function.blocks[b].terminator
        target = taken(end, known)
        if target is not None:
            edges.add(b)
            way |= _only_behind(view, b, target)
    settled = [v for b, v in ends if b in way]
    if not settled:
        settled = [v for b, v in ends if b in edges or v in known]
    found = tuple(known.get(v, number_of(v)) for v in settled)
    return _Told(program, view, frozenset(way), found, bool(edges))


def _only_behind(view: FunctionContext, source: str, target: str) -> set[str]:
    """The blocks that control comes to only by this branch, and those that it must pass then while
    the other ways may return without."""
    function = view.function
    if function.predecessors[target] == (source,):
        return set(view.forest.dominated(target))
    found: set[str] = set()
    others = [s for s in function.blocks[source].successors if s != target]
    while target not in found and all(returns_without(function, s, target) for s in others):
        found.add(target)
        after = function.blocks[target].successors
        if len(after) != 1:
            break
        target = after[0]
    return found


def returns_without(function: Function, start: str, without: str) -> bool:
    """Can a function return from a block on a way that does not pass another one?"""
    if start == without:
        return False
    ends = {b.name for b in function.blocks.values() if is_return(b.terminator)} - {without}
    passed = closure([start], lambda b: [s for s in function.blocks[b].successors if s != without])
    return bool(passed & ends)


def numbers_where(function: Function, register: Register, number: int) -> Mapping[Operand, int]:
    """The registers that are known where one has this value."""
    known: dict[Operand, int] = {register: number}
    work: list[Register] = [register]
    while work:
        for i in function.users.get(work.pop(), ()):
            found = _result(i, known) if i.result is not None and i.result not in known else None
            if found is not None:
                known[i.token] = found
                work.append(i.token)
    return known


def _result(i: Instruction, known: Mapping[Operand, int]) -> int | None:
    """What an instruction yields where its operands are known."""
    operands = [known.get(o, number_of(o)) for o in i.operands]
    if any(o is None for o in operands):
        return None
    numbers = [o for o in operands if o is not None]
    if is_icmp(i) and (i.extra[0] in ("eq", "ne") or i.extra[0][0] == "s"):
        return int(_COMPARED[i.extra[0][-2:]](*numbers))
    if is_any(i, "xor") and "true" in i.operands:
        return 1 - numbers[0] if numbers[0] in (0, 1) else None
    if is_any(i, "sext", "zext", "trunc", "freeze"):
        # 0 and 1 are the same in all types but for the sign of one bit
        return numbers[0] if numbers[0] in (0, 1) or is_any(i, "sext", "freeze") else None
    return None


def taken(end: Instruction, known: Mapping[Operand, int]) -> str | None:
    """Where a branch goes whose condition is known."""
    if len(end.labels) < 2 or end.operands[0] not in known:
        return None
    number = known[end.operands[0]]
    if is_branch(end):
        return end.labels[0 if number else 1]
    if not is_any(end, "switch"):
        return None
    cases = zip(end.cases, end.labels[1:], strict=True)
    return next((label for c, label in cases if number_of(c) == number), end.labels[0])


# -- reports
def _reports(view: FunctionContext, i: Instruction) -> bool:
    """Is it a call that prints an error?"""
    if not i.is_call:
        return False
    name = callee(i) or ""
    if name in _REPORTS:
        return True
    if not prints(i):
        return False
    if any(_is_error_stream(view, o) for o in i.operands[1:]):
        return True
    return view.function.name == "main" and any(_COMPLAINS.search(t) for t in _texts(view, i))


def _texts(view: FunctionContext, i: Instruction) -> Iterator[str]:
    """The texts of the source that a call is handed."""
    for o in i.operands[1:]:
        found = view.program.module.globals.get(o.name) if isinstance(o, GlobalRef) else None
        if found is not None:
            yield found.initializer


def _is_error_stream(view: FunctionContext, token: Operand) -> bool:
    i = view.function.definitions.get(token)
    if is_load(i):
        token = i.operands[0]
    if i is not None and i.is_call:  # std::cerr << a << b
        return any(_is_error_stream(view, o) for o in i.operands[1:2])
    return isinstance(token, GlobalRef) and token.name in cxx.STREAM_OF_ERRORS
