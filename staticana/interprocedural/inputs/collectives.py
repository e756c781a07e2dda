"""What collective calls of MPI leave in a buffer: the number that the root has, or what a reduction
makes of the numbers of all processes.

Every process runs the same program with the same command line. So a number that the parameters of
the program decide is one formula for all of them, in which `rank` is that of the process: that of
the root has its rank there, and a sum over the processes is a sum over `rank`.
"""

from __future__ import annotations

from ...alias.library import LibraryFunction
from ...alias.library.mpi_handles import (
    WORLD,
    Handle,
    element_size,
    handle_of,
    is_in_place,
    operation_of,
)
from ...alias.memory_location import MemoryLocation
from ...closed_forms.sums import summation
from ...expr import ONE, Expr, Step, expr, from_atom, sym
from ...ir.types import Instruction, int_bits
from ...memory.reaching_stores import NEVER_SET
from ...scev.context import FunctionContext
from ...scev.values import Value
from . import fortran_arguments as fortran
from .communicators import (
    DEEPEST,
    ONE_COMMAND_LINE,
    all_come_to,
    argument,
    assume_one_command_line,
    given,
    left,
    library_row,
    of_all,
)
from .program_parameters import ProgramParameters, integer_range

_COLLECTIVES = ("MPI_Bcast", "MPI_Allreduce")


def received(
    parameters: ProgramParameters,
    view: FunctionContext,
    block: str,
    call: Instruction,
    place: MemoryLocation,
) -> Value | None:
    """What a collective call of all processes, or one that makes or asks a communicator, leaves at
    a place, where the parameters of the program decide it; None where they do not, and for other
    calls. Processes with another command line are assumed not to be."""
    asked = left(parameters, view, block, call, place)
    if asked is not None:
        assume_one_command_line(parameters, view, asked.expr, *asked.preconditions)
        return asked
    found = _left(parameters, view, block, call, place)
    if found is not None and found.expr.symbols:
        view.program.assume(ONE_COMMAND_LINE, view.function.name)
    return found


def _left(
    parameters: ProgramParameters,
    view: FunctionContext,
    block: str,
    call: Instruction,
    place: MemoryLocation,
) -> Value | None:
    known = library_row(view, call)
    if known is None or int_bits(place.kind) is None:
        return None
    if known.name not in _COLLECTIVES or not all_come_to(view, block, parameters):
        return None
    needs = of_all(parameters, view, call, 4 if known.name == "MPI_Bcast" else 5)
    if needs is None:
        return None
    if known.name == "MPI_Bcast":
        root = given(view, call, 3)
        there = _beside(view, call, place, known)
        sent = None if there is None else _sent(view, block, call, there)
        if sent is None or root is None:
            return None
        sent = _in_this_run(view, sent)
        found = _decided(parameters, _where_set(_at_rank(parameters, sent, root.expr)))
        needs |= root.preconditions
    else:
        there = _beside(view, call, place, known)
        sent = None if there is None else _decided(parameters, _sent(view, block, call, there))
        operation = operation_of(handle_argument(view, call, 4))
        found = None if sent is None else _reduced(parameters, sent, operation, place)
    return None if found is None else Value(found.expr, found.preconditions | needs)


def _reduced(
    parameters: ProgramParameters, sent: Value, operation: str | None, place: MemoryLocation
) -> Value | None:
    """The largest, the least or the sum of what all processes sent."""
    rank = parameters.names.get("mpi:rank", "")
    if operation is None or any(rank in e.symbols for e in sent.preconditions):
        return None
    differs = rank in sent.expr.symbols
    if operation != "sum":
        return None if differs else sent
    processes = parameters.given("mpi:size", "p")
    total = summation(sent.expr, rank, processes) if differs else sent.expr * processes
    if rank in total.symbols or total.has_sum:
        return None
    low, high = integer_range(int_bits(place.kind) or 0, may_be_unsigned=False)
    return Value(total, sent.preconditions | {total - low, expr(high) - total})


def _at_rank(parameters: ProgramParameters, sent: Value, root: Expr) -> Value:
    rank = parameters.names.get("mpi:rank")
    if rank is None:
        return sent
    there = {rank: root}
    return Value(
        sent.expr.substitute(there), frozenset(e.substitute(there) for e in sent.preconditions)
    )


def _where_set(sent: Value) -> Value:
    """What the root sends, where it has set it: a usage check that fails may go around that."""
    unset = NEVER_SET.atom
    found = None if unset is None else sent.expr.affine_in(str(unset.key))
    term = None if found is None else (1 - found[0]).only_term
    if term is None or term[1] != 1 or not all(isinstance(a, Step) for a, _ in term[0]):
        return sent
    passed = {a: a.arg for a, _ in term[0] if isinstance(a, Step)}
    held = sent.expr.map_atoms(lambda a: ONE if a in passed else from_atom(a))
    return Value(held, sent.preconditions | frozenset(passed.values()))


def _beside(
    view: FunctionContext, call: Instruction, place: MemoryLocation, known: LibraryFunction
) -> MemoryLocation | None:
    """The place in the buffer that a call sends from which it fills a place; None where the place
    is not wholly in the buffer that it fills."""
    source, target, fills = known.reads[0], known.writes[0], known.fills
    if fills is None or fills.count is None or fills.datatype is None:
        return None
    if not isinstance(source, int) or not isinstance(target, int):
        return None
    locate = view.program.memory.aliasing.underlying_object
    base, start = locate(view.function, call.operands[target + 1])
    own, first = (
        (base, start)
        if is_in_place(call.operands[source + 1])
        else locate(view.function, call.operands[source + 1])
    )
    count = argument(view, call, fills.count)
    number = None if count is None else count.constant
    size = element_size(handle_argument(view, call, fills.datatype))
    if base != place.underlying_object or own is None or not isinstance(number, int) or not size:
        return None
    if start is None or first is None or place.offset is None or place.size is None:
        return None
    within = place.offset - start
    if not 0 <= within <= number * size - place.size:
        return None
    return place._replace(underlying_object=own, offset=first + within)


def _sent(
    view: FunctionContext, block: str, call: Instruction, place: MemoryLocation
) -> Value | None:
    """What stands at a place before a call. Processes that send nothing need not have set it."""
    return view.program.memory.perhaps_unset(view, place, block, call)


def _in_this_run(view: FunctionContext, value: Value, depth: int = DEEPEST) -> Value:
    """A value with what all callers of a function of Fortran have in the variables that they hand
    it, in place of its arguments."""
    program, function = view.program, view.function
    symbols = value.expr.symbols.union(*(e.symbols for e in value.preconditions))
    asked = symbols & {
        program.argument_symbol(function, p) for p in range(len(function.parameters))
    }
    if not asked or not depth or not fortran.is_fortran(program.module):
        return value
    told: dict[str, set[Expr]] = {s: set() for s in asked}
    for s in program.calls.callers.get(function.name, ()):
        above = program.view(s.caller)
        given = fortran.handed(program, above, s.instruction, s.block, function)
        for symbol, found in told.items():
            held = given.get(symbol)
            found.add(sym(symbol) if held is None else _in_this_run(above, held, depth - 1).expr)
    agreed = {s: next(iter(found)) for s, found in told.items() if len(found) == 1}
    return Value(
        value.expr.substitute(agreed), frozenset(e.substitute(agreed) for e in value.preconditions)
    )


def _decided(parameters: ProgramParameters, found: Value | None) -> Value | None:
    """A value that the parameters of the program decide."""
    if found is None:
        return None
    used = found.expr.symbols.union(*(e.symbols for e in found.preconditions))
    return found if used <= set(parameters.names.values()) else None


def handle_argument(view: FunctionContext, call: Instruction, at: int) -> Handle:
    """The predefined handle that a call is given, written there or kept in a variable."""
    token = call.operands[at + 1]
    if token in WORLD:
        return str(token)
    found = argument(view, call, at)
    return None if found is None else handle_of(found)
