"""Which stores a load may see, as far as fingerprints need it.

A variable of the file whose address nobody takes is seen through its name alone; a store to it
matters for no other load. All other memory is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from staticana.alias.library import library_function
from staticana.alias.underlying_objects import UnderlyingObjects
from staticana.ir.data_layout import Layout
from staticana.ir.graph import callee
from staticana.ir.linkage import is_own
from staticana.ir.types import Function, GlobalRef, Instruction, Module

ANYWHERE = "*"
"""Memory that is not a variable of its own."""
_GLOBAL = re.compile(r"@(\"[^\"]*\"|[\w.$-]+)")
_DERIVES = ("getelementptr", "bitcast", "addrspacecast")
_NOTHING = ("llvm.dbg", "llvm.lifetime", "llvm.assume", "llvm.donothing")


class Stores:
    """The variables of a module, and what its functions write."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._known: dict[str, frozenset[str]] = {}

    def read(self, f: Function, i: Instruction) -> str:
        """The memory that a load reads: the name of a variable, or `ANYWHERE`."""
        return self._memory(f, i.operands[0])

    def written(self, f: Function, i: Instruction) -> frozenset[str]:
        """What an instruction may write; a call: what the function called may."""
        called = self._called(i)
        if called is None:
            return self._directly(f, i)
        if called.name not in self._known:
            todo, seen = [called], {called.name}
            while todo:
                for inner in self._written_in[todo.pop().name][1]:
                    if inner.name not in seen:
                        seen.add(inner.name)
                        todo.append(inner)
            sets = (self._written_in[name][0] for name in seen)
            self._known[called.name] = frozenset[str]().union(*sets)
        return self._known[called.name]

    def elsewhere(self, f: Function, load: Instruction, call: Instruction) -> str | None:
        """What a call of a function without a body is handed, where these are other objects than
        the one a load reads: which ones matters, not where in them. None for other calls."""
        name = callee(call)
        called = self._module.functions.get(name or "")
        if load.opcode != "load" or called is None or not called.is_declaration:
            return None
        read = self._objects.underlying_object(f, load.operands[0])[0]
        handed = [
            self._objects.underlying_object(f, o)[0]
            for o, kind in zip(call.operands[1:], call.extra, strict=False)
            if kind == "ptr"
        ]
        places = {p.token: f"arg{k}" for k, p in enumerate(f.parameters)}
        if read is None or isinstance(read, GlobalRef) or read.register not in places:
            return None
        found = [
            None
            if base is None or base == read
            else base
            if isinstance(base, GlobalRef)
            else places.get(base.register)
            for base in handed
        ]
        if not found or None in found:
            return None
        return f"{name} {' '.join(map(str, found))}"

    @cached_property
    def _objects(self) -> UnderlyingObjects:
        return UnderlyingObjects(self._module, Layout(self._module))

    @cached_property
    def _written_in(self) -> dict[str, tuple[frozenset[str], tuple[Function, ...]]]:
        """Function -> what its own instructions write, and the functions it calls."""
        found = {}
        for f in self._module.functions.values():
            written, callees = set[str](), dict[str, Function]()
            for i in _instructions(f):
                called = self._called(i)
                if called is not None:
                    callees[called.name] = called
                else:
                    written |= self._directly(f, i)
            found[f.name] = (frozenset(written), tuple(callees.values()))
        return found

    def _called(self, i: Instruction) -> Function | None:
        """The function of the module that an instruction calls."""
        name = i.operands[0].removeprefix("@").strip('"') if i.is_call else None
        called = self._module.functions.get(name or "")
        return None if called is None or called.is_declaration else called

    def _directly(self, f: Function, i: Instruction) -> frozenset[str]:
        if i.opcode == "store":
            return frozenset((self._memory(f, i.operands[1]),))
        if i.is_call:
            name = i.operands[0].removeprefix("@")
            known = library_function(name)
            quiet = name.startswith(_NOTHING) or (known is not None and known.only_reads)
            return frozenset() if quiet else frozenset((ANYWHERE,))
        return frozenset((ANYWHERE,)) if i.opcode in ("atomicrmw", "cmpxchg") else frozenset()

    def _memory(self, f: Function, address: str) -> str:
        name = _root(f, address)
        return name if name is not None and name in self._own else ANYWHERE

    @cached_property
    def _own(self) -> frozenset[str]:
        """Variables of the file that are only loaded and stored by name."""
        own = {n for n, g in self._module.globals.items() if is_own(g.attributes)}
        for g in self._module.globals.values():
            own -= {n.strip('"') for n in _GLOBAL.findall(g.initializer)}
        for f in self._module.functions.values():
            for i in _instructions(f):
                harmless = {"load": 0, "store": 1, "getelementptr": 0}.get(i.opcode)
                for k, o in enumerate((*i.operands, *i.extra)):
                    if k != harmless and (name := _root(f, o)) is not None:
                        own.discard(name)
        return frozenset(own)


def _root(f: Function, address: str) -> str | None:
    """The variable that an address is derived from; None where no single one is."""
    seen = 0
    while address.startswith("%") and seen < 64:
        d = f.definitions.get(address)
        if d is None or d.opcode not in _DERIVES:
            return None
        address, seen = d.operands[0], seen + 1
    names = _GLOBAL.findall(address)
    return names[0].strip('"') if len(names) == 1 else None


def _instructions(f: Function) -> Iterator[Instruction]:
    for block in f.blocks.values():
        yield from block.instructions
