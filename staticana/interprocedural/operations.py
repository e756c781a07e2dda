"""Operations of each kind: a block's mix, which its count multiplies, and amounts that a call's
arguments decide.

Floating-point operations count one for each element of a vector and two for a fused multiply-add;
divisions and square roots count among them and once more on their own, since they cost many times
an addition. Loads and stores are those of the register-promoted, unoptimised IR, one an
instruction; their bytes include what memcpy and memset move.

Messages are what a process hands to MPI: sends, and collectives once for each process that takes
part; bytes those of its send buffer (of its part, for a scatter). Receives count apart, so that
adding up all processes counts a message once; their bytes are those of the buffer, which a message
may leave partly empty.

Library steps are the work of library functions whose cost depends on what they are handed: bytes
of strings and blocks that strlen, strcmp or memcpy pass, comparisons of qsort (`library_cost`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..alias.library import NOTHING_SENT, Buffer, Message, library_function
from ..alias.library.mpi_handles import WORLD, element_size, handle_of, is_in_place
from ..expr import Expr, TooComplex, expr, is_nonnegative, sym, symbols
from ..frontend.threads import is_beside
from ..ir.data_layout import Layout
from ..ir.graph import callee, is_intrinsic
from ..ir.matchers import is_any, is_load, is_store
from ..ir.types import Block, Instruction
from ..own_lists import SOMEWHERE
from ..scev.bounded_count import NOTHING, BoundedCount, exactly, unknown
from ..scev.context import FunctionContext
from ..scev.unknowns import UnknownInfo
from .library_cost import library_steps

OPERATIONS = (
    "flops",
    "divisions",
    "square_roots",
    "int_operations",
    "loads",
    "stores",
    "load_bytes",
    "store_bytes",
    "calls",
    "branches",
    "mpi_messages",
    "mpi_bytes",
    "mpi_receives",
    "mpi_receive_bytes",
    "library_steps",
)
_FLOAT = frozenset(("fadd", "fsub", "fmul", "fdiv", "frem", "fneg"))
_INTEGER = frozenset("add sub mul udiv sdiv urem srem shl lshr ashr and or xor icmp".split())
_VECTOR = re.compile(r"<(\d+) x ")
_TYPED = r"(?:\.[\w.]+)?"
"""The types in an intrinsic's name: llvm.fma.v4f64."""
_ROOT = re.compile(
    rf"@(?:sqrt[fl]?|llvm\.(?:experimental\.constrained\.)?sqrt{_TYPED}"
    r"|llvm\.x86\.\w+\.sqrt\.[ps][sd](?:\.\d+)?)"
)
_DIVIDE = re.compile(
    r"@llvm\.(?:experimental\.constrained\.fdiv\.[\w.]+|x86\.\w+\.div\.[ps][sd](?:\.\d+)?)"
)
_SINGLE = re.compile(
    rf"@(?:(?:fabs|fmin|fmax)[fl]?|llvm\.(?:fabs|minnum|maxnum|minimum|maximum){_TYPED}"
    r"|llvm\.experimental\.constrained\.f(?:add|sub|mul|rem)\.[\w.]+"
    r"|llvm\.x86\.\w+\.(?:add|sub|mul|min|max|addsub|hadd|hsub)\.[ps][sd](?:\.\d+)?)"
)
_FUSED = re.compile(rf"@(?:fma[fl]?|llvm\.(?:experimental\.constrained\.)?(?:fma|fmuladd){_TYPED})")
_REDUCE = re.compile(r"@llvm\.vector\.reduce\.(fadd|fmul|fmax|fmin|fmaximum|fminimum)\.[\w.]+")
_MOVE = re.compile(r"@(?:llvm\.mem(cpy|move|set)\.[\w.]+|(?:__)?mem(cpy|move|set)(?:_chk)?)")


def _lanes(kind: str) -> int:
    match = _VECTOR.match(kind)
    return int(match.group(1)) if match else 1


def _of(i: Instruction, layout: Layout) -> dict[str, int]:
    if is_any(i, *_FLOAT):
        lanes = _lanes(i.type)
        return {"flops": lanes, "divisions": lanes} if is_any(i, "fdiv") else {"flops": lanes}
    if is_any(i, *_INTEGER):
        return {"int_operations": _lanes(i.type)}
    if is_load(i) and i.operands[0] == SOMEWHERE:
        return {}
    if is_load(i):
        return {"loads": 1, "load_bytes": layout.size(i.type) or 0}
    if is_store(i):
        return {"stores": 1, "store_bytes": layout.size(i.type) or 0}
    if i.is_call:
        return _of_call(i)
    if is_any(i, "br", "switch") and len(i.labels) > 1:
        return {"branches": 1}
    return {}


def _of_call(i: Instruction) -> dict[str, int]:
    name, lanes = i.operands[0], _lanes(i.type)
    if _FUSED.fullmatch(name):
        return {"flops": 2 * lanes}
    if _ROOT.fullmatch(name):
        return {"flops": lanes, "square_roots": lanes}
    if _DIVIDE.fullmatch(name):
        return {"flops": lanes, "divisions": lanes}
    if _SINGLE.fullmatch(name):
        return {"flops": lanes}
    if (match := _REDUCE.fullmatch(name)) and i.extra:
        lanes = _lanes(i.extra[-1])
        return {
            "flops": lanes if match.group(1) in ("fadd", "fmul") else lanes - 1
        }  # those start from a scalar
    if is_intrinsic(i) or is_beside(i):
        return {}
    message = _message(i)
    return (
        {"calls": 1}
        | ({"mpi_messages": 1} if message.sends is not None else {})
        | ({"mpi_receives": 1} if message.receives is not None else {})
    )


def instruction_mix(block: Block, layout: Layout) -> dict[str, int]:
    """Operations of one execution of a block, by kind (a subset of `OPERATIONS`)."""
    total: dict[str, int] = {}
    # a - b*c is one fused operation, though it is written as a + (-b)*c
    fused = {
        o
        for i in block.instructions
        if is_any(i, "call") and _FUSED.fullmatch(i.operands[0])
        for o in i.operands[1:]
    }
    for i in block.instructions:
        if is_any(i, "fneg") and i.token in fused:
            continue
        for kind, number in _of(i, layout).items():
            total[kind] = total.get(kind, 0) + number
    return total


# -- amounts that arguments decide
def argument_operations(view: FunctionContext, block: Block) -> dict[str, BoundedCount]:
    """Operations of one execution of a block whose number the arguments of its calls decide, by
    kind, over the values of the function: bytes that are copied or sent. Vectors whose length is
    the machine's make a kind unknown."""
    found: dict[str, BoundedCount] = {}
    for i in block.instructions:
        if i.type.startswith("<vscale"):
            for kind in _of(i, view.program.layout):
                found[kind] = unknown("the machine decides the length of its vectors")
        if i.is_call:
            for kind, amount in _amounts(view, block.name, i):
                found[kind] = found.get(kind, NOTHING).plus(amount)
    return found


def _amounts(
    view: FunctionContext, block: str, call: Instruction
) -> Iterator[tuple[str, BoundedCount]]:
    if (match := _MOVE.fullmatch(call.operands[0])) and len(call.operands) > 3:
        length = _value(view, block, call, 2)
        yield "store_bytes", length
        if (match.group(1) or match.group(2)) != "set":
            yield "load_bytes", length
    if (steps := library_steps(view, block, call)) is not None:
        yield "library_steps", steps
    message = _message(call)
    if message.sends is not None:
        in_place = message.in_place is not None and is_in_place(call.operands[1])
        buffer = message.in_place if in_place and message.in_place else message.sends
        yield "mpi_bytes", _bytes(view, block, call, buffer)
    if message.receives is not None:
        yield "mpi_receive_bytes", _bytes(view, block, call, message.receives)
    if message.starts:
        reason = (
            f"{callee(call)} at {view.place(call)} starts requests that were described elsewhere"
        )
        for kind in ("mpi_messages", "mpi_bytes", "mpi_receives", "mpi_receive_bytes"):
            yield kind, unknown(reason)


def _message(call: Instruction) -> Message:
    """What a call hands to MPI and gets from it."""
    known = library_function(callee(call) or "")
    return known.message if known is not None and known.message is not None else Message()


def _bytes(view: FunctionContext, block: str, call: Instruction, buffer: Buffer) -> BoundedCount:
    if buffer.count == NOTHING_SENT:
        return NOTHING
    name = callee(call)
    if buffer.count is None or buffer.datatype is None:
        return exactly(_mean(view, block, call, "bytes", f"bytes that {name} passes on"))
    total = _value(view, block, call, buffer.count).times(
        _element(view, block, call, buffer.datatype)
    )
    return total.times(_processes(view, block, call)) if buffer.per_process else total


def _value(view: FunctionContext, block: str, call: Instruction, at: int) -> BoundedCount:
    """An argument that counts something, so that it is not negative."""
    try:
        value = view.scalars.value(call.operands[at + 1])
        known = is_nonnegative(value.expr, view.paths.assumptions(block))
        return exactly(
            value.expr, value.preconditions if known else value.preconditions | {value.expr}
        )
    except TooComplex:
        return unknown("the formula would be too long")


def _element(view: FunctionContext, block: str, call: Instruction, at: int) -> BoundedCount:
    """Bytes of one element of a datatype."""
    size = element_size(handle_of(view.scalars.value(call.operands[at + 1]).expr))
    if size:
        return exactly(expr(size))
    name = callee(call)
    return exactly(
        _mean(
            view,
            block,
            call,
            "size",
            f"bytes of one element of the datatype that {name} is given",
            at,
        )
    )


def _processes(view: FunctionContext, block: str, call: Instruction) -> BoundedCount:
    """How many processes the call's communicator (its last argument; before a request) has."""
    given = {handle_of(view.scalars.value(token).expr) for token in call.operands[-2:]}
    size = view.program.parameters.get("mpi:size")
    if size is not None and not given.isdisjoint(WORLD):
        return exactly(sym(size))
    name = callee(call)
    return exactly(
        _mean(view, block, call, "processes", f"number of processes that take part in {name}")
    )


def _mean(
    view: FunctionContext, block: str, call: Instruction, name: str, meaning: str, at: int = 0
) -> Expr:
    """A symbol for what only a run can tell, as a mean over the executions of the call."""
    return view.program.unknowns.add(
        UnknownInfo(
            symbols.unknown(view.function.name, name, view.function.offset_of(call), at),
            "mean",
            name,
            meaning,
            view.place(call),
            view.function.name,
            block,
        )
    )
