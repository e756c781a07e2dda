"""What may be written at any time: by signal handlers, by threads beside the one that counts, by
the system where it works on beside the program (aio_read), by other processes in memory that is
shared with them, and by a program's own malloc or operator new, of which compilers drop calls and
the library makes others.

A handler or a start function is a function whose address is taken. Which of them is one is not
followed: where the program installs a handler or starts a thread at all, all of them may be, but
where all that threads run is called (`frontend.threads`).
"""

from __future__ import annotations

from ..frontend.openmp.regions import is_outlined
from ..frontend.threads import STARTED, started
from ..ir.graph import callee, calls_in
from ..ir.types import Instruction, IntLiteral, Module
from .alias_analysis import Aliasing
from .library import is_replaceable, library_function
from .memory_location import MemoryLocation


def asynchronous_writes(module: Module, aliasing: Aliasing) -> tuple[MemoryLocation, ...]:
    """The locations that functions write which may run between any two instructions."""
    found = {aliasing.location(f, i.token, "") for f, i in calls_in(module) if _is_shared_memory(i)}
    found |= {w for f, i in calls_in(module) for w in aliasing.written_meanwhile(f, i)}
    own = (f for f in module.functions.values() if is_replaceable(f.name) and not f.is_declaration)
    found |= {w for f in own for w in aliasing.mod_ref(f.name).writes if w.is_global}
    starting = {name for _, i in calls_in(module) if _starts(name := callee(i) or "")}
    if not starting:
        return tuple(sorted(found, key=str))
    beside = started(module)
    if starting != {STARTED}:
        beside |= aliasing.address_taken
    effects = [aliasing.mod_ref(name) for name in sorted(beside) if not is_outlined(name)]
    for common in {id(e.common): e.common for e in effects}.values():
        found |= common
    for e in effects:
        # an argument of the other function is no register here
        found |= {w if w.is_global else w.somewhere() for w in e.own}
    return tuple(sorted(found, key=str))


def _is_shared_memory(i: Instruction) -> bool:
    """Does a call return memory that other processes may write: MAP_SHARED of mmap (its lowest bit
    in Linux, macOS and the BSDs), or a segment of shmat?"""
    name = callee(i)
    if name == "shmat":
        return i.name is not None
    if name not in ("mmap", "mmap64") or i.name is None or len(i.operands) < 5:
        return False
    flags = i.operands[4]
    return not (isinstance(flags, IntLiteral) and flags.value & 1 == 0)


def _starts(name: str) -> bool:
    known = library_function(name)
    return known is not None and (known.concurrent or known.handler is not None)
