"""Constructors and destructors of a program, in the sections that every linker knows.

llvmlite's target machines place them in `.ctors` and `.dtors`, as LLVM does unless it is told
otherwise (TargetOptions::UseInitArray). GNU ld merges these into `.init_array`; lld, which zig
links with, does not, and none of them would run.
"""

from __future__ import annotations

import re

_LISTS = re.compile(
    r"^@llvm\.global_(?P<which>ctors|dtors) = appending global \[\d+ x [^\]]*\] \[(?P<items>.*)\]"
    r"[^\]\n]*$",
    re.MULTILINE,
)
_ITEM = re.compile(r"\{ i32 (?P<priority>\d+), ptr (?P<function>@(?:\"[^\"]*\"|[\w.$-]+)), ptr ")
_LEAST = 65535
"""The priority of what has none (LLVM Language Reference, "The llvm.global_ctors Global")."""


def in_arrays(text: str) -> str:
    """The module with each list as variables in sections of `.init_array` or `.fini_array`."""
    used: list[str] = []

    def lowered(match: re.Match[str]) -> str:
        section = ".init_array" if match["which"] == "ctors" else ".fini_array"
        lines = []
        for at, item in enumerate(_ITEM.finditer(match["items"])):
            priority = int(item["priority"])
            name = f"@looplaw.{match['which']}.{at}"
            place = section if priority == _LEAST else f"{section}.{priority:05}"
            lines.append(f'{name} = internal global ptr {item["function"]}, section "{place}"')
            used.append(name)
        return "\n".join(lines)

    changed = _LISTS.sub(lowered, text)
    if not used:
        return text
    kept = ", ".join(f"ptr {name}" for name in used)
    known = re.search(r"^@llvm\.used = appending global \[\d+ x ptr\] \[(.*?)\],", changed, re.M)
    if known:
        kept = f"{known[1]}, {kept}"
        changed = re.sub(r"(?m)^@llvm\.used = .*\n", "", changed)
    number = kept.count("ptr @")
    return (
        f"{changed}\n@llvm.used = appending global [{number} x ptr] [{kept}],"
        ' section "llvm.metadata"\n'
    )
