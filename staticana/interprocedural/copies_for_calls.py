"""Functions that call what an object holds which they are handed, once for each call.

`each(n, first); each(n, second);` with two objects of std::function, or `total(square);
total(circle);` with two classes that override a virtual function: which function is called rests on
the call of `each`, and is lost where that has one result for all its calls. Such functions are
copied for each call, as an inliner does, and so are those of std::function that call what it
holds; the calls of a copy have one target where the object is made in sight. Copies are for the
analysis; the program that runs is the one that was compiled.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from ..ir import cxx_names as cxx
from ..ir.copies import Copied, copied_for_calls
from ..ir.graph import callee, instructions
from ..ir.matchers import is_alloca, is_any, is_store
from ..ir.system_files import is_system_file
from ..ir.types import Function, Instruction, Module, Operand, Register

_MOST_LINES = 600
"""Lines of a function that is copied."""
_FOLLOWED = ("getelementptr", "bitcast", "addrspacecast", "load")


def with_copies_for_calls(module: Module, entry: str, choosing: Set[str]) -> Copied:
    """The module with such functions copied for each of their calls; itself where there are none,
    or too many.

    Args:
        choosing: functions with a call through a pointer that may go to several functions.
    """

    def wanted(module: Module, origin: Mapping[str, str]) -> Mapping[str, frozenset[int]]:
        return _calling(
            module, entry, {n for n in module.functions if origin.get(n, n) in choosing}
        )

    return copied_for_calls(module, wanted)


def _calling(module: Module, entry: str, choosing: Set[str]) -> Mapping[str, frozenset[int]]:
    """Function -> its parameters that lead to a pointer which it calls, one of several functions,
    or which a function calls that it is handed on to."""
    found: dict[str, frozenset[int]] = {}
    able = {
        f.name: f
        for f in module.functions.values()
        if not f.is_declaration
        and f.name != entry
        and f.end - f.line <= _MOST_LINES
        and (cxx.FUNCTION_WRAPPERS.match(f.name) or not is_system_file(module.file_of(f.dbg) or ""))
        and all(callee(i) != f.name for i in f.calls)
    }
    changed = True
    while changed:
        changed = False
        for name, f in able.items():
            at: dict[Operand, int] = {p.token: k for k, p in enumerate(f.parameters)}
            own = f.calls
            roots = (o for i in own for o in _followed(f, _called(i, found, name in choosing)))
            led = frozenset(k for o in roots if (k := at.get(o)) is not None)
            if not led <= found.get(name, frozenset()):
                found[name] = found.get(name, frozenset()) | led
                changed = True
    return found


def _called(
    i: Instruction, found: Mapping[str, frozenset[int]], chooses: bool
) -> Iterator[Operand]:
    """The pointer that a call goes through, if one is wanted, and what it hands to functions that
    call it."""
    if chooses and isinstance(i.operands[0], Register):
        yield i.operands[0]
    for k in found.get(callee(i) or "", ()):
        yield from i.operands[k + 1 : k + 2]


def _followed(f: Function, tokens: Iterator[Operand]) -> Sequence[Operand]:
    """The registers that pointers come from, through memory, and what local objects among them are
    given: `struct solver s = {.ops = ops}; s.ops->step(&s);`."""
    roots: list[Operand] = []
    seen: set[Operand] = set()
    work = list(tokens)
    while work:
        root = _root(f, work.pop())
        if root in seen:
            continue
        seen.add(root)
        roots.append(root)
        made = f.definitions.get(root)
        if is_alloca(made):
            work += [
                i.operands[0]
                for i in instructions(f)
                if is_store(i) and i.type == "ptr" and _root(f, i.operands[1]) == root
            ]
    return roots


def _root(f: Function, token: Operand) -> Operand:
    """The register that a pointer is computed from, through memory."""
    seen: set[Operand] = set()
    while token not in seen:
        seen.add(token)
        i = f.definitions.get(token)
        if not is_any(i, *_FOLLOWED):
            break
        token = i.operands[0]
    return token
