"""Numbers of elements between two addresses: `(last - first)/8` is a size, whose name says more
than the addresses would.

Addresses never mean anything to a reader, and no two runs share them. Where what a container holds
is data, as behind `v.erase(remove_if(...))`, the difference of its end and its begin is a value of
its own.
"""

from __future__ import annotations

import re

from .expr import STORAGE_OF, Atom, Expr, Loaded, Sym, from_atom, symbols
from .expr.quotients import Floor
from .interprocedural.program import Program
from .ir.types import quoted
from .scev.bounded_count import BoundedCount
from .scev.unknowns import UnknownInfo

_OWNER = re.compile(r"(\w+)(?:->|\.)\w+$")
_BEGIN = re.compile(r"(?i:begin|start|first|storage|data|base)\w*$|^\*\w+$")
_NO_OWNER = frozenset(("this", "field"))


def without_addresses(program: Program, q: BoundedCount) -> BoundedCount:
    """The count with a symbol for each number of elements between two addresses."""
    used = (e for e in (q.formula, q.lower, q.upper, *q.preconditions) if e is not None)
    if not any(isinstance(a, Floor) for e in used for a in e.all_atoms()):
        return q
    return q.mapped(lambda e: e.map_atoms(lambda a: _replaced(program, a)))


def _replaced(program: Program, a: Atom) -> Expr:
    if isinstance(a, Floor) and (ends := _ends(program, a.num)) is not None:
        first, last = ends
        if _is_begin(program, last) and not _is_begin(program, first):
            return -program.unknowns.add(_size(program, a, last, first))
        return program.unknowns.add(_size(program, a, first, last))
    if a.is_symbol or isinstance(a, Loaded) or not a.parts:
        return from_atom(a)
    parts = tuple(p.map_atoms(lambda inner: _replaced(program, inner)) for p in a.parts)
    return from_atom(a) if parts == a.parts else a.rebuild(parts)


def _ends(program: Program, e: Expr) -> tuple[Atom, Atom] | None:
    """(first, last) where a formula is last - first and a number."""
    found: dict[int, Atom] = {}
    for monomial, coefficient in e.terms.items():
        if not monomial:
            continue
        (atom, power), *others = monomial
        if others or power != 1 or coefficient not in (1, -1) or int(coefficient) in found:
            return None
        if not _is_address(program, atom):
            return None
        found[int(coefficient)] = atom
    return (found[-1], found[1]) if len(found) == 2 else None


def _is_begin(program: Program, a: Atom) -> bool:
    """Does the name say that elements begin there?"""
    if isinstance(a, Loaded) and a.kind.startswith(STORAGE_OF):
        return True
    return _BEGIN.search(_text(program, a)) is not None


def _is_address(program: Program, a: Atom) -> bool:
    if isinstance(a, Loaded):
        return a.kind == "ptr" or a.kind.startswith(STORAGE_OF)
    if not isinstance(a, Sym):
        return False
    if (info := program.unknowns.get(a.name)) is not None and info.type:
        return info.type == "ptr"
    argument = symbols.as_argument(a.name)
    if argument is not None and argument.shift is None:
        function = program.module.functions.get(argument.function)
        return function is not None and function.parameters[argument.at].type == "ptr"
    if info is None or info.function not in program.defined:
        return symbols.global_name(a.name) is not None
    register = symbols.register_name(a.name, info.function)
    i = program.defined[info.function].definitions.get(f"%{quoted(register or '')}")
    return i is not None and (i.type == "ptr" or i.opcode == "alloca")


def _size(program: Program, a: Floor, first: Atom, last: Atom) -> UnknownInfo:
    """What the number is called: by the object whose members the addresses are."""
    texts = [_text(program, end) for end in (last, first)]
    owners = (_OWNER.search(t) for t in texts)
    owner = next((m[1] for m in owners if m is not None and m[1] not in _NO_OWNER), None)
    words = " and ".join(sorted(t for t in texts if t)) or "two addresses"
    entry = program.defined[program.entry]
    return UnknownInfo(
        symbols.unknown(program.entry, "elements", a.key),
        "value",
        f"{owner}_size" if owner is not None else "elements",
        f"value of the number of elements between {words}",
        "",
        entry.name,
        entry.entry.name,
    )


def _text(program: Program, a: Atom) -> str:
    if isinstance(a, Loaded):
        return program.memory.text_of(a)
    info = program.unknowns.get(a.key)
    return "" if info is None else info.meaning.removeprefix("value loaded from ")
