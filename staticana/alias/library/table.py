"""The whole table, and how a function is found in it."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from ...ir.types import Module
from .c_library import C
from .cxx_library import CXX
from .fortran import FORTRAN
from .gpu import GPU
from .intrinsics import INTRINSICS, OPENMP, UNLISTED, of_declaration
from .library_function import ALL, LibraryFunction
from .mpi import MPI
from .numba import NUMBA
from .posix import POSIX

LIBRARY: tuple[LibraryFunction, ...] = (
    *C,
    *POSIX,
    *CXX,
    *INTRINSICS,
    *GPU,
    *OPENMP,
    *MPI,
    *FORTRAN,
    *NUMBA,
)
"""All rows, each function once."""

TRAPS = frozenset(("llvm.trap", "llvm.ubsantrap"))
"""Intrinsic functions that end the program."""

EXITS = frozenset(("exit", "_exit", "_Exit", "quick_exit"))
"""Functions that end the program with the status in their argument."""

ELSEWHERE = ("longjmp", "setcontext", "swapcontext", "pthread_exit")
"""Parts of the names of functions that do not come back, while the program goes on elsewhere."""

_VERSION_OF_THE_STANDARD = re.compile(r"^__isoc\d+_")
_BY_NAME = {f.name: f for f in LIBRARY if not f.name.endswith("*")}
_FAMILIES = sorted((f for f in LIBRARY if f.name.endswith("*")), key=lambda f: -len(f.name))
_OF_FORTRAN = re.compile(r"p?(mpi_[a-z][a-z0-9_]*)_")
_MPI_OF_C = {f.name.lower(): f.name for f in MPI if not f.name.endswith("*")}
_REPLACEABLE = re.compile(
    r"_Z(?:n[wa][mj]|d[la]Pv[mj]?)(?:St11align_val_t)?(?:RKSt9nothrow_t)?"
    r"|(?:m|c|re|v|pv|aligned_)alloc|reallocarray|memalign|posix_memalign|c?free"
)


def is_replaceable(name: str) -> bool:
    """Is it a function that allocates or frees memory, of which a program may have its own? The
    library calls that, too, and compilers drop calls of which nothing else is used (C++17,
    expr.new/10; LLVM does so with malloc and free)."""
    return _REPLACEABLE.fullmatch(name) is not None


def source_name(name: str) -> str:
    """A function of the C library as sources call it: `fscanf` for `__isoc99_fscanf`, the name that
    glibc's headers give it where a version of the standard changed what it does."""
    return _VERSION_OF_THE_STANDARD.sub("", name)


@lru_cache(maxsize=65_536)
def library_function(name: str) -> LibraryFunction | None:
    """What is known of a function that the program does not define: its own row, else that of the
    family with the longest beginning in common; None where there is none.

    Found under their plain name are MPI's profiling names (PMPI_Send), those with large counts
    (MPI_Send_c), those of Fortran (mpi_send_), and what glibc's headers rename for a version of the
    standard.
    """
    found = _BY_NAME.get(name)
    if found is not None:
        return found
    if of_fortran := _OF_FORTRAN.fullmatch(name):
        plain = of_fortran[1]
        known = library_function(_MPI_OF_C.get(plain, plain.replace("mpi_", "MPI_", 1)))
        return None if known is None else _by_reference(known)
    plain = source_name(name)
    if name.startswith(("MPI_", "PMPI_")):
        plain = name.removeprefix("P").removesuffix("_c")
    if plain != name:
        return library_function(plain)
    return next((f for f in _FAMILIES if name.startswith(f.name[:-1])), None)


def _by_reference(known: LibraryFunction) -> LibraryFunction:
    """A function of MPI as Fortran calls it: each argument by reference, and one more, the last,
    for the error code."""
    if known.writes == ALL:
        return known
    if known.arguments is not None:
        writes = (*known.writes, known.arguments)
        return replace(known, reads=ALL, writes=writes, message=None)
    own = [at for at in (*known.reads, *known.writes) if isinstance(at, int)]
    if known.message is not None:
        buffers = filter(None, (known.message.sends, known.message.receives))
        own += [at for b in buffers for at in (b.count, b.datatype) if at is not None]
    writes = tuple(at for at in known.writes if isinstance(at, int))
    return replace(known, reads=ALL, writes=(*writes, max(own, default=0), ...), message=None)


def declared_function(module: Module, name: str) -> LibraryFunction | None:
    """As `library_function`, for a function that a module declares: of an intrinsic without a row
    of its own, what LLVM's attributes say."""
    known = library_function(name)
    if known is None or known.name != UNLISTED:
        return known
    declaration = module.functions.get(name)
    return known if declaration is None else of_declaration(declaration, module.attributes)


def may_call_back(name: str) -> bool:
    """May a function that the program does not define call functions of it?"""
    known = library_function(name)
    return known is None or bool(known.calls_back)
