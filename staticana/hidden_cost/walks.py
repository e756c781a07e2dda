"""Loops of the program that walk over what an outer loop builds or indexes: a list to its end or to
its k-th element, an array from its start to a value, elements moved by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..alias.call_graph import Site
from ..alias.library import library_function
from ..ir.graph import callee
from ..ir.matchers import is_any, is_gep, is_icmp, is_load, is_store
from ..ir.types import Instruction, Operand
from ..scev.context import FunctionContext
from .objects import is_fixed
from .texts import Found


class Walk(NamedTuple):
    """A loop that walks from what a parameter points to; `bounds`: the parameters that decide how
    far; `by_value`: it ends at a value that it finds."""

    parameter: int
    bounds: frozenset[int]
    is_list: bool
    by_value: bool


def walks(view: FunctionContext) -> Iterator[Walk]:
    """The walks of a function."""
    at: dict[Operand, int] = {p.token: k for k, p in enumerate(view.function.parameters)}
    for header in view.loops:
        for found in (_list_walk(view, header, at), _search(view, header, at)):
            if found is not None:
                yield found


def _list_walk(view: FunctionContext, header: str, at: dict[Operand, int]) -> Walk | None:
    """p = p->next, or p = strchr(p, c) + 1, from a parameter on."""
    inside = view.loops[header].blocks
    for phi in view.function.blocks[header].phis:
        if phi.type != "ptr":
            continue
        arriving = list(zip(phi.operands, phi.labels, strict=True))
        start = [at[o] for o, label in arriving if label not in inside and o in at]
        steps = [o for o, label in arriving if label in inside]
        if len(start) == 1 and steps and all(_follows(view, o, phi) for o in steps):
            return Walk(start[0], _bounds(view, header, at), True, False)
    return None


def _follows(view: FunctionContext, token: Operand, phi: Instruction) -> bool:
    """Is it read through the pointer, or found behind it?"""
    i = view.function.definitions.get(token)
    base = i.operands[0] if is_gep(i) else token
    i = view.function.definitions.get(base)
    if i is None:
        return False
    if is_load(i):
        step = view.function.definitions.get(i.operands[0])
        member = is_gep(step)
        return (step.operands[0] if step is not None and member else i.operands[0]) == phi.token
    known = library_function(callee(i) or "") if i.is_call else None
    return known is not None and known.into is not None and i.operands[1 + known.into] == phi.token


def _bounds(view: FunctionContext, header: str, at: dict[Operand, int]) -> frozenset[int]:
    """The integer parameters that a loop's tests rest on."""
    found: set[int] = set()
    seen: set[Operand] = set()
    work = [
        view.function.blocks[e.source].terminator.operands[0]
        for e in view.loops[header].exits
        if not e.is_unwind and view.function.blocks[e.source].terminator.operands
    ]
    while work:
        token = work.pop()
        if token in seen:
            continue
        seen.add(token)
        if token in at and view.function.parameters[at[token]].type != "ptr":
            found.add(at[token])
        i = view.function.definitions.get(token)
        if is_any(i, "icmp", "phi", "add", "sub", "sext", "zext", "trunc"):
            work += i.operands
    return frozenset(found)


def _search(view: FunctionContext, header: str, at: dict[Operand, int]) -> Walk | None:
    """for (i = 0; i < n; i++) if (a[i] == x) ...: ends at a value, else at a bound."""
    found = value_search(view, header)
    if found is None:
        return None
    array, bound = found
    if array not in at or bound not in at:
        return None
    return Walk(at[array], frozenset((at[bound],)), False, True)


def value_search(view: FunctionContext, header: str) -> tuple[Operand, Operand] | None:
    """(array, bound) of a loop that looks at the elements from the first on, until one is equal to
    something."""
    exits = [e for e in view.loops[header].exits if not e.is_unwind]
    array: Operand | None = None
    bound: Operand | None = None
    for e in exits:
        operands = view.function.blocks[e.source].terminator.operands
        test = view.function.definitions.get(operands[0]) if operands else None
        if not is_icmp(test):
            return None
        if test.extra[0] in ("eq", "ne"):
            array = array or next(
                (a for o in test.operands if (a := _element_of(view, o, header))), None
            )
        elif _is_counter(view, test.operands[0], header):
            bound = test.operands[1]
    return (array, bound) if array is not None and bound is not None else None


def _element_of(view: FunctionContext, token: Operand, header: str) -> Operand | None:
    """The array whose element at the loop's counter a value is."""
    i = view.function.definitions.get(token)
    if not is_load(i):
        return None
    step = view.function.definitions.get(i.operands[0])
    if not is_gep(step):
        return None
    return step.operands[0] if _is_counter(view, step.operands[-1], header) else None


def _is_counter(view: FunctionContext, token: Operand, header: str) -> bool:
    """Is it the variable of the loop that counts from 0?"""
    i = view.function.definitions.get(token)
    while is_any(i, "sext", "zext"):
        i = view.function.definitions.get(i.operands[0])
    if i is None or i not in view.function.blocks[header].phis:
        return False
    closed = view.variables.forms(header).closed.get(view.variables.symbol(i))
    return (
        closed is not None
        and closed.atom is not None
        and closed.atom.key == view.variables.index(header)
    )


def calls_of_walks(view: FunctionContext, header: str) -> Iterator[Found]:
    """Calls in a loop of functions that walk over what the loop builds or indexes."""
    for site in view.program.calls.sites_in.get(view.function.name, ()):
        if view.forest.innermost.get(site.block) != header or not site.certain:
            continue
        for walk in walks(view.program.view(site.callee)):
            text = _costs(view, header, site, walk)
            if text is not None:
                call = site.instruction
                yield call, _source_name(view, site.callee), call.operands[1 + walk.parameter], text
                break


def _costs(view: FunctionContext, header: str, site: Site, walk: Walk) -> str | None:
    call = site.instruction
    start = call.operands[1 + walk.parameter]
    result = view.function.definitions.get(start)
    is_own_result = (
        result is not None
        and result in view.function.blocks[header].phis
        and call.result in result.operands
    )
    if not (is_own_result or is_fixed(view, start, header)):
        return None
    if walk.is_list:
        if is_own_result and _makes(view, site.callee):
            return "walks to the end of the list in every iteration"
        if any(_varies(view, call.operands[1 + k], header) for k in walk.bounds):
            return "walks from the start to the element of every iteration"
        return "walks over all of it in every iteration" if _ends(view, header, call) else None
    stores = any(
        _stores_to(view, i, start)
        for b in view.loops[header].blocks
        for i in view.function.blocks[b].instructions
    )
    grows = any(_varies(view, call.operands[1 + k], header) for k in walk.bounds)
    return "searches all that was put there in every iteration" if stores and grows else None


def _varies(view: FunctionContext, token: Operand, header: str) -> bool:
    i = view.function.definitions.get(token)
    while is_any(i, "sext", "zext", "trunc"):
        i = view.function.definitions.get(i.operands[0])
    return i is not None and i in view.function.blocks[header].phis


def _ends(view: FunctionContext, header: str, call: Instruction) -> bool:
    """Is the result of a call compared to end the loop?"""
    tests = {
        o
        for e in view.loops[header].exits
        for o in view.function.blocks[e.source].terminator.operands[:1]
    }
    seen: set[Operand] = set()
    work: list[Operand] = [call.token] if call.result is not None else []
    while work:
        token = work.pop()
        if token in tests:
            return True
        for u in view.function.users.get(token, ()):
            if u.result and is_any(u, "sext", "zext", "icmp") and u.token not in seen:
                seen.add(u.token)
                work.append(u.token)
    return False


def _makes(view: FunctionContext, name: str) -> bool:
    """Does a function allocate, or one that it calls?"""
    allocates = view.program.memory.aliasing.is_allocation
    return any(
        i.is_call and allocates(i)
        for f in (name, *view.program.calls.below(name))
        for b in view.program.defined[f].blocks.values()
        for i in b.instructions
    )


def _stores_to(view: FunctionContext, i: Instruction, array: Operand) -> bool:
    if not is_store(i):
        return False
    find = view.program.memory.aliasing.underlying_object
    base = find(view.function, array)[0]
    return base is not None and find(view.function, i.operands[1])[0] == base


def _source_name(view: FunctionContext, name: str) -> str:
    dbg = view.program.defined[name].dbg
    return view.program.module.metadata_field(dbg, "name") or name


def own_loops(view: FunctionContext, header: str) -> Iterator[Found]:
    """Inner loops that move all elements by one, or search what the loop around collects."""
    outer = view.loops[header].parent
    if outer is None:
        return
    moved = _shifted(view, header)
    if moved is not None:
        yield moved, "loop", moved.operands[1], "moves all elements by one in every iteration"
        return
    found = value_search(view, header)
    if found is None:
        return
    array, bound = found
    if not _varies(view, bound, outer) or not is_fixed(view, array, outer):
        return
    around = view.loops[outer].blocks - view.loops[header].blocks
    stores = [
        i
        for b in around
        for i in view.function.blocks[b].instructions
        if _stores_to(view, i, array)
    ]
    if stores:
        load = view.function.blocks[header].instructions[0]
        yield load, "loop", array, "searches all that was put there in every iteration"


def _shifted(view: FunctionContext, header: str) -> Instruction | None:
    """The store of a[j] = a[j - 1], where that is all that a loop does, for each j."""
    if len([e for e in view.loops[header].exits if not e.is_unwind]) != 1:
        return None
    outer = view.loops[header].parent
    trips = view.trip_counts.iterations(header).formula
    if trips is None or outer is None:
        return None
    index = view.variables.index(outer)
    trips = trips.substitute(view.variables.forms(outer).closed)
    if index not in trips.symbols:
        return None
    inside = [i for b in view.loops[header].blocks for i in view.function.blocks[b].instructions]
    stores = [i for i in inside if is_store(i)]
    if len(stores) != 1 or any(i.is_call for i in inside):
        return None
    (store,) = stores
    load = view.function.definitions.get(store.operands[0])
    if not is_load(load):
        return None
    target = view.scalars.value(store.operands[1]).expr
    apart = (target - view.scalars.value(load.operands[0]).expr).constant
    size = view.program.layout.size(store.type)
    return store if apart is not None and size is not None and abs(apart) == size else None
