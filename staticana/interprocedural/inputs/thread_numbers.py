"""Kernels of GPUs: which thread runs, of how many, as parameters of the program.

A kernel is run by one thread of a grid, and reads where it stands by intrinsics. Counts of a kernel
are those of one thread. Sources: LLVM's "User Guide for NVPTX Back-end" (special registers) and
"User Guide for AMDGPU Backend" (work items and work groups).
"""

from __future__ import annotations

import re

from ...expr import Expr
from ...ir.types import Module
from .program_parameters import ProgramParameters

_REGISTER = re.compile(
    r"llvm\.(?:nvvm\.read\.ptx\.sreg|amdgcn|r600\.read)"
    r"\.(?P<what>tid|ntid|ctaid|nctaid|laneid|warpid|nwarpid"
    r"|workitem\.id|workgroup\.id|local\.size|ngroups|global\.size|tgid|tidig)"
    r"(?:\.(?P<axis>[xyz]))?"
)
_SIZES = ("ntid", "nctaid", "nwarpid", "local.size", "ngroups", "global.size")
ORIGIN = "thread:"
ONE_THREAD = "counts are those of one thread of a kernel"


def thread_number(parameters: ProgramParameters, called: str) -> Expr | None:
    """The parameter that a call of this intrinsic reads, None if it reads no thread's number."""
    found = _REGISTER.fullmatch(called)
    if found is None:
        return None
    where = ".".join(filter(None, found.groups()))
    return parameters.given(ORIGIN + where, where.replace(".", "_"))


def known_of_threads(parameters: ProgramParameters, module: Module) -> list[Expr]:
    """What holds of these parameters: formulas that are at least zero."""
    found: list[Expr] = []
    for name in sorted(module.functions):
        number = thread_number(parameters, name)
        if number is not None:
            what = _REGISTER.fullmatch(name)
            assert what is not None
            found.append(number - 1 if what["what"] in _SIZES else number)
    return found
