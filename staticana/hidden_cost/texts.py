"""Library functions of C in loops: lengths that are asked for anew, texts that are appended to from
their start, blocks that are moved, sorted or cleared for each element."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ..ir.graph import callee
from ..ir.matchers import is_any
from ..ir.types import Instruction, IntLiteral, Operand
from ..scev.context import FunctionContext
from .objects import is_fixed, is_literal, is_refilled, moves, plain

Found = tuple[Instruction, str, Operand, str]
"""A call, what it is called, the argument that drives its cost, and what is wrong."""

_SEARCHES = frozenset("strchr strrchr strstr strcasestr strpbrk memchr index rindex".split())
_READS_FILES = frozenset("fgets fscanf fread fgetc getc getline".split())


def calls_in_loop(view: FunctionContext, header: str) -> Iterator[Found]:
    """The hidden costs among the library calls whose innermost loop is this one."""
    for block in view.loops[header].blocks:
        if view.forest.innermost[block] != header:
            continue
        for i in view.function.blocks[block].instructions:
            name = callee(i) if i.is_call else None
            if name is None or name in view.program.defined:
                continue
            short = _short(name)
            rule = _RULES.get(short)
            if rule is not None:
                yield from rule(view, header, i, short)


def _short(name: str) -> str:
    if name.startswith("llvm.mem"):
        return name.split(".")[1]
    return plain(name)


def _length(view: FunctionContext, header: str, i: Instruction, name: str) -> Iterator[Found]:
    """strlen of the same text in every iteration, or of what is left of it."""
    text = i.operands[1]
    if is_literal(view, text):
        return
    if is_fixed(view, text, header) and not is_refilled(view, text, header):
        yield i, name, text, "asks for the length of the same text in every iteration"
    else:
        yield from _rest(view, header, i, name)


def _rest(view: FunctionContext, header: str, i: Instruction, name: str) -> Iterator[Found]:
    """A function that walks to the end of a text from a pointer that moves along it."""
    text = i.operands[1]
    phi = moves(view, text, header)
    if phi is not None and not _steps_by(view, phi, i, header):
        yield i, name, text, "walks to the end of what is left of the text in every iteration"


def _steps_by(view: FunctionContext, phi: Instruction, call: Instruction, header: str) -> bool:
    """Does the pointer move on by what the call returns: from text to text?"""
    inside = view.loops[header].blocks
    for o, label in zip(phi.operands, phi.labels, strict=True):
        if label not in inside:
            continue
        seen: set[Operand] = set()
        work: list[Operand] = [o]
        while work:
            token = work.pop()
            i = view.function.definitions.get(token)
            if token == call.token and call.result is not None:
                return True
            if i is None or token in seen:
                continue
            seen.add(token)
            if is_any(i, "getelementptr", "add", "sext", "zext"):
                work += i.operands
    return False


def _append(view: FunctionContext, header: str, i: Instruction, name: str) -> Iterator[Found]:
    text = i.operands[1]
    if is_fixed(view, text, header) and not is_refilled(view, text, header):
        yield i, name, text, "walks over all that has been written before it appends"


def _search(view: FunctionContext, header: str, i: Instruction, name: str) -> Iterator[Found]:
    """A search from the start of a text, whose result decides whether the loop goes on."""
    text = i.operands[1]
    if is_literal(view, text) or not is_fixed(view, text, header):
        return
    if not is_refilled(view, text, header) and _decides(view, header, i):
        yield i, name, text, "searches from the start of the text in every iteration"


def _decides(view: FunctionContext, header: str, i: Instruction) -> bool:
    """Is the result of a call what the loop's exits test?"""
    tests = {
        view.function.blocks[e.source].terminator.operands[0]
        for e in view.loops[header].exits
        if not e.is_unwind and view.function.blocks[e.source].terminator.operands
    }
    return any(u.token in tests for u in view.function.users.get(i.token, ()) if u.result)


def _move(view: FunctionContext, header: str, i: Instruction, name: str) -> Iterator[Found]:
    """A block that is shifted within one object."""
    find = view.program.memory.aliasing.underlying_object
    target, source = find(view.function, i.operands[1]), find(view.function, i.operands[2])
    if target[0] is None or target[0] != source[0] or isinstance(i.operands[3], IntLiteral):
        return
    if i.operands[1] != i.operands[2]:
        yield i, name, i.operands[1], "moves all elements behind one in every iteration"


def _grow(view: FunctionContext, header: str, i: Instruction, name: str) -> Iterator[Found]:
    """realloc in every iteration, for a constant number of elements more."""
    loop = view.loops[header]
    block = view.function.block_of[i.token]
    if loop.latch is None or not view.forest.dominates(block, loop.latch):
        return
    size = view.scalars.value(i.operands[2]).expr
    closed = view.variables.forms(header).closed
    index = view.variables.index(header)
    grown = size.substitute(closed)
    line = grown.affine_in(index)
    if line is not None and line[0]:
        yield i, name, i.operands[1], "grows by a constant amount in every iteration"


def _sort(view: FunctionContext, header: str, i: Instruction, name: str) -> Iterator[Found]:
    if is_fixed(view, i.operands[1], header):
        yield i, name, i.operands[1], "sorts the same array in every iteration"


def _clear(view: FunctionContext, header: str, i: Instruction, name: str) -> Iterator[Found]:
    """memset of as much in every iteration as the iteration does not otherwise touch."""
    size = i.operands[3]
    if isinstance(size, IntLiteral) or not is_fixed(view, i.operands[1], header):
        return
    value = view.scalars.value(size).expr
    if view.varying(value, header) or any(loop.parent == header for loop in view.loops.values()):
        return
    blocks = view.loops[header].blocks
    works = any(
        s.block in blocks and view.program.view(s.callee).loops
        for s in view.program.calls.sites_in.get(view.function.name, ())
    )
    if not works:
        yield i, name, i.operands[1], "clears all of it for the few elements of one iteration"


def _rewind(view: FunctionContext, header: str, i: Instruction, name: str) -> Iterator[Found]:
    if name == "fseek" and tuple(i.operands[2:4]) != ("0", "0"):
        return
    reads = any(
        plain(callee(j) or "") in _READS_FILES
        for b in view.loops[header].blocks
        for j in view.function.blocks[b].instructions
        if j.is_call
    )
    if reads and is_fixed(view, i.operands[1], header):
        yield i, name, i.operands[1], "reads the file from its start in every iteration"


_Rule = Callable[[FunctionContext, str, Instruction, str], Iterator[Found]]
_RULES: Mapping[str, _Rule] = {
    **dict.fromkeys(("strlen", "wcslen", "strnlen"), _length),
    **dict.fromkeys(("sscanf", "strdup", "vsscanf"), _rest),
    **dict.fromkeys(("strcat", "strncat"), _append),
    **dict.fromkeys(_SEARCHES, _search),
    **dict.fromkeys(("memmove", "memcpy"), _move),
    **dict.fromkeys(("realloc", "reallocarray"), _grow),
    "qsort": _sort,
    "memset": _clear,
    **dict.fromkeys(("rewind", "fseek"), _rewind),
}
"""Library function -> the rule that its calls in loops are held against."""
