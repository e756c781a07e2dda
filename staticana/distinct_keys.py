"""Sets and maps that are filled with new keys only: `for (int i = 0; i < n; i++) m[i] = f(i);`

Whether an element is put in or was there before only a run can tell, but for keys that are all
different: numbers that a loop takes on or off in equal steps, put into a container that is empty
before the loop and that nothing else in the loop changes. Such calls go to copies of the library's
functions that add one element (`frontend.models`), and the size of the container is a formula.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from .alias.memory_location import MemoryLocation, Pointer
from .expr import ZERO, Expr, TooComplex
from .expr.budget import Allowance, Budget, OverBudget
from .frontend.models import KeyedInsertion, container_member, keyed_insertions, new_key_name
from .interprocedural.program import Program
from .ir import cxx_names as cxx
from .ir.graph import callee, calls_in
from .ir.matchers import is_alloca, is_any
from .ir.parser import edited
from .ir.types import Instruction, Module, Operand, Register, quoted
from .scev.bounded_count import NOTHING, BoundedCount
from .scev.context import FunctionContext
from .scev.traversals import container_of, is_address_of

_FEWEST_BITS = 32
"""Narrower keys are cut from wider values, and may be the same for different ones."""
_MOST_BITS = 30
"""No container has more than 2**30 elements in memory, of forty bytes and more."""
_TAKING_OUT = frozenset({"clear", "erase"})
_INSERTING = frozenset(
    "insert emplace operator[] try_emplace insert_or_assign emplace_hint push_back push_front"
    " emplace_back emplace_front".split()
)
_LOOKING = frozenset(
    "begin end cbegin cend rbegin rend crbegin crend size max_size empty find count contains at"
    " lower_bound upper_bound equal_range key_comp value_comp bucket_count load_factor"
    " max_load_factor hash_function key_eq reserve rehash".split()
)
_MARKERS = ("llvm.lifetime.", "llvm.memset.", "llvm.dbg.")


def with_new_keys(
    module: Module, program: Program | None, entry: str, *, allowance: Allowance
) -> tuple[Module, Program | None]:
    """The module in which calls that put in a new key say so, and the program under analysis as
    long as that is the same."""
    insertions = keyed_insertions(module)
    if insertions:
        called = {callee(i) for _, i in calls_in(module)}
        insertions = {name: k for name, k in insertions.items() if name in called}
    if not insertions:
        return module, program
    asked = program if program is not None else Program(module, entry=entry, allowance=allowance)
    with allowance.uncounted():
        _ = asked.calls.callers  # found here, at no cost to what is counted
    found = list(_with_new_key(asked, insertions))
    if not found:
        return module, asked
    lines = module.text.split("\n")
    for i, name in found:
        before, at, after = lines[i.line].partition(f"@{quoted(name)}(")
        if at:
            lines[i.line] = f"{before}@{quoted(new_key_name(name))}({after}"
    lines += [insertions[name].definition for name in sorted({name for _, name in found})]
    return edited(module, "\n".join([*lines, ""])), None


def _with_new_key(
    program: Program, insertions: Mapping[str, KeyedInsertion]
) -> Iterator[tuple[Instruction, str]]:
    """(call, function that it calls)."""
    for name, kind in sorted(insertions.items()):
        for s in program.calls.callers.get(name, ()):
            try:
                with Budget(program.seconds):
                    if _is_new(program, program.view(s.caller), s.block, s.instruction, kind):
                        yield s.instruction, name
            except (OverBudget, TooComplex):
                continue


def _is_new(
    program: Program, view: FunctionContext, block: str, call: Instruction, kind: KeyedInsertion
) -> bool:
    """Is the key that a call puts in none that the container has?"""
    header = view.forest.innermost.get(block)
    container = call.operands[1]
    if header is None or view.forest.irreducible:
        return False
    if not _is_local(program, view, container, call, header) and not _is_filled_by(
        program, view, container, call, kind, header
    ):
        return False
    return _is_stepped(view, _key(program, view, block, call, kind), kind.bits, header)


def _is_local(
    program: Program, view: FunctionContext, container: Operand, call: Instruction, header: str
) -> bool:
    """Is a container made before a loop, in the same function, where a call in the loop is all that
    ever puts elements in?"""
    made = view.function.definitions.get(container)
    if not is_alloca(made) or not isinstance(container, Register):
        return False
    start = _only_use(program, view, container, call)
    if start is None:
        return False
    parent = view.loops[header].parent
    return view.forest.innermost.get(start) == parent and view.forest.dominates(start, header)


def _is_filled_by(
    program: Program,
    view: FunctionContext,
    container: Operand,
    call: Instruction,
    kind: KeyedInsertion,
    header: str,
) -> bool:
    """Is a container, a member or a global, empty whenever control comes to a loop, and does a call
    in the loop alone change how many elements it has?"""
    memory, loop = program.memory, view.loops[header]
    base, offset = memory.aliasing.underlying_object(view.function, container)
    if base is None or offset is None:
        return False
    place = MemoryLocation(base, offset + kind.size, 8, "i64")
    element = Pointer(view.function.name, call.token) if call.result is not None else None
    for b in loop.blocks:
        for i in view.function.blocks[b].instructions:
            if i is call:
                continue
            effects = memory.aliasing.written_by(view.function, i)
            for w in effects.writes:
                # what the call returns is in the element, and not in the container itself
                if w.underlying_object != element and memory.aliasing.may_alias(place, w):
                    return False
    return all(
        memory.held(view, place, b, view.function.blocks[b].terminator) == ZERO
        for b in view.function.predecessors[header]
        if b not in loop.blocks
    )


def _key(
    program: Program, view: FunctionContext, block: str, call: Instruction, kind: KeyedInsertion
) -> Expr | None:
    """The key, where it rests on nothing."""
    memory = program.memory
    token = call.operands[1 + kind.at]
    place = memory.aliasing.location(view.function, token, f"i{kind.bits}")
    found = memory.reaching(view, place, block, call).value
    return found.expr if found is not None and not found.preconditions else None


def _is_stepped(view: FunctionContext, key: Expr | None, bits: int, header: str) -> bool:
    """Does a value of so many bits differ between any two iterations of a loop: does each add the
    same number to it, which is not zero, and which does not come round to where it began?"""
    if key is None or bits < _FEWEST_BITS:
        return False
    forms = view.variables.forms(header)
    if forms.needed(key.symbols):
        return False
    key, index = key.substitute(forms.closed), view.variables.index(header)
    line = key.affine_in(index)
    if line is None or view.varying(key, header):
        return False
    step = line[0].constant
    # modulo 2**bits a step of 2**k times an odd number comes round after 2**(bits - k) of them
    return isinstance(step, int) and step != 0 and step % (1 << (bits - _MOST_BITS + 1)) != 0


def _only_use(
    program: Program, view: FunctionContext, container: Register, insertion: Instruction
) -> str | None:
    """The block in which a container is made, empty, where one call alone puts elements in."""
    uses = _uses(program, view, container)
    if uses is None or len(uses.starts) != 1 or uses.insertions != [insertion]:
        return None
    return next(b.name for b in view.function.blocks.values() if uses.starts[0] in b.instructions)


class _Uses(NamedTuple):
    """The calls that make a container, empty, and those that put an element in, or find it there.
    Nothing else that is done to it makes it larger."""

    starts: list[Instruction]
    insertions: list[Instruction]


def _uses(program: Program, view: FunctionContext, container: Register) -> _Uses | None:
    """All that is done to a local container; None where that is not known."""
    found, users = _Uses([], []), view.function.users
    work: list[Register] = [container]
    seen = set(work)
    while work:
        pointer = work.pop()
        for i in users.get(pointer, ()):
            if is_any(i, "load", "icmp"):
                continue
            if is_any(i, "getelementptr", "phi", "select") or is_address_of(i):
                if isinstance(i.token, Register) and i.token not in seen:
                    seen.add(i.token)
                    work.append(i.token)
                continue
            name = callee(i) if i.is_call else None
            if name is None:
                return None
            if _is_harmless(program.module, name):
                continue
            member = container_member(program.module, name.removesuffix(new_key_name("")))
            if member is not None and member.takes == "c" and i.operands[2:3] == (pointer,):
                if i.operands[1] != pointer:
                    continue  # another one is made like it
            if member is None or pointer != container or i.operands.count(container) != 1:
                return None
            if member.is_constructor and not member.takes:
                found.starts.append(i)
            elif member.name in _INSERTING and not set(member.takes) & set("iln"):
                found.insertions.append(i)
            else:
                return None
    return found


def most_nodes(program: Program, view: FunctionContext, header: str) -> BoundedCount | None:
    """How many elements are put, in one call of its function, into the container that a loop walks
    along: the upper bound of the nodes of each walk. None where that is not known."""
    container = container_of(view, view.loops[header])
    if not isinstance(container, Pointer) or container.function != view.function.name:
        return None
    made = view.function.definitions.get(container.register)
    uses = _uses(program, view, container.register) if made and is_alloca(made) else None
    if uses is None or not uses.starts:
        return None
    most = NOTHING
    for b in view.function.blocks.values():
        number = sum(i in b.instructions for i in uses.insertions)
        if number and b.name in view.loops[header].blocks:
            return None
        if number and b.name in view.reachable:
            most = most.plus(view.executions.of(b.name).scaled(number))
    return most if most.upper is not None else None


def _is_harmless(module: Module, name: str) -> bool:
    """Does a function put nothing into the containers that it is handed, or into what it is handed
    an iterator of?"""
    if name.startswith(_MARKERS) or cxx.TREE_STEPS.match(name):
        return True
    member = container_member(module, name)
    return member is not None and (
        member.is_destructor or member.name in _TAKING_OUT or member.name in _LOOKING
    )
