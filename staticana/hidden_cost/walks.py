"""Loops of the program that walk over what an outer loop builds or indexes: a list to its end or to
its k-th element, an array from its start to a value, elements moved by one."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace

from ..alias.call_graph import Site
from ..alias.library import library_function
from ..ir.graph import callee
from ..ir.matchers import is_any, is_choice, is_gep, is_icmp, is_load, is_phi, is_return, is_store
from ..ir.types import GlobalRef, Instruction, Operand, Register
from ..scev.context import FunctionContext
from .objects import is_fixed
from .texts import Found

_DEPTH = 3
"""Calls between a loop and a walk."""


@dataclass(frozen=True)
class Walk:
    """A loop that walks from what `start` points to, or from what stands there.

    start: a register or global of the function that was asked. bounds: the integer parameters that
    decide how far. by_value: it ends at a value that it finds. is_list: it follows members, or the
    characters of a text to their end. moves: it moves all elements by one. changes: where it ends,
    something is stored there; returns: that place is returned.
    """

    start: Operand
    bounds: frozenset[int] = frozenset()
    by_value: bool = False
    is_list: bool = True
    moves: bool = False
    changes: bool = False
    returns: bool = False


class Walks:
    """The walks of a program's functions, each found once."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, int], tuple[Walk, ...]] = {}

    def of(self, view: FunctionContext, depth: int = _DEPTH) -> tuple[Walk, ...]:
        """The walks of a function and of those that it calls, from what it is handed or what is
        global."""
        key = view.function.name, depth
        if key not in self._found:
            self._found[key] = ()  # what calls itself
            self._found[key] = tuple(
                w for w in self._every(view, depth) if _is_given(view, w.start)
            )
        return self._found[key]

    def _every(self, view: FunctionContext, depth: int) -> Iterator[Walk]:
        for header in view.loops:
            for rule in (_list_walk, _text_walk, _search, _moves):
                found = rule(view, header)
                if found is not None:
                    yield found
        if depth:
            for site in view.program.calls.sites_in.get(view.function.name, ()):
                if site.certain:
                    yield from self.of_call(view, site, depth - 1)

    def of_call(self, view: FunctionContext, site: Site, depth: int = _DEPTH) -> Iterator[Walk]:
        """The walks of a callee, as its caller sees them."""
        call, called = site.instruction, view.program.view(site.callee)
        at, own = _parameters(called), _parameters(view)
        for walk in self.of(called, depth):
            handed = (call.operands[1 + k] for k in walk.bounds)
            returns = walk.returns and call.result is not None
            yield replace(
                walk,
                start=base_of(view, handed_start(walk, call, at)),
                bounds=frozenset(own[o] for o in handed if o in own),
                changes=walk.changes or (returns and _is_changed(view, call.token, None)),
                returns=returns and _is_returned(view, call.token),
            )


def handed_start(walk: Walk, call: Instruction, at: Mapping[Operand, int]) -> Operand:
    """What a call hands to a walk of a function with parameters of these numbers."""
    return call.operands[1 + at[walk.start]] if walk.start in at else walk.start


def _parameters(view: FunctionContext) -> dict[Operand, int]:
    return {p.token: k for k, p in enumerate(view.function.parameters)}


def _is_given(view: FunctionContext, token: Operand) -> bool:
    return isinstance(token, GlobalRef) or any(p.token == token for p in view.function.parameters)


def base_of(view: FunctionContext, token: Operand) -> Operand:
    """What a pointer is a member of, or is read from at a constant offset, over and over."""
    while (i := view.function.definitions.get(token)) is not None:
        is_member = is_gep(i) and not any(isinstance(o, Register) for o in i.operands[1:])
        is_copy = is_phi(i) and len(i.operands) == 1
        if not (is_load(i) or is_member or is_copy):
            break
        token = i.operands[0]
    return token


def _list_walk(view: FunctionContext, header: str) -> Walk | None:
    """p = p->next, or p = strchr(p, c) + 1."""
    inside = view.loops[header].blocks
    for phi in view.function.blocks[header].phis:
        if phi.type != "ptr":
            continue
        arriving = list(zip(phi.operands, phi.labels, strict=True))
        start = [o for o, label in arriving if label not in inside]
        steps = [o for o, label in arriving if label in inside]
        if len(start) == 1 and steps and all(_follows(view, o, phi) for o in steps):
            return _walk(view, header, phi, start[0])
    return None


def _text_walk(view: FunctionContext, header: str) -> Walk | None:
    """while (*s) s++, or while (s[k]) k++."""
    if not _is_to_the_end(view, header):
        return None
    inside = view.loops[header].blocks
    read = [_read(view, e.source) for e in view.loops[header].exits if not e.is_unwind]
    for phi in view.function.blocks[header].phis:
        arriving = list(zip(phi.operands, phi.labels, strict=True))
        start = [o for o, label in arriving if label not in inside]
        steps = [o for o, label in arriving if label in inside]
        if (
            len(start) == 1
            and all(place == phi.token for place in read)
            and all(_steps(view, o, phi) for o in steps)
        ):
            return _walk(view, header, phi, start[0])
    for e in view.loops[header].exits:
        test = _test(view, e.source)
        array = _element_of(view, test.operands[0], header) if test is not None else None
        if array is not None:
            return Walk(base_of(view, array))
    return None


def _read(view: FunctionContext, block: str) -> Operand | None:
    """The place that a test reads."""
    test = _test(view, block)
    i = view.function.definitions.get(test.operands[0]) if test is not None else None
    if is_any(i, "sext", "zext"):
        i = view.function.definitions.get(i.operands[0])
    return i.operands[0] if is_load(i) else None


def _walk(view: FunctionContext, header: str, phi: Instruction, start: Operand) -> Walk:
    to_end = _is_to_the_end(view, header)
    return Walk(
        base_of(view, start),
        _bounds(view, header),
        by_value=any(_is_of_value(view, e.source) for e in view.loops[header].exits),
        changes=to_end and _is_changed(view, phi.token, header),
        returns=to_end and _is_returned(view, phi.token),
    )


def _test(view: FunctionContext, block: str) -> Instruction | None:
    operands = view.function.blocks[block].terminator.operands
    test = view.function.definitions.get(operands[0]) if operands else None
    return test if is_icmp(test) else None


def _is_to_the_end(view: FunctionContext, header: str) -> bool:
    """Is a loop left only where something that it reads, or where it stands, is 0?"""
    tests = [_test(view, e.source) for e in view.loops[header].exits if not e.is_unwind]
    return bool(tests) and all(
        t is not None and t.extra[0] in ("eq", "ne") and t.operands[1] in ("null", "0")
        for t in tests
    )


def _is_of_value(view: FunctionContext, block: str) -> bool:
    """Is something that is read compared with a value?"""
    test = _test(view, block)
    return (
        test is not None
        and test.extra[0] in ("eq", "ne")
        and test.operands[1] not in ("null", "0")
        and _read(view, block) is not None
    )


def _is_changed(view: FunctionContext, token: Operand, header: str | None) -> bool:
    """Is something stored through a pointer, or a member of what it points to, behind a loop?"""
    inside = view.loops[header].blocks if header is not None else frozenset[str]()
    return any(
        is_store(i) and _is_in(view, i.operands[1], token)
        for b in view.function.blocks.values()
        if b.name not in inside
        for i in b.instructions
    )


def _is_returned(view: FunctionContext, token: Operand) -> bool:
    ends = (b.terminator for b in view.function.blocks.values())
    return any(is_return(i) and i.operands and _is_in(view, i.operands[0], token) for i in ends)


def _is_in(view: FunctionContext, token: Operand, pointer: Operand) -> bool:
    """Is it a pointer, or one to a member or a later element of what that points to?"""
    while token != pointer:
        i = view.function.definitions.get(token)
        if is_phi(i):  # of a loop that goes on from there
            arriving = [o for o in i.operands if not _steps(view, o, i)]
            if len(arriving) != 1:
                return False
            token = arriving[0]
        elif is_gep(i):
            token = i.operands[0]
        else:
            return False
    return True


def _steps(view: FunctionContext, token: Operand, phi: Instruction) -> bool:
    """Is it the next element?"""
    i = view.function.definitions.get(token)
    return is_gep(i) and i.operands == (phi.token, "1")


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


def _bounds(view: FunctionContext, header: str) -> frozenset[int]:
    """The integer parameters that a loop's tests rest on."""
    at = _parameters(view)
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


def _search(view: FunctionContext, header: str) -> Walk | None:
    """for (i = 0; i < n; i++) if (a[i] == x) ...: ends at a value, else at a bound."""
    found = value_search(view, header)
    at = _parameters(view)
    if found is None or found[1] not in at:
        return None
    return Walk(found[0], frozenset((at[found[1]],)), by_value=True, is_list=False)


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


def calls_of_walks(view: FunctionContext, header: str, known: Walks) -> Iterator[Found]:
    """Calls in a loop of functions that walk over what the loop builds or indexes."""
    for site in view.program.calls.sites_in.get(view.function.name, ()):
        if view.forest.innermost.get(site.block) != header or not site.certain:
            continue
        called = view.program.view(site.callee)
        for walk, seen in zip(known.of(called), known.of_call(view, site), strict=True):
            text = _costs(view, header, site, walk, seen)
            if text is not None:
                call = site.instruction
                start = handed_start(walk, call, _parameters(called))
                yield call, _source_name(view, site.callee), start, text
                break


def _costs(view: FunctionContext, header: str, site: Site, walk: Walk, seen: Walk) -> str | None:
    """What is wrong with a call of a function with this walk, which its caller sees so."""
    call, start = site.instruction, seen.start
    result = view.function.definitions.get(start)
    is_own = result is not None and result in view.function.blocks[header].phis
    is_own_result = (
        result is not None
        and is_own
        and call.result in result.operands
        and _returns(view.program.view(site.callee), walk.start)
    )
    if walk.is_list and walk.by_value:
        found = is_own and _grows(view, start, header)
        return "searches all that was put there in every iteration" if found else None
    stays = is_own and _stays(view, start, header)
    if not (is_own_result or stays or _is_from_outside(view, start, header)):
        return None
    if walk.moves:
        return "moves all elements by one in every iteration"
    varies = any(_varies(view, call.operands[1 + k], header) for k in walk.bounds)
    if walk.is_list:
        if seen.changes or (is_own_result and _makes(view, site.callee)):
            return "walks to the end of it in every iteration"
        if varies:
            return "walks from the start to the element of every iteration"
        return "walks over all of it in every iteration" if _ends(view, header, call) else None
    stores = any(
        _stores_to(view, i, start)
        for b in view.loops[header].blocks
        for i in view.function.blocks[b].instructions
    )
    return "searches all that was put there in every iteration" if stores and varies else None


def _returns(view: FunctionContext, start: Operand) -> bool:
    """May a function return what it was handed: the head of a list?"""
    ends = (b.terminator for b in view.function.blocks.values())
    return any(
        is_return(i) and i.operands and start in _chosen(view, i.operands[0], view.function.blocks)
        for i in ends
    )


def _chosen(view: FunctionContext, token: Operand, inside: Container[str]) -> set[Operand]:
    """What a value may be, by the choices in some blocks."""
    found, work = set[Operand](), [token]
    while work:
        o = work.pop()
        if o in found:
            continue
        found.add(o)
        i = view.function.definitions.get(o)
        if i is not None and view.function.block_of[o] in inside and is_choice(i):
            work += i.operands if is_phi(i) else i.operands[1:]
    return found


def _stays(view: FunctionContext, token: Operand, header: str) -> bool:
    """May a variable of a loop be the same one iteration later, and is it moved along nothing?"""
    inside = view.loops[header].blocks - {header}
    phi = view.function.definitions[token] if isinstance(token, Register) else None
    if phi is None or not is_phi(phi):
        return False
    pairs = zip(phi.operands, phi.labels, strict=True)
    found = set[Operand]().union(
        *(_chosen(view, o, inside) for o, b in pairs if b in view.loops[header].blocks)
    )
    return token in found and not any(base_of(view, o) == token for o in found - {token})


def _is_from_outside(view: FunctionContext, token: Operand, header: str) -> bool:
    """Is it the same in all iterations of a loop?"""
    return view.function.block_of.get(token) not in view.loops[header].blocks


def _grows(view: FunctionContext, token: Operand, header: str) -> bool:
    """Does a loop put new elements before a list, which a pointer of it is the first of?"""
    inside = view.loops[header].blocks
    new = set[Operand]()
    work = list(view.function.definitions[token].operands) if isinstance(token, Register) else []
    while work:
        o = work.pop()
        i = view.function.definitions.get(o)
        if i is None or o in new or view.function.block_of[o] not in inside:
            continue
        new.add(o)
        if is_phi(i):
            work += i.operands
    made = {o for o in new if _is_new(view, view.function.definitions[o])}
    return bool(made) and any(
        is_store(i) and i.operands[0] == token and any(_is_in(view, i.operands[1], o) for o in made)
        for b in inside
        for i in view.function.blocks[b].instructions
    )


def _is_new(view: FunctionContext, i: Instruction) -> bool:
    """Is it a call that makes an object?"""
    if not i.is_call:
        return False
    name = callee(i) or ""
    return view.program.memory.aliasing.is_allocation(i) or (
        name in view.program.defined and _makes(view, name)
    )


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
    """Inner loops that move all elements by one, walk to the end of what they change there, or
    search what the loop around collects."""
    outer = view.loops[header].parent
    if outer is None:
        return
    walk = _list_walk(view, header) or _text_walk(view, header)
    if walk is not None and walk.changes and _is_from_outside(view, walk.start, outer):
        first = view.function.blocks[header].instructions[0]
        yield first, "loop", walk.start, "walks to the end of it in every iteration"
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
    """The store of a loop that moves all elements by one in each iteration of the one around it."""
    outer = view.loops[header].parent
    store = _moved(view, header)
    trips = view.trip_counts.iterations(header).formula if store is not None else None
    if trips is None or outer is None:
        return None
    trips = trips.substitute(view.variables.forms(outer).closed)
    return store if view.variables.index(outer) in trips.symbols else None


def _moves(view: FunctionContext, header: str) -> Walk | None:
    store = _moved(view, header)
    if store is None:
        return None
    i = view.function.definitions.get(store.operands[1])
    array = i.operands[0] if is_gep(i) else store.operands[1]
    return Walk(base_of(view, array), is_list=False, moves=True)


def _moved(view: FunctionContext, header: str) -> Instruction | None:
    """The store of a[j] = a[j - 1], where that is all that a loop does, for each j."""
    if len([e for e in view.loops[header].exits if not e.is_unwind]) != 1:
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
