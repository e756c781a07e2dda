"""Sizes of what loops pass whose ends data decide: the text up to its 0, the nodes of a list up to
its end, what is read of an input.

Such a size is a value of the run that people know, as the number of elements of an array is. The
iterations of one entry are no more than it, and are it where the loop has no other end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..alias.library import library_function
from ..expr import sym
from ..ir.graph import callee
from ..ir.loop_info import ExitEdge, Loop
from ..ir.matchers import is_any, is_choice, is_gep, is_icmp, is_load, is_return, is_store
from ..ir.types import Instruction, Operand, Register
from .context import FunctionContext
from .failures import number_of, numbers_where, taken
from .loop_solution import LoopForms
from .source_names import value_name, what_is_read
from .unknowns import BUT_THE_LAST, HEIGHT, INPUT, LENGTH, NODES

_MOST_STEPS = 12
"""Places at which an iteration may go on to the next node."""
_MOST_CALLS = 3
"""Calls through which an input is read."""
_NO_INPUT = ("options", "words")


@dataclass(frozen=True)
class NamedSize:
    """A size that bounds the iterations of one entry of a loop.

    name, meaning: what it is called, and what it is in words. more: iterations beyond it. is_whole:
    the loop has no other end.
    """

    name: str
    meaning: str
    more: int
    is_whole: bool


def named_size(view: FunctionContext, loop: Loop, forms: LoopForms) -> NamedSize | None:
    """The size of what a loop passes; None where it is not seen to pass such a thing."""
    if loop.latch is None or loop.preheader is None:
        return None
    return _of_text(view, loop, forms) or _of_nodes(view, loop) or _of_input(view, loop)


def _always(view: FunctionContext, loop: Loop, block: str) -> bool:
    """Does each iteration pass a block of the loop itself?"""
    assert loop.latch is not None
    is_own = view.forest.innermost.get(block) == loop.header
    return is_own and view.forest.dominates(block, loop.latch)


def _counted(view: FunctionContext, loop: Loop) -> list[ExitEdge]:
    """The exits that are taken at all."""
    return [e for e in loop.exits if not e.is_unwind and e.target not in view.paths.dead]


def _is_just_zero(view: FunctionContext, edge: ExitEdge, load: Instruction) -> bool:
    """Is an exit taken where a load has read 0, and nowhere else?"""
    test = view.function.definitions.get(view.function.blocks[edge.source].terminator.operands[0])
    if not is_icmp(test) or test.extra[0] not in ("eq", "ne") or number_of(test.operands[1]) != 0:
        return False
    tested = view.function.definitions.get(test.operands[0])
    if is_any(tested, "sext", "zext"):
        tested = view.function.definitions.get(tested.operands[0])
    return tested is load


# -- texts
def _of_text(view: FunctionContext, loop: Loop, forms: LoopForms) -> NamedSize | None:
    """The elements up to the first 0, where a loop passes one after another and is left at a 0."""
    for block, i in _instructions(view, loop):
        if (
            not is_load(i)
            or view.forest.innermost.get(block) != loop.header
            or "volatile" in i.flags
        ):
            continue
        if not _passes_elements(view, loop, forms, block, i):
            continue
        left = _left_at_zero(view, loop, i)
        if left:
            name = _name(view, loop, i.operands[0]) or "text"
            more = int(not all(e.is_test for e in left))
            is_whole = left == _counted(view, loop) and _is_just_zero(view, left[0], i)
            return NamedSize(f"{name}_len", LENGTH + name, more, is_whole)
    return None


def _instructions(view: FunctionContext, loop: Loop) -> Iterator[tuple[str, Instruction]]:
    for block in sorted(loop.blocks):
        for i in view.function.blocks[block].instructions:
            yield block, i


def _left_at_zero(view: FunctionContext, loop: Loop, load: Instruction) -> list[ExitEdge]:
    """The exits of which one is taken in an iteration that reads a 0; none where it may go on."""
    address = view.scalars.value(load.operands[0]).expr
    stores = [(at, i) for at, i in _instructions(view, loop) if is_store(i)]
    known = dict(numbers_where(view.function, load.token, 0))
    for at, i in _instructions(view, loop):
        is_same = is_load(i) and i.type == load.type
        if is_same and view.scalars.value(i.operands[0]).expr == address:
            # what is stored in between may be what it has read
            if all(_is_behind(view, (at, i), store) for store in stores):
                known |= numbers_where(view.function, i.token, 0)
    left: list[ExitEdge] = []
    work = [(loop.header, "")]
    seen = set(work)
    while work:
        source, above = work.pop()
        passed = view.function.blocks[source]
        told: dict[Operand, int] = {
            p.token: n for p in passed.phis if (n := _arriving(p, above, known)) is not None
        }
        target = taken(passed.terminator, known | told)
        for label in passed.successors if target is None else (target,):
            step = label, source
            if label not in loop.blocks:
                left += [e for e in loop.exits if (e.source, e.target) == (source, label)]
            elif label in view.loops:
                return []
            elif step not in seen:
                seen.add(step)
                work.append(step)
    return left


def _arriving(phi: Instruction, above: str, known: Mapping[Operand, int]) -> int | None:
    """The number that a phi has behind a block."""
    given = next((o for o, b in zip(phi.operands, phi.labels, strict=True) if b == above), None)
    return None if given is None else known.get(given, number_of(given))


def _passes_elements(
    view: FunctionContext, loop: Loop, forms: LoopForms, block: str, load: Instruction
) -> bool:
    """Does a load read the next element in each iteration, of what stays as it is ahead?"""
    address = view.scalars.value(load.operands[0])
    index = view.variables.index(loop.header)
    size = view.program.layout.size(load.type)
    if address.preconditions or forms.needed(address.expr.symbols) or not size:
        return False
    start = address.expr.substitute(forms.closed) - sym(index) * size
    if index in start.symbols or view.varying(start, loop.header):
        return False

    def is_passed(at: str, store: Instruction) -> bool:
        """Does a store write what the load has read, or what was passed before?"""
        if not is_store(store) or view.forest.innermost.get(at) != loop.header:
            return False
        written = view.scalars.value(store.operands[1]).expr - address.expr
        ahead, number = written.constant, view.program.layout.size(store.type)
        if ahead is None or number is None:
            return False
        return ahead + number <= 0 or (
            ahead + number <= size and _is_behind(view, (block, load), (at, store))
        )

    passed = tuple(i for at, i in _instructions(view, loop) if is_passed(at, i))
    return _stays(view, loop, load, passed)


def _is_behind(
    view: FunctionContext, first: tuple[str, Instruction], second: tuple[str, Instruction]
) -> bool:
    """Does the second instruction run behind the first in each iteration?"""
    if first[0] == second[0]:
        return first[1].line < second[1].line
    return view.forest.dominates(first[0], second[0])


def _stays(
    view: FunctionContext, loop: Loop, load: Instruction, but_for: tuple[Instruction, ...]
) -> bool:
    """Does the memory that a load walks along stay as it is while a loop runs?"""
    assert loop.preheader is not None
    memory = view.program.memory
    place = memory.aliasing.location(view.function, load.operands[0], load.type, load.tbaa)
    if place.underlying_object is not None:
        place = place._replace(offset=None, size=None)
    before = view.function.blocks[loop.preheader].terminator
    return memory.stays(view, place, loop.preheader, before, loop, but_for)


def _name(view: FunctionContext, loop: Loop, token: Operand) -> str | None:
    """What an address is called that a loop walks with: by what it starts with."""
    for _ in range(_MOST_STEPS):
        named = value_name(view, token)
        if named is not None:
            return named.strip('"') or None
        i = view.function.definitions.get(token)
        if i is None or not (is_gep(i) or is_choice(i) or i.opcode == "load"):
            return None
        token = i.operands[0]
        if i.opcode == "phi":
            pairs = zip(i.operands, i.labels, strict=True)
            outside = [o for o, b in pairs if b not in loop.blocks]
            token = outside[0] if outside else token
    return None


# -- lists
def _of_nodes(view: FunctionContext, loop: Loop) -> NamedSize | None:
    """The nodes of a list up to its end, or of the longest path down a tree."""
    for phi in view.function.blocks[loop.header].phis:
        steps = _steps(view, loop, phi) if phi.type == "ptr" else ()
        end = _end_of_list(view, loop, phi, steps) if steps else None
        if end is None:
            continue
        spared = (*_behind_step(view, loop, phi, steps), *_apart(view, loop))
        if not all(_stays(view, loop, load, spared) for load in steps):
            continue
        name = _name(view, loop, phi.token) or "list"
        is_tree = len({_offset(view, phi, s) for s in steps}) > 1
        what, meaning = ("height", HEIGHT) if is_tree else ("nodes", NODES)
        return NamedSize(f"{name}_{what}", meaning + name, int(not end.is_test), False)
    return None


def _steps(view: FunctionContext, loop: Loop, phi: Instruction) -> tuple[Instruction, ...]:
    """The loads of the next node from the present one; nothing where an iteration may go on with
    something else."""
    pairs = zip(phi.operands, phi.labels, strict=True)
    work, seen = [o for o, b in pairs if b in loop.blocks], set[Operand]()
    found: list[Instruction] = []
    while work:
        token = work.pop()
        if token in seen:
            continue
        seen.add(token)
        i = view.function.definitions.get(token)
        if i is None or len(seen) > _MOST_STEPS or i is phi:
            return ()
        if is_choice(i):
            work += i.operands if i.opcode == "phi" else i.operands[1:]
        elif is_load(i) and _offset(view, phi, i) is not None:
            found.append(i)
        else:
            return ()
    return tuple(found)


def _offset(view: FunctionContext, phi: Instruction, load: Instruction) -> int | None:
    """Where in the present node a load reads."""
    return _field(view, phi, load.operands[0])


def _field(view: FunctionContext, phi: Instruction, address: Operand) -> int | None:
    if address == phi.token:
        return 0
    i = view.function.definitions.get(address)
    if not is_gep(i) or i.operands[0] != phi.token:
        return None
    return view.program.memory.aliasing.constant_offset(i.type, i.operands[1:])


def _end_of_list(
    view: FunctionContext, loop: Loop, phi: Instruction, steps: tuple[Instruction, ...]
) -> ExitEdge | None:
    """The exit at a null pointer, the present node or the next one."""
    offsets = {_offset(view, phi, s) for s in steps}
    for e in loop.exits:
        end = view.function.blocks[e.source].terminator
        test = view.function.definitions.get(end.operands[0]) if end.operands else None
        if not is_icmp(test):
            continue
        tested = view.function.definitions.get(test.operands[0])
        if tested is phi or (is_load(tested) and _offset(view, phi, tested) in offsets):
            known = numbers_where(view.function, tested.token, 0)
            if taken(end, known) == e.target:
                return e
    return None


def _behind_step(
    view: FunctionContext, loop: Loop, phi: Instruction, steps: tuple[Instruction, ...]
) -> tuple[Instruction, ...]:
    """The stores to the present node once the next one is known."""
    at = view.function.block_of
    return tuple(
        i
        for block, i in _instructions(view, loop)
        if is_store(i)
        and _field(view, phi, i.operands[1]) is not None
        and all(_is_behind(view, (at[s.token], s), (block, i)) for s in steps)
    )


def _apart(view: FunctionContext, loop: Loop) -> tuple[Instruction, ...]:
    """The calls of library functions that are handed nothing but numbers and objects of their own:
    they are taken not to write nodes of the program's."""
    return tuple(
        i
        for _, i in _instructions(view, loop)
        if i.is_call
        and (name := callee(i) or "") not in view.program.defined
        and library_function(name) is not None
        and all(_is_apart(view, o) for o in i.operands[1:])
    )


def _is_apart(view: FunctionContext, token: Operand) -> bool:
    """Is it no pointer, one to a global, or what a library function returns?"""
    if not isinstance(token, Register):
        return True
    i = view.function.definitions.get(token)
    if i is None:
        return False
    if i.type != "ptr" or i.opcode == "icmp":
        return True
    name = callee(i) or ""
    return i.is_call and name not in view.program.defined and library_function(name) is not None


# -- inputs
def _of_input(view: FunctionContext, loop: Loop) -> NamedSize | None:
    """What a loop reads, once in each iteration."""
    for block, call in _instructions(view, loop):
        found = _reading(view, call) if call.is_call and _always(view, loop, block) else None
        if found is None:
            continue
        word, place = found
        exits = _counted(view, loop)
        behind = [view.forest.dominates(block, e.source) for e in exits]
        # a test behind it is made once more than the loop goes on
        is_tested = [e.is_test and b for e, b in zip(exits, behind, strict=True)]
        more = any(not e.is_test and not b for e, b in zip(exits, behind, strict=True))
        is_own = place == view.place(call)
        which = BUT_THE_LAST if is_own and is_tested and all(is_tested) else ""
        is_whole = is_own and not more and (all(is_tested) or not any(is_tested))
        return NamedSize(word, word + which + INPUT + place, int(more), is_whole)
    return None


def _reading(view: FunctionContext, call: Instruction, depth: int = 0) -> tuple[str, str] | None:
    """What a call reads each time, itself or through functions of the program, and where."""
    name = callee(call) or ""
    word = what_is_read(name)
    if word is not None:
        return None if word in _NO_INPUT else (word, view.place(call))
    if depth == _MOST_CALLS or name not in view.program.defined:
        return None
    inner = view.program.view(name)
    ends = [b for b in inner.reachable if is_return(inner.function.blocks[b].terminator)]
    for block in sorted(inner.reachable):
        if ends and all(inner.forest.dominates(block, end) for end in ends):
            for i in inner.function.blocks[block].instructions:
                found = _reading(inner, i, depth + 1) if i.is_call else None
                if found is not None:
                    return found
    return None
