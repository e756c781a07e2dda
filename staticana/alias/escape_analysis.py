"""Escape analysis: which pointers may be known elsewhere than in registers derived from them.

A pointer escapes where it is stored, returned to an unknown caller, or handed to a function that
keeps it. Memory whose address does not escape is written only by accesses that are traced back to
it. Source: Choi et al., "Escape analysis for Java", OOPSLA 1999 (the connection graph, here over
registers and arguments only).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from ..ir.found_by_name import found_by_name
from ..ir.graph import address_taken, callee, calls_in, instructions
from ..ir.linkage import is_own
from ..ir.matchers import is_any, is_choice, is_gep, is_load, is_return, is_store
from ..ir.tokens import constant_address, global_names
from ..ir.types import Function, GlobalRef, Instruction, Module, Operand, Register, quoted
from .library import ALL, LibraryFunction, declared_function
from .memory_location import Pointer, UnderlyingObject
from .scan_formats import TELLING, Formats
from .underlying_objects import CASTS, UnderlyingObjects
from .whole_programs import is_whole

UNNAMED = "unnamed_elsewhere"
"""An attribute of ours for variables that only functions of their module name, whatever calls these
and so sets them."""
_PASS_ON = ("getelementptr", "phi", "select", *CASTS)


class WaysOut(NamedTuple):
    """How a pointer may leave the registers of a function: `kept` where it can be found again,
    `returned` to the caller."""

    kept: bool
    returned: bool


_ALL_WAYS = WaysOut(True, True)
_NO_WAY = WaysOut(False, False)


_Key = tuple[str, Register]


class EscapeAnalysis:
    """Answers for the pointers of one module. `exported`: functions that are called from outside of
    it, too."""

    def __init__(
        self, module: Module, objects: UnderlyingObjects, exported: frozenset[str] = frozenset()
    ) -> None:
        self._module = module
        self._exported = exported
        self._objects = objects
        self._formats = Formats(module)
        self._ways: dict[_Key, WaysOut] = {}
        self._pending: dict[_Key, int] = {}  # what is being found: how deep
        self._asked: set[_Key] = set()  # of that, what was asked for again
        self._rests_on: dict[_Key, int] = {}  # the least depth of what an answer supposes
        self._unreachable: dict[UnderlyingObject, bool] = {}
        self._handed: dict[UnderlyingObject, bool] = {}
        self._made: dict[str, tuple[str, Register] | None] = {}
        self._only_read: dict[tuple[str, Register], bool] = {}

    def escapes(self, function: Function, pointer: Register) -> bool:
        """May the pointer be known elsewhere than in registers and arguments derived from it?"""
        ways = self.ways_out(function, pointer)
        return ways.kept or (ways.returned and self._result_escapes(function))

    # -- objects
    def is_object(self, base: UnderlyingObject | None) -> bool:
        """Is it an object of its own, not just a pointer to one?"""
        return self._objects.is_object(base) or self._is_made(base)

    def _is_made(self, base: UnderlyingObject | None) -> bool:
        """Is it new memory that a function of the program has returned?"""
        i = self._objects.definition(base) if base is not None else None
        target = self._module.functions.get(callee(i) or "") if i is not None else None
        return target is not None and self.made(target) is not None

    def made(self, function: Function) -> tuple[str, Register] | None:
        """The new memory that a function returns, to which it leaves no other pointer: the block
        that settles so, and the register that holds it. Where it returns a null pointer, too, there
        is nothing to access."""
        if function.name not in self._made:
            self._made[function.name] = None  # a function that returns its own result
            self._made[function.name] = self._find_made(function)
        return self._made[function.name]

    def _find_made(self, function: Function) -> tuple[str, Register] | None:
        if function.is_declaration or function.type != "ptr":
            return None
        ends = [(b, v) for b, v in function.returned if v != "null"]
        if len(ends) != 1:
            return None
        block, value = ends[0]
        base, offset = self._objects.underlying_object(function, value)
        if not isinstance(base, Pointer) or offset != 0:
            return None
        i = self._objects.definition(base)
        if i is None or not (self._objects.is_allocation(i) or self._is_made(base)):
            return None
        kept = self.ways_out(function, base.register).kept
        return None if kept else (block, base.register)

    def unreachable(self, base: UnderlyingObject) -> bool:
        """Is it an object to which no pointer exists but those that are traced back to it?"""
        if base not in self._unreachable:
            self._unreachable[base] = (
                base in self.private_globals
                if isinstance(base, GlobalRef)
                else self.is_object(base)
                and not self.escapes(self._module.functions[base.function], base.register)
            )
        return self._unreachable[base]

    def only_handed(self, base: UnderlyingObject) -> bool:
        """Is it an argument that every call passes an object in, to which no pointer exists but
        those that are traced back to it?"""
        if base not in self._handed:
            self._handed[base] = self._is_only_handed(base)
        return self._handed[base]

    def _is_only_handed(self, base: UnderlyingObject) -> bool:
        seen, work = {base}, [base]
        while work:
            found = self._handed_in(work.pop())
            if found is None:
                return False
            for b in found - seen:
                seen.add(b)
                if not self.unreachable(b):
                    work.append(b)  # an argument of the caller's own, or not known
        return True

    def _handed_in(self, base: UnderlyingObject) -> set[UnderlyingObject] | None:
        """What the calls of its function pass in an argument; None where that is not known."""
        function = None if isinstance(base, GlobalRef) else self._module.functions[base.function]
        if function is None or function.name in self.address_taken | self._exported:
            return None
        tokens = [p.token for p in function.parameters]
        if (
            isinstance(base, GlobalRef)
            or base.register not in tokens
            or function.name not in self.call_sites
        ):
            return None
        at, found = tokens.index(base.register) + 1, set[UnderlyingObject]()
        for caller, i in self.call_sites[function.name]:
            handed = i.operands[at] if at < len(i.operands) else None
            for b in (None,) if handed is None else self._objects.sources(caller, handed):
                if b is None:
                    return None
                found.add(b)
        return found

    # -- pointers in registers
    def ways_out(self, function: Function, pointer: Register) -> WaysOut:
        """How a pointer may leave the registers of its function. A function that hands it to itself
        is first taken to let it go nowhere: the least ways that agree with all calls are the
        answer."""
        key = (function.name, pointer)
        if key not in self._ways:
            self._find(key, function, pointer)
        elif key in self._pending:
            self._asked.add(key)
            self._suppose(self._pending[key])
        elif key in self._rests_on:
            self._suppose(self._rests_on[key])
        return self._ways[key]

    def _find(self, key: _Key, function: Function, pointer: Register) -> None:
        depth = self._pending[key] = len(self._pending)
        self._ways[key] = _NO_WAY
        found = self._find_ways_out(function, pointer)
        del self._pending[key]
        lowest, is_asked = self._rests_on.pop(key, depth), key in self._asked
        self._asked.discard(key)
        if is_asked and found != _NO_WAY:
            # what rests on it is found anew where it is asked for
            for other in [k for k in self._rests_on if k not in self._pending]:
                del self._rests_on[other], self._ways[other]
            self._only_read.clear()
            found, lowest = _ALL_WAYS, depth
        elif is_asked:
            for other in [k for k, d in self._rests_on.items() if d == depth]:
                if lowest < depth:
                    self._rests_on[other] = lowest
                else:
                    del self._rests_on[other]
        self._ways[key] = found
        if lowest < depth:
            self._rests_on[key] = lowest
            self._suppose(lowest)

    def _suppose(self, depth: int) -> None:
        """Note that what is being found rests on what a function further out is taken to do."""
        if self._pending:
            above = next(reversed(self._pending))
            self._rests_on[above] = min(depth, self._rests_on.get(above, depth))

    def _find_ways_out(self, function: Function, pointer: Register) -> WaysOut:
        derived, returned = {pointer}, False
        work = [pointer]
        while work:
            current = work.pop()
            for i in function.users.get(current, ()):
                if is_any(i, "load", "icmp") or (is_store(i) and i.operands[0] != current):
                    continue
                if is_return(i):
                    returned = True
                    continue
                if i.is_call:
                    ways = self._call_keeps(i, current)
                    traced = self._objects.returned(i)
                    # a result that is not known to be this argument is not followed
                    if ways.kept or (
                        ways.returned
                        and (traced is None or i.operands[traced.argument + 1] != current)
                    ):
                        return _ALL_WAYS
                    if not ways.returned:
                        continue
                elif not is_any(i, *_PASS_ON) or not self._is_traced(function, i, pointer):
                    return _ALL_WAYS
                if i.token not in derived:
                    derived.add(i.token)
                    work.append(i.token)
        return WaysOut(False, returned)

    def _is_traced(self, function: Function, i: Instruction, pointer: Register) -> bool:
        """Is it known of a merged pointer that it points into what `pointer` points into? Accesses
        through one that may point to several objects are traced back to none of them, and touch
        none where they only read."""
        if not is_choice(i):
            return True
        find = self._objects.underlying_object
        found = find(function, i.token)[0]
        if found is not None and found == find(function, pointer)[0]:
            return True
        return self._is_only_read(function, i.token)

    def _is_only_read(self, function: Function, pointer: Register) -> bool:
        """Is nothing but read through a pointer and those computed from it, in called functions,
        too, and is it kept and returned nowhere: `grid *now, *next` that change places?"""
        key = (function.name, pointer)
        if key not in self._only_read:
            self._only_read[key] = self._find_only_read(function, pointer)
        return self._only_read[key]

    def _find_only_read(self, function: Function, pointer: Register) -> bool:
        seen: set[tuple[str, Register]] = set()
        work = [(function, pointer)]
        while work:
            f, current = work.pop()
            if (f.name, current) in seen:
                continue
            seen.add((f.name, current))
            for i in f.users.get(current, ()):
                if is_any(i, "load", "icmp"):
                    continue
                if i.is_call:
                    handed = self._parameters_handed(i, current)
                    if handed is None:
                        return False
                    work += handed
                elif is_any(i, *_PASS_ON):
                    work.append((f, i.token))
                else:
                    return False
        return True

    def _parameters_handed(
        self, call: Instruction, pointer: Register
    ) -> list[tuple[Function, Register]] | None:
        """The parameters that a call hands a pointer to, where its target is known; none for a
        function outside the program that neither writes through it nor keeps it. None for other
        calls."""
        handed = self._called_with(call, pointer)
        if handed is None:
            return None
        name, positions, target = handed
        if target is not None:
            if any(at >= len(target.parameters) for at in positions):
                return None
            return [(target, target.parameters[at].token) for at in positions]
        known = declared_function(self._module, name)
        if known is None or any(known.writes_through(at) for at in positions):
            return None
        return None if any(self._call_keeps(call, pointer)) else []

    def _called_with(
        self, call: Instruction, pointer: Operand
    ) -> tuple[str, list[int], Function | None] | None:
        """The name of a called function, at which places it is handed a pointer, and its body, if
        the module has it; None for a call through a pointer."""
        name = callee(call)
        if name is None or call.operands[0] == pointer:
            return None
        positions = [at for at, o in enumerate(call.operands[1:]) if o == pointer]
        target = self._module.functions.get(name)
        has_body = target is not None and not target.is_declaration
        return name, positions, target if has_body else None

    def _result_escapes(self, function: Function) -> bool:
        if (
            function.name in self.address_taken
            or function.name in self._exported
            or function.name not in self.call_sites
        ):
            return True
        return any(self.escapes(caller, i.token) for caller, i in self.call_sites[function.name])

    def _call_keeps(self, i: Instruction, pointer: Operand) -> WaysOut:
        """As `ways_out`, for a pointer that is handed to a called function."""
        found = self._called_with(i, pointer)
        if found is None:
            return _ALL_WAYS
        name, positions, target = found
        if target is not None:
            return self._arguments_kept(target, positions)
        known = declared_function(self._module, name)
        if known is None or any(known.keeps_argument(at) for at in positions):
            return _ALL_WAYS
        if self._is_told(i, positions, known):
            return _ALL_WAYS
        for at, handed in enumerate(i.operands[1:]):
            if known.may_call(at) and isinstance(handed, Register) and known.calls_back != ALL:
                return _ALL_WAYS  # a function that is chosen elsewhere may keep what it is handed
            if known.may_call(at) and isinstance(handed, GlobalRef):
                called = self._module.functions.get(handed.name)
                if called is not None and not called.is_declaration:
                    # pointers into what it was handed are the callback's arguments
                    if self._arguments_kept(called, range(len(called.parameters))).kept:
                        return _ALL_WAYS
        passed = self._objects.returned(i)
        return WaysOut(False, passed is not None and passed.argument in positions)

    def _is_told(self, call: Instruction, positions: Iterable[int], known: LibraryFunction) -> bool:
        """Is a pointer printed, so that who reads the text has it, too?"""
        if known.format is None or all(at <= known.format for at in positions):
            return False
        text = call.operands[1 + known.format : 2 + known.format]
        return self._formats.may_hold(text[0] if text else None, TELLING)

    def _arguments_kept(self, target: Function, positions: Iterable[int]) -> WaysOut:
        ways = [
            self.ways_out(target, target.parameters[at].token)
            if at < len(target.parameters)
            else _ALL_WAYS
            for at in positions
        ]
        return WaysOut(any(w.kept for w in ways), any(w.returned for w in ways))

    # -- the whole module
    @cached_property
    def call_sites(self) -> dict[str, list[tuple[Function, Instruction]]]:
        """Direct calls of each function, with the caller."""
        found: dict[str, list[tuple[Function, Instruction]]] = {}
        for f, i in calls_in(self._module):
            name = callee(i)
            if name is not None:
                found.setdefault(name, []).append((f, i))
        return found

    @cached_property
    def private_globals(self) -> frozenset[GlobalRef]:
        """Globals that are only accessed directly: no pointer to them is ever kept, or handed to
        functions of the program, and no code of it that is not here may name them."""
        escaped = set(found_by_name(self._module))
        if not is_whole(self._module):
            escaped.update(
                g.name
                for g in self._module.globals.values()
                if not is_own(g.attributes)
                and UNNAMED not in g.attributes
                and not g.attributes.endswith("constant")
            )
        for f in self._module.functions.values():
            for i in instructions(f):
                for at, o in enumerate(i.operands):
                    if not isinstance(o, Register) and not self._is_access(f, i, at):
                        escaped.update(global_names(o))
        for g in self._module.globals.values():
            escaped.update(global_names(g.initializer))
        return frozenset(
            GlobalRef(f"@{quoted(name)}") for name in self._module.globals if name not in escaped
        )

    def _is_access(self, function: Function, i: Instruction, at: int) -> bool:
        """Does a constant stand where memory is accessed or a function is called, so that no
        pointer to it comes out?"""
        o = i.operands[at]
        if is_load(i) or (is_store(i) and at == 1) or (i.is_call and at == 0):
            return isinstance(o, GlobalRef) or constant_address(o) is not None
        if is_choice(i) and isinstance(o, GlobalRef):
            # a pointer that walks along the global, traced back to it alone
            base = self._objects.underlying_object(function, i.token)[0]
            return base == o and not self.escapes(function, i.token)
        if i.is_call and (isinstance(o, GlobalRef) or constant_address(o) is not None):
            return self._is_left_alone(i, o)
        return (
            is_gep(i)
            and at == 0
            and isinstance(o, GlobalRef)
            and not self.escapes(function, i.token)
        )

    def _is_left_alone(self, call: Instruction, handed: Operand) -> bool:
        """Is a global handed to a function of the library that neither keeps nor returns its
        address, as scanf and READ?"""
        name = callee(call)
        target = self._module.functions.get(name or "")
        is_outside = target is not None and target.is_declaration
        return is_outside and not any(self._call_keeps(call, handed))

    @cached_property
    def address_taken(self) -> frozenset[str]:
        """Functions that may be called through a pointer."""
        return address_taken(self._module)
