"""Functions whose addresses code outside of the program may come to hold, and so may call.

That a function is never called is proved where its address stays inside: it is only stored where
nothing that is handed to code without a body can be followed to it. A constructor or a setter puts
it into an object, the object goes into a list, the list to `run_all`: the outside holds it.

What pointers may point to is found by inclusion (Andersen, "Program Analysis and Specialization for
the C Programming Language", 1994), over objects as a whole; all memory that the outside can reach
is one object, whose contents are what has escaped. Where that takes too long, every function whose
address is taken is held outside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from ..ir import cxx_names as cxx
from ..ir.found_by_name import found_by_name
from ..ir.graph import callee, instructions
from ..ir.linkage import is_own
from ..ir.matchers import is_alloca, is_any, is_gep, is_load, is_return, is_store
from ..ir.tokens import global_names
from ..ir.types import Function, Instruction, Module, Operand, Register
from .alias_analysis import Aliasing
from .escape_analysis import UNNAMED
from .library import library_function
from .whole_programs import MAIN, RESERVED, is_whole

_COPIES = ("llvm.memcpy", "llvm.memmove", "memcpy", "memmove", "__memcpy_chk", "__memmove_chk")
_NO_POINTER = frozenset(
    "void i1 i8 i16 i32 half bfloat float double x86_fp80 fp128 label metadata token".split()
)
_MOST_STEPS = 400_000
"""Steps of the propagation, some seconds of them; after more, every address that is taken counts as
handed out."""
_OUTSIDE = 0
"""The object that is all memory of others, and what they can reach; the bit of it, and its node."""

Called = Callable[[Function, Instruction], frozenset[str] | None]
"""The functions that a call may go to; None where they are not known."""


def handed_out(
    module: Module, aliasing: Aliasing, defined: Mapping[str, Function], called: Called, entry: str
) -> frozenset[str]:
    """The functions of a program that code outside may call, because it may hold their addresses.

    Args:
        defined: the functions of the program by name. called: follows calls through pointers.
        entry: the function whose run is looked at; its caller's memory is that of others.
    """
    taken = aliasing.address_taken & defined.keys()
    if not taken or not any(is_opaque(module, i) for f in defined.values() for i in f.calls):
        return frozenset()
    solver = _Solver(module, aliasing, defined, called)
    try:
        return solver.escaped(entry) & taken
    except _TooLong:
        return taken


def is_opaque(module: Module, call: Instruction) -> bool:
    """Does a call run code of which nothing is known, so that it may call what it can reach? Not
    that of the compiler, of the C++ library, or of a function that has a row."""
    name = callee(call)
    if name is None:
        return not isinstance(call.operands[0], Register)  # assembly
    target = module.functions.get(name)
    if target is not None and not target.is_declaration:
        return False
    if name.startswith(RESERVED) or cxx.OF_LIBRARY.match(name):
        return False
    return library_function(name) is None


class _TooLong(Exception):
    """The solution takes more steps than it may."""


@dataclass
class _Node:
    """A variable of the system: what points to. points: the objects, a bit for each; done: those of
    them that have been passed on; to: the nodes that hold as much. loads, stores, calls: what
    happens at the objects."""

    points: int = 0
    done: int = 0
    to: set[int] = field(default_factory=set)
    loads: list[int] = field(default_factory=list)
    stores: list[int] = field(default_factory=list)
    calls: dict[tuple[tuple[int, ...], int], None] = field(default_factory=dict)


class _Solver:
    """Inclusions of one module, and their least solution."""

    def __init__(
        self, module: Module, aliasing: Aliasing, defined: Mapping[str, Function], called: Called
    ) -> None:
        self._module, self._aliasing = module, aliasing
        self._defined, self._called = defined, called
        self._nodes = [_Node(points=1 << _OUTSIDE)]  # what others hold
        self._of_value: dict[tuple[str, str], int] = {}
        self._objects: list[tuple[str, str]] = [("", "outside")]
        self._number: dict[tuple[str, str], int] = {}
        self._contents: list[int] = [_OUTSIDE]
        self._work: list[int] = [_OUTSIDE]
        self._library = self._node()

    def escaped(self, entry: str) -> frozenset[str]:
        """The functions that others hold.

        Raises:
            _TooLong: it takes too many steps.
        """
        for f in self._defined.values():
            for i in instructions(f):
                self._instruct(f, i)
        self._globals(entry)
        self._solve()
        held = self._nodes[_OUTSIDE].points
        return frozenset(n for n in self._defined if held >> self._object("", n) & 1)

    # -- the system
    def _node(self) -> int:
        self._nodes.append(_Node())
        return len(self._nodes) - 1

    def _value(self, function: str, name: str) -> int:
        key = (function, name)
        if key not in self._of_value:
            self._of_value[key] = self._node()
        return self._of_value[key]

    def _object(self, function: str, name: str) -> int:
        """An object: a variable or function of the program, or memory that a function makes."""
        key = (function, name)
        if key not in self._number:
            self._number[key] = len(self._objects)
            self._objects.append(key)
            self._contents.append(self._node())
        return self._number[key]

    def _operand(self, f: Function, o: Operand) -> int:
        """The node of an operand."""
        if isinstance(o, Register):
            return self._value(f.name, o)
        names = global_names(o) if "@" in o else ()
        if not names:
            return self._value("", "")
        node = self._value("", o)
        for name in names:
            self._add(node, 1 << self._object("", name))
        return node

    def _add(self, node: int, objects: int) -> None:
        if objects & ~self._nodes[node].points:
            self._nodes[node].points |= objects
            self._work.append(node)

    def _flow(self, source: int, target: int) -> None:
        """All that one node points to, another one does."""
        if source != target and target not in self._nodes[source].to:
            self._nodes[source].to.add(target)
            self._add(target, self._passed_on(source))

    def _passed_on(self, source: int) -> int:
        """What a node passes on: of what others hold, one object stands for all."""
        return 1 << _OUTSIDE if source == _OUTSIDE else self._nodes[source].points

    def _at_objects(self, node: int) -> _Node:
        """A node at whose objects something more happens, which all of these get to see."""
        found = self._nodes[node]
        found.done = 0
        if found.points:
            self._work.append(node)
        return found

    def _call_objects(self, node: int, handed: tuple[int, ...], result: int) -> None:
        """What a node points to is called; said once, or a function of the library that is handed
        itself would be called for ever."""
        if (handed, result) not in self._nodes[node].calls:
            self._at_objects(node).calls[handed, result] = None

    def _instruct(self, f: Function, i: Instruction) -> None:
        if i.is_call:
            self._call(f, i)
        elif is_store(i):
            if i.type not in _NO_POINTER:
                source = self._operand(f, i.operands[0])
                self._at_objects(self._operand(f, i.operands[1])).stores.append(source)
        elif is_return(i):
            for o in i.operands:
                self._flow(self._operand(f, o), self._value(f.name, "ret"))
        elif is_alloca(i):
            self._add(self._value(f.name, i.token), 1 << self._object(f.name, i.token))
        elif i.result is None:
            return
        elif is_load(i):
            if i.type not in _NO_POINTER:
                target = self._value(f.name, i.token)
                self._at_objects(self._operand(f, i.operands[0])).loads.append(target)
        elif is_gep(i):
            self._flow(self._operand(f, i.operands[0]), self._value(f.name, i.token))
        elif is_any(i, "atomicrmw", "cmpxchg"):
            place = self._at_objects(self._operand(f, i.operands[0]))
            place.loads.append(self._value(f.name, i.token))
            place.stores += [self._operand(f, o) for o in i.operands[1:]]
        elif i.type not in _NO_POINTER:
            for o in i.operands:
                if isinstance(o, Register) or "@" in o:
                    self._flow(self._operand(f, o), self._value(f.name, i.token))

    # -- calls
    def _call(self, f: Function, i: Instruction) -> None:
        handed = tuple(self._operand(f, o) for o in i.operands[1:])
        result = self._value(f.name, i.token) if i.result is not None else self._node()
        name = callee(i)
        if name is None:
            targets = self._called(f, i) if isinstance(i.operands[0], Register) else None
            if targets is not None:
                for t in targets:
                    self._enter(t, handed, result)
            elif isinstance(i.operands[0], Register):
                self._call_objects(self._operand(f, i.operands[0]), handed, result)
            else:
                self._leave(handed, result)
            return
        target = self._defined.get(name)
        made = None if target is None else self._aliasing.made(target)
        if made is not None or self._aliasing.is_allocation(i):
            here = self._object(f.name, i.token)
            self._add(result, 1 << here)
            if made is not None:  # what its maker puts there
                there = self._object(name, made[1])
                self._flow(self._contents[there], self._contents[here])
        if target is not None:
            self._enter(name, handed, result)
        elif name.startswith(_COPIES):
            between = self._node()
            self._at_objects(handed[1]).loads.append(between)
            self._at_objects(handed[0]).stores.append(between)
            self._flow(handed[0], result)
        elif is_opaque(self._module, i):
            self._leave(handed, result)
        elif name.startswith("llvm."):
            for node in handed:
                self._flow(node, result)
        else:
            self._of_library(name, handed, result)

    def _enter(self, name: str, handed: tuple[int, ...], result: int) -> None:
        """A call of a function of the program, or of one outside that a pointer led to."""
        target = self._defined.get(name)
        if target is None:
            if library_function(name) is None and not name.startswith(RESERVED):
                self._leave(handed, result)
            else:
                self._of_library(name, handed, result)
            return
        for p, node in zip(target.parameters, handed, strict=False):
            self._flow(node, self._value(name, p.token))
        for node in handed[len(target.parameters) :]:
            self._flow(node, _OUTSIDE)  # lists of arguments are not followed
        if self._aliasing.made(target) is None:
            self._flow(self._value(name, "ret"), result)

    def _leave(self, handed: Iterable[int], result: int) -> None:
        """A call of code of which nothing is known."""
        for node in handed:
            self._flow(node, _OUTSIDE)
        self._flow(_OUTSIDE, result)

    def _of_library(self, name: str, handed: tuple[int, ...], result: int) -> None:
        """A call of the library or the compiler: what is handed in may come out again, of it or
        of another one; functions among it may be called with the rest of it."""
        known = library_function(name)
        for at, node in enumerate(handed):
            self._flow(node, result)
            if known is not None and known.keeps_argument(at):
                self._flow(node, self._library)
            if known is None or known.may_call(at):
                self._call_objects(node, handed, self._library)
        self._flow(self._library, result)

    # -- what is there from the start
    def _globals(self, entry: str) -> None:
        is_open = not is_whole(self._module)
        named = found_by_name(self._module)
        for g in self._module.globals.values():
            place = self._object("", g.name)
            for name in global_names(g.initializer):
                self._add(self._contents[place], 1 << self._object("", name))
            can_be_named = not is_own(g.attributes) and UNNAMED not in g.attributes
            is_shared = g.name in named or (is_open and can_be_named and not _is_table(g.name))
            if is_shared or (not g.initializer and not g.name.startswith(cxx.VIRTUAL_TABLE)):
                self._add(_OUTSIDE, 1 << place)
        started = {entry} - set(MAIN)
        for name in (started | self._aliasing.exported) & self._defined.keys():
            self._open(name)

    def _open(self, name: str) -> None:
        """A function that others call, with whatever they hold."""
        for p in self._defined[name].parameters:
            self._flow(_OUTSIDE, self._value(name, p.token))
        self._flow(self._value(name, "ret"), _OUTSIDE)

    # -- the solution
    def _solve(self) -> None:
        steps = 0
        while self._work:
            at = self._work.pop()
            node = self._nodes[at]
            new = node.points & ~node.done
            if not new:
                continue
            node.done = node.points
            steps += 1 + len(node.to) + new.bit_count()
            if steps > _MOST_STEPS:
                raise _TooLong
            if at == _OUTSIDE or node.loads or node.stores or node.calls:
                for number in _bits(new):
                    self._meet(at, node, number)
            passed = self._passed_on(at)
            for target in tuple(node.to):
                self._add(target, passed)

    def _meet(self, at: int, node: _Node, number: int) -> None:
        """What happens at one more object that a node points to."""
        contents = self._contents[number]
        for target in node.loads:
            self._flow(contents, target)
        for source in node.stores:
            self._flow(source, contents)
        function, name = self._objects[number]
        is_function = not function and name in self._module.functions
        for handed, result in tuple(node.calls):
            if is_function:
                self._enter(name, handed, result)
            elif number == _OUTSIDE:
                self._leave(handed, result)
        if at == _OUTSIDE and number != _OUTSIDE:
            self._contents[number] = _OUTSIDE
            self._flow(contents, _OUTSIDE)
            for target in tuple(self._nodes[contents].to):
                self._flow(_OUTSIDE, target)
            if is_function and name in self._defined:
                self._open(name)


def _is_table(name: str) -> bool:
    """Is it a virtual table, or what describes a type?"""
    return name.startswith(cxx.TABLES)


def _bits(number: int) -> Iterable[int]:
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low
