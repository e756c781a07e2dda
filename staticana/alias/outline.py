"""What of a function other functions may rest on without looking at its values.

Whom it calls and with which pointers, which pointers it keeps and hands on, what it stores where
others may see it: that is what the analyses of a module ask of all functions at once (the call
graph, escaping pointers, globals that are only accessed directly, members that are only written by
their name). Arithmetic, comparisons, branches, reads of numbers and writes of numbers through its
own pointers are left out, so that the outline of a function stays when these change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..ir.content import Contents, digest
from ..ir.graph import callee, instructions
from ..ir.matchers import is_alloca, is_any, is_load, is_return, is_store
from ..ir.types import Function, GlobalRef, Instruction, Module, Operand, Register
from .alias_analysis import Aliasing
from .library import Control, library_function
from .memory_location import Pointer
from .underlying_objects import CASTS

_OF_NUMBERS = frozenset(
    "add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem fneg icmp"
    " fcmp trunc zext sext fptrunc fpext fptosi fptoui sitofp uitofp br switch".split()
)
_SCALAR = re.compile(r"i\d+|half|bfloat|float|double|fp128|x86_fp80")
_MARKS = ("llvm.lifetime.", "llvm.dbg.")
"""How the names of intrinsics begin that say where variables live."""


class Outlines:
    """The outlines of the functions of one module."""

    def __init__(self, module: Module, aliasing: Aliasing, contents: Contents) -> None:
        self._module = module
        self._aliasing = aliasing
        self._contents = contents

    def of(self, function: Function) -> str:
        """A digest of the outline of a function."""
        return digest(self._lines(function))

    def _lines(self, function: Function) -> Iterator[str]:
        header, _, _ = function.header.partition(" !dbg ")
        yield self._contents.written(header)
        yield self._module.file_of(function.dbg) or ""
        kept = self._kept(function)
        numbers: dict[Operand, str] = {
            p.token: f"%p{at}" for at, p in enumerate(function.parameters)
        }
        for at, i in enumerate(kept):
            if i.result is not None:
                numbers[i.result] = f"%{at}"
        is_plain = _SCALAR.fullmatch(function.type) is not None
        for i in kept:
            operands = [
                numbers.get(o, "%") if isinstance(o, Register) else str(o) for o in i.operands
            ]
            if is_return(i) and is_plain and "@" not in "".join(operands):
                operands = []
            known = library_function(callee(i) or "") if i.is_call else None
            is_place = known is not None and known.control is Control.TWICE
            yield "\t".join(
                (
                    *(i.opcode, i.type, " ".join(sorted(i.flags)), *operands, *i.extra),
                    self._contents.metadata(i.tbaa),
                    self._contents.metadata(i.dbg) if is_place else "",
                )
            )

    def _kept(self, function: Function) -> list[Instruction]:
        kept = [i for i in instructions(function) if not self._is_of_values(function, i)]
        while True:
            used = {o for i in kept for o in i.operands if isinstance(o, Register)}
            left = [i for i in kept if not self._is_unused(i, used)]
            if len(left) == len(kept):
                return kept
            kept = left

    def _is_of_values(self, function: Function, i: Instruction) -> bool:
        """Does it concern nothing but numbers of its own function?"""
        if is_any(i, *_OF_NUMBERS):
            return not _name_global(i.operands)
        if is_any(i, "phi", "select", "freeze"):
            return _SCALAR.fullmatch(i.type) is not None and not _name_global(i.operands)
        if is_load(i):
            return (
                _SCALAR.fullmatch(i.type) is not None and not i.flags and _is_plain(i.operands[0])
            )
        if is_store(i):
            base, _ = self._aliasing.underlying_object(function, i.operands[1])
            return (
                _SCALAR.fullmatch(i.type) is not None
                and not i.flags
                and isinstance(i.operands[1], Register)
                and isinstance(base, Pointer)
                and not _name_global(i.operands[:1])
            )
        return i.is_call and (callee(i) or "").startswith(_MARKS)

    @staticmethod
    def _is_unused(i: Instruction, used: set[Register]) -> bool:
        """Is it an address through which only numbers are read and written?"""
        return (
            i.result is not None
            and i.result not in used
            and (is_any(i, "alloca", "getelementptr") or is_any(i, *CASTS))
            and (is_alloca(i) or _is_plain(i.operands[0]))
            and not _name_global(i.operands[1:])
        )


def _is_plain(address: Operand) -> bool:
    return isinstance(address, (Register, GlobalRef))


def _name_global(operands: tuple[Operand, ...]) -> bool:
    return any("@" in o for o in operands if not isinstance(o, Register))
