"""MPI's predefined handles: numbers in MPICH, addresses of variables with fixed names in Open MPI.

A handle is a number, or the name of the global that it points to.
"""

from __future__ import annotations

import re

from ...expr import Expr
from ...ir.types import Operand

Handle = int | str | None
"""None where it is not known."""

WORLD = (0x44000000, "@ompi_mpi_comm_world")
"""MPI_COMM_WORLD."""
SELF = (0x44000001, "@ompi_mpi_comm_self")
"""MPI_COMM_SELF."""
NULL = (0x04000000, "@ompi_mpi_comm_null")
"""MPI_COMM_NULL."""
_OPEN_MPI_SIZES = {
    f"@ompi_mpi_{name}": size
    for size, names in {
        1: (
            "char signed_char unsigned_char byte packed int8_t uint8_t c_bool cxx_bool character"
            " logical1 integer1"
        ),
        2: "short unsigned_short int16_t uint16_t integer2",
        4: "int unsigned float wchar int32_t uint32_t integer integer4 real real4 logical",
        6: "short_int",
        12: "double_int long_int",
        8: (
            "long unsigned_long long_long_int unsigned_long_long double int64_t uint64_t integer8"
            " real8 dblprec aint offset count 2int float_int c_complex c_float_complex cplex"
        ),
        16: "long_double c_double_complex dblcplex 2dblprec",
        32: "c_long_double_complex",
    }.items()
    for name in names.split()
}
_MPICH_PAIRS = {0x8C000000: 8, 0x8C000001: 12, 0x8C000002: 12, 0x8C000003: 6}
"""MPI_FLOAT_INT, MPI_DOUBLE_INT, MPI_LONG_INT, MPI_SHORT_INT."""
_OPERATIONS: dict[Handle, str] = {
    0x58000001: "max",
    0x58000002: "min",
    0x58000003: "sum",
    **{f"@ompi_mpi_op_{name}": name for name in ("max", "min", "sum")},
}


def handle_of(e: Expr) -> Handle:
    """The handle that a formula is."""
    number = e.constant
    if isinstance(number, int):
        return number & 0xFFFFFFFF
    if number is not None or e.atom is None:
        return None
    return str(e.atom.key)


def element_size(handle: Handle) -> int | None:
    """Bytes of one element of a basic datatype, which MPICH writes into its number."""
    if isinstance(handle, int):
        return handle >> 8 & 0xFF if handle >> 24 == 0x4C else _MPICH_PAIRS.get(handle)
    return None if handle is None else _OPEN_MPI_SIZES.get(handle)


def operation_of(handle: Handle) -> str | None:
    """max, min or sum, where a reduction has this operation."""
    return _OPERATIONS.get(handle)


def is_in_place(token: Operand) -> bool:
    """MPI_IN_PLACE is the address -1 in MPICH and 1 in Open MPI."""
    return re.search(r"\binttoptr \(i\d+ (?:-1|1) to \w+\*?\)$", token) is not None
