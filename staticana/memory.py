"""What a load yields: an argument string, a global that is set once, or one symbol for one value.

A value reloaded from an address that nothing in the loop may write is invariant there; the same address read in a
function that never writes it is one value. Two accesses are taken apart when they go to distinct objects (globals,
local variables, fresh allocations) or, by C's aliasing rules, are of different types.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from .conditions import FALSE
from .expr import Expr, choose, expr
from .ir import Function, Instruction
from .opaque import OpaqueInfo
from .parser import global_names

if TYPE_CHECKING:
    from .function import FunctionView
    from .program import Program

ALLOCATORS = frozenset("malloc calloc realloc aligned_alloc memalign _Znwm _Znam _ZnwmSt11align_val_t "
                       "_ZnamSt11align_val_t".split())
_MAX_DEPTH = 24


@dataclass(frozen=True)
class Write:
    """A store: the root of its address (None where unknown) and the type stored ("" for any)."""

    root: str | None
    kind: str


class Memory:
    """Loads and stores of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._writes: dict[str, frozenset[Write]] = {}
        self._globals: dict[str, Expr | None] = {}

    # -- roots -------------------------------------------------------------------------------------------------
    def root(self, function: Function, token: str) -> str | None:
        """The object an address points into: a global, an alloca, an allocation, an argument; None when unknown."""
        for _ in range(_MAX_DEPTH):
            if token.startswith("@"):
                return token
            i = function.definitions.get(token)
            if i is None:
                return f"{function.name}:{token}" if token.startswith("%") else None
            if i.opcode in ("getelementptr", "bitcast", "freeze", "addrspacecast"):
                token = i.operands[0]
                continue
            if i.opcode == "alloca" or (i.opcode in ("call", "invoke") and i.operands[0][1:] in ALLOCATORS):
                return f"{function.name}:{token}"
            return None
        return None

    def _is_object(self, function: Function, root: str | None) -> bool:
        """A root that is an object of its own, not just a pointer to one."""
        if root is None:
            return False
        if root.startswith("@"):
            return True
        owner, _, token = root.partition(":")
        f = self.program.module.functions.get(owner)
        return f is not None and token in f.definitions

    @cached_property
    def private_globals(self) -> frozenset[str]:
        """Globals used only as the address of loads and stores: no pointer to them exists."""
        escaped: set[str] = set()
        for f in self.program.module.functions.values():
            for b in f.blocks.values():
                for i in b.instructions:
                    for at, token in enumerate(i.operands):
                        if token[:1] != "@":
                            escaped.update("@" + name for name in global_names(token))
                            continue
                        if i.opcode == "load" or (i.opcode == "store" and at == 1) \
                                or (i.opcode in ("call", "invoke") and at == 0):
                            continue
                        escaped.add(token)
        for g in self.program.module.globals.values():
            escaped.update("@" + name for name in global_names(g.initializer))
        return frozenset("@" + g for g in self.program.module.globals) - escaped

    def may_alias(self, function: Function, root: str | None, kind: str, write: Write) -> bool:
        """May the write change what a load of `kind` from `root` (in `function`) yields?"""
        if root is not None and root == write.root:
            return True
        if root in self.private_globals or write.root in self.private_globals:
            return False
        if self._is_object(function, root) and write.root is not None and self._is_object(function, write.root):
            return False
        local = root is not None and not root.startswith("@") and self._is_object(function, root)
        if local and write.root is not None and not self._escapes(function, root.partition(":")[2] if root else ""):
            return False
        return not kind or not write.kind or kind == write.kind or write.kind == "i8"

    def _escapes(self, function: Function, token: str) -> bool:
        for b in function.blocks.values():
            for i in b.instructions:
                if token in i.operands and not (i.opcode == "load" or (i.opcode == "store" and i.operands[1] == token
                                                and i.operands[0] != token) or i.opcode == "getelementptr"):
                    return True
        return False

    # -- who writes --------------------------------------------------------------------------------------------
    def writes(self, name: str) -> frozenset[Write]:
        """What a function may write, callees included."""
        if name in self._writes:
            return self._writes[name]
        self._writes[name] = frozenset()
        function = self.program.module.functions.get(name)
        found: set[Write] = set()
        if function is not None:
            for b in function.blocks.values():
                found |= self._block_writes(function, b.instructions)
        # seen from outside, an argument or a local is some object
        self._writes[name] = frozenset(Write(w.root if w.root and w.root.startswith("@") else None, w.kind)
                                       for w in found
                                       if not (w.root and ":" in w.root and self._is_private_local(w.root)))
        return self._writes[name]

    def _is_private_local(self, root: str) -> bool:
        owner, _, token = root.partition(":")
        f = self.program.module.functions.get(owner)
        i = f.definitions.get(token) if f else None
        return i is not None and i.opcode == "alloca" and f is not None and not self._escapes(f, token)

    def _block_writes(self, function: Function, instructions: tuple[Instruction, ...]) -> set[Write]:
        found: set[Write] = set()
        for i in instructions:
            if i.opcode == "store":
                found.add(Write(self.root(function, i.operands[1]), i.type))
            elif i.opcode in ("atomicrmw", "cmpxchg"):
                found.add(Write(self.root(function, i.operands[0]) if i.operands else None, ""))
            elif i.opcode in ("call", "invoke"):
                callee = i.operands[0].lstrip("@").strip('"')
                if callee.startswith(("llvm.memcpy", "llvm.memmove", "llvm.memset")) \
                        or callee in ("memcpy", "memmove", "memset"):
                    found.add(Write(self.root(function, i.operands[1]), ""))
                elif callee in self.program.module.functions and not callee.startswith("llvm."):
                    found |= self.writes(callee)
                elif i.operands[0].startswith("%"):
                    found.add(Write(None, ""))
                if callee not in self.program.module.functions or \
                        self.program.module.functions[callee].is_declaration:
                    if not callee.startswith("llvm."):
                        # a library function may fill the objects it is handed (scanf, fread, MPI_Recv)
                        found |= {Write(r, "") for t, k in zip(i.operands[1:], i.extra, strict=False)
                                  if k == "ptr" and (r := self.root(function, t)) is not None}
        return found

    def written_in(self, view: FunctionView, blocks: frozenset[str] | None, root: str | None, kind: str) -> bool:
        """May the memory be written in these blocks (None: anywhere in the function)?"""
        function = view.function
        for b in function.blocks.values():
            if blocks is None or b.name in blocks:
                for write in self._block_writes(function, b.instructions):
                    if self.may_alias(function, root, kind, write):
                        return True
        return False

    # -- loads -------------------------------------------------------------------------------------------------
    def load(self, view: FunctionView, i: Instruction) -> Expr:
        """The value of a load as a formula."""
        program = self.program
        address = view.scalars.value(i.operands[0]).expr
        string = program.argv_string(address)
        if string is not None:
            return string
        atom = address.atom
        if atom is not None and atom.key in self.private_globals:
            value = self.global_value(atom.key)
            if value is not None:
                return value
        out = program.out_parameter(view, i) or program.kept_argument(view, i)
        if out is not None:
            return out
        if i.type != "ptr" and i.type[:1] != "i":
            return view.scalars.opaque(i)
        block = view.function.block_of[i.token]
        root = self.root(view.function, i.operands[0])
        where, hoisted = block, view.forest.innermost.get(block)
        while hoisted is not None and not view.varying(address, hoisted) \
                and not self.written_in(view, view.loops[hoisted].blocks, root, i.type):
            where = view.loops[hoisted].preheader or view.function.entry.name
            hoisted = view.loops[hoisted].parent
        key = None
        if hoisted is None and not self.written_in(view, None, root, i.type):
            key = f"%{view.function.name}.load.{address}.{i.type}"
            if root is not None and root.startswith("@"):
                key = f"%load.{address}.{i.type}"
            where = view.function.entry.name
        name = self._name(view, i)
        meaning = f"value loaded from {name}" if name else "value loaded from memory"
        return program.opaques.add(OpaqueInfo(
            key or f"%{view.function.name}.{i.name}", "value", view.variable_name(i.token) or _leaf(name) or "v",
            meaning, view.place(i), view.function.name, where))

    def _name(self, view: FunctionView, i: Instruction) -> str:
        """The source expression of an address as far as names tell: `table`, `csr->n`, `row[]`."""
        token, text = i.operands[0], ""
        for _ in range(_MAX_DEPTH):
            if token.startswith("@"):
                return token[1:] + text
            known = view.variable_name(token)
            if known:
                return known + text
            d = view.function.definitions.get(token)
            if d is None:
                names = dict(zip((p.token for p in view.function.parameters), view.parameter_names, strict=True))
                return names.get(token, "") + text
            if d.opcode == "getelementptr":
                text = (f"->{d.name}" if self.program.layout.is_struct(d.type) else "[]") + text
                token = d.operands[0]
            elif d.opcode in ("load", "freeze", "bitcast"):
                token = d.operands[0]
            else:
                return (d.name or "") + text
        return text

    # -- globals that are set once -----------------------------------------------------------------------------
    def global_value(self, name: str) -> Expr | None:
        """The value of a global that no pointer reaches: its initialiser, or what one store in the entry sets."""
        if name in self._globals:
            return self._globals[name]
        self._globals[name] = None
        program = self.program
        g = program.module.globals[name[1:]]
        if not any(word in g.attributes for word in ("internal", "private", "dso_local", "local_unnamed_addr")) \
                and not g.initializer:
            return None
        start = expr(int(g.initializer)) if g.initializer.lstrip("-").isdigit() \
            else expr(0) if g.initializer == "zeroinitializer" else None
        stores = [(f, b.name, i) for f in program.module.functions.values() for b in f.blocks.values()
                  for i in b.instructions if i.opcode == "store" and i.operands[1] == name]
        if not stores:
            self._globals[name] = start
        elif len(stores) == 1 and stores[0][0].name == program.entry:
            self._globals[name] = self._stored(stores[0], start)
        return self._globals[name]

    def _stored(self, store: tuple[Function, str, Instruction], start: Expr | None) -> Expr | None:
        function, block, i = store
        view = self.program.view(function.name)
        value = view.scalars.value(i.operands[0]).expr
        if block in view.forest.innermost or any(s[0] in "%@" for s in value.symbols):
            return None
        condition, _ = view.paths.below(function.entry.name, block)
        if condition.is_opaque or view.is_data(condition) or condition == FALSE:
            return None
        if start is None and condition.kind != "true":
            return None
        return choose(condition.indicator(), value, start if start is not None else value)


def _leaf(name: str) -> str:
    """`csr->n` -> `n`."""
    return name.rsplit("->", 1)[-1].replace("[]", "").strip('"') if name else ""
