"""The bytes that addresses stand for: an object and an offset in it."""

from __future__ import annotations

from dataclasses import replace

from ...alias.memory_location import Pointer
from ...expr import Expr, expr, floor_div, sym, symbols
from ...expr.predicates import literal
from ...interprocedural.program import Program
from ...ir import cxx_names as cxx
from ...ir.graph import callee
from ...ir.matchers import is_alloca, is_any, is_load, is_return
from ...ir.types import GlobalRef, Instruction, Operand, Register
from ...scev.context import FunctionContext
from ..frames import Frame
from ..loops_around import loops_around
from ..refusal import Refused
from .nodes import Place
from .objects import Objects, parameter_at
from .unknowns import Unknowns, is_strange

_MAX_TURNS = 4
"""Arrays that a time loop may swap in turn."""
_BEGINNING = 16
"""Where local variables and allocations begin in a line: they are aligned to 16 bytes, and glibc's
large blocks begin behind a header of so many."""


class Places:
    """Where the accesses of a program go. names: key of an object -> its name in the source; bytes:
    -> its size, where known; notes: what places rest on, in words."""

    def __init__(self, program: Program, objects: Objects, unknowns: Unknowns) -> None:
        self.program, self.objects, self.unknowns = program, objects, unknowns
        self.names: dict[str, str] = {}
        self.bytes: dict[str, Expr] = {}
        self.notes: set[str] = set()

    def of(self, frame: Frame, block: str, token: Operand, size: int, at: str) -> Place:
        """The place of an access.

        Raises:
            Refused: it is no formula of iteration numbers and parameters in a known object.
            TooComplex: it is too long a formula.
        """
        found = self._address(frame, block, token, at)
        offset = self.unknowns.settled(frame, found.offset)
        row = found.row
        if row is not None:
            row = self.unknowns.settled(frame, row)
            if is_strange(row):
                raise Refused(f"the array of pointers at {at} is read at places from data")
        spread = None
        if is_strange(offset):
            key = found.objects[0]
            extent, name = self.bytes.get(key), self.names.get(key, "")
            around = _all_around(frame, block)
            offset, spread = self.unknowns.chosen(frame, offset, size, extent, name, around)
        return replace(found, offset=offset, row=row, spread=spread)

    def _address(self, frame: Frame, block: str, token: Operand, at: str) -> Place:
        view = frame.view
        base, _ = self.program.memory.aliasing.underlying_object(view.function, token)
        e = view.scalars.value(token).expr
        loops = loops_around(view, block)
        if base is None:
            return self._in_turn(frame, block, token, at)
        if isinstance(base, GlobalRef):
            key = str(base)
            self._note(key, base.name, self.objects.global_bytes(base))
            return Place((key,), frame.in_terms(e - view.scalars.value(base).expr, loops))
        assert isinstance(base, Pointer)
        start = view.scalars.value(base.register).expr
        offset = frame.in_terms(e - start, loops)
        number = parameter_at(view.function, base.register)
        if number is not None and frame.caller is not None and frame.call is not None:
            given = frame.call.operands[number + 1]
            return _moved(self._address(frame.caller, frame.block, given, at), offset)
        pointer = frame.in_terms(start, loops)
        if any(map(symbols.is_iteration, pointer.symbols)) or any(
            view.varying(start, h) for h in loops
        ):
            return _moved(self._in_row(frame, base.register, at), offset)
        key = str(pointer)
        name = view.variable_name(base.register) or (
            str(base.register) if number is None else view.parameter_names[number]
        )
        made = view.function.definitions.get(base.register)
        if made is None:
            self._note(key, name, None)
            return Place((key,), offset)
        self._note(key, name, self.objects.made_bytes(frame, made))
        if is_alloca(made) or callee(made) in cxx.NEW_UNALIGNED:
            offset = offset + _BEGINNING
        return Place((key,), offset)

    def _note(self, key: str, name: str, size: Expr | None) -> None:
        """Keep what is known of an object."""
        self.names.setdefault(key, name)
        if size is not None:
            self.bytes.setdefault(key, size)

    def _in_turn(self, frame: Frame, block: str, token: Operand, at: str) -> Place:
        """An address in one of several objects that take turns from iteration to iteration, as the
        old and the new grid do."""
        view = frame.view
        pointer = token
        made = view.function.definitions.get(pointer) if isinstance(pointer, str) else None
        while is_any(made, "getelementptr", "bitcast", "freeze"):
            pointer = made.operands[0]
            made = view.function.definitions.get(pointer) if isinstance(pointer, str) else None
        for header in loops_around(view, block):
            cycle = _cycle(view, header)
            if made is None or pointer not in cycle:
                continue
            e, own = view.scalars.value(token).expr, view.scalars.value(made.token).expr
            shift = frame.in_terms(e - own, loops_around(view, block))
            outside = view.loops[header].parent or header
            turns: list[Place] = []
            for _ in cycle:
                first, following = cycle[pointer]
                turns.append(self._address(frame, outside, first, at))
                pointer = following
            return _moved(_taking_turns(turns, view.variables.index(header), at), shift)
        raise Refused(f"the object accessed at {at} is not known")

    def _in_row(self, frame: Frame, register: Register, at: str) -> Place:
        """An object that an array of pointers points to; those of one array are taken to have one
        size and to lie one behind the other."""
        view = frame.view
        made = view.function.definitions.get(register)
        if made is not None and made.is_call:
            return self._returned(frame, made, at)
        if not is_load(made):
            raise Refused(f"the object accessed at {at} changes in the loop")
        table = self._address(frame, view.function.block_of[register], made.operands[0], at)
        if table.row is not None or table.turn is not None:
            raise Refused(f"the object accessed at {at} is reached through several pointers")
        (key,) = table.objects
        self.notes.add(f"the rows of {self.names.get(key, 'an array')} have one size")
        found = f"[{key}]"
        self.names.setdefault(found, f"*{self.names.get(key, '')}")
        return Place((found,), expr(0), table.offset.over(8))

    def _returned(self, frame: Frame, call: Instruction, at: str) -> Place:
        """An address that a function of the program returns, as operator[] does."""
        view = frame.view
        block = view.function.block_of[call.token]
        target = self.program.target(view.function.name, call)
        blocks = () if target is None else target.blocks.values()
        ends = [b for b in blocks if is_return(b.terminator)]
        if target is None or frame.encloses(target.name) or len(ends) != 1:
            raise Refused(f"the object accessed at {at} changes in the loop")
        loops = loops_around(view, block)
        given = self.program.arguments(view, block, call, target)
        values = {s: frame.in_terms(e, loops) for s, e in given.items()}
        inner = Frame(self.program.view(target.name), frame, call, block, values)
        return self._address(inner, ends[0].name, ends[0].terminator.operands[0], at)


def _moved(place: Place, offset: Expr) -> Place:
    return replace(place, offset=place.offset + offset)


def _taking_turns(turns: list[Place], index: str, at: str) -> Place:
    """The place that is the first one in the first iteration, then the second one, and so on."""
    if any(p.row is not None or p.turn is not None for p in turns):
        raise Refused(f"the object accessed at {at} is reached through several pointers")
    number = sym(index) - floor_div(sym(index), len(turns)) * len(turns)
    offset = turns[0].offset
    for k, place in enumerate(turns):
        if place.offset != turns[0].offset:
            here = literal("eq", number - k).indicator()
            offset = offset + here * (place.offset - turns[0].offset)
    return Place(tuple(p.objects[0] for p in turns), offset, turn=index)


def _cycle(view: FunctionContext, header: str) -> dict[Operand, tuple[Operand, Operand]]:
    """The pointers of a loop that take each other's place in each iteration: each with its value on
    entry and the one whose place it takes next; empty where there are none, or too many."""
    loop = view.loops[header]
    found: dict[Operand, tuple[Operand, Operand]] = {}
    for phi in view.function.blocks[header].phis:
        if phi.type != "ptr" or len(phi.operands) != 2:
            continue
        inside = [label in loop.blocks for label in phi.labels]
        if inside == [False, True]:
            found[phi.token] = (phi.operands[0], phi.operands[1])
        elif inside == [True, False]:
            found[phi.token] = (phi.operands[1], phi.operands[0])
    while any(after not in found for _, after in found.values()):
        found = {p: (first, after) for p, (first, after) in found.items() if after in found}
    is_one_cycle = len({after for _, after in found.values()}) == len(found) <= _MAX_TURNS
    return found if len(found) > 1 and is_one_cycle else {}


def _all_around(frame: Frame, block: str) -> list[str]:
    """Iteration numbers of all loops around, in callers too."""
    own = [frame.view.variables.index(h) for h in loops_around(frame.view, block)]
    return own if frame.caller is None else [*own, *_all_around(frame.caller, frame.block)]
