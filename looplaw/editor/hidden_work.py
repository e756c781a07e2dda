"""Work that a loop hides: accidental quadratics.

Three shapes are told apart. A loop that measures a string in its own test, or appends to one that
nothing in it resets, passes that string again for each iteration (seen in the IR). Library calls
that move memory may do work that grows faster than the loops around them (seen in the formulas).
And a call of a function with a loop may do, which is often meant; it is shown as a remark only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from looplaw_common.errors import InputError
from modeling.pmnf.formula import Formula, parse_formula
from staticana.alias.library import library_function, source_name
from staticana.ir.graph import callee
from staticana.ir.loop_info import Loop, loop_forest
from staticana.ir.system_files import is_system_file
from staticana.ir.types import Function, GlobalRef, Instruction, Module

from ..documents.analysis import AnalysisDocument, FunctionDocument, LoopDocument
from ..documents.count import CountDocument
from .texts import shown

QUADRATIC, HIDDEN = "accidental-quadratic", "hidden-work"
_MEASURES = ("strlen", "wcslen")
_APPENDS = ("strcat", "strncat", "wcscat", "wcsncat")
_CASTS = frozenset("sext zext trunc bitcast freeze ptrtoint sub add".split())
_SHIFTS = ("memmove", "llvm.memmove.")
_LONGEST = 600
"""Characters of a formula that is compared while somebody types."""
_SMALL, _LARGE, _OTHERS = 2**16, 2**20, 1009
"""Two values of a parameter at which laws are compared, and the value of all others."""
_POWER = 4
"""The quotient of laws that differ by the square root of the parameter, or by more, grows by this
factor between the two values; log2 grows by 1.25."""
_CHAIN = 16
"""Instructions that an address is followed through."""


@dataclass(frozen=True)
class HiddenWork:
    """A finding at a loop. is_sure: it is an accident more often than not; else a remark."""

    at: str
    code: str
    message: str
    is_sure: bool = True


def hidden_work(module: Module, data: AnalysisDocument) -> tuple[HiddenWork, ...]:
    """The findings of a program, in no order."""
    found: dict[tuple[str, str], HiddenWork] = {}
    calls: dict[str, list[str]] = {}
    for f in module.functions.values():
        if f.is_declaration or is_system_file(module.file_of(f.dbg) or ""):
            continue
        if not any(_costs(i) for b in f.blocks.values() for i in b.instructions):
            continue
        for loop in loop_forest(f, module).loops:
            if not loop.is_source:
                continue
            for finding in (*_measured_again(f, loop), *_appended(f, loop)):
                found.setdefault((finding.at, finding.code), finding)
            calls.setdefault(loop.at, []).extend(_moving(f, loop))
    for finding in _outgrown(data, calls):
        if not any(at == finding.at for at, _ in found):
            found[finding.at, finding.code] = finding
    return tuple(found.values())


# -- what the IR shows
def _measured_again(f: Function, loop: Loop) -> Iterator[HiddenWork]:
    """Loops whose own test counts up to the length of a string that stays the same."""
    for edge in loop.exits:
        test = _definition(f, f.blocks[edge.source].terminator.operands[:1])
        if not edge.is_test or test is None or test.opcode != "icmp":
            continue
        if any(f.definitions.get(o) is None for o in test.operands[:2]):
            continue  # compared with a constant or with what the loop does not change
        for operand in test.operands[:2]:
            call = _through_casts(f, operand)
            name = source_name(callee(call) or "") if call is not None else ""
            if call is None or name not in _MEASURES or not _is_inside(f, loop, call.token):
                continue
            if _stays(f, loop, call.operands[1], _CHAIN):
                yield HiddenWork(
                    loop.at,
                    QUADRATIC,
                    f"accidental quadratic: {name} passes the whole string before each iteration;"
                    " the work grows with the square of its length; call it once, before the loop",
                )


def _appended(f: Function, loop: Loop) -> Iterator[HiddenWork]:
    """Loops that append to the end of a string which nothing in them resets."""
    inside = [i for b in loop.blocks for i in f.blocks[b].instructions]
    for i in inside:
        name = source_name(callee(i) or "").removeprefix("__").removesuffix("_chk")
        if name not in _APPENDS or len(i.operands) < 2:
            continue
        target = i.operands[1]
        if not _stays(f, loop, target, _CHAIN) or _is_reset(f, inside, target):
            continue
        yield HiddenWork(
            loop.at,
            QUADRATIC,
            f"accidental quadratic: {name} looks for the end of the same string in each iteration;"
            " the work grows with the square of what is appended; keep a pointer to its end",
        )


def _is_reset(f: Function, inside: Sequence[Instruction], target: str) -> bool:
    """Is there a store to the string, or a call that may write it from its start?"""
    base = _base(f, target)
    for i in inside:
        if i.opcode == "store" and _base(f, i.operands[1]) == base:
            return True
        if i.is_call:
            name = source_name(callee(i) or "").removeprefix("__").removesuffix("_chk")
            if name in (*_APPENDS, *_MEASURES) or name.startswith("llvm.dbg"):
                continue
            known = library_function(callee(i) or "")
            for k, argument in enumerate(i.operands[1:]):
                reads_only = known is not None and k not in known.writes
                if not reads_only and _base(f, argument) == base:
                    return True
    return False


def _base(f: Function, token: str) -> str:
    """Where an address comes from: through additions to it, and to the place it is loaded from."""
    for _ in range(_CHAIN):
        i = f.definitions.get(token)
        if i is None or i.opcode not in ("getelementptr", "bitcast", "load"):
            return str(token)
        if i.opcode == "load":
            return f"*{_base(f, i.operands[0])}"
        token = i.operands[0]
    return str(token)


def _definition(f: Function, operands: Sequence[str]) -> Instruction | None:
    return f.definitions.get(operands[0]) if operands else None


def _through_casts(f: Function, token: str) -> Instruction | None:
    for _ in range(_CHAIN):
        i = f.definitions.get(token)
        if i is None or i.opcode not in _CASTS:
            return i
        token = i.operands[0]
    return None


def _is_inside(f: Function, loop: Loop, token: str) -> bool:
    return f.block_of.get(token) in loop.blocks


def _stays(f: Function, loop: Loop, token: str, left: int) -> bool:
    """Is an address the same in each iteration: from outside, or computed and loaded from such?"""
    i = f.definitions.get(token)
    if i is None or not _is_inside(f, loop, token):
        return True
    if left == 0 or i.opcode not in ("load", "getelementptr", *_CASTS):
        return False
    return all(_stays(f, loop, o, left - 1) for o in i.operands)


def _costs(i: Instruction) -> bool:
    """Is it a call of a library function whose work depends on what it is handed?"""
    if not i.is_call:
        return False
    known = library_function(callee(i) or "")
    return known is not None and known.cost is not None


def _moving(f: Function, loop: Loop) -> Iterator[str]:
    """Library functions whose work depends on what they are handed, called directly in a loop with
    more than a constant length."""
    for name in loop.blocks:
        for i in f.blocks[name].instructions:
            if not _costs(i):
                continue
            sizes = i.operands[3:4] or i.operands[1:2]
            if not all(isinstance(o, GlobalRef) or o.lstrip("-").isdigit() for o in sizes):
                yield callee(i) or ""


# -- what the formulas show
def _outgrown(data: AnalysisDocument, calls: Mapping[str, Sequence[str]]) -> Iterator[HiddenWork]:
    """Loops of functions whose work, or that of the library, grows faster than their loops do."""
    own: dict[str, list[LoopDocument]] = {}
    for loop in data.loops:
        own.setdefault(loop.function, []).append(loop)
    names = [f.name for f in data.functions]
    places = {loop.at: loop for loop in (*data.loops, *data.library)}
    for f in data.functions:
        loops = own.get(f.name, [])
        if not loops or names.count(f.name) > 1:
            continue
        visible = _sum([loop.per_call for loop in loops])
        if visible is None:
            continue
        steps = f.operations.get("library_steps")
        if any(calls.get(loop.at) for loop in loops) and (name := _faster(visible, steps)):
            yield from _of_library(f, loops, calls, name)
        elsewhere = {
            at: [places[i] for i in inner if i in places and places[i].function != f.name]
            for at, inner in ((loop.at, loop.inner) for loop in loops)
        }
        if any(elsewhere.values()) and (name := _faster(visible, f.work)):
            yield from _of_calls(f, elsewhere, name)


def _of_library(
    f: FunctionDocument,
    loops: Sequence[LoopDocument],
    calls: Mapping[str, Sequence[str]],
    name: str,
) -> Iterator[HiddenWork]:
    for loop in loops:
        called = calls.get(loop.at)
        if not called or any(calls.get(at) for at in loop.inner):
            continue
        shifts = any(c.startswith(_SHIFTS) for c in called)
        plain = called[0].removeprefix("llvm.").partition(".")[0]
        steps = shown(f.operations["library_steps"])
        yield HiddenWork(
            loop.at,
            QUADRATIC if shifts else HIDDEN,
            f"{'accidental quadratic' if shifts else 'hidden work'}: {plain} passes more in each"
            f" iteration as {steps.names.get(name, name)} grows: {steps.short} steps of library"
            f" functions in a call of {f.name}",
            shifts,
        )


def _of_calls(
    f: FunctionDocument, elsewhere: Mapping[str, Sequence[LoopDocument]], name: str
) -> Iterator[HiddenWork]:
    """`elsewhere`: place of a loop -> the loops directly inside it that are in other functions."""
    work, most = shown(f.work), "" if f.work.formula else "up to "
    name = work.names.get(name, name)
    for at, inner in elsewhere.items():
        for loop in inner[:1]:
            yield HiddenWork(
                at,
                HIDDEN,
                f"hidden work: each iteration calls {loop.function}, which has a loop: a call of"
                f" {f.name} does {most}{work.short} iterations, which grows faster in {name} than"
                " its own loops",
                False,
            )


def _faster(visible: Formula, whole: CountDocument | None) -> str | None:
    """A parameter of the loops in which the whole grows faster than they do, by a power."""
    text = None if whole is None else whole.formula or whole.upper
    if text is None or text == "0" or len(text) > _LONGEST or "Sum(" in text:
        return None
    try:
        after = parse_formula(text)
        return next((n for n in sorted(visible.symbols) if _outgrows(visible, after, n)), None)
    except (InputError, ArithmeticError):
        return None


def _outgrows(before: Formula, after: Formula, name: str) -> bool:
    """Does the quotient of two laws grow with a parameter by more than logarithms do?"""
    quotients = []
    for value in (_SMALL, _LARGE):
        at = dict.fromkeys(before.symbols | after.symbols, _OTHERS) | {name: value}
        least = before.evaluate(at)
        if least <= 0:
            return False
        quotients.append(after.evaluate(at) / least)
    return quotients[0] > 0 and quotients[1] / quotients[0] > _POWER


def _sum(counts: Sequence[CountDocument]) -> Formula | None:
    texts = [c.formula for c in counts]
    if any(t is None for t in texts):
        return None
    try:
        return parse_formula(" + ".join(f"({t})" for t in texts))
    except InputError:
        return None
