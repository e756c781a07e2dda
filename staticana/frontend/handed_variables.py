"""Variables whose address only functions are handed that read numbers into them.

`scanf("%d", &n)` keeps `n` in memory for good, though `while (n != 0) n /= 10` behind it is a loop
over a variable like any other. Here each such call is handed a variable of its own, which is `n`
before and after it, so that sroa can put `n` into a register.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..ir.graph import callee
from ..ir.matchers import is_alloca, is_any, is_load, is_store
from ..ir.parser import parse_module
from ..ir.types import Function, Instruction, Register

_NAMES = r"(?:__isoc\d+_)?[fs]?scanf|_ZNSirsE\w+"
_READING = re.compile(rf"(?:{_NAMES})$")
_READS = re.compile(rf"call .*@(?:{_NAMES})\(")
_DEFINES = re.compile(rf"^define .*@(?:{_NAMES})\(", re.MULTILINE)
_SCALAR = re.compile(r"i\d+$|float$|double$")
_MARKS = re.compile(r"llvm\.lifetime\.|llvm\.dbg\.")


def hands_variables(text: str) -> bool:
    """May there be something to do?"""
    return _READS.search(text) is not None and _DEFINES.search(text) is None


def with_variables_apart(text: str) -> str:
    """The text in which functions that read numbers are handed copies of variables.

    Args:
        text: a module as LLVM prints it, whose registers all have names and whose variables are in
            memory.
    """
    module = parse_module(text, wanted=lambda lines: any(map(_READS.search, lines)))
    lines = text.split("\n")
    for f in module.functions.values():
        if not f.is_declaration:
            made = [line for i in _variables(f) for line in _put_apart(f, i, lines)]
            if made:
                first = f.entry.instructions[0].line
                lines[first] = "\n".join([*made, lines[first]])
    return "\n".join(lines)


def _variables(f: Function) -> Iterator[Instruction]:
    """The numbers in memory that a function sets itself and has read from outside."""
    for i in f.entry.instructions:
        if not is_alloca(i) or not _SCALAR.match(i.type):
            continue
        users = f.users.get(i.token, ())
        if any(is_store(u) for u in users) and all(_is_plain(u, i) for u in users):
            yield i


def _is_plain(user: Instruction, variable: Instruction) -> bool:
    """Does an instruction read or write a variable, and nothing else with its address?"""
    if is_load(user):
        return user.type == variable.type
    if is_store(user):
        return user.type == variable.type and user.operands[0] != variable.token
    return _is_mark(user) or _is_handed(user)


def _is_mark(i: Instruction) -> bool:
    return i.is_call and _MARKS.match(callee(i) or "") is not None


def _is_handed(call: Instruction) -> bool:
    """Does a function of the library read a number into what it is handed?"""
    return is_any(call, "call") and _READING.match(callee(call) or "") is not None


def _put_apart(f: Function, variable: Instruction, lines: list[str]) -> list[str]:
    """Hand a copy of a variable to each call; the lines that make the copies."""
    name, kind = str(variable.token), variable.type
    record = f"#dbg_declare(ptr {name},"
    declared = next((k for k in range(f.line, f.end) if record in lines[k]), None)
    calls = [u for u in f.users[variable.token] if u.is_call and not _is_mark(u)]
    made: list[str] = []
    for number, call in enumerate(calls):
        own, before, after = (
            _named(f, variable.token, f"{word}{number}") for word in ("in", "before", "after")
        )
        made.append(f"  {own} = alloca {kind}")
        if declared is not None:  # it is called as the variable is
            first = lines[declared].split("\n")[0]
            lines[declared] += "\n" + first.replace(record, f"#dbg_declare(ptr {own},")
        dbg = f", !dbg {call.dbg}" if call.dbg else ""
        whole = re.compile(rf"{re.escape(name)}(?![\w.$-])")
        handed = own.join(whole.split(lines[call.line]))
        lines[call.line] = "\n".join(
            [
                f"  {before} = load {kind}, ptr {name}{dbg}",
                f"  store {kind} {before}, ptr {own}{dbg}",
                handed,
                f"  {after} = load {kind}, ptr {own}{dbg}",
                f"  store {kind} {after}, ptr {name}{dbg}",
            ]
        )
    return made


def _named(f: Function, token: Register, word: str) -> str:
    """A name for what is made for a variable that no register has."""
    name = f'{token[:-1]}.{word}"' if token.endswith('"') else f"{token}.{word}"
    while name in f.definitions or name in f.attributes_of:
        name = f'{name[:-1]}.own"' if name.endswith('"') else f"{name}.own"
    return name
