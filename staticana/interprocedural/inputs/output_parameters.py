"""Parameters that a library call writes to a variable: the number of MPI processes, the rank, a
number in a word of the command line."""

from __future__ import annotations

from ...alias.library import library_function
from ...alias.library.mpi_handles import SELF, WORLD
from ...expr import ONE, ZERO, Expr
from ...ir.graph import callee
from ...ir.types import GlobalRef, Instruction, Module, int_bits
from ...scev.arithmetic.fits import INT, readers
from ...scev.context import FunctionContext, ProgramContext
from ...scev.values import Answer, Value
from . import fortran_arguments as fortran
from .collectives import handle_argument
from .command_line import CommandLine
from .program_parameters import ProgramParameters
from .words_read import word_read

_INT = "i32"
STARTS_OF_MPI = ("MPI_Init", "MPI_Init_thread", "mpi_init_", "mpi_init_thread_")
"""The functions by which a program shows that it is run as processes of MPI."""


def starts_processes(module: Module) -> bool:
    """Is it a program of MPI?"""
    return any(name in module.functions for name in STARTS_OF_MPI)


def out_parameter(
    program: ProgramContext, parameters: ProgramParameters, view: FunctionContext, load: Instruction
) -> Value | None:
    """A named global, or a variable of Fortran."""
    found = fortran.loaded(program, view, load)
    if found is not None:
        return found
    token = load.operands[0]
    if isinstance(token, GlobalRef) and (origin := f"global:{token.name}") in parameters.named:
        parameter = parameters.introduce(origin, parameters.named[origin])
        bits = int_bits(load.type)
        if bits is None:
            return Value(parameter)
        return Value(parameters.is_read(parameter, bits, readers(view, load.token)))
    return None


def answer(
    command_line: CommandLine,
    parameters: ProgramParameters,
    view: FunctionContext,
    call: Instruction,
) -> Answer | None:
    """What a call writes, where that is a parameter of the program: the size of MPI's world, the
    rank in it, or a number in a word of the command line.

    Of another communicator nothing is known, not even that it is smaller. MPI_COMM_SELF has one
    process.
    """
    read = word_read(view, call)
    if read is not None:
        number = command_line.number_read(view, read)
        return None if number is None else Answer(read.address, read.type, number)
    of_fortran = fortran.answer(view.program, view, call)
    if of_fortran is not None:
        return of_fortran
    known = library_function(callee(call) or "")
    name = known.name if known is not None else ""
    if callee(call) in view.program.defined:
        return None  # a stand-in for MPI that the program has of its own
    if name not in ("MPI_Comm_size", "MPI_Comm_rank") or len(call.operands) < 3:
        return None
    target, communicator = call.operands[2], handle_argument(view, call, 0)
    if communicator in SELF:
        return Answer(target, _INT, ONE if name == "MPI_Comm_size" else ZERO)
    if communicator not in WORLD:
        return None
    if name == "MPI_Comm_size":
        return Answer(target, _INT, _int(parameters, "mpi:size", "p"))
    if "mpi:rank" in parameters.named:
        rank = _int(parameters, "mpi:rank", parameters.named["mpi:rank"])
        return Answer(target, _INT, rank)
    return None


def _int(parameters: ProgramParameters, origin: str, name: str) -> Expr:
    """A parameter that is an int."""
    return parameters.has_width(parameters.given(origin, name), INT)
