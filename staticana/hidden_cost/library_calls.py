"""What calls of the library cost that is not constant: `strlen(t): t_len per call`."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..count import Count
from ..expr import TooComplex
from ..expr.budget import Budget, OverBudget
from ..interprocedural.library_cost import library_steps
from ..interprocedural.program import Program
from ..ir.graph import callee
from ..ir.system_files import is_system_file
from ..ir.types import Instruction, IntLiteral
from ..naming import Naming
from ..scev.context import FunctionContext
from ..scev.source_names import value_name
from .objects import plain


@dataclass(frozen=True)
class LibraryCall:
    """A call of a library function whose work depends on what it is handed; `steps` are the bytes
    or elements that one call passes."""

    at: str
    function: str
    call: str
    steps: Count

    def __str__(self) -> str:
        return f"{self.call}: {self.steps.formula} per call"

    def to_json(self) -> dict[str, object]:
        return {
            "at": self.at,
            "function": self.function,
            "call": self.call,
            "steps": self.steps.to_json(),
        }


def library_calls(program: Program, naming: Naming) -> tuple[LibraryCall, ...]:
    """The calls in the program's own files whose cost has a formula that is not constant."""
    found: dict[tuple[str, str], LibraryCall] = {}
    for name, function in program.defined.items():
        file = program.module.file_of(function.dbg)
        if function.dbg is None or file is None or is_system_file(file):
            continue
        view = program.view(name)
        for block in function.blocks.values():
            for i in block.instructions:
                if i.is_call and block.name in view.reachable:
                    one = _call(program, naming, view, block.name, i)
                    if one is not None:
                        found.setdefault((one.at, one.call), one)
    return tuple(found.values())


def _call(
    program: Program, naming: Naming, view: FunctionContext, block: str, i: Instruction
) -> LibraryCall | None:
    name = callee(i)
    if name is None or i.dbg is None:
        return None
    try:
        with Budget(program.seconds):
            steps = library_steps(view, block, i)
            if steps is None or steps.formula is None or not steps.formula.symbols:
                return None
            # it counts only where it is called, hence what a whole run needs is left out
            count = naming.count(replace(steps, notes=frozenset()))
    except (TooComplex, OverBudget):
        return None
    if count.formula is None:
        return None
    short = name.split(".")[1] if name.startswith("llvm.") else plain(name)
    handed = [value_name(view, o) for o in i.operands[1:] if not isinstance(o, IntLiteral)]
    # names of the library's own variables say nothing
    arguments = ", ".join("..." if h is None or h.startswith("_") else h for h in handed)
    function = program.module.metadata_field(view.function.dbg, "name") or view.function.name
    return LibraryCall(view.own_place(i), function, f"{short}({arguments})", count)
