"""Text of older LLVMs that the LLVM of llvmlite does not read.

LLVM upgrades most of what changed since version 14, typed pointers included, while it reads. What
its text parser no longer knows is put right here.
"""

from __future__ import annotations

import re

# `inrange` before an index of a constant address, up to LLVM 18; since then it names the bytes
_INRANGE = re.compile(r"\binrange (?=[i%])")


# what clang calls a main with arguments where its type is part of the calling convention
_WASM_MAIN = "@__main_argc_argv("


def repaired(text: str) -> str:
    """The text as newer versions of LLVM, for other targets, write it."""
    if "inrange " in text:
        text = _INRANGE.sub("", text)
    return text.replace(_WASM_MAIN, "@main(") if _WASM_MAIN in text else text
