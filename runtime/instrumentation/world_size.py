"""How many processes MPI says there are, told to the runtime where a program asks for them.

A launcher that does not know the program's MPI library starts processes of which each is alone in a
world of its own. They end as if all were well, and what they count is not what a run with so many
processes counts. So calls that ask for a size go by way of a function of ours, which passes on that
of MPI_COMM_WORLD.
"""

from __future__ import annotations

import re

from staticana.ir.types import Module

_MPICH_WORLD = 0x44000000
_OPEN_MPI_WORLD = "@ompi_mpi_comm_world"
_C, _FORTRAN = "MPI_Comm_size", "mpi_comm_size_"
_CALL = re.compile(r"^(?P<start>\s+(?:%\S+ = )?.*\b(?:call|invoke) .*?)@(?P<name>\w+)\(", re.M)
_DECLARED = "\ndeclare void @__looplaw_world(i32)\n"
_WRAPPERS = {
    _C: """
define internal i32 @__looplaw_of_MPI_Comm_size({kind} %comm, ptr %size) {{
  %result = call i32 @MPI_Comm_size({kind} %comm, ptr %size)
  %is_world = icmp eq {kind} %comm, {world}
  br i1 %is_world, label %told, label %done
told:
  %number = load i32, ptr %size, align 4
  call void @__looplaw_world(i32 %number)
  br label %done
done:
  ret i32 %result
}}
""",
    _FORTRAN: """
define internal void @__looplaw_of_mpi_comm_size_(ptr %comm, ptr %size, ptr %error) {{
  call void @mpi_comm_size_(ptr %comm, ptr %size, ptr %error)
  %handle = load i32, ptr %comm, align 4
  %is_world = icmp eq i32 %handle, {world}
  br i1 %is_world, label %told, label %done
told:
  %number = load i32, ptr %size, align 4
  call void @__looplaw_world(i32 %number)
  br label %done
done:
  ret void
}}
""",
}


def told(module: Module, text: str) -> str:
    """Instrumented IR of the module whose calls tell the size of MPI's world."""
    wrappers = {name: made for name in _WRAPPERS if (made := _wrapper(module, name)) is not None}
    if not wrappers:
        return text

    def renamed(found: re.Match[str]) -> str:
        name = found["name"]
        return f"{found['start']}@{'__looplaw_of_' if name in wrappers else ''}{name}("

    return _CALL.sub(renamed, text) + _DECLARED + "".join(wrappers.values())


def _wrapper(module: Module, name: str) -> str | None:
    """The function that stands before one of MPI's; None where the program does not call it as the
    library declares it."""
    function = module.functions.get(name)
    if function is None or not function.is_declaration:
        return None
    kinds = [p.type for p in function.parameters]
    if name == _FORTRAN:
        return _WRAPPERS[name].format(world=_MPICH_WORLD) if kinds == ["ptr"] * 3 else None
    if kinds == ["i32", "ptr"]:
        return _WRAPPERS[name].format(kind="i32", world=_MPICH_WORLD)
    if kinds == ["ptr", "ptr"] and _OPEN_MPI_WORLD[1:] in module.globals:
        return _WRAPPERS[name].format(kind="ptr", world=_OPEN_MPI_WORLD)
    return None
