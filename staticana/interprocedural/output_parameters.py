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
    asks = [u for u in setters if u.opcode in ("call", "invoke")]
    first = [u for u in setters if u.opcode == "store"]
    if len(asks) != 1 or len(asks) + len(first) != len(setters):
        return None
    if first and not _overwritten(view, token, first, asks[0], load):
        return None
    if len(asks[0].operands) < 3 or asks[0].operands[1] not in _WORLD:
        return None
    known = library_function(callee(asks[0]) or "")
    name = known.name if known is not None else ""
    if name == "MPI_Comm_size":
        return parameters.given("mpi:size", "p")
    if name == "MPI_Comm_rank" and "mpi:rank" in parameters.named:
        return parameters.introduce("mpi:rank", parameters.named["mpi:rank"])
    return None


def _overwritten(
    view: FunctionContext,
    token: str,
    stores: list[Instruction],
    ask: Instruction,
    load: Instruction,
) -> bool:
    """Does the call always come between the stores, as `int size = 1;`, and the load?"""
    function, forest = view.function, view.forest
    blocks = {i.line: b.name for b in function.blocks.values() for i in b.instructions}
    asked = blocks[ask.line]

    after, open_ = set[str](), list(function.blocks[asked].successors)
    while open_:
        name = open_.pop()
        if name not in after:
            after.add(name)
            open_ += function.blocks[name].successors
    read = blocks[load.line]
    is_asked = ask.line < load.line if read == asked else forest.dominates(asked, read)
    return is_asked and all(
        store.operands[1] == token
        and blocks[store.line] not in after
        and (blocks[store.line] != asked or store.line < ask.line)
        for store in stores
    )
