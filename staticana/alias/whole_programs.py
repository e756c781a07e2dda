"""Whether a module is a whole program: it has a main function, and all functions that it does not
define are those of the compiler, of its libraries or of the system. Of one that is not whole, code
that is not here may set what it can name.
"""

from __future__ import annotations

from ..ir.system_files import is_system_file
from ..ir.types import Function, Module
from .library import library_function

MAIN = ("main", "_QQmain")
"""Where runs begin; Fortran's programs are called by a main of the library."""
RESERVED = ("__", "_F", "llvm.", "looplaw.", "omp_")
"""How the names of functions begin that no program has: those of the compiler and its libraries."""


def has_main(module: Module) -> bool:
    """Does a run begin in this module?"""
    return any(n in module.functions and not module.functions[n].is_declaration for n in MAIN)


def is_whole(module: Module) -> bool:
    """Is it a program of its own?"""
    return has_main(module) and not any(is_elsewhere(module, f) for f in module.functions.values())


def is_elsewhere(module: Module, function: Function) -> bool:
    """Is a function defined in another module of the program, for all that is known?"""
    if not function.is_declaration or function.name.startswith(RESERVED):
        return False
    if library_function(function.name) is not None:
        return False
    return not is_system_file(module.file_of(function.dbg) or "")
