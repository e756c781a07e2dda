"""Functions whose addresses code outside of the program may come to hold, and so may call.

Code without a body holds what it is handed and what it can name, and all that can be reached from
there. That is not followed: where such code is called with anything that may lead to a function,
it is taken to hold every function whose address the program takes.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..ir import cxx_names as cxx
from ..ir.graph import callee
from ..ir.linkage import is_own
from ..ir.types import Function, Instruction, Module, Register
from .alias_analysis import Aliasing
from .escape_analysis import UNNAMED
from .library import library_function
from .whole_programs import MAIN, RESERVED

_NO_POINTER = frozenset(
    "void i1 i8 i16 i32 half bfloat float double x86_fp80 fp128 label metadata token".split()
)


def handed_out(
    module: Module, aliasing: Aliasing, defined: Mapping[str, Function], entry: str
) -> frozenset[str]:
    """The functions of a program that code outside may call, because it may hold their addresses.

    Args:
        defined: the functions of the program by name. entry: the function whose run is looked at;
            its caller's memory is that of others.
    """
    taken = aliasing.address_taken & defined.keys()
    outside = [i for f in defined.values() for i in f.calls if taken and is_opaque(module, i)]
    if any(kind not in _NO_POINTER for i in outside for kind in (i.type, *i.extra)):
        return taken
    is_shared = entry not in MAIN or _is_named_elsewhere(module)
    return taken if is_shared and any(callee(i) for i in outside) else frozenset()


def is_opaque(module: Module, call: Instruction) -> bool:
    """Does a call run code of which nothing is known, so that it may call what it can reach? Not
    that of the compiler, of the C++ library, or of a function that has a row."""
    name = callee(call)
    if name is None:
        return not isinstance(call.operands[0], Register)  # assembly
    target = module.functions.get(name)
    if target is not None and not target.is_declaration:
        return False
    if name.startswith(RESERVED) or cxx.OF_LIBRARY.match(name):
        return False
    return library_function(name) is None


def _is_named_elsewhere(module: Module) -> bool:
    """Can another module name a variable of this one, or the other way round? Virtual tables and
    descriptions of types are what the compiler names alone."""
    return any(
        not is_own(g.attributes) and UNNAMED not in g.attributes
        for g in module.globals.values()
        if not g.name.startswith(cxx.TABLES)
    )
