"""Loops that threads share, as flang writes them, in the form in which clang writes them.

flang's variable counts from 0 to the length of a thread's part, and the body adds the part's lower
bound. clang's begins at the lower bound and goes to the upper one, in the loop's header. What is
equal here is the number of iterations; `do` loops have no more than fit into a signed number.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from ...ir.graph import callee, instructions
from ...ir.matchers import is_any, is_icmp, is_load, is_phi
from ...ir.parser import parse_module
from ...ir.types import Block, Function, Instruction, Module, Operand
from ..loop_shape import source_lines

_SHARES = "__kmpc_for_static_init_"
_HANDS_OUT = "__kmpc_dispatch_init_"
_HEADER = "omp_loop.header"
_DO = re.compile(r"^(?:[^!'\"]*[\s:])?(do)\b", re.IGNORECASE)
_ENDS = re.compile(r"\bend\s*do\b", re.IGNORECASE)
_DIRECTIVE = re.compile(r"\s*[!cC*]\$omp\b", re.IGNORECASE)
_CONTINUED = re.compile(r"\s*(?:[!&cC*].*)?$")
"""Lines between a directive and its loop: blank, comments, and what goes on with the directive."""
_PLACED = re.compile(r", !dbg (!\d+)")


class _Shared(NamedTuple):
    """A loop that threads share. test: of its variable; span: of its bounds; adds: where its body
    adds the lower one."""

    phi: Instruction
    test: Instruction
    span: Instruction
    adds: tuple[Instruction, ...]
    lower: Operand
    upper: Operand


def with_shared_loops(text: str) -> tuple[str, dict[tuple[str, str], str]]:
    """The text with loops in clang's form, and (function, header) -> where in the source its loop
    begins."""
    if _HEADER not in text:
        return text, {}
    module = parse_module(text)
    lines = text.split("\n")
    places: dict[tuple[str, str], str] = {}
    free = module.free_metadata
    given: list[str] = []
    for f, i, said, do in _calls(module, lines):
        found = _shared(f, i)
        header = _header_behind(f, i) if found is None else f.block_of[found.phi.token]
        if header is None or (f.name, header) in places:
            continue
        place = said
        if do is not None:
            given.append(do)
            lines.append(f"!{free} = {do}")
            place, free = f"!{free}", free + 1
        places[f.name, header] = place
        if found is not None:
            _rewrite(f, found, lines, place)
        else:
            _put_test_first(f, header, lines, place)
    taken = {do.partition(", scope")[0] for do in given}
    own = {key: do for key, do in _of_one_thread(module) if key not in places}
    number = Counter(do.partition(", scope")[0] for do in own.values())
    for (name, header), do in own.items():
        where = do.partition(", scope")[0]
        if number[where] == 1 and where not in taken:
            lines.append(f"!{free} = {do}")
            places[name, header] = f"!{free}"
            _put_test_first(module.functions[name], header, lines, f"!{free}")
            free += 1
    return "\n".join(lines), places


def _of_one_thread(module: Module) -> Iterator[tuple[tuple[str, str], str]]:
    """Loops that no threads share, as those of `simd`: (function, header) and the place of the
    `do`, which the instructions that count its iterations say."""
    for f in module.functions.values():
        for name in f.blocks if not f.is_declaration else ():
            test = _test_behind(f, name)[-1:] if name.startswith(_HEADER) else ()
            trips = f.definitions.get(test[0].operands[1]) if test else None
            do = None if trips is None or trips.dbg is None else _of_do(module, trips.dbg)
            if do is not None:
                yield (f.name, name), do


def _calls(module: Module, lines: list[str]) -> list[tuple[Function, Instruction, str, str | None]]:
    """The calls that hand out the parts of loops, each with a place that is said above it and the
    one of its `do` that it stands for. A second reduction is said to stand where the first does;
    of what has one place with others, which would be counted as one loop, none is told."""
    said = [
        (f, i, place)
        for f in module.functions.values()
        for i in instructions(f)
        if (callee(i) or "").startswith((_SHARES, _HANDS_OUT))
        and (place := _place(f, i, lines)) is not None
    ]
    number = Counter(module.location(place) for _, _, place in said)
    found = []
    for f, i, place in said:
        is_one = number[module.location(place)] == 1
        do = _of_do(module, place) if is_one else _above_body(module, f, i, place, lines)
        if is_one or do is not None:
            found.append((f, i, place, do))
    own = Counter(do.partition(", scope")[0] for *_, do in found if do is not None)
    return [x for x in found if x[3] is None or own[x[3].partition(", scope")[0]] == 1]


def _above_body(
    module: Module, f: Function, call: Instruction, said: str, lines: list[str]
) -> str | None:
    """A DILocation of the `do` that the first line said in a loop's body is of: a directive above
    it, or a line below it."""
    shared, own = _shared(f, call), module.location(said)
    if shared is None or own is None:
        return None
    for text in lines[shared.adds[0].line : f.end]:
        placed = _PLACED.search(text)
        place = None if placed is None else module.location(placed[1])
        if placed is not None and place is not None and place.line != own.line:
            source = source_lines(module, placed[1])[: place.line]
            if source and _DIRECTIVE.match(source[-1]):
                return _of_do(module, placed[1])
            for number in range(len(source) - 1, own.line, -1):
                found = _DO.search(source[number - 1])
                if found is not None and not _ENDS.search(source[number - 1]):
                    scope = module.metadata_field(placed[1], "scope")
                    return _location(number, found, scope)
            return None
    return None


def _header_behind(f: Function, call: Instruction) -> str | None:
    """The header of the loop that flang writes behind a call, if it has no place yet."""
    behind = [b for b in f.blocks.values() if b.terminator.line > call.line]
    found = [b for b in behind if b.name.startswith(_HEADER)]
    first = min(found, key=lambda b: b.terminator.line, default=None)
    return None if first is None or not _test_behind(f, first.name) else first.name


def _shared(f: Function, call: Instruction) -> _Shared | None:
    """The loop behind a call that tells a thread its part; None where it is not as flang writes
    it."""
    if not (callee(call) or "").startswith(_SHARES):
        return None
    lower, upper = (_load(f, call, o) for o in call.operands[5:7])
    if lower is None or upper is None:
        return None
    spans = [u for u in f.users.get(upper.token, ()) if is_any(u, "sub")]
    trips = [u for s in spans for u in f.users.get(s.token, ()) if is_any(u, "add")]
    tests = [u for t in trips for u in f.users.get(t.token, ()) if is_icmp(u)]
    if len(spans) != 1 or len(trips) != 1 or len(tests) != 1:
        return None
    span, trip, test = spans[0], trips[0], tests[0]
    phi = f.definitions.get(test.operands[0])
    right = (span.operands == (upper.token, lower.token), trip.operands == (span.token, "1"))
    if not all(right) or test.extra[0] != "ult" or test.operands[1] != trip.token:
        return None
    if phi is None or not is_phi(phi) or phi.operands.count("0") != 1:
        return None
    steps = [u for u in f.users[phi.token] if u.token in phi.operands]
    adds = [u for u in f.users[phi.token] if u is not test and u not in steps]
    if any(not is_any(u, "add") or u.operands != (phi.token, lower.token) for u in adds):
        return None
    if [u.operands for u in steps] != [(phi.token, "1")]:
        return None
    if _test_behind(f, f.block_of[phi.token]) != (test,):
        return None
    others = {span.token, *(u.token for u in adds)}
    if any(u.token not in others for u in f.users.get(lower.token, ())):
        return None
    return _Shared(phi, test, span, tuple(adds), lower.token, upper.token)


def _load(f: Function, call: Instruction, address: Operand) -> Instruction | None:
    """The only load of a bound behind the call."""
    found = [u for u in f.users.get(address, ()) if is_load(u) and u.line > call.line]
    return found[0] if len(found) == 1 else None


def _test_behind(f: Function, header: str) -> tuple[Instruction, ...]:
    """The test of a loop whose header holds nothing but the variable, and the loads for it: all
    that stands in the block behind it. They have names, as what has a number cannot be moved."""
    head = f.blocks[header]
    if len(head.instructions) != 2 or not head.phis or len(head.terminator.labels) != 1:
        return ()
    behind = f.blocks[head.terminator.labels[0]]
    if len(behind.instructions) < 2:
        return ()
    found, branch = tuple(behind.instructions[:-1]), behind.terminator
    test = found[-1]
    if not is_icmp(test) or branch.dbg is not None:
        return ()
    if branch.operands[:1] != (test.token,) or f.predecessors[behind.name] != (header,):
        return ()
    if any(_meets(f.blocks[s], behind.name) for s in behind.successors):
        return ()
    is_plain = all(is_load(i) or i is test for i in found)
    return found if is_plain and not any(i.token[1:].isdecimal() for i in found) else ()


def _meets(block: Block, name: str) -> bool:
    return any(name in phi.labels for phi in block.phis)


def _place(f: Function, call: Instruction, lines: list[str]) -> str | None:
    """The last source location before a call. For a plain `do` it is the loop's."""
    for n in range(call.line, f.line, -1):
        found = _PLACED.search(lines[n])
        if found is not None:
            return found[1]
    return None


def _of_do(module: Module, pragma: str) -> str | None:
    """A DILocation of the first `do` behind a directive, which flang names in its place."""
    place = module.location(pragma)
    if place is None:
        return None
    for number, line in enumerate(source_lines(module, pragma)[place.line :], place.line + 1):
        found = _DO.search(line)
        if found is not None:
            return _location(number, found, module.metadata_field(pragma, "scope"))
        if not _CONTINUED.match(line):
            return None
    return None


def _location(line: int, found: re.Match[str], scope: str | None) -> str:
    return f"!DILocation(line: {line}, column: {found.start(1) + 1}, scope: {scope})"


def _rewrite(f: Function, found: _Shared, lines: list[str], place: str) -> None:
    phi, test = found.phi, found.test
    lines[phi.line] = re.sub(r"\[ 0, ", f"[ {found.lower}, ", lines[phi.line], count=1)
    for i in found.adds:
        lines[i.line] = _with_last(lines[i.line], found.lower, "0")
    span = lines[found.span.line].partition(" = ")[0]  # nothing reads it any more
    lines[found.span.line] = f"{span} = add {found.span.type} 0, 0"
    compared = _with_last(lines[test.line], test.operands[1], found.upper)
    lines[test.line] = compared.replace(" ult ", " sle ", 1)
    _put_test_first(f, f.block_of[phi.token], lines, place)


def _put_test_first(f: Function, header: str, lines: list[str], place: str) -> None:
    """Move a loop's test into its header, and say where the loop stands."""
    moved = _test_behind(f, header)
    branch, head = f.blocks[f.block_of[moved[-1].token]].terminator, f.blocks[header].terminator
    at = f", !dbg {place}"
    ahead = [lines[i.line] for i in moved]
    lines[head.line] = "\n".join([*ahead[:-1], f"{ahead[-1]}{at}", f"{lines[branch.line]}{at}"])
    for i in moved:
        lines[i.line] = ""
    lines[branch.line] = "  unreachable"


def _with_last(line: str, old: str, new: str) -> str:
    """A line with another last operand."""
    return re.sub(rf", {re.escape(old)}(?![\w.$-])", f", {new}", line, count=1)
