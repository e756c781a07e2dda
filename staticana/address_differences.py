"""Numbers of elements between two addresses: `(last - first)/8` is a size, whose name says more
than the addresses would.

Addresses never mean anything to a reader, and no two runs share them. Where what a container holds
is data, as behind `v.erase(remove_if(...))`, the difference of its end and its begin is a value of
its own. Whether two pointers are equal, as in `if (x == y)`, is no matter of their order either: it
is 1 or 0.
"""

from __future__ import annotations

import re

from .expr import STORAGE_OF, Atom, Expr, Floor, Loaded, Step, from_atom, step, symbols
from .interprocedural.program import Program
from .scev.addresses import is_address
from .scev.bounded_count import BoundedCount
from .scev.unknowns import UnknownInfo

_OWNER = re.compile(r"(\w+)(?:->|\.)\w+$")
_BEGIN = re.compile(r"(?i:begin|start|first|storage|data|base)\w*$|^\*\w+$")
_END = re.compile(r"(?<![A-Za-z])(?i:end|finish|last|stop)_?$")
_NO_OWNER = frozenset(("this", "field"))


def without_addresses(
    program: Program, q: BoundedCount, known: dict[Atom, Expr | None]
) -> BoundedCount:
    """The count with a symbol for each number of elements between two addresses. `known`: what
    became of atoms before."""

    def change(e: Expr) -> Expr:
        if all(a.is_symbol for m in e.terms for a, _ in m):
            return e  # most preconditions
        return e.map_atoms(replaced, known)

    def replaced(a: Atom) -> Expr:
        if isinstance(a, Floor) and (ends := _ends(program, a.num)) is not None:
            first, last = ends
            if _is_behind(program, last, first):
                return -program.unknowns.add(_size(program, a, last, first))
            return program.unknowns.add(_size(program, a, first, last))
        if isinstance(a, Step) and (compared := _compared(program, a.arg)) is not None:
            return compared
        if a.is_symbol or isinstance(a, Loaded) or not a.parts:
            return from_atom(a)
        parts = tuple(map(change, a.parts))
        return from_atom(a) if parts == a.parts else a.rebuild(parts)

    return q.mapped(change)


def _ends(program: Program, e: Expr) -> tuple[Atom, Atom] | None:
    """(first, last) where a formula is last - first and a number."""
    found: dict[int, Atom] = {}
    for monomial, coefficient in e.terms.items():
        if not monomial:
            continue
        (atom, power), *others = monomial
        if others or power != 1 or coefficient not in (1, -1) or int(coefficient) in found:
            return None
        if not is_address(program, atom):
            return None
        found[int(coefficient)] = atom
    return (found[-1], found[1]) if len(found) == 2 else None


def _compared(program: Program, e: Expr) -> Expr | None:
    """Whether one address is not below another, or is above it, in terms of whether the first by
    name is above the other and whether they are the same."""
    ends, beyond = _ends(program, e), e.terms.get((), 0)
    if ends is None or beyond not in (0, -1):
        return None
    last = ends[1]
    low, high = sorted(ends, key=lambda a: a.key)
    above = step(from_atom(high) - from_atom(low) - 1)
    same = _same(program, low, high)
    if last == high:
        return above if beyond else above + same
    return 1 - above - same if beyond else 1 - above


def _same(program: Program, a: Atom, b: Atom) -> Expr:
    """1 where two addresses are the same, else 0."""
    names = sorted(filter(None, (_text(program, a), _text(program, b)))) or ["two addresses"]
    entry = program.defined[program.entry]
    return program.unknowns.add(
        UnknownInfo(
            symbols.unknown(program.entry, "same", a.key, b.key),
            "value",
            "same",
            f"whether {' and '.join(names)} are the same address (1) or not (0)",
            "",
            entry.name,
            entry.entry.name,
        )
    )


def _is_behind(program: Program, a: Atom, b: Atom) -> bool:
    """Do names say that the second of two addresses stands behind the first?"""
    if _is_begin(program, a) and not _is_begin(program, b):
        return True
    ends = [_END.search(_text(program, x)) is not None for x in (a, b)]
    return ends == [False, True] and not _is_begin(program, b)


def _is_begin(program: Program, a: Atom) -> bool:
    """Does the name say that elements begin there?"""
    if isinstance(a, Loaded) and a.kind.startswith(STORAGE_OF):
        return True
    return _BEGIN.search(_text(program, a)) is not None


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
