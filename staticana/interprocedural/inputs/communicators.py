"""Communicators that a program makes of others: how many processes they have, which of them runs,
and where it stands in a grid.

A communicator is known by the call that has made it: its handle is the symbol of an address that no
variable has, as the predefined ones are in Open MPI. What it holds is formulas in parameters of the
program, among them `rank`, or in the extents of a grid that MPI_Dims_create chooses, which have
names. Source: MPI 4.1, sections 7.4 (Communicator Management) and 8.5 (Topology Constructors).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ...alias.library import LibraryFunction, library_function
from ...alias.library.mpi_handles import NULL, SELF, WORLD, handle_of
from ...alias.memory_location import MemoryLocation, UnderlyingObject
from ...expr import (
    NO_ASSUMPTIONS,
    ONE,
    ZERO,
    Assumptions,
    Atom,
    Expr,
    Floor,
    Step,
    Sym,
    Trunc,
    choose,
    expr,
    floor_div,
    from_atom,
    is_integer,
    is_nonnegative,
    maximum,
    minimum,
    step,
    sym,
    symbols,
)
from ...expr.predicates import FALSE, UNDECIDED, Cond, literal
from ...ir.graph import callee
from ...ir.types import Instruction
from ...scev.context import FunctionContext
from ...scev.unknowns import UnknownInfo
from ...scev.values import Value
from . import fortran_arguments as fortran
from .program_parameters import ProgramParameters

_INT, _BYTES = "i32", 4
_RANK, _SIZE = "mpi:rank", "mpi:size"
_NOBODY = {True: -1, False: -2}
"""MPI_PROC_NULL where handles are numbers, as in MPICH, and where they are addresses."""
_MADE = "@communicator."
"""What symbols of handles begin with."""
_UNDEFINED = -32766
"""MPI_UNDEFINED in MPICH and Open MPI."""
ONE_COMMAND_LINE = "all processes have one command line"
_MOST_AXES = 8
"""Axes of a grid of processes."""
DEEPEST = 8
"""Functions that call one another on the way to a collective call."""
_Slopes = tuple[Expr, Expr]


class Axis(NamedTuple):
    """One dimension of a grid of processes."""

    extent: Expr
    is_periodic: bool | None


@dataclass(frozen=True)
class Communicator:
    """What is known of a communicator, seen from each of its processes.

    size, rank: formulas; both hold where `needs` are >= 0. axes: of its grid, slowest first.
    is_all: it has all processes of the program, with the ranks that they have there. within: the
    function that the formulas are of, where they hold names that only it knows. absent: where a
    process is in none, and has MPI_COMM_NULL. names: (origin, name) of the parameters in them.
    """

    size: Expr
    rank: Expr
    axes: tuple[Axis, ...] = ()
    is_all: bool = False
    needs: frozenset[Expr] = frozenset()
    within: str | None = None
    absent: Cond = FALSE
    names: frozenset[tuple[str, str]] = frozenset()

    def stride(self, axis: int) -> Expr:
        """The distance of two neighbours' ranks."""
        found = ONE
        for a in self.axes[axis + 1 :]:
            found = found * a.extent
        return found

    def coordinate(self, rank: Expr, axis: int) -> Expr:
        """Where a process stands along an axis, from 0."""
        above = floor_div(rank, self.stride(axis))
        return above if axis == 0 else _remainder(above, self.axes[axis].extent)


@dataclass(frozen=True)
class _Call:
    """A call of MPI, and the place that it is asked of. needed: what the numbers rest on that were
    asked for so far."""

    parameters: ProgramParameters
    view: FunctionContext
    block: str
    call: Instruction
    place: MemoryLocation
    needed: set[Expr] = field(default_factory=set)

    def argument(self, at: int) -> Expr | None:
        """A number that the call is given; Fortran hands it over by reference."""
        found = given(self.view, self.call, at)
        if found is None:
            return None
        self.needed.update(found.preconditions)
        return found.expr

    def number(self, at: int) -> int | None:
        found = self.argument(at)
        value = None if found is None else found.constant
        return value if isinstance(value, int) else None

    def index(self, at: int) -> int | None:
        """The element of the integers behind an argument that the place is."""
        base, start = self._base(at)
        if base != self.place.underlying_object or start is None or self.place.offset is None:
            return None
        index, rest = divmod(self.place.offset - start, _BYTES)
        return index if index >= 0 and not rest and self.place.kind in (_INT, "ptr") else None

    def elements(self, at: int, number: int) -> list[Expr] | None:
        """The integers behind an argument before the call."""
        base, start = self._base(at)
        if base is None or start is None:
            return None
        found: list[Expr] = []
        memory = self.view.program.memory
        for k in range(number):
            place = MemoryLocation(base, start + _BYTES * k, _BYTES, _INT)
            held = memory.before(self.view, place, self.block, self.call)
            if held is None or held.preconditions:
                return None
            found.append(held.expr)
        return found

    def unknown_in(self, *formulas: Expr) -> set[str]:
        """What of formulas may differ from process to process without being told by the rank."""
        told = {*self.parameters.names.values(), *self.parameters.chosen}
        return {s for e in formulas for s in e.symbols} - told

    def communicator(self, at: int = 0) -> Communicator | None:
        return communicator(self.parameters, self.view, self.call, at)

    def _base(self, at: int) -> tuple[UnderlyingObject | None, int | None]:
        aliasing = self.view.program.memory.aliasing
        return aliasing.underlying_object(self.view.function, self.call.operands[at + 1])


def library_row(view: FunctionContext, call: Instruction) -> LibraryFunction | None:
    """What is known of the function of a library that a call goes to; None for the program's own,
    whatever its name."""
    name = callee(call)
    return None if name in view.program.defined else library_function(name or "")


def given(view: FunctionContext, call: Instruction, at: int) -> Value | None:
    """A number that a call of MPI is given."""
    token = call.operands[at + 1]
    if (callee(call) or "").endswith("_"):
        return fortran.value_behind(view, token, call)
    return view.scalars.value(token)


def argument(view: FunctionContext, call: Instruction, at: int) -> Expr | None:
    """The formula of a number that a call of MPI is given."""
    found = given(view, call, at)
    return None if found is None else found.expr


def communicator(
    parameters: ProgramParameters, view: FunctionContext, call: Instruction, at: int
) -> Communicator | None:
    """The communicator that a call is given; None where it is not known."""
    token = call.operands[at + 1]
    found = None if token in (*WORLD, *SELF) else argument(view, call, at)
    value = None if found is None else found.constant
    handle = str(token) if found is None else value
    if isinstance(value, int):
        handle = value & 0xFFFFFFFF
    elif found is not None and found.atom is not None:
        handle = str(found.atom.key)
    if handle in WORLD:
        rank = parameters.given(_RANK, "rank") if _RANK in parameters.named else ZERO
        return Communicator(parameters.given(_SIZE, "p"), rank, is_all=True)
    if handle in SELF:
        return Communicator(ONE, ZERO)
    known = _made_before(parameters, str(handle))
    if known is None or known.within not in (None, view.function.name):
        return None
    return known


def _made_before(parameters: ProgramParameters, handle: str) -> Communicator | None:
    """A communicator that the program makes; None where an analysis names its parameters otherwise
    than the one that has found it."""
    known = parameters.communicators.get(handle)
    if known is None:
        return None
    is_same = all(parameters.introduce(origin, n) == sym(n) for origin, n in sorted(known.names))
    return known if is_same else None


def of_all(
    parameters: ProgramParameters, view: FunctionContext, call: Instruction, at: int
) -> frozenset[Expr] | None:
    """What must be >= 0 for a call to be given a communicator of all processes, with their ranks;
    None where it may be given another."""
    found = communicator(parameters, view, call, at)
    return found.needs if found is not None and found.is_all else None


def left(
    parameters: ProgramParameters,
    view: FunctionContext,
    block: str,
    call: Instruction,
    place: MemoryLocation,
) -> Value | None:
    """What a call that makes a communicator, or asks one, leaves at a place."""
    known = library_row(view, call)
    if known is None or _RANK not in parameters.named:
        return None
    leave = _LEAVES.get(known.name)
    if leave is None:
        return None
    asked = _Call(parameters, view, block, call, place)
    found = leave(asked)
    return None if found is None else Value(found.expr, found.preconditions | asked.needed)


def all_come_to(
    view: FunctionContext, block: str, parameters: ProgramParameters, depth: int = DEEPEST
) -> bool:
    """Do all processes come to one place, in a function that all call there? Where a branch on the
    rank leads to it, the others may make their call at another place, with other numbers."""
    function, program = view.function, view.program
    condition, needs = view.paths.below(function.entry.name, block)
    rank = parameters.names.get("mpi:rank", "")
    if condition.is_undecided or view.is_data(condition):
        return False
    if any(rank in e.symbols for e in (condition.indicator(), *needs)):
        return False
    assume_one_command_line(parameters, view, condition.indicator(), *needs)
    if function.name == program.entry:
        return True
    sites = program.calls.callers.get(function.name, ())
    return (
        depth > 0
        and bool(sites)
        and function.name not in program.calls.pointed
        and all(
            s.certain and all_come_to(program.view(s.caller), s.block, parameters, depth - 1)
            for s in sites
        )
    )


def assume_one_command_line(
    parameters: ProgramParameters, view: FunctionContext, *formulas: Expr
) -> None:
    """Note what it rests on that formulas are the same for all processes."""
    same = {parameters.names.get(_RANK), parameters.names.get(_SIZE)}
    asked = set(parameters.names.values()) - same
    if any(not asked.isdisjoint(e.symbols) for e in formulas):
        view.program.assume(ONE_COMMAND_LINE, view.function.name)


def same_handle(parameters: ProgramParameters, left: Expr, right: Expr) -> Cond | None:
    """Where two handles are equal, one of which is that of a communicator that the program makes;
    None where none is."""
    if not parameters.communicators:
        return None
    if not any(s.startswith(_MADE) for e in (left, right) for s in e.symbols):
        return None
    for made, other in ((left, right), (right, left)):
        known = _made_before(parameters, str(handle_of(made)))
        if known is not None and handle_of(other) in (*WORLD, *SELF):
            return FALSE
        if known is not None and handle_of(other) in NULL:
            is_known = known.within is None or not known.absent.formulas()
            return known.absent if is_known else UNDECIDED
    return UNDECIDED


# -- calls that make communicators
def _duplicate(c: _Call) -> Value | None:
    found = c.communicator()
    if found is None or c.index(1) != 0:
        return None
    return _made(c, replace(found, absent=FALSE))


def _grid(c: _Call) -> Value | None:
    found, number = c.communicator(), c.number(1)
    if found is None or number is None or not 0 < number <= _MOST_AXES or c.index(5) != 0:
        return None
    extents, periods = c.elements(2, number), c.elements(3, number)
    if extents is None:
        return None
    axes = tuple(
        Axis(e, None if periods is None or (flag := periods[k].constant) is None else flag != 0)
        for k, e in enumerate(extents)
    )
    needs, product, absent = found.needs, ONE, FALSE
    for e in extents:
        product = product * e
    if c.parameters.products.get(product, product) != found.size:
        absent = UNDECIDED if needs else literal("ge", found.rank - product)
        needs |= {found.size - product, product - found.size}
    if c.argument(4) != ZERO:
        c.view.program.assume("MPI_Cart_create leaves the ranks as they are", c.view.function.name)
    return _made(c, replace(found, axes=axes, needs=needs, absent=absent))


def _part_of_grid(c: _Call) -> Value | None:
    """MPI_Cart_sub: the processes that differ along some axes only."""
    found = c.communicator()
    remain = None if found is None else c.elements(1, len(found.axes))
    if found is None or not found.axes or remain is None or c.index(2) != 0:
        return None
    if any(flag.constant is None for flag in remain):
        return None
    kept = [k for k, flag in enumerate(remain) if flag != ZERO]
    part = Communicator(ONE, ZERO, tuple(found.axes[k] for k in kept))
    size, rank = ONE, ZERO
    for at, k in enumerate(kept):
        size = size * found.axes[k].extent
        rank = rank + found.coordinate(found.rank, k) * part.stride(at)
    return _made(c, replace(part, size=size, rank=rank, needs=found.needs, within=found.within))


def _split(c: _Call) -> Value | None:
    found, color, key = c.communicator(), c.argument(1), c.argument(2)
    if found is None or color is None or key is None or c.index(3) != 0:
        return None
    if not all_come_to(c.view, c.block, c.parameters) or c.unknown_in(color, key):
        return None  # others may be of another colour, or are where they call it
    rank = c.parameters.names[_RANK]
    part = _part_of_equal_color(found, color, key, rank)
    if part is None:
        return None
    assume_one_command_line(c.parameters, c.view, color, key)
    # MPI has no colors below 0 but MPI_UNDEFINED
    is_color = is_nonnegative(color, Assumptions([sym(rank), *part.needs]))
    absent = FALSE if is_color else literal("eq", color - _UNDEFINED)
    return _made(c, replace(part, absent=absent))


def _part_of_equal_color(
    whole: Communicator, color: Expr, key: Expr, rank: str
) -> Communicator | None:
    """The processes with one colour, where the key leaves them in their order: all, those of a
    block of neighbours, each length-th one, or those below or above one."""
    if not whole.is_all:
        return None
    varying = [a for e in (color, key) for a in e.atoms if rank in a.symbols]
    parts = list(dict.fromkeys(a for a in varying if not isinstance(a, Sym)))
    if len(parts) > 1:
        return None
    own, part, facts = sym(rank), parts[0] if parts else None, NO_ASSUMPTIONS
    whole = replace(whole, axes=())
    if isinstance(part, Floor | Trunc):
        if part.num != own or rank in part.den.symbols:
            return None
        whole = replace(whole, needs=whole.needs | {part.den - 1})
        facts = Assumptions([part.den - 1])
    by, key_by = _slopes(color, rank, part), _slopes(key, rank, part)
    if by is None or key_by is None:
        return None
    divided = _divided(whole, part, own, by, key_by)
    if divided is None:
        return None
    found, deciding, key_within = divided
    differs = _is_not_zero(deciding)
    if differs is None or (differs != ZERO and not is_nonnegative(key_within, facts)):
        return None
    if differs == ONE:
        return found
    if not all(is_nonnegative(e, facts) for e in key_by) or not _grows(part, own):
        return None
    return replace(
        whole if differs == ZERO else found,
        size=choose(differs, found.size, whole.size),
        rank=choose(differs, found.rank, whole.rank),
    )


def _divided(
    whole: Communicator, part: Atom | None, own: Expr, by: _Slopes, key_by: _Slopes
) -> tuple[Communicator, Expr, Expr] | None:
    """(those of one colour, the slope that must not be 0 for that, how the key grows among them)"""
    if by == (ZERO, ZERO):
        return whole, ZERO, ZERO
    if isinstance(part, Step):
        beyond = _beyond(whole, part, own)
        return None if beyond is None or by[0] != ZERO else (beyond, by[1], key_by[0])
    if not isinstance(part, Floor | Trunc):
        return None
    length, number = part.den, from_atom(part)
    within = own - length * number
    if by[0] == ZERO:
        size = minimum(length, whole.size - length * number)
        return Communicator(size, within, needs=whole.needs), by[1], key_by[0]
    if by[0] * length + by[1] != ZERO:
        return None
    size = floor_div(whole.size - 1 - within, length) + 1
    key_within = key_by[0] * length + key_by[1]
    return Communicator(size, number, needs=whole.needs), by[0], key_within


def _grows(part: Atom | None, own: Expr) -> bool:
    """Does a part of a formula never become less with the rank?"""
    if isinstance(part, Step):
        return part.arg.substitute({next(iter(own.symbols)): own + 1}) - part.arg == ONE
    return part is None or isinstance(part, Floor | Trunc)


def _is_not_zero(e: Expr) -> Expr | None:
    """1 where a whole number is not 0, else 0; None for other numbers."""
    if not is_integer(e):
        return None
    if is_nonnegative(e - 1) or is_nonnegative(-e - 1):
        return ONE
    is_flag = is_nonnegative(e) and is_nonnegative(1 - e)
    return e if is_flag else literal("ne", e).indicator()


def _slopes(e: Expr, rank: str, part: Atom | None) -> _Slopes | None:
    """By how much a formula grows with the rank, and with a part of it that the rank decides; None
    where that is not the same everywhere."""
    held = "%mpi.part"
    flat = e.map_atoms(lambda a: sym(held) if a == part else from_atom(a))
    by_rank, by_part = (flat.substitute({s: sym(s) + 1}) - flat for s in (rank, held))
    varies = not {rank, held}.isdisjoint(by_rank.symbols | by_part.symbols)
    return None if varies else (by_rank, by_part)


def _beyond(whole: Communicator, part: Step, own: Expr) -> Communicator | None:
    """The processes on one side of a rank."""
    by = part.arg.substitute({next(iter(own.symbols)): own + 1}) - part.arg
    if by not in (ONE, -ONE):
        return None
    is_above = from_atom(part) if by == ONE else 1 - from_atom(part)
    first = own - part.arg if by == ONE else part.arg + own + 1
    below = minimum(maximum(first, ZERO), whole.size)
    size = choose(is_above, whole.size - below, below)
    return Communicator(size, own - is_above * below, needs=whole.needs)


def _made(c: _Call, found: Communicator) -> Value | None:
    """The handle of a communicator, which is known from then on."""
    if c.needed and found.absent.formulas():
        found = replace(found, absent=UNDECIDED)
    found = replace(found, needs=found.needs | c.needed)
    c.needed.clear()  # they are for who asks the communicator, not for who has its handle
    extents = (a.extent for a in found.axes)
    formulas = (found.size, found.rank, *extents, *found.needs, *found.absent.formulas())
    if c.unknown_in(*formulas):
        return None
    function = c.view.function
    assume_one_command_line(c.parameters, c.view, *formulas)
    used = {s for e in formulas for s in e.symbols}
    handle = f"{_MADE}{c.view.program.entry}.{function.name}.{function.offset_of(c.call)}"
    known = replace(
        found,
        within=None if used.isdisjoint(c.parameters.chosen) else function.name,
        names=frozenset((origin, n) for origin, n in c.parameters.names.items() if n in used),
    )
    if c.parameters.communicators.setdefault(handle, known) != known:
        return None  # the call makes another one elsewhere
    return Value(sym(handle))


# -- calls that ask communicators
def _extents(c: _Call) -> Value | None:
    """MPI_Dims_create: what is given stays; one extent that is not follows, more are chosen."""
    size, number, at = c.argument(0), c.number(1), c.index(2)
    if size is None or number is None or at is None or not at < number <= _MOST_AXES:
        return None
    given = c.elements(2, number)
    if given is None:
        return None
    fixed, needs = ONE, frozenset(e - 1 for e in given if e.constant is None)
    for e in given:
        fixed = fixed * (ONE if e == ZERO else e)
    if given[at] != ZERO:
        return Value(given[at], needs)
    free = [k for k, e in enumerate(given) if e == ZERO]
    if len(free) == 1:
        return Value(floor_div(size, fixed), needs)
    if needs:
        return None
    view = c.view
    if c.block in view.forest.innermost or not view.program.runs_once(view.function.name):
        return None
    product = fixed
    for k in free:
        product = product * _chosen(c, k)
    if fixed == ONE:
        if c.parameters.products.setdefault(product, size) != size:
            return None
    return Value(_chosen(c, at))


def _chosen(c: _Call, at: int) -> Expr:
    """The extent that MPI_Dims_create gives an axis."""
    view = c.view
    symbol = symbols.unknown(view.function.name, "extent", view.function.offset_of(c.call), at)
    c.parameters.chosen.add(symbol)
    return view.program.unknowns.add(
        UnknownInfo(
            symbol,
            "value",
            f"dims_{at}",
            f"extent {at} of the grid that MPI_Dims_create chooses",
            view.place(c.call),
            view.function.name,
            c.block,
        )
    )


def _where(c: _Call) -> Value | None:
    """MPI_Cart_coords."""
    found, rank, axis = c.communicator(), c.argument(1), c.index(3)
    if found is None or rank is None or axis is None or axis >= len(found.axes):
        return None
    return Value(found.coordinate(rank, axis), found.needs)


def _described(c: _Call) -> Value | None:
    """MPI_Cart_get: extents, periods and the coordinates of the process that asks."""
    found = c.communicator()
    for at in (2, 3, 4) if found is not None else ():
        axis = c.index(at)
        if found is None or axis is None or axis >= len(found.axes):
            continue
        extent, is_periodic = found.axes[axis]
        if at == 3:  # logical values differ from compiler to compiler where they are true
            return Value(ZERO, found.needs) if is_periodic is False else None
        return Value(extent if at == 2 else found.coordinate(found.rank, axis), found.needs)
    return None


def _neighbour(c: _Call) -> Value | None:
    """MPI_Cart_shift: the ranks from which a process receives, and to which it sends."""
    found, axis, distance = c.communicator(), c.number(1), c.argument(2)
    is_source, is_target = c.index(3) == 0, c.index(4) == 0
    if found is None or axis is None or distance is None or not is_source | is_target:
        return None
    if not 0 <= axis < len(found.axes) or found.axes[axis].is_periodic is None:
        return None
    extent, is_periodic = found.axes[axis]
    own = found.coordinate(found.rank, axis)
    there = own - distance if is_source else own + distance
    if is_periodic:
        beside = _remainder(there, extent)
        return Value(found.rank + (beside - own) * found.stride(axis), found.needs)
    nobody = expr(_NOBODY[c.place.kind == _INT and isinstance(_world(c), int)])
    is_there = step(there) * step(extent - 1 - there)
    beyond = found.rank + (there - own) * found.stride(axis)
    return Value(choose(is_there, beyond, nobody), found.needs)


def _world(c: _Call) -> int | str:
    """The handle of MPI_COMM_WORLD in the library that the program is of."""
    is_address = any(g.startswith("ompi_") for g in c.view.program.module.globals)
    return WORLD[1] if is_address else WORLD[0]


def _placed(c: _Call) -> Value | None:
    """MPI_Cart_rank."""
    found = c.communicator()
    at = None if found is None else c.elements(1, len(found.axes))
    if found is None or not found.axes or at is None or c.index(2) != 0:
        return None
    rank = ZERO
    for k, e in enumerate(at):
        if found.axes[k].is_periodic is None:
            return None
        inside = _remainder(e, found.axes[k].extent) if found.axes[k].is_periodic else e
        rank = rank + inside * found.stride(k)
    return Value(rank, found.needs)


def _size(c: _Call) -> Value | None:
    found = c.communicator()
    return None if found is None or c.index(1) != 0 else Value(found.size, found.needs)


def _rank(c: _Call) -> Value | None:
    found = c.communicator()
    return None if found is None or c.index(1) != 0 else Value(found.rank, found.needs)


def _remainder(e: Expr, length: Expr) -> Expr:
    """What is left of a number, from 0 to length - 1."""
    return e - length * floor_div(e, length)


_LEAVES: dict[str, Callable[[_Call], Value | None]] = {
    "MPI_Comm_dup": _duplicate,
    "MPI_Comm_split": _split,
    "MPI_Comm_size": _size,
    "MPI_Comm_rank": _rank,
    "MPI_Cart_create": _grid,
    "MPI_Cart_sub": _part_of_grid,
    "MPI_Dims_create": _extents,
    "MPI_Cart_coords": _where,
    "MPI_Cart_get": _described,
    "MPI_Cart_rank": _placed,
    "MPI_Cart_shift": _neighbour,
}
