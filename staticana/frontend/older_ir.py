"""Text of older LLVMs that the LLVM of llvmlite does not read.

LLVM upgrades most of what changed since version 14, typed pointers included, while it reads. What
its text parser no longer knows is put right here.
"""

from __future__ import annotations

import re

# `inrange` before an index of a constant address, up to LLVM 18; since then it names the bytes
_INRANGE = re.compile(r"\binrange (?=[i%])")


def repaired(text: str) -> str:
    """The text as newer versions of LLVM write it."""
    return _INRANGE.sub("", text) if "inrange " in text else text
