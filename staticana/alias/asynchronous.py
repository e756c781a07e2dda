"""What may be written at any time: by signal handlers, and by threads beside the one that counts.

A handler or a start function is a function whose address is taken. Which of them is one is not
followed: where the program installs a handler or starts a thread at all, all of them may be.
"""

from __future__ import annotations

from ..frontend.openmp import is_outlined
from ..ir.graph import callee, calls_in
from ..ir.types import Module
from .alias_analysis import Aliasing
from .library import library_function
from .memory_location import MemoryLocation


def asynchronous_writes(module: Module, aliasing: Aliasing) -> tuple[MemoryLocation, ...]:
    """The locations that functions write which may run between any two instructions."""
    if not any(_starts(callee(i) or "") for _, i in calls_in(module)):
        return ()
    found: set[MemoryLocation] = set()
    for name in aliasing.address_taken:
        if not is_outlined(name):
            # an argument of the other function is no register here
            found |= {w if w.is_global else w.somewhere() for w in aliasing.mod_ref(name).writes}
    return tuple(sorted(found, key=str))


def _starts(name: str) -> bool:
    known = library_function(name)
    return known is not None and (known.concurrent or known.handler is not None)
