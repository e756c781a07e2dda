"""Which words of the command line a program reads at places that are known: the highest argv[k].

The program is walked through once, call by call, as it runs, each loop once. How far into argv a
pointer leads adds up over `argv + 1`, over `++argv` in variables that functions are handed the
address of, and over what they return. Where it may be one of several words it is the highest; what
is not followed is left out, so that more may be read than is said here.
"""

from __future__ import annotations

from ...alias.memory_location import Pointer, UnderlyingObject
from ...ir.graph import callee, in_order
from ...ir.matchers import is_any, is_gep, is_load, is_return, is_store
from ...ir.types import Function, GlobalRef, Instruction, IntLiteral, Operand
from ...scev.context import ProgramContext

_ARGV = 1
"""Where main takes argv."""
_MOST_CALLS = 500
"""Calls that are followed."""
_SAME = ("phi", "select", "bitcast", "freeze")
_Place = tuple[UnderlyingObject, int]
"""An object, and how many bytes behind its beginning."""


class WordsReached:
    """The words that the calls from main on read.

    highest: argv[highest] is read; at: to which word the pointers in registers lead at most.
    """

    def __init__(self, program: ProgramContext) -> None:
        self.program = program
        self.highest = 0
        self.at: dict[tuple[str, Operand], int] = {}
        self._aliasing = program.memory.aliasing
        self._pointer = program.layout.size("ptr") or 8
        self._held: dict[_Place, int] = {}
        self._places: dict[tuple[str, Operand], _Place] = {}
        self._running: list[str] = []
        self._calls = 0
        main = program.module.functions[program.entry]
        for argv in main.parameters[_ARGV : _ARGV + 1]:
            self.at[main.name, argv.token] = 0
        self._run(main)

    def _run(self, function: Function) -> int | None:
        """To which word leads what a call of a function returns?"""
        returned: int | None = None
        self._running.append(function.name)
        for block in in_order(function):
            for i in function.blocks[block].instructions:
                if is_return(i) and i.operands:
                    returned = self._highest(returned, self._at(function, i.operands[0]))
                else:
                    self._step(function, i)
        self._running.pop()
        return returned

    def _step(self, function: Function, i: Instruction) -> None:
        if is_load(i):
            self._load(function, i)
        elif is_store(i):
            at, place = self._at(function, i.operands[0]), self._place(function, i.operands[1])
            if at is not None and place is not None:
                self._held[place] = max(at, self._held.get(place, at))
        elif i.is_call:
            self._set(function, i, self._call(function, i))
        elif is_gep(i):
            self._set(function, i, self._moved(function, i))
        elif is_any(i, *_SAME):
            for o in i.operands:
                self._set(function, i, self._at(function, o))

    def _load(self, function: Function, i: Instruction) -> None:
        at = self._at(function, i.operands[0])
        if at is not None:
            self.highest = max(self.highest, at)
            return
        place = self._place(function, i.operands[0]) if self._held else None
        self._set(function, i, self._held.get(place) if place is not None else None)

    def _moved(self, function: Function, gep: Instruction) -> int | None:
        at = self._at(function, gep.operands[0])
        if at is None or len(gep.operands) != 2 or not isinstance(gep.operands[1], IntLiteral):
            return None
        scale = self.program.layout.size(gep.type) or self._pointer
        return at + gep.operands[1].value * scale // self._pointer

    def _at(self, function: Function, token: Operand) -> int | None:
        return self.at.get((function.name, token))

    def _set(self, function: Function, i: Instruction, at: int | None) -> None:
        if at is not None:
            self.at[function.name, i.token] = at

    @staticmethod
    def _highest(one: int | None, other: int | None) -> int | None:
        return max((at for at in (one, other) if at is not None), default=None)

    # -- calls
    def _call(self, function: Function, call: Instruction) -> int | None:
        """A call of functions of the program that are handed argv, or where it is held."""
        if callee(call) not in self.program.defined and callee(call) is not None:
            return None
        returned: int | None = None
        for site in self.program.calls.sites_in.get(function.name, ()):
            if site.instruction is call and self._hand(function, call, site.callee):
                returned = self._highest(returned, self._run(self.program.defined[site.callee]))
        return returned

    def _hand(self, caller: Function, call: Instruction, name: str) -> bool:
        """Hand the arguments of a call to a function; is it worth walking through?"""
        if name in self._running or self._calls > _MOST_CALLS:
            return False
        is_concerned = self._names_what_holds(self.program.defined[name])
        for p, o in zip(self.program.defined[name].parameters, call.operands[1:], strict=False):
            self.at.pop((name, p.token), None)
            self._places.pop((name, p.token), None)
            at = self._at(caller, o)
            place = self._place(caller, o) if at is None and p.type == "ptr" else None
            if at is not None:
                self.at[name, p.token] = at
            elif place is not None:
                self._places[name, p.token] = place
            is_held = place is not None and any(place[0] == base for base, _ in self._held)
            is_concerned |= at is not None or is_held
        self._calls += is_concerned
        return is_concerned

    def _names_what_holds(self, function: Function) -> bool:
        """Does a function read or write a global that holds a pointer into argv?"""
        bases = {base for base, _ in self._held if isinstance(base, GlobalRef)}
        return bool(bases) and any(
            self._aliasing.underlying_object(function, i.operands[is_store(i)])[0] in bases
            for b in function.blocks.values()
            for i in b.instructions
            if is_load(i) or is_store(i)
        )

    def _place(self, function: Function, address: Operand) -> _Place | None:
        """The place that an address is, as the caller knows it that has made it."""
        base, offset = self._aliasing.underlying_object(function, address)
        if base is None or offset is None:
            return None
        if not isinstance(base, Pointer):
            return base, offset
        handed = self._places.get((base.function, base.register))
        if handed is not None:
            return handed[0], handed[1] + offset
        made = self.program.defined[base.function].definitions.get(base.register)
        called = self.program.defined.get(callee(made) or "") if made is not None else None
        new = self._aliasing.made(called) if called is not None else None
        return (base if new is None else Pointer(*new), offset)
