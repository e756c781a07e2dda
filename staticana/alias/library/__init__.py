"""What is known of library functions: one row a function, or a family that behaves alike.

Everything that asks what a function outside the program does, asks `library_function`, or where
it may be an intrinsic of LLVM, `declared_function`: the alias analysis (what it reads, writes,
keeps and returns), the reader of command lines (what turns text into a number), the operation
counts (what MPI calls move) and the instrumentation (what may not come back). To teach looplaw a
function, add a row to the module of its library.

A function without a row is taken to write only what its arguments point to, to keep pointers to it,
to call back what it is handed, and perhaps never to return; that it writes nothing else is stated
as an assumption of each count that needs it (`analyze --strict` does without).
"""

from .library_function import (
    ALL,
    NOTHING_SENT,
    Buffer,
    Control,
    Handler,
    LibraryFunction,
    Message,
    Parses,
)
from .table import (
    ELSEWHERE,
    EXITS,
    LIBRARY,
    TRAPS,
    declared_function,
    is_replaceable,
    library_function,
    may_call_back,
    source_name,
)

__all__ = [
    "ALL",
    "ELSEWHERE",
    "EXITS",
    "LIBRARY",
    "NOTHING_SENT",
    "TRAPS",
    "Buffer",
    "Control",
    "Handler",
    "LibraryFunction",
    "Message",
    "Parses",
    "declared_function",
    "is_replaceable",
    "library_function",
    "may_call_back",
    "source_name",
]
