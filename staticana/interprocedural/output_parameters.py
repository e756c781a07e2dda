"""Parameters that a library call writes to a variable: the number of MPI processes, the rank."""

from __future__ import annotations

from ..alias.library import library_function
from ..expr import Expr
from ..ir.graph import callee, is_intrinsic
from ..ir.types import GlobalRef, Instruction
from ..scev.context import FunctionContext, ProgramContext
from . import fortran_arguments as fortran
from .program_parameters import ProgramParameters

_WORLD = frozenset(("1140850688", "@ompi_mpi_comm_world"))  # MPI_COMM_WORLD of MPICH and Open MPI


def out_parameter(
    program: ProgramContext, parameters: ProgramParameters, view: FunctionContext, load: Instruction
) -> Expr | None:
    """A variable that only MPI_Comm_size (or the like) or a named global sets, or one of
    Fortran."""
    found = fortran.loaded(program, view, load)
    if found is not None:
        return found
    token = load.operands[0]
    if isinstance(token, GlobalRef) and (origin := f"global:{token.name}") in parameters.named:
        return parameters.introduce(origin, parameters.named[origin])
    i = view.function.definitions.get(token)
    if i is None or i.opcode != "alloca":
        return None
    setters = [
        u for u in view.function.users.get(token, ()) if u.opcode != "load" and not is_intrinsic(u)
    ]
    if len(setters) != 1 or setters[0].opcode not in ("call", "invoke"):
        return None
    if setters[0].operands[1] not in _WORLD:
        return None
    known = library_function(callee(setters[0]) or "")
    name = known.name if known is not None else ""
    if name == "MPI_Comm_size":
        return parameters.given("mpi:size", "p")
    if name == "MPI_Comm_rank" and "mpi:rank" in parameters.named:
        return parameters.introduce("mpi:rank", parameters.named["mpi:rank"])
    return None
